"""Finds who issues tokens for a server that has refused a request: from the refusal to the resource, from the resource to its authorization server.

The rules are those of MCP 2026-07-28 (RFC 9728, RFC 8414, OpenID Connect Discovery 1.0), for every protocol. A document counts only if it names
the URL that it came from, and a server counts only if the resource names it.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from .._oauth_metadata import RESOURCE, SERVER, read
from .._visible import beginning, visible
from ..discovery.addresses import host_of, is_local, port_of

Ask = Callable[[str], Awaitable[bytes | None]]
"""Gets the document at a URL; None if there is none."""

_MOST_SERVERS = 3
"""How many of the servers that a resource names are asked for."""
_LONGEST = 2048
"""The longest URL, in characters."""
_LONGEST_HEADER = 8 << 10
_WELL_KNOWN = "/.well-known/"

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_PART = re.compile(
    rf"[ \t,]*(?:(?P<name>{_TOKEN})[ \t]*=[ \t]*"
    rf'(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<plain>{_TOKEN})(?=[ \t]*(?:,|$)))'
    rf"|(?P<scheme>{_TOKEN})(?:[ \t]+(?P<token68>[0-9A-Za-z._~+/-]+=*)(?=[ \t]*(?:,|$)))?(?=[ \t,]|$))"
)
"""A parameter, or the scheme of the next challenge (RFC 9110 section 11.2)."""
_SCOPE = re.compile(r"[!#-\[\]-~]+")
_URL = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Challenge:
    """What a server says when it refuses a request for its credentials (RFC 6750 section 3, RFC 9728 section 5.1)."""

    resource_metadata: str | None = None
    scopes: tuple[str, ...] = ()
    is_for_more: bool = False
    """Whether the server has accepted the token, but wants one for these scopes."""


@dataclass(frozen=True, slots=True)
class Authorization:
    """The authorization server of a resource, as both describe themselves."""

    resource: str
    """The identifier of the resource, which the server learns (RFC 8707)."""
    issuer: str
    token_url: str
    authorization_url: str | None
    scopes: tuple[str, ...]
    """The scopes to ask for, if the caller states none."""
    methods: tuple[str, ...]
    """How a client may authenticate; empty if the server does not state it."""
    states_issuer: bool
    """Whether the answer to an authorization request names the issuer (RFC 9207)."""
    registration_url: str | None
    """Where clients register (RFC 7591)."""
    takes_documents: bool
    """Whether the id of a client can be the URL of a document about it."""


class Unusable(Exception):
    """No authorization server can be used; the message says why."""


def challenge_of(status: int, headers: Iterable[tuple[str, str]]) -> Challenge | None:
    """Returns the challenge of an answer; None if the answer is no refusal that another token can help."""
    if status not in {401, 403}:
        return None
    values = (value for name, value in headers if name.lower() == "www-authenticate")
    challenges = [each for value in values for each in _challenges(value)]
    bearers = [given for scheme, given in challenges if scheme == "bearer"]
    # The challenge with the URL, if there is one: a server may repeat the scheme.
    given = next((b for b in bearers if "resource_metadata" in b), None)
    given = given or next(iter(bearers), {})
    is_for_more = given.get("error") == "insufficient_scope"
    if status == 403 and not is_for_more:
        return None
    return Challenge(
        given.get("resource_metadata"),
        tuple(filter(_SCOPE.fullmatch, given.get("scope", "").split(" "))),
        is_for_more,
    )


def pointer(challenge: Challenge | None) -> str:
    """Returns where a server says that tokens come from, as the end of a message."""
    place = challenge.resource_metadata if challenge is not None else None
    if place is None:
        return ""
    return f"; the server says at {_shown(place)} where to get a token, which calls.OAuth2 follows"


def _challenges(value: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yields the schemes of a header with their parameters, up to the first character that is not valid there. One that repeats a parameter is left out."""
    scheme, given, is_valid, at = "", dict[str, str](), False, 0
    value = value[:_LONGEST_HEADER].rstrip(" \t,")
    while at < len(value) and (part := _PART.match(value, at)):
        at = part.end()
        if (next := part["scheme"]) is not None:
            if is_valid:
                yield scheme, given
            scheme, given, is_valid = next.lower(), {}, True
            continue
        name = part["name"].lower()
        is_valid = is_valid and name not in given
        quoted = part["quoted"]
        given[name] = (
            part["plain"] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
        )
    if is_valid and at == len(value):
        yield scheme, given


async def authorizations(
    challenge: Challenge,
    url: str,
    *,
    resource_at: Ask,
    server_at: Ask,
    is_private: Callable[[str], bool],
) -> Iterator[Authorization]:
    """Returns the authorization servers of the resource at `url`, at least one. Raises Unusable if there is none.

    `resource_at` gets a document from the resource's own origin, `server_at` one from another. `is_private`: whether a URL
    may be on a private host.
    """
    resource = await _resource(challenge, url, resource_at)
    methods = resource.get("bearer_methods_supported")
    if methods is not None and "header" not in methods:
        raise Unusable("the resource takes no token in a header")
    named = resource.get("authorization_servers", ())
    if not named:
        raise Unusable("the resource names no authorization server")
    found, reasons = [], []
    for issuer in list(dict.fromkeys(named))[:_MOST_SERVERS]:
        try:
            found.append(
                await _server(issuer, resource, challenge, server_at, is_private)
            )
        except Unusable as problem:
            reasons.append(f"{_shown(issuer)}: {problem}")
    if not found:
        raise Unusable("; ".join(reasons))
    return iter(found)


async def _resource(challenge: Challenge, url: str, ask: Ask) -> Mapping[str, Any]:
    """Returns the metadata of the resource at a URL: from the URL in the challenge, otherwise from the well-known ones."""
    places = _places_of_resource(url)
    if challenge.resource_metadata is not None:
        place = challenge.resource_metadata
        if _refusal(place, True) or _origin(place) != _origin(url):
            raise Unusable(
                f"the metadata at {_shown(place)} is not on the origin of the resource"
            )
        places = [place]
    for place in places:
        body = await ask(place)
        if body is None:
            continue
        members = read(RESOURCE, body)
        if members is None:
            raise Unusable(f"{_shown(place)} is no metadata of a resource")
        named = members.get("resource", "")
        if not _is_of(named, place, url):
            raise Unusable(
                f"{_shown(place)} is the metadata of another resource, {_shown(named)}"
            )
        return members
    raise Unusable(f"there is no metadata of the resource at {_shown(places[0])}")


def _places_of_resource(url: str) -> list[str]:
    """Returns the well-known URLs of a resource: with its path, then at the root (RFC 9728 section 3.1)."""
    parts = urlsplit(url)
    root = f"{parts.scheme}://{parts.netloc}{_WELL_KNOWN}oauth-protected-resource"
    path = parts.path.removesuffix("/")
    query = f"?{parts.query}" if parts.query else ""
    return list(dict.fromkeys([f"{root}{path}{query}", f"{root}{path}", root]))


def _is_of(named: str, place: str, url: str) -> bool:
    """Returns whether the metadata at a place names the resource that was asked: its URL itself, or what the place says that stands above it."""
    if _refusal(named, True) or _origin(named) != _origin(url):
        return False
    if _path(named) == _path(url):
        return True
    above = urlsplit(named)
    own = urlsplit(place).path.removesuffix("/")
    root = f"{_WELL_KNOWN}oauth-protected-resource"
    is_placed = own == root + above.path.removesuffix("/") and not above.query
    return is_placed and is_beneath(url, named)


def is_beneath(url: str, resource: str) -> bool:
    """Returns whether a URL is that of a resource, or below it."""
    if _origin(url) != _origin(resource):
        return False
    own, above = _path(url), _path(resource)
    if own == above:
        return True
    whole = above.removesuffix("/") + "/"
    # A path with dot segments is not below what it seems to be below.
    is_plain = not re.search(r"/(\.|%2e){1,2}(/|$)", urlsplit(url).path, re.IGNORECASE)
    return is_plain and "?" not in above and own.startswith(whole)


async def _server(
    issuer: str,
    resource: Mapping[str, Any],
    challenge: Challenge,
    ask: Ask,
    is_private: Callable[[str], bool],
) -> Authorization:
    """Returns an authorization server, from the first document that names its issuer."""
    if problem := _refusal(issuer, is_private(issuer)):
        raise Unusable(problem)
    parts = urlsplit(issuer)
    if parts.query:
        raise Unusable("an issuer has no query")
    why = "it publishes no metadata"
    for place in _places_of_server(issuer):
        body = await ask(place)
        if body is None:
            continue
        members = read(SERVER, body)
        if members is None or members.get("issuer") != issuer:
            why = f"the metadata at {_shown(place)} is not of this issuer"
            continue
        return _authorization(members, resource, challenge, is_private)
    raise Unusable(why)


def _places_of_server(issuer: str) -> list[str]:
    """Returns the URLs of the metadata of an issuer, in the order of MCP (Authorization Server Metadata Discovery)."""
    parts = urlsplit(issuer)
    host = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.removesuffix("/")
    oauth, openid = "oauth-authorization-server", "openid-configuration"
    places = [f"{host}{_WELL_KNOWN}{kind}{path}" for kind in (oauth, openid)]
    return [*places, f"{host}{path}{_WELL_KNOWN}{openid}"] if path else places


def _authorization(
    members: Mapping[str, Any],
    resource: Mapping[str, Any],
    challenge: Challenge,
    is_private: Callable[[str], bool],
) -> Authorization:
    if "S256" not in members.get("code_challenge_methods_supported", ()):
        raise Unusable("it does not state PKCE with S256")
    token_url = members.get("token_endpoint")
    if token_url is None:
        raise Unusable("it names no token endpoint")
    page = members.get("authorization_endpoint")
    registration_url = members.get("registration_endpoint")
    for url in filter(None, (token_url, page, registration_url)):
        if problem := _refusal(url, is_private(url)):
            raise Unusable(f"its endpoint {_shown(url)}: {problem}")
    scopes = challenge.scopes or tuple(resource.get("scopes_supported", ()))
    return Authorization(
        resource["resource"],
        members["issuer"],
        token_url,
        page,
        tuple(filter(_SCOPE.fullmatch, scopes)),
        tuple(members.get("token_endpoint_auth_methods_supported", ())),
        members.get("authorization_response_iss_parameter_supported", False),
        registration_url,
        members.get("client_id_metadata_document_supported", False),
    )


def _refusal(url: str, is_private: bool) -> str | None:
    """Returns why a URL in a document is not used; None if it can be."""
    if len(url) > _LONGEST or not _URL.fullmatch(url) or "\\" in url:
        return "it is not a valid URL"
    try:
        parts = urlsplit(url)
    except ValueError:
        return "it is not a valid URL"
    if parts.scheme not in {"https", "http"}:
        return "it is not an https URL"
    host, port = host_of(url), port_of(url)
    if "@" in parts.netloc or parts.fragment or port is None or not host:
        return "it is not a valid URL"
    if parts.scheme == "http" and not is_same_machine(host):
        return "it is not an https URL"
    if is_local(host) and not is_private:
        return "it is on a private host"
    return None


def is_same_machine(host: str | None) -> bool:
    """Whether secrets may go to a canonical host without TLS: only to the usual names of this machine.

    Stricter than `is_loopback`: a name below `localhost` may resolve to another machine, and another address of this one may be a tunnel.
    """
    return host in {"localhost", "127.0.0.1", "::1"}


def _origin(url: str) -> tuple[str, str | None, int | None]:
    return urlsplit(url).scheme, host_of(url), port_of(url)


def _path(url: str) -> str:
    """Returns the path and the query of a URL; an empty path is that of the root."""
    parts = urlsplit(url)
    return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"


def _shown(url: str) -> str:
    return visible(beginning(url, 200))
