"""Sends one request: without redirects and cookies, and reads a bounded body."""

import errno
import re
import socket
import ssl
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import anyio
import httpcore
import httpx

from .._agentsdisc import _Discovery
from .results import Timeouts, is_client_name
from .transport import AddressRefused, Body, GuardedTransport

_MOMENT = 0.001
_SLACK = 64 << 10
"""Bytes by which a compressed body may exceed the limit of its content."""

_NO_WAY = {errno.ENETDOWN, errno.ENETUNREACH, errno.EHOSTDOWN, errno.EHOSTUNREACH}
"""Errors of a network without a route to the host."""


_PLAIN = re.compile(
    r"(https?)://((?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*|(?:[1-9][0-9]{0,2}\.)(?:[0-9]\.|[1-9][0-9]{1,2}\.){2}(?:[0-9]|[1-9][0-9]{1,2}))"
    r"(?::([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}))?((?:/(?!\.)(?:[A-Za-z0-9._~!$&()*+,;=:@-]|%[0-9A-Fa-f]{2})*)*)"
    r"(\?(?:[A-Za-z0-9._~!$&()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?"
)
"""A URL that httpx would send as it is written."""


class Failed(Exception):
    """There is no usable answer. `why` is the failure code of the core, `detail` a reason in words if there is one."""

    def __init__(self, why: str, detail: str | None = None) -> None:
        super().__init__(why)
        self.why, self.detail = why, detail


@dataclass(slots=True)
class Reply:
    """An answer. Without `keeps_errors`, the body is read only if the status is 2xx."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes = field(default=b"")

    @property
    def links(self) -> bytes:
        """The `Link` headers as one."""
        return b", ".join(v for name, v in self.headers if name.lower() == b"link")


def client_name(user_agent: str | None) -> str:
    """Returns the User-Agent to send: the caller's, or the default if that is not valid in a header."""
    if user_agent is None or not is_client_name(user_agent):
        return _Discovery.USER_AGENT
    return user_agent


async def fetch(
    transport: httpx.AsyncBaseTransport,
    url: str,
    headers: list[tuple[bytes, bytes]],
    *,
    limit: int,
    cuts: bool,
    timeouts: Timeouts,
    method: str = "GET",
    content: bytes | None = None,
    keeps_errors: bool = False,
) -> Reply:
    """Requests `url` and reads at most `limit` bytes of the decoded body; cuts a longer one, or raises Failed."""
    try:
        with anyio.fail_after(timeouts.request):
            sent = [*headers, (b"Accept-Encoding", b"gzip")]
            place = _PLAIN.fullmatch(url)
            answer: tuple[Reply, httpx.AsyncByteStream]
            if place is not None and isinstance(transport, GuardedTransport):
                plain = _plain(place, sent, timeouts, method, content)
                arrived = await transport.respond(plain)
                answer = Reply(arrived.status, arrived.headers), Body(arrived.stream)
            else:
                request = _request(url, sent, timeouts, method, content)
                response = await transport.handle_async_request(request)
                assert isinstance(response.stream, httpx.AsyncByteStream)
                reply = Reply(response.status_code, response.headers.raw)
                answer = reply, response.stream
            return await _fetch(*answer, limit, cuts, keeps_errors)
    except (TimeoutError, httpx.TimeoutException):
        # If it was the deadline of the caller, that ends the caller here.
        await anyio.sleep(_MOMENT)
        raise Failed("timeout") from None
    except AddressRefused as refused:
        raise Failed("refused", refused.words) from None
    except zlib.error:
        raise Failed("encoding") from None
    except (
        httpx.HTTPError,
        httpx.InvalidURL,
        ssl.SSLError,
        OSError,
        ValueError,
    ) as problem:
        causes = list(_causes(problem))
        why = "not-connected" if any(map(_is_before, causes)) else "unreachable"
        raise Failed(why, _detail(causes)) from None


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    """Returns an exception and the chain of its causes."""
    for _ in range(16):
        if problem is None:
            break
        yield problem
        problem = problem.__cause__ or problem.__context__


def _is_before(problem: BaseException) -> bool:
    """Returns whether the error prevented the connection, so that no server was asked."""
    return isinstance(problem, socket.gaierror | ConnectionRefusedError) or (
        isinstance(problem, OSError) and problem.errno in _NO_WAY
    )


def _detail(causes: Iterable[BaseException]) -> str | None:
    """Returns why a server cannot be reached, if its owner or the caller can act on that."""
    for problem in causes:
        match problem:
            case ssl.SSLCertVerificationError():
                return f"its certificate does not hold: {problem.verify_message}"
            case ssl.SSLError():
                return "there is no encrypted connection with it"
            case socket.gaierror():
                return "its name cannot be resolved"
            case ConnectionRefusedError():
                return "it refuses the connection"
            case httpx.RemoteProtocolError():
                return "its answer is not HTTP"
    return None


def _request(
    url: str,
    headers: list[tuple[bytes, bytes]],
    timeouts: Timeouts,
    method: str,
    content: bytes | None,
) -> httpx.Request:
    request = httpx.Request(
        method,
        url,
        headers=headers,
        content=content,
        extensions=_waits(timeouts),
    )
    # The host of the connection must be the host that the core has checked.
    if request.url.raw_host.decode("ascii") != (urlsplit(url).hostname or ""):
        raise Failed("unreachable")
    return request


def _plain(
    place: re.Match[str],
    headers: list[tuple[bytes, bytes]],
    timeouts: Timeouts,
    method: str,
    content: bytes | None,
) -> httpcore.Request:
    """Returns the request that `_request` makes, for a URL in which nothing has to be encoded: parsing it again takes long."""
    scheme, host, written, path, query = place.groups()
    port = int(written) if written else None
    if port == {"http": 80, "https": 443}[scheme]:
        port = None
    name = host.encode()
    own = [(b"Host", name if port is None else b"%b:%d" % (name, port))]
    length = len(content or b"")
    if length or method in {"POST", "PUT", "PATCH"}:
        own.append((b"Content-Length", b"%d" % length))
    target = f"{path or '/'}{query or ''}".encode()
    return httpcore.Request(
        method,
        httpcore.URL(scheme=scheme.encode(), host=name, port=port, target=target),
        headers=[*own, *headers],
        content=content or b"",
        extensions=_waits(timeouts),
    )


def _waits(timeouts: Timeouts) -> dict[str, dict[str, float]]:
    waits = {
        "connect": timeouts.connect,
        "read": timeouts.read,
        "write": timeouts.read,
        "pool": timeouts.request,
    }
    return {"timeout": waits}


async def _fetch(
    reply: Reply,
    stream: httpx.AsyncByteStream,
    limit: int,
    cuts: bool,
    keeps_errors: bool,
) -> Reply:
    try:
        if keeps_errors or 200 <= reply.status < 300:
            reply.body = await _body(reply, stream, limit, cuts)
        return reply
    finally:
        with anyio.CancelScope(deadline=anyio.current_time() + 1, shield=True):
            await stream.aclose()


async def _body(
    reply: Reply, stream: httpx.AsyncByteStream, limit: int, cuts: bool
) -> bytes:
    codings = [v for name, v in reply.headers if name.lower() == b"content-encoding"]
    coding = b", ".join(codings).decode("latin-1").strip().lower()
    if coding not in {"", "identity", "gzip", "x-gzip"}:
        raise Failed("encoding")
    decoder = _Gzip() if "gzip" in coding else None
    body = bytearray()
    received = 0
    async for part in stream:
        received += len(part)
        room = limit + 1 - len(body)
        body += part[:room] if decoder is None else decoder.decode(part, room)
        if len(body) > limit or received > limit + _SLACK:
            if cuts:
                return bytes(body[:limit])
            raise Failed("too-large")
    if decoder is not None and not decoder.is_whole:
        raise Failed("encoding")
    return bytes(body)


class _Gzip:
    """Decodes gzip up to a limit, because a few bytes can expand to gigabytes."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=31)
        self._begun = False

    @property
    def is_whole(self) -> bool:
        """Whether the text is at its end, or did not begin."""
        return self._member.eof or not self._begun

    def decode(self, part: bytes, room: int) -> bytes:
        """The text of the next part, at most `room` bytes of it."""
        text = b""
        while part and len(text) < room:
            if self._member.eof:
                self._member = zlib.decompressobj(wbits=31)
            self._begun = True
            text += self._member.decompress(part, room - len(text))
            part = self._member.unconsumed_tail or self._member.unused_data
        return text
