"""ARD: values of filters, and results of other registries on all pages."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from agentsdisc.registry import Store, open_store
from agentsdisc.registry.serve.federation import _referral
from test_registry_serve import PUBLIC, entry, running
from test_registry_store import put, service

NAMES = ("Tom & Co", "Salt AND Pepper", "a, b", 'the "best"', "O'Brien", "plain")


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    store = open_store(str(tmp_path_factory.mktemp("named") / "registry.db"))
    put(
        store,
        *(service(f"n{n}.example", name=name) for n, name in enumerate(NAMES)),
        service("card.example", name="card", format="mcp-server-card"),
        service("127.0.0.1:8790", name="one"),
        service("127.0.0.1:8791", name="two"),
        service("a_b.example", name="three"),
        service("xn--bcher-kva.example", name="four"),
    )
    with running(store) as client:
        yield client
    store.close()


def listed(client: httpx.Client, filter: str) -> set[str]:
    answer = client.get("/agents", params={"filter": filter})
    assert answer.status_code == 200, answer.text
    return {each["displayName"] for each in answer.json()["items"]}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("quote", ["'", '"'])
def test_any_value_can_be_quoted(named: httpx.Client, name: str, quote: str) -> None:
    value = quote + name.replace(quote, quote * 2) + quote
    assert listed(named, f"displayName={value}") == {name}
    assert listed(named, f"displayName = {value} , card") == {name, "card"}
    assert listed(named, f"type=application/json AND displayName={value}") == {name}
    assert listed(named, f"displayName={value}&type='text/html'") == set()


def test_values_without_quotes(named: httpx.Client) -> None:
    assert listed(named, "displayName=O'Brien,plain") == {"O'Brien", "plain"}
    both = 'type=application/json; profile="agents-json" AND displayName=plain'
    assert listed(named, both) == {"plain"}


@pytest.mark.parametrize("filter", ['displayName="Tom', "displayName='a'b", "x", "=a"])
def test_filters_that_are_wrong(named: httpx.Client, filter: str) -> None:
    assert named.get("/agents", params={"filter": filter}).status_code == 400


def test_the_publisher_is_that_of_the_identifier(named: httpx.Client) -> None:
    items = named.get("/agents?pageSize=100").json()["items"]
    shown: dict[str, set[str]] = {}
    for each in items:
        publisher = each["identifier"].split(":")[2]
        shown.setdefault(publisher, set()).add(each["displayName"])
    assert shown["127.0.0.1"] == {"one", "two"}
    for publisher, names in shown.items():
        assert listed(named, f"publisherId={publisher.upper()}") == names
        body = {"query": {"text": "", "filter": {"publisher": publisher}}}
        facets = {"resultType": {"facets": [{"field": "publisher"}]}}
        found = named.post("/explore", json={**body, **facets}).json()["facets"]
        (bucket,) = found["publisher"]["buckets"]
        assert (bucket["value"], bucket["count"]) == (publisher, len(names))
    assert listed(named, "publisher=bücher.example") == {"four"}
    assert listed(named, "publisher=a_b.example") == set()
    words = {"text": "one", "filter": {"publisher": "127.0.0.1"}}
    results = named.post("/search", json={"query": words}).json()["results"]
    assert [each["displayName"] for each in results] == ["one"]


@pytest.mark.parametrize("plus", ["+", "%2B"])
def test_a_plus_in_a_type(named: httpx.Client, plus: str) -> None:
    answer = named.get(f"/agents?filter=type=application/mcp-server-card{plus}json")
    assert [each["displayName"] for each in answer.json()["items"]] == ["card"]


def test_upstreams_have_different_identifiers() -> None:
    urls = [
        *("https://a.example", "http://a.example", "https://a.example:8443"),
        *("https://a.example/x", "https://a.example/y", "http://127.0.0.1:1"),
        *("http://127.0.0.1:2", "https://straße.example", "https://strasse.example"),
        # Port 0 is not that of the scheme.
        *("https://a.example:0", "http://a.example:0/z", "http://a.example/z"),
    ]
    assert len({_referral(url)["identifier"] for url in urls}) == len(urls)


@pytest.mark.parametrize("size", [1, 4, 100])
def test_results_of_others_are_on_all_pages(tmp_path: Path, size: int) -> None:
    stores = [open_store(str(tmp_path / f"{name}.db")) for name in ("own", "other")]
    fill(stores[0], range(7))
    fill(stores[1], range(5, 16))
    with (
        running(stores[1], url="http://upstream.example") as upstream,
        running(stores[0], upstreams=(str(upstream.base_url),)) as client,
    ):
        found: list[Any] = []
        token = None
        while token != "end":
            body = {"query": {"text": "mug"}, "pageSize": size}
            more = {"pageToken": token} if token else {}
            answer = client.post("/search", json={**body, **more}).json()
            assert len(answer["results"]) <= size
            found += answer["results"]
            token = answer.get("pageToken", "end")
    hosts = [each["identifier"].split(":")[2] for each in found]
    assert len(hosts) == len({*hosts}) == 16
    assert sum(each["source"] == f"{PUBLIC}/" for each in found) == 7
    scores = [each["score"] for each in found]
    assert scores == sorted(scores, reverse=True)
    for store in stores:
        store.close()


def fill(store: Store, numbers: range) -> None:
    with store.write() as writer:
        for number in numbers:
            writer.put(*entry(number), [])
