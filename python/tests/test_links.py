"""Links of any document."""

import copy
import pickle
from pathlib import Path

import agentsdisc
import pyarrow as pa
import pytest
from conftest import Run

TEXT = "# Mugs\n\n- [API](https://mugs.example/openapi.json)\n- MCP: https://mugs.example/mcp.\n"


def test_links_of_a_document_that_is_not_known() -> None:
    api, mcp = agentsdisc.links(TEXT)
    assert (api.url, api.label, api.kind) == (
        "https://mugs.example/openapi.json",
        "API",
        "openapi",
    )
    assert (api.line, api.column) == (3, 9)
    assert TEXT[mcp.offset : mcp.end] == mcp.url == "https://mugs.example/mcp"
    assert repr(mcp) == "<Link https://mugs.example/mcp [mcp-endpoint] at 4:8>"
    assert pickle.loads(pickle.dumps(api)) == copy.copy(api) == api != mcp
    assert len({api, mcp, api}) == 2
    assert agentsdisc.links(b"") == []


def test_links_are_a_column_of_every_document() -> None:
    text = TEXT.encode()
    broken = b'{"home": "https://mugs.example/\xff"'
    page = b"<!DOCTYPE html><link rel=help href=https://mugs.example/>"
    bodies = [text, broken, page, None, b"", text * 9]
    limits = agentsdisc.Limits(document=8 * len(text))
    batch = agentsdisc.parse_batch(
        bodies, columns=["status", "format", "links"], limits=limits
    )
    rows = pa.record_batch(batch).to_pylist()
    assert [row["status"] for row in rows] == ["error"] * 6
    assert rows[0]["format"] == "unknown"
    assert rows[0]["links"][1] == {
        "url": "https://mugs.example/mcp",
        "label": "MCP",
        "kind": "mcp-endpoint",
        "start": text.index(b"https://mugs.example/mcp"),
        "end": text.index(b"/mcp.") + 4,
    }
    assert [row["links"] and row["links"][0]["label"] for row in rows[1:]] == [
        "home",
        "help",
        None,
        None,
        None,  # over the limit
    ]
    assert "links" not in agentsdisc.batch_schema().names
    urls = agentsdisc.parse_batch([text], columns=["links.url"])
    expected = [{"url": link.url} for link in agentsdisc.links(text)]
    assert pa.record_batch(urls).to_pylist() == [{"links": expected}]


def test_links_of_a_parsed_document(shop_json: bytes) -> None:
    document = agentsdisc.parse(shop_json)
    assert document.links() == agentsdisc.links(shop_json)
    assert any(
        link.url == document.capabilities[0].endpoint for link in document.links()
    )
    escaped = agentsdisc.links(r'{"docs": "https:\/\/a.example\/x"}')
    assert [(link.url, link.kind) for link in escaped] == [
        ("https://a.example/x", "docs")
    ]


@pytest.mark.parametrize(
    ("text", "url", "label"),
    [
        (r'{"a\u0062": "https:\/\/a.example\/x%2Fy\u0041"}', "x%2FyA", "ab"),
        (r"[b\_c](https://a.example/x%2Fy&amp;z)", "x%2Fy&amp;z", r"b\_c"),
        ("<a href='https://a.example/x&amp;y'>", "x&amp;y", ""),
    ],
)
def test_only_escapes_of_json_are_decoded(text: str, url: str, label: str) -> None:
    (link,) = agentsdisc.links(text)
    assert (link.url, link.label) == (f"https://a.example/{url}", label)


@pytest.mark.parametrize("known", [True, False])
def test_inspect_shows_links(run: Run, tmp_path: Path, known: bool) -> None:
    head = "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n"
    more = "X-Docs: https://mugs.example/docs\x1b[2J\n"
    more += "".join(f"https://mugs.example/x{n}\n" for n in range(22))
    (tmp_path / "file").write_text((head if known else "") + TEXT + more)
    done = run("inspect", "file", check=0 if known else None)
    assert "  mcp-endpoint  https://mugs.example/mcp  MCP\n" in done.stdout
    assert "  docs  https://mugs.example/docs" in done.stdout
    # Links of no known kind come last; the text of a known document has one more.
    assert "  other  https://mugs.example/x0\n" in done.stdout
    assert f"  and {3 if known else 2} other links\n" in done.stdout
    assert "\x1b" not in done.stdout
    assert known or done.returncode != 0
