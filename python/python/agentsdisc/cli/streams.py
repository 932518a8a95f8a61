"""Standard output and standard error that may be closed at any time; the exit code of a command does not change."""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

_CLOSED = {errno.EBADF, errno.ESHUTDOWN}
_BROKEN = {errno.EPIPE, errno.ECONNRESET}
if sys.platform == "win32":
    _BROKEN.add(errno.EINVAL)


class Output(io.RawIOBase):
    """Writes to a stream until a write fails, then drops the rest. `problem` is the first error."""

    def __init__(self, raw: Any, name: str) -> None:
        self._raw, self.name = raw, name
        self.problem: OSError | None = None

    @property
    def is_closed_stream(self) -> bool:
        """Whether the stream was closed from the start."""
        return self.problem is not None and self.problem.errno in _CLOSED

    @property
    def is_broken_pipe(self) -> bool:
        """Whether the reader closed the pipe."""
        return self.problem is not None and self.problem.errno in _BROKEN

    def writable(self) -> bool:
        """Returns True."""
        return True

    def write(self, data: Any) -> int:
        """Writes the data, or drops it after a failure."""
        size = memoryview(data).nbytes
        if self.problem is not None:
            return size
        try:
            if self._raw is None:
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            written: int | None = self._raw.write(data)
        except OSError as problem:
            self.problem = problem
            problem.filename = self.name
            return size
        return size if written is None else written

    def fileno(self) -> int:
        """Returns the file descriptor of the stream."""
        if self._raw is None:
            raise io.UnsupportedOperation("fileno")
        number: int = self._raw.fileno()
        return number

    def isatty(self) -> bool:
        """Whether the stream is a terminal."""
        return self._raw is not None and bool(self._raw.isatty())


def _wrapped(stream: TextIO | None, name: str) -> tuple[TextIO, Output | None]:
    """Wraps the stream in an `Output`; returns it unchanged if a Python caller replaced it."""
    raw = None
    if stream is not None:
        buffer = getattr(stream, "buffer", None)
        # With PYTHONUNBUFFERED there is no buffer.
        raw = (
            buffer if isinstance(buffer, io.RawIOBase) else getattr(buffer, "raw", None)
        )
        if raw is None:
            return stream, None
        stream.flush()
    output = Output(raw, name)
    text = io.TextIOWrapper(
        io.BufferedWriter(output),
        encoding=stream.encoding if stream is not None else "utf-8",
        # Documents contain characters that many terminals and pipes cannot encode.
        errors="backslashreplace",
        line_buffering=name == "<stderr>" or output.isatty(),
        write_through=bool(getattr(stream, "write_through", False)),
    )
    return text, output


@contextmanager
def guarded() -> Iterator[tuple[Output | None, Output | None]]:
    """Replaces standard output and standard error by streams that never raise; yields their `Output`s."""
    before = sys.stdout, sys.stderr
    out, output = _wrapped(sys.stdout, "<stdout>")
    err, errors = _wrapped(sys.stderr, "<stderr>")
    sys.stdout, sys.stderr = out, err
    try:
        yield output, errors
    finally:
        for stream, below in ((out, output), (err, errors)):
            if below is not None:
                stream.flush()
                # The descriptor belongs to the original stream.
                cast(io.TextIOWrapper, stream).detach()
        sys.stdout, sys.stderr = before
