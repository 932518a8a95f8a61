"""WARC files: the answers in them, and what is left of those that are damaged. Needs FastWARC, which the extra `warc` brings."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from .items import Item
from .reading import Unreadable

SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")

LOCATIONS = frozenset(
    {
        "/.well-known/agents.json",
        "/.well-known/agents.txt",
        "/.well-known/agents.md",
        "/.well-known/agent.json",
        "/.well-known/agent",
        "/agents.json",
        "/agents.txt",
        "/agents.md",
        "/agent.json",
        "/robots.txt",
    }
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
    try:
        return urlsplit(url).path.lower() in LOCATIONS
    except ValueError:
        return False


def records(
    name: str, file: BinaryIO, limit: int, everything: bool, seekable: bool
) -> Iterator[Item]:
    """The answers in a WARC file, in order. For every stretch that cannot be read there is an item with a problem.

    A body is read up to one byte more than the limit.
    """
    module = fastwarc()
    wanted = None if everything else lambda record: is_location(_url(record))
    start, attempts, broken = 0, 0, False
    while True:
        last = -1
        try:
            for record in module.ArchiveIterator(
                file,
                record_types=module.WarcRecordType.response,
                func_filter=wanted,
                auto_decode="all",
            ):
                broken = False
                last = record.stream_pos
                yield _item(name, record, limit)
            return
        except (OSError, ValueError) as problem:
            attempts += 1
            if not broken:
                where = max(start, last)
                why = str(problem) or type(problem).__name__
                yield Item(
                    f"{name}@{where}", None, b"", 0, ("corrupt-record", why.lower())
                )
            broken = True
            found = None
            if seekable and attempts < _ATTEMPTS:
                found = _next_start(file, max(start, last) + 1)
            if found is None:
                return
            start = found
            file.seek(start)


def _url(record: Any) -> str:
    url = record.headers.get("WARC-Target-URI") or ""
    # Some writers put it into angle brackets, as WARC 1.0 says.
    return url[1:-1] if url.startswith("<") and url.endswith(">") else url


def _item(name: str, record: Any, limit: int) -> Item:
    """The item of an answer."""
    url = _url(record)
    source = f"{name}@{record.stream_pos}"
    declared = record.content_length
    problem = None
    try:
        body: bytes = record.reader.read(limit + 1)
    except (OSError, ValueError) as error:
        why = ("corrupt-record", str(error).lower() or type(error).__name__)
        return Item(source, url or None, b"", 0, why)
    headers = record.http_headers
    if headers is None or not record.is_http_parsed:
        problem = ("corrupt-record", "the record holds no http answer")
    else:
        coded = headers.get("Content-Encoding") or headers.get("Transfer-Encoding")
        cut = len(body) < declared and len(body) <= limit
        if cut and not coded:
            problem = (
                "truncated-record",
                f"{declared} bytes were promised, {len(body)} are there",
            )
        elif headers.status_code is not None and not 200 <= headers.status_code < 300:
            problem = ("http-status", str(headers.status_line or headers.status_code))
    size = declared if len(body) > limit else len(body)
    return Item(source, url or None, body, size, problem)


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
