"""Where a registry keeps its entries: one interface, with SQLite and PostgreSQL behind it."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Protocol

from .entries import (
    ANY_TIME,
    CapabilityEntry,
    Facet,
    Query,
    Results,
    ServiceEntry,
    Since,
)

FACETS = ("format", "category", "auth", "tag", "domain", "publisher")
"""The fields that can be filtered by and counted."""


class StoreError(Exception):
    """The store cannot be read or written: no connection, a full disk, a damaged file."""


class NoRegistryError(StoreError):
    """There is no registry at this location, and none is created."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what}; fill a registry first: agentsdisc registry build SOURCE --store STORE"
        )


class Entries(Protocol):
    """Reads single entries."""

    def service(self, domain: str) -> ServiceEntry | None:
        """Returns a service."""

    def services(self, domains: Iterable[str]) -> dict[str, ServiceEntry]:
        """Returns the services of these domains that exist, by domain."""

    def capabilities(
        self, domain: str, after: str | None = None, limit: int = 100
    ) -> tuple[CapabilityEntry, ...]:
        """Returns the capabilities of a service in the order of their names, after the name `after`."""

    def capability(self, domain: str, name: str) -> CapabilityEntry | None:
        """Returns a capability."""

    def document(self, domain: str, url: str) -> bytes | None:
        """Returns the bytes of a document of a service; None if there is no such document, or if the source of the registry did not have its bytes."""

    def digests(self, domain: str) -> dict[str, str]:
        """Returns the digest of each document of a service by its URL; empty if the service is not known."""

    def recall(self, *names: str) -> dict[str, bytes]:
        """Returns the notes with these names that exist, by name."""

    def noted(self, kind: str, after: str = "", limit: int = 500) -> list[str]:
        """Returns the domains after the domain `after` that have a note of a kind, in order."""

    def generation(self) -> int:
        """Returns a number that increases with every transaction that changes something."""

    def counts(self) -> tuple[int, int]:
        """Returns the number of services and of capabilities."""


class Writer(Entries, Protocol):
    """Changes entries in one transaction: readers see all changes or none."""

    def put(
        self,
        service: ServiceEntry,
        capabilities: Iterable[CapabilityEntry],
        documents: Iterable[tuple[str, bytes]],
    ) -> ServiceEntry:
        """Adds a service, or replaces the one with the same domain. `documents` are the bytes of its sources by URL. Returns the service as it is kept."""

    def remove(self, domain: str) -> bool:
        """Removes a service. Returns whether it was there."""

    def touch(self, service: ServiceEntry) -> bool:
        """Replaces the sources of a service without changing its entries: the documents were read again, and have not changed.

        Returns whether it was there.
        """

    def remember(self, name: str, value: bytes | None) -> None:
        """Keeps a note, such as the position of a build; None removes it."""


class Store(Entries, Protocol):
    """A registry's entries. All methods can be called from several threads, and raise StoreError on failure."""

    def write(self) -> AbstractContextManager[Writer]:
        """Opens a transaction: committed at the end of the `with`, undone if it raises. One at a time."""

    def search(self, query: Query) -> Results:
        """Finds services by words and filters, the best first."""

    def facet(
        self, query: Query, field: str, limit: int = 20, at_least: int = 1
    ) -> Facet:
        """Counts the values of a field of `FACETS` over all services that match."""

    def list(
        self, query: Query, after: str | None = None, since: Since = ANY_TIME
    ) -> Results:
        """Lists services in the order of their domains, after the domain `after`, with the filters of the query. Ignores its words and offset."""

    def check(self) -> None:
        """Raises StoreError if the store cannot list services now, or search for one of them."""

    def tidy(self) -> None:
        """Optimizes the index after many changes, so that searches are faster. Takes seconds for a large index."""

    def close(self) -> None:
        """Closes all connections. Closing twice is allowed."""
