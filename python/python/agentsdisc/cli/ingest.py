"""`agentsdisc ingest`: reads many documents into one table."""

import argparse
import contextlib
import gc
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from .._agentsdisc import batch_schema, formats
from .files import expanded
from .identity import Identities, is_same, is_within
from .inputs import Part, Place, Wanted, items, known_size
from .items import Batch
from .json_text import put_json
from .outputs import Output, Writer
from .parts import Parts
from .reading import Unreadable
from .table import OWN, Choice, Done, Maker
from .terminal import visible

if TYPE_CHECKING:
    from .progress import Progress

# A part ends after this many rows, bytes of documents, or seconds. A killed run loses at most one
# part.
_PART_ROWS, _PART_BYTES, _PART_SECONDS = 1 << 18, 1 << 30, 60.0

# Bytes of the batches in progress, however many threads there are.
_HELD = 96 << 20

# The niceness of threads that read documents, above that of the process.
_NICER = 10

# The number of allocated objects between two garbage collections.
_GARBAGE = 100_000

_DESCRIPTION = """\
Reads many documents, and writes one row for each, including those that cannot be read.

An input is
  a folder with one document per file; if its subfolders are named after hosts, as in a mirror, the path
    determines the URL: shop.example/.well-known/agents.txt is https://shop.example/.well-known/agents.txt
  a folder of archives, tables and JSON Lines only, in subfolders or not (year=2026/month=01/part-0.parquet)
  an archive (.warc, .arc; also .gz, .zst, .lz4, .bz2, .xz; .wacz): its answers from locations of such documents
  a table (.parquet; .arrow, .feather) with a column of documents
  JSON Lines (.jsonl, .ndjson, also .gz, .zst): objects with the fields body and url
  - for JSON Lines, an archive or a stream of Arrow on standard input
  or a single document.
The columns are those of parse_batch (docs/arrow.md; diagnostics with --check), after `source` (the file, line or
offset) and, of archives, `fetched`, `http_status`, `digest` and `record_type`.
"""

_EPILOG = """\
During a run, the folder OUT.parts contains the finished parts. If the run is interrupted or killed, or
the disk is full, they stay; the same command with --resume continues after them. OUT appears when it
is complete.

exit codes:
  0    all inputs were read; rows may report invalid documents
  1    the output was written, but a part of the inputs cannot be read: a damaged part of an archive,
       rows of a table, a line, a file in a folder; the summary names the location, and each has a
       row with the error
  2    an input cannot be read, an output cannot be written, or the arguments are invalid
  130  interrupted (143: terminated); continue with --resume
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
        help="folders, archives, tables, JSON Lines, documents, or -",
    )
    add(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="the file to write; the suffix selects the format: .parquet, .arrow, .feather, .jsonl or .ndjson",
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
        help="also check the documents: adds errors, warnings, infos and diagnostics; takes a quarter more time",
    )
    add(
        "--all-records",
        action="store_true",
        help="archives: all answers, not only those from locations of documents",
    )
    add(
        "--json",
        action="store_true",
        help="print the summary as JSON on standard output: counts by format and outcome, records that were passed over by reason, losses",
    )
    table_options(add)
    again = command.add_mutually_exclusive_group()
    again.add_argument(
        "--resume",
        action="store_true",
        help="continue an unfinished run (with the same options)",
    )
    again.add_argument(
        "--restart",
        action="store_true",
        help="discard an unfinished run, and start again",
    )
    limit_options(command)
    command.set_defaults(run=run)


def processors() -> int:
    """Returns the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def table_options(add: Callable[..., Any]) -> None:
    """Adds the options of all commands that read tables of documents."""
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
        help="threads that unpack archives and read documents (default: one per processor)",
    )


def jobs(text: str) -> int:
    """Parses a number of threads."""
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 256")
    return int(text)


def names(text: str) -> tuple[str, ...]:
    """Parses names separated by commas."""
    found = tuple(name.strip() for name in text.split(",") if name.strip())
    if not found:
        raise argparse.ArgumentTypeError("the list has no names; use for example A,B")
    return found


def choice(options: argparse.Namespace) -> Choice:
    """Returns the rows and columns that the options select."""
    if options.columns:
        ours = [name for name in options.columns if name not in OWN]
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
    """Reads everything, and returns the exit code."""
    try:
        from .progress import Progress, as_data, summary

        if not options.json:
            return Run(options).go(Progress, summary)
        return Run(options).go(Progress, lambda *of: put_json(as_data(*of)))
    except ModuleNotFoundError as missing:
        raise needs(missing) from None


def needs(missing: ModuleNotFoundError) -> Unreadable:
    """Returns the error for a package that is not installed."""
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
                raise Unreadable("--errors-to: names the output; choose another file")
            if is_within(self.errors.path, self.parts_folder):
                raise Unreadable(
                    "--errors-to: names a file in the folder of parts; choose another file"
                )
        for name in options.inputs:
            if name != "-" and self.identities.has(name):
                raise Unreadable(
                    f"{visible(name)}: is an input and an output; choose another output"
                )
        self.inputs = expanded(options.inputs, self.identities.has)
        self.wanted = Wanted(
            bounds.document,
            options.all_records,
            options.body_column,
            options.url_column,
            revisits=True,
            threads=options.jobs,
        )
        chosen = choice(options)
        self.maker = Maker(chosen, bounds)
        # Standard input cannot be read twice.
        self.resumable = "-" not in options.inputs
        if options.resume and not self.resumable:
            raise Unreadable("--resume: standard input cannot be read again")
        settings = {
            "inputs": self.inputs,
            "limit": bounds.document,
            "columns": options.columns and list(options.columns),
            "formats": chosen.formats and sorted(chosen.formats),
            "check": chosen.check,
            "explode": chosen.explode,
            "errors": options.errors_to,
            "records": options.all_records,
            "names": [options.body_column, options.url_column],
        }
        self.parts = Parts(options.output, settings, self.identities.has)
        self.writing: dict[str, tuple[Path, Writer]] = {}
        """The current parts, by the suffix of their outputs."""
        self.rows = self.bytes = 0
        self.since = time.perf_counter()

    @property
    def outputs(self) -> list[str]:
        """The paths of the outputs."""
        errors = [self.errors.path] if self.errors is not None else []
        return [self.output.path, *errors]

    def go(self, progress_kind: Any, summary: Any) -> int:
        """Reads all inputs, until the end or an interrupt."""
        from . import FINDINGS, OK

        options, parts = self.options, self.parts
        measure = partial(known_size, self.inputs, self.identities.has)
        stream = items(self.inputs, self.wanted, self.identities.has, None)
        parts.open(options.resume, options.restart)
        whole = False
        try:
            if parts.place != Place():
                start = replace(parts.place, revisits=tuple(parts.revisits))
                stream = items(self.inputs, self.wanted, self.identities.has, start)
            with Interrupts(self.resumable) as interrupts:
                progress_bar = progress_kind(measure, parts.consumed)
                with (
                    progress_bar as progress,
                    little_garbage(),
                    thrifty_memory(),
                ):
                    self.read(stream, progress, interrupts)
                if interrupts.code == 0:
                    self.put_together()
                    whole = True
            # An interrupt after the outputs were complete has no effect.
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
        """Returns the message about the finished parts of an interrupted run."""
        if not (self.resumable and self.parts.kept):
            return ""
        return f"; {self.parts.kept:,} documents are finished and kept in {visible(str(self.parts.folder))}: continue with --resume"

    def read(
        self,
        stream: Iterator[tuple[Part, Place]],
        progress: "Progress",
        interrupts: "Interrupts",
    ) -> None:
        """Reads and writes, until the end or an interrupt."""
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
            # The current part is incomplete; the parts before it are complete.
            interrupts.code = interrupts.code or 130
            return
        if interrupts.code and not self.resumable:
            return
        self.finish_part()

    def write(self, done: Done) -> None:
        """Writes the rows of a batch into the current part."""
        self.parts.rows += self.put(self.output, self.maker.schema, done.rows)
        if self.errors is not None:
            schema = self.maker.error_schema
            self.parts.failed += self.put(self.errors, schema, [done.errors])
        self.rows += done.documents
        self.bytes += done.size
        self.parts.counts.update(done.counts)
        self.parts.lose(done.lost)
        self.parts.passed.update(done.passed)
        self.parts.revisits += done.revisits
        self.parts.size += done.size
        self.parts.consumed += done.consumed
        self.parts.place = done.place

    def put(self, output: Output, schema: Any, batches: Iterable[Any]) -> int:
        """Writes record batches into the part of an output; returns the number of rows."""
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
        """Ends the part, and records it."""
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
        """Creates the outputs from the parts."""
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
    """Prints the location of the errors on standard error."""
    print(f"errors: {visible(path)} ({failed:,} rows)", file=sys.stderr)


@contextlib.contextmanager
def little_garbage() -> Iterator[None]:
    """Makes garbage collection rare, and exempts existing objects: it would traverse all of pyarrow repeatedly, and the documents contain no cycles."""
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
    """Selects jemalloc for Arrow, if pyarrow has it and the user chose no pool: it takes a tenth less time and memory than mimalloc."""
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
    """The user ended the run."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Interrupts:
    """Handles signals: the first one takes effect between two batches, so that the output stays complete; the second one at once."""

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
    """Groups the parts of all inputs into batches of bounded size, because each batch has a fixed cost."""
    batch, end = Batch(), Place()
    for part, place in stream:
        if not batch.has_room(part):
            yield batch, end
            batch = Batch()
        batch.add(part)
        end = place
    if batch.parts:
        yield batch, end


def processed(
    stream: Iterator[tuple[Part, Place]], maker: Maker, workers: int
) -> Iterator[Done]:
    """Yields the rows of all inputs in order, batch by batch.

    As many batches are processed at the same time as there are workers, or as memory permits.
    """
    if workers == 1:
        for batch, place in batches(stream):
            yield maker.made(batch, place)
        return
    pool = ThreadPoolExecutor(workers, "agentsdisc", give_way)
    try:
        waiting: deque[tuple[Future[Done], int]] = deque()
        held = 0
        for batch, place in batches(stream):
            waiting.append((pool.submit(maker.made, batch, place), batch.held))
            held += batch.held
            while waiting and (
                len(waiting) > workers or held > _HELD or waiting[0][0].done()
            ):
                done, size = waiting.popleft()
                held -= size
                yield done.result()
        while waiting:
            yield waiting.popleft()[0].result()
    finally:
        pool.shutdown(cancel_futures=True)


def give_way() -> None:
    """Lowers the priority of this thread below the writing one, which does a third of the work alone."""
    # On other systems, only whole processes have a niceness.
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICER)
