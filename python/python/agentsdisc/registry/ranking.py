"""Plans searches, from words to queries of the index, and scores the rows that these find.

All stores rank alike: they only find a bounded number of rows by tokens, in the order of the ids, and the scores are computed here.
The score of a row is BM25 over its weighted fields.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter

from .entries import Query
from .rows import EXACT, FIELDS, HEAD, TRUST, mark, tier_of
from .words import MOST_CHARACTERS, STEMMED, query_words, singular, stem, synonyms

Expression = list[list[str]]
"""Tokens that a row must have: at least one of each list."""

_STEM, _SYNONYM, _PREFIX = 0.7, 0.3, 0.5
_MOST_ALTERNATIVES = 8
_SHORTEST_PREFIX = 3
_SATURATION, _LENGTH = 2.0, 0.4
_STALE = 0.8
_WEAK = 4


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms that stand for a word of a query, with the weight of each."""

    own: Mapping[str, float]
    others: Mapping[str, float]
    exact: str = ""
    """The one of its own terms that is the word itself; rows that have it as a stem only have another form of the word."""

    def __bool__(self) -> bool:
        return bool(self.own or self.others)


@dataclass(frozen=True, slots=True)
class Plan:
    """A search: the terms of its words, and the tokens of its filters."""

    words: tuple[Terms, ...]
    missing: int
    """How many of its words no row has."""
    weights: Mapping[str, float]
    """The weight of each term: the rarer a term, the higher its weight."""
    filters: Expression
    exact: str
    """The whole text, if it can be a name."""


FILTERS = ("domain", "format", "category", "auth", "tag", "name", "publisher")
"""The filters whose values are tokens of every row."""


def filters(query: Query) -> Expression:
    """Returns the tokens of the filters of a query."""
    chosen = {field: getattr(query, field) for field in FILTERS}
    return [
        [mark(field, value) for value in values]
        for field, values in chosen.items()
        if values
    ]


def plan(
    query: Query,
    frequencies: Callable[[Iterable[str]], Mapping[str, int]],
    completions: Callable[[str, int], Mapping[str, int]],
    rows: int,
) -> Plan:
    """Plans a search. `frequencies` returns in how many rows terms are, `completions` the frequent ones of the terms with a prefix."""
    text = query.text[:MOST_CHARACTERS].strip()
    typed = query_words(text)
    stems = [stem(word) for word in typed]
    singulars = [singular(word) for word in typed]
    related = {one: synonyms(one) for one in stems}
    asked = {
        *stems,
        *singulars,
        *(other for group in related.values() for other in group),
    }
    known = dict(frequencies(sorted(asked)))
    found: list[Terms] = []
    spelled = zip(typed, stems, singulars, strict=True)
    for number, (word, one, exact) in enumerate(spelled):
        own = {one: _STEM} if known.get(one) else {}
        if known.get(exact):
            own[exact] = 1.0
        if number == len(typed) - 1 and not text.endswith((" ", ".", "?", "!")):
            for term, count in _completed(word, completions).items():
                known[term] = count
                own.setdefault(term, _PREFIX)
        others = {t: _SYNONYM for t in related[one] if known.get(t) and t not in own}
        found.append(Terms(own, others, exact))
    weights = {
        term: math.log(1 + (max(rows, count) - count + 0.5) / (count + 0.5))
        for term, count in known.items()
    }
    present = tuple(terms for terms in found if terms)
    exact = text if text and len(text.split()) == 1 else ""
    return Plan(present, len(found) - len(present), weights, filters(query), exact)


def _completed(
    word: str, completions: Callable[[str, int], Mapping[str, int]]
) -> Mapping[str, int]:
    """Returns terms that begin with a word; if none does, with the word without its last letters, whose stems are shorter."""
    # A character of a script without spaces carries more meaning.
    shortest = _SHORTEST_PREFIX if word.isascii() else 1
    for length in range(len(word), max(shortest, len(word) - 3) - 1, -1):
        found = completions(word[:length], _MOST_ALTERNATIVES)
        if found:
            return found
    return {}


def stages(plan: Plan) -> Iterator[list[Expression]]:
    """Yields queries for rows with all words, in the order of the results.

    If the first query of a pair finds too many rows, the second query finds those that come first.
    """
    if plan.exact:
        yield [[[mark(EXACT, plan.exact)], *plan.filters]]
    if plan.words and not plan.missing:
        own = [list(terms.own) for terms in plan.words]
        both = [[*terms.own, *terms.others] for terms in plan.words]
        if all(own):
            yield [[*own, *plan.filters], [*map(_head, own), *plan.filters]]
        if both != own:
            yield [[*both, *plan.filters]]


def weak_stages(plan: Plan) -> Iterator[list[Expression]]:
    """Yields queries for rows with some of the words: with all but one, with two, with one; the words with the highest weights first."""
    words = sorted(plan.words, key=lambda w: -_telling(w, plan.weights))[:_WEAK]
    several = [[*terms.own, *terms.others] for terms in words]
    sizes = [len(several) - (not plan.missing), 2, 1]
    for size in dict.fromkeys(size for size in sizes if 0 < size <= len(several)):
        for some in list(combinations(several, size))[:_WEAK]:
            yield [[*some, *plan.filters]]


def _telling(terms: Terms, weights: Mapping[str, float]) -> float:
    return max(weights[term] for term in (*terms.own, *terms.others))


def _head(terms: Iterable[str]) -> list[str]:
    return [HEAD + term for term in terms]


class Scorer:
    """Scores rows by the words of a plan."""

    def __init__(self, plan: Plan) -> None:
        self._words: list[list[tuple[str, float]]] = []
        """For each word: its terms between spaces, as in a row, and their weights."""
        self._best = 0.0
        for terms in plan.words:
            chosen: list[tuple[str, float]] = []
            for choice in (terms.own, terms.others):
                for term, factor in choice.items():
                    weight = plan.weights[term] * factor
                    chosen.append((f" {term} ", weight))
                    if term == terms.exact:
                        weight *= _STEM
                    chosen.append((f" {STEMMED}{term} ", weight))
            # Once a term is found, those with lower weights need not be looked for.
            chosen.sort(key=itemgetter(1), reverse=True)
            self._words.append(chosen)
            self._best += max(weight for _, weight in chosen)
        self._best += plan.missing * self._best / max(1, len(plan.words))

    def score(self, texts: str) -> float:
        """Returns how well a row matches, from 0 to 1."""
        # The last line has no words, but the tokens of filters.
        whole = f" {texts[: texts.rfind(_LINE)]} ".replace(_LINE, " \n ")
        lines: list[str] = []
        factors: list[float] = []
        total = 0.0
        for terms in self._words:
            most = 0.0
            for token, weight in terms:
                if weight <= most:
                    # The others have lower weights.
                    break
                if token not in whole:
                    continue
                if not lines:
                    lines = whole.split(_LINE)
                    factors = [0.0] * _FIELDS
                heard = 0.0
                for at, line in enumerate(lines):
                    if times := line.count(token):
                        # Most fields of a row have none of the words.
                        factor = factors[at] or _factor(line, FIELDS[at])
                        factors[at] = factor
                        heard += factor * times
                most = max(most, weight * heard / (heard + _SATURATION))
            total += most
        return total / self._best if self._best else 0.0


_FIELDS = len(FIELDS)
_LINE = "\n"


def _factor(line: str, field: tuple[str, float, float]) -> float:
    """Returns the weight of a word in a field, which is lower in a long field."""
    _, weight, usual = field
    length = line.count(" ") - line.count(STEMMED)
    return weight / (1 - _LENGTH + _LENGTH * length / usual)


def final(
    row: int, relevance: float, *, whole: bool, exact: bool, stale: bool
) -> float:
    """Returns the score of a row from 0 to 99: rows with all words before others, and the exact name before these."""
    factor = TRUST[tier_of(row)] * (_STALE if stale else 1.0)
    if exact:
        return 80 + 19 * factor * max(relevance, 0.1)
    return (40 * factor * relevance + 40 * factor) if whole else 40 * factor * relevance
