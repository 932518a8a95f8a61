"""Writes files atomically."""

import contextlib
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

from .reading import Unreadable


def replace(name: str, data: bytes) -> None:
    """Replaces the content of a file atomically: the file has either the old or the new bytes.

    Keeps the owner, permissions and extended attributes as far as the system permits; a symbolic
    link stays a link.
    """
    path = Path(os.path.realpath(name))
    try:
        status = None
        with contextlib.suppress(FileNotFoundError):
            # Uses the name as given: the target of /dev/stdout may have no name.
            status = Path(name).stat()
        if status is not None and not stat.S_ISREG(status.st_mode):
            # Cannot be replaced, only written to.
            Path(name).write_bytes(data)
            return
        # A long name leaves no room for a suffix.
        handle, temporary = tempfile.mkstemp(
            prefix=f".{path.name[:40]}.", dir=path.parent
        )
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                if status is None:
                    mask = os.umask(0)
                    os.umask(mask)
                    Path(temporary).chmod(0o666 & ~mask)
                else:
                    take_after(path, status, temporary)
                settle(file)
            Path(temporary).replace(path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                Path(temporary).unlink()
            raise
    except OSError as problem:
        raise Unreadable.of(problem, name) from None


def take_after(path: Path, status: os.stat_result, temporary: str) -> None:
    """Copies the owner, permissions and extended attributes of a file, but not its times."""
    chown: Any = getattr(os, "chown", None)
    if chown is not None:
        # Only root may change the owner; members may set the group. First of all, because this
        # resets some permissions.
        for owner in (status.st_uid, -1):
            with contextlib.suppress(OSError):
                chown(temporary, owner, status.st_gid)
                break
    shutil.copystat(path, temporary)
    os.utime(temporary)


def settle(file: IO[Any]) -> None:
    """Flushes all written data to the disk."""
    file.flush()
    os.fsync(file.fileno())


def put(name: str | None, data: bytes) -> None:
    """Writes to a file, or to standard output if the name is None or `-`."""
    if name is None or name == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        replace(name, data)
