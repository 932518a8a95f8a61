"""What the stores in SQLite and PostgreSQL have in common: the tables, and how a search uses them.

The SQL is the part that both understand, with `?` for parameters. A store adds its connections, and the index of tokens.
"""

import threading
import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import islice
from time import time
from typing import Any, Protocol

from . import ranking, rows
from .entries import CapabilityEntry, Facet, Hit, Query, Results, ServiceEntry
from .store import FACETS, StoreError
from .words import fold

VERSION = 1
"""The version of the tables."""
_MOST_CANDIDATES = 300
_MOST_COUNTED = 10_000
_MOST_HITS, _MOST_OFFSET = 100, 1_000
_MOST_CAPABILITIES_OF_HIT = 10
_BUFFER = 20_000
_LAST = "\U0010ffff"
_NAMED = 85.0
_DOMAIN_SCORE = 100.0


class Cursor(Protocol):
    """What the stores use of a connection within a transaction."""

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Runs a statement, and returns its rows."""

    def executemany(self, sql: str, values: Iterable[Sequence[Any]]) -> Any:
        """Runs a statement for each of the values."""


class SqlStore(ABC):
    """A store in a database. See `store.Store` for the methods without a comment."""

    among: str
    """The condition on a column that it is in a list, which is one parameter."""

    def __init__(self) -> None:
        self._write_lock = threading.Lock()

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Cursor]:
        """Opens a transaction that sees one state of the store, and ends after the time limit."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Cursor]:
        """Opens the transaction that changes the store."""

    @abstractmethod
    def list_value(self, values: Iterable[Any]) -> Any:
        """Returns the parameter for `among`."""

    @abstractmethod
    def find(
        self, cursor: Cursor, expression: ranking.Expression, limit: int
    ) -> list[int]:
        """Returns the ids of rows with these tokens, in ascending order."""

    @abstractmethod
    def change_index(
        self,
        cursor: Cursor,
        removed: dict[int, str],
        added: list[tuple[int, int, str, str, str]],
    ) -> None:
        """Removes rows with their tokens, and adds others: id, service, key of the name, texts, entry."""

    # Changes.

    @contextmanager
    def write(self) -> Iterator["SqlWriter"]:
        """Opens a transaction."""
        with self._write_lock, self._writing() as cursor:
            writer = SqlWriter(self, cursor)
            yield writer
            writer.finish()

    # Searches.

    def search(self, query: Query) -> Results:
        """Finds services by words and filters."""
        if not query.text.strip():
            return self._listed(query, None, query.offset)
        with self._reading() as cursor:
            return _Search(self, cursor, query).results()

    def list(self, query: Query, after: str | None = None) -> Results:
        """Lists services by domain."""
        return self._listed(query, after, 0)

    def _listed(self, query: Query, after: str | None, offset: int) -> Results:
        limit = max(1, min(query.limit, _MOST_HITS))
        offset = max(0, min(offset, _MOST_OFFSET))
        with self._reading() as cursor:
            table, where, values = _filtered(self, cursor, query)
            behind = f"{where} AND domain > ?" if after is not None else where
            page = (*values, *((rows.key(after),) if after is not None else ()))
            distinct = "DISTINCT " if table != "services" else ""
            found = [
                domain
                for (domain,) in cursor.execute(
                    f"SELECT {distinct}domain FROM {table} WHERE {behind} ORDER BY domain LIMIT ? OFFSET ?",
                    (*page, limit + 1, offset),
                )
            ]
            texts = dict(
                cursor.execute(
                    f"SELECT domain, data FROM services WHERE domain {self.among}",
                    (self.list_value(found[:limit]),),
                )
            )
            if where == "1 = 1":
                total: int | None = _number(cursor, "services")
            else:
                ((total,),) = cursor.execute(
                    f"SELECT count(*) FROM (SELECT DISTINCT domain FROM {table} WHERE {where} LIMIT ?) AS matching",
                    (*values, _MOST_COUNTED + 1),
                )
                total = None if total > _MOST_COUNTED else total
        entries = [rows.service_from(texts[domain]) for domain in found[:limit]]
        return Results(
            hits=tuple(Hit(service=entry, score=0.0) for entry in entries),
            more=len(found) > limit,
            total=total,
        )

    def facet(
        self, query: Query, field: str, limit: int = 20, at_least: int = 1
    ) -> Facet:
        """Counts the values of a field."""
        if field not in FACETS:
            raise ValueError(
                f"{field!r} cannot be counted; use one of {', '.join(FACETS)}"
            )
        with self._reading() as cursor:
            if query.text.strip():
                ids = _Search(self, cursor, query).services()
                where, values = f"service {self.among}", [self.list_value(ids)]
            elif ranking.filters(query) or query.capability:
                table, condition, values = _filtered(self, cursor, query)
                where = f"domain IN (SELECT domain FROM {table} WHERE {condition})"
            else:
                where, values = "1 = 1", []
            counts = list(
                cursor.execute(
                    f"""SELECT min(shown), count(*) FROM facets WHERE field = ? AND {where}
                    GROUP BY value ORDER BY count(*) DESC, value""",
                    (field, *values),
                )
            )
        counts = [(shown, count) for shown, count in counts if count >= at_least]
        limit = max(1, limit)
        return Facet(
            buckets=tuple(counts[:limit]), other=sum(n for _, n in counts[limit:])
        )

    # Single entries.

    def service(self, domain: str) -> ServiceEntry | None:
        """Returns a service."""
        with self._reading() as cursor:
            text = _one(
                cursor, "SELECT data FROM services WHERE domain = ?", rows.key(domain)
            )
        return None if text is None else rows.service_from(text)

    def capabilities(
        self, domain: str, after: str | None = None, limit: int = 100
    ) -> tuple[CapabilityEntry, ...]:
        """Returns capabilities of a service."""
        with self._reading() as cursor:
            found = cursor.execute(
                """SELECT entries.data FROM entries JOIN services ON services.id = entries.service
                WHERE services.domain = ? AND entries.name > ? ORDER BY entries.name LIMIT ?""",
                (rows.key(domain), "" if after is None else rows.key(after), limit),
            )
            return tuple(rows.capability_from(text) for (text,) in found)

    def capability(self, domain: str, name: str) -> CapabilityEntry | None:
        """Returns a capability."""
        with self._reading() as cursor:
            text = _one(
                cursor,
                """SELECT entries.data FROM entries JOIN services ON services.id = entries.service
                WHERE services.domain = ? AND entries.name = ?""",
                rows.key(domain),
                rows.key(name),
            )
        return None if not text else rows.capability_from(text)

    def document(self, domain: str, url: str) -> bytes | None:
        """Returns the bytes of a document."""
        with self._reading() as cursor:
            packed = _one(
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

    def recall(self, name: str) -> bytes | None:
        """Returns a note."""
        with self._reading() as cursor:
            packed = _one(
                cursor, "SELECT value FROM notes WHERE name = ?", rows.key(name)
            )
        return None if packed is None else zlib.decompress(packed)

    def generation(self) -> int:
        """Returns the number that grows with every change."""
        with self._reading() as cursor:
            return _number(cursor, "generation")

    def counts(self) -> tuple[int, int]:
        """Returns the numbers of services and capabilities."""
        with self._reading() as cursor:
            return _number(cursor, "services"), _number(cursor, "capabilities")


class SqlWriter:
    """Collects changes, and writes them in the order of their ids, which the index of tokens needs."""

    def __init__(self, store: SqlStore, cursor: Cursor) -> None:
        self._store, self._cursor = store, cursor
        self._changed = False
        self._numbers: Counter[str] = Counter()
        self._frequencies: Counter[str] = Counter()
        self._pending: set[str] = set()
        self._removed: dict[int, str] = {}
        self._added: list[tuple[int, int, str, str, str]] = []
        self._services: list[tuple[int, str, int, str]] = []
        self._facets: list[tuple[str, str, str, int, str]] = []
        self._documents: list[tuple[str, str, bytes]] = []
        self._notes: dict[str, bytes | None] = {}
        self._next = _number(cursor, "last service")

    def put(
        self,
        service: ServiceEntry,
        capabilities: Iterable[CapabilityEntry],
        documents: Iterable[tuple[str, bytes]],
    ) -> None:
        """Adds or replaces a service."""
        domain = rows.key(service.domain)
        identity = self._forget(domain)
        if identity is None:
            self._next += 1
            identity = self._next
        by_name = {rows.key(entry.name): entry for entry in capabilities}
        by_name.pop("", None)
        kept = dict(islice(by_name.items(), rows.MOST_CAPABILITIES))
        entries = [*kept.values()]
        service = replace(service, domain=domain, capabilities=len(entries))
        values = rows.facets(service, entries)
        fresh = rows.stale_from(service)
        self._services.append((identity, domain, fresh, rows.to_text(service)))
        self._facets += [
            (field, folded, domain, identity, shown) for field, folded, shown in values
        ]
        self._documents += [
            (domain, rows.key(url), zlib.compress(body, 1)) for url, body in documents
        ]
        first = service.sources[0] if service.sources else None
        self._add(
            rows.row_id(rows.tier(first), 0, identity),
            (identity, "", rows.service_texts(service, values), ""),
        )
        tiers = {source.url: rows.tier(source) for source in service.sources}
        about, marks = rows.about_service(service)
        for number, (name, entry) in enumerate(kept.items(), start=1):
            texts = rows.capability_texts(entry, service, about, marks)
            rank = tiers.get(entry.source, rows.tier(first))
            self._add(
                rows.row_id(rank, number, identity),
                (identity, name, texts, rows.to_text(replace(entry, domain=domain))),
            )
        self._numbers.update({"services": 1, "capabilities": len(entries)})
        self._pending.add(domain)
        self._changed = True
        if len(self._added) > _BUFFER:
            self._flush()

    def remove(self, domain: str) -> bool:
        """Removes a service."""
        return self._forget(rows.key(domain)) is not None

    def remember(self, name: str, value: bytes | None) -> None:
        """Keeps a note."""
        self._notes[rows.key(name)] = value

    def _add(self, row: int, rest: tuple[int, str, str, str]) -> None:
        self._added.append((row, *rest))
        self._frequencies.update(rows.tokens(rest[2])[0])

    def _forget(self, domain: str) -> int | None:
        """Removes a service; returns its id, or None if it is not there."""
        if domain in self._pending:
            self._flush()
        run = self._cursor.execute
        identity = _one(
            self._cursor, "SELECT id FROM services WHERE domain = ?", domain
        )
        if identity is None:
            return None
        old = list(run("SELECT id, texts FROM entries WHERE service = ?", (identity,)))
        for row, texts in old:
            self._removed[row] = texts
            self._frequencies.subtract(rows.tokens(texts)[0])
        run("DELETE FROM services WHERE id = ?", (identity,))
        run("DELETE FROM facets WHERE service = ?", (identity,))
        run("DELETE FROM documents WHERE domain = ?", (domain,))
        self._numbers.subtract({"services": 1, "capabilities": len(old) - 1})
        self._changed = True
        # The tokens have to be removed before the service can be added again.
        self._pending.add(domain)
        return int(identity)

    def _flush(self) -> None:
        many = self._cursor.executemany
        self._store.change_index(self._cursor, self._removed, sorted(self._added))
        many(
            "INSERT INTO services (id, domain, fresh, data) VALUES (?, ?, ?, ?)",
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
        self._removed = {}
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


class _Search:
    """One search within a transaction."""

    def __init__(self, store: SqlStore, cursor: Cursor, query: Query) -> None:
        self._store, self._cursor, self._query = store, cursor, query
        total = _number(cursor, "services") + _number(cursor, "capabilities")
        self._plan = ranking.plan(query, self._frequencies, self._completions, total)
        self._able = _able(store, cursor, query)

    def _frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        found = self._cursor.execute(
            f"SELECT term, frequency FROM terms WHERE term {self._store.among} AND frequency > 0",
            (self._store.list_value(terms),),
        )
        return dict(found)

    def _completions(self, prefix: str, limit: int) -> Mapping[str, int]:
        if len(prefix) < 3:
            return {}
        found = self._cursor.execute(
            """SELECT term, frequency FROM
            (SELECT term, frequency FROM terms WHERE term >= ? AND term < ? AND frequency > 0 ORDER BY term LIMIT 500) AS some
            ORDER BY frequency DESC LIMIT ?""",
            (prefix, prefix + _LAST, limit),
        )
        return dict(found)

    def _find(self, expression: ranking.Expression, limit: int) -> list[int]:
        able = self._able
        if able is None:
            return self._store.find(self._cursor, expression, limit)
        found = self._store.find(self._cursor, expression, _MOST_COUNTED)
        return [row for row in found if rows.service_of(row) in able][:limit]

    def services(self) -> list[int]:
        """Returns the ids of the services that match, the first ten thousand rows of them."""
        found: dict[int, None] = {}
        for stages in (ranking.stages, ranking.weak_stages):
            for _, expression in stages(self._plan):
                ids = self._find(expression, _MOST_COUNTED)
                found.update(dict.fromkeys(map(rows.service_of, ids)))
            if found:
                break
        return [*found]

    def results(self) -> Results:
        """Returns a page of services."""
        limit = max(1, min(self._query.limit, _MOST_HITS))
        offset = max(0, min(self._query.offset, _MOST_OFFSET))
        wanted = offset + limit + 1
        scores, is_all = self._scored(wanted)
        by_service: dict[int, list[tuple[float, int]]] = {}
        for row, points in scores.items():
            by_service.setdefault(rows.service_of(row), []).append((-points, row))
        for found in by_service.values():
            found.sort()
        named = self._named()
        order = sorted(
            by_service,
            key=lambda s: (s != named, by_service[s][0][0], -len(by_service[s]), s),
        )
        if named is not None and named not in by_service:
            order.insert(0, named)
            by_service[named] = []
        page = order[offset : offset + limit]
        return Results(
            hits=tuple(self._hits(page, by_service, named)),
            more=len(order) > offset + limit,
            total=len(order) if is_all else None,
        )

    def _scored(self, wanted: int) -> tuple[dict[int, float], bool]:
        """Returns the scores of candidates, and whether these are all rows with all words."""
        enough = max(_MOST_CANDIDATES, 3 * wanted)
        now = time()
        scores: dict[int, float] = {}
        is_all = True
        for number, stages in enumerate((ranking.stages, ranking.weak_stages)):
            if number and len({*map(rows.service_of, scores)}) >= wanted:
                break
            for whole, expression in stages(self._plan):
                ids = self._find(expression, enough)
                is_all = is_all and len(ids) < enough
                is_exact = whole and expression[0][0].startswith("i:")
                self._score(ids, scores, whole, is_exact, now)
                if len(scores) >= enough:
                    return scores, False
        return scores, is_all

    def _score(
        self,
        ids: Iterable[int],
        scores: dict[int, float],
        whole: bool,
        is_exact: bool,
        now: float,
    ) -> None:
        new = [row for row in ids if row not in scores]
        if not new:
            return
        among, value = self._store.among, self._store.list_value(new)
        fresh = dict(
            self._cursor.execute(
                f"SELECT id, fresh FROM services WHERE id {among}",
                (self._store.list_value({*map(rows.service_of, new)}),),
            )
        )
        found = self._cursor.execute(
            f"SELECT id, service, texts FROM entries WHERE id {among}", (value,)
        )
        for row, service, texts in found:
            scores[row] = ranking.final(
                row,
                ranking.score(self._plan, texts),
                whole=whole,
                exact=is_exact,
                stale=fresh.get(service, 0) < now,
            )

    def _named(self) -> int | None:
        """Returns the service whose domain the text is, if the filters leave it."""
        text = self._query.text.strip().lower()
        domain = text.removeprefix("https://").removeprefix("http://").rstrip("/")
        found: int | None = _one(
            self._cursor, "SELECT id FROM services WHERE domain = ?", rows.key(domain)
        )
        if found is None or not (self._plan.filters or self._able is not None):
            return found
        expression = [[rows.mark("domain", domain)], *self._plan.filters]
        return found if self._find(expression, 1) else None

    def _hits(
        self,
        page: list[int],
        by_service: dict[int, list[tuple[float, int]]],
        named: int | None,
    ) -> Iterator[Hit]:
        among, run = self._store.among, self._cursor.execute
        services = dict(
            run(
                f"SELECT id, data FROM services WHERE id {among}",
                (self._store.list_value(page),),
            )
        )
        best = {
            service: [row for _, row in by_service[service] if rows.is_capability(row)][
                :_MOST_CAPABILITIES_OF_HIT
            ]
            for service in page
        }
        wanted = [row for chosen in best.values() for row in chosen]
        entries = dict(
            run(
                f"SELECT id, data FROM entries WHERE id {among}",
                (self._store.list_value(wanted),),
            )
        )
        for service in page:
            points = _DOMAIN_SCORE if service == named else -by_service[service][0][0]
            yield Hit(
                service=rows.service_from(services[service]),
                capabilities=tuple(
                    rows.capability_from(entries[row]) for row in best[service]
                ),
                score=round(points, 3),
            )


def _filtered(
    store: SqlStore, cursor: Cursor, query: Query
) -> tuple[str, str, list[Any]]:
    """Returns the table that has the domains which the filters leave, its condition, and the parameters."""
    conditions: list[str] = []
    values: list[Any] = []
    for field in ranking.FILTERS:
        folded = [rows.key(fold(value)) for value in getattr(query, field)]
        if not folded:
            continue
        slots = ", ".join("?" * len(folded))
        if conditions:
            conditions.append(
                f"EXISTS (SELECT 1 FROM facets f WHERE f.field = ? AND f.value IN ({slots}) AND f.domain = facets.domain)"
            )
        else:
            conditions.append(f"field = ? AND value IN ({slots})")
        values += [field, *folded]
    table, identity = ("facets", "service") if conditions else ("services", "id")
    able = _able(store, cursor, query)
    if able is not None:
        conditions.append(f"{identity} {store.among}")
        values.append(store.list_value(able))
    return table, " AND ".join(conditions) or "1 = 1", values


def _able(store: SqlStore, cursor: Cursor, query: Query) -> set[int] | None:
    """Returns the services with one of the capabilities that the query names, of the first ten thousand; None if it names none."""
    if not query.capability:
        return None
    names = [[rows.exactly(name) for name in query.capability]]
    return {*map(rows.service_of, store.find(cursor, names, _MOST_COUNTED))}


def _one(cursor: Cursor, sql: str, *values: Any) -> Any:
    """Returns the first value of the first row, or None."""
    row = next(iter(cursor.execute(sql, values)), None)
    return None if row is None else row[0]


def _number(cursor: Cursor, name: str) -> int:
    found = _one(cursor, "SELECT value FROM numbers WHERE name = ?", name)
    if found is None:
        raise StoreError("the store has no tables of a registry")
    return int(found)
