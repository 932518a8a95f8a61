"""The middleware before the application: limits on requests, headers and problems of answers."""

import time
from traceback import format_exception

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..._visible import beginning, visible
from ..store import StoreError
from .clients import Buckets, Open
from .problems import Problem
from .state import Registry, log, unavailable

MAX_URL = 8192
"""The longest path and query, in bytes."""

_ALWAYS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Location, Retry-After",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class Gate:
    """Admits a request or refuses it, bounds its body, and turns every error into problem details."""

    def __init__(self, app: ASGIApp, registry: Registry) -> None:
        self.app = app
        self.registry = registry
        settings = registry.settings
        self.buckets = Buckets(settings.rate, settings.burst)
        self.open = Open(settings.connections)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send, self.registry.settings.max_body)
        started = time.perf_counter()
        try:
            await self._admit(scope, exchange)
        except ClientDisconnect:
            # Nobody waits for an answer; the status is for the count only.
            exchange.status = exchange.status or 400
        except Exception as error:
            problem = self._problem(error)
            if exchange.status:
                # The answer has begun; the server closes the connection.
                raise
            await self._refuse(problem, scope, exchange)
        finally:
            self._count(scope, exchange.status or 500, time.perf_counter() - started)

    async def _admit(self, scope: Scope, exchange: "_Exchange") -> None:
        """Answers, unless the client has too many requests in progress: those of a proxy's clients share its connections."""
        client = scope.get("client")
        if not client:
            await self._answer(scope, exchange)
            return
        if not self.open.enter(client[0]):
            self.registry.metrics.event("limited")
            raise Problem(
                "too-many-requests",
                f"more than {self.open.most} requests in progress from one address",
                # The connection would otherwise wait for the rest of the request.
                headers={"Retry-After": "1", "Connection": "close"},
            )
        try:
            await self._answer(scope, exchange)
        finally:
            self.open.leave(client[0])

    async def _answer(self, scope: Scope, exchange: "_Exchange") -> None:
        client = scope.get("client")
        seconds = self.buckets.take(client[0]) if client else 0
        if seconds:
            self.registry.metrics.event("limited")
            rate = self.registry.settings.rate
            raise Problem(
                "too-many-requests",
                f"more than {rate:g} requests a second from one address; wait {seconds} s",
                headers={"Retry-After": str(seconds)},
            )
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_URL:
            raise Problem("url-too-long", f"the URL has more than {MAX_URL} bytes")
        headers = Headers(scope=scope)
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await _preflight()(scope, exchange.receive, exchange.send)
            return
        exchange.expect(headers.get("content-length"))
        await self.app(scope, exchange.receive, exchange.send)

    def _problem(self, error: Exception) -> Problem:
        match error:
            case Problem():
                return error
            case StoreError():
                self.registry.metrics.event("store_errors")
                log.error("the store does not answer: %s", visible(str(error)))
                return unavailable()
        for line in "".join(format_exception(error)).splitlines():
            log.error("%s", visible(line))
        return Problem("internal-error", "the registry failed; its log says why")

    async def _refuse(
        self, problem: Problem, scope: Scope, exchange: "_Exchange"
    ) -> None:
        answer: Response | None = None
        if self.registry.error_page is not None and _wants_page(scope):
            answer = self.registry.error_page(problem)
        if answer is None:
            answer = Response(
                problem.body(self.registry.settings.url),
                problem.status,
                media_type="application/problem+json",
            )
        answer.headers.update({"Cache-Control": "no-store", **problem.headers})
        await answer(scope, exchange.receive, exchange.send)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        endpoint = getattr(scope.get("endpoint"), "__name__", "other")
        self.registry.metrics.request(endpoint, scope["method"], status, seconds)
        if self.registry.settings.log_requests:
            path = visible(beginning(scope["path"], 200))
            log.info("%s %s %d %.1f ms", scope["method"], path, status, seconds * 1000)


class _Exchange:
    """One request and its answer."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, max_body: int
    ) -> None:
        self._receive = receive
        self._send = send
        self._is_head = scope["method"] == "HEAD"
        self._max_body = max_body
        self._read = 0
        self.status = 0
        """The status of the answer; 0 before it begins."""

    def expect(self, length: str | None) -> None:
        """Refuses a body whose Content-Length is too large."""
        if length is not None and length.isdecimal() and int(length) > self._max_body:
            raise self._too_large()

    async def receive(self) -> Message:
        """Returns the next part of the request."""
        message = await self._receive()
        self._read += len(message.get("body", b""))
        if self._read > self._max_body:
            raise self._too_large()
        return message

    async def send(self, message: Message) -> None:
        """Sends the next part of the answer, with the headers of all answers; HEAD has no body."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in _ALWAYS.items():
                headers[name] = value
        elif self._is_head and message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await self._send(message)

    def _too_large(self) -> Problem:
        return Problem("too-large", f"the body has more than {self._max_body:,} bytes")


def _preflight() -> Response:
    return Response(
        status_code=204,
        headers={
            "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
            "Access-Control-Allow-Headers": "Content-Type, If-None-Match, Mcp-Session-Id, Mcp-Protocol-Version",
            "Access-Control-Max-Age": "86400",
        },
    )


def _wants_page(scope: Scope) -> bool:
    """Whether a browser asks for a page."""
    accept = Headers(scope=scope).get("accept", "")
    is_page = scope["path"] == "/" or scope["path"].startswith("/services/")
    return is_page and "text/html" in accept
