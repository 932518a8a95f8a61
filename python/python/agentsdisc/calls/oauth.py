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

from .. import Decision, decide
from .._conduct import is_value
from ..discovery import Timeouts
from ..discovery.addresses import host_of, port_of
from ..discovery.fetch import Failed, fetch
from ..discovery.transport import GuardedTransport
from .errors import CredentialsNeeded, CredentialsRefused
from .reasons import said_by

_EARLY = 30.0
"""A token is renewed this many seconds before it expires."""
_CODE_SECONDS = 300.0
"""How long a person may take to agree, in seconds, if `timeouts.total` of the call permits it."""
_LONGEST = 16 << 10
"""The longest token, in characters; servers refuse longer headers."""
_MOST_SECONDS = 1e9

# The site, and the endpoint that issues its tokens.
_Key = tuple[str | None, str]


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
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)


class OAuth2:
    """Obtains tokens for `credentials`, keeps them until they expire, and renews a token that a server rejects.

    Without `open_url`, the client obtains a token for itself (client credentials, RFC 6749 section 4.4). With it, a person agrees in a
    browser: `open_url` receives the URL to open, and the browser returns the code to a port of this machine (authorization code with PKCE, RFC 7636
    and RFC 8252). If the server issues a refresh token, that is used. One object can serve several sites: each has its own tokens.

    The endpoints are those that the documents declare, or `token_url` and `authorization_url`. A declared token endpoint receives the
    client's secret only by https, and only where a bearer token may go: on the registrable domain of the documents, or at a URL in `approve`. Redirects are not followed.
    Neither `repr` nor errors show secrets and tokens.
    """

    def __init__(
        self,
        client_id: str,
        client_secret: str | None = None,
        *,
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
        self._id, self._secret = client_id, client_secret
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
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"OAuth2({self._id!r})"

    def reject(self, token: str | None) -> None:
        """Discards a token that a server has rejected."""
        for kept in list(self._kept.values()):
            if kept.access == token:
                kept.ends = -math.inf

    async def __call__(self, decision: Decision) -> str:
        """Returns a token for a decision. Raises CredentialsRefused or CredentialsNeeded."""
        url = self._checked(self._token_url or decision.auth.token_url, decision)
        kept = self._of((_site(decision), url))
        # A lock of threads, because each thread may have its own event loop. A call that waits for it can be cancelled.
        while not kept.lock.acquire(blocking=False):
            await anyio.sleep(0.02)
        try:
            if time.monotonic() >= kept.ends:
                kept.access, kept.ends, kept.refresh = await self._obtained(
                    url, kept.refresh, decision
                )
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

    async def _obtained(
        self, url: str, refresh: str | None, decision: Decision
    ) -> tuple[str, float, str | None]:
        """Returns an access token, the time when it expires, and the refresh token."""
        hosts = [url] if self._private or _is_beside(url, decision) else []
        async with GuardedTransport(private=hosts, connections=1) as transport:
            token = None
            if refresh is not None:
                try:
                    token = await self._asked(
                        transport, url, decision, "refresh_token", refresh_token=refresh
                    )
                except CredentialsNeeded:
                    # The refresh token has expired; the person or the client must obtain a new one.
                    refresh = None
            if token is None and self._open_url is not None:
                code = await self._agreed(decision)
                token = await self._asked(
                    transport, url, decision, "authorization_code", **code
                )
            elif token is None:
                token = await self._asked(
                    transport,
                    url,
                    decision,
                    "client_credentials",
                    scope=self._scope(decision),
                )
        lasts = _seconds(token.get("expires_in"))
        ends = time.monotonic() + lasts - min(_EARLY, lasts / 2)
        if _is_token(given := token.get("refresh_token")):
            refresh = given
        return token["access_token"], ends, refresh

    def _scope(self, decision: Decision) -> str | None:
        scopes = decision.auth.scopes if self._scopes is None else self._scopes
        return " ".join(scopes) or None

    async def _asked(
        self,
        transport: GuardedTransport,
        url: str,
        decision: Decision,
        grant: str,
        **fields: str | None,
    ) -> dict[str, Any]:
        """Requests a token from the token endpoint (RFC 6749 section 3.2)."""
        given = {name: value for name, value in fields.items() if value is not None}
        body = _authlib("oauth2.rfc6749.parameters").prepare_token_request(
            grant, "", **given
        )
        auth = _authlib("oauth2.auth").ClientAuth(
            self._id, self._secret, "client_secret_basic" if self._secret else "none"
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
        said = said_by(reply.body) or "an answer without a valid access_token"
        said = f"{url} gives no token: status {reply.status}: {said}"
        raise CredentialsNeeded(said, decision)

    async def _agreed(self, decision: Decision) -> dict[str, str | None]:
        """Lets a person agree in a browser, and returns the fields that exchange the code for a token."""
        assert self._open_url is not None
        page = self._checked(
            self._authorization_url or decision.auth.authorization_url, decision
        )
        secret_of = _authlib("common.security").generate_token
        pkce = _authlib("oauth2.rfc7636")
        verifier, state = secret_of(64), secret_of(32)
        with _Loopback() as loopback:
            asked = _authlib("oauth2.rfc6749.parameters").prepare_grant_uri(
                page,
                self._id,
                "code",
                redirect_uri=loopback.url,
                scope=self._scope(decision),
                state=state,
                code_challenge=pkce.create_s256_code_challenge(verifier),
                code_challenge_method="S256",
            )
            await anyio.to_thread.run_sync(
                self._open_url, asked, abandon_on_cancel=True
            )
            code = await loopback.code(state)
            if code is None:
                raise CredentialsNeeded("the person has not agreed", decision)
            return {
                "code": code,
                "code_verifier": verifier,
                "redirect_uri": loopback.url,
                # A client with a secret sends its id in the header.
                "client_id": None if self._secret else self._id,
            }

    def _checked(self, url: str | None, decision: Decision) -> str:
        """Returns `url` if it may receive secrets. Raises CredentialsNeeded or CredentialsRefused otherwise."""
        if url is None:
            raise CredentialsNeeded(
                "the documents declare no OAuth 2 endpoint; give `token_url`", decision
            )
        parts = urlsplit(url)
        is_local = parts.scheme == "http" and _is_loopback(host_of(url))
        if not (parts.scheme == "https" or is_local) or "@" in parts.netloc:
            raise CredentialsRefused(
                f"{url} is not an https URL, and gets no credentials", decision
            )
        if not _may_have_secrets(url, decision, self._approved):
            raise CredentialsRefused(
                f"{url} is on another domain or port than the documents; approve it with approve=[{url!r}] to send credentials there",
                decision,
            )
        return url


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
        _is_loopback(host_of(each)) for each in (url, origin)
    )


def _is_loopback(host: str | None) -> bool:
    return host in {"localhost", "127.0.0.1", "::1", "[::1]"}


class _Loopback:
    """A port of this machine that receives the code (RFC 8252 section 7.3)."""

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

    async def code(self, state: str) -> str | None:
        """Waits for the answer with this state, and returns its code; None if there is none."""
        seen = 0
        with anyio.move_on_after(_CODE_SECONDS):
            while True:
                for answer in self._received[seen:]:
                    seen += 1
                    if answer.get("state") == [state]:
                        return answer.get("code", [None])[0]
                await anyio.sleep(0.02)
        return None
