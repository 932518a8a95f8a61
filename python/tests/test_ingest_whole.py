"""What every run of `agentsdisc ingest` keeps: the table depends neither on threads, nor on the order of inputs, nor on how many they are."""

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from test_ingest_containers import RECORDS
from test_ingest_runs import (
    BY_DATE,
    BY_DIGEST,
    EARLIER,
    GOOD,
    answers,
    few,
    mixed,
    record,
    rows,
)

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def inputs_of_every_kind(folder: Path) -> list[str]:
    """Writes inputs, also damaged ones, and with revisits of each other's records."""
    damaged = bytearray(b"".join(map(gzip.compress, few())))
    middle = len(damaged) // 2
    damaged[middle : middle + 9] = bytes(9)
    urls = [f"https://t{number}.example/agents.txt" for number in range(50)]
    texts = [json.dumps({"url": url, "body": GOOD}) for url in urls]
    files: dict[str, bytes] = {
        "a.warc.gz": bytes(damaged),
        "b.warc": mixed(40) + BY_DATE + BY_DIGEST,
        "c.arc.gz": b"".join(map(gzip.compress, RECORDS)),
        "d.jsonl": "\n".join([*texts, "{"]).encode(),
        "e.warc": EARLIER + few()[0][:-20],
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    table = pa.table({"url": urls, "body": [GOOD.encode()] * 50})
    pq.write_table(table, folder / "f.parquet", row_group_size=20)
    return [*files, "f.parquet"]


def of(run: Run, folder: Path, *arguments: str) -> tuple[list[Any], dict[str, Any]]:
    """Returns the rows and the summary of a run."""
    done = run("ingest", *arguments, "-o", "out.jsonl", "--json", check=1)
    summary = json.loads(done.stdout)
    for name in ("seconds", "output", "losses"):
        summary.pop(name, None)
    return rows(folder / "out.jsonl"), summary


def in_order(found: list[Any]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in found)


def test_the_number_of_threads_changes_nothing(run: Run, tmp_path: Path) -> None:
    inputs = inputs_of_every_kind(tmp_path)
    expected = of(run, tmp_path, *inputs, "-j", "1")
    kinds = {row.get("record_type") for row in expected[0]}
    assert kinds == {"response", "revisit", None}
    assert len(expected[0]) > 150
    for jobs in ("2", "3", "8"):
        assert of(run, tmp_path, *inputs, "-j", jobs) == expected


def test_the_order_of_inputs_changes_nothing_but_the_order_of_rows(
    run: Run, tmp_path: Path
) -> None:
    inputs = inputs_of_every_kind(tmp_path)
    expected, summary = of(run, tmp_path, *inputs)
    orders = list(itertools.permutations(inputs))
    for order in orders[:: len(orders) // 7]:
        found, again = of(run, tmp_path, *order)
        assert in_order(found) == in_order(expected), order
        assert again == summary


def test_thousands_of_archives_give_the_rows_of_one(
    run: Run, tmp_path: Path, corpus: Path
) -> None:
    found = answers(corpus)
    (tmp_path / "many").mkdir()
    members = []
    for number in range(4000):
        url, _, body = found[number % len(found)]
        members.append(gzip.compress(record(f"{url}?{number}", body), 1))
        (tmp_path / f"many/{number:04}.warc.gz").write_bytes(members[-1])
    (tmp_path / "one.warc.gz").write_bytes(b"".join(members))
    options = ("-c", "url,bytes,format,status,service.name,capabilities.id")
    for inputs, out in (("one.warc.gz", "one.parquet"), ("many", "many.parquet")):
        run("ingest", inputs, "-o", out, *options, check=0)
    one = pq.read_table(tmp_path / "one.parquet")
    many = pq.read_table(tmp_path / "many.parquet")
    assert one.num_rows == 4000
    assert one.equals(many)
