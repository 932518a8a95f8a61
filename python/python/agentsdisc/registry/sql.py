"""What the stores in SQLite and PostgreSQL have in common. A store adds its connections, and the index of tokens."""

import threading
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from . import ranking, rows
from .entries import ANY_TIME, Facet, Hit, Query, Results, Since
from .reads import Cursor, Reads, number
from .searching import MOST_COUNTED, MOST_HITS, Search, filtered, offset_of
from .store import FACETS
from .writing import Row, SqlWriter


class SqlStore(Reads):
    """A store in a database. See `store.Store` for the methods without a comment."""

    def __init__(self) -> None:
        self._write_lock = threading.Lock()

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Cursor]:
        """Opens the transaction that changes the store."""

    @abstractmethod
    def find(
        self, cursor: Cursor, expression: ranking.Expression, limit: int
    ) -> list[int]:
        """Returns the ids of rows with these tokens, in ascending order."""

    def texts(
        self, cursor: Cursor, ids: Iterable[int]
    ) -> Iterator[tuple[int, int, str]]:
        """Yields rows: the id, the time from which the service is stale, and the texts."""
        found = cursor.execute(
            f"""SELECT entries.id, services.fresh, entries.texts FROM entries JOIN services ON services.id = entries.service
            WHERE entries.id {self.among}""",
            (self.list_value(ids),),
        )
        yield from found

    @abstractmethod
    def change_index(
        self,
        cursor: Cursor,
        removed: dict[int, str],
        added: list[Row],
    ) -> None:
        """Removes the rows `removed`, given with their tokens, and adds other rows, both in the order of their ids."""

    @abstractmethod
    def empty_index(self, cursor: Cursor) -> None:
        """Removes all services, entries, facets, terms and tokens; documents and notes stay."""

    def check(self) -> None:
        """Runs a list, and a search for one of the services."""
        self.generation()
        for hit in self.list(Query(limit=1)).hits:
            domain = hit.service.domain
            for entry in self.capabilities(domain, limit=1):
                self.search(Query(text=f"{domain} {entry.name}", limit=1))

    # Changes.

    writes_behind = False
    """Whether one thread can write through a connection while another thread uses it to read."""

    def insert(
        self, cursor: Cursor, into: str, values: list[Any], more: str = ""
    ) -> None:
        """Inserts rows into columns of a table."""
        if values:
            one = ", ".join("?" * len(values[0]))
            cursor.executemany(f"INSERT INTO {into} VALUES ({one}) {more}", values)

    @contextmanager
    def write(self) -> Iterator["SqlWriter"]:
        """Opens a transaction."""
        with self._write_lock, self._writing() as cursor:
            writer = SqlWriter(self, cursor)
            try:
                yield writer
                writer.finish()
            finally:
                writer.close()

    # Searches.

    def search(self, query: Query) -> Results:
        """Finds services by words and filters."""
        if not query.text.strip():
            return self._listed(query, None, offset_of(query), ANY_TIME)
        with self.reading() as cursor:
            return Search(self, cursor, query).results()

    def list(
        self, query: Query, after: str | None = None, since: Since = ANY_TIME
    ) -> Results:
        """Lists services by domain."""
        return self._listed(query, after, 0, since)

    def _listed(
        self, query: Query, after: str | None, offset: int, since: Since
    ) -> Results:
        limit = max(1, min(query.limit, MOST_HITS))
        with self.reading() as cursor:
            table, where, values = filtered(self, cursor, query, since)
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
                total: int | None = number(cursor, "services")
            else:
                ((total,),) = cursor.execute(
                    f"SELECT count(*) FROM (SELECT DISTINCT domain FROM {table} WHERE {where} LIMIT ?) AS matching",
                    (*values, MOST_COUNTED + 1),
                )
                total = None if total > MOST_COUNTED else total
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
        with self.reading() as cursor:
            if query.text.strip():
                ids = Search(self, cursor, query).services()
                where, values = f"service {self.among}", [self.list_value(ids)]
            elif ranking.filters(query) or query.capability:
                table, condition, values = filtered(self, cursor, query, ANY_TIME)
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
