"""What `agentsdisc ingest` makes of inputs as they come: coded answers, large rows, odd names, standard input."""

import errno
import gzip
import io
import os
import shutil
import zlib
from pathlib import Path

import pytest
from agentsdisc.cli import inputs, items, outputs, tables
from conftest import Run
from test_ingest_runs import GOOD, record, rows

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
    (coded(zlib.compress(BODY), "Content-Encoding: deflate"), "ok"),
    # Undone by who wrote the archive, or never done.
    (coded(BODY, GZIP), "ok"),
    (coded(BODY, CHUNKED), "ok"),
    (coded(BODY, "Content-Encoding: utf-8"), "ok"),
    (coded(BODY, "Content-Encoding: " + "gzip," * 3000), "ok"),
    (coded(PACKED[:-12], GZIP), "truncated-record"),
    (coded(PACKED[:12] + bytes(30) + PACKED[42:], GZIP), "corrupt-record"),
    (coded(chunks(BODY), CHUNKED), "truncated-record"),
    (coded(chunks(BODY) + b"zz\r\n", CHUNKED), "corrupt-record"),
    (coded(b"1\r\nx\r\nFFFFFFFF\r\nabc", CHUNKED), "truncated-record"),
    (coded(BODY, "Content-Encoding: br"), "corrupt-record"),
    (coded(gzip.compress(b"x: y\n" * 4_000_000), GZIP), "too-large"),
    (coded(b"1\r\nx\r\n" * 1_000_000, CHUNKED), "too-large"),
    (coded(BODY), "ok"),
]


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
    run("ingest", "in.warc.gz", "-o", "out.jsonl", "--no-check", check=0)
    found = rows(tmp_path / "out.jsonl")
    assert [row["status"] for row in found] == ["ok", "error"] * 1500


@pytest.mark.skipif(os.name != "posix", reason="names that are no Unicode")
@pytest.mark.parametrize("name", ["in.jsonl", "in.warc", "in.parquet", "in.txt"])
def test_inputs_whose_names_are_no_utf8(run: Run, tmp_path: Path, name: str) -> None:
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
        path.rename(mirror / path.name)
        run("ingest", "mirror", "-o", "out.parquet", check=0)
        (row,) = rows(tmp_path / "out.parquet")
        assert row["url"] == "https://shop.example/caf\\udce9-in.txt"


def as_parquet(table: "pa.Table") -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


def test_archives_in_a_folder_are_said_and_not_taken_for_documents(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(BODY)
    (tmp_path / "in" / "b.warc.gz").write_bytes(b"anything")
    run("ingest", "in", "-o", "out.jsonl", check=0)
    good, archive = rows(tmp_path / "out.jsonl")
    assert good["status"] == "ok"
    assert archive["error_kind"] == "unreadable"
    assert "name it as an input" in archive["error_message"]


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
    # Cut off: what is there, and a row for what is not.
    run("ingest", "-", "-o", "out.jsonl", input=whole[: len(whole) // 2], check=0)
    found = rows(tmp_path / "out.jsonl")
    assert 900 <= len(found) < 3000
    assert found[-1]["error_kind"] == "unreadable"


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
    """2,048 of them would be 2 GB at once, and three such portions are worked on."""
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
        assert part.count == 1 or part.batch.nbytes <= 16 << 20
    found = [value for part in parts for value in part.batch.column("body").to_pylist()]
    assert found == bodies


def test_what_is_consumed_of_an_archive_is_its_size(
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


def test_groups_of_rows_are_bounded_by_their_bytes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outputs, "_GROUP_BYTES", 10_000)
    batch = pa.record_batch({"text": ["x" * 4000] * 2})
    writer = outputs.Parquet(tmp_path / "out.parquet", batch.schema)
    for _ in range(6):
        writer.write(batch)
    writer.close()
    metadata = pq.read_metadata(tmp_path / "out.parquet")
    assert (metadata.num_rows, metadata.num_row_groups) == (12, 3)


def test_an_output_elsewhere_is_whole_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As between two file systems: no part can be moved, it must be copied."""
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
