"""A registry at its edges: stores that are not there, odd names, private addresses, wrong arguments."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from agentsdisc.registry import NoRegistryError, StoreError, open_store
from agentsdisc.registry.serve import submissions
from test_registry_serve import running

# Stores that are not there.


def test_a_store_that_is_not_there_is_not_served(run: Any, tmp_path: Path) -> None:
    missing, empty = tmp_path / "missing.db", tmp_path / "empty.db"
    empty.touch()
    for path, said in ((missing, "does not exist"), (empty, "is empty")):
        for taken in ("on", "off"):
            options = ("--store", path, "--port", "0", "--submissions", taken)
            done = run("registry", "serve", *options, check=2)
            assert f"{path.name} {said}" in done.stderr
            assert "agentsdisc registry build" in done.stderr
            assert "--create" in done.stderr
        done = run("registry", "mcp", "--store", path, check=2)
        assert f"{path.name} {said}" in done.stderr
        assert "agentsdisc registry build" in done.stderr
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
def test_a_store_that_is_not_supported(where: str, run: Any, tmp_path: Path) -> None:
    for command in ("build", "serve", "mcp"):
        source = (tmp_path,) if command == "build" else ()
        done = run("registry", command, *source, "--store", where, check=2)
        assert "is not supported" in done.stderr
        assert "registry.db" in done.stderr and "postgresql://" in done.stderr
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
    *("[::1]", "[::]", "[fe80::1]", "[fe80::1%25eth0]", "[fd00:ec2::254]", "[fec0::1]"),
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
