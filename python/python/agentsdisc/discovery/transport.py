"""An httpx transport that connects only to addresses it has checked.

It resolves a name once. All addresses of the name must be allowed, and the connection goes to one of them, so a second
DNS answer cannot lead elsewhere. TLS and `Host` still use the name. Proxies are not supported, because the address to
which a proxy connects cannot be checked.
"""

import os
import socket
import ssl
import threading
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import anyio
import httpcore
import httpx
from anyio.from_thread import BlockingPortal

from .addresses import (
    NOT_PUBLIC,
    canonical,
    host_of,
    is_of_machine,
    is_public,
    port_of,
)

if TYPE_CHECKING:
    from ..identity import Identity

_FILE = "SSL_CERT_FILE"
_IDLE_SECONDS = 5.0
"""How long a connection is kept without a request. Many servers close it soon after."""
_KNOWN_SECONDS = 300.0
"""How long the addresses of a private host are kept."""


class AddressRefused(httpx.ConnectError):
    """The host is, or resolves to, an address to which connections are not allowed."""

    def __init__(self, message: str, words: str) -> None:
        super().__init__(message)
        self.words = words
        """Why, without the address: callers of a service must not learn the addresses of its network."""


class _Network(httpcore.AsyncNetworkBackend):
    """Resolves a name, checks its addresses, and connects to one of them.

    `private` are the hosts that the user has named: only their addresses may be private. Another name with the same address is permitted at the named
    port only; so is a named address or `localhost`, unless `any_port` is true. The first DNS answer for a named host is kept for some minutes, so
    that a later answer cannot lead to another machine of the network.
    """

    def __init__(self, private: Iterable[str], *, any_port: bool) -> None:
        self._inner = httpcore.AnyIOBackend()
        self._private = {
            (host, port_of(url)) for url in private if (host := host_of(url))
        }
        self._any_port = any_port
        self._known: dict[str, tuple[float, list[str]]] = {}

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        problem: Exception = httpcore.ConnectError(f"no address for {host}")
        with anyio.move_on_after(timeout):
            for address in await self._addresses(host, port):
                try:
                    return await self._inner.connect_tcp(
                        address, port, None, local_address, socket_options
                    )
                except httpcore.ConnectError as failed:
                    problem = failed
            raise problem
        raise httpcore.ConnectTimeout(f"no connection to {host} within {timeout} s")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        message = "Unix sockets are not supported"
        raise AddressRefused(message, message)

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)

    async def _addresses(self, host: str, port: int) -> list[str]:
        """Returns the addresses of a host, all of which are allowed."""
        name = canonical(host)
        if (name, port) in self._private or self._is_named(name):
            return await self._own(name)
        addresses = await _looked_up(host, port)
        for address in addresses:
            if is_public(address) or address in await self._opened(port):
                continue
            words = NOT_PUBLIC
            if self._private:
                words += ", and only the host that was named may be private"
            raise AddressRefused(f"{host} is at {address}, which is not public", words)
        return addresses

    def _is_named(self, name: str) -> bool:
        """Returns whether connections to all ports of a host are permitted."""
        is_open = self._any_port or not is_of_machine(name)
        return is_open and any(name == host for host, _ in self._private)

    async def _own(self, name: str) -> list[str]:
        """Returns the addresses of a host that the user has named: those of its first DNS answer, for a time."""
        ends, addresses = self._known.get(name, (0.0, []))
        if time.monotonic() < ends:
            return addresses
        self._known.pop(name, None)
        found = time.monotonic() + _KNOWN_SECONDS, await _looked_up(name, 0)
        return self._known.setdefault(name, found)[1]

    async def _opened(self, port: int) -> set[str]:
        """Returns the addresses of the hosts that the user has named with this port: other names may resolve to the same machine."""
        found: set[str] = set()
        for name, opened in self._private:
            if opened == port:
                with suppress(httpcore.ConnectError):
                    found.update(await self._own(name))
        return found


async def _looked_up(host: str, port: int) -> list[str]:
    """Resolves a name; raises the error of httpcore."""
    try:
        return await _resolved(host, port)
    except (OSError, UnicodeError) as failed:
        raise httpcore.ConnectError(str(failed)) from failed


async def _resolved(host: str, port: int) -> list[str]:
    """Resolves a name.

    A lookup cannot be interrupted, so it runs in a thread of its own that nothing joins. The event loop joins its own
    threads at its end, and a slow name server would delay that.
    """
    found: list[str] = []
    problem: list[Exception] = []
    done = anyio.Event()
    async with BlockingPortal() as portal:

        def look() -> None:
            try:
                entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
                found.extend(dict.fromkeys(str(entry[4][0]) for entry in entries))
            except Exception as failed:
                problem.append(failed)
            # The waiting task may have been cancelled.
            with suppress(RuntimeError):
                portal.start_task_soon(done.set)

        threading.Thread(target=look, name=f"look up {host}", daemon=True).start()
        await done.wait()
    if problem:
        raise problem[0]
    return found


def _certificates() -> ssl.SSLContext:
    """Returns the TLS context with the trusted certificates."""
    return _certificates_of(os.environ.get(_FILE), os.environ.get("SSL_CERT_DIR"))


@lru_cache(maxsize=4)
def _certificates_of(file: str | None, _folder: str | None) -> ssl.SSLContext:
    """Reads the certificates that the environment names. That takes tens of milliseconds, so all transports share the context."""
    try:
        return httpx.create_ssl_context()
    except OSError as problem:
        # Neither the system nor TLS names the file that cannot be read.
        problem.filename = problem.filename or file
        raise


class GuardedTransport(httpx.AsyncBaseTransport):
    """Sends httpx requests through `_Network`. Certificates are always checked, as httpx checks them.

    `private` are URLs or hosts whose addresses may be private. Without `any_port`, an address or `localhost` among them is permitted at its own port
    only, because each port there is another service. With `reuse=False`, each request has its own connection: some servers close a connection after
    an answer without saying so, and the next request on it would fail. `identity` signs every request.
    """

    def __init__(
        self,
        *,
        private: Iterable[str] = (),
        any_port: bool = True,
        connections: int = 6,
        reuse: bool = True,
        identity: "Identity | None" = None,
    ) -> None:
        self._identity = identity
        self._network = _Network(private, any_port=any_port)
        self._context = _certificates()
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=self._context,
            max_connections=connections,
            max_keepalive_connections=None if reuse else 0,
            keepalive_expiry=_IDLE_SECONDS,
            network_backend=self._network,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends one request, and returns when the headers of the answer are there."""
        assert isinstance(request.stream, httpx.AsyncByteStream)
        sent = httpcore.Request(
            request.method,
            httpcore.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=[*request.headers.raw, *self._signed(request)],
            content=request.stream,
            extensions=request.extensions,
        )
        with _as_httpx():
            response = await self._pool.handle_async_request(sent)
        return httpx.Response(
            response.status,
            headers=response.headers,
            stream=_Stream(response.stream),
            extensions=response.extensions,
        )

    def _signed(self, request: httpx.Request) -> list[tuple[bytes, bytes]]:
        """Returns the headers that sign a request."""
        url = request.url
        target = b"%s://%s%s" % (url.raw_scheme, url.netloc, url.raw_path)
        made = self.signature(request.method, target.decode("ascii"))
        return [(name.encode(), value.encode()) for name, value in made.items()]

    def signature(self, method: str, url: str) -> dict[str, str]:
        """Returns the headers that sign a request; none without an identity."""
        return self._identity.sign(method, url) if self._identity else {}

    async def stream(
        self, host: str, port: int, *, is_secure: bool, timeout: float
    ) -> httpcore.AsyncNetworkStream:
        """Opens a connection for another protocol, whose request the caller signs. The caller closes it."""
        with _as_httpx():
            stream = await self._network.connect_tcp(host, port, timeout)
            if not is_secure:
                return stream
            try:
                return await stream.start_tls(self._context, host, timeout)
            except BaseException:
                with closing():
                    await stream.aclose()
                raise

    async def __aenter__(self) -> Self:
        await self._pool.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None = None,
        problem: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        await self._pool.__aexit__(kind, problem, trace)

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._pool.aclose()


@contextmanager
def closing() -> Iterator[None]:
    """Lets a connection close although its work was cancelled; for a moment only, because a call must end in its time."""
    with anyio.move_on_after(0.1, shield=True):
        yield


class _Stream(httpx.AsyncByteStream):
    """The body of a response."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_httpx():
            async for part in self._stream:
                yield part

    async def aclose(self) -> None:
        with _as_httpx():
            await self._stream.aclose()


@contextmanager
def _as_httpx() -> Iterator[None]:
    """Translates errors of httpcore into those of httpx."""
    try:
        yield
    except (
        httpcore.TimeoutException,
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.UnsupportedProtocol,
    ) as problem:
        kind = getattr(httpx, type(problem).__name__, httpx.TransportError)
        raise kind(str(problem)) from problem
