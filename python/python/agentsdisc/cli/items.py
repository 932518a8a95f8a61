"""What `agentsdisc ingest` reads one after another: single documents, portions of JSON Lines, parts of tables."""

import os
from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Item:
    """A document to read, or why there is none."""

    source: str
    url: str | None
    body: bytes
    size: int
    problem: tuple[str, str] | None = None
    """Kind and message of what went wrong before parsing."""

    @property
    def hint(self) -> str:
        """What helps to detect the format."""
        return self.url or self.source.replace(os.sep, "/")

    @property
    def count(self) -> int:
        """How many documents it stands for."""
        return 1


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
