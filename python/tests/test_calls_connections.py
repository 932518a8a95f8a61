"""The connections that the calls of a site share."""

import asyncio
import copy
import gc
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from typing import Any

import agentsdisc
import anyio
import pytest
import shop as shops
from agentsdisc import calls
from agentsdisc.discovery import Site
from server import Handler, Page, Server, serving
from shop import Shop

AGENT = "MugBot/1.0"


class Counted(Server):
    """A server that counts connections."""

    opened = 0
    ended = 0

    def process_request(self, request: Any, client_address: Any) -> None:
        with self.lock:
            self.opened += 1
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self.lock:
            self.ended += 1
        super().shutdown_request(request)


@pytest.fixture
def shop() -> Iterator[Shop]:
    with serving(kind=Counted) as server:
        made = Shop(server)
        server.pages["/agents.txt"] = Page(shops.agents_txt(server.url))
        yield made


def found(shop: Shop) -> Site:
    site = agentsdisc.discover(shop.url, allow_private=True, cache=False)
    wait_until(lambda: shop.server.ended == shop.server.opened)
    shop.server.opened = shop.server.ended = 0
    return site


def ask(site: Site, **more: Any) -> calls.Answer:
    options = {"agent": AGENT, "limiter": calls.Limiter(), "allow_private": True}
    return site.call("search", {"q": "a"}, **options | more)


async def aask(site: Site) -> calls.Answer:
    return await site.acall("search", {"q": "a"}, agent=AGENT, allow_private=True)


def wait_until(is_so: Any) -> None:
    end = time.monotonic() + 10
    while not is_so() and time.monotonic() < end:
        time.sleep(0.005)
    assert is_so()


def opened(shop: Shop) -> int:
    return shop.server.opened


def ended(shop: Shop) -> int:
    return shop.server.ended


def test_calls_share_a_connection_until_the_site_is_closed(shop: Shop) -> None:
    with found(shop) as site:
        for _ in range(5):
            assert ask(site).status == 200
        assert (opened(shop), ended(shop)) == (1, 0)
    wait_until(lambda: ended(shop) == 1)
    # A closed site can be used again.
    assert ask(site).status == 200
    site.close()
    site.close()
    wait_until(lambda: (opened(shop), ended(shop)) == (2, 2))


def test_a_site_that_is_gone_leaves_nothing(shop: Shop) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", ResourceWarning)
        site = found(shop)
        ask(site)
        del site
        gc.collect()
        wait_until(lambda: ended(shop) == 1)
        gc.collect()
    assert [str(each.message) for each in said] == []


def test_a_program_that_ends_leaves_nothing(shop: Shop) -> None:
    program = (
        f"import agentsdisc\nsite = agentsdisc.discover({shop.url!r}, allow_private=True, cache=False)\n"
        f"print(site.call('search', {{'q': 'a'}}, agent='a/1', allow_private=True).status)"
    )
    command = [sys.executable, "-W", "always::ResourceWarning", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("200\n", "", 0)


def test_threads_share_a_site(shop: Shop) -> None:
    site, problems = found(shop), list[BaseException]()

    def work() -> None:
        try:
            for _ in range(5):
                assert ask(site).status == 200
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert opened(shop) <= 6
    site.close()
    wait_until(lambda: ended(shop) == opened(shop))


def test_a_call_within_a_call(shop: Shop) -> None:
    site = found(shop)

    def token(_: object) -> str:
        return str(ask(site).data["items"][0]["sku"]) and shop.token

    for _ in range(2):
        answer = site.call(
            "order",
            {"sku": "m1"},
            agent=AGENT,
            credentials=token,
            allow_private=True,
        )
        assert answer.data["order_id"] == "o1"
    site.close()


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_loop_keeps_connections_in_a_block(shop: Shop, backend: str) -> None:
    site = found(shop)

    async def go() -> None:
        async with site:
            for _ in range(3):
                assert (await aask(site)).status == 200
            async with site:
                await aask(site)
            assert (opened(shop), ended(shop)) == (1, 0)
        await anyio.to_thread.run_sync(lambda: wait_until(lambda: ended(shop) == 1))
        # Without the block, each call has its own.
        await aask(site)
        await aask(site)
        assert opened(shop) == 3

    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        anyio.run(go, backend=backend)
        gc.collect()
    wait_until(lambda: ended(shop) == 3)


def test_a_call_beside_a_running_loop(shop: Shop) -> None:
    site = found(shop)
    ask(site)

    async def go() -> None:
        assert ask(site).status == 200
        await site.aclose()

    asyncio.run(go())
    wait_until(lambda: (opened(shop), ended(shop)) == (2, 2))


def test_what_one_call_may_reach_another_may_not(shop: Shop) -> None:
    with found(shop) as site:
        ask(site)
        with pytest.raises(calls.ConnectionFailed, match="not public"):
            ask(site, allow_private=False)
        assert ask(site).status == 200
        assert len(shop.asked) == 2


def test_a_connection_that_the_server_has_closed_is_replaced(shop: Shop) -> None:
    def closing(handler: Handler) -> None:
        handler.send(Page('{"items": []}'))
        handler.wfile.flush()
        handler.connection.shutdown(socket.SHUT_RDWR)
        handler.close_connection = True

    shop.server.pages["/api/search?q=a"] = closing
    with found(shop) as site:
        for count in range(1, 4):
            assert ask(site).status == 200
            wait_until(lambda count=count: ended(shop) == count)


def test_copies_have_connections_of_their_own(shop: Shop) -> None:
    site = found(shop)
    ask(site)
    for other in (pickle.loads(pickle.dumps(site)), copy.deepcopy(site)):
        assert ask(other).status == 200
        other.close()
    assert opened(shop) == 3
    site.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_has_connections_of_its_own(shop: Shop) -> None:
    site = found(shop)
    ask(site)
    child = os.fork()
    if not child:
        code = 1
        try:
            code = 0 if ask(site).status == 200 else 2
            site.close()
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert opened(shop) == 2
    assert ask(site).status == 200
    assert opened(shop) == 2
    site.close()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals")
def test_an_interrupt_ends_a_call(shop: Shop) -> None:
    caller, over = threading.get_ident(), threading.Event()

    def interrupting(handler: Handler) -> None:
        signal.pthread_kill(caller, signal.SIGINT)
        over.wait(60)

    site, answer = found(shop), shop.server.routes["/api/search"]
    shop.server.routes["/api/search"] = interrupting
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    begun = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            ask(site)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begun < 30
    over.set()
    shop.server.routes["/api/search"] = answer
    # The loop and its other connections can be used again.
    assert ask(site).status == 200
    site.close()
