"""The files of a folder that is an input of `agentsdisc ingest`, and what their names say."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from . import packed, tables
from .archives import SUFFIXES
from .reading import is_regular

TABLES = tables.PARQUET + tables.ARROW
ARCHIVES = SUFFIXES + packed.ARCHIVES
JSON_LINES = (".jsonl", ".ndjson", *packed.JSON_LINES)
# Programs that write datasets put other files beside them: _SUCCESS, .part-0.parquet.crc.
_BESIDE = ("_", ".")


def expanded(inputs: list[str], skip: Callable[[str], bool]) -> list[str]:
    """Returns the inputs with the files of each dataset in its place.

    A dataset is a folder in which every file holds many documents by its name, such as `year=2026/month=01/part-0.parquet`. `skip` leaves out files.
    """
    found: list[str] = []
    for name in inputs:
        files = _dataset(name, skip) if os.path.isdir(name) else None  # noqa: PTH112
        found += files or [name]
    return found


def _dataset(folder: str, skip: Callable[[str], bool]) -> list[str]:
    """Returns the files of a dataset in order; none if the folder is no dataset.

    A folder whose name begins like that of a file beside a dataset has the files of an unfinished job, or says which files of the dataset are valid.
    """
    found: list[str] = []
    for path in under(folder):
        if isinstance(path, OSError):
            return []
        if skip(path):
            continue
        *folders, name = Path(path).relative_to(folder).parts
        if any(one.startswith(_BESIDE) for one in folders):
            return []
        if name.startswith(_BESIDE):
            continue
        if holds(name) is None or not is_regular(path):
            return []
        found.append(path)
    return found


def under(folder: str) -> Iterator[str | OSError]:
    """Yields every file under a folder, sorted, a folder's files before its subfolders. Links to folders are not followed, because they may form a cycle."""
    left = [folder]
    while left:
        where = left.pop()
        folders, files = [], []
        try:
            with os.scandir(where) as entries:
                for entry in entries:
                    if not _is_folder(entry):
                        files.append(entry.name)
                    elif not entry.is_symlink():
                        folders.append(entry.name)
        except OSError as problem:
            yield problem
            continue
        begin = os.path.join(where, "")  # noqa: PTH118
        for name in sorted(files):
            yield begin + name
        left += [begin + name for name in sorted(folders, reverse=True)]


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def holds(path: str) -> str | None:
    """Returns the kind of a file of many documents, according to its name; None for other files."""
    name = path.lower()
    if name.endswith(ARCHIVES):
        return "a WACZ file" if name.endswith(packed.WACZ) else "an archive"
    if name.endswith(TABLES):
        return "a table"
    return "a file of JSON Lines" if name.endswith(JSON_LINES) else None
