"""The store in a PostgreSQL database: many servers over one registry. Needs psycopg and psycopg_pool.

The tokens of a row are a `tsvector` without positions, under a GIN index. They are created here, as for SQLite, so no text search configuration of
the database is involved.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from . import ranking, upkeep
from .reads import VERSION, Cursor
from .sql import SqlStore
from .store import NoRegistryError, StoreError
from .writing import Row

try:
    import psycopg
    from psycopg_pool import ConnectionPool, PoolTimeout
except ModuleNotFoundError as missing:
    raise ImportError(
        f"the registry in PostgreSQL needs {missing.name}: pip install 'agentsdisc[registry]'",
        name=missing.name,
    ) from None

_LOCK = 0x61647267
"""The advisory lock of the connection that makes the tables or writes."""
_WAIT = 2.0
"""Seconds to wait for a connection."""
_CONNECTIONS = 16
_SERIALIZED = "SELECT pg_advisory_xact_lock(%s)"

# COLLATE "C": names are in the order of their bytes, as in SQLite.
_TABLES = """
CREATE TABLE numbers (name text COLLATE "C" PRIMARY KEY, value bigint NOT NULL);
INSERT INTO numbers VALUES ('version', {version}), ('generation', 0), ('services', 0), ('capabilities', 0), ('last service', 0);
CREATE TABLE notes (name text COLLATE "C" PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE services (
    id bigint PRIMARY KEY, domain text COLLATE "C" NOT NULL UNIQUE, fresh bigint NOT NULL, created bigint NOT NULL, updated bigint NOT NULL,
    data text NOT NULL
);
CREATE TABLE entries (
    id bigint PRIMARY KEY, service bigint NOT NULL, name text COLLATE "C" NOT NULL, texts text NOT NULL, data text NOT NULL,
    tokens tsvector NOT NULL, UNIQUE (service, name)
);
CREATE INDEX entries_by_tokens ON entries USING gin (tokens);
CREATE TABLE facets (
    field text COLLATE "C" NOT NULL, value text COLLATE "C" NOT NULL, domain text COLLATE "C" NOT NULL, service bigint NOT NULL,
    shown text COLLATE "C" NOT NULL, PRIMARY KEY (field, value, domain)
);
CREATE INDEX facets_by_service ON facets (service, field);
CREATE TABLE documents (domain text COLLATE "C" NOT NULL, url text COLLATE "C" NOT NULL, body bytea NOT NULL, UNIQUE (domain, url));
CREATE TABLE terms (term text COLLATE "C" PRIMARY KEY, frequency bigint NOT NULL);
"""


class PostgresStore(SqlStore):
    """A store in a PostgreSQL database. Its tables are in the schema `agentsdisc_registry`, which is made on first use."""

    among = "= ANY(?)"

    def __init__(
        self,
        where: str,
        *,
        read_only: bool = False,
        create: bool = True,
        time_limit: float = 2.0,
        migrates: bool = False,
    ) -> None:
        super().__init__()
        self._migrates = migrates
        self._read_only = read_only
        self._limit = time_limit
        self._closed = False
        self._pool: ConnectionPool[Any] = ConnectionPool(
            where,
            min_size=1,
            max_size=_CONNECTIONS,
            open=False,
            timeout=_WAIT,
            # A connection that the server has closed is replaced before it is used.
            check=ConnectionPool.check_connection,
            configure=_configured,
            reconnect_timeout=_WAIT,
        )
        try:
            with _clear():
                # Without the pool, whose connections fail in the background: this reports the error at once.
                psycopg.connect(where, connect_timeout=int(_WAIT)).close()
                self._pool.open()
                self._make_tables(create and not read_only)
        except BaseException:
            self._pool.close(timeout=0)
            raise

    def _make_tables(self, create: bool) -> None:
        with self._pool.connection() as connection, connection.transaction():
            if create:
                connection.execute(_SERIALIZED, (_LOCK,))
                connection.execute("CREATE SCHEMA IF NOT EXISTS agentsdisc_registry")
            found = connection.execute("SELECT to_regclass('numbers')").fetchone()
            if found == (None,):
                if not create:
                    raise NoRegistryError("the database has no registry")
                for statement in _TABLES.format(version=VERSION).split(";\n"):
                    if statement.strip():
                        connection.execute(statement)
            (version,) = connection.execute(
                "SELECT value FROM numbers WHERE name = 'version'"
            ).fetchone() or (0,)
            upkeep.require_version(version, "the database", migrates=self._migrates)
            if version != VERSION:
                connection.execute(_SERIALIZED, (_LOCK,))
                upkeep.migrate(self, _Translated(connection.cursor()))
                connection.execute(
                    "UPDATE numbers SET value = %s WHERE name = 'version'", (VERSION,)
                )

    @contextmanager
    def _writing(self) -> Iterator[Cursor]:
        if self._read_only:
            raise StoreError("the store is opened for reading only")
        with self._connected() as connection, connection.transaction():
            connection.execute(_SERIALIZED, (_LOCK,))
            yield _Translated(connection.cursor())

    @contextmanager
    def reading(self, *domains: str) -> Iterator[Cursor]:
        """Opens a transaction that sees one state of the database, and whose statements end after the time limit."""
        with self._connected() as connection:
            connection.execute(
                "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
            )
            connection.execute(
                "SELECT set_config('statement_timeout', %s, true)",
                (str(max(1, int(self._limit * 1000))),),
            )
            yield _Translated(connection.cursor())
            connection.execute("ROLLBACK")

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        if self._closed:
            raise StoreError("the store is closed")
        with _clear(self._limit), self._pool.connection() as connection:
            yield connection

    def list_value(self, values: Iterable[Any]) -> list[Any]:
        """Returns an array."""
        return [*values]

    def find(
        self, cursor: Cursor, expression: ranking.Expression, limit: int
    ) -> list[int]:
        """Returns the ids of rows with these tokens."""
        # The tokens have letters, digits, = and : only, so nothing in them can end the quotes.
        query = " & ".join(
            "(" + " | ".join(f"'{token}'" for token in choice) + ")"
            for choice in expression
        )
        found = cursor.execute(
            "SELECT id FROM entries WHERE tokens @@ ?::tsquery ORDER BY id LIMIT ?",
            (query, limit),
        )
        return [row for (row,) in found]

    def change_index(
        self, cursor: Cursor, removed: dict[int, str], added: list[Row]
    ) -> None:
        """Changes the rows and their tokens."""
        if removed:
            cursor.execute("DELETE FROM entries WHERE id = ANY(?)", ([*removed],))
        # The tokens have letters, digits, = and : only, so nothing in them needs to be escaped.
        self.insert(
            cursor,
            "entries (id, service, name, texts, data, tokens)",
            [
                (*row[:5], "'" + "' '".join({*row[5].split()}) + "'" if row[5] else "")
                for row in added
            ],
        )

    def insert(self, cursor: Any, into: str, values: list[Any], more: str = "") -> None:
        """Copies rows into a table; with `more`, through a temporary table."""
        if not values:
            return
        if not more:
            cursor.copy(f"COPY {into} FROM STDIN", values)
            return
        # One statement may change a row only once.
        values = [*{tuple(row[:-1]): row for row in values}.values()]
        table, _, columns = into.partition(" ")
        cursor.execute(
            f"CREATE TEMPORARY TABLE IF NOT EXISTS new_{table} (LIKE {table}) ON COMMIT DROP"
        )
        cursor.copy(f"COPY new_{table} {columns} FROM STDIN", values)
        listed = columns.strip("()")
        cursor.execute(f"INSERT INTO {into} SELECT {listed} FROM new_{table} {more}")
        cursor.execute(f"TRUNCATE new_{table}")

    def empty_index(self, cursor: Cursor) -> None:
        """Removes all of the index."""
        cursor.execute("TRUNCATE services, entries, facets, terms")

    def tidy(self) -> None:
        """Lets PostgreSQL update its statistics, and write the pending entries of the token index."""
        with self._write_lock, self._connected() as connection:
            connection.execute("VACUUM ANALYZE entries, facets, services, terms")

    def close(self) -> None:
        """Closes all connections."""
        self._closed = True
        self._pool.close(timeout=_WAIT)


class _Translated:
    """A cursor whose statements have `?` for parameters."""

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Runs a statement."""
        self._cursor.execute(_translated(sql), values)
        return self._cursor if self._cursor.description else ()

    def copy(self, sql: str, values: Iterable[Sequence[Any]]) -> None:
        """Runs a COPY with these rows."""
        with self._cursor.copy(sql) as copy:
            for row in values:
                copy.write_row(row)

    def executemany(self, sql: str, values: Iterable[Sequence[Any]]) -> None:
        """Runs a statement for each of the values."""
        self._cursor.executemany(_translated(sql), values)


@lru_cache(256)
def _translated(sql: str) -> str:
    return sql.replace("?", "%s")


def _configured(connection: Any) -> None:
    connection.autocommit = True
    connection.execute("SET search_path TO agentsdisc_registry")


@contextmanager
def _clear(limit: float = 0.0) -> Iterator[None]:
    """Raises errors of PostgreSQL as StoreError. Their texts have no password."""
    try:
        yield
    except psycopg.errors.QueryCanceled:
        raise StoreError(
            f"PostgreSQL: the search took longer than {limit:g} s"
        ) from None
    except PoolTimeout:
        raise StoreError(
            f"PostgreSQL: no connection within {_WAIT:g} s; the server does not answer, or all {_CONNECTIONS} connections are in use"
        ) from None
    except psycopg.Error as problem:
        said = " ".join(str(problem).split()) or type(problem).__name__
        raise StoreError(f"PostgreSQL: {said}") from None
