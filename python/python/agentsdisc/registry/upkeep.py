"""Maintains a registry: removes and prunes services, exports and imports them, and migrates the tables of an earlier version."""

import base64
import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from . import rows
from .entries import Query
from .hosts import as_domain
from .joining import Old, add_parts, forget_bodies
from .reads import VERSION, Cursor
from .store import Store, StoreError
from .writing import SqlWriter

if TYPE_CHECKING:
    from .sql import SqlStore

_TOGETHER = 500
"""Services of a transaction."""
_ALL = 1 << 20
_KIND = "agentsdisc-registry"
_FORMAT = 1
"""The version of the format of exports. It does not follow that of the tables."""
_NOTES = ("parts", "gone", "submitted", "asked")
"""The kinds of notes that belong to a domain."""
OLD_VERSIONS = (3,)
"""The versions of the tables that can be migrated."""


class ImportFailed(ValueError):
    """A file is no whole export of a registry."""


@dataclass(slots=True)
class Pruned:
    """What a registry lost."""

    services: int = 0
    documents: int = 0


def remove(store: Store, domains: Iterable[str]) -> list[str]:
    """Removes services with their documents and notes. Returns the domains that were not there."""
    missing = []
    with store.write() as writer:
        for domain in dict.fromkeys(map(as_domain, domains)):
            was_waiting = writer.recall(f"parts {domain}")
            forget_bodies(writer, Old.of(writer, domain))
            for kind in _NOTES:
                writer.remember(f"{kind} {domain}", None)
            if not writer.remove(domain) and not was_waiting:
                missing.append(domain)
    return missing


def prune(
    store: Store, before: datetime, stopped: Callable[[], bool] = lambda: False
) -> Pruned:
    """Removes the documents that were last fetched before a time, the services without any other, and the notes of what was gone before."""
    pruned = Pruned()
    for domains in chain(_pages(store), _noted(store, "parts")):
        with store.write() as writer:
            for domain in domains:
                known = Old.of(writer, domain)
                old = [s.url for s in known.sources() if s.fetched < before]
                if not old:
                    continue
                pruned.documents += len(old)
                left = add_parts(writer, domain, {}, {}, {}, known, old)
                pruned.services += known.entry is not None and left is None
        if stopped():
            return pruned
    for domains in _noted(store, "gone"):
        names = [f"gone {domain}" for domain in domains]
        with store.write() as writer:
            for name, note in writer.recall(*names).items():
                times = json.loads(note)
                kept = {
                    url: time
                    for url, time in times.items()
                    if datetime.fromisoformat(time) >= before
                }
                if kept != times:
                    value = json.dumps(kept).encode() if kept else None
                    writer.remember(name, value)
        if stopped():
            break
    return pruned


def export(store: Store, path: str | Path) -> int:
    """Writes all services with their capabilities, documents and notes as gzip-compressed JSON Lines. Returns the number of services.

    Documents that make no service are left out. The file does not depend on the kind of store and on the version of its tables. A registry that changes meanwhile is exported service by service,
    each as a whole.
    """
    count = 0
    target = Path(path)
    partial = target.with_name(f"{target.name}.part")
    try:
        with gzip.open(partial, "wb", compresslevel=5) as file:
            _line(file, {"kind": _KIND, "version": _FORMAT})
            for domains in _pages(store):
                for domain in domains:
                    values = _exported(store, domain)
                    if values is not None:
                        _line(file, values)
                        count += 1
            _line(file, {"end": count})
        partial.replace(target)
    finally:
        with suppress(OSError):
            partial.unlink()
    return count


def _exported(store: Store, domain: str) -> dict[str, Any] | None:
    entry = store.service(domain)
    if entry is None:
        return None
    found = store.capabilities(domain, limit=_ALL)
    documents = {s.url: store.document(domain, s.url) for s in entry.sources}
    notes = store.recall(*(f"{kind} {domain}" for kind in _NOTES))
    return {
        "service": rows.to_text(entry),
        "capabilities": [rows.to_text(each) for each in found],
        "documents": {url: _packed(b) for url, b in documents.items() if b is not None},
        "notes": {name: _packed(value) for name, value in notes.items()},
    }


def import_(store: Store, path: str | Path) -> int:
    """Adds the services of an export, in place of those with the same domains. Returns their number. Raises ImportFailed for another file, and for a cut or damaged one, of which nothing is imported."""
    count = 0
    # The checksum is at the end.
    for _ in _decompressed(
        Path(path), lambda file: iter(partial(file.read, 1 << 20), b"")
    ):
        pass
    lines = _lines(Path(path))
    first = next(lines, None)
    if not isinstance(first, dict) or first.get("kind") != _KIND:
        raise ImportFailed("this is no export of a registry")
    if first.get("version") != _FORMAT:
        raise ImportFailed(
            f"the export has version {first.get('version')!r}, and this program reads {_FORMAT}"
        )
    end = None
    while end is None:
        with store.write() as writer:
            for _ in range(_TOGETHER):
                values = next(lines, None)
                if values is None:
                    raise ImportFailed(
                        f"the export ends after {count:,} services: it is cut"
                    )
                if "end" in values:
                    end = values["end"]
                    if end != count or next(lines, None) is not None:
                        raise ImportFailed(
                            f"the export says {end} services, and has {count:,}"
                        )
                    break
                try:
                    service = rows.service_from(values["service"])
                    found = [rows.capability_from(t) for t in values["capabilities"]]
                    bodies = {u: _unpacked(b) for u, b in values["documents"].items()}
                    notes = {n: _unpacked(v) for n, v in values["notes"].items()}
                    domain = service.domain
                    for kind in _NOTES:
                        name = f"{kind} {domain}"
                        writer.remember(name, notes.get(name))
                    writer.put(replace(service, capabilities=0), found, bodies.items())
                except (LookupError, TypeError, ValueError, AttributeError) as problem:
                    raise ImportFailed(
                        f"service {count + 1:,} cannot be read: {problem!r}"
                    ) from None
                count += 1
    return count


def _line(file: IO[bytes] | gzip.GzipFile, values: dict[str, Any]) -> None:
    file.write(json.dumps(values, separators=(",", ":")).encode() + b"\n")


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in _decompressed(path, iter):
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as problem:
            raise ImportFailed(f"the export is damaged: {problem}") from None
        if not isinstance(values, dict):
            raise ImportFailed("this is no export of a registry")
        yield values


def _decompressed(
    path: Path, parts: Callable[[gzip.GzipFile], Iterator[bytes]]
) -> Iterator[bytes]:
    """Yields parts of a compressed file."""
    try:
        with gzip.open(path, "rb") as file:
            yield from parts(file)
    except (EOFError, gzip.BadGzipFile, zlib.error) as problem:
        raise ImportFailed(f"the export is damaged: {problem}") from None


def _packed(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _unpacked(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _pages(store: Store) -> Iterator[list[str]]:
    """Yields the domains of all services."""
    after = None
    while hits := store.list(Query(limit=100), after=after).hits:
        yield [hit.service.domain for hit in hits]
        after = hits[-1].service.domain


def _noted(store: Store, kind: str) -> Iterator[list[str]]:
    """Yields the domains that have a note of a kind."""
    after = ""
    while domains := store.noted(kind, after):
        yield domains
        after = domains[-1]


def migrate(store: "SqlStore", cursor: Cursor) -> None:
    """Makes the index again from the entries of an earlier version, in the transaction of `cursor`. The caller has emptied nothing, and sets the version."""
    run = cursor.execute
    run("CREATE TEMPORARY TABLE old_services AS SELECT id, domain, data FROM services")
    run("CREATE TEMPORARY TABLE old_entries AS SELECT service, name, data FROM entries")
    run("CREATE INDEX old_entries_of ON old_entries (service)")
    store.empty_index(cursor)
    run("UPDATE numbers SET value = 0 WHERE name IN ('services', 'capabilities')")
    writer = SqlWriter(store, cursor, is_whole=True)
    try:
        after = ""
        while found := list(
            run(
                "SELECT id, domain, data FROM old_services WHERE domain > ? ORDER BY domain LIMIT ?",
                (after, _TOGETHER),
            )
        ):
            for identity, domain, data in found:
                texts = list(
                    run(
                        "SELECT data FROM old_entries WHERE service = ? AND name <> ''",
                        (identity,),
                    )
                )
                service = rows.service_from(data)
                writer.put(
                    replace(service, capabilities=0),
                    [rows.capability_from(text) for (text,) in texts],
                    (),
                )
                after = domain
        writer.finish()
    finally:
        writer.close()
    run("DROP TABLE old_entries")
    run("DROP TABLE old_services")


def require_version(found: int, where: str, *, migrates: bool) -> None:
    """Raises StoreError for a version of the tables that cannot be used."""
    if found == VERSION or (migrates and found in OLD_VERSIONS):
        return
    remedy = "build it again"
    if found in OLD_VERSIONS:
        remedy = "run `agentsdisc registry migrate` with this store"
    elif found > VERSION:
        remedy = "a newer version of agentsdisc has written it"
    raise StoreError(
        f"{where} has version {found} of the tables, and this program needs {VERSION}; {remedy}"
    )
