"""Secrets in a registry: texts are stored as they are and masked in answers, and the beginning of a secret is never left at a cut."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pytest
from agentsdisc._visible import beginning, unmasked_beginning, visible
from agentsdisc.cli.search import short as line
from agentsdisc.registry import (
    CapabilityEntry,
    Query,
    ServiceEntry,
    Source,
    mcp,
    open_store,
    parts,
    rows,
)
from agentsdisc.registry.asking import _said
from agentsdisc.registry.entries import without_keys
from agentsdisc.registry.serve.pages import short
from agentsdisc.registry.serve.problems import quoted
from test_registry_serve import running

SECRET = "AKIAQWERTYUIOPASDFGH"


def said(text: str) -> str:
    class Reply:
        body = json.dumps({"detail": text}).encode()
        headers = ()

    return _said(Reply())  # type: ignore[arg-type]


CUTS: dict[str, tuple[Callable[[str], object], int]] = {
    "index": (parts._short, 2_000),
    "category": (lambda text: parts._declared(json.dumps({"category": text})), 100),
    "tags": (lambda text: parts._declared(json.dumps({"tags": [text]})), 100),
    "key": (rows.key, 240 - 65),
    "page": (short, 400),
    "page, short": (lambda text: short(text, 80), 80),
    "problem": (quoted, 60),
    "MCP": (mcp._text, mcp._TEXT),
    "MCP, name": (mcp._name, mcp._NAME),
    "command line": (line, 300),
    "answer of a registry": (said, 200),
}


@pytest.mark.parametrize("name", CUTS)
def test_a_secret_at_a_cut_is_masked(name: str) -> None:
    cut, most = CUTS[name]
    for inside in (8, 16, 19):
        text = "x" * (most - inside - 1) + " " + SECRET + " and more" * 40
        found = visible(str(cut(text)))
        assert SECRET[: max(inside - 1, 8)] not in found, inside
        assert "xxx" in found


def test_the_beginning_of_a_text() -> None:
    assert beginning("abc", 3) == "abc"
    assert beginning("abcd", 3) == "abc…"
    # Masking may make it short enough.
    assert beginning(f"key {SECRET}", 22) == visible(f"key {SECRET}")


def test_a_stored_text_is_not_changed() -> None:
    text = f"Bearer {SECRET}, order {SECRET} and more"
    assert parts._short(text) == text and rows.key(text) == text
    long = f"{text} {'x' * 3_000}"
    assert parts._short(long) == long[:2_000]
    assert rows.key(long).startswith(f"{text} xxx")
    for most in range(len(text)):
        kept = unmasked_beginning(text, most)
        assert text.startswith(kept) and len(kept) <= most
        assert len(kept) == most or text[len(kept) - 4 : len(kept)] == SECRET[:4]
    assert unmasked_beginning("\ud800" * 5 + "ab", 6) == "\ud800" * 5 + "a"
    password = "see https://user:w8t3rQz7Lp@e.test/ for more"
    assert unmasked_beginning(password, 20) == "see https://user:"


LINE = "MIIEpAIBAAKCAQEA0q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oAZxN2LpD5rKc"
KEY = ("-----BEGIN PRIVATE KEY-----", LINE, "w8T3rQz7Lp0=", "-----END PRIVATE KEY-----")
FALSE = " ".join(
    f"-----BEGIN PRIVATE KEY----- {word} -----END PRIVATE KEY-----"
    for word in ("http", "https", "api", "order", "mug", "services", "k8")
)


def services(domain: str, **more: Any) -> tuple[ServiceEntry, list[CapabilityEntry]]:
    source = Source(
        url=f"https://{domain}/agents.json",
        format="agents-json",
        digest="0" * 64,
        fetched=datetime.now(UTC),
        verdict="clean",
    )
    mug = CapabilityEntry(
        domain=domain,
        name="order/k8-mug",
        description="Orders a mug over http, by the api k8.",
        endpoint=f"http://{domain}/api/order",
        source=source.url,
    )
    entry = ServiceEntry(
        domain=domain, name="Mugs k8", sources=(source,), tags=("mugs",)
    )
    return replace(entry, **more), [mug]


PATHS = (
    "/api/discover?q=mug",
    "/api/services",
    "/api/services/b.example",
    "/api/services/b.example/capabilities/order/k8-mug",
    "/agents",
    "/?q=mug",
    "/services/b.example",
)


def of_the_others(answer: Any) -> Any:
    """Returns what an answer says of services other than the false one."""
    if "json" not in answer.headers["content-type"]:
        articles = re.findall(r"<article.*?</article>", answer.text, re.S)
        return [one for one in articles if "a.example" not in one]
    values = answer.json()
    listed = values.get("data") or values.get("items") or values.get("results")
    found = listed if isinstance(listed, list) else [listed]
    return [one for one in found if "a.example" not in json.dumps(one)]


def test_a_service_changes_nothing_that_is_said_of_others(where: str) -> None:
    first, last = KEY[0], KEY[-1]
    store = open_store(where)
    with store.write() as writer:
        for domain in ("b.example", "c.example"):
            writer.put(*services(domain), [])
    with running(store) as client:
        before = [of_the_others(client.get(path)) for path in PATHS]
        found = [hit.service for hit in store.search(Query(text="mug")).hits]
        with store.write() as writer:
            tags = (first, "k8", "http", "mug", last)
            false = services("a.example", description=FALSE, tags=tags)
            writer.put(*false, [])
            # The begin and the end of a key in services before and behind the others.
            writer.put(*services("aa.example", description=f"mug {first}"), [])
            writer.put(*services("z.aa.example", description=f"mug {last}"), [])
        after = [of_the_others(client.get(path)) for path in PATHS]
        assert all(before)
        for path, one, other in zip(PATHS, before, after, strict=True):
            assert [each for each in other if "aa.example" not in str(each)] == one, (
                path
            )
    again = [hit.service for hit in store.search(Query(text="mug")).hits]
    assert [one for one in again if "a.example" not in one.domain] == found
    # Texts are stored as they are.
    kept = store.service("a.example")
    assert kept is not None and kept.description == FALSE and kept.tags == tags
    store.close()


def test_a_key_over_several_texts_is_masked_in_answers(where: str) -> None:
    store = open_store(where)
    with store.write() as writer:
        entry, _ = services("b.example", tags=KEY)
        named = [
            CapabilityEntry(
                domain="b.example", name=f"{n} {line}", parameters=KEY, source="x"
            )
            for n, line in enumerate(KEY)
        ]
        writer.put(entry, named, [])
    stored = store.service("b.example")
    assert stored is not None and stored.tags == KEY
    paths = (
        "/api/services",
        "/api/services/b.example",
        f"/api/services/b.example/capabilities?name={quote(named[1].name)}",
        "/services/b.example",
    )
    with running(store) as client:
        for path in paths:
            answer = client.get(path)
            assert answer.status_code == 200
            assert LINE not in answer.text and KEY[2][:-1] not in answer.text, path
    store.close()

    _, entries = without_keys(None, tuple(named))
    assert LINE not in str(entries) and entries[0].domain == "b.example"
    shown = mcp._service(entry, tuple(named)).model_dump_json()
    assert LINE not in shown and KEY[2][:-1] not in shown
