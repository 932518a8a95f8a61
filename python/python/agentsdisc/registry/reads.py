"""The tables of the stores in databases, and the methods that read single entries: for a store, and for a transaction that changes it.

The SQL is the part that SQLite and PostgreSQL both understand, with `?` for parameters.
"""

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from . import rows
from .entries import CapabilityEntry, ServiceEntry
from .store import StoreError

VERSION = 4
"""The version of the tables."""


class Cursor(Protocol):
    """The methods of a connection within a transaction that the stores use."""

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Runs a statement, and returns its rows."""

    def executemany(self, sql: str, values: Iterable[Sequence[Any]]) -> Any:
        """Runs a statement for each of the values."""


class Reads(ABC):
    """The reading methods that `store.Store` and `store.Writer` share."""

    among: str
    """The condition on a column that it is in a list, which is one parameter."""

    @abstractmethod
    def reading(self, *domains: str) -> AbstractContextManager[Cursor]:
        """Opens a transaction that sees one state of the store, with all changes of these domains."""

    @abstractmethod
    def list_value(self, values: Iterable[Any]) -> Any:
        """Returns the parameter for `among`."""

    def service(self, domain: str) -> ServiceEntry | None:
        """Returns a service."""
        with self.reading(domain) as cursor:
            text = one(
                cursor, "SELECT data FROM services WHERE domain = ?", rows.key(domain)
            )
        return None if text is None else rows.service_from(text)

    def capabilities(
        self, domain: str, after: str | None = None, limit: int = 100
    ) -> tuple[CapabilityEntry, ...]:
        """Returns capabilities of a service."""
        with self.reading(domain) as cursor:
            found = cursor.execute(
                """SELECT entries.data FROM entries JOIN services ON services.id = entries.service
                WHERE services.domain = ? AND entries.name > ? ORDER BY entries.name LIMIT ?""",
                (rows.key(domain), "" if after is None else rows.key(after), limit),
            )
            return tuple(rows.capability_from(text) for (text,) in found)

    def capability(self, domain: str, name: str) -> CapabilityEntry | None:
        """Returns a capability."""
        with self.reading(domain) as cursor:
            text = one(
                cursor,
                """SELECT entries.data FROM entries JOIN services ON services.id = entries.service
                WHERE services.domain = ? AND entries.name = ?""",
                rows.key(domain),
                rows.key(name),
            )
        return None if not text else rows.capability_from(text)

    def document(self, domain: str, url: str) -> bytes | None:
        """Returns the bytes of a document."""
        with self.reading(domain) as cursor:
            packed = one(
                cursor,
                "SELECT body FROM documents WHERE domain = ? AND url = ?",
                rows.key(domain),
                rows.key(url),
            )
        return None if packed is None else zlib.decompress(packed)

    def digests(self, domain: str) -> dict[str, str]:
        """Returns the digests of the documents of a service."""
        entry = self.service(domain)
        return {s.url: s.digest for s in entry.sources} if entry else {}

    def services(self, domains: Iterable[str]) -> dict[str, ServiceEntry]:
        """Returns services by domain."""
        domains = [*domains]
        with self.reading(*domains) as cursor:
            found = cursor.execute(
                f"SELECT domain, data FROM services WHERE domain {self.among}",
                (self.list_value(map(rows.key, domains)),),
            )
            return {domain: rows.service_from(text) for domain, text in found}

    def recall(self, *names: str) -> dict[str, bytes]:
        """Returns notes by name."""
        with self.reading() as cursor:
            found = cursor.execute(
                f"SELECT name, value FROM notes WHERE name {self.among}",
                (self.list_value(map(rows.key, names)),),
            )
            return {name: zlib.decompress(packed) for name, packed in found}

    def noted(self, kind: str, after: str = "", limit: int = 500) -> list[str]:
        """Returns the domains after a domain that have a note of a kind, in order."""
        start = f"{kind} "
        with self.reading() as cursor:
            found = cursor.execute(
                "SELECT name FROM notes WHERE name > ? AND name < ? ORDER BY name LIMIT ?",
                (start + after, f"{kind}!", limit),
            )
            return [name.removeprefix(start) for (name,) in found]

    def generation(self) -> int:
        """Returns a number that increases with every change."""
        with self.reading() as cursor:
            return number(cursor, "generation")

    def counts(self) -> tuple[int, int]:
        """Returns the numbers of services and capabilities."""
        with self.reading() as cursor:
            return number(cursor, "services"), number(cursor, "capabilities")


def one(cursor: Cursor, sql: str, *values: Any) -> Any:
    """Returns the first value of the first row, or None."""
    row = next(iter(cursor.execute(sql, values)), None)
    return None if row is None else row[0]


def number(cursor: Cursor, name: str) -> int:
    """Returns one of the stored numbers, such as the number of services."""
    found = one(cursor, "SELECT value FROM numbers WHERE name = ?", name)
    if found is None:
        raise StoreError("the store has no tables of a registry")
    return int(found)
