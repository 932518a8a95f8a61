"""The finished parts of a run of `agentsdisc ingest`, in a folder beside the output, with a note of how far the run came.

INVARIANT: a file under the name of a part, or of the output, is whole. What is being written has another name, and the note names
only parts that are on the disk; it is replaced in one step. So a run that is killed at any moment can be taken up behind its last part.
"""

import contextlib
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from .folder import Folder
from .inputs import Place, changed, marks
from .reading import Unreadable
from .terminal import visible
from .writing import settle

_NOTE = "state.json"
_VERSION = 5
# So many losses are named.
_NAMED = 10
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
        self._held = Folder(self.folder)
        self._settings = settings
        self._marks = marks(settings["inputs"])
        self.place = Place()
        self.counts: Counts = Counter()
        self.size = 0
        self.rows = 0
        """Rows of the output."""
        self.failed = 0
        """Rows of the output for errors."""
        self.lost = 0
        """Parts of the inputs that cannot be read."""
        self.losses: list[tuple[str, str]] = []
        """The first of them: where, and why."""
        self.kept = 0
        """Documents of the finished parts."""
        self.seconds = 0.0
        self.consumed = 0
        """Bytes of the inputs that are done."""
        self.files: dict[str, list[str]] = {}
        """The finished parts of each output, in order."""

    def open(self, resume: bool, restart: bool) -> None:
        """Makes the folder, or takes up what an earlier run has left."""
        try:
            if restart and os.path.lexists(self.folder):
                self._held.hold()
                self._held.remove_all()
                self._held.release()
            try:
                self._held.make()
            except FileExistsError:
                self._held.hold()
                if not resume:
                    self._held.release()
                    raise Unreadable(
                        f"{visible(str(self.folder))}: holds a run that did not end; go on with --resume, or begin anew with --restart"
                    ) from None
                self._take_up()
        except OSError as problem:
            self._held.release()
            raise Unreadable.of(problem, self.output) from None
        except Unreadable:
            self._held.release()
            raise

    def _take_up(self) -> None:
        try:
            note = json.loads(self._held.read(_NOTE))
        except FileNotFoundError:
            pass  # it had not come to its first part
        except (OSError, ValueError):
            raise self._spoilt() from None
        else:
            try:
                self._read(note)
            except (AttributeError, KeyError, TypeError, ValueError):
                raise self._spoilt() from None
        known = {_NOTE, *(name for names in self.files.values() for name in names)}
        for name in self._held.names():
            if name not in known:  # what was being written
                self._held.remove(name)

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
        number, count, seen = note["place"]
        self.place = Place(number, count, tuple(seen))
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
        self.lost = note["lost"]
        self.losses = [(source, why) for source, why in note["losses"]]
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
        """The file for the next part of an output with this suffix, which is empty."""
        number = len(self.files.get(suffix, []))
        return self.file(f"part-{number:05}{suffix}.partial")

    def file(self, name: str) -> Path:
        """An empty file in the folder."""
        os.close(self._held.create(name))
        return self.folder / name

    def lose(self, losses: list[tuple[str, str]]) -> None:
        """Counts parts of the inputs that cannot be read."""
        self.lost += len(losses)
        self.losses += losses[: _NAMED - len(self.losses)]

    def add(self, finished: dict[str, Path]) -> None:
        """Gives finished parts their names, and notes how far everything is."""
        for suffix, path in finished.items():
            whole = path.name.removesuffix(".partial")
            self._held.replace(path.name, whole)
            self.files.setdefault(suffix, []).append(whole)
        note = {
            "settings": {"version": _VERSION, **self._settings},
            "place": [self.place.input, self.place.count, self.place.seen],
            "marks": self._marks,
            "consumed": self.consumed,
            "counts": [[*key, number] for key, number in self.counts.items()],
            "size": self.size,
            "rows": self.rows,
            "failed": self.failed,
            "lost": self.lost,
            "losses": self.losses,
            "seconds": self.seconds,
            "files": self.files,
        }
        fresh = f"{_NOTE}.partial"
        with open(self._held.create(fresh), "w", encoding="utf-8") as file:  # noqa: PTH123
            json.dump(note, file)
            settle(file)
        self._held.replace(fresh, _NOTE)
        self._held.sync()
        self.kept = sum(self.counts.values())

    def paths(self, suffix: str) -> list[Path]:
        """The finished parts of an output."""
        return [self.folder / name for name in self.files.get(suffix, [])]

    def close(self, keep: bool) -> None:
        """Lets go of the folder, and removes it where nothing in it is of use."""
        if keep:
            for name in self._held.names():
                if name.endswith(".partial"):
                    with contextlib.suppress(OSError):
                        self._held.remove(name)
        else:
            # The note first: it must not name parts that are gone where this is killed.
            with contextlib.suppress(OSError):
                self._held.remove(_NOTE)
            self._held.remove_all()
        self._held.release()
