"""Imports of packages that an extra installs."""

from collections.abc import Iterator
from contextlib import contextmanager


class Missing(ImportError):
    """A package is missing; the message says what to install."""


@contextmanager
def needing(what: str, extra: str, *packages: str) -> Iterator[None]:
    """Raises Missing with what to install, if one of these packages is missing while the block imports; `what` says who needs what."""
    try:
        yield
    except ImportError as missing:
        # Also the error of such a block inside; but not that of a package which is there and lacks a name.
        if missing.name not in packages or missing.path is not None:
            raise
        message = f"{what}: pip install 'agentsdisc[{extra}]'"
        raise Missing(message, name=missing.name) from None


HTTP = ("http", "httpx", "httpcore", "anyio")
"""The extra of everything that sends requests, and its packages."""

MCP = ("mcp", "mcp", "httpx", "httpcore", "httpx2", "anyio")
"""The extra of everything that needs the MCP SDK, and its packages."""
