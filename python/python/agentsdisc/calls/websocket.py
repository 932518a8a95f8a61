"""Sends one message over a WebSocket (RFC 6455), with the library `websockets` (extra `websocket`)."""

import json
import logging
import re
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from urllib.parse import urlsplit

import anyio
import httpcore
import httpx

from ..discovery.addresses import port_of
from ..discovery.fetch import Reply
from ..discovery.transport import AddressRefused, closing
from .errors import ConnectionFailed
from .repeating import Exchange
from .results import Answer, Operation
from .sending import Sender, outputs_of, texts

try:
    from websockets.client import ClientProtocol
    from websockets.exceptions import InvalidStatus, PayloadTooBig, WebSocketException
    from websockets.frames import Frame, Opcode
    from websockets.protocol import State
    from websockets.uri import parse_uri
except ImportError as problem:
    raise ImportError(
        f"calls over a WebSocket need {problem.name}; run: pip install 'agentsdisc[websocket]'"
    ) from problem

_PART = 1 << 16
_PROBLEMS = (
    WebSocketException,
    httpx.HTTPError,
    httpcore.NetworkError,
    httpcore.TimeoutException,
)
_SILENT = logging.Logger("agentsdisc.websocket", logging.CRITICAL + 1)
"""The library would log the credentials."""


async def send(exchange: Exchange, operation: Operation) -> Answer:
    """Sends the arguments as one message in JSON, if there are any. The answer is the first message of the server."""
    sender, decision = exchange.sender, exchange.decision
    capability = exchange.capability
    # An endpoint may be written with https.
    url = re.sub(r"^http", "ws", operation.url.partition("#")[0], flags=re.IGNORECASE)
    try:
        # A password in the URL is not sent.
        uri = replace(parse_uri(url), username=None, password=None)
    except WebSocketException as problem:
        said = f"{operation.url}: {problem}"[:500]
        raise ConnectionFailed(said, decision) from None

    async def once(sent: Mapping[str, str], kind: str, waited: float) -> Reply:
        waited += await sender.room(decision, capability, kind)
        sender.done(operation, capability, kind, waited)
        headers = {"User-Agent": sender.agent, **sent}
        try:
            protocol = ClientProtocol(uri, max_size=sender.max_response, logger=_SILENT)
            with anyio.fail_after(sender.timeouts.request):
                async with _opened(sender, protocol, url, headers) as channel:
                    if operation.arguments:
                        text = json.dumps(dict(operation.arguments))
                        protocol.send_text(text.encode("utf-8", "replace"))
                    return Reply(200, [], await channel.message())
        except InvalidStatus as refused:
            reply = _refusal(refused)
            if 200 <= reply.status < 300:
                said = f"{capability!r} has failed: status {reply.status}"
                raise sender.failure(said, decision, reply) from None
            if reply.status == 429:
                sender.note(decision, texts(reply))
            return reply
        except PayloadTooBig:
            raise sender.too_long(capability, decision) from None
        except AddressRefused as refusal:
            said = f"{operation.url}: {refusal.words}"
            raise ConnectionFailed(said, decision) from None
        except TimeoutError:
            raise ConnectionFailed(f"{operation.url}: timeout", decision) from None
        except (*_PROBLEMS, OSError, EOFError) as problem:
            said = f"{operation.url}: {type(problem).__name__}: {problem}"[:500]
            raise ConnectionFailed(said, decision) from None

    reply, next = await exchange.follow(once, url.replace("ws", "http", 1))
    if reply.status != 200:
        raise exchange.failed(reply, next)
    return sender.answer(capability, decision, reply.body, outputs_of(next))


def _refusal(refused: InvalidStatus) -> Reply:
    """Returns the answer to a handshake that the server does not accept."""
    response = refused.response
    headers = [
        (name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
        for name, value in response.headers.raw_items()
    ]
    return Reply(response.status_code, headers, bytes(response.body or b""))


class _Channel:
    """A connection, and the protocol on it."""

    def __init__(
        self, stream: httpcore.AsyncNetworkStream, protocol: ClientProtocol
    ) -> None:
        self._stream, self._protocol = stream, protocol
        self._frames: deque[Frame] = deque()

    async def flush(self) -> None:
        """Sends what the protocol has written."""
        for data in self._protocol.data_to_send():
            if data:
                await self._stream.write(data)

    async def receive(self) -> None:
        """Waits for data. Raises the error of the handshake or of the protocol, EOFError at the end."""
        await self.flush()
        data = await self._stream.read(_PART)
        if data:
            self._protocol.receive_data(data)
        else:
            self._protocol.receive_eof()
        # The answer to the handshake is one of the events, and frames can be right behind it.
        events = self._protocol.events_received()
        self._frames += [each for each in events if isinstance(each, Frame)]
        # Sends answers of the protocol, such as to a ping.
        await self.flush()
        problem = self._protocol.handshake_exc or self._protocol.parser_exc
        if problem is not None:
            raise problem
        if not data:
            raise EOFError("the server has closed the connection")

    async def message(self) -> bytes:
        """Returns the first message."""
        parts: list[bytes] = []
        while True:
            while not self._frames:
                await self.receive()
            frame = self._frames.popleft()
            if frame.opcode is Opcode.CLOSE:
                raise EOFError("the server has closed the connection")
            if frame.opcode in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
                parts.append(bytes(frame.data))
                if frame.fin:
                    return b"".join(parts)


@asynccontextmanager
async def _opened(
    sender: Sender, protocol: ClientProtocol, url: str, headers: Mapping[str, str]
) -> AsyncIterator[_Channel]:
    """Opens a WebSocket, and closes it at the end of the block."""
    parts = urlsplit(url)
    is_secure = parts.scheme.lower() == "wss"
    stream = await sender.transport.stream(
        parts.hostname or "",
        port_of(url) or 0,
        is_secure=is_secure,
        timeout=sender.timeouts.connect,
    )
    channel = _Channel(stream, protocol)
    try:
        request = protocol.connect()
        target = (
            f"http{'s' if is_secure else ''}://{request.headers['Host']}{request.path}"
        )
        signature = sender.transport.signature("GET", target)
        for name, value in {**headers, **signature}.items():
            request.headers.pop(name, None)
            request.headers[name] = value
        protocol.send_request(request)
        while protocol.state is State.CONNECTING:
            await channel.receive()
        yield channel
        if protocol.state is State.OPEN:
            protocol.send_close(1000)
        with suppress(httpcore.NetworkError):
            await channel.flush()
    finally:
        with closing():
            await stream.aclose()
