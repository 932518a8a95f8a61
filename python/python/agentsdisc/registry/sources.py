"""The sources of a registry: the inputs of `agentsdisc ingest`, and the tables that it writes.

They are read as chunks of bounded size, in a stable order, each with the position after it, so that a build can be resumed.
"""

import hashlib
import json
from collections import Counter, deque
from collections.abc import Callable, Container, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from .. import Limits, batch_schema, parse_batch
from ..cli import tables
from ..cli.inputs import Documents, Item, Lines, Part, Place, Rows, Wanted, items, marks
from ..cli.reading import Unreadable
from .parts import COLUMNS, Known, now

_ROWS, _BYTES = 1_024, 4 << 20
_GONE = (404, 410)
_JSON_LINES = (".jsonl", ".ndjson")
# How far the clock of a crawler may be ahead.
_AHEAD = timedelta(days=1)
# Number of first lines from which the kind of JSON Lines is detected.
_TRIED = 100

Loss = tuple[str, str]
"""A part of an input that cannot be read: location and reason."""


@dataclass(slots=True)
class Chunk:
    """Some documents: their parsed content, and their bytes if known."""

    batch: Any
    """A record batch with columns of `parts.COLUMNS`; None if there is nothing to read."""
    fetched: list[datetime]
    captured: list[bool] = field(default_factory=list)
    """Whether an archive states each of these times; otherwise it is the time of the file."""
    urls: list[str | None] | None = None
    bodies: list[bytes | None] | None = None
    same: list[tuple[str, datetime]] = field(default_factory=list)
    """The documents that the registry has with the same bytes: they are not parsed."""
    documents: int = 0
    size: int = 0
    unreadable: int = 0
    """Documents that were not received whole, and parts of the inputs that cannot be read."""
    losses: list[Loss] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    """The records and documents that were passed over, by reason."""
    gone: list[tuple[str, datetime]] = field(default_factory=list)
    """The URLs for which an archive has the status 404 or 410, and when."""

    def received(self) -> Iterator[tuple[str, bytes]]:
        """Yields the URL and the bytes of each document."""
        if self.urls is not None and self.bodies is not None:
            for url, body in zip(self.urls, self.bodies, strict=True):
                if url and body is not None:
                    yield url, body

    def dated(self) -> set[str | None]:
        """Returns the URLs of the documents whose time an archive states."""
        if not any(self.captured):
            return set()
        urls = self.urls
        if urls is None:
            urls = self.batch.column("url").to_pylist()
        return {url for url, is_it in zip(urls, self.captured, strict=True) if is_it}


class _Document(NamedTuple):
    """A document before parsing."""

    url: str | None
    hint: str
    """The hint for detecting the format."""
    body: bytes | None
    """None if it cannot be read."""
    time: datetime
    loss: Loss | None = None
    is_captured: bool = False
    """Whether an archive states the time."""
    problem: tuple[str, str] | None = None
    """Kind and message of the error, if there is no body."""
    status: int | None = None
    """The status code of the response in an archive."""

    @property
    def is_gone(self) -> bool:
        """Whether the site has answered that the document does not exist."""
        kind, _ = self.problem or ("", "")
        return self.is_captured and kind == "http-status" and self.status in _GONE


@dataclass(slots=True)
class _Raw:
    """Documents before parsing."""

    urls: list[str | None] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)
    bodies: list[bytes | None] = field(default_factory=list)
    times: list[datetime] = field(default_factory=list)
    captured: list[bool] = field(default_factory=list)
    size: int = 0
    losses: list[Loss] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    gone: list[tuple[str, datetime]] = field(default_factory=list)

    def add(self, document: _Document) -> None:
        """Adds a document."""
        if document.body is None:
            self.passed[document.problem[0] if document.problem else "unsure"] += 1
            if document.is_gone and document.url:
                self.gone.append((document.url, document.time))
        elif not document.url:
            self.passed["no URL"] += 1
        self.urls.append(document.url)
        self.hints.append(document.hint)
        self.bodies.append(document.body)
        self.times.append(document.time)
        self.captured.append(document.is_captured)
        self.size += len(document.body or b"")
        if document.loss is not None:
            self.losses.append(document.loss)


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
        """Yields the chunks after `start`, each with the position after it."""
        self._wanted = replace(self._wanted, threads=workers)
        waiting: deque[tuple[Future[Chunk], Place]] = deque()
        pool = ThreadPoolExecutor(workers, "agentsdisc")
        # Reading has its own thread, because unpacking a table takes as long as parsing.
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
                for chunk, count in _of_tables(written, stated, before):
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
            if isinstance(part, Documents):
                held.passed.update(part.passed)
            if not part.count:
                continue
            first = place.count - part.count
            for number, document in enumerate(_documents(part, stated), start=1):
                if document is not None:
                    held.add(document)
                if len(held.bodies) >= _ROWS or held.size >= _BYTES:
                    yield held, replace(place, count=first + number)
                    held = _Raw()
            end = place
        if held.bodies or held.passed:
            yield held, end

    def _chunk(self, raw: "_Raw | Chunk", known: Known) -> Chunk:
        """Parses documents that the registry does not have with the same bytes."""
        if isinstance(raw, Chunk):
            return raw
        digests = known(raw.urls)
        hints: list[str] = []
        urls: list[str | None] = []
        bodies: list[bytes | None] = []
        chunk = Chunk(
            None,
            [],
            urls=urls,
            bodies=bodies,
            documents=len(raw.bodies),
            size=raw.size,
            losses=raw.losses,
            passed=raw.passed,
            gone=raw.gone,
        )
        for url, hint, body, time, is_captured in zip(
            raw.urls, raw.hints, raw.bodies, raw.times, raw.captured, strict=True
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
                chunk.captured.append(is_captured)
                hints.append(hint)
        if hints:
            parsed = parse_batch(
                bodies,
                hints,
                columns=[*COLUMNS],
                check=True,
                limits=self._limits,
                threads=1,
            )
            chunk.batch = import_module("pyarrow").record_batch(parsed)
        return chunk


def _documents(part: Part, stated: datetime) -> Iterator[_Document | None]:
    """Yields one item per document that the part counts; None for a blank line."""
    if isinstance(part, Item):
        hint, time = part.url or part.source, _time_of(part.source, stated)
        if part.problem is None:
            yield _Document(part.url, hint, part.body, time)
        else:
            loss = (part.source, part.problem[1])
            yield _Document(part.url, hint, None, time, loss, False, part.problem)
    elif isinstance(part, Documents):
        found = zip(part.urls, part.hints, part.bodies, strict=True)
        for at, (url, hint, body) in enumerate(found):
            is_lost, is_sure = at in part.lost, at not in part.recovered
            lost = (part.sources[at], part.problems[at][1]) if is_lost else None
            date, capture = _captured(part.dates.get(at)), part.captures.get(at)
            yield _Document(
                url,
                hint,
                body if is_sure else None,
                date or stated,
                lost,
                date is not None,
                part.problems.get(at) if is_sure else None,
                capture.status if capture is not None else None,
            )
    elif isinstance(part, Lines):
        for at, line in enumerate(part.data.split(b"\n")[: part.count]):
            where = f"{part.name}:{part.number + at}"
            yield _of_line(line, where, part.name, stated) if line.strip() else None
    else:
        yield from _of_rows(part, stated)


def _of_rows(part: Rows, stated: datetime) -> Iterator[_Document]:
    bodies = part.batch.column("body").to_pylist()
    urls = [None] * len(bodies)
    if "url" in part.batch.schema.names:
        urls = part.batch.column("url").to_pylist()
    for url, body in zip(urls, bodies, strict=True):
        data = body.encode() if isinstance(body, str) else body
        yield _Document(url, url or part.name, data, stated)


def _of_line(line: bytes, where: str, name: str, time: datetime) -> _Document:
    try:
        record = _record(line)
        url, body = record.get("url"), record.get("body")
        if not isinstance(body, str):
            raise ValueError("the line is not an object with a string `body`")
        if not isinstance(url, str | None):
            raise ValueError("`url` is not a string")
    except ValueError as problem:
        return _Document(None, name, None, time, (where, str(problem)))
    data = body.encode("utf-8", "surrogatepass")
    return _Document(url, url or name, data, time)


def _captured(date: Any) -> datetime | None:
    """Returns the time in the WARC-Date of a record, as text or as a time; None if it is missing, wrong or in the future: no later capture would count."""
    try:
        time = datetime.fromisoformat(str(date or ""))
        time = (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
        return time if time <= now() + _AHEAD else None
    except (ValueError, OverflowError):
        return None


def _time_of(path: str, otherwise: datetime | None = None) -> datetime:
    """Returns the modification time of a file; `otherwise` or the current time if there is none."""
    try:
        return datetime.fromtimestamp(int(Path(path).stat().st_mtime), UTC)
    except (OSError, ValueError, OverflowError):
        return otherwise or now()


# Tables of `ingest`.


def _written_by_ingest(name: str) -> Iterator[Item | Rows] | None:
    """Returns the parts of a table that `ingest` has written; None for other inputs."""
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
    wanted = {*COLUMNS, *_OF_CAPTURE}
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


def _of_json_lines(name: str) -> Iterator[Item | Rows] | None:
    record: dict[str, Any] = {}
    with Path(name).open("rb") as file:
        for line in islice(iter(lambda: file.readline(_BYTES), b""), _TRIED):
            # The first line may be damaged.
            with suppress(ValueError):
                record = _record(line)
                break
    if "body" in record or "status" not in record:
        return None
    _columns_there(record)
    return _read_json_lines(name)


def _read_json_lines(name: str) -> Iterator[Item | Rows]:
    number = 0
    try:
        with Path(name).open("rb") as file:
            while lines := file.readlines(_BYTES):
                records = {}
                for line in lines:
                    number += 1
                    if not line.strip():
                        continue
                    try:
                        records[number] = _with_text(_record(line))
                    except ValueError as problem:
                        yield _lost(name, number, problem)
                yield from _converted(name, records)
    except OSError as problem:
        yield _lost(name, number + 1, problem)


def _converted(name: str, records: dict[int, dict[str, Any]]) -> Iterator[Item | Rows]:
    """Yields the rows of a table by their numbers; for a row that has values of other types, an item with a problem."""
    arrow: Any = import_module("pyarrow")
    schema = arrow.schema(batch_schema(list(COLUMNS), check=True))
    schema = schema.append(arrow.field("fetched", arrow.string()))
    schema = schema.append(arrow.field("http_status", arrow.int64()))
    numbers = [*records]
    try:
        rows = [records[number] for number in numbers]
        batch = arrow.RecordBatch.from_pylist(rows, schema=schema)
    except (arrow.ArrowException, TypeError, ValueError, OverflowError) as problem:
        if len(numbers) == 1:
            yield _lost(name, numbers[0], problem)
            return
        half = len(numbers) // 2
        for some in (numbers[:half], numbers[half:]):
            yield from _converted(name, {number: records[number] for number in some})
        return
    if numbers:
        yield Rows(name, numbers[0], batch, batch.nbytes)


def _lost(name: str, number: int, problem: Exception) -> Item:
    """Returns the item for a line that cannot be read."""
    why = str(problem).split("\n", 1)[0]
    return Item(f"{name}:{number}", None, b"", 0, ("invalid-record", why))


def _record(line: bytes) -> dict[str, Any]:
    """Returns the object in a line. Raises ValueError for other lines."""
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except ValueError as problem:
        raise ValueError(f"the line is not JSON: {problem}") from None
    except RecursionError:
        raise ValueError("the line is not JSON: it nests too deep") from None
    if not isinstance(record, dict):
        raise ValueError("the line is not an object")
    return record


def _with_text(record: dict[str, Any]) -> dict[str, Any]:
    """Returns a row with `metadata` as text, as the columns of a table have it."""
    capabilities = record.get("capabilities")
    for each in (record, *(capabilities if isinstance(capabilities, list) else ())):
        if isinstance(each, dict) and isinstance(each.get("metadata"), dict):
            each["metadata"] = json.dumps(each["metadata"])
    return record


def _of_tables(
    found: Iterator[Item | Rows], stated: datetime, before: int
) -> Iterator[tuple[Chunk, int]]:
    """Yields the rows of a table after the first `before`, in portions. A part that cannot be read counts as one row."""
    count = 0
    for part in found:
        if isinstance(part, Item):
            count += 1
            if count > before and part.problem is not None:
                loss = (part.source, part.problem[1])
                yield Chunk(None, [], documents=1, unreadable=1, losses=[loss]), count
            continue
        for start in range(0, part.count, _ROWS):
            piece = part.batch.slice(start, _ROWS)
            count += piece.num_rows
            if count <= before:
                continue
            chunk = Chunk(piece, [], documents=piece.num_rows, size=piece.nbytes)
            _note_captures(chunk, stated)
            yield chunk, count


_OF_CAPTURE = ("fetched", "http_status")
"""Columns of a table that say when an archive has captured a document, and with which status. They may be missing."""


def _note_captures(chunk: Chunk, stated: datetime) -> None:
    """Sets the times of the documents of a table, and which of them are gone."""
    batch = chunk.batch
    names = batch.schema.names
    dates, states = (
        batch.column(name).to_pylist() if name in names else [None] * len(batch)
        for name in _OF_CAPTURE
    )
    for at, (date, status) in enumerate(zip(dates, states, strict=True)):
        time = _captured(date)
        chunk.fetched.append(time or stated)
        chunk.captured.append(time is not None)
        if status in _GONE and time is not None:
            url = batch.column("url")[at].as_py()
            if url:
                chunk.gone.append((url, time))
