"""Reads Arrow IPC messages whole and checks their sizes before pyarrow receives them.

A message declares its length and, for compressed buffers, the expanded size of each buffer.
pyarrow allocates the declared sizes, so a small input can exhaust memory. The metadata are
flatbuffers; only the fields that hold sizes are read here.
"""

import struct
from importlib import import_module
from typing import Any, BinaryIO

CONTINUATION = b"\xff\xff\xff\xff"
"""The first bytes of each message, and so of a stream."""
MAGIC = b"ARROW1"
"""The first and last bytes of a file. A stream and a footer are between them."""

# The buffers of a message may expand to _EXPANDED bytes, or to _RATIO times their size if that is more.
_EXPANDED, _RATIO = 256 << 20, 32
# Maximum size in bytes of the metadata of a message.
_METADATA = 256 << 20
# Bytes are read in parts of this size, so that a wrong size allocates no memory for missing bytes.
_PORTION = 16 << 20

_DICTIONARY, _BATCH = 2, 3
"""Message types with a body."""


def is_too_large(stored: int, expanded: int) -> bool:
    """True if `stored` bytes of a table expand to more bytes than permitted."""
    return expanded > max(_EXPANDED, _RATIO * stored)


class _Table:
    """A table of a flatbuffer. Raises struct.error if an offset is outside the buffer."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data, self._at = data, at

    @classmethod
    def root(cls, data: bytes) -> "_Table":
        """Returns the root table."""
        return cls(data, _unpacked("<I", data, 0)[0])

    def _field(self, index: int) -> int | None:
        fields = self._at - _unpacked("<i", self._data, self._at)[0]
        if 4 + 2 * index >= _unpacked("<H", self._data, fields)[0]:
            return None
        offset: int = _unpacked("<H", self._data, fields + 4 + 2 * index)[0]
        return self._at + offset if offset else None

    def number(self, index: int, kind: str) -> int:
        """Returns a number; 0 if it is absent."""
        at = self._field(index)
        return 0 if at is None else int(_unpacked(f"<{kind}", self._data, at)[0])

    def table(self, index: int) -> "_Table | None":
        """Returns a nested table; None if it is absent."""
        at = self._field(index)
        if at is None:
            return None
        return _Table(self._data, at + _unpacked("<I", self._data, at)[0])

    def structs(self, index: int, size: int) -> tuple[bytes, int]:
        """Returns the bytes of a vector of structs of this size, and the number of structs."""
        at = self._field(index)
        if at is None:
            return b"", 0
        at += _unpacked("<I", self._data, at)[0]
        count: int = _unpacked("<I", self._data, at)[0]
        found = self._data[at + 4 : at + 4 + count * size]
        if len(found) < count * size:
            raise struct.error("a list leaves the buffer")
        return found, count


def _unpacked(form: str, data: bytes, at: int) -> tuple[Any, ...]:
    if at < 0:
        raise struct.error("an offset is negative")
    return struct.unpack_from(form, data, at)


class Messages:
    """The messages of a stream or file, as a file object for pyarrow.

    Raises ArrowInvalid for a message that is incomplete, malformed or too large when it is
    expanded, before pyarrow receives any of its bytes.
    """

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._invalid: Any = import_module("pyarrow").ArrowInvalid
        self._end: int | None = None  # end of the messages, if known
        self._batches: int | None = None  # number of batches in the footer of a file
        self._taken = 0  # number of batches read
        self._position = 0
        self._pieces: list[memoryview] = []
        self._ended = False
        # Sums over all dictionaries, because pyarrow keeps them.
        self._stored = self._expanded = 0

    @classmethod
    def of_file(cls, file: BinaryIO) -> "Messages":
        """Returns the messages of a seekable file that holds an Arrow file or stream."""
        messages = cls(file)
        size = file.seek(0, 2)
        file.seek(0)
        messages._end = size
        if file.read(len(MAGIC)) == MAGIC:
            messages._read_footer(size)
        else:
            file.seek(0)
        return messages

    def _read_footer(self, size: int) -> None:
        """Reads the number of batches and moves to the first message."""
        tail = 4 + len(MAGIC)
        self._file.seek(max(size - tail, 0))
        found = self._file.read(tail)
        length = int.from_bytes(found[:4], "little", signed=True)
        if not found.endswith(MAGIC) or not 0 < length <= size - tail - 8:
            raise self._invalid("the file has no footer: it is not complete")
        self._end = size - tail - length
        self._file.seek(self._end)
        try:
            footer = _Table.root(self._file.read(length))
            self._batches = footer.structs(3, 24)[1]
        except struct.error:
            raise self._invalid("the footer of the file is malformed") from None
        self._position = 8
        self._file.seek(8)

    def readable(self) -> bool:
        """Returns True; pyarrow calls this."""
        return True

    def close(self) -> None:
        """Does nothing: the code that opened the file closes it."""

    def read(self, size: int = -1) -> bytes | memoryview:
        """Returns the next bytes of the current message, or of the next one."""
        if not self._pieces and not self._ended:
            self._load()
        if not self._pieces:
            return b""
        # pyarrow requests exactly these pieces; they are joined for a larger request.
        while len(self._pieces) > 1 and len(self._pieces[0]) < size:
            self._pieces[:2] = [memoryview(b"".join(self._pieces[:2]))]
        piece = self._pieces.pop(0)
        if 0 <= size < len(piece):
            self._pieces.insert(0, piece[size:])
            piece = piece[:size]
        return piece

    def _load(self) -> None:
        """Reads and checks the next message."""
        head = self._exactly(4, may_end=True)
        length = head
        if head == CONTINUATION:
            length = self._exactly(4)
        count = int.from_bytes(length, "little", signed=True)
        if not count:
            self._ended = True
            if self._batches is not None and self._taken != self._batches:
                raise self._invalid(
                    f"{self._taken:,} of {self._batches:,} batches are in the file"
                )
            return
        if not 0 < count <= _METADATA:
            raise self._invalid(f"a message has {count} bytes of metadata")
        metadata = self._exactly(count)
        try:
            body = self._body(metadata)
        except struct.error:
            raise self._invalid("the metadata of a message are malformed") from None
        pieces = [head, length, metadata] if head == CONTINUATION else [head, metadata]
        self._pieces = [memoryview(piece) for piece in (*pieces, body) if piece]

    def _body(self, metadata: bytes) -> bytes:
        """Reads the body of a message and checks its expanded size."""
        message = _Table.root(metadata)
        kind, size = message.number(1, "B"), message.number(3, "q")
        if size < 0:
            raise self._invalid(f"a message has a body of {size} bytes")
        body = self._exactly(size)
        batch = message.table(2)
        if kind == _DICTIONARY and batch is not None:
            batch = batch.table(1)
        if kind not in (_DICTIONARY, _BATCH) or batch is None:
            return body
        stored, expanded = size, self._size(batch, body)
        if kind == _BATCH:
            self._taken += 1
        else:
            stored = self._stored = self._stored + stored
            expanded = self._expanded = self._expanded + expanded
        if is_too_large(stored, expanded):
            what = f"batch {self._taken - 1}" if kind == _BATCH else "a dictionary"
            raise self._invalid(
                f"{what} would expand from {stored:,} to {expanded:,} bytes"
            )
        return body

    def _size(self, batch: _Table, body: bytes) -> int:
        """Returns the expanded size of all buffers in bytes."""
        if batch.table(3) is None:  # not compressed
            return len(body)
        buffers, _ = batch.structs(2, 16)
        total = 0
        for at, length in struct.iter_unpack("<qq", buffers):
            if length == 0:
                continue
            if not 0 <= at <= at + length <= len(body) or length < 8:
                raise self._invalid("a buffer leaves the body of its message")
            (size,) = struct.unpack_from("<q", body, at)
            # -1: this buffer is not compressed.
            total += length if size == -1 else size
            if size < -1:
                raise self._invalid(f"a buffer would expand to {size} bytes")
        return total

    def _exactly(self, size: int, *, may_end: bool = False) -> bytes:
        """Returns the next `size` bytes. At the end of the input, returns zeros if `may_end`, or raises ArrowInvalid."""
        end = self._end
        if may_end and end is not None and self._position >= end:
            return bytes(size)
        if end is not None and size > end - self._position:
            raise self._invalid(f"a message of {size:,} bytes leaves the file")
        pieces = []
        missing = size
        while missing and (piece := self._file.read(min(missing, _PORTION))):
            pieces.append(piece)
            missing -= len(piece)
        self._position += size - missing
        if missing == size and may_end:
            return bytes(size)
        if missing:
            raise self._invalid("the input ends within a message")
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)
