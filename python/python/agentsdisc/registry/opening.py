"""Opens the store that a text names."""

import re

from .store import Store, StoreError

# A single letter is a drive of Windows.
_URL = re.compile(r"([a-z][a-z0-9+.-]+)://(.*)", re.IGNORECASE | re.DOTALL)
_POSTGRES = {"postgresql", "postgres"}


def open_store(
    where: str,
    *,
    read_only: bool = False,
    create: bool = True,
    time_limit: float = 2.0,
    migrates: bool = False,
) -> Store:
    """Opens a registry: a SQLite file, or a PostgreSQL database (`postgresql://…`).

    If there is no registry, creates an empty one. With `read_only=True` or `create=False`, raises NoRegistryError instead.
    With `migrates`, tables of an earlier version are converted first, in one transaction.
    A search that takes longer than `time_limit` seconds raises StoreError, as does every other failure of the store.
    """
    url = _URL.fullmatch(where)
    if url is None and where not in {"", ":memory:"}:
        from .sqlite import SqliteStore

        return SqliteStore(
            where,
            read_only=read_only,
            create=create,
            time_limit=time_limit,
            migrates=migrates,
        )
    if url is None or url[1].lower() not in _POSTGRES:
        given = "this" if url is None else f"{url[1]}://"
        raise StoreError(
            f"{given} is not supported; the store is a file, such as registry.db, or a PostgreSQL database, such as postgresql://host/name"
        )
    from .postgres import PostgresStore

    return PostgresStore(
        f"postgresql://{url[2]}",
        read_only=read_only,
        create=create,
        time_limit=time_limit,
        migrates=migrates,
    )
