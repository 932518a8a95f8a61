"""Discovery over HTTP, against a real server: documents and attempts."""

import asyncio
import json
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from agentsdisc.discovery import Cache, Site, Timeouts, adiscover
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
    serving,
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
    "/.well-known/ai-catalog.json",
    "/llms.txt",
    "/",
]


PATIENT = Timeouts(connect=60, read=60, request=60, total=120)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def discover(server: Server, **options: Any) -> Site:
    """Requests the documents from the test server on a loopback address."""
    options = {"allow_private": True, "cache": False, **options}
    return agentsdisc.discover(server.url, **options)


def rejections(site: Site) -> dict[str, str | None]:
    return {a.key.removeprefix(site.origin): a.rejection for a in site.attempts}


def test_a_site_without_documents(server: Server) -> None:
    site = discover(server)
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
    site = discover(server)
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
    site = discover(server)
    formats = [document.format for document in site.documents]
    assert formats == ["agents-json", "adp", "awp", "agents-txt", "agents-md"]
    assert site.robots_rules == "document"
    assert site.robots is not None and not site.robots.allowed("Bot", "/x")
    # Six successful requests, and failed ones for agents.md, agent-card.json, agent.json, ai-catalog.json, llms.txt and the home page.
    assert len(server.asked) == 12


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
    site = discover(server)
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
        site = discover(server, cache=tmp_path / "answers")
        assert site.documents == ()
        assert {found.document.format for found in site.unread} == {"unknown"}
        assert len(site.to_dict()["unread"]) == 2
        for path in ("/execute", "/private/x"):
            decision = site.decide(agent="Bot", url=path)
            assert (decision.allowed, decision.reason) == (False, "unread-restriction")
        assert site.decide(agent="Bot", url="/").reason == "not-stated"


def test_the_content_decides_not_its_type(server: Server) -> None:
    server.pages["/.well-known/agents.json"] = Page(
        JSON, headers={"Content-Type": "text/html; charset=utf-8"}
    )
    server.pages["/.well-known/agents.txt"] = Page(
        TXT, headers={"Content-Type": "application/octet-stream"}
    )
    assert len(discover(server).found) == 2


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
    site = discover(server)
    assert site.robots is not None
    assert (site.robots_rules, site.robots.allowed("Bot", "/x")) == (rules, allowed)


def test_a_long_robots_txt_is_cut(server: Server) -> None:
    lines = b"Disallow: /aaaaaaaaaaaaaaaaaaaa\n" * 40_000
    server.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /x\n" + lines)
    site = discover(server)
    assert site.robots is not None and site.robots.is_cut
    assert len(site.robots.bytes) == 512_001
    assert not site.robots.allowed("Bot", "/x")


def test_gzip_is_decoded(server: Server) -> None:
    server.pages["/.well-known/agents.json"] = zipped(JSON)
    assert discover(server).documents[0].bytes == JSON.encode()
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
    discover(server, user_agent="Bot/1.0 (+https://bot.example)", concurrency=1)
    for headers in server.headers:
        assert headers["User-Agent"] == "Bot/1.0 (+https://bot.example)"
        assert sorted(headers) == ["Accept", "Accept-Encoding", "Host", "User-Agent"]
    discover(server)
    assert server.headers[-1]["User-Agent"].startswith("agentsdisc/")
    discover(server, user_agent="Bot\r\nX-Injected: 1")
    assert server.headers[-1]["User-Agent"].startswith("agentsdisc/")


def test_only_the_given_resources_are_requested(server: Server) -> None:
    discover(server, resources=["agents-md", "robots-txt"])
    assert sorted(server.paths) == [
        "/.well-known/agents.md",
        "/agents.md",
        "/robots.txt",
    ]
    with pytest.raises(ValueError, match="not a resource of discovery"):
        discover(server, resources=["agents.md"])


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
    discover(server, concurrency=bound, timeouts=PATIENT)
    assert most == bound


def test_the_companion_is_asked_for(server: Server) -> None:
    server.pages = {
        "/agents.txt": Page(TXT + f"Agents-JSON: {server.url}/data.json\n"),
        "/data.json": Page(JSON),
    }
    site = discover(server)
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
    assert discover(server).details == ()
    site = discover(server, details=True)
    assert [d.url for d in site.details] == [f"{server.url}/{n}.json" for n in range(8)]
    assert {d.document.format for d in site.details} == {"adp-capability"}
    assert rejections(site)["/8.json"] == "not-found"
    assert site.documents[0].format == "adp"
    assert server.paths.count("/1.json") == 1
    assert rejections(site)["https://b.example/a.json"] == "off-site"


def test_missing_details_are_named_and_can_be_asked_for(server: Server) -> None:
    names = [f'{{"name": "get_{n}", "detail_url": "/{n}.json"}}' for n in range(70)]
    names.append('{"name": "lost", "detail_url": "/lost.json"}')
    server.pages["/.well-known/agent"] = Page(ADP % (server.url, ", ".join(names)))
    server.pages |= {
        f"/{n}.json": Page(DETAIL.replace("get_a", f"get_{n}").replace("/a", f"/{n}"))
        for n in range(70)
    }
    site = discover(server, details=True)
    assert len(site.details) == 64
    assert site.missing_details == (*(f"get_{n}" for n in range(64, 70)), "lost")
    assert site.to_dict()["missing_details"] == list(site.missing_details)
    site = discover(server, details=["get_69", "get_2", "lost", "other"])
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
        discover(server, details="get_1")


def test_a_decision_asks_robots_about_the_endpoint_of_a_detail(server: Server) -> None:
    entry = '{"name": "get_a", "detail_url": "/a.json"}'
    server.pages = {
        "/.well-known/agent": Page(ADP % (server.url, entry)),
        "/a.json": Page(DETAIL),
        "/robots.txt": Page("User-agent: *\nDisallow: /a\nAllow: /a.json\n"),
    }
    site = discover(server, details=["get_a"])
    decision = site.decide(agent="Bot", capability="get_a")
    assert (decision.allowed, decision.reason) == (False, "robots-disallowed")


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
    assert discover(server).declarations == ()
    site = discover(server, declarations=True)
    assert [(d.agent, d.declared) for d in site.declarations] == [
        ("bot", "named"),
        ("stranger", "not-named"),
        ("none", None),
    ]


def test_to_dict_is_ready_for_json(server: Server) -> None:
    server.pages = {"/agents.txt": Page(TXT), "/.well-known/agents.json": Page("{")}
    values = json.loads(json.dumps(discover(server).to_dict()))
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
        return discover(server)

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


# The store


def cached(server: Server, cache: Cache, **options: Any) -> Site:
    return discover(server, cache=cache, resources=["agents-json"], **options)


def at(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    """Sets the clock to this number of seconds after a fixed time."""
    monkeypatch.setattr("agentsdisc.discovery.driver.now", lambda: 2 * 10**9 + seconds)


def test_fresh_answers_are_not_requested_again(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    page = Page(JSON, headers={"Cache-Control": "max-age=600", "ETag": '"1"'})
    server.pages["/.well-known/agents.json"] = page
    cache = Cache(tmp_path / "below" / "answers.sqlite3")
    at(monkeypatch, 0)
    assert cached(server, cache).found[0].attempt.source == "network"
    at(monkeypatch, 599)
    # Another store on the same file returns the same responses.
    again = cached(server, Cache(tmp_path / "below" / "answers.sqlite3"))
    assert again.found[0].attempt.source == "store"
    assert again.documents[0].bytes == JSON.encode()
    assert len(server.asked) == 1
    at(monkeypatch, 600)
    site = cached(server, cache)
    assert site.found[0].attempt.source == "revalidated"
    assert site.found[0].attempt.status == 304
    assert site.documents[0].bytes == JSON.encode()
    assert server.headers[1]["If-None-Match"] == '"1"'
    at(monkeypatch, 1199)
    assert cached(server, cache).found[0].attempt.source == "store"
    page.headers["ETag"] = '"2"'
    at(monkeypatch, 1200)
    assert cached(server, cache).found[0].attempt.source == "network"
    assert len(server.asked) == 3


def test_agents_md_is_asked_for_once_an_hour(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for page in (
        Page(MD, headers={"Cache-Control": "no-cache"}),
        Page(MD, headers={"Cache-Control": "no-store"}),
        Page(status=500),
        Page(status=404),
    ):
        server.pages = {"/.well-known/agents.md": page}
        server.asked.clear()
        cache = Cache()
        options = {"cache": cache, "resources": ["agents-md"]}
        at(monkeypatch, 0)
        discover(server, **options)
        first = list(server.asked)
        at(monkeypatch, 3599)
        discover(server, **options)
        assert server.asked == first
        at(monkeypatch, 3600)
        discover(server, **options)
        assert len(server.asked) > len(first)


def test_refused_addresses_received_no_request(server: Server) -> None:
    server.pages["/.well-known/agents.json"] = Page(JSON)
    cache = Cache()
    site = cached(server, cache, allow_private=False)
    assert rejections(site) == {"/.well-known/agents.json": "address-refused"}
    assert len(cached(server, cache).found) == 1


@pytest.mark.parametrize(
    ("resource", "path", "body", "minimum"),
    [
        ("agents-json", "/.well-known/agents.json", JSON, 60),
        ("agents-md", "/.well-known/agents.md", MD, 3600),
        ("agents-md", "/agents.md", MD, 3600),
    ],
)
def test_no_store_is_heeded(
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    resource: str,
    path: str,
    body: str,
    minimum: int,
) -> None:
    """The document is not written to a file; it is served from memory until it may be requested again."""
    headers = {"Cache-Control": "no-store", "ETag": '"1"'}
    server.pages[path] = Page(body, headers=headers)
    file = tmp_path / "answers.sqlite3"

    def ask() -> Site:
        return discover(server, cache=file, resources=[resource])

    at(monkeypatch, 0)
    assert len(ask().found) == 1
    asked = len(server.asked)
    rows = sqlite3.connect(file).execute("SELECT body FROM answers").fetchall()
    assert set(rows) == {(None,)}
    assert body.encode() not in file.read_bytes()
    at(monkeypatch, minimum - 1)
    (found,) = ask().found
    assert found.attempt.source == "store"
    assert found.document.bytes == body.encode()
    assert len(server.asked) == asked
    at(monkeypatch, minimum)
    assert ask().found[0].attempt.source == "network"
    assert "If-None-Match" not in server.headers[-1]


def test_another_process_says_that_it_is_too_early(
    run: Run, server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The document exists, but its content is unknown, so it must not count as absent."""
    monkeypatch.setenv("AGENTSDISC_CACHE", str(tmp_path / "answers.sqlite3"))
    server.pages["/.well-known/agents.md"] = Page(
        MD, headers={"Cache-Control": "no-store"}
    )
    command = ("discover", server.url, "--allow-private")
    assert "/.well-known/agents.md  agents-md" in run(*command, check=0).stdout
    again = run(*command, check=1).stdout
    assert "nothing for agents" not in again and "too-early" in again
    inspected = run("inspect", server.url, "--allow-private", check=1)
    assert "no documents for agents" not in inspected.stdout
    assert "/.well-known/agents.md" in inspected.stderr


def test_the_total_time_is_remembered_too(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from server import silence

    server.pages["/.well-known/agents.json"] = silence
    cache = Cache()
    at(monkeypatch, 0)
    site = cached(server, cache, timeouts=Timeouts(total=3))
    assert rejections(site) == {"/.well-known/agents.json": "timeout"}
    at(monkeypatch, 59)
    assert rejections(cached(server, cache)) == {"/.well-known/agents.json": "timeout"}
    assert len(server.asked) == 1


def test_a_store_that_is_damaged_is_made_anew(server: Server, tmp_path: Any) -> None:
    file = tmp_path / "answers.sqlite3"
    file.write_bytes(b"SQLite format 3\x00, and then something else " * 100)
    server.pages["/.well-known/agents.json"] = Page(JSON)
    cached(server, Cache(file))
    assert len(Cache(file)) == 1


def test_a_store_does_not_grow_for_ever() -> None:
    cache = Cache(max_entries=3)
    for number in range(10):
        freshness = (number, 1, 2, 3, True)
        cache.put(f"k{number}", ("u", None, b"x", freshness, b"", b"", b""))
    assert len(cache) == 3
    assert cache.get("k9") is not None and cache.get("k0") is None
    cache.clear()
    assert len(cache) == 0


def test_a_store_is_bounded_by_bytes_too(tmp_path: Any) -> None:
    file = tmp_path / "answers.sqlite3"
    cache = Cache(file, max_bytes=100_000)
    for number in range(60):
        freshness = (number, 1, 2, 3, True)
        cache.put(f"k{number}", ("u", None, b"x" * 10_000, freshness, b"", b"", b""))
    assert 5 <= len(cache) <= 9
    assert cache.get("k59") is not None and cache.get("k0") is None
    assert file.stat().st_size < 300_000
    # A response above the limit is not stored; the total of many small responses is limited as well.
    cache.put("large", ("u", None, b"x" * 100_001, (99, 1, 2, 3, True), b"", b"", b""))
    assert cache.get("large") is None
    for number in range(1000):
        cache.put(
            f"n{number}", ("u", "not-found", None, (100, 1, 2, 3, True), b"", b"", b"")
        )
    assert len(cache) < 500


@pytest.mark.parametrize("vary", ["*", "Accept, *"])
def test_an_answer_that_varies_always_is_asked_for_again(
    server: Server, monkeypatch: pytest.MonkeyPatch, vary: str
) -> None:
    headers = {"Cache-Control": "max-age=6000", "Vary": vary, "ETag": '"1"'}
    server.pages["/.well-known/agents.json"] = Page(JSON, headers=headers)
    cache = Cache()
    at(monkeypatch, 0)
    assert len(cached(server, cache).found) == 1
    at(monkeypatch, 60)
    site = cached(server, cache)
    assert site.found[0].attempt.source == "network"
    assert len(server.asked) == 2
    assert "If-None-Match" not in server.headers[1]


def test_answers_that_vary_by_the_agent_are_kept_for_each(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(handler: Any) -> None:
        name = handler.headers["User-Agent"][0]
        body = JSON.replace('"name": "A"', f'"name": "for {name}"')
        headers = {"Cache-Control": "max-age=6000", "Vary": "User-Agent"}
        handler.send(Page(body, headers=headers))

    server.pages["/.well-known/agents.json"] = answer
    cache = Cache()
    at(monkeypatch, 0)
    for name in ("One/1", "Two/1", "One/1", "Two/1"):
        site = cached(server, cache, user_agent=name)
        assert site.document is not None and site.document.service is not None
        assert site.document.service.name == f"for {name[0]}"
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("etag", "is_sent"),
    [('"1"', True), ('W/"1"', True), ("*", False), ("1", False), ('"1", "2"', False)],
)
def test_only_an_entity_tag_is_sent_back(
    server: Server, monkeypatch: pytest.MonkeyPatch, etag: str, is_sent: bool
) -> None:
    headers = {"Cache-Control": "max-age=100", "ETag": etag}
    server.pages["/.well-known/agents.json"] = Page(JSON, headers=headers)
    cache = Cache()
    at(monkeypatch, 0)
    cached(server, cache)
    # This server responds 304 to every request.
    server.pages["/.well-known/agents.json"] = lambda handler: handler.send(
        Page(status=304)
    )
    at(monkeypatch, 100)
    site = cached(server, cache)
    assert server.headers[1].get("If-None-Match") == (etag if is_sent else None)
    expected = None if is_sent else "not-modified-unasked"
    assert rejections(site) == {"/.well-known/agents.json": expected}


def test_the_store_of_the_user(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    server.pages["/.well-known/agents.json"] = Page(JSON)
    monkeypatch.setenv("AGENTSDISC_CACHE", str(tmp_path / "mine.sqlite3"))
    discover(server, cache=True)
    assert (tmp_path / "mine.sqlite3").exists()
    asked = len(server.asked)
    discover(server, cache=True)
    assert len(server.asked) == asked
    # If the file cannot be written, the process keeps the responses in memory.
    monkeypatch.setenv("AGENTSDISC_CACHE", "/dev/null/mine.sqlite3")
    discover(server, cache=True)
    asked = len(server.asked)
    discover(server, cache=True)
    assert len(server.asked) == asked


# The command line

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
