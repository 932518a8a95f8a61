"""Reads mutated crawls and tables with `agentsdisc ingest`, kills runs and resumes them, and measures how time grows with size.

    python hostile.py [--seconds N] [--seed N] [--documents FOLDER]

`cargo xtask hostile` runs it. Each case is read under a limit on address space, in a worker process, because a failure may crash it. A case fails if
the worker crashes, an exception escapes, an intact row is missing or doubled, or the case takes too long. The file of a failed case is written to
`target/tmp/hostile`. FOLDER holds documents of one list each in sizes that grow tenfold, as the core's tests write them.

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
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import agentsdisc
import pyarrow as pa
import pyarrow.parquet as pq
from agentsdisc import cli

ROOT = Path(__file__).resolve().parents[1]
FAILED = ROOT / "target/tmp/hostile"
ADDRESS_SPACE = 4 << 30
SLOW = 20.0
"""Seconds that no case may take."""
DOCUMENTS = 24


@dataclass(frozen=True)
class Case:
    """A file to read, and the URLs of the documents that the mutation did not touch."""

    name: str
    data: bytes
    intact: frozenset[str] = field(default_factory=frozenset)


def url(number: int) -> str:
    """The URL of a document."""
    return f"https://s{number}.example/agents.txt"


def document(number: int, noise: random.Random) -> bytes:
    """An agents.txt that names its number, with text that does not compress to nothing."""
    filler = noise.randbytes(noise.randrange(300)).hex()
    site = f"https://s{number}.example"
    return f"Spec-Version: 1.0\nSite-Name: s{number}\nSite-Description: {filler}\nSite-URL: {site}\n".encode()


def record(number: int, body: bytes) -> bytes:
    """A WARC record of an answer."""
    block = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url(number)}\r\n"
        "WARC-Date: 2026-11-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def mutated(data: bytes, noise: random.Random) -> tuple[bytes, int, int]:
    """Returns changed data, and the range of the original that the change touches."""
    start = noise.randrange(len(data))
    size = noise.choice((1, 1, 1, 4, 40, 1000))
    end = min(len(data), start + size)
    match noise.randrange(5):
        case 0:
            return data[:start] + noise.randbytes(end - start) + data[end:], start, end
        case 1:
            few = noise.choices((0, 1, 5, 48, 57, 127, 128, 255), k=end - start)
            return data[:start] + bytes(few) + data[end:], start, end
        case 2:
            return data[:start] + data[end:], start, end
        case 3:
            return data[:start] + noise.randbytes(size) + data[start:], start, start
        case _:
            return data[:start], start, len(data)


def crawl(
    suffix: str, pack: Callable[[bytes], bytes]
) -> Callable[[random.Random], Case]:
    """A crawl in which every record is packed on its own, so that a change touches few of them."""

    def make(noise: random.Random) -> Case:
        records = [record(n, document(n, noise)) for n in range(DOCUMENTS)]
        frames = [pack(one) for one in records]
        data, start, end = mutated(b"".join(frames), noise)
        intact, at = set(), 0
        for number, frame in enumerate(frames):
            if at + len(frame) <= start or at >= end:
                intact.add(url(number))
            at += len(frame)
        return Case(f"in.warc{suffix}", data, frozenset(intact))

    return make


def one_member(noise: random.Random) -> Case:
    """A crawl in one gzip member: what follows a change may be lost, but nothing is doubled."""
    records = [record(n, document(n, noise)) for n in range(DOCUMENTS)]
    packed = gzip.compress(b"".join(records), mtime=0)
    return Case("in.warc.gz", mutated(packed, noise)[0])


def table(noise: random.Random) -> Any:
    """A table of documents; its type of bytes varies."""
    bodies = pa.array([document(n, noise) for n in range(DOCUMENTS)], pa.binary())
    kinds = (pa.binary(), pa.large_binary(), pa.string(), pa.binary_view())
    if noise.random() < 0.2:
        bodies = bodies.dictionary_encode()
    else:
        bodies = bodies.cast(noise.choice((*kinds, pa.string_view())))
    return pa.table({"body": bodies, "url": [url(n) for n in range(DOCUMENTS)]})


def arrow(noise: random.Random) -> Case:
    """An Arrow file or stream, compressed or not."""
    rows, sink = table(noise), io.BytesIO()
    new = noise.choice((pa.ipc.new_file, pa.ipc.new_stream))
    options = pa.ipc.IpcWriteOptions(compression=noise.choice((None, "lz4", "zstd")))
    with new(sink, rows.schema, options=options) as writer:
        writer.write_table(rows, noise.choice((3, 7, 100)))
    return Case("in.arrow", mutated(sink.getvalue(), noise)[0])


def parquet(noise: random.Random) -> Case:
    """A Parquet file; its compression, encoding and version of pages vary."""
    sink = io.BytesIO()
    pq.write_table(
        table(noise),
        sink,
        row_group_size=noise.choice((5, 100)),
        compression=noise.choice(("none", "snappy", "gzip", "zstd", "lz4", "brotli")),
        use_dictionary=noise.random() < 0.5,
        data_page_version=noise.choice(("1.0", "2.0")),
        store_schema=noise.random() < 0.5,
    )
    return Case("in.parquet", mutated(sink.getvalue(), noise)[0])


def lines(noise: random.Random) -> Case:
    """JSON Lines."""
    rows = [
        json.dumps({"url": url(n), "body": document(n, noise).decode()})
        for n in range(DOCUMENTS)
    ]
    whole = "".join(f"{row}\n" for row in rows).encode()
    return Case("in.jsonl", mutated(whole, noise)[0])


CAMPAIGNS: dict[str, Callable[[random.Random], Case]] = {
    "WARC": crawl("", lambda one: one),
    "WARC.gz": crawl(".gz", lambda one: gzip.compress(one, mtime=0)),
    "WARC.gz of one member": one_member,
    "Arrow": arrow,
    "Parquet": parquet,
    "JSON Lines": lines,
}


def failure(case: Case, folder: Path) -> str | None:
    """Reads a case; returns what is wrong with the result."""
    given, out = folder / case.name, folder / "out.jsonl"
    given.write_bytes(case.data)
    out.unlink(missing_ok=True)
    said, started = io.StringIO(), time.perf_counter()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            code = cli.main(["ingest", str(given), "-o", str(out), "--restart"])
    except BaseException as error:
        return f"{type(error).__name__} escaped: {error}"
    seconds = time.perf_counter() - started
    if seconds > SLOW:
        return f"took {seconds:.0f} s"
    text = said.getvalue()
    if code not in (0, 1, 2) or "Traceback" in text or "panicked" in text:
        return f"exit code {code}: {text[-500:]}"
    rows = out.read_bytes().splitlines() if out.exists() else []
    read: Counter[str] = Counter()
    for row in map(json.loads, rows):
        if row.get("status") in ("ok", "recovered"):
            read[row.get("url", "")] += 1
    doubled = [at for at, count in read.items() if at and count > 1]
    if doubled:
        return f"read twice: {', '.join(sorted(doubled))}"
    lost = case.intact - read.keys()
    return f"lost although intact: {', '.join(sorted(lost))}" if lost else None


def work(campaign: str, seed: int, seconds: float) -> None:
    """Runs cases until the time is over. Prints the seed of each before it starts, and `failed` with the reason."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    make, ends = CAMPAIGNS[campaign], time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name:
        while time.monotonic() < ends:
            print(seed, flush=True)
            found = failure(make(random.Random(seed)), Path(name))
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


# Small parts, so that a run can be killed at many moments.
SMALL_PARTS = """
import sys, agentsdisc.cli as cli, agentsdisc.cli.ingest as ingest
import agentsdisc.cli.items as items, agentsdisc.cli.tables as tables
ingest._PART_ROWS, items._DOCUMENTS, tables._ROWS = 120, 20, 20
sys.exit(cli.main(sys.argv[1:]))
"""


def kill(seed: int, seconds: float) -> tuple[int, list[str]]:
    """Kills runs at random moments and resumes them. Each has to end with the rows of a run that was left alone."""
    noise, ends, kills = random.Random(seed), time.monotonic() + seconds, 0
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        records = [record(n, document(n, noise)) for n in range(3000)]
        whole = b"".join(gzip.compress(one, mtime=0) for one in records)
        (folder / "in.warc.gz").write_bytes(whole)

        def start(out: str, *more: str) -> "subprocess.Popen[bytes]":
            run = [sys.executable, "-c", SMALL_PARTS, "ingest", "in.warc.gz", "-o", out]
            return subprocess.Popen([*run, *more], cwd=folder, stderr=subprocess.PIPE)

        begun = time.monotonic()
        start("whole.parquet").communicate()
        usual = time.monotonic() - begun
        expected = sorted_rows(folder / "whole.parquet")
        out, parts = folder / "out.parquet", folder / "out.parquet.parts"
        while time.monotonic() < ends:
            while not out.exists():
                process = start(out.name, *(("--resume",) if parts.exists() else ()))
                try:
                    said = process.communicate(timeout=noise.uniform(0.1, 1) * usual)[1]
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                    kills += 1
                    continue
                if process.returncode != 0:
                    why = said.decode()[-500:]
                    return kills, [*failures, f"after {kills} kills: {why}"]
            if sorted_rows(out) != expected:
                failures.append(f"after {kills} kills: other rows than in a whole run")
            out.unlink()
    return kills, failures


def sorted_rows(path: Path) -> list[str]:
    """The rows of a Parquet file, in an order of their own."""
    rows = pq.read_table(path).to_pylist()
    return sorted(json.dumps(row, default=str) for row in rows)


SIZES = (1, 10, 100, 1000)
"""Of documents, in KB."""
FACTOR = 15
SHORT = 0.001
"""Shorter times are not compared, in seconds."""
ORIGIN = "https://e.test"


def converted(document: Any) -> list[object]:
    """Converts to every target that the format has; returns the losses."""
    losses: list[object] = []
    for target in ("agents-txt", "agents-json", "json"):
        with contextlib.suppress(ValueError):
            losses += document.convert(target, origin=ORIGIN).losses
    return losses


# The results of an operation may grow faster than its document, as long lines do not fit.
OPERATIONS: dict[str, Callable[[Any], object]] = {
    "parse": lambda document: document,
    "to_dict": lambda document: document.to_dict(),
    "check": lambda document: document.check(),
    "decide": lambda document: agentsdisc.decide(
        [document], agent="bot", url=f"{ORIGIN}/x", origin=ORIGIN
    ),
    "convert": converted,
    "differences": lambda document: agentsdisc.differences(document, document),
}


def timer(
    name: str, limits: Any, operation: Callable[[Any], object]
) -> Callable[[bytes], tuple[float, int]]:
    """A function that returns the seconds that an operation on a document takes, with parsing, and the number of its results."""

    def took(data: bytes) -> tuple[float, int]:
        # Python's own collector visits all objects again when their number has grown.
        gc.disable()
        begun = time.process_time()
        result = operation(agentsdisc.parse(data, format=name, limits=limits))
        seconds = time.process_time() - begun
        gc.enable()
        return seconds, len(result) if isinstance(result, list) else 0

    return took


def growth(folder: Path) -> tuple[int, list[str]]:
    """Measures operations of Python on the documents of the core's table of lists: ten times the size may take fifteen times as long."""
    limits = agentsdisc.Limits(document=64 << 20, line=64 << 20, robots=64 << 20)
    count = 0
    failures: list[str] = []
    for place in sorted(path for path in folder.glob("*/*") if path.is_dir()):
        documents = [(place / str(size)).read_bytes() for size in SIZES]
        for name, operation in OPERATIONS.items():
            took = timer(place.parent.name, limits, operation)
            before, results = min(took(documents[0]) for _ in range(3))
            for size, data in zip(SIZES[1:], documents[1:], strict=True):
                now, more = took(data)
                most = before * FACTOR * max(1.0, more / 10 / max(results, 1))
                # Other load only makes a run longer, so a failed measurement is repeated.
                for _ in range(9):
                    if now >= SHORT and now >= most:
                        now = min(now, took(data)[0])
                if now >= SHORT and now >= most:
                    failures.append(
                        f"{place.parent.name}, {place.name}: {name} of {size} KB takes {now * 1e3:.1f} ms, {now / before:.0f} times as long as of a tenth"
                    )
                before, results = now, more
            count += 1
    return count, failures


def campaigns(options: argparse.Namespace) -> Iterator[tuple[str, int, list[str]]]:
    """Runs all campaigns; yields what each did."""
    share = options.seconds / (len(CAMPAIGNS) + 1)
    for name in CAMPAIGNS:
        yield f"mutated {name}", *mutate(name, options.seed, share)
    yield "kills of runs that were resumed", *kill(options.seed, share)
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
        print(f"{what}: {count:,}; {len(failures)} failed", flush=True)
        for one in failures:
            failed = True
            print(f"  {one}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
