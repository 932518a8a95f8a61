"""Changes of the stores in databases."""

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
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
# Number of rows whose words are counted together. They take more memory than the rows.
_COUNTED = 1_000

Row = tuple[int, int, str, str, str, str]
"""A row to add: id, service, key of the name, texts, entry, tokens."""


@dataclass(slots=True)
class _Collected:
    """Changes that are not written yet."""

    domains: set[str] = field(default_factory=set)
    removed: dict[int, str] = field(default_factory=dict)
    added: list[Row] = field(default_factory=list)
    words: list[set[str]] = field(default_factory=list)
    services: list[tuple[Any, ...]] = field(default_factory=list)
    facets: list[tuple[str, str, str, int, str]] = field(default_factory=list)
    documents: list[tuple[str, str, bytes]] = field(default_factory=list)


class SqlWriter(Reads):
    """Collects changes, and writes them in the order of their ids, which the token index requires."""

    def __init__(
        self, store: "SqlStore", cursor: Cursor, *, is_whole: bool = False
    ) -> None:
        """`is_whole`: all services are written, each once, into an empty index; nothing is written behind, so that the cursor can be used."""
        self._store, self._cursor = store, cursor
        self._writes_behind = store.writes_behind and not is_whole
        self._is_whole = is_whole
        self.among = store.among
        self._changed = False
        self._numbers: Counter[str] = Counter()
        self._frequencies: Counter[str] = Counter()
        self._absent: set[str] = set()
        self._collected = _Collected()
        self._thread = ThreadPoolExecutor(1, "agentsdisc-write")
        self._behind: tuple[set[str], Future[None]] | None = None
        self._notes: dict[str, bytes | None] = {}
        self._next = number(cursor, "last service")

    @contextmanager
    def reading(self, *domains: str) -> Iterator[Cursor]:
        """Yields the cursor of this transaction, after writing the changes of these domains."""
        self._settle({*map(rows.key, domains)})
        yield self._cursor

    def services(self, domains: Iterable[str]) -> dict[str, ServiceEntry]:
        """Returns services by domain, including those of this transaction."""
        domains = [*domains]
        found = super().services(domains)
        self._absent |= {*map(rows.key, domains)}
        self._absent -= found.keys()
        return found

    def list_value(self, values: Iterable[Any]) -> Any:
        """Returns the store's parameter for a list."""
        return self._store.list_value(values)

    def recall(self, *names: str) -> dict[str, bytes]:
        """Returns notes, including those of this transaction."""
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
        new = self._collected
        new.services.append((identity, domain, *rows.service_columns(service)))
        new.facets += [
            (field, folded, domain, identity, shown) for field, folded, shown in values
        ]
        new.documents += [
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
        new.domains.add(domain)
        self._changed = True
        if len(new.words) > _COUNTED:
            self._count_words()
        if len(new.added) > _BUFFER:
            self._flush(is_behind=self._writes_behind)
        return service

    def remove(self, domain: str) -> bool:
        """Removes a service."""
        return self._forget(rows.key(domain)) is not None

    def touch(self, service: ServiceEntry) -> bool:
        """Replaces the sources of a service."""
        domain = rows.key(service.domain)
        self._settle({domain})
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
        new = self._collected
        new.added.append((identity, service, name, row.texts, data, row.tokens))
        new.words.append(row.words)

    def _forget(self, domain: str) -> tuple[int, datetime | None] | None:
        """Removes a service; returns its id and when it was created, or None if it is not there."""
        if self._is_whole:
            return None
        self._settle({domain})
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
            self._collected.removed[row] = removed.tokens
            self._frequencies.subtract(removed.words)
        run("DELETE FROM services WHERE id = ?", (identity,))
        run("DELETE FROM facets WHERE service = ?", (identity,))
        run("DELETE FROM documents WHERE domain = ?", (domain,))
        self._numbers.subtract({"services": 1, "capabilities": len(old) - 1})
        self._changed = True
        # The tokens must be removed before the service can be added again.
        self._collected.domains.add(domain)
        return int(identity), rows.service_from(data).created

    def _settle(self, domains: set[str]) -> None:
        """Writes the collected changes of these domains, so that they can be read."""
        if not self._collected.domains.isdisjoint(domains):
            self._flush()
        if self._behind is not None and not self._behind[0].isdisjoint(domains):
            self._wait()

    def _wait(self) -> None:
        """Waits for the write in the other thread; raises its error."""
        if self._behind is not None:
            (_, done), self._behind = self._behind, None
            done.result()

    def _flush(self, *, is_behind: bool = False) -> None:
        """Writes the collected changes; if `is_behind`, in a thread, while more changes are collected."""
        self._wait()
        self._count_words()
        collected, self._collected = self._collected, _Collected()
        if is_behind:
            done = self._thread.submit(self._insert, collected)
            self._behind = collected.domains, done
        else:
            self._insert(collected)

    def _count_words(self) -> None:
        words = self._collected.words
        self._frequencies.update(chain.from_iterable(words))
        words.clear()

    def _insert(self, new: _Collected) -> None:
        cursor, insert = self._cursor, self._store.insert
        added = sorted(new.added, key=itemgetter(0))
        self._store.change_index(cursor, new.removed, added)
        columns = "id, domain, fresh, created, updated, data"
        insert(cursor, f"services ({columns})", new.services)
        insert(cursor, "facets (field, value, domain, service, shown)", new.facets)
        other = "ON CONFLICT (domain, url) DO UPDATE SET body = excluded.body"
        insert(cursor, "documents (domain, url, body)", new.documents, other)

    def close(self) -> None:
        """Waits until all writes have ended."""
        self._thread.shutdown()

    def finish(self) -> None:
        """Writes everything that is left."""
        self._flush()
        many = self._cursor.executemany
        terms = [(term, n) for term, n in self._frequencies.items() if n]
        self._store.insert(
            self._cursor,
            "terms (term, frequency)",
            sorted(terms),
            "ON CONFLICT (term) DO UPDATE SET frequency = terms.frequency + excluded.frequency",
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
