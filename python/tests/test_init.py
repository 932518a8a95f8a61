"""`agentsdisc init`: what it asks, refuses and leaves alone."""

import os
from pathlib import Path

import agentsdisc
import pytest
from conftest import Run, on_a_terminal

CLEAN = b"# ours\n"
INIT = ("init", "--name", "Mug Shop", "--url", "https://mugs.example")

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--auth", "oauth2", "--auth-endpoint", "https://a.example/t"), "--capability"),
        (("--auth", "api-key", "--to", "agents-md", "--allow", "Read"), "--mcp"),
        (("--capability", "a=https://a.example/a", "--auth-endpoint", "https://a.example/t"), "--auth"),
        (("--rate-limit", "60/minute\nCapabilities:"), "line break"),
        (("--description", "a\nb", "--to", "agents-json"), "line break"),
        (("--description", "a\u2028b"), "line break"),
        (("--to", "agents-md"), "--allow"),
    ],
)  # fmt: skip
def test_init_reports_missing_and_superfluous_options(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = run(*INIT, *arguments, "-o", "out", check=2)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


@posix
def test_init_keeps_a_file_created_during_its_questions(tmp_path: Path) -> None:
    with on_a_terminal("init", "-o", "agents.txt", folder=tmp_path) as (program, ours):
        assert program.stderr is not None
        assert program.stderr.read(4) == b"Name"
        (tmp_path / "agents.txt").write_bytes(CLEAN)
        os.write(ours, b"Mug Shop\nhttps://mugs.example\n\n\n\n\n")
        _, asked = program.communicate(timeout=60)
    assert program.returncode == 2
    assert b"file exists" in asked
    assert (tmp_path / "agents.txt").read_bytes() == CLEAN


@posix
def test_init_asks_for_sentences_of_an_agents_md(tmp_path: Path) -> None:
    answers = ["Mug Shop", "https://mugs.example", "", "", "", "Read pages", "Order"]
    command = ("init", "--to", "agents-md")
    with on_a_terminal(*command, folder=tmp_path) as (program, ours):
        os.write(ours, ("\n".join(answers) + "\n").encode())
        out, asked = program.communicate(timeout=60)
    assert program.returncode == 0, asked
    words = agentsdisc.parse(out).permissions
    assert (tuple(words.can), tuple(words.cannot)) == (("Read pages",), ("Order",))
