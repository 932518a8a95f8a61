"""Connects: first the decision, then the transport, then the session."""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import mcp
from mcp import MCPError
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

from .. import Decision, Document, __version__
from .._arguments import may_be
from .._conduct import (
    Credentials,
    check_agent,
    check_headers,
    has_key,
    headers_with,
    is_private_allowed,
    longest_wait,
    token_of,
)
from .._consent import Confirm
from .._errors import (
    CallError as McpError,
)
from .._errors import (
    ConnectionFailed,
    CredentialsNeeded,
    CredentialsRefused,
    LimitExceeded,
    NotDeclared,
    why_missed,
)
from .._gateways import Rules, choose
from .._limits import Limiter
from ..calls.authorizing import Challenge, pointer
from ..calls.oauth import OAuth2
from ..discovery import Site, Timeouts, adiscover
from ..discovery.transport import GuardedTransport
from .session import Conduct, Session
from .transport import McpTransport, TooLong

if TYPE_CHECKING:
    from ..identity import Identity

STREAMABLE, SSE = "streamable-http", "sse"

_CLOSING = 5.0
"""Seconds that closing a session may take."""

# The statuses of an older server, which supports only SSE, for a message by POST (MCP, Transports, Backwards Compatibility).
_OLDER = frozenset({400, 404, 405})
_MODERN = range(-32099, -32019)
"""The error codes of revision 2026-07-28 and later (MCP, Overview, Error Codes). A server that sends one is no older server."""


async def open_session(
    where: str | Site | Document | Iterable[Document],
    *,
    agent: str,
    endpoint: str | None,
    transport: str | None,
    token: Credentials | None,
    headers: Mapping[str, str] | None,
    approve: Iterable[str],
    confirm: Confirm | None,
    limiter: Limiter | None,
    done: Iterable[str],
    origin: str | None,
    timeouts: Timeouts | None,
    max_tools: int,
    max_response: int,
    max_wait: float | None,
    allow_private: bool | None,
    discovery: Mapping[str, Any],
    identity: "Identity | None",
) -> AsyncIterator[Session]:
    """The generator behind `connect`."""
    may_be(Timeouts, timeouts, "timeouts")
    waits = timeouts or Timeouts()
    if transport not in {None, STREAMABLE, SSE}:
        raise ValueError(f"transport is {STREAMABLE!r} or {SSE!r}, not {transport!r}")
    longest = longest_wait(max_wait, waits.request)
    check_agent(agent)
    check_headers(headers)
    if identity is not None:
        from ..identity.signing import checked

        identity = checked(identity)
    allow_private = is_private_allowed(allow_private, where)
    if isinstance(where, str):
        options = {
            "timeouts": waits,
            "allow_private": allow_private,
            "identity": identity,
            **discovery,
        }
        options.setdefault("user_agent", agent)
        where = await adiscover(where, **options)
    rules = Rules.of(where, agent=agent, origin=origin, approve=approve)
    try:
        with anyio.fail_after(waits.total):
            chosen, decision = await choose(rules, endpoint)
    except TimeoutError:
        raise LimitExceeded(
            f"the documents declare more capabilities than can be decided within {waits.total:g} s"
        ) from None
    except NotDeclared as problem:
        raise _with_what_is_missed(problem, where) from None
    sent = await credentials(decision, chosen.url, token, headers)
    private = rules.named(endpoint) if allow_private else []
    given = token if isinstance(token, OAuth2) else None
    authorizing = Authorizing(given, chosen.url, decision, private, agent)
    conduct = Conduct(
        confirm,
        has_key(sent) or given is not None,
        max_tools,
        longest,
        waits.total,
    )
    ran = set(done)

    kinds = [transport or chosen.transport]
    if kinds[0] not in {STREAMABLE, SSE}:
        kinds = [STREAMABLE, SSE]
    while kinds:
        kind = kinds.pop(0)
        try:
            carrier = McpTransport(
                chosen.url,
                private=private,
                max_response=max_response,
                agent=agent,
                credentials=sent,
                identity=identity,
            )
        except (ValueError, httpx2.InvalidURL):
            raise ConnectionFailed(
                f"{chosen.url} is not a valid URL to connect to", decision
            ) from None
        attempt = _Attempt(carrier, kind, waits, agent)
        try:
            async with attempt.opened(chosen.url) as session:
                carrier.authorize = authorizing.authorize
                session._govern(
                    rules, chosen, decision, conduct, limiter or Limiter(), ran, carrier
                )
                yield session
            return
        except BaseException as problem:
            if isinstance(attempt.body, Exception | KeyboardInterrupt | SystemExit):
                # Raises the exception of the caller's block without the exception groups of the SDK's task groups.
                raise attempt.body from attempt.body.__cause__
            if not isinstance(problem, Exception):
                raise
            if kinds and attempt.is_for_an_older_server():
                continue
            failed = attempt.error(problem, chosen.url, decision)
            if not isinstance(failed, CredentialsNeeded):
                raise failed from problem
            # Nobody is asked again and again: a token that the server refuses is the last one.
            made = None
            if not authorizing.has_asked:
                with _within(waits.total, f"a token for {chosen.url}"):
                    made = await authorizing.authorize(carrier.challenge, sent)
            if made is None:
                raise failed from problem
            sent = {**sent, **made}
            kinds.insert(0, kind)


@contextmanager
def _within(seconds: float, what: str) -> Iterator[None]:
    """Raises LimitExceeded if the block takes longer."""
    try:
        with anyio.fail_after(seconds):
            yield
    except TimeoutError:
        raise LimitExceeded(
            f"{what} takes longer than {seconds:g} s (timeouts.total)"
        ) from None


class Authorizing:
    """Gets tokens of the authorization server that the MCP server names."""

    def __init__(
        self,
        oauth: OAuth2 | None,
        url: str,
        decision: Decision,
        private: list[str],
        agent: str,
    ) -> None:
        self._oauth, self._url, self._decision = oauth, url, decision
        self._private, self._agent = private, agent
        self.has_asked = False
        """Whether a token was asked for."""

    async def authorize(
        self, challenge: Challenge | None, sent: Mapping[str, str]
    ) -> dict[str, str] | None:
        """Returns the header with a token after a request with the headers `sent` was refused; None if there is none. Raises CallError."""
        oauth, decision = self._oauth, self._decision
        if oauth is None or challenge is None:
            return None
        if decision.credentials != "allowed":
            raise _unsafe(self._url, decision)
        self.has_asked = True
        if not challenge.is_for_more:
            oauth.reject(sent.get("Authorization", "").removeprefix("Bearer "))
        async with GuardedTransport(private=self._private, connections=1) as transport:
            token = await oauth.authorize(
                challenge, self._url, decision, transport, self._agent
            )
        if token is None:
            # The documents or the caller name the server.
            token = await oauth(decision)
        return headers_with(token, None, type="oauth2", header=None, prefix=None)


def _with_what_is_missed(problem: NotDeclared, where: object) -> NotDeclared:
    """Returns the error with the reasons why documents of the site may be missing."""
    reasons = why_missed(where)
    if not reasons:
        return problem
    said = f"{problem}; {reasons}"
    return NotDeclared(said, problem.decision)


class _Attempt:
    """An attempt to open a session over one transport."""

    def __init__(
        self, carrier: McpTransport, kind: str | None, waits: Timeouts, agent: str
    ) -> None:
        self._carrier, self._kind, self._waits, self._agent = (
            carrier,
            kind,
            waits,
            agent,
        )
        self.body: BaseException | None = None
        """The exception of the caller's block."""
        self._is_modern = False

    @asynccontextmanager
    async def opened(self, url: str) -> AsyncIterator[Session]:
        """Yields the initialized session. Raises TimeoutError if opening takes longer than `total`. Limits the time for closing."""
        waits, stands = self._waits, False
        # Encloses every other context, so that it can cancel each of them. Has no deadline while the session is open.
        deadline = anyio.current_time() + waits.total
        with anyio.CancelScope(deadline=deadline) as scope:
            async with AsyncExitStack() as stack:
                await stack.enter_async_context(self._carrier)
                read, write = await stack.enter_async_context(self._streams(url))
                session = Session(
                    read,
                    write,
                    read_timeout_seconds=waits.request,
                    client_info=mcp.Implementation(
                        name=self._agent, version=__version__
                    ),
                )
                await stack.enter_async_context(session)
                session.transport = self._kind or STREAMABLE
                await self._agree(session)
                scope.deadline = float("inf")
                stands = True
                try:
                    yield session
                except BaseException as problem:
                    self.body = problem
                    raise
                finally:
                    # The SDK notifies the server, and would wait for the answer as long as for a stream.
                    patience = min(waits.request, _CLOSING)
                    scope.deadline = anyio.current_time() + patience
        if scope.cancelled_caught:
            if not stands:
                raise TimeoutError(f"no session within {waits.total:g} s")
            if self.body is not None:
                raise self.body

    async def _agree(self, session: Session) -> None:
        """Agrees with the server on the revision of MCP: 2026-07-28 without a session if the server has it, otherwise an older one.

        SSE belongs to the older revisions.
        """
        if self._kind != SSE and await self._is_discovered(session):
            return
        await session.initialize()

    async def _is_discovered(self, session: Session) -> bool:
        """Asks for `server/discover`. Returns False if the answer is that of an older server, which gets no second question if it wants credentials."""
        # An older server may leave an unknown method without an answer: this leaves time for its own method.
        with anyio.move_on_after(min(self._waits.request, self._waits.total / 2)):
            try:
                await session.discover()
                return True
            except MCPError as problem:
                self._is_modern = problem.code in _MODERN and not _is_older(problem)
                if self._is_modern or self._wants_credentials():
                    raise
            except (ValidationError, RuntimeError):
                # The answer is not one of `server/discover`, or names none of the revisions that the SDK has.
                pass
        return False

    def is_for_an_older_server(self) -> bool:
        """Returns whether every answer was that of a server which supports only SSE."""
        statuses = set(self._carrier.statuses)
        return bool(statuses) and statuses <= _OLDER and not self._is_modern

    def _wants_credentials(self) -> bool:
        return any(status in {401, 403} for status in self._carrier.statuses)

    def _streams(self, url: str) -> Any:
        waits = self._waits
        # A stream may be silent for long; requests have their own timeout in the session.
        silence = max(waits.request, 300.0)
        if self._kind == SSE:
            return sse_client(
                url,
                timeout=waits.request,
                sse_read_timeout=silence,
                httpx_client_factory=lambda headers=None, timeout=None, auth=None: (
                    httpx2.AsyncClient(
                        transport=self._carrier,
                        headers=headers,
                        timeout=timeout,
                        trust_env=False,
                    )
                ),
            )
        times = httpx2.Timeout(waits.request, connect=waits.connect, read=silence)
        client = httpx2.AsyncClient(
            transport=self._carrier, timeout=times, trust_env=False
        )
        return streamable_http_client(url, http_client=client)

    def error(self, problem: Exception, url: str, decision: Decision) -> McpError:
        """Returns the error for a session that cannot be opened."""
        if isinstance(problem, McpError):
            return problem
        if isinstance(self._carrier.problem, TooLong):
            return LimitExceeded(
                f"an answer of {url} is larger than max_response", decision
            )
        if self._wants_credentials():
            hint = pointer(self._carrier.challenge)
            said = f"{url} requires (other) credentials{hint}"
            return CredentialsNeeded(said, decision)
        cause = self._carrier.problem or _innermost(problem)
        said = (
            f"status {self._carrier.statuses[-1]}; " if self._carrier.statuses else ""
        )
        why = f"{said}{type(cause).__name__}: {cause}"[:300]
        return ConnectionFailed(f"no session with {url}: {why}", decision)


def _is_older(problem: MCPError) -> bool:
    """Returns whether a server that refuses our revision names one that begins with `initialize`."""
    data = problem.error.data
    named = data.get("supported") if isinstance(data, dict) else None
    return isinstance(named, list) and any(
        v in HANDSHAKE_PROTOCOL_VERSIONS for v in named
    )


def _innermost(problem: BaseException) -> BaseException:
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem


async def credentials(
    decision: Decision,
    url: str,
    token: Credentials | None,
    headers: Mapping[str, str] | None,
) -> dict[str, str]:
    """Returns the headers that carry the credentials; none if none are given.

    Raises CredentialsRefused if they must not be sent there, ValueError if they are not valid in a header.
    """
    if token is None and not headers:
        return {}
    if decision.credentials != "allowed":
        raise _unsafe(url, decision)
    auth = decision.auth
    if isinstance(token, OAuth2):
        made = await token.token_for(url, decision)
    else:
        made = await token_of(token, decision)
    return headers_with(
        made,
        headers,
        type=auth.type,
        header=auth.header,
        prefix=auth.prefix,
    )


def _unsafe(url: str, decision: Decision) -> CredentialsRefused:
    return CredentialsRefused(
        f"credentials must not be sent to {url} ({decision.credentials})", decision
    )
