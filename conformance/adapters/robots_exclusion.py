"""The adapter of `robotexclusionrulesparser`."""

from typing import Any
from urllib.parse import urljoin

from lines import document_of, serve
from robotexclusionrulesparser import RobotExclusionRulesParser


def robots(request: dict[str, Any]) -> dict[str, Any]:
    """Whether an agent may request a URL."""
    parser = RobotExclusionRulesParser()
    parser.parse(document_of(request).decode("utf-8", "replace"))
    url = urljoin("https://example.com", request["url"])
    return {"allowed": bool(parser.is_allowed(request["agent"], url))}


serve(
    "robotexclusionrulesparser",
    "robotexclusionrulesparser",
    {"robots": robots},
    ["robots-txt"],
)
