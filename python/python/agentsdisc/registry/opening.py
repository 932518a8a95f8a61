"""Opens the store that a text names."""

from .store import Store

_POSTGRES = ("postgresql://", "postgres://")


def open_store(
    where: str, *, read_only: bool = False, time_limit: float = 2.0
) -> Store:
    """Opens a registry: a SQLite file, which is made if it is not there, or a PostgreSQL database (`postgresql://…`).

    A search that takes longer than `time_limit` seconds raises StoreError, as everything does that the store cannot answer.
    """
    if where.startswith(_POSTGRES):
        from .postgres import PostgresStore

        return PostgresStore(where, read_only=read_only, time_limit=time_limit)
    from .sqlite import SqliteStore

    return SqliteStore(where, read_only=read_only, time_limit=time_limit)
