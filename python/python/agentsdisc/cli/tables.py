"""Tables as inputs: Parquet and Arrow files with a column of documents."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from .items import Item, Rows
from .reading import Unreadable
from .terminal import visible

PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".arrows", ".ipc")
# Rows that are taken at once, at most; large documents make fewer.
_ROWS = 2048


def parts(name: str, body: str, url: str | None) -> Iterator[Item | Rows]:
    """The parts of a table, in order. What cannot be read, in the middle of a file or from its start, is an item with a problem."""
    arrow: Any = import_module("pyarrow")
    number = 0
    try:
        size = Path(name).stat().st_size
        schema, rows, batches = _open(arrow, name)
        wanted = _columns(arrow, name, schema, body, url)
        for batch in batches(list(wanted.values())):
            part = arrow.RecordBatch.from_arrays(
                [batch.column(column) for column in wanted.values()], list(wanted)
            )
            for start in range(0, part.num_rows, _ROWS):
                piece = part.slice(start, _ROWS)
                share = size * piece.num_rows // max(rows or part.num_rows, 1)
                yield Rows(name, number, piece, share)
                number += piece.num_rows
    except (OSError, arrow.ArrowException) as problem:
        why = str(problem).split("\n", 1)[0].lower()
        yield Item(f"{name}:{number}", None, b"", 0, ("unreadable", why))


def _open(
    arrow: Any, name: str
) -> tuple[Any, int | None, Callable[[list[str]], Iterator[Any]]]:
    """The schema, how many rows there are (where that is known), and what gives some columns as record batches."""
    if name.lower().endswith(PARQUET):
        file = import_module("pyarrow.parquet").ParquetFile(name)

        def of_parquet(columns: list[str]) -> Iterator[Any]:
            yield from file.iter_batches(batch_size=_ROWS, columns=columns)

        return file.schema_arrow, file.metadata.num_rows, of_parquet
    ipc: Any = import_module("pyarrow.ipc")
    source = arrow.memory_map(name)
    try:
        reader = ipc.open_file(source)
    except arrow.ArrowInvalid:
        source.seek(0)
        stream = ipc.open_stream(source)
        return stream.schema, None, lambda _: iter(stream)

    def of_file(_: list[str]) -> Iterator[Any]:
        for number in range(reader.num_record_batches):
            yield reader.get_batch(number)

    return reader.schema, None, of_file


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
