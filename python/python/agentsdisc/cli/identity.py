"""Compares paths by file: handles symbolic links, hard links and paths of files that do not exist yet."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

_Key = tuple[int, int, str]


def key(path: str) -> _Key | None:
    """Returns the device and number of the file; if it does not exist, those of its folder and the name. None if the folder does not exist either."""
    with contextlib.suppress(OSError, ValueError):
        state = os.stat(path)  # noqa: PTH116
        return state.st_dev, state.st_ino, ""
    with contextlib.suppress(OSError, ValueError):
        folder, name = os.path.split(os.path.realpath(path))
        state = os.stat(folder)  # noqa: PTH116
        return state.st_dev, state.st_ino, name
    return None


def is_same(one: str, other: str) -> bool:
    """Whether both paths refer to the same file, existing or not."""
    found = key(one)
    return found is not None and found == key(other)


def is_within(path: str, folder: str) -> bool:
    """Whether a path refers to a folder, or to an item below it, existing or not."""
    whole = Path(os.path.realpath(path))
    return any(is_same(str(one), folder) for one in (whole, *whole.parents))


class Identities:
    """The files that a run writes; none of them is an input."""

    def __init__(self, outputs: Iterable[str], parts: str) -> None:
        self._outputs = {key(path) for path in outputs} - {None}
        self._parts = parts
        self._known: dict[str, bool] = {}

    def has(self, path: str) -> bool:
        """Whether a path refers to an output, or to a file in the folder of parts."""
        folder = os.path.split(path)[0] or "."
        if key(path) in self._outputs or self._is_part(folder):
            return True
        return is_same(path, self._parts)

    def _is_part(self, folder: str) -> bool:
        """Whether a folder is the folder of parts, or below it. Files of one folder follow each other, so the last result is kept."""
        found = self._known.get(folder)
        if found is None:
            found = is_within(folder, self._parts)
            self._known = {folder: found}
        return found
