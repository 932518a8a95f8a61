"""Reads the responses in WARC files (ISO 28500), including the intact parts of damaged files.

INVARIANT: a record ends where its frame ends (a gzip member, a Zstandard frame or an LZ4 frame), whatever its Content-Length is.
After damage, the reader searches for the next record, starting after the last whole record. A record found by a search may be
part of other data, for example of the body of another site's response. It is marked as recovered, as is every record up to
the next certain boundary: the end of the frame in which the record was found, or the end of the file if the frame itself was found
by a search.

Each byte is read a bounded number of times, even if every record is damaged (`_next`).

Most gzip members are read in runs (`Frames.run`). A run yields the same frames as single reads, but faster: a frame that holds one
whole record needs no window (`_of_run`); any other frame is read as if it were opened alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from . import codings
from .frames import (
    Cut,
    Damaged,
    File,
    Frames,
    Gzip,
    Lz4,
    Run,
    Window,
    Zstandard,
    fastwarc,
)
from .items import Documents, Problem

SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")

_LOCATION = re.compile(
    r"""https?://[^/?#]*/
    (?: \.well-known/(?: agents\.(?: json | txt | md ) | agent(?: \.json )? | agent-card\.json
                       | mcp\.json | ai-catalog\.json | api-catalog
                       | (?: agent- )? skills/index\.json )
      | agents\.(?: json | txt | md ) | agent\.json | robots\.txt
      | (?: [^?#]*/ )? (?: llms(?: -full )? \.txt | server-card(?: \.json )? | server\.json ) )
    (?: [?#] | $ )""",
    re.IGNORECASE | re.VERBOSE,
)
"""The URLs of documents (docs/formats.md, "Locations and caching"); those in the last line are at any path. Responses from other
URLs are read only if the caller requests all records."""

_PACKED: dict[str, type[Frames]] = {".gz": Gzip, ".zst": Zstandard, ".lz4": Lz4}
_SKIPPABLE = b"\x2a\x4d\x18"  # after any first byte: a skippable Zstandard frame

_RECORD = re.compile(rb"WARC/\d\.\d")
# Each line matches exactly one alternative in one way, so matching takes linear time. The first value of a field counts.
_HEAD = re.compile(
    rb"""(?-i:WARC/)\d\.\d+[ \t]*\r?\n
    (?: (?: WARC-(?: Type:       (?(1) [^\n]* | ([^\n]*) )
                   | Target-URI: (?(2) [^\n]* | ([^\n]*) )
                   | Truncated:  (?(3) [^\n]* | ([^\n]*) ) )
          | Content-Length:      (?(5) ([^\n]*) | ([^\n]*) )
          | (?! (?-i:WARC/) | WARC-(?: Type | Target-URI | Truncated ): | Content-Length: )
            [^\r\n][^\n]*
        ) \n )*
    \r?\n""",
    re.IGNORECASE | re.VERBOSE,
)
_LENGTH = b"\ncontent-length:"
_RECORD_SIZE = 8
_FIRST_SIZE, _HEAD_SIZE = 1 << 10, 1 << 16
"""Number of bytes in which the head of a record is searched for, at first and at most."""
_STATUS = re.compile(rb"HTTP/\d+(?:\.\d+)?[ \t]+(\d{3})(?!\d)[^\r\n]*")
_BLANK = re.compile(rb"\r?\n\r?\n")
_HTTP_HEAD = 1 << 16
_ENDS = b"\r\n\r\n"  # after a record
_BETWEEN = len(_ENDS)
_LONGEST_LENGTH = 30  # digits
_SHOWN = 200  # maximum number of bytes quoted in an error message
# After a failure, reading resumes just after its start while the bytes read are at most _TIMES * (bytes completed) + _FREE.
_TIMES, _FREE = 8, 1 << 20


def check(name: str) -> None:
    """Raises Unreadable if the file needs a package that is not installed."""
    if name.lower().endswith((".zst", ".lz4")):
        fastwarc()


def records(
    name: str, file: BinaryIO, limit: int, everything: bool, seekable: bool
) -> Iterator[Documents]:
    """Yields the responses in a WARC file, in order, and a problem for every section that cannot be read.

    Reads at most one byte of a body beyond the limit.
    """
    archive = _Archive(name, File(file, seekable), limit, everything)
    try:
        yield from archive.read()
    except OSError as problem:
        archive.fail(problem)
    yield from archive.left()


class _Head:
    """The parsed head of a record."""

    __slots__ = ("_cut", "_length", "_url", "is_answer", "length", "size")

    def __init__(self, found: re.Match[bytes]) -> None:
        kind, self._url, self._cut, again, self._length = found.groups()
        self.size = found.end() - found.start()
        """Size of the head in bytes."""
        self.is_answer = kind is not None and kind.strip().lower() == b"response"
        """True if the record is a server response."""
        self.length: int | None = None
        """Content-Length; None if it is missing or invalid."""
        if self._length is not None and again is None:
            length = self._length.strip()
            if length.isdigit() and len(length) <= _LONGEST_LENGTH:
                self.length = int(length)

    @property
    def url(self) -> str | None:
        """The requested URL."""
        if self._url is None:
            return None
        url = self._url.strip().decode("utf-8", "replace")
        # Some writers enclose the URL in angle brackets, as in WARC 1.0.
        return (url[1:].removesuffix(">") if url.startswith("<") else url) or None

    @property
    def quoted(self) -> str:
        """Content-Length as written, for messages."""
        return _text((self._length or b"").strip())

    @property
    def cut(self) -> str | None:
        """The reason why the crawler truncated the response."""
        return _text(self._cut.strip()) or None if self._cut is not None else None


@dataclass(slots=True)
class _Loss:
    """A section that cannot be read, kept until the offset where reading resumes is known."""

    source: str
    url: str | None
    kind: str
    why: str


class _Archive:
    """The state of reading a WARC file."""

    def __init__(self, name: str, file: File, limit: int, everything: bool) -> None:
        self._name = name
        self._file = file
        self._limit = limit
        self._most = codings.room(limit) + _HTTP_HEAD
        """Maximum number of bytes read of a record."""
        self._everything = everything
        self._documents = Documents()
        self._begun = 0  # file position at which these documents start
        self._loss: _Loss | None = None
        self._is_searched = False
        """True if the current frame or an earlier one was found by a search."""
        self._record: tuple[int, _Head | None] = 0, None
        """Byte offset in the frame and head of the current record."""
        self._safe = 0
        """File position after the last whole record."""
        self._is_single: bool | None = None
        """True if each frame so far held one record; None before the first frame."""

    def read(self) -> Iterator[Documents]:
        """Yields the responses in batches; `left` yields the last batch."""
        file = self._file
        packing = _packing(self._name, file.peek(8))
        if packing is None:
            yield from self._of_window(file, None)
            return
        frames = packing(file)
        while True:
            file.skip_any(frames.padding)
            if not file.fill(1):
                break
            file.mark()
            run = frames.run()
            yield from self._of_frame(frames) if run is None else self._of_run(run)

    def left(self) -> Iterator[Documents]:
        """Yields the remaining documents."""
        self._settle(None)
        if self._documents.count:
            yield self._handed_over()

    def fail(self, problem: OSError) -> None:
        """Adds an error row: the rest of the file cannot be read."""
        why = (problem.strerror or str(problem)).lower()
        source = f"{self._name}@{self._file.position}"
        self._settle(None)
        self._loss = _Loss(source, None, "unreadable", f"{why}; the rest is not read")

    def _of_run(self, run: Run) -> Iterator[Documents]:
        """Yields the responses of whole frames. Most frames hold one whole record, which needs no window."""
        data = run.data
        for position, begin, end in run.frames:
            found = _HEAD.match(data, begin, end)
            head = _Head(found) if found is not None else None
            if (
                head is None
                or head.length is None
                or head.size > _HEAD_SIZE
                or begin + head.size + head.length + _BETWEEN != end
                or not data.endswith(_ENDS, begin, end)
            ):
                window = Window.of(data[begin:end])
                yield from self._of_window(window, position)
                continue
            if self._loss is not None:
                self._settle(f"@{position}")
            if self._is_single is None:
                self._is_single = True
            url = self._wanted(head) if head.is_answer else None
            if url is None:
                continue
            start = begin + head.size
            block = data[start : start + min(head.length, self._most)]
            answer = _Answer.of(block, head, url, self._limit)
            self._add(f"{self._name}@{position}", answer, self._is_searched)
            if self._documents.is_full:
                yield self._handed_over()

    def _wanted(self, head: _Head) -> str | None:
        """Returns the URL of a response that is to be read, or None."""
        if not head.is_answer:
            return None
        url = head.url or ""
        return url if self._everything or _LOCATION.match(url) else None

    def _of_frame(self, frames: Frames) -> Iterator[Documents]:
        """Yields the responses of the frame at the current position. Searches for the next frame if there is none or if it is damaged."""
        file = self._file
        begin = self._safe = file.position
        self._record = 0, None
        if not frames.is_next():
            self._stretch(f"{self._name}@{begin}", "no record starts here")
            self._search(frames, begin + 1)
            return
        try:
            yield from self._of_window(frames.open(), begin)
            frames.closed()
        except Damaged as damage:
            offset, head = self._record
            source = _source(self._name, begin, offset)
            kind = "truncated-record" if isinstance(damage, Cut) else "corrupt-record"
            if head is None and self._safe == begin:
                self._stretch(source, str(damage), kind)
            else:
                self._settle(f"@{begin}")
                url = head and head.url
                self._loss = _Loss(source, url, kind, str(damage))
            file.cost += file.position - begin
            self._search(frames, _next(file, max(begin, self._safe - 1), file.position))

    def _search(self, frames: Frames, begin: int) -> None:
        """Moves to the next possible frame start at or after `begin`, or to the end."""
        self._file.back(begin)
        self._file.mark()
        self._file.find(frames.start, len(frames.magic))
        self._is_searched = True

    def _of_window(self, window: Window, frame: int | None) -> Iterator[Documents]:
        """Yields the responses of the frame at offset `frame`, or of an uncompressed file if `frame` is None."""
        is_searched, count = False, 0
        while True:
            window.skip_line_ends()
            if not window.fill(1):
                break
            window.mark()
            begin = window.position
            self._record = begin, None
            source = _source(self._name, frame, begin)
            head = _head_at(window)
            if head is None:
                self._stretch(source, "this is not a WARC record", _kind(window))
                window.cost += min(len(window.data) - window.at, _HEAD_SIZE)
                window.back(_next(window, begin, begin + _HEAD_SIZE))
                is_searched = True
                if not window.find(_RECORD, _RECORD_SIZE):
                    break
                continue
            self._record = begin, head
            window.skip(head.size)
            why, answer = self._content(window, head)
            count += 1
            if why is None:
                # The buffer may hold bytes after this record, but none of an earlier whole record.
                self._safe = self._file.position
                self._settle(_source("", frame, begin))
                if answer is not None:
                    self._add(source, answer, is_searched or self._is_searched)
                    if self._documents.is_full:
                        yield self._handed_over()
                continue
            self._settle(_source("", frame, begin))
            kind = "corrupt-record" if window.fill(1) else "truncated-record"
            self._loss = _Loss(source, head.url, kind, why)
            if frame is not None and begin == 0 and self._is_single:
                # The rest of the frame belongs to this record, because every earlier frame held one record.
                while window.skip(_HEAD_SIZE):
                    pass
                self._loss.kind = "corrupt-record"
                self._settle(None)
                break
            window.back(begin + head.size)
            is_searched = True
            if not window.find(_RECORD, _RECORD_SIZE):
                break
        if frame is not None and not is_searched and count:
            self._is_single = count == 1 and self._is_single is not False

    def _content(
        self, window: Window, head: _Head
    ) -> tuple[str | None, "_Answer | None"]:
        """Skips the content of a record. Returns why its Content-Length is wrong (or None), and the response (or None if it is not needed)."""
        if head.length is None:
            if not head.quoted:
                return "content-length is missing", None
            why = f"content-length is {head.quoted!r}, which is not a number of bytes"
            return why, None
        length, begin = head.length, window.position
        most = min(length, self._most)
        held: tuple[bytes, int] | None = None
        url = self._wanted(head)
        if url is not None and not window.can_return(length):
            window.fill(most)
            held = window.data, window.at
        passed = window.skip(length)
        if passed < length:
            return f"content-length is {length}, but only {passed} bytes follow", None
        ends = window.skip_line_ends()
        is_right = not window.fill(1) or (ends > 0 and window.peek(5) == b"WARC/")
        if url is None or (not is_right and ends < _BETWEEN):
            return (None if is_right else _no_record_at(length)), None
        # Copied only after the length is checked, because copies for wrong lengths would be wasted.
        if held is None:
            window.back(begin)
            block = window.peek(most)
            window.skip(length)
        else:
            buffer, at = held
            block = buffer[at : at + most]
        answer = _Answer.of(block, head, url, self._limit)
        # Other bytes may follow the record, but a response as long as the Content-Length of its server is whole.
        is_right = is_right or answer.declared == answer.size
        return (None if is_right else _no_record_at(length)), answer

    def _add(self, source: str, answer: "_Answer", is_recovered: bool) -> None:
        body, size, problem = answer.body, answer.size, answer.problem
        # A body that was not read to its end is too large.
        if problem is None and answer.fields and len(body) == size:
            try:
                body = codings.undone(body, answer.fields, self._limit)
                size = len(body) if len(body) <= self._limit else max(size, len(body))
            except codings.Damaged as damage:
                problem = damage.args[0], damage.args[1]
            body = body[: self._limit + 1]
        elif len(body) > self._limit:
            body = body[: self._limit + 1]
        url = answer.url or None
        self._documents.add(source, url, body, size, problem, is_recovered=is_recovered)

    def _stretch(self, source: str, why: str, kind: str = "corrupt-record") -> None:
        """Notes a section of bytes that is not a record. Bytes that follow a loss belong to that loss."""
        if self._loss is None:
            self._loss = _Loss(source, None, kind, why)

    def _settle(self, place: str | None) -> None:
        """Adds the error row of a loss. Reading resumes at `place`; None if nothing follows."""
        loss, self._loss = self._loss, None
        if loss is None:
            return
        kind, why = loss.kind, loss.why
        if place is not None:
            kind = "corrupt-record" if kind == "truncated-record" else kind
            why = f"{why}; reading goes on at {place}"
        self._documents.add(loss.source, loss.url, b"", 0, (kind, why), is_lost=True)

    def _handed_over(self) -> Documents:
        documents, self._documents = self._documents, Documents()
        position = self._file.position
        documents.consumed, self._begun = max(position - self._begun, 0), position
        return documents


@dataclass(slots=True)
class _Answer:
    """A server response with its content codings."""

    url: str
    body: bytes
    size: int
    """Size of the body in bytes; `body` may hold only its start."""
    fields: list[tuple[str, str]]
    """The header fields; empty if the header names no coding."""
    problem: Problem | None
    names: bytes
    """The header in lower case."""

    @property
    def declared(self) -> int | None:
        """The Content-Length that the server sent."""
        length = _field(self.names, _LENGTH)
        return int(length) if length.isdigit() and len(length) < 18 else None

    @classmethod
    def of(cls, block: bytes, head: _Head, url: str, limit: int) -> "_Answer":
        """Parses the response in the content of a record, or in its first bytes."""
        blank = _BLANK.search(block, 0, _HTTP_HEAD)
        start = len(block) if blank is None else blank.end()
        status = _STATUS.match(block)
        size = max((head.length or 0) - start, 0)
        problem: Problem | None = None
        if status is None:
            problem = "corrupt-record", "the record holds no http answer"
            return cls(url, b"", size, [], problem, b"")
        text = block[:start]
        names = text.lower()
        fields = codings.fields(text) if b"-encoding" in names else []
        if not status[1].startswith(b"2"):
            problem = "http-status", _text(status[0])
        elif (cut := head.cut) is not None:
            problem = "truncated-record", f"the crawler has cut it: {cut}"
        body = block[start:] if fields else block[start : start + limit + 1]
        return cls(url, body, size, fields, problem, names)


def _packing(name: str, first: bytes) -> type[Frames] | None:
    """Returns the compression of a file, from its first bytes or, if these are damaged, from its name. None: not compressed."""
    if first.startswith(b"WARC/"):
        return None
    if first[1:4] == _SKIPPABLE:
        return Zstandard
    for packing in _PACKED.values():
        if first.startswith(packing.magic):
            return packing
    return _PACKED.get(Path(name.lower()).suffix)


def _source(name: str, frame: int | None, offset: int) -> str:
    """Returns the location of a record: `name@offset`, or `name@frame+offset` with the offset in the expanded frame, omitted if it is 0."""
    if frame is None:
        return f"{name}@{offset}"
    return f"{name}@{frame}+{offset}" if offset else f"{name}@{frame}"


def _next(window: Window, begin: int, end: int) -> int:
    """Returns where the search resumes after a failure: just after its start, or at its end if too many bytes were read repeatedly."""
    return begin + 1 if window.cost <= _FREE + _TIMES * begin else max(end, begin + 1)


def _head_at(window: Window) -> _Head | None:
    """Returns the head of the record at the current position, or None."""
    for size in (_FIRST_SIZE, _HEAD_SIZE):
        is_more = window.fill(size)
        found = _HEAD.match(window.data, window.at, window.at + _HEAD_SIZE)
        if found is not None:
            return _Head(found)
        if not is_more or _RECORD.match(window.data, window.at) is None:
            return None
    return None


def _kind(window: Window) -> str:
    """Returns the error kind for an invalid record head: damaged, or truncated by the end of the input."""
    start = window.peek(_RECORD_SIZE)
    is_record = _RECORD.match(start) or (
        len(start) < _RECORD_SIZE and b"WARC/1.0".startswith(start)
    )
    is_cut = is_record and not window.fill(_HEAD_SIZE)
    return "truncated-record" if is_cut else "corrupt-record"


def _field(names: bytes, name: bytes) -> bytes:
    """Returns the value of the first field with this name. Header and name are in lower case."""
    at = names.find(name)
    if at < 0:
        return b""
    at += len(name)
    end = names.find(b"\n", at)
    return names[at : end if end >= 0 else len(names)].strip()


def _text(value: bytes) -> str:
    """Returns bytes of the input as text for a message."""
    return value[:_SHOWN].decode("utf-8", "replace")


def _no_record_at(length: int) -> str:
    return f"content-length is {length}, but no record ends there"
