"""WARC files: the answers in them, and what is left of those that are damaged. Needs FastWARC, which the extra `warc` brings."""

import re
import zlib
from collections.abc import Iterator
from importlib import import_module
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

# What a record starts with. Behind damage, the next one is looked for.
_GZIP, _PLAIN = b"\x1f\x8b\x08", b"WARC/1."
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
    uri, options = _uri_and_options(module)
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
                **options,
            ):
                attempts, broken = 0, False
                last = record.stream_pos
                url = record.headers.get(uri) or ""
                # Some writers put it into angle brackets, as WARC 1.0 says.
                if url.startswith("<"):
                    url = url[1:].removesuffix(">")
                if everything or is_location(url):
                    known = _add(documents, f"{name}@{last}", url, record, limit)
                    if documents.is_full:
                        documents.consumed, begun = last - begun, last
                        yield documents
                        documents = Documents()
            # FastWARC takes a member that was cut off, or is none, for the end of the file.
            if seekable and not known and _is_cut(file, max(start, last)):
                where = f"{name}@{file.seek(0, 2)}"
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
                found = _next_start(file, max(start, last) + 1)
            if found is None:
                break
            start = found
            file.seek(start)
    if documents.count:
        end = file.seek(0, 2) if seekable else stream.tell()
        documents.consumed = end - begun
        yield documents


def _uri_and_options(module: Any) -> tuple[Any, dict[str, Any]]:
    """By what the header with the URL is asked for, and how records are iterated over, so that it costs the least.

    Since version 2, headers have names that are no text, and one object can be used for all records.
    """
    names = getattr(module, "WarcHeader", None)
    if names is None:
        return "WARC-Target-URI", {}
    return names.WARC_TARGET_URI, {"inplace": True}


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
        self._position = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        block = self._file.read(size)
        self._position += len(block)
        return block

    def tell(self) -> int:
        """How many bytes have been read."""
        return self._position


def _add(documents: Documents, source: str, url: str, record: Any, limit: int) -> bool:
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
    elif is_coded and len(body) < most:
        try:
            body = codings.undone(body, headers, limit)
            size = len(body) if len(body) <= limit else max(size, len(body))
        except codings.Damaged as damage:
            problem = damage.args[0], damage.args[1]
    documents.add(source, url or None, body, size, problem)
    return problem is not None


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


def _next_start(file: BinaryIO, at: int) -> int | None:
    """The next place from `at` on where a record may start."""
    file.seek(0)
    magic = _GZIP if file.read(2) == _GZIP[:2] else _PLAIN
    file.seek(at)
    kept = b""
    while block := file.read(_BLOCK):
        text = kept + block
        if (found := text.find(magic)) >= 0:
            return at - len(kept) + found
        at += len(block)
        kept = text[-len(magic) + 1 :]
    return None
