"""A real MCP server of the official SDK on a loopback address."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from asgi import app_serving
from mcp.server.caching import CacheHint
from mcp.server.mcpserver import MCPServer
from mcp.types import InputRequiredResult
from starlette.requests import Request
from starlette.responses import PlainTextResponse

MODERN, OLDER = "2026-07-28", "2025-06-18"


@dataclass
class Shop:
    """The address of the server, and the requests it received."""

    url: str
    kind: str = "streamable-http"
    revision: str = MODERN
    called: list[tuple[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextlib.contextmanager
def mcp_serving(
    kind: str = "streamable-http",
    *,
    ttl_ms: int = 0,
    asks: bool = False,
    **settings: Any,
) -> Iterator[Shop]:
    """A shop with three tools, over one transport, or over streamable HTTP with a revision of MCP. `settings` are those of uvicorn."""
    shop = Shop("")
    if kind == OLDER:
        shop.revision = OLDER
    elif kind == "sse":
        shop.kind, shop.revision = "sse", "2025-11-25"
    server = MCPServer("shop", cache_hints={"tools/list": CacheHint(ttl_ms)})

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

    if asks:

        @server.tool()
        def ask() -> InputRequiredResult:
            """A tool that needs more than its arguments."""
            return InputRequiredResult(request_state="later")

    inner: Any = (
        server.sse_app(sse_path="/mcp", message_path="/messages/")
        if kind == "sse"
        else server.streamable_http_app(streamable_http_path="/mcp")
    )
    if kind == OLDER:

        async def refuse(_: Request) -> PlainTextResponse:
            return PlainTextResponse("Unsupported protocol version", 400)

        inner.add_route("/unknown-revision", refuse, methods=["POST"])

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            shop.headers.append({k.decode(): v.decode() for k, v in scope["headers"]})
            # The SDK takes no other names of the host than those of this machine.
            own = [(k, v) for k, v in scope["headers"] if k != b"host"]
            scope = {**scope, "headers": [*own, (b"host", b"127.0.0.1:1")]}
            if shop.revision == OLDER:
                scope, receive = await older(scope, receive)
        await inner(scope, receive, send)

    async def older(scope: Any, receive: Any) -> tuple[Any, Any]:
        """Makes the server one of 2025-06-18, which knows no newer revision."""
        if dict(scope["headers"]).get(b"mcp-protocol-version") == MODERN.encode():
            return {**scope, "path": "/unknown-revision"}, receive
        body = await Request(scope, receive).body()
        if b'"initialize"' in body:
            sent = json.loads(body)
            sent["params"]["protocolVersion"] = OLDER
            body = json.dumps(sent).encode()
        scope["headers"] = [
            (name, str(len(body)).encode() if name == b"content-length" else value)
            for name, value in scope["headers"]
        ]

        parts = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Any:
            return parts.pop() if parts else await receive()

        return scope, again

    with app_serving(app, **settings) as port:
        shop.url = f"http://127.0.0.1:{port}/mcp"
        yield shop
