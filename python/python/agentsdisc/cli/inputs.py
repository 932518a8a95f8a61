"""Reads the inputs of `agentsdisc ingest` (files, folders, archives, tables and JSON Lines) as a stream of documents."""

import codecs
import contextlib
import hashlib
import io
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from . import archives, containers, packed, tables
from .files import ARCHIVES, JSON_LINES, TABLES, holds, under
from .items import Documents, Item, Lines, Part, Revisit, Rows
from .reading import Unreadable, is_regular, standard_input
from .terminal import visible

__all__ = [
    "Documents",
    "Item",
    "Lines",
    "Part",
    "Place",
    "Rows",
    "Wanted",
    "changed",
    "items",
    "known_size",
    "marks",
    "require",
]

_HOST = re.compile(r"(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*(?::[0-9]+)?", re.IGNORECASE)
# Little-endian UTF-32 starts with the mark of little-endian UTF-16; big-endian UTF-32 starts with a null byte.
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
# First bytes of archives: uncompressed, gzip, Zstandard (without or with a dictionary before it) and LZ4.
_ARCHIVE = (
    b"WARC/",
    b"filedesc://",
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"\x5d\x2a\x4d\x18",
    b"\x04\x22\x4d\x18",
)

# Size in bytes of a further read of a file that has grown.
_MORE = 1 << 16
# Size in bytes of the revisits that are kept, and of the documents that they repeat: a revisit is small, and its document can be large.
_REVISITS, _REVISITED = 16 << 20, 1 << 30
UNRESOLVED = "revisit of a record that is not in the run"
"""Why a revisit of a document has no row."""
_TOO_MANY = "revisit beyond the limit"
# Size of a read of JSON Lines in bytes.
_PORTION = 8 << 20


@dataclass(frozen=True, slots=True)
class Wanted:
    """Options for reading the inputs."""

    limit: int
    """Maximum size of a document in bytes."""
    all_records: bool = False
    """Archives: also read responses from other than the known URLs."""
    body: str = "body"
    """Tables: the column that holds the documents."""
    url: str | None = None
    """Tables: the column that holds the URLs. None: the column `url`, if present."""
    revisits: bool = False
    """Archives: also read the documents of revisits, from the earlier records. Otherwise, revisits are only counted."""
    threads: int = 1
    """Archives: the number of threads that unpack a file."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A position in the inputs."""

    input: int = 0
    """Index of the input, from 0."""
    count: int = 0
    """Number of documents of this input that are done."""
    seen: tuple[str, ...] = field(default=(), compare=False)
    """For each input up to the last folder so far, a digest of a folder's files, to detect changes before the run resumes; empty for other inputs."""
    revisits: tuple[Revisit, ...] = field(default=(), compare=False)
    """To resume: the revisits before this position, which are read after all inputs."""


def items(
    inputs: list[str],
    wanted: Wanted | int,
    skip: Callable[[str], bool],
    start: Place | None = None,
) -> Iterator[tuple[Part, Place]]:
    """Yields every document of the inputs, in a stable order, each with the position after it. A file that cannot be read is an item with a problem.

    Skips the documents before `start`. Raises Unreadable before any document is read if an input does not exist, or if a table lacks the requested
    columns.
    """
    if isinstance(wanted, int):
        wanted = Wanted(wanted)
    if inputs.count("-") > 1:
        raise Unreadable("-: standard input can be read only once; name it once")
    require(inputs)
    for name in inputs:
        # Only regular files are checked, because a pipe can be opened only once.
        if name.lower().endswith(TABLES) and Path(name).is_file():
            tables.check(name, wanted.body, wanted.url)
    return _from(inputs, wanted, skip, start or Place())


def require(inputs: list[str]) -> None:
    """Raises Unreadable if an input does not exist."""
    for name in inputs:
        if name != "-" and not os.path.lexists(name):
            raise Unreadable.of(FileNotFoundError(2, "No such file or directory", name))


def _from(
    inputs: list[str], wanted: Wanted, skip: Callable[[str], bool], start: Place
) -> Iterator[tuple[Part, Place]]:
    seen: tuple[str, ...] = ()
    revisits = _Revisits(start.revisits)
    for number, name in enumerate(inputs):
        is_folder = os.path.isdir(name)  # noqa: PTH112
        files = _Seen()
        if number < start.input:
            if is_folder:
                for _ in _in_folder(name, skip, files):
                    pass
            if files.digest != _at(start.seen, number):
                raise changed(name)
            seen = _with(seen, number, files.digest)
            continue
        before = start.count if number == start.input else 0
        count = 0
        if is_folder:
            parts = _of_folder(name, wanted, skip, before, files)
        else:
            parts = _of(name, wanted)
        for part in parts:
            passed = min(max(before - count, 0), part.count)
            count += part.count
            if count == before and files.digest != _at(start.seen, number):
                raise changed(name)
            if isinstance(part, Documents) and (passed < part.count or not part.count):
                revisits.add(part)
            if not part.count:
                # Records that were passed over behind the last document. They end the input, so that a resumed run does not count them again.
                yield part, Place(number + 1, 0, _with(seen, number, files.digest))
            elif passed < part.count:
                place = Place(number, count, _with(seen, number, files.digest))
                yield (_without(part, passed) if passed else part), place
        if count < before:
            raise changed(name)
        seen = _with(seen, number, files.digest)
    before = start.count if start.input == len(inputs) else 0
    if start.input <= len(inputs) and revisits.found:
        yield from _of_revisits(inputs, wanted, revisits.found, before, seen)


_Waiting = dict[str, dict[str | None, list[Revisit]]]
"""Revisits by the URL and the key of the earlier record."""


class _Revisits:
    """The revisits of a run, up to a bounded size."""

    def __init__(self, found: tuple[Revisit, ...]) -> None:
        self.found = [*found]
        self._size = sum(map(_size, found))

    def add(self, part: Documents) -> None:
        """Takes over those of a part; the part counts those that exceed the bound."""
        for at, revisit in enumerate(part.revisits):
            self._size += _size(revisit)
            if self._size > _REVISITS:
                part.passed[_TOO_MANY] += len(part.revisits) - at
                part.revisits = part.revisits[:at]
                return
            self.found.append(revisit)


def _size(revisit: Revisit) -> int:
    """Returns about how many bytes of memory a revisit takes."""
    return 256 + sum(len(text) for text in revisit if text)


def _of_revisits(
    inputs: list[str],
    wanted: Wanted,
    revisits: list[Revisit],
    before: int,
    seen: tuple[str, ...],
) -> Iterator[tuple[Part, Place]]:
    """Yields the documents of revisits. Reads the archives once more: the earlier record can be in any of them.

    The first `before` documents are done.
    """
    waiting: _Waiting = {}
    for revisit in revisits:
        those = waiting.setdefault(revisit.of_url, {})
        those.setdefault(revisit.key, []).append(revisit)
    rest: Counter[str] = Counter()
    count, room = 0, _REVISITED
    for name in inputs:
        if not waiting:
            break
        for part in _again(name, wanted, waiting):
            found = Documents()
            for revisit, at in _earlier(part, waiting):
                body = part.bodies[at] or b""
                room -= len(body)
                if room < 0:
                    rest[_TOO_MANY] += 1
                    continue
                count += 1
                if count <= before:
                    continue
                capture = part.captures[at]._replace(
                    kind="revisit", digest=revisit.digest or part.captures[at].digest
                )
                found.add(
                    revisit.source,
                    revisit.url,
                    body,
                    part.sizes[at],
                    date=revisit.date,
                    capture=capture,
                )
                if found.is_full:
                    yield found, Place(len(inputs), count, seen)
                    found = Documents()
            if found.count:
                yield found, Place(len(inputs), count, seen)
    if count < before:
        raise changed(", ".join(inputs))
    if unresolved := sum(
        len(some) for those in waiting.values() for some in those.values()
    ):
        rest[UNRESOLVED] = unresolved
    if rest:
        yield Documents(passed=rest), Place(len(inputs) + 1, 0, seen)


def _earlier(part: Documents, waiting: _Waiting) -> Iterator[tuple[Revisit, int]]:
    """Yields the revisits of documents in a part, each with the number of its document, and removes them from those that wait."""
    for at, url in enumerate(part.urls):
        those = waiting.get(url or "")
        # A document of uncertain origin must not become that of another record.
        if those is None or at in part.problems or at in part.recovered:
            continue
        for key in (part.captures[at].digest, part.dates.get(at)):
            for revisit in those.pop(key, ()) if key else ():
                yield revisit, at
        if not those:
            del waiting[url or ""]


def _again(name: str, wanted: Wanted, urls: Collection[str]) -> Iterator[Documents]:
    """Yields the responses from some URLs in an archive; nothing for another input, or if it cannot be read again."""
    is_archive = name.lower().endswith(ARCHIVES) or _held(name) in containers.ARCHIVES
    if name == "-" or not is_archive or not Path(name).is_file():
        return
    with contextlib.suppress(OSError), open(name, "rb") as file:  # noqa: PTH123
        for part in _archives(_shown(name), file, wanted, urls):
            if isinstance(part, Documents):
                yield part


def _with(seen: tuple[str, ...], number: int, digest: str) -> tuple[str, ...]:
    """Adds the digest of an input. Digests of other inputs than folders are left out at the end, so that many archives do not make a long tuple for each."""
    return (*seen, *[""] * (number - len(seen)), digest) if digest else seen


def _at(seen: tuple[str, ...], number: int) -> str:
    return seen[number] if number < len(seen) else ""


class _Seen:
    """A digest of the files of a folder: their names, sizes and modification times."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=16)
        self._count = 0

    def add(self, path: str | OSError) -> None:
        """Adds a file, or a folder that cannot be read."""
        state = None if isinstance(path, OSError) else _mark(path)
        self._hash.update(f"{path!r} {state}\n".encode())
        self._count += 1

    @property
    def digest(self) -> str:
        """The digest as text; empty without files."""
        return self._hash.hexdigest() if self._count else ""


def marks(
    inputs: list[str], skip: Callable[[str], bool] | None = None
) -> list[list[int] | None]:
    """Returns the size and modification time (in nanoseconds) of each input file; None for standard input.

    For a folder, it is the number and a digest of the names of the files in it, without those that `skip` leaves out, or None without `skip`.
    """
    found: list[list[int] | None] = []
    for name in inputs:
        if name == "-":
            found.append(None)
        elif os.path.isdir(name):  # noqa: PTH112
            found.append(None if skip is None else _listed(name, skip))
        else:
            found.append(_mark(name))
    return found


def _listed(folder: str, skip: Callable[[str], bool]) -> list[int]:
    digest, count = hashlib.blake2b(digest_size=6), 0
    for path in under(folder):
        if isinstance(path, str) and not skip(path):
            digest.update(os.fsencode(path) + b"\0")
            count += 1
    return [count, int.from_bytes(digest.digest())]


def _mark(name: str) -> list[int] | None:
    try:
        state = os.stat(name)  # noqa: PTH116
    except OSError:
        return None
    return [state.st_size, state.st_mtime_ns]


def changed(name: str) -> Unreadable:
    """Returns the error for an input that has changed, so the position to resume at is unknown."""
    return Unreadable(
        f"{visible(name)}: the input has changed since the unfinished run; discard the run with --restart"
    )


def _without(part: Part, passed: int) -> Part:
    """Returns a part without its first `passed` documents."""
    if isinstance(part, Documents):
        return part.without(passed)
    if isinstance(part, Lines):
        rest = part.data.split(b"\n", passed)[passed]
        return Lines(part.name, part.number + passed, rest)
    if isinstance(part, Rows):
        batch = part.batch.slice(passed)
        return Rows(part.name, part.number + passed, batch, part.size)
    return part


def known_size(
    inputs: list[str], skip: Callable[[str], bool], stopped: Callable[[], bool]
) -> int | None:
    """Returns the total size of the inputs in bytes; None if it is unknown, or if `stopped` returns True."""
    size = 0
    for name in inputs:
        if name == "-":
            return None
        for path in under(name) if Path(name).is_dir() else (name,):
            if stopped():
                return None
            with contextlib.suppress(OSError):
                if isinstance(path, str) and is_regular(path) and not skip(path):
                    size += os.stat(path).st_size  # noqa: PTH116
    return size


def _in_folder(
    name: str, skip: Callable[[str], bool], seen: _Seen
) -> Iterator[str | OSError]:
    """Yields the files of a folder, and an error for each folder in it that cannot be read."""
    for path in under(name):
        if isinstance(path, OSError) or not skip(path):
            seen.add(path)
            yield path


def _of_folder(
    name: str, wanted: Wanted, skip: Callable[[str], bool], before: int, seen: _Seen
) -> Iterator[Part]:
    """Yields the documents of a folder. The first `before` documents are done, so they are not read."""
    for number, path in enumerate(_in_folder(name, skip, seen)):
        if isinstance(path, OSError):
            where = os.fspath(path.filename or name)
            yield Item(_shown(where), None, b"", 0, _unreadable(path))
        elif number < before:
            yield Item(_shown(path), None, b"", 0)
        elif (many := holds(path)) is not None:
            why = ("unreadable", f"{many} in a folder: name it as an input")
            yield Item(_shown(path), None, b"", 0, why)
        else:
            url = _mirrored(_shown(path[len(name) :].lstrip(os.sep)))
            yield _file(path, url, wanted.limit)


def _of(name: str, wanted: Wanted) -> Iterator[Part]:
    """Yields the parts of an input that is not a folder."""
    kind, shown = name.lower(), _shown(name)
    if name == "-":
        yield from _standard_input(wanted)
        return
    is_named = kind.endswith(TABLES + ARCHIVES + packed.JSON_LINES)
    held = None if is_named else _held(name)
    is_archive = kind.endswith(ARCHIVES) or held in containers.ARCHIVES
    if kind.endswith(TABLES) or held in (containers.PARQUET, containers.ARROW):
        yield from tables.parts(name, shown, wanted.body, wanted.url)
    elif is_archive or (kind.endswith(JSON_LINES) and held is None):
        try:
            file = open(name, "rb")  # noqa: SIM115, PTH123
        except OSError as problem:
            yield Item(shown, None, b"", 0, _unreadable(problem))
            return
        with file:
            if is_archive:
                yield from _archives(shown, file, wanted)
            elif kind.endswith(packed.JSON_LINES):
                source = packed.unpacked(name, file)
                yield from _lines(shown, source, wanted.limit)
            else:
                yield from _lines(shown, file, wanted.limit)
    else:
        yield _file(name, None, wanted.limit)


def _held(path: str) -> str | None:
    """Returns what a file holds instead of a document; None for a document and for what cannot be read."""
    try:
        if not is_regular(path):
            return None
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123
            found = containers.container(file.read(containers.FIRST))
    except OSError:
        return None
    return found and found[0]


def _standard_input(wanted: Wanted) -> Iterator[Part]:
    """Yields the parts of standard input: an archive or an Arrow stream if its first bytes match, otherwise JSON Lines."""
    stream = standard_input()
    most = containers.FIRST
    first = stream.peek(most)[:most] if isinstance(stream, io.BufferedReader) else b""
    why = containers.why(first)
    if first.startswith(_ARCHIVE):
        held = stream.read(len(stream.peek()))  # type: ignore[attr-defined]
        yield from _warc("<stdin>", stream, wanted, prefix=held)
    elif first.startswith(tables.STREAM):
        yield from tables.stream("<stdin>", stream, wanted.body, wanted.url)
    elif first.startswith(tables.FILES):
        raise Unreadable(
            "-: Parquet and Arrow files cannot be read from standard input, only Arrow streams; give the file's name"
        )
    elif why is not None:
        raise Unreadable(f"-: {why}")
    else:
        yield from _lines("<stdin>", stream, wanted.limit)


def _archives(
    name: str, file: BinaryIO, wanted: Wanted, urls: Collection[str] | None = None
) -> Iterator[Documents | Item]:
    """Yields the responses in an archive, or in the archives in a file."""
    if not name.lower().endswith(packed.ARCHIVES):
        yield from _warc(name, file, wanted, only=urls)
        return
    for source in packed.archives(name, file):
        if source.why is not None:
            yield Item(source.name, None, b"", 0, ("unreadable", source.why))
        else:
            section = source.section
            yield from _warc(
                source.name, source.file, wanted, only=urls, section=section
            )


def _warc(
    name: str, file: BinaryIO, wanted: Wanted, **more: Any
) -> Iterator[Documents]:
    return archives.records(
        name,
        file,
        wanted.limit,
        wanted.all_records,
        revisits=wanted.revisits,
        threads=wanted.threads,
        **more,
    )


def _mirrored(path: str) -> str | None:
    """Returns the URL of a file in a mirror whose folders are named after hosts: `shop.example/.well-known/agents.txt`."""
    host, separator, rest = path.replace(os.sep, "/").partition("/")
    return (
        f"https://{host.lower()}/{rest}"
        if separator and _HOST.fullmatch(host)
        else None
    )


def _unreadable(problem: OSError) -> tuple[str, str]:
    return "unreadable", (problem.strerror or str(problem)).lower()


def _shown(path: str) -> str:
    """Returns a path as text without surrogates."""
    return path.encode("utf-8", "backslashreplace").decode()


def _file(path: str, url: str | None, limit: int) -> Item:
    source = _shown(path)
    try:
        # Opening a pipe would wait.
        if not is_regular(path):
            return Item(source, url, b"", 0, ("unreadable", "not a regular file"))
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123
            size = os.fstat(file.fileno()).st_size
            # One byte more than the limit is enough for the core to report that the document is too large.
            body = file.read(min(limit, size) + 1) or b""
            while len(body) <= limit and (
                more := file.read(min(limit + 1 - len(body), _MORE))
            ):
                body += more
            size = len(body) if len(body) <= limit else size
    except OSError as problem:
        return Item(source, url, b"", 0, _unreadable(problem))
    if (why := containers.why(body)) is not None:
        return Item(source, url, b"", size, ("unreadable", why))
    return Item(source, url, body, size)


def _lines(name: str, file: BinaryIO | packed.Unpacked, limit: int) -> Iterator[Part]:
    """Yields JSON Lines in batches. A line longer than the longest possible record is an item with a problem."""
    # Escapes make a body at most six times as long; 1 MiB is for the other fields.
    longest = limit * 6 + (1 << 20)
    number = 1
    pieces: list[bytes] = []  # the parts of an incomplete line
    pending = skipped = 0
    block = b"\n"
    is_first = True
    while block:
        try:
            block = file.read(_PORTION)
        except OSError as failed:
            yield Item(f"{name}:{number}", None, b"", 0, _unreadable(failed))
            return
        if is_first and block.startswith(_UTF_16):
            said = "JSON Lines must be UTF-8, and this is UTF-16 or UTF-32; convert it"
            yield Item(f"{name}:1", None, b"", len(block), ("invalid-record", said))
            return
        if is_first:
            block = block.removeprefix(codecs.BOM_UTF8)
        is_first = False
        start = 0
        if skipped:
            start = block.find(b"\n") + 1
            skipped += start or len(block)
            if block and not start:
                continue
            why = ("invalid-record", "the line is too long")
            yield Item(f"{name}:{number}", None, b"", skipped, why)
            number, skipped = number + 1, 0
        end = max(start, block.rfind(b"\n") + 1)
        if end > start or not block:
            data = b"".join([*pieces, block[start:end]])
            if data:
                yield Lines(name, number, data)
            number += data.count(b"\n")
            pieces, pending = [], 0
        pieces.append(block[end:])
        pending += len(block) - end
        if pending > longest:
            pieces, pending, skipped = [], 0, pending
