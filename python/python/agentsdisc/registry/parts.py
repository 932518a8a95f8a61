"""What single documents say about a service: converts the columns of `parse_batch` to entries, and joins the entries of a domain to one service.

A part is what one document says. Its domain is the host that the document was fetched from, whatever the document names.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import import_module
from itertools import accumulate
from typing import Any, NamedTuple

from .._facts import FACTS
from .._visible import unmasked_beginning
from . import rows
from .entries import CapabilityEntry, ServiceEntry, Source, Verdict
from .hosts import domain_of

COLUMNS = (
    "url",
    "bytes",
    "format",
    "status",
    "error_kind",
    "errors",
    "warnings",
    "service.name",
    "service.url",
    "service.description",
    "auth.type",
    "pricing.type",
    "pricing.plans.name",
    "pricing.plans.price",
    "rate_limits.requests",
    "rate_limits.window",
    "robots.preferences.purpose",
    "robots.preferences.preference",
    "robots.preferences.path",
    "robots.preferences.group",
    "robots.groups.agents",
    "endpoints.name",
    "endpoints.protocol",
    "endpoints.url",
    "capabilities.id",
    "capabilities.description",
    "capabilities.endpoint",
    "capabilities.method",
    "capabilities.protocol",
    "capabilities.via",
    "capabilities.auth.type",
    "capabilities.human_handoff",
    "capabilities.requires_confirmation",
    "capabilities.parameters.name",
    "capabilities.rate_limits.requests",
    "capabilities.rate_limits.window",
    "capabilities.skill.title",
    "capabilities.skill.tags",
    "capabilities.metadata",
    "metadata",
)
"""The columns of the table of `ingest` that the registry reads; all but url, format and status may be missing."""

_LAST = 100
_PLACES = {
    facts.name: _LAST if facts.registry is None else facts.registry
    for facts in FACTS.values()
    if facts.registry is not None or (facts.is_read and facts.name != "adp-search")
}
"""The places of the formats; the most important one has the lowest number. Those of decisions come first, those that only say how to sign in or pay last."""
_SUPPORTING = frozenset(
    name
    for name, place in _PLACES.items()
    if place == _LAST or FACTS[name].is_supporting
)
"""Formats that make no service alone: they add to other documents."""
_MOST_TEXT, MOST_URL = 2_000, 2_000
_MOST_NAME, _MOST_WORD = 300, 100
_MOST_PARAMETERS, _MOST_TAGS = 200, 100


Known = Callable[[list[str | None]], Mapping[str, str]]
"""Returns the digests of those documents at these URLs that the registry has."""


class Same(NamedTuple):
    """A document that the registry has with the same digest."""

    url: str
    fetched: datetime


@dataclass(frozen=True, slots=True)
class Part:
    """What a document says: a service whose only source is the document, and capabilities."""

    service: ServiceEntry
    capabilities: tuple[CapabilityEntry, ...]
    cut: int = 0
    """The number of its texts that were too long, without descriptions."""

    @property
    def source(self) -> Source:
        """The document."""
        return self.service.sources[0]

    @property
    def url(self) -> str:
        """The URL of the document."""
        return self.source.url

    @property
    def digest(self) -> str:
        """The digest of the document."""
        return self.source.digest

    def with_source(self, source: Source) -> "Part":
        """Returns the part with another state of its document."""
        return replace(self, service=replace(self.service, sources=(source,)))

    @property
    def is_supporting(self) -> bool:
        """Whether the document alone makes no service."""
        return self.source.format in _SUPPORTING

    def to_values(self) -> list[Any]:
        """Returns values for JSON."""
        return [
            rows.to_text(self.service),
            [rows.to_text(entry) for entry in self.capabilities],
        ]

    @classmethod
    def of_values(cls, values: list[Any]) -> "Part":
        """Creates a part from the result of `to_values`."""
        service, capabilities = values
        return cls(
            rows.service_from(service),
            tuple(rows.capability_from(text) for text in capabilities),
        )


class Columns:
    """Columns of a record batch as lists; a missing column has only None."""

    def __init__(self, batch: Any) -> None:
        self._batch = batch
        self._compute: Any = import_module("pyarrow.compute")
        self._types: Any = import_module("pyarrow").types

    def __len__(self) -> int:
        return len(self._batch)

    def values(self, path: str) -> list[Any]:
        """Returns the values of a member of each row."""
        column = self._member(self._batch, path)
        return [None] * len(self._batch) if column is None else _listed(column)

    def items(self, path: str) -> tuple[list[int], "Columns"]:
        """Returns the lengths of the lists in a member of each row, and the members of all their items as columns."""
        column = self._member(self._batch, path)
        if column is None:
            return [0] * len(self._batch), Columns([])
        lengths = self._compute.list_value_length(column).to_pylist()
        flat = self._compute.list_flatten(column)
        return [length or 0 for length in lengths], Columns(flat)

    def _member(self, batch: Any, path: str) -> Any:
        first, *others = path.split(".")
        if isinstance(batch, list):
            return None
        if hasattr(batch, "schema"):
            found = batch.schema.get_field_index(first)
            column = batch.column(found) if found >= 0 else None
        else:
            column, others = batch, [first, *others]
        for name in others:
            if column is None:
                return None
            kind = column.type
            if not self._types.is_struct(kind) or kind.get_field_index(name) < 0:
                return None
            column = self._compute.struct_field(column, name)
        return column

    def lists(self, path: str, member: str | None = None) -> list[tuple[Any, ...]]:
        """Returns the values of a list in each row, or of one member of its items."""
        lengths, inner = self.items(path)
        if not any(lengths):
            return [()] * len(lengths)
        values = inner.values(member) if member else _listed(inner._batch)
        return list(_cut(lengths, values))


def _listed(column: Any) -> list[Any]:
    found: list[Any] = column.to_pylist()
    return found


def _cut(lengths: list[int], values: list[Any]) -> Iterator[tuple[Any, ...]]:
    """Yields consecutive parts of a list."""
    start = 0
    for length in lengths:
        yield tuple(values[start : start + length]) if length else ()
        start += length


def parts(
    batch: Any,
    fetched: Sequence[datetime],
    urls: Sequence[str | None] | None = None,
    bodies: Sequence[bytes | None] | None = None,
    keys: Mapping[str, Any] | None = None,
    known: Known = lambda urls: {},
    passed: Counter[str] | None = None,
) -> Iterator[Part | Same]:
    """Yields what the documents of a record batch say.

    `urls` are the URLs of the documents, if the batch does not have them, and `bodies` their bytes. Without the bytes, the digest of a document is
    that of its columns. `keys` is a JWK Set of keys that are trusted: agent cards that are signed by one of them are verified. `known` returns the
    digests of those documents that the registry has; a document with the same digest is not converted. `passed` counts the other documents by reason.
    """
    columns = Columns(batch)
    places, formats = urls or columns.values("url"), columns.values("format")
    states = columns.values("status")
    if passed is not None:
        passed.update(_reasons(states, columns.values("error_kind"), formats))
    wanted = [
        (row, domain)
        for row, url in enumerate(places)
        # A document that was recovered after damage in an archive may belong to another site.
        if url and len(url) <= MOST_URL
        if states[row] == "ok" and formats[row] in _PLACES
        if (domain := domain_of(url)) is not None
    ]
    if not wanted:
        return
    digests = known([places[row] for row, _ in wanted])
    plain = {name: columns.values(path) for name, path in _SERVICE_COLUMNS}
    prices, limits = _prices(columns), _limits(columns, "rate_limits")
    errors, warnings = columns.values("errors"), columns.values("warnings")
    preferences = _preferences(columns)
    declared = [_declared(text) for text in columns.values("metadata")]
    capabilities, endpoints = _Capabilities(columns), _endpoints(columns)
    for row, domain in wanted:
        if formats[row] == "robots-txt" and not preferences[row]:
            continue
        bounded = _Bounded()
        about: dict[str, Any] = {
            "domain": domain,
            "name": bounded.begin(plain["name"][row], _MOST_NAME),
            "description": _short(plain["description"][row]),
            "url": bounded.whole(plain["url"][row], MOST_URL),
            "category": declared[row][0],
            "tags": bounded.each(declared[row][1], _MOST_WORD, _MOST_TAGS),
            "auth": bounded.whole(plain["auth"][row], _MOST_WORD),
            "price": bounded.begin(prices[row], _MOST_NAME),
            "limit": bounded.whole(limits[row], _MOST_WORD),
            "preferences": tuple(
                (purpose, allowed)
                for purpose, allowed in preferences[row][:_MOST_TAGS]
                if bounded.whole(purpose, _MOST_WORD)
            ),
        }
        body = content = bodies[row] if bodies else None
        if content is None:
            # Without the bytes, the digest covers the columns.
            said = (formats[row], errors[row], warnings[row], about)
            content = f"{said}{capabilities.said(row)}".encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(content).hexdigest()
        if digests.get(places[row] or "") == digest:
            yield Same(places[row] or "", fetched[row])
            continue
        source = Source(
            url=places[row] or "",
            format=formats[row],
            digest=digest,
            fetched=fetched[row],
            verdict=_verdict(errors[row], warnings[row]),
            errors=errors[row] or 0,
            warnings=warnings[row] or 0,
        )
        entries = tuple(
            capabilities.of(row, domain, source.url, endpoints[row], bounded)
        )
        part = Part(ServiceEntry(**about, sources=(source,)), entries, bounded.cut)
        yield _verified(part, body, keys) if keys else part


def _reasons(
    states: list[str | None], kinds: list[str | None], formats: list[str | None]
) -> Iterator[str]:
    """Yields why documents are no part of a service: the kind of the error, the status, or the format."""
    for state, kind, format in zip(states, kinds, formats, strict=True):
        if state != "ok":
            yield kind or state or "error"
        elif format not in _PLACES:
            yield format or "unknown"


_SERVICE_COLUMNS = (
    ("name", "service.name"),
    ("description", "service.description"),
    ("url", "service.url"),
    ("auth", "auth.type"),
)


class _Capabilities:
    """The capabilities of all rows."""

    def __init__(self, columns: Columns) -> None:
        lengths, inner = columns.items("capabilities")
        self._starts = [0, *accumulate(lengths)]
        self._rows = list(
            zip(
                *map(inner.values, _CAPABILITY_COLUMNS),
                inner.lists("parameters", "name"),
                inner.lists("skill.tags"),
                _limits(inner, "rate_limits"),
                map(_declared, inner.values("metadata")),
                strict=True,
            )
            if inner
            else ()
        )

    def said(self, row: int) -> str:
        """Returns all that the columns have of the capabilities of a row, as text."""
        return repr(self._rows[self._starts[row] : self._starts[row + 1]])

    def of(
        self,
        row: int,
        domain: str,
        url: str,
        endpoints: Mapping[str | None, str],
        bounded: "_Bounded",
    ) -> Iterator[CapabilityEntry]:
        """Yields the capabilities of a row. `endpoints` are the URLs of those that are called by another protocol."""
        for values in self._rows[self._starts[row] : self._starts[row + 1]]:
            name, title, description, method, endpoint, protocol, via, *rest = values
            auth, asks, hands, parameters, own_tags, limit, (category, tags) = rest
            # A capability with a truncated name could not be called.
            if not bounded.whole(name, _MOST_NAME):
                continue
            yield CapabilityEntry(
                domain=domain,
                name=name,
                title=bounded.begin(title, _MOST_NAME),
                description=_short(description),
                parameters=bounded.each(parameters, _MOST_NAME, _MOST_PARAMETERS),
                tags=bounded.each(own_tags or tags, _MOST_WORD, _MOST_TAGS),
                category=category,
                method=bounded.whole(method, _MOST_WORD),
                endpoint=bounded.whole(endpoint or endpoints.get(via), MOST_URL),
                transport=bounded.whole(protocol or via, _MOST_WORD),
                auth=bounded.whole(auth, _MOST_WORD),
                limit=bounded.whole(limit, _MOST_WORD),
                confirm=bool(asks or hands),
                source=url,
            )


_CAPABILITY_COLUMNS = (
    "id",
    "skill.title",
    "description",
    "method",
    "endpoint",
    "protocol",
    "via",
    "auth.type",
    "requires_confirmation",
    "human_handoff",
)


def _endpoints(columns: Columns) -> list[Mapping[str | None, str]]:
    """Returns the URLs of the endpoints of each row, by name and by protocol; the first one counts."""
    members = (columns.lists("endpoints", n) for n in ("name", "protocol", "url"))
    found: list[Mapping[str | None, str]] = []
    for row in zip(*members, strict=True):
        urls: dict[str | None, str] = {}
        for name, protocol, url in zip(*row, strict=True):
            if url:
                urls.setdefault(name or protocol, url)
                urls.setdefault(protocol, url)
        urls.pop(None, None)
        found.append(urls)
    return found


class _Bounded:
    """Limits the lengths of a document's texts to what a registry can return."""

    def __init__(self) -> None:
        self.cut = 0
        """How many were too long."""

    def begin(self, text: str | None, most: int) -> str | None:
        """Returns the beginning of a text for people."""
        if text and len(text) > most:
            self.cut += 1
            return f"{unmasked_beginning(text, most - 1)}…"
        return text or None

    def whole(self, text: str | None, most: int) -> str | None:
        """Returns a text that must not be truncated, such as a URL; None if it is too long."""
        if text and len(text) > most:
            self.cut += 1
            return None
        return text or None

    def each(
        self, texts: Sequence[str | None], most: int, number: int
    ) -> tuple[str, ...]:
        """Returns the first texts, without those that are too long."""
        given = [text for text in texts if text]
        if len(given) <= number and max(map(len, given), default=0) <= most:
            return tuple(given)
        self.cut += max(0, len(given) - number)
        kept = (self.whole(text, most) for text in given[:number])
        return tuple(text for text in kept if text)


def _short(text: str | None) -> str | None:
    return unmasked_beginning(text, _MOST_TEXT) if text else None


def _verdict(errors: int | None, warnings: int | None) -> Verdict:
    if errors is None:
        return "unchecked"
    if errors:
        return "errors"
    return "warnings" if warnings else "clean"


def _limits(columns: Columns, path: str) -> list[str | None]:
    """Returns the first rate limit of each row."""
    requests = columns.lists(path, "requests")
    windows = columns.lists(path, "window")
    return [
        f"{many[0]}/{window[0]}" if many and many[0] and window[0] else None
        for many, window in zip(requests, windows, strict=True)
    ]


def _prices(columns: Columns) -> list[str | None]:
    """Returns the kind of pricing of each row, or its plans."""
    kinds = columns.values("pricing.type")
    names = columns.lists("pricing.plans", "name")
    prices = columns.lists("pricing.plans", "price")
    return [
        kind
        or _short(
            ", ".join(
                " ".join(filter(None, plan)) for plan in zip(some, costs, strict=True)
            )
        )
        for kind, some, costs in zip(kinds, names, prices, strict=True)
    ]


def _preferences(columns: Columns) -> list[tuple[tuple[str, bool], ...]]:
    """Returns the preferences about AI that are for all agents and the whole site."""
    members = ("purpose", "preference", "path", "group")
    said = zip(
        *(columns.lists("robots.preferences", name) for name in members), strict=True
    )
    lengths, groups = columns.items("robots.groups")
    agents = _cut(lengths, groups.lists("agents"))
    found = []
    for row, names in zip(said, agents, strict=True):
        allowed: dict[str, bool] = {}
        for purpose, preference, path, group in zip(*row, strict=True):
            is_for_all = group is None or (
                group < len(names) and "*" in (names[group] or ())
            )
            is_for_all = is_for_all and path in {None, "/"}
            if purpose and is_for_all and preference in {"allow", "disallow"}:
                before = allowed.get(purpose, True)
                allowed[purpose] = before and preference == "allow"
        found.append(tuple(allowed.items()))
    return found


def _declared(text: str | None) -> tuple[str | None, tuple[str, ...]]:
    """Returns the category and the tags among members that the model keeps as they are."""
    if not text or not ('"categor' in text or '"tags"' in text or "_group" in text):
        return None, ()
    try:
        values = json.loads(text)
    except ValueError:
        return None, ()
    names = ("category", "resource_group")
    category = next(
        (
            unmasked_beginning(v, 100)
            for n in names
            if isinstance(v := values.get(n), str) and v
        ),
        None,
    )
    tags = [
        unmasked_beginning(tag, 100)
        for name in ("tags", "categories")
        for tag in (values[name] if isinstance(values.get(name), list) else ())
        if isinstance(tag, str) and tag
    ]
    return category or (tags[0] if tags and "tags" not in values else None), tuple(tags)


# Joining.


def join(found: Iterable[Part]) -> tuple[ServiceEntry, list[CapabilityEntry]] | None:
    """Returns the service that the documents of a domain describe; None if no document does. Values of a more important document take precedence."""
    ordered = sorted(found, key=lambda p: (_PLACES[p.source.format], len(p.url), p.url))
    if all(part.is_supporting for part in ordered):
        return None
    if len(ordered) == 1:
        return ordered[0].service, [*_each_once(ordered[0].capabilities).values()]
    service = ordered[0].service
    entries: dict[str, CapabilityEntry] = {}
    for part in ordered:
        service = _filled(service, part.service, _SERVICE_FIELDS)
        for name, entry in _each_once(part.capabilities).items():
            known = entries.get(name)
            entries[name] = (
                entry if known is None else _filled(known, entry, _ENTRY_FIELDS)
            )
    sources = tuple(source for part in ordered for source in part.service.sources)
    tags = dict.fromkeys(tag for part in ordered for tag in part.service.tags)
    # A purpose that one document does not allow is not allowed.
    preferences: dict[str, bool] = {}
    for part in ordered:
        for purpose, allowed in part.service.preferences:
            preferences[purpose] = preferences.get(purpose, True) and allowed
    service = replace(
        service,
        sources=sources,
        tags=tuple(tags),
        preferences=tuple(preferences.items()),
    )
    return service, [*entries.values()]


_SERVICE_FIELDS = ("name", "description", "url", "category", "auth", "price", "limit")
_ENTRY_FIELDS = (
    *("title", "description", "parameters", "tags", "category", "method"),
    *("endpoint", "transport", "auth", "limit", "price"),
)


def _each_once(entries: Iterable[CapabilityEntry]) -> dict[str, CapabilityEntry]:
    found: dict[str, CapabilityEntry] = {}
    for entry in entries:
        found.setdefault(entry.name, entry)
    return found


def _filled(entry: Any, other: Any, fields: Iterable[str]) -> Any:
    """Returns an entry with its missing values taken from another entry. A person must agree if either entry requires it."""
    missing = {
        name: getattr(other, name) for name in fields if not getattr(entry, name)
    }
    if getattr(other, "confirm", False):
        missing["confirm"] = True
    missing = {name: value for name, value in missing.items() if value}
    return replace(entry, **missing) if missing else entry


def _verified(part: Part, body: bytes | None, keys: Mapping[str, Any]) -> Part:
    """Returns a part that states whether a signature of its document is valid, according to a JWK Set of trusted keys.

    A card whose endpoints are on other hosts may be a copy of another site's: its signature does not count.
    """
    if body is None or part.source.format != "a2a-agent-card":
        return part
    from ..verify import verify_card

    try:
        result = verify_card(body, keys)
    except ValueError:
        return part
    card = result.document
    hosts = (
        {domain_of(endpoint.url or "") for endpoint in card.endpoints} if card else {}
    )
    if not result.verified or hosts != {part.service.domain}:
        return part
    return part.with_source(replace(part.source, verified=True))


def now() -> datetime:
    """Returns the time in whole seconds."""
    return datetime.now(UTC).replace(microsecond=0)
