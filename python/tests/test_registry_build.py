"""Filling a registry: from tables, crawls, folders and domains; again, after changes, and after a kill."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from agentsdisc.registry import Query, Source, Store, StoreError, open_store
from agentsdisc.registry.build import build
from agentsdisc.registry.domains import ask
from agentsdisc.registry.hosts import domain_of
from conftest import LONG_ONLY, PATIENCE, ROOT, Run, environment
from server import ADP, JSON, Page, Server

SAMPLES = ROOT / "samples"
TXT = """\
Spec-Version: 1.0
Site-Name: {name}
Site-URL: https://{name}.example

Capability: {capability}
  Description: Does {capability}.
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(str(tmp_path / "registry.db"))
    yield store
    store.close()


def write(folder: Path, **documents: str | bytes) -> Path:
    """Writes documents of hosts into a mirror: shop="…" is shop.example's agents.txt."""
    for name, text in documents.items():
        put(folder, f"{name}.example/.well-known/agents.txt", text)
    return folder


def put(folder: Path, path: str, text: str | bytes) -> None:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)


def shop(name: str, capability: str = "order") -> str:
    return TXT.format(name=name, capability=capability)


def everything(store: Store, *, with_sources: bool = True) -> list[Any]:
    """All entries of a store, in order."""
    found: list[Any] = []
    after = None
    while hits := store.list(Query(limit=100), after=after).hits:
        for hit in hits:
            after = hit.service.domain
            service = hit.service
            entries = store.capabilities(after, limit=1 << 20)
            if not with_sources:
                service = replace(service, sources=(), created=None)
            found.append((service, entries))
    return found


def found(store: Store, text: str) -> list[str]:
    return [hit.service.domain for hit in store.search(Query(text=text)).hits]


def source(store: Store, domain: str) -> Source:
    service = store.service(domain)
    assert service is not None
    return service.sources[0]


def captures(path: Path, *dated: tuple[str, str]) -> Path:
    """Writes an archive with an agents.txt of shop.example for each date and capability."""
    parts = []
    for date, capability in dated:
        body = shop("shop", capability).encode()
        block = b"HTTP/1.1 200 OK\r\n\r\n" + body
        head = (
            "WARC/1.1\r\nWARC-Type: response\r\n"
            "WARC-Target-URI: https://shop.example/.well-known/agents.txt\r\n"
            f"WARC-Date: {date}\r\nContent-Length: {len(block)}\r\n\r\n"
        )
        parts.append(head.encode() + block + b"\r\n\r\n")
    path.write_bytes(b"".join(parts))
    return path


JANUARY = ("2026-01-02T03:04:05Z", "january")
FEBRUARY = ("2026-02-02T03:04:05.123456Z", "february")
MARCH = ("2026-03-02T03:04:05Z", "march")


@pytest.mark.parametrize(
    "archives",
    [
        [[MARCH], [JANUARY]],
        [[JANUARY], [MARCH]],
        [[MARCH, JANUARY, FEBRUARY]],
        [[JANUARY, MARCH], [FEBRUARY]],
        [[FEBRUARY, MARCH, FEBRUARY], [JANUARY]],
    ],
)
@pytest.mark.parametrize("together", [True, False])
def test_the_newest_capture_of_archives_counts(
    store: Store, tmp_path: Path, archives: list[Any], together: bool
) -> None:
    pytest.importorskip("fastwarc")
    paths = [
        str(captures(tmp_path / f"{number}.warc", *dated))
        for number, dated in enumerate(archives)
    ]
    runs = [paths] if together else [[path] for path in paths]
    older = sum(build(store, run).older for run in runs)
    (only,) = store.capabilities("shop.example", limit=9)
    assert only.name == "march"
    kept = source(store, "shop.example")
    assert kept.fetched == datetime(2026, 3, 2, 3, 4, 5, tzinfo=UTC)
    document = store.document("shop.example", kept.url)
    assert document == shop("shop", "march").encode()
    assert older >= sum(map(len, archives)) - 2


def test_captures_without_a_date_count_in_the_order_of_the_archives(
    store: Store, tmp_path: Path
) -> None:
    pytest.importorskip("fastwarc")
    dated = [("", "first"), ("yesterday", "second"), ("2026-13-01", "third")]
    assert build(store, [str(captures(tmp_path / "a.warc", *dated))]).older == 0
    (only,) = store.capabilities("shop.example", limit=9)
    assert only.name == "third"


# What a document says.


def test_a_service_is_what_its_documents_say(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "mirror"
    put(
        folder,
        "shop.example/.well-known/agents.txt",
        """\
Spec-Version: 1.0
Site-Name: Mug Shop
Site-URL: https://shop.example
Site-Description: Sells mugs.
Rate-Limit: 10/second

Capability: order
  Endpoint: https://shop.example/orders
  Method: POST
  Protocol: REST
  Auth: oauth2
  Rate-Limit: 60/minute
  Description: Orders a mug.
  Param: mug, in=query, type=string, required=true
""",
    )
    put(
        folder,
        "shop.example/robots.txt",
        "User-agent: *\nContent-Signal: ai-train=no, search=yes\nAllow: /\n"
        "User-agent: GoodBot\nContent-Signal: ai-input=no\nAllow: /\n",
    )
    counts = build(store, [str(folder)])
    assert (counts.documents, counts.new, counts.others) == (2, 2, 0)
    service = store.service("shop.example")
    assert service is not None
    assert service.name == "Mug Shop"
    assert service.description == "Sells mugs."
    assert service.formats == ("agents-txt", "robots-txt")
    assert service.preferences == (("train-ai", False), ("search", True))
    assert service.capabilities == 1
    (entry,) = store.capabilities("shop.example")
    url = "https://shop.example/.well-known/agents.txt"
    assert entry.source == service.sources[0].url == url
    assert (entry.name, entry.description) == ("order", "Orders a mug.")
    assert (entry.method, entry.transport, entry.auth) == ("POST", "rest", "oauth2")
    assert (entry.limit, entry.parameters) == ("60/minute", ("mug",))
    body = (folder / "shop.example/.well-known/agents.txt").read_bytes()
    assert store.document("shop.example", url) == body
    assert found(store, "order mug") == ["shop.example"]


def test_details_complete_the_capabilities_of_a_manifest(
    store: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "mirror"
    listed = '{"name": "send", "description": "Sends.", "resource_group": "Mail", "detail_url": "/d/send"}'
    put(folder, "adp.example/z/agent.json", ADP % ("https://adp.example", listed))
    detail = '{"name": "send", "description": "Sends a letter.", "endpoint": "/send", "method": "POST", "parameters": [{"name": "recipient", "type": "string"}]}'
    put(folder, "adp.example/d/send.json", detail)
    build(store, [str(folder)])
    (entry,) = store.capabilities("adp.example")
    assert (entry.description, entry.category) == ("Sends.", "Mail")
    assert (entry.method, entry.endpoint) == ("POST", "/send")
    assert entry.parameters == ("recipient",)
    assert found(store, "recipient") == ["adp.example"]


def test_documents_that_make_no_service_wait_for_one_that_does(
    store: Store, tmp_path: Path
) -> None:
    robots = "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n"
    first, second = tmp_path / "first", tmp_path / "second"
    put(first, "late.example/robots.txt", robots)
    put(first, "plain.example/robots.txt", "User-agent: *\nDisallow: /\n")
    for _ in range(2):
        counts = build(store, [str(first)])
        assert (counts.new, counts.others) == (0, 2)
    assert store.counts() == (0, 0)
    build(store, [str(write(second, late=shop("late")))])
    service = store.service("late.example")
    assert service is not None
    assert service.preferences == (("train-ai", False),)
    assert store.service("plain.example") is None


def test_a_document_speaks_for_its_own_host_only(store: Store, tmp_path: Path) -> None:
    folder = write(tmp_path / "mirror", bank=shop("bank", "pay"))
    evil = shop("bank", "pay").replace("order", "steal")
    put(folder, "evil.example/.well-known/agents.txt", evil)
    put(
        folder,
        "evil.example/api/discover",
        '{"query": "x", "results": [{"name": "Bank", "base_url": "https://bank.example", "capabilities": [{"name": "drain", "description": "d"}]}]}',
    )
    build(store, [str(folder)])
    entries = store.capabilities("bank.example") + store.capabilities("evil.example")
    assert {(e.domain, domain_of(e.source)) for e in entries} == {
        ("bank.example", "bank.example"),
        ("evil.example", "evil.example"),
    }
    assert found(store, "drain") == []
    assert found(store, "bank.example")[0] == "bank.example"


# Sources.


def test_all_kinds_of_sources_give_the_same(
    store: Store, tmp_path: Path, run: Run
) -> None:
    build(store, [str(SAMPLES)])
    expected = everything(store, with_sources=False)
    assert len(expected) > 15
    bodies = [
        {"url": f"https://{path.relative_to(SAMPLES)}", "body": path.read_bytes()}
        for path in sorted(SAMPLES.rglob("*"))
        if path.is_file()
    ]
    pq.write_table(pa.Table.from_pylist(bodies), tmp_path / "raw.parquet")
    for kind in ("parquet", "arrow", "jsonl"):
        run("ingest", SAMPLES, "-o", f"all.{kind}", "--check", check=0)
    columns = "url,format,status,errors,warnings,service,auth,endpoints,capabilities,pricing,rate_limits,robots,metadata"
    run("ingest", SAMPLES, "-o", "some.parquet", "--check", "-c", columns, check=0)
    for name in (
        *("raw.parquet", "all.parquet", "all.arrow", "all.jsonl"),
        "some.parquet",
    ):
        other = open_store(str(tmp_path / f"{name}.db"))
        build(other, [str(tmp_path / name)])
        assert everything(other, with_sources=False) == expected, name
        has_bytes = name == "raw.parquet"
        url = source(other, "shop.example").url
        assert (other.document("shop.example", url) is not None) == has_bytes
        again = build(other, [str(tmp_path / name)])
        assert (again.new, again.changed) == (0, 0), name
        assert again.same > 20
        other.close()


@LONG_ONLY
def test_a_crawl(store: Store, corpus: Path) -> None:
    counts = build(store, [str(corpus)])
    services, capabilities = store.counts()
    assert services > 300 and capabilities > services
    assert (
        counts.documents
        == counts.new + counts.changed + counts.others + counts.unreadable
    )
    before = everything(store)
    again = build(store, [str(corpus)])
    assert (again.new, again.changed, again.same) == (0, 0, counts.new + counts.changed)
    assert everything(store) == before


def test_a_table_without_a_check(store: Store, tmp_path: Path, run: Run) -> None:
    columns = "url,format,status,service.name,capabilities.id"
    run("ingest", SAMPLES, "-o", "few.parquet", "--columns", columns, check=0)
    build(store, [str(tmp_path / "few.parquet")])
    assert source(store, "shop.example").verdict == "unchecked"
    assert store.counts()[1] > 20
    run("ingest", SAMPLES, "-o", "caps.parquet", "--explode", "capabilities", check=0)
    done = run("registry", "build", "caps.parquet", "--store", "x.db", check=2)
    assert "--explode" in done.stderr


def test_damage_and_error_rows(tmp_path: Path, run: Run) -> None:
    lines = [
        {"url": "https://a.example/agents.txt", "body": shop("a")},
        {"url": "https://b.example/agents.txt"},
        {"url": 7, "body": shop("c")},
        {"body": shop("d")},
    ]
    text = "\n".join(map(json.dumps, lines)) + "\n{broken\n\n[1]\n"
    (tmp_path / "x.jsonl").write_text(text)
    done = run("registry", "build", "x.jsonl", "--store", "r.db", check=1)
    assert "(1 services, 1 capabilities)" in done.stderr
    assert "lost: 4 parts of the inputs cannot be read\n" in done.stderr
    for number in (2, 3, 5, 7):
        assert f"\n  x.jsonl:{number}: " in done.stderr
    (tmp_path / "x.parquet").write_bytes(b"PAR1 not parquet PAR1")
    done = run("registry", "build", "x.parquet", "--store", "r.db", check=1)
    assert "(1 services" in done.stderr and "  x.parquet:0: " in done.stderr


def test_signed_cards_of_their_own_host_are_verified(tmp_path: Path, run: Run) -> None:
    jws = pytest.importorskip("jwt.api_jws")
    from agentsdisc import verify
    from cryptography.hazmat.primitives.asymmetric import ec
    from jwt.algorithms import ECAlgorithm

    key = ec.generate_private_key(ec.SECP256R1())
    public = {**json.loads(ECAlgorithm.to_jwk(key.public_key())), "kid": "key-1"}
    card: dict[str, Any] = {
        "name": "Mug Agent",
        "description": "Sells mugs.",
        "version": "1.0.0",
        "supportedInterfaces": [
            {
                "url": "https://mugs.example/a2a",
                "protocolBinding": "JSONRPC",
                "protocolVersion": "1.0",
            }
        ],
        "capabilities": {},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [
            {"id": "order", "name": "Order", "description": "Orders.", "tags": ["mugs"]}
        ],
    }
    token = jws.PyJWS().encode(
        verify.payload(json.dumps(card)), key, "ES256", {"kid": "key-1"}
    )
    protected, _, signature = token.split(".")
    card["signatures"] = [{"protected": protected, "signature": signature}]
    for host, name in (("mugs", "Mug Agent"), ("copy", "Mug Agent"), ("fake", "Fake")):
        text = json.dumps({**card, "name": name})
        put(tmp_path / "m", f"{host}.example/.well-known/agent-card.json", text)
    (tmp_path / "keys.json").write_text(json.dumps({"keys": [public]}))
    run("registry", "build", "m", "--store", "r.db", "--keys", "keys.json", check=0)
    store = open_store(str(tmp_path / "r.db"))
    verified = {h.service.domain: h.service.verified for h in store.list(Query()).hits}
    assert verified == {
        "mugs.example": True,
        "copy.example": False,
        "fake.example": False,
    }
    entry = store.capability("mugs.example", "order")
    assert entry is not None
    assert (entry.transport, entry.endpoint) == ("a2a", "https://mugs.example/a2a")
    store.close()
    (tmp_path / "keys.json").write_text("[]")
    run("registry", "build", "m", "--store", "r.db", "--keys", "keys.json", check=2)


# Again.


def test_only_changes_are_written(store: Store, tmp_path: Path) -> None:
    folder = write(tmp_path / "mirror", a=shop("a"), b=shop("b"), c=shop("c"))
    build(store, [str(folder)])
    generation = store.generation()
    assert build(store, [str(folder)]).same == 3
    assert store.generation() == generation
    write(folder, b=shop("b", "refund"), d=shop("d"))
    counts = build(store, [str(folder)])
    assert (counts.same, counts.changed, counts.new) == (2, 1, 1)
    assert found(store, "refund") == ["b.example"]
    assert [entry.name for entry in store.capabilities("b.example")] == ["refund"]


def test_what_was_read_again_is_fresh_again(store: Store, tmp_path: Path) -> None:
    folder = write(tmp_path / "mirror", a=shop("a"))
    file = folder / "a.example/.well-known/agents.txt"
    put(
        folder,
        "a.example/agents.md",
        "---\nversion: 1.0\n---\n# A\n\n## Can\n\n- Read\n",
    )
    os.utime(file, (1_700_000_000, 1_700_000_000))
    build(store, [str(folder)])
    assert source(store, "a.example").fetched == datetime.fromtimestamp(
        1_700_000_000, UTC
    )
    os.utime(file, (1_800_000_000, 1_800_000_000))
    build(store, [str(folder)])
    assert source(store, "a.example").fetched == datetime.fromtimestamp(
        1_800_000_000, UTC
    )
    # Also after another document of the service has changed.
    put(
        folder,
        "a.example/agents.md",
        "---\nversion: 1.0\n---\n# B\n\n## Can\n\n- Read\n",
    )
    build(store, [str(folder)])
    assert source(store, "a.example").fetched == datetime.fromtimestamp(
        1_800_000_000, UTC
    )


def test_documents_of_a_domain_come_one_after_another(
    store: Store, tmp_path: Path
) -> None:
    """In any order and in any number of runs, the result is that of one run."""
    parts = {
        "agents.txt": shop("a").replace("order", "buy"),
        ".well-known/agents.txt": shop("a"),
        "agents.md": "---\nversion: 1.0\n---\n# A\n\n## Can\n\n- Read\n",
        "robots.txt": "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n",
        "llms.txt": "# A\n\n> Sells mugs.\n\n- [Docs](https://a.example/docs)\n",
    }
    whole = tmp_path / "whole"
    for path, text in parts.items():
        put(whole, f"a.example/{path}", text)
        os.utime(whole / f"a.example/{path}", (1_700_000_000, 1_700_000_000))
    build(store, [str(whole)])
    expected = everything(store)
    assert len(expected[0][0].sources) == 5
    for seed in range(3):
        other = open_store(str(tmp_path / f"{seed}.db"))
        for number, path in enumerate(random.Random(seed).sample([*parts], 5)):
            folder = tmp_path / f"{seed}-{number}"
            put(folder, f"a.example/{path}", parts[path])
            os.utime(folder / f"a.example/{path}", (1_700_000_000, 1_700_000_000))
            build(other, [str(folder)])
        assert everything(other) == expected
        urls = [s.url for s in expected[0][0].sources]
        assert all(other.document("a.example", url) for url in urls)
        other.close()


def test_the_store_may_be_in_the_folder_that_is_read(tmp_path: Path, run: Run) -> None:
    write(tmp_path / "mirror", a=shop("a"))
    for _ in range(2):
        done = run("registry", "build", "mirror", "--store", "mirror/r.db", check=0)
        assert "1 documents" in done.stderr
        assert "(1 services, 1 capabilities)" in done.stderr


# Ends before the end.


def test_what_has_not_changed_is_not_updated(store: Store, tmp_path: Path) -> None:
    place = tmp_path / "mirror" / "s.example" / "agents.txt"
    place.parent.mkdir(parents=True)
    times = []
    for day, name in enumerate(("one", "one", "two"), start=1):
        place.write_text(shop("s", name))
        os.utime(place, (day * 86_400, day * 86_400))
        build(store, [str(tmp_path / "mirror")])
        entry = store.service("s.example")
        assert entry is not None and entry.created and entry.updated
        known = (entry.created, entry.updated, entry.sources[0].fetched)
        times.append([moment.day for moment in known])
    assert times == [[2, 2, 2], [2, 2, 3], [2, 4, 4]]


def test_a_killed_build_goes_on(tmp_path: Path) -> None:
    """However often a build is killed, the result is that of one that was not."""
    source = tmp_path / "documents.jsonl"
    with source.open("w") as file:
        for number in range(4_000):
            # Two documents of each domain, far apart.
            name = f"s{number % 2000}"
            place = "agents.txt" if number < 2000 else ".well-known/agents.txt"
            body = shop(name, f"order{number % 50}")
            url = f"https://{name}.example/{place}"
            file.write(json.dumps({"url": url, "body": body}) + "\n")
    whole = open_store(str(tmp_path / "whole.db"))
    counts = build(whole, [str(source)])
    expected = everything(whole)
    whole.close()
    code = (
        "import sys\nfrom agentsdisc.registry import build as _, open_store\n"
        "from agentsdisc.registry import build\nbuild._DOCUMENTS = 100\n"
        "from agentsdisc.registry import sources\nsources._ROWS = 100\n"
        "store = open_store(sys.argv[1])\n"
        "print(build.build(store, sys.argv[2:]).documents, flush=True)\n"
    )
    path = tmp_path / "killed.db"
    chance = random.Random(7)
    kills = 0
    for attempt in range(40):
        program = subprocess.Popen(
            [sys.executable, "-c", code, str(path), str(source)],
            stdout=subprocess.PIPE,
            env=environment(),
        )
        try:
            out, _ = program.communicate(
                timeout=0.35 * 1.1**attempt + chance.random() / 3
            )
            assert program.returncode == 0
            # What was read before the kills was not read again.
            assert int(out) == counts.documents
            break
        except subprocess.TimeoutExpired:
            program.send_signal(signal.SIGKILL)
            program.communicate()
            kills += 1
    else:
        pytest.fail("the build does not get on")
    assert kills > 1
    killed = open_store(str(path))
    assert everything(killed) == expected
    for text in ("order7", "s17", "order"):
        assert killed.search(Query(text=text)).total is not None or text == "order"
    killed.close()


def test_an_interrupt_ends_after_a_transaction(tmp_path: Path) -> None:
    write(tmp_path / "mirror", **{f"s{n}": shop(f"s{n}") for n in range(1500)})
    command = ["registry", "build", "mirror", "--store", "r.db", "-j", "1"]
    program = subprocess.Popen(
        [sys.executable, "-m", "agentsdisc", *command],
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment(),
        text=True,
    )
    time.sleep(0.4)
    program.send_signal(signal.SIGTERM)
    _, said = program.communicate(timeout=PATIENCE)
    # It may be too early for its own handling of signals.
    assert program.returncode in (0, 143, -signal.SIGTERM), said
    assert "Traceback" not in said
    store = open_store(str(tmp_path / "r.db"))
    build(store, [str(tmp_path / "mirror")])
    assert store.counts() == (1500, 1500)
    store.close()


def test_a_full_disk_ends_the_build_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agentsdisc.registry import build as building

    monkeypatch.setattr(building, "_DOCUMENTS", 100)
    monkeypatch.setattr("agentsdisc.registry.sources._ROWS", 100)
    many = {f"s{n}": shop(f"s{n}") for n in range(1000)}
    folder = str(write(tmp_path / "mirror", **many))
    store = open_store(str(tmp_path / "r.db"))
    connection = store._writer  # type: ignore[attr-defined]
    connection.execute("PRAGMA max_page_count = 150")
    with pytest.raises(StoreError, match="full"):
        build(store, [folder])
    services, _ = store.counts()
    assert 0 < services < 1000
    assert len(everything(store)) == services
    assert found(store, "order")
    connection.execute("PRAGMA max_page_count = 100000")
    build(store, [folder])
    assert store.counts() == (1000, 1000)
    store.close()


# Domains.


def asked(store: Store, server: Server, **options: Any) -> Any:
    domain = f"127.0.0.1:{server.port}"
    options = {"allow_private": True, "cache": False, **options}
    return ask(store, {domain: server.url}, **options)


def forget(store: Store, server: Server) -> None:
    """As if the hour had passed."""
    with store.write() as writer:
        writer.remember(f"asked 127.0.0.1:{server.port}", None)


def test_domains_are_asked_for_their_documents(store: Store, server: Server) -> None:
    domain = f"127.0.0.1:{server.port}"
    server.pages["/.well-known/agents.json"] = Page(JSON)
    server.pages["/robots.txt"] = Page("User-agent: *\nContent-Signal: ai-train=no\n")
    listed = '{"name": "get_a", "description": "Gets it.", "detail_url": "/d"}'
    server.pages["/.well-known/agent"] = Page(ADP % (server.url, listed))
    assert asked(store, server).found == 1
    service = store.service(domain)
    assert service is not None
    assert service.formats == ("agents-json", "adp")
    assert service.preferences == (("train-ai", False),)
    assert service.sources[0].fresh_until is not None
    url = f"{server.url}/.well-known/agents.json"
    assert store.document(domain, url) == JSON.encode()
    assert store.capability(domain, "get_a") is not None


def test_a_domain_is_asked_once_an_hour(store: Store, server: Server) -> None:
    server.pages["/.well-known/agents.json"] = Page(JSON)
    asked(store, server)
    requests = len(server.asked)
    again = asked(store, server)
    assert (again.sites, again.skipped) == (0, 1)
    assert len(server.asked) == requests
    forget(store, server)
    assert asked(store, server).sites == 1


def test_what_a_site_takes_back_is_removed(store: Store, server: Server) -> None:
    domain = f"127.0.0.1:{server.port}"
    server.pages["/.well-known/agents.json"] = Page(JSON)
    server.pages["/agents.md"] = Page(
        "---\nversion: 1.0\n---\n# A\n\n## Can\n\n- Read\n"
    )
    asked(store, server)
    forget(store, server)
    del server.pages["/agents.md"]
    asked(store, server)
    service = store.service(domain)
    assert service is not None and service.formats == ("agents-json",)
    # A server that fails takes nothing back.
    forget(store, server)
    server.pages["/.well-known/agents.json"] = Page("", status=503)
    asked(store, server)
    assert store.service(domain) is not None
    forget(store, server)
    server.pages.clear()
    assert asked(store, server).removed == 1
    assert store.counts() == (0, 0)


@pytest.mark.parametrize("together", [1, 32])
def test_a_store_that_cannot_be_written_is_an_error(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    monkeypatch.setattr("agentsdisc.registry.domains._TOGETHER", together)
    open_store(str(tmp_path / "r.db")).close()
    store = open_store(str(tmp_path / "r.db"), read_only=True)
    with pytest.raises(StoreError, match="reading only"):
        asked(store, server)
    store.close()


def test_private_addresses_are_not_asked(store: Store, server: Server) -> None:
    assert asked(store, server, allow_private=False).found == 0
    assert server.asked == []


# The command.


def test_the_command(tmp_path: Path, run: Run, server: Server) -> None:
    server.pages["/.well-known/agents.json"] = Page(JSON)
    (tmp_path / "domains.txt").write_text(f"{server.url}\n")
    done = run(
        *("registry", "build", SAMPLES, "--store", "r.db", "--domains", "domains.txt"),
        *("--allow-private", "--no-cache"),
        check=0,
    )
    assert "1 domains asked, 1 with documents" in done.stderr
    assert "written: r.db (" in done.stderr
    store = open_store(str(tmp_path / "r.db"), read_only=True)
    assert store.service("shop.example") is not None
    store.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--store", "r.db"], "name a source"),
        (["no.parquet", "--store", "r.db"], "no such file"),
        (["x.txt"], "--store"),
        (["x.txt", "--store", "none/r.db"], "none/r.db"),
        (["x.txt", "--store", "x.txt"], "x.txt"),
        (["--domains", "no.txt", "--store", "r.db"], "no.txt"),
        (["-", "--domains", "-", "--store", "r.db"], "only once"),
        (["x.txt", "--store", "postgresql://u:secret@127.0.0.1:1/x"], "PostgreSQL"),
    ],
)
def test_arguments_that_cannot_work(
    tmp_path: Path, run: Run, arguments: list[str], said: str
) -> None:
    (tmp_path / "x.txt").write_text("this is a text that is no registry" * 30)
    done = run("registry", "build", *arguments, check=2)
    assert said in done.stderr
    assert "secret" not in done.stderr


def test_capabilities_are_found_by_what_they_do(store: Store) -> None:
    """The words of a description in another order, in a sentence, find its capability among the first."""
    build(store, [str(SAMPLES)])
    ranks: list[float] = []
    for service, entries in everything(store):
        for entry in entries:
            text = (entry.description or "").rstrip(".").lower().split()
            if len(text) < 3:
                continue
            query = f"please help me to {' '.join(reversed(text))} at {service.name}"
            hits = store.search(Query(text=query, limit=5)).hits
            found = [(h.service.domain, c.name) for h in hits for c in h.capabilities]
            wanted = (entry.domain, entry.name)
            ranks.append(1 / (found.index(wanted) + 1) if wanted in found else 0)
    assert len(ranks) > 10
    assert sum(ranks) / len(ranks) > 0.85
