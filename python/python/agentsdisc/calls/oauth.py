"""Obtains OAuth 2 tokens for calls, with Authlib (extra `oauth`)."""

import json
import math
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, TypeGuard
from urllib.parse import parse_qs, urlsplit

import anyio
import anyio.to_thread
import httpx

from .. import Decision, decide
from .._conduct import is_value
from ..discovery import Timeouts
from ..discovery.addresses import host_of, port_of
from ..discovery.fetch import Failed, fetch
from ..discovery.transport import GuardedTransport
from .authorizing import (
    Authorization,
    Challenge,
    Unusable,
    authorizations,
    is_beneath,
    is_same_machine,
)
from .errors import CredentialsNeeded, CredentialsRefused
from .reasons import said_by
from .registering import Client, Refused, register

_EARLY = 30.0
"""A token is renewed this many seconds before it expires."""
_CODE_SECONDS = 300.0
"""How long a person may take to agree, in seconds, if `timeouts.total` of the call permits it."""
_LONGEST = 16 << 10
"""The longest token, in characters; servers refuse longer headers."""
_MOST_SECONDS = 1e9
_MOST_FOUND = 1000
"""How many resources an object remembers."""
_METADATA = 256 << 10
"""The longest document about a resource or its server, in bytes."""

# The site, the endpoint that issues its tokens, and the resource for which it does.
_Key = tuple[str | None, str, str | None]


def _authlib(module: str) -> Any:
    try:
        return import_module(f"authlib.{module}")
    except ImportError as problem:
        raise ImportError(
            f"OAuth 2 needs {problem.name}; run: pip install 'agentsdisc[oauth]'"
        ) from problem


@dataclass
class _Token:
    """A token of one site."""

    refresh: str | None = field(repr=False)
    access: str = field(repr=False, default="")
    ends: float = -math.inf
    scopes: tuple[str, ...] = ()
    """The scopes that a server has asked for so far."""
    client: Client | None = None
    """The client that has obtained the refresh token."""
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)


class OAuth2:
    """Obtains tokens for `credentials`, keeps them until they expire, and renews a token that a server rejects.

    Without `open_url`, the client obtains a token for itself (client credentials, RFC 6749 section 4.4). With it, a person agrees in a
    browser: `open_url` receives the URL to open, and the browser returns the code to a port of this machine (authorization code with PKCE, RFC 7636
    and RFC 8252). If the server issues a refresh token, that is used. One object can serve several sites: each has its own tokens.

    The endpoints are `token_url` and `authorization_url`, or those that the documents declare, or those that the server itself names: a server that refuses
    a request says where it describes itself as a resource (RFC 9728), and the resource names its authorization server (RFC 8414), which must use PKCE. A
    declared or named token endpoint receives the client's secret only by https, and only where a bearer token may go: on the registrable domain of the documents, or at a URL in `approve`. Redirects are not followed.
    Neither `repr` nor errors show secrets and tokens.

    With `register`, the name of the client, it registers itself at a server that a resource names (RFC 7591), at each one separately, unless it has a
    `client_id` there. A `client_id` that is a URL describes the client, and is used wherever the server says that it takes one. Nothing is registered otherwise.
    """

    def __init__(
        self,
        client_id: str | None = None,
        client_secret: str | None = None,
        *,
        register: str | None = None,
        scopes: Iterable[str] | None = None,
        token_url: str | None = None,
        authorization_url: str | None = None,
        refresh_token: str | None = None,
        open_url: Callable[[str], Any] | None = None,
        approve: Iterable[str] = (),
        allow_private: bool = False,
        timeouts: Timeouts | None = None,
    ) -> None:
        _authlib("oauth2")
        if client_id is None and register is None:
            raise TypeError("give a client_id, or a name to register")
        self._name = register
        self._client = None if client_id is None else Client(client_id, client_secret)
        # The registered clients, by their servers.
        self._clients: dict[str, Client] = {}
        self._scopes = None if scopes is None else tuple(scopes)
        self._token_url, self._authorization_url = token_url, authorization_url
        self._open_url = open_url
        own = [url for url in (token_url, authorization_url) if url is not None]
        self._approved = (*approve, *own)
        self._private = allow_private
        self._timeouts = timeouts or Timeouts()
        # The caller's refresh token belongs to the first site that needs a token.
        self._first_refresh_token = refresh_token
        self._kept: dict[_Key, _Token] = {}
        self._found: dict[str, Authorization] = {}
        # A client belongs to the server where it is registered, unless its id is a URL that describes it.
        self._is_portable = not client_secret and (client_id or "").startswith(
            "https://"
        )
        self._issuers: dict[str | None, str] = {}
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"OAuth2({self._client.id if self._client else self._name!r})"

    def reject(self, token: str | None) -> None:
        """Discards a token that a server has rejected."""
        for kept in list(self._kept.values()):
            if kept.access == token:
                kept.ends = -math.inf

    async def __call__(self, decision: Decision) -> str:
        """Returns a token for a decision. Raises CredentialsRefused or CredentialsNeeded."""
        return await self._token(
            self._token_url or decision.auth.token_url, decision, None
        )

    async def token_for(self, url: str, decision: Decision) -> str | None:
        """Returns a token for a URL: of the server that the resource there named before, otherwise of the one that the documents or the caller name.

        Returns None if none is known: the answer to a request without a token may name one.
        """
        found = self._remembered(url)
        if found is not None:
            return await self._token(found.token_url, decision, found)
        if self._token_url is None and decision.auth.token_url is None:
            return None
        return await self(decision)

    async def authorize(
        self,
        challenge: Challenge,
        url: str,
        decision: Decision,
        transport: httpx.AsyncBaseTransport,
        agent: str,
    ) -> str | None:
        """Returns a token that the resource at `url` asks for: of the authorization server that it names.

        Returns None if only the documents or the caller name a server. `transport` connects to the resource. Raises CredentialsNeeded or
        CredentialsRefused if a server is named, but cannot be used.
        """
        is_named = (self._token_url or decision.auth.token_url) is not None
        if is_named and challenge.resource_metadata is None:
            return None
        before = self._remembered(url)
        found = await self._server_of(challenge, url, decision, transport, agent)
        kept = self._of((_site(decision), found.token_url, found.resource))
        if challenge.is_for_more:
            asked = (*kept.scopes, *(before.scopes if before else ()), *found.scopes)
            kept.scopes, kept.ends = tuple(dict.fromkeys(asked)), -math.inf
            # The refresh token is for the scopes that were not enough.
            kept.refresh = None
        return await self._token(found.token_url, decision, found)

    def knows(self, url: str) -> bool:
        """Returns whether the resource at a URL has named its server before."""
        return self._remembered(url) is not None

    def _remembered(self, url: str) -> Authorization | None:
        """Returns the server that the resource at a URL, or the nearest one above it, has named before."""
        above = [each for each in list(self._found) if is_beneath(url, each)]
        return self._found.get(max(above, key=len)) if above else None

    async def _server_of(
        self,
        challenge: Challenge,
        url: str,
        decision: Decision,
        transport: httpx.AsyncBaseTransport,
        agent: str,
    ) -> Authorization:
        """Returns the first authorization server of a resource at which this client is."""

        async def resource_at(place: str) -> bytes | None:
            return await self._document(transport, place, agent)

        async def server_at(place: str) -> bytes | None:
            hosts = [place] if is_private(place) else []
            async with GuardedTransport(private=hosts, connections=1) as own:
                return await self._document(own, place, agent)

        def is_private(place: str) -> bool:
            return self._private or _is_beside(place, decision)

        try:
            named = await authorizations(
                challenge,
                url,
                resource_at=resource_at,
                server_at=server_at,
                is_private=is_private,
            )
        except Unusable as problem:
            said = f"{url} needs a token, and names no server that can be used: {problem}; give `token_url`"
            raise CredentialsNeeded(said, decision) from None
        others = []
        for each in named:
            if self._token_url in {None, each.token_url}:
                self._bind(each, decision)
                while len(self._found) >= _MOST_FOUND:
                    self._found.pop(next(iter(self._found)), None)
                self._found[each.resource] = each
                return each
            others.append(each.token_url)
        raise CredentialsRefused(
            f"{url} takes tokens of {', '.join(others)}, not of {self._token_url}",
            decision,
        )

    def _bind(self, found: Authorization, decision: Decision) -> None:
        """Raises CredentialsRefused if the site names another server than the one where this client is."""
        self._checked(found.token_url, decision, found)
        if self._client is None or self._is_portable:
            return
        bound = self._issuers.setdefault(_site(decision), found.issuer)
        if bound != found.issuer:
            raise CredentialsRefused(
                f"the site names the authorization server {found.issuer} instead of {bound}, where this client is; use another OAuth2 for it",
                decision,
            )

    async def _document(
        self, transport: httpx.AsyncBaseTransport, url: str, agent: str
    ) -> bytes | None:
        """Gets a document without credentials and redirects; None if there is none."""
        headers = {"User-Agent": agent, "Accept": "application/json"}
        try:
            reply = await fetch(
                transport,
                url,
                [(name.encode(), value.encode()) for name, value in headers.items()],
                limit=_METADATA,
                cuts=False,
                timeouts=self._timeouts,
            )
        except Failed as failed:
            raise Unusable(f"{url}: {failed.words}") from None
        return reply.body if reply.status == 200 else None

    async def _token(
        self, url: str | None, decision: Decision, found: Authorization | None
    ) -> str:
        """Returns the token of an endpoint: the kept one, or a new one."""
        url = self._checked(url, decision, found)
        kept = self._of((_site(decision), url, found.resource if found else None))
        # A lock of threads, because each thread may have its own event loop. A call that waits for it can be cancelled.
        while not kept.lock.acquire(blocking=False):
            await anyio.sleep(0.02)
        try:
            if time.monotonic() >= kept.ends:
                await self._obtain(_Asking(url, decision, found, kept.scopes), kept)
            return kept.access
        finally:
            kept.lock.release()

    def _of(self, key: _Key) -> "_Token":
        """Returns the token of a site; an expired one if there is none yet."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None:
                kept = self._kept[key] = _Token(self._first_refresh_token)
                self._first_refresh_token = None
            return kept

    async def _obtain(self, asking: "_Asking", kept: _Token) -> None:
        """Obtains an access token, the time when it expires, and the refresh token."""
        token, refresh = None, kept.refresh
        async with self._transport(asking.url, asking.decision) as transport:
            if refresh is not None and (client := kept.client or self._client):
                try:
                    token = await self._asked(
                        transport,
                        asking,
                        client,
                        "refresh_token",
                        refresh_token=refresh,
                    )
                except CredentialsNeeded:
                    # The refresh token has expired; the person or the client must obtain a new one.
                    refresh = None
            if token is None and self._open_url is not None:
                client, code = await self._agreed(asking)
                token = await self._asked(
                    transport, asking, client, "authorization_code", **code
                )
            elif token is None:
                client, scope = await self._client_at(asking, None), self._scope(asking)
                token = await self._asked(
                    transport, asking, client, "client_credentials", scope=scope
                )
        lasts = _seconds(token.get("expires_in"))
        kept.access, kept.client = token["access_token"], client
        kept.ends = time.monotonic() + lasts - min(_EARLY, lasts / 2)
        given = token.get("refresh_token")
        kept.refresh = given if _is_token(given) else refresh

    def _transport(self, url: str, decision: Decision) -> GuardedTransport:
        hosts = [url] if self._private or _is_beside(url, decision) else []
        return GuardedTransport(private=hosts, connections=1)

    async def _client_at(self, asking: "_Asking", redirect: str | None) -> Client:
        """Returns the client at a server, which is registered there if it must be. `redirect` receives codes. Raises CredentialsNeeded."""
        found, decision = asking.found, asking.decision
        is_only = self._name is None or not self._is_portable
        if self._client is not None and (
            is_only or found is None or found.takes_documents
        ):
            return self._client
        scope = self._scope(asking)
        client = None if found is None else self._clients.get(found.issuer)
        if client is not None and client.fits(redirect, scope):
            return client
        if found is None or found.registration_url is None:
            if self._client is not None:
                return self._client
            said = "the server does not say where clients register; give a client_id"
            raise CredentialsNeeded(said, decision)
        assert self._name is not None
        url = self._checked(found.registration_url, decision, found)
        try:
            async with self._transport(url, decision) as transport:
                client = await register(
                    transport,
                    url,
                    name=self._name,
                    redirect=redirect,
                    scope=scope,
                    timeouts=self._timeouts,
                )
        except Refused as problem:
            said = f"{url} does not register the client: {problem}; give a client_id"
            raise CredentialsNeeded(said, decision) from None
        while len(self._clients) >= _MOST_FOUND:
            self._clients.pop(next(iter(self._clients)), None)
        self._clients[found.issuer] = client
        return client

    def _scope(self, asking: "_Asking") -> str | None:
        """Returns the scopes to ask for: the caller's, else those that the server has asked for, the documents declare, or the resource lists."""
        found, declared = asking.found, asking.decision.auth.scopes
        scopes = asking.scopes or declared or (found.scopes if found else ())
        return " ".join(scopes if self._scopes is None else self._scopes) or None

    async def _asked(
        self,
        transport: GuardedTransport,
        asking: "_Asking",
        client: Client,
        grant: str,
        **fields: str | None,
    ) -> dict[str, Any]:
        """Requests a token from the token endpoint (RFC 6749 section 3.2)."""
        url, decision, found = asking.url, asking.decision, asking.found
        if found is not None:
            # Some servers look for the id only here, also if the header has it.
            fields |= {"resource": found.resource, "client_id": client.id}
        given = {name: value for name, value in fields.items() if value is not None}
        body = _authlib("oauth2.rfc6749.parameters").prepare_token_request(
            grant, "", **given
        )
        auth = _authlib("oauth2.auth").ClientAuth(
            client.id,
            client.secret,
            _method(client, found) if client.secret else "none",
        )
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        }
        _, headers, body = auth.prepare("POST", url, headers, body)
        try:
            reply = await fetch(
                transport,
                url,
                [(name.encode(), value.encode()) for name, value in headers.items()],
                limit=1 << 20,
                cuts=False,
                timeouts=self._timeouts,
                method="POST",
                content=body.encode(),
                keeps_errors=True,
            )
        except Failed as failed:
            said = f"{url} gives no token: {failed.words}"
            raise CredentialsNeeded(said, decision) from failed
        try:
            token = json.loads(reply.body)
        except (ValueError, RecursionError) as problem:
            said = f"{url} gives no token: status {reply.status}, and its answer is not JSON"
            raise CredentialsNeeded(said, decision) from problem
        members = token if isinstance(token, dict) else {}
        kind = members.get("token_type", "Bearer")
        if reply.status == 200 and _is_token(members.get("access_token")):
            if isinstance(kind, str) and kind.lower() == "bearer":
                return members
            raise CredentialsNeeded(
                f"{url} gives a token that is not a bearer token, which cannot be sent",
                decision,
            )
        if found is not None and members.get("error") == "invalid_client":
            # The server has forgotten the client, which registers again next time.
            self._clients.pop(found.issuer, None)
        said = said_by(reply.body) or "an answer without a valid access_token"
        said = f"{url} gives no token: status {reply.status}: {said}"
        raise CredentialsNeeded(said, decision)

    async def _agreed(self, asking: "_Asking") -> tuple[Client, dict[str, str | None]]:
        """Lets a person agree in a browser, and returns the client and the fields that exchange the code for a token."""
        assert self._open_url is not None
        decision, found = asking.decision, asking.found
        declared = found.authorization_url if found else decision.auth.authorization_url
        page = self._checked(self._authorization_url or declared, decision, found)
        more = {"resource": found.resource} if found else {}
        secret_of = _authlib("common.security").generate_token
        pkce = _authlib("oauth2.rfc7636")
        verifier, state = secret_of(64), secret_of(32)
        before = None if found is None else self._clients.get(found.issuer)
        with _Loopback(before.redirect if before else None) as loopback:
            client = await self._client_at(asking, loopback.url)
            asked = _authlib("oauth2.rfc6749.parameters").prepare_grant_uri(
                page,
                client.id,
                "code",
                redirect_uri=loopback.url,
                scope=self._scope(asking),
                state=state,
                code_challenge=pkce.create_s256_code_challenge(verifier),
                code_challenge_method="S256",
                **more,
            )
            await anyio.to_thread.run_sync(
                self._open_url, asked, abandon_on_cancel=True
            )
            code = await loopback.code(state, found)
            if code is None:
                raise CredentialsNeeded("the person has not agreed", decision)
            return client, {
                "code": code,
                "code_verifier": verifier,
                "redirect_uri": loopback.url,
                # A client with a secret sends its id in the header.
                "client_id": None if client.secret else client.id,
            }

    def _checked(
        self, url: str | None, decision: Decision, found: Authorization | None = None
    ) -> str:
        """Returns `url` if it may receive secrets. Raises CredentialsNeeded or CredentialsRefused otherwise."""
        if url is None:
            raise CredentialsNeeded(
                "neither the documents nor the server name the OAuth 2 endpoint that is needed; give `token_url`, and `authorization_url` for a person",
                decision,
            )
        parts = urlsplit(url)
        is_local = parts.scheme == "http" and is_same_machine(host_of(url))
        if not (parts.scheme == "https" or is_local) or "@" in parts.netloc:
            raise CredentialsRefused(
                f"{url} is not an https URL, and gets no credentials", decision
            )
        approved = self._approved
        if found is not None and found.issuer in approved:
            # Whoever approves an authorization server approves its endpoints.
            approved = (
                *approved,
                *filter(
                    None,
                    (found.token_url, found.authorization_url, found.registration_url),
                ),
            )
        if not _may_have_secrets(url, decision, approved):
            raise CredentialsRefused(
                f"{url} is on another domain or port than the documents; approve it with approve=[{url!r}] to send credentials there",
                decision,
            )
        return url


@dataclass(frozen=True, slots=True)
class _Asking:
    """A token that is asked for."""

    url: str
    decision: Decision
    found: Authorization | None
    scopes: tuple[str, ...]
    """The scopes that the server has asked for, beyond the usual ones."""


def _method(client: Client, found: Authorization | None) -> str:
    """Returns how a client authenticates: as it is registered, otherwise in the header, unless the server takes its secret only in the body."""
    usual, other = "client_secret_basic", "client_secret_post"
    if client.method in {usual, other}:
        return client.method
    methods = found.methods if found else ()
    return other if other in methods and usual not in methods else usual


def _is_token(given: object) -> TypeGuard[str]:
    """Returns whether a token can be sent in a header."""
    return isinstance(given, str) and len(given) <= _LONGEST and is_value(given)


def _seconds(given: object) -> float:
    """Returns the lifetime of a token in seconds; infinity if the server does not state it as a number."""
    if isinstance(given, str) and given.isascii() and given.isdigit():
        given = int(given[:20])
    if isinstance(given, bool) or not isinstance(given, int | float):
        return math.inf
    if given > _MOST_SECONDS:
        return math.inf
    # With a negative number or NaN, the token has expired.
    return float(given) if given >= 0 else 0.0


def _site(decision: Decision) -> str | None:
    """Returns the origin of the documents, or of the site that they declare if the origin is not known."""
    documents, origin = decision._asked[0], decision._asked[7]
    declared = (each.service.url for each in documents if each.service)
    url = origin or next(filter(None, declared), None)
    if not url:
        return None
    return f"{urlsplit(url).scheme.lower()}://{host_of(url)}:{port_of(url)}"


def _may_have_secrets(url: str, decision: Decision, approved: Iterable[str]) -> bool:
    """Returns whether a URL may receive the secrets of the client, by the rule for every request with credentials."""
    documents, agent, origin = (decision._asked[at] for at in (0, 1, 7))
    asked = decide(
        documents,
        agent=agent,
        url=url,
        method="POST",
        origin=origin,
        approved=tuple(approved),
    )
    return asked.credentials == "allowed"


def _is_beside(url: str, decision: Decision) -> bool:
    """Returns whether a URL is on this machine, and the site is, too, as the caller says. What documents declare about their site does not count."""
    origin = decision._asked[7]
    return origin is not None and all(
        is_same_machine(host_of(each)) for each in (url, origin)
    )


def _is_from(found: Authorization | None, answer: dict[str, list[str]]) -> bool:
    """Returns whether an answer to an authorization request names the issuer that was asked, or need not name it."""
    named = answer.get("iss")
    if found is None or (named is None and not found.states_issuer):
        return True
    return named == [found.issuer]


class _Loopback:
    """A port of this machine that receives the code (RFC 8252 section 7.3): that of `url` if it is free."""

    def __init__(self, url: str | None) -> None:
        self._port = 0 if url is None else urlsplit(url).port or 0

    def __enter__(self) -> "_Loopback":
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

        received: list[dict[str, list[str]]] = []
        self._received = received

        class Handler(BaseHTTPRequestHandler):
            timeout = 5

            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                self.send_response(200 if parts.path == "/callback" else 404)
                self.send_header("Content-Type", "text/plain")
                self.end_headers()
                if parts.path == "/callback":
                    received.append(parse_qs(parts.query))
                    self.wfile.write(b"You may close this page.\n")

            def log_message(self, *_: Any) -> None:
                pass

        # A client that sends nothing must not delay the answer or the end.
        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        except OSError:
            self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.block_on_close = False
        self.url = f"http://127.0.0.1:{self._server.server_port}/callback"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    async def code(self, state: str, found: Authorization | None) -> str | None:
        """Waits for the answer with this state, and returns its code; None if there is none, or if another server gave it (RFC 9207)."""
        seen = 0
        with anyio.move_on_after(_CODE_SECONDS):
            while True:
                for answer in self._received[seen:]:
                    seen += 1
                    if answer.get("state") == [state] and _is_from(found, answer):
                        return answer.get("code", [None])[0]
                await anyio.sleep(0.02)
        return None
