"""What is kept between two discoveries: answers, and that there was nothing, until they may be asked for again."""

import contextlib
import os
import sqlite3
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .._agentsdisc import _Stored

_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    rejection TEXT,
    body BLOB,
    received_at INTEGER NOT NULL,
    lifetime INTEGER NOT NULL,
    fresh_until INTEGER NOT NULL,
    ask_again_at INTEGER NOT NULL,
    may_store INTEGER NOT NULL,
    etag BLOB NOT NULL,
    last_modified BLOB NOT NULL
)
"""
_VERSION = 1
_LARGEST = 2**63 - 1


class Cache:
    """Answers in a SQLite file, or in memory without a path. Threads and processes may share it.

    How long an answer counts is said by the core; nothing is interpreted here. At most `max_entries` are kept, the
    newest ones. A file that is no such database is made anew.
    """

    def __init__(
        self,
        path: "str | os.PathLike[str] | None" = None,
        *,
        max_entries: int = 10_000,
    ) -> None:
        self.path = None if path is None else Path(path)
        self._max_entries = max(1, max_entries)
        self._lock = threading.Lock()
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._connection = self._open()
        except sqlite3.DatabaseError as problem:
            if self.path is None or isinstance(problem, sqlite3.OperationalError):
                raise
            self.path.unlink()
            self._connection = self._open()

    @classmethod
    def of(cls, choice: "Cache | str | os.PathLike[str] | bool") -> "Cache | None":
        """The store that an argument `cache` asks for."""
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
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version not in {0, _VERSION}:
                connection.execute("DROP TABLE IF EXISTS answers")
            connection.execute(_TABLE)
            connection.execute(f"PRAGMA user_version = {_VERSION}")
        except BaseException:
            connection.close()
            raise
        return connection

    def get(self, key: str) -> "_Stored | None":
        """What is known of a key."""
        columns = "url, rejection, body, received_at, lifetime, fresh_until, ask_again_at, may_store, etag, last_modified"
        query = f"SELECT {columns} FROM answers WHERE key = ?"
        try:
            with self._lock:
                row = self._connection.execute(query, (key,)).fetchone()
        except sqlite3.Error:
            return None
        if row is None:
            return None
        url, rejection, body, received, lifetime, fresh, again, may_store, *rest = row
        freshness = (received, lifetime, fresh, again, bool(may_store))
        return url, rejection, body, freshness, rest[0], rest[1]

    def put(self, key: str, stored: "_Stored") -> None:
        """Keeps what came of a key."""
        url, rejection, body, freshness, etag, last_modified = stored
        times = [min(time, _LARGEST) for time in freshness]
        row = (key, url, rejection, body, *times, etag, last_modified)
        # A full disk or a lock that is held for long only means that it is asked for again.
        with contextlib.suppress(sqlite3.Error), self._lock:
            self._connection.execute(
                f"INSERT OR REPLACE INTO answers VALUES ({', '.join('?' * len(row))})",
                row,
            )
            self._connection.execute(
                "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY received_at DESC LIMIT -1 OFFSET ?)",
                (self._max_entries,),
            )

    def clear(self) -> None:
        """Forgets everything."""
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


def default_path() -> Path:
    """Where answers are kept unless somebody says otherwise."""
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


_defaults: dict[Path | None, Cache] = {}
_defaults_lock = threading.Lock()


def _default() -> Cache:
    """The store of this user; of this process, where the user's cannot be written."""
    with _defaults_lock:
        try:
            path: Path | None = default_path()
            if path not in _defaults:
                _defaults[path] = Cache(path)
        except (OSError, RuntimeError, sqlite3.Error):
            path = None
            if path not in _defaults:
                _defaults[path] = Cache()
        return _defaults[path]


def now() -> int:
    """The time, in seconds since 1970."""
    return max(0, int(time.time()))
