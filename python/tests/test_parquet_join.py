"""Parquet parts are joined into one file, row group by row group."""

from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from agentsdisc.cli import outputs
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


@pytest.mark.parametrize("size", [7, 100, 100_000])
@pytest.mark.parametrize("counts", [(50,), (300, 1, 2000), (0, 10), (10, 0), (5,) * 40])
def test_the_rows_are_those_of_the_parts(
    tmp_path: Path, counts: tuple[int, ...], size: int
) -> None:
    parts, first = [], 0
    for number, count in enumerate(counts):
        path = tmp_path / f"part-{number:05}.parquet"
        parts.append(written(path, table(first, count), row_group_size=size))
        first += count
    groups = [
        (group.num_rows, group.column(1).statistics.min, group.column(1).statistics.max)
        for path in parts
        for group in groups_of(path)
        if group.num_rows
    ]
    expected, schema = table(0, first), pq.read_schema(parts[0])
    output = outputs.Output(str(tmp_path / "out.parquet"))
    output.put_together(parts, tmp_path, expected.schema)
    found = pq.read_table(output.path)
    found.validate(full=True)
    assert found.equals(expected)
    assert found.schema.equals(schema, check_metadata=True)
    # Each row group equals that of its part, with its statistics.
    ours = [
        (group.num_rows, group.column(1).statistics.min, group.column(1).statistics.max)
        for group in groups_of(Path(output.path))
        if group.num_rows
    ]
    assert ours == groups
    # A filter uses the statistics to skip row groups.
    if first > 20:
        few = pq.read_table(output.path, filters=[("number", ">", first - 4)])
        assert few.column("number").to_pylist() == [*range(first - 3, first)]


def groups_of(path: Path) -> list[Any]:
    metadata = pq.read_metadata(path)
    return [metadata.row_group(at) for at in range(metadata.num_row_groups)]


def test_the_output_equals_that_of_pyarrow(tmp_path: Path) -> None:
    """Every column of the table has its own options."""
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
