"""Parquet files put together without reading their rows."""

import io
import random
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from agentsdisc.cli import outputs
from agentsdisc.cli.parquet_join import Strange, join
from test_conformance import vectors

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


SCHEMA = pa.schema(
    {
        "text": pa.string(),
        "number": pa.int64(),
        "list": pa.list_(pa.struct({"a": pa.int64(), "b": pa.list_(pa.string())})),
        "nothing": pa.string(),
        "truth": pa.bool_(),
    },
    {"agentsdisc.rows": "1"},
)


def table(first: int, count: int) -> Any:
    rows = [
        {
            "text": None if n % 5 == 0 else f"text {n % 50}",
            "number": n,
            "list": [{"a": n, "b": [str(n)] * (n % 4)}] * (n % 3),
            "truth": n % 2 == 0,
        }
        for n in range(first, first + count)
    ]
    return pa.Table.from_pylist(rows, SCHEMA)


def written(path: Path, rows: Any, **options: Any) -> Path:
    pq.write_table(rows, path, compression="zstd", **options)
    return path


def joined(parts: list[Path]) -> bytes:
    whole = io.BytesIO()
    join(parts, whole)
    return whole.getvalue()


@pytest.mark.parametrize("size", [7, 100, 100_000])
@pytest.mark.parametrize("counts", [(50,), (300, 1, 2000), (0, 10), (10, 0), (5,) * 40])
@pytest.mark.parametrize("index", [False, True])
def test_the_rows_are_those_of_the_parts(
    tmp_path: Path, counts: tuple[int, ...], size: int, index: bool
) -> None:
    parts, first = [], 0
    for number, count in enumerate(counts):
        rows = table(first, count)
        path = tmp_path / f"{number}.parquet"
        parts.append(written(path, rows, row_group_size=size, write_page_index=index))
        first += count
    expected = table(0, first)
    whole = joined(parts)
    found = pq.read_table(io.BytesIO(whole))
    found.validate(full=True)
    assert found.equals(expected)
    assert found.schema.equals(pq.read_table(parts[0]).schema, check_metadata=True)
    # Every group for itself, and as its part had it: nothing leads to a neighbour.
    file = pq.ParquetFile(io.BytesIO(whole))
    at = 0
    for path in parts:
        part = pq.ParquetFile(path)
        for number in range(part.num_row_groups):
            assert file.read_row_group(at).equals(part.read_row_group(number))
            ours = file.metadata.row_group(at).column(0).statistics
            assert ours == part.metadata.row_group(number).column(0).statistics
            at += 1
    assert at == file.num_row_groups
    # A filter skips groups by their statistics.
    if first > 20:
        few = pq.read_table(io.BytesIO(whole), filters=[("number", ">", first - 4)])
        assert few.column("number").to_pylist() == [*range(first - 3, first)]


def test_parts_of_other_columns_are_refused(tmp_path: Path) -> None:
    one = written(tmp_path / "1.parquet", table(0, 9))
    other = written(tmp_path / "2.parquet", table(0, 9).drop_columns(["truth"]))
    with pytest.raises(Strange, match="different columns"):
        joined([one, other])
    with pytest.raises(Strange, match="no parts"):
        joined([])


def test_damaged_parts_are_refused_or_give_a_file(tmp_path: Path) -> None:
    """Nothing else is ever raised, and nothing goes on for ever."""
    whole = written(tmp_path / "whole.parquet", table(0, 500)).read_bytes()
    path = tmp_path / "part.parquet"
    footer = int.from_bytes(whole[-8:-4], "little")
    chance = random.Random(1)
    refused = 0
    for number in range(1500):
        data = bytearray(whole)
        if number % 3 == 0:
            del data[chance.randrange(len(data)) :]
        else:
            at = len(data) - 8 - chance.randrange(footer)
            data[at] = chance.randrange(256)
        path.write_bytes(data)
        try:
            joined([path])
        except Strange:
            refused += 1
    assert refused > 600


def test_parts_that_cannot_be_joined_are_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def strange(*_: object) -> None:
        raise Strange

    monkeypatch.setattr(outputs, "join", strange)
    parts = [
        written(tmp_path / f"part-{n}.parquet", table(n * 100, 100)) for n in range(3)
    ]
    output = outputs.Output(str(tmp_path / "out.parquet"))
    output.put_together(parts, tmp_path, table(0, 0).schema)
    assert pq.read_table(output.path).equals(table(0, 300))


def test_what_is_written_is_what_pyarrow_writes_by_itself(tmp_path: Path) -> None:
    """Every column of the table has options of its own."""
    batch = pa.record_batch(
        agentsdisc.parse_batch([path.read_bytes() for path in vectors()])
    )
    pq.write_table(pa.Table.from_batches([batch]), tmp_path / "plain.parquet")
    writer = outputs.Parquet(tmp_path / "ours.parquet", batch.schema)
    writer.write(batch)
    writer.close()
    plain, ours = (
        pq.ParquetFile(tmp_path / f"{name}.parquet") for name in ("plain", "ours")
    )
    assert ours.schema_arrow.equals(plain.schema_arrow, check_metadata=True)
    assert ours.schema.equals(plain.schema)
    assert ours.read().equals(plain.read())
    (group,) = map(ours.metadata.row_group, range(ours.metadata.num_row_groups))
    columns = [group.column(at) for at in range(group.num_columns)]
    assert len(columns) > 200
    for column in columns:
        is_text = column.physical_type == "BYTE_ARRAY"
        assert column.compression == ("ZSTD" if is_text else "SNAPPY")
        in_list = ".list." in column.path_in_schema
        assert (column.statistics is None) == in_list, column.path_in_schema
