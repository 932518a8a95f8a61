"""Changes of the stores in databases."""

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from . import rows
from .entries import CapabilityEntry, ServiceEntry
from .reads import Cursor, Reads, number, one

if TYPE_CHECKING:
    from .sql import SqlStore

_BUFFER = 20_000

Row = tuple[int, int, str, str, str, str]
"""A row to add: id, service, key of the name, texts, entry, tokens."""


class SqlWriter(Reads):
    """Collects changes, and writes them in the order of their ids, which the index of tokens needs."""

    def __init__(self, store: "SqlStore", cursor: Cursor) -> None:
        self._store, self._cursor = store, cursor
        self.among = store.among
        self._changed = False
        self._numbers: Counter[str] = Counter()
        self._frequencies: Counter[str] = Counter()
        self._words: list[set[str]] = []
        self._pending: set[str] = set()
        self._absent: set[str] = set()
        self._removed: dict[int, str] = {}
        self._added: list[Row] = []
        self._services: list[tuple[Any, ...]] = []
        self._facets: list[tuple[str, str, str, int, str]] = []
        self._documents: list[tuple[str, str, bytes]] = []
        self._notes: dict[str, bytes | None] = {}
        self._next = number(cursor, "last service")

    @contextmanager
    def reading(self, *domains: str) -> Iterator[Cursor]:
        """Opens nothing: all changes are in this transaction."""
        if not self._pending.isdisjoint(map(rows.key, domains)):
            self._flush()
        yield self._cursor

    def services(self, domains: Iterable[str]) -> dict[str, ServiceEntry]:
        """Returns services by domain, also those of this transaction."""
        domains = [*domains]
        found = super().services(domains)
        self._absent = {*map(rows.key, domains)} - found.keys()
        return found

    def list_value(self, values: Iterable[Any]) -> Any:
        """Returns what the store makes of a list."""
        return self._store.list_value(values)

    def recall(self, *names: str) -> dict[str, bytes]:
        """Returns notes, also those of this transaction."""
        own = {name: self._notes[name] for name in names if name in self._notes}
        found = super().recall(*(name for name in names if name not in own))
        return found | {name: value for name, value in own.items() if value is not None}

    def put(
        self,
        service: ServiceEntry,
        capabilities: Iterable[CapabilityEntry],
        documents: Iterable[tuple[str, bytes]],
    ) -> ServiceEntry:
        """Adds or replaces a service."""
        domain = rows.key(service.domain)
        known = self._forget(domain)
        if known is None:
            self._next += 1
        identity, created = known or (self._next, None)
        by_name = {rows.key(entry.name): entry for entry in capabilities}
        by_name.pop("", None)
        kept = dict(islice(by_name.items(), rows.MOST_CAPABILITIES))
        entries = [*kept.values()]
        times = [created, service.created, *(s.fetched for s in service.sources)]
        service = replace(
            service,
            domain=domain,
            capabilities=len(entries),
            created=min(filter(None, times), default=None),
        )
        values = rows.facets(service, entries)
        self._services.append((identity, domain, *rows.service_columns(service)))
        self._facets += [
            (field, folded, domain, identity, shown) for field, folded, shown in values
        ]
        self._documents += [
            (domain, rows.key(url), zlib.compress(body, 1)) for url, body in documents
        ]
        rank = rows.tier(service.sources[0] if service.sources else None)
        self._add(rows.service_row(service, values), rank, 0, identity, "", "")
        tiers = {source.url: rows.tier(source) for source in service.sources}
        about, marks = rows.about_service(service)
        for ordinal, (name, entry) in enumerate(kept.items(), start=1):
            row = rows.capability_row(entry, service, about, marks)
            if entry.domain != domain:
                entry = replace(entry, domain=domain)
            own = tiers.get(entry.source, rank)
            self._add(row, own, ordinal, identity, name, rows.to_text(entry))
        self._numbers.update({"services": 1, "capabilities": len(entries)})
        self._pending.add(domain)
        self._changed = True
        if len(self._added) > _BUFFER:
            self._flush()
        return service

    def remove(self, domain: str) -> bool:
        """Removes a service."""
        return self._forget(rows.key(domain)) is not None

    def touch(self, service: ServiceEntry) -> bool:
        """Replaces the sources of a service."""
        domain = rows.key(service.domain)
        if domain in self._pending:
            self._flush()
        find = "SELECT data FROM services WHERE domain = ?"
        text = one(self._cursor, find, domain)
        if text is None:
            return False
        known = replace(rows.service_from(text), sources=service.sources)
        self._cursor.execute(
            "UPDATE services SET fresh = ?, created = ?, updated = ?, data = ? WHERE domain = ?",
            (*rows.service_columns(known), domain),
        )
        self._changed = True
        return True

    def remember(self, name: str, value: bytes | None) -> None:
        """Keeps a note."""
        self._notes[rows.key(name)] = value

    def _add(
        self, row: rows.Row, rank: int, ordinal: int, service: int, name: str, data: str
    ) -> None:
        identity = rows.row_id(rank, ordinal, service)
        self._added.append((identity, service, name, row.texts, data, row.tokens))
        self._words.append(row.words)

    def _forget(self, domain: str) -> tuple[int, datetime | None] | None:
        """Removes a service; returns its id and when it was created, or None if it is not there."""
        if domain in self._pending:
            self._flush()
        run = self._cursor.execute
        if domain in self._absent:
            self._absent.discard(domain)
            return None
        find = "SELECT id, data FROM services WHERE domain = ?"
        found = next(iter(run(find, (domain,))), None)
        if found is None:
            return None
        identity, data = found
        old = list(run("SELECT id, texts FROM entries WHERE service = ?", (identity,)))
        for row, texts in old:
            removed = rows.row_of(texts)
            self._removed[row] = removed.tokens
            self._frequencies.subtract(removed.words)
        run("DELETE FROM services WHERE id = ?", (identity,))
        run("DELETE FROM facets WHERE service = ?", (identity,))
        run("DELETE FROM documents WHERE domain = ?", (domain,))
        self._numbers.subtract({"services": 1, "capabilities": len(old) - 1})
        self._changed = True
        # The tokens have to be removed before the service can be added again.
        self._pending.add(domain)
        return int(identity), rows.service_from(data).created

    def _flush(self) -> None:
        many = self._cursor.executemany
        self._store.change_index(
            self._cursor, self._removed, sorted(self._added, key=itemgetter(0))
        )
        many(
            "INSERT INTO services (id, domain, fresh, created, updated, data) VALUES (?, ?, ?, ?, ?, ?)",
            self._services,
        )
        many(
            "INSERT INTO facets (field, value, domain, service, shown) VALUES (?, ?, ?, ?, ?)",
            self._facets,
        )
        many(
            "INSERT INTO documents (domain, url, body) VALUES (?, ?, ?) ON CONFLICT (domain, url) DO UPDATE SET body = excluded.body",
            self._documents,
        )
        self._frequencies.update(chain.from_iterable(self._words))
        self._removed = {}
        self._words.clear()
        for buffer in (self._added, self._services, self._facets, self._documents):
            buffer.clear()
        self._pending.clear()

    def finish(self) -> None:
        """Writes everything that is left."""
        self._flush()
        many = self._cursor.executemany
        terms = [(term, n) for term, n in self._frequencies.items() if n]
        many(
            """INSERT INTO terms (term, frequency) VALUES (?, ?)
            ON CONFLICT (term) DO UPDATE SET frequency = terms.frequency + excluded.frequency""",
            sorted(terms),
        )
        gone = [(name,) for name, value in self._notes.items() if value is None]
        many("DELETE FROM notes WHERE name = ?", gone)
        many(
            "INSERT INTO notes (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [(n, zlib.compress(v, 1)) for n, v in self._notes.items() if v is not None],
        )
        if self._changed:
            self._numbers["generation"] = 1
            many(
                "UPDATE numbers SET value = value + ? WHERE name = ?",
                [(value, name) for name, value in sorted(self._numbers.items())],
            )
            self._cursor.execute(
                "UPDATE numbers SET value = ? WHERE name = 'last service'",
                (self._next,),
            )
