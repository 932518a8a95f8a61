"""What a registry is built from: the inputs of `agentsdisc ingest`, and the tables that it writes.

Everything becomes chunks of bounded size, in a stable order, each with the place behind it, so that a build can go on where it ended.
"""

import hashlib
import json
from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from .. import Limits, batch_schema, parse_batch
from ..cli import tables
from ..cli.inputs import Documents, Item, Lines, Part, Place, Rows, Wanted, items, marks
from ..cli.reading import Unreadable
from ..cli.terminal import visible
from .parts import COLUMNS, now

_ROWS, _BYTES = 1_024, 4 << 20
_JSON_LINES = (".jsonl", ".ndjson")

Known = Callable[[list[str | None]], Mapping[str, str]]
"""Returns the digests of the documents at these URLs, as far as the registry has them."""


@dataclass(slots=True)
class Chunk:
    """Some documents: what they say, and their bytes where these are known."""

    batch: Any
    """A record batch with columns of `parts.COLUMNS`; None if there is nothing to read."""
    fetched: list[datetime]
    urls: list[str | None] | None = None
    bodies: list[bytes | None] | None = None
    same: list[tuple[str, datetime]] = field(default_factory=list)
    """The documents that the registry has with the same bytes: they are not parsed."""
    documents: int = 0
    size: int = 0
    unreadable: int = 0
    """Documents that were not received whole, and parts of the inputs that cannot be read."""
    lost: int = 0
    """Parts of the inputs that cannot be read."""


@dataclass(slots=True)
class _Raw:
    """Documents before parsing."""

    urls: list[str | None] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)
    bodies: list[bytes | None] = field(default_factory=list)
    times: list[datetime] = field(default_factory=list)
    size: int = 0
    lost: int = 0

    def add(
        self, url: str | None, hint: str, body: bytes | None, time: datetime
    ) -> None:
        """Adds a document; None if it cannot be read."""
        self.urls.append(url)
        self.hints.append(hint)
        self.bodies.append(body)
        self.times.append(time)
        self.size += len(body or b"")


class Inputs:
    """The inputs of a build."""

    def __init__(
        self,
        names: list[str],
        limits: Limits,
        *,
        body: str = "body",
        url: str | None = None,
    ) -> None:
        self.names = names
        self._limits = limits
        self._wanted = Wanted(limits.document, False, body, url)
        self.key = hashlib.sha256(
            json.dumps(
                [
                    [str(Path(name).resolve()) for name in names],
                    marks(names),
                    limits.document,
                    body,
                    url,
                ]
            ).encode()
        ).hexdigest()
        """Identifies the inputs and their state."""

    def chunks(
        self, start: Place, known: Known, workers: int, skip: Callable[[str], bool]
    ) -> Iterator[tuple[Chunk, Place]]:
        """Yields what is behind `start`, with the place behind each chunk."""
        waiting: deque[tuple[Future[Chunk], Place]] = deque()
        pool = ThreadPoolExecutor(workers, "agentsdisc")
        # Reading has a thread, too: unpacking a table takes as long as parsing.
        reader = ThreadPoolExecutor(1, "agentsdisc-read")
        parts = self._parts(start, skip)
        try:
            coming = reader.submit(next, parts, None)
            while (found := coming.result()) is not None:
                coming = reader.submit(next, parts, None)
                part, place = found
                waiting.append((pool.submit(self._chunk, part, known), place))
                while len(waiting) > workers:
                    done, place = waiting.popleft()
                    yield done.result(), place
            while waiting:
                done, place = waiting.popleft()
                yield done.result(), place
        finally:
            reader.shutdown(cancel_futures=True)
            pool.shutdown(cancel_futures=True)

    def _parts(
        self, start: Place, skip: Callable[[str], bool]
    ) -> Iterator[tuple["_Raw | Chunk", Place]]:
        seen = start.seen
        for number in range(start.input, len(self.names)):
            name = self.names[number]
            before = start.count if number == start.input else 0
            stated = _time_of(name)
            written = None if Path(name).is_dir() else _written_by_ingest(name)
            if written is not None:
                for chunk, count in _of_batches(written, stated, before):
                    yield chunk, Place(number, count, seen)
                continue
            inner = Place(0, before, seen[number : number + 1])
            for part, place in self._raw(name, inner, stated, skip):
                own = place.seen[0] if place.seen else ""
                yield part, Place(number, place.count, (*seen[:number], own))
            seen = (*seen[:number], "")

    def _raw(
        self, name: str, start: Place, stated: datetime, skip: Callable[[str], bool]
    ) -> Iterator[tuple[_Raw, Place]]:
        """Yields the documents of an input, in portions."""
        held, end = _Raw(), start
        for part, place in items([name], self._wanted, skip, start):
            first = place.count - part.count
            for number, document in enumerate(_documents(part, stated), start=1):
                if document is not None:
                    held.add(*document)
                if len(held.bodies) >= _ROWS or held.size >= _BYTES:
                    yield held, replace(place, count=first + number)
                    held = _Raw()
            held.lost += _lost(part)
            end = place
        if held.bodies:
            yield held, end

    def _chunk(self, raw: "_Raw | Chunk", known: Known) -> Chunk:
        """Parses documents that the registry does not have with the same bytes."""
        if isinstance(raw, Chunk):
            return raw
        digests = known(raw.urls)
        hints: list[str] = []
        urls: list[str | None] = []
        bodies: list[bytes | None] = []
        chunk = Chunk(None, [], urls, bodies, documents=len(raw.bodies), size=raw.size)
        for url, hint, body, time in zip(
            raw.urls, raw.hints, raw.bodies, raw.times, strict=True
        ):
            if body is None:
                chunk.unreadable += 1
            elif (
                url
                and url in digests
                and digests[url] == hashlib.sha256(body).hexdigest()
            ):
                chunk.same.append((url, time))
            elif url:
                urls.append(url)
                bodies.append(body)
                chunk.fetched.append(time)
                hints.append(hint)
        if hints:
            parsed = parse_batch(
                bodies,
                hints,
                columns=[*COLUMNS, "error_kind"],
                check=True,
                limits=self._limits,
                threads=1,
            )
            chunk.batch = import_module("pyarrow").record_batch(parsed)
        return chunk


_Document = tuple[str | None, str, bytes | None, datetime]
"""URL, hint for detection, bytes and time; without bytes if it cannot be read."""


def _documents(part: Part, stated: datetime) -> Iterator[_Document | None]:
    """Yields as many documents as a part counts; None for what is none."""
    if isinstance(part, Item):
        body = None if part.problem else part.body
        yield part.url, part.url or part.source, body, _time_of(part.source, stated)
    elif isinstance(part, Documents):
        found = zip(part.urls, part.hints, part.bodies, strict=True)
        for at, (url, hint, body) in enumerate(found):
            yield url, hint, None if at in part.recovered else body, stated
    elif isinstance(part, Lines):
        for line in part.data.split(b"\n")[: part.count]:
            url, body = _of_line(line)
            yield (url, url or part.name, body, stated) if line.strip() else None
    else:
        yield from _of_rows(part, stated)


def _lost(part: Part) -> int:
    """Returns how many parts of an input cannot be read."""
    if isinstance(part, Documents):
        return len(part.lost)
    return int(isinstance(part, Item) and part.problem is not None)


def _of_rows(part: Rows, stated: datetime) -> Iterator[_Document]:
    bodies = part.batch.column("body").to_pylist()
    urls = [None] * len(bodies)
    if "url" in part.batch.schema.names:
        urls = part.batch.column("url").to_pylist()
    for url, body in zip(urls, bodies, strict=True):
        data = body.encode() if isinstance(body, str) else body
        yield url, url or part.name, data, stated


def _of_line(line: bytes) -> tuple[str | None, bytes | None]:
    record = _record(line)
    url, body = record.get("url"), record.get("body")
    if not isinstance(body, str):
        return None, None
    return url if isinstance(url, str) else None, body.encode("utf-8", "surrogatepass")


def _time_of(path: str, otherwise: datetime | None = None) -> datetime:
    """Returns when a file was written."""
    try:
        return datetime.fromtimestamp(int(Path(path).stat().st_mtime), UTC)
    except (OSError, ValueError, OverflowError):
        return otherwise or now()


# Tables of `ingest`.


def _written_by_ingest(name: str) -> Iterator[Any] | None:
    """Returns the record batches of a table that `ingest` has written; None for other inputs."""
    if name == "-" or not Path(name).is_file():
        return None
    if name.lower().endswith(tables.PARQUET + tables.ARROW):
        return tables.chosen(name, _columns)
    if name.lower().endswith(_JSON_LINES):
        return _of_json_lines(name)
    return None


def _columns(schema: Any, paths: list[str]) -> list[str] | None:
    """Returns the columns to read of a table of `ingest`; None for another table."""
    names = set(schema.names)
    if "status" not in names or "format" not in names or "body" in names:
        return None
    _columns_there(names)
    wanted = set(COLUMNS)
    return [
        path
        for path in paths
        if any(
            _plain(path) == one or _plain(path).startswith(f"{one}.") for one in wanted
        )
    ]


def _columns_there(names: Container[str]) -> None:
    """Raises Unreadable for a table that does not identify services."""
    if "url" not in names:
        raise Unreadable(
            "the table has no column `url`; ingest it with --columns … that has it"
        )
    if "capability" in names:
        raise Unreadable(
            "the table has a row for each capability; ingest it without --explode"
        )


def _plain(path: str) -> str:
    """Returns the path of a column of Parquet without the levels of its lists."""
    return ".".join(
        name for name in path.split(".") if name not in {"list", "element", "item"}
    )


def _of_json_lines(name: str) -> Iterator[Any] | None:
    with Path(name).open("rb") as file:
        record = _record(file.readline(_BYTES))
    if "body" in record or "status" not in record:
        return None
    _columns_there(record)
    return _read_json_lines(name)


def _read_json_lines(name: str) -> Iterator[Any]:
    arrow: Any = import_module("pyarrow")
    schema = arrow.schema(batch_schema(list(COLUMNS), check=True))
    try:
        with Path(name).open("rb") as file:
            while lines := file.readlines(_BYTES):
                records = [_with_text(_record(line)) for line in lines]
                yield arrow.RecordBatch.from_pylist(records, schema=schema)
    except (arrow.ArrowException, OSError, TypeError) as problem:
        raise Unreadable(f"{visible(name)}: {visible(str(problem))}") from None


def _record(line: bytes) -> dict[str, Any]:
    """Returns the object in a line; an empty one for other lines."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _with_text(record: dict[str, Any]) -> dict[str, Any]:
    """Returns a row with `metadata` as text, as the columns of a table have it."""
    capabilities = record.get("capabilities")
    for each in (record, *(capabilities if isinstance(capabilities, list) else ())):
        if isinstance(each, dict) and isinstance(each.get("metadata"), dict):
            each["metadata"] = json.dumps(each["metadata"])
    return record


def _of_batches(
    batches: Iterator[Any], stated: datetime, before: int
) -> Iterator[tuple[Chunk, int]]:
    """Yields the rows of a table behind the first `before`, in portions."""
    count = 0
    for batch in batches:
        for start in range(0, batch.num_rows, _ROWS):
            piece = batch.slice(start, _ROWS)
            count += piece.num_rows
            if count <= before:
                continue
            times = [stated] * piece.num_rows
            yield (
                Chunk(piece, times, documents=piece.num_rows, size=piece.nbytes),
                count,
            )
