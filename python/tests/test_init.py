"""`agentsdisc init`: its questions, refusals and existing files."""

import json
import os
import re
from pathlib import Path

import agentsdisc
import pytest
from agentsdisc.cli import main
from conftest import PATIENCE, Run, on_a_terminal

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
        _, asked = program.communicate(timeout=PATIENCE)
    assert program.returncode == 2
    assert b"file exists" in asked
    assert (tmp_path / "agents.txt").read_bytes() == CLEAN


@posix
def test_init_asks_for_sentences_of_an_agents_md(tmp_path: Path) -> None:
    answers = ["Mug Shop", "", "", "", "Read pages", "Order"]
    command = ("init", "--to", "agents-md")
    with on_a_terminal(*command, folder=tmp_path) as (program, ours):
        os.write(ours, ("\n".join(answers) + "\n").encode())
        out, asked = program.communicate(timeout=PATIENCE)
    assert program.returncode == 0, asked
    words = agentsdisc.parse(out).permissions
    assert (tuple(words.can), tuple(words.cannot)) == (("Read pages",), ("Order",))


@pytest.mark.parametrize(
    "options",
    [
        ("--mcp", "https://a.example/.well-known/mcp", "--auth", "oauth2"),
        ("--name", "Mugs"),
        ("--name", "Mugs", "--description", "Sells mugs."),
        ("--contact", "agents@a.example"),
        ("--disallow", "Order"),
    ],
)
def test_everything_in_an_agents_md_is_optional(
    run: Run, tmp_path: Path, options: tuple[str, ...]
) -> None:
    run("init", "--to", "agents-md", *options, "-o", "agents.md", check=0)
    text = (tmp_path / "agents.md").read_text()
    assert options[-1] in text and "None" not in text
    assert run("lint", "agents.md", check=0).stdout == ""


OLDER = {
    "agents-txt-0.1": (("--capability", "search"), ("--allow", "browse")),
    "agents-json-0.1": (
        ("--capability", "search=https://mugs.example/s"),
        ("--capability", "cart.add=/cart"),
    ),
}


@pytest.mark.parametrize("kind", OLDER)
def test_init_writes_0_1(run: Run, tmp_path: Path, kind: str) -> None:
    more = [*sum(OLDER[kind], ()), "--capability", "checkout=https://mugs.example/c"]
    more += ["--description", "We sell mugs", "--contact", "a@mugs.example"]
    more += ["--rate-limit", "60/minute"]
    run(*INIT, "--to", kind, *more, "-o", "out", check=0)
    linted = run("lint", "out", "--origin", "https://mugs.example", check=0).stdout
    assert "error" not in linted and "warning" not in linted
    document = agentsdisc.parse((tmp_path / "out").read_bytes())
    assert document.format == kind
    service = document.service
    assert service and (service.name, service.url) == ("Mug Shop", INIT[-1])
    assert (service.description, service.contact) == (
        "We sell mugs",
        ("a@mugs.example",),
    )
    ids = [one.id for one in document.capabilities]
    if kind == "agents-txt-0.1":
        assert ids == ["search", "checkout", "browse"]
    else:
        assert ids == ["search", "cart.add", "checkout"]
        assert [one.endpoint for one in document.capabilities][1:] == [
            "/cart",
            "https://mugs.example/c",
        ]
        assert {one.method for one in document.capabilities} == {"GET"}
    # The JSON states explicitly what the text implies.
    last = next(one for one in document.capabilities if one.id == "checkout")
    assert (last.requires_session, last.human_handoff) == (True, True)
    assert document.session_seconds() == 1800
    assert document.rate_limits[0].requests == 60


@posix
@pytest.mark.parametrize(
    ("kind", "said", "ids"),
    [
        ("agents-txt-0.1", "search cart.add", ["search", "cart.add"]),
        ("agents-json-0.1", "search=https://mugs.example/s", ["search"]),
    ],
)
def test_init_asks_for_the_capabilities_of_0_1(
    tmp_path: Path, kind: str, said: str, ids: list[str]
) -> None:
    answers = ["Mug Shop", "https://mugs.example", "", said, "Mugs", ""]
    with on_a_terminal("init", "--to", kind, folder=tmp_path) as (program, ours):
        os.write(ours, ("\n".join(answers) + "\n").encode())
        out, asked = program.communicate(timeout=PATIENCE)
    assert program.returncode == 0, asked
    document = agentsdisc.parse(out)
    assert document.format == kind
    assert [one.id for one in document.capabilities] == ids
    assert document.service and document.service.description == "Mugs"
    assert asked.count(b"What agents may use") == 2
    assert b"MCP" not in asked and b"Paths" not in asked


MCP = ("--mcp", "https://mugs.example/m")
NO_TRAINING = ("--preference", "train-ai=disallow")


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("--name", "a"), "--url"),
        (("--url", "https://a.example"), "--name"),
        ((*INIT[1:], "--to", "agents-txt-0.1"), "--capability"),
        ((*INIT[1:], "--to", "agents-json-0.1"), "--capability"),
        (("--name", "a", "--url", "http://a.example"), "--url"),
        (("--name", "a", "--url", "nonsense"), "--url"),
        (("--name", " a", "--url", "https://a.example"), "--name"),
        (("--name", "a\nb", "--url", "https://a.example"), "--name"),
        ((*INIT[1:], "--contact", "me"), "--contact"),
        ((*INIT[1:], "--contact", "me", "--to", "agents-json"), "--contact"),
        ((*INIT[1:], "--capability", "search"), "--capability"),
        ((*INIT[1:], "--capability", "A B=https://mugs.example/a"), "--capability"),
        ((*INIT[1:], "--capability", "search=x"), "--capability"),
        ((*INIT[1:], "--mcp", "x"), "--mcp"),
        ((*INIT[1:], "--mcp", "x", "--to", "agents-json"), "--mcp"),
        ((*INIT[1:], "--mcp", "x", "--to", "agents-md", "--allow", "Read"), "--mcp"),
        ((*INIT[1:], *MCP, "--auth", "oauth2"), "--auth-endpoint"),
        ((*INIT[1:], *MCP, "--auth", "oauth2", "--to", "agents-json"), "--auth-endpoint"),
        ((*INIT[1:], *MCP, "--auth", "oauth2", "--auth-endpoint", "x"), "--auth-endpoint"),
        ((*INIT[1:], "--rate-limit", "often"), "--rate-limit"),
        ((*INIT[1:], "--rate-limit", "0/minute"), "--rate-limit"),
        ((*INIT[1:], "--allow", "admin"), "--allow"),
        ((*INIT[1:], "--allow", ""), "--allow"),
        ((*INIT[1:], "--disallow", "admin", "--to", "agents-json"), "--disallow"),
        ((*INIT[1:], "--to", "agents-md", "--allow", "a", "--auth", "hmac", *MCP), "--auth"),
        ((*INIT[1:], "--to", "agents-md", "--allow", "## Cannot"), "--allow"),
        (("--to", "agents-md"), "needs at least one of --name, --description"),
        (("--to", "agents-md", "--url", "https://a.example"), "needs at least one of"),
        (("--to", "agents-md", "--description", "Mugs."), "add --name"),
        (("--to", "agents-md", "--url", "https://a.example", "--mcp", "https://b.test/mcp"), "--mcp"),
        ((*INIT[1:], "--to", "agents-txt-0.1", "--capability", "/x"), "--capability"),
        ((*INIT[1:], "--to", "agents-txt-0.1", "--capability", "a, b"), "--capability"),
        ((*INIT[1:], "--to", "agents-txt-0.1", "--capability", "a", *MCP), "--mcp"),
        ((*INIT[1:], "--to", "agents-txt-0.1", "--allow", "a", "--disallow", "/x"), "--disallow"),
        ((*INIT[1:], "--to", "agents-txt-0.1", "--allow", "a", "--rate-limit", "5/hour"), "--rate-limit"),
        ((*INIT[1:], "--to", "agents-json-0.1", "--capability", "a=/a", "--rate-limit", "5/hour"), "--rate-limit"),
        ((*INIT[1:], "--to", "agents-json-0.1", "--capability", "a"), "--capability"),
        ((*INIT[1:], "--to", "agents-json-0.1", "--capability", "a=x"), "--capability"),
        ((*INIT[1:], "--to", "agents-json-0.1", "--capability", "A-b=/x"), "--capability"),
        ((*INIT[1:], "--to", "agents-json-0.1", "--capability", "a=/a", "--auth", "hmac"), "--auth"),
        *(((*INIT[1:], "--to", kind, *NO_TRAINING), "--preference") for kind in ("agents-txt", "agents-json", "agents-md")),
        *(((*INIT[1:], "--to", kind, "--capability", "a=/a", *NO_TRAINING), "--preference") for kind in OLDER),
        (("--to", "robots-txt"), "--preference"),
        ((*INIT[1:], "--to", "robots-txt", *NO_TRAINING), "--name"),
        (("--to", "robots-txt", *NO_TRAINING, *MCP), "--mcp"),
        (("--to", "robots-txt", *NO_TRAINING, "--rate-limit", "5/hour"), "--rate-limit"),
        (("--to", "robots-txt", "--preference", "train-ai"), "--preference"),
        (("--to", "robots-txt", "--preference", "train-ai=n"), "--preference"),
        (("--to", "robots-txt", "--preference", "robots=allow"), "--preference"),
        (("--to", "robots-txt", "--preference", "search=not-stated"), "--preference"),
        (("--to", "robots-txt", *NO_TRAINING, "--preference", "train-ai=allow"), "--preference"),
        (("--to", "robots-txt", "--preference", "a\nb=allow"), "--preference"),
        (("--to", "robots-txt", "--disallow", "admin"), "--disallow"),
        (("--to", "robots-txt", "--allow", "/a # b"), "--allow"),
        (("--to", "robots-txt", "--disallow", ""), "--disallow"),
    ],
)  # fmt: skip
def test_init_names_the_option_with_the_problem(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], option: str
) -> None:
    done = run("init", *arguments, "-o", "out", check=2)
    assert re.search(rf"{option}(?![\w-])", done.stderr), done.stderr
    for field in ("Site-", "URL`", "Auth-Endpoint", "tokenEndpoint", "service."):
        assert field not in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()


def test_init_writes_preferences_in_both_fields(run: Run, tmp_path: Path) -> None:
    stances = {"search": "allow", "train-ai": "disallow", "ai-input": "disallow"}
    options = [f"--preference={one}={stance}" for one, stance in stances.items()]
    rules = ("--disallow", "/admin/", "--allow", "/admin/help")
    run("init", "--to", "robots-txt", *options, *rules, "-o", "robots.txt", check=0)
    linted = run("lint", "robots.txt", "--output-format", "json", check=0).stdout
    # Content-Usage no longer defines this purpose.
    (found,) = json.loads(linted)
    assert (found["severity"], found["code"]) == ("info", "nonstandard-field")
    assert "`ai-input`" in found["message"]
    data = (tmp_path / "robots.txt").read_bytes()
    robots = agentsdisc.RobotsTxt(data)
    for source in ("content-usage", "content-signal"):
        own = [one for one in robots.preferences if one.source == source]
        assert {one.purpose: one.preference for one in own} == stances
    for purpose, stance in stances.items():
        assert robots.preference("AnyBot", "/", purpose).preference == stance
    assert not robots.allowed("AnyBot", "/admin/x")
    assert robots.allowed("AnyBot", "/admin/help")
    # A conversion has nothing to add.
    assert run("convert", "robots.txt", "--to", "robots-txt").stdout.encode() == data


def test_init_writes_a_robots_txt_without_preferences(run: Run) -> None:
    written = run("init", "--to", "robots-txt", "--disallow", "/cart", check=0).stdout
    assert written == "User-agent: *\nDisallow: /cart\n"


def test_the_same_preference_twice_is_one(run: Run) -> None:
    twice = (*NO_TRAINING, *NO_TRAINING)
    written = run("init", "--to", "robots-txt", *twice, check=0).stdout
    expected = "Content-Usage: train-ai=n\nContent-Signal: ai-train=no\n"
    assert written == f"User-agent: *\n{expected}"


DESCRIPTION = """\
openapi: 3.1.0
info: {title: Mugs, version: "1"}
servers: [{url: "https://api.mugs.example/v1"}]
paths:
  /mugs:
    get:
      operationId: listMugs
      responses: {200: {description: All mugs.}}
"""


@pytest.mark.parametrize("to", ["agents-txt", "agents-json", "awp", "agents-md", "adp"])
def test_a_document_is_made_from_a_description(
    to: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("yaml")
    source = tmp_path / "openapi.yaml"
    source.write_text(DESCRIPTION)
    url = ["--url", "https://mugs.example"]
    assert main(["init", "--from", str(source), "--to", to, *url]) == 0
    made = capsys.readouterr()
    document = agentsdisc.parse(made.out)
    assert document.format == to
    errors = [each.message for each in document.check() if each.severity == "error"]
    # The description does not say what it describes.
    assert [
        error for error in errors if to != "adp" or "description" not in error
    ] == []
    assert "info[changed]: `capabilities[0]." in made.err or to == "agents-md"
    if to == "awp":
        assert document.provenance.source == "synthetic"
        assert main(["init", "--from", str(source), "--to", to, "--native", *url]) == 0
        assert '"source"' not in capsys.readouterr().out
    assert main(["init", "--from", str(source), "--name", "x"]) == 2


SHOP = {
    "openapi": "3.1.0",
    "info": {"title": "Mugs", "version": "1", "description": "Mugs of clay."},
    "servers": [{"url": "/v1"}],
    "paths": {
        "/mugs": {
            "get": {
                "operationId": "listMugs",
                "description": "All mugs.",
                "responses": {"204": {"description": "No mugs."}},
            }
        },
        "/mugs/{id}": {
            "get": {
                "operationId": "getMug",
                "description": "A mug.",
                "parameters": [
                    {
                        "name": "id",
                        "in": "path",
                        "required": True,
                        "description": "Its number.",
                        "schema": {"type": "integer", "example": 7},
                    }
                ],
                "responses": {"200": {"description": "It."}},
            }
        },
    },
}
MADE = ("init", "--from", "openapi.json", "--to", "adp", "--url", "https://mugs.example", "--details", "site", "-o", "site/agent")  # fmt: skip


def test_a_manifest_is_made_with_its_details(run: Run, tmp_path: Path) -> None:
    (tmp_path / "openapi.json").write_text(json.dumps(SHOP))
    done = run(*MADE, check=0)
    assert "correct this" not in done.stderr
    assert "elsewhere" not in done.stderr
    manifest = agentsdisc.parse((tmp_path / "site/agent").read_bytes())
    assert [one.detail_url for one in manifest.capabilities] == [
        "/capabilities/list_mugs.json",
        "/capabilities/get_mug.json",
    ]
    file = tmp_path / "site/capabilities/get_mug.json"
    detail = agentsdisc.parse(file.read_bytes(), format="adp-capability")
    request = manifest.request(detail, {"id": 8})
    assert (request.method, request.url) == ("GET", "https://mugs.example/v1/mugs/8")
    example = json.loads(file.read_bytes())["request_example"]
    assert example == {"method": "GET", "url": "https://mugs.example/v1/mugs/7"}
    # `convert` writes the same.
    before = {
        path: path.read_bytes()
        for path in tmp_path.rglob("site/**/*")
        if path.is_file()
    }
    assert len(before) == 3
    run("convert", "openapi.json", *MADE[3:5], "--origin", *MADE[6:], check=0)
    assert before == {path: path.read_bytes() for path in before}
    # Files stay, and nothing is written without the others.
    (tmp_path / "site/agent").unlink()
    assert "list_mugs.json: the file exists" in run(*MADE, check=2).stderr
    assert not (tmp_path / "site/agent").exists()
    run(*MADE, "--force", check=0)
    assert (tmp_path / "site/agent").exists()


def test_details_have_files_of_their_own(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_text(
        "Site-URL: https://a.example\n\nCapability: a-b\n\nCapability: a_b\n"
    )
    made = ("convert", "agents.txt", "--to", "adp", "--details", "site")
    assert "'a_b' has no file" in run(*made, check=2).stderr
    (tmp_path / "agents.txt").write_text("Capability: ../é\n\nCapability: ö\n")
    assert "has no file" in run(*made, check=2).stderr
    assert not (tmp_path / "site").exists()
    for arguments in (
        ("--to", "awp", "--details", "site"),
        ("--to", "adp", "--capability", "a"),
    ):
        assert (
            "needs --to adp" in run("convert", "agents.txt", *arguments, check=2).stderr
        )
    run("convert", "agents.txt", "--to", "adp-capability", check=2)
