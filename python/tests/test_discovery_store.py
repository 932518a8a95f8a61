"""The store of answers, against a real server: what is requested again, and when."""

import json
import os
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from agentsdisc.calls import RateLimited
from agentsdisc.discovery import Cache, Site, Timeouts
from asking import PATIENT, discover, rejections
from conftest import Run
from relatives import CARD
from server import (
    JSON,
    MD,
    TXT,
    Page,
    Server,
)


def cached(server: Server, cache: Cache, **options: Any) -> Site:
    return discover(server.url, cache=cache, resources=["agents-json"], **options)


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
        discover(server.url, **options)
        first = list(server.asked)
        at(monkeypatch, 3599)
        discover(server.url, **options)
        assert server.asked == first
        at(monkeypatch, 3600)
        discover(server.url, **options)
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
        return discover(server.url, cache=file, resources=[resource])

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
    decided = ("decide", server.url, "--agent", "Bot", "--url", "/x", "--allow-private")
    unknown = run(*decided, check=2)
    assert "allowed" not in unknown.stdout
    assert "/.well-known/agents.md says is not known" in unknown.stderr
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
    # Without a card, `/.well-known/agent.json` is asked for as a card or as an agent.json, whichever comes first; the store tells them apart.
    card = Page(json.dumps(CARD), headers={"Content-Type": "application/json"})
    server.pages["/.well-known/agent-card.json"] = card
    monkeypatch.setenv("AGENTSDISC_CACHE", str(tmp_path / "mine.sqlite3"))
    at(monkeypatch, 0)
    discover(server.url, cache=True, timeouts=PATIENT)
    assert (tmp_path / "mine.sqlite3").exists()
    asked = len(server.asked)
    discover(server.url, cache=True, timeouts=PATIENT)
    assert len(server.asked) == asked
    # If the file cannot be written, the process keeps the responses in memory.
    monkeypatch.setenv("AGENTSDISC_CACHE", "/dev/null/mine.sqlite3")
    discover(server.url, cache=True, timeouts=PATIENT)
    asked = len(server.asked)
    discover(server.url, cache=True, timeouts=PATIENT)
    assert len(server.asked) == asked


@pytest.mark.skipif(os.name != "posix", reason="no permissions of this kind")
def test_the_store_is_private(tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        with closing(Cache(tmp_path / "a" / "b" / "mine.sqlite3")):
            pass
    finally:
        os.umask(before)
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (tmp_path / "a").rglob("*")
    }
    assert modes == {"b": 0o700, "mine.sqlite3": 0o600}
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700


def test_an_answer_of_a_private_network_is_for_those_who_permit_it(
    server: Server,
) -> None:
    server.pages["/.well-known/agents.json"] = Page(JSON)
    cache = Cache()
    options: dict[str, Any] = {"cache": cache, "resources": ["agents-json"]}
    assert agentsdisc.discover(server.url, allow_private=True, **options).documents
    for name in (None, "private MugBot/1.0"):
        site = agentsdisc.discover(server.url, user_agent=name, **options)
        assert not site.documents
    asked = len(server.asked)
    assert agentsdisc.discover(server.url, allow_private=True, **options).documents
    assert len(server.asked) == asked


# The command line


def test_what_must_not_be_stored_is_asked_for_again_where_that_is_allowed(
    run: Run, server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A second command must not say that nothing is disallowed."""
    monkeypatch.setenv("AGENTSDISC_CACHE", str(tmp_path / "answers.sqlite3"))
    for headers in ({"Cache-Control": "no-store"}, {"Vary": "*"}):
        page = Page(TXT + "Disallow: /private\n", headers=headers)
        server.pages["/.well-known/agents.txt"] = page
        for _ in range(2):
            options = ("--agent", "Bot", "--url", "/private", "--allow-private")
            done = run("decide", server.url, *options, check=1)
            assert "disallowed" in done.stdout


def test_a_document_that_is_not_known_is_not_a_document_that_says_nothing(
    server: Server,
) -> None:
    server.pages["/.well-known/agents.md"] = Page(MD, headers={"Vary": "*"})
    cache = Cache()
    known = discover(server.url, cache=cache)
    assert known.decide(agent="Bot", url="/x").allowed
    unknown = discover(server.url, cache=cache)
    with pytest.raises(RateLimited, match="is not known") as raised:
        unknown.decide(agent="Bot", url="/x")
    assert 3500 < raised.value.seconds <= 3600


def test_a_locked_store_does_not_exceed_the_time_limit(
    server: Server, tmp_path: Path
) -> None:
    page = Page(JSON, headers={"Cache-Control": "max-age=600"})
    server.pages["/.well-known/agents.json"] = page
    cache = Cache(tmp_path / "answers.sqlite3")
    cache._connection.execute("PRAGMA busy_timeout = 120000")
    with closing(sqlite3.connect(tmp_path / "answers.sqlite3")) as other:
        other.execute("BEGIN IMMEDIATE")
        start = time.monotonic()
        site = cached(server, cache, timeouts=Timeouts(total=3))
        assert time.monotonic() - start < 50
    assert site.found[0].attempt.source == "network"
