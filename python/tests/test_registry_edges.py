"""A registry at its edges: stores that are not there, odd names, private addresses, wrong arguments."""

import html
import random
import re
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

import agentsdisc
import anyio
import httpx
import jsonschema
import pytest
from agentsdisc.discovery import discover
from agentsdisc.registry import (
    CapabilityEntry,
    NoRegistryError,
    Query,
    ServiceEntry,
    Source,
    Store,
    StoreError,
    open_store,
    sqlite,
    writing,
)
from agentsdisc.registry import rows as index
from agentsdisc.registry.hosts import domain_of
from agentsdisc.registry.mcp import mcp_server
from agentsdisc.registry.serve import Settings, submissions
from agentsdisc.registry.serve.ard import _identifier
from agentsdisc.registry.sqlite import SqliteStore
from mcp import Client
from server import Page, serving, to
from test_registry_serve import PUBLIC, running

# Stores that are not there.


def test_a_store_that_is_not_there_is_not_served(run: Any, tmp_path: Path) -> None:
    missing, empty = tmp_path / "missing.db", tmp_path / "empty.db"
    empty.touch()
    for command, path, said, more in (
        (("serve", "--port", "0"), missing, "does not exist", "--create"),
        (("serve", "--submissions", "off"), empty, "is empty", "--create"),
        (("mcp",), missing, "does not exist", ""),
    ):
        done = run("registry", *command, "--store", path, check=2)
        assert f"{path.name} {said}" in done.stderr
        assert "agentsdisc registry build" in done.stderr and more in done.stderr
    assert not missing.exists()
    assert empty.stat().st_size == 0


def test_an_empty_registry_is_made_where_that_is_wanted(where: str) -> None:
    for options in ({"create": False}, {"read_only": True}):
        with pytest.raises(NoRegistryError, match="registry build"):
            open_store(where, **options)
    with pytest.raises(NoRegistryError):
        open_store(where, create=False)
    open_store(where).close()
    for options in ({"create": False}, {"read_only": True}):
        store = open_store(where, **options)
        assert store.counts() == (0, 0)
        store.close()


def test_a_file_of_another_program_stays_as_it_is(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    before = other.read_bytes()
    for create in (True, False):
        with pytest.raises(StoreError, match="is not a registry"):
            open_store(str(other), create=create)
    assert other.read_bytes() == before


@pytest.mark.parametrize(
    "where",
    [
        "mysql://u:secret-word@host/db",
        "sqlite:///registry.db",
        "postgresql+psycopg://host/db",
        "HTTPS://registry.example",
        "file:///tmp/registry.db",
        ":memory:",
        "",
    ],
)
def test_a_store_that_is_not_supported(where: str) -> None:
    with pytest.raises(StoreError, match=r"is not supported.*postgresql://") as caught:
        open_store(where)
    assert "registry.db" in str(caught.value)
    assert "secret-word" not in str(caught.value)


def test_no_command_takes_a_store_that_is_not_supported(
    run: Any, tmp_path: Path
) -> None:
    for command in (("build", tmp_path), ("serve",), ("mcp",)):
        done = run(
            "registry", *command, "--store", "mysql://u:secret-word@h/d", check=2
        )
        assert "mysql:// is not supported" in done.stderr
        assert "secret-word" not in done.stderr
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", [r"C:\x.db", "C:x.db", "a:b.db", "ä b?#%41.db"])
def test_paths_are_files(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    open_store(name).close()
    assert {path.name for path in tmp_path.iterdir()} == {name}


def test_the_scheme_is_in_any_letter_case() -> None:
    with pytest.raises(StoreError, match="PostgreSQL: ") as caught:
        open_store("PostgreSQL://u:secret-word@127.0.0.1:1/db")
    assert "secret-word" not in str(caught.value)


# Submissions of what is not public.

PRIVATE = [
    *("127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.0.0.1."),
    *("10.0.0.1", "172.16.9.9", "192.168.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1"),
    *("169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.2.1"),
    *("[::1]", "[::]", "[fe80::1]", "[fd00:ec2::254]", "[fec0::1]"),
    *(
        "[::ffff:10.0.0.1]",
        "[::ffff:a9fe:a9fe]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
    ),
    *("localhost", "LOCALHOST.", "a.localhost", "printer.local", "db.internal"),
    *("metadata.google.internal", "router.home.arpa", "nas.lan", "a.corp", "intranet"),
    *("app.test", "shop.onion", "１２７.0.0.1", "ⓛocalhost", "https://10.0.0.1/"),
]


@pytest.mark.parametrize("domain", PRIVATE)
def test_private_submissions_are_refused_at_once(
    public: httpx.Client, domain: str
) -> None:
    answer = public.post("/api/services", json={"domain": domain})
    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert "private address, or a name of a local network" in answer.json()["detail"]


@pytest.mark.parametrize(
    "domain", ["a.example:8443", "http://a.example", "[2606::1]:1"]
)
def test_submissions_have_no_port(public: httpx.Client, domain: str) -> None:
    answer = public.post("/api/services", json={"domain": domain})
    assert answer.status_code == 400
    assert "without http:// and port" in answer.json()["detail"]


@pytest.mark.parametrize(
    "domain",
    [
        *("a.example", "LOCAL.example", "localhost.example", "https://a.example:443"),
        *("8.8.8.8", "[2606:4700::1111]", "internal.co.uk", "test.com"),
    ],
)
def test_public_submissions_wait(public: httpx.Client, domain: str) -> None:
    answer = public.post("/api/services", json={"domain": domain})
    assert answer.status_code == 202


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    store = open_store(str(tmp_path_factory.mktemp("public") / "registry.db"))

    async def ask(url: str, **options: Any) -> Any:
        await anyio.sleep_forever()

    with pytest.MonkeyPatch.context() as patch, running(store) as client:
        patch.setattr(submissions, "adiscover", ask)
        yield client
    store.close()


# Names that URLs, pages and results cannot show as they are.

NAMES = [
    *(
        "..",
        ".",
        "...",
        "a/b",
        "/a",
        "a/",
        "a//b",
        "../a",
        "a/..",
        "a\\..\\b",
        "/",
        "//",
    ),
    *("a", "a?b", "a#b", "a?name=b", "%2e%2e", "..%2f", "%", "%25", "a%2Fb", "a&b=c;d"),
    *(" ", "a b", "a\nb", "\n", "a\tb", "a\0b", "a+b", "{name}", "'\"<b>", "…"),
    *("name", "Grüße", "注文する", "a\u202eb", "\u200f", "\u200b", "\U000e0041x", "🍵"),
    *("x" * 1000, "x" * 1001, "ü" * 1000, "\u202e" * 1000, "/" * 1000, "😀" * 20_000),
]
ODD = "https://odd.example/agents.json"


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = open_store(str(tmp_path_factory.mktemp("odd") / "registry.db"))
    source = Source(
        url=ODD,
        format="agents-json",
        digest="0" * 64,
        fetched=datetime.now(UTC),
        verdict="clean",
    )
    # A service for each, so that each of them is found; and one with all of them.
    by_domain = {f"d{number}.example": [name] for number, name in enumerate(NAMES)}
    with store.write() as writer:
        for domain, names in {**by_domain, "all.example": NAMES}.items():
            entries = [
                CapabilityEntry(domain=domain, name=name, description="odd", source=ODD)
                for name in names
            ]
            writer.put(ServiceEntry(domain=domain, sources=(source,)), entries, [])
    yield store
    store.close()


def test_every_capability_is_at_its_url(odd: Store) -> None:
    with running(odd, rate=0) as client:
        seen = []
        for domain in (*(f"d{n}.example" for n in range(len(NAMES))), "all.example"):
            listed = client.get(f"/api/services/{domain}").json()["data"]
            for each in listed["capabilities"]:
                # As a client resolves it.
                where = urljoin(f"{PUBLIC}/", each["detail_url"])
                answer = client.get(where.removeprefix(PUBLIC))
                assert answer.status_code == 200, where[:200]
                assert answer.json()["data"] == each
                seen.append(each["name"])
        assert sorted(seen) == sorted([*NAMES, *NAMES])
        listed, path = [], "/api/services/all.example?limit=1"
        while path:
            page = client.get(path).json()["data"]
            listed += [each["name"] for each in page["capabilities"]]
            path = (page["next"] or "").removeprefix(PUBLIC)
        assert sorted(listed) == sorted(NAMES)
        missing = client.get("/api/services/all.example/capabilities")
        assert (missing.status_code, "name" in missing.json()["detail"]) == (400, True)
        none = client.get("/api/services/all.example/capabilities?name=none")
        assert none.status_code == 404


def test_every_capability_that_is_found_is_at_its_url(odd: Store) -> None:
    with running(odd, rate=0) as client:
        found = []
        for offset in (0, 30):
            query = {"q": "odd", "limit": "30", "offset": str(offset)}
            data = client.get("/api/discover", params=query).json()["data"]
            found += [each for hit in data for each in hit["matching_capabilities"]]
        for each in found:
            where = urljoin(f"{PUBLIC}/", each["detail_url"]).removeprefix(PUBLIC)
            assert client.get(where).json()["data"]["name"] == each["name"]
        assert {each["name"] for each in found} == {*NAMES}


def test_every_capability_is_on_its_page(odd: Store) -> None:
    with running(odd, rate=0) as client:
        links: list[str] = []
        for offset in (0, 20, 40):
            page = client.get("/", params={"q": "odd", "offset": str(offset)}).text
            links += re.findall(r'href="(/services/[^"]*[?]at=[^"]*)"', page)
        assert len(links) >= len(NAMES)
        for link in links:
            answer = client.get(
                urljoin(PUBLIC, html.unescape(link).partition("#")[0])[len(PUBLIC) :]
            )
            assert (answer.status_code, "<h3>" in answer.text) == (200, True)
        page = client.get("/services/all.example?at=name").text
        assert re.search(r"<h3>(.*)</h3>", page)[1] == "name"  # type: ignore[index]
        listed = client.get("/services/all.example?at=none")
        assert listed.status_code == 404
        assert client.get("/services/ALL.Example").status_code == 200


def test_every_capability_has_an_id_in_mcp(odd: Store) -> None:
    async def go() -> None:
        async with Client(mcp_server(odd)) as client:
            for number, name in enumerate(NAMES):
                domain = f"d{number}.example"
                given: dict[str, Any] = {"words": domain}
                found = await client.call_tool("discover", given)
                service = found.structured_content["untrusted"][0]
                given = {"domain": service["domain"]}
                found = await client.call_tool("get_service", given)
                (each,) = found.structured_content["untrusted"]["capabilities"]
                for where in (service["domain"], "all.example"):
                    given = {"domain": where, "name": each["name"]}
                    one = await client.call_tool("get_capability", given)
                    assert not one.is_error, (name[:50], each)
                    assert one.structured_content["untrusted"]["name"] == each["name"]
                assert each["name"].isprintable() and len(each["name"]) < 4000
                if len(name) < 200:
                    assert unquote(each["name"]) == name.replace("\0", "\ufffd")

    anyio.run(go)


def test_an_answer_is_kept_for_its_own_path(odd: Store) -> None:
    with running(odd, check_every=60) as client:
        where = "/api/services/all.example/capabilities/"
        for path, name in (
            ("a%3Fb", "a?b"),
            ("a%23b", "a#b"),
            ("a", "a"),
            ("a?b", "a"),
        ):
            assert client.get(where + path).json()["data"]["name"] == name


def test_a_host_of_dots_is_no_domain() -> None:
    for host in (".", "..", "...:8080"):
        assert domain_of(f"https://{host}/agents.json") is None


HOSTS = [
    *(
        "a-b.example",
        "a_b.example",
        "a;b.example",
        "a'b.example",
        "--.example",
        "日本.example",
    ),
    *("münchen.example", "m-nchen.example", "ß.example", "ss.example", "ａ.example"),
    *("a.example", "a.example:8080", "[::1]", "[::1]:8080", "--1--8080", "-"),
    *("x" * 300, "ü" * 300, "\ud800.example"),
]


def test_no_domain_has_the_identifier_of_another() -> None:
    identifiers = [_identifier(domain, "agents-json") for domain in HOSTS]
    assert len({*identifiers}) == len(HOSTS)
    for identifier in identifiers:
        # As ARD's conformance tool has it.
        assert re.fullmatch(
            r"urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._:-]+)?:agents-json", identifier
        )
    assert _identifier("a.example", "awp") == "urn:air:a.example:awp"
    assert _identifier("日本.example:99", "awp") == "urn:air:xn--wgv71a.example:99:awp"
    assert ".invalid:" in _identifier("a_b.example", "awp")


def test_no_answer_leads_to_the_host_of_a_request(odd: Store) -> None:
    with running(odd) as client:
        for path in ("/api/services/", "/search/", "/mcp/"):
            for method in ("GET", "POST"):
                answer = client.request(method, path, headers={"Host": "evil.example"})
                assert (answer.status_code, "evil" in answer.text) == (404, False)
        found = client.get("/api/discover?q=odd", headers={"Host": "evil.example"})
        assert "evil" not in found.text + str(found.headers)


# Wrong arguments over MCP.


TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
ENTRY = {
    "required": ["identifier", "displayName", "type", "url"],
    "not": {"required": ["data"]},
    "properties": {
        "identifier": {"pattern": "^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$"},
        **dict.fromkeys(("displayName", "type", "url", "description"), TEXT),
        "updatedAt": TEXT,
        "tags": TEXTS,
        "capabilities": TEXTS,
        "representativeQueries": {"minItems": 2, "maxItems": 5},
        "metadata": {
            "additionalProperties": {"type": ["string", "number", "boolean", "null"]}
        },
    },
}
"""What ARD's schema of catalogs demands of an entry that names its document."""


def test_entries_keep_the_schema_of_catalogs(odd: Store) -> None:
    entry = jsonschema.Draft202012Validator(ENTRY)
    with running(odd) as asked:
        query = {"query": {"text": "odd"}, "federation": "none"}
        found = [
            *asked.post("/search", json=query).json()["results"],
            *asked.get("/agents").json()["items"],
            *asked.get("/.well-known/ai-catalog.json").json()["entries"],
        ]
    assert len(found) > 2
    for each in found:
        entry.validate(each)


def test_wrong_arguments_are_named(odd: Store) -> None:
    async def go() -> None:
        async with Client(mcp_server(odd, agent="Bot/1.0")) as client:
            for tool, given, said in WRONG:
                result = await client.call_tool(tool, given)
                text = result.content[0].text
                assert result.is_error and said in text, text
                assert len(text) < 400
                for word in ("pydantic", "https://", "validation", "input_", "\u202e"):
                    assert word not in text

    anyio.run(go)


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("discover", {}, "words is missing; it is what is needed"),
    ("discover", {"words": ""}, "words is not valid; it is what is needed"),
    ("discover", {"words": "x" * 10_000_000}, "words is not valid"),
    ("discover", {"words": 1}, "words is not valid"),
    ("discover", {"words": "a", "limit": 0}, "a whole number, 1 to 50"),
    ("discover", {"words": "a", "limit": "\u202e"}, "limit is not valid"),
    ("discover", {"words": "a", "category": ["b"]}, "category is not valid"),
    ("discover", {"query\u202e": "a"}, "not among the arguments words, limit"),
    ("get_service", {"domain": None}, "domain is not valid"),
    ("get_service", {"domain": "a" * 10_000_000}, "domain is not valid"),
    ("get_capability", {"domain": "a.example"}, "name is missing"),
    ("call", {"domain": "a", "capability": "b", "arguments": [1]}, "an object"),
    ("call", {"domain": "a", "capability": {}}, "arguments is missing"),
    ("get_service", {"domain": "a\u202e" * 900}, "domain is not valid"),
    ("get_service", {"domain": "a\u202e" * 9}, "the registry has no service"),
    ("nothing\u202e", {}, "the tools are discover, get_service, get_capability, call"),
]


# What is removed from an index is what was added.


def test_a_row_is_the_same_from_its_texts() -> None:
    many = tuple(
        f"{a}{b}word" for a in "abcdefghijklmnopqrst" for b in "uvwxyzabcdefghi"
    )
    service = ServiceEntry(
        domain="shop.example",
        name="A Shop\u3000of Mugs\x1c\x85",
        category="Cups & Mugs",
        tags=("cups", *many),
    )
    about, marks = index.about_service(service)
    for name in NAMES:
        entry = CapabilityEntry(
            domain="shop.example",
            name=name[:2000],
            title=f"{name[:50]} orderMug",
            description=" ".join(f"q{word}" for word in many),
            tags=many[:150],
            parameters=("mug_id", *many),
            category="a\nb",
            source=ODD,
        )
        row = index.capability_row(entry, service, about, marks)
        again = index.row_of(row.texts)
        assert again.texts == row.texts and again.words == row.words
        assert {*again.tokens.split()} == {*row.tokens.split()}
        *lines, _ = row.texts.split("\n")
        said = " ".join(lines).replace("~", "")
        first = [*dict.fromkeys(said.split())][:256]
        # By order, not as a set has them: another process has another order.
        assert len(first) == 256 and row.words == {*first}
        assert row.texts.count("\n") == len(index.FIELDS)
    row = index.service_row(service, index.facets(service, []))
    assert index.row_of(row.texts).words == row.words


# Large transactions, parts of which are written while the others are made.


def changed(path: Path, seed: int) -> list[Any]:
    """All rows of a store after random changes, and what was read between these."""
    dice = random.Random(seed)
    seen: list[Any] = []
    store = SqliteStore(path)
    for _ in range(3):
        with store.write() as writer:
            for _ in range(120):
                domain = f"d{dice.randrange(40)}.example"
                kind = dice.choice(["put", "put", "put", "remove", "read", "touch"])
                entry = writer.service(domain) if kind in {"read", "touch"} else None
                if kind == "put":
                    writer.put(*described(domain, dice), [(ODD, dice.randbytes(9))])
                elif kind == "remove":
                    seen.append(writer.remove(domain))
                elif kind == "touch" and entry is not None:
                    seen.append(writer.touch(entry))
                else:
                    seen.append((entry, writer.capabilities(domain)))
                    seen.append(writer.document(domain, ODD))
    seen += [store.search(Query(text=f"word{number}")) for number in range(9)]
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO tokens (tokens) VALUES ('integrity-check')")
        for table in ("services", "facets", "documents", "terms", "numbers"):
            seen.append(sorted(connection.execute(f"SELECT * FROM {table}")))
        for row in connection.execute("SELECT * FROM entries ORDER BY id"):
            seen.append((*row[:3], sorted(row[3].split()), row[4]))
        connection.execute(
            "CREATE VIRTUAL TABLE temp.found USING fts5vocab(main, tokens, instance)"
        )
        seen += connection.execute("SELECT term, doc FROM found ORDER BY term, doc")
    return seen


def described(
    domain: str, dice: random.Random
) -> tuple[ServiceEntry, list[CapabilityEntry]]:
    source = Source(
        url=ODD,
        format="awp",
        digest="0" * 64,
        fetched=datetime(2026, 1, 1, tzinfo=UTC),
        verdict="clean",
    )
    entries = [
        CapabilityEntry(
            domain=domain, name=f"word{dice.randrange(9)}_{number}", source=ODD
        )
        for number in range(dice.randrange(40))
    ]
    return ServiceEntry(domain=domain, sources=(source,)), entries


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_written_behind_is_the_same(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_BUFFER", 100)
    monkeypatch.setattr(sqlite, "_TOGETHER", 16)
    behind = changed(tmp_path / "behind.db", seed)
    monkeypatch.setattr(SqliteStore, "writes_behind", False)
    assert behind == changed(tmp_path / "inline.db", seed)
    monkeypatch.setattr(writing, "_BUFFER", 1 << 30)
    assert behind == changed(tmp_path / "whole.db", seed)


def test_an_error_behind_undoes_the_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_BUFFER", 100)
    store = SqliteStore(tmp_path / "registry.db")
    dice = random.Random(1)
    with store.write() as writer:
        writer.put(*described("first.example", dice), [])
    before = store.counts()
    pages = "PRAGMA max_page_count = {}"
    assert store._writer is not None
    store._writer.execute(pages.format(200))
    with pytest.raises(StoreError, match="full"), store.write() as writer:
        for number in range(500):
            writer.put(*described(f"d{number}.example", dice), [])
    assert store.counts() == before
    with pytest.raises(RuntimeError, match="mine"), store.write() as writer:
        for number in range(20):
            writer.put(*described(f"d{number}.example", dice), [])
        raise RuntimeError("mine")
    assert store.counts() == before
    store._writer.execute(pages.format(1 << 20))
    with store.write() as writer:
        for number in range(20):
            writer.put(*described(f"d{number}.example", dice), [])
    assert store.counts()[0] == 21
    store.close()


def test_a_refused_submission_says_why() -> None:
    def why(*pages: tuple[str, Page]) -> str:
        with serving() as server:
            server.pages.update(pages)
            return submissions._why(
                discover(server.url, cache=False, allow_private=True)
            )

    there = "it has no document that describes a service; http://127.0.0.1:"
    place = "/.well-known/agents.json"
    said = [
        why(),
        why((place, to("https://other.invalid/agents.json"))),
        why((place, Page(status=503))),
        why((place, Page("{broken", headers={"Content-Type": "application/json"}))),
        submissions._why(discover("https://127.0.0.1", cache=False)),
        submissions._why(discover("https://nothing.invalid", cache=False)),
    ]
    assert len({re.sub(":[0-9]+/", "/", each) for each in said}) == len(said), said
    assert all(each.startswith(there) for each in said[:4])
    assert all(place in each for each in said[1:4])
    assert "not public" in said[4]
    assert "cannot be resolved" in said[5] or "cannot be reached" in said[5]


@pytest.mark.parametrize("url", ["foo", "ftp://x", "http://[", "http://u@x"])
def test_a_wrong_url_names_its_option(url: str) -> None:
    with pytest.raises(ValueError, match=r"^--upstream: "):
        Settings(url=PUBLIC, upstreams=(url,))
    with pytest.raises(ValueError, match=r"^--url: "):
        Settings(url=url)


def test_lines_without_a_domain_are_named(run: Any, tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("# all\nftp://c.example\n\n:\n")
    done = run(
        "registry", "build", "--domains", "d.txt", "--store", "r.db", check=1
    ).stderr
    assert "2 invalid" in done
    assert "  d.txt:2: is no domain: ftp://c.example\n" in done
    assert "  d.txt:4: is no domain: :\n" in done


@pytest.mark.parametrize(
    "host", ["http://127.0.0.1:8000", "http://[::1]:8000", "https://a.example"]
)
def test_the_catalog_of_a_registry_has_no_errors(odd: Store, host: str) -> None:
    with running(odd, url=host) as asked:
        answer = asked.get("/.well-known/ai-catalog.json")
        paths = asked.get("/openapi.json").json()["paths"]
    assert {"/mcp", "/metrics", "/healthz"} <= {*paths}
    orders = paths["/agents"]["get"]
    found = agentsdisc.parse(answer.content, format="ai-catalog").check()
    assert not [each for each in found if each.severity == "error"]
    assert "orderBy" in [each["name"] for each in orders["parameters"]]
