"""Joins the documents of a domain to one service. The documents can arrive one after another.

A store keeps a service in the form in which searches return it. If a domain has several documents, or only documents that make no service alone, a
note keeps the content of each document.
"""

import json
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from .entries import ServiceEntry, Source
from .parts import Part, join
from .store import Writer

_ALL = 1 << 20


@dataclass(frozen=True, slots=True)
class Old:
    """What a store has of a domain: its service, and the note with the content of its documents."""

    entry: ServiceEntry | None
    note: bytes | None

    @classmethod
    def of(cls, writer: Writer, domain: str) -> "Old":
        """Reads both from the store."""
        name = f"parts {domain}"
        return cls(writer.service(domain), writer.recall(name).get(name))

    def sources(self) -> Sequence[Source]:
        """Returns the documents, also those of a domain that has no service yet."""
        if self.entry is not None:
            return self.entry.sources
        note = json.loads(self.note or b"[]")
        return [Part.of_values(values).source for values in note]

    def parts(self, writer: Writer) -> dict[str, Part]:
        """Returns the content of each document, by its URL. Without a note, the service has one document, and its content is that of the service."""
        if self.note is not None:
            found = [Part.of_values(values) for values in json.loads(self.note)]
        elif self.entry is not None:
            capabilities = writer.capabilities(self.entry.domain, limit=_ALL)
            found = [Part(replace(self.entry, capabilities=0), capabilities)]
        else:
            found = []
        parts = {part.url: part for part in found}
        # The times of the service are newer than those of the note.
        for source in self.entry.sources if self.entry else ():
            if source.url in parts:
                parts[source.url] = parts[source.url].with_source(source)
        return parts


def add_parts(
    writer: Writer,
    domain: str,
    new: Mapping[str, Part],
    bodies: Mapping[str, bytes],
    seen: Mapping[str, datetime],
    old: Old,
    gone: Iterable[str] = (),
) -> ServiceEntry | None:
    """Adds documents to those of a domain, and removes those that are gone. `seen` are the times at which other documents of the domain were read again."""
    parts = {**old.parts(writer), **new}
    for url in gone:
        parts.pop(url, None)
    for url, time in seen.items():
        if url in parts:
            parts[url] = parts[url].with_source(parts[url].source.again(time))
    return _put(writer, domain, parts, bodies, old)


def put_parts(
    writer: Writer,
    domain: str,
    new: Mapping[str, Part],
    bodies: Mapping[str, bytes],
    *,
    keep: Callable[[str], bool],
) -> ServiceEntry | None:
    """Replaces the documents of a domain, except those whose URLs `keep` names. Without any, the service is removed."""
    old = Old.of(writer, domain)
    parts = dict(new)
    for url, part in old.parts(writer).items():
        if url not in new and keep(url):
            parts[url] = part
        elif url in new and new[url].source.digest == part.source.digest:
            changed = part.source.changed or part.source.fetched
            parts[url] = new[url].with_source(replace(new[url].source, changed=changed))
    return _put(writer, domain, parts, bodies, old)


def _put(
    writer: Writer,
    domain: str,
    parts: dict[str, Part],
    bodies: Mapping[str, bytes],
    old: Old,
) -> ServiceEntry | None:
    joined = join(parts.values())
    note = None
    if len(parts) > 1 or (parts and joined is None):
        note = json.dumps([parts[url].to_values() for url in sorted(parts)]).encode()
    if note != old.note:
        writer.remember(f"parts {domain}", note)
    is_waiting = old.entry is None and old.note is not None
    kept = writer.recall(*map(_body, parts)) if is_waiting else {}
    if joined is None:
        forget_bodies(writer, old, parts)
        # Keeps the bytes until there is a service.
        for url in parts.keys() & bodies.keys():
            writer.remember(_body(url), bodies[url])
        writer.remove(domain)
        return None
    service, capabilities = joined
    documents: dict[str, bytes] = {}
    for url in parts:
        body = bodies.get(url) or kept.get(_body(url))
        if body is None and old.entry is not None:
            body = writer.document(domain, url)
        if body is not None:
            documents[url] = body
    for name in kept:
        writer.remember(name, None)
    return writer.put(service, capabilities, documents.items())


def forget_bodies(writer: Writer, old: Old, kept: Container[str] = ()) -> None:
    """Removes the bytes of the documents of a domain that has no service, but for those at the kept URLs."""
    for source in old.sources() if old.entry is None else ():
        if source.url not in kept:
            writer.remember(_body(source.url), None)


def _body(url: str) -> str:
    return f"body {url}"


def seen_again(
    writer: Writer, entry: ServiceEntry, times: Mapping[str, datetime]
) -> None:
    """Records that documents of a service were read again, and have not changed."""
    sources = tuple(
        source.again(times.get(source.url, source.fetched)) for source in entry.sources
    )
    if sources != entry.sources:
        writer.touch(replace(entry, sources=sources))
