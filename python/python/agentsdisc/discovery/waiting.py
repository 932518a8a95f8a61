"""Runs asynchronous work for synchronous callers."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from anyio.from_thread import start_blocking_portal

T = TypeVar("T")


def wait_for(work: Callable[[], Awaitable[T]]) -> T:
    """Runs the work until it ends. If this thread has a running event loop, uses another thread."""
    if not has_loop():
        return anyio.run(work)
    # For example in a notebook: this thread must not block its running loop. An interrupt cancels the work.
    with start_blocking_portal() as portal:
        return portal.call(work)


def has_loop() -> bool:
    """Whether this thread runs asyncio or trio."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        try:
            anyio.get_current_task()
        except RuntimeError:
            return False
    return True
