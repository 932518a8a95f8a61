"""`agentsdisc ingest`: many documents in, one table out."""

import argparse
import contextlib
import gc
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from .._agentsdisc import batch_schema, formats
from .identity import Identities, is_same, is_within
from .inputs import Documents, Item, Part, Place, Wanted, items, known_size
from .outputs import Output, Writer
from .parts import Parts
from .reading import Unreadable
from .table import SOURCE, Batch, Choice, Done, Maker
from .terminal import visible

if TYPE_CHECKING:
    from .progress import Progress

# A part ends with so many rows, bytes of documents, or seconds: that much is lost where a run is killed.
_PART_ROWS, _PART_BYTES, _PART_SECONDS = 1 << 18, 1 << 30, 60.0

# Seconds for which a thread may keep others waiting.
_TURN = 0.001

# How much nicer than others threads are that read documents.
_NICER = 10

# Objects that are made until garbage is looked for.
_GARBAGE = 100_000

_DESCRIPTION = """\
Reads many documents and writes one row for each of them, also for those that cannot be read.

An input is
  a folder, with the documents below it, one in each file; where its subfolders are named after hosts, as a
    mirror has them, the path gives the URL: shop.example/.well-known/agents.txt is
    https://shop.example/.well-known/agents.txt
  a WARC file (.warc, .warc.gz): its answers from where such documents are found
  a table (.parquet; .arrow, .feather) with a column of documents
  JSON Lines (.jsonl, .ndjson): objects with the fields body and url
  - for JSON Lines, WARC or a stream of Arrow on standard input
  or a single document.
The columns are those of parse_batch (docs/arrow.md; what the check finds with --check), behind `source`: the
file, line or offset.
"""

_EPILOG = """\
While it runs, finished parts are in the folder OUT.parts. Where a run is interrupted or killed, or
the disk is full, they stay, and the same command with --resume goes on behind them. OUT itself
appears when it is whole.

exit codes:
  0    everything was read; rows may say that documents are broken
  1    everything was written, but a part of an archive is damaged and was not read; the summary
       says where, and a row with the error is there for each such part
  2    something cannot be read or written, or the command was given wrongly
  130  interrupted (143: asked to end); go on with --resume
"""


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import limit_options

    command: argparse.ArgumentParser = commands.add_parser(
        "ingest",
        help="read many documents into a table (Parquet, Arrow IPC or JSON Lines)",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = command.add_argument
    add(
        "inputs",
        metavar="INPUT",
        nargs="+",
        help="folders, WARC, tables, JSON Lines, documents, or -",
    )
    add(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="the file to write; its end says what: .parquet, .arrow, .feather, .jsonl or .ndjson",
    )
    add(
        "-c",
        "--columns",
        metavar="A,B.C",
        type=names,
        help="only these columns, or members of them: source,url,capabilities.id",
    )
    add(
        "--where-format",
        metavar="A,B",
        type=names,
        help="only documents of these formats (see `agentsdisc formats`)",
    )
    add(
        "--explode",
        choices=["capabilities"],
        help="one row for each capability, in the column `capability`, beside the columns that identify its document, or those that --columns names",
    )
    add(
        "--errors-to",
        metavar="FILE",
        help="write the rows of documents that cannot be read to this file instead",
    )
    add(
        "--check",
        action="store_true",
        help="check the documents, too: errors, warnings, infos and diagnostics, which take a quarter more time",
    )
    add(
        "--all-records",
        action="store_true",
        help="WARC: every answer, not only those from where documents are found",
    )
    add(
        "--body-column",
        metavar="NAME",
        default="body",
        help="tables: the column of documents (default: body)",
    )
    add(
        "--url-column",
        metavar="NAME",
        help="tables: the column of URLs (default: url, if there is one)",
    )
    add(
        "-j",
        "--jobs",
        type=jobs,
        metavar="N",
        default=processors(),
        help="threads that read documents (default: one for each processor)",
    )
    again = command.add_mutually_exclusive_group()
    again.add_argument(
        "--resume",
        action="store_true",
        help="go on with a run that did not end (the same command)",
    )
    again.add_argument(
        "--restart",
        action="store_true",
        help="drop what a run that did not end has left, and begin anew",
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


def names(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    found = tuple(name.strip() for name in text.split(",") if name.strip())
    if not found:
        raise argparse.ArgumentTypeError("there is no name in it")
    return found


def choice(options: argparse.Namespace) -> Choice:
    """What the options say about rows and columns."""
    if options.columns:
        ours = [name for name in options.columns if name != SOURCE]
        try:
            if ours:
                batch_schema(ours)
        except ValueError as problem:
            raise Unreadable(f"--columns: {problem}") from None
    known = {name for name, *_ in formats()}
    for name in options.where_format or ():
        if name not in known:
            raise Unreadable(
                f"--where-format: there is no format {name!r}; see `agentsdisc formats`"
            )
    return Choice(
        columns=options.columns,
        formats=frozenset(options.where_format) if options.where_format else None,
        check=options.check,
        explode=options.explode is not None,
        apart=options.errors_to is not None,
    )


def run(options: argparse.Namespace) -> int:
    """Reads everything and says what came of it."""
    try:
        from .progress import Progress, summary

        return Run(options).go(Progress, summary)
    except ModuleNotFoundError as missing:
        raise needs(missing) from None


def needs(missing: ModuleNotFoundError) -> Unreadable:
    """The line for a package that is not installed."""
    return Unreadable(
        f"`ingest` needs the package {missing.name}: pip install 'agentsdisc[cli]'"
    )


class Run:
    """One run of the command."""

    def __init__(self, options: argparse.Namespace) -> None:
        from . import limits

        self.options = options
        bounds = limits(options)
        self.output = Output(options.output)
        self.errors = (
            Output(options.errors_to, ".errors") if options.errors_to else None
        )
        self.parts_folder = f"{options.output}.parts"
        self.identities = Identities(self.outputs, self.parts_folder)
        if self.errors is not None:
            if is_same(self.errors.path, options.output):
                raise Unreadable("--errors-to: names the output itself")
            if is_within(self.errors.path, self.parts_folder):
                raise Unreadable("--errors-to: names a file among the parts of the run")
        for name in options.inputs:
            if name != "-" and self.identities.has(name):
                raise Unreadable(f"{visible(name)}: is an input and an output")
        self.wanted = Wanted(
            bounds.document,
            options.all_records,
            options.body_column,
            options.url_column,
        )
        chosen = choice(options)
        self.maker = Maker(chosen, bounds)
        # Standard input cannot be read a second time.
        self.resumable = "-" not in options.inputs
        if options.resume and not self.resumable:
            raise Unreadable("--resume: standard input cannot be read again")
        settings = {
            "inputs": options.inputs,
            "limit": bounds.document,
            "columns": options.columns and list(options.columns),
            "formats": chosen.formats and sorted(chosen.formats),
            "check": chosen.check,
            "explode": chosen.explode,
            "errors": options.errors_to,
            "records": options.all_records,
            "names": [options.body_column, options.url_column],
        }
        self.parts = Parts(options.output, settings)
        self.writing: dict[str, tuple[Path, Writer]] = {}
        """The parts that are being written, by the suffix of their outputs."""
        self.rows = self.bytes = 0
        self.since = time.perf_counter()

    @property
    def outputs(self) -> list[str]:
        """The paths of what is written."""
        errors = [self.errors.path] if self.errors is not None else []
        return [self.output.path, *errors]

    def go(self, progress_kind: Any, summary: Any) -> int:
        """Reads everything, or as much as it is let."""
        from . import FINDINGS, OK

        options, parts = self.options, self.parts
        measure = partial(known_size, options.inputs, self.identities.has)
        stream = items(options.inputs, self.wanted, self.identities.has, None)
        parts.open(options.resume, options.restart)
        whole = False
        try:
            if parts.place != Place():
                stream = items(
                    options.inputs, self.wanted, self.identities.has, parts.place
                )
            with Interrupts(self.resumable) as interrupts:
                progress_bar = progress_kind(measure, parts.consumed)
                with (
                    progress_bar as progress,
                    quick_turns(),
                    little_garbage(),
                    thrifty_memory(),
                ):
                    self.read(stream, progress, interrupts)
                if interrupts.code == 0:
                    self.put_together()
                    whole = True
            # An interrupt that came while everything was put together came too late.
            code = 0 if whole else interrupts.code
        except OSError as problem:
            where = str(problem.filename or options.output)
            raise Unreadable(f"{Unreadable.of(problem, where)}{self.kept()}") from None
        finally:
            for _, writer in self.writing.values():
                writer.abandon()
            parts.close(keep=not whole and self.resumable and bool(parts.files))
        if code:
            raise Interrupted(code, f"interrupted{self.kept()}")
        summary(parts, options.output)
        if self.errors is not None:
            summary_of_errors(parts.failed, self.errors.path)
        return FINDINGS if parts.lost else OK

    def kept(self) -> str:
        """What a run that did not end leaves, for people."""
        if not (self.resumable and self.parts.kept):
            return ""
        return f"; {self.parts.kept:,} documents are done and kept in {visible(str(self.parts.folder))}: go on with --resume"

    def read(
        self,
        stream: Iterator[tuple[Part, Place]],
        progress: "Progress",
        interrupts: "Interrupts",
    ) -> None:
        """Reads and writes, until the end or until somebody interrupts."""
        before, started = self.parts.seconds, time.perf_counter()
        self.since = started
        try:
            for done in processed(stream, self.maker, self.options.jobs):
                self.write(done)
                self.parts.seconds = before + time.perf_counter() - started
                progress.update(self.parts, done.consumed)
                if self.is_enough():
                    self.finish_part()
                if interrupts.code:
                    break
        except KeyboardInterrupt:
            # What was begun is half done, wherever that came; the parts before it are whole.
            interrupts.code = interrupts.code or 130
            return
        if interrupts.code and not self.resumable:
            return
        self.finish_part()

    def write(self, done: Done) -> None:
        """Writes the rows of a batch into the part."""
        self.parts.rows += self.put(self.output, self.maker.schema, done.rows)
        if self.errors is not None:
            schema = self.maker.error_schema
            self.parts.failed += self.put(self.errors, schema, [done.errors])
        self.rows += done.documents
        self.bytes += done.size
        self.parts.counts.update(done.counts)
        self.parts.lose(done.lost)
        self.parts.size += done.size
        self.parts.consumed += done.consumed
        self.parts.place = done.place

    def put(self, output: Output, schema: Any, batches: Iterable[Any]) -> int:
        """Writes record batches into the part of an output; says how many rows they have."""
        if output.suffix not in self.writing:
            path = self.parts.next_file(output.suffix)
            self.writing[output.suffix] = (path, output.open(path, schema))
        _, writer = self.writing[output.suffix]
        rows = 0
        for batch in batches:
            if batch.num_rows:
                writer.write(batch)
            rows += batch.num_rows
        return rows

    def is_enough(self) -> bool:
        """Whether the part should end."""
        return (
            self.rows >= _PART_ROWS
            or self.bytes >= _PART_BYTES
            or time.perf_counter() - self.since >= _PART_SECONDS
        )

    def finish_part(self) -> None:
        """Ends the part, and notes it."""
        if not self.writing:
            return
        finished = {}
        for suffix, (path, writer) in self.writing.items():
            writer.close()
            finished[suffix] = path
        self.writing = {}
        self.parts.add(finished)
        self.rows = self.bytes = 0
        self.since = time.perf_counter()

    def put_together(self) -> None:
        """Makes the outputs of the parts."""
        outputs = [(self.errors, self.maker.error_schema)] if self.errors else []
        for output, schema in [*outputs, (self.output, self.maker.schema)]:
            if not self.parts.paths(output.suffix):  # nothing came in
                path = self.parts.next_file(output.suffix)
                output.open(path, schema).close()
                self.parts.add({output.suffix: path})
            output.put_together(
                self.parts.paths(output.suffix), self.parts.folder, schema
            )


def summary_of_errors(failed: int, path: str) -> None:
    """Says where the errors are; on standard error, as everything that is not data."""
    print(f"errors: {visible(path)} ({failed:,} rows)", file=sys.stderr)


@contextlib.contextmanager
def quick_turns() -> Iterator[None]:
    """Lets threads take turns sooner: FastWARC keeps all others waiting while it reads, and they need a moment between two steps."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@contextlib.contextmanager
def little_garbage() -> Iterator[None]:
    """Has the collector of garbage come seldom, and pass over what is there already: it would walk over all of pyarrow again and again, and what is read holds no circles."""
    before = gc.get_threshold()
    gc.set_threshold(_GARBAGE, *before[1:])
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


@contextlib.contextmanager
def thrifty_memory() -> Iterator[None]:
    """Has Arrow take memory from jemalloc, where pyarrow has that and nobody has chosen: it takes a tenth less time and memory than mimalloc."""
    arrow: Any = import_module("pyarrow")
    before = arrow.default_memory_pool()
    if "ARROW_DEFAULT_MEMORY_POOL" not in os.environ:
        with contextlib.suppress(NotImplementedError):
            arrow.set_memory_pool(arrow.jemalloc_memory_pool())
    try:
        yield
    finally:
        arrow.set_memory_pool(before)


class Interrupted(Exception):
    """Somebody has ended the run."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Interrupts:
    """Takes signals to end: the first is heeded between two batches, so that what is written stays whole; the second at once."""

    def __init__(self, patient: bool) -> None:
        self.code = 0
        self._patient = patient
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Interrupts":
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._heed)
        return self

    def _heed(self, number: int, frame: FrameType | None) -> None:
        again = self.code != 0
        self.code = 128 + number
        if again or not self._patient:
            raise KeyboardInterrupt

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


def batches(stream: Iterator[tuple[Part, Place]]) -> Iterator[tuple[Batch, Place]]:
    """The parts of the inputs in portions of bounded size: single documents are collected, and all else comes in such portions already."""
    batch, end = Documents(), Place()
    for part, place in stream:
        if isinstance(part, Item):
            batch.add(part.source, part.url, part.body, part.size, part.problem)
            end = place
        if batch.count and (batch.is_full or not isinstance(part, Item)):
            yield batch, end
            batch = Documents()
        if not isinstance(part, Item):
            yield part, place
    if batch.count:
        yield batch, end


def processed(
    stream: Iterator[tuple[Part, Place]], maker: Maker, workers: int
) -> Iterator[Done]:
    """The rows of everything, in order, a batch at a time.

    So many batches are worked on at once as there are workers.
    """
    if workers == 1:
        for batch, place in batches(stream):
            yield maker.made(batch, place)
        return
    pool = ThreadPoolExecutor(workers, "agentsdisc", give_way)
    try:
        waiting: deque[Future[Done]] = deque()
        for batch, place in batches(stream):
            waiting.append(pool.submit(maker.made, batch, place))
            while waiting and (len(waiting) > workers or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def give_way() -> None:
    """Has the one thread that writes go before this one: it does a third of the work alone, and what it has left at the end is waited for."""
    # Elsewhere, only whole processes can be nice.
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICER)
