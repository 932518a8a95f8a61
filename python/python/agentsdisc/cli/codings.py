"""Decodes responses in archives: chunks, gzip, deflate, Brotli and Zstandard, as the HTTP headers state.

Some programs that write archives decode a body and keep the header that names the coding. So if a body does not start like the named coding, it
counts as decoded already. Nothing marks the start of Brotli, so there a body that is text counts as decoded. An unknown coding is ignored, as in
browsers.
"""

import io
import re
import zlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any

_CHUNK = re.compile(rb"(0*[0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r\n")
_TRAILER = re.compile(rb"(?:[^\r\n]+\r?\n)*\r?\n")
_CHUNK_HEAD = 64  # bytes that the head of a chunk rarely exceeds
_FOLD = re.compile(rb"\r?\n[ \t]+")
_ZSTD = b"\x28\xb5\x2f\xfd"
_GZIP = b"\x1f\x8b"
_CONTROL = re.compile(rb"[\0-\x08\x0b\x0e-\x1f\x7f]")
# `wbits` of zlib for data with a gzip header, a zlib header, or none.
_OF_GZIP, _OF_ZLIB, _BARE = 31, 15, -15
# Number of bytes to inflate at once. The data after a gzip member is copied for each member, and a hostile body has thousands of them.
_BLOCK = 1 << 14
# Maximum number of nested codings to decode. Real responses have fewer; hostile ones are endless.
_MOST = 4


class Damaged(Exception):
    """A coding that cannot be decoded; kind and message of the error."""


def fields(head: bytes) -> list[tuple[str, str]]:
    """Returns the name and value of each field in the header of an answer."""
    lines = _FOLD.sub(b" ", head).decode("latin-1").splitlines()[1:]
    named = [line.partition(":") for line in lines]
    return [(name.strip(), value.strip()) for name, colon, value in named if colon]


def room(limit: int) -> int:
    """Returns how many bytes of an encoded body to read: chunks may be small, so the body may be longer than its content."""
    return 2 * limit + (1 << 16)


def undone(data: bytes, headers: list[tuple[str, str]], limit: int) -> bytes:
    """Returns the body without its codings; at least one byte more than the limit if it is longer."""
    for coding in _codings(headers):
        if not data:
            break
        if coding == "chunked":
            # The content is not longer than the chunks, which are bounded.
            data = _of_chunks(data)
            continue
        if coding in ("gzip", "x-gzip", "deflate"):
            data = _inflated(data, coding, limit)
        elif coding == "zstd" and data.startswith(_ZSTD):
            data = _unpacked(data, coding, limit)
        elif coding == "br" and not _is_text(data):
            data = _brotli(data, limit)
        else:
            continue
        # Truncated content cannot be decoded further: the document is too large.
        if len(data) > limit:
            break
    return data


def _codings(headers: list[tuple[str, str]]) -> Iterator[str]:
    """Yields the codings in the order of decoding. A repeated header equals one with both values."""
    for wanted in ("transfer-encoding", "content-encoding"):
        values = [value for name, value in headers if name.lower() == wanted]
        named = ",".join(values).lower().split(",")
        yield from (one.strip() for one in reversed(named[-_MOST:]))


def is_coded(data: bytes, at: int) -> bool:
    """True if the content at `at` starts like gzip, zlib or Zstandard."""
    return data.startswith((_GZIP, _ZSTD), at) or _is_zlib(data[at : at + 2])


def end_of_chunks(data: bytes, at: int, end: int) -> int | None:
    """Returns the index where the chunks at `at` end; an index beyond `end` if more data is needed to tell; None if the data is not chunked."""
    last = None
    for last in _chunks(data, at, end):  # noqa: B007
        pass
    if last is None:
        return None
    start, after = last
    if start < after:
        return None if after <= end - _CHUNK_HEAD else max(after, end) + 1
    trailer = _TRAILER.match(data, after, end)
    return end + 1 if trailer is None else trailer.end()


def _chunks(data: bytes, at: int, end: int) -> Iterator[tuple[int, int]]:
    """Yields the start and end of the content of each chunk; the last one is empty."""
    while at <= end and (chunk := _CHUNK.match(data, at, end)):
        start = chunk.end()
        at = start + int(chunk[1], 16)
        yield start, at
        if at == start:
            break
        if data.startswith(b"\r\n", at):
            at += 2


def _of_chunks(data: bytes) -> bytes:
    pieces: list[bytes] = []
    end = 0
    for start, end in _chunks(data, 0, len(data)):
        if start == end:
            return b"".join(pieces)
        pieces.append(data[start:end])
    if not pieces:
        return data
    if len(data) - end <= len(b"\r\n"):
        raise Damaged("truncated-record", "the answer ends in the middle of its chunks")
    raise Damaged("corrupt-record", "the size of a chunk is not a number")


def _inflated(data: bytes, coding: str, limit: int) -> bytes:
    if data.startswith(_GZIP):
        kind = _OF_GZIP
    elif _is_zlib(data[:2]):
        kind = _OF_ZLIB
    else:
        return _bare(data, limit) if coding == "deflate" else data
    body = bytearray()
    at, inflating = 0, zlib.decompressobj(kind)
    try:
        while at < len(data) and len(body) <= limit:
            block = data[at : at + _BLOCK]
            body += inflating.decompress(block, limit + 1 - len(body))
            at += len(block) - len(inflating.unused_data)
            if inflating.eof:
                # Members of gzip follow each other; other data after a member is ignored.
                if kind != _OF_GZIP or not data.startswith(_GZIP, at):
                    return bytes(body)
                inflating = zlib.decompressobj(kind)
    except zlib.error as problem:
        raise Damaged("corrupt-record", f"{coding}: {problem}".lower()) from None
    if len(body) <= limit:
        why = f"the answer ends in the middle of its {coding} coding"
        raise Damaged("truncated-record", why)
    return bytes(body)


def _is_zlib(start: bytes) -> bool:
    return start[:1] == b"\x78" and int.from_bytes(start) % 31 == 0


def _bare(data: bytes, limit: int) -> bytes:
    """Decodes `deflate` without the header of zlib, which some servers send. Only success distinguishes it from a decoded body."""
    inflating = zlib.decompressobj(_BARE)
    try:
        body = inflating.decompress(data, limit + 1)
    except zlib.error:
        return data
    is_whole = inflating.eof and not inflating.unused_data
    return body if is_whole or len(body) > limit else data


def _is_text(data: bytes) -> bool:
    """True if the data is UTF-8 without control characters, as no encoded body is by chance."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return _CONTROL.search(data) is None


def _brotli(data: bytes, limit: int) -> bytes:
    """Decodes Brotli. Data that is none, and starts like another coding that the header names too, is left to that one."""
    try:
        return _unpacked(data, "br", limit)
    except Damaged:
        if is_coded(data, 0):
            return data
        raise


def _unpacked(data: bytes, coding: str, limit: int) -> bytes:
    """Decodes with FastWARC, which has readers of these formats."""
    readers: Any = import_module("fastwarc.stream_io")
    kind = getattr(readers, "BrotliReader" if coding == "br" else "ZstdReader", None)
    if kind is None:
        why = f"this version of fastwarc does not support the coding {coding}"
        raise Damaged("corrupt-record", why)
    try:
        return bytes(kind(io.BytesIO(data)).read(limit + 1))
    except (OSError, ValueError) as problem:
        raise Damaged("corrupt-record", f"{coding}: {problem}".lower()) from None
