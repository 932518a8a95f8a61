"""Validates arrays of pyarrow: only pyarrow knows the sizes of their buffers, which the C data interface does not pass on."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any


def validated(source: Any) -> Any:
    """Compares the sizes of buffers with what an array or a table needs; a reader does it for each batch when it is read. Raises ValueError."""
    if hasattr(source, "read_next_batch"):
        reader: Any = import_module("pyarrow").RecordBatchReader
        return reader.from_batches(source.schema, _each(source))
    if hasattr(source, "validate"):
        source.validate()
    return source


def _each(reader: Any) -> Iterator[Any]:
    for batch in reader:
        batch.validate()
        yield batch
