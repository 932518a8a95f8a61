"""Tables as inputs: Parquet and Arrow files with a column of documents."""

import os
from collections.abc import Callable, Iterator
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


def stream(
    name: str, file: BinaryIO, body: str, url: str | None
) -> Iterator[Item | Rows]:
    """The parts of a stream of Arrow."""

    def opened(arrow: Any) -> "_Table":
        reader = import_module("pyarrow.ipc").open_stream(file)
        return _Table(reader.schema, lambda _: iter(reader))

    yield from _parts(name, opened, body, url)


@dataclass(slots=True)
class _Table:
    """A table that is open."""

    schema: Any
    batches: Callable[[list[str]], Iterator[Any]]
    """Some columns as record batches, perhaps with others."""
    rows: int | None = None
    """How many there are, where that is known."""
    size: int | None = None
    """Bytes of the file."""


def _parts(
    name: str, opened: Callable[[Any], _Table], body: str, url: str | None
) -> Iterator[Item | Rows]:
    arrow: Any = import_module("pyarrow")
    number = 0
    try:
        table = opened(arrow)
        wanted = _columns(arrow, name, table.schema, body, url)
        for batch in table.batches(list(wanted.values())):
            part = arrow.RecordBatch.from_arrays(
                [batch.column(column) for column in wanted.values()], list(wanted)
            )
            for piece in _pieces(part):
                share = piece.nbytes
                if table.size is not None:
                    rows = table.rows or part.num_rows
                    share = table.size * piece.num_rows // max(rows, 1)
                yield Rows(name, number, piece, share)
                number += piece.num_rows
    except (OSError, arrow.ArrowException) as problem:
        why = str(problem).split("\n", 1)[0].lower()
        yield Item(f"{name}:{number}", None, b"", 0, ("unreadable", why))


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

        def of_parquet(columns: list[str]) -> Iterator[Any]:
            rows = max(1, min(_ROWS, _BYTES // _row_size(metadata, body)))
            yield from file.iter_batches(batch_size=rows, columns=columns)

        return _Table(file.schema_arrow, of_parquet, metadata.num_rows, size)
    ipc: Any = import_module("pyarrow.ipc")
    source = arrow.memory_map(path)
    try:
        reader = ipc.open_file(source)
    except arrow.ArrowInvalid:
        source.seek(0)
        stream = ipc.open_stream(source)
        return _Table(stream.schema, lambda _: iter(stream), None, size)

    def of_file(_: list[str]) -> Iterator[Any]:
        for number in range(reader.num_record_batches):
            yield reader.get_batch(number)

    return _Table(reader.schema, of_file, None, size)


def _row_size(metadata: Any, body: str) -> int:
    """Bytes of a document of a Parquet file, in the group of rows where they are largest."""
    largest = 1
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        for at in range(group.num_columns):
            column = group.column(at)
            if column.path_in_schema == body:
                size = column.total_uncompressed_size // max(group.num_rows, 1)
                largest = max(largest, size)
    return largest


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
    types: Any = arrow.types
    text = (types.is_string, types.is_large_string, types.is_string_view)
    data = (
        types.is_binary,
        types.is_large_binary,
        types.is_binary_view,
        types.is_fixed_size_binary,
        types.is_null,
    )
    if url is None and "url" in schema.names:
        url = "url"
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
