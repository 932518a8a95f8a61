"""Registers a client at an authorization server (RFC 7591)."""

import json
import math
import time
from dataclasses import dataclass, field
from typing import Any, TypeGuard

import httpx

from .._conduct import is_value
from ..discovery import Timeouts
from ..discovery.fetch import Failed, fetch
from .reasons import said_by

_LONGEST = 4096
"""The longest id or secret of a client, in characters."""
_METHODS = ("none", "client_secret_basic", "client_secret_post")


class Refused(Exception):
    """The server has not registered the client; the message says why."""


@dataclass(frozen=True, slots=True)
class Client:
    """A client, as one authorization server knows it."""

    id: str
    secret: str | None = field(repr=False, default=None)
    method: str | None = None
    """How it authenticates; None if the metadata of the server decides."""
    redirect: str | None = None
    """The URL that receives codes; None if any port of this machine may."""
    scope: str | None = None
    """The scopes that it is registered for."""
    ends: float = math.inf
    """When its secret expires, in seconds since 1970."""

    def fits(self, redirect: str | None, scope: str | None) -> bool:
        """Returns whether a registered client is still valid, and can ask for these scopes."""
        wanted, own = set((scope or "").split()), set((self.scope or "").split())
        is_enough = wanted <= own or self.scope == scope
        return self.redirect == redirect and is_enough and time.time() < self.ends


async def register(
    transport: httpx.AsyncBaseTransport,
    url: str,
    *,
    name: str,
    redirect: str | None,
    scope: str | None,
    timeouts: Timeouts,
) -> Client:
    """Registers a client of this machine: for a person who agrees at `redirect`, or for itself if that is None. Raises Refused."""
    metadata: dict[str, Any] = {
        "client_name": name,
        # Without it, a server of OpenID takes the client for a web site, whose redirects go by https.
        "application_type": "native",
        "grant_types": ["client_credentials"],
        "token_endpoint_auth_method": "client_secret_basic",
    }
    if redirect is not None:
        metadata |= {
            "grant_types": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_method": "none",
            "redirect_uris": [redirect],
            "response_types": ["code"],
        }
    if scope is not None:
        metadata["scope"] = scope
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    try:
        reply = await fetch(
            transport,
            url,
            [(name.encode(), value.encode()) for name, value in headers.items()],
            limit=1 << 20,
            cuts=False,
            timeouts=timeouts,
            method="POST",
            content=json.dumps(metadata).encode(),
            keeps_errors=True,
        )
    except Failed as failed:
        raise Refused(failed.words) from failed
    if reply.status not in {200, 201}:
        said = said_by(reply.body) or "no reason"
        raise Refused(f"status {reply.status}: {said}")
    try:
        members = json.loads(reply.body)
    except (ValueError, RecursionError):
        raise Refused("its answer is not JSON") from None
    return _client(members if isinstance(members, dict) else {}, redirect, scope)


def _client(members: dict[str, Any], redirect: str | None, scope: str | None) -> Client:
    """Returns the client that a server has registered. Raises Refused for one that cannot be used."""
    id, secret = members.get("client_id"), members.get("client_secret")
    if not _is_text(id) or not (secret is None or _is_text(secret)):
        raise Refused("its answer names no valid client")
    # The server may register something else than it was asked for.
    redirects = members.get("redirect_uris")
    if redirect is not None and redirects is not None and redirects != [redirect]:
        raise Refused("it has registered another redirect")
    method = members.get("token_endpoint_auth_method")
    if method is not None and method not in _METHODS:
        raise Refused("it wants another way to authenticate than a secret")
    if (secret is None and method not in {None, "none"}) or (
        redirect is None and (secret is None or method == "none")
    ):
        raise Refused("its answer has no secret")
    if method == "none":
        secret = None
    ends = members.get("client_secret_expires_at")
    is_number = isinstance(ends, int | float) and not isinstance(ends, bool)
    until = float(ends) if is_number and ends else math.inf
    return Client(id, secret, method, redirect, scope, until)


def _is_text(given: object) -> TypeGuard[str]:
    return isinstance(given, str) and 0 < len(given) <= _LONGEST and is_value(given)
