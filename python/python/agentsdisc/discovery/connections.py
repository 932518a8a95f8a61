"""The connections that the calls of one site share.

A connection belongs to the event loop that opened it. Callers without a loop use loops that are kept here, one thread at a time;
callers with a loop keep connections in it while they are in `async with`.
"""

import asyncio
import contextvars
import os
import selectors
import threading
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from anyio.lowlevel import RunVar

from .transport import GuardedTransport, closing
from .waiting import has_loop, wait_for

if TYPE_CHECKING:
    from ..identity import Identity

T = TypeVar("T")

_MOST_IDLE = 8
"""Maximum number of idle loops that one site keeps."""
_CONNECTIONS = 100
"""Connections of one site in one loop; httpx has the same limit."""


class Connections:
    """Keeps the connections of one site. Copies and pickles of it are empty. Threads can share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[_Lane] = []
        self._closings = 0
        self.sessions: dict[bytes, tuple[str, float]] = {}
        """The open sessions of calls, by endpoint, agent and credentials: the token, and when it expires (`time.monotonic`)."""
        weakref.finalize(self, _close_apart, self._idle)

    def __reduce__(self) -> tuple[Any, ...]:
        return Connections, ()

    def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Runs the work in a kept loop. If this thread has a running loop, uses another thread, whose connections are not kept."""
        if has_loop():
            return wait_for(work)
        lane, closings = self._taken()
        try:
            return lane.run(work)
        finally:
            with self._lock:
                is_kept = closings == self._closings and len(self._idle) < _MOST_IDLE
                if is_kept:
                    self._idle.append(lane)
            if not is_kept:
                lane.close()

    def _taken(self) -> "tuple[_Lane, int]":
        """Returns a loop that no other thread uses."""
        with self._lock:
            while self._idle:
                lane = self._idle.pop()
                if lane.process == os.getpid():
                    return lane, self._closings
                # A fork has copied the loop; its connections belong to the other process.
                _inherited.append(lane)
            closings = self._closings
        return _Lane(self), closings

    @asynccontextmanager
    async def transport(
        self, private: Iterable[str], identity: "Identity | None" = None
    ) -> AsyncIterator[GuardedTransport]:
        """Yields the transport of this loop, or a temporary one if the loop keeps none."""
        hosts = frozenset(private)
        key = hosts, identity
        kept = _kept_here().get(self)
        if kept is None:
            async with GuardedTransport(
                private=hosts, connections=4, identity=identity
            ) as transport:
                yield transport
            return
        if key not in kept.transports:
            kept.transports[key] = GuardedTransport(
                private=hosts, connections=_CONNECTIONS, identity=identity
            )
        yield kept.transports[key]

    async def enter(self) -> "Kept":
        """Keeps the connections of this loop until `leave`."""
        kept = _kept_here().setdefault(self, Kept())
        kept.users += 1
        return kept

    async def leave(self) -> None:
        """Closes the connections of this loop, if no other task keeps them."""
        kept = _kept_here().get(self)
        if kept is not None:
            kept.users -= 1
            if kept.users == 0:
                await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections of this loop, and those of callers without a loop."""
        kept = _kept_here().pop(self, None)
        if kept is not None:
            await kept.aclose()
        self.close()

    def close(self) -> None:
        """Closes the connections of callers without a loop: idle ones now, the others when their work ends."""
        with self._lock:
            idle, self._closings = self._idle[:], self._closings + 1
            self._idle.clear()
            self.sessions.clear()
        if thread := _close_apart(idle):
            thread.join()


class Kept:
    """The transports of one loop, by the hosts whose addresses may be private, and by who signs: a call must not use connections that only another call may open."""

    def __init__(self) -> None:
        self.users = 0
        self.transports: dict[
            tuple[frozenset[str], Identity | None], GuardedTransport
        ] = {}

    async def aclose(self) -> None:
        """Closes all connections."""
        transports = list(self.transports.values())
        self.transports.clear()
        for transport in transports:
            with closing():
                await transport.aclose()


_LAST = 2.0
"""How many seconds the work that was interrupted has to end."""


class _Lane:
    """An event loop that any thread can run, one at a time, and its connections."""

    def __init__(self, connections: Connections) -> None:
        self.process = os.getpid()
        self._runner = asyncio.Runner(loop_factory=_new_loop)
        self._kept = self.run(connections.enter)

    def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Runs the work until it ends, with the context variables of the caller."""

        async def go() -> T:
            return await work()

        # Not the runner's `run`, whose handling of interrupts takes a tenth of the time of a call.
        loop = self._runner.get_loop()
        task = loop.create_task(go(), context=contextvars.copy_context())
        try:
            return loop.run_until_complete(task)
        except BaseException:
            # An interrupt ends the loop, but not always the work. It may also have taken the step that would end it, so the wait is bounded.
            task.cancel()
            with suppress(BaseException):
                loop.run_until_complete(asyncio.wait({task}, timeout=_LAST))
            raise

    def close(self) -> None:
        """Closes the connections and the loop."""
        if self.process == os.getpid():
            with self._runner:
                self.run(self._kept.aclose)


_inherited: list[_Lane] = []
"""Loops of another process. Closing them would disturb that process."""


def _new_loop() -> asyncio.AbstractEventLoop:
    """Returns an event loop. Its selector has no state in the kernel, which a fork would share."""
    if hasattr(selectors, "PollSelector"):
        return asyncio.SelectorEventLoop(selectors.PollSelector())
    return asyncio.new_event_loop()


def _kept_here() -> "weakref.WeakKeyDictionary[Connections, Kept]":
    """Returns what the running loop keeps."""
    found = _here.get(None)
    if found is None:
        found = weakref.WeakKeyDictionary()
        _here.set(found)
    return found


_here: "RunVar[weakref.WeakKeyDictionary[Connections, Kept] | None]"
_here = RunVar("agentsdisc connections", None)


def _close(lanes: list[_Lane]) -> None:
    for lane in lanes:
        with suppress(Exception):
            lane.close()


def _close_apart(idle: list[_Lane]) -> threading.Thread | None:
    """Closes connections in another thread, because this one may run a loop."""
    if idle and threading.main_thread().is_alive():
        thread = threading.Thread(target=_close, args=(idle,))
        thread.start()
        return thread
    # At the end of the interpreter, which starts no threads.
    _close(idle)
    return None
