"""The rows of an index: what is stored of an entry, and the tokens by which it is found.

Each service has one row, and each of its capabilities one more. A row's texts are a line of stemmed words for each of `FIELDS`, from which the
tokens of the index follow; so they can be removed again, and a search can score a row without its entry.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import Any

from .entries import CapabilityEntry, ServiceEntry, Source
from .words import MOST_WORDS_OF_TEXT as MOST_WORDS
from .words import fold, words

FIELDS = (
    ("name", 5.0, 3.0),
    ("title", 3.0, 3.0),
    ("tags", 2.0, 4.0),
    ("description", 2.0, 14.0),
    ("parameters", 0.7, 5.0),
    ("service", 1.0, 5.0),
)
"""The searched fields of a row: their weights and usual lengths in words."""
HEAD = "="
"""Begins the token of a word in the name or title of a row."""
EXACT = "i:"
"""Begins the token of a row's whole name."""
FRESH = timedelta(days=30)
"""How long a document counts as fresh if it does not say it."""

_HEAD_FIELDS = 3
_MOST_TOKENS = 256
_MOST_VALUES = 100
_LONGEST_KEY = 240
_ORDINAL_BITS, _SERVICE_BITS = 20, 36
MOST_CAPABILITIES = (1 << _ORDINAL_BITS) - 2
_VERDICTS = {"clean": 0, "warnings": 2, "unchecked": 2, "errors": 4}
TRUST = (1.0, 0.98, 0.94, 0.92, 0.84, 0.82)
"""The factor of each tier: verified and clean, clean, then with warnings, then with errors."""


def key(text: str) -> str:
    """Returns a text as it can be kept and compared in every store: bounded, without null characters and surrogates."""
    if not text.isascii() or "\0" in text:
        text = text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    if len(text) > _LONGEST_KEY:
        digest = hashlib.sha256(text.encode()).hexdigest()
        text = f"{text[: _LONGEST_KEY - len(digest) - 1]}…{digest}"
    return text


@lru_cache(1 << 14)
def mark(kind: str, value: str) -> str:
    """Returns the token of a value that is compared as a whole, whatever characters it has."""
    digest = hashlib.blake2b(fold(value).encode("utf-8", "replace"), digest_size=8)
    return f"{kind}:{digest.hexdigest()}"


def exactly(name: str) -> str:
    """Returns the token of the name of a capability."""
    return EXACT + mark("", name)[1:]


def tier(source: Source | None) -> int:
    """Returns how far behind others a document's entries are, from 0 to 5."""
    if source is None:
        return 5
    return _VERDICTS[source.verdict] + (not source.verified)


def row_id(rank: int, ordinal: int, service: int) -> int:
    """Returns the id of a row. Rows are found by ascending ids: good tiers first, and each service's first capabilities before any's further ones."""
    return ((rank << _ORDINAL_BITS) | ordinal) << _SERVICE_BITS | service


def service_of(row: int) -> int:
    """Returns the id of the service of a row."""
    return row & ((1 << _SERVICE_BITS) - 1)


def is_capability(row: int) -> bool:
    """Whether a row is a capability's, not the service's own."""
    return bool((row >> _SERVICE_BITS) & ((1 << _ORDINAL_BITS) - 1))


def tier_of(row: int) -> int:
    """Returns the tier of a row."""
    return row >> (_ORDINAL_BITS + _SERVICE_BITS)


def stale_from(service: ServiceEntry) -> int:
    """Returns from when a service is stale, in seconds since 1970."""
    times = [s.fresh_until or s.fetched + FRESH for s in service.sources]
    return int(max(times, default=datetime.fromtimestamp(0, UTC)).timestamp())


def microseconds(moment: datetime | None) -> int:
    """Returns a time as a whole number since 1970, as which stores compare it; 0: not known."""
    return 0 if moment is None else round(moment.timestamp() * 1_000_000)


def facets(
    service: ServiceEntry, capabilities: list[CapabilityEntry]
) -> set[tuple[str, str, str]]:
    """Returns the values of a service and its capabilities that can be filtered by: field, folded value, and the value."""
    found: dict[tuple[str, str], str] = {}
    counts: dict[str, int] = {}
    seen: set[tuple[str, str]] = set()

    def add(field: str, value: str | None) -> None:
        # Capabilities of a service repeat the same few values.
        if not value or (field, value) in seen:
            return
        seen.add((field, value))
        if folded := key(fold(value)):
            if (field, folded) not in found:
                counts[field] = counts.get(field, 0) + 1
            if counts[field] <= _MOST_VALUES:
                found.setdefault((field, folded), key(value))

    add("domain", service.domain)
    add("name", service.name)
    for name in service.formats:
        add("format", name)
    entries: list[ServiceEntry | CapabilityEntry] = [service, *capabilities]
    for entry in entries:
        add("category", entry.category)
        add("auth", entry.auth)
        for tag in entry.tags:
            add("tag", tag)
    return {(field, folded, shown) for (field, folded), shown in found.items()}


def service_texts(service: ServiceEntry, values: Iterable[tuple[str, str, str]]) -> str:
    """Returns the lines of a service's row."""
    marks = [mark(field, folded) for field, folded, _ in values]
    host = " ".join(words(service.domain))
    return _lines(
        service.name or "",
        "",
        service.tags,
        service.description or "",
        (),
        f"{host} {_joined(service.category)}",
        marks,
    )


def capability_texts(
    entry: CapabilityEntry, service: ServiceEntry, about: str, marks: list[str]
) -> str:
    """Returns the lines of a capability's row. `about` has the words of its service, `marks` the tokens of its domain and formats."""
    own = [*marks, exactly(entry.name)]
    if category := entry.category or service.category:
        own.append(mark("category", category))
    if auth := entry.auth or service.auth:
        own.append(mark("auth", auth))
    if tags := (*entry.tags, *service.tags):
        own += [mark("tag", tag) for tag in [*dict.fromkeys(tags)][:_MOST_VALUES]]
    return _lines(
        entry.name,
        entry.title or "",
        entry.tags,
        entry.description or "",
        entry.parameters,
        f"{about} {_joined(entry.category)}",
        own,
    )


def about_service(service: ServiceEntry) -> tuple[str, list[str]]:
    """Returns what `capability_texts` needs of a service."""
    texts = (service.name or "", service.domain, " ".join(service.tags[:10]))
    stems = dict.fromkeys(words(" ".join((*texts, service.category or ""))))
    marks = [mark("domain", service.domain), mark("name", service.name or "")]
    marks += [mark("format", name) for name in service.formats]
    return " ".join(stems), marks


def _joined(text: str | None) -> str:
    return " ".join(words(text)) if text else ""


@lru_cache(1 << 16)
def _cached(name: str) -> str:
    return " ".join(words(name))


def _named(name: str) -> str:
    """Returns the words of a name; most names are met often."""
    return _cached(name) if len(name) < 64 else _joined(name)


def _all_named(names: tuple[str, ...]) -> str:
    """Returns the words of several names, as many as of a text."""
    if not names:
        return ""
    line = " ".join(map(_named, names[:_MOST_VALUES]))
    return line if len(line) < MOST_WORDS else " ".join(line.split()[:MOST_WORDS])


def _lines(
    name: str,
    title: str,
    tags: tuple[str, ...],
    description: str,
    parameters: tuple[str, ...],
    service: str,
    marks: list[str],
) -> str:
    lines = (
        _named(name),
        _joined(title),
        _all_named(tags),
        _joined(description),
        _all_named(parameters),
        service,
        " ".join(marks),
    )
    return "\n".join(lines)


def tokens(texts: str) -> tuple[set[str], str]:
    """Returns the words of a row, each once, and all its tokens, which are these and others, between spaces."""
    *lines, marks = texts.split("\n")
    whole = " ".join(lines)
    own = set(whole.split())
    if len(own) > _MOST_TOKENS:
        own = set(islice(dict.fromkeys(whole.split()), _MOST_TOKENS))
    head = set(" ".join(lines[:_HEAD_FIELDS]).split())
    titled = f" {HEAD}".join(("", *head))
    return own, f"{' '.join(own)}{titled} {marks}"


# Entries as JSON: arrays of their members in order.

_encode = json.JSONEncoder(separators=(",", ":")).encode


def _members(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    return attrgetter(*(field.name for field in fields(kind)))


_of_source, _of_service, _of_capability = map(
    _members, (Source, ServiceEntry, CapabilityEntry)
)
_SOURCE, _SERVICE, _CAPABILITY = (
    [field.name for field in fields(kind)]
    for kind in (Source, ServiceEntry, CapabilityEntry)
)


def _time_text(value: Any) -> str:
    """Returns a time as text; the encoder asks for it where it does not know a value."""
    return str(value.isoformat())


_encode_sources = json.JSONEncoder(separators=(",", ":"), default=_time_text).encode


def to_text(entry: ServiceEntry | CapabilityEntry) -> str:
    """Returns an entry as JSON."""
    if isinstance(entry, CapabilityEntry):
        return _encode(_of_capability(entry))
    values = dict(zip(_SERVICE, _of_service(entry), strict=True))
    values["sources"] = [_of_source(source) for source in entry.sources]
    return _encode_sources([*values.values()])


def service_columns(service: ServiceEntry) -> tuple[int, int, int, str]:
    """Returns what a store keeps of a service beside its domain: from when it is stale, when it was created and changed, and all of it as JSON."""
    created, updated = map(microseconds, (service.created, service.updated))
    return stale_from(service), created, updated, to_text(service)


def service_from(text: str) -> ServiceEntry:
    """Returns the service in a text of `to_text`."""
    values = dict(zip(_SERVICE, json.loads(text), strict=True))
    values["sources"] = tuple(map(_source_from, values["sources"]))
    values["tags"] = tuple(values["tags"])
    values["preferences"] = tuple(map(tuple, values["preferences"]))
    if values["created"] is not None:
        values["created"] = datetime.fromisoformat(values["created"])
    return ServiceEntry(**values)


def _source_from(members: list[Any]) -> Source:
    values = dict(zip(_SOURCE, members, strict=True))
    for name in ("fetched", "fresh_until", "changed"):
        if values[name] is not None:
            values[name] = datetime.fromisoformat(values[name])
    return Source(**values)


def capability_from(text: str) -> CapabilityEntry:
    """Returns the capability in a text of `to_text`."""
    values = dict(zip(_CAPABILITY, json.loads(text), strict=True))
    values["tags"] = tuple(values["tags"])
    values["parameters"] = tuple(values["parameters"])
    return CapabilityEntry(**values)
