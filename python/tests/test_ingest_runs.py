"""`agentsdisc ingest` of crawls: WARC and tables, column selection, and unfinished runs."""

import argparse
import gzip
import importlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from conftest import LONG_ONLY, PATIENCE, ROOT, Run, environment, heed_interrupts

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
fastwarc = pytest.importorskip("fastwarc.warc")

OWN = ["source", "fetched", "http_status", "digest", "record_type"]
GOOD = "Spec-Version: 1.0\nSite-Name: a\nSite-URL: https://a.example\nCapability: checkout\n  Protocol: REST\n  Auth: oauth2\n"


def answers(path: Path, everything: bool = False) -> list[tuple[str, int, bytes]]:
    """Returns URL, status and body of every response to read."""
    places = (".txt", ".md", ".json", "/.well-known/agent", "/api-catalog")
    found = []
    kind = fastwarc.WarcRecordType.response
    for record in fastwarc.ArchiveIterator(str(path), record_types=kind):
        url = record.headers["WARC-Target-URI"]
        if everything or url.endswith(places):
            found.append((url, record.http_headers.status_code, record.reader.read()))
    return found


def record(url: str, body: bytes, head: str = "HTTP/1.1 200 OK") -> bytes:
    """Returns a WARC record of a response."""
    block = f"{head}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    warc = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    return warc.encode() + block + b"\r\n\r\n"


def compressed(data: bytes, kind: str) -> bytes:
    """Returns the data as a Zstandard or LZ4 frame."""
    streams = importlib.import_module("fastwarc.stream_io")
    sink = io.BytesIO()
    writer = (streams.ZstdWriter if kind == "zst" else streams.Lz4Writer)(sink)
    writer.write(data)
    writer.close()
    return sink.getvalue()


def few(count: int = 9) -> list[bytes]:
    return [
        record(f"https://s{n}.example/agents.txt", GOOD.encode()) for n in range(count)
    ]


def rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_bytes().splitlines()]
    return pq.read_table(path).to_pylist()  # type: ignore[no-any-return]


def test_every_answer_is_a_row_of_parse_batch(
    run: Run, tmp_path: Path, corpus: Path
) -> None:
    done = run("ingest", corpus, "-o", "out.parquet", "--check", check=0)
    assert "documents/s" in done.stderr
    expected = answers(corpus)
    assert len(expected) > 1000
    good = [(url, body) for url, status, body in expected if status == 200]
    batch = agentsdisc.parse_batch([body for _, body in good], [url for url, _ in good])
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.num_rows == len(expected)
    read = pa.compute.field("error_kind") != "http-status"
    kept = table.filter(read | pa.compute.field("error_kind").is_null())
    assert (
        kept.drop_columns(OWN)
        .combine_chunks()
        .equals(pa.Table.from_batches([pa.record_batch(batch)]))
    )
    refused = [url for url, status, _ in expected if status != 200]
    others = [row for row in table.to_pylist() if row["error_kind"] == "http-status"]
    assert [row["url"] for row in others] == refused
    assert others[0]["error_message"] == "HTTP/1.1 404 Not Found"
    run("ingest", corpus, "-o", "all.parquet", "--all-records", check=0)
    assert pq.read_table(tmp_path / "all.parquet").num_rows == 1200


def test_damage_costs_only_the_damaged_part(run: Run, tmp_path: Path) -> None:
    records = few()
    packed = [gzip.compress(one, mtime=0) for one in records]
    broken = bytearray(packed[4])
    broken[60:90] = bytes(30)
    (tmp_path / "a.warc.gz").write_bytes(b"".join([*packed[:4], broken, *packed[5:]]))
    (tmp_path / "b.warc").write_bytes(
        b"".join([*records[:4], b"XXXX" + records[4][4:], *records[5:]])
    )
    (tmp_path / "c.warc").write_bytes(b"".join(records)[:-100])
    (tmp_path / "d.warc.gz").write_bytes(b"".join(packed)[:-20])
    (tmp_path / "e.warc").write_bytes(b"nothing of the kind " * 1000)
    (tmp_path / "f.warc").write_bytes(b"")
    (tmp_path / "g.warc.gz").write_bytes(b"\x1f\x8b\x08" * 20_000)
    found = {}
    for name in (
        "a.warc.gz",
        "b.warc",
        "c.warc",
        "d.warc.gz",
        "e.warc",
        "f.warc",
        "g.warc.gz",
    ):
        # The time limit is two minutes; a search that restarts at every byte takes longer.
        code = 0 if name == "f.warc" else 1
        run("ingest", name, "-o", f"{name}.jsonl", check=code)
        found[name] = [
            row.get("error_kind", "ok") for row in rows(tmp_path / f"{name}.jsonl")
        ]
    assert found["a.warc.gz"] == ["ok"] * 4 + ["corrupt-record"] + ["ok"] * 4
    assert found["b.warc"] == ["ok"] * 4 + ["corrupt-record"] + ["ok"] * 4
    assert found["c.warc"] == ["ok"] * 8 + ["truncated-record"]
    assert found["d.warc.gz"] == ["ok"] * 8 + ["truncated-record"]
    assert found["e.warc"] == ["corrupt-record"]
    assert found["f.warc"] == []
    assert found["g.warc.gz"] == ["truncated-record"]


def test_codings_of_answers(run: Run, tmp_path: Path) -> None:
    body = GOOD.encode()
    coded = gzip.compress(body)
    large = b"x: y\n" * 400_000
    (tmp_path / "in.warc").write_bytes(
        record(
            "https://a.example/agents.txt",
            coded,
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip",
        )
        + record("https://a.example/agents.txt", b"gone", "HTTP/1.1 410 Gone")
        + record("<https://b.example/.well-known/agents.txt?x=1>", body)
        + record("https://b.example/index.html", body)
        + record("https://c.example/agents.txt", large)
        + record(
            "https://d.example/agents.txt",
            coded[:-9],
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip",
        )
        + record("https://e.example/agents.txt", body)
    )
    run("ingest", "in.warc", "-o", "out.jsonl", check=0)
    found = rows(tmp_path / "out.jsonl")
    assert [row["url"][:17] for row in found] == [
        "https://a.example",
        "https://a.example",
        "https://b.example",
        "https://c.example",
        "https://d.example",
        "https://e.example",
    ]
    assert found[0]["status"] == "ok" and found[0]["bytes"] == len(body)
    assert found[1]["error_kind"] == "http-status"
    assert found[2]["url"].endswith("?x=1") and found[2]["status"] == "ok"
    assert (found[3]["error_kind"], found[3]["bytes"]) == ("too-large", len(large))
    assert found[5]["status"] == "ok"
    data = (tmp_path / "in.warc").read_bytes()
    run("ingest", "-", "-o", "again.jsonl", input=data, check=0)
    assert [row["status"] for row in rows(tmp_path / "again.jsonl")] == [
        row["status"] for row in found
    ]


def test_tables_come_in(run: Run, tmp_path: Path) -> None:
    bodies = [GOOD.encode(), None, b"<html>"] * 1500
    urls = [f"https://s{n}.example/agents.txt" for n in range(len(bodies))]
    table = pa.table({"n": range(len(bodies)), "body": bodies, "url": urls})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=700)
    with pa.ipc.new_file(str(tmp_path / "in.arrow"), table.schema) as writer:
        writer.write_table(table, 333)
    with pa.ipc.new_stream(str(tmp_path / "stream.arrow"), table.schema) as writer:
        writer.write_table(table, 333)
    expected = pa.record_batch(agentsdisc.parse_batch(table))
    for name in ("in.parquet", "in.arrow", "stream.arrow"):
        run("ingest", name, "-o", "out.parquet", "--jobs=3", "--check", check=0)
        found = pq.read_table(tmp_path / "out.parquet")
        assert found.column("source").to_pylist()[:2] == [f"{name}:0", f"{name}:1"]
        assert (
            found.drop_columns(OWN)
            .combine_chunks()
            .equals(pa.Table.from_batches([expected]))
        )
    named = table.rename_columns(["n", "page", "at"])
    pq.write_table(named, tmp_path / "named.parquet")
    columns = ("--columns", "url,error_kind")
    where = ("--body-column", "page", "--url-column", "at")
    run("ingest", "named.parquet", "-o", "out.jsonl", *columns, *where, check=0)
    assert rows(tmp_path / "out.jsonl")[:2] == [
        {"url": urls[0]},
        {"url": urls[1], "error_kind": "no-body"},
    ]


def test_wrong_tables_are_said(run: Run, tmp_path: Path) -> None:
    pq.write_table(pa.table({"body": [1], "x": ["a"]}), tmp_path / "a.parquet")
    done = run("ingest", "a.parquet", "-o", "out.parquet", check=2)
    assert "the column 'body' holds int64; it must hold bytes or text" in done.stderr
    done = run(
        "ingest", "a.parquet", "-o", "out.parquet", "--body-column", "y", check=2
    )
    assert "there is no column 'y'" in done.stderr and "body, x" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]
    whole = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "b.parquet").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "c.arrow").write_bytes(b"nothing")
    run("ingest", "b.parquet", "c.arrow", "-o", "out.jsonl", check=1)
    assert [row["error_kind"] for row in rows(tmp_path / "out.jsonl")] == [
        "unreadable"
    ] * 2


def test_rows_and_columns_are_chosen(run: Run, tmp_path: Path, corpus: Path) -> None:
    run("ingest", corpus, "-o", "whole.parquet", check=0)
    table = rows(tmp_path / "whole.parquet")
    run(
        "ingest",
        corpus,
        "-o",
        "some.parquet",
        "--columns",
        "source,format,service.name",
        check=0,
    )
    some = pq.read_table(tmp_path / "some.parquet")
    assert some.column_names == ["source", "format", "service"]
    assert [row["service"] for row in some.to_pylist()] == [
        row["service"] and {"name": row["service"]["name"]} for row in table
    ]
    done = run(
        "ingest", corpus, "-o", "awp.parquet", "--where-format", "awp,adp", check=0
    )
    chosen_rows = len(rows(tmp_path / "awp.parquet"))
    assert f"written: awp.parquet ({chosen_rows:,} rows)" in done.stderr
    assert rows(tmp_path / "awp.parquet") == [
        row for row in table if row["format"] in ("awp", "adp")
    ]
    run("ingest", corpus, "-o", "good.parquet", "--errors-to", "bad.jsonl", check=0)
    assert rows(tmp_path / "good.parquet") == [
        row for row in table if row["status"] == "ok"
    ]
    bad = rows(tmp_path / "bad.jsonl")
    assert [row["source"] for row in bad] == [
        row["source"] for row in table if row["status"] == "error"
    ]
    assert {"url", "error_kind", "error_message"} <= bad[0].keys()
    done = run(
        "ingest", corpus, "-o", "each.parquet", "--explode", "capabilities", check=0
    )
    each = rows(tmp_path / "each.parquet")
    assert f"written: each.parquet ({len(each):,} rows)" in done.stderr
    assert [(row["source"], row["capability"]) for row in each] == [
        (row["source"], capability)
        for row in table
        for capability in row["capabilities"] or ()
    ]
    identifying = ["source", "url", "bytes", "format", "status", "capability"]
    assert list(each[0]) == identifying
    chosen = ("--columns", "url,capabilities.id,capabilities.auth.type")
    run(
        "ingest",
        corpus,
        "-o",
        "each.jsonl",
        "--explode",
        "capabilities",
        *chosen,
        check=0,
    )
    assert [row["capability"].get("id") for row in rows(tmp_path / "each.jsonl")] == [
        row["capability"]["id"] for row in each
    ]
    for option, value, message in (
        ("--columns", "nope", "no column"),
        ("--where-format", "nope", "no format 'nope'"),
        ("--errors-to", "x.csv", "must end in"),
    ):
        assert (
            message
            in run("ingest", corpus, "-o", "x.parquet", option, value, check=2).stderr
        )
    assert not list(tmp_path.glob("x*"))


def test_rows_of_many_capabilities_are_created_in_pieces() -> None:
    from agentsdisc.cli.ingest import choice
    from agentsdisc.cli.inputs import Documents, Place
    from agentsdisc.cli.items import Batch
    from agentsdisc.cli.table import Maker

    many = [{"id": f"c{n}", "endpoint": "/x", "method": "GET"} for n in range(4000)]
    site = {"name": "a", "url": "https://a.example", "description": "d" * 200_000}
    body = json.dumps({"version": "1.0", "site": site, "capabilities": many}).encode()
    batch = Batch()
    for number in range(2):
        documents = Documents()
        documents.add(str(number), "https://a.example/agents.json", body, len(body))
        batch.add(documents)
    options = argparse.Namespace(
        columns=("service.description", "capabilities.id"),
        where_format=None,
        check=False,
        explode="capabilities",
        errors_to=None,
    )
    maker = Maker(choice(options), agentsdisc.Limits())
    done = maker.made(batch, Place())
    found, largest = [], 0
    for piece in done.rows:
        largest = max(largest, piece.nbytes)
        found += [one["id"] for one in piece.column("capability").to_pylist()]
    assert found == [one["id"] for one in many] * 2
    # A single batch of all rows would hold the description 8,000 times: 1.6 GB.
    assert 1 << 20 < largest < 16 << 20


def small_archives(folder: Path, found: list[Any]) -> None:
    for number in range(0, len(found), 3):
        records = [record(url, body) for url, _, body in found[number : number + 3]]
        name = f"{number:05}.warc.gz"
        (folder / name).write_bytes(b"".join(map(gzip.compress, records)))


def small_lines(folder: Path, found: list[Any]) -> None:
    for number in range(0, len(found), 3):
        texts = [
            json.dumps({"url": url, "body": body.decode("latin-1")})
            for url, _, body in found[number : number + 3]
        ]
        # Some files end without a line end.
        (folder / f"{number:05}.jsonl").write_text(
            "\n".join(texts) + "\n" * (number % 2)
        )


def small_tables(folder: Path, found: list[Any]) -> None:
    for number in range(0, len(found), 3):
        urls, _, bodies = zip(*found[number : number + 3], strict=True)
        table = pa.table({"url": urls, "body": bodies})
        pq.write_table(table, folder / f"{number:05}.parquet")


@pytest.mark.parametrize("make", [small_archives, small_lines, small_tables])
def test_many_inputs_give_the_rows_of_one(
    run: Run, tmp_path: Path, corpus: Path, make: Any
) -> None:
    found = answers(corpus)[:900]
    (tmp_path / "many").mkdir()
    make(tmp_path / "many", found)
    names = sorted(path.name for path in (tmp_path / "many").iterdir())
    assert len(names) == 300
    if make is small_lines:
        texts = [(tmp_path / "many" / name).read_text().rstrip("\n") for name in names]
        (tmp_path / "one.jsonl").write_text("\n".join(texts))
        one = "one.jsonl"
    elif make is small_tables:
        tables = [pq.read_table(tmp_path / "many" / name) for name in names]
        pq.write_table(pa.concat_tables(tables), tmp_path / "one.parquet")
        one = "one.parquet"
    else:
        parts = [(tmp_path / "many" / name).read_bytes() for name in names]
        (tmp_path / "one.warc.gz").write_bytes(b"".join(parts))
        one = "one.warc.gz"
    run("ingest", one, "-o", "of_one.parquet", check=0)
    inputs = [f"many/{name}" for name in names]
    run("ingest", *inputs, "-o", "of_many.parquet", check=0)
    few, many = rows(tmp_path / "of_one.parquet"), rows(tmp_path / "of_many.parquet")
    sources = [row.pop("source") for row in many]
    assert [row.pop("source") for row in few] != sources
    assert few == many
    assert len(set(sources)) == 900
    for number, source in enumerate(sources):
        name = inputs[number // 3]
        at = number % 3 + (make is small_lines)
        assert source.startswith(f"{name}{'@' if make is small_archives else ':'}")
        assert make is small_archives or source == f"{name}:{at}"


def test_a_batch_holds_parts_of_many_inputs_within_bounds() -> None:
    """A batch of its own for each of many small inputs costs thirty times as much as reading them."""
    from agentsdisc.cli import items
    from agentsdisc.cli.ingest import batches
    from agentsdisc.cli.inputs import Documents, Item, Lines, Place

    def some(count: int, size: int) -> Documents:
        documents = Documents()
        for number in range(count):
            documents.add(f"x@{number}", None, bytes(size), size)
        return documents

    def made(*parts: Any) -> list[tuple[int, int, int]]:
        stream = ((part, Place(number)) for number, part in enumerate(parts))
        found = [(batch.count, batch.held, at.input) for batch, at in batches(stream)]
        assert all(count <= items._DOCUMENTS for count, _, _ in found)
        return found

    assert made(*(some(3, 10) for _ in range(4000))) == [
        (4095, 40950, 1364),
        (4095, 40950, 2729),
        (3810, 38100, 3999),
    ]
    large = items._BYTES // 2
    assert made(*(some(1, large) for _ in range(5))) == [
        (2, 2 * large, 1),
        (2, 2 * large, 3),
        (1, large, 4),
    ]
    assert made(some(1, 3 * large), Item("y", None, b"1", 1)) == [
        (1, 3 * large, 0),
        (1, 1, 1),
    ]
    lines = Lines("x", 1, b"{}\n{}")
    assert made(some(1, 1), lines, lines, some(1, 1)) == [
        (1, 1, 0),
        (4, 10, 2),
        (1, 1, 3),
    ]


def test_a_run_does_not_import_pandas(tmp_path: Path) -> None:
    """The run must not import pandas, because the import is slow; pyarrow imports it for every list."""
    pytest.importorskip("pandas")
    (tmp_path / "a.warc").write_bytes(b"".join(few()))
    code = (
        "import sys, agentsdisc.cli as cli\n"
        "assert cli.main(sys.argv[1:]) == 0\n"
        "sys.exit('pandas' in sys.modules)"
    )
    for options in (
        ("a.parquet",),
        ("b.jsonl", "--errors-to", "bad.arrow", "--where-format", "agents-txt"),
        ("c.arrow", "--explode", "capabilities"),
    ):
        command = [sys.executable, "-c", code, "ingest", "a.warc", "-o", *options]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True
        )
        assert done.returncode == 0, done.stderr


def small_parts(
    tmp_path: Path,
    *arguments: object,
    file_size: int = 0,
    stops: bool = False,
    rows: int = 120,
) -> subprocess.Popen[bytes]:
    """Starts a run with small parts, so that it can be stopped at many points. It may stop itself after its first part: see `until_it_stops`."""
    code = (
        "import sys, agentsdisc.cli as cli, agentsdisc.cli.ingest as ingest\n"
        "import agentsdisc.cli.items as items, agentsdisc.cli.tables as tables\n"
        f"ingest._PART_ROWS, items._DOCUMENTS, tables._ROWS = {rows}, 20, 20\n"
        f"size = {file_size}\n"
        "if size:\n"
        "    import resource\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))\n"
        f"if {stops}:\n"
        "    import os, signal, agentsdisc.cli.parts as parts\n"
        "    add = parts.Parts.add\n"
        "    def stopping(self, finished):\n"
        "        parts.Parts.add = add\n"
        "        add(self, finished)\n"
        "        os.kill(os.getpid(), signal.SIGSTOP)\n"
        "    parts.Parts.add = stopping\n"
        "sys.exit(cli.main(sys.argv[1:]))\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, "ingest", *map(str, arguments)],
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.PIPE,
        preexec_fn=heed_interrupts,
    )


def finished(process: "subprocess.Popen[bytes]", code: int) -> str:
    said = process.communicate(timeout=PATIENCE)[1].decode()
    assert "Traceback" not in said, said
    assert process.returncode == code, said
    return said


def until_it_stops(process: "subprocess.Popen[bytes]") -> bool:
    """Waits until a run stops after its first part. Returns False if it ended without a part."""
    state = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    assert state is not None
    return state.si_code == os.CLD_STOPPED


def killed_at_each_part(tmp_path: Path, *arguments: object) -> str:
    """Makes out.jsonl anew in runs that are killed after their first part. Returns what the last one says."""
    process, kills = small_parts(tmp_path, *arguments, rows=20, stops=True), 0
    (tmp_path / "out.jsonl").unlink()
    while until_it_stops(process):
        process.kill()
        process.communicate()
        kills += 1
        process = small_parts(tmp_path, *arguments, "--resume", rows=20, stops=True)
    assert kills >= 4
    return finished(process, 0)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    ("name", "jobs"),
    [
        pytest.param("out.jsonl", 1, marks=LONG_ONLY),
        ("out.parquet", 2),
        pytest.param("out.jsonl", 3, marks=LONG_ONLY),
    ],
)
def test_a_run_that_is_killed_again_and_again_ends_the_same(
    tmp_path: Path, corpus: Path, name: str, jobs: int
) -> None:
    arguments = (corpus, "-o", name, "--errors-to", "bad.jsonl", "--jobs", jobs)
    finished(small_parts(tmp_path, *arguments), 0)
    assert not (tmp_path / f"{name}.parts").exists()
    expected, bad = rows(tmp_path / name), rows(tmp_path / "bad.jsonl")
    (tmp_path / name).unlink()
    (tmp_path / "bad.jsonl").unlink()
    kills = 0
    for attempt in range(40):
        again = ("--resume",) if (tmp_path / f"{name}.parts").exists() else ()
        process = small_parts(tmp_path, *arguments, *again, stops=True)
        # The first kill is at a fixed point, later ones at any point.
        if until_it_stops(process) and attempt > 0:
            process.send_signal(signal.SIGCONT)
            time.sleep(0.013 * (attempt % 7))
        process.kill()
        process.communicate()
        if process.returncode == 0:
            break
        kills += 1
        # Only a complete file has the name of the output.
        assert not (tmp_path / name).exists() or rows(tmp_path / name) == expected
        for part in (tmp_path / f"{name}.parts").glob(f"part-?????{Path(name).suffix}"):
            rows(part)
        if kills >= 4:
            finished(small_parts(tmp_path, *arguments, "--resume"), 0)
            break
    assert kills >= 1
    assert rows(tmp_path / name) == expected
    assert rows(tmp_path / "bad.jsonl") == bad
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.jsonl", name]


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)]
)
def test_an_interrupted_run_can_go_on(
    run: Run, tmp_path: Path, corpus: Path, number: int, code: int
) -> None:
    run("ingest", corpus, "-o", "whole.parquet", check=0)
    process = small_parts(
        tmp_path, corpus, "-o", "out.parquet", "--jobs", "1", stops=True
    )
    assert until_it_stops(process)
    process.send_signal(number)
    process.send_signal(signal.SIGCONT)
    said = finished(process, code)
    assert "continue with --resume" in said
    assert not (tmp_path / "out.parquet").exists()
    assert not list((tmp_path / "out.parquet.parts").glob("*.partial"))
    done = run("ingest", corpus, "-o", "out.parquet", check=2)
    assert "continue it with --resume, or discard it with --restart" in done.stderr
    done = run("ingest", corpus, "-o", "out.parquet", "--resume", "--check", check=2)
    assert "the unfinished run has another --check; use the same options" in done.stderr
    done = run("ingest", corpus, "-o", "out.parquet", "--resume", check=0)
    assert rows(tmp_path / "out.parquet") == rows(tmp_path / "whole.parquet")
    count = f"{len(rows(tmp_path / 'out.parquet')):,}"
    assert f"{count} documents" in done.stderr
    assert f"written: out.parquet ({count} rows)" in done.stderr
    assert not (tmp_path / "out.parquet.parts").exists()


def other(kind: str, url: str, length: int = 2) -> bytes:
    """Returns a WARC record that is no response."""
    head = f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Length: {length}\r\n\r\n"
    return head.encode() + b"x" * length + b"\r\n\r\n"


SAID = (
    "passed over: 127 records (request: 40, response from another URL: 40, revisit: 20, conversion: 20, "
    "warcinfo: 3, metadata: 1, resource: 1, record of another type: 1, continuation: 1)"
)


def mixed(count: int) -> bytes:
    """Returns documents between records of every kind, and some kinds at the end."""
    parts = [other("warcinfo", "https://a.example/")]
    for number in range(count):
        host = f"https://s{number}.example"
        parts += [other("request", f"{host}/agents.txt")]
        parts += [record(f"{host}/agents.txt", GOOD.encode())]
        parts += [record(f"{host}/index.html", b"<p>")]
        parts += [other(kind, host) for kind in ("revisit", "conversion")] * (
            number % 2
        )
    ends = ("metadata", "resource", "X-Y", "continuation", "warcinfo", "warcinfo")
    return b"".join(parts + [other(kind, "https://a.example/") for kind in ends])


@pytest.mark.parametrize("packing", [bytes, gzip.compress])
def test_records_that_are_passed_over_are_counted_by_reason(
    run: Run, tmp_path: Path, packing: Any
) -> None:
    (tmp_path / "in.warc.gz").write_bytes(packing(mixed(40)))
    done = run("ingest", "in.warc.gz", "-o", "out.jsonl", check=0)
    assert SAID in done.stderr.replace("\n", " ")
    assert len(rows(tmp_path / "out.jsonl")) == 40
    done = run("ingest", "in.warc.gz", "-o", "out.jsonl", "--all-records", check=0)
    assert "passed over: 87 records" in done.stderr
    (tmp_path / "none.warc").write_bytes(other("resource", "https://a.example/"))
    done = run("ingest", "none.warc", "-o", "out.jsonl", check=0)
    assert "passed over: 1 record (resource: 1)" in done.stderr


FIRST, SECOND = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


def captured(kind: str, url: str, body: bytes, date: str, **others: str) -> bytes:
    """Returns a record with the fields that a crawler writes."""
    fields = {"WARC-Date": date} | {
        f"WARC-{name.replace('_', '-')}": value for name, value in others.items()
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    block = body if kind == "response" else b"HTTP/1.1 304 Not Modified\r\n\r\n"
    if kind == "response":
        block = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    return (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n{head}Content-Length: {len(block)}\r\n\r\n".encode()
        + block
        + b"\r\n\r\n"
    )


SITE = "https://a.example/agents.txt"
EARLIER = captured(
    "response", SITE, GOOD.encode(), FIRST, Payload_Digest="sha1:ABCDEFGH"
)
BY_DIGEST = captured(
    "revisit", SITE, b"", SECOND, Payload_Digest="sha1:ABCDEFGH", Refers_To_Date="x"
)
BY_DATE = captured(
    "revisit",
    "https://b.example/agents.txt",
    b"",
    SECOND,
    Refers_To_Target_URI=SITE,
    Refers_To_Date=FIRST,
)
OTHER = captured("revisit", SITE, b"", SECOND, Payload_Digest="sha1:ZZZZ")
UNKNOWN = "revisit of a record that is not in the run"


def test_the_table_has_what_an_archive_states(run: Run, tmp_path: Path) -> None:
    gone = record("https://c.example/agents.txt", b"", "HTTP/1.1 410 Gone")
    odd = captured(
        "response", SITE, b"x", "yesterday", Payload_Digest="sha1:" + 999 * "A"
    )
    (tmp_path / "in.warc.gz").write_bytes(
        b"".join(map(gzip.compress, [EARLIER, gone, odd]))
    )
    (tmp_path / "in.jsonl").write_text(json.dumps({"url": SITE, "body": GOOD}))
    run("ingest", "in.warc.gz", "in.jsonl", "-o", "out.parquet", check=0)
    names = ("fetched", "http_status", "digest", "record_type", "status")
    found = [
        tuple(row[name] for name in names) for row in rows(tmp_path / "out.parquet")
    ]
    assert found == [
        (FIRST, 200, "sha1:ABCDEFGH", "response", "ok"),
        ("2026-11-01T00:00:00Z", 410, None, "response", "error"),
        (None, 200, None, "response", "error"),
        (None, None, None, None, "ok"),
    ]
    run("ingest", "in.warc.gz", "-o", "few.jsonl", "-c", "http_status,url", check=0)
    assert rows(tmp_path / "few.jsonl")[1] == {
        "http_status": 410,
        "url": "https://c.example/agents.txt",
    }


@pytest.mark.parametrize("packing", [bytes, gzip.compress])
@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_a_revisit_has_the_document_of_the_earlier_record(
    run: Run, tmp_path: Path, packing: Any, names: tuple[str, str]
) -> None:
    for name, parts in (("a", [BY_DIGEST, OTHER]), ("b", [BY_DATE, EARLIER])):
        (tmp_path / f"{name}.warc").write_bytes(b"".join(map(packing, parts)))
    inputs = [f"{name}.warc" for name in names]
    done = run("ingest", *inputs, "-o", "out.parquet", "--json", check=0)
    summary = json.loads(done.stdout)
    assert summary["passed_over"] == {UNKNOWN: 1}
    assert (summary["documents"], summary["rows"], summary["lost"]) == (3, 3, 0)
    first, *others = rows(tmp_path / "out.parquet")
    assert (first["record_type"], first["fetched"]) == ("response", FIRST)
    assert {row["url"] for row in others} == {SITE, "https://b.example/agents.txt"}
    for row in others:
        own = {"record_type": "revisit", "fetched": SECOND}
        same = ("source", "url")
        expected = {**first, **own, **{name: row[name] for name in same}}
        assert row == expected
        assert row["source"] in ("a.warc@0", "b.warc@0")


def test_revisits_are_read_only_in_the_run_and_within_bounds(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agentsdisc.cli import inputs

    (tmp_path / "a.warc").write_bytes(BY_DIGEST * 3)
    (tmp_path / "b.warc").write_bytes(EARLIER)
    done = run("ingest", "a.warc", "-o", "x.jsonl", check=0)
    assert f"passed over: 3 records ({UNKNOWN}: 3)" in done.stderr.replace("\n", " ")
    everything = (tmp_path / "b.warc").read_bytes() + BY_DIGEST
    done = run("ingest", "-", "-o", "x.jsonl", input=everything, check=0)
    assert f"({UNKNOWN}: 1)" in done.stderr.replace("\n", " ")

    def counted(**bounds: int) -> tuple[int, Any]:
        for name, value in bounds.items():
            monkeypatch.setattr(inputs, name, value)
        names = [str(tmp_path / "a.warc"), str(tmp_path / "b.warc")]
        wanted = inputs.Wanted(1 << 20, revisits=True)
        parts = [part for part, _ in inputs.items(names, wanted, lambda _: False)]
        passed = sum((part.passed for part in parts), Counter())  # type: ignore[union-attr]
        return sum(part.count for part in parts), passed

    assert counted() == (4, {})
    assert counted(_REVISITED=2 * len(GOOD)) == (3, {"revisit beyond the limit": 1})
    assert counted(_REVISITS=700) == (2, {"revisit beyond the limit": 2})


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_resumed_run_reads_each_revisit_once(tmp_path: Path) -> None:
    host = "https://s{}.example/agents.txt"
    some = [
        captured("response", host.format(n), GOOD.encode(), FIRST) for n in range(60)
    ]
    again = [
        captured("revisit", host.format(n), b"", SECOND, Refers_To_Date=FIRST)
        for n in range(80)
    ]
    (tmp_path / "a.warc").write_bytes(b"".join(again[:40] + some[:30]))
    (tmp_path / "b.warc").write_bytes(b"".join(some[30:] + again[40:]))
    arguments = ("a.warc", "b.warc", "-o", "out.jsonl", "--jobs", "1")
    expected = finished(small_parts(tmp_path, *arguments, rows=20), 0)
    assert f"{UNKNOWN}: 20" in expected.replace("\n", " ")
    whole = rows(tmp_path / "out.jsonl")
    assert len(whole) == 120
    said = killed_at_each_part(tmp_path, *arguments)
    assert rows(tmp_path / "out.jsonl") == whole
    assert (
        expected[expected.index("passed over") :] == said[said.index("passed over") :]
    )


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_resumed_run_counts_each_record_once(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(mixed(40))
    (tmp_path / "b.warc.gz").write_bytes(gzip.compress(mixed(40)))
    arguments = ("a.warc", "b.warc.gz", "-o", "out.jsonl", "--jobs", "1")
    expected = finished(small_parts(tmp_path, *arguments, rows=20), 0)
    assert "passed over: 254 records" in expected
    said = killed_at_each_part(tmp_path, *arguments)
    assert (
        expected[expected.index("passed over") :] == said[said.index("passed over") :]
    )


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_every_kind_of_input_can_be_taken_up(tmp_path: Path, corpus: Path) -> None:
    found = answers(corpus)[:400]
    folder = tmp_path / "tree"
    for url, _, body in found:
        path = folder / url.removeprefix("https://")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    texts = [body.decode("utf-8", "replace") for _, _, body in found]
    lines = [json.dumps({"body": text}).encode() for text in texts]
    (tmp_path / "in.jsonl").write_bytes(b"\n".join(lines))
    pq.write_table(
        pa.table({"body": [body for *_, body in found]}), tmp_path / "in.parquet"
    )
    inputs = ("tree", "in.parquet", "in.jsonl")
    finished(small_parts(tmp_path, *inputs, "-o", "whole.jsonl"), 0)
    process = small_parts(tmp_path, *inputs, "-o", "out.jsonl", stops=True)
    for _ in range(30):
        # Each run is killed one part later than the run before, through all inputs.
        stood = until_it_stops(process)
        process.kill()
        process.communicate()
        if not stood:
            break
        again = (*inputs, "-o", "out.jsonl", "--resume")
        process = small_parts(tmp_path, *again, stops=True)
    assert process.returncode == 0
    assert (tmp_path / "out.jsonl").read_bytes() == (
        tmp_path / "whole.jsonl"
    ).read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("name", ["tree", "in.jsonl"])
def test_inputs_that_have_changed_are_not_gone_on_with(
    run: Run, tmp_path: Path, name: str
) -> None:
    text = json.dumps({"body": GOOD}) + "\n"
    if name == "tree":
        for number in range(400):
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / f"{number:03}.txt").write_text(GOOD)
    else:
        (tmp_path / name).write_text(text * 400)
    process = small_parts(tmp_path, name, "-o", "out.jsonl", "--jobs", "1", stops=True)
    assert until_it_stops(process)
    process.kill()
    process.communicate()
    if name == "tree":
        (tmp_path / name / "000-before.txt").write_text(GOOD)
    else:
        (tmp_path / name).write_text(text * 401)
    done = run("ingest", name, "-o", "out.jsonl", "--resume", check=2)
    assert f"{name}: the input has changed since the unfinished run" in done.stderr
    if name == "tree":
        # So is a file behind the position of the unfinished run.
        (tmp_path / name / "000-before.txt").unlink()
        (tmp_path / name / "999.txt").write_text(GOOD)
        run("ingest", name, "-o", "out.jsonl", "--resume", check=2)
        (tmp_path / name / "999.txt").unlink()
        run("ingest", name, "-o", "out.jsonl", "--resume", check=0)
    else:
        run("ingest", name, "-o", "out.jsonl", "--restart", check=0)
    assert len(rows(tmp_path / "out.jsonl")) == (400 if name == "tree" else 401)


@pytest.mark.skipif(sys.platform != "linux", reason="a limit on the size of files")
@pytest.mark.parametrize("name", ["out.parquet", "out.jsonl"])
def test_a_full_disk_is_reported_and_finished_parts_are_kept(
    tmp_path: Path, corpus: Path, name: str
) -> None:
    """A file size limit simulates a full disk: the parts fit, the output does not."""
    finished(small_parts(tmp_path, corpus, "-o", f"whole{Path(name).suffix}"), 0)
    whole = tmp_path / f"whole{Path(name).suffix}"
    limit = whole.stat().st_size // 2
    said = finished(small_parts(tmp_path, corpus, "-o", name, file_size=limit), 2)
    assert said.startswith("agentsdisc: ") and "continue with --resume" in said
    assert not (tmp_path / name).exists()
    assert not list((tmp_path / f"{name}.parts").glob("*.partial"))
    finished(small_parts(tmp_path, corpus, "-o", name, "--resume"), 0)
    assert rows(tmp_path / name) == rows(whole)


def test_two_runs_do_not_write_one_output(
    run: Run, tmp_path: Path, corpus: Path
) -> None:
    pytest.importorskip("fcntl")
    process = small_parts(
        tmp_path, corpus, "-o", "out.parquet", "--jobs", "1", stops=True
    )
    assert until_it_stops(process)
    try:
        for again in ("--resume", "--restart"):
            done = run("ingest", corpus, "-o", "out.parquet", again, check=2)
            assert "another run is writing to this folder" in done.stderr
    finally:
        process.send_signal(signal.SIGCONT)
    finished(process, 0)


def test_standard_input_cannot_be_taken_up(run: Run, tmp_path: Path) -> None:
    done = run("ingest", "-", "-o", "out.jsonl", "--resume", check=2)
    assert "cannot be read again" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_every_documented_location_is_read(run: Run, tmp_path: Path) -> None:
    text = (ROOT / "docs/formats/locations.md").read_text(encoding="utf-8")
    table = text.partition("<!-- End")[0]
    paths = sorted(set(re.findall(r"`(/[^`]+)`", table)))
    assert len(paths) > 15
    paths += ["/llms-full.txt", "/docs/llms.txt", "/a/docs/llms-full.txt"]
    paths += ["/mcp/server-card", "/v1/mcp/server-card.json", "/server.json"]
    others = ["/llms-fuller.txt", "/myserver.json", "/?/llms.txt", "/server-cards"]
    others += ["/index.html", "/llms.txt.html", "/mcp.json", "/blog/agent-card.json"]
    records = [record(f"https://a.example{path}", b"x") for path in paths + others]
    (tmp_path / "in.warc").write_bytes(b"".join(records))
    run("ingest", "in.warc", "-o", "out.jsonl", check=0)
    read = {row["url"] for row in rows(tmp_path / "out.jsonl")}
    assert read == {f"https://a.example{path}" for path in paths}
