"""Hosts in a registry: one spelling in crawls, lists and searches."""

import json
from pathlib import Path

import pytest
from agentsdisc.registry import Query, open_store
from agentsdisc.registry.build import build
from agentsdisc.registry.domains import domains_in
from agentsdisc.registry.hosts import domain_of


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://A.Example/x", "a.example"),
        ("https://a.example:443/", "a.example"),
        ("https://a.example./", "a.example"),
        ("http://a.example:443/", "a.example:443"),
        ("https://user:pw@a.example/", "a.example"),
        ("http://[::1]:8080/", "[::1]:8080"),
        ("https://BÜCHER.example/x", "xn--bcher-kva.example"),
        ("https://xn--bcher-kva.example/x", "xn--bcher-kva.example"),
        ("https://straße.example/x", "xn--strae-oqa.example"),
        ("http://127.40:8790/", "127.0.0.40:8790"),
        ("http://[::0001]/", "[::1]"),
        ("https://☃.example/", None),
        ("ftp://a.example/", None),
        ("a.example", None),
        ("https:///x", None),
        ("https://a.example:99999/", None),
        ("https://a\u202e.example/", None),
        ("https://[", None),
        ("https://" + "a" * 300, None),
    ],
)
def test_the_domain_of_a_url(url: str, domain: str | None) -> None:
    assert domain_of(url) == domain


@pytest.mark.parametrize("host", ["a.example", "127.40", "0x7f.1", "a..b", "-a.b", "."])
@pytest.mark.parametrize(
    "behind", ["", "/", "/x:1@b.example", "?q", "#f", ":8", "@b.example/", "\\b", "\t/"]
)
def test_the_usual_form_of_a_url_is_read_as_every_other(host: str, behind: str) -> None:
    # A letter in the upper case is not of the usual form, and changes nothing.
    assert domain_of(f"https://{host}{behind}") == domain_of(f"httpS://{host}{behind}")


def test_lists_of_domains() -> None:
    text = "a.example # first\n\n# all\nhttps://B.example/x\na.example\nftp://c.example\n:\n"
    assert domains_in(text) == (
        {"a.example": "a.example", "b.example": "https://B.example/x"},
        [(6, "ftp://c.example"), (7, ":")],
    )
    assert domains_in("http://bücher.example\nstraße.example\n127.40:80") == (
        {
            "xn--bcher-kva.example": "http://xn--bcher-kva.example",
            "xn--strae-oqa.example": "https://xn--strae-oqa.example",
            "127.0.0.40:80": "127.40:80",
        },
        [],
    )


def test_one_host_in_two_spellings_is_one_service(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "registry.db"))
    table = tmp_path / "documents.jsonl"
    rows = [
        {
            "url": f"https://{host}/{file}",
            "format": format,
            "status": "ok",
            "service": {"name": "Shop"},
        }
        for host in ("bücher.example", "xn--bcher-kva.example", "BÜCHER.example")
        for file, format in (("agents.json", "agents-json"),)
    ]
    table.write_text("\n".join(map(json.dumps, rows)))
    build(store, [str(table)])
    assert store.counts()[0] == 1
    for text in ("https://bücher.example/", "bücher", "xn--bcher-kva.example"):
        hits = store.search(Query(text=text)).hits
        assert [hit.service.domain for hit in hits] == ["xn--bcher-kva.example"]
    store.close()
