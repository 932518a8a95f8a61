"""The two documents by which a server says how callers authenticate (RFC 9728 and RFC 8414), for a client that follows them.

The core reads them. A client uses a document only if no member that counts is doubled or has another type.
"""

from collections.abc import Mapping
from typing import Any, Literal

from ._agentsdisc import ParseError, parse

RESOURCE: Literal["oauth-protected-resource"] = "oauth-protected-resource"
SERVER: Literal["oauth-authorization-server"] = "oauth-authorization-server"

_METHODS = "bearer_methods_supported"
_AUTH_METHODS = "token_endpoint_auth_methods_supported"
_ISSUER_COMES_BACK = "authorization_response_iss_parameter_supported"
_TAKES_DOCUMENTS = "client_id_metadata_document_supported"


def read(
    format: Literal["oauth-protected-resource", "oauth-authorization-server"],
    body: bytes,
) -> Mapping[str, Any] | None:
    """Returns the members that a client follows, by their names; None if the document must not be used."""
    try:
        document = parse(body, format=format)
    except ParseError:
        return None
    # Programs differ in which of two members counts.
    if any(found.code == "duplicate-field" for found in document.check()):
        return None
    service, scheme = document.service, document.security_schemes[0]
    members: dict[str, Any] = {
        "resource" if format == RESOURCE else "issuer": service and service.url,
        "scopes_supported": scheme.scopes,
    }
    if format == RESOURCE:
        members |= {
            "authorization_servers": scheme.issuers,
            _METHODS: scheme.bearer_methods or None,
        }
    else:
        members |= {
            "authorization_endpoint": scheme.authorization_url,
            "token_endpoint": scheme.token_url,
            "registration_endpoint": scheme.registration_url,
            "code_challenge_methods_supported": scheme.challenge_methods,
        }
    # The model shows these members elsewhere, so what stays as metadata could not be read.
    kept = document.metadata
    if not kept.keys().isdisjoint(members.keys() - {_METHODS}):
        return None
    if _METHODS in members and _METHODS in kept:
        if kept[_METHODS] != []:
            return None
        members[_METHODS] = []
    # The model has no member for these.
    if format == SERVER:
        members[_AUTH_METHODS] = kept.get(_AUTH_METHODS) or ()
        flags = (_ISSUER_COMES_BACK, _TAKES_DOCUMENTS)
        members |= {name: kept.get(name) or False for name in flags}
        methods = members[_AUTH_METHODS]
        if not isinstance(methods, list | tuple) or not all(
            isinstance(each, str) for each in methods
        ):
            return None
        if not all(isinstance(members[name], bool) for name in flags):
            return None
    return {name: value for name, value in members.items() if value is not None}
