"""The adapter of `urllib.robotparser` of Python's standard library."""

from typing import Any
from urllib.parse import urljoin
from urllib.robotparser import RobotFileParser

from lines import document_of, serve


def robots(request: dict[str, Any]) -> dict[str, Any]:
    """Whether an agent may request a URL."""
    parser = RobotFileParser()
    parser.parse(document_of(request).decode("utf-8", "replace").splitlines())
    url = urljoin("https://example.com", request["url"])
    return {"allowed": parser.can_fetch(request["agent"], url)}


serve("urllib.robotparser", None, {"robots": robots}, ["robots-txt"])
