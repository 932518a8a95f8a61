"""The trail over HTTP: what a site points to is requested, within bounds, and who pointed to it is stated."""

import asyncio
import json
import socket
import time
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from agentsdisc.discovery import Cache, Site, adiscover
from asking import discover
from conftest import Run
from server import JSON, ROBOTS, TXT, Handler, Page, Server, serving, to

CARD = json.dumps(
    {
        "name": "A",
        "description": "x",
        "version": "1",
        "protocolVersion": "0.3.0",
        "url": "https://a.example/a2a",
        "capabilities": {},
        "defaultInputModes": ["text"],
        "defaultOutputModes": ["text"],
        "skills": [],
    }
)
LLMS = "# A\n\n> Mugs.\n\n## Docs\n\n- [API](https://a.example/api.md): the API\n"
AGENT_CARD = "application/a2a-agent-card+json"
AI_CATALOG = "application/ai-catalog+json"


def catalog(*entries: tuple[str, str]) -> str:
    """An AI Catalog with entries of a type and a URL."""
    listed = [
        {
            "identifier": f"urn:air:a.example:x:{n}",
            "displayName": str(n),
            "type": kind,
            "url": url,
        }
        for n, (kind, url) in enumerate(entries)
    ]
    return json.dumps({"specVersion": "1.0", "entries": listed})


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The addresses of host names; other names do not resolve."""
    known: dict[str, str] = {}
    real = socket.getaddrinfo

    def resolve(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        text = host.decode() if isinstance(host, bytes) else host
        if not text[0].isdigit() and text not in known:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return real(known.get(text, text), port, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return known


def trail(site: Site) -> list[tuple[str, str, str]]:
    """Each place that something points to: its path, how, and the result."""
    return [
        (
            step.url.removeprefix(site.origin),
            step.pointer.how,
            step.attempt.rejection or step.attempt.format,
        )
        for step in site.trail
        if step.pointer is not None
    ]


def test_a_site_that_points_to_its_documents(server: Server) -> None:
    page = '<!doctype html><head><link rel="alternate" href="/docs/llms.txt"></head>'
    server.pages = {
        "/": Page(page, headers={"Link": '</catalog.json>; rel="ai-catalog"'}),
        "/robots.txt": Page(f"{ROBOTS}Agentmap: {server.url}/map.json\n"),
        "/map.json": Page(catalog()),
        "/catalog.json": Page(catalog((AGENT_CARD, "cards/a.json"))),
        "/cards/a.json": Page(CARD),
        "/docs/llms.txt": Page(LLMS),
    }
    site = discover(server.url)
    assert set(trail(site)) == {
        ("/map.json", "robots-field", "ai-catalog"),
        ("/catalog.json", "link-header", "ai-catalog"),
        ("/docs/llms.txt", "link-element", "llms-txt"),
        ("/cards/a.json", "entry", "a2a-agent-card"),
    }
    assert {document.format for document in site.documents} == {
        "a2a-agent-card",
        "ai-catalog",
        "llms-txt",
    }
    by_path = {step.url.removeprefix(site.origin): step for step in site.trail}
    card = by_path["/cards/a.json"]
    pointer = card.pointer
    assert pointer is not None and card.own and card.document is not None
    assert (pointer.url, pointer.relation) == (server.url + "/catalog.json", AGENT_CARD)
    source = by_path["/catalog.json"].document
    assert source is not None
    assert source.bytes[pointer.offset : pointer.end] == b"cards/a.json"
    header = by_path["/catalog.json"].pointer
    assert header is not None and (header.offset, header.end) == (None, None)
    assert (header.url, header.relation) == (server.url + "/", "ai-catalog")
    values = site.to_dict()
    assert json.loads(json.dumps(values)) == values
    assert {step["url"] for step in values["trail"]} == {s.url for s in site.trail}
    assert len(server.paths) == len(set(server.paths))


def test_the_asynchronous_client(server: Server) -> None:
    server.pages["/"] = Page("<link rel=agent-card href=/c>")
    server.pages["/c"] = Page(CARD)
    site = asyncio.run(adiscover(server.url, allow_private=True, cache=False))
    assert trail(site) == [("/c", "link-element", "a2a-agent-card")]


def test_what_is_asked_by_default_and_on_demand(server: Server) -> None:
    site = discover(server.url)
    new = {"agent-card", "ai-catalog", "llms-txt", "home"}
    assert len(server.paths) == 14
    assert new < {attempt.resource for attempt in site.attempts}
    server.asked.clear()
    discover(server.url, resources="all")
    assert len(server.paths) == 29
    server.asked.clear()
    discover(server.url, resources=["llms-txt"])
    assert server.paths == ["/llms.txt"]
    server.asked.clear()
    discover(server.url, follow=None)
    assert "/" not in server.paths and len(server.paths) == 13
    for wrong in ("other", ""):
        with pytest.raises(ValueError, match="same-site"):
            discover(server.url, follow=wrong)
    with pytest.raises(TypeError):
        discover(server.url, follow=True)
    with pytest.raises(ValueError, match="not a resource"):
        discover(server.url, resources=["llms"])


def test_robots_txt_is_respected(server: Server) -> None:
    server.pages = {
        "/": Page("<link rel=agent-card href=/private/c><link rel=ai-catalog href=/m>"),
        "/robots.txt": Page(
            "User-agent: MyBot\nDisallow: /private\nDisallow: /llms.txt\n\nUser-agent: *\nDisallow: /\n"
        ),
        "/llms.txt": Page(LLMS),
        "/private/c": Page(CARD),
        "/m": to("/private/c"),
    }
    site = discover(server.url, user_agent="MyBot/1.0")
    codes = {a.key.removeprefix(site.origin): a.rejection for a in site.attempts}
    assert codes["/private/c"] == codes["/llms.txt"] == "robots-disallowed"
    assert codes["/m"] == "robots-disallowed"
    assert codes["/"] is None
    assert not {"/private/c", "/llms.txt"} & set(server.paths)
    assert server.paths.index("/robots.txt") < server.paths.index("/")
    server.asked.clear()
    site = discover(server.url, user_agent="OtherBot/1.0")
    assert not {"/", "/llms.txt", "/.well-known/ard.json"} & set(server.paths)
    # Without a robots.txt that can be read, nothing of this is requested.
    server.asked.clear()
    server.pages["/robots.txt"] = Page(status=503)
    site = discover(server.url)
    assert "/" not in server.paths and "/.well-known/agents.json" in server.paths
    assert {a.rejection for a in site.attempts if a.resource == "home"} == {
        "robots-disallowed"
    }


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("http://evil.test:{port}/c", "off-site"),
        ("//evil.test:{port}/c", "off-site"),
        ("http://127.0.0.2:{port}/c", "off-site"),
        ("http://169.254.169.254/c", "off-site"),
        ("http://shop.example@evil.test:{port}/c", "invalid-url"),
        ("file:///etc/passwd", "invalid-url"),
        ("javascript:alert(1)", "invalid-url"),
    ],
)
def test_other_hosts_are_not_contacted(
    server: Server, names: dict[str, str], target: str, code: str
) -> None:
    names |= dict.fromkeys(("shop.example", "evil.test"), "127.0.0.1")
    with serving() as other:
        where = target.format(port=other.port)
        server.pages = {
            "/": Page("", headers={"Link": f"<{where}>; rel=ai-catalog"}),
            "/robots.txt": Page(f"Agentmap: {where}\n"),
            "/.well-known/ard.json": Page(catalog((AI_CATALOG, where))),
        }
        site = discover(server.at("shop.example"))
        codes = {a.rejection for a in site.attempts if a.resource == "linked"}
        assert codes == {code}
        assert other.asked == []
        assert {host for host, _ in server.asked} == {"shop.example"}


def test_other_sites_where_the_caller_allows_them(
    server: Server, names: dict[str, str]
) -> None:
    names |= dict.fromkeys(("shop.example", "other.test"), "127.0.0.1")
    own, other = server.at("shop.example"), server.at("other.test")
    # It declares a capability on the first site, and forbids another one.
    foreign = JSON.replace(
        '"capabilities": []',
        f'"capabilities": [{{"id": "buy", "endpoint": "{own}/buy", "protocol": "REST"}}], '
        '"access": {"allow": ["/buy"], "disallow": ["/"]}',
    )
    server.hosts = {
        "shop.example": {
            "/.well-known/agents.txt": Page(f"{TXT}Allow: /open\nDisallow: /\n"),
            "/.well-known/ard.json": Page(
                catalog(
                    (AI_CATALOG, f"{other}/c.json"), (AGENT_CARD, f"{other}/a.json")
                )
            ),
            "/users/mallory/agents.json": Page(foreign),
        },
        "other.test": {
            "/c.json": Page(
                catalog(
                    (AI_CATALOG, f"{own}/users/mallory/agents.json"),
                    (AI_CATALOG, "agents.json"),
                )
            ),
            "/a.json": Page(CARD),
            "/agents.json": Page(foreign),
        },
    }
    site = discover(own, follow="any")
    elsewhere = {found.url for found in site.elsewhere}
    assert elsewhere == {
        f"{other}/c.json",
        f"{other}/a.json",
        f"{other}/agents.json",
        # It is on the site, but only the other one says so.
        f"{own}/users/mallory/agents.json",
    }
    assert {found.document.format for found in site.found} == {
        "agents-txt",
        "ai-catalog",
    }
    assert {step.url: step.own for step in site.trail if not step.own} == dict.fromkeys(
        elsewhere, False
    )
    assert not site.decide(agent="Bot", url=f"{own}/buy").allowed
    assert site.decide(agent="Bot", url=f"{own}/open").allowed
    assert site.decide(agent="Bot", capability="buy").reason == "unknown-capability"
    assert discover(own).elsewhere == ()


def test_other_sites_at_private_addresses(
    server: Server, names: dict[str, str]
) -> None:
    names |= {"shop.example": "127.0.0.1", "inner.test": "127.0.0.3"}
    link = f"<{server.at('inner.test')}/c>; rel=mcp-server-card, <http://169.254.169.254/c>; rel=ai-catalog, <http://localhost/c>; rel=llms"
    server.pages["/"] = Page("", headers={"Link": link})
    site = discover(server.at("shop.example"), follow="any")
    codes = [a.rejection for a in site.attempts if a.resource == "linked"]
    assert codes == ["address-refused"] * 3


@pytest.mark.parametrize("step", ["/{n}", "{url}/{n}?x", "//{host}/a/../{n}"])
def test_endless_catalogs_end(server: Server, step: str) -> None:
    def endless(handler: Handler) -> None:
        n = len(server.asked)
        host = server.url.partition("://")[2]
        urls = [step.format(n=f"{n}-{k}", url=server.url, host=host) for k in range(40)]
        handler.send(Page(catalog(*((AI_CATALOG, url) for url in urls))))

    class Everything(dict[str, Any]):
        def get(self, path: str, default: Any = None) -> Any:
            return endless if "txt" not in path else default

    server.pages = Everything()
    start = time.monotonic()
    site = discover(server.url)
    assert len(server.paths) <= 14 + 16
    assert sum(a.resource == "linked" for a in site.attempts) == 16
    assert site.trail_is_cut and site.to_dict()["trail_is_cut"] is True
    assert time.monotonic() - start < 20


def test_catalogs_that_point_to_themselves(server: Server) -> None:
    path = "/.well-known/ard.json"
    server.pages = {
        path: Page(
            catalog(
                (AI_CATALOG, path),
                (AI_CATALOG, f"{server.url}{path}#x"),
                (AI_CATALOG, "/b"),
                (AI_CATALOG, "/c"),
            )
        ),
        "/b": Page(catalog((AI_CATALOG, path), (AI_CATALOG, "b"))),
        "/c": to("/b"),
    }
    site = discover(server.url)
    assert server.paths.count(path) == 1
    assert len(site.attempts) == 15
    assert not site.trail_is_cut and "trail_is_cut" not in site.to_dict()
    assert {a.resource: a.rejection for a in site.attempts}["linked"] is None


@pytest.mark.parametrize("count", [10_000])
def test_huge_lists_are_bounded(server: Server, count: int) -> None:
    many = catalog(*((AI_CATALOG, f"/{n}") for n in range(count)))
    page = "".join(f"<link rel=llms href=/l{n}>" for n in range(count))
    server.pages = {
        "/": Page(
            page, headers={"Link": ", ".join(f"</h{n}>; rel=mcp" for n in range(800))}
        ),
        "/.well-known/ard.json": Page(many),
        "/robots.txt": Page("".join(f"Agentmap: /r{n}\n" for n in range(count))),
    }
    start = time.monotonic()
    site = discover(server.url, limits=agentsdisc.Limits(document=16 << 20))
    assert len(server.paths) <= 14 + 16
    assert time.monotonic() - start < 20
    assert sum(a.resource == "linked" for a in site.attempts) == 16


def test_a_stored_home_page_keeps_its_links(server: Server, tmp_path: Path) -> None:
    headers = {"Link": "</c>; rel=agent-card", "ETag": '"1"'}
    cache = Cache(tmp_path / "answers")
    server.pages["/c"] = Page(CARD)
    for control in ("max-age=600", "no-cache"):
        server.pages["/"] = Page("", headers={**headers, "Cache-Control": control})
        cache.clear()
        for expected in (True, False):
            server.asked.clear()
            site = discover(server.url, cache=cache)
            assert trail(site) == [("/c", "link-header", "a2a-agent-card")], control
            assert ("/" in server.paths) == (expected or control == "no-cache")


def test_an_old_card_at_the_place_of_agent_json(server: Server) -> None:
    server.pages["/.well-known/agent.json"] = Page(CARD)
    for _ in range(3):
        site = discover(server.url)
        (found,) = site.found
        assert (found.attempt.resource, found.document.format) == (
            "agent-card",
            "a2a-agent-card",
        )
        assert site.unread == ()


def test_the_command_line_shows_who_points(server: Server, run: Run) -> None:
    server.pages = {
        "/": Page("<link rel=agent-card href=/c><link rel=llms href=//b.example/l>"),
        "/c": Page(CARD),
    }
    options = ("--allow-private", "--no-cache")
    done = run("discover", server.url, *options)
    assert done.returncode == 0
    assert "/c  a2a-agent-card" in done.stdout
    assert "; / points to it (link-element: agent-card)" in done.stdout
    assert "b.example/l  off-site" in done.stdout
    values = json.loads(run("discover", server.url, "--json", "--all", *options).stdout)
    (step,) = [step for step in values["trail"] if step["url"].endswith("/c")]
    assert step["pointer"]["how"] == "link-element"
    assert "/.well-known/api-catalog" in server.paths
    done = run("inspect", server.url, *options)
    assert "; / points to it (link-element: agent-card)" in done.stdout.splitlines()[0]
    server.asked.clear()
    assert run("discover", server.url, "--follow", "none", *options).returncode == 1
    assert "/" not in server.paths
