"""What single documents say about a service: converts the columns of `parse_batch` to entries, and joins the entries of a domain to one service.

A part is what one document says. Its domain is the host that the document was fetched from, whatever the document names.
"""

import hashlib
import json
import marshal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from .. import batch_schema
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
    """Columns of a record batch as flat lists, by path: the values of a member in all items of all rows, and where the items of each list begin.

    A missing column, or one of another type, has only None, and a missing list no items. Of metadata, the category and the tags are kept.
    """

    def __init__(self, batch: Any) -> None:
        self._compute: Any = import_module("pyarrow.compute")
        self._arrow: Any = import_module("pyarrow")
        self.values: dict[str, list[Any]] = {}
        self.starts: dict[str, list[int]] = {}
        self._spread: dict[str, list[int] | None] = {}
        """Where the items of each row begin; None: each row has one value."""
        self._lengths: list[tuple[list[int], list[int]]] = []
        """Of each list within a list: where the lists of each row begin, and how many items they have."""
        for wanted in _schema():
            found = batch.schema.get_field_index(wanted.name)
            column = batch.column(found) if found >= 0 else None
            self._add(wanted.name, wanted.type, column, len(batch), None)

    def _add(
        self, path: str, kind: Any, column: Any, count: int, rows: list[int] | None
    ) -> None:
        """Adds a column of a type with `count` items, or a missing one. `rows` says where the items of each row begin."""
        types = self._arrow.types
        found = self._arrow.null() if column is None else column.type
        if types.is_struct(kind):
            for member in kind:
                child = None
                if types.is_struct(found) and found.get_field_index(member.name) >= 0:
                    child = self._compute.struct_field(column, member.name)
                self._add(f"{path}.{member.name}", member.type, child, count, rows)
        elif types.is_list(kind):
            lengths, flat = [0] * count, None
            if types.is_list(found) or types.is_large_list(found):
                lengths = self._compute.list_value_length(column).to_pylist()
                if column.null_count:
                    lengths = [length or 0 for length in lengths]
                flat = self._compute.list_flatten(column)
            starts = [*accumulate(lengths, initial=0)]
            self.starts[path] = starts
            inner = starts
            if rows is not None:
                self._lengths.append((rows, lengths))
                inner = [starts[at] for at in rows]
            self._add(path, kind.value_type, flat, starts[-1], inner)
        else:
            if found != kind:
                try:
                    column = None if column is None else column.cast(kind)
                except self._arrow.ArrowException:
                    column = None
            values = [None] * count if column is None else column.to_pylist()
            if path.endswith("metadata"):
                values = [*map(_declared, values)]
            self.values[path] = values
            self._spread[path] = rows

    def of(self, path: str, row: int) -> list[Any]:
        """Returns the values of a member in all items of a row."""
        rows = self._spread[path]
        values = self.values[path]
        return (
            values[row : row + 1] if rows is None else values[rows[row] : rows[row + 1]]
        )

    def digests(self, wanted: Iterable[int]) -> Iterator[str]:
        """Yields the digest of all that the columns have of these rows."""
        said_of = {p: v for p, v in self.values.items() if p not in _UNSAID}
        plain = [v for path, v in said_of.items() if self._spread[path] is None]
        listed: list[tuple[list[int], list[list[Any]]]] = []
        by_list = {id(starts): starts for starts in self._spread.values() if starts}
        for key, starts in by_list.items():
            members = [v for p, v in said_of.items() if id(self._spread[p]) == key]
            listed.append((starts, members))
        listed += [(starts, [lengths]) for starts, lengths in self._lengths]
        for row in wanted:
            said: list[Any] = [values[row] for values in plain]
            for starts, members in listed:
                start, end = starts[row], starts[row + 1]
                if start < end:
                    said += [values[start:end] for values in members]
                else:
                    said.append(None)
            yield hashlib.sha256(marshal.dumps(said, _FORMAT)).hexdigest()


@cache
def _schema() -> Any:
    """Returns the types of the columns."""
    arrow: Any = import_module("pyarrow")
    return arrow.schema(batch_schema([*COLUMNS], check=True))


_FORMAT = 2
"""The version of `marshal` that writes equal values as equal bytes. Later ones also write which values are the same object."""
_UNSAID = {"url", "bytes", "status", "error_kind"}
"""Columns that do not count for the digest of a document."""


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
    places, formats = urls or columns.values["url"], columns.values["format"]
    states = columns.values["status"]
    if passed is not None:
        passed.update(_reasons(states, columns.values["error_kind"], formats))
    wanted = [
        (row, domain)
        for row, url in enumerate(places)
        # A document that was recovered after damage in an archive may belong to another site.
        if url and len(url) <= MOST_URL
        if states[row] == "ok" and formats[row] in _PLACES
        # Most of these say nothing about AI, so they are never known.
        if formats[row] != "robots-txt" or _preferences(columns, row)
        if (domain := domain_of(url)) is not None
    ]
    if not wanted:
        return
    digests = known([places[row] for row, _ in wanted])
    rows_wanted = [row for row, _ in wanted]
    if bodies is None:
        own = columns.digests(rows_wanted)
    else:
        own = (hashlib.sha256(bodies[row] or b"").hexdigest() for row in rows_wanted)
    read: _Reading | None = None
    for (row, domain), digest in zip(wanted, own, strict=True):
        url = places[row] or ""
        if digests.get(url) == digest:
            yield Same(url, fetched[row])
            continue
        read = read or _Reading(columns)
        part = read.part(row, domain, url, digest, fetched[row])
        body = bodies[row] if bodies else None
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


class _Reading:
    """Converts rows of a record batch. The texts of all its capabilities are bounded together, because few are too long."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._limits = _limits(columns, "rate_limits")
        self._starts = columns.starts["capabilities"]
        own = {n: columns.values[f"capabilities.{n}"] for n in _CAPABILITY_COLUMNS}
        called = [p or v for p, v in zip(own["protocol"], own["via"], strict=True)]
        limits = _limits(columns, "capabilities.rate_limits")
        self._cut: Counter[int] = Counter()
        """How many texts of a capability are too long, by its place."""
        self._names, self._long_names = _bounded(own["id"], _MOST_NAME)
        self._texts = [
            self._names,
            self._shortened(own["skill.title"], _MOST_NAME, _beginning),
            _bounded(own["description"], _MOST_TEXT, _short)[0],
            self._shortened(own["method"], _MOST_WORD),
            self._shortened(called, _MOST_WORD),
            self._shortened(own["auth.type"], _MOST_WORD),
            self._shortened(limits, _MOST_WORD),
            *(own[name] for name in ("endpoint", "via", "metadata")),
            *(own[name] for name in ("requires_confirmation", "human_handoff")),
        ]
        self._parameters = _Lists(
            columns, "parameters", ".name", _MOST_NAME, _MOST_PARAMETERS
        )
        self._tags = _Lists(columns, "skill.tags", "", _MOST_WORD, _MOST_TAGS)

    def _shortened(
        self,
        texts: list[str | None],
        most: int,
        cut: Callable[[str, int], str | None] | None = None,
    ) -> list[str | None]:
        found, long = _bounded(texts, most, cut)
        self._cut.update(long)
        return found

    def part(
        self, row: int, domain: str, url: str, digest: str, fetched: datetime
    ) -> Part:
        """Returns what the document in a row says."""
        columns, values = self._columns, self._columns.values
        preferences = _preferences(columns, row)
        format = values["format"][row]
        bounded = _Bounded()
        category, tags = values["metadata"][row]
        errors, warnings = values["errors"][row], values["warnings"][row]
        service = ServiceEntry(
            domain=domain,
            name=bounded.begin(values["service.name"][row], _MOST_NAME),
            description=_short(values["service.description"][row]),
            url=bounded.whole(values["service.url"][row], MOST_URL),
            category=category,
            tags=bounded.each(tags, _MOST_WORD, _MOST_TAGS),
            auth=bounded.whole(values["auth.type"][row], _MOST_WORD),
            price=bounded.begin(_price(columns, row), _MOST_NAME),
            limit=bounded.whole(self._limits[row], _MOST_WORD),
            preferences=tuple(
                (purpose, allowed)
                for purpose, allowed in preferences[:_MOST_TAGS]
                if bounded.whole(purpose, _MOST_WORD)
            ),
            sources=(
                Source(
                    url=url,
                    format=format,
                    digest=digest,
                    fetched=fetched,
                    verdict=_verdict(errors, warnings),
                    errors=errors or 0,
                    warnings=warnings or 0,
                ),
            ),
        )
        entries = tuple(self._capabilities(row, domain, url, bounded))
        return Part(service, entries, bounded.cut)

    def _capabilities(
        self, row: int, domain: str, url: str, bounded: "_Bounded"
    ) -> Iterator[CapabilityEntry]:
        start, end = self._starts[row], self._starts[row + 1]
        if start == end:
            return
        # The URLs of capabilities that are called by another protocol.
        endpoints = _endpoints(self._columns, row)
        if self._long_names:
            bounded.cut += sum(start <= at < end for at in self._long_names)
        found = zip(*(texts[start:end] for texts in self._texts), strict=True)
        for at, (
            name,
            title,
            description,
            method,
            called,
            auth,
            limit,
            *rest,
        ) in enumerate(found, start):
            # A capability with a truncated name could not be called.
            if not name:
                continue
            endpoint, via, (category, tags), asks, hands = rest
            if self._cut:
                bounded.cut += self._cut[at]
            own = self._tags.of(at, bounded)
            yield CapabilityEntry(
                domain=domain,
                name=name,
                title=title,
                description=description,
                parameters=self._parameters.of(at, bounded),
                tags=own or (bounded.each(tags, _MOST_WORD, _MOST_TAGS)),
                category=category,
                method=method,
                endpoint=bounded.whole(endpoint or endpoints.get(via), MOST_URL),
                transport=called,
                auth=auth,
                limit=limit,
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
    "metadata",
)


class _Lists:
    """The texts in a list of each capability, bounded."""

    def __init__(
        self, columns: Columns, path: str, member: str, most: int, number: int
    ) -> None:
        self._starts = columns.starts[f"capabilities.{path}"]
        self._texts = columns.values[f"capabilities.{path}{member}"]
        self._most, self._number = most, number
        lengths = [end - start for start, end in pairwise(self._starts)]
        self._is_short = (
            all(self._texts)
            and max(map(len, self._texts), default=0) <= most
            and max(lengths, default=0) <= number
        )

    def of(self, at: int, bounded: "_Bounded") -> tuple[str, ...]:
        """Returns the texts of a capability."""
        texts = self._texts[self._starts[at] : self._starts[at + 1]]
        if self._is_short:
            return tuple(texts)
        return bounded.each(texts, self._most, self._number)


def _bounded(
    texts: list[str | None],
    most: int,
    cut: Callable[[str, int], str | None] | None = None,
) -> tuple[list[str | None], list[int]]:
    """Returns texts without empty ones and longer ones, of which `cut` may return a part, and the places of the longer ones."""
    if "" in texts:
        texts = [text or None for text in texts]
    if max(map(len, filter(None, texts)), default=0) <= most:
        return texts, []
    long = [at for at, text in enumerate(texts) if text and len(text) > most]
    texts = [*texts]
    for at in long:
        texts[at] = cut(texts[at] or "", most) if cut else None
    return texts, long


def _endpoints(columns: Columns, row: int) -> Mapping[str | None, str]:
    """Returns the URLs of the endpoints of a row, by name and by protocol; the first one counts."""
    members = (columns.of(f"endpoints.{n}", row) for n in ("name", "protocol", "url"))
    urls: dict[str | None, str] = {}
    for name, protocol, url in zip(*members, strict=True):
        if url:
            urls.setdefault(name or protocol, url)
            urls.setdefault(protocol, url)
    urls.pop(None, None)
    return urls


class _Bounded:
    """Limits the lengths of a document's texts to what a registry can return."""

    def __init__(self) -> None:
        self.cut = 0
        """How many were too long."""

    def begin(self, text: str | None, most: int) -> str | None:
        """Returns the beginning of a text for people."""
        if text and len(text) > most:
            self.cut += 1
            return _beginning(text, most)
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
        if not texts:
            return ()
        given = [text for text in texts if text]
        if len(given) <= number and max(map(len, given), default=0) <= most:
            return tuple(given)
        self.cut += max(0, len(given) - number)
        kept = (self.whole(text, most) for text in given[:number])
        return tuple(text for text in kept if text)


def _beginning(text: str, most: int) -> str:
    return f"{unmasked_beginning(text, most - 1)}…"


def _short(text: str | None, most: int = _MOST_TEXT) -> str | None:
    return unmasked_beginning(text, most) if text else None


def _verdict(errors: int | None, warnings: int | None) -> Verdict:
    if errors is None:
        return "unchecked"
    if errors:
        return "errors"
    return "warnings" if warnings else "clean"


def _limits(columns: Columns, path: str) -> list[str | None]:
    """Returns the first rate limit of each item."""
    requests = columns.values[f"{path}.requests"]
    windows = columns.values[f"{path}.window"]
    return [
        f"{requests[start]}/{windows[start]}"
        if start < end and requests[start] and windows[start]
        else None
        for start, end in pairwise(columns.starts[path])
    ]


def _price(columns: Columns, row: int) -> str | None:
    """Returns the kind of pricing of a row, or its plans."""
    kind: str | None = columns.values["pricing.type"][row]
    plans = zip(
        columns.of("pricing.plans.name", row),
        columns.of("pricing.plans.price", row),
        strict=True,
    )
    return kind or _short(", ".join(" ".join(filter(None, plan)) for plan in plans))


def _preferences(columns: Columns, row: int) -> tuple[tuple[str, bool], ...]:
    """Returns the preferences about AI of a row that are for all agents and the whole site."""
    members = ("purpose", "preference", "path", "group")
    said = [columns.of(f"robots.preferences.{name}", row) for name in members]
    if not said[0]:
        return ()
    starts = columns.starts["robots.groups"]
    agents = columns.starts["robots.groups.agents"][starts[row] : starts[row + 1] + 1]
    names = [
        columns.values["robots.groups.agents"][start:end]
        for start, end in pairwise(agents)
    ]
    allowed: dict[str, bool] = {}
    for purpose, preference, path, group in zip(*said, strict=True):
        is_for_all = group is None or (group < len(names) and "*" in names[group])
        is_for_all = is_for_all and path in {None, "/"}
        if purpose and is_for_all and preference in {"allow", "disallow"}:
            before = allowed.get(purpose, True)
            allowed[purpose] = before and preference == "allow"
    return tuple(allowed.items())


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
