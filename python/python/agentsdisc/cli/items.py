"""The items that `agentsdisc ingest` reads: single documents, portions of JSON Lines, parts of tables."""

import os
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# A batch is full at this number of documents or bytes, which bounds the memory: with two threads, eight batches exist at once, some as documents and
# some as rows. Each has a fixed cost of some milliseconds.
_DOCUMENTS, _BYTES = 4096, 8 << 20

# The longest URL of a document in bytes, as in decisions, and what an error row shows of a longer one.
MAX_URL, _SHOWN_URL = 2048, 128
URL_BYTES = "url_bytes"
"""The column with the sizes of URLs, if some URLs of a table are too long and have been cut."""

Problem = tuple[str, str]
"""Kind and message of an error before parsing."""


def too_long(length: int) -> Problem:
    """Returns the error for a URL of this length in bytes. Rows repeat the URL, so a long URL would turn a small input into a large table."""
    return "url-too-long", f"the URL has {length:,} bytes; the limit is {MAX_URL:,}"


def bounds() -> tuple[int, int]:
    """Returns the number of documents and of bytes at which a batch is full."""
    return _DOCUMENTS, _BYTES


class Capture(NamedTuple):
    """What an archive states about a document, besides its URL and when it was captured."""

    status: int | None
    """The status code of the response."""
    digest: str | None
    """The digest of the payload, with its algorithm: `sha1:…`."""
    kind: str
    """The type of the record."""


class Revisit(NamedTuple):
    """A record without a body, because an earlier record has the same one."""

    source: str
    url: str
    date: str | None
    digest: str | None
    of_url: str
    """The URL of the earlier record."""
    of_date: str | None
    """When the earlier record was captured, if the revisit states it."""

    @property
    def key(self) -> str | None:
        """What identifies the earlier record among those of its URL: the digest, or else when it was captured."""
        return self.digest or self.of_date


@dataclass(slots=True)
class Item:
    """A document to read, or an error."""

    source: str
    url: str | None
    body: bytes
    size: int
    problem: Problem | None = None

    @property
    def count(self) -> int:
        """Returns the number of documents."""
        return 1


@dataclass(slots=True)
class Documents:
    """Many documents, column by column: an object per document would cost more than reading one from an archive."""

    sources: list[str] = field(default_factory=list)
    urls: list[str | None] = field(default_factory=list)
    bodies: list[bytes | None] = field(default_factory=list)
    """None if there is an error instead."""
    sizes: list[int] = field(default_factory=list)
    """The bytes of the documents, possibly only the first ones of a too large document."""
    problems: dict[int, Problem] = field(default_factory=dict)
    """Errors by the number of the document in this batch."""
    recovered: set[int] = field(default_factory=set)
    """The documents that were recovered after damage, by their number in this batch."""
    lost: set[int] = field(default_factory=set)
    """The items for parts of the input that cannot be read, by their number in this batch."""
    dates: dict[int, str] = field(default_factory=dict)
    """When documents were captured, as the archive states it, by their number in this batch."""
    captures: dict[int, Capture] = field(default_factory=dict)
    """What an archive states about documents, by their number in this batch."""
    revisits: list[Revisit] = field(default_factory=list)
    """The revisits of documents, which have no row yet."""
    passed: Counter[str] = field(default_factory=Counter)
    """The records that were passed over, by reason."""
    held: int = 0
    """The size of the bodies in bytes."""
    consumed: int | None = None
    """The size of the input in bytes, if it differs from that of the documents."""

    def add(
        self,
        source: str,
        url: str | None,
        body: bytes,
        size: int,
        problem: Problem | None = None,
        *,
        is_recovered: bool = False,
        is_lost: bool = False,
        date: str | None = None,
        capture: Capture | None = None,
    ) -> None:
        """Adds a document or an error."""
        if is_recovered:
            self.recovered.add(len(self.bodies))
        if is_lost:
            self.lost.add(len(self.bodies))
        if date is not None:
            self.dates[len(self.bodies)] = date
        if capture is not None:
            self.captures[len(self.bodies)] = capture
        if problem is None:
            self.held += len(body)
            self.bodies.append(body)
        else:
            self.problems[len(self.bodies)] = problem
            self.bodies.append(None)
        self.sources.append(source)
        self.urls.append(url)
        self.sizes.append(size)
        if url is not None:
            self.bound(len(self.urls) - 1, url)

    def bound(self, at: int, url: str) -> None:
        """Puts an error in place of a document if its URL is too long, and shortens the URL."""
        if (length := len(url.encode())) <= MAX_URL:
            return
        self.problems.setdefault(at, too_long(length))
        self.held -= len(self.bodies[at] or b"")
        self.bodies[at] = None
        self.urls[at] = f"{url[:_SHOWN_URL]}…"

    @property
    def is_full(self) -> bool:
        """Whether the batch is full."""
        return len(self.bodies) >= _DOCUMENTS or self.held >= _BYTES

    @property
    def count(self) -> int:
        """The number of documents."""
        return len(self.bodies)

    @property
    def size(self) -> int:
        """The number of bytes of the input."""
        return sum(self.sizes) if self.consumed is None else self.consumed

    @property
    def hints(self) -> list[str]:
        """Returns the hints for detection."""
        return [
            url or source.replace(os.sep, "/")
            for url, source in zip(self.urls, self.sources, strict=True)
        ]

    def extend(self, other: "Documents") -> None:
        """Appends other documents, without the sizes of their inputs."""
        before = self.count
        self.sources += other.sources
        self.urls += other.urls
        self.bodies += other.bodies
        self.sizes += other.sizes
        self.problems.update((before + at, it) for at, it in other.problems.items())
        self.recovered.update(before + at for at in other.recovered)
        self.lost.update(before + at for at in other.lost)
        self.dates.update((before + at, date) for at, date in other.dates.items())
        self.captures.update((before + at, it) for at, it in other.captures.items())
        self.revisits += other.revisits
        self.passed.update(other.passed)
        self.held += other.held

    def without(self, passed: int) -> "Documents":
        """Returns the documents without the first `passed`, and without the records that were passed over before them."""
        rest = Documents(consumed=self.consumed)
        for at in range(passed, self.count):
            rest.add(
                self.sources[at],
                self.urls[at],
                self.bodies[at] or b"",
                self.sizes[at],
                self.problems.get(at),
                is_recovered=at in self.recovered,
                is_lost=at in self.lost,
                date=self.dates.get(at),
                capture=self.captures.get(at),
            )
        return rest


@dataclass(slots=True)
class Lines:
    """A portion of JSON Lines: whole lines."""

    name: str
    number: int
    """The number of its first line, from 1."""
    data: bytes

    @property
    def size(self) -> int:
        """The number of bytes of the input."""
        return len(self.data)

    @property
    def held(self) -> int:
        """The number of bytes in memory."""
        return len(self.data)

    @property
    def count(self) -> int:
        """The number of lines."""
        return self.data.count(b"\n") + (not self.data.endswith(b"\n"))


@dataclass(slots=True)
class Rows:
    """A part of a table."""

    name: str
    number: int
    """The number of its first row, from 0."""
    batch: Any
    """A pyarrow record batch with the columns body and optionally url, and with URL_BYTES if a URL is too long."""
    size: int
    """The approximate number of bytes of the input."""

    @property
    def held(self) -> int:
        """The number of bytes in memory."""
        return int(self.batch.nbytes)

    @property
    def count(self) -> int:
        """The number of rows."""
        return int(self.batch.num_rows)


Part = Documents | Item | Lines | Rows
"""What an input yields."""


@dataclass(slots=True)
class Batch:
    """Parts of one kind, of any number of inputs, whose rows are created together."""

    parts: list[Documents | Lines | Rows] = field(default_factory=list)
    """Documents are a single part, to which those of others are appended."""
    count: int = 0
    """Number of documents."""
    held: int = 0
    """Bytes in memory."""
    size: int = 0
    """Bytes of the inputs."""

    def has_room(self, part: Part) -> bool:
        """Whether the batch may grow by a part: if it has the kind of the others, and is not too large."""
        if not self.parts:
            return True
        count, held = _extent(part)
        if self.count + count > _DOCUMENTS or self.held + held > _BYTES:
            return False
        last = self.parts[-1]
        if isinstance(last, Documents):
            return isinstance(part, Documents | Item)
        if isinstance(last, Lines):
            return isinstance(part, Lines)
        return isinstance(part, Rows) and part.batch.schema.equals(last.batch.schema)

    def add(self, part: Part) -> None:
        """Adds a part."""
        count, held = _extent(part)
        self.count += count
        self.held += held
        self.size += part.size
        if not isinstance(part, Documents | Item):
            self.parts.append(part)
            return
        if not self.parts:
            self.parts.append(Documents())
        whole = self.parts[-1]
        assert isinstance(whole, Documents)
        if isinstance(part, Documents):
            whole.extend(part)
        else:
            whole.add(part.source, part.url, part.body, part.size, part.problem)


def _extent(part: Part) -> tuple[int, int]:
    """Returns the number of documents of a part, and its bytes in memory."""
    return part.count, len(part.body) if isinstance(part, Item) else part.held
