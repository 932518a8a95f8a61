"""The adapter of `llms-txt`, the reference parser of llms.txt."""

from typing import Any

from lines import document_of, serve
from llms_txt import parse_llms_file


def parse(request: dict[str, Any]) -> dict[str, Any]:
    """The title and the summary, or that the document was refused."""
    try:
        found = parse_llms_file(document_of(request).decode("utf-8", "replace"))
    except Exception:  # noqa: BLE001 (it raises what its regular expressions lead to)
        return {"error": {}}
    return {"model": {"service": {"name": found.title}}}


serve("llms-txt (Python)", "llms-txt", {"parse": parse}, ["llms-txt"])
