"""Calls over a WebSocket, with a real server of the library `websockets`."""

import contextlib
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import agentsdisc
import anyio
import pytest
from agentsdisc import calls
from agentsdisc.discovery import Timeouts
from asking import PATIENT

pytest.importorskip("websockets")

from websockets.sync.server import ServerConnection, serve

AGENT = "MugBot/1.0"
TOKEN = "socket-token-1"


class Socket:
    """What the server does, and what it was asked."""

    def __init__(self) -> None:
        self.port = 0
        self.headers: list[dict[str, str]] = []
        self.received: list[Any] = []
        self.answer: Callable[[ServerConnection], None] = echo

    def handle(self, connection: ServerConnection) -> None:
        assert connection.request is not None
        self.headers.append(dict(connection.request.headers.raw_items()))
        with contextlib.suppress(Exception):
            self.answer(connection)


def echo(connection: ServerConnection) -> None:
    connection.ping()
    connection.send(json.dumps({"got": json.loads(connection.recv(10))}))


@pytest.fixture
def server() -> Iterator[Socket]:
    made = Socket()
    with serve(made.handle, "127.0.0.1", 0) as running:
        made.port = running.socket.getsockname()[1]
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield made
        running.shutdown()
        thread.join(10)


def call(port: int, arguments: dict[str, Any] | None = None, **options: Any) -> Any:
    auth = "  Auth: bearer-token\n" if "credentials" in options else ""
    scheme = options.pop("scheme", "ws")
    document = agentsdisc.parse(
        f"Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: http://127.0.0.1:{port}\n"
        f"Capability: watch\n  Endpoint: {scheme}://127.0.0.1:{port}/watch\n  Protocol: WebSocket\n{auth}"
    )
    settings = {
        "agent": AGENT,
        "origin": f"http://127.0.0.1:{port}",
        "allow_private": True,
        "timeouts": PATIENT,
        **options,
    }
    return calls.call(document, "watch", arguments, **settings)


def test_the_arguments_are_one_message(server: Socket) -> None:
    arguments = {"sku": "m\u00fc1", "count": 2}
    answer = call(server.port, arguments)
    assert answer.data == {"got": arguments}
    assert answer.status is None
    assert server.headers[0]["User-Agent"] == AGENT
    (step,) = answer.steps
    assert (step.kind, step.request.protocol) == ("call", "websocket")


def test_an_endpoint_may_be_written_with_http(server: Socket) -> None:
    assert call(server.port, {"sku": "m1"}, scheme="http").data == {
        "got": {"sku": "m1"}
    }
    # A server without TLS: nothing is sent in clear text.
    with pytest.raises(calls.ConnectionFailed):
        call(server.port, {"sku": "m1"}, scheme="https")


def test_without_arguments_nothing_is_sent(server: Socket) -> None:
    # In parts, one of them together with the answer to the handshake.
    server.answer = lambda connection: connection.send(["pri", "ce ", "7"])
    assert call(server.port).data == "price 7"


def test_a_credential_is_sent_and_not_logged(
    server: Socket, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        answer = call(server.port, {"a": 1}, credentials=TOKEN)
    assert server.headers[0]["Authorization"] == f"Bearer {TOKEN}"
    assert TOKEN not in repr(answer)
    # What the server logs has the credential, too.
    said = [each for each in caplog.records if each.name != "websockets.server"]
    assert not any(TOKEN in each.getMessage() for each in said)


def test_the_handshake_is_signed(server: Socket) -> None:
    pytest.importorskip("cryptography")
    from agentsdisc.identity import Identity, Key, verify

    key, other = Key.generate(), Key.generate()
    call(server.port, {"a": 1}, identity=Identity(key, "https://agent.example"))
    call(server.port, {"a": 1})
    signed, plain = server.headers
    url = f"http://127.0.0.1:{server.port}/watch"
    assert verify("GET", url, signed, keys={"keys": [key.public]}).reason == "valid"
    for one, keys, where in ((signed, other, url), (signed, key, f"{url}?a")):
        assert not verify("GET", where, one, keys={"keys": [keys.public]}).valid
    assert verify("GET", url, plain, keys={"keys": [key.public]}).reason == "unsigned"


def test_a_dry_run_opens_nothing(server: Socket) -> None:
    planned = call(server.port, {"a": 1}, dry_run=True)
    assert str(planned) == f'websocket ws://127.0.0.1:{server.port}/watch {{"a": 1}}'
    assert server.headers == []


def test_private_addresses_are_not_connected_to(server: Socket) -> None:
    with pytest.raises(calls.ConnectionFailed, match="not public"):
        call(server.port, allow_private=False)
    assert server.headers == []


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_in_every_loop(server: Socket, backend: str) -> None:
    document = agentsdisc.parse(
        f"Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: http://127.0.0.1:{server.port}\n"
        f"Capability: watch\n  Endpoint: ws://127.0.0.1:{server.port}/watch\n  Protocol: WebSocket\n"
    )

    async def go() -> Any:
        return await calls.acall(
            document,
            "watch",
            {"a": 1},
            agent=AGENT,
            origin=f"http://127.0.0.1:{server.port}",
            allow_private=True,
        )

    assert anyio.run(go, backend=backend).data == {"got": {"a": 1}}


def forever(connection: ServerConnection) -> None:
    while True:
        connection.ping()
        time.sleep(0.01)


def large(connection: ServerConnection) -> None:
    connection.send("x" * 2_000_000)


def parts(connection: ServerConnection) -> None:
    connection.send("x" * 1000 for _ in range(1_000_000))


@pytest.mark.parametrize(
    ("answer", "kind", "timeouts"),
    [
        (lambda connection: connection.close(), calls.ConnectionFailed, PATIENT),
        (lambda connection: connection.socket.close(), calls.ConnectionFailed, PATIENT),
        (forever, calls.ConnectionFailed, Timeouts(request=2, total=4)),
        (large, calls.LimitExceeded, PATIENT),
        (parts, calls.LimitExceeded, PATIENT),
    ],
)
def test_servers_without_a_message(
    server: Socket, answer: Any, kind: type[Exception], timeouts: Timeouts
) -> None:
    server.answer = answer
    with pytest.raises(kind):
        call(server.port, max_response=1 << 20, timeouts=timeouts)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (
            b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno",
            calls.CredentialsNeeded,
        ),
        (b"HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno", calls.CallFailed),
        (
            b"HTTP/1.1 302 Found\r\nLocation: ws://localhost:1/\r\nContent-Length: 0\r\n\r\n",
            calls.CallFailed,
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", calls.CallFailed),
        (
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: wrong\r\n\r\n",
            calls.ConnectionFailed,
        ),
        (b"SSH-2.0-x\r\n", calls.ConnectionFailed),
        (b"", calls.ConnectionFailed),
        (b"HTTP/1.1 101 " + b"x" * 1_000_000, calls.ConnectionFailed),
    ],
)
def test_answers_that_are_no_handshake(data: bytes, kind: type[Exception]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve_once() -> None:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):
                connection.recv(65536)
                connection.sendall(data)

        thread = threading.Thread(target=serve_once)
        thread.start()
        with pytest.raises(kind) as caught:
            call(listening.getsockname()[1], credentials=TOKEN)
        thread.join(10)
    assert TOKEN not in str(caught.value)
