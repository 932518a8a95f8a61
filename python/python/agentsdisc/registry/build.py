"""Fills a registry: from crawls, tables and folders, and from domains that are asked.

INVARIANT: each transaction has whole documents, and the note of how far the build is. A build that is killed at any moment goes on behind its last
transaction, and ends with the same entries as one that was not.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from time import perf_counter
from typing import TYPE_CHECKING

from .. import Limits
from ..cli.ingest import little_garbage
from ..cli.inputs import Place
from .entries import ServiceEntry, Source
from .parts import Part, domain_of, join, parts
from .sources import Chunk, Inputs
from .store import Store, Writer

if TYPE_CHECKING:
    pass

# A transaction ends after so many documents or seconds.
_DOCUMENTS, _SECONDS = 8_192, 5.0
_ALL = 1 << 20


@dataclass(slots=True)
class Counts:
    """What a build has done so far."""

    documents: int = 0
    """Documents that were read."""
    bytes: int = 0
    new: int = 0
    """Documents of services that the registry had not."""
    changed: int = 0
    """New or other documents of known services."""
    same: int = 0
    """Documents that have not changed."""
    others: int = 0
    """Documents that say nothing of a service, such as pages and errors, or whose URL is not known."""
    unreadable: int = 0
    """Parts of the inputs that cannot be read."""

    def add(self, chunk: Chunk) -> None:
        """Counts a chunk."""
        self.documents += chunk.documents
        self.bytes += chunk.size
        self.unreadable += chunk.unreadable


def build(
    store: Store,
    sources: Iterable[str],
    *,
    limits: Limits | None = None,
    workers: int = 2,
    body: str = "body",
    url: str | None = None,
    skip: Callable[[str], bool] = lambda path: False,
    progress: Callable[[Counts], None] = lambda counts: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Counts:
    """Reads sources into a store: what `agentsdisc ingest` reads and writes.

    Documents that the store has with the same digest are not parsed again. If a build of the same sources did not end, it goes on; `stopped` ends it
    after the current transaction.
    """
    inputs = Inputs([*sources], limits or Limits(), body=body, url=url)
    note = f"build {inputs.key}"
    counts, start = _resumed(store, note)

    def known(urls: list[str | None]) -> Mapping[str, str]:
        domains = {domain for one in urls if one and (domain := domain_of(one))}
        entries = store.services(domains)
        return {s.url: s.digest for entry in entries.values() for s in entry.sources}

    held: list[Chunk] = []
    started, read = perf_counter(), 0
    with little_garbage():
        for chunk, place in inputs.chunks(start, known, workers, skip):
            held.append(chunk)
            read += chunk.documents
            if read >= _DOCUMENTS or perf_counter() - started >= _SECONDS:
                _commit(store, held, counts, note, place)
                progress(counts)
                held, read, started = [], 0, perf_counter()
                if stopped():
                    return counts
        _commit(store, held, counts, note, None)
    progress(counts)
    return counts


def _resumed(store: Store, note: str) -> tuple[Counts, Place]:
    kept = store.recall(note)
    if not kept:
        return Counts(), Place()
    values = json.loads(kept[note])
    number, count, seen = values["place"]
    return Counts(**values["counts"]), Place(number, count, tuple(seen))


def _commit(
    store: Store, held: list[Chunk], counts: Counts, note: str, place: Place | None
) -> None:
    """Writes chunks and the note in one transaction; without a place, the build is at its end, and the note goes."""
    with store.write() as writer:
        for chunk in held:
            _write(store, writer, chunk, counts)
        value = None
        if place is not None:
            kept = {f.name: getattr(counts, f.name) for f in fields(Counts)}
            where = [place.input, place.count, place.seen]
            value = json.dumps({"place": where, "counts": kept}).encode()
        writer.remember(note, value)


def _write(store: Store, writer: Writer, chunk: Chunk, counts: Counts) -> None:
    counts.add(chunk)
    by_domain: dict[str, dict[str, Part]] = {}
    bodies: dict[str, bytes] = {}
    times: dict[str, dict[str, datetime]] = {}
    for url, time in chunk.same:
        times.setdefault(domain_of(url) or "", {})[url] = time
    usable = len(chunk.same)
    if chunk.batch is not None:
        for part in parts(chunk.batch, chunk.fetched, chunk.urls, chunk.bodies):
            by_domain.setdefault(part.service.domain, {})[part.url] = part
            usable += 1
        if chunk.bodies is not None and chunk.urls is not None:
            bodies = {
                url: body
                for url, body in zip(chunk.urls, chunk.bodies, strict=True)
                if url and body is not None
            }
    counts.same += len(chunk.same)
    counts.others += chunk.documents - usable - chunk.unreadable
    domains = {*by_domain, *times}
    known = writer.services(domains)
    notes = writer.recall(*(f"parts {domain}" for domain in by_domain))
    for domain in domains:
        new = by_domain.get(domain, {})
        seen = times.get(domain, {})
        entry = known.get(domain)
        for source in entry.sources if entry else ():
            if source.url in new and _digest(new[source.url]) == source.digest:
                seen[source.url] = new.pop(source.url).service.sources[0].fetched
                counts.same += 1
        if new:
            counts.changed += len(new) if entry else 0
            counts.new += 0 if entry else len(new)
            note = notes.get(f"parts {domain}")
            old = _old_parts(writer, entry, note)
            _put(writer, domain, _merged(old, new, seen), bodies, bool(note), entry)
        elif entry is not None:
            _seen_again(writer, entry, seen)


def _digest(part: Part) -> str:
    return part.service.sources[0].digest


def _old_parts(
    writer: Writer, entry: ServiceEntry | None, note: bytes | None
) -> dict[str, Part]:
    """Returns what the documents say that the registry has of a service. If there is one, it is what the registry says."""
    if note is not None:
        found = [Part.of_values(values) for values in json.loads(note)]
    elif entry is not None:
        capabilities = writer.capabilities(entry.domain, limit=_ALL)
        found = [Part(replace(entry, capabilities=0), capabilities)]
    else:
        found = []
    parts = {part.url: part for part in found}
    # The times of the service are newer than those of the note.
    for source in entry.sources if entry else ():
        if source.url in parts:
            parts[source.url] = _at(parts[source.url], source)
    return parts


def _at(part: Part, source: Source) -> Part:
    return replace(part, service=replace(part.service, sources=(source,)))


def _merged(
    old: dict[str, Part], new: dict[str, Part], seen: dict[str, datetime]
) -> dict[str, Part]:
    merged = old | new
    for url, time in seen.items():
        if url in merged:
            (source,) = merged[url].service.sources
            newest = max(time, source.fetched)
            merged[url] = _at(merged[url], replace(source, fetched=newest))
    return merged


def _put(
    writer: Writer,
    domain: str,
    found: dict[str, Part],
    bodies: Mapping[str, bytes],
    is_noted: bool,
    entry: ServiceEntry | None,
) -> None:
    """Writes the service that the documents of a domain describe."""
    joined = join(found.values())
    if len(found) > 1 or joined is None:
        values = [found[url].to_values() for url in sorted(found)]
        writer.remember(f"parts {domain}", json.dumps(values).encode())
    elif is_noted:
        writer.remember(f"parts {domain}", None)
    if joined is None:
        return
    service, capabilities = joined
    documents = {}
    for url in found:
        body = bodies.get(url)
        if body is None and entry is not None:
            body = writer.document(domain, url)
        if body is not None:
            documents[url] = body
    writer.put(service, capabilities, documents.items())


def _seen_again(
    writer: Writer, entry: ServiceEntry, seen: Mapping[str, datetime]
) -> None:
    """Keeps that documents were read again."""
    sources = tuple(
        replace(source, fetched=seen[source.url])
        if source.url in seen and seen[source.url] > source.fetched
        else source
        for source in entry.sources
    )
    if sources != entry.sources:
        writer.touch(replace(entry, sources=sources))
