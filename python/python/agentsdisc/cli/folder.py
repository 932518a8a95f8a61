"""A folder of files that belong to one run of `agentsdisc ingest`: made, locked, emptied and removed without touching anything else.

INVARIANT: nothing is written or removed unless the folder holds our marker and only regular files with our names. No symbolic
link is followed: the folder is opened once, and its files are opened, renamed and removed relative to that, where the system can do so.
"""

import contextlib
import os
import re
import stat
from pathlib import Path
from typing import Any

from .reading import Unreadable
from .terminal import visible

MARKER = "agentsdisc-ingest.marker"
"""The name of the file that marks a folder as ours. It is also the lock."""

_MARK = b"This folder holds the parts of a run of `agentsdisc ingest` that did not end.\nagentsdisc removes it and the files that it wrote.\n"
_OURS = re.compile(
    r"(?: part-[0-9]{5,} (?: \.errors )? \.[a-z]+ (?: \.partial )?"
    r" | whole (?: \.errors )? \.[a-z]+ \.partial | state\.json (?: \.partial )? )",
    re.VERBOSE,
)
_IN_FOLDERS = {os.open, os.unlink, os.stat} <= os.supports_dir_fd
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_READ = os.O_RDWR | _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | getattr(os, "O_BINARY", 0)


def is_ours(name: str) -> bool:
    """True if a file of a run may have this name."""
    return _OURS.fullmatch(name) is not None


class Folder:
    """A folder that a run holds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None
        self._lock: int | None = None

    def make(self) -> None:
        """Creates and holds the folder. Raises FileExistsError if the name is taken."""
        self.path.mkdir()
        self.hold()

    def hold(self) -> None:
        """Holds an existing folder. Raises Unreadable if it is not ours, or if another run holds it."""
        try:
            self._open()
            self._take_lock()
            self._check()
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Releases the folder."""
        for handle in (self._lock, self._handle):
            if handle is not None:
                os.close(handle)
        self._lock = self._handle = None

    def create(self, name: str) -> int:
        """Creates a file, replacing one of ours; returns its descriptor."""
        self.remove(name)
        handle = os.open(self._at(name), _CREATE, 0o666, dir_fd=self._handle)
        try:
            found = (self.path / name).lstat()
            if not os.path.samestat(found, os.fstat(handle)):
                raise self._refused("has been replaced by another folder")
        except BaseException:
            os.close(handle)
            raise
        return handle

    def read(self, name: str) -> bytes:
        """The content of a file. Raises OSError, also for a symbolic link."""
        with open(self._opened(name), "rb") as file:  # noqa: PTH123
            return file.read()

    def replace(self, old: str, new: str) -> None:
        """Renames a file."""
        ways = {"src_dir_fd": self._handle, "dst_dir_fd": self._handle}
        os.replace(self._at(old), self._at(new), **(ways if _IN_FOLDERS else {}))  # noqa: PTH105

    def remove(self, name: str) -> None:
        """Removes a file, if it exists."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._at(name), dir_fd=self._handle)

    def names(self) -> list[str]:
        """Returns the names of our files, without the marker."""
        there = os.listdir(self.path if self._handle is None else self._handle)  # noqa: PTH208
        return sorted(name for name in there if is_ours(name))

    def sync(self) -> None:
        """Flushes the names of the files to the disk."""
        if self._handle is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._handle)

    def remove_all(self) -> None:
        """Removes our files, and the folder if it is then empty."""
        with contextlib.suppress(OSError):
            for name in (*self.names(), MARKER):
                self.remove(name)
            self.path.rmdir()

    def _at(self, name: str) -> str:
        """Returns the name to open a file by: relative to the open folder, or its path."""
        return name if self._handle is not None else str(self.path / name)

    def _open(self) -> None:
        """Opens the folder, which must not be a symbolic link."""
        if not stat.S_ISDIR(os.lstat(self.path).st_mode):
            raise self._refused("is not a folder of agentsdisc")
        if _IN_FOLDERS:
            try:
                self._handle = os.open(
                    self.path, os.O_RDONLY | os.O_DIRECTORY | _NO_LINK
                )
            except NotADirectoryError:
                raise self._refused("is not a folder of agentsdisc") from None

    def _take_lock(self) -> None:
        """Locks the marker: two runs must not write the same parts. A folder without files becomes ours, as a run may be killed before it writes the marker."""
        if not os.listdir(self.path if self._handle is None else self._handle):  # noqa: PTH208
            with open(self.create(MARKER), "wb") as file:  # noqa: PTH123
                file.write(_MARK)
        try:
            self._lock = self._opened(MARKER)
        except OSError:
            raise self._refused("is not a folder of agentsdisc") from None
        if os.read(self._lock, len(_MARK) + 1) != _MARK:
            raise self._refused("is not a folder of agentsdisc")
        try:
            import fcntl
        except ImportError:  # Windows, which does not remove a file that is open
            os.close(self._lock)
            self._lock = None
            return
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Unreadable(
                f"{visible(str(self.path))}: another run is writing to this folder"
            ) from None

    def _check(self) -> None:
        """Raises Unreadable if the folder contains files that are not ours."""
        if self._handle is not None:
            found = self.path.lstat()
            if not os.path.samestat(found, os.fstat(self._handle)):
                raise self._refused("has been replaced by another folder")
        for name in os.listdir(self.path if self._handle is None else self._handle):  # noqa: PTH208
            state = os.stat(self._at(name), dir_fd=self._handle, follow_symlinks=False)
            is_known = name == MARKER or is_ours(name)
            if not is_known or not stat.S_ISREG(state.st_mode) or state.st_nlink > 1:
                raise self._refused(
                    f"contains {name!r}, which agentsdisc did not write"
                )

    def _opened(self, name: str) -> int:
        """Returns the descriptor of a regular file. Raises OSError, also for a symbolic link."""
        handle = os.open(self._at(name), _READ, dir_fd=self._handle)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise OSError("not a regular file")
        return handle

    def _refused(self, why: str) -> Unreadable:
        path: Any = visible(str(self.path))
        return Unreadable(
            f"{path}: {visible(why)}; agentsdisc changed nothing in it; move it, or choose another output"
        )
