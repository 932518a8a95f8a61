"""Reads archives in parts: buffered input, and the gzip members, Zstandard frames or LZ4 frames in it.

INVARIANT: a `Window` over a frame never reads beyond that frame, and buffers no more than it needs, because a frame may expand to a
thousand times its size. After a frame is read to its end, the input position is exactly the end of the frame.
"""

import contextlib
import gzip
import io
import re
import weakref
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, BinaryIO

from .reading import Unreadable

_BLOCK = 1 << 16
# Size of the first read after a seek.
_PROBE = 512
# Number of bytes after the mark that a window keeps if the input cannot seek.
_KEPT = 16 << 20
# zlib copies the unused input of a call, so a call receives about as many bytes as the last member had.
_LEAST_STEP = 64
_GZIP_KIND = 31  # wbits of zlib: gzip header and trailer
# One call inflates many small gzip members: maximum bytes of compressed input and of output.
_RUN, _RUN_CONTENT = 1 << 16, 4 << 20
# Appended to these members: FastWARC finds the start of this one only if the member before it is whole.
_SENTINEL_CONTENT = b"."
_SENTINEL = gzip.compress(_SENTINEL_CONTENT, mtime=0)
# Maximum sizes in bytes of a Zstandard block, an LZ4 block and a dictionary.
_ZSTD_BLOCK, _LZ4_BLOCK, _DICTIONARY = 128 << 10, 4 << 20, 16 << 20
_LINE_ENDS = re.compile(rb"[\r\n]*")


class Damaged(Exception):
    """The input is damaged; the message gives the reason."""


class Cut(Damaged):
    """The input is truncated."""


class Window:
    """A buffer over an input that is read once, forwards. `read(size)` returns at least one byte, or none at the end."""

    def __init__(self, read: Callable[[int], bytes], position: int = 0) -> None:
        self._read = read
        self.data = b""
        """The buffer."""
        self.at = 0
        """Index of the current position in the buffer."""
        self._start = position  # position of the first byte of the buffer
        self._mark = position
        self.is_over = False
        """True if the buffer holds the rest of the input."""
        self._block = _BLOCK
        # The damage at which the input ends early: type and message, because the exception would refer to this window.
        self._damage: tuple[type[Damaged], str] | None = None
        self.cost = 0
        """Number of bytes read, including repeated reads."""

    @classmethod
    def of(cls, data: bytes) -> "Window":
        """Returns a window whose buffer holds the whole input."""
        window = cls(lambda size: b"")
        window.data, window.is_over = data, True
        return window

    @property
    def position(self) -> int:
        """Byte offset in the input."""
        return self._start + self.at

    def mark(self) -> None:
        """Keeps the bytes from here on, up to the buffer limit, so that `back` can return here."""
        self._mark = self.position

    def fill(self, size: int) -> bool:
        """Buffers at least `size` bytes from the current position. Returns False if the input ends earlier, and raises Damaged if it is damaged earlier."""
        missing = size - (len(self.data) - self.at)
        if missing <= 0 or self.is_over:
            return missing <= 0
        kept = min(max(self._mark - self._start, 0), self.at)
        if self.at - kept > _KEPT:
            kept = self.at
        # Blocks grow with the buffer, so that each byte is copied only a few times.
        least = max(self._block, (len(self.data) - kept) // 2)
        blocks = []
        while missing > 0 and not self.is_over and self._damage is None:
            try:
                block = self._read(max(least, missing))
            except Damaged as damage:
                self._damage = type(damage), str(damage)
                break
            # `read` may have set `is_over` for its last block.
            self.is_over = self.is_over or not block
            missing -= len(block)
            blocks.append(block)
            self.cost += len(block)
        self._block = _BLOCK
        self.data = b"".join((memoryview(self.data)[kept:], *blocks))
        self._start += kept
        self.at -= kept
        if missing > 0 and self._damage is not None:
            kind, why = self._damage
            raise kind(why)
        return missing <= 0

    def ahead(self, size: int) -> bool:
        """Buffers at least `size` bytes. Returns False if the input ends earlier or is damaged earlier."""
        try:
            return self.fill(size)
        except Damaged:
            return False

    def peek(self, size: int) -> bytes:
        """Returns the next bytes, or fewer at the end of the input, without moving."""
        self.fill(size)
        return self.data[self.at : self.at + size]

    def take(self, size: int) -> bytes:
        """Returns the next bytes and moves past them. Raises Cut if the input ends earlier."""
        if not self.fill(size):
            raise Cut("the input ends in the middle of a record")
        self.at += size
        return self.data[self.at - size : self.at]

    def skip(self, size: int) -> int:
        """Skips bytes. Returns their number, which is smaller if the input ends earlier."""
        left = size
        while (held := len(self.data) - self.at) < left:
            left -= held
            self.at = len(self.data)
            # Steps grow with the buffer, so that each byte is copied only a few times.
            if not self.fill(min(left, max(_BLOCK, len(self.data)))) and not self.fill(
                1
            ):
                return size - left
        self.at += left
        return size

    def skip_any(self, pattern: re.Pattern[bytes]) -> int:
        """Skips all bytes that a pattern such as `[x]*` matches, as far as they can be read. Returns their number."""
        begin = self.position
        while self.at < len(self.data) or self.ahead(1):
            found = pattern.match(self.data, self.at)
            end = self.at if found is None else found.end()
            is_inside = end < len(self.data)
            self.at = end
            if is_inside:
                break
        return self.position - begin

    def skip_line_ends(self) -> int:
        """Skips line breaks. Returns their number of bytes."""
        return self.skip_any(_LINE_ENDS)

    def back(self, position: int) -> None:
        """Returns to a position, or to the first buffered byte after it."""
        self.at = min(max(position - self._start, 0), len(self.data))

    def may_have(self, size: int) -> bool:
        """False if it is known that fewer than `size` bytes follow."""
        return True

    def find(self, pattern: re.Pattern[bytes], longest: int) -> bool:
        """Moves to the next match, of at most `longest` bytes. Without a match, moves to the end and returns False."""
        while True:
            is_last = not self.fill(longest)
            found = pattern.search(self.data, self.at)
            if found is not None:
                self.at = found.start()
                return True
            if is_last:
                self.at = len(self.data)
                return False
            self.at = len(self.data) - longest + 1


class File(Window):
    """A window over a file. A seekable file is not held in memory, and skipped bytes are not read."""

    def __init__(self, file: BinaryIO, seekable: bool) -> None:
        super().__init__(file.read)
        self._file = file
        self._size: int | None = None
        if seekable:
            # If this fails, reading the file fails as well, with a better message.
            with contextlib.suppress(OSError):
                self._size = file.seek(0, io.SEEK_END)
                file.seek(0)
        self._left = 0, b""

    def mark(self) -> None:
        """Keeps the bytes from here on if the file cannot seek."""
        super().mark()
        if self._size is not None:
            self._mark = 1 << 63

    def skip(self, size: int) -> int:
        """Skips bytes. Returns their number."""
        if self._size is None or size <= len(self.data) - self.at:
            return super().skip(size)
        passed = min(size, max(self._size - self.position, 0))
        self._seek(self.position + passed)
        return passed

    def may_have(self, size: int) -> bool:
        """False if it is known that fewer than `size` bytes follow."""
        return self._size is None or self.position + size <= self._size

    def back(self, position: int) -> None:
        """Returns to a position."""
        if self._size is None:
            super().back(position)
            return
        for start, data in ((self._start, self.data), self._left):
            if start <= position <= start + len(data):
                if data is not self.data:
                    self._seek(start + len(data))
                    self._start, self.data = start, data
                self.at = position - start
                return
        self._seek(position)

    def _seek(self, position: int) -> None:
        """Moves, and keeps the previous buffer: `back` needs it again if the length of a record is wrong."""
        self._left = self._start, self.data
        self._file.seek(position)
        self.data, self.at, self.is_over = b"", 0, False
        self._start = position
        self._block = _PROBE


Frame = tuple[int, int, int]
"""A whole frame of a `Run`: its byte offset in the file, and the start and end of its content in `Run.data`."""


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive whole frames and their expanded content."""

    data: bytes
    frames: list[Frame]
    end: int
    """Byte offset of the end of the last frame in the file."""


class Frames:
    """A compression format: recognizes the start of a frame and expands it."""

    magic = b""
    """The first bytes of each frame."""
    padding = re.compile(b"")
    """Matches the bytes allowed between frames."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.start = re.compile(re.escape(self.magic))

    def is_next(self) -> bool:
        """True if a frame starts at the current position."""
        return self.file.peek(len(self.magic)) == self.magic

    def open(self) -> Window:
        """Returns the content of the frame at the current position. Reading it raises Damaged, or Cut if the frame is truncated."""
        raise NotImplementedError

    def closed(self) -> None:
        """Called when the frame was read to its end."""

    def run(self) -> Run | None:
        """Expands several whole frames in one call and moves past them. Returns None without moving if `open` must read the next frame."""
        return None


class Gzip(Frames):
    """Gzip members."""

    magic = b"\x1f\x8b\x08"
    # Includes members without content.
    padding = re.compile(rb"(?:\0|\x1f\x8b\x08\0.{6}\x03\0{9})*", re.DOTALL)

    def __init__(self, file: File) -> None:
        super().__init__(file)
        self._step = _BLOCK
        self._begin = 0
        self._single_until = 0
        """Members that start before this position are read one by one."""
        self._reader: Any = None
        # Without FastWARC, members are inflated one by one.
        with contextlib.suppress(Unreadable):
            self._reader = fastwarc().GzipReader

    def open(self) -> Window:
        """Returns the content of the member at the current position."""
        self._begin = self.file.position
        file, step = self.file, self._step
        inflater = zlib.decompressobj(_GZIP_KIND)

        def read(size: int) -> bytes:
            nonlocal step
            while not inflater.eof:
                is_there = file.at < len(file.data) or file.fill(1)
                given = memoryview(file.data)[file.at : file.at + step]
                try:
                    data = inflater.decompress(given, size)
                except zlib.error as problem:
                    raise Damaged(f"gzip: {problem}".lower()) from None
                # At the end of a member, zlib may return the same bytes as unused and as unconsumed.
                left = (
                    inflater.unused_data if inflater.eof else inflater.unconsumed_tail
                )
                file.at += len(given) - len(left)
                # Not a reference to the window, which refers to this function: many cycles would fill the memory.
                if (window := owner()) is not None:
                    window.is_over = inflater.eof
                if data:
                    return data
                if not is_there:
                    raise Cut("the input ends in the middle of a gzip member")
                step = min(2 * step, _BLOCK)
            return b""

        window = Window(read)
        owner = weakref.ref(window)
        return window

    def closed(self) -> None:
        """Sets the step for the next member, which is probably not much longer."""
        length = self.file.position - self._begin
        self._step = min(max(_LEAST_STEP, 4 * length), _BLOCK)

    def run(self) -> Run | None:
        """Inflates many small members in one call.

        A trailer holds the size of the content, so each candidate for the start of a member gives the size of the member before
        it. All candidates are member boundaries if every size is greater than zero, if the sizes add up to the inflated size, and
        if the last candidate is a boundary: a false candidate would make the sum too large. A sentinel member appended after the
        last candidate proves that it is a boundary, because FastWARC must find the sentinel.
        """
        file = self.file
        if self._reader is None or file.position < self._single_until:
            return None
        file.fill(_RUN)
        frames, size, content = self._candidates()
        if size == 0:
            # This member is long or damaged.
            self._single_until = file.position + 1
            return None
        packed = file.data[file.at : file.at + size] + _SENTINEL
        try:
            reader = self._reader(io.BytesIO(packed))
            data = reader.read(content + len(_SENTINEL_CONTENT) + 1)
            is_whole = reader.frame_start_position() == size
        except BaseException as problem:
            if not is_damage(problem):
                raise
            is_whole = False
        if not is_whole or len(data) != content + len(_SENTINEL_CONTENT):
            self._single_until = file.position + size
            return None
        file.at += size
        return Run(data, frames, file.position)

    def _candidates(self) -> tuple[list[Frame], int, int]:
        """Returns the frames in the buffer according to the trailers, their size and the size of their content."""
        file = self.file
        data, first, start = file.data, file.at, file.position - file.at
        frames: list[Frame] = []
        begin, content = first, 0
        while data.startswith(self.magic, begin):
            end = data.find(self.magic, begin + len(self.magic), first + _RUN)
            if end < 0:
                if not file.is_over or len(data) > first + _RUN:
                    break
                end = len(data)
            size = int.from_bytes(data[end - 4 : end], "little")
            if size == 0 or content + size > _RUN_CONTENT:
                break
            frames.append((start + begin, content, content + size))
            begin, content = end, content + size
        return frames, begin - first, content


class _Framed(Frames):
    """Frames made of parts with a declared length. FastWARC expands them; it would read beyond their end."""

    reader = ""
    """Name of the reader class in FastWARC."""

    def open(self) -> Window:
        """Returns the content of the frame at the current position."""
        extent = _Extent(self._parts())
        unpacked = self._unpacking(extent)

        def read(size: int) -> bytes:
            try:
                data = bytes(unpacked.read(size))
            except BaseException as problem:
                if not is_damage(problem):
                    raise
                why = str(problem).lower() or type(problem).__name__
                raise extent.problem or Damaged(why) from None
            is_left = not data and extent.read(1)
            if extent.problem is not None:
                raise extent.problem
            if is_left:
                raise Damaged("the content of a frame ends before the frame")
            return data

        return Window(read)

    def _unpacking(self, extent: "_Extent") -> Any:
        return getattr(fastwarc(), self.reader)(extent)

    def _parts(self) -> Iterator[bytes]:
        """Yields the parts of the frame."""
        raise NotImplementedError


class Zstandard(_Framed):
    """Zstandard frames (RFC 8878). In a WARC file, a skippable frame before them may hold a dictionary."""

    magic = b"\x28\xb5\x2f\xfd"
    reader = "ZstdReader"
    _dictionary: bytes | None = None

    def is_next(self) -> bool:
        """True if a frame starts at the current position. Skips skippable frames."""
        while (head := self.file.peek(8))[1:4] == b"\x2a\x4d\x18" and head[0] >> 4 == 5:
            size = int.from_bytes(head[4:8], "little")
            if len(head) < 8 or size > _DICTIONARY or not self.file.fill(8 + size):
                return False
            if self.file.position == 0 and head[0] == 0x5D:
                self._dictionary = self._loaded(
                    self.file.data[self.file.at + 8 :][:size]
                )
            self.file.at += 8 + size
        return super().is_next()

    def _loaded(self, data: bytes) -> bytes:
        """Returns the dictionary, expanded if it is compressed."""
        if not data.startswith(self.magic):
            return data
        return bytes(fastwarc().ZstdReader(io.BytesIO(data)).read(_DICTIONARY))

    def _unpacking(self, extent: "_Extent") -> Any:
        return fastwarc().ZstdReader(extent, dictionary=self._dictionary)

    def _parts(self) -> Iterator[bytes]:
        take = self.file.take
        flags = self.file.peek(5)[4:5] or b"\0"
        is_single = flags[0] >> 5 & 1
        size = (is_single, 2, 4, 8)[flags[0] >> 6] + (0, 1, 2, 4)[flags[0] & 3]
        yield take(5 + size + (not is_single))
        while True:
            block = int.from_bytes(head := take(3), "little")
            kind, size = block >> 1 & 3, block >> 3
            if kind == 3 or size > _ZSTD_BLOCK:
                raise Damaged("zstd: the head of a block is invalid")
            yield head + take(1 if kind == 1 else size)
            if block & 1:
                break
        if flags[0] >> 2 & 1:
            yield take(4)


class Lz4(_Framed):
    """LZ4 frames (lz4_Frame_format)."""

    magic = b"\x04\x22\x4d\x18"
    reader = "Lz4Reader"

    def _parts(self) -> Iterator[bytes]:
        take = self.file.take
        flags = (self.file.peek(5)[4:5] or b"\0")[0]
        yield take(7 + 8 * (flags >> 3 & 1) + 4 * (flags & 1))
        checksum = 4 * (flags >> 4 & 1)
        while size := int.from_bytes(head := take(4), "little"):
            size &= 0x7FFF_FFFF
            if size > _LZ4_BLOCK:
                raise Damaged("lz4: the head of a block is invalid")
            yield head + take(size + checksum)
        yield head + take(4 * (flags >> 2 & 1))


class _Extent:
    """A frame as a file that ends at the end of the frame. FastWARC discards exceptions, so `problem` keeps them."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts
        self._rest = b""
        self._position = 0
        self.problem: Damaged | None = None

    def read(self, size: int = -1) -> bytes:
        """Returns the next bytes of the frame, or none at its end."""
        if not self._rest:
            try:
                self._rest = next(self._parts, b"")
            except Damaged as problem:
                self.problem = problem
        size = len(self._rest) if size < 0 else size
        block, self._rest = self._rest[:size], self._rest[size:]
        self._position += len(block)
        return block

    def tell(self) -> int:
        """Returns the number of bytes read; FastWARC calls this."""
        return self._position


def fastwarc() -> Any:
    """Returns FastWARC's module of decompressing readers. Raises Unreadable if FastWARC is not installed."""
    try:
        return import_module("fastwarc.stream_io")
    except ModuleNotFoundError:
        raise Unreadable(
            "reading this needs the package fastwarc: pip install 'agentsdisc[warc]'"
        ) from None


def is_damage(problem: BaseException) -> bool:
    """True if an exception of FastWARC means damaged data. FastWARC is written in Rust and may panic on damaged data."""
    return (
        isinstance(problem, OSError | ValueError)
        or type(problem).__name__ == "PanicException"
    )
