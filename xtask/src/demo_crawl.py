"""Shows AI preferences, references and links in a crawl. Part of `cargo xtask demo`."""

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import agentsdisc
import pyarrow as pa
from agentsdisc.cli.archives import records
from agentsdisc.cli.terminal import visible

COLUMNS = [
    "format",
    "robots.preferences",
    "references.relation",
    "references.media_type",
    "links.kind",
]


def main() -> None:
    started = time.perf_counter()
    preferences: Counter[str] = Counter()
    references: Counter[str] = Counter()
    links: Counter[str] = Counter()
    with Path(sys.argv[1]).open("rb") as file:
        for documents in records(sys.argv[1], file, 1 << 20):
            batch = agentsdisc.parse_batch(
                documents.bodies, documents.urls, columns=COLUMNS, check=False
            )
            for row in pa.record_batch(batch).to_pylist():
                robots: dict[str, Any] = row["robots"] or {}
                for each in robots.get("preferences") or ():
                    preferences[f"{each['purpose']} {each['preference']}"] += 1
                for each in row["references"] or ():
                    kind = each["relation"] or each["media_type"] or ""
                    references[f"{row['format']} {kind}".rstrip()] += 1
                for each in row["links"] or ():
                    links[each["kind"]] += 1
    taken = time.perf_counter() - started
    for title, counts in (
        ("AI preferences", preferences),
        ("references", references),
        ("links", links),
    ):
        said = ", ".join(f"{name} {n:,}" for name, n in counts.most_common(6))
        print(visible(f"  {title}: {said or 'none'}"))
    print(f"counted in {taken:.1f} s")


if __name__ == "__main__":
    main()
