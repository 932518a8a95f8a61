"""Fills a registry: from crawls, tables and folders, and from domains that are asked.

INVARIANT: each transaction contains whole documents and a note of the position of the build. A build that is killed at any moment is resumed after
its last transaction, and results in the same entries as an uninterrupted build.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from datetime import datetime
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from .. import Limits
from .._facts import FACTS
from ..cli.files import expanded
from ..cli.ingest import little_garbage
from ..cli.inputs import Place
from .entries import ServiceEntry
from .hosts import domain_of
from .joining import Old, add_parts, seen_again
from .parts import MOST_URL, Part, Same, parts
from .sources import Chunk, Inputs, Loss
from .store import Store, StoreError, Writer

# Maximum documents, bytes of documents and seconds of a transaction.
_DOCUMENTS, _BYTES, _SECONDS = 8_192, 16 << 20, 5.0
# Number of changes after which the index is optimized.
_MANY = 1_000
# Maximum number of losses to name.
_NAMED = 10


@dataclass(slots=True)
class Counts:
    """What a build has done so far."""

    documents: int = 0
    """Documents that were read."""
    bytes: int = 0
    new: int = 0
    """Documents of services that are new in the registry."""
    changed: int = 0
    """New or other documents of known services."""
    same: int = 0
    """Documents that have not changed."""
    older: int = 0
    """Captures of archives that are older than the document at their URL in the registry, which stays."""
    gone: int = 0
    """Documents that were removed, because an archive has a later answer 404 or 410."""
    others: int = 0
    """Documents that describe no service, such as pages and errors, or whose URL is not known."""
    unreadable: int = 0
    """Documents that were not received whole, such as answers with an error, and parts of the inputs that cannot be read."""
    lost: int = 0
    """Parts of the inputs that cannot be read, because they are damaged."""
    losses: list[Loss] = field(default_factory=list)
    """Location and reason of the first of these parts."""

    cut: int = 0
    """Texts of documents that are too long, such as names and URLs: their beginning is kept, or nothing."""
    passed: Counter[str] = field(default_factory=Counter)
    """Records of archives and documents that were passed over, by reason."""

    def add(self, chunk: Chunk) -> None:
        """Counts a chunk."""
        self.documents += chunk.documents
        self.bytes += chunk.size
        self.unreadable += chunk.unreadable
        self.lost += len(chunk.losses)
        self.losses += chunk.losses[: _NAMED - len(self.losses)]
        self.passed.update(chunk.passed)


def build(
    store: Store,
    sources: Iterable[str],
    *,
    limits: Limits | None = None,
    workers: int = 2,
    body: str = "body",
    url: str | None = None,
    keys: Mapping[str, Any] | None = None,
    skip: Callable[[str], bool] = lambda path: False,
    progress: Callable[[Counts], None] = lambda counts: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Counts:
    """Reads sources into a store: inputs and outputs of `agentsdisc ingest`.

    `keys` is a JWK Set of keys that are trusted: agent cards that are signed by one of them are verified. Documents that the store has with the same
    digest are not parsed again. An unfinished build of the same sources is resumed. `stopped` ends the build after the current transaction.
    """
    names = expanded([*sources], skip)
    inputs = Inputs(names, limits or Limits(), body=body, url=url)
    note = f"build {inputs.key}"
    counts, start = _resumed(store, note)

    def known(urls: list[str | None]) -> Mapping[str, str]:
        return _digests(store.services(_domains(urls)))

    held: list[Chunk] = []
    started, read, size = perf_counter(), 0, 0
    with little_garbage():
        for chunk, place in inputs.chunks(start, known, workers, skip):
            held.append(chunk)
            read, size = read + chunk.documents, size + chunk.size
            is_full = read >= _DOCUMENTS or size >= _BYTES
            if is_full or perf_counter() - started >= _SECONDS:
                _commit(store, held, counts, keys, (note, place))
                progress(counts)
                held, read, size, started = [], 0, 0, perf_counter()
                if stopped():
                    return counts
        _commit(store, held, counts, keys, (note, None))
    progress(counts)
    if counts.new + counts.changed >= _MANY:
        # The build stays valid if this fails, for example on a full disk.
        with suppress(StoreError):
            store.tidy()
    return counts


def _resumed(store: Store, note: str) -> tuple[Counts, Place]:
    kept = store.recall(note)
    if not kept:
        return Counts(), Place()
    values = json.loads(kept[note])
    number, count, seen = values["place"]
    counts = Counts(**values["counts"])
    counts.losses = [(where, why) for where, why in counts.losses]
    counts.passed = Counter(counts.passed)
    return counts, Place(number, count, tuple(seen))


def _commit(
    store: Store,
    held: list[Chunk],
    counts: Counts,
    keys: Mapping[str, Any] | None,
    end: tuple[str, Place | None],
) -> None:
    """Writes chunks and the note in one transaction; without a place, the build is complete, and the note is removed."""
    with store.write() as writer:
        for chunk in held:
            _write(writer, chunk, counts, keys)
        note, place = end
        value = None
        if place is not None:
            kept = {f.name: getattr(counts, f.name) for f in fields(Counts)}
            where = [place.input, place.count, place.seen]
            value = json.dumps({"place": where, "counts": kept}).encode()
        writer.remember(note, value)


def _write(
    writer: Writer, chunk: Chunk, counts: Counts, keys: Mapping[str, Any] | None
) -> None:
    counts.add(chunk)
    by_domain: dict[str, dict[str, Part]] = {}
    bodies: dict[str, bytes] = {}
    seen: dict[str, dict[str, datetime]] = {}
    for url, time in chunk.same:
        seen.setdefault(domain_of(url) or "", {})[url] = time
    gone = _gone(chunk)
    usable = same = len(chunk.same)
    several: dict[str, list[bytes]] = {}
    captured = chunk.dated()
    for url, body in chunk.received():
        several.setdefault(url, []).append(body)
    entries: dict[str, ServiceEntry] = {}

    def known(urls: list[str | None]) -> Mapping[str, str]:
        # The bytes of other documents were compared before.
        if chunk.bodies is None:
            entries.update(writer.services(_domains(urls)))
        return _digests(entries)

    if chunk.batch is not None:
        for part in parts(
            chunk.batch,
            chunk.fetched,
            chunk.urls,
            chunk.bodies,
            keys,
            known,
            counts.passed,
        ):
            usable += 1
            if isinstance(part, Same):
                same += 1
                times = seen.setdefault(domain_of(part.url) or "", {})
                times[part.url] = max(part.fetched, times.get(part.url, part.fetched))
                continue
            counts.cut += part.cut
            read = by_domain.setdefault(part.service.domain, {})
            other, url = read.get(part.url), part.url
            if other is not None and url in captured:
                counts.older += 1
                if other.source.fetched > part.source.fetched:
                    continue
            read[url] = part
            if url in several:
                bodies[url] = _of_digest(several[url], part.digest)
    counts.same += same
    counts.others += chunk.documents - usable - chunk.unreadable
    domains = {*by_domain, *seen, *gone}
    entries.update(writer.services(domains - entries.keys()))
    notes = writer.recall(
        *(f"parts {domain}" for domain in {*by_domain, *gone}),
        *(f"gone {domain}" for domain in domains),
    )
    for domain in sorted(domains):
        new, times = by_domain.get(domain, {}), seen.get(domain, {})
        entry, noted = entries.get(domain), notes.get(f"gone {domain}")
        if not new and domain not in gone and noted is None:
            # Most domains of a repeated build: nothing has changed.
            if entry is not None:
                seen_again(writer, entry, times)
            continue
        old = Old(entry, notes.get(f"parts {domain}"))
        absent = _Absent(noted)
        absent.add(gone.get(domain, {}))
        sources = old.sources()
        for source in sources:
            url = source.url
            latest = max(source.fetched, times.get(url, source.fetched))
            if url in new and new[url].digest == source.digest:
                times[url] = new.pop(url).source.fetched
                if entry is None:
                    counts.others += 1
                else:
                    counts.same += 1
            elif url in new and url in captured and latest > new[url].source.fetched:
                del new[url]
                bodies.pop(url, None)
                counts.older += 1
        for url in [*new]:
            if absent.hides(url, new[url].source.fetched, url in captured):
                del new[url]
                bodies.pop(url, None)
                counts.older += 1
        lost = [
            s.url
            for s in sources
            if s.url not in new
            and absent.hides(s.url, max(s.fetched, times.get(s.url, s.fetched)), True)
        ]
        counts.gone += len(lost)
        absent.keep(writer, domain, {*lost, *absent.located()})
        if new or lost:
            service = add_parts(writer, domain, new, bodies, times, old, lost)
            if entry is not None:
                counts.changed += len(new)
            elif service is not None:
                counts.new += len(new)
            else:
                counts.others += len(new)
        elif entry is not None:
            seen_again(writer, entry, times)


def _domains(urls: Iterable[str | None]) -> set[str]:
    return {domain for one in urls if one and (domain := domain_of(one))}


def _digests(entries: Mapping[str, ServiceEntry]) -> dict[str, str]:
    return {s.url: s.digest for entry in entries.values() for s in entry.sources}


def _gone(chunk: Chunk) -> dict[str, dict[str, datetime]]:
    """Returns the latest time at which each document of a chunk did not exist, by domain and URL."""
    found: dict[str, dict[str, datetime]] = {}
    for url, time in chunk.gone:
        if len(url) <= MOST_URL and (domain := domain_of(url)):
            times = found.setdefault(domain, {})
            times[url] = max(time, times.get(url, time))
    return found


_LOCATIONS = frozenset(
    place for facts in FACTS.values() for place in (*facts.locations, *facts.also_at)
)


class _Absent:
    """The note of the documents of a domain that an archive has not found, so that an older capture does not bring them back."""

    def __init__(self, note: bytes | None) -> None:
        self._before: dict[str, str] = json.loads(note or b"{}")
        self._times = {u: datetime.fromisoformat(t) for u, t in self._before.items()}

    def add(self, times: Mapping[str, datetime]) -> None:
        """Adds the times of further captures."""
        for url, time in times.items():
            self._times[url] = max(time, self._times.get(url, time))

    def hides(self, url: str, fetched: datetime, is_captured: bool) -> bool:
        """Whether a document is gone that was fetched at a time; a later one is there again."""
        time = self._times.get(url)
        if time is None:
            return False
        if is_captured and fetched <= time:
            return True
        del self._times[url]
        return False

    def located(self) -> set[str]:
        """Returns the URLs at which sites have documents for agents. Others are not worth a note."""
        paths = {url: urlsplit(url).path for url in self._times}
        return {
            url
            for url, path in paths.items()
            if not _LOCATIONS.isdisjoint((path, path.rpartition("/")[2]))
        }

    def keep(self, writer: Writer, domain: str, urls: Container[str]) -> None:
        """Keeps the note of these documents, and of those before."""
        kept = {
            url: time.isoformat()
            for url, time in self._times.items()
            if url in urls or url in self._before
        }
        if kept != self._before:
            value = json.dumps(kept).encode() if kept else None
            writer.remember(f"gone {domain}", value)


def _of_digest(bodies: Iterable[bytes], digest: str) -> bytes:
    """Returns the body with this digest. There are several of one URL."""
    several = [*bodies]
    while len(several) > 1 and hashlib.sha256(several[-1]).hexdigest() != digest:
        several.pop()
    return several[-1]
