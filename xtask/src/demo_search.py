"""Searches a registry, and shows how long that takes. Part of `cargo xtask demo`."""

import sys
import time

from agentsdisc.cli.terminal import visible
from agentsdisc.registry import Query, open_store


def main() -> None:
    file, words = sys.argv[1:]
    store = open_store(file, read_only=True)
    try:
        store.search(
            Query(text=words)
        )  # the first search reads the index from the disk
        started = time.perf_counter()
        found = store.search(Query(text=words, limit=3))
        taken = time.perf_counter() - started
    finally:
        store.close()
    for hit in found.hits:
        names = ", ".join(entry.name for entry in hit.capabilities[:3])
        print(visible(f"  {hit.service.domain}  {hit.service.name or ''}: {names}"))
    print(f"{words!r}: the best {len(found.hits)} services in {1000 * taken:.1f} ms")


if __name__ == "__main__":
    main()
