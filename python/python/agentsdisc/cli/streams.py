"""Standard output and standard error that may be closed at any time: what a command decides counts all the same."""

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
    """Writes to a stream until that fails, and drops the rest. `problem` is the first error."""

    def __init__(self, raw: Any, name: str) -> None:
        self._raw, self.name = raw, name
        self.problem: OSError | None = None

    @property
    def is_closed_stream(self) -> bool:
        """Whether the stream was closed from the beginning."""
        return self.problem is not None and self.problem.errno in _CLOSED

    @property
    def is_broken_pipe(self) -> bool:
        """Whether the reader went away: it has seen as much as it wants."""
        return self.problem is not None and self.problem.errno in _BROKEN

    def writable(self) -> bool:
        """Returns True."""
        return True

    def write(self, data: Any) -> int:
        """Writes, or drops what cannot be written."""
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
        """Returns the descriptor of the stream."""
        if self._raw is None:
            raise io.UnsupportedOperation("fileno")
        number: int = self._raw.fileno()
        return number

    def isatty(self) -> bool:
        """Whether the stream is a terminal."""
        return self._raw is not None and bool(self._raw.isatty())


def _wrapped(stream: TextIO | None, name: str) -> tuple[TextIO, Output | None]:
    """The stream with an `Output` below it; as it is if it belongs to whoever calls us from Python."""
    raw = None
    if stream is not None:
        buffer = getattr(stream, "buffer", None)
        # With PYTHONUNBUFFERED there is no buffer in between.
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
        # Documents hold characters that many terminals and pipes cannot encode.
        errors="backslashreplace",
        line_buffering=name == "<stderr>" or output.isatty(),
        write_through=bool(getattr(stream, "write_through", False)),
    )
    return text, output


@contextmanager
def guarded() -> Iterator[tuple[Output | None, Output | None]]:
    """Replaces standard output and standard error by streams that never raise; yields what they write to."""
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
                # The descriptor belongs to the stream that was there before.
                cast(io.TextIOWrapper, stream).detach()
        sys.stdout, sys.stderr = before
