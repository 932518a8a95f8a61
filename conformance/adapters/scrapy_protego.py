"""The adapter of Protego, the parser of Scrapy."""

from typing import Any
from urllib.parse import urljoin

from lines import document_of, serve
from protego import Protego


def robots(request: dict[str, Any]) -> dict[str, Any]:
    """Whether an agent may request a URL."""
    parser = Protego.parse(document_of(request).decode("utf-8", "replace"))
    url = urljoin("https://example.com", request["url"])
    return {"allowed": parser.can_fetch(url, request["agent"])}


serve("Protego", "Protego", {"robots": robots}, ["robots-txt"])
