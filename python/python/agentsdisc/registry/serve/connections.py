"""Connections of the server: each client has a limited number, and a request must arrive in a limited time.

uvicorn limits the time between requests only. Otherwise requests that begin and never end would use all connections.
"""

import asyncio
from typing import Any

import h11
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol

from .clients import Open
from .settings import Settings


def protocol(settings: Settings, proxies: list[str]) -> type[H11Protocol]:
    """Returns the class of the connections of one server."""
    trusted: Any = ProxyHeadersMiddleware(_nothing, proxies or "").trusted_hosts
    open_connections = Open(settings.connections)

    class Connection(H11Protocol):
        """A connection of one client, which ends if a request does not arrive in time."""

        _client: str | None = None
        _deadline: asyncio.TimerHandle | None = None
        _part: object = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            address = self.client[0] if self.client else None
            # A proxy's connections are those of many clients: the gate counts their requests.
            if address is not None and address not in trusted:
                if not open_connections.enter(address):
                    # At once: uvicorn counts what is in this set, and refuses every client above its limit.
                    self.connections.discard(self)
                    transport.abort()
                    return
                self._client = address
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            if self._client is not None:
                open_connections.leave(self._client)
                self._client = None
            self._cancel()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            # What has arrived before an aborted connection ends is not read.
            if not self.transport.is_closing():
                super().data_received(data)
                self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._watch()

        def _watch(self) -> None:
            """Starts the time for the part of the request that is awaited. More bytes of the same part do not start it again."""
            part = self._awaited()
            if part is self._part:
                return
            self._cancel()
            self._part = part
            if part is not None:
                seconds = settings.body if part is h11.SEND_BODY else settings.head
                self._deadline = self.loop.call_later(seconds, self.transport.abort)

        def _awaited(self) -> object:
            """Returns which part of a request has begun and is not complete; None between requests, which uvicorn limits."""
            state = self.conn.their_state
            is_between = state is h11.IDLE and self.timeout_keep_alive_task is not None
            is_request = state in (h11.IDLE, h11.SEND_BODY)
            return state if is_request and not is_between else None

        def _cancel(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

    return Connection


async def _nothing(*_: Any) -> None:
    """Is no application."""
