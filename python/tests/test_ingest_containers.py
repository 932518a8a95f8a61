"""`agentsdisc ingest` of ARC files, and of folders that are datasets."""

import bz2
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agentsdisc.cli.files import expanded
from conftest import Run
from test_ingest_runs import (
    GOOD,
    compressed,
    few,
    record,
    rows,
    small_parts,
    until_it_stops,
)

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

BODY = GOOD.encode()
URL = "https://s{}.example/agents.txt"
DESCRIPTION = b"1 0 Example\nURL IP-address Archive-date Content-type Archive-length\n"


def line(url: str, content: bytes) -> bytes:
    """Returns a record of ARC."""
    head = f"{url} 192.0.2.1 20261101000203 text/plain {len(content)}\n"
    return head.encode() + content + b"\n"


def answer(body: bytes, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def arc(url: str, body: bytes, status: str = "200 OK") -> bytes:
    """Returns an ARC file with a response."""
    return line("filedesc://a.arc", DESCRIPTION) + line(url, answer(body, status))


RECORDS = [
    line("filedesc://a.arc", DESCRIPTION),
    line("dns:s1.example", b"20261101000203\ns1.example. 1 IN A 192.0.2.1\n"),
    line(URL.format(1), answer(BODY)),
    line("https://s1.example/index.html", answer(b"<p>")),
    line(URL.format(2), answer(b"", "404 Not Found")),
    line(
        URL.format(3),
        answer(gzip.compress(BODY)).replace(
            b"OK\r\n", b"OK\r\nContent-Encoding: gzip\r\n"
        ),
    ),
]
PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": lambda data: compressed(data, "zst"),
    ".lz4": lambda data: compressed(data, "lz4"),
    ".bz2": bz2.compress,
}


@pytest.mark.parametrize("suffix", PACKINGS)
def test_an_arc_file_gives_the_rows_of_a_warc_file(
    run: Run, tmp_path: Path, suffix: str
) -> None:
    data = b"".join(map(PACKINGS[suffix], RECORDS))
    (tmp_path / f"in.arc{suffix}").write_bytes(data)
    done = run("ingest", f"in.arc{suffix}", "-o", "out.parquet", "--json", check=0)
    summary = json.loads(done.stdout)
    passed = {"warcinfo": 1, "response from another URL": 2}
    assert (summary["passed_over"], summary["lost"]) == (passed, 0)
    found = rows(tmp_path / "out.parquet")
    assert [row["url"] for row in found] == [URL.format(n) for n in (1, 2, 3)]
    assert [row["http_status"] for row in found] == [200, 404, 200]
    assert [row["error_kind"] for row in found] == [None, "http-status", None]
    for row in found:
        assert row["fetched"] == "2026-11-01T00:02:03Z"
        assert (row["digest"], row["record_type"]) == (None, "response")
    # Only the own columns differ from those of WARC.
    heads = [b"200 OK", b"404 Not Found", b"200 OK"]
    bodies = [BODY, b"", BODY]
    (tmp_path / "in.warc").write_bytes(
        b"".join(
            record(row["url"], body, f"HTTP/1.1 {head.decode()}")
            for row, body, head in zip(found, bodies, heads, strict=True)
        )
    )
    run("ingest", "in.warc", "-o", "warc.parquet", check=0)
    expected = rows(tmp_path / "warc.parquet")
    for row in (*found, *expected):
        del row["source"], row["fetched"]
    assert found == expected


def test_sources_of_arc_are_places(run: Run, tmp_path: Path) -> None:
    members = [gzip.compress(one, mtime=0) for one in RECORDS]
    for name, parts in (("in.arc", RECORDS), ("in.arc.gz", members)):
        (tmp_path / name).write_bytes(b"".join(parts))
        run("ingest", name, "-o", "out.jsonl", check=0)
        starts = [len(b"".join(parts[:number])) for number in (2, 4, 5)]
        found = [row["source"] for row in rows(tmp_path / "out.jsonl")]
        assert found == [f"{name}@{start}" for start in starts]


@pytest.mark.parametrize("packing", [bytes, gzip.compress])
def test_what_an_archive_holds_decides_and_not_its_name(
    run: Run, tmp_path: Path, packing: Callable[[bytes], bytes]
) -> None:
    arcs, warcs = b"".join(map(packing, RECORDS)), b"".join(map(packing, few(3)))
    for data, documents in ((arcs, [1, 2, 3]), (warcs, [0, 1, 2])):
        expected = [URL.format(number) for number in documents]
        for name in ("in.warc", "in.arc", "in.warc.gz", "in.arc.gz", "in.bin"):
            (tmp_path / name).write_bytes(data)
            run("ingest", name, "-o", "out.jsonl", check=0)
            assert [row["url"] for row in rows(tmp_path / "out.jsonl")] == expected
        run("ingest", "-", "-o", "out.jsonl", input=data, check=0)
        assert [row["url"] for row in rows(tmp_path / "out.jsonl")] == expected


def test_damage_in_an_arc_file_is_said(run: Run, tmp_path: Path) -> None:
    data = b"".join([*RECORDS[:3], b"garbage\n", *RECORDS[3:]])[:-9]
    (tmp_path / "in.arc").write_bytes(data)
    done = run("ingest", "in.arc", "-o", "out.jsonl", check=1)
    first, *others = rows(tmp_path / "out.jsonl")
    assert (first["status"], first["url"]) == ("ok", URL.format(1))
    kinds = [row["error_kind"] for row in others]
    assert kinds == ["corrupt-record", "http-status", "truncated-record"]
    at = len(b"".join(RECORDS[:3]))
    assert f"in.arc@{at}: this is not an ARC record" in done.stderr.replace("\n", " ")


def test_an_arc_file_that_is_cut_is_read_to_the_cut(run: Run, tmp_path: Path) -> None:
    data = b"".join(map(gzip.compress, RECORDS))
    (tmp_path / "in.arc.gz").write_bytes(data[:-20])
    run("ingest", "in.arc.gz", "-o", "out.jsonl", check=1)
    *good, last = rows(tmp_path / "out.jsonl")
    assert [row["url"] for row in good] == [URL.format(1), URL.format(2)]
    assert (last["error_kind"], last["url"]) == ("truncated-record", URL.format(3))


def partitions(folder: Path, *, more: bool = True, rows: int = 1) -> list[Path]:
    """Writes a partitioned dataset; returns its files in order."""
    files = []
    for number in range(4):
        where = folder / f"year=202{number // 2}" / f"month=0{number % 2 + 1}"
        where.mkdir(parents=True)
        table = pa.table({"url": [URL.format(number)] * rows, "body": [BODY] * rows})
        pq.write_table(table, where / "part-0.parquet")
        files.append(where / "part-0.parquet")
        if more:
            (where / ".part-0.parquet.crc").write_bytes(b"crc")
    if more:
        (folder / "_SUCCESS").touch()
    return files


def ingested(run: Run, tmp_path: Path, *inputs: str, check: int = 0) -> list[Any]:
    run("ingest", *inputs, "-o", "out.jsonl", "--restart", check=check)
    return rows(tmp_path / "out.jsonl")


def test_a_folder_of_tables_and_archives_is_a_dataset(run: Run, tmp_path: Path) -> None:
    files = partitions(tmp_path / "data")
    archive, lines = tmp_path / "data/z.warc.gz", tmp_path / "data/a.jsonl.gz"
    archive.write_bytes(gzip.compress(record(URL.format(8), BODY)))
    lines.write_bytes(
        gzip.compress(json.dumps({"url": URL.format(9), "body": GOOD}).encode())
    )
    names = [str(path.relative_to(tmp_path)) for path in (lines, archive, *files)]
    found = ingested(run, tmp_path, "data")
    assert [row["url"] for row in found] == [URL.format(n) for n in (9, 8, 0, 1, 2, 3)]
    assert [row["status"] for row in found] == ["ok"] * 6
    assert found == ingested(run, tmp_path, *names)
    # The output may be in the folder, also from an earlier run.
    for _ in range(2):
        run("ingest", "data", "-o", "data/out.parquet", check=0)
        assert len(rows(tmp_path / "data/out.parquet")) == 6


@pytest.mark.parametrize(
    "other",
    [
        "a.txt",
        "year=2020/README.md",
        "_delta_log/0.json",
        "_temporary/0/b.parquet",
        ".hoodie/x.parquet",
    ],
)
def test_archives_among_documents_are_not_guessed(
    run: Run, tmp_path: Path, other: str
) -> None:
    files = partitions(tmp_path / "data", more=False)
    path = tmp_path / "data" / other
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(GOOD)
    found = ingested(run, tmp_path, "data", check=1)
    assert len(found) == len(files) + 1
    whys = [row.get("error_message", "") for row in found]
    expected = len(files) + other.endswith(".parquet")
    assert whys.count("a table in a folder: name it as an input") == expected


@pytest.mark.skipif(os.name != "posix", reason="pipes with a name")
def test_a_dataset_has_regular_files_only(run: Run, tmp_path: Path) -> None:
    partitions(tmp_path / "data", more=False)
    os.mkfifo(tmp_path / "data/a.warc.gz")
    found = ingested(run, tmp_path, "data", check=1)
    assert {row["error_kind"] for row in found} == {"unreadable"}


def test_a_dataset_without_documents_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    pq.write_table(pa.table({"x": [1]}), tmp_path / "data/a.parquet")
    done = run("ingest", "data", "-o", "out.jsonl", check=2)
    assert "a.parquet: there is no column 'body'" in done.stderr


def test_the_files_of_a_dataset_are_inputs_in_order(tmp_path: Path) -> None:
    files = [str(path) for path in partitions(tmp_path / "data")]
    data = str(tmp_path / "data")
    assert expanded([data, "-"], lambda _: False) == [*files, "-"]
    assert expanded([data], lambda path: path == files[1]) == [files[0], *files[2:]]
    (tmp_path / "empty").mkdir()
    empty = [str(tmp_path / "empty")]
    assert expanded(empty, lambda _: False) == empty


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("change", ["none", "grown", "changed"])
def test_a_dataset_can_be_gone_on_with(run: Run, tmp_path: Path, change: str) -> None:
    files = partitions(tmp_path / "data", rows=50)
    whole = ingested(run, tmp_path, "data")
    arguments = ("data", "-o", "again.jsonl", "-j", "1")
    process = small_parts(tmp_path, *arguments, rows=20, stops=True)
    assert until_it_stops(process)
    process.kill()
    process.communicate()
    if change == "grown":
        files[-1].with_name("part-1.parquet").write_bytes(files[0].read_bytes())
    elif change == "changed":
        os.utime(files[0], (1, 1))
    done = run("ingest", *arguments, "--resume", check=0 if change == "none" else 2)
    if change == "none":
        assert rows(tmp_path / "again.jsonl") == whole
    else:
        assert "discard" in done.stderr and "--restart" in done.stderr
