"""`agentsdisc ingest`: many documents in, one table out."""

import argparse
import os
import time
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from .._agentsdisc import json_lines, rows
from .inputs import Item, Lines, items, known_size
from .outputs import COLUMNS, Columns, Output
from .reading import Unreadable

if TYPE_CHECKING:
    from .. import Limits

# A batch is full with this many documents, or bytes: it bounds the memory.
_DOCUMENTS, _BYTES = 2048, 16 << 20

_DESCRIPTION = """\
Reads many documents and writes one row for each of them, also for those that cannot be read.

An input is a folder (read with everything below it), a document, a file of JSON Lines
(.jsonl, .ndjson: objects with the fields body and url), or - for JSON Lines on standard
input. In a folder whose subfolders are named after hosts, as a mirror has them, the path
gives the URL: shop.example/.well-known/agents.txt is https://shop.example/.well-known/agents.txt.
"""


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import limit_options

    command: argparse.ArgumentParser = commands.add_parser(
        "ingest",
        help="read many documents into a table (JSON Lines or Parquet)",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="+",
        help="folders, documents, JSON Lines, or -",
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="the file to write; its end says what: .jsonl, .ndjson or .parquet",
    )
    command.add_argument(
        "-j",
        "--jobs",
        type=jobs,
        metavar="N",
        default=processors(),
        help="threads that read documents (default: one for each processor)",
    )
    limit_options(command)
    command.set_defaults(run=run)


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def jobs(text: str) -> int:
    """A number of threads."""
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 256")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Reads everything and says what came of it."""
    from . import OK, limits

    try:
        from .progress import Progress, summary
    except ModuleNotFoundError as missing:
        raise needs(missing) from None
    bounds = limits(options)
    output = Output(options.output)
    stream = items(options.inputs, bounds.document, output.is_ours)
    counts: Counter[tuple[str, str]] = Counter()
    size = 0
    try:
        measure = partial(known_size, options.inputs, output.is_ours)
        with output, Progress(measure) as progress:
            started = time.perf_counter()
            for columns, read_bytes in processed(stream, bounds, options.jobs):
                output.write(columns)
                counts.update(zip(columns["format"], outcomes(columns), strict=True))
                size += sum(columns["bytes"])
                progress.update(counts, size, read_bytes)
            output.finish()
            seconds = time.perf_counter() - started
    except ModuleNotFoundError as missing:
        raise needs(missing) from None
    except OSError as problem:
        raise Unreadable.of(problem, options.output) from None
    summary(counts, size, seconds, options.output)
    return OK


def needs(missing: ModuleNotFoundError) -> Unreadable:
    """The line for a package that is not installed."""
    return Unreadable(
        f"`ingest` needs the package {missing.name}: pip install 'agentsdisc[cli]'"
    )


def outcomes(columns: Columns) -> Iterator[str]:
    """What came of each document: `ok`, or the kind of its error."""
    for status, kind in zip(columns["status"], columns["error_kind"], strict=True):
        yield kind if status == "error" else "ok"


def batches(stream: Iterator[Item | Lines]) -> Iterator[list[Item] | Lines]:
    """The items in portions of bounded size; JSON Lines come in such portions already."""
    batch: list[Item] = []
    size = 0
    for item in stream:
        lines = item if isinstance(item, Lines) else None
        if lines is None and isinstance(item, Item):
            batch.append(item)
            size += len(item.body)
        if batch and (lines or len(batch) >= _DOCUMENTS or size >= _BYTES):
            yield batch
            batch, size = [], 0
        if lines is not None:
            yield lines
    if batch:
        yield batch


def processed(
    stream: Iterator[Item | Lines], limits: "Limits", workers: int
) -> Iterator[tuple[Columns, int]]:
    """The rows of all items, in their order, a batch at a time, and how many bytes of the inputs they are.

    So many batches are worked on at once as there are workers.
    """
    if workers == 1:
        for batch in batches(stream):
            yield read(batch, limits)
        return
    pool = ThreadPoolExecutor(workers, thread_name_prefix="agentsdisc")
    try:
        waiting: deque[Future[tuple[Columns, int]]] = deque()
        for batch in batches(stream):
            waiting.append(pool.submit(read, batch, limits))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def read(batch: list[Item] | Lines, limits: "Limits") -> tuple[Columns, int]:
    """The rows of one batch, and how many bytes of the inputs it is."""
    if isinstance(batch, Lines):
        return read_lines(batch, limits), batch.size
    return read_items(batch, limits), sum(item.size for item in batch)


def read_lines(lines: Lines, limits: "Limits") -> Columns:
    """The rows of a portion of JSON Lines."""
    columns: Columns = dict(json_lines(lines.data, limits=limits))
    first = lines.number
    columns["source"] = [f"{lines.name}:{first + at}" for at in columns.pop("line")]
    return columns


def read_items(batch: list[Item], limits: "Limits") -> Columns:
    """The rows of single documents."""
    columns: Columns = dict(
        rows(
            [item.body for item in batch], [item.hint for item in batch], limits=limits
        )
    )
    columns["source"] = [item.source for item in batch]
    columns["url"] = [item.url for item in batch]
    # A document is as large as it is, however much of it was read.
    columns["bytes"] = [item.size for item in batch]
    for at, item in enumerate(batch):
        if item.problem is not None:
            for name in COLUMNS:
                if name not in ("source", "url", "bytes"):
                    columns[name][at] = None  # type: ignore[index]
            kind, message = item.problem
            failed = {"format": "unknown", "status": "error", "error_kind": kind}
            for name, value in (failed | {"error_message": message}).items():
                columns[name][at] = value  # type: ignore[index]
    return columns
