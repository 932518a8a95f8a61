"""Damaged inputs of a registry: what can be read is in it, and what cannot is named."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agentsdisc.registry import open_store, sources
from agentsdisc.registry.build import Counts, build
from conftest import Run
from test_ingest_runs import record
from test_registry_build import everything, shop
from test_registry_serve import entry, running

pa: Any = pytest.importorskip("pyarrow")
ipc: Any = pytest.importorskip("pyarrow.ipc")
pq: Any = pytest.importorskip("pyarrow.parquet")

COUNT = 60
Damage = Callable[[bytes], bytes]


def documents() -> list[dict[str, str]]:
    return [
        {"url": f"https://s{at}.example/agents.txt", "body": shop(f"s{at}")}
        for at in range(COUNT)
    ]


def written(path: Path) -> Path:
    """Writes documents as the name of the file says."""
    rows = documents()
    table = pa.Table.from_pylist(rows)
    if path.name.endswith(".warc.gz"):
        records = [record(row["url"], row["body"].encode()) for row in rows]
        path.write_bytes(b"".join(map(gzip.compress, records)))
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=20, compression=None)
    else:
        with ipc.new_file(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=20)
    return path


def cut(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3 - 20]


def zeros(data: bytes) -> bytes:
    """Zero bytes in the middle, also where a group of rows of Parquet begins."""
    place = len(data) // 3
    if data.startswith(b"PAR1"):
        groups = pq.read_metadata(pa.BufferReader(data))
        place = groups.row_group(groups.num_row_groups // 2).column(0)
        place = place.dictionary_page_offset or place.data_page_offset
    return data[:place] + bytes(400) + data[place + 400 :]


def lost(text: str) -> list[str]:
    lines = text.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("lost: "))
    return [
        lines[start],
        *(line for line in lines[start + 1 :] if line.startswith("  ")),
    ]


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("in.warc.gz", cut),
        ("in.warc.gz", zeros),
        ("in.parquet", cut),
        ("in.parquet", zeros),
        ("in.arrow", cut),
        ("in.jsonl", zeros),
    ],
)
def test_losses_are_those_of_ingest(
    tmp_path: Path, run: Run, name: str, damage: Damage
) -> None:
    path = written(tmp_path / name)
    path.write_bytes(damage(path.read_bytes()))
    expected = lost(run("ingest", name, "-o", "out.parquet", check=1).stderr)
    done = run("registry", "build", name, "--store", "r.db", check=1)
    found = lost(done.stderr)
    if name == "in.jsonl":
        # Another reader says what is wrong within the line.
        expected, found = (
            [": ".join(line.split(": ")[:2]) for line in lines]
            for lines in (expected, found)
        )
    assert found == expected
    assert " new, 0 changed" in done.stderr


@pytest.mark.parametrize(
    ("name", "damage"),
    [("in.parquet", cut), ("in.parquet", zeros), ("in.arrow", cut), ("in.jsonl", cut)],
)
def test_tables_of_ingest_may_be_damaged(
    tmp_path: Path, run: Run, name: str, damage: Damage
) -> None:
    for part in ("a", "b"):
        folder = tmp_path / part / f"{part}.example"
        folder.mkdir(parents=True)
        (folder / "agents.txt").write_text(shop(part))
    run("ingest", "a", "-o", name, "--check", check=0)
    path = tmp_path / name
    path.write_bytes(damage(path.read_bytes()))
    done = run("registry", "build", name, "b", "--store", "r.db", check=1)
    assert lost(done.stderr)[1].startswith(f"  {name}:")
    assert "(1 services, 1 capabilities)" in done.stderr


def test_a_damaged_line_of_a_table_of_ingest_costs_itself(
    tmp_path: Path, run: Run
) -> None:
    for part in "abcdef":
        folder = tmp_path / "in" / f"{part}.example"
        folder.mkdir(parents=True)
        (folder / "agents.txt").write_text(shop(part))
    run("ingest", "in", "-o", "t.jsonl", "--check", check=0)
    path = tmp_path / "t.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[0] = b"{broken\n"
    lines[2] = b'{"status": [1], "url": 7}\n'
    lines[4] = b"\xff\xfe" + lines[4]
    path.write_bytes(b"".join([*lines[:3], b"\n", *lines[3:]]))
    done = run("registry", "build", "t.jsonl", "--store", "r.db", check=1)
    assert "6 documents" in done.stderr and "(3 services" in done.stderr
    places = [line.split(": ")[0] for line in lost(done.stderr)[1:]]
    assert sorted(places) == ["  t.jsonl:1", "  t.jsonl:3", "  t.jsonl:6"]


@pytest.mark.parametrize("name", ["in.warc.gz", "in.jsonl", "in.parquet"])
def test_a_build_that_goes_on_names_each_loss_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    from agentsdisc.registry import build as building

    monkeypatch.setattr(sources, "_ROWS", 7)
    monkeypatch.setattr(building, "_DOCUMENTS", 7)
    path = written(tmp_path / name)
    path.write_bytes(zeros(path.read_bytes()))

    store = open_store(str(tmp_path / "whole.db"))
    whole = build(store, [str(path)])
    entries = everything(store)
    store.close()
    store = open_store(str(tmp_path / "parts.db"))
    parts = Counts()
    for _ in range(COUNT):
        parts = build(store, [str(path)], stopped=lambda: True)
        if parts.documents == whole.documents:
            break
    assert everything(store) == entries and len(entries) > 10
    store.close()
    assert whole.lost == len(whole.losses) > 0
    assert (parts.lost, parts.losses) == (whole.lost, whole.losses)


def test_a_first_build_that_fails_leaves_no_store(tmp_path: Path, run: Run) -> None:
    pq.write_table(pa.table({"body": [1, 2]}), tmp_path / "wrong.parquet")
    (tmp_path / "bad.json").write_text("{}")
    for wrong in (
        ["missing.parquet"],
        ["wrong.parquet"],
        ["in", "--keys", "bad.json"],
        ["--domains", "missing.txt"],
    ):
        run("registry", "build", *wrong, "--store", "r.db", check=2)
        assert not [*tmp_path.glob("r.db*")], wrong
    (tmp_path / "in/a.example").mkdir(parents=True)
    (tmp_path / "in/a.example/agents.txt").write_text(shop("a"))
    run("registry", "build", "in", "--store", "r.db", check=0)
    run("registry", "build", "wrong.parquet", "--store", "r.db", check=2)
    done = run("registry", "build", "in", "--store", "r.db", check=0)
    assert "1 unchanged" in done.stderr


@pytest.mark.parametrize("how", ["removed", "overwritten", "zeros"])
def test_the_health_of_a_store_that_is_damaged(tmp_path: Path, how: str) -> None:
    path = tmp_path / "r.db"
    store = open_store(str(path))
    with store.write() as writer:
        for number in range(300):
            writer.put(*entry(number), [])
    store.close()
    store = open_store(str(path))
    with running(store) as asked:
        assert asked.get("/healthz").status_code == 200
        size = path.stat().st_size
        if how == "removed":
            for end in ("", "-wal", "-shm"):
                Path(f"{path}{end}").unlink(missing_ok=True)
        else:
            start = 0 if how == "overwritten" else 4096
            with path.open("r+b") as file:
                file.seek(start)
                file.write((b"x" if start == 0 else b"\0") * (size - start))
        answer = asked.get("/healthz")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        metrics = asked.get("/metrics")
        assert metrics.status_code == 200
        assert "agentsdisc_registry_store_errors_total 1" in metrics.text
    store.close()
