"""The progress bar and the summary of `agentsdisc ingest`. Requires rich, which the extra `cli` installs."""

import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE
from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from .table import RECOVERED
from .terminal import visible

if TYPE_CHECKING:
    from .parts import Parts

Counts = Mapping[tuple[str, str], int]
READ = ("ok", RECOVERED)
"""The outcomes that count as read."""


def amount(size: float) -> str:
    """Returns a size with a decimal unit, for example `1.5 MB`."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def rate(documents: int, size: float, seconds: float) -> str:
    """Returns the throughput as text."""
    seconds = max(seconds, 1e-6)
    return f"{documents / seconds:,.0f} documents/s, {amount(size / seconds)}/s"


class BarWithCounts(Bar):
    """A progress bar with the number of documents by format and outcome below it."""

    counts = Text("")

    def get_renderables(self) -> Iterable[RenderableType]:
        """Yields the lines to display."""
        yield from super().get_renderables()
        if self.counts:
            yield self.counts


def counted(counts: Counts) -> Text:
    """Returns the counts of the most frequent formats and errors."""
    formats: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    for (name, outcome), number in counts.items():
        if outcome in READ:
            formats[name] += number
        else:
            errors[outcome] += number
    parts = [(f"{name} {number:,}", "green") for name, number in formats.most_common(4)]
    parts += [(f"{name} {number:,}", "red") for name, number in errors.most_common(2)]
    text = Text("  ").join(Text(part, style=style) for part, style in parts)
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


class TimeLeft(TimeRemainingColumn):
    """A column with the remaining time, if it is known."""

    def render(self, task: Task) -> Text:
        """Returns the text of the column."""
        if task.total is None or task.time_remaining is None:
            return Text("")
        return super().render(task).append(" left")


class Progress:
    """Displays progress on a terminal; displays nothing if standard error is not a terminal.

    A separate thread calls `measure` for the total number of bytes to read. Its argument is a function that returns True when the result is no longer
    needed. None means that the total is unknown. The bar excludes the first `before` bytes, which an earlier run has read.
    """

    def __init__(
        self, measure: Callable[[Callable[[], bool]], int | None], before: int
    ) -> None:
        self._console = Console(stderr=True)
        self._measure = measure
        self._before = before
        self._over = threading.Event()
        self._bar = BarWithCounts(
            # These columns fit a terminal of 80 columns.
            BarColumn(bar_width=12),
            TaskProgressColumn(show_speed=False),
            TextColumn("{task.description}", markup=False),
            TimeLeft(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("reading …", total=None)

    def __enter__(self) -> "Progress":
        self._bar.start()
        if not self._bar.disable:
            threading.Thread(target=self._find_total, daemon=True).start()
        return self

    def _find_total(self) -> None:
        with contextlib.suppress(OSError):
            total = self._measure(self._over.is_set)
            if total and not self._over.is_set():
                self._bar.update(self._task, total=max(total - self._before, 0))

    def update(self, state: "Parts", advance: int) -> None:
        """Displays the state after `advance` further bytes of the inputs were read."""
        if self._bar.disable:
            return
        counts = state.counts
        documents = sum(counts.values())
        failed = sum(n for (_, outcome), n in counts.items() if outcome not in READ)
        seconds = max(state.seconds, 1e-6)
        speed = f"{documents / seconds:,.0f}/s, {amount(state.size / seconds)}/s"
        said = f"{documents:,} documents, {failed:,} failed, {speed}"
        self._bar.counts = counted(counts)
        self._bar.update(self._task, description=said, advance=advance)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._bar.stop()


def summary(state: "Parts", output: str) -> None:
    """Prints the counts by format and outcome, the throughput and the output file to standard error."""
    console = Console(stderr=True)
    if not console.is_terminal:
        console = Console(stderr=True, width=100)
    table = Table(box=SIMPLE)
    table.add_column("format")
    table.add_column("outcome")
    table.add_column("documents", justify="right")
    totals: Counter[tuple[str, str]] = Counter(state.counts)
    for (name, outcome), number in sorted(
        totals.items(), key=lambda item: (item[0][1] != "ok", -item[1], item[0])
    ):
        style = {"ok": "green", RECOVERED: "yellow"}.get(outcome, "red")
        table.add_row(name, Text(outcome, style=style), f"{number:,}")
    documents = sum(totals.values())
    console.print(table)
    speed = rate(documents, state.size, state.seconds)
    line = f"{documents:,} documents, {amount(state.size)} in {state.seconds:.2f} s: {speed}"
    console.print(Text(line), soft_wrap=True)
    console.print(
        Text(f"written: {visible(output)} ({state.rows:,} rows)"), soft_wrap=True
    )
    if state.passed:
        console.print(Text(passed(state.passed)), soft_wrap=True)
    if state.lost:
        rest = "; each is a row with the error"
        console.print(Text(lost(state.lost, state.losses, rest)), soft_wrap=True)


def as_data(state: "Parts", output: str) -> dict[str, Any]:
    """Returns what the summary says as plain values."""
    return {
        "output": output,
        "rows": state.rows,
        "documents": sum(state.counts.values()),
        "bytes": state.size,
        "seconds": round(state.seconds, 3),
        "counts": [
            {"format": name, "outcome": outcome, "documents": number}
            for (name, outcome), number in sorted(state.counts.items())
        ],
        "passed_over": dict(state.passed.most_common()),
        "lost": state.lost,
        "losses": [{"source": source, "why": why} for source, why in state.losses],
    }


def passed(counts: Counter[str]) -> str:
    """Returns the number of records that were passed over, by reason."""
    number = sum(counts.values())
    what = "record" if number == 1 else "records"
    reasons = ", ".join(f"{why}: {count:,}" for why, count in counts.most_common())
    return f"passed over: {number:,} {what} ({reasons})"


def lost(number: int, first: list[tuple[str, str]], rest: str = "") -> str:
    """Returns the number of losses, and the location and reason of the first ones. `rest` says where the others are."""
    lines = [f"lost: {number:,} parts of the inputs cannot be read"]
    if number == 1:
        lines = ["lost: 1 part of the inputs cannot be read"]
    lines += [f"  {visible(source)}: {visible(why)}" for source, why in first]
    if number > len(first):
        lines.append(f"  and {number - len(first):,} more{rest}")
    return "\n".join(lines)
