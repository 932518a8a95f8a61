"""The adapter of `ard-sdk`, an SDK for Agentic Resource Discovery: catalogs, which it reads leniently and validates as for publishing."""

from typing import Any

from ard.catalog.manifest import Manifest
from ard.validation import DEFAULT_RULES, Profile, validate
from lines import document_of, serve
from pydantic import ValidationError

# The vectors are about domains that are reserved for examples.
RULES = [rule for rule in DEFAULT_RULES if rule.code != "entry.placeholder-publisher"]


def parse(request: dict[str, Any]) -> dict[str, Any]:
    """The host and the entries that it keeps, or that the document was refused."""
    found, wrong = Manifest.parse_lenient(document_of(request))
    if found is None or wrong:
        return {"error": {}}
    host = found.host
    service = host and {"name": host.display_name, "identifier": host.identifier}
    references = [
        {
            "identifier": str(entry.identifier),
            "title": entry.display_name,
            "url": entry.url,
            "description": entry.description,
            "media_type": str(entry.type),
            "tags": entry.tags or None,
        }
        for entry in found.entries
    ]
    return {"model": {"service": service, "references": references}}


def check(request: dict[str, Any]) -> dict[str, Any]:
    """Whether a publisher may publish the document."""
    try:
        found = Manifest.model_validate_json(document_of(request))
    except ValidationError:
        return {"valid": False}
    return {"valid": validate(found, Profile.PUBLISH, RULES).ok}


serve("ard-sdk (Python)", "ard-sdk", {"parse": parse, "check": check}, ["ai-catalog"])
