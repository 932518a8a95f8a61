"""The adapter of `robotspy`."""

from typing import Any
from urllib.parse import urljoin

from lines import document_of, serve
from robots import RobotsParser


def robots(request: dict[str, Any]) -> dict[str, Any]:
    """Whether an agent may request a URL."""
    parser = RobotsParser.from_string(document_of(request).decode("utf-8", "replace"))
    url = urljoin("https://example.com", request["url"])
    return {"allowed": bool(parser.can_fetch(request["agent"], url))}


serve("robotspy", "robotspy", {"robots": robots}, ["robots-txt"])
