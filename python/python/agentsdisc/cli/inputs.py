"""What `agentsdisc ingest` reads: files, folders and JSON Lines, as a stream of documents."""

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from .reading import Unreadable, is_regular

_HOST = re.compile(r"(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*(?::[0-9]+)?", re.IGNORECASE)
_JSON_LINES = (".jsonl", ".ndjson")


@dataclass(slots=True)
class Item:
    """A document to read, or why there is none."""

    source: str
    url: str | None
    body: bytes
    size: int
    problem: tuple[str, str] | None = None
    """Kind and message of what went wrong before parsing."""

    @property
    def hint(self) -> str:
        """What helps to detect the format."""
        return self.url or self.source.replace(os.sep, "/")


@dataclass(slots=True)
class Lines:
    """A portion of JSON Lines: whole lines."""

    name: str
    number: int
    """Of its first line, from 1."""
    data: bytes

    @property
    def size(self) -> int:
        """How many bytes of the input it is."""
        return len(self.data)


# A portion of JSON Lines has about this many bytes. Every portion becomes a row group in Parquet.
_PORTION = 8 << 20


def items(
    inputs: list[str], limit: int, skip: Callable[[str], bool]
) -> Iterator[Item | Lines]:
    """Every document of the inputs, in a stable order. A file that cannot be read is an item with a problem.

    Raises Unreadable where an input itself is not there, before anything is read.
    """
    for name in inputs:
        if name != "-" and not os.path.lexists(name):
            raise Unreadable.of(FileNotFoundError(2, "No such file or directory", name))
    return _all(inputs, limit, skip)


def known_size(
    inputs: list[str], skip: Callable[[str], bool], stopped: Callable[[], bool]
) -> int | None:
    """How many bytes there are to read; None where that cannot be known, or nobody wants to know it any more."""
    size = 0
    for name in inputs:
        if name == "-":
            return None
        for path in _files(name) if Path(name).is_dir() else (name,):
            if stopped():
                return None
            with contextlib.suppress(OSError):
                if isinstance(path, str) and is_regular(path) and not skip(path):
                    size += os.stat(path).st_size  # noqa: PTH116
    return size


def _all(
    inputs: list[str], limit: int, skip: Callable[[str], bool]
) -> Iterator[Item | Lines]:
    for name in inputs:
        if name == "-":
            yield from _lines("<stdin>", sys.stdin.buffer, limit)
        elif Path(name).is_dir():
            for path in _files(name):
                if isinstance(path, OSError):
                    where = os.fspath(path.filename or name)
                    yield Item(where, None, b"", 0, _unreadable(path))
                elif not skip(path):
                    yield _file(path, _mirrored(os.path.relpath(path, name)), limit)
        elif name.lower().endswith(_JSON_LINES):
            try:
                file = Path(name).open("rb")  # noqa: SIM115
            except OSError as problem:
                yield Item(name, None, b"", 0, _unreadable(problem))
                continue
            with file:
                yield from _lines(name, file, limit)
        else:
            yield _file(name, None, limit)


def _files(folder: str) -> Iterator[str | OSError]:
    """Every file under a folder, sorted, without following links to folders (they may lead in circles)."""
    problems: list[OSError] = []
    for where, folders, names in os.walk(folder, onerror=problems.append):
        yield from problems
        problems.clear()
        folders.sort()
        for name in sorted(names):
            yield os.path.join(where, name)  # noqa: PTH118
    yield from problems


def _mirrored(path: str) -> str | None:
    """The URL of a file in a mirror whose folders are named after hosts: `shop.example/.well-known/agents.txt`."""
    host, separator, rest = path.replace(os.sep, "/").partition("/")
    return (
        f"https://{host.lower()}/{rest}"
        if separator and _HOST.fullmatch(host)
        else None
    )


def _unreadable(problem: OSError) -> tuple[str, str]:
    return "unreadable", (problem.strerror or str(problem)).lower()


def _file(path: str, url: str | None, limit: int) -> Item:
    source = path.encode("utf-8", "backslashreplace").decode()
    try:
        if not is_regular(path):
            return Item(source, url, b"", 0, ("unreadable", "not a regular file"))
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123
            # One byte more than the limit is enough for the core to say that it is too large.
            body = file.read(limit + 1) or b""
            while len(body) <= limit and (more := file.read(limit + 1 - len(body))):
                body += more
            size = len(body) if len(body) <= limit else os.fstat(file.fileno()).st_size
    except OSError as problem:
        return Item(source, url, b"", 0, _unreadable(problem))
    return Item(source, url, body, size)


def _lines(name: str, file: BinaryIO, limit: int) -> Iterator[Item | Lines]:
    """The portions of JSON Lines. A line that is longer than any record can be is an item with a problem."""
    # Escapes make a body at most six times as long; the rest is for the other fields.
    longest = limit * 6 + (1 << 20)
    number = 1
    pieces: list[bytes] = []  # of a line that is not at its end
    pending = skipped = 0
    block = b"\n"
    while block:
        try:
            block = file.read(_PORTION)
        except OSError as problem:
            yield Item(f"{name}:{number}", None, b"", 0, _unreadable(problem))
            return
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
