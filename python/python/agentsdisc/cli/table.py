"""Converts a batch of documents to rows: selected, filtered, optionally one per capability."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from .._agentsdisc import batch_of, batch_schema, json_lines, parse_batch
from .inputs import Documents, Lines, Place, Rows
from .items import MAX_URL, URL_BYTES, Batch, Revisit, too_long

if TYPE_CHECKING:
    from .. import Limits

SOURCE = "source"
"""The column with the location of a document: file, line or offset."""

CAPTURED = ("fetched", "http_status", "digest", "record_type")
"""The columns with what an archive states about a document: when it was captured, the status code of the response, the digest of its payload, and the
type of the record. They are absent for other inputs."""

OWN = (SOURCE, *CAPTURED)
"""The columns before those of `parse_batch`."""

RECOVERED = "recovered"
"""The status of a document that was recovered after damage: it may be a part of another document."""

_LOST = ("unreadable", "invalid-record")
"""The error kinds of inputs that cannot be read at all: files, rows of tables and lines. For archives, `Documents.lost` has them."""

CAPABILITY = "capability"
"""The column that contains one capability, with a row per capability."""

# A piece of the rows of capabilities ends when their documents have _PIECE_BYTES bytes. The first _PIECES pieces are created at once, the others on
# use. Each row repeats columns of its document, and a hostile document has many capabilities.
_PIECE_BYTES, _PIECES = 16 << 20, 4

# The columns of the document that each row of a capability repeats by default: those that identify the document. Repeating all columns turned a
# hostile document of 164 KB into 421 MB.
_REPEATED = ("url", "bytes", "format", "status", "errors", "warnings", "infos")

_DATE = re.compile(
    r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?)?)?",
    re.ASCII,
)

# The columns that counting, filtering and repairing of rows need.
_NEEDED = ("url", "bytes", "format", "status", "error_kind", "error_message")
# The columns of the rows in the file of errors.
_ERRORS = (
    "url",
    "bytes",
    "format",
    *(f"error_{name}" for name in ("kind", "offset", "line", "column", "message")),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """The selected rows and columns."""

    columns: tuple[str, ...] | None
    """None: all except `model` and `links`; with a row per capability, only those that identify the document."""
    formats: frozenset[str] | None
    """None: all."""
    check: bool
    explode: bool
    """One row per capability instead of per document."""
    apart: bool
    """Rows with errors go to another file."""

    def parsed(self, arrow: Any) -> list[str]:
        """Returns the columns to request from `parse_batch`."""
        needed = (*_NEEDED, *_ERRORS) if self.apart else _NEEDED
        if self.columns is None:
            every: list[str] = arrow.schema(batch_schema(check=self.check)).names
            if not self.explode:
                return every
            shown = {*_REPEATED, *needed, "capabilities"}
            return [name for name in every if name in shown]
        wanted = [name for name in self.columns if name not in OWN]
        wanted += [name for name in needed if name not in wanted]
        if self.explode and not any(
            name.split(".")[0] == "capabilities" for name in wanted
        ):
            wanted.append("capabilities")
        return wanted

    def shown(self, names: list[str]) -> list[str]:
        """Returns the columns to write."""
        if self.columns is not None:
            tops = {name.split(".")[0] for name in self.columns}
        elif self.explode:
            tops = {SOURCE, *_REPEATED}
        else:
            return names
        if self.explode:
            tops.add(CAPABILITY)
        return [name for name in names if name in tops]


@dataclass(slots=True)
class Done:
    """The result of a batch."""

    rows: Iterable[Any]
    """Record batches, some of which are created on use."""
    errors: Any
    """The rows with errors, if they go to another file."""
    counts: "Counter[tuple[str, str]]"
    documents: int
    size: int
    """Bytes of the documents."""
    consumed: int
    """Bytes of the inputs."""
    place: Place
    lost: list[tuple[str, str]]
    """Parts of the inputs that cannot be read: location and reason."""
    passed: "Counter[str]" = field(default_factory=Counter)
    """Records that were passed over, by reason."""
    revisits: list[Revisit] = field(default_factory=list)
    """Records whose documents are read at the end."""


def _is_date(date: str | None) -> bool:
    """Whether a date of an archive is one (the profile of ISO 8601 in the WARC format, annex E); others would not sort, and could be long."""
    return date is not None and _DATE.fullmatch(date) is not None


class Maker:
    """Creates rows from batches; usable from any thread."""

    def __init__(self, choice: Choice, limits: "Limits") -> None:
        self._choice = choice
        self._limits = limits
        self._arrow: Any = import_module("pyarrow")
        self._compute: Any = import_module("pyarrow.compute")
        self._columns = choice.parsed(self._arrow)
        empty = self._with_own(self._parsed([], []), [])
        (none,) = self._finished(empty)
        self.schema = none.schema
        self.error_schema = (
            empty.select([SOURCE, *_ERRORS]).schema if choice.apart else None
        )

    def _parsed(self, bodies: Any, urls: Any) -> Any:
        batch = parse_batch(
            bodies, urls, columns=self._columns, limits=self._limits, threads=1
        )
        return self._arrow.record_batch(batch)

    def made(self, batch: Batch, place: Place) -> Done:
        """Returns the rows of a batch."""
        first, lost = batch.parts[0], set[int]()
        if isinstance(first, Documents):
            table = self._of_documents(first)
            lost = first.lost
        elif isinstance(first, Lines):
            table = self._of_lines([it for it in batch.parts if isinstance(it, Lines)])
        else:
            table = self._of_rows([it for it in batch.parts if isinstance(it, Rows)])
        done = self._sorted(table, batch.size, place, lost)
        if isinstance(first, Documents):
            done.passed, done.revisits = first.passed, first.revisits
        return done

    def _given(
        self, texts: dict[str, list[Any]], integers: dict[str, list[int]]
    ) -> Any:
        return self._arrow.record_batch(batch_of(texts, integers))

    def _texts(self, values: list[Any]) -> Any:
        return self._given({"": values}, {}).column(0)

    def _with_own(
        self, table: Any, sources: list[str], documents: Documents | None = None
    ) -> Any:
        """Returns the table behind the columns of its inputs."""
        nothing: list[Any] = [None] * len(sources)
        dates = captures = nothing
        if documents is not None and documents.captures:
            numbers = range(len(sources))
            dates = [documents.dates.get(at) for at in numbers]
            captures = [documents.captures.get(at) for at in numbers]
        texts: dict[str, list[Any]] = {
            SOURCE: sources,
            "fetched": [date if _is_date(date) else None for date in dates],
            "digest": [it and it.digest for it in captures],
            "record_type": [it and it.kind for it in captures],
        }
        own = self._given(texts, {"http_status": [it and it.status for it in captures]})
        schema = table.schema
        for at, name in enumerate(OWN):
            schema = schema.insert(at, own.schema.field(name))
        return self._arrow.RecordBatch.from_arrays(
            [*map(own.column, OWN), *table.columns], schema=schema
        )

    def _of_lines(self, parts: list[Lines]) -> Any:
        data, starts = bytearray(), [0]
        for lines in parts:
            if data and not data.endswith(b"\n"):
                data += b"\n"
            data += lines.data
            starts.append(starts[-1] + lines.count)
        table = self._arrow.record_batch(
            json_lines(bytes(data), columns=self._columns, limits=self._limits)
        )
        sources = []
        for line in table.column("line").to_pylist():
            at = bisect_right(starts, line) - 1
            number = parts[at].number + line - starts[at]
            sources.append(f"{parts[at].name}:{number}")
        return self._bounded(self._with_own(table.drop_columns(["line"]), sources))

    def _of_rows(self, parts: list[Rows]) -> Any:
        table = self._arrow.Table.from_batches([part.batch for part in parts])
        names = table.schema.names
        urls = table.column("url") if "url" in names else None
        sources = [
            f"{part.name}:{part.number + at}"
            for part in parts
            for at in range(part.count)
        ]
        parsed = self._parsed(table.column("body"), urls)
        sizes = table.column(URL_BYTES) if URL_BYTES in names else None
        return self._bounded(self._with_own(parsed, sources), sizes)

    def _bounded(self, table: Any, sizes: Any = None) -> Any:
        """Returns the table with an error row in place of each row whose URL is too long. `sizes` are those of URLs that were cut before."""
        if sizes is None:
            sizes = self._compute.binary_length(table.column("url"))
        if (self._compute.max(sizes).as_py() or 0) <= MAX_URL:
            return table
        sizes = sizes.to_pylist()
        long = [at for at, size in enumerate(sizes) if (size or 0) > MAX_URL]
        errors, places = Documents(), list(range(table.num_rows))
        for at in long:
            places[at] = table.num_rows + errors.count
            source, url, size = (
                table.column(name)[at].as_py() for name in (SOURCE, "url", "bytes")
            )
            errors.add(source, url, b"", size or 0, too_long(sizes[at]))
        both = self._arrow.Table.from_batches([table, self._of_documents(errors)])
        places = self._given({}, {"": places}).column(0)
        (rows,) = both.take(places).combine_chunks().to_batches()
        return rows

    def _of_documents(self, documents: Documents) -> Any:
        parsed = self._parsed(documents.bodies, documents.hints)
        table = self._with_own(parsed, documents.sources, documents)
        # A hint need not be a URL, and the size of a document counts even if it was read partly.
        true = self._given({"url": documents.urls}, {"bytes": documents.sizes})
        for name, column in zip(true.schema.names, true.columns, strict=True):
            table = self._replaced(table, name, column)
        if documents.problems:
            for name, at in (("error_kind", 0), ("error_message", 1)):
                values = table.column(name).to_pylist()
                for number, problem in documents.problems.items():
                    values[number] = problem[at]
                table = self._replaced(table, name, self._texts(values))
        if documents.recovered:
            values = table.column("status").to_pylist()
            for number in documents.recovered:
                if values[number] == "ok":
                    values[number] = RECOVERED
            table = self._replaced(table, "status", self._texts(values))
        return table

    def _replaced(self, table: Any, name: str, column: Any) -> Any:
        at = table.schema.get_field_index(name)
        if at < 0:
            return table
        return table.set_column(at, table.schema.field(at), column)

    def _sorted(
        self, table: Any, consumed: int, place: Place, places_lost: set[int]
    ) -> Done:
        formats = table.column("format").to_pylist()
        kinds = table.column("error_kind").to_pylist()
        sources, whys = table.column(SOURCE), table.column("error_message")
        lost = [
            (sources[at].as_py(), whys[at].as_py() or kind)
            for at, kind in enumerate(kinds)
            if kind is not None and (kind in _LOST or at in places_lost)
        ]
        states = table.column("status").to_pylist()
        outcomes = (kind or state for kind, state in zip(kinds, states, strict=True))
        counts = Counter(zip(formats, outcomes, strict=True))
        size = self._compute.sum(table.column("bytes")).as_py() or 0
        documents = table.num_rows
        errors = None
        if self._choice.formats is not None:
            table = table.filter(self._among(table, "format", self._choice.formats))
        if self._choice.apart:
            good = self._among(table, "status", ("ok", RECOVERED))
            failed = table.filter(self._compute.invert(good))
            errors = failed.select([SOURCE, *_ERRORS])
            table = table.filter(good)
        rows = self._finished(table)
        return Done(rows, errors, counts, documents, size, consumed, place, lost)

    def _among(self, table: Any, column: str, values: Iterable[str]) -> Any:
        """Returns which rows have one of these values in a column."""
        values = self._texts(sorted(values))
        return self._compute.is_in(table.column(column), value_set=values)

    def _shown(self, table: Any) -> Any:
        return table.select(self._choice.shown(table.schema.names))

    def _finished(self, table: Any) -> Iterable[Any]:
        if not self._choice.explode:
            return [self._shown(table)]
        pieces = self._exploded(table)
        return chain(list(islice(pieces, _PIECES)), pieces)

    def _exploded(self, table: Any) -> Iterator[Any]:
        """Yields rows per capability, in pieces of bounded size; at least one."""
        column = table.column("capabilities")
        others = table.drop_columns(["capabilities"])
        item = column.type.value_field.with_name(CAPABILITY)
        schema = others.schema.append(item)
        parents = self._compute.list_parent_indices(column)
        flat = self._compute.list_flatten(column)
        for start, end in self._pieces(table.column("bytes").take(parents)):
            repeated = others.take(parents.slice(start, end - start)).columns
            # Not a slice: some readers do not support a slice of a struct.
            places = self._given({}, {"": list(range(start, end))}).column(0)
            yield self._shown(
                self._arrow.RecordBatch.from_arrays(
                    [*repeated, flat.take(places)], schema=schema
                )
            )

    def _pieces(self, sizes: Any) -> Iterator[tuple[int, int]]:
        """Yields the start and end of pieces of rows whose documents have these sizes."""
        sums = self._compute.cumulative_sum(sizes).to_pylist()
        if not sums:
            yield 0, 0
        start = before = 0
        while start < len(sums):
            # At least one row, regardless of the size of its document.
            end = max(bisect_right(sums, before + _PIECE_BYTES), start + 1)
            yield start, end
            start, before = end, sums[end - 1]
