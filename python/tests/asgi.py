"""Serves ASGI applications on a loopback address."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import uvicorn


@contextlib.contextmanager
def app_serving(app: Any, *, port: int = 0, **settings: Any) -> Iterator[int]:
    """Runs an application during the block, and gives its port: a free one if none is given. `settings` are those of uvicorn."""
    with contextlib.closing(socket.create_server(("127.0.0.1", port))) as listening:
        config = uvicorn.Config(
            app, log_level="critical", timeout_graceful_shutdown=1, **settings
        )
        server = uvicorn.Server(config)
        sockets = {"sockets": [listening]}
        thread = threading.Thread(target=server.run, kwargs=sockets, daemon=True)
        thread.start()
        end = time.monotonic() + 120
        while not server.started and time.monotonic() < end:
            time.sleep(0.01)
        assert server.started
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join(10)
