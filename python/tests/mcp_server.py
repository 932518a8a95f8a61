"""A real MCP server of the official SDK on a loopback address."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from asgi import app_serving
from mcp.server.mcpserver import MCPServer


@dataclass
class Shop:
    """The address of the server, and the requests it received."""

    url: str
    kind: str = "streamable-http"
    called: list[tuple[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextlib.contextmanager
def mcp_serving(kind: str = "streamable-http", **settings: Any) -> Iterator[Shop]:
    """A shop with three tools, over one transport. `settings` are those of uvicorn."""
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
            # The SDK takes no other names of the host than those of this machine.
            own = [(k, v) for k, v in scope["headers"] if k != b"host"]
            scope = {**scope, "headers": [*own, (b"host", b"127.0.0.1:1")]}
        await inner(scope, receive, send)

    with app_serving(app, **settings) as port:
        shop.url = f"http://127.0.0.1:{port}/mcp"
        yield shop
