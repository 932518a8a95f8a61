"""Asynchronous work for callers that wait for it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from anyio.from_thread import start_blocking_portal

T = TypeVar("T")


def wait_for(work: Callable[[], Awaitable[T]]) -> T:
    """Runs the work to its end; beside the event loop of this thread, where it has one."""
    if not _has_loop():
        return anyio.run(work)
    # In a notebook, for example: that loop cannot be waited for from within. What interrupts the waiting ends the work.
    with start_blocking_portal() as portal:
        return portal.call(work)


def _has_loop() -> bool:
    """Whether this thread runs asyncio or trio."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        try:
            anyio.get_current_task()
        except RuntimeError:
            return False
    return True
