"""Ray Data: documents in a Dataset to the table of `parse_batch`.

Requires ray with its data part, and pyarrow: `pip install 'agentsdisc[ray]'`.

    dataset.map_batches(agentsdisc.ray.Parse(), batch_format="pyarrow")
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ._agentsdisc import Limits, parse_batch
from ._arguments import several

__all__ = ["Parse"]


class Parse:
    """Converts a batch of documents to the table of `parse_batch`.

    Pass it to `map_batches(…, batch_format="pyarrow")`. The arguments are those of `parse_batch`. `body` and `url` name the columns with the documents
    and with the URLs they were fetched from (None: `url`, if the column exists). The columns in
    `keep` are copied to the output, before all others. Each call uses one thread, because Ray
    starts one task for each processor. Pass an object (for tasks) or the class with
    `fn_constructor_kwargs` (for actors).
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
        """Returns the rows of a batch, a pyarrow Table."""
        arrow: Any = import_module("pyarrow")
        rows = arrow.record_batch(parse_batch(batch, **self._arguments))
        return arrow.Table.from_batches([rows])
