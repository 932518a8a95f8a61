"""From a crawl to an answer: which sites declare a checkout, and with which authentication? With DuckDB, and the same with Spark.

    python python/examples/crawl.py [CRAWL.warc.gz] [--folder crawl-out] [--spark]

Without a crawl, one is made by the generator of this repository. Needs `pip install 'agentsdisc[cli,warc,plot]' duckdb`, and with --spark
pyspark. docs/crawling.md explains it.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = "url,bytes,format,status,error_kind,service.name,auth.type,capabilities.id,capabilities.method,capabilities.auth.type"

CHECKOUTS = """
    select regexp_extract(url, '^https?://([^/:]+)', 1)          as site,
           format,
           capability.id                                         as capability,
           coalesce(capability.auth.type, auth.type, 'not said') as auth
    from documents
    where lower(capability.id) like '%checkout%'
    order by site, capability
"""
"""The query, in SQL for DuckDB and Spark; `documents` has a row per capability."""

DUCKDB = f"""
    with documents as (
        select url, format, auth, unnest(capabilities) as capability
        from read_parquet('FILE')
    ) {CHECKOUTS}
"""


def make(crawl: Path, count: int) -> None:
    """Creates a crawl if none is given."""
    command = ["cargo", "run", "-q", "--release", "-p", "agentsdisc-generator", "--"]
    arguments = ["warc", str(crawl.absolute()), "--count", str(count), "--seed", "1"]
    subprocess.run([*command, *arguments], cwd=ROOT, check=True)


def ingest(crawl: Path, table: Path) -> None:
    """Returns the crawl as a table."""
    command = [sys.executable, "-m", "agentsdisc", "ingest", str(crawl)]
    options = ["-o", str(table), "--columns", COLUMNS]
    subprocess.run([*command, *options], check=True)


def with_duckdb(table: Path) -> list[tuple[Any, ...]]:
    """Returns the result of DuckDB."""
    return duckdb.sql(DUCKDB.replace("FILE", str(table))).fetchall()


def with_spark(crawl: Path) -> list[tuple[Any, ...]]:
    """Returns the result of Spark, which parses the documents on the executors."""
    import agentsdisc.spark
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import explode

    fetched = crawl.parent / "fetched.parquet"
    to_parquet(crawl, fetched)
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    try:
        parsed = agentsdisc.spark.parse(
            spark.read.parquet(str(fetched)),
            columns=["url", *COLUMNS.split(",")[2:]],
            check=False,
        )
        parsed.select(
            "url", "format", "auth", explode("capabilities").alias("capability")
        ).createOrReplaceTempView("documents")
        return [tuple(row) for row in spark.sql(CHECKOUTS).collect()]
    finally:
        spark.stop()


def to_parquet(crawl: Path, fetched: Path) -> None:
    """Returns the data of a crawl pipeline on Spark: URL and body of every answer from a location of documents."""
    import pyarrow
    import pyarrow.parquet
    from agentsdisc.cli.warc import records

    with crawl.open("rb") as file:
        answers = [
            (url, body)
            for documents in records(str(crawl), file, 1 << 20, False, True)
            for url, body in zip(documents.urls, documents.bodies, strict=True)
            if body is not None
        ]
    table = {"url": [url for url, _ in answers], "body": [body for _, body in answers]}
    pyarrow.parquet.write_table(pyarrow.table(table), fetched)


def plot(table: Path, image: Path) -> None:
    """Plots the number of documents by format, and the authentication of their capabilities."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    formats = duckdb.sql(
        f"select format, count(*) from read_parquet('{table}') where status = 'ok' group by 1 order by 2"
    ).fetchall()
    auths = duckdb.sql(
        f"""
        select coalesce(c.auth.type, auth.type, 'not said') as how, count(*)
        from (select auth, unnest(capabilities) as c from read_parquet('{table}'))
        group by 1 order by 2
        """
    ).fetchall()
    figure, (left, right) = pyplot.subplots(
        1, 2, figsize=(9, 3.4), layout="constrained"
    )
    for axes, rows, title in (
        (left, formats, "documents by format"),
        (right, auths, "capabilities by authentication"),
    ):
        bars = axes.barh([name for name, _ in rows], [count for _, count in rows])
        axes.bar_label(bars, fmt="{:,.0f}", padding=3)
        axes.set_title(title, loc="left")
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(x=0.15)
    figure.savefig(image, dpi=120)


def main() -> None:
    """Runs the example."""
    parser = argparse.ArgumentParser(description="Who declares a checkout?")
    parser.add_argument("crawl", nargs="?", type=Path, help="a WARC file")
    parser.add_argument("--folder", type=Path, default=Path("crawl-out"))
    parser.add_argument(
        "--count", type=int, default=20_000, help="sites, where a crawl is made"
    )
    parser.add_argument(
        "--spark", action="store_true", help="ask Spark, too, and compare"
    )
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    crawl = options.crawl or options.folder / "crawl.warc.gz"
    if options.crawl is None:
        make(crawl, options.count)
    table = options.folder / "documents.parquet"
    ingest(crawl, table)
    found = with_duckdb(table)
    print(f"{len(found)} checkouts are declared; the first:")
    for row in found[:10]:
        print("  " + "  ".join(f"{cell!s:<24}" for cell in row).rstrip())
    plot(table, options.folder / "crawl.png")
    print(f"plot: {options.folder / 'crawl.png'}")
    if options.spark:
        # Rows of one site and capability have no order.
        same = sorted(with_spark(crawl), key=repr) == sorted(found, key=repr)
        print("Spark says the same." if same else "Spark says something else!")
        sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
