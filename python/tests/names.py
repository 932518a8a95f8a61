"""The names `mugs.example`, `*.mugs.example` and `registry.example` with TLS on this machine."""

import ssl
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import trustme
from agentsdisc.discovery import transport
from server import Page, Server

_TYPES = {"json": "application/json", "markdown": "text/markdown"}


def certified(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[str, str], ssl.SSLContext]:
    """Makes certificates for the names and trusts them. Returns them as uvicorn and as `ssl` take them."""
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
    return tls, context


def published(server: Server, pages: Iterable[tuple[str, str, str]]) -> None:
    """Serves pages (address, kind, text)."""
    for address, kind, text in pages:
        host, slash, path = address.removeprefix("https://").partition("/")
        page = Page(text, headers={"Content-Type": _TYPES.get(kind, "text/plain")})
        server.hosts.setdefault(host, {})[slash + path] = page


class Here:
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
