"""A registry of services: built from crawls or domains, searched by words, served over HTTP and MCP (extra `registry`).

`open_store` opens the index; `build` fills it; `app` is the ASGI application that answers.
"""

from .entries import (
    CapabilityEntry,
    Facet,
    Hit,
    Query,
    Results,
    ServiceEntry,
    Since,
    Source,
    Verdict,
)
from .opening import open_store
from .store import FACETS, NoRegistryError, Store, StoreError, Writer

__all__ = [
    "FACETS",
    "CapabilityEntry",
    "Facet",
    "Hit",
    "NoRegistryError",
    "Query",
    "Results",
    "ServiceEntry",
    "Since",
    "Source",
    "Store",
    "StoreError",
    "Verdict",
    "Writer",
    "open_store",
]


def __dir__() -> list[str]:
    """Returns the public names."""
    return sorted(__all__)
