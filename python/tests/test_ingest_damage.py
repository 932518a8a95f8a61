"""Damaged and hostile archives: every loss and nothing else is reported, in bounded time and memory."""

import gzip
import io
import os
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from agentsdisc.cli import archives
from conftest import Run, environment
from test_ingest_runs import GOOD, compressed, few, record, rows

pytest.importorskip("pyarrow")
pytest.importorskip("fastwarc.stream_io")

BODY = GOOD.encode()
FORGED = record("https://victim.example/agents.txt", BODY)
NAMES = {"plain": "in.warc", "gz": "in.warc.gz", "zst": "in.warc.zst"}
NAMES |= {"lz4": "in.warc.lz4", "one": "in.warc.gz", "two": "in.warc.gz"}
LENGTHS = [
    *("1" + "0" * 18, "1" + "0" * 40, "100000", "0", "12", "-5"),
    *("", "garbage", "3 4", "0x40", "+300", None),
]


@dataclass
class Row:
    """A document that the archive reader returns."""

    source: str
    url: str | None
    kind: str
    recovered: bool
    lost: bool
    why: str


def read(data: bytes, name: str = "in.warc.gz", seekable: bool = True) -> list[Row]:
    found = []
    source = data if seekable else io.BytesIO(data)
    for part in archives.records(name, source, 1 << 20, threads=2):
        for at in range(part.count):
            kind, why = part.problems.get(at, ("ok", ""))
            marks = at in part.recovered, at in part.lost
            found.append(Row(part.sources[at], part.urls[at], kind, *marks, why))
    return found


def packed(records: list[bytes], how: str) -> bytes:
    if how == "plain":
        return b"".join(records)
    if how == "one":
        return gzip.compress(b"".join(records), mtime=0)
    if how == "two":  # two records in each member
        pairs = zip(records[::2], records[1::2], strict=True)
        return b"".join(gzip.compress(b"".join(pair), mtime=0) for pair in pairs)
    if how == "gz":
        return b"".join(gzip.compress(one, mtime=0) for one in records)
    return b"".join(compressed(one, how) for one in records)


def lengthened(one: bytes, length: str | None) -> bytes:
    """Returns a record with another Content-Length, or without one."""
    start = one.index(b"Content-Length: ")
    end = one.index(b"\r\n", start)
    field = b"X: y" if length is None else f"Content-Length: {length}".encode()
    return one[:start] + field + one[end:]


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("how", NAMES)
@pytest.mark.parametrize("length", LENGTHS)
def test_a_wrong_length_costs_one_record(
    how: str, length: str | None, seekable: bool
) -> None:
    records = few(100)
    records[3] = lengthened(records[3], length)
    found = read(packed(records, how), NAMES[how], seekable)
    urls = [f"https://s{number}.example/agents.txt" for number in range(100)]
    assert [row.url for row in found] == urls
    assert [number for number, row in enumerate(found) if row.kind != "ok"] == [3]
    assert [number for number, row in enumerate(found) if row.lost] == [3]
    assert "content-length is" in found[3].why
    # A separate frame ends the damage; without one, the following records are marked as recovered.
    recovered = {"plain": 96, "one": 96, "two": 0}.get(how, 0)
    assert sum(row.recovered for row in found) == recovered


def test_the_run_says_what_was_lost_and_where(run: Run, tmp_path: Path) -> None:
    records = few(30)
    records[3] = lengthened(records[3], "1" + "0" * 18)
    (tmp_path / "in.warc").write_bytes(b"".join(records))
    done = run("ingest", "in.warc", "-o", "out.jsonl", check=1)
    place = len(b"".join(records[:3]))
    assert "lost: 1 part of the inputs cannot be read" in done.stderr
    assert f"  in.warc@{place}: content-length is 1000000000000000000" in done.stderr
    found = rows(tmp_path / "out.jsonl")
    states = ["ok"] * 3 + ["error"] + ["recovered"] * 26
    assert [row["status"] for row in found] == states
    assert {row.get("error_kind") for row in found} == {None, "corrupt-record"}
    assert found[9]["service"]["name"] == "a"
    # With an error file, recovered documents are in the output.
    run("ingest", "in.warc", "-o", "out.parquet", "--errors-to", "bad.jsonl", check=1)
    assert len(rows(tmp_path / "out.parquet")) == 29
    assert [row["url"] for row in rows(tmp_path / "bad.jsonl")] == [found[3]["url"]]


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("inside", ["whole", "damaged"])
@pytest.mark.parametrize("how", ["plain", "gz", "zst", "one"])
def test_a_record_in_the_body_of_another_is_never_certain(
    how: str, inside: str, seekable: bool
) -> None:
    """A record inside a body never counts as intact, whether the outer record or the next record is damaged."""
    as_member = gzip.compress(FORGED, mtime=0) * 2
    noise = os.urandom(200)  # incompressible, so gzip stores it unchanged
    for forged in (FORGED, FORGED * 3, noise + as_member + noise):
        records = few(10)
        records[3] = record("https://s3.example/agents.txt", forged)
        bad = 3 if inside == "damaged" else 4
        frames = [packed([one], how) for one in records]
        if how in ("plain", "one"):
            records[bad] = lengthened(records[bad], "100000")
            data = packed(records, how)
        else:
            frames[bad] = frames[bad][:20] + bytes(9) + frames[bad][29:]
            data = b"".join(frames)
        found = read(data, NAMES[how], seekable)
        certain = [row.url for row in found if row.kind == "ok" and not row.recovered]
        assert not [url for url in certain if url and "victim" in url]
        whole = [row.url for row in found if row.kind == "ok"]
        for number in {*range(10)} - {bad}:
            assert f"https://s{number}.example/agents.txt" in whole
        if inside == "whole":
            assert not [url for url in whole if url and "victim" in url]


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("rest", [0, 300_000])
@pytest.mark.parametrize("claim", ["as much as precedes", "nothing", "too much"])
def test_a_body_cannot_pretend_that_its_member_ends(
    claim: str, rest: int, seekable: bool
) -> None:
    """An uncompressed member contains bytes like its trailer and a further member, at the end of a read and elsewhere."""
    noise = os.urandom(rest).replace(b"\x1f", b"-")
    url = "https://s3.example/agents.txt"
    forged = gzip.compress(FORGED, mtime=0)
    size = record(url, bytes(4) + forged + noise).index(bytes(4)) + 4
    size = {"nothing": 0, "too much": 1 << 31}.get(claim, size)
    body = size.to_bytes(4, "little") + forged + noise
    records = few(6)
    members = [gzip.compress(one, mtime=0) for one in records]
    hostile = record(url, body)
    for damaged in (hostile, lengthened(hostile, "100"), lengthened(hostile, "x")):
        members[3] = gzip.compress(damaged, 0, mtime=0)
        found = read(b"".join(members), seekable=seekable)
        assert [row.url for row in found] == [
            f"https://s{number}.example/agents.txt" for number in range(6)
        ]
        starts = [len(b"".join(members[:number])) for number in range(6)]
        assert [row.source for row in found] == [f"in.warc.gz@{at}" for at in starts]
        bad = [number for number, row in enumerate(found) if row.lost]
        assert bad == ([] if damaged is hostile else [3])


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("how", ["gz", "zst"])
@pytest.mark.parametrize("length", ["12", "100000", "1" + "0" * 18, "x", None])
def test_a_member_of_one_record_shows_no_record_of_its_body(
    how: str, length: str | None, seekable: bool
) -> None:
    """Where each member holds one record, all of a member belongs to its record, also if the length is wrong."""
    records = few(6)
    body = BODY + b"\r\n\r\n" + FORGED + FORGED
    records[3] = lengthened(record("https://s3.example/agents.txt", body), length)
    found = read(packed(records, how), NAMES[how], seekable)
    urls = [f"https://s{number}.example/agents.txt" for number in range(6)]
    assert [row.url for row in found] == urls
    assert [number for number, row in enumerate(found) if row.lost] == [3]
    assert not any(row.recovered for row in found)


@pytest.mark.parametrize("seekable", [True, False])
def test_a_search_begins_behind_the_last_whole_record(seekable: bool) -> None:
    """A member is cut behind a whole record whose stored bytes contain other members."""
    noise = os.urandom(90_000).replace(b"\x1f", b"-")
    records = few(6)
    forged = noise + gzip.compress(FORGED, mtime=0) * 2 + noise
    records[2] = record("https://s2.example/agents.txt", forged)
    records[5] = record("https://s5.example/agents.txt", noise * 3)
    data = gzip.compress(b"".join(records), 0, mtime=0)[:-100_000]
    found = read(data, seekable=seekable)
    urls = [f"https://s{number}.example/agents.txt" for number in range(6)]
    assert [row.url for row in found] == urls
    assert [number for number, row in enumerate(found) if row.lost] == [5]


def test_members_without_content_and_padding_are_no_damage() -> None:
    frames = [gzip.compress(one, mtime=0) for one in few(40)]
    empty = gzip.compress(b"", mtime=0)
    named = b"\x1f\x8b\x08\x08" + bytes(6) + b"name\0" + empty[10:]
    for between in (empty, named, bytes(7), empty + bytes(3) + empty):
        found = read(between.join(frames) + between)
        assert [row.kind for row in found] == ["ok"] * 40
    with_name = [one[:3] + b"\x08" + one[4:10] + b"a\0" + one[10:] for one in frames]
    assert [row.kind for row in read(b"".join(with_name))] == ["ok"] * 40


def test_ranges_of_members_give_the_rows_of_a_stream() -> None:
    records = few(400)
    for at in range(0, 400, 7):
        records[at] = lengthened(records[at], LENGTHS[at % len(LENGTHS)])
    records[100:102] = [records[101] + records[103]]
    records[200] = records[200].replace(b"\r\n", b"\n")
    records[210] = records[210].replace(b"WARC-Type", b"warc-TYPE")
    records[220] = records[220][:-4]
    data = bytearray(b"".join(gzip.compress(one, mtime=0) for one in records))
    for at in range(5000, len(data), 9000):
        data[at : at + 3] = b"\0\0\0"
    in_ranges = read(bytes(data))
    assert in_ranges == read(bytes(data), seekable=False)
    assert len({row.kind for row in in_ranges}) > 1


@pytest.mark.parametrize("how", ["plain", "gz", "zst", "lz4"])
@pytest.mark.parametrize(
    "garbage", [b"garbage" * 9, bytes(range(256)), b"\x1f\x8b\x08"]
)
def test_garbage_between_records_costs_no_record(how: str, garbage: bytes) -> None:
    frames = [packed([one], how) for one in few(10)]
    data = b"".join([*frames[:5], garbage, *frames[5:]])
    for seekable in (True, False):
        found = read(data, NAMES[how], seekable)
        assert [row.kind for row in found] == [
            *["ok"] * 5,
            "corrupt-record",
            *["ok"] * 5,
        ]
        assert [row.lost for row in found].count(True) == 1


@pytest.mark.parametrize("how", ["plain", "gz", "zst", "lz4", "one"])
def test_an_archive_may_end_anywhere(how: str) -> None:
    records = few(3)
    data = packed(records, how)
    for size in range(len(data)):
        found = read(data[:size], NAMES[how])
        assert len(found) <= (4 if how == "one" else 3)
        good = [row.url for row in found if row.kind == "ok"]
        assert good == [f"https://s{n}.example/agents.txt" for n in range(len(good))]
        # Only the line breaks after the last record may be missing.
        if len(good) < 3 and size and len(found) == len(good):
            assert data[:size] in {packed(records[:n], how) for n in range(4)} or (
                how == "plain"
            )


def test_a_dictionary_of_zstandard_is_used() -> None:
    streams = pytest.importorskip("fastwarc.stream_io")
    samples = [record(f"https://t{n}.example/agents.txt", BODY) for n in range(900)]
    words = streams.zstd_train_dictionary_from_samples(samples, 4000)
    sinks = []
    for one in few(5):
        sink = io.BytesIO()
        with streams.ZstdWriter(sink, dictionary=words) as writer:
            writer.write(one)
        sinks.append(sink.getvalue())
    head = b"\x5d\x2a\x4d\x18" + len(words).to_bytes(4, "little") + words
    # The writer starts each file with the dictionary.
    frames = [one.removeprefix(head) for one in sinks]
    found = read(head + b"".join(frames), "in.warc.zst")
    assert [row.kind for row in found] == ["ok"] * 5


def timed(make: Callable[[int], bytes], size: int, name: str, seekable: bool) -> float:
    data = make(size)
    started = time.process_time()
    read(data, name, seekable)
    return time.process_time() - started


SLOW: dict[str, tuple[str, Callable[[int], bytes]]] = {}
GZIPPED = gzip.compress(record("https://a.example/agents.txt", BODY), mtime=0)
SPOILT = GZIPPED[:40] + bytes(20) + GZIPPED[60:]
ANSWER = record("https://a.example/agents.txt", BODY)
TINY = gzip.compress(b"x", mtime=0)
STORED = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\0\xff\xff\0\0"
for title, name, unit in (
    ("empty members", "in.warc.gz", gzip.compress(b"", mtime=0)),
    ("tiny members", "in.warc.gz", TINY),
    ("starts of members", "in.warc.gz", GZIPPED[:10]),
    ("stored blocks", "in.warc.gz", STORED),
    ("damaged members", "in.warc.gz", GZIPPED + SPOILT),
    ("far lengths", "in.warc", lengthened(ANSWER, "1" + "0" * 18)),
    ("near lengths", "in.warc", lengthened(ANSWER, "50000")),
    ("lengths beyond the buffer", "in.warc", lengthened(ANSWER, "20000000")),
    ("heads without an end", "in.warc", b"WARC/1.0\r\na: WARC/1.0\r\n"),
    ("heads in one line", "in.warc", b"WARC/1.0 a:"),
):
    SLOW[title] = name, lambda size, unit=unit: unit * (size // len(unit))  # type: ignore[misc]


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("title", SLOW)
def test_damage_is_read_in_linear_time(title: str, seekable: bool) -> None:
    name, make = SLOW[title]
    small = min(timed(make, 200_000, name, seekable) for _ in range(3))
    most = 15 * small + 0.3
    large = timed(make, 2_000_000, name, seekable)
    if large >= most:
        large = timed(make, 2_000_000, name, seekable)
    assert large < most, (small, large)


class Counting(io.BytesIO):
    """A stream that counts the bytes that are read."""

    total = 0

    def read(self, size: int | None = -1) -> bytes:
        block = super().read(size)
        self.total += len(block)
        return block


@pytest.mark.parametrize("title", SLOW)
def test_a_stream_is_read_once(title: str) -> None:
    name, make = SLOW[title]
    stream = Counting(make(500_000))
    for _ in archives.records(name, stream, 1 << 20):
        pass
    assert stream.total == len(stream.getvalue())


PEAK = """
import io, resource, sys
from agentsdisc.cli import archives
data = open(sys.argv[1], "rb").read()
for seekable in (True, False):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    source = data if seekable else io.BytesIO(data)
    for part in archives.records(sys.argv[1], source, 1 << 20, True, threads=2):
        print(part.count, sorted({kind for kind, _ in part.problems.values()}), len(part.urls))
    print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="units of the peak")
@pytest.mark.parametrize(
    "how",
    [
        *("record", "last record", "no record", "second record", "nested", "br"),
        "broken members",
    ],
)
def test_what_inflates_is_bounded(tmp_path: Path, how: str) -> None:
    """For a body of a gigabyte, encoded or not, memory use is bounded by the maximum document size."""
    mega = bytes(1 << 20)
    empty = record("https://a.example/agents.txt", b"").removesuffix(b"\r\n\r\n")
    head = empty[empty.index(b"HTTP/1.1") :]
    if how.endswith("record"):
        sink = io.BytesIO()
        with gzip.GzipFile(fileobj=sink, mode="wb", compresslevel=1) as file:
            if how == "second record":
                file.write(ANSWER)
            if how != "no record":
                file.write(lengthened(empty, str(len(head) + 290 * len(mega))))
            for _ in range(290):
                file.write(mega)
            file.write(b"\r\n\r\n")
        data = GZIPPED + sink.getvalue() + GZIPPED * (how != "last record")
        name = "in.warc.gz"
    elif how == "broken members":
        data, name = (b"\x1f\x8b\x08" + bytes(7)) * 30_000, "in.warc.gz"
    else:
        body = gzip.compress(bytes(200 << 20), 9)
        coding = "gzip"
        if how == "nested":
            body, coding = gzip.compress(body, 9), "gzip, gzip"
        if how == "br":
            brotli = pytest.importorskip("brotli")
            body, coding = brotli.compress(bytes(200 << 20), quality=1), "br"
        answer = f"HTTP/1.1 200 OK\r\nContent-Encoding: {coding}"
        data, name = record("https://a.example/agents.txt", body, answer), "in.warc"
    (tmp_path / name).write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", PEAK, tmp_path / name],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    peaks = [line for line in done.stdout.splitlines() if line.startswith("peak")]
    assert max(int(line.split()[1]) for line in peaks) < 90_000, done.stdout  # kB


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("count", [5, 60])
def test_every_whole_record_of_a_cut_member_is_read(count: int, seekable: bool) -> None:
    records = few(count)
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    pieces = [packer.compress(one) + packer.flush(zlib.Z_SYNC_FLUSH) for one in records]
    for number in range(1, count, 1 + count // 9):
        data = b"".join(pieces[:number])
        for more in (0, 1, 5):
            found = read(data + pieces[number][:more], seekable=seekable)
            good = [row.url for row in found if row.kind == "ok"]
            urls = [f"https://s{n}.example/agents.txt" for n in range(number)]
            assert good == urls
            assert [row.kind for row in found if row.lost] == ["truncated-record"]


def test_a_coding_in_a_coding_that_is_too_large_is_too_large() -> None:
    body = gzip.compress(gzip.compress(os.urandom(300_000)))
    answer = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip"
    data = record("https://a.example/agents.txt", body, answer)
    (found,) = archives.records("in.warc", data, 100_000)
    assert len(found.bodies[0] or b"") == 100_001
    assert found.sizes[0] >= 100_001
