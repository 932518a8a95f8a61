"""The rows of an index: what is stored of an entry, and the tokens by which it is found.

Each service has one row, and each of its capabilities one more. The texts of a row are a line of words for each of `FIELDS`, in the singular and with
their stems (`words.words`). The tokens of the index follow from the texts. So the tokens can be removed again, and a search can score a row without its entry.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import chain, islice
from operator import attrgetter
from typing import Any, NamedTuple

from .._visible import unmasked_beginning
from .entries import CapabilityEntry, ServiceEntry, Source
from .hosts import publisher_of, spoken
from .words import MOST_WORDS_OF_TEXT as MOST_WORDS
from .words import STEMMED, fold, words

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
EXACT = "i"
"""The kind of the token of a row's whole name."""
FRESH = timedelta(days=30)
"""How long a document counts as fresh if it declares no lifetime."""

_HEAD_FIELDS = 3
_MOST_TOKENS = 256
_MOST_VALUES = 100
_LONGEST_KEY = 240
_SHORT = 64
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
        text = f"{unmasked_beginning(text, _LONGEST_KEY - len(digest) - 1)}…{digest}"
    return text


@lru_cache(1 << 14)
def mark(kind: str, value: str) -> str:
    """Returns the token of a value that is compared as a whole, whatever characters it has."""
    digest = hashlib.blake2b(fold(value).encode("utf-8", "replace"), digest_size=8)
    return f"{kind}:{digest.hexdigest()}"


def tier(source: Source | None) -> int:
    """Returns the tier of a document's entries, from 0 (first) to 5 (last)."""
    if source is None:
        return 5
    return _VERDICTS[source.verdict] + (not source.verified)


def row_id(rank: int, ordinal: int, service: int) -> int:
    """Returns the id of a row. Rows are found in ascending order of ids: good tiers first, and the first capabilities of every service before later ones."""
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
    """Returns the time from which a service is stale, in seconds since 1970."""
    times = [s.fresh_until or s.fetched + FRESH for s in service.sources]
    return int(max(times, default=datetime.fromtimestamp(0, UTC)).timestamp())


def microseconds(moment: datetime | None) -> int:
    """Returns a time in microseconds since 1970, as stores compare it; 0 if it is not known."""
    return 0 if moment is None else round(moment.timestamp() * 1_000_000)


def facets(
    service: ServiceEntry, capabilities: list[CapabilityEntry]
) -> set[tuple[str, str, str]]:
    """Returns the values of a service and its capabilities that can be filtered by: field, folded value, and the value."""
    entries: list[ServiceEntry | CapabilityEntry] = [service, *capabilities]
    given: dict[str, Iterable[str | None]] = {
        "domain": (service.domain,),
        "publisher": (publisher_of(service.domain),),
        "name": (service.name,),
        "format": service.formats,
        "category": (entry.category for entry in entries),
        "auth": (entry.auth for entry in entries),
        "tag": chain.from_iterable(entry.tags for entry in entries),
    }
    found = set()
    for field, values in given.items():
        shown: dict[str, str] = {}
        # Capabilities of a service repeat the same few values.
        for value in dict.fromkeys(values):
            if value and (folded := key(fold(value))) and len(shown) < _MOST_VALUES:
                shown.setdefault(folded, key(value))
        found |= {(field, folded, value) for folded, value in shown.items()}
    return found


class Row(NamedTuple):
    """What an index keeps of an entry to find it."""

    texts: str
    """A line of words for each of `FIELDS`, with their stems, and one of other tokens."""
    words: set[str]
    """Its words, each once."""
    tokens: str
    """All its tokens, between spaces or line ends: the words, their stems and others."""


def service_row(service: ServiceEntry, values: Iterable[tuple[str, str, str]]) -> Row:
    """Returns a service's row."""
    spoken_for = " ".join(words(spoken(service.domain)))
    fields = (
        _named(service.name or ""),
        "",
        _all_named(service.tags),
        _said(service.description),
        "",
        f"{spoken_for} {_said(service.category)}".rstrip(),
    )
    return _row(fields, " ".join(mark(field, folded) for field, folded, _ in values))


def capability_row(
    entry: CapabilityEntry, service: ServiceEntry, about: str, marks: str
) -> Row:
    """Returns a capability's row. `about` has the words of its service, `marks` the tokens of its domain and formats."""
    own = [marks, mark(EXACT, entry.name)]
    if category := entry.category or service.category:
        own.append(mark("category", category))
        if entry.category:
            about = f"{about} {_said(category)}"
    if auth := entry.auth or service.auth:
        own.append(mark("auth", auth))
    if tags := (*entry.tags, *service.tags):
        own += [mark("tag", tag) for tag in [*dict.fromkeys(tags)][:_MOST_VALUES]]
    fields = (
        _named(entry.name),
        _said(entry.title),
        _all_named(entry.tags),
        _said(entry.description),
        _all_named(entry.parameters),
        about,
    )
    return _row(fields, " ".join(own))


def about_service(service: ServiceEntry) -> tuple[str, str]:
    """Returns what `capability_row` needs of a service."""
    texts = (service.name or "", spoken(service.domain), " ".join(service.tags[:10]))
    found = dict.fromkeys(words(" ".join((*texts, service.category or ""))))
    marks = [mark("domain", service.domain), mark("name", service.name or "")]
    marks.append(mark("publisher", publisher_of(service.domain)))
    marks += [mark("format", name) for name in service.formats]
    return " ".join(found), " ".join(marks)


@lru_cache(1 << 16)
def _cached(name: str) -> str:
    return " ".join(words(name))


def _said(text: str | None) -> str:
    """Returns the words of a text that may not be declared."""
    return " ".join(words(text)) if text else ""


def _named(name: str) -> str:
    """Returns the words of a name, from a cache because most names are frequent."""
    return _cached(name) if len(name) < _SHORT else _said(name)


def _all_named(names: tuple[str, ...]) -> str:
    """Returns the words of several names, as many as of a text."""
    if not names:
        return ""
    line = " ".join(map(_named, names[:_MOST_VALUES]))
    if line.count(" ") >= MOST_WORDS:
        line = " ".join(line.split(" ")[:MOST_WORDS])
    return line


def row_of(texts: str) -> Row:
    """Returns the row with these texts."""
    said, _, marks = texts.rpartition("\n")
    return _indexed(texts, said, marks)


def _row(fields: Sequence[str], marks: str) -> Row:
    said = "\n".join(fields)
    return _indexed(f"{said}\n{marks}", said, marks)


def _indexed(texts: str, said: str, marks: str) -> Row:
    plain = said.replace(STEMMED, "")
    found = plain.split()
    own = {*found}
    if len(own) > _MOST_TOKENS:
        own = {*islice(dict.fromkeys(found), _MOST_TOKENS)}
        plain = " ".join(own)
    name, title, tags, _ = said.split("\n", _HEAD_FIELDS)
    head = f"{name} {title} {tags}" if title or tags else name
    titled = _titled(head) if len(head) < _SHORT else _titled.__wrapped__(head)
    return Row(texts, own, f"{plain} {titled} {marks}")


@lru_cache(1 << 16)
def _titled(head: str) -> str:
    """Returns the tokens of the words in the name and the title of a row."""
    return " ".join(f"{HEAD}{w}" for w in {*head.replace(STEMMED, "").split()})


# Entries as JSON: arrays of their members in order.

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


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
    """Returns a time as text; the encoder calls this for values that JSON does not support."""
    return str(value.isoformat())


_encode_sources = json.JSONEncoder(
    separators=(",", ":"), check_circular=False, default=_time_text
).encode


def to_text(entry: ServiceEntry | CapabilityEntry) -> str:
    """Returns an entry as JSON."""
    if isinstance(entry, CapabilityEntry):
        return _encode(_of_capability(entry))
    values = dict(zip(_SERVICE, _of_service(entry), strict=True))
    values["sources"] = [_of_source(source) for source in entry.sources]
    return _encode_sources([*values.values()])


def service_columns(service: ServiceEntry) -> tuple[int, int, int, str]:
    """Returns the columns of a service besides its domain: the times when it becomes stale, was created and was changed, and the entry as JSON."""
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
