"""Ray Data: documents in a Dataset, the table of `parse_batch` out.

Needs ray with its data part, and pyarrow: `pip install 'agentsdisc[ray]'`.

    dataset.map_batches(agentsdisc.ray.Parse(), batch_format="pyarrow")
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ._agentsdisc import Limits, parse_batch
from ._arguments import several

__all__ = ["Parse"]


class Parse:
    """A callable for `map_batches(…, batch_format="pyarrow")`: a table of documents in, the table of `parse_batch` out.

    The arguments are those of `parse_batch`: `body` and `url` name the columns with the
    documents and with where they were fetched from (None: `url`, if there is such a column),
    and the columns that `keep` names are passed on, before all others. Every call works on
    one thread, as Ray starts one task for each processor. It can be given as an object
    (for tasks) or as a class with `fn_constructor_kwargs` (for actors).
    """

    def __init__(
        self,
        body: str = "body",
        url: str | None = None,
        *,
        columns: Sequence[str] | None = None,
        check: bool = True,
        keep: Sequence[str] = (),
        limits: Limits | None = None,
    ) -> None:
        self._arguments: dict[str, Any] = {
            "body": body,
            "url": url,
            "columns": several(columns, "columns") if columns is not None else None,
            "check": check,
            "keep": several(keep, "keep"),
            "limits": limits,
            "threads": 1,
        }

    def __call__(self, batch: Any) -> Any:
        """The rows of a batch, a pyarrow Table."""
        arrow: Any = import_module("pyarrow")
        rows = arrow.record_batch(parse_batch(batch, **self._arguments))
        return arrow.Table.from_batches([rows])
