"""Compares batches and crawl reading with the usual hand-written code, in one run on the same bytes.

    python bench_batch.py [--seconds N]

1. `parse_batch` on generated documents of about 1 KB (fixed seed), for each format and for a mix: one thread, all columns, with and without
   checks. The reference is the typed walk of the Rust core, which reads every value and stores none. Then the same with two threads.
2. The same task in Python: read the format, the service name and URL, and the id, method, protocol and auth of each capability. JSON is read
   with orjson (and msgspec if installed), agents.txt line by line and robots.txt with Protego; the rows become an Arrow table. This code
   validates less: it does not detect formats, check types or enforce limits.
3. `agentsdisc ingest` of a WARC file into Parquet, compared with FastWARC alone reading the file (bench_crawls.py).

Requires cargo, pyarrow, orjson, protego and fastwarc. Reports the best of several rounds; processor time for single-threaded work.
"""

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import agentsdisc
import pyarrow as pa

from bench_crawls import of_crawls

ROOT = Path(__file__).resolve().parents[1]
CARGO = ["cargo", "run", "-q", "--release"]
KINDS = (
    "agents-json",
    "agents-txt",
    "awp",
    "adp",
    "agents-md",
    "robots-txt",
    "agents-json-0.1",
    "agents-txt-0.1",
)


def best(
    work: Callable[[], object], seconds: float, clock: Callable[[], float]
) -> float:
    """Returns the shortest time of several runs."""
    shortest, begun = float("inf"), time.perf_counter()
    while time.perf_counter() - begun < seconds or shortest == float("inf"):
        started = clock()
        work()
        shortest = min(shortest, clock() - started)
    return shortest


def made(folder: Path) -> dict[str, list[bytes]]:
    """Returns documents of about 1 KB of every format, and writes them to files."""
    generator = ROOT / "target/release/agentsdisc-generator"
    subprocess.run(
        ["cargo", "build", "-q", "--release", "-p", "agentsdisc-generator"],
        cwd=ROOT,
        check=True,
    )
    documents = {}
    for kind in KINDS:
        (folder / kind).mkdir()
        documents[kind] = []
        for seed in range(60):
            command = [
                generator,
                "document",
                kind,
                "--size",
                "1000",
                "--seed",
                str(seed),
            ]
            data = subprocess.run(command, capture_output=True, check=True).stdout
            (folder / kind / str(seed)).write_bytes(data)
            documents[kind].append(data)
    return documents


def walked(folder: Path) -> dict[str, float]:
    """Returns the documents per second of the core's typed walk."""
    folders = [str(folder / kind) for kind in KINDS]
    done = subprocess.run(
        [*CARGO, "-p", "agentsdisc-benches", "--bin", "walk", "--", *folders],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    lines = (line.split("\t") for line in done.stdout.splitlines())
    return {name: float(rate) for name, rate, _ in lines}


def table_of(columns: list[tuple[Any, ...]]) -> object:
    """Collects rows in Python and returns an Arrow table."""
    names = ("format", "name", "url", "capabilities")
    return pa.table(
        dict(zip(names, map(list, zip(*columns, strict=True)), strict=True))
    )


def json_job(loads: Callable[[bytes], Any]) -> Callable[[bytes], tuple[Any, ...]]:
    """The usual code to read an agents.json."""

    def row(data: bytes) -> tuple[Any, ...]:
        try:
            document = loads(data)
        except ValueError:
            return ("unknown", None, None, None)
        site = document.get("site") or {}
        capabilities = [
            {
                "id": one.get("id"),
                "method": one.get("method"),
                "protocol": one.get("protocol"),
                "auth": (one.get("auth") or {}).get("type"),
            }
            for one in document.get("capabilities") or ()
        ]
        return ("agents-json", site.get("name"), site.get("url"), capabilities)

    return row


def text_job(data: bytes) -> tuple[Any, ...]:
    """The usual code to read an agents.txt."""
    name = url = None
    capabilities: list[dict[str, Any]] = []
    for line in data.decode().splitlines():
        key, separator, value = line.partition(":")
        if not separator or line.startswith("#"):
            continue
        key, value = key.strip().lower(), value.strip()
        if key == "site-name":
            name = value
        elif key == "site-url":
            url = value
        elif key == "capability":
            capabilities.append(
                {"id": value, "method": None, "protocol": None, "auth": None}
            )
        elif capabilities and key in ("method", "protocol", "auth"):
            capabilities[-1][key] = value
    return ("agents-txt", name, url, capabilities)


def robots_job(data: bytes) -> tuple[Any, ...]:
    """The usual code to read a robots.txt, with Protego."""
    protego: Any = import_module("protego").Protego
    rules = protego.parse(data.decode("utf-8", "replace"))
    return ("robots-txt", None, None, [{"id": url} for url in rules.sitemaps])


def in_batches(documents: dict[str, list[bytes]], folder: Path, seconds: float) -> None:
    """Runs parts 1 and 2."""
    rates = walked(folder)
    print("documents/s on one core, about 1 KB each")
    print(
        f"{'':18}{'Rust walk':>12}{'batch':>12}{'of walk':>9}{'checked':>12}{'chosen':>12}"
    )
    chosen = [
        "format",
        "service.name",
        "service.url",
        *(f"capabilities.{name}" for name in ("id", "method", "protocol", "auth.type")),
    ]
    mixed: list[bytes] = []
    fast: dict[str, float] = {}
    for kind, some in documents.items():
        mixed += some
        rows = pa.array(some * 100)

        def rate(rows: Any = rows, **options: Any) -> float:
            work = lambda: agentsdisc.parse_batch(rows, threads=1, **options)  # noqa: E731
            return len(rows) / best(work, seconds, time.process_time)

        plain = rate(check=False)
        fast[kind] = rate(columns=chosen)
        print(
            f"{kind:18}{rates[kind]:12,.0f}{plain:12,.0f}{plain / rates[kind]:9.2f}{rate():12,.0f}{fast[kind]:12,.0f}"
        )
    rows = pa.array(mixed * 40)
    one, two = (
        len(rows)
        / best(
            lambda threads=threads: agentsdisc.parse_batch(
                rows, threads=threads, check=False
            ),  # type: ignore[misc]
            seconds * 2,
            time.perf_counter,
        )
        for threads in (1, 2)
    )
    print(
        f"all mixed, by the clock: one thread {one:,.0f}, two {two:,.0f} ({two / one:.2f} ×)\n"
    )
    print("the same job in Python, documents/s, and how many times faster the batch is")
    peers: list[tuple[str, str, Callable[[bytes], tuple[Any, ...]]]] = [
        ("agents-json", "json", json_job(json.loads)),
        ("agents-json", "orjson", json_job(import_module("orjson").loads)),
        ("agents-json", "msgspec", json_job(import_module("msgspec").json.decode)),
        ("agents-txt", "lines", text_job),
        ("robots-txt", "Protego", robots_job),
    ]
    alone: dict[str, float] = {}
    for kind, name, row in peers:
        some = documents[kind] * 20
        work = lambda some=some, row=row: table_of([row(data) for data in some])  # type: ignore[misc]  # noqa: E731
        found = len(some) / best(work, seconds, time.process_time)
        alone[name] = found
        print(f"{kind:18}{name:10}{found:12,.0f}{fast[kind] / found:9.1f} ×")
    # Formats in the proportions of a crawl, as generated.
    shares = {
        "robots-txt": ("Protego", 45),
        "agents-json": ("orjson", 15),
        "agents-txt": ("lines", 13),
    }
    whole = sum(share for _, share in shares.values())
    theirs = whole / sum(share / alone[name] for name, share in shares.values())
    ours = whole / sum(share / fast[kind] for kind, (_, share) in shares.items())
    print(f"{'a crawl of these':28}{theirs:12,.0f}{ours / theirs:9.1f} ×")


def main() -> None:
    """Runs all measurements."""
    parser = argparse.ArgumentParser(description="Batches beside their peers.")
    parser.add_argument("--seconds", type=float, default=1.5, help="for each figure")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        documents = made(folder)
        in_batches(documents, folder, options.seconds)
        print(f"\n{of_crawls(folder, 3)}")


if __name__ == "__main__":
    main()
