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
    """The store cannot answer or keep what it was given: no connection, a full disk, a damaged file."""


class NoRegistryError(StoreError):
    """There is no registry in the place that was named, and none is made."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what}; fill a registry first: agentsdisc registry build SOURCE --store STORE"
        )


class Entries(Protocol):
    """Reads single entries."""

    def service(self, domain: str) -> ServiceEntry | None:
        """Returns a service."""

    def services(self, domains: Iterable[str]) -> dict[str, ServiceEntry]:
        """Returns those of the services that are there, by domain."""

    def capabilities(
        self, domain: str, after: str | None = None, limit: int = 100
    ) -> tuple[CapabilityEntry, ...]:
        """Returns a service's capabilities by name, behind the name `after`."""

    def capability(self, domain: str, name: str) -> CapabilityEntry | None:
        """Returns a capability."""

    def document(self, domain: str, url: str) -> bytes | None:
        """Returns the bytes of a document of a service; None if it is not there, or its bytes were not in what the registry was built from."""

    def digests(self, domain: str) -> dict[str, str]:
        """Returns the digest of each document of a service by its URL; empty if it is not known."""

    def recall(self, *names: str) -> dict[str, bytes]:
        """Returns those of the notes that are there, by name."""

    def generation(self) -> int:
        """Returns a number that grows with every transaction that changes something."""

    def counts(self) -> tuple[int, int]:
        """Returns the number of services and of capabilities."""


class Writer(Entries, Protocol):
    """Changes entries, in one transaction: readers see all of it or nothing."""

    def put(
        self,
        service: ServiceEntry,
        capabilities: Iterable[CapabilityEntry],
        documents: Iterable[tuple[str, bytes]],
    ) -> ServiceEntry:
        """Adds a service, or replaces the one with the same domain. `documents` are the bytes of its sources by URL. Returns it as it is kept."""

    def remove(self, domain: str) -> bool:
        """Removes a service. Returns whether it was there."""

    def touch(self, service: ServiceEntry) -> bool:
        """Replaces the sources of a service, whose entries stay as they are: their documents were read again, and have not changed.

        Returns whether it was there.
        """

    def remember(self, name: str, value: bytes | None) -> None:
        """Keeps a note, such as how far a build is; None removes it."""


class Store(Entries, Protocol):
    """A registry's entries. All methods are safe to call from several threads; all raise StoreError."""

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
        """Lists services by domain, behind the domain `after`, and by the filters of the query; its words and offset are ignored."""

    def check(self) -> None:
        """Raises StoreError if the store cannot answer a list, and a search for one of its services, from what is kept now."""

    def tidy(self) -> None:
        """Puts the index in order after many changes, so that searches are faster. Takes seconds for a large one."""

    def close(self) -> None:
        """Closes all connections. Closing twice is allowed."""
