"""Makes a Parquet file of the answers that the generator makes: `python generator/parquet.py OUT.parquet --count 10000 --seed 1`.

Further arguments go to the generator (`agentsdisc-generator warc`): shares and formats. The columns are those that crawls
have: `url`, `status`, `content_type`, `body`. Needs cargo, pyarrow and FastWARC.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
from fastwarc.warc import ArchiveIterator, WarcRecordType

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = pa.schema(
    {
        "url": pa.string(),
        "status": pa.int32(),
        "content_type": pa.string(),
        "body": pa.binary(),
    }
)
GENERATOR = ["cargo", "run", "-q", "--release", "-p", "agentsdisc-generator", "--"]


class Pipe:
    """A pipe with a position, which FastWARC asks for."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._position = 0

    def read(self, size: int = -1) -> bytes:
        """Returns the next bytes."""
        block = self._file.read(size)
        self._position += len(block)
        return block

    def tell(self) -> int:
        """Returns how many bytes have been read."""
        return self._position


def answers(arguments: list[str]) -> Iterator[tuple[str, int, str, bytes]]:
    """Yields the responses that the generator writes: URL, status, content type and body."""
    command = [*GENERATOR, "warc", "-", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for record in ArchiveIterator(
            Pipe(process.stdout), record_types=WarcRecordType.response
        ):
            http = record.http_headers
            yield (
                record.headers["WARC-Target-URI"],
                http.status_code,
                http["Content-Type"],
                record.reader.read(),
            )
    if process.returncode:
        sys.exit(process.returncode)


def main() -> None:
    """Writes the file, with a row group for each 10,000 responses."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    rows: list[tuple[str, int, str, bytes]] = []
    with pq.ParquetWriter(sys.argv[1], SCHEMA, compression="zstd") as writer:

        def write() -> None:
            columns = zip(*rows, strict=True) if rows else ([] for _ in SCHEMA)
            arrays = [
                pa.array(column, field.type)
                for column, field in zip(columns, SCHEMA, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA))
            rows.clear()

        for answer in answers(sys.argv[2:]):
            rows.append(answer)
            if len(rows) == 10_000:
                write()
        write()


if __name__ == "__main__":
    main()
