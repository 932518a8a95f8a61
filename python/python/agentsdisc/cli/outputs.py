"""The outputs of `agentsdisc ingest`: JSON Lines, Parquet or Arrow IPC, written atomically."""

import contextlib
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from .._agentsdisc import batch_json_lines
from .reading import Unreadable
from .terminal import visible
from .writing import settle

# The number of values of a column per encoding step; the default of 1,024 costs a tenth more.
_VALUES = 1 << 14
# Maximum number of rows, and of bytes in memory, of a row group or of a record batch of Arrow IPC. One is collected while another one is written. If
# none is being written, half the bytes are enough, because the end of the run waits for the last one.
_GROUP_ROWS, _GROUP_BYTES = 1 << 15, 24 << 20


class Writer(Protocol):
    """Writes record batches to an open file."""

    def write(self, batch: Any) -> None:
        """Writes some rows."""

    def append(self, part: Path) -> None:
        """Writes the rows of a file of the same format and schema."""

    def close(self) -> None:
        """Writes the end of the file, and flushes it to the disk."""

    def abandon(self) -> None:
        """Closes the file without completing it."""


class _Threaded:
    """Writes on its own thread, one piece at a time: encoding many columns costs about as much as reading them."""

    def __init__(self, path: Path, schema: Any) -> None:
        self._schema = schema
        self._file = self._opened(path)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="agentsdisc-write")
        self._writing: Future[None] | None = None

    def _opened(self, path: Path) -> Any:
        return path.open("wb")

    def _hand_over(self, write: Callable[..., None], *arguments: Any) -> None:
        """Queues a write after the previous one has ended, which bounds the memory."""
        self._wait()
        self._writing = self._thread.submit(write, *arguments)

    @property
    def _is_idle(self) -> bool:
        """Whether no write is in progress."""
        return self._writing is None or self._writing.done()

    def _wait(self) -> None:
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.result()

    def close(self) -> None:
        """Closes the file after all data is on the disk."""
        self._wait()
        self._thread.shutdown()
        settle(self._file)
        self._file.close()

    def abandon(self) -> None:
        """Closes the file without completing it."""
        self._thread.shutdown()
        with contextlib.suppress(OSError):
            self._file.close()

    def append(self, part: Path) -> None:
        """Writes the content of a part, a file of the same format and schema."""
        raise NotImplementedError


class JsonLines(_Threaded):
    """One JSON object per row, without absent values."""

    def write(self, batch: Any) -> None:
        """Writes some rows."""
        self._hand_over(self._write, batch)

    def _write(self, batch: Any) -> None:
        self._file.write(batch_json_lines(batch))

    def append(self, part: Path) -> None:
        """Copies the lines of a part."""
        with part.open("rb") as file:
            shutil.copyfileobj(file, self._file, 1 << 20)


class _Table(_Threaded):
    """A file that pyarrow writes, in groups of rows."""

    def __init__(self, path: Path, schema: Any) -> None:
        self._arrow: Any = import_module("pyarrow")
        super().__init__(path, schema)
        self._batches: list[Any] = []
        self._rows = self._bytes = 0
        self._writer = self._open(self._file)

    def _opened(self, path: Path) -> Any:
        # With a Python file object, the writer would wait for the GIL at every page.
        return self._arrow.OSFile(os.fsencode(path), "wb")

    def _open(self, file: Any) -> Any:
        raise NotImplementedError

    def write(self, batch: Any) -> None:
        """Writes some rows."""
        self._batches.append(batch)
        self._rows += batch.num_rows
        self._bytes += batch.nbytes
        enough = _GROUP_BYTES // 2 if self._is_idle else _GROUP_BYTES
        if self._rows >= _GROUP_ROWS or self._bytes >= enough:
            self._flush()

    def _flush(self) -> None:
        if self._batches:
            table = self._arrow.Table.from_batches(self._batches, self._schema)
            self._batches, self._rows, self._bytes = [], 0, 0
            self._hand_over(self._writer.write_table, table, _GROUP_ROWS)

    def close(self) -> None:
        """Writes the end of the file, and flushes it to the disk."""
        self._flush()
        self._wait()
        self._writer.close()
        super().close()

    def abandon(self) -> None:
        """Closes the file without completing it."""
        self._thread.shutdown()
        with contextlib.suppress(Exception):
            self._writer.close()
        super().abandon()


class Parquet(_Table):
    """A Parquet file."""

    def _open(self, file: Any) -> Any:
        parquet: Any = import_module("pyarrow.parquet")
        leaves = dict(_leaves(self._arrow.types, self._schema))
        return parquet.ParquetWriter(
            file,
            self._schema,
            # Other columns are encoded compactly, and each compressed page has a fixed cost.
            compression={
                path: "zstd" if is_text else "snappy"
                for path, is_text in leaves.items()
            },
            # Minimum and maximum values help queries that search rows; queries do not search lists.
            write_statistics=[path for path in leaves if ".list." not in path],
            write_batch_size=_VALUES,
        )

    def append(self, part: Path) -> None:
        """Copies the rows of a part, row group by row group."""
        parquet: Any = import_module("pyarrow.parquet")
        # What the rows before took is free, but still taken.
        self._arrow.default_memory_pool().release_unused()
        with parquet.ParquetFile(part) as file:
            for number in range(file.num_row_groups):
                # Two decoded groups would be the peak of the whole run.
                self._wait()
                write = self._writer.write_table
                self._hand_over(write, file.read_row_group(number), _GROUP_ROWS)


def _leaves(types: Any, fields: Any, before: str = "") -> Iterator[tuple[str, bool]]:
    """Yields the paths of the Parquet columns of a schema, and whether each contains text."""
    for field in fields:
        path, kind = f"{before}{field.name}", field.type
        while types.is_list(kind):
            path, kind = f"{path}.list.element", kind.value_type
        if types.is_struct(kind):
            yield from _leaves(types, kind, f"{path}.")
        else:
            yield path, types.is_string(kind)


class Arrow(_Table):
    """An Arrow IPC file."""

    def _open(self, file: Any) -> Any:
        ipc: Any = import_module("pyarrow.ipc")
        options = ipc.IpcWriteOptions(compression="zstd")
        return ipc.new_file(file, self._schema, options=options)

    def append(self, part: Path) -> None:
        """Copies the rows of a part, record batch by record batch."""
        with self._arrow.memory_map(str(part)) as file:
            reader = import_module("pyarrow.ipc").open_file(file)
            for number in range(reader.num_record_batches):
                self._hand_over(self._writer.write_batch, reader.get_batch(number))
            self._wait()


_WRITERS: dict[str, type[JsonLines | Parquet | Arrow]] = {
    ".jsonl": JsonLines,
    ".ndjson": JsonLines,
    ".parquet": Parquet,
    ".arrow": Arrow,
    ".feather": Arrow,
}


class Output:
    """A file that gets its name only when it is complete."""

    def __init__(self, path: str, mark: str = "") -> None:
        kind = Path(path).suffix.lower()
        if kind not in _WRITERS:
            *some, last = _WRITERS
            ends = f"{', '.join(some)} or {last}"
            raise Unreadable(f"{visible(path)}: the name must end in {ends}")
        if Path(path).is_dir():
            raise Unreadable(f"{visible(path)}: is a directory; name a file in it")
        # A link stays one, so the folder of its target counts.
        if not Path(os.path.realpath(path)).parent.is_dir():
            raise Unreadable.of(FileNotFoundError(2, "No such file or directory"), path)
        self.path = path
        self.suffix = mark + kind
        """The suffix of the names of its parts."""
        self._kind = _WRITERS[kind]

    def open(self, path: Path, schema: Any) -> Writer:
        """Returns a writer for this format."""
        return self._kind(path, schema)

    def put_together(self, parts: list[Path], folder: Path, schema: Any) -> None:
        """Creates the file from its parts, in their folder, and renames it."""
        target = Path(os.path.realpath(self.path))  # a link stays one
        if len(parts) == 1:
            # The part is missing if the run was killed just after this step.
            if parts[0].exists() or not target.exists():
                _keep_mode(target, parts[0])
                _move(parts[0], target)
            return
        # Created here, so that a killed run leaves no files elsewhere.
        whole = folder / f"whole{self.suffix}.partial"
        whole.unlink(missing_ok=True)
        whole.touch(exist_ok=False)  # which follows no symbolic link
        writer = self.open(whole, schema)
        try:
            for part in parts:
                writer.append(part)
            writer.close()
        except BaseException:
            writer.abandon()
            raise
        _keep_mode(target, whole)
        _move(whole, target)


def _keep_mode(target: Path, whole: Path) -> None:
    """Keeps the permissions of the existing output."""
    with contextlib.suppress(OSError):
        whole.chmod(stat.S_IMODE(target.stat().st_mode))


def _move(whole: Path, target: Path) -> None:
    """Renames a complete file. If the target is on another file system, as that of the errors may be, copies the file there under a temporary name first."""
    try:
        whole.replace(target)
    except OSError as problem:
        if problem.errno != errno.EXDEV:
            raise
        # An unused name: an existing file may belong to another program.
        handle, name = tempfile.mkstemp(
            ".partial", f".{target.name[:40]}.", target.parent
        )
        fresh = Path(name)
        try:
            with whole.open("rb") as source, os.fdopen(handle, "wb") as file:
                shutil.copyfileobj(source, file, 1 << 20)
                settle(file)
            shutil.copymode(whole, fresh)
            fresh.replace(target)
        except OSError as failed:
            with contextlib.suppress(OSError):
                fresh.unlink()
            raise OSError(failed.errno, failed.strerror, str(target)) from None
