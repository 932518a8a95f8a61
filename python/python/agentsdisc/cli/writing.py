"""Writes files whole or not at all."""

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
    """Puts `data` into a file, which never holds anything between the old bytes and the new ones.

    Its owner, permissions and extended attributes stay, as far as they may be given; a symbolic link stays one.
    """
    path = Path(os.path.realpath(name))
    try:
        status = None
        with contextlib.suppress(FileNotFoundError):
            # By the name as it was given: what /dev/stdout leads to may have none.
            status = Path(name).stat()
        if status is not None and not stat.S_ISREG(status.st_mode):
            # It cannot be replaced, only written to.
            Path(name).write_bytes(data)
            return
        # A long name leaves no room for more behind it.
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
    """Gives a file the owner, permissions and extended attributes of the one whose place it takes, but not its times."""
    chown: Any = getattr(os, "chown", None)
    if chown is not None:
        # Only root may give a file away; a group, also whoever is in it. Before the permissions, some of which this takes away.
        for owner in (status.st_uid, -1):
            with contextlib.suppress(OSError):
                chown(temporary, owner, status.st_gid)
                break
    shutil.copystat(path, temporary)
    os.utime(temporary)


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
