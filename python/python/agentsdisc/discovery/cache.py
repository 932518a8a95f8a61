"""The store of answers between discoveries, also of negative ones."""

import contextlib
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._agentsdisc import _Stored

_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    rejection TEXT,
    size INTEGER NOT NULL,
    body BLOB,
    received_at INTEGER NOT NULL,
    lifetime INTEGER NOT NULL,
    fresh_until INTEGER NOT NULL,
    ask_again_at INTEGER NOT NULL,
    may_store INTEGER NOT NULL,
    etag BLOB NOT NULL,
    last_modified BLOB NOT NULL,
    link BLOB NOT NULL
)
"""
# Has all columns that cleaning up reads, so that it reads no bodies.
_INDEX = "CREATE INDEX IF NOT EXISTS answers_by_age ON answers (received_at, size)"
_OLDEST = """
DELETE FROM answers WHERE rowid IN (
    SELECT id FROM (
        SELECT rowid AS id, row_number() OVER newest AS number, sum(size) OVER newest AS total
        FROM answers
        WINDOW newest AS (ORDER BY received_at DESC, rowid DESC ROWS UNBOUNDED PRECEDING)
    ) WHERE number > ? OR total > ?
)
"""
_OVERHEAD = 256
"""Approximate size of a row without its texts, in bytes."""
_VERSION = 5
_LARGEST = 2**63 - 1
_LONGEST = 2**32 - 1
_MAGIC = b"SQLite format 3\x00"


class Cache:
    """Answers in a SQLite file, or in memory without a path. Threads and processes may share it.

    The core decides how long an answer counts, and whether its body may be written to a file. A body that may not be written,
    but must not be requested again yet, stays in the memory of this process until then. The store keeps the newest
    answers: at most `max_entries`, and at most `max_bytes` of URLs, bodies and validators. A damaged database of answers is
    replaced by a new one; any other file raises ValueError and stays as it is.
    """

    def __init__(
        self,
        path: "str | os.PathLike[str] | None" = None,
        *,
        max_entries: int = 10_000,
        max_bytes: int = 256 << 20,
    ) -> None:
        self.path = None if path is None else Path(path)
        self._max_entries = max(1, max_entries)
        self._max_bytes = max(0, max_bytes)
        self._lock = threading.Lock()
        self._memory: Cache | None = None
        if self.path is not None:
            _make_private(self.path)
            with _lock:
                self._memory = _memories.setdefault(self.path.resolve(), Cache())
        try:
            self._connection = self._open()
        except sqlite3.DatabaseError as problem:
            if self.path is None or isinstance(problem, sqlite3.OperationalError):
                raise
            if not _is_database(self.path):
                raise _other(self.path) from None
            self.path.unlink()
            _make_private(self.path)
            self._connection = self._open()

    @classmethod
    def of(cls, choice: "Cache | str | os.PathLike[str] | bool") -> "Cache | None":
        """Returns the store for the argument `cache`."""
        if isinstance(choice, Cache):
            return choice
        if isinstance(choice, bool):
            return _default() if choice else None
        return cls(choice)

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path or ":memory:",
            timeout=5,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            names = connection.execute("SELECT name FROM sqlite_master").fetchall()
            if self.path is not None and any(
                "answers" not in name for (name,) in names
            ):
                raise _other(self.path)
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            # A file that is up to date is not changed, because another process may be writing to it.
            if version != _VERSION or not names:
                if version not in {0, _VERSION}:
                    connection.execute("DROP TABLE IF EXISTS answers")
                connection.execute(_TABLE)
                connection.execute(_INDEX)
                connection.execute(f"PRAGMA user_version = {_VERSION}")
        except BaseException:
            connection.close()
            raise
        return connection

    def get(self, key: str) -> "_Stored | None":
        """Returns the stored answer of a key, or None."""
        columns = "url, rejection, body, received_at, lifetime, fresh_until, ask_again_at, may_store, etag, last_modified, link"
        query = f"SELECT {columns} FROM answers WHERE key = ?"
        try:
            with self._lock:
                row = self._connection.execute(query, (key,)).fetchone()
        except sqlite3.Error:
            return None
        if row is None or not _is_sound(row):
            return None
        url, rejection, body, received, lifetime, fresh, again, may_store, *rest = row
        freshness = (received, lifetime, fresh, again, bool(may_store))
        if self._memory is not None and body is None and rejection is None:
            held = self._memory.get(key)
            # Another process may have written a newer answer.
            body = held[2] if held is not None and held[3] == freshness else None
        return url, rejection, body, freshness, rest[0], rest[1], rest[2]

    def put(self, key: str, stored: "_Stored") -> None:
        """Stores the answer of a key, and removes the oldest answers beyond the bounds."""
        url, rejection, body, freshness, etag, last_modified, link = stored
        received, _, fresh, _, may_store = freshness
        if not may_store:
            if fresh <= received:
                body = None
            if self._memory is not None and body is not None:
                self._memory.put(key, stored)
                body = None
        times = [min(time, _LARGEST) for time in freshness]
        texts = (key, url, rejection or "", etag, last_modified, link, body or b"")
        size = _OVERHEAD + sum(map(len, texts))
        row = (key, url, rejection, size, body, *times, etag, last_modified, link)
        # If the disk is full or the file locked, the answer is requested again.
        with contextlib.suppress(sqlite3.Error), self._lock, self._whole():
            self._connection.execute(
                f"INSERT OR REPLACE INTO answers VALUES ({', '.join('?' * len(row))})",
                row,
            )
            count, total = self._connection.execute(
                "SELECT count(*), total(size) FROM answers"
            ).fetchone()
            if count > self._max_entries or total > self._max_bytes:
                bounds = (self._max_entries, self._max_bytes)
                self._connection.execute(_OLDEST, bounds)

    @contextlib.contextmanager
    def _whole(self) -> Iterator[None]:
        """Runs a transaction: all writes within it take effect, or none."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise

    def clear(self) -> None:
        """Removes all answers."""
        if self._memory is not None:
            self._memory.clear()
        with self._lock:
            self._connection.execute("DELETE FROM answers")

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()

    def __len__(self) -> int:
        with self._lock:
            (count,) = self._connection.execute(
                "SELECT count(*) FROM answers"
            ).fetchone()
        return int(count)


def _is_sound(row: tuple[Any, ...]) -> bool:
    """Returns whether a row has the types that `put` writes: SQLite stores any type in any column."""
    url, rejection, body, received, lifetime, fresh, again, may_store, *rest = row
    times = (received, lifetime, fresh, again)
    return (
        isinstance(url, str)
        and isinstance(rejection, str | None)
        and isinstance(body, bytes | None)
        and all(isinstance(time, int) and time >= 0 for time in times)
        and lifetime <= _LONGEST
        and may_store in {0, 1}
        and all(isinstance(validator, bytes) for validator in rest)
    )


def _make_private(path: Path) -> None:
    """Creates a file, and the folders above it that are missing, so that only this user can read them: the answers show what the user has asked for.

    What exists keeps its permissions.
    """
    missing = [each for each in path.parents if not each.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _other(path: Path) -> ValueError:
    return ValueError(f"{path} is not a store of answers; name another file")


def default_path() -> Path:
    """Returns the default path of the store."""
    named = os.environ.get("AGENTSDISC_CACHE")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "agentsdisc" / "answers.sqlite3"


_memories: dict[Path, Cache] = {}
"""For each file, the answers whose bodies must not be written to it. All stores over the file share them."""
_lock = threading.Lock()

_defaults: dict[Path | None, Cache] = {}
_defaults_lock = threading.Lock()


def _default() -> Cache:
    """Returns the user's store; one in memory if that cannot be written."""
    with _defaults_lock:
        try:
            path: Path | None = default_path()
            if path not in _defaults:
                _defaults[path] = Cache(path)
        except (OSError, RuntimeError, ValueError, sqlite3.Error):
            path = None
            if path not in _defaults:
                _defaults[path] = Cache()
        return _defaults[path]


def now() -> int:
    """Returns the time in seconds since 1970."""
    return max(0, int(time.time()))
