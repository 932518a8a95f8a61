"""A real MCP server of the official SDK on a loopback address."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer


@dataclass
class Shop:
    """The address of the server, and the requests it received."""

    url: str
    kind: str = "streamable-http"
    called: list[tuple[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextlib.contextmanager
def mcp_serving(kind: str = "streamable-http") -> Iterator[Shop]:
    """A shop with three tools, over one transport."""
    shop = Shop("")
    server = MCPServer("shop")

    @server.tool()
    def search(query: str) -> str:
        """Looks for products."""
        shop.called.append(("search", query))
        return f"found {query}"

    @server.tool()
    def place_order(item: str) -> str:
        """Buys."""
        shop.called.append(("place_order", item))
        return "bought"

    @server.tool()
    def refund() -> str:
        """A tool that no document declares."""
        shop.called.append(("refund", None))
        return "refunded"

    inner: Any = (
        server.sse_app(sse_path="/mcp", message_path="/messages/")
        if kind == "sse"
        else server.streamable_http_app(streamable_http_path="/mcp")
    )

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            shop.headers.append({k.decode(): v.decode() for k, v in scope["headers"]})
        await inner(scope, receive, send)

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1)
    runner = uvicorn.Server(config)
    thread = threading.Thread(
        target=runner.run, kwargs={"sockets": [listening]}, daemon=True
    )
    thread.start()
    end = time.monotonic() + 120
    while not runner.started and time.monotonic() < end:
        time.sleep(0.01)
    assert runner.started
    shop.url = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    try:
        yield shop
    finally:
        runner.should_exit = True
        thread.join(10)
        listening.close()
