"""Where `agentsdisc ingest` keeps what is done until everything is: finished parts beside the output, and a note of how far it came.

INVARIANT: a file under the name of a part, or of the output, is whole. What is being written has another name, and the note names
only parts that are on the disk; it is replaced in one step. So a run that is killed at any moment can be taken up behind its last part.
"""

import contextlib
import json
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

from .inputs import Place, changed, marks
from .reading import Unreadable
from .terminal import visible
from .writing import settle

_NOTE = "state.json"
_VERSION = 4
# What the settings of a run are called on the command line.
_CALLED = {
    "columns": "--columns",
    "formats": "--where-format",
    "check": "--check",
    "explode": "--explode",
    "errors": "--errors-to",
    "records": "--all-records",
    "names": "--body-column or --url-column",
    "limit": "--max-bytes",
    "inputs": "inputs",
    "version": "version of agentsdisc",
}

Counts = Counter[tuple[str, str]]


class Parts:
    """The folder of parts beside an output."""

    def __init__(self, output: str, settings: dict[str, Any]) -> None:
        self.output = output
        self.folder = Path(f"{output}.parts")
        self._settings = settings
        self._marks = marks(settings["inputs"])
        self._lock: Any = None
        self.place = Place()
        self.counts: Counts = Counter()
        self.size = 0
        self.rows = 0
        """Rows of the output."""
        self.failed = 0
        """Rows of the output for errors."""
        self.kept = 0
        """Documents of the finished parts."""
        self.seconds = 0.0
        self.consumed = 0
        """Bytes of the inputs that are done."""
        self.files: dict[str, list[str]] = {}
        """The finished parts of each output, in order."""

    def open(self, resume: bool, restart: bool) -> None:
        """Makes the folder, or takes up what an earlier run has left."""
        if restart and self.folder.is_dir():
            self._take_lock()
            self._remove()
            self._drop_lock()
        try:
            self.folder.mkdir()
        except FileExistsError:
            self._take_lock()
            if not resume:
                self._drop_lock()
                raise Unreadable(
                    f"{visible(str(self.folder))}: holds a run that did not end; go on with --resume, or begin anew with --restart"
                ) from None
            self._take_up()
        except OSError as problem:
            raise Unreadable.of(problem, self.output) from None
        else:
            self._take_lock()

    def _take_lock(self) -> None:
        """Two runs must not write the same parts."""
        try:
            import fcntl
        except ImportError:  # not on Windows
            return
        self._lock = (self.folder / "lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise Unreadable(
                f"{visible(str(self.folder))}: another run is writing there"
            ) from None

    def _drop_lock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _take_up(self) -> None:
        try:
            note = json.loads((self.folder / _NOTE).read_bytes())
        except FileNotFoundError:
            pass  # it had not come to its first part
        except (OSError, ValueError):
            raise self._spoilt() from None
        else:
            try:
                self._read(note)
            except (AttributeError, KeyError, TypeError, ValueError):
                raise self._spoilt() from None
        known = {
            _NOTE,
            "lock",
            *(name for names in self.files.values() for name in names),
        }
        for path in self.folder.iterdir():
            if path.name not in known:  # what was being written
                path.unlink()

    def _read(self, note: Any) -> None:
        """Takes over what is noted. Raises any error of Python where that is no note."""
        settings = {"version": _VERSION, **self._settings}
        noted = note["settings"]
        if noted != settings:
            differing = ", ".join(
                _CALLED.get(name, name)
                for name in sorted(settings.keys() | noted.keys())
                if settings.get(name) != noted.get(name)
            )
            raise Unreadable(
                f"{visible(str(self.folder))}: that run differs in {differing}; give the same again, or begin anew with --restart"
            )
        self.place = Place(*note["place"])
        # What was not begun yet may be anything.
        begun = self.place.input + 1
        for name, then, now in list(
            zip(settings["inputs"], note["marks"], self._marks, strict=True)
        )[:begun]:
            if then != now:
                raise changed(name)
        self.consumed = note["consumed"]
        self.counts = Counter({(name, what): n for name, what, n in note["counts"]})
        self.size, self.seconds = note["size"], note["seconds"]
        self.rows, self.failed = note["rows"], note["failed"]
        self.kept = sum(self.counts.values())
        self.files = note["files"]
        for names in self.files.values():
            for name in names:
                # One alone may have become the output, just before that run was killed.
                if len(names) > 1 and not (self.folder / name).exists():
                    raise Unreadable(
                        f"{visible(str(self.folder / name))}: is not there any more; begin anew with --restart"
                    )

    def _spoilt(self) -> Unreadable:
        return Unreadable(
            f"{visible(str(self.folder / _NOTE))}: cannot be read; begin anew with --restart"
        )

    def next_file(self, suffix: str) -> Path:
        """Where the next part of an output with this suffix is written before it is whole."""
        number = len(self.files.get(suffix, []))
        return self.folder / f"part-{number:05}{suffix}.partial"

    def add(self, finished: dict[str, Path]) -> None:
        """Gives finished parts their names, and notes how far everything is."""
        for suffix, path in finished.items():
            whole = path.with_suffix("")
            path.replace(whole)
            self.files.setdefault(suffix, []).append(whole.name)
        note = {
            "settings": {"version": _VERSION, **self._settings},
            "place": [self.place.input, self.place.count, self.place.last],
            "marks": self._marks,
            "consumed": self.consumed,
            "counts": [[*key, number] for key, number in self.counts.items()],
            "size": self.size,
            "rows": self.rows,
            "failed": self.failed,
            "seconds": self.seconds,
            "files": self.files,
        }
        fresh = self.folder / f"{_NOTE}.partial"
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(note, file)
            settle(file)
        fresh.replace(self.folder / _NOTE)
        _sync(self.folder)
        self.kept = sum(self.counts.values())

    def paths(self, suffix: str) -> list[Path]:
        """The finished parts of an output."""
        return [self.folder / name for name in self.files.get(suffix, [])]

    def close(self, keep: bool) -> None:
        """Lets go of the folder, and removes it where nothing in it is of use."""
        if not keep:
            self._remove()
        else:
            for path in self.folder.glob("*.partial"):
                with contextlib.suppress(OSError):
                    path.unlink()
        self._drop_lock()

    def _remove(self) -> None:
        """Removes the folder; the note first, so that it names no part that is gone where that is killed."""
        with contextlib.suppress(OSError):
            (self.folder / _NOTE).unlink()
        shutil.rmtree(self.folder, ignore_errors=True)


def _sync(folder: Path) -> None:
    """Names are as safe as what they name only when their folder is on the disk."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
