"""Discovery as seen by callers: event loops, stores, client names and timeouts."""

import asyncio
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
import trio
from agentsdisc import serving as serving_checks
from agentsdisc.discovery import Cache, Site, Timeouts
from server import JSON, TXT, Handler, Page, Server, serving, silence
from test_discovery_trust import ask

FIRST = "/.well-known/agents.json"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        server.pages[FIRST] = Page(JSON)
        yield server


def test_servers_that_close_connections_without_a_word(server: Server) -> None:
    """The next request must not fail because of the connection of the previous one."""

    def answer(handler: Handler) -> None:
        body = JSON.encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n"
        handler.wfile.write(head.encode() + body)
        handler.wfile.flush()
        time.sleep(0.05)
        handler.close_connection = True

    for path in ("json", "txt", "md"):
        server.pages[f"/.well-known/agents.{path}"] = answer
    site = ask(server.url, resources=None, concurrency=1)
    assert "unreachable" not in {attempt.rejection for attempt in site.attempts}
    checked = serving_checks.check(server.url, allow_private=True)
    assert "refused" not in {remark.code for remark in checked.remarks}


# Event loops and time


def test_waiting_beside_a_running_loop(server: Server) -> None:
    """A notebook has a running event loop; both synchronous functions work there."""

    async def both() -> None:
        assert len(ask(server.url).found) == 1
        assert serving_checks.check(server.url, allow_private=True).answered

    asyncio.run(both())
    trio.run(both)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals")
def test_an_interrupt_cancels_the_work(server: Server) -> None:
    caller = threading.get_ident()

    def interrupting(handler: Handler) -> None:
        signal.pthread_kill(caller, signal.SIGALRM)
        silence(handler)

    server.pages[FIRST] = interrupting

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    async def cell() -> None:
        ask(server.url, timeouts=Timeouts(100, 100, 100, 100))

    before = signal.signal(signal.SIGALRM, interrupt)
    begun = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            asyncio.run(cell())
    finally:
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - begun < 50


@pytest.mark.parametrize("library", ["asyncio", "trio"])
def test_a_slow_name_server_does_not_hold_up(
    monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    over = threading.Event()
    held_up = False

    def resolve(*rest: Any, **more: Any) -> Any:
        nonlocal held_up
        held_up |= not over.wait(60)
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    timeouts = Timeouts(connect=200, read=200, request=200, total=0.3)
    if library == "asyncio":
        site = ask("http://shop.example", timeouts=timeouts)
    else:

        async def go() -> Site:
            return await agentsdisc.adiscover(
                "http://shop.example", timeouts=timeouts, cache=False
            )

        site = trio.run(go)
    # A caller that waits for the name server gets here only after its timeout.
    over.set()
    assert not held_up
    # Without a robots.txt, the places that heed it are not requested.
    codes = {attempt.rejection for attempt in site.attempts}
    assert codes == (
        {"timeout"} if library == "asyncio" else {"timeout", "robots-disallowed"}
    )


# Client names


def test_an_answer_to_one_client_is_none_to_another(server: Server) -> None:
    def answer(handler: Handler) -> None:
        good = handler.headers["User-Agent"].startswith("Good")
        page = Page(JSON) if good else Page(status=403)
        page.headers = {"Vary": "User-Agent", "Cache-Control": "max-age=600"}
        handler.send(page)

    server.pages[FIRST] = answer
    cache = Cache()
    for name, code in [("Bad/1", "access-denied"), ("Good/1", None)]:
        for source in ("network", "store"):
            (attempt,) = ask(server.url, user_agent=name, cache=cache).attempts
            assert (attempt.rejection, attempt.source) == (code, source)
    assert len(server.asked) == 2


def test_names_that_cannot_be_sent(server: Server) -> None:
    for name in ("Bot\udcff", "B\xf6t/1.0", "Bot\r\nX: y", "", " "):
        for cache in (False, Cache()):
            assert len(ask(server.url, user_agent=name, cache=cache).found) == 1
            assert server.headers[-1]["User-Agent"].startswith("agentsdisc/")
        serving_checks.check(server.url, user_agent=name, allow_private=True)
        assert server.headers[-1]["User-Agent"].startswith("agentsdisc/")


# Operator declarations


def test_each_declaration_is_asked_for_once_however_it_is_spelled(
    server: Server,
) -> None:
    url = server.url + "/bot.txt"
    spelled = [
        url,
        url + "#a",
        server.url + "/x/../bot.txt",
        url.replace("http", "HTTP"),
        url,
    ]
    server.pages["/bot.txt"] = Page(
        f"Spec-Version: 1.0\nDeclaration-Type: agent\nSite-Name: B\nSite-URL: https://b.example\nOperates-On: {server.url}\n"
    )
    server.pages["/.well-known/agents.txt"] = Page(
        TXT
        + "".join(
            f"Agent: Bot{n}\n  Agent-Declaration: {each}\n"
            for n, each in enumerate(spelled)
        )
    )
    site = ask(server.url, resources=["agents-txt"], declarations=True)
    assert [(d.url, d.declared) for d in site.declarations] == [
        (each, "named") for each in spelled
    ]
    assert server.paths.count("/bot.txt") == 3


# Stores


def test_a_file_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    notes, other = tmp_path / "notes.md", tmp_path / "cookies.sqlite3"
    notes.write_text("Do not lose this.\n")
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE cookies (value)")
    connection.close()
    for file in (notes, other):
        before = file.read_bytes()
        with pytest.raises(ValueError, match="is not a store of answers"):
            Cache(file)
        assert file.read_bytes() == before


def test_a_store_opens_while_another_process_writes(tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite3"
    Cache(file).close()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    # The other process does not finish its write; waiting for it would fail.
    assert Cache(file).get("k") is None
    other.close()


@pytest.mark.parametrize(
    "change",
    ["received_at = -1", "lifetime = 1 << 40", "etag = 'x'", "body = 'x'", "url = 5.5"],
)
def test_damaged_rows_count_as_none(
    server: Server, tmp_path: Path, change: str
) -> None:
    file = tmp_path / "answers.sqlite3"
    ask(server.url, cache=Cache(file))
    with sqlite3.connect(file) as connection:
        connection.execute(f"UPDATE answers SET {change}")
    connection.close()
    site = ask(server.url, cache=Cache(file))
    assert [found.attempt.source for found in site.found] == ["network"]
