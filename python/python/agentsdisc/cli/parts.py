"""The finished parts of a run of `agentsdisc ingest`, in a folder beside the output, with a note of the position that the run has reached.

INVARIANT: a file with the name of a part, or of the output, is complete. An incomplete file has another name. The note names only parts that are on
the disk, and is replaced atomically. So a run that is killed at any moment can be resumed after its last part.
"""

import contextlib
import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .folder import Folder, is_ours
from .inputs import Place, changed, marks
from .items import Revisit
from .reading import Unreadable
from .terminal import visible
from .writing import settle

_NOTE = "state.json"
_VERSION = 8
# The largest number of losses to name.
_NAMED = 10
# The names of the settings of a run on the command line.
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
    """The folder of parts for an output."""

    def __init__(
        self, output: str, settings: dict[str, Any], skip: Callable[[str], bool]
    ) -> None:
        self.output = output
        self.folder = Path(f"{output}.parts")
        self._held = Folder(self.folder)
        self._settings = settings
        self._marks = marks(settings["inputs"], skip)
        self.place = Place()
        self.counts: Counts = Counter()
        self.size = 0
        self.rows = 0
        """Rows of the output."""
        self.failed = 0
        """Rows of the output for errors."""
        self.lost = 0
        """The number of parts of the inputs that cannot be read."""
        self.losses: list[tuple[str, str]] = []
        """Location and reason of the first of these parts."""
        self.passed: Counter[str] = Counter()
        """The records that were passed over, by reason."""
        self.revisits: list[Revisit] = []
        """The revisits so far, whose documents are read at the end."""
        self.kept = 0
        """Documents of the finished parts."""
        self.seconds = 0.0
        self.consumed = 0
        """Bytes of the inputs that were read."""
        self.files: dict[str, list[int]] = {}
        """The sizes of the finished parts of each output, in order, by the suffix of their names."""

    def open(self, resume: bool, restart: bool) -> None:
        """Creates the folder, or resumes an earlier run."""
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
                        f"{visible(str(self.folder))}: contains an unfinished run; continue it with --resume, or discard it with --restart"
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
            pass  # the run ended before its first part
        except (OSError, ValueError, RecursionError):
            raise self._spoilt() from None
        else:
            try:
                self._read(note)
            except (
                ArithmeticError,
                AttributeError,
                LookupError,
                TypeError,
                ValueError,
            ):
                raise self._spoilt() from None
            self._check_files()
        known = {_NOTE}
        for suffix, sizes in self.files.items():
            known.update(_named(number, suffix) for number in range(len(sizes)))
        for name in self._held.names():
            if name not in known:  # an incomplete file
                self._held.remove(name)

    def _read(self, note: Any) -> None:
        """Reads the recorded state. Raises any Python error if it is invalid."""
        settings = {"version": _VERSION, **self._settings}
        noted = note["settings"]
        if noted != settings:
            differing = ", ".join(
                _CALLED.get(name, name)
                for name in sorted(settings.keys() | noted.keys())
                if settings.get(name) != noted.get(name)
            )
            raise Unreadable(
                f"{visible(str(self.folder))}: the unfinished run has another {differing}; use the same options, or discard it with --restart"
            )
        number, count, seen = note["place"]
        inputs = settings["inputs"]
        self.place = Place(_whole(number), _whole(count), tuple(map(_text, seen)))
        self.revisits = [_revisit(*texts) for texts in note["revisits"]]
        # Inputs that the run had not started may change. Revisits are read after the last input.
        begun = self.place.input + (self.place.count > 0)
        if begun > len(inputs) + (1 if self.revisits else 0):
            raise ValueError
        for name, then, now in list(
            zip(inputs, note["marks"], self._marks, strict=True)
        )[:begun]:
            if then != now:
                raise changed(name)
        self.consumed, self.size = _whole(note["consumed"]), _whole(note["size"])
        self.rows, self.failed = _whole(note["rows"]), _whole(note["failed"])
        self.counts = Counter(
            {(_text(name), _text(what)): _whole(n) for name, what, n in note["counts"]}
        )
        self.passed = Counter({_text(why): _whole(n) for why, n in note["passed"]})
        self.seconds = float(note["seconds"] + 0.0)
        self.lost = _whole(note["lost"])
        self.losses = [(_text(source), _text(why)) for source, why in note["losses"]]
        self.kept = sum(self.counts.values())
        if not all(is_ours(_named(0, suffix)) for suffix in note["files"]):
            raise ValueError
        self.files = {
            _text(suffix): [_whole(size) for size in sizes]
            for suffix, sizes in note["files"].items()
        }

    def _check_files(self) -> None:
        """Raises Unreadable if a finished part is missing or has another size."""
        for suffix, sizes in self.files.items():
            for path, size in zip(self.paths(suffix), sizes, strict=True):
                try:
                    there = path.lstat().st_size
                except FileNotFoundError:
                    # A single part may have become the output just before the run was killed.
                    if len(sizes) == 1:
                        continue
                    raise self._refused(path, "the file is missing") from None
                if there != size:
                    why = f"the file has {there:,} bytes instead of {size:,}"
                    raise self._refused(path, why)

    def _refused(self, path: Path, why: str) -> Unreadable:
        return Unreadable(
            f"{visible(str(path))}: {why}; discard the run with --restart"
        )

    def _spoilt(self) -> Unreadable:
        return self._refused(self.folder / _NOTE, "the file is invalid")

    def next_file(self, suffix: str) -> Path:
        """Returns an empty file for the next part of the output with this suffix."""
        number = len(self.files.get(suffix, []))
        return self.file(f"{_named(number, suffix)}.partial")

    def file(self, name: str) -> Path:
        """Creates an empty file in the folder."""
        os.close(self._held.create(name))
        return self.folder / name

    def lose(self, losses: list[tuple[str, str]]) -> None:
        """Counts parts of the inputs that cannot be read."""
        self.lost += len(losses)
        self.losses += losses[: _NAMED - len(self.losses)]

    def add(self, finished: dict[str, Path]) -> None:
        """Names the finished parts, and records the state."""
        for suffix, path in finished.items():
            sizes = self.files.setdefault(suffix, [])
            size = path.stat().st_size
            self._held.replace(path.name, _named(len(sizes), suffix))
            sizes.append(size)
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
            "passed": [[*item] for item in self.passed.items()],
            "revisits": self.revisits,
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
        """Returns the finished parts of an output."""
        sizes = self.files.get(suffix, [])
        return [self.folder / _named(number, suffix) for number in range(len(sizes))]

    def close(self, keep: bool) -> None:
        """Releases the folder, and removes it unless its parts are needed."""
        if keep:
            for name in self._held.names():
                if name.endswith(".partial"):
                    with contextlib.suppress(OSError):
                        self._held.remove(name)
        else:
            # Removes the state first: after a kill it must not name missing parts.
            with contextlib.suppress(OSError):
                self._held.remove(_NOTE)
            self._held.remove_all()
        self._held.release()


def _named(number: int, suffix: str) -> str:
    """Returns the name of a finished part."""
    return f"part-{number:05}{suffix}"


def _whole(value: Any) -> int:
    """Returns a recorded count. Raises ValueError if it is none."""
    if type(value) is not int or value < 0:
        raise ValueError
    return value


def _text(value: Any) -> str:
    """Returns a recorded text. Raises ValueError if it is none."""
    if not isinstance(value, str):
        raise ValueError
    return value


def _revisit(
    source: Any, url: Any, date: Any, digest: Any, of_url: Any, of_date: Any
) -> Revisit:
    """Returns a recorded revisit. Raises ValueError or TypeError if it is none."""
    date, digest, of_date = (
        it if it is None else _text(it) for it in (date, digest, of_date)
    )
    return Revisit(_text(source), _text(url), date, digest, _text(of_url), of_date)
