"""From a crawl to answers with DuckDB, and the same with Spark.

Which sites declare a checkout, and with which authentication? What may their content be used for, what do their catalogs refer to, and
where do their links lead?

    python python/examples/crawl.py [CRAWL.warc.gz] [--folder crawl-out] [--spark]

Without a crawl, one is made by the generator of this repository. Needs `pip install 'agentsdisc[cli,plot]' duckdb`, and with --spark
pyspark. docs/crawling.md explains it.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = (
    "url,bytes,format,status,error_kind,service.name,auth.type,capabilities.id,capabilities.method,capabilities.auth.type,"
    "robots.preferences,references.relation,references.media_type,references.url,links.url,links.kind"
)

CHECKOUTS = """
    select regexp_extract(url, '^https?://([^/:]+)', 1)          as site,
           format,
           capability.id                                         as capability,
           coalesce(capability.auth.type, auth.type, 'not said') as auth
    from documents
    where lower(capability.id) like '%checkout%'
    order by site, capability
"""
PREFERENCES = """
    select stated.purpose                                                       as purpose,
           stated.preference                                                    as preference,
           case when stated.path is null then 'all paths' else 'some paths' end as paths,
           count(distinct url)                                                  as sites
    from documents
    group by 1, 2, 3
    order by 1, 2, 3
"""
REFERENCES = """
    select format,
           coalesce(reference.relation, 'not said')   as relation,
           coalesce(reference.media_type, 'not said') as media_type,
           count(*)                                   as number
    from documents
    group by 1, 2, 3
    order by 1, 2, 3
"""
LINKS = """
    select link.kind                                                         as kind,
           count(*)                                                          as links,
           count(distinct regexp_extract(link.url, '^https?://([^/:]+)', 1)) as hosts
    from documents
    group by 1
    order by 1
"""

QUESTIONS = {
    "checkouts": ("capabilities", "capability", CHECKOUTS),
    "AI preferences": ("robots.preferences", "stated", PREFERENCES),
    "references": ("references", "reference", REFERENCES),
    "links": ("links", "link", LINKS),
}
"""For each question: a list column, the name of one item of it, and the query in SQL for DuckDB and Spark, for which `documents` has a
row for each item."""


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


def with_duckdb(table: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Returns the answers of DuckDB."""
    answers = {}
    for question, (column, item, query) in QUESTIONS.items():
        quoted = ".".join(f'"{name}"' for name in column.split("."))
        rows = f"select url, format, auth, unnest({quoted}) as {item} from read_parquet('{table}')"
        answers[question] = duckdb.sql(f"with documents as ({rows}) {query}").fetchall()
    return answers


def with_spark(crawl: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Returns the answers of Spark, which parses the documents on the executors."""
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
        answers = {}
        for question, (column, item, query) in QUESTIONS.items():
            parsed.select(
                "url", "format", "auth", explode(column).alias(item)
            ).createOrReplaceTempView("documents")
            answers[question] = [tuple(row) for row in spark.sql(query).collect()]
        return answers
    finally:
        spark.stop()


def to_parquet(crawl: Path, fetched: Path) -> None:
    """Returns the data of a crawl pipeline on Spark: URL and body of every answer from a location of documents."""
    import pyarrow
    import pyarrow.parquet
    from agentsdisc.cli.archives import records

    with crawl.open("rb") as file:
        answers = [
            (url, body)
            for documents in records(str(crawl), file, 1 << 20)
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
    parser = argparse.ArgumentParser(description="What do sites declare for agents?")
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
    for question, rows in found.items():
        print(f"{question}: {len(rows):,} rows; the first:")
        for row in rows[:10]:
            print("  " + "  ".join(f"{cell!s:<24}" for cell in row).rstrip())
    plot(table, options.folder / "crawl.png")
    print(f"plot: {options.folder / 'crawl.png'}")
    if options.spark:
        # Rows of one site and capability have no order.
        others = with_spark(crawl)
        same = all(
            sorted(others[question], key=repr) == sorted(rows, key=repr)
            for question, rows in found.items()
        )
        print("Spark says the same." if same else "Spark says something else!")
        sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
