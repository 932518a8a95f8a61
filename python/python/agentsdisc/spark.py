"""Spark: documents in a DataFrame, the table of `parse_batch` out.

Needs pyspark (3.5 or newer) and pyarrow, on the driver and on the executors: `pip install
'agentsdisc[spark]'`.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._agentsdisc import Limits, batch_schema, parse_batch
from ._arguments import several

if TYPE_CHECKING:
    # pyspark need not be there to check the types.
    DataFrame = Any

__all__ = ["parse", "schema"]


def schema(columns: Sequence[str] | None = None, *, check: bool = True) -> Any:
    """The columns that `parse` makes, as a StructType of Spark."""
    types: Any = import_module("pyspark.sql.pandas.types")
    arrow: Any = import_module("pyarrow")
    return types.from_arrow_schema(arrow.schema(batch_schema(columns, check=check)))


def parse(
    df: "DataFrame",
    body: str = "body",
    url: str | None = "url",
    *,
    columns: Sequence[str] | None = None,
    check: bool = True,
    keep: Sequence[str] = (),
    limits: Limits | None = None,
) -> "DataFrame":
    """The table of `parse_batch` for the documents of a DataFrame: one row for each of its rows.

    `body` and `url` name its columns with the documents (binary or string) and with where
    they were fetched from (None: there is none). The columns that `keep` names are passed on,
    before all others. `columns`, `check` and `limits` are those of `parse_batch`.

    It is lazy, as everything in Spark, and runs where the data are, over `mapInArrow`: no
    shuffle, the order within a partition kept, and one thread for each task.
    """
    kept = several(keep, "keep")
    made = batch_schema(columns, check=check).names
    twice = sorted(set(kept) & set(made))
    if twice:
        raise ValueError(
            f"columns would be there twice: kept, and made: {', '.join(twice)}"
        )
    needed = [body, *([url] if url is not None else []), *kept]
    chosen = df.select(*dict.fromkeys(needed))
    types: Any = import_module("pyspark.sql.types")
    fields = [chosen.schema[name] for name in kept]
    whole = types.StructType([*fields, *schema(columns, check=check).fields])
    reader = _Reader(
        body,
        url,
        kept,
        list(columns) if columns is not None else None,
        check,
        limits,
    )
    return chosen.mapInArrow(reader, whole)


class _Reader:
    """What runs on the executors: it is sent there, so it holds nothing but plain values."""

    def __init__(
        self,
        body: str,
        url: str | None,
        keep: list[str],
        columns: list[str] | None,
        check: bool,
        limits: Limits | None,
    ) -> None:
        self._arguments: dict[str, Any] = {
            "body": body,
            "url": url,
            "keep": keep,
            "columns": columns,
            "check": check,
            "limits": limits,
            "threads": 1,
        }

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """The rows of a partition."""
        arrow: Any = import_module("pyarrow")
        for batch in batches:
            yield arrow.record_batch(parse_batch(batch, **self._arguments))
