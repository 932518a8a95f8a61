"""Sends the requests of the SDK, which uses httpx2, through the guarded transport of discovery.

So one module decides which addresses are allowed. This transport also sends nothing to another origin than the
endpoint's, and reads no more of an answer than the limit.
"""

from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
)
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

import httpx
import httpx2

from .._errors import CallError
from ..calls.authorizing import Challenge, challenge_of
from ..discovery.transport import GuardedTransport

if TYPE_CHECKING:
    from ..identity import Identity

Authorize = Callable[[Challenge, Mapping[str, str]], Awaitable[dict[str, str] | None]]
"""Returns the header with the token that a server wants, after it has refused a request with these headers; None if there is none."""

_PLAIN = frozenset({"", "identity"})


class McpTransport(httpx2.AsyncBaseTransport):
    """Sends to one origin, and records statuses and errors, because the SDK does not report all of them."""

    def __init__(
        self,
        endpoint: str,
        *,
        private: Iterable[str],
        max_response: int,
        agent: str,
        credentials: dict[str, str],
        identity: "Identity | None" = None,
    ) -> None:
        self._inner = GuardedTransport(
            private=private, connections=32, identity=identity
        )
        self._origin = _origin(httpx2.URL(endpoint))
        # The host of the connection must be the host of the decision, and two URL parsers can differ.
        if self._origin[1] != (urlsplit(endpoint).hostname or "").encode():
            raise ValueError("URL parsers disagree about the host of the endpoint")
        self._max_response = max_response
        # Servers identify the agent by the User-Agent.
        self._headers = {"User-Agent": agent} | credentials
        self.statuses: list[int] = []
        """The status of the first answers."""
        self.problem: Exception | None = None
        """The last error."""
        self.challenge: Challenge | None = None
        """What the server wants, if it has refused a request for its credentials."""
        self.authorize: Authorize | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends one request, and returns when the headers of the answer are there. Sends it again once if it can get the token that the server wants."""
        response, challenge = await self._sent(request)
        if challenge is None:
            return response
        self.challenge, made = challenge, None
        if self.authorize is not None:
            try:
                made = await self.authorize(challenge, self._headers)
            except CallError as problem:
                # The refusal itself goes to the SDK, which does not pass on other errors.
                self._note(problem)
        if made is None:
            return response
        await response.aclose()
        self._headers |= made
        return (await self._sent(request))[0]

    async def _sent(
        self, request: httpx2.Request
    ) -> tuple[httpx2.Response, Challenge | None]:
        """Sends a request. Returns the answer, and what the server wants if it refuses it for its credentials."""
        if _origin(request.url) != self._origin:
            raise self._note(
                httpx2.ConnectError("that is not the origin of the endpoint")
            )
        assert isinstance(request.stream, httpx2.AsyncByteStream)
        sent = httpx.Request(
            request.method,
            str(request.url),
            headers=_headers(request, self._headers),
            stream=_Body(request.stream),
            extensions=request.extensions,
        )
        with self._as_httpx2():
            response = await self._inner.handle_async_request(sent)
        if len(self.statuses) < 8:
            self.statuses.append(response.status_code)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        stream = _Answer(self, response.stream, self._max_response)
        coding = response.headers.get("content-encoding", "").strip().lower()
        if coding not in _PLAIN:
            # No coding was requested, and a few bytes can expand to gigabytes.
            await stream.aclose()
            raise self._note(
                httpx2.DecodingError(
                    "the answer is compressed, although no compression was requested"
                )
            )
        answer = httpx2.Response(
            response.status_code,
            headers=response.headers.raw,
            stream=stream,
            extensions=response.extensions,
        )
        return answer, challenge_of(answer.status_code, answer.headers.multi_items())

    def _note(self, problem: Exception) -> Exception:
        self.problem = problem
        return problem

    @contextmanager
    def _as_httpx2(self) -> Iterator[None]:
        """Translates errors of httpx into those of httpx2."""
        try:
            yield
        except httpx.TransportError as problem:
            self._note(problem)
            kind = getattr(httpx2, type(problem).__name__, httpx2.ConnectError)
            raise kind(str(problem)) from problem

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        await self._inner.__aexit__(exc_type, exc_value, traceback)

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._inner.aclose()


class TooLong(httpx2.ReadError):
    """An answer or a stream of events is longer than the limit."""


class _Body(httpx.AsyncByteStream):
    """The body of a request."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield part


class _Answer(httpx2.AsyncByteStream):
    """The body of a response, up to the limit."""

    def __init__(
        self, owner: McpTransport, stream: httpx.AsyncByteStream, most: int
    ) -> None:
        self._owner, self._stream, self._left = owner, stream, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with self._owner._as_httpx2():
            async for part in self._stream:
                self._left -= len(part)
                if self._left < 0:
                    raise self._owner._note(TooLong("the answer exceeds the limit"))
                yield part

    async def aclose(self) -> None:
        with self._owner._as_httpx2():
            await self._stream.aclose()


def _headers(request: httpx2.Request, own: dict[str, str]) -> list[tuple[bytes, bytes]]:
    """Returns the headers of the SDK without codings and cookies, and with our own."""
    left = {name.lower().encode() for name in own} | {b"accept-encoding", b"cookie"}
    sent = [pair for pair in request.headers.raw if pair[0].lower() not in left]
    added = [(name.encode(), value.encode()) for name, value in own.items()]
    return [*sent, (b"Accept-Encoding", b"identity"), *added]


def _origin(url: httpx2.URL) -> tuple[str, bytes, int | None]:
    return url.scheme, url.raw_host, url.port
