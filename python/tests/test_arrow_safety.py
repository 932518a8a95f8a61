"""Arrow and Parquet from outside: invalid arrays are errors, and small inputs take little memory."""

import io
import json
import os
import struct
import subprocess
import sys
from hashlib import sha512
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from agentsdisc.cli import items, tables
from conftest import LONG_ONLY, Run, environment
from test_ingest_runs import record, rows

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

TEXT = (
    b"Spec-Version: 1.0\nSite-Name: Mug Shop\nCapability: checkout\n  Protocol: REST\n"
)
BODIES = [TEXT, b"", None, b"<html>", TEXT.replace(b"Mug", b"Cup")]

KINDS = {
    "binary": pa.binary(),
    "large_binary": pa.large_binary(),
    "string": pa.string(),
    "large_string": pa.large_string(),
    "binary_view": pa.binary_view(),
    "string_view": pa.string_view(),
    "dictionary": pa.dictionary(pa.int8(), pa.binary()),
    "fixed": pa.binary(24),
}


def column(kind: str) -> Any:
    if kind == "fixed":
        return pa.array([TEXT[:24], None, TEXT[1:25]], KINDS[kind])
    plain = pa.array(BODIES, pa.binary())
    if kind == "dictionary":
        return plain.dictionary_encode().cast(KINDS[kind])
    return plain.cast(KINDS[kind])


def table_of(kind: str) -> Any:
    bodies = column(kind)
    urls = [f"https://{n}.example/agents.txt" for n in range(len(bodies))]
    return pa.table({"body": bodies, "url": urls})


def as_ipc(table: Any, container: str, **options: Any) -> bytes:
    sink = io.BytesIO()
    new = pa.ipc.new_file if container == "file" else pa.ipc.new_stream
    with new(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, 3)
        writer.write_table(table, 100)
    return sink.getvalue()


ROUNDS = os.environ.get("AGENTSDISC_TEST_CHANGES", "150")
"""Number of mutated copies that each test reads; 600 or more for a long run."""

# Runs in a separate process, because a failure may crash it. Prints the number of error rows.
CHANGES = """
import io, random, sys
from hashlib import sha512
from pathlib import Path
import agentsdisc, pyarrow as pa
from agentsdisc.cli import items, tables

def parts():
    if container == "file":
        changed.write_bytes(data)
        return tables.parts(str(changed), "x", "body", "url")
    return tables.stream("x", io.BytesIO(data), "body", "url")

def look(part):
    for column in part.batch.columns:
        for value in column.to_pylist():
            value = value.encode() if isinstance(value, str) else value
            assert value is None or value in data, value
    table = agentsdisc.parse_batch(part.batch, columns=["url", "service.name"], threads=1)
    for row in pa.record_batch(table).to_pylist():
        for text in (row["url"], row["service"] and row["service"]["name"]):
            assert text is None or text.encode() in data or "\ufffd" in text, text

whole, container = Path(sys.argv[1]).read_bytes(), sys.argv[2]
changed = Path(sys.argv[1] + ".arrow")
noise, errors = random.Random(1), 0
for _ in range(int(sys.argv[3])):
    at, byte = noise.randrange(len(whole)), noise.choice((0, 1, 5, 127, 128, 251, 255))
    data = whole[:at] + bytes([byte]) + whole[at + 1 :]
    try:
        for part in parts():
            if isinstance(part, items.Rows):
                try:
                    look(part)
                except UnicodeDecodeError:
                    pass  # to_pylist of a text that is not UTF-8
            else:
                errors += 1
    except tables.Unreadable:
        pass  # it has other columns
print(errors)
"""


@pytest.mark.parametrize("container", ["stream", "file"])
@pytest.mark.parametrize("kind", KINDS)
def test_one_changed_byte_never_crashes_or_shows_other_memory(
    tmp_path: Path, kind: str, container: str
) -> None:
    path = tmp_path / "whole"
    path.write_bytes(as_ipc(table_of(kind), container))
    command = [sys.executable, "-c", CHANGES, path, container, ROUNDS]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment(), timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "panicked" not in done.stderr
    assert int(done.stdout) > 0


def int32s(*values: int) -> Any:
    return pa.py_buffer(struct.pack(f"<{len(values)}i", *values))


def view(length: int, prefix: bytes, buffer: int, offset: int) -> bytes:
    return struct.pack("<i4sii", length, prefix, buffer, offset)


DATA = pa.py_buffer(TEXT)


def with_dictionary(*keys: int) -> Any:
    """Returns an array with dictionary keys that pyarrow would reject."""
    keys_of = pa.Array.from_buffers(pa.int32(), len(keys), [None, int32s(*keys)])
    return pa.DictionaryArray.from_arrays(keys_of, pa.array([TEXT]), safe=False)


def views(*all_views: bytes) -> Any:
    return pa.Array.from_buffers(
        pa.binary_view(),
        len(all_views),
        [None, pa.py_buffer(b"".join(all_views)), DATA],
    )


def offsets(kind: Any, *values: int) -> Any:
    """Writes the offsets after pyarrow has created the array, because pyarrow checks the last offset."""
    form = f"<{len(values)}{'i' if kind in (pa.binary(), pa.string()) else 'q'}"
    memory = bytearray(struct.calcsize(form))
    buffers = [None, pa.py_buffer(memory), DATA]
    array = pa.Array.from_buffers(kind, len(values) - 1, buffers)
    struct.pack_into(form, memory, 0, *values)
    return array


INVALID = {
    "a negative offset": (offsets(pa.binary(), 0, -5, 40), "offsets 0 and -5"),
    "a falling offset": (offsets(pa.string(), 0, 30, 20, 40), "offsets 30 and 20"),
    "an offset behind the last": (
        offsets(pa.large_binary(), 0, 70, 40),
        "row 0: the offsets 0 and 70",
    ),
    "a view of another buffer": (views(view(20, TEXT[:4], 1, 0)), "in buffer 1"),
    "a view behind its buffer": (views(view(20, b"", 0, 70)), "from 70 on in buffer 0"),
    "a view with another prefix": (views(view(20, b"spec", 0, 0)), "the first bytes"),
    "a view of negative length": (views(view(-20, TEXT[:4], 0, 0)), "buffer 0"),
    "a short view with a tail": (views(b"\2\0\0\0abc" + bytes(9)), "after its value"),
    "a key behind the dictionary": (with_dictionary(0, 1), "row 1: a key is not in"),
    "a negative key": (with_dictionary(-1), "row 0: a key is not in"),
}


@pytest.mark.parametrize("why", INVALID)
def test_invalid_arrays_are_errors_that_say_where(why: str) -> None:
    array, message = INVALID[why]
    batch = pa.RecordBatch.from_arrays([array], ["body"])
    for take in (
        lambda: agentsdisc.parse_batch(batch),
        lambda: list(agentsdisc.parse_stream(batch)),
    ):
        with pytest.raises(ValueError, match=message) as caught:
            take()
        assert str(caught.value).startswith('batch 0, column "body": ')
    with pytest.raises(ValueError, match=message):
        agentsdisc.parse_batch(array)
    # Copied columns and URL columns are validated; columns that are not read are not.
    whole = pa.RecordBatch.from_arrays(
        [pa.array([TEXT] * len(array)), array], ["body", "more"]
    )
    assert len(agentsdisc.parse_batch(whole)) == len(array)
    with pytest.raises(ValueError, match='column "more"'):
        agentsdisc.parse_batch(whole, keep=["more"])


def test_nested_columns_that_are_passed_on_are_validated() -> None:
    inner = offsets(pa.string(), 0, 30, 20, 40)
    lists = pa.Array.from_buffers(
        pa.list_(pa.string()), 1, [None, int32s(0, 3)], children=[inner]
    )
    structs = pa.StructArray.from_arrays([lists], ["a"])
    batch = pa.RecordBatch.from_arrays([pa.array([TEXT]), structs], ["body", "more"])
    with pytest.raises(ValueError, match='batch 0, column "more"'):
        agentsdisc.parse_batch(batch, keep=["more"])
    memory = bytearray(12)
    beyond = pa.Array.from_buffers(
        pa.list_(pa.string()),
        2,
        [None, pa.py_buffer(memory)],
        children=[pa.array(["x"])],
    )
    struct.pack_into("<3i", memory, 0, 0, 9, 1)
    bodies = pa.array([TEXT] * 2)
    batch = pa.RecordBatch.from_arrays([bodies, beyond], ["body", "more"])
    with pytest.raises(ValueError, match='batch 0, column "more"'):
        agentsdisc.parse_batch(batch, keep=["more"])


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_string()])
def test_a_negative_last_offset_is_an_error(kind: Any) -> None:
    array = offsets(kind, 0, 5, -1)
    with pytest.raises(ValueError, match=r"(?i)offset"):
        agentsdisc.parse_batch(array)


def test_texts_that_are_not_utf8_are_read_as_bytes() -> None:
    data = TEXT.replace(b"Mug", b"M\xfcg")
    buffers = [None, int32s(0, len(data)), pa.py_buffer(data)]
    bodies = pa.Array.from_buffers(pa.string(), 1, buffers)
    for given in (bodies, bodies.dictionary_encode()):
        rows = pa.record_batch(agentsdisc.parse_batch(given)).to_pylist()
        assert rows[0]["bytes"] == len(data)
    urls = pa.Array.from_buffers(
        pa.string(), 1, [None, int32s(0, 1), pa.py_buffer(b"\xff")]
    )
    rows = pa.record_batch(agentsdisc.parse_batch([TEXT], urls)).to_pylist()
    assert rows[0]["url"] is None and rows[0]["status"] == "ok"


@pytest.mark.parametrize("name", ["in.arrow", "-"])
def test_an_invalid_batch_is_an_error_row(run: Run, tmp_path: Path, name: str) -> None:
    good = pa.record_batch({"body": pa.array([TEXT] * 2), "url": ["u"] * 2})
    bad = pa.RecordBatch.from_arrays(
        [offsets(pa.binary(), 0, -5, 40), good.column("url")], ["body", "url"]
    )
    sink = io.BytesIO()
    new = pa.ipc.new_stream if name == "-" else pa.ipc.new_file
    with new(sink, good.schema) as writer:
        for batch in (good, bad, good):
            writer.write_batch(batch)
    if name != "-":
        (tmp_path / name).write_bytes(sink.getvalue())
    given = sink.getvalue() if name == "-" else b""
    done = run("ingest", name, "-o", "out.jsonl", input=given, check=1)
    assert "lost: 1 part of the inputs cannot be read" in done.stderr
    found = rows(tmp_path / "out.jsonl")
    assert [row["status"] for row in found] == ["ok"] * 2 + ["error"] + ["ok"] * 2
    message = found[2]["error_message"]
    assert message.startswith("batch 1, column 'body': ")
    assert message.endswith("; rows 2 to 3 are lost")


def test_a_file_that_lost_batches_says_so(run: Run, tmp_path: Path) -> None:
    whole = as_ipc(table_of("binary"), "file")
    # An end-of-stream marker replaces the second batch.
    at = whole.index(b"\xff\xff\xff\xff", whole.index(TEXT))
    ended = whole[:at] + b"\xff\xff\xff\xff" + bytes(4) + whole[at + 8 :]
    for data, why in (
        (ended, "1 of 3 batches"),
        (whole[: at - 20], "no footer"),
        (whole[:-1], "no footer"),
    ):
        (tmp_path / "in.arrow").write_bytes(data)
        run("ingest", "in.arrow", "-o", "out.jsonl", check=1)
        assert why in rows(tmp_path / "out.jsonl")[-1]["error_message"]


def repeated(size: int, count: int) -> Any:
    """Returns a column with one large value in every row."""
    value = pa.array([b"x" * size], pa.binary())
    keys = pa.array(bytes(count), pa.int8())
    return pa.table({"body": pa.DictionaryArray.from_arrays(keys, value)})


def expanding(path: Path, kind: str) -> int:
    """Writes a small file that expands to gigabytes; returns the number of its rows."""
    if kind == "parquet dictionary":
        table = repeated(4 << 20, 1000)
        pq.write_table(table, path, compression="zstd", store_schema=False)
        return 1000
    if kind == "parquet dictionary, as such":
        pq.write_table(repeated(4 << 20, 1000), path, compression="zstd")
        return 1000
    if kind == "parquet page":
        table = pa.table({"body": pa.array([b"x" * (300 << 20)])})
        pq.write_table(table, path, compression="zstd", use_dictionary=False)
        return 1
    if kind == "parquet small dictionary":
        pq.write_table(repeated(1 << 20, 4000), path, compression="zstd")
        return 4000
    if kind.startswith("parquet prefixes"):
        value = b"x" * (4 << 20)
        table = pa.table({"body": pa.array([value] * 350)})
        pq.write_table(
            table,
            path,
            compression="zstd",
            use_dictionary=False,
            column_encoding={"body": "DELTA_BYTE_ARRAY"},
            data_page_version="2.0" if kind.endswith("2.0") else "1.0",
        )
        return 350
    table = repeated(4 << 20, 1000)
    if kind == "arrow compressed":
        table = pa.table({"body": pa.array([b"x" * (300 << 20)])})
    elif kind == "arrow views":
        views = view(4 << 20, b"xxxx", 0, 0) * 1000
        buffers = [None, pa.py_buffer(views), pa.py_buffer(b"x" * (4 << 20))]
        array = pa.Array.from_buffers(pa.binary_view(), 1000, buffers)
        table = pa.table({"body": array})
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_file(str(path), table.schema, options=options) as writer:
        writer.write_table(table)
    return table.num_rows


PEAK = """
import sys
from hashlib import sha512
from pathlib import Path
from agentsdisc.cli import main
code = main(sys.argv[1:])
print(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
sys.exit(code)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    "kind",
    [
        "parquet dictionary",
        pytest.param("parquet dictionary, as such", marks=LONG_ONLY),
        pytest.param("parquet small dictionary", marks=LONG_ONLY),
        "parquet page",
        pytest.param("parquet prefixes", marks=LONG_ONLY),
        "parquet prefixes 2.0",
        pytest.param("arrow dictionary", marks=LONG_ONLY),
        pytest.param("arrow compressed", marks=LONG_ONLY),
        pytest.param("arrow views", marks=LONG_ONLY),
    ],
)
def test_small_files_take_little_memory(tmp_path: Path, kind: str) -> None:
    path = tmp_path / ("in.parquet" if kind.startswith("parquet") else "in.arrow")
    count = expanding(path, kind)
    assert path.stat().st_size < 200_000
    command = [sys.executable, "-c", PEAK, "ingest", path, "-o", "out.jsonl", "-j1"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(),
        timeout=300,
    )
    assert done.returncode == (1 if count == 1 else 0), done.stderr[-2000:]
    # pyarrow alone uses 100 MB.
    assert int(done.stdout.split()[-1]) < 450_000
    found = rows(tmp_path / "out.jsonl")
    assert len(found) == count
    kinds = {row["error_kind"] for row in found}
    if count == 1:
        assert kinds == {"unreadable"}
        assert "would expand from" in found[0]["error_message"]
    elif kind == "parquet small dictionary":
        assert kinds == {"unknown-format"}
    else:
        assert kinds == {"too-large"}
        assert {row["bytes"] for row in found} == {4 << 20}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_values_outside_of_a_dictionary_are_not_collected(tmp_path: Path) -> None:
    """pyarrow writes a large dictionary first, and the rest of a row group without one."""
    names = map(str, range(16_000))
    made = [sha512(name.encode()).hexdigest() * 40 for name in names]
    table = pa.table({"body": pa.array(made)})
    pq.write_table(table, tmp_path / "in.parquet", compression="zstd")
    assert pq.ParquetFile(tmp_path / "in.parquet").num_row_groups == 1
    command = [sys.executable, "-c", PEAK, "ingest", "in.parquet", "-o", "out.parquet"]
    done = subprocess.run(
        [*command, "-j1"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(),
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    # All rows are 82 MB; pyarrow alone uses 100 MB.
    assert int(done.stdout.split()[-1]) < 250_000
    found = pq.read_table(tmp_path / "out.parquet", columns=["bytes"])
    assert found.column(0).to_pylist() == [5120] * 16_000


@LONG_ONLY
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_large_crawl_takes_little_memory(tmp_path: Path, corpus: Path) -> None:
    """Batches exist as answers, as Python objects and as rows at the same time, so their size counts many times."""
    with (tmp_path / "in.warc.gz").open("wb") as file:
        for _ in range(60):
            file.write(corpus.read_bytes())
    # A slow machine must not end a part.
    code = f"from agentsdisc.cli import ingest\ningest._PART_SECONDS = 900.0\n{PEAK}"
    command = [sys.executable, "-c", code, "ingest", "in.warc.gz", "-o", "out.parquet"]
    done = subprocess.run(
        [*command, "-j2"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(),
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout.split()[-1]) < 300_000


def test_rows_of_capabilities_repeat_little(run: Run, tmp_path: Path) -> None:
    many = [{"id": f"c{n}", "endpoint": "/x", "method": "GET"} for n in range(2000)]
    site = {"name": "a", "url": "https://a.example", "description": "d" * 100_000}
    document = {"specVersion": "1.0", "site": site, "capabilities": many}
    (tmp_path / "agents.json").write_text(json.dumps(document))
    explode = ("ingest", "agents.json", "--explode", "capabilities")
    run(*explode, "-o", "out.jsonl", check=0)
    size = (tmp_path / "agents.json").stat().st_size
    assert (tmp_path / "out.jsonl").stat().st_size < 4 * size
    assert len(rows(tmp_path / "out.jsonl")) == 2000
    run(*explode, "-o", "some.jsonl", "--columns", "service.name", check=0)
    first = rows(tmp_path / "some.jsonl")[0]
    assert first["service"] == {"name": "a"} and first["capability"]["id"] == "c0"


@pytest.mark.parametrize("kind", ["jsonl", "warc", "string", "view", "dictionary"])
def test_a_document_whose_url_is_too_long_is_an_error_row(
    run: Run, tmp_path: Path, kind: str
) -> None:
    many = [{"id": f"c{n}"} for n in range(500)]
    site = {"name": "a", "url": "https://a.example"}
    body = json.dumps({"specVersion": "1.0", "site": site, "capabilities": many})
    start = "https://a.example/"
    urls = [start + "u" * (length - len(start)) for length in (2048, 60_000)]
    if kind == "jsonl":
        lines = (json.dumps({"url": url, "body": body}) for url in urls)
        (tmp_path / "in.jsonl").write_text("\n".join(lines))
    elif kind == "warc":
        (tmp_path / "in.warc").write_bytes(
            b"".join(record(url, body.encode()) for url in urls)
        )
    else:
        column = pa.array(urls, pa.string_view() if kind == "view" else pa.string())
        if kind == "dictionary":
            column = column.dictionary_encode()
        table = pa.table({"body": [body] * 2, "url": column})
        with pa.ipc.new_file(tmp_path / "in.arrow", table.schema) as file:
            file.write_table(table)
        kind = "arrow"
    command = ("ingest", f"in.{kind}", "--all-records")
    run(*command, "-o", "out.jsonl", check=0)
    good, bad = rows(tmp_path / "out.jsonl")
    assert (good["status"], good["url"]) == ("ok", urls[0])
    assert len(good["capabilities"]) == 500
    assert (bad["status"], bad["error_kind"]) == ("error", "url-too-long")
    said = "the URL has 60,000 bytes; the limit is 2,048"
    assert bad["error_message"] == said and bad["url"] == f"{urls[1][:128]}…"
    assert bad["bytes"] == len(body) and not bad.get("capabilities")
    exploded = (*command, "--explode", "capabilities")
    run(*exploded, "-o", "each.jsonl", "--errors-to", "errors.jsonl", check=0)
    assert len(rows(tmp_path / "each.jsonl")) == 500
    assert [row["source"] for row in rows(tmp_path / "errors.jsonl")] == [bad["source"]]


def test_a_long_url_in_a_dictionary_costs_little(run: Run, tmp_path: Path) -> None:
    url = pa.array(["https://a.example/" + "u" * 1_000_000]).dictionary_encode()
    places = pa.array([0] * 20_000)
    table = pa.table({"body": ["b"] * 20_000, "url": url.take(places)})
    pq.write_table(table, tmp_path / "in.parquet", write_statistics=False)
    run("ingest", "in.parquet", "-o", "out.jsonl", "-c", "url,error_kind", check=0)
    assert (tmp_path / "out.jsonl").stat().st_size < 20_000 * 200


def test_pieces_of_a_table_are_bounded_by_their_content() -> None:
    table = repeated(1 << 20, 100).to_batches()[0]
    group = tables._Table(table.schema, [tables._Group(lambda _: [table])])
    parts = list(tables._parts("x", lambda _: group, "body", None))
    assert [part.count for part in parts if isinstance(part, items.Rows)] == [
        8
    ] * 12 + [4]


@pytest.mark.parametrize("read", ["batch", "reader"])
def test_offsets_behind_the_buffer_are_an_error(read: str) -> None:
    """Only pyarrow knows the size of its buffers."""
    batch = pa.RecordBatch.from_arrays([pa.array(["Site: A Mug\n"])], ["body"])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    stream = sink.getvalue().to_pybytes()
    offsets = struct.pack("<2i", 0, 12)
    # The buffers stand at the end: first the offsets, then the texts.
    at = stream.rindex(offsets, 0, stream.index(b"Site: A Mug"))
    wrong = struct.pack("<2i", 0, 1 << 25)
    stream = stream[:at] + wrong + stream[at + len(wrong) :]
    with pytest.raises((ValueError, OSError), match="larger than values array"):
        reader = pa.ipc.open_stream(stream)
        if read == "batch":
            agentsdisc.parse_batch(reader.read_next_batch())
        else:
            list(agentsdisc.parse_stream(reader))
