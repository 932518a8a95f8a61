"""Spark: documents in a DataFrame to the table of `parse_batch`.

Requires pyspark (3.5 or newer) and pyarrow, on the driver and on the executors: `pip install
'agentsdisc[spark]'`.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._agentsdisc import Limits, batch_schema, parse_batch
from ._arguments import several

if TYPE_CHECKING:
    # Type checking does not require pyspark.
    DataFrame = Any

__all__ = ["parse", "schema"]


def schema(columns: Sequence[str] | None = None, *, check: bool = True) -> Any:
    """Returns the columns of the output of `parse`, as a StructType of Spark."""
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
    """Returns the table of `parse_batch` for a DataFrame of documents: one row for each input row.

    `body` and `url` name the columns with the documents (binary or string) and with the URLs they
    were fetched from (None: no such column). The columns in `keep` are copied to the output, before
    all others. `columns`, `check` and `limits` are those of `parse_batch`.

    The work is lazy and runs on the executors through `mapInArrow`: no shuffle, the order within a
    partition is kept, and each task uses one thread.
    """
    kept = several(keep, "keep")
    made = batch_schema(columns, check=check).names
    twice = sorted(set(kept) & set(made))
    if twice:
        raise ValueError(
            f"`keep` names columns that the output has already: {', '.join(twice)}; rename them"
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
    """Runs on the executors. Spark pickles it, so it holds only plain values."""

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
        """Yields the rows of a partition."""
        arrow: Any = import_module("pyarrow")
        for batch in batches:
            yield arrow.record_batch(parse_batch(batch, **self._arguments))
