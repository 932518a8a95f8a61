"""The cases of `hostile.py`: mutated crawls and tables, and what `agentsdisc ingest` must read of them.

A case knows which documents its mutation left intact, and which of them a reader can see to be missing. Documents are compared with what this file
wrote, not with another reading.
"""

import gzip
import io
import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

DOCUMENTS = 24
_GOOD = ("ok", "recovered")
_RANGE = re.compile(r"rows ([0-9,]+) to ([0-9,]+) are lost")
Row = dict[str, Any]


def url(number: int) -> str:
    """The URL of a document."""
    return f"https://s{number}.example/agents.txt"


def document(number: int, filler: str) -> bytes:
    """An agents.txt that names its number and has one capability."""
    site = f"https://s{number}.example"
    return (
        f"Spec-Version: 1.0\nSite-Name: s{number}\nSite-Description: {filler}\nSite-URL: {site}\n"
        f"Capability: c{number}\n  Endpoint: {site}/a\n  Protocol: REST\n"
    ).encode()


def documents(noise: random.Random, count: int = DOCUMENTS) -> list[bytes]:
    """Documents with text that does not compress to nothing."""
    return [
        document(number, noise.randbytes(1 + noise.randrange(300)).hex())
        for number in range(count)
    ]


def record(number: int, body: bytes, noise: random.Random | None = None) -> bytes:
    """A WARC record of an answer; its body may be in chunks or compressed."""
    fields = ""
    coding = noise.randrange(4) if noise else 0
    if coding in (1, 2):
        body, fields = gzip.compress(body, mtime=0), "Content-Encoding: gzip\r\n"
    if coding in (2, 3):
        pieces = (body[:50], body[50:], b"")
        body = b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in pieces)
        fields += "Transfer-Encoding: chunked\r\n"
    else:
        fields += f"Content-Length: {len(body)}\r\n"
    block = f"HTTP/1.1 200 OK\r\n{fields}\r\n".encode() + body
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url(number)}\r\n"
        "WARC-Date: 2026-11-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


@dataclass(frozen=True)
class Change:
    """A mutation: the range of the original that it touches, and the result."""

    data: bytes
    start: int
    end: int
    keeps_places: bool = False
    """True if all other bytes are where they were."""
    copies: bool = False
    """True if the range is there twice."""

    @property
    def is_none(self) -> bool:
        """True if nothing is changed."""
        return self.keeps_places and self.start == self.end


def changed(data: bytes, noise: random.Random) -> Change:
    """Changes data, or leaves it as it is."""
    start = noise.randrange(len(data))
    size = noise.choice((1, 1, 1, 4, 40, 1000))
    end = min(len(data), start + size)
    match noise.randrange(7):
        case 0:
            return Change(data, 0, 0, keeps_places=True)
        case 1:
            other = noise.randbytes(end - start)
            return Change(data[:start] + other + data[end:], start, end, True)
        case 2:
            few = bytes(noise.choices((0, 1, 5, 48, 57, 127, 128, 255), k=end - start))
            return Change(data[:start] + few + data[end:], start, end, True)
        case 3:
            return Change(data[:start] + data[end:], start, end)
        case 4:
            more = noise.randbytes(size)
            return Change(data[:start] + more + data[start:], start, start)
        case 5:
            return Change(data[:end] + data[start:], start, end, copies=True)
        case _:
            return Change(data[:start], start, len(data))


@dataclass(frozen=True)
class Case:
    """A file to read, and what the reading must give."""

    name: str
    data: bytes
    bodies: list[bytes]
    """The documents as they were."""
    intact: frozenset[int]
    """The documents that must be rows with their own content."""
    is_exact: bool = False
    """True if checksums protect all content: a row that is not an error has that of its document."""
    is_counted: bool = False
    """True if a missing document must be reported."""
    rows: int | None = None
    """The number of rows, if it is known."""
    twice: frozenset[int] = field(default_factory=frozenset)
    """Documents that the mutation may have copied."""


def _intact(ends: list[int], change: Change) -> tuple[set[int], set[int]]:
    """Returns which pieces a change leaves as they are, and which it may have copied. `ends` are the ends of the pieces."""
    starts = [0, *ends[:-1]]
    if change.is_none:
        return set(range(len(ends))), set()
    touched = {
        number
        for number, (start, end) in enumerate(zip(starts, ends, strict=True))
        if start < change.end and end > change.start
    }
    return set(range(len(ends))) - touched, touched if change.copies else set()


def crawl(
    suffix: str, pack: Callable[[bytes], bytes], is_exact: bool
) -> Callable[[random.Random], Case]:
    """A crawl in which every record is packed on its own, so that a change touches few of them."""

    def make(noise: random.Random) -> Case:
        bodies = documents(noise)
        frames = [pack(record(n, body, noise)) for n, body in enumerate(bodies)]
        ends = list(accumulate(map(len, frames)))
        change = changed(b"".join(frames), noise)
        intact, twice = _intact(ends, change)
        # What is cut out between two records leaves nothing to see.
        is_clean = {change.start, change.end} <= {0, *ends}
        return Case(
            f"in.warc{suffix}",
            change.data,
            bodies,
            frozenset(intact),
            is_exact=is_exact,
            is_counted=is_exact and not is_clean,
            twice=frozenset(twice),
        )

    return make


def one_member(noise: random.Random) -> Case:
    """A crawl in one gzip member: what follows a change may be lost, but not in silence."""
    bodies = documents(noise)
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    frames = [
        packer.compress(record(n, body, noise)) + packer.flush(zlib.Z_SYNC_FLUSH)
        for n, body in enumerate(bodies)
    ]
    ends = list(accumulate(map(len, frames)))
    whole = b"".join(frames) + packer.flush()
    change = changed(whole, noise)
    # zlib gives nothing of the block of input in which it finds damage.
    is_cut = change.data == whole[: change.start]
    intact = [n for n, end in enumerate(ends) if is_cut and end <= change.start]
    if change.is_none:
        intact = list(range(DOCUMENTS))
    is_counted = bool(change.start) or not is_cut
    name = "in.warc.gz"
    return Case(name, change.data, bodies, frozenset(intact), is_counted=is_counted)


def _of_framed(name: str) -> Callable[[bytes], bytes]:
    """A function that packs with a writer of FastWARC."""

    def pack(data: bytes) -> bytes:
        sink = io.BytesIO()
        with getattr(import_module("fastwarc.stream_io"), name)(sink) as writer:
            writer.write(data)
        return sink.getvalue()

    return pack


def _table(noise: random.Random, bodies: list[bytes]) -> Any:
    """A table of documents; its type of bytes varies."""
    column = pa.array(bodies, pa.binary())
    kinds = (pa.binary(), pa.large_binary(), pa.string(), pa.binary_view())
    if noise.random() < 0.2:
        column = column.dictionary_encode()
    else:
        column = column.cast(noise.choice((*kinds, pa.string_view())))
    return pa.table({"body": column, "url": [url(n) for n in range(len(bodies))]})


def _of_table(
    name: str,
    bodies: list[bytes],
    groups: list[tuple[int, int, range]],
    change: Change,
    is_in_order: bool,
) -> Case:
    """A case of a table whose groups of rows have these ranges of bytes. `is_in_order` is True if it is read from its start."""
    is_inside = change.is_none or any(
        change.keeps_places and begin <= change.start and change.end <= end
        for begin, end, _ in groups
    )
    intact: set[int] = set()
    for begin, end, rows in groups:
        is_before = end <= change.start and (is_inside or is_in_order)
        is_behind = begin >= change.end and is_inside and not is_in_order
        if change.is_none or is_before or is_behind:
            intact.update(rows)
    return Case(name, change.data, bodies, frozenset(intact), is_counted=is_inside)


def arrow(noise: random.Random) -> Case:
    """An Arrow file or stream, compressed or not."""
    bodies, sink = documents(noise), io.BytesIO()
    table, step = _table(noise, bodies), noise.choice((3, 7, 100))
    is_file = noise.random() < 0.5
    new = pa.ipc.new_file if is_file else pa.ipc.new_stream
    options = pa.ipc.IpcWriteOptions(compression=noise.choice((None, "lz4", "zstd")))
    groups = []
    with new(sink, table.schema, options=options) as writer:
        for at in range(0, DOCUMENTS, step):
            begin = sink.tell()
            writer.write_table(table.slice(at, step), step)
            head = sink.getvalue()[begin : begin + 8]
            # Only the body of a message: other metadata may be valid, too.
            begin += 8 + int.from_bytes(head[4:8], "little")
            groups.append((begin, sink.tell(), range(at, min(at + step, DOCUMENTS))))
    if pa.types.is_dictionary(table.schema.field("body").type):
        groups = []  # the values of all batches are in another message
    change = changed(sink.getvalue(), noise)
    case = _of_table("in.arrow", bodies, groups, change, is_in_order=not is_file)
    # In a file, too, what follows invalid data is not read.
    before = [rows for _, end, rows in groups if end <= change.start]
    intact = case.intact & {number for rows in before for number in rows}
    if change.is_none:
        intact = frozenset(range(DOCUMENTS))
    return replace(case, intact=intact)


def parquet(noise: random.Random) -> Case:
    """A Parquet file; its compression, encoding and version of pages vary."""
    bodies, sink = documents(noise), io.BytesIO()
    step = noise.choice((5, 100))
    pq.write_table(
        _table(noise, bodies),
        sink,
        row_group_size=step,
        compression=noise.choice(("none", "snappy", "gzip", "zstd", "lz4", "brotli")),
        use_dictionary=noise.random() < 0.5,
        data_page_version=noise.choice(("1.0", "2.0")),
        store_schema=noise.random() < 0.5,
    )
    metadata = pq.read_metadata(io.BytesIO(sink.getvalue()))
    groups = []
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        columns = [group.column(at) for at in range(group.num_columns)]
        starts = [
            min(filter(None, (one.dictionary_page_offset, one.data_page_offset)))
            for one in columns
        ]
        end = starts[-1] + columns[-1].total_compressed_size
        rows = range(number * step, number * step + group.num_rows)
        groups.append((min(starts), end, rows))
    change = changed(sink.getvalue(), noise)
    return _of_table("in.parquet", bodies, groups, change, is_in_order=False)


def lines(noise: random.Random) -> Case:
    """JSON Lines."""
    bodies = documents(noise)
    pieces = [
        json.dumps({"url": url(n), "body": body.decode()}).encode() + b"\n"
        for n, body in enumerate(bodies)
    ]
    ends = list(accumulate(map(len, pieces)))
    change = changed(b"".join(pieces), noise)
    intact, twice = _intact(ends, change)
    if not change.is_none:
        # A line that begins where the change ends may be joined to what is before.
        starts = [0, *ends[:-1]]
        intact -= {n for n, start in enumerate(starts) if start == change.end}
    found = [line for line in change.data.split(b"\n") if line.strip()]
    is_text = not change.data.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0"))
    return Case(
        "in.jsonl",
        change.data,
        bodies,
        frozenset(intact),
        rows=len(found) if is_text else None,
        twice=frozenset(twice),
    )


CAMPAIGNS: dict[str, Callable[[random.Random], Case]] = {
    "WARC": crawl("", lambda one: one, is_exact=False),
    "WARC.gz": crawl(".gz", lambda one: gzip.compress(one, mtime=0), is_exact=True),
    "WARC.zst": crawl(".zst", _of_framed("ZstdWriter"), is_exact=False),
    "WARC.lz4": crawl(".lz4", _of_framed("Lz4Writer"), is_exact=False),
    "WARC.gz of one member": one_member,
    "Arrow": arrow,
    "Parquet": parquet,
    "JSON Lines": lines,
}


def rows_of(path: Path) -> list[Row]:
    """The rows of an output."""
    if not path.exists():
        return []
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_bytes().splitlines()]
    if path.suffix == ".parquet":
        found: list[Row] = pq.read_table(path).to_pylist()
        return found
    with pa.ipc.open_file(str(path)) as reader:
        rows: list[Row] = reader.read_all().to_pylist()
    return rows


def is_of(row: Row, body: bytes) -> bool:
    """True if a row has the content of this document."""
    fields = [line.split(": ", 1) for line in body.decode().splitlines()]
    wanted = {name.strip(): value for name, value in fields}
    service = row.get("service") or {}
    capabilities = row.get("capabilities") or []
    return (
        row.get("bytes") == len(body)
        and service.get("name") == wanted["Site-Name"]
        and service.get("description") == wanted["Site-Description"]
        and [one.get("id") for one in capabilities] == [wanted["Capability"]]
    )


def fault(case: Case, rows: list[Row], code: int, said: str) -> str | None:
    """Returns what is wrong with the rows of a case, its exit code and its messages."""
    if code == 2:  # the file as a whole is refused, which only its schema can cause
        return None if not case.intact else f"refused: {said[-300:]}"
    kinds = {row.get("error_kind") for row in rows}
    if (code == 1) != ("lost:" in said):
        return f"exit code {code}, but: {said[-300:]}"
    if code == 0 and kinds & {"unreadable", "invalid-record"}:
        return f"exit code 0 with rows of {kinds}"
    numbers = {url(number): number for number in range(len(case.bodies))}
    right: Counter[int] = Counter()
    wrong: set[int] = set()
    there: set[int] = set()
    for row in rows:
        number = numbers.get(row.get("url") or "")
        if number is None:
            continue
        there.add(number)
        if row.get("status") in _GOOD:
            if is_of(row, case.bodies[number]):
                right[number] += 1
            else:
                wrong.add(number)
    doubled = [n for n, count in right.items() if count > 1 + (n in case.twice)]
    lost = case.intact - right.keys()
    missing = set(numbers.values()) - there
    if case.name.endswith((".arrow", ".parquet")):
        missing = _uncovered(rows, len(case.bodies))
    if doubled:
        return f"read twice: {sorted(doubled)}"
    if lost:
        return f"lost or changed although intact: {sorted(lost)}"
    if wrong and case.is_exact:
        return f"other content: {sorted(wrong)}"
    if case.is_counted and missing and (code == 0 or case.rows is not None):
        return f"lost without a word: {sorted(missing)}"
    if case.is_counted and missing and case.name.endswith((".arrow", ".parquet")):
        return f"no row says that these are lost: {sorted(missing)}"
    if case.rows is not None and len(rows) != case.rows:
        return f"{len(rows)} rows of {case.rows} lines"
    return None


def _uncovered(rows: list[Row], count: int) -> set[int]:
    """Returns the rows of a table that neither have a row of their own nor are said to be lost."""
    left = set(range(count))
    for row in rows:
        number = int(row["source"].rsplit(":", 1)[1])
        why = row.get("error_message") or ""
        if row.get("error_kind") != "unreadable":
            left.discard(number)
        elif (found := _RANGE.search(why)) is not None:
            first, last = (int(text.replace(",", "")) for text in found.groups())
            left -= set(range(first, last + 1))
        elif "fewer" in why or number == 0 or why.endswith("not read"):
            left -= set(range(number, count))
    return left
