"""Compares paths by file: handles symbolic links, hard links and paths of files that do not exist yet."""

import contextlib
import os
import stat
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


# The largest number of folders to remember.
_KNOWN = 4096


class Identities:
    """The files that a run writes; none of them is an input."""

    def __init__(self, outputs: Iterable[str], parts: str) -> None:
        self._outputs = {key(path) for path in outputs} - {None}
        self._parts = parts
        self._known: dict[str, bool] = {}

    def has(self, path: str) -> bool:
        """Whether a path refers to an output, to the folder of parts, or to a file in it."""
        if self._is_part(os.path.split(path)[0] or "."):
            return True
        try:
            state = os.stat(path)  # noqa: PTH116
        except (OSError, ValueError):
            return key(path) in self._outputs
        if (state.st_dev, state.st_ino, "") in self._outputs:
            return True
        # An input may be the folder of parts itself.
        return stat.S_ISDIR(state.st_mode) and is_same(path, self._parts)

    def _is_part(self, folder: str) -> bool:
        """Whether a folder is the folder of parts, or below it. A folder in a known one is compared alone, unless it is a link."""
        known, new = self._known, []
        while (found := known.get(folder)) is None:
            new.append(folder)
            above, name = os.path.split(folder)
            if not above or name in ("", ".", ".."):
                break
            folder = above
        if new:
            if len(known) > _KNOWN:
                known.clear()
            own = _state(self._parts)
        for folder in reversed(new):
            if found is None or (there := _state(folder)) is None:
                found = is_within(folder, self._parts)
            else:
                found = found or there == own
            known[folder] = found
        return bool(found)


def _state(path: str) -> tuple[int, int] | None:
    """Returns the device and number of a folder; None for a link, and for what does not exist."""
    try:
        state = os.lstat(path)
    except (OSError, ValueError):
        return None
    # Windows has other links to folders than symbolic links.
    is_link = stat.S_ISLNK(state.st_mode) or getattr(state, "st_reparse_tag", 0) != 0
    return None if is_link else (state.st_dev, state.st_ino)
