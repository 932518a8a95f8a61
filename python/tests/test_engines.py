"""polars, DuckDB, Spark and Ray return equal rows."""

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from conftest import ROOT
from test_batch import documents

pa = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def table() -> Any:
    """Returns every conformance vector that is read with the default limits, and rows without a document."""
    bodies: list[bytes | None] = []
    urls: list[str | None] = []
    for _, data, options in documents():
        bodies.append(data)
        urls.append(options.get("url"))
    bodies += [None, b"", None]
    urls += [None, None, "https://a.example/agents.txt"]
    return pa.table(
        {
            "number": pa.array(range(len(bodies)), pa.int64()),
            "body": pa.array(bodies, pa.binary()),
            "url": pa.array(urls, pa.string()),
        }
    )


@pytest.fixture(scope="module")
def expected(table: Any) -> list[dict[str, Any]]:
    """Returns the result of `parse_batch`."""
    batch = agentsdisc.parse_batch(table, keep=["number"])
    rows: list[dict[str, Any]] = pa.record_batch(batch).to_pylist()
    return rows


def same(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    """Compares row by row, so that a failure shows a single row."""
    assert len(found) == len(expected)
    for ours, theirs in zip(expected, found, strict=True):
        assert ours == theirs, ours["number"]


def test_polars(table: Any, expected: list[dict[str, Any]]) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.from_arrow(table)
    batch = agentsdisc.parse_batch(frame, keep=["number"])
    same(polars.DataFrame(batch).to_dicts(), expected)
    alone = polars.DataFrame(agentsdisc.parse_batch(frame["body"], frame["url"]))
    assert alone.drop("url").equals(polars.DataFrame(batch).drop("number", "url"))


def test_duckdb(table: Any, expected: list[dict[str, Any]]) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        relation = connection.from_arrow(table).filter("true")
        batch = agentsdisc.parse_batch(relation, keep=["number"])
        connection.register("rows", pa.record_batch(batch))
        found = connection.sql("select * from rows order by number").to_arrow_table()
        same(found.to_pylist(), expected)
        reader = pa.RecordBatchReader.from_stream(
            agentsdisc.parse_stream(table, keep=["number"], batch_rows=100)
        )
        connection.register("stream", reader)
        counted = connection.sql("select count(*), sum(number) from stream").fetchall()
        assert counted == [(len(expected), sum(range(len(expected))))]


def test_pandas(table: Any) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"body": table.column("body").to_pylist()})
    rows = pa.record_batch(agentsdisc.parse_batch(frame["body"].tolist()))
    assert rows.num_rows == len(frame)
    assert len(rows.to_pandas()) == len(frame)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """A local Spark session."""
    sql = pytest.importorskip(
        "pyspark.sql",
        reason="pip install --require-hashes -r python/requirements-engines.txt",
    )
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        sql.SparkSession.builder.master("local[2]")
        .appName("agentsdisc")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def test_spark(
    spark: Any, table: Any, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    import agentsdisc.spark
    import pyarrow.parquet as parquet

    parquet.write_table(table, tmp_path / "in.parquet", row_group_size=200)
    frame = spark.read.parquet(str(tmp_path / "in.parquet")).repartition(3)
    parsed = agentsdisc.spark.parse(frame, keep=["number"])
    assert parsed.schema.fieldNames()[1:] == agentsdisc.batch_schema().names
    found = [row.asDict(recursive=True) for row in parsed.orderBy("number").collect()]
    same(found, expected)
    chosen = agentsdisc.spark.parse(
        frame, columns=["capabilities.id", "status"], check=False, url=None
    )
    assert chosen.columns == ["status", "capabilities"]
    assert chosen.where("status = 'ok'").count() > 0
    with pytest.raises(
        ValueError, match="names columns that the output has already: url"
    ):
        agentsdisc.spark.parse(frame, keep=["url"])


def test_ray(
    table: Any, expected: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    reason = "pip install --require-hashes -r python/requirements-engines.txt"
    ray = pytest.importorskip("ray", reason=reason)
    data = pytest.importorskip("ray.data", reason=reason)
    import agentsdisc.ray

    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        object_store_memory=100 << 20,
    )
    try:
        data.DataContext.get_current().enable_progress_bars = False
        source = data.from_arrow(table).repartition(3)
        parsed = source.map_batches(
            agentsdisc.ray.Parse(keep=["number"]), batch_format="pyarrow"
        )
        found = pa.concat_tables(
            ray.get(parsed.to_arrow_refs()), promote_options="permissive"
        )
        found = sorted(found.to_pylist(), key=lambda row: row["number"])
        same(found, expected)
    finally:
        ray.shutdown()


def test_the_recipes_run() -> None:
    """Runs the guide's examples for polars and DuckDB, each in a separate folder."""
    text = (ROOT / "docs/crawling.md").read_text(encoding="utf-8")
    recipes = re.findall(r"```python recipe (\w+)\n(.*?)```", text, re.DOTALL)
    assert {name for name, _ in recipes} == {"polars", "duckdb"}
    for name, code in recipes:
        pytest.importorskip(name)
        shop = (ROOT / "samples/shop.example/.well-known/agents.json").read_bytes()
        names: dict[str, Any] = {
            "fetched": pa.table(
                {
                    "body": [shop, b"<html>"],
                    "url": ["https://shop.example/.well-known/agents.json", None],
                }
            )
        }
        exec(code, names)
        assert names["checkouts"], name


def test_the_worked_example(spark: Any, corpus: Path, tmp_path: Path) -> None:
    """DuckDB and Spark give the same answers about a WARC file, and the plot is drawn."""
    pytest.importorskip("matplotlib")
    path = ROOT / "python/examples/crawl.py"
    specification = importlib.util.spec_from_file_location("crawl", path)
    assert specification is not None and specification.loader is not None
    crawl = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(crawl)
    mine = tmp_path / "crawl.warc.gz"
    mine.write_bytes(corpus.read_bytes())
    table = tmp_path / "documents.parquet"
    crawl.ingest(mine, table)
    found = crawl.with_duckdb(table)
    checkouts, preferences, references, links = found.values()
    assert len(checkouts) > 10
    assert {"api-key", "oauth2"} <= {auth for *_, auth in checkouts}
    assert {
        ("train-ai", "disallow", "all paths"),
        ("train-ai", "allow", "some paths"),
    } <= {row[:3] for row in preferences}
    assert {"ai-catalog", "api-catalog", "llms-txt"} <= {
        name for name, *_ in references
    }
    kinds = {kind: (number, hosts) for kind, number, hosts in links}
    assert {"ai-catalog", "docs", "mcp-endpoint"} <= kinds.keys()
    assert all(number >= hosts > 0 for number, hosts in kinds.values())
    crawl.plot(table, tmp_path / "crawl.png")
    assert (tmp_path / "crawl.png").read_bytes().startswith(b"\x89PNG")
    text = (ROOT / "docs/crawling.md").read_text(encoding="utf-8")
    shown = re.findall(r"```sql\n(.*?);\n```", text, re.DOTALL)
    for sql, rows in zip(shown, found.values(), strict=True):
        sql = sql.replace("documents.parquet", str(table))
        assert importlib.import_module("duckdb").sql(sql).fetchall() == rows
    # Ends the Spark session: this is the last test that needs it.
    assert crawl.with_spark(mine) == found
