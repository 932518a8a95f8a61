"""Long texts of documents in a registry: no site makes answers or lines long."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agentsdisc
import httpx
import pytest
from agentsdisc.cli.search import lines
from agentsdisc.cli.terminal import Style
from agentsdisc.registry import Query, Store, open_store
from agentsdisc.registry.build import Counts, build
from agentsdisc.registry.client import FoundCapability, FoundService
from test_registry_serve import running

LONG = "long" * 1_250
SITES = 12


def document(number: int) -> str:
    """Each text long, beside what is needed to be found."""
    capability = {
        "id": f"send-{number}",
        "description": f"send mail {LONG}",
        "endpoint": f"https://a.example/{LONG}",
        "method": LONG,
        "tags": [LONG, *map(str, range(500))],
        "parameters": [{"name": LONG}, {"name": "to"}, {"name": "x"}],
    }
    return json.dumps(
        {
            "specVersion": "1.0",
            "site": {
                "name": f"mail {LONG}",
                "url": f"https://a.example/{LONG}",
                "description": f"send mail {LONG}",
            },
            "tags": [LONG, "mail"],
            "categories": [LONG],
            "capabilities": [
                capability,
                {**capability, "id": LONG},
                *({**capability, "id": f"send-{n}"} for n in range(20)),
            ],
        }
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Counts]]:
    folder = tmp_path_factory.mktemp("long")
    for number in range(SITES):
        file = folder / "sites" / f"mail{number}.example/.well-known/agents.json"
        file.parent.mkdir(parents=True)
        file.write_text(document(number), encoding="utf-8")
    store = open_store(str(folder / "registry.db"))
    yield store, build(store, [str(folder / "sites")])
    store.close()


def texts(value: Any) -> Iterator[str]:
    """All texts in plain values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)


def test_entries_have_bounds(built: tuple[Store, Counts]) -> None:
    store, counts = built
    assert counts.cut >= SITES * 5
    with running(store) as client:
        for path in (
            "/api/services?limit=100",
            "/agents",
            "/api/services/mail3.example",
        ):
            answer = client.get(path)
            assert len(answer.content) < 4 << 20
            assert all(len(text) <= 2_000 for text in texts(answer.json()))


def test_our_own_client_reads_the_answers(built: tuple[Store, Counts]) -> None:
    store, _ = built
    with running(store) as client:
        url = str(client.base_url)
        for kind in ("adp", "ard"):
            found = agentsdisc.search(
                url, "send mail", limit=100, kind=kind, allow_private=True
            )
            assert len(found.services) == SITES
        shown = [line for each in found.services for line in lines(each, Style())]
        assert all(len(line) < 1_000 for line in shown)


def test_a_page_ends_before_it_is_too_long(
    built: tuple[Store, Counts], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = built
    monkeypatch.setattr("agentsdisc.registry.serve.state._MOST_BYTES", 20_000)
    with running(store) as client:
        found = followed(client, "/api/discover?q=send&limit=100", "domain")
        assert len(found) == len({*found}) == SITES
        assert {*followed(client, "/api/services?limit=100", "domain")} == {*found}


def followed(client: httpx.Client, path: str, member: str) -> list[str]:
    """The domains on all pages; more than one page."""
    found: list[str] = []
    pages = 0
    while path:
        answer = client.get(path)
        for each in answer.json()["data"]:
            found.append(each.get("service", each)[member])
        path = answer.links.get("next", {}).get("url", "")
        path = path.removeprefix("https://registry.example")
        pages += 1
    assert pages > 1
    return found


def test_lines_of_a_search_are_short() -> None:
    service = FoundService(
        domain="a.example",
        site="https://a.example",
        name=LONG,
        format=LONG,
        description=LONG,
        capabilities=tuple(FoundCapability(name=LONG) for _ in range(1_000)),
    )
    shown = [*lines(service, Style())]
    assert len(shown) < 30
    assert all(len(line) < 1_000 for line in shown)


def test_a_store_is_searched_by_what_is_kept(built: tuple[Store, Counts]) -> None:
    store, _ = built
    (hit, *_) = store.search(Query(text="mail send")).hits
    assert hit.service.url is None
    assert hit.service.name is not None and len(hit.service.name) == 300
    assert hit.capabilities and all(c.endpoint is None for c in hit.capabilities)


def test_the_command_says_what_is_cut(tmp_path: Path, run: Any) -> None:
    file = tmp_path / "sites/mail.example/.well-known/agents.json"
    file.parent.mkdir(parents=True)
    file.write_text(document(0), encoding="utf-8")
    done = run("registry", "build", "sites", "--store", "r.db", check=0)
    assert "too long: " in done.stderr
