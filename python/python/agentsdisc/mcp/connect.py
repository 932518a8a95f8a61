"""Connects: first the decision, then the transport, then the session."""

import re
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import anyio
import httpx2
import mcp
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from .. import Decision, Document, __version__
from .._arguments import may_be, must_be
from .._errors import (
    CallError as McpError,
)
from .._errors import (
    ConnectionFailed,
    CredentialsNeeded,
    CredentialsRefused,
    LimitExceeded,
    NotDeclared,
)
from .._limits import Limiter
from ..discovery import Site, Timeouts, adiscover
from .endpoints import Rules, choose
from .session import Conduct, Confirm, Session
from .transport import McpTransport, TooLong

STREAMABLE, SSE = "streamable-http", "sse"

_CLOSING = 5.0
"""Seconds that closing a session may take."""

# What an older server, which has only SSE, says to a message by POST (MCP, Transports, Backwards Compatibility).
_OLDER = frozenset({400, 404, 405})

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[!-~]+(?: +[!-~]+)*")


async def open_session(
    where: str | Site | Document | Iterable[Document],
    *,
    agent: str,
    endpoint: str | None,
    transport: str | None,
    token: str | None,
    headers: Mapping[str, str] | None,
    approve: Iterable[str],
    confirm: Confirm | None,
    done: Iterable[str],
    origin: str | None,
    timeouts: Timeouts | None,
    max_tools: int,
    max_response: int,
    max_wait: float | None,
    allow_private: bool,
    discovery: Mapping[str, Any],
) -> AsyncIterator[Session]:
    """The generator behind `connect`."""
    may_be(Timeouts, timeouts, "timeouts")
    waits = timeouts or Timeouts()
    if transport not in {None, STREAMABLE, SSE}:
        raise ValueError(f"transport is {STREAMABLE!r} or {SSE!r}, not {transport!r}")
    # What is not a number compares with nothing, and would be waited for without end.
    if max_wait is not None and not max_wait >= 0:
        raise ValueError(f"max_wait must be 0 s or more, not {max_wait}")
    must_be(str, agent, "agent")
    if not _VALUE.fullmatch(agent):
        raise ValueError(f"{agent!r} cannot be a User-Agent")
    if isinstance(where, str):
        options = {"timeouts": waits, "allow_private": allow_private, **discovery}
        options.setdefault("user_agent", agent)
        where = await adiscover(where, **options)
    rules = Rules.of(where, agent=agent, origin=origin, approve=approve)
    try:
        with anyio.fail_after(waits.total):
            chosen, decision = await choose(rules, endpoint)
    except TimeoutError:
        raise LimitExceeded(
            f"the documents declare more capabilities than can be looked at within {waits.total:g} s"
        ) from None
    except NotDeclared as problem:
        raise _with_what_is_missed(problem, where) from None
    sent = credentials(decision, chosen.url, token, headers)
    conduct = Conduct(
        confirm,
        bool(sent),
        max_tools,
        waits.request if max_wait is None else max_wait,
        waits.total,
    )
    limiter = Limiter()
    ran = set(done)

    kinds = [transport or chosen.transport]
    if kinds[0] not in {STREAMABLE, SSE}:
        kinds = [STREAMABLE, SSE]
    for kind in kinds:
        try:
            carrier = McpTransport(
                chosen.url,
                private=rules.named(endpoint) if allow_private else (),
                max_response=max_response,
                agent=agent,
                credentials=sent,
            )
        except (ValueError, httpx2.InvalidURL):
            raise ConnectionFailed(
                f"{chosen.url} is not a valid URL to connect to", decision
            ) from None
        attempt = _Attempt(carrier, kind, waits, agent)
        try:
            async with attempt.opened(chosen.url) as session:
                session._govern(rules, chosen, decision, conduct, limiter, ran)
                yield session
            return
        except BaseException as problem:
            if isinstance(attempt.body, Exception | KeyboardInterrupt | SystemExit):
                # What the caller's own block raised; the SDK's task groups have put it into groups.
                raise attempt.body from attempt.body.__cause__
            if not isinstance(problem, Exception):
                raise
            if (
                kind != kinds[-1]
                and carrier.statuses[:1]
                and carrier.statuses[0] in _OLDER
            ):
                continue
            raise attempt.error(problem, chosen.url, decision) from problem


def _with_what_is_missed(problem: NotDeclared, where: object) -> NotDeclared:
    """The error, and why there may be documents of the site that declare it."""
    missed = where.missed if isinstance(where, Site) else ()
    reasons = dict.fromkeys(a.error or a.message or str(a.rejection) for a in missed)
    if not reasons:
        return problem
    said = f"{problem}; but not all of them could be had ({', '.join(reasons)})"
    return NotDeclared(said, problem.decision)


class _Attempt:
    """One transport that is tried."""

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
        """What the block of the caller raised."""

    @asynccontextmanager
    async def opened(self, url: str) -> AsyncIterator[Session]:
        """The session, initialized; fails where that lasts longer than `total`. Closing it never lasts long."""
        waits, stands = self._waits, False
        # Outside of all that is entered, so that it can end any of it; without end once the session stands.
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
                await session.initialize()
                scope.deadline = float("inf")
                stands = True
                try:
                    yield session
                except BaseException as problem:
                    self.body = problem
                    raise
                finally:
                    # The SDK tells the server, and would wait for its answer as long as for a stream.
                    patience = min(waits.request, _CLOSING)
                    scope.deadline = anyio.current_time() + patience
        if scope.cancelled_caught:
            if not stands:
                raise TimeoutError(f"no session within {waits.total:g} s")
            if self.body is not None:
                raise self.body

    def _streams(self, url: str) -> Any:
        waits = self._waits
        # A stream may be silent for long; the requests have their own time, which the session keeps.
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
        """What to raise for a session that does not come about."""
        if isinstance(problem, McpError):
            return problem
        if isinstance(self._carrier.problem, TooLong):
            return LimitExceeded(
                f"{url} answers with more than is read (max_response)", decision
            )
        if any(status in {401, 403} for status in self._carrier.statuses):
            return CredentialsNeeded(f"{url} wants (other) credentials", decision)
        cause = self._carrier.problem or _innermost(problem)
        said = f"status {self._carrier.statuses[0]}; " if self._carrier.statuses else ""
        why = f"{said}{type(cause).__name__}: {cause}"[:300]
        return ConnectionFailed(f"no session with {url}: {why}", decision)


def _innermost(problem: BaseException) -> BaseException:
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem


def credentials(
    decision: Decision, url: str, token: str | None, headers: Mapping[str, str] | None
) -> dict[str, str]:
    """The headers that carry the credentials; none where none are given.

    Raises CredentialsRefused if they must not be sent there, ValueError if they are not valid in a header.
    """
    sent = dict(headers or {})
    if token is not None:
        auth = decision.auth
        name, prefix = auth.header, auth.prefix or ""
        if name is None:
            if auth.type in {"api-key", "hmac"}:
                raise ValueError(
                    f"the documents do not say which header a credential of type {auth.type} goes into: give `headers`"
                )
            # MCP, Authorization 2.6: as a bearer token.
            name, prefix = "Authorization", "Bearer"
        _check(name, token)
        sent[name] = f"{prefix} {token}".lstrip()
    if not sent:
        return {}
    if decision.credentials != "allowed":
        raise CredentialsRefused(
            f"credentials must not be sent to {url} ({decision.credentials})", decision
        )
    for name, value in sent.items():
        _check(name, value)
    return sent


def _check(name: str, value: str) -> None:
    if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
        # Without the value, which is a secret.
        raise ValueError("the credential has a character that is not valid in a header")
