"""Writes files whole or not at all."""

import contextlib
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

from .reading import Unreadable


def replace(name: str, data: bytes) -> None:
    """Puts `data` into a file, which never holds anything between the old bytes and the new ones. Its permissions stay; a symbolic link stays one."""
    path = Path(os.path.realpath(name))
    try:
        try:
            # What is no regular file cannot be replaced, only written to.
            status = path.stat()
            mode = stat.S_IMODE(status.st_mode)
            if not stat.S_ISREG(status.st_mode):
                path.write_bytes(data)
                return
        except FileNotFoundError:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                settle(file)
            Path(temporary).chmod(mode)
            Path(temporary).replace(path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                Path(temporary).unlink()
            raise
    except OSError as problem:
        raise Unreadable.of(problem, name) from None


def settle(file: IO[Any]) -> None:
    """Sees to it that all that was written is on the disk."""
    file.flush()
    os.fsync(file.fileno())


def put(name: str | None, data: bytes) -> None:
    """Writes to a file, or to standard output where there is no name or it is `-`."""
    if name is None or name == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        replace(name, data)
