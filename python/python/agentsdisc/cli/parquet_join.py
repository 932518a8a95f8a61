"""Puts Parquet files of one schema together as they are: the pages are copied, and only what says where they stand is written anew.

To read the rows and write them again would cost more than to write them first. What a file says of itself stands at its end, in Thrift's compact
protocol; all of it is copied but the number of rows, the list of row groups, and the offsets in these (parquet.thrift of the Parquet format).
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_MAGIC = b"PAR1"
# Kinds of values of the compact protocol.
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = (
    range(1, 13)
)
# Fields of FileMetaData.
_SCHEMA, _ROWS, _GROUPS = 2, 3, 4
# Where offsets stand: of ColumnMetaData, ColumnChunk and RowGroup, by the numbers of their fields. None is an offset; what has members is a
# struct, or a list of such.
_Offsets = dict[int, "_Offsets | None"]
_COLUMN: _Offsets = {9: None, 10: None, 11: None, 14: None}
_CHUNK: _Offsets = {2: None, 3: _COLUMN, 4: None, 6: None}
_GROUP: _Offsets = {1: _CHUNK, 5: None}
# A number of 64 bits has no more bytes than this.
_LONGEST = 10
_DEEPEST = 16


class Strange(Exception):
    """A file that is not as it was written here."""


def join(parts: list[Path], whole: BinaryIO) -> None:
    """Writes one file of all. Raises Strange where their schemas differ, or one is no whole file; the rows must then be written again."""
    groups: list[bytes] = []
    first: _Footer | None = None
    rows, at = 0, whole.write(_MAGIC)
    for part in parts:
        with part.open("rb") as file:
            footer = _Footer(*_footer(file))
            if first is None:
                first = footer
            elif footer.schema != first.schema:
                raise Strange("the parts have different columns")
            groups += footer.moved(at - len(_MAGIC))
            rows += footer.rows
            at += _copy(file, whole, len(_MAGIC), footer.pages_end)
    if first is None:
        raise Strange("there are no parts")
    end = whole.write(first.head)
    end += whole.write(_varint(_zigzag(rows)) + first.between)
    end += whole.write(_list_head(len(groups)))
    for group in groups:
        end += whole.write(group)
    end += whole.write(first.tail)
    whole.write(end.to_bytes(4, "little") + _MAGIC)


def _footer(file: BinaryIO) -> tuple[bytes, int]:
    """What a file says of itself, and where its pages end."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 8, 0))
    last = file.read(8)
    start = size - 8 - int.from_bytes(last[:4], "little")
    if last[4:] != _MAGIC or start < len(_MAGIC):
        raise Strange("there is no end of a Parquet file")
    file.seek(start)
    return file.read(size - 8 - start), start


def _copy(source: BinaryIO, target: BinaryIO, start: int, end: int) -> int:
    """Copies some bytes of a file."""
    source.seek(start)
    left = end - start
    while left:
        block = source.read(min(left, 1 << 20))
        if not block:
            raise Strange("a file has become shorter")
        target.write(block)
        left -= len(block)
    return end - start


class _Footer:
    """What a file says of itself, taken apart around what is changed."""

    def __init__(self, data: bytes, pages_end: int) -> None:
        self.pages_end = pages_end
        self._data = data
        reader = _Reader(data)
        spans = {}
        for field, kind in reader.fields():
            start = reader.at
            reader.skip(kind)
            spans[field] = start, reader.at
        if not {_SCHEMA, _ROWS, _GROUPS} <= spans.keys():
            raise Strange("a part of the footer is missing")
        (rows, between), (self._groups, tail) = spans[_ROWS], spans[_GROUPS]
        # Their heads count from the field before, so they stand behind each other again.
        self.head, self.between = data[:rows], data[between : self._groups]
        self.tail = data[tail:]
        self.rows = _unzigzag(_Reader(data, rows).varint())
        self.schema = data[slice(*spans[_SCHEMA])]

    def moved(self, by: int) -> list[bytes]:
        """The row groups, with every offset so much larger."""
        reader = _Reader(self._data, self._groups)
        count, kind = reader.list_head()
        if kind != _STRUCT:
            raise Strange("the row groups are none")
        groups = []
        for _ in range(count):
            group = bytearray()
            reader.move(_STRUCT, _GROUP, by, group)
            groups.append(bytes(group))
        return groups


class _Reader:
    """Walks over values of the compact protocol."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self._data = data
        self.at = at

    def _byte(self) -> int:
        if self.at >= len(self._data):
            raise Strange("the footer is cut off")
        self.at += 1
        return self._data[self.at - 1]

    def varint(self) -> int:
        """A number, seven bits in each byte."""
        value = 0
        for place in range(_LONGEST):
            byte = self._byte()
            value |= (byte & 0x7F) << 7 * place
            if byte < 0x80:
                return value
        raise Strange("a number is too long")

    def fields(self) -> Iterator[tuple[int, int]]:
        """Number and kind of each field of a struct; whoever asks takes the values."""
        field = 0
        while head := self._byte():
            delta = head >> 4
            field = field + delta if delta else _unzigzag(self.varint())
            yield field, head & 15

    def list_head(self) -> tuple[int, int]:
        """How many elements a list has, and of what kind."""
        head = self._byte()
        count = head >> 4
        return (self.varint() if count == 15 else count), head & 15

    def skip(self, kind: int, depth: int = 0) -> None:
        """Passes over a value of a field."""
        if depth > _DEEPEST:
            raise Strange("the footer is nested too deeply")
        if kind in (_TRUE, _FALSE):
            return
        if kind == _BYTE:
            self._byte()
        elif kind in (_I16, _I32, _I64):
            self.varint()
        elif kind in (_DOUBLE, _BINARY):
            length = 8 if kind == _DOUBLE else self.varint()
            self.at += length
            if self.at > len(self._data):
                raise Strange("the footer is cut off")
        elif kind in (_LIST, _SET):
            count, element = self.list_head()
            if element in (_TRUE, _FALSE):
                element = _BYTE
            for _ in range(count):
                self.skip(element, depth + 1)
        elif kind == _STRUCT:
            for _, member in self.fields():
                self.skip(member, depth + 1)
        else:
            raise Strange(f"a value has the kind {kind}")

    def move(self, kind: int, offsets: _Offsets, by: int, into: bytearray) -> None:
        """Copies a struct, or a list of structs, with offsets so much larger."""
        start = self.at
        if kind == _LIST:
            count, element = self.list_head()
            into += self._data[start : self.at]
            for _ in range(count):
                self.move(element, offsets, by, into)
            return
        if kind != _STRUCT:
            raise Strange("what should have members has none")
        for field, member in self.fields():
            if field not in offsets:
                self.skip(member)
                continue
            below = offsets[field]
            into += self._data[start : self.at]
            if below is not None:
                self.move(member, below, by, into)
            elif member == _I64:
                offset = _unzigzag(self.varint())
                # No page stands at the start: 0 says that there is none.
                into += _varint(_zigzag(offset + by if offset else 0))
            else:
                raise Strange("an offset is no number")
            start = self.at
        into += self._data[start : self.at]


def _zigzag(value: int) -> int:
    return value << 1 if value >= 0 else -value * 2 - 1


def _unzigzag(value: int) -> int:
    return value >> 1 if value & 1 == 0 else -(value + 1 >> 1)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _list_head(count: int) -> bytes:
    """The head of a list of structs."""
    if count < 15:
        return bytes([count << 4 | _STRUCT])
    return bytes([0xF0 | _STRUCT]) + _varint(count)
