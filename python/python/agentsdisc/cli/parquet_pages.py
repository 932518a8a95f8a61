"""How large the pages of a Parquet column are when they are expanded, before they are.

pyarrow allocates what the header of a page says. Headers are Thrift in its compact form;
only the kind and the two sizes are read, and the rest is passed over.
"""

from dataclasses import dataclass
from typing import BinaryIO

# A header is read with this many bytes, and with more where its statistics are long.
_HEADER, _LARGEST_HEADER = 1 << 10, 16 << 20
# Structs may be nested this deep in a header: it has three levels.
_DEPTH = 8
_DICTIONARY = 2
"""The kind of a page that holds a dictionary."""


class Malformed(Exception):
    """The header of a page cannot be read."""


@dataclass(frozen=True, slots=True)
class Page:
    """What the header of a page says."""

    is_dictionary: bool
    size: int
    """Bytes, expanded."""
    stored: int
    """Bytes in the file."""


def pages(file: BinaryIO, start: int, size: int) -> list[Page]:
    """The pages of a column in a row group, from the offset of the first one on.

    Raises Malformed where a header is not one, or a page leaves the column.
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
    """A header, and its length."""
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
    name = 0
    while head := reader.byte():
        name = name + (head >> 4) if head >> 4 else reader.number()
        if head & 15 == 5:
            numbers[name] = reader.number()
        else:
            reader.skip(head & 15, _DEPTH)
    if not numbers.keys() >= {1, 2, 3}:
        raise Malformed("the header of a page has no sizes")
    return Page(numbers[1] == _DICTIONARY, numbers[2], numbers[3]), reader.at


class _Compact:
    """Thrift's compact protocol. Raises IndexError at the end of the data."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def byte(self) -> int:
        """The next byte."""
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
        """A number with a sign."""
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)

    def _pass(self, count: int) -> None:
        self.at += count
        if self.at > len(self._data):
            raise IndexError

    def skip(self, kind: int, depth: int) -> None:
        """Passes over a value."""
        if depth == 0:
            raise Malformed("the header of a page is nested too deeply")
        if kind in (1, 2):  # true and false, in a struct
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
            while head := self.byte():
                if not head >> 4:
                    self.number()
                self.skip(head & 15, depth - 1)
        else:
            raise Malformed(f"the header of a page has a value of the kind {kind}")
