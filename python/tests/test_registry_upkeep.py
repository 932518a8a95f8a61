"""Keeping a registry up to date: what is gone from crawls, removed, pruned, exported and migrated."""

import gzip
import os
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


def test_captures_from_the_future_have_no_date(store: Store, tmp_path: Path) -> None:
    never = "2999-01-02T03:04:05Z"
    for count in range(2):
        # The second time, the bytes are the same.
        build(store, [archive(tmp_path / f"{count}.warc", (never, OK))])
        service = store.service("shop.example")
        assert service is not None
        assert service.sources[0].fetched <= datetime.now(UTC)
    build(store, [archive(tmp_path / "b.warc", (never, GONE.format(404)))])
    assert store.service("shop.example") is not None
    later = (datetime.now(UTC) + timedelta(hours=3)).strftime("%Y-%m-%dT%H:%M:%SZ")
    other = OK.replace("Capability: order", "Capability: other")
    build(store, [archive(tmp_path / "c.warc", (later, other))])
    assert [c.name for c in store.capabilities("shop.example")] == ["other"]
    build(store, [archive(tmp_path / "d.warc", (later, GONE.format(404)))])
    assert store.service("shop.example") is None


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


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_table_with_columns_of_other_types(
    store: Store, tmp_path: Path, ending: str
) -> None:
    names = pa.StructArray.from_arrays([pa.array([7])], ["name"])
    table = pa.table(
        {
            "url": pa.array([URL], pa.large_string()),
            "format": pa.array(["agents-txt"]).dictionary_encode(),
            "status": pa.array([b"ok"]),
            "errors": pa.array([1]).cast(pa.decimal128(30, 2)),
            "warnings": ["many"],
            "service": names,
            "metadata": pa.array([datetime(2026, 1, 1)]),
            "capabilities": ["order"],
            "pricing": [1],
        }
    )
    path = tmp_path / f"a.{ending}"
    if ending == "parquet":
        pq.write_table(table, path)
    else:
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    for _ in range(2):
        build(store, [str(path)])
        service = store.service("shop.example")
        assert service is not None
        assert service.name == "7"
        assert (service.sources[0].errors, service.sources[0].warnings) == (1, 0)
    assert store.capabilities("shop.example") == ()


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


# Maintenance.

from datetime import UTC, datetime, timedelta  # noqa: E402

from agentsdisc.registry import (  # noqa: E402
    CapabilityEntry,
    Query,
    ServiceEntry,
    Source,
)
from agentsdisc.registry.upkeep import (  # noqa: E402
    ImportFailed,
    export,
    import_,
    prune,
    remove,
)
from conftest import Run  # noqa: E402

NOW = datetime.now(UTC).replace(microsecond=0)
EXAMPLES = [(f"s{number}.example", number) for number in range(7)]


def fill(store: Store) -> None:
    with store.write() as writer:
        for domain, age in EXAMPLES:
            url = f"https://{domain}/agents.txt"
            source = Source(
                url=url,
                format="agents-txt",
                digest=f"{age:064x}",
                fetched=NOW - timedelta(days=age),
                verdict="clean",
            )
            service = ServiceEntry(domain=domain, name="Shop", sources=(source,))
            found = [
                CapabilityEntry(domain=domain, name=f"order_parcels_{n}", source=url)
                for n in range(3)
            ]
            writer.put(service, found, [(url, f"body of {domain}".encode())])


def content(store: Store) -> object:
    hits = store.list(Query(limit=100)).hits
    return [
        (
            hit.service,
            store.capabilities(hit.service.domain),
            store.document(hit.service.domain, hit.service.sources[0].url),
        )
        for hit in hits
    ]


def found(store: Store, text: str) -> set[str]:
    return {hit.service.domain for hit in store.search(Query(text=text)).hits}


def test_removed_services_are_not_found(any_store: Store) -> None:
    fill(any_store)
    missing = remove(any_store, ["s1.example", "S2.example", "other.example"])
    assert missing == ["other.example"]
    assert any_store.counts() == (5, 15)
    assert found(any_store, "order parcel") == {
        domain for domain, at in EXAMPLES if at not in (1, 2)
    }
    assert any_store.document("s1.example", "https://s1.example/agents.txt") is None


def test_prune_removes_what_is_old(any_store: Store) -> None:
    fill(any_store)
    pruned = prune(any_store, NOW - timedelta(days=3))
    assert (pruned.services, pruned.documents) == (3, 3)
    assert any_store.counts() == (4, 12)
    assert prune(any_store, NOW - timedelta(days=3)).documents == 0


def test_an_export_is_the_same_in_another_store(
    any_store: Store, tmp_path: Path
) -> None:
    fill(any_store)
    path = tmp_path / "r.jsonl.gz"
    assert export(any_store, path) == len(EXAMPLES)
    other = open_store(str(tmp_path / "other.db"))
    assert import_(other, path) == len(EXAMPLES)
    assert content(other) == content(any_store)
    assert found(other, "ordering parcels") == found(any_store, "ordering parcels")
    # Again, it changes nothing.
    import_(other, path)
    assert other.counts() == any_store.counts()
    other.close()


def test_an_export_that_is_cut_or_damaged_is_refused(
    store: Store, tmp_path: Path
) -> None:
    fill(store)
    path = tmp_path / "r.jsonl.gz"
    export(store, path)
    whole = path.read_bytes()
    for end in range(0, len(whole), 7):
        path.write_bytes(whole[:end])
        other = open_store(str(tmp_path / f"{end}.db"))
        with pytest.raises(ImportFailed):
            import_(other, path)
        other.close()


def test_a_damaged_export_is_refused(store: Store, tmp_path: Path) -> None:
    fill(store)
    path = tmp_path / "r.jsonl.gz"
    export(store, path)
    whole = path.read_bytes()
    lines = gzip.decompress(whole).split(b"\n")
    other = open_store(str(tmp_path / "other.db"))
    changed = [
        bytes([*whole[:at], whole[at] ^ 0xFF, *whole[at + 1 :]])
        # Behind the head, whose name of the file is not checked.
        for at in range(40, len(whole), 11)
    ]
    # Whole files with other content.
    changed += [
        gzip.compress(b"\n".join([lines[0], wrong, lines[-2]]))
        for wrong in (
            b"[" * 10**5,
            b"{}",
            b"[]",
            b'"',
            lines[1].replace(b"clean", b"other"),
            lines[1].replace(b"s0.example", b""),
        )
    ]
    for data in (*changed, b"", b"no export", whole + b"x"):
        path.write_bytes(data)
        with pytest.raises(ImportFailed):
            import_(other, path)
        assert other.counts() == (0, 0)
    other.close()


def test_nothing_is_left_of_a_removed_domain_without_a_service(
    store: Store, tmp_path: Path
) -> None:
    (tmp_path / "m" / "lone.example").mkdir(parents=True)
    (tmp_path / "m" / "lone.example" / "auth.md").write_text(
        AUTH.format(host="lone.example")
    )
    build(store, [str(tmp_path / "m")])
    with store.reading() as cursor:  # type: ignore[attr-defined]
        assert len(list(cursor.execute("SELECT name FROM notes"))) == 2
        assert remove(store, ["lone.example"]) == []
    with store.reading() as cursor:  # type: ignore[attr-defined]
        assert list(cursor.execute("SELECT name FROM notes")) == []


def test_prune_also_removes_what_makes_no_service(
    any_store: Store, tmp_path: Path
) -> None:
    for name, at in (("old", 1), ("new", 2_000_000_000)):
        host = f"{name}.example"
        path = tmp_path / name / host / "auth.md"
        path.parent.mkdir(parents=True)
        path.write_text(AUTH.format(host=host))
        os.utime(path, (at, at))
        build(any_store, [str(tmp_path / name)])
    for number, date in enumerate((JANUARY, MARCH)):
        url = URL.replace("shop", f"shop{number}")
        gone = archive(tmp_path / "g.warc", (date, GONE.format(404)), url=url)
        build(any_store, [gone])
    assert any_store.noted("parts") == ["new.example", "old.example"]
    assert any_store.noted("gone", after="shop0.example") == ["shop1.example"]
    assert prune(any_store, datetime(2026, 2, 1, tzinfo=UTC)).documents == 1
    assert any_store.noted("parts") == ["new.example"]
    assert any_store.noted("gone") == ["shop1.example"]
    assert not any_store.recall("body https://old.example/auth.md")
    assert any_store.recall("body https://new.example/auth.md")


@pytest.fixture(params=["sqlite", "postgres"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    store = open_store(place(request, tmp_path))
    yield store
    store.close()


def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "any.db")
    server = request.getfixturevalue("postgres_server")
    name = f"upkeep_{abs(hash(request.node.name)) % 10**9}"
    where: str = server.database(name)
    return where


@pytest.mark.parametrize("place", ["sqlite", "postgres"])
def test_tables_of_the_version_before_are_migrated(
    place: str, request: pytest.FixtureRequest, tmp_path: Path, run: Run
) -> None:
    if place == "sqlite":
        where = str(tmp_path / "old.db")
    else:
        where = request.getfixturevalue("postgres_server").database("migrated")
    store = open_store(where)
    fill(store)
    before = content(store)
    # As the version before: other texts, and the tokens of these.
    with store._writing() as cursor:  # type: ignore[attr-defined]
        cursor.execute("UPDATE entries SET texts = 'x\n\n\n\n\n\n'")
        cursor.execute("DELETE FROM terms")
        if place == "sqlite":
            cursor.execute("INSERT INTO tokens (tokens) VALUES ('delete-all')")
        else:
            cursor.execute("UPDATE entries SET tokens = ''::tsvector")
            cursor.execute("UPDATE numbers SET value = 3 WHERE name = 'version'")
    store.close()
    if place == "sqlite":
        import sqlite3

        with sqlite3.connect(where) as connection:
            connection.execute("PRAGMA user_version = 3")
        connection.close()
    done = run("registry", "remove", "s1.example", "--store", where)
    assert done.returncode == 2
    assert "registry migrate" in done.stderr
    done = run("registry", "migrate", "--store", where)
    assert done.returncode == 0, done.stderr
    store = open_store(where)
    assert content(store) == before
    assert found(store, "order parcels") == {domain for domain, _ in EXAMPLES}
    assert store.counts() == (7, 21)
    assert remove(store, ["s0.example"]) == []
    assert store.counts() == (6, 18)
    store.close()


def test_the_commands(tmp_path: Path, run: Run) -> None:
    where, path = str(tmp_path / "r.db"), str(tmp_path / "r.jsonl.gz")
    store = open_store(where)
    fill(store)
    store.close()
    for arguments, code, said in (
        (["export", path], 0, "7 services"),
        (["remove", "s1.example"], 0, "removed: 1 services"),
        (["remove", "s1.example"], 1, "not in the registry: s1.example"),
        (["prune", "--older-than", "100w"], 0, "removed: 0 documents"),
        (["prune", "--older-than", "5"], 2, "such as 90d"),
        (["import", path], 0, "imported: 7 services"),
        (["import", str(tmp_path / "none")], 2, "none"),
        (["migrate"], 0, "7 services"),
    ):
        done = run("registry", *arguments, "--store", where)
        assert done.returncode == code, done.stderr
        assert said in done.stderr
    done = run("registry", "export", path, "--store", str(tmp_path / "no.db"))
    assert done.returncode == 2
    assert not (tmp_path / "no.db").exists()
