"""A registry at its edges: stores that are not there, odd names, private addresses, wrong arguments."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from agentsdisc.registry import NoRegistryError, StoreError, open_store

# Stores that are not there.


def test_a_store_that_is_not_there_is_not_served(run: Any, tmp_path: Path) -> None:
    missing, empty = tmp_path / "missing.db", tmp_path / "empty.db"
    empty.touch()
    for path, said in ((missing, "does not exist"), (empty, "is empty")):
        for submissions in ("on", "off"):
            options = ("--store", path, "--port", "0", "--submissions", submissions)
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
