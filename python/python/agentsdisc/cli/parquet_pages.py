"""Reads the expanded sizes of the pages of a Parquet column without expanding them.

pyarrow allocates the size that the header of a page declares. Headers use Thrift's compact
protocol; only the page type and the two sizes are read, and other fields are skipped.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

# Number of bytes in which a header is read, at first and at most; long statistics need more.
_HEADER, _LARGEST_HEADER = 1 << 10, 16 << 20
# Maximum nesting depth of structs in a header; a valid header has three levels.
_DEPTH = 8
_DICTIONARY = 2
"""The page type of a dictionary page."""
_OF_DATA = {5: 2, 8: 4}
"""The fields of a header that describe a page of values (of version 1 and 2), and the field in each that holds the encoding."""
_PREFIXES = 7
"""The encoding DELTA_BYTE_ARRAY: a value states how many bytes it shares with the start of the value before it."""
_KEYS = (2, 8)
"""The encodings PLAIN_DICTIONARY and RLE_DICTIONARY: a value is a number in the dictionary."""


class Malformed(Exception):
    """The header of a page is malformed."""


@dataclass(frozen=True, slots=True)
class Page:
    """The parsed header of a page."""

    is_dictionary: bool
    has_prefixes: bool
    """True if every value may be as long as the page."""
    has_keys: bool
    """True if the values stand in the dictionary."""
    size: int
    """Expanded size in bytes."""
    stored: int
    """Size in the file in bytes."""


def pages(file: BinaryIO, start: int, size: int) -> list[Page]:
    """Returns the pages of a column in a row group; `start` is the offset of the first page.

    Raises Malformed if a header is malformed or a page extends beyond the column.
    """
    found = []
    end = start + size
    while start < end:
        page, length = _header(file, start, end - start)
        start += length + page.stored
        if start > end or page.size < 0 or page.stored < 0:
            raise Malformed(f"a page of {page.stored} bytes leaves its column")
        found.append(page)
    return found


def _header(file: BinaryIO, at: int, left: int) -> tuple[Page, int]:
    """Returns the header at an offset, and its length in bytes."""
    room = _HEADER
    while True:
        file.seek(at)
        data = file.read(min(room, left))
        try:
            return _read(data)
        except IndexError:
            if room >= min(left, _LARGEST_HEADER):
                raise Malformed("the header of a page does not end") from None
            room *= 8


def _read(data: bytes) -> tuple[Page, int]:
    reader = _Compact(data)
    numbers: dict[int, int] = {}
    encoding = None
    for name, kind in reader.fields():
        if kind == 5:
            numbers[name] = reader.number()
        elif kind == 12 and name in _OF_DATA:
            for inner, inner_kind in reader.fields():
                if inner_kind == 5 and inner == _OF_DATA[name]:
                    encoding = reader.number()
                else:
                    reader.skip(inner_kind, _DEPTH - 1)
        else:
            reader.skip(kind, _DEPTH)
    if not numbers.keys() >= {1, 2, 3}:
        raise Malformed("the header of a page has no sizes")
    page = Page(
        is_dictionary=numbers[1] == _DICTIONARY,
        has_prefixes=encoding == _PREFIXES,
        has_keys=encoding in _KEYS,
        size=numbers[2],
        stored=numbers[3],
    )
    return page, reader.at


class _Compact:
    """A reader of Thrift's compact protocol. Raises IndexError at the end of the data."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def byte(self) -> int:
        """Returns the next byte."""
        self.at += 1
        return self._data[self.at - 1]

    def _unsigned(self) -> int:
        value = shift = 0
        while shift < 70:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
        raise Malformed("a number in the header of a page is too long")

    def number(self) -> int:
        """Returns the next signed number."""
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)

    def fields(self) -> Iterator[tuple[int, int]]:
        """Yields the number and kind of each field of a struct. The caller reads or skips its value."""
        name = 0
        while head := self.byte():
            name = name + (head >> 4) if head >> 4 else self.number()
            yield name, head & 15

    def _pass(self, count: int) -> None:
        self.at += count
        if self.at > len(self._data):
            raise IndexError

    def skip(self, kind: int, depth: int) -> None:
        """Skips a value."""
        if depth == 0:
            raise Malformed("the header of a page is nested too deeply")
        if kind in (1, 2):  # true and false in a struct have no bytes
            return
        if kind == 3:
            self._pass(1)
        elif kind in (4, 5, 6):
            self._unsigned()
        elif kind == 7:
            self._pass(8)
        elif kind == 8:
            self._pass(self._unsigned())
        elif kind in (9, 10):
            head = self.byte()
            count = head >> 4 if head >> 4 < 15 else self._unsigned()
            for _ in range(count):
                if head & 15 in (1, 2):
                    self._pass(1)
                else:
                    self.skip(head & 15, depth - 1)
        elif kind == 12:
            for _, inner in self.fields():
                self.skip(inner, depth - 1)
        else:
            raise Malformed(f"the header of a page has a value of the kind {kind}")
