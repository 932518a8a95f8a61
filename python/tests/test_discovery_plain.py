"""Requests that are written without httpx, and connections that block."""

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import agentsdisc
import pytest
from agentsdisc import calls
from agentsdisc.discovery import Timeouts
from agentsdisc.discovery.fetch import _PLAIN, _plain, _request
from server import Handler, Page, Server, serving

AGENT = [(b"User-Agent", b"MugBot/1.0"), (b"X-Q", b"1")]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("content", [None, b"", b"a=b"])
@pytest.mark.parametrize(
    "url",
    [
        "https://a.example",
        "http://a.example:80/a",
        "https://a.example:443/a?",
        "https://a-b.example:8443/a/b%20c;d=1,2?q=%F0%9F%98%80&x=/?:@!$()*+",
        "http://127.0.0.1:43210/a//b?a=b=c",
        "http://localhost/~x/_y-z.json",
        "https://xn--bcher-kva.example/",
    ],
)
def test_a_plain_url_makes_the_request_of_httpx(
    url: str, method: str, content: bytes | None
) -> None:
    place = _PLAIN.fullmatch(url)
    assert place
    plain = _plain(place, AGENT, Timeouts(), method, content)
    usual = _request(url, AGENT, Timeouts(), method, content)
    own = (
        plain.method,
        plain.url.scheme,
        plain.url.host,
        plain.url.port,
        plain.url.target,
    )
    assert own == (
        method.encode(),
        usual.url.raw_scheme,
        usual.url.raw_host,
        usual.url.port,
        usual.url.raw_path,
    )
    assert sorted(plain.headers) == sorted(usual.headers.raw)
    assert plain.extensions == usual.extensions


@pytest.mark.parametrize(
    "url",
    [
        "https://A.example/",
        "https://a.example./",
        "https://a.example/../b",
        "https://a.example/./b",
        "https://a.example/a b",
        "https://a.example/%zz",
        "https://a.example/é",
        "https://bücher.example/",
        "https://a.example/a#b",
        "https://u@a.example/",
        "https://u:p@a.example/",
        "https://a.example:0/",
        "https://a.example:65536/",
        "https://a.example:x/",
        "https://[::1]/",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://127.1/",
        "http://01.2.3.4/",
        "https://a.example\\@b.example/",
        "https://a.example/\n",
        "ftp://a.example/",
        "https:///a",
        "https://-/",
    ],
)
def test_other_urls_are_left_to_httpx(url: str) -> None:
    assert _PLAIN.fullmatch(url) is None


def manifest(url: str) -> str:
    return (
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {url}\nAllow: /\nCapability: look\n"
        f"  Endpoint: {url}/look\n  Protocol: REST\n"
    )


def found(server: Server) -> agentsdisc.discovery.Site:
    text = {"Content-Type": "text/plain"}
    server.routes["/agents.txt"] = Page(manifest(server.url), headers=text)
    return agentsdisc.discover(server.url, allow_private=True, cache=False)


def look(site: Any, **timeouts: float) -> Any:
    return site.call(
        "look",
        agent="Bot",
        allow_private=True,
        timeouts=Timeouts(**timeouts),
        limiter=calls.Limiter(),
    )


@pytest.mark.parametrize("parts", [[b"HTTP/1.1 200 OK\r\n"], [b"H", b"T"], []])
def test_a_slow_answer_ends_at_the_deadline(server: Server, parts: list[bytes]) -> None:
    done = threading.Event()

    def trickle(handler: Handler) -> None:
        while not done.wait(0.1):
            for part in parts or [b""]:
                try:
                    handler.wfile.write(part)
                except OSError:
                    return

    server.routes["/look"] = trickle
    with found(server) as site:
        begun = time.monotonic()
        with pytest.raises(calls.CallError, match="timeout"):
            look(site, request=0.5, total=30.0)
        with pytest.raises(calls.LimitExceeded):
            look(site, request=30.0, total=0.5)
        assert time.monotonic() - begun < 5
        done.set()


def test_a_connection_that_the_server_has_closed_is_not_used(server: Server) -> None:
    connections = []

    def once(handler: Handler) -> None:
        connections.append(handler.client_address)
        handler.send(Page("{}"))
        handler.close_connection = True

    server.routes["/look"] = once
    with found(server) as site:
        for _ in range(3):
            assert look(site).data == {}
            time.sleep(0.05)
    assert len(set(connections)) == 3


def test_a_kept_connection_is_used_again(server: Server) -> None:
    connections = []

    def answer(handler: Handler) -> None:
        connections.append(handler.client_address)
        handler.send(Page("{}"))

    server.routes["/look"] = answer
    with found(server) as site:
        for _ in range(5):
            look(site)

        def go() -> None:
            look(site)

        threads = [threading.Thread(target=go) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(set(connections[:5])) == 1 and len(connections) == 9


def test_a_server_that_reads_nothing_ends_at_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        text = manifest(url).replace(
            "REST\n", "REST\n  Method: POST\n  Param: x (body, string)\n"
        )
        begun = time.monotonic()
        with pytest.raises(calls.CallError):
            calls.call(
                agentsdisc.parse(text),
                "look",
                {"x": "a" * 20_000_000},
                agent="Bot",
                origin=url,
                allow_private=True,
                timeouts=Timeouts(request=0.5, total=1.0),
            )
        assert time.monotonic() - begun < 8
