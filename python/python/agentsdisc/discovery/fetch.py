"""Sends one request: without redirects and cookies, and reads a bounded body."""

import errno
import logging
import socket
import ssl
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import anyio
import httpx

from .._agentsdisc import _Discovery
from .._visible import visible, whole_lines
from .addresses import with_option
from .results import Timeouts, is_client_name
from .transport import AddressRefused, closing

_SLACK = 64 << 10
"""Bytes by which a compressed body may exceed the limit of its content."""

_NO_WAY = {errno.ENETDOWN, errno.ENETUNREACH, errno.EHOSTDOWN, errno.EHOSTUNREACH}
"""Errors of a network without a route to the host."""


class Failed(Exception):
    """There is no usable answer. `why` is the failure code of the core, `detail` a reason in words if there is one.

    `start` has the whole lines of an answer that is too large, up to the limit.
    """

    def __init__(
        self, why: str, detail: str | None = None, start: bytes | None = None
    ) -> None:
        super().__init__(why)
        self.why, self.detail, self.start = why, detail, start

    @property
    def words(self) -> str:
        """Why there is no answer, in words, with the option of the Python functions that helps."""
        return with_option(self.detail or _WORDS.get(self.why, self.why))


_WORDS = {
    "timeout": "it does not answer in time",
    "not-connected": "it cannot be reached",
    "unreachable": "it does not answer",
    "too-large": "its answer is too large",
}
"""What the failure codes mean that come without a reason in words."""

_log = logging.getLogger("agentsdisc.requests")

_NO_GZIP = "the Content-Encoding of the answer is gzip, but its content is not whole gzip data; its server must correct it"


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
    """Requests `url` and reads at most `limit` bytes of the decoded body; cuts a longer one, or raises Failed. Logs the result."""
    try:
        with _failing(), anyio.fail_after(timeouts.request):
            request = _request(url, headers, timeouts, method, content)
            reply = await _fetch(transport, request, limit, cuts, keeps_errors)
    except Failed as failed:
        _logged(method, url, failed.words)
        raise
    _logged(method, url, f"status {reply.status}")
    return reply


def _logged(method: str, url: str, result: str) -> None:
    if _log.isEnabledFor(logging.DEBUG):
        _log.debug("%s %s: %s", method, visible(url), result)


@contextmanager
def _failing() -> Iterator[None]:
    """Raises Failed instead of the errors of httpx and of the network."""
    try:
        yield
    except (TimeoutError, httpx.TimeoutException) as late:
        raise Failed("timeout") from late
    except AddressRefused as refused:
        raise Failed("refused", refused.words) from None
    except zlib.error:
        raise Failed("encoding", _NO_GZIP) from None
    except (
        httpx.HTTPError,
        httpx.InvalidURL,
        ssl.SSLError,
        OSError,
        ValueError,
    ) as problem:
        causes = list(_causes(problem))
        why = "not-connected" if any(map(_is_before, causes)) else "unreachable"
        raise Failed(why, _detail(causes)) from problem


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
    waits = {
        "connect": timeouts.connect,
        "read": timeouts.read,
        "write": timeouts.read,
        "pool": timeouts.request,
    }
    request = httpx.Request(
        method,
        url,
        headers=[*headers, (b"Accept-Encoding", b"gzip")],
        content=content,
        extensions={"timeout": waits},
    )
    # The host of the connection must be the host that the core has checked.
    if request.url.raw_host.decode("ascii") != (urlsplit(url).hostname or ""):
        raise Failed("unreachable")
    return request


async def _fetch(
    transport: httpx.AsyncBaseTransport,
    request: httpx.Request,
    limit: int,
    cuts: bool,
    keeps_errors: bool,
) -> Reply:
    response = await transport.handle_async_request(request)
    try:
        reply = Reply(response.status_code, response.headers.raw)
        if keeps_errors or 200 <= reply.status < 300:
            reply.body = await _body(response, limit, cuts)
        return reply
    finally:
        with closing():
            await response.aclose()


async def _body(response: httpx.Response, limit: int, cuts: bool) -> bytes:
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding not in {"", "identity", "gzip", "x-gzip"}:
        raise Failed("encoding", _other_coding(coding))
    decoder = _Gzip() if "gzip" in coding else None
    body = bytearray()
    received = 0
    assert isinstance(response.stream, httpx.AsyncByteStream)
    async for part in response.stream:
        received += len(part)
        room = limit + 1 - len(body)
        body += part[:room] if decoder is None else decoder.decode(part, room)
        if len(body) > limit or received > limit + _SLACK:
            if cuts:
                return bytes(body[:limit])
            raise Failed("too-large", start=whole_lines(bytes(body[:limit])))
    if decoder is not None and not decoder.is_whole:
        raise Failed("encoding", _NO_GZIP)
    return bytes(body)


def _other_coding(coding: str) -> str:
    """Returns the message for an answer with an encoding that was not requested."""
    return f"the answer has the Content-Encoding {coding[:40]!r}, although only gzip was requested; its server must send gzip, or nothing encoded"


class _Gzip:
    """Decodes gzip up to a limit, because a few bytes can expand to gigabytes."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=31)
        self._begun = False

    @property
    def is_whole(self) -> bool:
        """Whether the gzip data is complete, or has not begun."""
        return self._member.eof or not self._begun

    def decode(self, part: bytes, room: int) -> bytes:
        """Decodes the next part, and returns at most `room` bytes of the result."""
        text = b""
        while part and len(text) < room:
            if self._member.eof:
                self._member = zlib.decompressobj(wbits=31)
            self._begun = True
            text += self._member.decompress(part, room - len(text))
            part = self._member.unconsumed_tail or self._member.unused_data
        return text
