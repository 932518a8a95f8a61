"""The adapter of `mcp`, the official SDK of the Model Context Protocol: metadata for OAuth, which its client reads."""

from typing import Any

from lines import document_of, serve
from mcp.shared.auth import OAuthMetadata, ProtectedResourceMetadata
from pydantic import ValidationError


def parse(request: dict[str, Any]) -> dict[str, Any] | None:
    """The name of a resource, or that the document was refused."""
    text = document_of(request)
    # The protocol requires these members, which the RFCs do not require.
    is_resource = b'"resource"' in text
    needed = (
        [b'"authorization_servers"']
        if is_resource
        else [b'"authorization_endpoint"', b'"token_endpoint"']
    )
    if not all(name in text for name in needed):
        return None
    try:
        if is_resource:
            found = ProtectedResourceMetadata.model_validate_json(text)
            return {"model": {"service": {"name": found.resource_name}}}
        OAuthMetadata.model_validate_json(text)
    except ValidationError:
        return {"error": {}}
    return {"model": {}}


serve(
    "mcp (Python)",
    "mcp",
    {"parse": parse},
    ["oauth-protected-resource", "oauth-authorization-server"],
)
