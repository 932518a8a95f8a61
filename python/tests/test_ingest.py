"""`agentsdisc ingest`: many documents into a table."""

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
from agentsdisc.cli.outputs import COLUMNS
from conftest import ROOT, Run, environment

parquet = pytest.importorskip("pyarrow.parquet")

SAMPLES = ROOT / "samples"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_file_is_one_row(run: Run, tmp_path: Path) -> None:
    done = run("ingest", SAMPLES, "-o", "out.parquet", check=0)
    assert done.stdout == ""
    assert "documents/s" in done.stderr
    assert "\x1b" not in done.stderr
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names == list(COLUMNS)
    assert [str(field.type) for field in table.schema] == list(COLUMNS.values())
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
            assert row["model"] is None
            continue
        assert row["status"] == "ok"
        assert json.loads(row["model"]) == document.to_dict()
        assert row["capability_count"] == len(document.capabilities)
        assert row["agent_count"] == len(document.agents)
        found = [d.severity for d in document.check()]
        counts = [found.count(name) for name in ("error", "warning", "info")]
        assert [row["errors"], row["warnings"], row["infos"]] == counts
        assert row["service_name"] == (document.service and document.service.name)


def test_json_lines_out_say_the_same(run: Run, tmp_path: Path) -> None:
    run("ingest", SAMPLES, "-o", "out.parquet", check=0)
    run("ingest", SAMPLES, "-o", "out.jsonl", "--jobs", "3", check=0)
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    plain = [{k: v for k, v in row.items() if v is not None} for row in rows]
    assert lines(tmp_path / "out.jsonl") == plain


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
    run("ingest", "in.jsonl", "-o", "out.jsonl", check=0)
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
    run("ingest", "-", "-o", "again.jsonl", input=data, check=0)
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
    run("ingest", "in.jsonl", "-o", "out.jsonl", check=0)
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
    run("ingest", "in", "-o", "out.parquet", check=0)
    rows = {
        Path(row["source"]).name: row
        for row in parquet.read_table(tmp_path / "out.parquet").to_pylist()
    }
    assert rows["a.txt"]["status"] == "ok"
    assert rows["link"]["error_kind"] == "unreadable"
    assert rows["pipe"]["error_message"] == "not a regular file"
    assert rows["large"]["error_kind"] == "too-large"
    assert rows["large"]["bytes"] == 2_000_000


def test_names_that_are_no_utf8_are_kept(run: Run, tmp_path: Path) -> None:
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
    assert (table.num_rows, table.column_names) == (0, list(COLUMNS))


def test_output_in_the_input_folder_is_not_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(
        "Spec-Version: 1.0\nSite-Name: a\nSite-URL: https://a.example\n"
    )
    for _ in range(2):
        run("ingest", ".", "-o", "out.jsonl", check=0)
        assert len(lines(tmp_path / "out.jsonl")) == 1


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
def test_an_interrupted_run_leaves_what_was_there(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("before")
    process = subprocess.Popen(
        [sys.executable, "-m", "agentsdisc", "ingest", "-", "-o", name],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment(),
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
    for _ in range(200):
        if len(list(tmp_path.iterdir())) == 2:
            break
        time.sleep(0.05)
    assert (tmp_path / name).read_text() == "before"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in said
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "before"
