"""Discovery over HTTP, against a real server: documents and attempts."""

import asyncio
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from agentsdisc.discovery import Site, adiscover
from asking import PATIENT, discover, rejections
from conftest import Run
from server import (
    ADP,
    AWP,
    DETAIL,
    HTML,
    JSON,
    JSON_01,
    MD,
    ROBOTS,
    TXT,
    TXT_01,
    Page,
    Server,
    to,
    zipped,
)

LOCATIONS = [
    "/.well-known/agents.json",
    "/.well-known/agents.txt",
    "/agents.txt",
    "/.well-known/agents.md",
    "/agents.md",
    "/agent.json",
    "/.well-known/agent.json",
    "/.well-known/agent",
    "/robots.txt",
    "/.well-known/agent-card.json",
    "/.well-known/ard.json",
    "/.well-known/ai-catalog.json",
    "/llms.txt",
    "/",
]


def test_a_site_without_documents(server: Server) -> None:
    site = discover(server.url)
    assert sorted(server.paths) == sorted(LOCATIONS)
    assert set(rejections(site).values()) == {"not-found"}
    assert site.document is None and site.documents == () and site.fresh_until is None
    assert site.robots_rules == "allow-all"
    assert site.robots is not None and site.robots.allowed("Bot", "/x")


@pytest.mark.parametrize(
    ("path", "body", "format"),
    [
        ("/.well-known/agents.json", JSON, "agents-json"),
        ("/.well-known/agents.json", JSON_01, "agents-json-0.1"),
        ("/.well-known/agents.txt", TXT, "agents-txt"),
        ("/agents.txt", TXT, "agents-txt"),
        ("/.well-known/agents.txt", TXT_01, "agents-txt-0.1"),
        ("/.well-known/agents.md", MD, "agents-md"),
        ("/agents.md", MD, "agents-md"),
        ("/agent.json", AWP, "awp"),
        ("/.well-known/agent.json", AWP, "awp"),
        ("/.well-known/agent", ADP % ("https://a.example", ""), "adp"),
    ],
)
def test_each_format_is_found(
    server: Server, path: str, body: str, format: str
) -> None:
    server.pages[path] = Page(body)
    site = discover(server.url)
    (found,) = site.found
    assert (found.document.format, found.url) == (format, server.url + path)
    assert (found.attempt.moved, found.attempt.status) == ("no", 200)
    assert found.document.bytes == body.encode()
    assert site.document == found.document


def test_everything_is_found_in_order(server: Server) -> None:
    server.pages = {
        "/.well-known/agents.json": Page(JSON),
        "/.well-known/agents.txt": Page(TXT),
        "/agents.md": Page(MD),
        "/agent.json": Page(AWP),
        "/.well-known/agent": Page(ADP % ("https://a.example", "")),
        "/robots.txt": Page(ROBOTS),
    }
    site = discover(server.url)
    formats = [document.format for document in site.documents]
    assert formats == ["agents-json", "adp", "awp", "agents-txt", "agents-md"]
    assert site.robots_rules == "document"
    assert site.robots is not None and not site.robots.allowed("Bot", "/x")
    # Six successful requests, and failed ones for agents.md, agent-card.json, agent.json, ard.json, ai-catalog.json, llms.txt and the home page.
    assert len(server.asked) == 13


@pytest.mark.parametrize(
    ("page", "code", "falls_back"),
    [
        (Page(status=404), "not-found", True),
        (Page(status=410), "gone", True),
        (Page(HTML, headers={"Content-Type": "text/html"}), "html", True),
        (Page("<p>no</p>", headers={"Content-Type": "text/html"}), "html", True),
        (Page("Hello"), "not-recognised", True),
        (Page(b"\x89PNG\r\n\x1a\n\x00\xff"), "unreadable", False),
        (Page(AWP), "other-format", True),
        (Page(ROBOTS), "other-format", True),
        (Page("{"), "unreadable", False),
        (Page("x" * (2 << 20)), "too-large", False),
        (Page(status=401), "access-denied", False),
        (Page(status=429, headers={"Retry-After": "900"}), "rate-limited", False),
        (Page(status=500), "server-error", False),
        (Page(status=204), "unexpected-status", False),
        (Page(status=304), "not-modified-unasked", False),
        (to(""), "invalid-url", False),
        (to("https://b.example/"), "off-site", False),
        (to("/.well-known/agents.txt"), "redirect-loop", False),
    ],
)
def test_unusable_answers(
    server: Server, page: Page, code: str, falls_back: bool
) -> None:
    server.pages = {"/.well-known/agents.txt": page, "/agents.txt": Page(TXT)}
    site = discover(server.url)
    assert rejections(site)["/.well-known/agents.txt"] == code
    assert ("/agents.txt" in server.paths) == falls_back
    assert len(site.found) == falls_back


def test_restrictions_of_foreign_documents_are_respected(
    server: Server, tmp_path: Path
) -> None:
    server.pages["/agents.txt"] = Page(b"Engine: *\nDisallow: execute\n")
    server.pages["/.well-known/agents.txt"] = Page(
        b"User-agent: *\nDisallow: /private\n"
    )
    for _ in range(2):  # The second result comes from the store.
        site = discover(server.url, cache=tmp_path / "answers")
        assert site.documents == ()
        assert {found.document.format for found in site.unread} == {"unknown"}
        assert len(site.to_dict()["unread"]) == 2
        for path in ("/execute", "/private/x"):
            decision = site.decide(agent="Bot", url=path)
            assert (decision.allowed, decision.reason) == (False, "unread-restriction")
        assert site.decide(agent="Bot", url="/").reason == "not-stated"


@pytest.mark.parametrize(
    "rest", [b"# caf\xe9\n", b"# x\n" * 270_000 + b"Disallow: /other\n"]
)
def test_restrictions_of_unreadable_documents_are_respected(
    rest: bytes, server: Server, tmp_path: Path
) -> None:
    server.pages["/.well-known/agents.txt"] = Page(
        TXT.encode() + b"Disallow: /x\n" + rest
    )
    for _ in range(2):
        site = discover(server.url, cache=tmp_path / "answers")
        assert not site.found
        assert site.decide(agent="Bot", url="/x").reason == "unread-restriction"
        assert site.decide(agent="Bot", url="/other").allowed


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/.well-known/agents.txt", TXT + "Disallow: /x\n"),
        ("/.well-known/agents.json", '{"access": {"disallow": ["/x"]}}'),
    ],
)
def test_utf_16_hides_no_restriction(
    encoding: str, path: str, text: str, server: Server
) -> None:
    server.pages[path] = Page(text.encode(encoding))
    site = discover(server.url)
    assert not site.found
    decision = site.decide(agent="Bot", url="/x")
    assert (decision.allowed, decision.reason) == (False, "unread-restriction")


def test_the_content_decides_not_its_type(server: Server) -> None:
    server.pages["/.well-known/agents.json"] = Page(
        JSON, headers={"Content-Type": "text/html; charset=utf-8"}
    )
    server.pages["/.well-known/agents.txt"] = Page(
        TXT, headers={"Content-Type": "application/octet-stream"}
    )
    assert len(discover(server.url).found) == 2


@pytest.mark.parametrize(
    ("page", "rules", "allowed"),
    [
        (Page(ROBOTS), "document", False),
        (Page(HTML), "document", True),
        (Page(status=404), "allow-all", True),
        (Page(status=403), "allow-all", True),
        (Page(status=500), "disallow-all", False),
        (to("/robots.txt"), "disallow-all", False),
        (to("/other.txt"), "document", False),
    ],
)
def test_robots_by_status(
    server: Server, page: Page, rules: str, allowed: bool
) -> None:
    server.pages = {"/robots.txt": page, "/other.txt": Page(ROBOTS)}
    site = discover(server.url)
    assert site.robots is not None
    assert (site.robots_rules, site.robots.allowed("Bot", "/x")) == (rules, allowed)


@pytest.mark.parametrize(
    ("status", "reason"), [(429, "robots-unreachable"), (404, "not-stated")]
)
def test_a_limited_robots_txt_is_unreachable_for_reading_only(
    server: Server, status: int, reason: str
) -> None:
    server.pages = {"/robots.txt": Page(status=status)}
    site = discover(server.url)
    assert site.robots_rules == "allow-all"
    assert site.decide(agent="Bot", url="/x").reason == reason
    assert site.decide(agent="Bot", capability="a").reason == "unknown-capability"
    assert agentsdisc.decide([], agent="Bot", url="/x", robots="absent").allowed


def test_a_long_robots_txt_is_cut(server: Server) -> None:
    lines = b"Disallow: /aaaaaaaaaaaaaaaaaaaa\n" * 40_000
    server.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /x\n" + lines)
    site = discover(server.url)
    assert site.robots is not None and site.robots.is_cut
    assert len(site.robots.bytes) == 512_001
    assert not site.robots.allowed("Bot", "/x")


def test_gzip_is_decoded(server: Server) -> None:
    server.pages["/.well-known/agents.json"] = zipped(JSON)
    assert discover(server.url).documents[0].bytes == JSON.encode()
    assert server.headers[0]["Accept-Encoding"] == "gzip"


def test_requests_send_the_user_agent_and_nothing_else(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "netrc").write_text("default login a password b\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    server.pages = {
        path: Page(status=404, headers={"Set-Cookie": "a=b; Path=/"})
        for path in LOCATIONS
    }
    discover(server.url, user_agent="Bot/1.0 (+https://bot.example)", concurrency=1)
    for headers in server.headers:
        assert headers["User-Agent"] == "Bot/1.0 (+https://bot.example)"
        assert sorted(headers) == ["Accept", "Accept-Encoding", "Host", "User-Agent"]
    discover(server.url)
    assert server.headers[-1]["User-Agent"].startswith("agentsdisc/")
    discover(server.url, user_agent="Bot\r\nX-Injected: 1")
    assert server.headers[-1]["User-Agent"].startswith("agentsdisc/")


def test_only_the_given_resources_are_requested(server: Server) -> None:
    discover(server.url, resources=["agents-md", "robots-txt"])
    assert sorted(server.paths) == [
        "/.well-known/agents.md",
        "/agents.md",
        "/robots.txt",
    ]
    with pytest.raises(ValueError, match="not a resource of discovery"):
        discover(server.url, resources=["agents.md"])


@pytest.mark.parametrize(
    "url", ["", "a b", "ftp://a.example", "https://a@b.example", "https://bücher.de"]
)
def test_invalid_sites(url: str) -> None:
    with pytest.raises(ValueError):
        agentsdisc.discover(url)


@pytest.mark.parametrize("concurrency", [0, -1])
def test_no_request_at_once_is_none_at_all(concurrency: int) -> None:
    with pytest.raises(ValueError, match="concurrency must be 1 or more"):
        agentsdisc.discover("https://a.example", concurrency=concurrency)


@pytest.mark.parametrize("bound", [1, 3])
def test_requests_run_side_by_side_within_bounds(server: Server, bound: int) -> None:
    running, most = 0, 0
    full = threading.Event()

    def slow(handler: Any) -> None:
        # Counting ends before the response is sent, because the next request may follow it.
        nonlocal running, most
        with handler.server.lock:
            running += 1
            most = max(most, running)
            if running == bound:
                full.set()
        # Waits for the maximum number of requests, then a little longer, so that an excess request would arrive.
        full.wait(30)
        handler.server.stopping.wait(0.05)
        with handler.server.lock:
            running -= 1
        handler.send(Page(status=404))

    server.pages = dict.fromkeys(LOCATIONS, slow)
    discover(server.url, concurrency=bound, timeouts=PATIENT)
    assert most == bound


def test_the_companion_is_asked_for(server: Server) -> None:
    server.pages = {
        "/agents.txt": Page(TXT + f"Agents-JSON: {server.url}/data.json\n"),
        "/data.json": Page(JSON),
    }
    site = discover(server.url)
    assert [found.attempt.resource for found in site.found] == [
        "companion",
        "agents-txt",
    ]


def test_details_are_asked_for_on_request(server: Server) -> None:
    names = [f'{{"name": "get_{n}", "detail_url": "/{n}.json"}}' for n in range(9)]
    away = '{"name": "away", "detail_url": "https://b.example/a.json"}'
    odd = '{"name": "odd", "detail_url": "/../.well-known/agent"}'
    manifest = ADP % (server.url, ", ".join([*names, *names, away, odd]))
    server.pages["/.well-known/agent"] = Page(manifest)
    server.pages |= {f"/{n}.json": Page(DETAIL) for n in range(8)}
    assert discover(server.url).details == ()
    site = discover(server.url, details=True)
    assert [d.url for d in site.details] == [f"{server.url}/{n}.json" for n in range(8)]
    assert {d.document.format for d in site.details} == {"adp-capability"}
    assert rejections(site)["/8.json"] == "not-found"
    assert site.documents[0].format == "adp"
    assert server.paths.count("/1.json") == 1
    assert rejections(site)["https://b.example/a.json"] == "off-site"
    (refused,) = (a for a in site.attempts if a.rejection == "off-site")
    assert "another site" in str(refused.message)


def test_missing_details_are_named_and_can_be_asked_for(server: Server) -> None:
    names = [f'{{"name": "get_{n}", "detail_url": "/{n}.json"}}' for n in range(70)]
    names.append('{"name": "lost", "detail_url": "/lost.json"}')
    server.pages["/.well-known/agent"] = Page(ADP % (server.url, ", ".join(names)))
    server.pages |= {
        f"/{n}.json": Page(DETAIL.replace("get_a", f"get_{n}").replace("/a", f"/{n}"))
        for n in range(70)
    }
    site = discover(server.url, details=True)
    assert len(site.details) == 64
    assert site.missing_details == (*(f"get_{n}" for n in range(64, 70)), "lost")
    assert site.to_dict()["missing_details"] == list(site.missing_details)
    site = discover(server.url, details=["get_69", "get_2", "lost", "other"])
    assert [found.url.removeprefix(server.url) for found in site.details] == [
        "/2.json",
        "/69.json",
    ]
    assert set(site.missing_details) == {"lost", "other"}
    assert (server.paths.count("/3.json"), server.paths.count("/64.json")) == (1, 0)
    decision = site.decide(agent="Bot", capability="get_69")
    assert (decision.allowed, decision.endpoint) == (True, "/69")
    assert decision.relation == "same-host"
    with pytest.raises(TypeError, match="details must be several texts"):
        discover(server.url, details="get_1")


def test_a_decision_asks_robots_about_the_endpoint_of_a_detail(server: Server) -> None:
    entry = '{"name": "get_a", "detail_url": "/a.json"}'
    server.pages = {
        "/.well-known/agent": Page(ADP % (server.url, entry)),
        "/a.json": Page(DETAIL),
        "/robots.txt": Page("User-agent: *\nDisallow: /a\nAllow: /a.json\n"),
    }
    site = discover(server.url, details=["get_a"])
    decision = site.decide(agent="Bot", capability="get_a")
    assert (decision.allowed, decision.reason) == (False, "robots-disallowed")
    assert not decision.detail_unknown
    unknown = discover(server.url).decide(agent="Bot", capability="get_a")
    assert (unknown.allowed, unknown.endpoint) == (True, None)
    assert unknown.detail_unknown and unknown.to_dict()["detail_unknown"]
    assert "without its detail" in repr(unknown)


def test_declarations_are_asked_for_on_request(server: Server) -> None:
    agents = ["bot", "stranger", "none"]
    blocks = [
        f"Agent: {name}\n  Agent-Declaration: {server.url}/{name}.txt\n"
        for name in agents
    ]
    declaration = TXT + "Declaration-Type: agent\nOperates-On: "
    server.pages = {
        "/.well-known/agents.txt": Page(TXT + "".join(blocks)),
        "/bot.txt": Page(declaration + server.url + "\n"),
        "/stranger.txt": Page(declaration + "https://b.example\n"),
    }
    assert discover(server.url).declarations == ()
    site = discover(server.url, declarations=True)
    assert [(d.agent, d.declared) for d in site.declarations] == [
        ("bot", "named"),
        ("stranger", "not-named"),
        ("none", None),
    ]


def test_to_dict_is_ready_for_json(server: Server) -> None:
    server.pages = {"/agents.txt": Page(TXT), "/.well-known/agents.json": Page("{")}
    values = json.loads(json.dumps(discover(server.url).to_dict()))
    assert values["origin"] == server.url
    assert values["documents"][0]["document"]["format"] == "agents-txt"
    assert values["robots"] == "allow-all"
    broken = values["attempts"][0]
    assert (broken["rejection"], broken["status"]) == ("unreadable", 200)
    assert "error" in broken and broken["freshness"]["fresh_until"].endswith("Z")


def test_beside_a_running_loop_and_under_trio(server: Server) -> None:
    import trio

    server.pages["/agents.txt"] = Page(TXT)

    async def within() -> Site:
        return discover(server.url)

    assert len(asyncio.run(within()).found) == 1

    async def ask() -> Site:
        return await adiscover(server.url, allow_private=True, cache=False)

    assert len(trio.run(ask).found) == 1
    assert len(asyncio.run(ask()).found) == 1


def test_without_httpx_the_rest_works() -> None:
    program = """
import sys
sys.modules["httpx"] = None
import agentsdisc
assert "agentsdisc.discovery" not in sys.modules
try:
    agentsdisc.discover("https://a.example")
except ImportError as problem:
    print(problem)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "pip install 'agentsdisc[http]'" in done.stdout


WEIRD = TXT.replace("Site-Name: A", "Site-Name: a\x1b[31mb\u202ec")


def test_the_command_line(server: Server, run: Run) -> None:
    options = ["--allow-private", "--no-cache"]
    server.pages["/agents.txt"] = Page(WEIRD)
    done = run("discover", server.url, *options, check=0)
    assert "/agents.txt" in done.stdout and "not-found" in done.stdout
    assert all(c.isprintable() or c == "\n" for c in done.stdout)
    done = run("discover", server.url, "--json", *options, check=0)
    values = json.loads(done.stdout)
    assert values["documents"][0]["document"]["service"]["name"].endswith("c")
    done = run("inspect", server.url, *options, check=0)
    assert "a\\x1b[31mb\\u202ec" in done.stdout
    assert all(c.isprintable() or c == "\n" for c in done.stdout)
    server.pages.clear()
    run("discover", server.url, *options, check=1)
    run("inspect", server.url, *options, check=1)
    done = run("discover", "https://a@b.example", check=2)
    assert "user information" in done.stderr
    done = run("discover", server.url, "--timeout", "0", check=2)
    assert "is not a time" in done.stderr


SIGNALS = """\
Content-Signal: search=yes, ai-train=no
User-agent: GPTBot
User-agent: Heron
Content-Usage: /a/ train-ai=y, my-use=n
"""


def test_preferences_of_a_site(server: Server, run: Run, tmp_path: Path) -> None:
    """A site with nothing but AI preferences has something for agents, and each command shows them."""
    server.pages["/robots.txt"] = Page(SIGNALS)
    options = ["--allow-private", "--no-cache"]
    shown = [
        "    - search: allow; all paths; all agents (line 1: content-signal search=yes)",
        "    - train-ai: disallow; all paths; all agents (line 1: content-signal ai-train=no)",
        "    - train-ai: allow; paths /a/; agents GPTBot, Heron (line 4: content-usage train-ai=y)",
        "    - 'my-use': disallow; paths /a/; agents GPTBot, Heron (line 4: content-usage my-use=n)",
    ]
    text = "\n".join(shown)
    found = run("discover", server.url, *options, check=0).stdout
    assert f"  AI preferences in robots.txt:\n{text}\n" in found
    assert "  no documents for agents\n" in found and "nothing for agents" not in found
    assert "  robots.txt disallows nothing\n" in found
    inspected = run("inspect", server.url, *options, check=0)
    head = f"{server.url}/robots.txt: robots-txt\nrobots\n  preferences\n"
    assert inspected.stdout == f"{head}{text}\n"
    (tmp_path / "robots.txt").write_text(SIGNALS)
    assert text in run("inspect", tmp_path / "robots.txt", check=0).stdout

    values = json.loads(run("discover", server.url, "--json", *options, check=0).stdout)
    first, *_, last = values["preferences"]
    assert len(values["preferences"]) == 4
    assert first == {
        "purpose": "search",
        "purpose_text": "search",
        "preference": "allow",
        "preference_text": "yes",
        "source": "content-signal",
        "line": 1,
    }
    assert last == {
        "purpose": "unknown",
        "purpose_text": "my-use",
        "preference": "disallow",
        "preference_text": "n",
        "path": "/a/",
        "agents": ["GPTBot", "Heron"],
        "source": "content-usage",
        "line": 4,
    }

    server.pages["/agents.txt"] = Page(TXT)
    assert text in run("discover", server.url, *options, check=0).stdout
    assert head + text in run("inspect", server.url, *options, check=0).stdout


def test_licenses_are_listed_and_not_requested(server: Server, run: Run) -> None:
    """Those of robots.txt, of the `Link` header and of the head of the home page, each once."""
    page = (
        '<link rel="license" type="application/rsl+xml" href="/head.xml">'
        '<link rel="LICENSE" href="/head.xml"><link rel="license" href="javascript:x">'
        '<body><link rel="license" href="/visitor.xml">'
    )
    header = '</header.xml>; rel="license"; type="application/rsl+xml"'
    server.pages["/"] = Page(page, headers={"Link": header})
    server.pages["/robots.txt"] = Page("License: https://rsl.example/robots.xml\n")
    server.pages["/agents.txt"] = Page(TXT)
    options = ["--allow-private", "--no-cache"]
    values = json.loads(run("discover", server.url, "--json", *options).stdout)
    assert values["licenses"] == [
        "https://rsl.example/robots.xml",
        f"{server.url}/header.xml",
        f"{server.url}/head.xml",
    ]
    text = run("discover", server.url, *options).stdout
    assert f"  license: {server.url}/head.xml (not requested)\n" in text
    assert not [asked for asked in server.asked if asked[1].endswith(".xml")]


@pytest.mark.parametrize(
    ("robots", "words"),
    [
        ("User-agent: *\nDisallow: /x\n", "has rules"),
        ("User-agent: *\nDisallow:\n", "disallows nothing"),
        ("User-agent: *\nAllow: /x\nCrawl-delay: 3\n", "disallows nothing"),
        (HTML, "disallows nothing"),
    ],
)
def test_what_is_said_of_robots_rules(
    server: Server, run: Run, robots: str, words: str
) -> None:
    """Without AI preferences, a robots.txt is nothing for agents."""
    server.pages["/robots.txt"] = Page(robots)
    options = ["--allow-private", "--no-cache"]
    done = run("discover", server.url, *options, check=1)
    assert f"  robots.txt {words}\n" in done.stdout
    assert "  nothing for agents\n" in done.stdout
    done = run("discover", server.url, "--json", *options, check=1)
    assert "preferences" not in json.loads(done.stdout)
    run("inspect", server.url, *options, check=1)


def test_hostile_preferences_of_a_site(server: Server, run: Run) -> None:
    lines = "Content-Usage: /\x1b[31m train-ai=n\n" * 500
    server.pages["/robots.txt"] = Page(f"User-agent: *\n{lines}")
    for command in ("discover", "inspect"):
        done = run(command, server.url, "--allow-private", "--no-cache", check=0)
        assert all(c.isprintable() or c == "\n" for c in done.stdout)
        assert r"paths /\x1b[31m; agents without a group of their own" in done.stdout
    done = run("discover", server.url, "--allow-private", "--no-cache", check=0)
    assert "    and 480 others" in done.stdout


def test_decisions_over_a_site(server: Server, run: Run) -> None:
    server.pages["/agents.txt"] = Page(f"{TXT}\nDisallow: /private/\n")
    server.pages["/robots.txt"] = Page("User-agent: *\nDisallow: /tmp/\n")
    site = agentsdisc.discover(server.url, allow_private=True, cache=False)
    decision = site.decide(agent="bot", url="/private/a")
    assert (decision.allowed, decision.reason) == (False, "disallowed")
    assert site.decide(agent="bot", url="/a").allowed
    asked = ["decide", server.url, "--agent", "bot", "--allow-private", "--no-cache"]
    done = run(*asked, "--url", "/private/a", check=1)
    assert "/agents.txt:" in done.stdout and "Disallow: /private/" in done.stdout
    done = run(*asked, "--url", "/tmp/a", check=1)
    assert "/robots.txt:2:" in done.stdout
    done = run(*asked, "--url", "/a", "--json", check=0)
    assert json.loads(done.stdout)["allowed"] is True
    done = run(*asked, "--url", "/a", "--robots-status", "404", check=2)
    assert "--robots-status applies to files only" in done.stderr
    del server.pages["/robots.txt"]
    server.pages["/robots.txt"] = Page("", status=503)
    done = run(*asked, "--url", "/a", check=1)
    assert "robots" in done.stdout


def test_control_characters_of_headers_are_escaped(server: Server, run: Run) -> None:
    server.pages["/agents.txt"] = to("/a\x1b[31m\x07")
    server.pages["/.well-known/agents.json"] = Page('{"a": "\x1b"}')
    done = run("discover", server.url, "--allow-private", "--no-cache", check=1)
    assert all(c.isprintable() or c == "\n" for c in done.stdout + done.stderr)
