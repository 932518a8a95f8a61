"""The store in a SQLite file: no server, one writer, any number of readers."""

import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any

from . import ranking, upkeep
from .reads import VERSION, Cursor
from .sql import SqlStore
from .store import NoRegistryError, StoreError
from .writing import Row

_APPLICATION = 0x61647267
_WAIT = 30.0
"""Seconds that a writer waits for another process that writes."""
_TOGETHER = 1 << (10 if sqlite3.sqlite_version_info >= (3, 32) else 7)
"""Maximum number of rows per statement, a power of two. Before SQLite 3.32, a statement has at most 999 parameters."""
_STEPS = 20_000
"""Instructions of SQLite's virtual machine between two checks of the time limit."""

_TABLES = """
CREATE TABLE numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO numbers VALUES ('generation', 0), ('services', 0), ('capabilities', 0), ('last service', 0);
CREATE TABLE notes (name TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE services (
    id INTEGER PRIMARY KEY, domain TEXT NOT NULL UNIQUE, fresh INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
    data TEXT NOT NULL
);
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, service INTEGER NOT NULL, name TEXT NOT NULL, texts TEXT NOT NULL, data TEXT NOT NULL,
    UNIQUE (service, name)
);
CREATE TABLE facets (
    field TEXT NOT NULL, value TEXT NOT NULL, domain TEXT NOT NULL, service INTEGER NOT NULL, shown TEXT NOT NULL,
    PRIMARY KEY (field, value, domain)
) WITHOUT ROWID;
CREATE INDEX facets_by_service ON facets (service, field);
CREATE TABLE documents (domain TEXT NOT NULL, url TEXT NOT NULL, body BLOB NOT NULL, UNIQUE (domain, url));
CREATE TABLE terms (term TEXT PRIMARY KEY, frequency INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE tokens USING fts5(
    words, content = '', columnsize = 0, detail = none, tokenize = "ascii tokenchars '=:'"
);
"""


class SqliteStore(SqlStore):
    """A store in a SQLite file."""

    among = "IN (SELECT value FROM json_each(?))"
    writes_behind = sqlite3.threadsafety == 3

    def __init__(
        self,
        path: "str | os.PathLike[str]",
        *,
        read_only: bool = False,
        create: bool = True,
        time_limit: float = 2.0,
        migrates: bool = False,
    ) -> None:
        super().__init__()
        self.path = Path(path)
        self._migrates = migrates
        self._read_only = read_only
        self._limit = time_limit
        self._lock = threading.Lock()
        self._idle: list[_Reader] = []
        self._readers: list[_Reader] = []
        self._closed = False
        if read_only or not create:
            self._require_file()
        self._writer = None if read_only else self._open(create)
        with _clear(self.path), self.reading():
            pass

    def _require_file(self) -> None:
        try:
            self.path.stat()
        except FileNotFoundError:
            raise NoRegistryError(f"{self.path} does not exist") from None
        except OSError:
            pass  # SQLite says what is wrong.

    def _open(self, create: bool) -> sqlite3.Connection:
        """Opens the connection that writes; makes the tables in a new file."""
        with _clear(self.path):
            connection = sqlite3.connect(
                _uri(self.path, "rwc" if create else "rw"),
                uri=True,
                timeout=_WAIT,
                isolation_level=None,
                check_same_thread=False,
            )
            try:
                # A file of another program must not be changed.
                version = VERSION
                if not create or not _is_empty(connection):
                    version = _require_registry(connection, self.path, self._migrates)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute("PRAGMA cache_size = -65536")
                connection.execute("PRAGMA journal_size_limit = 67108864")
                connection.execute("PRAGMA wal_autocheckpoint = 8000")
                connection.execute("BEGIN IMMEDIATE")
                if _is_empty(connection):
                    for statement in _TABLES.split(";\n"):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {VERSION}")
                elif version != VERSION:
                    upkeep.migrate(self, connection)
                    connection.execute(f"PRAGMA user_version = {VERSION}")
                connection.execute("COMMIT")
                _require_registry(connection, self.path)
            except BaseException:
                connection.close()
                raise
            return connection

    @contextmanager
    def _writing(self) -> Iterator[Cursor]:
        connection = self._writer
        if connection is None:
            why = "closed" if self._closed else "opened for reading only"
            raise StoreError(f"the store {self.path} is {why}")
        with _clear(self.path):
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                # SQLite itself has undone it after some errors, such as a full disk.
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self, *domains: str) -> Iterator[Cursor]:
        """Opens a transaction that sees one state of the file, and ends after the time limit."""
        with _clear(self.path, self._limit):
            reader = self._take()
            try:
                with reader.snapshot(self._limit) as cursor:
                    yield cursor
            finally:
                self._give(reader)

    def _take(self) -> "_Reader":
        with self._lock:
            if self._closed:
                raise StoreError(f"the store {self.path} is closed")
            if self._idle:
                return self._idle.pop()
        reader = _Reader(self.path)
        with self._lock:
            self._readers.append(reader)
        return reader

    def _give(self, reader: "_Reader") -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(reader)
                return
        reader.close()

    def list_value(self, values: Iterable[Any]) -> str:
        """Returns a JSON array."""
        return json.dumps([*values])

    def find(
        self, cursor: Cursor, expression: ranking.Expression, limit: int
    ) -> list[int]:
        """Returns the ids of rows with these tokens."""
        # The tokens have letters, digits, = and : only, so nothing in them can end the quotes.
        match = " AND ".join(
            "(" + " OR ".join(f'"{token}"' for token in choice) + ")"
            for choice in expression
        )
        ((found,),) = cursor.execute(
            """SELECT group_concat(rowid, ' ') FROM
            (SELECT rowid FROM tokens WHERE tokens MATCH ? ORDER BY rowid LIMIT ?)""",
            (match, limit),
        )
        return [*map(int, found.split())] if found else []

    def texts(
        self, cursor: Cursor, ids: Iterable[int]
    ) -> Iterator[tuple[int, int, str]]:
        """Yields rows of the index."""
        # Returns all in one row: Python releases the GIL for each row, and with many threads waits long to get it back.
        ((found,),) = cursor.execute(
            """SELECT group_concat(entries.id || ' ' || services.fresh || ' ' || entries.texts, char(12))
            FROM json_each(?) AS wanted JOIN entries ON entries.id = wanted.value JOIN services ON services.id = entries.service""",
            (self.list_value(ids),),
        )
        for one in found.split("\f") if found else ():
            row, fresh, texts = one.split(" ", 2)
            yield int(row), int(fresh), texts

    def insert(
        self, cursor: Cursor, into: str, values: list[Any], more: str = ""
    ) -> None:
        """Inserts rows, many per statement: Python releases the GIL for each statement, and beside another thread waits long to get it back."""
        done, size = 0, _TOGETHER
        while done < len(values):
            while size > len(values) - done:
                size //= 2
            part = values[done : done + size]
            one = f"({', '.join('?' * len(part[0]))})"
            cursor.execute(
                f"INSERT INTO {into} VALUES {', '.join([one] * size)} {more}",
                [*chain.from_iterable(part)],
            )
            done += size

    def change_index(
        self,
        cursor: Cursor,
        removed: dict[int, str],
        added: list[Row],
    ) -> None:
        """Changes the rows and their tokens."""
        # FTS5 flushes its buffer whenever an id is not larger than the one before, so the ids are sorted.
        if removed:
            gone = f"DELETE FROM entries WHERE id {self.among}"
            cursor.execute(gone, (self.list_value(removed),))
        deleted = [("delete", *item) for item in sorted(removed.items())]
        self.insert(cursor, "tokens (tokens, rowid, words)", deleted)
        columns = "id, service, name, texts, data"
        self.insert(cursor, f"entries ({columns})", [row[:5] for row in added])
        tokens = [(row[0], row[5]) for row in added]
        self.insert(cursor, "tokens (rowid, words)", tokens)

    def empty_index(self, cursor: Cursor) -> None:
        """Removes all of the index."""
        for table in ("services", "entries", "facets", "terms"):
            cursor.execute(f"DELETE FROM {table}")
        cursor.execute("INSERT INTO tokens (tokens) VALUES ('delete-all')")

    def tidy(self) -> None:
        """Merges the segments of the token index, and checkpoints the write-ahead log."""
        with self._write_lock:
            with self._writing() as cursor:
                cursor.execute("INSERT INTO tokens (tokens) VALUES ('optimize')")
            if self._writer is not None:
                self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def check(self) -> None:
        """Runs a list and a search with a new connection: open connections have cached pages, even of a file that was deleted."""
        self.generation()
        fresh = SqliteStore(self.path, read_only=True, time_limit=self._limit)
        try:
            super(SqliteStore, fresh).check()
        finally:
            fresh.close()

    def close(self) -> None:
        """Closes all connections."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for reader in idle:
            reader.close()
        with self._write_lock:
            if self._writer is not None:
                self._writer.close()
                self._writer = None


class _Reader:
    """A connection that cannot write, for one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(
            _uri(path, "ro"),
            uri=True,
            timeout=5,
            isolation_level=None,
            check_same_thread=False,
        )
        self._ends = 0.0
        try:
            self._connection.execute("PRAGMA query_only = 1")
            self._connection.execute("PRAGMA cache_size = -8192")
            _require_registry(self._connection, path)
        except BaseException:
            self._connection.close()
            raise
        self._connection.set_progress_handler(self._is_late, _STEPS)

    def _is_late(self) -> bool:
        return monotonic() > self._ends

    @contextmanager
    def snapshot(self, seconds: float) -> Iterator[sqlite3.Connection]:
        """Opens a transaction that ends after a time."""
        self._ends = monotonic() + seconds
        self._connection.execute("BEGIN")
        try:
            yield self._connection
        finally:
            self._ends = float("inf")
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()


def _uri(path: Path, mode: str) -> str:
    return f"{path.absolute().as_uri()}?mode={mode}"


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Whether a file has no tables, as a new one."""
    found = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(found == (0,))


def _require_registry(
    connection: sqlite3.Connection, path: Path, migrates: bool = False
) -> int:
    """Returns the version of the tables."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    version: int
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application == 0 and _is_empty(connection):
        raise NoRegistryError(f"{path} is empty")
    if application != _APPLICATION:
        raise StoreError(f"{path} is not a registry; name another file")
    upkeep.require_version(version, str(path), migrates=migrates)
    return version


@contextmanager
def _clear(path: Path, limit: float = 0.0) -> Iterator[None]:
    """Raises errors of SQLite as StoreError."""
    try:
        yield
    except sqlite3.Error as problem:
        said = str(problem)
        if said == "interrupted":
            said = f"the search took longer than {limit:g} s"
        raise StoreError(f"{path}: {said}") from None
