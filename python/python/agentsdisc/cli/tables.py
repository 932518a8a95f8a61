"""Tables as inputs: Parquet and Arrow files with a column of documents."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from .items import Item, Rows
from .reading import Unreadable
from .terminal import visible

PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".arrows", ".ipc")
STREAM = b"\xff\xff\xff\xff"
"""What a stream of Arrow starts with."""
FILES = (b"PAR1", b"ARROW1")
"""What files start with that are read from their end."""
# Rows that are taken at once, and bytes of documents, at most: they bound the memory.
_ROWS, _BYTES = 2048, 16 << 20


def parts(name: str, shown: str, body: str, url: str | None) -> Iterator[Item | Rows]:
    """The parts of a table, in order. What cannot be read, in the middle of a file or from its start, is an item with a problem.

    `shown` is its name as text.
    """

    def opened(arrow: Any) -> "_Table":
        return _open(arrow, name, body)

    yield from _parts(shown, opened, body, url)


def check(name: str, body: str, url: str | None) -> None:
    """Raises Unreadable where a table has other columns than are asked of it. One that cannot be opened is a row, when its turn comes."""
    arrow: Any = import_module("pyarrow")
    with contextlib.suppress(OSError, arrow.ArrowException):
        _columns(arrow, name, _open(arrow, name, body).schema, body, url)


def stream(
    name: str, file: BinaryIO, body: str, url: str | None
) -> Iterator[Item | Rows]:
    """The parts of a stream of Arrow."""

    def opened(arrow: Any) -> "_Table":
        reader = import_module("pyarrow.ipc").open_stream(file)
        return _Table(reader.schema, [_Group(lambda _: reader)])

    yield from _parts(name, opened, body, url)


@dataclass(slots=True)
class _Group:
    """Rows of a table that are read one after another."""

    batches: Callable[[list[str]], Iterable[Any]]
    """Some columns as record batches, perhaps with others."""
    rows: int | None = None
    """How many there are, where that is known: then damage in it costs nothing behind it."""


@dataclass(slots=True)
class _Table:
    """A table that is open."""

    schema: Any
    groups: list[_Group]
    size: int | None = None
    """Bytes of the file."""

    @property
    def rows(self) -> int | None:
        """How many rows there are, where that is known."""
        known = [group.rows for group in self.groups if group.rows is not None]
        return sum(known) if len(known) == len(self.groups) else None


def _parts(
    name: str, opened: Callable[[Any], _Table], body: str, url: str | None
) -> Iterator[Item | Rows]:
    arrow: Any = import_module("pyarrow")
    problems = (OSError, arrow.ArrowException)
    try:
        table = opened(arrow)
    except problems as problem:
        yield _unreadable(name, 0, problem)
        return
    wanted = _columns(arrow, name, table.schema, body, url)
    rows = table.rows
    number = 0
    for group in table.groups:
        end = None if group.rows is None else number + group.rows
        try:
            for batch in group.batches(list(wanted.values())):
                part = arrow.RecordBatch.from_arrays(
                    [batch.column(column) for column in wanted.values()], list(wanted)
                )
                for piece in _pieces(part):
                    share = piece.nbytes
                    if table.size is not None:
                        whole = max(part.num_rows if rows is None else rows, 1)
                        share = table.size * piece.num_rows // whole
                    yield Rows(name, number, piece, share)
                    number += piece.num_rows
        except problems as problem:
            lost = "what follows is not read"
            if end is not None:
                lost = f"rows {number:,} to {end - 1:,} are lost"
            yield _unreadable(name, number, problem, lost)
            if end is None:
                return
            number = end


def _unreadable(
    name: str, number: int, problem: Exception, lost: str | None = None
) -> Item:
    """The row for what cannot be read of a table, from this row on."""
    why = str(problem).split("\n", 1)[0].lower()
    if lost is not None:
        why = f"{why}; {lost}"
    return Item(f"{name}:{number}", None, b"", 0, ("unreadable", why))


def _pieces(part: Any) -> Iterator[Any]:
    """A record batch in pieces of so many rows and bytes; a row alone may have more."""
    pending = [part.slice(at, _ROWS) for at in range(0, part.num_rows, _ROWS)]
    pending.reverse()
    while pending:
        piece = pending.pop()
        if piece.num_rows > 1 and piece.nbytes > _BYTES:
            half = piece.num_rows // 2
            pending += [piece.slice(half), piece.slice(0, half)]
        else:
            yield piece


def _open(arrow: Any, name: str, body: str) -> _Table:
    # As bytes: any name, and nothing that looks like a URL is one.
    path, size = os.fsencode(name), Path(name).stat().st_size
    if name.lower().endswith(PARQUET):
        file = import_module("pyarrow.parquet").ParquetFile(arrow.OSFile(path))
        metadata = file.metadata

        def group_of_rows(number: int) -> _Group:
            def batches(columns: list[str]) -> Iterable[Any]:
                rows = max(1, min(_ROWS, _BYTES // _row_size(metadata, number, body)))
                return file.iter_batches(rows, [number], columns)  # type: ignore[no-any-return]

            return _Group(batches, metadata.row_group(number).num_rows)

        groups = [group_of_rows(number) for number in range(metadata.num_row_groups)]
        return _Table(file.schema_arrow, groups, size)
    ipc: Any = import_module("pyarrow.ipc")
    source = arrow.memory_map(path)
    try:
        reader = ipc.open_file(source)
    except arrow.ArrowInvalid:
        source.seek(0)
        stream = ipc.open_stream(source)
        return _Table(stream.schema, [_Group(lambda _: stream)], size)

    def of_file(_: list[str]) -> Iterator[Any]:
        for number in range(reader.num_record_batches):
            yield reader.get_batch(number)

    return _Table(reader.schema, [_Group(of_file)], size)


def _row_size(metadata: Any, number: int, body: str) -> int:
    """Bytes of a document in a group of rows of a Parquet file."""
    group = metadata.row_group(number)
    for at in range(group.num_columns):
        column = group.column(at)
        if column.path_in_schema == body:
            size: int = column.total_uncompressed_size // max(group.num_rows, 1)
            return max(1, size)
    return 1


def _columns(
    arrow: Any, name: str, schema: Any, body: str, url: str | None
) -> dict[str, str]:
    """Which columns are read as what. Wrong ones end the run, as they are wrong in every row."""
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
