"""Reads tables as inputs: Parquet and Arrow files with a column of documents."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from .._agentsdisc import batch_of, fitting_rows
from . import containers
from .arrow_messages import CONTINUATION, MAGIC, Messages, is_too_large
from .items import MAX_URL, URL_BYTES, Item, Rows
from .parquet_pages import Malformed, pages
from .reading import Unreadable
from .terminal import visible

PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".arrows", ".ipc")
STREAM = CONTINUATION
"""The first bytes of an Arrow stream."""
FILES = (b"PAR1", MAGIC)
"""The first bytes of files with a footer, which are read from their end."""
# Maximum rows and bytes of a piece of a table; a single row may be larger.
_ROWS, _BYTES = 2048, 8 << 20
# Maximum bytes of Parquet rows if each has the largest value of a dictionary; columns with a larger dictionary are read as keys.
_REPEATED, _DICTIONARY = 64 << 20, 2 << 20
# Bytes of a Parquet column that are read at once.
_AT_ONCE = 1 << 20


def parts(name: str, shown: str, body: str, url: str | None) -> Iterator[Item | Rows]:
    """Yields the parts of a table, in order. Rows that cannot be read, or a file that cannot be opened, are an item with a problem.

    `shown` is the name of the table as text.
    """

    def opened(arrow: Any) -> "_Table":
        return _open(arrow, name)

    yield from _parts(shown, opened, body, url)


def check(name: str, body: str, url: str | None) -> None:
    """Raises Unreadable if a table lacks the requested columns. A table that cannot be opened becomes an error row later, when it is read."""
    arrow: Any = import_module("pyarrow")
    with contextlib.suppress(*_problems(arrow)):
        _columns(arrow, name, _open(arrow, name).schema, body, url)


def stream(
    name: str, file: BinaryIO, body: str, url: str | None
) -> Iterator[Item | Rows]:
    """Yields the parts of an Arrow stream."""

    def opened(arrow: Any) -> "_Table":
        reader = import_module("pyarrow.ipc").open_stream(Messages(file))
        return _Table(reader.schema, [_Group(lambda _: reader)])

    yield from _parts(name, opened, body, url)


def chosen(
    name: str, choose: Callable[[Any, list[str]], list[str] | None]
) -> Iterator[Item | Rows] | None:
    """Returns the parts of a table with the columns that `choose` returns; None if that returns None. Rows that cannot be read are an item with a problem.

    `choose` takes the schema, and for Parquet the paths of the columns, also of those within others.
    """
    arrow: Any = import_module("pyarrow")
    try:
        table = _open(arrow, name)
    except _problems(arrow) as problem:
        return iter([_unreadable(name, 0, problem)])
    columns = choose(table.schema, table.paths)
    if columns is None:
        return None

    def made(_: int, number: int, batch: Any) -> Iterator[Rows]:
        batch.validate(full=True)
        yield Rows(name, number, batch, batch.nbytes)

    return _read(arrow, name, table, columns, made)


@dataclass(slots=True)
class _Group:
    """Rows of a table that are read in sequence."""

    batches: Callable[[list[str]], Iterable[Any]]
    """Returns the given columns as record batches, which may contain further columns."""
    rows: int | None = None
    """Number of rows, if known. With it, reading continues after a damaged group."""


@dataclass(slots=True)
class _Table:
    """An open table."""

    schema: Any
    groups: list[_Group]
    size: int | None = None
    """Size of the file in bytes."""
    paths: list[str] = field(default_factory=list)
    """Parquet: the paths of the columns, also of those within others."""

    stated: int | None = None
    """Number of rows that the table as a whole states, if it does."""

    @property
    def rows(self) -> int | None:
        """Number of rows; None if unknown."""
        known = [group.rows for group in self.groups if group.rows is not None]
        return sum(known) if len(known) == len(self.groups) else None


def _parts(
    name: str, opened: Callable[[Any], _Table], body: str, url: str | None
) -> Iterator[Item | Rows]:
    arrow: Any = import_module("pyarrow")
    try:
        table = opened(arrow)
        wanted = _columns(arrow, name, table.schema, body, url)
    except _problems(arrow) as problem:
        yield _unreadable(name, 0, problem)
        return
    rows = table.rows

    def made(taken: int, number: int, batch: Any) -> Iterator[Rows]:
        for piece in _pieces(_checked(arrow, taken, batch, wanted)):
            share = piece.nbytes
            if table.size is not None:
                whole = max(batch.num_rows if rows is None else rows, 1)
                share = table.size * piece.num_rows // whole
            yield Rows(name, number, piece, share)
            number += piece.num_rows

    yield from _read(arrow, name, table, list(wanted.values()), made)


def _read(
    arrow: Any,
    name: str,
    table: _Table,
    columns: list[str],
    made: Callable[[int, int, Any], Iterator[Rows]],
) -> Iterator[Item | Rows]:
    """Yields what `made` returns for each batch, its number and that of its first row; for rows that cannot be read, an item with a problem."""
    problems = _problems(arrow)
    number = taken = 0
    for group in table.groups:
        end = None if group.rows is None else number + group.rows
        try:
            for batch in group.batches(columns):
                after = number + batch.num_rows
                try:
                    for rows in made(taken, number, batch):
                        yield rows
                        number += rows.count
                except (_Invalid, ValueError) as problem:
                    lost = f"rows {number:,} to {after - 1:,} are lost"
                    yield _unreadable(name, number, problem, lost)
                    number = after
                taken += 1
        except problems as problem:
            lost = "what follows is not read"
            if end is not None:
                lost = f"rows {number:,} to {end - 1:,} are lost"
            yield _unreadable(name, number, problem, lost)
            if end is None:
                return
            number = end
        if end is not None and number != end:
            yield _other_number(name, number, end)
            number = end
    if table.stated not in (None, number):
        yield _other_number(name, number, table.stated)


class _Invalid(Exception):
    """A batch is invalid."""


def _checked(arrow: Any, number: int, batch: Any, wanted: dict[str, str]) -> Any:
    """Returns the requested columns of a batch after pyarrow has validated all their buffers.

    The C data interface does not pass the sizes of buffers, so they are validated here, where
    they are known. Text is validated as bytes, because a document need not be valid UTF-8.
    """
    columns = []
    for name in wanted.values():
        try:
            column = batch.column(name)
            column.validate()
            _as_bytes(arrow, column).validate(full=True)
        except arrow.ArrowException as problem:
            raise _Invalid(f"batch {number}, column {name!r}: {problem}") from None
        columns.append(column)
    names = list(wanted)
    if "url" in wanted:
        columns[-1], sizes = _cut(arrow, columns[-1])
        if sizes is not None:
            columns, names = [*columns, sizes], [*names, URL_BYTES]
    return arrow.RecordBatch.from_arrays(columns, names)


def _cut(arrow: Any, column: Any) -> tuple[Any, Any]:
    """Returns URLs, cutting those that are too long, and the original sizes of all URLs in bytes; None instead of sizes if no URL is too long."""
    compute: Any = import_module("pyarrow.compute")
    if arrow.types.is_dictionary(column.type):
        values, sizes = _cut(arrow, column.dictionary)
        if sizes is None:
            return column, None
        keys = column.indices
        return arrow.DictionaryArray.from_arrays(keys, values), sizes.take(keys)
    data = _as_bytes(arrow, column)
    if data.type not in (arrow.binary(), arrow.large_binary()):
        return column, None
    sizes = compute.binary_length(data)
    if (compute.max(sizes).as_py() or 0) <= MAX_URL:
        return column, None
    # Still too long without an incomplete character at the end.
    texts = map(_text, compute.binary_slice(data, 0, MAX_URL + 4).to_pylist())
    return arrow.record_batch(batch_of({"": list(texts)}, {})).column(0), sizes


def _text(url: bytes | None) -> str | None:
    """Returns a URL as text; None if it is not UTF-8."""
    if url is None:
        return None
    try:
        return url.decode("utf-8", "ignore" if len(url) > MAX_URL else "strict")
    except UnicodeDecodeError:
        return None


def _as_bytes(arrow: Any, column: Any) -> Any:
    """Returns a text column as a bytes column, without a copy."""
    types: Any = arrow.types
    kind = column.type
    if types.is_dictionary(kind):
        values = _as_bytes(arrow, column.dictionary)
        return arrow.DictionaryArray.from_arrays(column.indices, values)
    if types.is_string(kind):
        return column.view(arrow.binary())
    if types.is_large_string(kind):
        return column.view(arrow.large_binary())
    if types.is_string_view(kind):
        return column.view(arrow.binary_view())
    return column


def _problems(arrow: Any) -> tuple[type[Exception], ...]:
    """Returns the exceptions that pyarrow raises for damaged files; UnicodeDecodeError is for names that are not UTF-8."""
    return OSError, arrow.ArrowException, UnicodeDecodeError


def _unreadable(
    name: str, number: int, problem: Exception, lost: str | None = None
) -> Item:
    """Returns the error row for rows that cannot be read, from row `number` on."""
    why = str(problem).split("\n", 1)[0].lower()
    if lost is not None:
        why = f"{why}; {lost}"
    return Item(f"{name}:{number}", None, b"", 0, ("unreadable", why))


def _other_number(name: str, number: int, stated: int) -> Item:
    """Returns the error row for a table, or a group of rows, that has fewer or more rows than it states."""
    why = f"there are {abs(stated - number):,} rows {'fewer' if number < stated else 'more'} than the table states"
    return Item(f"{name}:{number}", None, b"", 0, ("unreadable", why))


def _pieces(part: Any) -> Iterator[Any]:
    """Splits a record batch into pieces of at most _ROWS rows and _BYTES bytes; a single row may be larger."""
    start = 0
    while start < part.num_rows:
        piece = part.slice(start, _ROWS)
        names = [name for name in piece.schema.names if name != URL_BYTES]
        piece = piece.slice(0, fitting_rows(piece.select(names), _BYTES))
        yield piece
        start += piece.num_rows


def _open(arrow: Any, name: str) -> _Table:
    # A path of bytes may have any name, and pyarrow does not read it as a URL.
    path, size = os.fsencode(name), Path(name).stat().st_size
    # A damaged table begins with anything. Then its name says what it is.
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123
        first = file.read(containers.FIRST)
    held, _ = containers.container(first) or (None, "")
    if held not in (None, containers.PARQUET, containers.ARROW):
        raise OSError(containers.why(first))
    is_parquet = name.lower().endswith(PARQUET) and held is None
    if is_parquet or held == containers.PARQUET:
        return _open_parquet(arrow, path, size)
    # The file is not memory-mapped: validated bytes could change, and a truncated file would end the process.
    table = open(path, "rb", buffering=0)  # noqa: SIM115, PTH123
    stream = import_module("pyarrow.ipc").open_stream(Messages.of_file(table))
    return _Table(stream.schema, [_Group(lambda _: stream)], size)


def _open_parquet(arrow: Any, path: bytes, size: int) -> _Table:
    parquet: Any = import_module("pyarrow.parquet")
    file = parquet.ParquetFile(arrow.OSFile(path))
    schema, metadata = file.schema_arrow, file.metadata

    def group_of_rows(number: int) -> _Group:
        def batches(columns: list[str]) -> Iterable[Any]:
            return _of_group(arrow, path, metadata, number, columns)

        return _Group(batches, metadata.row_group(number).num_rows)

    groups = [group_of_rows(number) for number in range(metadata.num_row_groups)]
    paths = [metadata.schema.column(at).path for at in range(len(metadata.schema))]
    return _Table(schema, groups, size, paths, metadata.num_rows)


def _of_group(
    arrow: Any, path: bytes, metadata: Any, number: int, columns: list[str]
) -> Iterator[Any]:
    """Yields the rows of a row group of a Parquet file.

    Every row may hold the largest value of a dictionary, whatever the file's size, so the
    number of rows per batch is limited. Columns with a large dictionary are read as keys,
    which is slower than reading values; but not if some of their values stand outside of the
    dictionary, because pyarrow would collect those of all rows.
    """
    parquet: Any = import_module("pyarrow.parquet")
    group = metadata.row_group(number)
    if group.num_rows == 0:  # its columns may have no pages
        return
    rows, large = _ROWS, []
    for column in map(group.column, range(group.num_columns)):
        if column.path_in_schema not in columns:
            continue
        widest, longest, has_keys = _largest_values(arrow, path, column)
        if widest > _DICTIONARY and has_keys:
            large.append(column.path_in_schema)
        else:
            rows = min(rows, _REPEATED // max(widest, 1))
        rows = min(rows, _REPEATED // max(longest, 1))
        average = column.total_uncompressed_size // max(group.num_rows, 1)
        rows = min(rows, _BYTES // max(average, 1))
    for at in range(len(metadata.schema)):
        leaf = metadata.schema.column(at)
        if leaf.path in columns and leaf.physical_type == "FIXED_LEN_BYTE_ARRAY":
            rows = min(rows, _BYTES // max(leaf.length, 1))
    # Reads as it goes, and not all columns of the row group at once.
    file = parquet.ParquetFile(
        arrow.OSFile(path),
        metadata=metadata,
        read_dictionary=large,
        buffer_size=_AT_ONCE,
        pre_buffer=False,
    )
    held: list[Any] = []
    count = size = 0
    for batch in file.iter_batches(max(rows, 1), [number], columns):
        held.append(batch)
        count += batch.num_rows
        size += batch.nbytes
        if count >= _ROWS or size >= _BYTES:
            yield from _together(arrow, held)
            held, count, size = [], 0, 0
    yield from _together(arrow, held)


def _together(arrow: Any, batches: list[Any]) -> Iterable[Any]:
    """Joins small record batches."""
    if len(batches) < 2:
        return batches
    whole: Iterable[Any] = (
        arrow.Table.from_batches(batches).combine_chunks().to_batches()
    )
    return whole


def _largest_values(arrow: Any, path: bytes, column: Any) -> tuple[int, int, bool]:
    """Returns the maximum sizes in bytes of a dictionary value of a Parquet column, and of a value that can repeat the value before it; 0 if there are none. And whether all values stand in the dictionary.

    Raises ArrowInvalid if a page would expand to too many bytes.
    """
    start = column.data_page_offset
    if column.dictionary_page_offset is not None:
        start = min(start, column.dictionary_page_offset)
    largest = longest = 0
    has_keys = True
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            for page in pages(file, start, column.total_compressed_size):
                if is_too_large(page.stored, page.size):
                    raise arrow.ArrowInvalid(
                        f"a page would expand from {page.stored:,} to {page.size:,} bytes"
                    )
                if page.is_dictionary:
                    largest = max(largest, page.size)
                else:
                    has_keys &= page.has_keys
                if page.has_prefixes:
                    longest = max(longest, page.size)
    except (Malformed, OverflowError) as problem:
        raise arrow.ArrowInvalid(str(problem)) from None
    return largest, longest, has_keys


def _columns(
    arrow: Any, name: str, schema: Any, body: str, url: str | None
) -> dict[str, str]:
    """Returns the columns of documents and of URLs. Raises Unreadable for an invalid column, because it is invalid in every row."""
    for column in (body, url):
        if column is not None and column not in schema.names:
            there = ", ".join(schema.names)
            raise Unreadable(
                f"{visible(name)}: there is no column {column!r} (--body-column, --url-column); there are: {there}"
            )
    if url is None and "url" in schema.names:
        url = "url"
    for column in (body, url):
        if schema.names.count(column) > 1:
            raise Unreadable(f"{visible(name)}: there are several columns {column!r}")
    types: Any = arrow.types
    text = (types.is_string, types.is_large_string, types.is_string_view)
    data = (
        types.is_binary,
        types.is_large_binary,
        types.is_binary_view,
        types.is_fixed_size_binary,
        types.is_null,
    )
    for column, allowed in ((body, text + data), (url, (*text, types.is_null))):
        if column is None:
            continue
        kind = schema.field(column).type
        if types.is_dictionary(kind):
            kind = kind.value_type
        if not any(test(kind) for test in allowed):
            wanted = "text" if column == url else "bytes or text"
            raise Unreadable(
                f"{visible(name)}: the column {column!r} holds {kind}; it must hold {wanted}"
            )
    return {"body": body} | ({"url": url} if url is not None else {})
