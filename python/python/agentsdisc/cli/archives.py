"""Reads the responses in WARC and ARC files with the archive reader in Rust (`crawl/`)."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import BinaryIO

from .._agentsdisc import _Archive
from .items import MAX_URL, Capture, Documents, Revisit, bounds

SUFFIXES = tuple(
    f"{form}{packing}"
    for form in (".warc", ".arc")
    for packing in ("", ".gz", ".zst", ".lz4")
)

Section = tuple[int, int]
"""The start and the size of a part of a file in bytes."""


def records(
    name: str,
    source: bytes | BinaryIO,
    limit: int,
    everything: bool = False,
    *,
    only: Collection[str] | None = None,
    revisits: bool = False,
    threads: int = 1,
    prefix: bytes | None = None,
    section: Section | None = None,
) -> Iterator[Documents]:
    """Yields the responses in an archive, in order, and a problem for every section that cannot be read.

    Reads at most one byte of a body beyond the limit. `only` has the URLs whose responses are read instead of those of documents. With `revisits`, the
    revisits of documents are not only counted. `prefix` has the bytes that were already taken from a stream. Of a file, `section` is read.
    """
    urls = None if only is None else set(only)
    archive = _Archive(
        name,
        source,
        prefix,
        section,
        limit,
        everything,
        urls,
        revisits,
        threads,
        bounds(),
    )
    try:
        for found in archive:
            documents = Documents(*found)  # type: ignore[arg-type]
            for at, capture in documents.captures.items():
                documents.captures[at] = Capture(*capture)
            documents.revisits = [Revisit(*one) for one in documents.revisits]
            documents.passed = Counter(documents.passed)
            for at, url in enumerate(documents.urls):
                if url is not None and 4 * len(url) > MAX_URL:
                    documents.bound(at, url)
            yield documents
    finally:
        # Reading ends before the caller closes the file.
        archive.close()
