"""Reads the responses in WARC files (ISO 28500), including the intact parts of damaged files.

INVARIANT: a record ends where its frame ends (a gzip member, a Zstandard frame or an LZ4 frame), whatever its Content-Length is.
After damage, the reader searches for the next record, starting after the last whole record. A record found by a search may be
part of other data, for example of the body of another site's response. It is marked as recovered, as is every record up to
the next certain boundary: the end of the frame in which the record was found, or the end of the file if the frame itself was found
by a search.

A Content-Length that leads to the end of some record may still be wrong. It is compared with the length that a response states itself, and, where
that does not confirm it, with the starts of records inside the claimed bytes (`_content`).

Each byte is read a bounded number of times, even if every record is damaged (`_next`).

Most gzip members are read in runs (`Frames.run`). A run yields the same frames as single reads, but faster: a frame that holds one
whole record needs no window (`_of_run`); any other frame is read as if it were opened alone.
"""

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from .._facts import FACTS, RESOURCES
from . import answers, codings
from .answers import Answer, Message, shown
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
from .items import Capture, Documents, Problem, Revisit

SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")

_PATHS = [
    *(path for resource in RESOURCES.values() for path in resource.locations),
    *(path for facts in FACTS.values() for path in facts.also_at),
]
_LOCATION = re.compile(
    r"https?://[^/?#]*/(?:{}|(?:[^?#]*/)?(?:{}))(?:[?#]|$)".format(
        "|".join(re.escape(path[1:]) for path in _PATHS if path[:1] == "/" != path),
        "|".join(re.escape(path) for path in _PATHS if path[:1] != "/"),
    ),
    re.IGNORECASE,
)
"""The URLs of documents (docs/formats/locations.md); paths without a slash are at any path. Responses from other
URLs are read only if the caller requests all records."""

_KINDS = frozenset(
    {
        "continuation",
        "conversion",
        "metadata",
        "request",
        "resource",
        "revisit",
        "warcinfo",
    }
)
"""The types of records that hold no response of a server."""

_PACKED: dict[str, type[Frames]] = {".gz": Gzip, ".zst": Zstandard, ".lz4": Lz4}
_SKIPPABLE = b"\x2a\x4d\x18"  # after any first byte: a skippable Zstandard frame

_RECORD = re.compile(rb"WARC/\d\.\d")
# Each line matches exactly one alternative in one way, so matching takes linear time. The first value of a field counts.
_HEAD = re.compile(
    rb"""(?-i:WARC/)\d\.\d+[ \t]*\r?\n
    (?: (?: WARC-(?: Type:           (?(1) [^\n]* | ([^\n]*) )
                   | Target-URI:     (?(2) [^\n]* | ([^\n]*) )
                   | Truncated:      (?(3) [^\n]* | ([^\n]*) )
                   | Segment-Number: (?(4) [^\n]* | ([^\n]*) ) )
          | Content-Length:          (?(6) ([^\n]*) | ([^\n]*) )
          | WARC-Date:               (?(7) [^\n]* | ([^\n]*) )
          | (?! (?-i:WARC/) | WARC-(?: Type | Target-URI | Truncated | Segment-Number | Date ): | Content-Length: )
            (?: [^\r\n \t] | ([ \t]) ) [^\n]*
        ) \n )*
    \r?\n""",
    re.IGNORECASE | re.VERBOSE,
)
# A URL and a number contain no spaces, so those of a fold do not belong to them.
_FOLD = re.compile(rb"\r?\n[ \t]+")
_DIGEST = re.compile(rb"[\w-]{1,20}:[\w+/=-]{1,128}", re.ASCII)
"""A digest that is shown; a longer one would be repeated in the table."""
_LONGEST_REVISIT = 2048  # bytes of each URL
_CONTROL = re.compile(r"[\0-\x1f\x7f]")
# The start of a record behind a blank line.
_WARC = b"WARC/"
_LINE = b"\n" + _WARC
_START = re.compile(
    rb"(?:(?<=\n)|(?<=\n\r))\nWARC/\d\.\d{1,9}[ \t]{0,9}\r?\n[A-Za-z-]{1,30}:"
)
_START_SIZE = 64
_SCANNED = 1 << 16
"""Number of bytes that are searched for such a start at once."""
_RECORD_SIZE = 8
_FIRST_SIZE, _HEAD_SIZE = 1 << 10, 1 << 16
"""Number of bytes in which the head of a record is searched for, at first and at most."""
_ENDS = b"\r\n\r\n"  # after a record
_BETWEEN = len(_ENDS)
_LONGEST_LENGTH = 30  # digits
_FIRST_OF_ANSWER = 1 << 12
"""Number of bytes in which the head of a response is searched for, at first."""
# After a failure, reading resumes just after its start while the bytes read are at most _TIMES * (bytes completed) + _FREE.
_TIMES, _FREE = 8, 1 << 20


def check(name: str) -> None:
    """Raises Unreadable if the file needs a package that is not installed."""
    if name.lower().endswith((".zst", ".lz4")):
        fastwarc()


def records(
    name: str,
    file: BinaryIO,
    limit: int,
    everything: bool,
    seekable: bool,
    only: Container[str] | None = None,
) -> Iterator[Documents]:
    """Yields the responses in a WARC file, in order, and a problem for every section that cannot be read.

    Reads at most one byte of a body beyond the limit. `only` has the URLs whose responses are read instead of those of documents.
    """
    archive = _Archive(name, File(file, seekable), limit, everything, only)
    try:
        yield from archive.read()
    except OSError as problem:
        archive.fail(problem)
    yield from archive.left()


class _Head:
    """The parsed head of a record."""

    __slots__ = (
        "_again",
        "_cut",
        "_date",
        "_found",
        "_length",
        "_segment",
        "_url",
        "kind",
        "length",
        "size",
    )

    def __init__(self, found: re.Match[bytes]) -> None:
        self._found = found
        begin, end = found.span()
        self.size = end - begin
        """Size of the head in bytes."""
        fields = found.groups()
        if fields[-1] is not None:  # a line is folded
            again = _HEAD.match(_FOLD.sub(b"", found[0]))
            fields = fields if again is None else again.groups()
        kind, self._url, self._cut, self._segment, *others = fields
        self._again, self._length, self._date, _ = others
        self.kind = None if kind is None else kind.strip().lower()
        """WARC-Type; None if it is missing."""
        self.length: int | None = None
        """Content-Length; None if it is missing, invalid or ambiguous."""
        if self._length is not None:
            length = self._length.strip()
            is_clear = self._again is None or self._again.strip() == length
            if is_clear and length.isdigit() and len(length) <= _LONGEST_LENGTH:
                self.length = int(length)

    @property
    def is_answer(self) -> bool:
        """True if the record is a server response."""
        return self.kind == b"response"

    @property
    def url(self) -> str | None:
        """The requested URL."""
        if self._url is None:
            return None
        url = self._url.strip().decode("utf-8", "replace")
        # Some writers enclose the URL in angle brackets, as in WARC 1.0.
        return (url[1:].removesuffix(">") if url.startswith("<") else url) or None

    @property
    def date(self) -> str | None:
        """When the response was captured."""
        return None if self._date is None else shown(self._date.strip())

    def field(self, name: bytes) -> bytes:
        """Returns the first value of another field; empty if it is missing."""
        head = _FOLD.sub(b"", self._found[0]) if self._found[5] else self._found[0]
        line = re.search(rb"\n" + name + rb":([^\n]*)", head, re.IGNORECASE)
        return b"" if line is None else line[1].strip()

    @property
    def digest(self) -> str | None:
        """The digest of the payload."""
        digest = self.field(b"WARC-Payload-Digest")
        return digest.decode() if _DIGEST.fullmatch(digest) else None

    def revisit(self, source: str) -> Revisit | None:
        """Returns the record as a revisit of an earlier one; None if it does not identify that."""
        url = self.url or ""
        of_url = self.field(b"WARC-Refers-To-Target-URI").strip(b"<>") or url.encode()
        of_date = self.field(b"WARC-Refers-To-Date")
        digest = self.digest
        if max(len(of_url), len(url.encode())) > _LONGEST_REVISIT or not (
            digest or of_date
        ):
            return None
        return Revisit(
            source,
            url,
            self.date,
            digest,
            of_url.decode("utf-8", "replace"),
            shown(of_date) if of_date else None,
        )

    @property
    def passed(self) -> str:
        """What the record is, if it is passed over."""
        if self.is_answer:
            return "response from another URL"
        kind = (self.kind or b"").decode("ascii", "replace")
        return kind if kind in _KINDS else "record of another type"

    @property
    def why_no_length(self) -> str:
        """The reason why there is no length."""
        length = shown((self._length or b"").strip())
        if self._again is not None:
            again = shown(self._again.strip())
            return f"content-length is there twice, as {length!r} and {again!r}"
        if not length:
            return "content-length is missing"
        return f"content-length is {length!r}, which is not a number of bytes"

    @property
    def why_partial(self) -> str | None:
        """The reason why the record holds only a part of the response."""
        cut = b"" if self._cut is None else self._cut.strip()
        if cut:
            return f"the crawler has cut it: {shown(cut)}"
        if self._segment is not None:
            return "the record is a segment of the answer"
        return None


@dataclass(slots=True)
class _Content:
    """The content of a record."""

    problem: Problem | None = None
    """Why the Content-Length is wrong."""
    resume: int = 0
    """With a problem: the position in the window at which the search for the next record begins."""
    answer: Answer | None = None
    """The response, if it is to be read."""
    is_confirmed: bool = False
    """True if the response itself states the same length."""


@dataclass(slots=True)
class _Loss:
    """A section that cannot be read, kept until the offset where reading resumes is known."""

    source: str
    url: str | None
    kind: str
    why: str


class _Archive:
    """The state of reading a WARC file."""

    def __init__(
        self,
        name: str,
        file: File,
        limit: int,
        everything: bool,
        only: Container[str] | None,
    ) -> None:
        self._name = name
        self._file = file
        self._limit = limit
        self._most = codings.room(limit) + answers.HEAD
        """Maximum number of bytes read of a record."""
        self._everything = everything
        self._only = only
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
        found = self._documents
        if found.count or found.passed or found.revisits:
            yield self._handed_over()

    def fail(self, problem: OSError) -> None:
        """Adds an error row: the rest of the file cannot be read."""
        why = (problem.strerror or str(problem)).lower()
        source = f"{self._name}@{self._file.position}"
        self._settle(None)
        self._loss = _Loss(source, None, "unreadable", f"{why}; the rest is not read")

    def _of_run(self, run: Run) -> Iterator[Documents]:
        """Yields the responses of whole frames. Most frames hold one whole record, which needs no window."""
        for position, begin, end in run.frames:
            if not self._is_read(run.data, position, begin, end):
                window = Window.of(run.data[begin:end])
                yield from self._of_window(window, position)
            elif self._documents.is_full:
                yield self._handed_over()

    def _is_read(self, data: bytes, position: int, begin: int, end: int) -> bool:
        """Reads a frame if it certainly holds one whole record. Returns False otherwise."""
        found = _HEAD.match(data, begin, end) if self._is_single else None
        if found is None:
            return False
        head = _Head(found)
        if (
            head.length is None
            or head.size > _HEAD_SIZE
            or begin + head.size + head.length + _BETWEEN != end
            or not data.endswith(_ENDS, begin, end)
        ):
            return False
        url, fault = self._wanted(head)
        answer = None
        if url is not None and fault is None:
            start = begin + head.size
            message = Message(data, start, min(end, start + self._most))
            if message.stated(head.length) not in (None, head.length):
                return False
            answer = message.answer(head.length, None, head.why_partial, self._limit)
        if self._loss is not None:
            self._settle(f"@{position}")
        if url is not None or fault is not None:
            source = f"{self._name}@{position}"
            self._add(source, head, url, answer, fault, self._is_searched)
        else:
            self._pass_over(head, f"{self._name}@{position}")
        return True

    def _wanted(self, head: _Head) -> tuple[str | None, str | None]:
        """Returns the URL of a response that is to be read or None, and what is wrong with the head of a record that may be such a response."""
        if head.kind is not None and not head.is_answer:
            return None, None
        url = head.url
        is_clear = url is not None and (
            url.isprintable() or _CONTROL.search(url) is None
        )
        if is_clear and not self._is_document(url or ""):
            return None, None
        if head.kind is None:
            return url, "WARC-Type is missing"
        if url is None:
            return url, "WARC-Target-URI is missing"
        return url, None if is_clear else "WARC-Target-URI contains control characters"

    def _is_document(self, url: str) -> bool:
        """Whether the response from a URL is to be read."""
        if self._only is not None:
            return url in self._only
        return self._everything or _LOCATION.match(url) is not None

    def _pass_over(self, head: _Head, source: str) -> None:
        """Counts a record that is not read, or keeps it if it is the revisit of a document."""
        url = head.url if head.kind == b"revisit" else None
        is_wanted = url and url.isprintable() and self._is_document(url)
        revisit = head.revisit(source) if is_wanted and self._only is None else None
        if revisit is not None:
            self._documents.revisits.append(revisit)
        else:
            self._documents.passed[head.passed] += 1

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
            is_alone = frame is not None and begin == 0 and bool(self._is_single)
            url, fault = self._wanted(head)
            content = self._content(window, head, url is not None, is_alone)
            count += 1
            self._settle(_source("", frame, begin))
            if content.problem is None:
                # The buffer may hold bytes after this record, but none of an earlier whole record.
                self._safe = self._file.position
                self._record = window.position, None
                is_recovered = is_searched or self._is_searched
                if url is None and fault is None:
                    self._pass_over(head, source)
                self._add(source, head, url, content.answer, fault, is_recovered)
                if self._documents.is_full:
                    yield self._handed_over()
                if is_alone and head.is_answer and not content.is_confirmed:
                    # A further record in the frame may belong to the body of this one.
                    is_searched = True
                continue
            self._loss = _Loss(source, head.url, *content.problem)
            if is_alone:
                # The rest of the frame belongs to this record, because every earlier frame held one record.
                while window.skip(_HEAD_SIZE):
                    pass
                self._loss.kind = "corrupt-record"
                self._settle(None)
                break
            window.back(content.resume)
            is_searched = True
            if not window.find(_RECORD, _RECORD_SIZE):
                break
        if frame is not None and not is_searched and count:
            self._is_single = count == 1 and self._is_single is not False

    def _content(
        self, window: Window, head: _Head, is_read: bool, is_alone: bool
    ) -> _Content:
        """Skips the content of a record. `is_read` is True if it is a response to read, and `is_alone` if the frame holds no other record."""
        length, begin = head.length, window.position
        if length is None:
            kind = "corrupt-record" if window.fill(1) else "truncated-record"
            return _Content((kind, head.why_no_length), begin)
        said = f"content-length is {length}, but"
        message, stated = None, None
        if head.is_answer:
            message, stated = self._message(window, length, is_read)
        if stated not in (None, length) and _is_end(window, window.at + stated):
            why = f"{said} the answer ends after {stated:,} bytes"
            return _Content(("corrupt-record", why), begin + stated)
        is_scanned = stated != length and not is_alone and window.may_have(length)
        if is_scanned and not _is_clear(window, length):
            passed, is_start = _searched(window, length)
            if is_start:
                why = f"{said} a record begins after {passed:,} bytes"
                return _Content(("corrupt-record", why), begin + passed)
        else:
            passed = window.skip(length)
        ends = window.skip_line_ends() if passed == length else 0
        # A record before damage is whole, unless the damage is at the end of its own frame.
        window.ahead(len(_WARC))
        is_last = not (window.fill(1) if is_alone else window.ahead(1))
        is_next = ends > 0 and window.data.startswith(_WARC, window.at)
        is_right = is_last or is_next
        is_confirmed = stated == length and ends >= _BETWEEN
        if passed < length or not (is_right or is_confirmed):
            window.cost += passed if is_scanned else 0
            resume = _next(window, begin - 1, begin + passed)
            if passed < length:
                why = f"{said} only {passed:,} bytes follow"
                return _Content(("truncated-record", why), resume)
            why = f"{said} no record ends there"
            return _Content(("corrupt-record", why), resume)
        answer = None
        if is_read and message is not None:
            answer = message.answer(length, stated, head.why_partial, self._limit)
        # Other bytes may follow the record, but a response of the length that it states is whole.
        return _Content(None, 0, answer, stated == length)

    def _message(
        self, window: Window, length: int, is_read: bool
    ) -> tuple[Message, int | None]:
        """Buffers the start of the response at the current position: its body, if it is to be read, and the end that it states."""
        size = max(length if is_read else 0, _FIRST_OF_ANSWER)
        message = self._buffered(window, size)
        if not message.is_whole:
            message = self._buffered(window, answers.HEAD)
        stated = message.stated(length)
        if stated is not None and stated != length:
            message = self._buffered(window, stated + _BETWEEN + _RECORD_SIZE)
            stated = message.stated(length)
        return message, stated

    def _buffered(self, window: Window, size: int) -> Message:
        window.ahead(min(size, self._most))
        end = min(len(window.data), window.at + self._most)
        return Message(window.data, window.at, end)

    def _add(
        self,
        source: str,
        head: _Head,
        url: str | None,
        answer: Answer | None,
        fault: str | None,
        is_recovered: bool,
    ) -> None:
        """Adds the row of a record: a response, or what is wrong with its head."""
        if fault is not None:
            problem: Problem | None = ("corrupt-record", fault)
            self._documents.add(source, url, b"", 0, problem, is_lost=True)
        if fault is not None or answer is None:
            return
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
        self._documents.add(
            source,
            url,
            body,
            size,
            problem,
            is_recovered=is_recovered,
            date=head.date,
            capture=Capture(answer.status, head.digest, "response"),
        )

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


def _packing(name: str, first: bytes) -> type[Frames] | None:
    """Returns the compression of a file, from its first bytes or, if these are damaged, from its name. None: not compressed."""
    if first.startswith(_WARC):
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
        is_more = window.ahead(size)
        found = _HEAD.match(window.data, window.at, window.at + _HEAD_SIZE)
        if found is not None:
            return _Head(found)
        if not is_more or _RECORD.match(window.data, window.at) is None:
            # Raises Damaged if that is the reason.
            window.fill(size)
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


def _is_end(window: Window, at: int) -> bool:
    """True if a record ends at an index in the buffer: exactly two line ends follow, and then a record or the end."""
    data, after = window.data, at + _BETWEEN
    is_last = after == len(data) and window.is_over
    return data.startswith(_ENDS, at) and (is_last or data.startswith(_WARC, after))


def _is_clear(window: Window, length: int) -> bool:
    """True if the buffer holds the next `length` bytes and no record starts within them."""
    end = window.at + length
    return end <= len(window.data) and window.data.find(_LINE, window.at, end) < 0


def _searched(window: Window, length: int) -> tuple[int, bool]:
    """Skips `length` bytes, or fewer if a record starts within them or the input ends. Returns their number, and True if a record starts."""
    left = length
    while True:
        window.fill(min(left, _SCANNED))
        data, at = window.data, window.at
        end = min(len(data), at + left)
        found = at
        while (found := data.find(_LINE, found, end)) >= 0:
            if _START.match(data, found, end):
                window.at = found
                return length - left + found - at, True
            found += len(_LINE)
        is_last = end - at == left or window.is_over
        step = end - at if is_last else end - at - _START_SIZE
        window.at += step
        left -= step
        if is_last:
            return length - left, False
