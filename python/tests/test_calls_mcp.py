"""Calls of MCP tools, with a real server of the official SDK."""

import json
from collections.abc import Iterator
from typing import Any

import agentsdisc
import pytest
from agentsdisc import calls
from agentsdisc.calls import call

pytest.importorskip("mcp")

from mcp_server import Shop, mcp_serving

MD = "---\nversion: 1.0\nmcp:\n  endpoint: {mcp}\n---\n# Shop\n\n## Can\n\n- Search\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Shop]:
    with mcp_serving() as running:
        yield running


@pytest.fixture
def shop(server: Shop) -> Shop:
    server.called.clear()
    server.headers.clear()
    return server


def made(document: agentsdisc.Document, shop: Shop, *asked: Any, **options: Any) -> Any:
    settings = {
        "agent": "Bot/1.0",
        "origin": shop.url.removesuffix("/mcp"),
        "allow_private": True,
        **options,
    }
    return call(document, *asked, **settings)


def actions(shop: Shop, *more: dict[str, Any], **members: Any) -> agentsdisc.Document:
    """A document that names the tools one by one."""
    action = {
        "id": "find",
        "description": "x",
        "via": "mcp",
        "operation": "search",
        "auth_required": False,
        "inputs": {},
        "outputs": {},
        **members,
    }
    text = {
        "awp_version": "0.2",
        "domain": "127.0.0.1",
        "intent": "Sell mugs",
        "protocols": {"mcp": {"version": "1.0", "endpoint": shop.url}},
        "actions": [action, *({**action, **other} for other in more)],
    }
    return agentsdisc.parse(json.dumps(text))


def test_a_tool_that_only_the_server_names_is_called(shop: Shop) -> None:
    document = agentsdisc.parse(MD.format(mcp=shop.url))
    answer = made(document, shop, "search", {"query": "mug"})
    assert answer.data["content"][0]["text"] == "found mug"
    assert answer.capability == "search" and answer.status is None
    assert [step.request.name for step in answer.steps] == ["search"]
    assert shop.called == [("search", "mug")]
    assert shop.headers[0]["user-agent"] == "Bot/1.0"
    with pytest.raises(calls.NotDeclared, match="no tool 'missing'"):
        made(document, shop, "missing")
    with pytest.raises(calls.CallFailed) as failed:
        made(document, shop, "search", {"wrong": 1})
    assert failed.value.failure == "tool" and b"query" in failed.value.body


def test_documents_that_name_tools_forbid_all_others(shop: Shop) -> None:
    document = actions(shop)
    for name in ("find", "search"):
        answer = made(document, shop, name, {"query": "a"})
        assert answer.data["content"][0]["text"] == "found a"
    with pytest.raises(calls.PolicyDenied):
        made(document, shop, "refund")
    with pytest.raises(calls.PolicyDenied):
        made(document, shop, "refund", endpoint=shop.url)
    assert [name for name, _ in shop.called] == ["search", "search"]


def test_the_tool_of_a_capability_has_its_rules(shop: Shop) -> None:
    careful = actions(
        shop, sensitivity="irreversible", requires_human_confirmation=True
    )
    for name in ("find", "search"):
        with pytest.raises(calls.ConfirmationRefused):
            made(careful, shop, name, {"query": "a"})
        with pytest.raises(calls.ConfirmationRefused):
            made(careful, shop, name, {"query": "a"}, confirm=lambda *_: False)
        made(careful, shop, name, {"query": "a"}, confirm=lambda *_: True)
    assert len(shop.called) == 2


def test_a_dry_run_of_a_tool_connects_to_nothing(shop: Shop) -> None:
    document = agentsdisc.parse(MD.format(mcp=shop.url))
    planned = made(document, shop, "search", {"query": "a"}, dry_run=True)
    assert (planned.request.url, planned.request.name) == (shop.url, "search")
    assert shop.headers == []


def test_an_undeclared_endpoint_needs_approval(shop: Shop) -> None:
    site = shop.url.removesuffix("/mcp")
    text = f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: {site}\nAllow: /*\n"
    document = agentsdisc.parse(text)
    with pytest.raises(calls.NotDeclared):
        made(document, shop, "search", {"query": "a"}, endpoint=shop.url)
    assert shop.headers == []
    made(
        document,
        shop,
        "search",
        {"query": "a"},
        endpoint=shop.url,
        approve=[shop.url],
    )
    assert shop.called == [("search", "a")]


def test_the_strictest_capability_of_a_tool_decides_who_is_asked(shop: Shop) -> None:
    document = actions(shop, {"id": "buy", "sensitivity": "irreversible"})
    with pytest.raises(calls.ConfirmationRefused, match="must be asked"):
        made(document, shop, "find", {"query": "a"})
    with pytest.raises(calls.ConfirmationRefused):
        made(document, shop, "find", {"query": "a"}, confirm=lambda *_: False)
    assert shop.called == []
    asked: list[str] = []

    def confirm(decision: Any, name: str, arguments: Any) -> bool:
        asked.append(decision.confirmation)
        return True

    made(document, shop, "find", {"query": "a"}, confirm=confirm)
    made(document, shop, "buy", {"query": "a"}, confirm=confirm)
    assert asked == ["must", "must"] and len(shop.called) == 2
