"""Pages of a search: each service once, in one order, in every interface."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import httpx
import pytest
from agentsdisc.registry import Query, Store, Verdict, open_store
from conftest import empty_store
from test_registry_serve import PUBLIC, running
from test_registry_store import put, service


@pytest.mark.parametrize(
    "text",
    ["order", "list product", "mail", "zebra order", "order_0", "shop7.example"],
)
@pytest.mark.parametrize("limit", [37, 100])
def test_pages_have_every_service_once(
    many: tuple[Store, httpx.Client], text: str, limit: int
) -> None:
    store, _ = many

    def page(offset: int, size: int) -> list[Any]:
        found = store.search(Query(text=text, limit=size, offset=offset))
        assert found.more == (len(found.hits) == size and offset + size < matching)
        return [(h.service.domain, h.score, h.capabilities) for h in found.hits]

    whole = page_of(store, text, 100)
    matching = len(whole)
    paged = [each for offset in range(0, 500, limit) for each in page(offset, limit)]
    domains = [domain for domain, *_ in paged]
    assert len(domains) == len(set(domains)) == number_of(store, text)
    assert paged == whole
    scores = [score for _, score, _ in paged]
    assert scores == sorted(scores, reverse=True)


def page_of(store: Store, text: str, limit: int) -> list[Any]:
    """All hits of a search, in pages of this size."""
    hits: list[Any] = []
    while True:
        found = store.search(Query(text=text, limit=limit, offset=len(hits)))
        hits += [(h.service.domain, h.score, h.capabilities) for h in found.hits]
        if not found.more:
            return hits


def number_of(store: Store, text: str) -> int:
    """How many services a search finds."""
    counted = store.facet(Query(text=text), "domain", 1000)
    return len(counted.buckets)


@pytest.fixture(scope="module", params=("sqlite", "postgres"))
def many(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Store, httpx.Client]]:
    """More services than are ranked together, with different words in different places."""
    store = open_store(empty_store(request, tmp_path_factory.mktemp("many")))
    verdicts = get_args(Verdict)
    put(
        store,
        *(
            service(
                f"shop{n}.example",
                *(
                    (f"order_{m}", f"orders product {'mail ' * (n % 5)}")
                    for m in range(n % 4)
                ),
                (f"list{n % 7}", f"list product {'a long text ' * (n % 11)}"),
                verdict=verdicts[n % len(verdicts)],
                name="mail" if n % 3 == 0 else None,
            )
            for n in range(450)
        ),
        # One with more rows than are ranked together.
        service("one.example", *((f"zebra{n}", "zebra") for n in range(400))),
    )
    with running(store) as client:
        yield store, client
    store.close()


@pytest.mark.parametrize("text", ["order", "list product"])
def test_links_and_tokens_lead_through_all_pages(
    many: tuple[Store, httpx.Client], text: str
) -> None:
    store, client = many
    expected = [domain for domain, *_ in page_of(store, text, 100)]
    found: list[str] = []
    place: str | None = f"/api/discover?q={text}&limit=40"
    while place:
        answer = client.get(place)
        found += [each["service"]["domain"] for each in answer.json()["data"]]
        place = following(answer.headers.get("Link", ""), r'<(.*)>; rel="next"')
    assert found == expected
    found, token = [], None
    while token != "end":
        more = {"pageToken": token} if token else {}
        body = {"query": {"text": text}, "pageSize": 40, **more}
        answer = client.post("/search", json=body)
        found += [each["identifier"] for each in answer.json()["results"]]
        token = answer.json().get("pageToken", "end")
    assert [identifier.split(":")[2] for identifier in found] == expected
    found, place = [], f"/?q={text}"
    while place:
        answer = client.get(place)
        found += re.findall(r'<h3><a href="/services/([^"]*)"', answer.text)
        place = following(answer.text, r'<a rel="next"[^>]* href="([^"]*)"')
    assert found == expected


def following(text: str, pattern: str) -> str | None:
    """The next page that an answer names."""
    link = re.search(pattern, text)
    return link[1].replace("&amp;", "&").removeprefix(PUBLIC) if link else None


@pytest.mark.parametrize("offset", ["1001", "9" * 9, "9" * 100, "-1"])
@pytest.mark.parametrize(
    "path", ["/api/discover?q=order", "/api/discover?category=none", "/?q=order", "/?"]
)
def test_an_offset_that_is_not_possible_is_a_problem(
    many: tuple[Store, httpx.Client], path: str, offset: str
) -> None:
    _, client = many
    assert client.get(f"{path}&offset={offset}").status_code == 400
    assert client.get(f"{path}&offset=1000").status_code == 200


@pytest.mark.parametrize("text", ["order", ""])
def test_a_store_has_no_page_behind_the_last_one(
    many: tuple[Store, httpx.Client], text: str
) -> None:
    store, _ = many
    with pytest.raises(ValueError, match="offset must be at most 1,000"):
        store.search(Query(text=text, offset=1001))
