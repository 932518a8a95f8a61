"""Reads mutated crawls and tables with `agentsdisc ingest`, kills runs and resumes them, and measures how time grows with size.

    python hostile.py [--seconds N] [--seed N] [--documents FOLDER]

`cargo xtask hostile` runs it. Each case is read under a limit on address space, in a worker process, because a failure may crash it. A case fails if
the worker crashes, an exception escapes, an intact document is missing, doubled or has other content, a missing one is not reported by a row and the
exit code, or the case takes too long. The file of a failed case is written to `target/tmp/hostile`. FOLDER holds documents of one list each in sizes
that grow tenfold, as the core's tests write them. A campaign without any case fails, too.

Needs pyarrow and fastwarc.
"""

import argparse
import contextlib
import gc
import gzip
import io
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import agentsdisc
import pyarrow as pa
import pyarrow.parquet as pq
from agentsdisc import _visible, cli
from agentsdisc.cli import decision, inspection, lint
from agentsdisc.cli.conversion import TARGETS
from agentsdisc.cli.terminal import Style

import hostile_outputs as outputs
from hostile_cases import (
    CAMPAIGNS,
    Case,
    Row,
    documents,
    fault,
    record,
    rows_of,
    url,
)

ROOT = Path(__file__).resolve().parents[1]
FAILED = ROOT / "target/tmp/hostile"
ADDRESS_SPACE = 4 << 30
SLOW = 20.0
"""Seconds that no case may take."""
OUTPUTS = (".jsonl", ".parquet", ".arrow")


def failure(case: Case, folder: Path, seed: int) -> str | None:
    """Reads a case into one of the outputs; returns what is wrong with the result."""
    given, out = folder / case.name, folder / f"out{OUTPUTS[seed % len(OUTPUTS)]}"
    errors = folder / "errors.jsonl"
    given.write_bytes(case.data)
    for path in (out, errors):
        path.unlink(missing_ok=True)
    command = ["ingest", str(given), "-o", str(out), "--restart"]
    if seed % 2:
        command += ["--errors-to", str(errors)]
    said, started = io.StringIO(), time.perf_counter()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            code = cli.main(command)
    except BaseException as error:
        return f"{type(error).__name__} escaped: {error}"
    seconds = time.perf_counter() - started
    if seconds > SLOW:
        return f"took {seconds:.0f} s"
    text = said.getvalue()
    if code not in (0, 1, 2) or "Traceback" in text or "panicked" in text:
        return f"exit code {code}: {text[-500:]}"
    return fault(case, rows_of(out) + rows_of(errors), code, text)


def work(campaign: str, seed: int, seconds: float) -> None:
    """Runs cases until the time is over. Prints the seed of each before it starts, and `failed` with the reason."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    make, ends = CAMPAIGNS[campaign], time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name:
        while time.monotonic() < ends:
            print(seed, flush=True)
            found = failure(make(random.Random(seed)), Path(name), seed)
            if found:
                print("failed", found.replace("\n", " "), flush=True)
            seed += 1


def mutate(campaign: str, seed: int, seconds: float) -> tuple[int, list[str]]:
    """Runs a campaign in worker processes; returns the number of cases and the failures."""
    ends, count = time.monotonic() + seconds, 0
    failures: list[str] = []
    while (left := ends - time.monotonic()) > 0 and len(failures) < 10:
        command = [sys.executable, __file__, "--work", campaign]
        command += ["--seed", str(seed), "--seconds", str(left)]
        with (
            tempfile.TemporaryFile("w+") as printed,
            tempfile.TemporaryFile("w+") as said,
        ):
            code: int | str
            try:
                code = subprocess.run(
                    command, stdout=printed, stderr=said, timeout=left + 3 * SLOW
                ).returncode
            except subprocess.TimeoutExpired:
                code = "it does not end"
            printed.seek(0)
            said.seek(0)
            for line in printed:
                if line.startswith("failed"):
                    why = line.removeprefix("failed").strip()
                    failures.append(kept(campaign, seed, why))
                else:
                    seed, count = int(line), count + 1
            if code != 0:
                why = f"worker: {code}; {said.read()[-500:]}"
                failures.append(kept(campaign, seed, why))
        seed += 1
    return count, failures


def kept(campaign: str, seed: int, why: str) -> str:
    """Writes the file of a failed case; returns a line about it."""
    case = CAMPAIGNS[campaign](random.Random(seed))
    FAILED.mkdir(parents=True, exist_ok=True)
    path = FAILED / f"{seed}-{case.name}"
    path.write_bytes(case.data)
    return f"{campaign}, seed {seed} ({path.relative_to(ROOT)}): {why}"


# Small parts, so that a run can be killed at many moments. The first argument is the time until that, in seconds.
SMALL_PARTS = """
import os, signal, sys, threading, agentsdisc.cli as cli, agentsdisc.cli.ingest as ingest
import agentsdisc.cli.items as items, agentsdisc.cli.tables as tables, agentsdisc.cli.inputs as inputs
import pyarrow.parquet, rich.progress, rich.table
ingest._PART_ROWS, items._DOCUMENTS, tables._ROWS, inputs._PORTION = 60, 20, 20, 4096
end = threading.Timer(float(sys.argv[1]), os.kill, (os.getpid(), signal.SIGKILL))
end.daemon = True
end.start()
code = cli.main(sys.argv[2:])
end.cancel()
sys.exit(code)
"""
COUNT = 600
"""The number of documents of a run."""
NEVER, LONGEST_RUN, MOST_KILLS = 1e6, 60.0, 25
"""Seconds until a run is killed that is not to be; seconds that no run may take; kills that no run needs to end."""


def inputs_to(folder: Path, bodies: list[bytes], noise: random.Random) -> list[str]:
    """Writes documents as every kind of input; returns their names."""
    records = [record(n, body, noise) for n, body in enumerate(bodies)]
    (folder / "in.warc").write_bytes(b"".join(records))
    members = [gzip.compress(one, mtime=0) for one in records]
    (folder / "in.warc.gz").write_bytes(b"".join(members))
    lines = [
        json.dumps({"url": url(n), "body": body.decode()})
        for n, body in enumerate(bodies)
    ]
    (folder / "in.jsonl").write_text("\n".join(lines))
    table = pa.table({"url": [url(n) for n in range(len(bodies))], "body": bodies})
    pq.write_table(table, folder / "in.parquet", 70)
    with pa.ipc.new_file(str(folder / "in.arrow"), table.schema) as writer:
        writer.write_table(table, 33)
    for number, body in enumerate(bodies):
        place = folder / "tree" / url(number).removeprefix("https://")
        place.parent.mkdir(parents=True)
        place.write_bytes(body)
    return ["in.warc", "in.warc.gz", "in.jsonl", "in.parquet", "in.arrow", "tree"]


def kill(seed: int, seconds: float) -> tuple[int, list[str]]:
    """Kills runs at random moments and resumes them. Each has to end with the rows of a run that was left alone."""
    noise, ends, kills = random.Random(seed), time.monotonic() + seconds, 0
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inputs = inputs_to(folder, documents(noise, COUNT), noise)
        options: tuple[list[str], ...] = (
            [],
            ["--errors-to", "errors.jsonl"],
            ["--explode", "capabilities"],
        )
        ways = [
            (one, out, more) for one in inputs for out in OUTPUTS for more in options
        ]
        noise.shuffle(ways)
        for source, suffix, more in ways:
            if time.monotonic() > ends:
                break
            run = [source, "-o", f"out{suffix}", *more]
            count, why = killed(folder, run, noise)
            kills += count
            if why:
                failures.append(f"{' '.join(run)}: {why}")
    return kills, failures


def killed(
    folder: Path, run: list[str], noise: random.Random
) -> tuple[int, str | None]:
    """Makes a run, and the same with kills; returns the number of kills and what is wrong."""

    def done(until: float, *more: str) -> tuple[int, str]:
        command = [sys.executable, "-c", SMALL_PARTS, str(until), "ingest", *run, *more]
        try:
            one = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=LONGEST_RUN
            )
        except subprocess.TimeoutExpired:
            return 0, "it does not end"
        return one.returncode, one.stderr

    out = folder / run[2]
    parts = folder / f"{run[2]}.parts"
    for path in (out, folder / "errors.jsonl"):
        path.unlink(missing_ok=True)
    shutil.rmtree(parts, ignore_errors=True)
    kills, moment, code, said = 0, 0.05, -9, ""
    while code == -9 and kills < MOST_KILLS:
        resume = ("--resume",) if parts.exists() else ()
        code, said = done(noise.uniform(0, moment), *resume)
        moment *= 1.5
        kills += code == -9
    if not out.exists() or code != 0:
        return kills, f"exit code {code} after {kills} kills: {said[-500:]}"
    rows = in_order(rows_of(out))
    out.unlink()
    code, said = done(NEVER)
    whole = rows_of(out)
    if code != 0:
        return kills, f"exit code {code}: {said[-500:]}"
    if rows != in_order(whole):
        return kills, f"after {kills} kills, other rows than in a whole run"
    return kills, None if len(whole) == COUNT else f"{len(whole)} rows"


def in_order(rows: list[Row]) -> list[str]:
    """Rows as text, in an order of their own."""
    return sorted(json.dumps(row, default=str) for row in rows)


SIZES = (1, 10, 100, 1000)
"""Of documents, in KB."""
FACTORS = {10: 15, 100: 15, 1000: 20}
"""How many times as long as a tenth of it a document of so many KB may take. 1 MB is larger than the caches of a processor."""
FEW = 100
"""Fewer results are not compared."""
SHORT = 0.001
"""Shorter times are not compared, in seconds."""
ORIGIN = "https://e.test"
LIMITS = agentsdisc.Limits(document=64 << 20, line=64 << 20, robots=64 << 20)
OTHER_NUMBERS = bytes.maketrans(b"23456789", b"34567892")
MOST_RISE = 3.0
"""How much more time results may take that grow faster than the document: items that fit on no line are results only in large ones."""


CONVERTED: Counter[str] = Counter()
"""The number of documents that were converted to each target."""


def converted(document: Any) -> list[object]:
    """Converts to every target that the format has; returns the losses."""
    losses: list[object] = []
    for target in TARGETS:
        with contextlib.suppress(agentsdisc.ConvertError):
            losses += document.convert(target, origin=ORIGIN).losses
            CONVERTED[target] += 1
    return losses


def differences(document: Any, data: bytes) -> list[object]:
    """Compares a document with itself, and with one that has other numbers, which most items contain."""
    found: list[object] = list(agentsdisc.differences(document, document))
    with contextlib.suppress(agentsdisc.ParseError):
        other = data.translate(OTHER_NUMBERS)
        changed = agentsdisc.parse(other, format=document.format, limits=LIMITS)
        found += agentsdisc.differences(document, changed)
    return found


def reachable(value: Any) -> Iterator[Any]:
    """Yields an object of the module, and all that its attributes contain."""
    waiting, seen = [value], set()
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple | list | agentsdisc.Capabilities):
            waiting += each
        elif type(each).__module__.startswith("agentsdisc") and id(each) not in seen:
            seen.add(id(each))
            yield each
            names = [name for name in dir(each) if not name.startswith("_")]
            values = (getattr(each, name, None) for name in names)
            waiting += [one for one in values if not callable(one)]


def shown(document: Any) -> None:
    """Represents every object of a document: views, links, diagnostics, the losses of a conversion, and a decision."""
    decision = agentsdisc.decide(
        [document], agent="bot", url=f"{ORIGIN}/x", origin=ORIGIN
    )
    for each in (document, document.links(), document.check(), decision):
        for one in reachable(each):
            repr(one)
    for loss in converted(document):
        repr(loss)


def printed(document: Any, data: bytes) -> None:
    """Writes what the commands print of a document for people."""
    with contextlib.redirect_stdout(io.StringIO()):
        inspection.show("name", document, ORIGIN)
        for write in (lint.write_text, lint.write_json):
            write(lint.in_document("name", document, data, ORIGIN))
    decided = agentsdisc.decide(
        [document], agent="bot", url=f"{ORIGIN}/x", origin=ORIGIN
    )
    source = ("name", data, document.format)
    for _ in decision.lines(decided, [source], ("robots.txt", b"", ""), Style()):
        pass


def masked(data: bytes) -> None:
    """Masks a document as one text, as values, and for a page."""
    keys, text = _visible.keys_in(data), data.decode("utf-8", "replace")
    _visible.visible(text, keys)
    _visible.without_secrets(text.split('"'), keys)
    _visible.starred(data, None)


# The results of an operation may grow faster than its document, as long lines do not fit.
OPERATIONS: dict[str, Callable[[Any, bytes], object]] = {
    "parse": lambda document, _: document,
    "to_dict": lambda document, _: document.to_dict(),
    "check": lambda document, _: document.check(),
    "decide": lambda document, _: agentsdisc.decide(
        [document], agent="bot", url=f"{ORIGIN}/x", origin=ORIGIN
    ),
    "convert": lambda document, _: converted(document),
    "differences": differences,
    "masking": lambda _, data: masked(data),
    "repr of all objects": lambda document, _: shown(document),
    "output for people": printed,
    "outputs of a site": lambda document, data: outputs.of_site(document, data, LIMITS),
    "output of call and mcp": outputs.of_answer,
    "registry": lambda document, data: outputs.of_registry(document, data, LIMITS),
}


def timer(
    name: str, operation: Callable[[Any, bytes], object]
) -> Callable[[bytes], tuple[float, int]]:
    """A function that returns the seconds that an operation on a document takes, with parsing, and the number of its results."""

    def took(data: bytes) -> tuple[float, int]:
        # Python's own collector visits all objects again when their number has grown.
        gc.disable()
        begun = time.process_time()
        result = operation(agentsdisc.parse(data, format=name, limits=LIMITS), data)
        seconds = time.process_time() - begun
        gc.enable()
        return seconds, len(result) if isinstance(result, list) else 0

    return took


def growth(folder: Path) -> tuple[int, list[str]]:
    """Measures operations of Python on the documents of the core's table of lists: ten times the size may take as many times as long as `FACTORS` says."""
    count = 0
    failures: list[str] = []
    CONVERTED.clear()
    for place in sorted(path for path in folder.glob("*/*") if path.is_dir()):
        documents = [(place / str(size)).read_bytes() for size in SIZES]
        for name, operation in OPERATIONS.items():
            took = timer(place.parent.name, operation)
            before, results = min(took(documents[0]) for _ in range(3))
            for size, (smaller, data) in zip(
                SIZES[1:], pairwise(documents), strict=True
            ):
                now, more = took(data)
                rise = max(1.0, more / 10 / max(results, FEW))
                # Of pairs of items, there would be thousands for each byte.
                if more > len(data):
                    failures.append(
                        f"{place.parent.name}, {place.name}: {name} of {size} KB has {more:,} results"
                    )
                most = FACTORS[size] * min(rise, MOST_RISE)
                # Other load only makes a run longer, so a failed measurement is repeated. Only times of one turn are compared: the speed of
                # the processor changes in between.
                for _ in range(9):
                    if now < SHORT or now < before * most:
                        break
                    again = min(took(smaller)[0] for _ in range(2)), took(data)[0]
                    if again[1] * before < now * again[0]:
                        before, now = again
                if now >= SHORT and now >= before * most:
                    failures.append(
                        f"{place.parent.name}, {place.name}: {name} of {size} KB takes {now * 1e3:.1f} ms, {now / before:.0f} times as long as of a tenth"
                    )
                before, results = now, more
            count += 1
    failures += [
        f"nothing was converted to {to}" for to in TARGETS if not CONVERTED[to]
    ]
    return count, failures


def campaigns(options: argparse.Namespace) -> Iterator[tuple[str, int, list[str]]]:
    """Runs all campaigns; yields what each did."""
    share = options.seconds / (len(CAMPAIGNS) + 2)
    for name in CAMPAIGNS:
        yield f"mutated {name}", *mutate(name, options.seed, share)
    yield "kills of runs that were resumed", *kill(options.seed, 2 * share)
    if options.documents:
        yield "operations on lists of 1 KB to 1 MB", *growth(options.documents)


def main() -> int:
    """Runs all campaigns and prints what failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--documents", type=Path)
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work, options.seed, options.seconds)
        return 0
    failed = False
    for what, count, failures in campaigns(options):
        if not count:
            failures.append("nothing was done")
        print(f"{what}: {count:,}; {len(failures)} failed", flush=True)
        for one in failures:
            failed = True
            print(f"  {one}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
