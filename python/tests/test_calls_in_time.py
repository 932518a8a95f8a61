"""Every kind of call ends at `timeouts.total`, whatever the server does."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import agentsdisc
import pytest
from agentsdisc import calls
from agentsdisc.discovery import Timeouts
from test_calls import no_waiting

pytest.importorskip("mcp.client.streamable_http")  # Imports it before time is measured.

TOTAL = 0.5
"""The time limit of each call, in seconds."""

LATE = 0.5
"""How much later a call may end. On an idle machine it is less than 0.1 s; a busy one gets more attempts."""


class Slow:
    """A server that reads requests, and never finishes an answer."""

    def __init__(self, speak: Callable[["Slow", socket.socket], None]) -> None:
        self.speak = speak
        self.done = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.requests = 0
        self.thread = threading.Thread(target=self.accept)
        self.thread.start()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self.handle, args=[connection]).start()

    def handle(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.recv(65536)
            self.requests += 1
            self.speak(self, connection)

    def close(self) -> None:
        self.done.set()
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(10)


def silent(server: Slow, connection: socket.socket) -> None:
    """Says nothing."""
    server.done.wait()


def trickling(server: Slow, connection: socket.socket) -> None:
    """Sends a body, one byte at a time."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"
    connection.sendall(head)
    while not server.done.wait(0.02):
        connection.sendall(b" ")


def streaming(server: Slow, connection: socket.socket) -> None:
    """Sends events that say nothing."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
    while not server.done.wait(0.02):
        connection.sendall(b": still here\n\n")


def begun(server: Slow, connection: socket.socket) -> None:
    """Begins a job, and never says how it goes."""
    if server.requests > 1:
        trickling(server, connection)
        return
    body = b'{"job_id": "j1", "status": "queued"}'
    head = "HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\nConnection: close\r\n"
    connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)


@pytest.fixture(params=[silent, trickling, streaming])
def server(request: pytest.FixtureRequest) -> Iterator[Slow]:
    slow = Slow(request.param)
    yield slow
    slow.close()


def rest(site: str) -> str:
    return (
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {site}\n"
        f"Capability: order\n  Endpoint: {site}/order\n  Protocol: REST\n  Method: POST\n"
    )


def websocket(site: str) -> str:
    return (
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {site}\nCapability: order\n"
        f"  Endpoint: {site.replace('http', 'ws')}/order\n  Protocol: WebSocket\n"
    )


def session(site: str) -> str:
    return json.dumps(
        {
            "schema_version": "0.1.0",
            "site": {"name": "A", "url": site},
            "session": {"endpoint": f"{site}/session", "ttl_seconds": 60},
            "capabilities": [
                {
                    "name": "order",
                    "endpoint": f"{site}/order",
                    "method": "POST",
                    "requires_session": True,
                }
            ],
        }
    )


def mcp(site: str) -> str:
    return f"---\nversion: 1.0\nmcp:\n  endpoint: {site}/mcp\n---\n# A\n\n## Can\n\n- Order\n"


def agent(binding: str) -> Callable[[str], str]:
    def card(site: str) -> str:
        words = {"name": "order", "description": "Orders."}
        return json.dumps(
            {
                **words,
                "version": "1.0.0",
                "supportedInterfaces": [
                    {
                        "url": f"{site}/a2a",
                        "protocolBinding": binding,
                        "protocolVersion": "1.0",
                    }
                ],
                "capabilities": {"streaming": True},
                "defaultInputModes": ["text/plain"],
                "defaultOutputModes": ["text/plain"],
                "skills": [{"id": "order", "tags": ["a"], **words}],
            }
        )

    return card


def job(site: str) -> str:
    return json.dumps(
        {
            "awp_version": "0.2",
            "domain": "127.0.0.1",
            "intent": "Sell",
            "actions": [
                {
                    "id": "order",
                    "description": "Orders.",
                    "auth_required": False,
                    "inputs": {},
                    "outputs": {},
                    "endpoint": f"{site}/order",
                    "method": "POST",
                    "execution_model": "async",
                    "poll_endpoint": f"{site}/jobs/{{job_id}}",
                }
            ],
        }
    )


def in_time(
    server: Slow, text: str, arguments: dict[str, Any], requests: int = 1
) -> None:
    """Calls `order`, which must fail in time, after this many requests."""
    for _ in range(10):
        took = seconds(server, text, arguments)
        if took < TOTAL + LATE and server.requests >= requests:
            return
    pytest.fail(f"{took:.1f} s, {server.requests} requests")


def seconds(server: Slow, text: str, arguments: dict[str, Any]) -> float:
    """Calls `order`, which must fail, and returns how long it took."""
    start = time.monotonic()
    with pytest.raises(calls.CallError):
        calls.call(
            agentsdisc.parse(text),
            "order",
            arguments,
            agent="MugBot/1.0",
            origin=server.origin,
            allow_private=True,
            timeouts=Timeouts(connect=30, read=30, request=30, total=TOTAL),
        )
    return time.monotonic() - start


KINDS: dict[str, tuple[Callable[[str], str], dict[str, Any]]] = {
    "rest": (rest, {}),
    "session": (session, {}),
    "websocket": (websocket, {"a": 1}),
    "mcp": (mcp, {}),
    "a2a-jsonrpc": (agent("JSONRPC"), {"text": "now"}),
    "a2a-http": (agent("HTTP+JSON"), {"text": "now"}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_call_ends_in_time(server: Slow, kind: str) -> None:
    write, arguments = KINDS[kind]
    in_time(server, write(server.origin), arguments)


def test_a_job_that_says_nothing_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    no_waiting(monkeypatch)
    server = Slow(begun)
    try:
        in_time(server, job(server.origin), {}, requests=2)
    finally:
        server.close()
