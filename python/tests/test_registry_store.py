"""The stores of a registry: the same tests over SQLite and PostgreSQL."""

import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import postgres
import pytest
from agentsdisc.registry import (
    FACETS,
    CapabilityEntry,
    Query,
    ServiceEntry,
    Source,
    Store,
    StoreError,
    Verdict,
    open_store,
)
from conftest import ROOT, empty_store

NOW = datetime.now(UTC).replace(microsecond=0)

Service = tuple[ServiceEntry, list[CapabilityEntry], list[tuple[str, bytes]]]


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    store = open_store(where)
    yield store
    store.close()


def service(
    domain: str,
    *capabilities: tuple[str, str] | dict[str, Any],
    verdict: Verdict = "clean",
    verified: bool = False,
    fetched: datetime = NOW,
    fresh_until: datetime | None = None,
    format: str = "agents-json",
    **values: Any,
) -> Service:
    """A service with one document."""
    source = Source(
        url=f"https://{domain}/.well-known/agents.json",
        format=format,
        digest="ab" * 32,
        fetched=fetched,
        fresh_until=fresh_until,
        verdict=verdict,
        verified=verified,
    )
    entry = ServiceEntry(domain=domain, sources=(source,), **values)
    made = [
        CapabilityEntry(
            domain=domain,
            source=source.url,
            **(c if isinstance(c, dict) else {"name": c[0], "description": c[1]}),
        )
        for c in capabilities
    ]
    return entry, made, [(source.url, f"document of {domain}".encode())]


def put(store: Store, *services: Service) -> None:
    with store.write() as writer:
        for one in services:
            writer.put(*one)


def found(store: Store, text: str = "", **filters: Any) -> list[str]:
    return [h.service.domain for h in store.search(Query(text=text, **filters)).hits]


SHOPS = (
    service(
        "mail.example",
        ("send_email", "Sends a message to a person."),
        ("list_inbox", "Returns what has arrived."),
        name="Mailer",
        category="Communication",
        tags=("smtp", "mail"),
        auth="api-key",
    ),
    service(
        "pay.example",
        {"name": "createPayment", "description": "Charges a card.", "auth": "oauth2"},
        {"name": "refund", "parameters": ("payment", "amount"), "tags": ("money",)},
        name="Pay",
        category="Finance",
        auth="none",
        format="adp",
    ),
    service("maps.example", ("geocode", "Finds where an address is."), name="Maps"),
)


def test_entries_come_back_as_they_were(store: Store) -> None:
    entry, capabilities, documents = service(
        "all.example",
        {
            "name": "order",
            "title": "Order a mug",
            "description": "Orders.",
            "parameters": ("mug", "count"),
            "tags": ("shop",),
            "category": "Orders",
            "method": "POST",
            "endpoint": "https://all.example/orders",
            "transport": "rest",
            "auth": "oauth2",
            "limit": "60/minute",
            "price": "1 EUR",
            "confirm": True,
        },
        name="Mugs",
        description="Sells mugs.",
        url="https://all.example",
        category="Shops",
        tags=("mugs", "cups"),
        auth="api-key",
        price="freemium",
        limit="5/second",
        preferences=(("train-ai", False), ("search", True)),
        fresh_until=NOW + timedelta(hours=1),
    )
    put(store, (entry, capabilities, documents))
    kept = store.service("all.example")
    assert kept is not None
    assert kept.capabilities == 1
    assert [kept] == [h.service for h in store.search(Query(text="mug")).hits]
    for name in ServiceEntry.__dataclass_fields__:
        if name not in {"capabilities", "created"}:
            assert getattr(kept, name) == getattr(entry, name), name
    assert store.capabilities("all.example") == (capabilities[0],)
    assert store.capability("all.example", "order") == capabilities[0]
    url, body = documents[0]
    assert store.document("all.example", url) == body
    assert store.digests("all.example") == {url: "ab" * 32}


def test_what_is_not_there(store: Store) -> None:
    put(store, *SHOPS)
    assert store.service("no.example") is None
    assert store.capability("mail.example", "no") is None
    assert store.capability("mail.example", "") is None
    assert store.capabilities("no.example") == ()
    assert store.document("mail.example", "https://mail.example/no") is None
    assert store.digests("no.example") == {}
    assert store.recall("no") == {}
    assert set(store.services(["mail.example", "no.example"])) == {"mail.example"}
    assert found(store, "xylophone") == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("send me an e-mail please", "mail.example"),
        ("sending emails", "mail.example"),
        ("sendEmail", "mail.example"),
        ("SEND_EMAIL", "mail.example"),
        ("inbo", "mail.example"),
        ("how do I charge a card?", "pay.example"),
        ("payment", "pay.example"),
        ("money", "pay.example"),
        ("amount", "pay.example"),
        ("addresses", "maps.example"),
        ("geocoding for my app", "maps.example"),
        ("maps.example", "maps.example"),
        ("https://maps.example/", "maps.example"),
        ("Pay refund", "pay.example"),
        ("refund a xylophone", "pay.example"),
    ],
)
def test_words_find(shops: Store, text: str, first: str) -> None:
    assert found(shops, text)[:1] == [first]


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def shops(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """A store that tests only read."""
    where = empty_store(request, tmp_path_factory.mktemp("shops"))
    store = open_store(where)
    put(store, *SHOPS)
    yield store
    store.close()


def test_capabilities_of_a_hit_are_those_that_match(shops: Store) -> None:
    (hit,) = shops.search(Query(text="refund")).hits
    assert [entry.name for entry in hit.capabilities] == ["refund"]
    assert 0 < hit.score <= 100
    (hit,) = shops.search(Query(text="Maps address")).hits
    assert [entry.name for entry in hit.capabilities] == ["geocode"]


@pytest.mark.parametrize(
    "text",
    [
        '" OR 1=1 --',
        "'; DROP TABLE services; --",
        "NEAR(send email) AND NOT *",
        'name:send ^"',
        "send* -email (",
        "\0send\0email",
        "%_%",
        "\ud800 \u202e",
        "=send i:00",
        "{}[]|&!<->",
        "𝓼𝓮𝓷𝓭 " * 1000,
    ],
)
def test_syntax_in_queries_has_no_meaning(shops: Store, text: str) -> None:
    assert set(found(shops, text)) <= {"mail.example", "pay.example", "maps.example"}
    shops.facet(Query(text=text), "format")
    shops.search(Query(text="send", domain=(text,), tag=(text,), name=(text,)))
    shops.list(Query(category=(text,), capability=(text,)), after=text)
    assert shops.service(text) is None
    assert shops.counts() == (3, 5)


def test_a_query_of_10_mb_is_cut(shops: Store) -> None:
    assert found(shops, "send email " + "x" * 10_000_000)[:1] == ["mail.example"]
    assert found(shops, "send email " * 1_000_000)[:1] == ["mail.example"]


@pytest.mark.parametrize(
    ("filters", "domains"),
    [
        ({"format": ("adp",)}, ["pay.example"]),
        ({"category": ("communication",)}, ["mail.example"]),
        ({"category": ("Finance", "Communication")}, ["mail.example", "pay.example"]),
        ({"auth": ("api_key",)}, ["mail.example"]),
        ({"auth": ("oauth2",)}, ["pay.example"]),
        ({"tag": ("SMTP",)}, ["mail.example"]),
        ({"tag": ("money",), "category": ("finance",)}, ["pay.example"]),
        ({"tag": ("money",), "category": ("communication",)}, []),
        ({"domain": ("maps.example", "pay.example")}, ["maps.example", "pay.example"]),
        ({"name": ("maps",)}, ["maps.example"]),
        ({"capability": ("Send_Email", "geocode")}, ["mail.example", "maps.example"]),
        ({"capability": ("refund",), "format": ("agents-json",)}, []),
    ],
)
def test_filters(shops: Store, filters: dict[str, Any], domains: list[str]) -> None:
    listed = shops.list(Query(**filters))
    assert sorted(h.service.domain for h in listed.hits) == sorted(domains)
    assert listed.total == len(domains)
    assert sorted(found(shops, **filters)) == sorted(domains)
    # With words that every service has.
    assert sorted(found(shops, "example", **filters)) == sorted(domains)
    counted = shops.facet(Query(**filters), "domain")
    assert sorted(name for name, _ in counted.buckets) == sorted(domains)
    counted = shops.facet(Query(text="example", **filters), "domain")
    assert sorted(name for name, _ in counted.buckets) == sorted(domains)


def test_facets(shops: Store) -> None:
    everything = Query()
    assert shops.facet(everything, "format").buckets == (("agents-json", 2), ("adp", 1))
    assert dict(shops.facet(everything, "auth").buckets) == {
        "api-key": 1,
        "none": 1,
        "oauth2": 1,
    }
    assert shops.facet(Query(text="payment"), "category").buckets == (("Finance", 1),)
    limited = shops.facet(everything, "format", limit=1)
    assert (limited.buckets, limited.other) == ((("agents-json", 2),), 1)
    assert shops.facet(everything, "tag", at_least=2).buckets == ()
    for field in FACETS:
        shops.facet(everything, field)
    with pytest.raises(ValueError, match="cannot be counted"):
        shops.facet(everything, "name")


def test_pages(store: Store) -> None:
    put(store, *(service(f"s{n:02}.example", ("find", "")) for n in range(25)))
    first = store.search(Query(text="find", limit=10))
    assert (len(first.hits), first.more, first.total) == (10, True, 25)
    pages = [found(store, "find", limit=10, offset=at) for at in (0, 10, 20)]
    assert [len(page) for page in pages] == [10, 10, 5]
    assert len({domain for page in pages for domain in page}) == 25
    listed = store.list(Query(limit=20))
    assert listed.more and listed.total == 25
    rest = store.list(Query(limit=20), after=listed.hits[-1].service.domain)
    assert [h.service.domain for h in rest.hits] == [
        f"s{n}.example" for n in range(20, 25)
    ]
    assert not rest.more
    assert found(store, limit=1000, offset=-5) == [
        f"s{n:02}.example" for n in range(25)
    ]
    assert found(store, limit=5, offset=23) == ["s23.example", "s24.example"]


def test_capabilities_are_listed_by_name(store: Store) -> None:
    names = [f"c{n:03}" for n in range(250)]
    put(store, service("many.example", *((name, "") for name in reversed(names))))
    listed: list[str] = []
    while page := store.capabilities(
        "many.example", after=listed[-1] if listed else None
    ):
        listed += [entry.name for entry in page]
    assert listed == names
    (hit,) = store.search(Query(text="many.example")).hits
    assert len(hit.capabilities) == 10


def test_good_documents_first_and_stale_ones_behind(store: Store) -> None:
    same = ("send_email", "Sends an e-mail.")
    old, soon = NOW - timedelta(days=40), NOW + timedelta(days=5)
    put(
        store,
        service("errors.example", same, verdict="errors"),
        service("stale.example", same, fetched=old),
        service("clean.example", same),
        service("warnings.example", same, verdict="warnings"),
        service("verified.example", same, verified=True),
        service("old-but-fresh.example", same, fetched=old, fresh_until=soon),
        service("expired.example", same, fresh_until=NOW - timedelta(days=1)),
    )
    order = found(store, "send an email")
    assert order[0] == "verified.example"
    assert set(order[1:3]) == {"clean.example", "old-but-fresh.example"}
    assert order[3] == "warnings.example"
    assert set(order[4:]) == {"stale.example", "expired.example", "errors.example"}


def test_exact_names_and_domains_first(store: Store) -> None:
    put(
        store,
        service("a.example", ("checkout_cart_now", "checkout " * 20), verified=True),
        service("b.example", ("checkout", ""), verdict="errors"),
        service("checkout", ("buy", ""), verdict="errors"),
    )
    assert found(store, "checkout") == ["checkout", "b.example", "a.example"]


def test_one_service_does_not_fill_the_results(store: Store) -> None:
    flood = [(f"send_email_{n}", "send email") for n in range(2000)]
    put(
        store,
        service("flood.example", *flood),
        *(service(f"s{n}.example", ("send_email_x", "")) for n in range(9)),
    )
    assert len(found(store, "send email")) == 10


def test_all_words_count_before_some(store: Store) -> None:
    put(
        store,
        service("one.example", ("refund", "refund refund refund")),
        service(
            "both.example", ("do", "Can refund what an invoice says."), verdict="errors"
        ),
    )
    assert found(store, "refund invoice") == ["both.example", "one.example"]


def test_putting_again_replaces(store: Store) -> None:
    put(store, *SHOPS)
    before = store.generation()
    put(store, service("mail.example", ("draw", "Draws a picture."), name="Painter"))
    assert store.generation() > before
    assert store.counts() == (3, 4)
    assert found(store, "inbox") == []
    assert found(store, "arrived") == []
    assert found(store, tag=("smtp",)) == []
    assert found(store, "painter") == ["mail.example"]
    assert store.capability("mail.example", "send_email") is None
    with store.write() as writer:
        writer.put(*service("mail.example", ("sing", "")))
        assert [c.name for c in writer.capabilities("mail.example")] == ["sing"]
        writer.put(*service("mail.example", ("dance", "")))
        assert writer.remove("pay.example")
        assert not writer.remove("pay.example")
        writer.put(*service("pay.example", ("hum", "")))
        assert writer.remove("pay.example")
    assert [c.name for c in store.capabilities("mail.example")] == ["dance"]
    assert found(store, "sing") == found(store, "hum") == found(store, "refund") == []
    assert store.counts() == (2, 2)


def test_touching_changes_the_times_only(store: Store) -> None:
    put(store, service("a.example", ("send", ""), fetched=NOW - timedelta(days=90)))
    entry = store.service("a.example")
    assert entry is not None
    (newer, *_), *_ = service("a.example", fetched=NOW), None
    with store.write() as writer:
        assert writer.touch(newer)
        assert not writer.touch(service("no.example")[0])
    kept = store.service("a.example")
    assert kept is not None
    assert (kept.sources[0].fetched, kept.capabilities) == (NOW, 1)
    assert kept.created == NOW - timedelta(days=90)


def test_a_transaction_is_seen_whole_or_not_at_all(store: Store) -> None:
    put(store, *SHOPS)
    generation = store.generation()
    with pytest.raises(ZeroDivisionError), store.write() as writer:
        writer.put(*service("new.example", ("invent", "")))
        writer.remove("pay.example")
        writer.remember("place", b"7")
        assert found(store, "invent") == []
        assert found(store, "refund") == ["pay.example"]
        raise ZeroDivisionError
    assert found(store, "invent") == []
    assert found(store, "refund") == ["pay.example"]
    assert store.recall("place") == {}
    assert store.generation() == generation
    put(store, service("new.example", ("invent", "")))
    assert found(store, "invent") == ["new.example"]


def test_notes(store: Store) -> None:
    with store.write() as writer:
        writer.remember("a", b"1" * 1000)
        assert writer.recall("a", "b") == {"a": b"1" * 1000}
        writer.remember("b", b"2")
    assert store.recall("a", "b", "c") == {"a": b"1" * 1000, "b": b"2"}
    with store.write() as writer:
        writer.remember("a", None)
        assert writer.recall("a", "b") == {"b": b"2"}
    assert store.recall("a", "b") == {"b": b"2"}
    assert store.generation() == 0


def test_hostile_values_are_data(store: Store) -> None:
    nasty = "a\0b'\"\\; -- \ud800 \u202e<script>" + "é" * 5000
    one = service(
        "nasty.example",
        {"name": nasty, "description": nasty, "tags": (nasty,), "parameters": (nasty,)},
        {"name": "", "description": "has no name"},
        name=nasty,
        category=nasty,
        auth=nasty,
        tags=tuple(f"tag {n}" for n in range(5000)),
        preferences=((nasty, True),),
    )
    put(store, one)
    kept = store.capability("nasty.example", nasty)
    assert kept is not None and kept.description == nasty
    assert found(store, category=(nasty,)) == ["nasty.example"]
    assert found(store, tag=("tag 7",)) == ["nasty.example"]
    assert found(store, "script", auth=(nasty,)) == ["nasty.example"]
    assert store.counts() == (1, 1)
    put(store, one)
    assert store.counts() == (1, 1)


def test_a_long_text_is_not_searched_to_its_end(store: Store) -> None:
    many = tuple(f"{'p' * 50} " * 50 for _ in range(200))
    one = {
        "name": "x",
        "parameters": many,
        "tags": many,
        "description": "word " * 10**4,
    }
    started = time.perf_counter()
    put(store, service("long.example", *({**one, "name": f"x{n}"} for n in range(5))))
    assert found(store, "word") == ["long.example"]
    assert time.perf_counter() - started < 20


def test_words_of_other_scripts(store: Store) -> None:
    put(
        store,
        service("mail.example", ("senden", "Überweisung ausführen")),
        service("zh.example", ("m1", "发送电子邮件")),
        service("ru.example", ("m2", "Отправить письмо")),
    )
    assert found(store, "ueberweisung UBERWEISUNG") == ["mail.example"]
    assert found(store, "电子") == ["zh.example"]
    assert found(store, "邮") == ["zh.example"]
    assert found(store, "ПИСЬМО") == ["ru.example"]


def test_threads_read_while_one_writes(store: Store) -> None:
    put(store, *SHOPS)
    problems: list[BaseException] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                both = {"even0.example", "odd0.example"} & set(
                    found(store, "number", limit=100)
                )
                assert len(both) in (0, 2)
        except BaseException as problem:
            problems.append(problem)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for n in range(10):
        with store.write() as writer:
            writer.put(*service(f"even{n}.example", ("number", "")))
            writer.put(*service(f"odd{n}.example", ("number", "")))
    done.set()
    for reader in readers:
        reader.join()
    assert problems == []
    assert len(found(store, "number", limit=100)) == 20


def test_two_programs_share_a_store(where: str) -> None:
    first, second = open_store(where), open_store(where)
    put(first, *SHOPS)
    assert found(second, "refund") == ["pay.example"]
    put(second, service("x.example", ("refund", "")))
    put(first, service("y.example", ("refund", "")))
    assert sorted(found(second, "refund")) == ["pay.example", "x.example", "y.example"]
    reader = open_store(where, read_only=True)
    assert reader.counts() == (5, 7)
    with pytest.raises(StoreError, match="reading only"), reader.write():
        pass
    for one in (first, second, reader):
        one.close()
        one.close()
        with pytest.raises(StoreError, match="closed"):
            one.counts()


def test_a_search_that_takes_too_long_is_ended(where: str) -> None:
    store = open_store(where)
    put(store, *(service(f"s{n}.example", ("a b c d e", "")) for n in range(1200)))
    store.close()
    slow = open_store(where, time_limit=1e-9)
    end = "took longer than|no connection"
    with pytest.raises(StoreError, match=end):
        for _ in range(50):
            slow.facet(Query(text="a b c d e"), "domain")
            if where.startswith("postgresql"):
                # Its clock has milliseconds.
                with slow.reading() as cursor:  # type: ignore[attr-defined]
                    cursor.execute("SELECT pg_sleep(1)")
    slow.close()


def test_verdicts_have_a_place() -> None:
    from agentsdisc.registry.rows import TRUST, tier

    for verdict in get_args(Verdict):
        for verified in (False, True):
            one = service("a.example", verdict=verdict, verified=verified)
            assert 0 <= tier(one[0].sources[0]) < len(TRUST)


def test_the_example_of_the_guide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "docs/registry.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python recipe store\n(.*?)```", text, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    values: dict[str, Any] = {}
    exec(code, values)
    values["store"].close()
    assert "mugs.example" in capsys.readouterr().out


# SQLite only.


def test_files_that_are_no_registry(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("not a database, but a text that is long enough to be a header" * 9)
    with pytest.raises(StoreError, match=r"text\.db"):
        open_store(str(text))
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    with pytest.raises(StoreError, match="is not a registry"):
        open_store(str(other))
    with sqlite3.connect(other) as connection:
        assert connection.execute("SELECT count(*) FROM mine").fetchone() == (0,)
    with pytest.raises(StoreError, match="missing"):
        open_store(str(tmp_path / "missing.db"), read_only=True)
    assert not (tmp_path / "missing.db").exists()
    with pytest.raises(StoreError, match="folder"):
        open_store(str(tmp_path / "no folder" / "a.db"))
    newer = tmp_path / "newer.db"
    open_store(str(newer)).close()
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="version 99"):
        open_store(str(newer))


def test_a_full_disk_keeps_what_was_committed(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "registry.db"))
    put(store, *SHOPS)
    connection = store._writer  # type: ignore[attr-defined]
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 5}")
    big = [service(f"s{n}.example", ("send", "word " * 100)) for n in range(500)]
    with pytest.raises(StoreError, match="full"):
        put(store, *big)
    assert found(store, "send email") == ["mail.example"]
    assert store.counts() == (3, 5)
    connection.execute("PRAGMA max_page_count = 100000")
    put(store, *big)
    assert store.counts() == (503, 505)
    store.close()


def test_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "registry.db"
    store = open_store(str(path))
    put(store, *(service(f"s{n}.example", ("send", "word")) for n in range(500)))
    store.close()
    data = bytearray(path.read_bytes())
    data[8192:] = b"\xff" * (len(data) - 8192)
    path.write_bytes(data)
    with pytest.raises(StoreError):
        broken = open_store(str(path), read_only=True)
        broken.search(Query(text="send"))


# PostgreSQL only.


def test_a_lost_server_is_an_error_until_it_is_back(
    postgres_server: postgres.Server,
) -> None:
    server = postgres_server
    store = open_store(server.database("lost"))
    put(store, *SHOPS)
    server.stop()
    try:
        with pytest.raises(StoreError, match="PostgreSQL"):
            store.search(Query(text="refund"))
        with pytest.raises(StoreError, match="PostgreSQL"), store.write() as writer:
            writer.put(*service("x.example"))
    finally:
        server.start()
    assert found(store, "refund") == ["pay.example"]
    put(store, service("x.example", ("refund", "")))
    assert store.counts() == (4, 6)
    store.close()


def test_no_server_no_password_in_the_error() -> None:
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://u:secret-word@127.0.0.1:1/db")
    assert "secret-word" not in str(caught.value)


def test_the_package_needs_no_database_driver() -> None:
    code = (
        "import sys; sys.modules['psycopg'] = None; from agentsdisc.registry import open_store\n"
        "try: open_store('postgresql://x')\nexcept ImportError as e: print(e)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "agentsdisc[registry]" in done.stdout
