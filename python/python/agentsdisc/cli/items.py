"""What `agentsdisc ingest` reads one after another: single documents, portions of JSON Lines, parts of tables."""

import os
from dataclasses import dataclass, field
from typing import Any

# A batch is full with this many documents, or bytes: it bounds the memory.
_DOCUMENTS, _BYTES = 4096, 16 << 20

Problem = tuple[str, str]
"""Kind and message of what went wrong before parsing."""


@dataclass(slots=True)
class Item:
    """A document to read, or why there is none."""

    source: str
    url: str | None
    body: bytes
    size: int
    problem: Problem | None = None

    @property
    def count(self) -> int:
        """How many documents it stands for."""
        return 1


@dataclass(slots=True)
class Documents:
    """Many documents, column by column: an object for each would cost more than it costs to read one from an archive."""

    sources: list[str] = field(default_factory=list)
    urls: list[str | None] = field(default_factory=list)
    bodies: list[bytes | None] = field(default_factory=list)
    """None: there is a problem instead."""
    sizes: list[int] = field(default_factory=list)
    """The documents' bytes, of which only the first may have been read."""
    problems: dict[int, Problem] = field(default_factory=dict)
    """By the number of the document in this batch."""
    recovered: set[int] = field(default_factory=set)
    """Those that were found by searching behind damage."""
    lost: set[int] = field(default_factory=set)
    """Those that stand for a part of the input that cannot be read."""
    held: int = 0
    """Bytes of the bodies."""
    consumed: int | None = None
    """Bytes of the input, where these are not the documents' own."""

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
    ) -> None:
        """Adds a document, or why there is none."""
        if is_recovered:
            self.recovered.add(len(self.bodies))
        if is_lost:
            self.lost.add(len(self.bodies))
        if problem is None:
            self.held += len(body)
            self.bodies.append(body)
        else:
            self.problems[len(self.bodies)] = problem
            self.bodies.append(None)
        self.sources.append(source)
        self.urls.append(url)
        self.sizes.append(size)

    @property
    def is_full(self) -> bool:
        """Whether no more should be added."""
        return len(self.bodies) >= _DOCUMENTS or self.held >= _BYTES

    @property
    def count(self) -> int:
        """How many documents there are."""
        return len(self.bodies)

    @property
    def size(self) -> int:
        """How many bytes of the input they are."""
        return sum(self.sizes) if self.consumed is None else self.consumed

    @property
    def hints(self) -> list[str]:
        """What helps to detect the formats."""
        return [
            url or source.replace(os.sep, "/")
            for url, source in zip(self.urls, self.sources, strict=True)
        ]

    def without(self, passed: int) -> "Documents":
        """The same without the first ones."""
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
            )
        return rest


@dataclass(slots=True)
class Lines:
    """A portion of JSON Lines: whole lines."""

    name: str
    number: int
    """Of its first line, from 1."""
    data: bytes

    @property
    def size(self) -> int:
        """How many bytes of the input it is."""
        return len(self.data)

    @property
    def count(self) -> int:
        """How many lines it has."""
        return self.data.count(b"\n") + (not self.data.endswith(b"\n"))


@dataclass(slots=True)
class Rows:
    """A part of a table."""

    name: str
    number: int
    """Of its first row, from 0."""
    batch: Any
    """A pyarrow record batch with the columns body and perhaps url."""
    size: int
    """About how many bytes of the input it is."""

    @property
    def count(self) -> int:
        """How many rows it has."""
        return int(self.batch.num_rows)
