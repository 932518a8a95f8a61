"""Keeping a registry up to date: what is gone from crawls, removed, pruned, exported and migrated."""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from agentsdisc.registry import Store, open_store
from agentsdisc.registry.build import build

URL = "https://shop.example/.well-known/agents.txt"
TEXT = """\
Spec-Version: 1.0
Site-Name: Shop
Site-URL: https://shop.example

Capability: order
  Description: Orders things.
"""
OK = f"HTTP/1.1 200 OK\r\nContent-Length: {len(TEXT)}\r\n\r\n{TEXT}"
GONE = "HTTP/1.1 {} Not there\r\nContent-Length: 0\r\n\r\n"
JANUARY, FEBRUARY, MARCH = (f"2026-0{month}-02T03:04:05Z" for month in (1, 2, 3))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(str(tmp_path / "registry.db"))
    yield store
    store.close()


def archive(path: Path, *answers: tuple[str, str], url: str = URL) -> str:
    """Writes a WARC with answers, each with its date."""
    pytest.importorskip("fastwarc")
    parts = []
    for number, (date, answer) in enumerate(answers):
        dated = f"WARC-Date: {date}\r\n" if date else ""
        head = (
            f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{path.stem}{number}>\r\n"
            f"WARC-Target-URI: {url}\r\n{dated}Content-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(answer.encode())}\r\n\r\n"
        )
        parts.append(f"{head}{answer}\r\n\r\n".encode())
    path.write_bytes(b"".join(parts))
    return str(path)


@pytest.mark.parametrize("status", [404, 410])
@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("is_back", [False, True])
def test_the_newest_answer_counts_whatever_the_order(
    store: Store, tmp_path: Path, status: int, order: tuple[int, ...], is_back: bool
) -> None:
    gone = GONE.format(status)
    answers = [
        (JANUARY, OK),
        (FEBRUARY, gone),
        (MARCH, OK if is_back else gone),
    ]
    for at in order:
        build(store, [archive(tmp_path / f"{at}.warc", answers[at])])
    assert (store.service("shop.example") is not None) == is_back


@pytest.mark.parametrize("status", [403, 500, 301])
def test_other_failures_remove_nothing(
    store: Store, tmp_path: Path, status: int
) -> None:
    build(store, [archive(tmp_path / "a.warc", (JANUARY, OK))])
    path = archive(tmp_path / "b.warc", (MARCH, GONE.format(status)))
    assert build(store, [path]).gone == 0
    assert store.service("shop.example") is not None


def test_an_answer_without_a_date_removes_nothing(store: Store, tmp_path: Path) -> None:
    build(store, [archive(tmp_path / "a.warc", (JANUARY, OK))])
    build(store, [archive(tmp_path / "b.warc", ("", GONE.format(404)))])
    assert store.service("shop.example") is not None


def test_only_the_document_that_is_gone_is_removed(
    store: Store, tmp_path: Path
) -> None:
    other = URL.replace("/.well-known", "")
    text = OK.replace("Capability: order", "Capability: other")
    build(
        store,
        [
            archive(tmp_path / "a.warc", (JANUARY, OK)),
            archive(tmp_path / "b.warc", (JANUARY, text), url=other),
        ],
    )
    assert len(store.capabilities("shop.example")) == 2
    found = build(store, [archive(tmp_path / "c.warc", (MARCH, GONE.format(410)))])
    assert found.gone == 1
    assert [c.name for c in store.capabilities("shop.example")] == ["other"]
    assert store.document("shop.example", URL) is None
    assert list(store.digests("shop.example")) == [other]


@pytest.mark.parametrize("newest_first", [False, True])
def test_tables_with_the_times_of_captures(
    store: Store, tmp_path: Path, newest_first: bool, run: object
) -> None:
    tables = []
    for name, date, status in (("a", JANUARY, 200), ("b", MARCH, 404)):
        table = pa.table(
            {
                "url": [URL],
                "format": ["agents-txt"],
                "status": ["ok" if status == 200 else "error"],
                "error_kind": [None if status == 200 else "http-status"],
                "fetched": [date],
                "http_status": pa.array([status], pa.int16()),
            }
        )
        pq.write_table(table, tmp_path / f"{name}.parquet")
        tables.append(str(tmp_path / f"{name}.parquet"))
    if newest_first:
        build(store, tables[1:])
        assert build(store, tables[:1]).older == 1
    else:
        build(store, tables[:1])
        assert store.service("shop.example") is not None
        assert build(store, tables[1:]).gone == 1
    assert store.service("shop.example") is None


def test_what_is_passed_over_is_counted_by_reason(store: Store, tmp_path: Path) -> None:
    page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<!doctype html><p>Hi</p>"
    path = archive(
        tmp_path / "a.warc",
        (JANUARY, OK),
        (JANUARY, GONE.format(404)),
        (JANUARY, GONE.format(500)),
        (JANUARY, page),
    )
    data = Path(path).read_bytes()
    info = b"WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:x:i>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    Path(path).write_bytes(info + data)
    counts = build(store, [path])
    assert counts.passed["warcinfo"] == 1
    assert counts.passed["http-status"] == 2
    assert counts.documents == 4
    assert sum(counts.passed.values()) == 4


def test_auth_md_adds_to_a_service_but_makes_none(store: Store, tmp_path: Path) -> None:
    for host in ("shop.example", "lone.example"):
        (tmp_path / "m" / host).mkdir(parents=True)
        (tmp_path / "m" / host / "auth.md").write_text(AUTH.format(host=host))
    (tmp_path / "m/shop.example/agents.txt").write_text(TEXT)
    build(store, [str(tmp_path / "m")])
    service = store.service("shop.example")
    assert service is not None
    assert service.formats == ("agents-txt", "auth-md")
    assert store.service("lone.example") is None


AUTH = """\
# auth.md

Agents register at https://{host}/agent/auth.

## Register

POST https://{host}/agent/auth
"""
