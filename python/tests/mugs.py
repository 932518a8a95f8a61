"""The names `mugs.example`, `*.mugs.example` and `registry.example`, served by real servers with TLS on this machine."""

import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from a2a_server import a2a_app
from agentsdisc.discovery import transport
from asgi import app_serving
from mcp_server import mcp_serving
from names import Here, certified, published
from server import serving
from shop import Shop
from websockets.sync.server import ServerConnection, serve


@contextlib.contextmanager
def mugs_serving(
    pages: list[tuple[str, str, str]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Shop]:
    """Serves pages (address, kind, text) and a shop behind them.

    `mcp.` is a server of the MCP SDK, `a2a.` one of the A2A SDK, `socket.` one of websockets.
    """
    tls, context = certified(folder, monkeypatch)
    with (
        serving(context) as server,
        mcp_serving(**tls) as tools,
        app_serving(a2a_app(), **tls) as agents,
        serve(prices, "127.0.0.1", 0, ssl=context) as sockets,
    ):
        threading.Thread(target=sockets.serve_forever, daemon=True).start()
        published(server, pages)
        ports = {
            "mcp": int(tools.url.split(":")[2].split("/")[0]),
            "a2a": agents,
            "socket": sockets.socket.getsockname()[1],
        }
        monkeypatch.setattr(transport, "_Network", Here(server.port, ports))
        yield Shop(server)


def prices(connection: ServerConnection) -> None:
    """Answers a message over a WebSocket."""
    connection.send(json.dumps({**json.loads(connection.recv(10)), "price": 7}))
