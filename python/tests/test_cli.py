"""The command line, run as a program."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PATIENCE, SHOP_JSON, SHOP_TXT, Run, environment, heed_interrupts

BROKEN = b'{"specVersion": "1.0",\n "site": {"name": "a"},\n "capabilities": [\n'
FAULTY = "Spec-Version: 1.0\nSite-Name: Caf\u00e9\nSite-URL: http://a.example\nCapability: x\n"


def test_parse_prints_the_model(run: Run, shop_json: bytes) -> None:
    done = run("parse", SHOP_JSON, check=0)
    model = json.loads(done.stdout)
    assert model["service"]["name"] == "Example Shop"
    assert done.stdout.count("\n") == 1
    assert json.loads(run("parse", "-", input=shop_json, check=0).stdout) == model
    spread = run("parse", SHOP_JSON, "--indent", "2", check=0).stdout
    assert json.loads(spread) == model
    assert spread.startswith('{\n  "format"')


def test_format_and_url_help(run: Run) -> None:
    run("parse", "-", input=b"X: y\n", check=2)
    done = run("parse", "-", "--format", "agents-txt", input=b"X: y\n", check=0)
    assert json.loads(done.stdout)["format"] == "agents-txt"
    done = run("parse", "-", "--format", "nonsense", input=b"X: y\n", check=2)
    assert "not a format that can be parsed" in done.stderr


def test_inspect_output(run: Run) -> None:
    done = run("inspect", SHOP_JSON, check=0)
    assert "product-search" in done.stdout
    assert "60/minute" in done.stdout
    assert "\x1b" not in done.stdout


def test_inspect_shows_a_restriction_on_each_line(run: Run) -> None:
    data = b"# A\n\n## Cannot\nNo orders.\n\n- Buy, sell\n- Rent\n"
    shown = run("inspect", "-", "--format", "agents-md", input=data, check=0).stdout
    assert "  cannot\n    - Buy, sell\n    - Rent\n" in shown
    assert "  cannot_prose\n    - No orders.\n" in shown
    rules = b"Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\nAllow: /\nDisallow: /x\nDisallow: /y\n"
    shown = run("inspect", "-", input=rules, check=0).stdout
    assert "- /x\n" in shown and "- /y\n" in shown


def test_inspect_masks_passwords_in_names(run: Run) -> None:
    for data in (
        b"Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\nhttps://bob:w8t3r@a.example: x\n",
        b"---\nhttps://bob:w8t3r@a.example: x\n---\n# A\n\n## Can\n- Read\n",
        b"# A\n\n## Can\n- Pay with sk\\_live\\_q7Zt4WxN2LpD5rKc8VbM1s\n",
    ):
        done = run("inspect", "-", input=data, check=0)
        assert "w8t3r" not in done.stdout and "q7Zt4WxN" not in done.stdout
        assert "\N{HORIZONTAL ELLIPSIS}" in done.stdout


def test_inspect_shows_no_control_characters(run: Run) -> None:
    data = "Spec-Version: 1.0\nSite-Name: a\x1b[31mb\u202e\u200bc\nSite-URL: https://a.example\nX\x9b: 1\n".encode()
    done = run("inspect", "-", input=data, check=0)
    assert "a\\x1b[31mb\\u202e\\u200bc" in done.stdout
    assert all(c.isprintable() or c == "\n" for c in done.stdout)


def test_lint_text_shows_the_place(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_text(FAULTY, encoding="utf-8")
    done = run("lint", "agents.txt", check=1)
    assert "agents.txt:3:11: error[insecure-url]:" in done.stdout
    lines = done.stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if "insecure-url" in line)
    assert lines[at + 1] == "3 | Site-URL: http://a.example"
    assert lines[at + 2] == "  |           ^^^^^^^^^^^^^^^^"


def test_lint_of_a_clean_document_is_silent(run: Run) -> None:
    done = run("lint", SHOP_TXT, check=0)
    assert "error" not in done.stdout


def test_lint_json(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_text(FAULTY, encoding="utf-8")
    (tmp_path / "broken.json").write_bytes(BROKEN)
    done = run("lint", "agents.txt", "broken.json", "--output-format", "json", check=2)
    found = json.loads(done.stdout)
    assert {"insecure-url", "invalid-json"} <= {f["code"] for f in found}
    assert {f["file"] for f in found} == {"agents.txt", "broken.json"}
    assert "broken.json:4:1" in done.stderr
    empty = run("lint", "-", "--output-format", "json", input=SHOP_JSON.read_bytes())
    assert isinstance(json.loads(empty.stdout), list)


# The parts of SARIF 2.1.0 (OASIS) that this program writes, with the names, types and bounds of the standard.
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "additionalProperties": False,
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {"required": ["id"]},
                                    }
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message", "ruleId", "locations"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": {
                                    "type": "object",
                                    "required": ["text"],
                                    "properties": {"text": {"type": "string"}},
                                },
                                "properties": {"type": "object"},
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "required": ["physicalLocation"],
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": [
                                                    "artifactLocation",
                                                    "region",
                                                ],
                                                "properties": {
                                                    "artifactLocation": {
                                                        "type": "object",
                                                        "properties": {
                                                            "uri": {
                                                                "type": "string",
                                                                "format": "uri-reference",
                                                                "pattern": "^[!-~]*$",
                                                            }
                                                        },
                                                    },
                                                    "region": {
                                                        "type": "object",
                                                        "additionalProperties": False,
                                                        "properties": {
                                                            "startLine": {
                                                                "type": "integer",
                                                                "minimum": 1,
                                                            },
                                                            "startColumn": {
                                                                "type": "integer",
                                                                "minimum": 1,
                                                            },
                                                            "byteOffset": {
                                                                "type": "integer",
                                                                "minimum": 0,
                                                            },
                                                            "byteLength": {
                                                                "type": "integer",
                                                                "minimum": 0,
                                                            },
                                                        },
                                                    },
                                                },
                                            }
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


def test_lint_reports_the_companion_of_another_version_beside_a_text(
    run: Run, tmp_path: Path
) -> None:
    text = (
        "Site: A\nURL: https://a.example\nAgents-JSON: https://a.example/agents.json\n"
    )
    draft = {
        "specVersion": "1.0",
        "site": {"name": "A", "url": "https://a.example"},
        "capabilities": [],
        "access": {"allow": ["/"]},
    }
    for folder, allow in ("shop", "cart.add"), ("blog", "search"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "agents.txt").write_text(text + f"Allow: {allow}\n")
        (tmp_path / folder / "agents.json").write_text(json.dumps(draft))
    names = [
        f"{one}/agents.{end}" for one in ("shop", "blog") for end in ("txt", "json")
    ]
    found = json.loads(run("lint", *names, "--output-format", "json", check=1).stdout)
    assert [(one["file"], one["code"]) for one in found] == [
        ("shop/agents.txt", "companion-missing")
    ]
    run("lint", "shop/agents.txt", "blog/agents.json", check=0)
    own = run("convert", "--to", "agents-json-0.1", "shop/agents.txt").stdout
    (tmp_path / "shop" / "own.json").write_text(own)
    both = run("lint", *names[:2], "shop/own.json", "--output-format", "json").stdout
    assert "companion-missing" not in both
    silent = text.replace("Agents-JSON", "# ") + "Allow: cart.add\n"
    (tmp_path / "shop" / "agents.txt").write_text(silent)
    assert "create it" in run("lint", "shop/agents.txt").stdout
    assert "create it" not in run("lint", "shop/agents.txt", "shop/own.json").stdout


def test_lint_sarif(run: Run, tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    (tmp_path / "a b.txt").write_text(FAULTY, encoding="utf-8")
    (tmp_path / "broken.json").write_bytes(BROKEN)
    done = run("lint", "a b.txt", "broken.json", "--output-format", "sarif", check=2)
    log = json.loads(done.stdout)
    jsonschema.validate(log, SARIF)
    results = log["runs"][0]["results"]
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert len(results) >= 2
    for result in results:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    places = [r["locations"][0]["physicalLocation"] for r in results]
    assert places[0]["artifactLocation"]["uri"] == "a%20b.txt"


def test_lint_github(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_text(FAULTY, encoding="utf-8")
    done = run("lint", "agents.txt", "--output-format", "github", check=1)
    lines = done.stdout.splitlines()
    assert any(
        line.startswith("::error file=agents.txt,line=3,col=11,title=insecure-url::")
        for line in lines
    )
    assert all(line.startswith("::") for line in lines)


def test_lint_knows_the_origin(run: Run) -> None:
    done = run("lint", SHOP_TXT, "--origin", "https://elsewhere.example")
    assert "origin-mismatch" in done.stdout


def test_a_bare_file_name_is_a_hint(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_bytes(b"Site-URL: https://a.example\nAllow: /\n")
    (tmp_path / "agents.json").write_bytes(
        b'{"site": {"name": "A"}, "access": {"disallow": ["/x"]}}'
    )
    for name in ("agents.txt", "agents.json"):
        bare, dotted = run("parse", name, check=0), run("parse", f"./{name}", check=0)
        assert bare.stdout == dotted.stdout
        assert run("lint", name).stdout.replace("./", "") == run(
            "lint", f"./{name}"
        ).stdout.replace("./", "")


def test_a_tie_names_the_signs_of_each_format(run: Run, tmp_path: Path) -> None:
    text = b"Spec-Version: 1.0\nSite-URL: https://a.example\nSite: A\nURL: https://a.example\n"
    (tmp_path / "agents.txt").write_bytes(text)
    said = run("lint", "agents.txt", check=2).stderr
    assert "agents-txt: field Spec-Version, field Site-URL" in said
    assert "agents-txt-0.1: field Site, field URL" in said


def test_decide_respects_documents_that_are_not_recognized(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "agents.txt").write_bytes(
        b"Engine: *\nAllow: read\nDisallow: execute\n"
    )
    asked = ("--agent", "Bot", "--origin", "https://a.example")
    done = run("decide", "agents.txt", *asked, "--url", "/execute", check=1)
    assert "[unread-restriction]" in done.stdout
    assert "agents.txt:3:11:" in done.stdout
    assert "allows nothing" in done.stderr
    done = run("decide", "agents.txt", *asked, "--url", "/read", check=0)
    assert "[not-stated]" in done.stdout
    assert "not read  execute" in done.stdout
    for text in (b"Site-Name: caf\xe9\n", b"# x\n" * 270_000, b"# " + b"x" * 70_000):
        (tmp_path / "agents.txt").write_bytes(b"Disallow: /execute\n" + text)
        done = run("decide", "agents.txt", *asked, "--url", "/execute", check=1)
        assert "[unread-restriction]" in done.stdout
    (tmp_path / "page").write_bytes(b"<html>")
    assert "HTML" in run("decide", "page", *asked, "--url", "/", check=2).stderr


def test_formats_lists_parsed_and_recognized_formats(run: Run) -> None:
    done = run("formats", check=0)
    assert "agents-txt " in done.stdout
    assert "recognized" in done.stdout
    assert all(len(line.split(maxsplit=2)) == 3 for line in done.stdout.splitlines())


@pytest.mark.parametrize("command", ["parse", "inspect", "lint"])
def test_unreadable_inputs_give_one_line_and_exit_code_2(
    run: Run, tmp_path: Path, command: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "latin.txt").write_bytes(b"Site-Name: caf\xe9\n")
    (tmp_path / "page.html").write_bytes(b"<!doctype html>")
    (tmp_path / "cut.json").write_bytes(BROKEN)
    (tmp_path / "nothing").write_bytes(b"")
    (tmp_path / "large").write_bytes(b"a: b\n" * 300_000)
    cases = {
        "folder": "is a directory",
        "missing": "no such file",
        "latin.txt": "latin.txt:1:15: the document is not UTF-8",
        "page.html": "HTML page",
        "cut.json": "cut.json:4:1:",
        "nothing": "unknown-format",
        "large": "larger than the limit",
        "x\ny": "x\\x0ay: no such file",
    }
    if command == "lint":
        cases["folder"] = "no document for agents"
    for name, said in cases.items():
        done = run(command, name, check=2)
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
        assert done.stdout == ""


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root can read all files"
)
def test_a_file_without_permission_is_one_line(run: Run, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"a: b")
    secret.chmod(0)
    assert "permission denied" in run("parse", "secret", check=2).stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["parse"],
        ["lint", "x", "--output-format", "xml"],
        ["ingest", "x"],
        ["ingest", "x", "-o", "y.jsonl", "--jobs", "0"],
        ["parse", "x", "--max-bytes", "0"],
    ],
)
def test_wrong_use_is_exit_code_2(run: Run, arguments: list[str]) -> None:
    assert "usage:" in run(*arguments, check=2).stderr


def test_a_broken_pipe_is_not_an_error(tmp_path: Path) -> None:
    many = ",".join(f'{{"id":"c{i}"}}' for i in range(30_000))
    path = tmp_path / "agents.json"
    path.write_text(
        '{"specVersion":"1.0","site":{"name":"a"},"capabilities":[' + many + "]}"
    )
    for arguments in (["parse", "--indent", "1"], ["inspect"], ["lint"]):
        process = subprocess.Popen(
            [sys.executable, "-m", "agentsdisc", *arguments, str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        said = process.stderr.read()
        process.wait(60)
        assert said == b""


def test_an_interrupt_ends_without_traceback(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "agentsdisc", "parse", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        preexec_fn=heed_interrupts,
    )
    # Once more bytes than the pipe holds are written, the program has started to read.
    assert process.stdin is not None
    process.stdin.write(b"#" * (256 << 10))
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert said == b"agentsdisc: interrupted\n"


def test_only_ingest_needs_other_packages(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "class Nothing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in {'pyarrow', 'rich'}:\n"
        "            raise ModuleNotFoundError(f'no {name}', name=name.split('.')[0])\n"
        "sys.meta_path.insert(0, Nothing())\n"
        "from agentsdisc.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-c", program, *arguments],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment(),
        )

    for arguments in (
        ["parse", str(SHOP_TXT)],
        ["lint", str(SHOP_TXT)],
        ["inspect", str(SHOP_TXT)],
        ["formats"],
    ):
        assert run(*arguments).returncode == 0
    done = run("ingest", str(SHOP_TXT), "-o", "out.parquet")
    assert done.returncode == 2
    assert "pip install 'agentsdisc[cli]'" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "package", "extra"),
    [
        ("check https://mugs.example", "httpx", "http"),
        ("discover https://mugs.example", "anyio", "http"),
        ("identity new key", "cryptography", "identity"),
        ("mcp https://mugs.example --agent Bot", "mcp", "mcp"),
    ],
)
def test_a_missing_extra_is_one_line(
    arguments: str, package: str, extra: str, tmp_path: Path
) -> None:
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from agentsdisc.cli import main\nsys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments.split()],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(),
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("agentsdisc: ")
    assert line.endswith(f": pip install 'agentsdisc[{extra}]'")
    assert not list(tmp_path.iterdir())
