"""HTTP responses in archives: their head, their body, and the length that they state themselves."""

import re
from dataclasses import dataclass

from . import codings
from .items import Problem

HEAD = 1 << 20
"""Maximum size of the head of a response in bytes, with the interim responses before it."""
_STATUS = re.compile(rb"HTTP/\d+(?:\.\d+)?[ \t]+(\d{3})(?!\d)[^\r\n]*")
_LENGTH = b"\ncontent-length:"
_CHUNKED = re.compile(rb"\ntransfer-encoding[ \t]*:[^\n]*\bchunked")
_CODED = b"content-encoding"
_LONGEST = 17  # digits of a length
_SWITCHED = b"101"
"""The only status from 100 to 199 that no other response follows."""
_MOST_INTERIM = 8
"""Maximum number of interim responses (RFC 9110, section 15.2), such as 103 Early Hints, before the one that counts."""
_LONGEST_STATUS = 64  # bytes in which a status line begins, if one follows
_WITHOUT_BODY = (b"204", b"304")
_SHOWN = 200  # maximum number of bytes quoted in an error message


class Message:
    """The head of the response that starts at `begin` in a buffer, of which it may use the bytes up to `end`."""

    __slots__ = (
        "_begin",
        "_data",
        "_end",
        "_head",
        "_names",
        "body",
        "is_whole",
        "status",
    )

    def __init__(self, data: bytes, begin: int, end: int) -> None:
        self._data, self._begin, self._end = data, begin, end
        self.status = _STATUS.match(data, begin, end)
        """The status line of the response behind all interim ones; None if this is not a response."""
        head, last = begin, min(end, begin + HEAD)
        body = _behind_blank(data, begin, last)
        for _ in range(_MOST_INTERIM):
            if body is None or not self._is_interim:
                break
            following = _STATUS.match(data, body, last)
            if following is None:
                # Without more bytes in the buffer, it may still follow.
                body = body if body + _LONGEST_STATUS <= last else None
                break
            self.status, head = following, body
            body = _behind_blank(data, head, last)
        self.is_whole = body is not None
        """True if the head ends in the buffer."""
        self.body = end if body is None else body
        """Index of the body in the buffer."""
        self._head = head
        self._names = data[head : self.body].lower()

    def stated(self, length: int) -> int | None:
        """Returns the length of the response in bytes according to its own head or chunks, which are checked as far as they are in the buffer; None if it states none.

        `length` is the number according to the record. A crawler may have decoded the body and kept the field: then only an equal number counts.
        """
        names, status = self._names, self.status
        body = length - (self.body - self._begin)
        if b"\ncontent-length: %d\r" % body in names:  # as nearly always
            return length
        if self._is_chunked:
            end = codings.end_of_chunks(self._data, self.body, self._end)
            return None if end is None else end - self._begin
        at = names.find(_LENGTH)
        if at < 0:
            return None
        end = names.find(b"\n", at + 1)
        value = names[at + len(_LENGTH) : end].strip()
        if not value.isdigit() or len(value) > _LONGEST:
            return None
        size = self.body - self._begin + int(value)
        if size == length:
            return size
        is_certain = (
            names.find(_LENGTH, end) < 0
            and (_CODED not in names or codings.is_coded(self._data, self.body))
            and status is not None
            and status[1] not in _WITHOUT_BODY
        )
        return size if is_certain else None

    @property
    def _is_interim(self) -> bool:
        code = b"" if self.status is None else self.status[1]
        return code.startswith(b"1") and code != _SWITCHED

    @property
    def _is_chunked(self) -> bool:
        return b"-encoding" in self._names and bool(_CHUNKED.search(self._names))

    def fields(self) -> list[tuple[str, str]]:
        """Returns the header fields if one of them names a coding."""
        if b"-encoding" not in self._names:
            return []
        return codings.fields(self._data[self._head : self.body])

    def answer(
        self, length: int, stated: int | None, why_partial: str | None, limit: int
    ) -> "Answer":
        """Returns the response, which has `length` bytes in its record. `why_partial` is the reason why the record holds only a part of it.

        `Answer.body` has at most the bytes in the buffer, and only one more than the limit unless it is coded.
        """
        if self.status is None:
            problem = "corrupt-record", "the record holds no http answer"
            return Answer(b"", 0, [], problem)
        start = self.body - self._begin
        if not self.is_whole and length > HEAD:
            said = f"the http headers have more than {HEAD:,} bytes"
            problem = "corrupt-record", said
            return Answer(b"", length, [], problem, int(self.status[1]))
        size, fields = max(length - start, 0), self.fields()
        kind, why = "truncated-record", why_partial
        code = self.status[1]
        if not code.startswith(b"2"):
            kind, why = "http-status", shown(self.status[0])
        elif why is None and code == b"206":
            why = f"the answer is a part of the document: {shown(self.status[0])}"
        elif why is None and (stated or 0) > length and not self._is_chunked:
            why = (
                f"the answer ends after {size:,} of its {(stated or 0) - start:,} bytes"
            )
        end = min(self._end, self._begin + length)
        if not fields:
            end = min(end, self.body + limit + 1)
        body = self._data[self.body : end]
        stopped = None if why is None else (kind, why)
        return Answer(body, size, fields, stopped, int(code))


@dataclass(slots=True)
class Answer:
    """A server response with its content codings."""

    body: bytes
    size: int
    """Size of the body in bytes; `body` may hold only its start."""
    fields: list[tuple[str, str]]
    """The header fields; empty if the header names no coding."""
    problem: Problem | None
    status: int | None = None
    """The status code."""


def _behind_blank(data: bytes, begin: int, end: int) -> int | None:
    """Returns the index behind the first empty line; None if there is none."""
    usual = data.find(b"\n\r\n", begin, end)
    other = data.find(b"\n\n", begin, end if usual < 0 else usual)
    if other >= 0:
        return other + 2
    return None if usual < 0 else usual + 3


def shown(value: bytes) -> str:
    """Returns bytes of the input as text for a message."""
    return value[:_SHOWN].decode("utf-8", "replace")
