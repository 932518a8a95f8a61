"""Inputs of `agentsdisc ingest`: encoded responses, large rows, unusual names, standard input."""

import bz2
import errno
import gzip
import io
import json
import lzma
import os
import random
import shutil
import subprocess
import sys
import tarfile
import threading
import zipfile
import zlib
from pathlib import Path

import pytest
from agentsdisc.cli import inputs, items, outputs, tables
from agentsdisc.cli.reading import Unreadable
from conftest import LONG_ONLY, Run, environment
from test_ingest_containers import arc
from test_ingest_runs import GOOD, compressed, record, rows

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("fastwarc.warc")

BODY = GOOD.encode()
GZIP, CHUNKED = "Content-Encoding: gzip", "Transfer-Encoding: chunked"


def chunks(*pieces: bytes) -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces)


def coded(body: bytes, *headers: str) -> bytes:
    head = "\r\n".join(["HTTP/1.1 200 OK", *headers])
    return record("https://a.example/agents.txt", body, head)


END = b"0\r\n\r\n"
PACKED = gzip.compress(BODY, mtime=0)
CODED = [
    (coded(chunks(BODY[:9], BODY[9:]) + END, CHUNKED), "ok"),
    (coded(chunks(BODY) + END, "transfer-encoding: Chunked"), "ok"),
    (coded(chunks(PACKED[:20], PACKED[20:]) + END, CHUNKED, GZIP), "ok"),
    (coded(gzip.compress(PACKED), "Content-Encoding: gzip, x-gzip"), "ok"),
    (coded(gzip.compress(PACKED), GZIP, GZIP), "ok"),
    (coded(gzip.compress(BODY[:9]) + gzip.compress(BODY[9:]), GZIP), "ok"),
    (coded(PACKED + gzip.compress(b"")[:-5], GZIP), "truncated-record"),
    (coded(gzip.compress(b"") * 90_000 + PACKED, GZIP), "ok"),
    (coded(zlib.compress(BODY), "Content-Encoding: deflate"), "ok"),
    # Raw deflate, as some servers send it.
    (coded(zlib.compress(BODY)[2:-4], "Content-Encoding: deflate"), "ok"),
    (coded(BODY, "Content-Encoding: deflate"), "ok"),
    (coded(b"", "Content-Encoding: br"), "unknown-format"),
    # The writer of the archive has decoded the body, or the body was never encoded.
    (coded(BODY, GZIP), "ok"),
    (coded(BODY, CHUNKED), "ok"),
    (coded(BODY, "Content-Encoding: utf-8"), "ok"),
    (coded(BODY, "Content-Encoding: " + "gzip," * 3000), "ok"),
    (coded(PACKED[:-12], GZIP), "truncated-record"),
    (coded(PACKED[:12] + bytes(30) + PACKED[42:], GZIP), "corrupt-record"),
    (coded(chunks(BODY), CHUNKED), "truncated-record"),
    (coded(chunks(BODY) + b"zz\r\n", CHUNKED), "corrupt-record"),
    (coded(b"1\r\nx\r\nFFFFFFFF\r\nabc", CHUNKED), "truncated-record"),
    (coded(BODY, "Content-Encoding: br"), "ok"),
    (coded(BODY, "Content-Encoding: BR"), "ok"),
    (coded(BODY, "content-encoding: Zstd"), "ok"),
    (coded(BODY, "Content-Encoding: x-gzip"), "ok"),
    (coded(BODY, "Content-Encoding: gzip, br"), "ok"),
    (coded(BODY, "Content-Encoding: br", "Content-Encoding: deflate"), "ok"),
    (coded(PACKED, "Content-Encoding: gzip, br"), "ok"),
    (coded(PACKED, "Content-Encoding: br, GZip"), "ok"),
    (coded(chunks(BODY) + END, CHUNKED, "Content-Encoding: br"), "ok"),
    (coded(BODY, "Content-Encoding: compress"), "ok"),
    (coded(bytes(9) + BODY, "Content-Encoding: br"), "corrupt-record"),
    (coded(gzip.compress(b"x: y\n" * 4_000_000), GZIP), "too-large"),
    (coded(b"1\r\nx\r\n" * 1_000_000, CHUNKED), "too-large"),
    (coded(BODY), "ok"),
]


URL = "https://a.example/agents.txt"
CONTINUE, HINTS = "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\n"
LINK, OK = "Link: </a.css>; rel=preload\r\n\r\n", "HTTP/1.1 200 OK"
LONG = "".join(f"\r\nX-{number}: {'a' * 1000}" for number in range(100))
HEADS = [
    (record(URL, BODY, CONTINUE + OK), "ok", len(BODY)),
    (record(URL, BODY, HINTS + LINK + CONTINUE + OK), "ok", len(BODY)),
    (record(URL, BODY, HINTS.replace("\r", "") + "\n" + OK), "ok", len(BODY)),
    (record(URL, PACKED, HINTS + LINK + OK + "\r\n" + GZIP), "ok", len(BODY)),
    # The coding of an interim response is none of the body's.
    (record(URL, BODY, HINTS + GZIP + "\r\n\r\n" + OK), "ok", len(BODY)),
    (record(URL, BODY, CONTINUE + "HTTP/1.1 404 Not Found"), "http-status", 0),
    (
        record(URL, BODY, "HTTP/1.1 101 Switching Protocols\r\n\r\n" + OK),
        "http-status",
        0,
    ),
    (record(URL, b"", "HTTP/1.1 103 Early Hints"), "http-status", 0),
    (record(URL, BODY, HINTS * 5000 + "\r\n" + OK), "ok", len(BODY)),
    (record(URL, BODY, HINTS.strip() + LONG + "\r\n\r\n" + OK + LONG), "ok", len(BODY)),
    (record(URL, BODY, OK + LONG), "ok", len(BODY)),
    (record(URL, BODY, OK + LONG * 11), "corrupt-record", 0),
    (record(URL, BODY, (CONTINUE * 9) + OK), "http-status", 0),
    (record(URL, BODY), "ok", len(BODY)),
]


@pytest.mark.parametrize("how", ["records", "members", "one member"])
def test_the_answer_behind_interim_ones_counts_with_a_head_of_up_to_1_mib(
    run: Run, tmp_path: Path, how: str
) -> None:
    parts = [part for part, *_ in HEADS]
    packing = gzip.compress if how == "members" else bytes
    whole = b"".join(packing(part) for part in parts)
    name = "in.warc" if how == "records" else "in.warc.gz"
    (tmp_path / name).write_bytes(
        gzip.compress(whole) if how == "one member" else whole
    )
    run("ingest", name, "-o", "out.jsonl", check=0)
    found = rows(tmp_path / "out.jsonl")
    assert [row.get("error_kind", "ok") for row in found] == [
        kind for _, kind, _ in HEADS
    ]
    good = [
        (row["bytes"], size)
        for row, (_, kind, size) in zip(found, HEADS, strict=True)
        if kind == "ok"
    ]
    assert all(size == expected for size, expected in good)
    (long,) = (row for row in found if row.get("error_kind") == "corrupt-record")
    assert long["error_message"] == "the http headers have more than 1,048,576 bytes"


@pytest.mark.parametrize("how", ["records", "members", "one member", "a pipe"])
def test_a_coding_that_cannot_be_undone_costs_one_answer(
    run: Run, tmp_path: Path, how: str
) -> None:
    parts = [part for part, _ in CODED]
    whole = b"".join(parts)
    if how == "members":
        whole = b"".join(gzip.compress(part) for part in parts)
    elif how != "records":
        whole = gzip.compress(whole)
    name = "in.warc" if how == "records" else "in.warc.gz"
    (tmp_path / name).write_bytes(whole)
    if how == "a pipe":
        run("ingest", "-", "-o", "out.jsonl", input=whole, check=0)
    else:
        run("ingest", name, "-o", "out.jsonl", check=0)
    found = rows(tmp_path / "out.jsonl")
    assert [row.get("error_kind", "ok") for row in found] == [kind for _, kind in CODED]
    assert {row["bytes"] for row in found if row["status"] == "ok"} == {len(BODY)}
    assert all(row["bytes"] > 1 << 20 for row in found if "too-large" in row.values())


def test_an_archive_is_read_to_its_end_however_often_it_is_damaged(
    run: Run, tmp_path: Path
) -> None:
    good = gzip.compress(record("https://a.example/agents.txt", BODY), mtime=0)
    bad = good[:40] + bytes(20) + good[60:]
    (tmp_path / "in.warc.gz").write_bytes((good + bad) * 1500)
    run("ingest", "in.warc.gz", "-o", "out.jsonl", check=1)
    found = rows(tmp_path / "out.jsonl")
    states = ["recovered", "error"] * 1500
    assert [row["status"] for row in found] == ["ok", *states[1:]]


@pytest.mark.skipif(os.name != "posix", reason="names that are not Unicode")
@pytest.mark.parametrize("name", ["in.jsonl", "in.warc", "in.parquet", "in.txt"])
def test_inputs_whose_names_are_not_utf8(run: Run, tmp_path: Path, name: str) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9-" + name.encode())
    try:
        path.write_bytes(record("https://a.example/agents.txt", BODY))
    except OSError:
        pytest.skip("the file system takes no such name")
    if name.endswith(".jsonl"):
        path.write_text('{"body": "x"}\n')
    elif name.endswith(".parquet"):
        path.write_bytes(as_parquet(pa.table({"body": [BODY]})))
    run("ingest", path.name, "-o", "out.parquet", check=0)
    (row,) = rows(tmp_path / "out.parquet")
    assert row["source"].startswith("caf\\udce9-in.")
    if name == "in.txt":
        mirror = tmp_path / "mirror" / "shop.example"
        mirror.mkdir(parents=True)
        (mirror / path.name).write_bytes(BODY)
        run("ingest", "mirror", "-o", "out.parquet", check=0)
        (row,) = rows(tmp_path / "out.parquet")
        assert row["url"] == "https://shop.example/caf\\udce9-in.txt"


def as_parquet(table: "pa.Table") -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


def as_arrow(table: "pa.Table", writer: str = "new_file") -> bytes:
    sink = io.BytesIO()
    with getattr(pa.ipc, writer)(sink, table.schema) as into:
        into.write_table(table)
    return sink.getvalue()


def in_archive(kind: str) -> bytes:
    """Returns a tar or ZIP archive with a document."""
    sink = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(sink, "w") as archive:
            archive.writestr("agents.txt", BODY)
    else:
        with tarfile.open(fileobj=sink, mode="w") as archive:
            archive.addfile(tarfile.TarInfo("agents.txt"), io.BytesIO(BODY))
    return sink.getvalue()


TABLE = pa.table({"url": [URL], "body": [BODY]})
LINE = b'{"url": "https://a.example/agents.txt", "body": "User-agent: *"}\n'
CONTAINERS = {
    "a gzip file": gzip.compress(LINE),
    "a bzip2 file": bz2.compress(LINE),
    "an xz file": lzma.compress(LINE),
    "a Zstandard file": compressed(LINE, "zst"),
    "an LZ4 file": compressed(LINE, "lz4"),
    "a ZIP archive": in_archive("zip"),
    "a tar archive": in_archive("tar"),
    "a Feather file of version 1": b"FEA1\0\0\0\0" + bytes(64),
}
PACKED_CONTAINERS = {
    "a tar archive": gzip.compress(in_archive("tar")),
    "a bzip2 file": bz2.compress(in_archive("tar")),
}


@pytest.mark.parametrize(
    "suffix",
    [
        "",
        pytest.param(".jsonl", marks=LONG_ONLY),
        pytest.param(".arrow", marks=LONG_ONLY),
    ],
)
def test_a_container_is_no_document(run: Run, tmp_path: Path, suffix: str) -> None:
    both = [*CONTAINERS.items(), *PACKED_CONTAINERS.items()]
    for what, data in both:
        name = f"in{suffix}"
        (tmp_path / name).write_bytes(data)
        run("ingest", name, "-o", "out.jsonl", check=1)
        (row,) = rows(tmp_path / "out.jsonl")
        assert row["error_kind"] == "unreadable", what
        assert row["error_message"].lower().startswith(f"this is {what}, ".lower())
        for command in ("lint",) if suffix else ("parse", "inspect"):
            assert f"in{suffix}: this is {what}, not a document; " in (
                run(command, name, check=2).stderr
            )
    (tmp_path / "mirror").mkdir()
    for number, (_, data) in enumerate(both):
        (tmp_path / "mirror" / f"{number:02}").write_bytes(data)
    run("ingest", "mirror", "-o", "out.jsonl", check=1)
    assert [
        row["error_message"].split(", ")[0] for row in rows(tmp_path / "out.jsonl")
    ] == [f"this is {what}" for what, _ in both]


@pytest.mark.parametrize("name", ["in", "in.warc.gz.open", "robots.txt", "in.jsonl"])
def test_what_ingest_reads_is_read_by_any_name(
    run: Run, tmp_path: Path, name: str
) -> None:
    answer = record(URL, BODY)
    for data in (
        answer,
        gzip.compress(answer),
        arc(URL, BODY),
        gzip.compress(arc(URL, BODY)),
        as_parquet(TABLE),
        as_arrow(TABLE),
        as_arrow(TABLE, "new_stream"),
    ):
        (tmp_path / name).write_bytes(data)
        run("ingest", name, "-o", "out.jsonl", check=0)
        (row,) = rows(tmp_path / "out.jsonl")
        assert (row["status"], row["url"]) == ("ok", URL)
        assert (
            "name it as an input of `agentsdisc ingest`"
            in run("lint", name, check=2).stderr
        )


def test_a_line_without_a_document_keeps_its_url(run: Run, tmp_path: Path) -> None:
    lines = [
        {"url": URL, "body": None},
        {"body": 5, "url": URL},
        {"url": URL},
        {"url": "https://a.example/" + "a" * 5000},
        {"url": 5, "body": None},
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, lines)))
    run("ingest", "in.jsonl", "-o", "out.jsonl", check=1)
    found = rows(tmp_path / "out.jsonl")
    assert [row.get("url") for row in found] == [URL] * 3 + [None] * 2
    assert {row["error_kind"] for row in found} == {"invalid-record"}


def test_archives_in_a_folder_are_said_and_not_taken_for_documents(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(BODY)
    for name in ("b.warc.gz", "c.parquet", "d.feather", "e.jsonl"):
        (tmp_path / "in" / name).write_bytes(b"anything")
    run("ingest", "in", "-o", "out.jsonl", check=1)
    good, *others = rows(tmp_path / "out.jsonl")
    assert good["status"] == "ok"
    assert [row["error_kind"] for row in others] == ["unreadable"] * 4
    whys = [row["error_message"] for row in others]
    assert all(why.endswith(" in a folder: name it as an input") for why in whys)
    assert [why.split(" in a ")[0] for why in whys] == [
        "an archive",
        "a table",
        "a table",
        "a file of JSON Lines",
    ]


def test_a_stream_of_arrow_on_standard_input(run: Run, tmp_path: Path) -> None:
    table = pa.table({"body": [BODY, None, b"<html>"] * 1000, "url": ["u"] * 3000})
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, 900)
    whole = sink.getvalue()
    run("ingest", "-", "-o", "out.jsonl", input=whole, check=0)
    found = rows(tmp_path / "out.jsonl")
    assert len(found) == 3000
    kinds = [row.get("error_kind") for row in found[:3]]
    assert kinds == [None, "no-body", "not-a-discovery-document"]
    assert found[-1]["source"] == "<stdin>:2999"
    # A truncated file yields the readable rows and an error row.
    run("ingest", "-", "-o", "out.jsonl", input=whole[: len(whole) // 2], check=1)
    found = rows(tmp_path / "out.jsonl")
    assert 900 <= len(found) < 3000
    assert found[-1]["error_kind"] == "unreadable"


@pytest.mark.parametrize("kind", ["lz4", "zst"])
def test_packed_archives_come_through_pipes(
    run: Run, tmp_path: Path, kind: str
) -> None:
    whole = compressed(record("https://a.example/agents.txt", BODY), kind) * 3
    run("ingest", "-", "-o", "out.jsonl", input=whole, check=0)
    assert [row["status"] for row in rows(tmp_path / "out.jsonl")] == ["ok"] * 3


def test_standard_input_is_named_once(run: Run, tmp_path: Path) -> None:
    done = run("ingest", "-", "-", "-o", "out.jsonl", check=2)
    assert "can be read only once" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="a shell that closes standard input")
@pytest.mark.parametrize("command", ["parse -", "ingest - -o out.jsonl"])
def test_standard_input_may_be_closed(tmp_path: Path, command: str) -> None:
    done = subprocess.run(
        f'"{sys.executable}" -m agentsdisc {command} <&-',
        shell=True,
        capture_output=True,
        cwd=tmp_path,
        env=environment(),
    )
    assert done.returncode == 2
    assert done.stderr == b"agentsdisc: -: standard input is closed\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_an_archive_may_be_a_pipe_with_a_name(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "in.warc")
    whole = record("https://a.example/agents.txt", BODY) * 3
    writing = threading.Thread(target=(tmp_path / "in.warc").write_bytes, args=[whole])
    writing.start()
    done = run("ingest", "in.warc", "-o", "out.jsonl", check=0)
    writing.join()
    assert "panicked" not in done.stderr
    assert [row["status"] for row in rows(tmp_path / "out.jsonl")] == ["ok"] * 3


def test_damage_in_a_table_costs_its_group_of_rows(run: Run, tmp_path: Path) -> None:
    noise = random.Random(1)
    bodies = [BODY + noise.randbytes(300).hex().encode() for _ in range(1000)]
    table = pa.table({"body": bodies})
    pq.write_table(table, tmp_path / "in.parquet", 100, compression="zstd")
    with pa.ipc.new_file(
        str(tmp_path / "in.arrow"),
        table.schema,
        options=pa.ipc.IpcWriteOptions(compression="zstd"),
    ) as writer:
        writer.write_table(table, 100)
    found = {}
    for name in ("in.parquet", "in.arrow"):
        data = bytearray((tmp_path / name).read_bytes())
        middle = len(data) // 2
        data[middle : middle + 200] = bytes(200)
        (tmp_path / name).write_bytes(data)
        done = run("ingest", name, "-o", "out.jsonl", check=1)
        assert "lost: 1 part of the inputs cannot be read" in done.stderr
        found[name] = rows(tmp_path / "out.jsonl")
    (lost,) = [row for row in found["in.parquet"] if "unreadable" in row.values()]
    at = int(lost["source"].split(":")[1])
    assert lost["error_message"].endswith(f"; rows {at} to {at + 99} are lost")
    numbers = [int(row["source"].split(":")[1]) for row in found["in.parquet"]]
    assert numbers == [*range(at + 1), *range(at + 100, 1000)]
    last = found["in.arrow"][-1]
    assert last["error_message"].endswith("; what follows is not read")
    assert len(found["in.arrow"]) > 300


@pytest.mark.parametrize("group", [1, 7, 100])
def test_a_table_without_rows_has_lost_none(
    run: Run, tmp_path: Path, group: int
) -> None:
    table = pa.table({"body": [BODY] * 3, "url": ["https://a.example/agents.txt"] * 3})
    pq.write_table(table.slice(0, 0), tmp_path / "in.parquet")
    run("ingest", "in.parquet", "-o", "out.jsonl", check=0)
    assert rows(tmp_path / "out.jsonl") == []
    with pq.ParquetWriter(tmp_path / "in.parquet", table.schema) as writer:
        for part in (table.slice(0, 0), table, table.slice(0, 0), table):
            writer.write_table(part, group)
    run("ingest", "in.parquet", "-o", "out.jsonl", check=0)
    assert [row["status"] for row in rows(tmp_path / "out.jsonl")] == ["ok"] * 6


@pytest.mark.parametrize("size", [9, 200, 600])
@pytest.mark.parametrize("name", ["in.parquet", "in.arrow", "in.arrows"])
def test_a_cut_table_is_no_success(
    run: Run, tmp_path: Path, name: str, size: int
) -> None:
    table = pa.table({"body": [BODY] * 30})
    sink = io.BytesIO()
    if name == "in.parquet":
        pq.write_table(table, sink, 10)
    else:
        new = pa.ipc.new_file if name == "in.arrow" else pa.ipc.new_stream
        with new(sink, table.schema) as writer:
            writer.write_table(table, 10)
    (tmp_path / name).write_bytes(sink.getvalue()[:-size])
    done = run("ingest", name, "-o", "out.jsonl", check=1)
    assert "lost: 1 part of the inputs cannot be read" in done.stderr
    found = rows(tmp_path / "out.jsonl")
    assert found[-1]["error_kind"] == "unreadable"


def described(part: "inputs.Part") -> list[object]:
    """Returns each document of a part with its location."""
    if isinstance(part, items.Documents):
        numbers = range(part.count)
        return [
            (part.sources[at], part.bodies[at], part.problems.get(at)) for at in numbers
        ]
    if isinstance(part, items.Rows):
        bodies = part.batch.column("body").to_pylist()
        return [
            (f"{part.name}:{part.number + at}", body) for at, body in enumerate(bodies)
        ]
    if isinstance(part, items.Lines):
        lines = part.data.removesuffix(b"\n").split(b"\n")
        return [
            (f"{part.name}:{part.number + at}", line) for at, line in enumerate(lines)
        ]
    return [(part.source, part.body, part.problem)]


@pytest.mark.parametrize("name", ["in.parquet", "in.arrow", "in.jsonl", "in.warc.gz"])
def test_it_can_be_gone_on_from_every_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Reading resumes also after damage and in the middle of a part, because batch sizes may differ."""
    monkeypatch.setattr(items, "_DOCUMENTS", 7)
    monkeypatch.setattr(tables, "_ROWS", 7)
    monkeypatch.setattr(inputs, "_PORTION", 900)
    path, noise = tmp_path / name, random.Random(2)
    bodies = [noise.randbytes(40).hex() for _ in range(90)]
    if name == "in.jsonl":
        lines = [f'{{"body":"{body}"}}\n' for body in bodies]
        lines[40] = f"{'x' * 2_000_000}\n"
        path.write_text("".join(lines))
    elif name == "in.warc.gz":
        url = "https://a.example/agents.txt"
        path.write_bytes(
            b"".join(gzip.compress(record(url, body.encode())) for body in bodies)
        )
    elif name == "in.parquet":
        pq.write_table(pa.table({"body": bodies}), path, 10, compression="zstd")
    else:
        table = pa.table({"body": bodies})
        with pa.ipc.new_file(str(path), table.schema) as writer:
            writer.write_table(table, 10)
    if name in ("in.parquet", "in.warc.gz"):
        data = bytearray(path.read_bytes())
        data[len(data) // 2 : len(data) // 2 + 30] = bytes(30)
        path.write_bytes(data)

    def all_from(start: "inputs.Place | None") -> list[tuple[object, inputs.Place]]:
        found = inputs.items([name], 1 << 10, lambda _: False, start)
        return [
            (document, place) for part, place in found for document in described(part)
        ]

    monkeypatch.chdir(tmp_path)
    whole = [document for document, _ in all_from(None)]
    assert len(whole) > 75
    if name != "in.arrow":
        assert len(whole) != len(bodies) or name == "in.jsonl"
    for count in range(1, len(whole)):
        rest = all_from(inputs.Place(0, count))
        assert [document for document, _ in rest] == whole[count:]
        assert rest[-1][1] == inputs.Place(0, len(whole))
    with pytest.raises(Unreadable, match="has changed"):
        all_from(inputs.Place(0, len(whole) + 1))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_wrong_columns_are_said_before_anything_is_read(
    run: Run, tmp_path: Path
) -> None:
    pq.write_table(pa.table({"body": [BODY]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"body": [1]}), tmp_path / "b.parquet")
    twice = pa.Table.from_arrays([[BODY], [BODY]], names=["body", "body"])
    with pa.ipc.new_file(str(tmp_path / "c.arrow"), twice.schema) as writer:
        writer.write_table(twice)
    before = sorted(tmp_path.iterdir())
    for name, why in (
        ("b.parquet", "the column 'body' holds int64"),
        ("c.arrow", "there are several columns 'body'"),
    ):
        # This pipe has no writer, so a read would never end.
        os.mkfifo(tmp_path / "in.jsonl")
        done = run("ingest", "in.jsonl", "a.parquet", name, "-o", "out.jsonl", check=2)
        assert f"{name}: {why}" in done.stderr
        (tmp_path / "in.jsonl").unlink()
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("start", [b"PAR1", b"ARROW1\0\0"])
def test_files_that_are_read_from_their_end_cannot_be_piped(
    run: Run, tmp_path: Path, start: bytes
) -> None:
    done = run("ingest", "-", "-o", "out.jsonl", input=start + bytes(99), check=2)
    assert "cannot be read from standard input" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_input_is_never_overwritten(run: Run, tmp_path: Path) -> None:
    data = as_parquet(pa.table({"body": [BODY]}))
    (tmp_path / "in.parquet").write_bytes(data)
    (tmp_path / "link.parquet").symlink_to("in.parquet")
    for arguments in (
        ("in.parquet", "-o", "in.parquet"),
        ("link.parquet", "-o", "in.parquet"),
        ("in.parquet", "-o", "out.parquet", "--errors-to", "in.parquet"),
    ):
        done = run("ingest", *arguments, check=2)
        assert "is an input and an output" in done.stderr
    assert (tmp_path / "in.parquet").read_bytes() == data


@pytest.mark.parametrize("name", ["in.parquet", "in.arrow"])
def test_large_rows_come_in_pieces(tmp_path: Path, name: str) -> None:
    """Without a byte limit, a piece of 2,048 large rows would be 2 GB, and three pieces are in flight."""
    bodies = [b"x" * 700_000] * 100 + [b"y"] * 3000 + [b"z" * (40 << 20)]
    table = pa.table({"body": pa.array(bodies, pa.large_binary())})
    if name == "in.parquet":
        pq.write_table(table, tmp_path / name)
    else:
        with pa.ipc.new_file(str(tmp_path / name), table.schema) as writer:
            writer.write_table(table)
    parts = [
        part
        for part in tables.parts(str(tmp_path / name), name, "body", None)
        if isinstance(part, items.Rows)
    ]
    assert sum(part.count for part in parts) == len(bodies)
    assert [part.number for part in parts][:2] == [0, parts[0].count]
    for part in parts:
        assert part.count <= 2048
        size = sum(map(len, part.batch.column("body").to_pylist()))
        assert part.count == 1 or size <= 8 << 20
    found = [value for part in parts for value in part.batch.column("body").to_pylist()]
    assert found == bodies


def test_the_consumed_bytes_of_an_archive_are_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(items, "_DOCUMENTS", 10)
    path = tmp_path / "in.warc.gz"
    one = gzip.compress(record("https://a.example/agents.txt", BODY * 50))
    path.write_bytes(one * 95)
    found = [part for part, _ in inputs.items([str(path)], 1 << 20, lambda _: False)]
    parts = [part for part in found if isinstance(part, items.Documents)]
    assert [part.count for part in parts] == [10] * 9 + [5]
    assert sum(part.size for part in parts) == path.stat().st_size


@pytest.mark.parametrize(("idle", "groups"), [(False, 3), (True, 6)])
def test_groups_of_rows_are_bounded_by_their_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, idle: bool, groups: int
) -> None:
    """If the writer is idle, a row group holds half as many bytes."""
    monkeypatch.setattr(outputs, "_GROUP_BYTES", 10_000)
    monkeypatch.setattr(outputs.Parquet, "_is_idle", idle)
    batch = pa.record_batch({"text": ["x" * 4000] * 2})
    writer = outputs.Parquet(tmp_path / "out.parquet", batch.schema)
    for _ in range(6):
        writer.write(batch)
    writer.close()
    metadata = pq.read_metadata(tmp_path / "out.parquet")
    assert (metadata.num_rows, metadata.num_row_groups) == (12, groups)


def test_an_output_elsewhere_is_complete_or_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulates two file systems: files cannot be moved, only copied."""
    replace = Path.replace

    def across(path: Path, target: Path) -> Path:
        if path.parent != Path(target).parent:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        return replace(path, target)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "parts").mkdir()
    (tmp_path / "out").mkdir()
    part = tmp_path / "parts" / "part-00000.jsonl"
    part.write_bytes(b"{}\n")
    output = outputs.Output(str(tmp_path / "out" / "out.jsonl"))
    monkeypatch.setattr(Path, "replace", across)
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfileobj", full)
        with pytest.raises(OSError, match="No space left") as raised:
            output.put_together([part], part.parent, None)
    assert raised.value.filename == output.path
    assert list((tmp_path / "out").iterdir()) == []
    output.put_together([part], part.parent, None)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["out.jsonl"]
    assert Path(output.path).read_bytes() == b"{}\n"
