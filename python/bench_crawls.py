"""Compares `agentsdisc ingest` of WARC files with FastWARC alone reading them, and writes the tables of docs/crawling.md.

    python bench_crawls.py [--rounds N] [--write]

Reads two generated crawls of 60,000 and 240,000 responses. Both use the same seed, so the first crawl is the start of the second. Measures wall-clock
time, processor time and peak memory, which must not grow with the crawl. The time of imports is excluded. Times are the best of several rounds;
memory is the maximum. Then compares the processor time of many small archives with that of the same records in one, and of a folder of many files
with that of reading them. `--write` puts the tables into the page, between its markers; use it on an idle machine.

Requires cargo, pyarrow, rich and fastwarc.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "crawling.md"
SIZES = (60_000, 240_000)
SMALL = 12_000
"""The number of responses in small inputs."""
_STEP = 1 << 14
FEW = "url,format,status,service.name,capabilities.id,capabilities.auth.type"
RUNS = {
    "`ingest --columns` (six columns) into Parquet": ["--columns", FEW],
    "`ingest` (all columns)": [],
    "`ingest --check` (all columns, checked)": ["--check"],
}
FILES = """
import os, sys, time, resource
started, busy = time.perf_counter(), time.process_time()
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            file.read()
print(time.perf_counter() - started, time.process_time() - busy, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
ALONE = """
import sys, time, resource
import fastwarc.warc as warc
started, busy = time.perf_counter(), time.process_time()
for record in warc.ArchiveIterator(sys.argv[1], record_types=warc.WarcRecordType.response):
    record.reader.read()
print(time.perf_counter() - started, time.process_time() - busy, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
INGEST = """
import sys, time, resource
import agentsdisc.cli as cli, pyarrow, pyarrow.compute, pyarrow.parquet, rich.progress, rich.table, fastwarc.warc
started, busy = time.perf_counter(), time.process_time()
code = cli.main(sys.argv[1:])
print(time.perf_counter() - started, time.process_time() - busy, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
sys.exit(code)
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """The cost of a run: wall-clock seconds, processor seconds, MB."""

    clock: float
    busy: float
    peak: float


def measured(rounds: int, code: str, *arguments: str) -> Figures:
    """Returns the best times and the peak memory of several rounds, each in a separate process."""
    found = []
    for _ in range(rounds):
        command = [sys.executable, "-c", code, *arguments]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found.append([float(word) for word in done.stdout.split()])
    clock, busy = (min(one[at] for one in found) for at in range(2))
    peak = max(one[2] for one in found)
    return Figures(clock, busy, peak / 1e3)


def crawl(folder: Path, count: int) -> Path:
    """Generates a crawl and returns its path."""
    path = folder / f"{count}.warc.gz"
    generate = ["cargo", "run", "-q", "--release", "-p", "agentsdisc-generator", "--"]
    arguments = ["warc", str(path), "--count", str(count), "--seed", "1"]
    subprocess.run([*generate, *arguments], cwd=ROOT, check=True)
    return path


def of_crawls(folder: Path, rounds: int) -> str:
    """Measures all runs and returns the tables as Markdown."""
    paths = [crawl(folder, count) for count in SIZES]
    size = paths[0].stat().st_size
    # A longer run varies less, so it needs fewer rounds.
    times = (rounds, max(1, rounds // 2))
    alone = [
        measured(n, ALONE, str(path)) for path, n in zip(paths, times, strict=True)
    ]
    rows = [row("FastWARC alone reads the file", alone, None)]
    found: list[Figures] = []
    for title, options in RUNS.items():
        out = str(folder / "out.parquet")
        both = [
            measured(n, INGEST, "ingest", str(path), "-o", out, *options)
            for path, n in zip(paths, times, strict=True)
        ]
        found.append(both[0])
        rows.append(row(title, both, alone))
    few, _, checked = (figures.busy / SIZES[0] for figures in found)
    per_byte = alone[0].busy / size
    estimates = [
        ("10 million sites, ten places each, a few columns", 1e8 * few),
        ("the same, all columns, checked", 1e8 * checked),
        ("100 million hosts, as in a monthly crawl, a few columns", 1e9 * few),
        ("the same, all columns, checked", 1e9 * checked),
        ("80 TB of WARC.gz, to find such answers in it", 80e12 * per_byte),
    ]
    machine = f"{processor()}, {os.cpu_count()} cores"
    return "\n".join(
        [
            f"On {machine}; {SIZES[0]:,} generated answers, {size / 1e6:.0f} MB as WARC.gz, and {SIZES[1]:,}; the best of {times[0]} and of {times[1]} runs, without the time to start Python.",
            "",
            f"| work | {SIZES[0]:,} answers | of FastWARC | {SIZES[1]:,} answers | of FastWARC | of the processor, for one | peak memory of both |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            *rows,
            "",
            "| crawl | processor hours |",
            "| --- | --- |",
            *(f"| {what} | {hours(seconds)} |" for what, seconds in estimates),
        ]
    )


def of_small(folder: Path, rounds: int) -> str:
    """Measures many small inputs beside few large ones, and returns the table as Markdown."""
    path = crawl(folder, SMALL)
    members, data, at = [], path.read_bytes(), 0
    while at < len(data):
        inflater, end = zlib.decompressobj(31), at
        while not inflater.eof and end < len(data):
            given = data[end : end + _STEP]
            inflater.decompress(given)
            end += len(given) - len(inflater.unused_data)
        members.append(data[at:end])
        at = end
    many, tree = folder / "many", folder / "tree"
    many.mkdir()
    for at in range(0, len(members), 6):  # a request and a response for each
        (many / f"{at:06}.warc.gz").write_bytes(b"".join(members[at : at + 6]))
    iterator = import_module("fastwarc.warc").ArchiveIterator
    count = 0
    for record in iterator(str(path), parse_http=True):
        body = record.reader.read()
        if record.record_id and record.http_headers and body:
            count += 1
            place = tree / f"site{count}.example" / "agents.txt"
            place.parent.mkdir(parents=True)
            place.write_bytes(body)
    out = ["-o", str(folder / "out.parquet"), "--columns", FEW]
    archives = sorted(map(str, many.iterdir()))
    runs = (
        ("one archive", INGEST, ["ingest", str(path), *out]),
        (
            f"{len(archives):,} archives of the same records",
            INGEST,
            ["ingest", *archives, *out],
        ),
        (f"reading a folder of {count:,} files", FILES, [str(tree)]),
        ("`ingest` of that folder", INGEST, ["ingest", str(tree), *out]),
    )
    found = [measured(rounds, code, *given) for _, code, given in runs]
    lines = [
        "| input, six columns | of the processor | relative | peak memory |",
        "| --- | --- | --- | --- |",
    ]
    for at, ((title, *_), one) in enumerate(zip(runs, found, strict=True)):
        times = one.busy / found[at - at % 2].busy
        lines.append(
            f"| {title} | {one.busy:.2f} s | {times:.2f} × | {one.peak:.0f} MB |"
        )
    return "\n".join(lines)


def row(title: str, both: list[Figures], alone: list[Figures] | None) -> str:
    """Returns a table row: the figures of both sizes, relative to FastWARC alone."""
    cells = [title]
    for at, one in enumerate(both):
        times = f"{one.clock / alone[at].clock:.2f} ×" if alone else ""
        cells += [f"{one.clock:.2f} s", times]
    cells.append(f"{both[0].busy / SIZES[0] * 1e6:.0f} µs")
    cells.append(", ".join(f"{one.peak:.0f} MB" for one in both) if alone else "")
    return f"| {' | '.join(cells)} |"


def hours(seconds: float) -> str:
    """Returns hours with two significant digits."""
    return f"{float(f'{seconds / 3600:.2g}'):,.1f}".removesuffix(".0")


def processor() -> str:
    """Returns the name of the processor."""
    try:
        found = re.search(
            r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text("utf-8")
        )
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def put(page: str, tables: str) -> str:
    """Returns the page with the tables between its marks."""
    begin, end = "<!-- measured: bench_crawls.py -->\n", "\n<!-- end of measured -->"
    head, found, rest = page.partition(begin)
    _, closed, tail = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"{PAGE}: the marks are not there")
    return f"{head}{begin}\n{tables}\n{end}{tail}"


def main() -> None:
    """Runs all measurements."""
    parser = argparse.ArgumentParser(description="Crawls beside FastWARC alone.")
    parser.add_argument("--rounds", type=int, default=5, help="for each figure")
    parser.add_argument("--write", action="store_true", help="into docs/crawling.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        tables = of_crawls(Path(name), options.rounds)
        tables += f"\n\n{of_small(Path(name), options.rounds)}"
    print(tables)
    if options.write:
        PAGE.write_text(put(PAGE.read_text("utf-8"), tables), encoding="utf-8")


if __name__ == "__main__":
    main()
