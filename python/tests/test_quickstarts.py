"""The quickstarts in docs/start run as they are written, in an empty folder beside a checkout, against the example site.

Blocks of `sh` are run, in order; a block of `text` after one is what they print, in which `…` stands for anything. A block after the words "Save
as" is a file. Comments that readers do not see mark a block that is not run, with the reason, one that runs beside the rest, and an exit code.
The languages that need a compiler or the npm package run with --long.
"""

import doctest
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT
from test_example import PORT, free_port, started

START = ROOT / "docs/start"
PAGES = [page.stem for page in sorted(START.glob("*.md")) if page.stem != "index"]
ALWAYS = {"command-line", "python", "site-owner"}
NEEDS = {
    "c": ["cc", "curl"],
    "firmware": ["cargo", "curl", "rustup"],
    "javascript": ["node"],
    "rust": ["cargo", "curl"],
}
BUILT = {
    "c": ["agentsdisc/target/release/libagentsdisc.a"],
    "javascript": ["node_modules/agentsdisc/dist"],
}
"""What the blocks that are not run would build."""

BLOCK = re.compile(
    r"(?P<before>[^\n]*)\n\n(?:<!-- (?P<mark>[^\n]*) -->\n)?```(?P<language>\w+)\n(?P<body>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


def test_there_is_a_quickstart_for_each_role() -> None:
    assert sorted(ALWAYS | NEEDS.keys()) == PAGES
    index = (START / "index.md").read_text(encoding="utf-8")
    assert all(f"({page}.md)" in index for page in PAGES)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    process, url = started(free_port())
    yield int(url.rsplit(":", 1)[1])
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder beside a checkout, whose build folder is that of this repository."""
    checkout = tmp_path / "agentsdisc"
    checkout.mkdir()
    for entry in ROOT.iterdir():
        if entry.name not in {"target", ".venv", ".git"}:
            (checkout / entry.name).symlink_to(entry)
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    (checkout / "target").symlink_to(built)
    # As `npm install` leaves it.
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/agentsdisc").symlink_to(ROOT / "js")
    return tmp_path


def environment(folder: Path) -> dict[str, str]:
    """Returns the environment: the installed command, and nothing that earlier runs have stored."""
    programs = folder / "bin"
    programs.mkdir()
    command = programs / "agentsdisc"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agentsdisc "$@"\n')
    command.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    target = str(folder / "build")
    return os.environ | {
        "PATH": path,
        "XDG_CACHE_HOME": str(folder / "cache"),
        "CARGO_TARGET_DIR": target,
    }


def fits(expected: str, printed: str) -> bool:
    """Whether a text is the expected one, in which `…` stands for anything."""
    parts = (re.escape(part) for part in expected.strip().split("…"))
    return re.fullmatch(".*".join(parts), printed.strip(), re.DOTALL) is not None


@pytest.mark.parametrize("page", PAGES)
def test_the_quickstart(page: str, port: int, folder: Path) -> None:
    if page not in ALWAYS and not os.environ.get("AGENTSDISC_LONG"):
        pytest.skip("only with --long")
    for program in NEEDS.get(page, []):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is missing")
    for built in BUILT.get(page, []):
        if not (folder / built).exists():
            pytest.skip(f"{built} is not built")
    text = (START / f"{page}.md").read_text(encoding="utf-8")
    assert len(text.split()) < 450  # a page
    assert text.count(f":{PORT}") > 0
    run(text.replace(f":{PORT}", f":{port}"), folder)


def run(text: str, folder: Path) -> None:
    """Runs the blocks of a page."""
    known, printed, shown = environment(folder), None, 0
    examples: list[str] = []
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) == text.count("```") / 2
    for block in blocks:
        mark, body = block["mark"] or "", block["body"]
        saved = re.search(r"[Ss]ave [^`]*as `([^`]+)`:$", block["before"])
        if saved:
            file = folder / saved[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(body, encoding="utf-8")
        elif block["language"] == "python":
            examples.append(body)
        elif block["language"] == "text":
            assert printed is not None and fits(body, printed), printed
            shown += 1
        elif mark == "beside the rest":
            assert body == "agentsdisc example\n"
        elif mark.startswith("not run: "):
            assert body
        else:
            code = re.fullmatch(r"exit code (\d)", mark)
            done = subprocess.run(
                ["sh", "-e", "-c", body],
                cwd=folder,
                env=known,
                capture_output=True,
                text=True,
                timeout=600,
            )
            printed = done.stdout
            assert done.returncode == (int(code[1]) if code else 0), done.stderr
    test = doctest.DocTestParser().get_doctest("\n".join(examples), {}, "page", None, 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0
    assert shown + len(test.examples) > 0


def test_the_example_of_a_decision(port: int, folder: Path) -> None:
    text = (ROOT / "docs/policy.md").read_text(encoding="utf-8")
    run(text.replace(f":{PORT}", f":{port}"), folder)


def test_the_errors_of_a_call(port: int) -> None:
    text = (ROOT / "docs/call-errors.md").read_text(encoding="utf-8")
    text = text.replace(f":{PORT}", f":{port}")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "call-errors.md", None, 0)
    assert len(test.examples) > 8
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_mcp_server_of_the_quickstart(port: int) -> None:
    pytest.importorskip("mcp")
    import anyio
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    text = (START / "command-line.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^agentsdisc (mcp serve .*)$", text, re.MULTILINE)
    arguments = shlex.split(command.replace(f":{PORT}", f":{port}"))
    given = StdioServerParameters(
        command=sys.executable, args=["-m", "agentsdisc", *arguments]
    )

    async def use() -> None:
        async with (
            stdio_client(given) as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            names = [tool.name for tool in (await session.list_tools()).tools]
            assert "search" in names and "stocktake" not in names
            result = await session.call_tool("search", {"q": "blue"})
            assert "Blue mug" in str(result)

    anyio.run(use)


@pytest.mark.parametrize(
    ("page", "why"),
    [
        ("A\n\n```sh\nfalse\n```\n", "a command fails"),
        ("A\n\n```sh\necho a\n```\n\n```text\nb\n```\n", "the output differs"),
        ("A\n\n```sh\ntrue\n```\n", "no output is shown"),
        ("A\n```sh\ntrue\n```\n", "a block is not seen"),
        ("A\n\n```python\n>>> 1\n2\n\n```\n", "the value differs"),
    ],
)
def test_a_wrong_quickstart_is_found(page: str, why: str, folder: Path) -> None:
    with pytest.raises(AssertionError):
        run(page, folder)
