"""Whether two paths lead to one file: symbolic links, hard links and paths that lead to nothing yet included."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

_Key = tuple[int, int, str]


def key(path: str) -> _Key | None:
    """What two paths to one file have in common: device and number of the file, or where there is none yet, those of its folder and the name. None: its folder is not there either."""
    with contextlib.suppress(OSError, ValueError):
        state = os.stat(path)  # noqa: PTH116
        return state.st_dev, state.st_ino, ""
    with contextlib.suppress(OSError, ValueError):
        folder, name = os.path.split(os.path.realpath(path))
        state = os.stat(folder)  # noqa: PTH116
        return state.st_dev, state.st_ino, name
    return None


def is_same(one: str, other: str) -> bool:
    """Whether both paths lead to one file, or would."""
    found = key(one)
    return found is not None and found == key(other)


def is_within(path: str, folder: str) -> bool:
    """Whether a path leads to a folder, or to something below it, or would."""
    whole = Path(os.path.realpath(path))
    return any(is_same(str(one), folder) for one in (whole, *whole.parents))


class Identities:
    """The files that a run writes: none of them is an input."""

    def __init__(self, outputs: Iterable[str], parts: str) -> None:
        self._outputs = {key(path) for path in outputs} - {None}
        self._parts = parts
        self._known: dict[str, bool] = {}

    def has(self, path: str) -> bool:
        """Whether a path leads to an output, or to what is among the parts."""
        folder = os.path.split(path)[0] or "."
        if key(path) in self._outputs or self._is_part(folder):
            return True
        return is_same(path, self._parts)

    def _is_part(self, folder: str) -> bool:
        """Whether a folder is the one of the parts, or below it; the files of one folder come one behind the other."""
        found = self._known.get(folder)
        if found is None:
            found = is_within(folder, self._parts)
            self._known = {folder: found}
        return found
