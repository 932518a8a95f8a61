"""Several processes that serve one registry on one socket."""

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Any

from .state import log

_PAUSE = 1.0
"""Seconds before a process that has ended is replaced."""
_END = 15.0
"""Seconds that the processes have to finish requests in progress."""


def serve_together(count: int, work: Callable[..., None], *arguments: Any) -> None:
    """Runs `work` in `count` processes, until KeyboardInterrupt. Replaces each process that ends."""
    context = get_context("spawn")

    def started() -> Any:
        process = context.Process(target=_run, args=(work, arguments))
        process.start()
        return process

    workers = []
    try:
        workers += [started() for _ in range(count)]
        while True:
            wait([worker.sentinel for worker in workers])
            for number, worker in enumerate(workers):
                if not worker.is_alive():
                    log.error("process %d ended with %s", worker.pid, worker.exitcode)
                    time.sleep(_PAUSE)
                    workers[number] = started()
    except KeyboardInterrupt:
        pass
    finally:
        for worker in workers:
            worker.terminate()
        end = time.monotonic() + _END
        for worker in workers:
            worker.join(max(0.0, end - time.monotonic()))
            worker.kill()


def _run(work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(KeyboardInterrupt):
        work(*arguments)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
