"""`agentsdisc ingest` writes many documents into a table."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from agentsdisc.cli import inputs
from conftest import PATIENCE, ROOT, Run, environment, heed_interrupts
from test_batch import model_of, plain
from test_conformance import normalised

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

SAMPLES = ROOT / "samples"


OWN = ["source", "fetched", "http_status", "digest", "record_type"]
COLUMNS = [*OWN, *agentsdisc.batch_schema(check=False).names]
CHECKED = [*OWN, *agentsdisc.batch_schema().names]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_file_is_one_row(run: Run, tmp_path: Path) -> None:
    done = run("ingest", SAMPLES, "-o", "out.parquet", "--check", check=0)
    assert done.stdout == ""
    assert "documents/s" in done.stderr
    assert "\x1b" not in done.stderr
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names == CHECKED
    assert table.schema.metadata[b"agentsdisc.rows"] == b"1"
    files = [path for path in SAMPLES.rglob("*") if path.is_file()]
    rows = table.to_pylist()
    assert sorted(row["source"] for row in rows) == sorted(map(str, files))
    for row in rows:
        data = Path(row["source"]).read_bytes()
        host, _, path = os.path.relpath(row["source"], SAMPLES).partition(os.sep)
        assert row["url"] == f"https://{host}/{path.replace(os.sep, '/')}"
        assert row["bytes"] == len(data)
        try:
            document = agentsdisc.parse(data, url=row["url"])
        except agentsdisc.ParseError as error:
            assert row["status"] == "error"
            assert row["error_kind"] == error.kind
            assert row["error_offset"] == error.offset
            assert (row["error_line"], row["error_column"]) == (
                error.line,
                error.column,
            )
            assert row["error_message"] == str(error)
            assert row["capabilities"] is None
            continue
        assert row["status"] == "ok"
        assert normalised(model_of(table.schema, row)) == normalised(document.to_dict())
        found = [d.severity for d in document.check()]
        counts = [found.count(name) for name in ("error", "warning", "info")]
        assert [row["errors"], row["warnings"], row["infos"]] == counts


def test_documents_are_checked_only_where_that_is_asked_for(
    run: Run, tmp_path: Path
) -> None:
    run("ingest", SAMPLES, "-o", "out.parquet", check=0)
    assert parquet.read_schema(tmp_path / "out.parquet").names == COLUMNS
    run("ingest", SAMPLES, "-o", "out.parquet", "--columns", "errors", check=0)
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names == ["errors"]
    assert any(table.column("errors").to_pylist())


def test_json_lines_out_say_the_same(run: Run, tmp_path: Path) -> None:
    run("ingest", SAMPLES, "-o", "out.parquet", check=0)
    run("ingest", SAMPLES, "-o", "out.jsonl", "--jobs", "3", check=0)
    run("ingest", SAMPLES, "-o", "out.arrow", check=0)
    table = parquet.read_table(tmp_path / "out.parquet")
    written = lines(tmp_path / "out.jsonl")
    assert len(written) == table.num_rows
    for row, line in zip(table.to_pylist(), written, strict=True):
        expected = {
            field.name: plain(field, row[field.name])
            for field in table.schema
            if row[field.name] is not None
        }
        assert normalised(line) == normalised(without_nulls(expected))
    with pa.memory_map(str(tmp_path / "out.arrow")) as file:
        assert pa.ipc.open_file(file).read_all().equals(table)


def without_nulls(value: Any) -> Any:
    """Returns the value without absent members."""
    if isinstance(value, dict):
        return {k: without_nulls(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value


def test_json_lines_in(run: Run, tmp_path: Path, shop_json: bytes) -> None:
    records: list[object] = [
        {"body": shop_json.decode(), "url": "https://shop.example/agents.json"},
        {"body": "Spec-Version: 1.0\nSite-Name: a\nSite-URL: https://a.example\n"},
        {"url": "https://a.example/"},
        {"body": 5},
        [],
        {"body": "<html>"},
        {"body": "Site-Name: \ud800"},
        {"body": "x: y\n" * 400_000},
    ]
    text = "\n".join(json.dumps(record) for record in records)
    data = text.encode() + b"\n\n{nonsense\n\xff\xfe\n" + b"[" * 100_000
    (tmp_path / "in.jsonl").write_bytes(data)
    done = run("ingest", "in.jsonl", "-o", "out.jsonl", check=1)
    assert "lost: 6 parts of the inputs cannot be read" in done.stderr
    rows = lines(tmp_path / "out.jsonl")
    assert [row.get("error_kind") for row in rows] == [
        None,
        None,
        "invalid-record",
        "invalid-record",
        "invalid-record",
        "not-a-discovery-document",
        "invalid-utf8",
        "too-large",
        "invalid-record",
        "invalid-record",
        "invalid-record",
    ]
    assert rows[0]["url"] == "https://shop.example/agents.json"
    assert rows[0]["source"] == "in.jsonl:1"
    assert rows[7]["bytes"] == 5 * 400_000
    assert rows[8]["source"] == "in.jsonl:10"
    run("ingest", "-", "-o", "again.jsonl", input=data, check=1)
    again = lines(tmp_path / "again.jsonl")
    assert [row["status"] for row in again] == [row["status"] for row in rows]


def test_a_hostile_line_does_not_fill_the_memory(run: Run, tmp_path: Path) -> None:
    with (tmp_path / "in.jsonl").open("wb") as file:
        file.write(b'{"body":"')
        for _ in range(20):
            file.write(b"x" * (1 << 20))
        file.write(
            b'"}\n{"body":"Spec-Version: 1.0\\nSite-Name: a\\nSite-URL: https://a.example\\n"}\n'
        )
    done = run("ingest", "in.jsonl", "-o", "out.jsonl", check=1)
    assert "  in.jsonl:1: the line is too long" in done.stderr
    rows = lines(tmp_path / "out.jsonl")
    assert [row.get("error_kind") for row in rows] == ["invalid-record", None]
    assert rows[0]["error_message"] == "the line is too long"


def test_a_file_that_cannot_be_read_is_a_row(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text(
        "Spec-Version: 1.0\nSite-Name: a\nSite-URL: https://a.example\n"
    )
    (folder / "link").symlink_to("nowhere")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe")
    (folder / "circle").symlink_to(folder)
    (folder / "large").write_bytes(b"x: y\n" * 400_000)
    done = run("ingest", "in", "-o", "out.parquet", check=1)
    assert "pipe: not a regular file" in done.stderr
    rows = {
        Path(row["source"]).name: row
        for row in parquet.read_table(tmp_path / "out.parquet").to_pylist()
    }
    assert rows["a.txt"]["status"] == "ok"
    assert rows["link"]["error_kind"] == "unreadable"
    assert rows["pipe"]["error_message"] == "not a regular file"
    assert rows["large"]["error_kind"] == "too-large"
    assert rows["large"]["bytes"] == 2_000_000


def test_names_that_are_not_utf8_are_kept(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.txt")).write_text("x")
    except OSError:
        pytest.skip("the file system takes no such name")
    run("ingest", "in", "-o", "out.parquet", check=0)
    (row,) = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert row["source"].endswith("caf\\udce9.txt")


@pytest.mark.parametrize(
    "name", ["out.csv", "out", "folder.parquet", "no/such/out.jsonl"]
)
def test_an_output_that_cannot_be_written_is_said_before_reading(
    run: Run, tmp_path: Path, name: str
) -> None:
    (tmp_path / "folder.parquet").mkdir()
    done = run("ingest", SAMPLES, "-o", name, check=2)
    assert done.stderr.startswith("agentsdisc: ")
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.parquet"]


def test_a_missing_input_is_exit_code_2(run: Run, tmp_path: Path) -> None:
    done = run("ingest", SAMPLES, "missing", "-o", "out.jsonl", check=2)
    assert "missing: no such file" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_gives_an_empty_table(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    run("ingest", "in", "-o", "out.parquet", check=0)
    table = parquet.read_table(tmp_path / "out.parquet")
    assert (table.num_rows, table.column_names) == (0, COLUMNS)


def test_output_in_the_input_folder_is_not_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(
        "Spec-Version: 1.0\nSite-Name: a\nSite-URL: https://a.example\n"
    )
    for _ in range(2):
        run("ingest", ".", "-o", "out.jsonl", check=0)
        assert len(lines(tmp_path / "out.jsonl")) == 1


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
def test_an_interrupted_run_keeps_the_old_output(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("before")
    process = subprocess.Popen(
        [sys.executable, "-m", "agentsdisc", "ingest", "-", "-o", name],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment(),
        preexec_fn=heed_interrupts,
    )
    assert process.stdin is not None
    line = (
        json.dumps(
            {"body": "Spec-Version: 1.0\nSite-Name: a\nSite-URL: https://a.example\n"}
        ).encode()
        + b"\n"
    )
    process.stdin.write(line * 10_000)
    process.stdin.flush()
    for _ in range(2400):
        if len(list(tmp_path.iterdir())) == 2:
            break
        time.sleep(0.05)
    else:
        pytest.fail("it never began to write")
    assert (tmp_path / name).read_text() == "before"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"Traceback" not in said
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "before"


@pytest.mark.parametrize("portion", [1, 7, 64, 1000])
def test_json_lines_are_read_whole_in_any_portions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, portion: int
) -> None:
    monkeypatch.setattr(inputs, "_PORTION", portion)
    path = tmp_path / "in.jsonl"
    data = b'{"body":"a"}\n\n[]\r\n' + b"x" * 300 + b"\nlast"
    path.write_bytes(data)
    found = [part for part, _ in inputs.items([str(path)], 1 << 20, lambda _: False)]
    parts = [part for part in found if isinstance(part, inputs.Lines)]
    assert len(parts) == len(found)
    assert b"".join(part.data for part in parts) == data
    assert all(part.data.endswith(b"\n") for part in parts[:-1])
    numbers = [part.number for part in parts]
    counts = [part.data.count(b"\n") for part in parts]
    assert numbers == [1 + sum(counts[:at]) for at in range(len(parts))]


def test_lines_around_one_that_is_too_long_are_numbered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "_PORTION", 1 << 16)
    path = tmp_path / "in.jsonl"
    for end in (b"", b"\n", b"\nafter\n"):
        path.write_bytes(b"before\n" + b"x" * (2 << 20) + end)
        found = [part for part, _ in inputs.items([str(path)], 1, lambda _: False)]
        assert isinstance(found[0], inputs.Lines)
        assert (found[0].number, found[0].data) == (1, b"before\n")
        assert isinstance(found[1], inputs.Item)
        assert found[1].source.endswith("in.jsonl:2")
        assert found[1].problem == ("invalid-record", "the line is too long")
        rest = [(part.number, part.data) for part in found[2:]]  # type: ignore[union-attr]
        assert rest == ([(3, b"after\n")] if end[1:] else [])


def test_the_size_of_the_inputs(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a").write_bytes(b"12345")
    (folder / "b").write_bytes(b"123")
    names = [str(folder), str(folder / "a")]
    assert inputs.known_size(names, lambda _: False, lambda: False) == 13
    assert inputs.known_size(names, lambda p: p.endswith("b"), lambda: False) == 10
    assert inputs.known_size([*names, "-"], lambda _: False, lambda: False) is None
    assert inputs.known_size(names, lambda _: False, lambda: True) is None


def test_escapes_of_json_lines_are_decoded(run: Run, tmp_path: Path) -> None:
    body = (
        'Spec-Version: 1.0\nSite-Name: "\\é😀/\t\b\f\r\nSite-URL: https://a.example\n'
    )
    for name, ascii in (("a.jsonl", True), ("b.jsonl", False)):
        line = json.dumps({"body": body, "url": "https://é.example/agents.txt"})
        text = line if ascii else json.dumps(json.loads(line), ensure_ascii=False)
        (tmp_path / name).write_text(text.replace("/", "\\/"), encoding="utf-8")
    run("ingest", "a.jsonl", "b.jsonl", "-o", "out.jsonl", check=0)
    first, second = lines(tmp_path / "out.jsonl")
    document = agentsdisc.parse(body)
    assert document.service is not None
    for row in (first, second):
        assert row["service"]["name"] == document.service.name
        assert row["url"] == "https://é.example/agents.txt"
        assert row["bytes"] == len(body.encode())
    assert {**first, "source": ""} == {**second, "source": ""}
