"""Where `agentsdisc ingest` writes: JSON Lines or Parquet, whole or not at all."""

import contextlib
import json
import os
import stat
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from .reading import Unreadable
from .terminal import visible

COLUMNS: dict[str, str] = {
    "source": "string",
    "url": "string",
    "format": "string",
    "status": "string",
    "error_kind": "string",
    "error_offset": "int64",
    "error_line": "int32",
    "error_column": "int32",
    "error_message": "string",
    "spec_version": "string",
    "kind": "string",
    "service_name": "string",
    "service_url": "string",
    "service_description": "string",
    "capability_count": "int32",
    "agent_count": "int32",
    "errors": "int32",
    "warnings": "int32",
    "infos": "int32",
    "model": "string",
    "bytes": "int64",
}
"""The columns of a row, in order, and their types in Arrow."""

Columns = dict[str, Sequence[Any]]


class Writer(Protocol):
    """Writes columns of rows to an open file."""

    def write(self, columns: Columns) -> None:
        """Writes some rows."""

    def close(self) -> None:
        """Writes what stands at the end of the file."""


class JsonLines:
    """One JSON object for each row; absent values are left out."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("w", encoding="utf-8", newline="\n")  # noqa: SIM115
        self._encode = json.JSONEncoder(ensure_ascii=False).encode

    def write(self, columns: Columns) -> None:
        """Writes some rows."""
        encode = self._encode
        for values in zip(*(columns[name] for name in COLUMNS), strict=True):
            row = {
                name: value
                for name, value in zip(COLUMNS, values, strict=True)
                if value is not None
            }
            self._file.write(encode(row) + "\n")

    def close(self) -> None:
        """Closes the file, after everything has reached the disk."""
        if not self._file.closed:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()


class Parquet:
    """A Parquet file, one row group for each batch of rows."""

    def __init__(self, path: str) -> None:
        # Not an import statement: pyarrow has no types, and need not be there.
        pyarrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
        self._arrow = pyarrow
        types = {name: getattr(pyarrow, kind)() for name, kind in COLUMNS.items()}
        self._schema = pyarrow.schema(
            types.items(), metadata={"agentsdisc.rows": "1", "agentsdisc.model": "1"}
        )
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")

    def write(self, columns: Columns) -> None:
        """Writes some rows."""
        arrays = [columns[field.name] for field in self._schema]
        table = self._arrow.Table.from_arrays(
            [
                self._arrow.array(values, field.type)
                for values, field in zip(arrays, self._schema, strict=True)
            ],
            schema=self._schema,
        )
        self._writer.write_table(table)

    def close(self) -> None:
        """Writes the footer."""
        self._writer.close()


_WRITERS: dict[str, Callable[[str], Writer]] = {
    ".jsonl": JsonLines,
    ".ndjson": JsonLines,
    ".parquet": Parquet,
}


class Output:
    """A file that appears under its name only when it is whole.

    It is written beside that name; where anything goes wrong before `finish`, or the run is interrupted, what was written is removed.
    """

    def __init__(self, path: str) -> None:
        suffix = Path(path).suffix.lower()
        if suffix not in _WRITERS:
            raise Unreadable(
                f"{visible(path)}: the name must end in .jsonl, .ndjson or .parquet, which says what is written"
            )
        if Path(path).is_dir():
            raise Unreadable(f"{visible(path)}: is a directory; name a file in it")
        self.path = path
        # With the process in its name, so that two runs do not write to one file.
        self.partial = f"{path}.{os.getpid()}.partial"
        self._kind = _WRITERS[suffix]
        self._writer: Writer | None = None

    def is_ours(self, path: str) -> bool:
        """Whether a path is what is being written, or was written the last time."""
        ours = (Path(self.path).absolute(), Path(self.partial).absolute())
        return Path(path).absolute() in ours

    def __enter__(self) -> "Output":
        try:
            self._writer = self._kind(self.partial)
        except OSError as problem:
            raise Unreadable.of(problem, self.path) from None
        return self

    def write(self, columns: Columns) -> None:
        """Writes some rows."""
        assert self._writer is not None
        self._writer.write(columns)

    def finish(self) -> None:
        """Gives the file its name."""
        assert self._writer is not None
        self._writer.close()
        with contextlib.suppress(OSError):  # keep who may read what was there
            mode = stat.S_IMODE(Path(self.path).stat().st_mode)
            Path(self.partial).chmod(mode)
        Path(self.partial).replace(self.path)
        self._writer = None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._writer is not None:
            with contextlib.suppress(Exception):
                self._writer.close()
        with contextlib.suppress(OSError):
            Path(self.partial).unlink(missing_ok=True)
