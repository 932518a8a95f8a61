"""Records of archives whose Content-Length is wrong, against the length that the response in them states itself."""

import gzip
import io
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
from conftest import Run
from test_ingest_damage import NAMES, Row, lengthened, packed, read
from test_ingest_runs import GOOD, rows

pytest.importorskip("pyarrow")
pytest.importorskip("fastwarc.stream_io")

BODY = GOOD.encode()
COUNT = 6


def url(number: int) -> str:
    return f"https://s{number}.example/agents.txt"


def record(number: int, head: str, body: bytes, of_record: str = "") -> bytes:
    """Returns a record of a response with exactly these fields."""
    block = f"HTTP/1.1 200 OK\r\n{head}\r\n".encode() + body
    warc = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url(number)}\r\n{of_record}Content-Length: {len(block)}\r\n\r\n"
    return warc.encode() + block + b"\r\n\r\n"


def chunked(body: bytes) -> bytes:
    pieces = body[:20], body[20:], b""
    return b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in pieces)


def of_length(number: int, body: bytes = BODY) -> bytes:
    return record(number, f"Content-Length: {len(body)}\r\n", body)


def of_chunks(number: int, body: bytes = BODY) -> bytes:
    return record(number, "Transfer-Encoding: chunked\r\n", chunked(body))


def of_gzip(number: int, body: bytes = BODY) -> bytes:
    coded = gzip.compress(body, 0, mtime=0)
    head = f"Content-Encoding: gzip\r\nContent-Length: {len(coded)}\r\n"
    return record(number, head, coded)


def of_nothing(number: int, body: bytes = BODY) -> bytes:
    return record(number, "", body)


Make = Callable[[int], bytes]
STATED: list[Make] = [of_length, of_chunks, of_gzip]


def longer(one: bytes, more: int) -> bytes:
    """Returns a record whose Content-Length is wrong by so many bytes."""
    length = len(one) - one.index(b"HTTP/1.1") - 4 + more
    return lengthened(one, str(length))


def checked(found: list[Row], bad: int = 1, count: int = COUNT) -> None:
    """Every record is there, and only the one with a wrong length is lost."""
    assert [row.url for row in found] == [url(number) for number in range(count)]
    assert [number for number, row in enumerate(found) if row.kind != "ok"] == [bad]
    assert found[bad].lost and found[bad].kind == "corrupt-record"


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("how", ["plain", "one", "two"])
@pytest.mark.parametrize("make", [*STATED, of_nothing])
@pytest.mark.parametrize("swallowed", [1, 2, 4])
@pytest.mark.parametrize("more", [0, 2, 4])
def test_a_record_that_claims_the_records_behind_it_is_one_error(
    make: Make, how: str, swallowed: int, more: int, seekable: bool
) -> None:
    records = [make(number) for number in range(COUNT)]
    bad = 2 if how == "two" else 1
    swallowed = 1 if how == "two" else swallowed
    further = records[bad + 1 : bad + 1 + swallowed]
    records[bad] = longer(records[bad], sum(map(len, further)) + more)
    checked(read(packed(records, how), NAMES[how], seekable), bad)


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("kind", ["request", "warcinfo", "response"])
@pytest.mark.parametrize("how", ["plain", "one"])
def test_records_that_are_not_wanted_cannot_claim_others(
    how: str, kind: str, seekable: bool
) -> None:
    records = [of_length(number) for number in range(COUNT)]
    first = of_nothing(0).replace(b"/agents.txt", b"/index.html")
    first = first.replace(b"WARC-Type: response", f"WARC-Type: {kind}".encode())
    for at in (0, 3):
        claim = longer(first, sum(map(len, records[at : at + 2])))
        data = packed([*records[:at], claim, *records[at:]], how)
        found = read(data, NAMES[how], seekable)
        assert [row.kind for row in found].count("ok") == COUNT
        assert [row.lost for row in found].count(True) == 1


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("how", NAMES)
@pytest.mark.parametrize("make", STATED)
@pytest.mark.parametrize("more", [-40, -5, -3, -2, -1, 1, 2, 3, 4, 5, 40])
def test_a_length_that_differs_by_some_bytes_is_one_error(
    make: Make, more: int, how: str, seekable: bool
) -> None:
    for bad in (1, COUNT - 1):
        records = [make(number) for number in range(COUNT)]
        records[bad] = longer(records[bad], more)
        checked(read(packed(records, how), NAMES[how], seekable), bad)


FORGED = of_length(99)


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("how", NAMES)
@pytest.mark.parametrize("make", STATED)
@pytest.mark.parametrize("forged", [FORGED, FORGED * 3])
def test_a_record_in_a_body_is_no_row_if_the_length_ends_before_it(
    make: Callable[[int, bytes], bytes], how: str, forged: bytes, seekable: bool
) -> None:
    body = BODY + b"\r\n\r\n" + forged
    for bad in (0, 3):
        records = [make(number, BODY) for number in range(COUNT)]
        records[bad] = make(bad, body)
        cut = records[bad].index(b"\r\n\r\nWARC/1.1")
        cut -= records[bad].index(b"HTTP/1.1")
        records[bad] = lengthened(records[bad], str(cut))
        checked(read(packed(records, how), NAMES[how], seekable), bad)


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("how", ["gz", "zst", "lz4"])
def test_a_second_record_in_a_member_is_not_certain_if_nothing_confirms_the_first(
    how: str, seekable: bool
) -> None:
    records = [of_nothing(number) for number in range(COUNT)]
    hostile = of_nothing(3, BODY + b"\r\n\r\n" + FORGED)
    cut = hostile.index(b"\r\n\r\nWARC/1.1") - hostile.index(b"HTTP/1.1")
    records[3] = lengthened(hostile, str(cut))
    found = read(packed(records, how), NAMES[how], seekable)
    (forged,) = [row for row in found if row.url == url(99)]
    assert forged.recovered
    assert not any(row.recovered for row in found if row is not forged)


INTACT: dict[str, tuple[str, bytes]] = {
    "a crawler that decoded and kept the fields": (
        "Content-Encoding: gzip\r\nContent-Length: 700\r\n",
        BODY,
    ),
    "a crawler that decoded and kept the shorter length": (
        "Content-Encoding: gzip\r\nContent-Length: 40\r\n",
        BODY,
    ),
    "a crawler that decoded and renamed the fields": (
        f"X-Crawler-Content-Encoding: gzip\r\nX-Crawler-Content-Length: 700\r\nContent-Length: {len(BODY)}\r\n",
        BODY,
    ),
    "a crawler that renamed the coding and kept the length": (
        "X-Archive-Orig-Content-Encoding: gzip\r\nContent-Length: 700\r\n",
        BODY,
    ),
    "a crawler that removed the coding and kept the shorter length": (
        "Content-Length: 40\r\n",
        BODY,
    ),
    "a crawler that joined the chunks and kept the field": (
        "Transfer-Encoding: chunked\r\n",
        BODY,
    ),
    "chunks and a length": (
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
        chunked(BODY),
    ),
    "chunks with trailing fields": (
        "Transfer-Encoding: chunked\r\n",
        chunked(BODY)[:-2] + b"X: y\r\n\r\n",
    ),
    "chunks with long sizes": (
        "Transfer-Encoding: chunked\r\n",
        b"%016x\r\n%s\r\n%024x\r\n\r\n" % (len(BODY), BODY, 0),
    ),
    "two equal lengths": (f"Content-Length: {len(BODY)}\r\n" * 2, BODY),
    "two lengths": ("Content-Length: 40\r\nContent-Length: 7000\r\n", BODY),
    "a length that is no number": ("Content-Length: 0x40\r\n", BODY),
    "no length": ("Connection: close\r\n", BODY),
    "Brotli": ("Content-Encoding: br\r\n", brotli.compress(BODY)),
    "line ends behind the body": (
        f"Content-Length: {len(BODY)}\r\n",
        BODY + b"\r\n",
    ),
    "a record in the body": (
        f"Content-Length: {len(BODY + FORGED)}\r\n",
        BODY + FORGED,
    ),
}


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("how", NAMES)
@pytest.mark.parametrize("title", INTACT)
def test_what_crawlers_do_to_answers_stays_readable(
    title: str, how: str, seekable: bool
) -> None:
    head, body = INTACT[title]
    records = [of_length(number) for number in range(COUNT)]
    for at in (1, 3, COUNT - 1):
        records[at] = record(at, head, body)
    found = read(packed(records, how), NAMES[how], seekable)
    assert [row.url for row in found] == [url(number) for number in range(COUNT)]
    assert {(row.kind, row.recovered) for row in found} == {("ok", False)}


PARTS: dict[str, tuple[bytes, str]] = {
    "an answer that ends early": (
        record(1, "Content-Length: 5000\r\n", BODY),
        f"the answer ends after {len(BODY)} of its 5,000 bytes",
    ),
    "an answer without its body": (
        record(1, "Content-Length: 5000\r\n", b""),
        "the answer ends after 0 of its 5,000 bytes",
    ),
    "a range": (
        of_length(1).replace(b"200 OK", b"206 Partial Content"),
        "the answer is a part of the document: http/1.1 206 partial content",
    ),
    "a segment": (
        record(1, "", BODY, "WARC-Segment-Number: 1\r\n"),
        "the record is a segment of the answer",
    ),
    "what the crawler cut": (
        record(1, "Content-Length: 5000\r\n", BODY, "WARC-Truncated: length\r\n"),
        "the crawler has cut it: length",
    ),
}


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("how", NAMES)
@pytest.mark.parametrize("title", PARTS)
def test_a_part_of_a_document_is_an_error_but_no_damage(
    title: str, how: str, seekable: bool
) -> None:
    records = [of_length(number) for number in range(COUNT)]
    records[1], why = PARTS[title]
    if title == "a range":  # the replaced status line is longer
        records[1] = longer(records[1], 0)
    found = read(packed(records, how), NAMES[how], seekable)
    assert [row.url for row in found] == [url(number) for number in range(COUNT)]
    assert found[1].kind == "truncated-record"
    assert found[1].why.lower() == why
    assert not any(row.lost or row.recovered for row in found)


HEADS = {
    "WARC-Type is missing": lambda one: one.replace(b"WARC-Type: response\r\n", b""),
    "WARC-Target-URI is missing": lambda one: one.replace(
        f"WARC-Target-URI: {url(1)}\r\n".encode(), b""
    ),
    "WARC-Target-URI contains control characters": lambda one: one.replace(
        b"s1.example/agents.txt", b"s1.example/agents.txt\rX"
    ),
    "WARC-Target-URI contains control characters ": lambda one: one.replace(
        b"s1.example/agents.txt", b"s1.example/\0agents.txt"
    ),
    "content-length is missing": lambda one: lengthened(one, None),
    "content-length is there twice, as '9' and '8'": lambda one: lengthened(
        one, "9\r\nContent-Length: 8"
    ),
}


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("how", NAMES)
@pytest.mark.parametrize("why", HEADS)
def test_a_response_with_an_invalid_head_is_one_error(
    why: str, how: str, seekable: bool
) -> None:
    records = [of_length(number) for number in range(COUNT)]
    records[1] = HEADS[why](records[1])
    found = read(packed(records, how), NAMES[how], seekable)
    assert len(found) == COUNT
    assert [number for number, row in enumerate(found) if row.kind != "ok"] == [1]
    assert found[1].lost and why.strip() in found[1].why


@pytest.mark.parametrize("how", NAMES)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"WARC-Target-URI: ", b"WARC-Target-URI:\r\n "),
        (b"s1.example/agents", b"s1.example/\r\n\tagents"),
        (b"Content-Length: ", b"Content-Length:\r\n  "),
        (b"WARC-Type: ", b"WARC-Type:\n "),
        (b"WARC-Type: ", b"X-Note: a\r\n WARC-Type: request\r\nWARC-Type: "),
    ],
)
def test_fields_of_a_record_may_be_folded(how: str, old: bytes, new: bytes) -> None:
    records = [of_length(number) for number in range(COUNT)]
    records[1] = records[1].replace(old, new, 1)
    found = read(packed(records, how), NAMES[how])
    assert [row.url for row in found] == [url(number) for number in range(COUNT)]
    assert {row.kind for row in found} == {"ok"}


def test_a_length_may_stand_twice() -> None:
    one = of_length(1)
    length = len(one) - one.index(b"HTTP/1.1") - 4
    one = lengthened(one, f"{length}\r\nContent-Length: {length}")
    found = read(of_length(0) + one + of_length(2), "in.warc")
    assert [row.kind for row in found] == ["ok"] * 3


@pytest.mark.parametrize("seekable", [True, False])
def test_megabytes_of_line_ends_behind_a_record_cost_nothing(seekable: bool) -> None:
    sink = io.BytesIO()
    with gzip.GzipFile(fileobj=sink, mode="wb", compresslevel=1) as file:
        file.write(of_length(1))
        for _ in range(20):
            file.write(b"\r\n" * (1 << 19))
    members = [gzip.compress(of_length(n), mtime=0) for n in range(3)]
    members[1] = sink.getvalue()
    found = read(b"".join(members), seekable=seekable)
    assert [row.kind for row in found] == ["ok"] * 3


def test_a_run_that_swallowed_records_says_so(run: Run, tmp_path: Path) -> None:
    records = [of_length(number) for number in range(COUNT)]
    records[1] = longer(records[1], sum(map(len, records[2:])))
    (tmp_path / "in.warc").write_bytes(b"".join(records))
    done = run("ingest", "in.warc", "-o", "out.jsonl", check=1)
    size, start = len(BODY), len(records[0])
    block = records[1].index(b"\r\n\r\nSpec") + 4 - records[1].index(b"HTTP/1.1")
    assert f"in.warc@{start}: content-length is" in done.stderr
    assert f"but the answer ends after {block + size:,} bytes" in done.stderr
    found = rows(tmp_path / "out.jsonl")
    states = ["ok", "error", *["recovered"] * 4]
    assert [row["status"] for row in found] == states
