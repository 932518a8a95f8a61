"""Files in other files: the archives in a WACZ, and gzip, bzip2, xz or Zstandard around one file. Nothing is written to disk, and memory is bounded."""

import bz2
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, BinaryIO, NamedTuple, cast

from .._agentsdisc import _Zstd
from .archives import SUFFIXES, Section

WACZ = ".wacz"
ARCHIVES = (WACZ, ".warc.bz2", ".warc.xz", ".arc.bz2", ".arc.xz")
"""The suffixes of files with archives in them."""
JSON_LINES = (".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst")
_BLOCK = 1 << 16
# The memory that a decoder of xz may take, and the size of the directory of a ZIP file. Python keeps ten times that of a directory.
_XZ, _DIRECTORY = 128 << 20, 8 << 20
# A file in a ZIP file that has more than this many times its packed size is not read, unless it is small.
_TIMES, _SMALL = 200, 16 << 20
_FAULTS: tuple[type[Exception], ...] = (EOFError, ValueError, RuntimeError, OSError)
_FAULTS += (lzma.LZMAError, zlib.error, zipfile.BadZipFile)
_HEADER = struct.Struct("<4s22xHH")
_END, _NO_SIZE = 22 + (1 << 16), 0xFFFF_FFFF
_MARK = b"PK\5\6"
_GZIP = 31  # wbits of zlib


class Source(NamedTuple):
    """An archive in a file."""

    name: str
    file: Any
    """What is read."""
    section: Section | None = None
    """Where it is in the file."""
    why: str | None = None
    """Why it cannot be read."""


class Unpacked:
    """A stream of blocks. Damage is an OSError; what precedes it is returned first."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks, self._block = blocks, b""

    def read(self, size: int = _BLOCK) -> bytes:
        """Returns some of the next bytes, at most `size`; none at the end."""
        try:
            while not self._block:
                self._block = next(self._blocks)
        except StopIteration:
            return b""
        except _FAULTS as problem:
            raise OSError(_said(problem)) from None
        block, self._block = self._block[:size], self._block[size:]
        return block


def unpacked(name: str, file: BinaryIO) -> Unpacked:
    """Returns the content of a file that is compressed as a whole, as its name says."""
    kind = name.lower()
    if kind.endswith(".gz"):
        return Unpacked(_streams(file, _Inflater))
    if kind.endswith(".bz2"):
        return Unpacked(_streams(file, bz2.BZ2Decompressor))
    if kind.endswith(".zst"):
        return Unpacked(_streams(file, _Zstd))
    new = partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, memlimit=_XZ)
    return Unpacked(_streams(file, new))


def archives(name: str, file: BinaryIO) -> Iterator[Source]:
    """Yields the archives in a file.

    A WACZ with a damaged directory, or with files that overlap, is searched for gzip members itself.
    """
    if not name.lower().endswith(WACZ):
        yield Source(name, unpacked(name, file))
        return
    try:
        folder = _folder(file)
    except _FAULTS:
        yield Source(name, file)
        return
    inner = [
        entry
        for entry in folder.infolist()
        if entry.filename.startswith("archive/")
        and entry.filename.lower().endswith(SUFFIXES)
    ]
    for entry in inner:
        written = entry.filename.encode("utf-8", "backslashreplace").decode()
        where = f"{name}/{written}"
        try:
            if entry.file_size > max(_TIMES * entry.compress_size, _SMALL):
                raise OSError(f"it is packed to less than 1/{_TIMES} of its size")
            if entry.compress_type == zipfile.ZIP_STORED and not entry.flag_bits & 1:
                yield Source(where, file, _section(file, entry))
                continue
            with cast(zipfile.ZipExtFile, folder.open(entry)) as content:
                blocks = iter(partial(content.read1, _BLOCK), b"")
                yield Source(where, Unpacked(blocks))
        except _FAULTS as problem:
            yield Source(where, file, None, _said(problem))
    if not inner:
        yield Source(name, file, None, "there is no WARC file in the folder `archive`")


def _said(problem: Exception) -> str:
    why = getattr(problem, "strerror", None) or str(problem) or "the file is damaged"
    return why[:1].lower() + why[1:]


def _streams(file: BinaryIO, new: Callable[[], Any]) -> Iterator[bytes]:
    """Yields the content of compressed streams that follow each other, in blocks."""
    given = b""
    while True:
        # Zeros may fill up a file.
        while not (given := given.lstrip(b"\0")):
            if not (given := file.read(_BLOCK)):
                return
        decoder = new()
        while not decoder.eof:
            if not given and decoder.needs_input:
                given = file.read(_BLOCK)
                if not given:
                    raise EOFError("the file ends in the middle of a compressed stream")
            block, given = given, b""
            yield decoder.decompress(block, _BLOCK)
        given = decoder.unused_data


class _Inflater:
    """Inflates gzip like the decoders of bzip2 and xz, but returns all bytes before damage."""

    def __init__(self) -> None:
        self._inflater = zlib.decompressobj(_GZIP)
        self._problem: zlib.error | None = None

    @property
    def eof(self) -> bool:
        """Whether the member is over."""
        return self._inflater.eof

    @property
    def needs_input(self) -> bool:
        """Whether there is nothing left to inflate."""
        return not self._inflater.unconsumed_tail and self._problem is None

    @property
    def unused_data(self) -> bytes:
        """The bytes behind the member."""
        return self._inflater.unused_data

    def decompress(self, data: bytes, size: int) -> bytes:
        """Returns up to `size` of the next bytes."""
        if self._problem is not None:
            raise self._problem
        data = self._inflater.unconsumed_tail + data
        before = self._inflater.copy()
        try:
            return self._inflater.decompress(data, size)
        except zlib.error as problem:
            self._problem = problem
        # zlib returns nothing of the call in which it finds damage.
        found = bytearray()
        try:
            for byte in data:
                found += before.decompress(bytes((byte,)))
        except zlib.error:
            pass
        return bytes(found)


def _folder(file: BinaryIO) -> zipfile.ZipFile:
    """Returns a ZIP file whose directory is of bounded size."""
    size = file.seek(0, 2)
    file.seek(max(size - _END, 0))
    end = file.read()
    # Where `zipfile` looks for it, too.
    is_last = end[-22:-18] == _MARK and end.endswith(b"\0\0")
    at = len(end) - 22 if is_last else end.rfind(_MARK)
    directory = int.from_bytes(end[at + 12 : at + 16], "little")
    if directory == _NO_SIZE:
        large = end.rfind(b"PK\6\6")
        directory = int.from_bytes(end[large + 40 : large + 48], "little")
    if at < 0 or directory > _DIRECTORY:
        raise zipfile.BadZipFile("the directory is missing or too large")
    folder = zipfile.ZipFile(file)
    if sum(entry.compress_size for entry in folder.infolist()) > size:
        raise zipfile.BadZipFile("the files overlap")
    return folder


def _section(file: BinaryIO, entry: zipfile.ZipInfo) -> Section:
    """Returns where the content of a file is that is not compressed."""
    file.seek(entry.header_offset)
    head = file.read(_HEADER.size)
    if len(head) < _HEADER.size or not head.startswith(b"PK\3\4"):
        raise zipfile.BadZipFile("its header is damaged")
    _, name, extra = _HEADER.unpack(head)
    start = entry.header_offset + _HEADER.size + name + extra
    return start, entry.file_size
