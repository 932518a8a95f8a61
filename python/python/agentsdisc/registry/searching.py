"""Searches in the stores in databases."""

from collections.abc import Iterable, Iterator, Mapping
from time import time
from typing import TYPE_CHECKING, Any

from . import ranking, rows
from .entries import Hit, Query, Results, Since
from .reads import Cursor, number, one
from .words import fold

if TYPE_CHECKING:
    from .sql import SqlStore

MOST_COUNTED = 10_000
MOST_HITS, MOST_OFFSET = 100, 1_000
_ENOUGH = 11
"""If fewer services have all words, those with some of them match too; the same for pages of any size and for facets."""
_MOST_CANDIDATES = 150
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
        """Returns the ids of the services that match, the first ten thousand rows of them."""
        found: dict[int, None] = {}

        def add(expression: ranking.Expression) -> None:
            ids = self._find(expression, MOST_COUNTED)
            found.update(dict.fromkeys(map(rows.service_of, ids)))

        for expression, *_ in ranking.stages(self._plan):
            add(expression)
        for (expression,) in ranking.weak_stages(self._plan):
            if len(found) >= _ENOUGH:
                break
            add(expression)
        return [*found]

    def results(self) -> Results:
        """Returns a page of services."""
        limit = max(1, min(self._query.limit, MOST_HITS))
        offset = max(0, min(self._query.offset, MOST_OFFSET))
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
        scores: dict[int, float] = {}
        is_all = True
        for expression, *first in ranking.stages(self._plan):
            ids = self._find(expression, enough)
            is_exact = expression[0][0].startswith(f"{rows.EXACT}:")
            if len(ids) == enough:
                for within in first:
                    ids = [*dict.fromkeys((*self._find(within, enough), *ids))]
            self._score(ids[:enough], scores, True, is_exact)
            if len(ids) >= enough:
                is_all = False
                break
        for (expression,) in ranking.weak_stages(self._plan):
            if len({*map(rows.service_of, scores)}) >= _ENOUGH:
                break
            is_all = is_all and bool(scores)
            self._score(self._find(expression, enough), scores, False, False)
        return scores, is_all

    def _score(
        self, ids: Iterable[int], scores: dict[int, float], whole: bool, is_exact: bool
    ) -> None:
        new = [row for row in ids if row not in scores]
        if not new:
            return
        now = time()
        for row, fresh, texts in self._store.texts(self._cursor, new):
            scores[row] = ranking.final(
                row,
                self._scorer.score(texts),
                whole=whole,
                exact=is_exact,
                stale=fresh < now,
            )

    def _named(self) -> int | None:
        """Returns the service whose domain the text is, if the filters leave it."""
        text = self._query.text.strip().lower()
        domain = text.removeprefix("https://").removeprefix("http://").rstrip("/")
        found: int | None = one(
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


def filtered(
    store: "SqlStore", cursor: Cursor, query: Query, since: Since
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
