"""Searches in the stores in databases."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

from . import ranking, rows
from .entries import Hit, Query, Results, Since
from .hosts import as_domain
from .reads import Cursor, number, one
from .words import fold

if TYPE_CHECKING:
    from .sql import SqlStore

MOST_COUNTED = 10_000
MOST_HITS, MOST_OFFSET = 100, 1_000
_ENOUGH = 11
"""If fewer services than this have all words, services with some of the words match too. This holds for pages of any size and for facets."""
_BLOCK = 150
"""Number of rows that are scored and sorted together. Each block comes after the blocks before it, so a page has the same results however it is reached."""
_GROWTH = 4
_MOST_CAPABILITIES_OF_HIT = 10
_LAST = "\U0010ffff"
_DOMAIN_SCORE = 100.0


class Search:
    """One search within a transaction."""

    def __init__(self, store: "SqlStore", cursor: Cursor, query: Query) -> None:
        self._store, self._cursor, self._query = store, cursor, query
        total = number(cursor, "services") + number(cursor, "capabilities")
        self._plan = ranking.plan(query, self._frequencies, self._completions, total)
        self._scorer = ranking.Scorer(self._plan)
        self._able = _able(store, cursor, query)
        self._is_cut = False
        """Whether more rows match than were read."""

    def _frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        found = self._cursor.execute(
            f"SELECT term, frequency FROM terms WHERE term {self._store.among} AND frequency > 0",
            (self._store.list_value(terms),),
        )
        return dict(found)

    def _completions(self, prefix: str, limit: int) -> Mapping[str, int]:
        found = self._cursor.execute(
            """SELECT term, frequency FROM
            (SELECT term, frequency FROM terms WHERE term >= ? AND term < ? AND frequency > 0 ORDER BY term LIMIT 500) AS candidates
            ORDER BY frequency DESC LIMIT ?""",
            (prefix, prefix + _LAST, limit),
        )
        return dict(found)

    def _find(self, expression: ranking.Expression, limit: int) -> list[int]:
        able = self._able
        if able is None:
            return self._store.find(self._cursor, expression, limit)
        found = self._store.find(self._cursor, expression, MOST_COUNTED)
        return [row for row in found if rows.service_of(row) in able][:limit]

    def services(self) -> list[int]:
        """Returns the ids of the services that match, from the first ten thousand rows for each choice of words."""
        found = self._candidates(MOST_COUNTED)
        return [*dict.fromkeys(rows.service_of(each.row) for each in found)]

    def results(self) -> Results:
        """Returns a page of services."""
        limit = max(1, min(self._query.limit, MOST_HITS))
        offset = offset_of(self._query)
        ranked, is_all = self._ranked(offset + limit + 1)
        page = dict(islice(ranked.items(), offset, offset + limit))
        return Results(
            hits=tuple(self._hits(page)),
            more=len(ranked) > offset + limit,
            total=len(ranked) if is_all else None,
        )

    def _ranked(self, wanted: int) -> "tuple[dict[int, _Ranked], bool]":
        """Returns the first services in their order, at least as many as wanted, and whether these are all."""
        ranked: dict[int, _Ranked] = {}
        named = self._named()
        if named is not None:
            ranked[named] = _Ranked(_DOMAIN_SCORE, [])
        lowest = _DOMAIN_SCORE
        placed: set[int] = set()
        candidates = (
            each
            for each in self._candidates(_BLOCK)
            if rows.service_of(each.row) not in placed
        )
        while block := [*islice(candidates, _BLOCK)]:
            by_service: dict[int, list[tuple[float, int]]] = {}
            for row, points in self._scored(block):
                by_service.setdefault(rows.service_of(row), []).append((-points, row))
            for found in by_service.values():
                found.sort()
            if named in by_service:
                ranked[named] = _Ranked(_DOMAIN_SCORE, by_service.pop(named))
            order = sorted(
                by_service, key=lambda s: (by_service[s][0][0], -len(by_service[s]), s)
            )
            for service in order:
                lowest = min(lowest, -by_service[service][0][0])
                ranked[service] = _Ranked(lowest, by_service[service])
            placed.update(ranked)
            if len(ranked) >= wanted:
                break
        return ranked, len(block) < _BLOCK and not self._is_cut

    def _candidates(self, size: int) -> "Iterator[_Candidate]":
        """Yields the rows that match in the order in which they are scored, each once. `size` is the number of rows of the first query."""
        known: set[int] = set()
        services: set[int] = set()

        def new(ids: Iterable[int]) -> Iterator[int]:
            for row in ids:
                if row not in known:
                    known.add(row)
                    services.add(rows.service_of(row))
                    yield row

        for expression, *first in ranking.stages(self._plan):
            is_exact = expression[0][0].startswith(f"{rows.EXACT}:")
            for row in new(self._rows(expression, first, size)):
                yield _Candidate(row, True, is_exact)
        for (expression,) in ranking.weak_stages(self._plan):
            if len(services) >= _ENOUGH:
                break
            for row in new(self._rows(expression, [], size)):
                yield _Candidate(row, False, False)

    def _rows(
        self,
        expression: ranking.Expression,
        first: list[ranking.Expression],
        size: int,
    ) -> Iterator[int]:
        """Yields the ids of rows with these tokens. If there are many, those with the tokens of `first` come first."""
        given = 0
        while True:
            ids = self._find(expression, size)
            is_all = len(ids) < size or size >= MOST_COUNTED
            if len(ids) >= _BLOCK:
                for within in first:
                    ids = [*dict.fromkeys((*self._find(within, size), *ids))]
            yield from ids[given : None if is_all else size]
            if is_all:
                self._is_cut = self._is_cut or len(ids) >= MOST_COUNTED
                return
            given, size = size, min(size * _GROWTH, MOST_COUNTED)

    def _scored(self, block: "list[_Candidate]") -> Iterator[tuple[int, float]]:
        """Yields rows with their scores."""
        now = time()
        asked = {each.row: each for each in block}
        for row, fresh, texts in self._store.texts(self._cursor, asked):
            yield (
                row,
                ranking.final(
                    row,
                    self._scorer.score(texts),
                    whole=asked[row].whole,
                    exact=asked[row].exact,
                    stale=fresh < now,
                ),
            )

    def _named(self) -> int | None:
        """Returns the service whose domain is the text, if it passes the filters."""
        text = self._query.text.strip().lower()
        domain = text.removeprefix("https://").removeprefix("http://").rstrip("/")
        domain = as_domain(domain)
        found: int | None = one(
            self._cursor, "SELECT id FROM services WHERE domain = ?", rows.key(domain)
        )
        if found is None or not (self._plan.filters or self._able is not None):
            return found
        expression = [[rows.mark("domain", domain)], *self._plan.filters]
        return found if self._find(expression, 1) else None

    def _hits(self, page: "Mapping[int, _Ranked]") -> Iterator[Hit]:
        among, run = self._store.among, self._cursor.execute
        services = dict(
            run(
                f"SELECT id, data FROM services WHERE id {among}",
                (self._store.list_value(page),),
            )
        )
        chosen = {service: found.capabilities() for service, found in page.items()}
        entries = dict(
            run(
                f"SELECT id, data FROM entries WHERE id {among}",
                (self._store.list_value(chain.from_iterable(chosen.values())),),
            )
        )
        for service, found in page.items():
            yield Hit(
                service=rows.service_from(services[service]),
                capabilities=tuple(
                    rows.capability_from(entries[row]) for row in chosen[service]
                ),
                score=round(found.score, 3),
            )


class _Candidate(NamedTuple):
    """A row that matches."""

    row: int
    whole: bool
    """Whether it has all words."""
    exact: bool
    """Whether its name is the text."""


class _Ranked(NamedTuple):
    """A service with its score."""

    score: float
    found: list[tuple[float, int]]
    """Its rows that match, the best first."""

    def capabilities(self) -> tuple[int, ...]:
        """Returns the rows of the best capabilities that match."""
        chosen = (row for _, row in self.found if rows.is_capability(row))
        return tuple(islice(chosen, _MOST_CAPABILITIES_OF_HIT))


def offset_of(query: Query) -> int:
    """Returns how many services a query leaves out."""
    if query.offset > MOST_OFFSET:
        raise ValueError(f"offset must be at most {MOST_OFFSET:,}, not {query.offset}")
    return max(0, query.offset)


def filtered(
    store: "SqlStore", cursor: Cursor, query: Query, since: Since
) -> tuple[str, str, list[Any]]:
    """Returns the table with the domains that pass the filters, the condition, and the parameters."""
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
    for column in ("created", "updated"):
        moment = getattr(since, column)
        if moment is not None:
            newer = f"{column} > ?"
            if table == "facets":
                newer = f"EXISTS (SELECT 1 FROM services s WHERE s.id = facets.service AND s.{newer})"
            conditions.append(newer)
            values.append(rows.microseconds(moment))
    return table, " AND ".join(conditions) or "1 = 1", values


def _able(store: "SqlStore", cursor: Cursor, query: Query) -> set[int] | None:
    """Returns the services with one of the capabilities that the query names, of the first ten thousand; None if it names none."""
    if not query.capability:
        return None
    names = [[rows.mark(rows.EXACT, name) for name in query.capability]]
    return {*map(rows.service_of, store.find(cursor, names, MOST_COUNTED))}
