"""Connections that block their thread, for a loop in which nothing else runs.

Each wait of an event loop costs as much as a fast server. A read or write ends at the deadline of the task that waits for it.
"""

import select
import socket
import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import httpcore


class Unresolved(Exception):
    """A connection is needed to a host whose addresses were not looked up."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(host)
        self.place = host, port


class BlockingNetwork(httpcore.NetworkBackend):
    """Connects to addresses that were looked up and checked before. One task at a time uses it."""

    def __init__(self) -> None:
        self.addresses: dict[tuple[str, int], list[str]] = {}
        """The addresses of a host and port, for one connection."""
        self._deadline = float("inf")

    def begin(self) -> None:
        """Takes the deadline of the current task."""
        left = anyio.current_effective_deadline() - anyio.current_time()
        self._deadline = time.monotonic() + left

    def left(self, timeout: float | None) -> float | None:
        """Returns how long the next wait may take: at most until the deadline. None is without end."""
        left = max(self._deadline - time.monotonic(), 0.001)
        seconds = left if timeout is None else min(left, timeout)
        return None if seconds == float("inf") else seconds

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Opens a connection. Raises Unresolved if its addresses are needed."""
        addresses = self.addresses.pop((host, port), None)
        if addresses is None:
            raise Unresolved(host, port)
        problem: Exception = httpcore.ConnectError(f"no address for {host}")
        ends = time.monotonic() + (float("inf") if timeout is None else timeout)
        for address in addresses:
            try:
                with _as_httpcore(httpcore.ConnectTimeout, httpcore.ConnectError):
                    left = self.left(max(ends - time.monotonic(), 0.001))
                    connected = socket.create_connection((address, port), left)
                    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
                    return _Stream(connected, self)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as failed:
                problem = failed
        raise problem

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Refuses to connect."""
        raise httpcore.ConnectError("Unix sockets are not supported")


class _Stream(httpcore.NetworkStream):
    """A connection."""

    def __init__(self, connected: socket.socket, network: BlockingNetwork) -> None:
        self._socket, self._network = connected, network

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with _as_httpcore(httpcore.ReadTimeout, httpcore.ReadError):
            self._socket.settimeout(self._network.left(timeout))
            return self._socket.recv(max_bytes)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        rest = memoryview(buffer)
        with _as_httpcore(httpcore.WriteTimeout, httpcore.WriteError):
            while rest:
                self._socket.settimeout(self._network.left(timeout))
                rest = rest[self._socket.send(rest) :]

    def close(self) -> None:
        self._socket.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        try:
            with _as_httpcore(httpcore.ConnectTimeout, httpcore.ConnectError):
                self._socket.settimeout(self._network.left(timeout))
                wrapped = ssl_context.wrap_socket(
                    self._socket, server_hostname=server_hostname
                )
        except BaseException:
            self.close()
            raise
        return _Stream(wrapped, self._network)

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":
            return _is_readable(self._socket)
        if info == "ssl_object" and isinstance(self._socket, ssl.SSLSocket):
            return self._socket
        return None


def _is_readable(connected: socket.socket) -> bool:
    """Returns whether something arrived, such as the end: a connection without a request has nothing to say."""
    number = connected.fileno()
    if number < 0:
        return True
    if not hasattr(select, "poll"):
        return bool(select.select([number], [], [], 0)[0])
    poll = select.poll()
    poll.register(number, select.POLLIN)
    return bool(poll.poll(0))


@contextmanager
def _as_httpcore(late: type[Exception], failed: type[Exception]) -> Iterator[None]:
    """Translates errors of sockets into those of httpcore."""
    try:
        yield
    except TimeoutError as problem:
        raise late(str(problem)) from problem
    except OSError as problem:
        raise failed(str(problem)) from problem
