"""Reads the two documents by which a server says how callers authenticate: RFC 9728 and RFC 8414.

`read` is the only reader of them in Python.
"""

import json
from collections.abc import Mapping
from typing import Any

RESOURCE, SERVER = "oauth-protected-resource", "oauth-authorization-server"

_MEMBERS: dict[str, dict[str, type]] = {
    RESOURCE: {
        "resource": str,
        "authorization_servers": list,
        "scopes_supported": list,
        "bearer_methods_supported": list,
    },
    SERVER: {
        "issuer": str,
        "authorization_endpoint": str,
        "token_endpoint": str,
        "scopes_supported": list,
        "code_challenge_methods_supported": list,
        "token_endpoint_auth_methods_supported": list,
        "authorization_response_iss_parameter_supported": bool,
    },
}
"""The members that are read, with their types; a list contains texts."""


def read(format: str, body: bytes) -> Mapping[str, Any] | None:
    """Returns the members of a document that are read here; None if it is no JSON object, or states one of them twice or with another type."""
    try:
        given = json.loads(body, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict):
        return None
    found: dict[str, Any] = {}
    for name, kind in _MEMBERS[format].items():
        value = given.get(name)
        if value is None:
            continue
        if not isinstance(value, kind):
            return None
        if isinstance(value, list) and not all(isinstance(v, str) for v in value):
            return None
        found[name] = value
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns an object. Raises ValueError if a member occurs twice: programs differ in which one counts."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member occurs twice")
    return members
