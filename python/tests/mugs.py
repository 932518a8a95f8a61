"""The names `mugs.example`, `*.mugs.example` and `registry.example`, served by real servers with TLS on this machine."""

import contextlib
import json
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme
from a2a_server import a2a_app
from agentsdisc.discovery import transport
from asgi import app_serving
from mcp_server import mcp_serving
from server import Page, serving
from shop import Shop
from websockets.sync.server import ServerConnection, serve

_TYPES = {"json": "application/json", "markdown": "text/markdown"}


@contextlib.contextmanager
def mugs_serving(
    pages: list[tuple[str, str, str]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Shop]:
    """Serves pages (address, kind, text) and a shop behind them.

    `mcp.` is a server of the MCP SDK, `a2a.` one of the A2A SDK, `socket.` one of websockets.
    """
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    issued = authority.issue_cert("*.mugs.example", "mugs.example", "registry.example")
    issued.private_key_pem.write_to_path(str(key))
    issued.cert_chain_pems[0].write_to_path(str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    issued.configure_cert(context)
    monkeypatch.setenv("SSL_CERT_FILE", str(folder / "ca.pem"))
    monkeypatch.setenv("AGENTSDISC_CACHE", str(folder / "cache"))
    tls = {"ssl_keyfile": str(key), "ssl_certfile": str(certificate)}
    with (
        serving(context) as server,
        mcp_serving(**tls) as tools,
        app_serving(a2a_app(), **tls) as agents,
        serve(prices, "127.0.0.1", 0, ssl=context) as sockets,
    ):
        threading.Thread(target=sockets.serve_forever, daemon=True).start()
        for address, kind, text in pages:
            host, slash, path = address.removeprefix("https://").partition("/")
            page = Page(text, headers={"Content-Type": _TYPES.get(kind, "text/plain")})
            server.hosts.setdefault(host, {})[slash + path] = page
        ports = {
            "mcp": int(tools.url.split(":")[2].split("/")[0]),
            "a2a": agents,
            "socket": sockets.socket.getsockname()[1],
        }
        monkeypatch.setattr(transport, "_Network", _Here(server.port, ports))
        yield Shop(server)


def prices(connection: ServerConnection) -> None:
    """Answers a message over a WebSocket."""
    connection.send(json.dumps({**json.loads(connection.recv(10)), "price": 7}))


class _Here:
    """Makes the network in which the names are this machine."""

    def __init__(self, port: int, ports: dict[str, int]) -> None:
        self._port, self._ports, self._real = port, ports, transport._Network

    def __call__(self, private: Any, **_: Any) -> Any:
        network = self._real([*private, "127.0.0.1"], any_port=True)
        connect = network.connect_tcp

        async def connect_here(host: str, port: int, *rest: Any, **more: Any) -> Any:
            name = host.removesuffix("mugs.example").removesuffix(".")
            assert name != host or host == "registry.example"
            assert port == 443
            here = self._ports.get(name, self._port)
            return await connect("127.0.0.1", here, *rest, **more)

        network.connect_tcp = connect_here  # type: ignore[method-assign]
        return network
