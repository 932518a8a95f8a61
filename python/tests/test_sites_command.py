"""Error messages of the commands that request documents from sites."""

import json
import ssl
import time
from pathlib import Path

import agentsdisc
import pytest
import trustme
from conftest import Run
from server import JSON, TXT, Handler, Page, Server, raw, serving, silence

FIRST = "/.well-known/agents.json"
HERE = ["--allow-private", "--no-cache"]
COMMANDS = {
    "discover": [],
    "inspect": [],
    "lint": [],
    "decide": ["--agent", "Bot", "--url", "/x"],
    "mcp": ["--agent", "Bot"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://[::1", "not a site"),
        ("https://a\u2100b.example", "non-ASCII"),
        ("https://me:hunter2@shop.example/", "user information"),
        ("https://me:hunter2\\@shop.example/", "not a site"),
    ],
)
def test_an_invalid_site_gives_one_line(
    run: Run, command: str, url: str, why: str
) -> None:
    done = run(command, url, *COMMANDS[command], check=2)
    (line,) = done.stderr.splitlines()
    assert why in line and "hunter2" not in line
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("command", "name"),
    [(command, "B\xf6t/1.0") for command in COMMANDS]
    + [("discover", name) for name in ("Bot\r\nX: y", "", b"\xff")],
)
def test_a_name_that_cannot_be_sent_is_refused(
    run: Run, command: str, name: str | bytes
) -> None:
    shown = name if isinstance(name, str) else name.decode("utf-8", "surrogateescape")
    done = run(command, "http://127.0.0.1:1", *COMMANDS[command], "--user-agent", shown)
    assert done.returncode == 2
    assert "cannot be a User-Agent" in done.stderr


def test_numbers_beyond_floats_give_valid_json(server: Server, run: Run) -> None:
    large = f'"a": 1e999, "b": [-1e999, {"9" * 5000}], "c": 1.5'
    server.pages[FIRST] = Page(JSON[:-1] + "," + large + "}")

    def refuse(name: str) -> None:
        raise AssertionError(name)

    done = run("discover", server.url, "--json", *HERE, check=0)
    (found,) = json.loads(done.stdout, parse_constant=refuse)["documents"]
    assert found["document"]["metadata"] == {
        "a": "1e999",
        "b": ["-1e999", "9" * 5000],
        "c": 1.5,
    }


def test_json_contains_no_control_characters(server: Server, run: Run) -> None:
    bad = "a\x9b2J\u202e\u200b\x7f\u2028b\u00fc\U0001f600"
    server.pages["/.well-known/agents.txt"] = Page(
        TXT + f"Site-Description: {bad}\nDisallow: /{bad}\n"
    )
    for arguments in (
        ["discover", server.url, "--json", *HERE],
        ["decide", server.url, "--agent", "Bot", "--url", "/x", "--json", *HERE],
        ["parse", "-"],
        ["parse", "-", "--indent", "1"],
    ):
        text = server.pages["/.well-known/agents.txt"]
        assert isinstance(text, Page) and isinstance(text.body, str)
        done = run(*arguments, input=text.body.encode())
        for line in done.stdout.split("\n"):
            assert line.isprintable(), arguments
        found = json.loads(done.stdout)
        if arguments[0] == "parse":
            assert found["service"]["description"] == bad
            assert "\u00fc\U0001f600" in done.stdout


def test_documents_that_failed_are_reported(server: Server, run: Run) -> None:
    server.pages = {
        FIRST: Page(status=500),
        "/.well-known/agents.txt": Page(TXT),
        "/agent.json": Page(status=403),
        "/.well-known/agent": Page('{"spec_version": "1.0", oops'),
        "/robots.txt": Page(status=404),
    }
    site = agentsdisc.discover(server.url, allow_private=True, cache=False)
    assert [(a.resource, a.rejection) for a in site.missed] == [
        ("agents-json", "server-error"),
        ("awp", "access-denied"),
        ("adp", "unreadable"),
    ]
    for command in ("inspect", "decide"):
        done = run(command, server.url, *COMMANDS[command], *HERE)
        said = done.stderr.splitlines()
        assert len(said) == 3, said
        assert f"{FIRST} (the server failed (500))" in said[0]
        assert "/agent.json (the server refuses access (403))" in said[1]
        assert "/.well-known/agent (" in said[2]
    server.pages = {"/.well-known/agents.txt": Page(TXT)}
    assert run("decide", server.url, *COMMANDS["decide"], *HERE).stderr == ""


def test_stored_failures_are_reported(
    server: Server, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AGENTSDISC_CACHE", str(tmp_path / "answers.sqlite3"))
    server.pages["/.well-known/agents.md"] = Page(status=500)
    hint = "from store, asked again in 3"
    for command, is_from_store in [
        ("discover", False),
        ("discover", True),
        ("decide", True),
        ("inspect", True),
    ]:
        done = run(command, server.url, *COMMANDS[command], "--allow-private")
        said = done.stdout + done.stderr
        assert "the server failed" in said
        assert (hint in said) == is_from_store, said


def test_why_a_server_cannot_be_reached(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Shortens the timeout of the name server.
    monkeypatch.setenv("RES_OPTIONS", "timeout:1 attempts:1")
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("shop.example").configure_cert(context)
    with serving(context) as secure, serving() as plain:
        secure.pages[FIRST] = Page(JSON)
        for url, why in [
            (secure.url, "certificate does not hold: "),
            (f"https://127.0.0.1:{plain.port}", "no encrypted connection"),
            ("http://127.0.0.1:1", "refuses the connection"),
            ("http://shop.invalid", "cannot be resolved"),
        ]:
            for command, stream in [("discover", "stdout"), ("lint", "stderr")]:
                done = run(command, url, *HERE)
                assert why in getattr(done, stream), (command, url)
        plain.pages[FIRST] = raw(b"SSH-2.0-OpenSSH_9.9\r\n")
        assert "is not HTTP" in run("discover", plain.url, *HERE).stdout


def test_certificates_that_cannot_be_read_are_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.pem"
    empty.write_text("nothing\n")
    for file in (tmp_path / "missing.pem", empty):
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        for command in ("discover", "lint", "mcp"):
            url = "http://127.0.0.1:1"
            done = run(command, url, *COMMANDS[command], *HERE, check=2)
            (line,) = done.stderr.splitlines()
            assert file.name in line, line


@pytest.mark.parametrize("command", COMMANDS)
def test_the_error_names_the_option_for_private_servers(
    server: Server, run: Run, command: str
) -> None:
    done = run(command, server.url, *COMMANDS[command], "--no-cache")
    assert done.returncode in {1, 2}
    said = done.stdout + done.stderr
    assert "is not public" in said and "use --allow-private to connect anyway" in said
    assert server.asked == []


@pytest.mark.parametrize("command", ["inspect", "lint"])
@pytest.mark.parametrize("option", ["--format", "--url"])
def test_options_for_files_are_refused_for_sites(
    run: Run, command: str, option: str
) -> None:
    done = run(command, "http://127.0.0.1:1", option, "agents-md", check=2)
    assert "apply to files only" in done.stderr


def test_lint_ends_within_its_timeout(server: Server, run: Run) -> None:
    """A request that hangs for less than its own limit is no fault of the site, and the other documents are still checked."""
    begun: list[float] = []

    def hanging(handler: Handler) -> None:
        begun.append(time.monotonic())
        silence(handler)

    server.pages = {FIRST: hanging, "/.well-known/agents.txt": Page(TXT)}
    # If either half of the work used the whole timeout, it would always be at least 15 s. On a busy machine it may be once.
    for _ in range(3):
        begun.clear()
        done = run("lint", server.url, "--allow-private", "--timeout", "10", check=1)
        # Measured from the first request, because a program takes time to start.
        taken = time.monotonic() - begun[0]
        if taken < 15:
            break
    assert taken < 15
    assert (
        f"{server.url}{FIRST}: warning[not-answered]: the time for the whole site was over"
        in (done.stdout)
    )
    assert "refused" not in done.stdout
    assert "/.well-known/agents.txt: error[missing-content-type]" in done.stdout
