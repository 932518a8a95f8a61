"""A text of a document is cut after its secrets are masked: the beginning of a secret does not look like one."""

import json
from collections.abc import Callable

import pytest
from agentsdisc._visible import beginning, visible
from agentsdisc.cli.search import short as line
from agentsdisc.registry import mcp, parts, rows
from agentsdisc.registry.asking import _said
from agentsdisc.registry.serve.pages import short
from agentsdisc.registry.serve.problems import quoted

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
    assert beginning("abcd", 3, "") == "abc"
    # Masking may make it short enough.
    assert beginning(f"key {SECRET}", 22) == visible(f"key {SECRET}")
