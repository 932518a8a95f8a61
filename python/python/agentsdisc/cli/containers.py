"""Recognizes files that hold documents but are none, by their first bytes: archives, tables, and compressed files."""

import re
import zlib

FIRST = 512
"""Number of bytes that are enough to recognize them."""
WARC, ARC = "a WARC file", "an ARC file"
PARQUET, ARROW = "a Parquet file", "an Arrow file"
ARCHIVES = (WARC, ARC)
_INPUT = "name it as an input of `agentsdisc ingest`"
_MAY_BE_WARC = "name it .warc{} if it holds WARC, or unpack it"
_WAYS = (
    (rb"WARC/\d\.\d+[ \t]*\r?\n", WARC, _INPUT),
    (rb"PAR1\x15", PARQUET, _INPUT),
    (rb"ARROW1\0\0|\xff{4}.{2}\0\0", ARROW, _INPUT),
    (rb"FEA1\0", "a Feather file of version 1", "write it as version 2 or Parquet"),
    (rb"filedesc://", ARC, _INPUT),
    (rb"PK(?:\x03\x04|\x05\x06)", "a ZIP archive", "unpack it, and name what is in it"),
    (rb".{257}ustar", "a tar archive", "unpack it, and name the folder"),
    (rb"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it, and name what is in it"),
    (rb"Rar!\x1a\x07", "a RAR archive", "unpack it, and name what is in it"),
    (rb"\x1f\x8b\x08", "a gzip file", "unpack it"),
    (rb"\x1f\x9d", "a file of compress", "unpack it"),
    (rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", "a bzip2 file", "unpack it"),
    (rb"\xfd7zXZ\0", "an xz file", "unpack it"),
    (
        rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18",
        "a Zstandard file",
        _MAY_BE_WARC.format(".zst"),
    ),
    (rb"\x04\x22\x4d\x18", "an LZ4 file", _MAY_BE_WARC.format(".lz4")),
)
_ANY = re.compile(b"|".join(b"(%b)" % pattern for pattern, *_ in _WAYS), re.DOTALL)
_GZIP = 31  # `wbits` of zlib


def container(data: bytes) -> tuple[str, str] | None:
    """Returns what the file with these first bytes is, and what to do with it; None if it may be a document.

    A gzip file of one of these is that, because WARC files are often compressed.
    """
    found = _named(data)
    if found is not None and data.startswith(b"\x1f\x8b"):
        try:
            within = zlib.decompressobj(_GZIP).decompress(data, FIRST)
        except zlib.error:
            within = b""
        return _named(within) or found
    return found


def why(data: bytes) -> str | None:
    """Returns why the file with these first bytes is not read as a document; None if it is."""
    found = container(data)
    return None if found is None else f"this is {found[0]}, not a document; {found[1]}"


def _named(data: bytes) -> tuple[str, str] | None:
    found = _ANY.match(data)
    return _WAYS[found.lastindex - 1][1:] if found and found.lastindex else None
