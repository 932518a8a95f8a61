"""WARC files: the answers in them, and what is left of those that are damaged. Needs FastWARC, which the extra `warc` brings."""

import contextlib
import io
import re
import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from . import codings
from .items import Documents, Problem
from .reading import Unreadable

SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")

_LOCATION = re.compile(
    r"""https?://[^/?#]*/
    (?: \.well-known/(?: agents\.(?: json | txt | md ) | agent(?: \.json )? )
      | agents\.(?: json | txt | md ) | agent\.json | robots\.txt )
    (?: [?#] | $ )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Where documents are found (docs/formats.md, "Detection"): only answers from there are read, unless all are wanted."""

# What records start with, by how a file is packed: behind damage, the next one is looked for.
_GZIP, _PLAIN = b"\x1f\x8b\x08", b"WARC/1."
_STARTS = {
    ".gz": _GZIP,
    ".zst": b"\x28\xb5\x2f\xfd",
    ".lz4": b"\x04\x22\x4d\x18",
    ".warc": _PLAIN,
}
_BLOCK = 1 << 20
# A file in which so many starts led nowhere holds no records any more.
_ATTEMPTS = 1000


def fastwarc() -> Any:
    """The module; not an import statement, as it need not be there."""
    try:
        return import_module("fastwarc.warc")
    except ModuleNotFoundError:
        raise Unreadable(
            "reading WARC needs the package fastwarc: pip install 'agentsdisc[warc]'"
        ) from None


def is_location(url: str) -> bool:
    """Whether a document may be expected there."""
    return _LOCATION.match(url) is not None


def records(
    name: str, file: BinaryIO, limit: int, everything: bool, seekable: bool
) -> Iterator[Documents]:
    """The answers in a WARC file, in order. For every stretch that cannot be read there is a problem.

    A body is read up to one byte more than the limit.
    """
    module = fastwarc()
    way = _Way.of(module)
    stream: Any = file if seekable else Pipe(file)
    documents = Documents()
    begun = 0  # where these documents begin
    start, last, attempts, broken = 0, -1, 0, False
    while True:
        known = False
        try:
            for record in module.ArchiveIterator(
                stream,
                record_types=module.WarcRecordType.response,
                # Only of the answers that are wanted.
                parse_http=False,
                **way.options,
            ):
                attempts, broken, known = 0, False, False
                last = record.stream_pos
                url = record.headers.get(way.uri) or ""
                # Some writers put it into angle brackets, as WARC 1.0 says.
                if url.startswith("<"):
                    url = url[1:].removesuffix(">")
                if everything or is_location(url):
                    known = _add(documents, f"{name}@{last}", url, record, limit, way)
                    if documents.is_full:
                        documents.consumed, begun = last - begun, last
                        yield documents
                        documents = Documents()
            # FastWARC takes a member that was cut off, or is none, for the end of the file.
            if not known and _ends_early(stream, seekable, max(start, last)):
                where = f"{name}@{_size(stream)}"
                cut = ("truncated-record", "the file ends in the middle of a record")
                documents.add(where, None, b"", 0, cut)
            break
        except BaseException as problem:
            if not _is_damage(problem):
                raise
            attempts += 1
            if not broken:
                where = f"{name}@{max(start, last)}"
                why = (str(problem) or type(problem).__name__).lower()
                if not seekable:
                    why += "; what follows in the stream is lost"
                documents.add(where, None, b"", 0, ("corrupt-record", why))
            broken = True
            found = None
            if seekable and attempts < _ATTEMPTS:
                with contextlib.suppress(OSError):
                    magic = _magic(name, file)
                    found = _next_start(file, max(start, last) + 1, magic)
            if found is None:
                break
            start = found
            file.seek(start)
    if documents.count:
        documents.consumed = _size(stream) - begun
        yield documents


@dataclass(frozen=True, slots=True)
class _Way:
    """How FastWARC is asked for what is in a record so that it costs the least."""

    uri: Any
    """The name of the header with the URL."""
    truncated: Any
    """That of the one that says why the crawler has cut the answer."""
    options: dict[str, Any]

    @classmethod
    def of(cls, module: Any) -> "_Way":
        """Newer versions have names of headers that are no text, and can use one object for all records."""
        names = getattr(module, "WarcHeader", None)
        if names is None:
            return cls("WARC-Target-URI", "WARC-Truncated", {})
        return cls(names.WARC_TARGET_URI, names.WARC_TRUNCATED, {"inplace": True})


def _size(stream: Any) -> int:
    """Bytes of a file, or how many have been read."""
    if not isinstance(stream, Pipe):
        with contextlib.suppress(OSError):
            return int(stream.seek(0, 2))
    return int(stream.tell())


def _ends_early(stream: Any, seekable: bool, at: int) -> bool:
    """Whether the input ends in the middle of a record; `at` is the last answer that was seen."""
    if seekable:
        return _is_cut(stream, at)
    tail = stream.since(at)
    return tail is not None and _is_cut(io.BytesIO(tail), 0)


def _is_damage(problem: BaseException) -> bool:
    """Whether a record cannot be read. FastWARC is written in Rust, and damage may be a panic there."""
    return (
        isinstance(problem, OSError | ValueError)
        or type(problem).__name__ == "PanicException"
    )


class Pipe:
    """A pipe as FastWARC wants it: with a position, although nobody can move it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._position = self._held = 0
        self._tail: deque[bytes] = deque()

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        block = self._file.read(size)
        self._position += len(block)
        self._held += len(block)
        self._tail.append(block)
        while self._held - len(self._tail[0]) > _BLOCK:
            self._held -= len(self._tail.popleft())
        return block

    def since(self, position: int) -> bytes | None:
        """What has been read from there on; None where that is not held any more."""
        start = position - self._position + self._held
        return b"".join(self._tail)[start:] if start >= 0 else None

    def tell(self) -> int:
        """How many bytes have been read."""
        return self._position


def _add(
    documents: Documents, source: str, url: str, record: Any, limit: int, way: _Way
) -> bool:
    """Adds an answer; says whether there is a problem with it."""
    problem: Problem | None = None
    try:
        # Codings are undone here: where FastWARC cannot undo one, it loses the rest of the stream.
        record.parse_http()
        declared: int = record.content_length
        headers = record.http_headers
        status = headers.status_code if headers is not None else None
        is_coded = status is not None and codings.are_named(headers.keys())
        most = codings.room(limit) if is_coded else limit + 1
        body: bytes = record.reader.read(most)
    except BaseException as error:
        if not _is_damage(error):
            raise
        problem = ("corrupt-record", str(error).lower() or type(error).__name__)
        documents.add(source, url or None, b"", 0, problem)
        return True
    size = declared if len(body) == most else len(body)
    if status is None:
        problem = ("corrupt-record", "the record holds no http answer")
    elif size < declared:
        why = f"{declared} bytes were promised, {size} are there"
        problem = ("truncated-record", why)
    elif not 200 <= status < 300:
        problem = ("http-status", str(headers.status_line or status))
    elif (cut := record.headers.get(way.truncated)) is not None:
        problem = ("truncated-record", f"the crawler has cut it: {cut}")
    elif is_coded and len(body) < most:
        try:
            body = codings.undone(body, headers, limit)
            size = len(body) if len(body) <= limit else max(size, len(body))
        except codings.Damaged as damage:
            problem = damage.args[0], damage.args[1]
    documents.add(source, url or None, body, size, problem)
    return problem is not None and problem[0] != "http-status"


def _is_cut(file: BinaryIO, at: int) -> bool:
    """Whether a file ends in the middle of a record; `at` is the last answer that was seen. Raises ValueError for damage behind it."""
    file.seek(0)
    if file.read(2) != _GZIP[:2]:
        size = file.seek(0, 2)
        file.seek(max(size - 4, 0))
        end = file.read(4)
        file.seek(0)
        return file.read(5) == b"WARC/" and end != b"\r\n\r\n"
    file.seek(at)
    member = zlib.decompressobj(31)
    begun = False
    while block := file.read(_BLOCK):
        while block:
            begun = True
            try:
                member.decompress(block)
            except zlib.error as problem:
                raise ValueError(str(problem)) from None
            if not member.eof:
                break
            block = member.unused_data.lstrip(b"\0")
            member, begun = zlib.decompressobj(31), False
    return begun


def _magic(name: str, file: BinaryIO) -> bytes:
    """What the records of a file start with: the first one says it, or where that is damaged, the name."""
    file.seek(0)
    first = file.read(len(_PLAIN))
    for magic in _STARTS.values():
        if first.startswith(magic):
            return magic
    return _STARTS.get(Path(name.lower()).suffix, _PLAIN)


def _next_start(file: BinaryIO, at: int, magic: bytes) -> int | None:
    """The next place from `at` on where a record may start."""
    file.seek(at)
    kept = b""
    while block := file.read(_BLOCK):
        text = kept + block
        if (found := text.find(magic)) >= 0:
            return at - len(kept) + found
        at += len(block)
        kept = text[1 - len(magic) :]
    return None
