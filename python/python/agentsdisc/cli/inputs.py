"""What `agentsdisc ingest` reads: files, folders and JSON Lines, as a stream of documents."""

import json
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


def items(inputs: list[str], limit: int, skip: Callable[[str], bool]) -> Iterator[Item]:
    """Every document of the inputs, in a stable order. A file that cannot be read is an item with a problem.

    Raises Unreadable where an input itself is not there, before anything is read.
    """
    for name in inputs:
        if name != "-" and not os.path.lexists(name):
            raise Unreadable.of(FileNotFoundError(2, "No such file or directory", name))
    return _all(inputs, limit, skip)


def _all(inputs: list[str], limit: int, skip: Callable[[str], bool]) -> Iterator[Item]:
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


def _lines(name: str, file: BinaryIO, limit: int) -> Iterator[Item]:
    """The records of JSON Lines: objects with `body` (a string) and, if known, `url`."""
    # Escapes make a body at most six times as long; the rest is for the other fields.
    longest = limit * 6 + (1 << 20)
    number = 0
    while True:
        number += 1
        source = f"{name}:{number}"
        try:
            line = file.readline(longest)
        except OSError as problem:
            yield Item(source, None, b"", 0, _unreadable(problem))
            return
        if not line:
            return
        if len(line) >= longest and not line.endswith(b"\n"):
            size = len(line)
            while (rest := file.readline(1 << 20)) and not rest.endswith(b"\n"):
                size += len(rest)
            yield Item(
                source, None, b"", size, ("invalid-record", "the line is too long")
            )
        elif not line.isspace():
            yield _record(source, line, limit)


def _record(source: str, line: bytes, limit: int) -> Item:
    def wrong(why: str) -> Item:
        return Item(source, None, b"", len(line), ("invalid-record", why))

    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as problem:
        return wrong(f"the line is not JSON: {problem}")
    if not isinstance(record, dict) or not isinstance(record.get("body"), str):
        return wrong("the line is no object with a string `body`")
    url = record.get("url")
    if url is not None and not isinstance(url, str):
        return wrong("`url` is no string")
    body = record["body"].encode("utf-8", "surrogatepass")
    clean = url.encode("utf-8", "backslashreplace").decode() if url else None
    return Item(source, clean, body[: limit + 1], len(body))
