"""From the documents of a site to a session with its MCP server.

A thin bridge to the official SDK, which `pip install 'agentsdisc[mcp]'` brings. The session is the SDK's; what
comes on top is the policy: where to connect, with which credentials, and which tools may be called.
"""

from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from .. import Document
from ..discovery import Site, Timeouts

try:
    from .connect import open_session
    from .endpoints import McpEndpoint
    from .session import Confirm, Session, Tool
except ModuleNotFoundError as missing:
    if missing.name in {"mcp", "httpx", "httpcore", "httpx2", "anyio"}:
        message = "agentsdisc.mcp needs the MCP SDK: pip install 'agentsdisc[mcp]'"
        raise ImportError(message, name=missing.name) from None
    raise
from .errors import (
    ConfirmationRefused,
    ConnectionFailed,
    CredentialsNeeded,
    CredentialsRefused,
    LimitExceeded,
    McpError,
    NotDeclared,
    PolicyDenied,
    RateLimited,
)
from .limits import Limiter

__all__ = [
    "Confirm",
    "ConfirmationRefused",
    "ConnectionFailed",
    "CredentialsNeeded",
    "CredentialsRefused",
    "LimitExceeded",
    "Limiter",
    "McpEndpoint",
    "McpError",
    "NotDeclared",
    "PolicyDenied",
    "RateLimited",
    "Session",
    "Tool",
    "connect",
]


def connect(
    where: str | Site | Document | Iterable[Document],
    *,
    agent: str,
    endpoint: str | None = None,
    transport: str | None = None,
    token: str | None = None,
    headers: Mapping[str, str] | None = None,
    approve: Iterable[str] = (),
    confirm: Confirm | None = None,
    origin: str | None = None,
    timeouts: Timeouts | None = None,
    max_tools: int = 1000,
    max_response: int = 16 << 20,
    max_wait: float | None = None,
    allow_private: bool = False,
    discovery: Mapping[str, Any] | None = None,
) -> AbstractAsyncContextManager[Session]:
    """A session with the MCP server of a site, as in `connect("https://mugs.example", agent="MyBot/1.0")`.

    `where` is the URL of a site, which is asked for its documents; or what `discover` found; or documents. Runs
    under asyncio and trio.

    - `agent`: the product token or User-Agent, as for `agentsdisc.decide`; also the name of the client in MCP,
      and the User-Agent of every request.
    - `endpoint`: which of the declared endpoints; without it, the first that is permitted. One that is not
      declared must be in `approve`.
    - `transport`: `streamable-http` or `sse`, where it is not to be as the documents say. Where nobody
      says it, streamable HTTP is tried, then SSE, as the MCP specification has it for older servers.
    - `token`: sent with each request, in the header that the documents name, else as a bearer token;
      `headers`: credentials that go elsewhere. They are sent to the origin of the endpoint only, never
      without encryption but to this very machine, and never logged.
    - `approve`: endpoints on other domains that the user has approved.
    - `confirm`: asked with the decision, the tool and the arguments, where a person should or must be asked before
      the call; only True is consent. Without it, such calls are refused.
    - `origin`: where documents that are given were fetched from; without it, what they say of themselves is
      believed. The origin of a discovered site is known.
    - `timeouts`: `total` bounds discovery, and again connecting and each list of the tools; `request` the wait for an
      answer in the session.
    - `max_tools`, `max_response`: the most tools, and the most bytes of one answer or stream, that are read.
    - `max_wait`: how many seconds a call waits for the rate limits at most; `timeouts.request` by default.
    - `allow_private`: connect to the hosts that you name (`where` or `origin`, `endpoint`, `approve`) also if they are at private or
      loopback addresses. All other hosts still must be public.
    - `discovery`: more options for `adiscover`, such as `cache`.

    Raises NotDeclared, PolicyDenied, CredentialsRefused, CredentialsNeeded, ConnectionFailed, LimitExceeded, all of
    them McpError with the `decision`; ValueError where `where`, `transport`, `max_wait` or a credential is none.
    """
    return _connect(
        where,
        agent=agent,
        endpoint=endpoint,
        transport=transport,
        token=token,
        headers=headers,
        approve=approve,
        confirm=confirm,
        origin=origin,
        timeouts=timeouts,
        max_tools=max_tools,
        max_response=max_response,
        max_wait=max_wait,
        allow_private=allow_private,
        discovery=discovery or {},
    )


_connect = asynccontextmanager(open_session)
