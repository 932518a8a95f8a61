"""The commands for site owners: `convert`, `lint --fix`, `lint --diff`, `init` and the hooks."""

import json
import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import agentsdisc
import pytest
from conftest import PATIENCE, ROOT, SHOP_JSON, SHOP_TXT, Run, on_a_terminal

UNTIDY = b"# a comment\r\nspec-version : 1.0\r\nSite-Name: a\nSite-URL: https://a.example\nDisallow: /x\nCapability: c\nEndpoint: https://a.example/c\nProtocol: REST"
TIDY = b"# a comment\r\nSpec-Version: 1.0\r\nSite-Name: a\nSite-URL: https://a.example\nDisallow: /x\nCapability: c\n  Endpoint: https://a.example/c\n  Protocol: REST\n"


def test_convert_to_standard_output(run: Run) -> None:
    done = run("convert", SHOP_TXT, "--to", "agents-json", check=0)
    model = json.loads(done.stdout)
    assert model["site"]["name"] == "Example Shop"
    compact = run("convert", SHOP_TXT, "--to", "agents-json", "--compact", check=0)
    assert compact.stdout.count("\n") == 1
    unified = run("convert", SHOP_TXT, "--to", "json", check=0)
    assert json.loads(unified.stdout)["format"] == "agents-txt"


def test_convert_reports_losses_on_standard_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        '{"specVersion": "1.0",\n "site": {"name": "a"}, "x\\u001b[2J": 5}'
    )
    done = run(
        "convert", "a.json", "--to", "agents-txt", "--format", "agents-json", check=0
    )
    assert done.stdout == "Spec-Version: 1.0\n\nSite-Name: a\n"
    assert "a.json:2:26: warning[not-text]:" in done.stderr
    assert all(c.isprintable() or c == "\n" for c in done.stderr)
    strict = run(
        "convert",
        "a.json",
        "--to",
        "agents-txt",
        "--format",
        "agents-json",
        "--strict",
        "-o",
        "b.txt",
        check=1,
    )
    assert strict.stdout == ""
    assert not (tmp_path / "b.txt").exists()


def test_convert_into_a_file(run: Run, tmp_path: Path) -> None:
    done = run("convert", SHOP_JSON, "--to", "agents-txt", "-o", "agents.txt", check=0)
    assert done.stdout == ""
    written = (tmp_path / "agents.txt").read_bytes()
    assert (
        agentsdisc.parse(written).service.name
        == agentsdisc.parse(SHOP_JSON.read_bytes()).service.name
    )
    assert [file.name for file in tmp_path.iterdir()] == ["agents.txt"]


def test_convert_refuses_results_that_allow_more(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("old")
    done = run(
        "convert",
        "-",
        "--format",
        "agents-json",
        "--to",
        "agents-txt",
        "-o",
        "out.txt",
        input=b'{"access": {"disallow": ["/a\\nAllow: /*"]}}',
        check=1,
    )
    assert "error[line-break]: `access.disallow[0]`" in done.stderr
    assert "not written" in done.stderr
    assert (tmp_path / "out.txt").read_text() == "old"


def test_convert_to_agent_json_and_agents_md(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_text(
        "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n"
        "Capability: search\n  Endpoint: https://mugs.example/s\n  Protocol: REST\n"
    )
    done = run("convert", "agents.txt", "--to", "awp", check=0)
    written = json.loads(done.stdout)
    assert (written["domain"], "intent" in written) == ("mugs.example", False)
    assert "`intent` is missing" in done.stderr
    done = run("convert", "agents.txt", "--to", "agents-md", check=0)
    assert done.stdout.endswith("# Mugs\n\n## Can\n- search\n")
    assert "capabilities[0]" in done.stderr


def test_convert_to_an_unsupported_format(run: Run) -> None:
    done = run("convert", SHOP_TXT, "--to", "agents-txt-0.1", check=2)
    assert (
        "use one of: agents-txt, agents-json, agents-md, awp, adp, adp-capability, llms-txt, json"
        in done.stderr
    )
    run("convert", SHOP_TXT, "--to", "nonsense", check=2)
    run("convert", "none.txt", "--to", "agents-json", check=2)
    run("convert", SHOP_TXT, "--to", "agents-json", "-o", "no/such/folder/x", check=2)


def test_lint_fix_in_place(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "agents.txt"
    file.write_bytes(UNTIDY)
    file.chmod(0o640)
    done = run("lint", "--fix", "agents.txt", check=0)
    assert file.read_bytes() == TIDY
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert "agents.txt:2: fixed[letter-case]: " in done.stderr
    assert "unindented" not in done.stdout
    before = file.stat().st_ino
    again = run("lint", "--fix", "agents.txt", check=0)
    assert again.stderr == ""
    assert file.stat().st_ino == before, "a file without fixes is not written"
    assert [file.name for file in tmp_path.iterdir()] == ["agents.txt"]


def test_lint_fix_follows_links_and_passes_others_by(run: Run, tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_bytes(UNTIDY)
    (tmp_path / "agents.txt").symlink_to("real.txt")
    (tmp_path / "agents.json").write_bytes(SHOP_JSON.read_bytes())
    run("lint", "--fix", "agents.txt", "agents.json")
    assert (tmp_path / "agents.txt").is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == TIDY
    assert (tmp_path / "agents.json").read_bytes() == SHOP_JSON.read_bytes()
    run("lint", "--fix", "-", input=UNTIDY, check=2)
    run("lint", "--fix", "none.txt", check=2)


def test_lint_diff_changes_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_bytes(UNTIDY + b"\nX: a\x1b[2J  ")
    done = run("lint", "--diff", "agents.txt", check=1)
    assert "-Endpoint: https://a.example/c" in done.stdout
    assert "+  Endpoint: https://a.example/c" in done.stdout
    assert all(c.isprintable() or c in "\n\t" for c in done.stdout)
    assert (tmp_path / "agents.txt").read_bytes().startswith(UNTIDY)
    assert run("lint", "--diff", "-", input=TIDY, check=0).stdout == ""
    run("lint", "--diff", "none.txt", check=2)


INIT = ("init", "--name", "Mug Shop", "--url", "https://mugs.example")


@pytest.mark.parametrize("kind", ["agents-txt", "agents-json", "agents-md"])
def test_init_lints_clean(run: Run, tmp_path: Path, kind: str) -> None:
    name = {
        "agents-txt": "agents.txt",
        "agents-json": "agents.json",
        "agents-md": "agents.md",
    }[kind]
    more = ["--description", "We sell mugs", "--contact", "agents@mugs.example"]
    more += ["--mcp", "https://mugs.example/.well-known/mcp"]
    if kind == "agents-md":
        more += ["--allow", "Read product pages", "--disallow", "Place orders"]
    else:
        more += ["--capability", "search=https://mugs.example/s", "--disallow", "/a/*"]
        more += ["--rate-limit", "60/minute", "--auth", "bearer-token"]
        more += ["--auth-endpoint", "https://mugs.example/token"]
    done = run(*INIT, "--to", kind, *more, "-o", f".well-known/{name}", check=0)
    assert done.stdout == ""
    linted = run("lint", f".well-known/{name}", "--origin", "https://mugs.example")
    assert linted.stdout == ""
    document = agentsdisc.parse((tmp_path / ".well-known" / name).read_bytes())
    assert document.format == kind
    assert document.service is not None
    assert document.service.name == "Mug Shop"
    assert run(*INIT, "--to", kind, "-o", f".well-known/{name}", check=2).stderr


def test_init_without_options_for_anything_else(run: Run) -> None:
    for kind in ("agents-txt", "agents-json"):
        text = run(*INIT, "--to", kind, check=0).stdout
        assert agentsdisc.parse(text).service.url == "https://mugs.example"
        assert "error" not in run("lint", "-", input=text.encode(), check=0).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--name", "a\nAuth: none", "--url", "https://a.example"),
        ("--name", "a", "--url", "http://a.example"),
        ("--name", "a", "--url", "nonsense"),
        ("--name", "a", "--url", "https://a.example", "--capability", "search"),
        ("--name", "a", "--url", "https://a.example", "--capability", "A B=x"),
        ("--name", "a", "--url", "https://a.example", "--rate-limit", "often"),
        ("--name", "a", "--url", "https://a.example", "--auth", "oauth2", "--mcp", "https://a.example/m"),
        ("--name", "a", "--url", "https://a.example", "--disallow", "/a\nAllow: /*"),
        ("--name", "a", "--url", "https://a.example", "--to", "agents-md", "--description", "## Can"),
        ("--name", "a", "--url", "https://a.example", "--to", "agents-md", "--disallow", "a\n## Can\n- b"),
        ("--name", "a", "--url", "https://a.example", "--to", "agents-md", "--capability", "a=https://a.example/a"),
        ("--name", "a", "--url", "https://a.example", "--to", "agents-md", "--auth", "hmac", "--mcp", "/m"),
        ("--url", "https://a.example", "--to", "agents-md"),
        ("--name", "a"),
    ],
)  # fmt: skip
def test_init_writes_no_invalid_document(
    run: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = run("init", *arguments, "-o", "out", check=2)
    assert done.stderr.startswith("agentsdisc: ")
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_init_asks_on_a_terminal(tmp_path: Path) -> None:
    answers = ["", "Mug Shop", "https://mugs.example", "", "", "", "/admin/* /x"]
    with on_a_terminal("init", folder=tmp_path) as (program, ours):
        os.write(ours, ("\n".join(answers) + "\n").encode())
        out, asked = program.communicate(timeout=PATIENCE)
    assert program.returncode == 0, asked
    document = agentsdisc.parse(out)
    assert document.service.name == "Mug Shop"
    assert document.access.disallow == ("/admin/*", "/x")
    assert asked.count(b"Name of the site") == 2


def test_the_hooks_run(run: Run, tmp_path: Path) -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"^  entry: agentsdisc (.*)$", text, re.MULTILINE)
    patterns = re.findall(r"^  files: (.*)$", text, re.MULTILINE)
    assert len(entries) == text.count("- id: ") == 3
    # The last one gets the folder of the site in `args`, and no names of files.
    assert entries.pop() == "check"
    assert text.endswith("\n  pass_filenames: false\n")
    for entry, pattern in zip(entries, patterns, strict=True):
        assert re.search(pattern, "public/.well-known/agents.txt")
        assert not re.search(pattern, "reagents.txt")
        (tmp_path / "agents.txt").write_bytes(UNTIDY)
        run(*entry.split(), "agents.txt", check=0)
    assert (tmp_path / "agents.txt").read_bytes() == TIDY
    assert "llms-txt" in run("check", tmp_path, check=0).stdout


def test_the_guide_for_site_owners(run: Run, tmp_path: Path) -> None:
    text = (ROOT / "docs/site-owners.md").read_text(encoding="utf-8")
    (tmp_path / ".well-known").mkdir()
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    commands = [
        line.split("#")[0].replace("\\\n", " ").strip()
        for block in blocks
        for line in block.replace("\\\n", " ").splitlines()
        # Commands that request a site are tested in test_serving.py and test_check.py.
        if re.match("agentsdisc (?!(lint|check) https://)", line)
    ]
    assert len(commands) == 12
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist/robots.txt").write_text("User-agent: *\nAllow: /\n")
    for command in commands:
        command, _, output = command.partition(" > ")
        done = run(*shlex.split(command)[1:])
        assert done.returncode == 0, (command, done.stderr, done.stdout)
        if output:
            (tmp_path / output).write_text(done.stdout, "utf-8")
    assert "<h1>Is dist ready" in (tmp_path / "report.html").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    written = tmp_path / ".well-known/agents.json"
    before = written.read_bytes()
    written.unlink()
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
    assert written.read_bytes() == before
