"""Opens a session with the MCP server that the documents of a site declare.

A thin layer over the official SDK (`pip install 'agentsdisc[mcp]'`). The session is the SDK's; this package adds the
policy: where to connect, with which credentials, and which tools may be called.
"""

from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from .. import Document
from .._conduct import Credentials
from .._consent import Confirm
from .._errors import (
    CallError as McpError,
)
from .._errors import (
    ConfirmationRefused,
    ConnectionFailed,
    CredentialsNeeded,
    CredentialsRefused,
    LimitExceeded,
    NotDeclared,
    PolicyDenied,
    PrerequisitesMissing,
    RateLimited,
)
from .._extras import MCP, needing
from .._limits import Limiter
from ..discovery import Site, Timeouts

if TYPE_CHECKING:
    from ..identity import Identity

with needing("agentsdisc.mcp needs the MCP SDK", *MCP):
    from .._gateways import McpEndpoint
    from .connect import open_session
    from .session import Session, Tool

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
    "PrerequisitesMissing",
    "RateLimited",
    "Session",
    "Tool",
    "connect",
]


def __dir__() -> list[str]:
    """Returns the public names."""
    return sorted(__all__)


def connect(
    where: str | Site | Document | Iterable[Document],
    *,
    agent: str,
    endpoint: str | None = None,
    transport: str | None = None,
    token: Credentials | None = None,
    headers: Mapping[str, str] | None = None,
    approve: Iterable[str] = (),
    confirm: Confirm | None = None,
    limiter: Limiter | None = None,
    done: Iterable[str] = (),
    origin: str | None = None,
    timeouts: Timeouts | None = None,
    max_tools: int = 1000,
    max_response: int = 16 << 20,
    max_wait: float | None = None,
    allow_private: bool | None = None,
    discovery: Mapping[str, Any] | None = None,
    identity: "Identity | None" = None,
) -> AbstractAsyncContextManager[Session]:
    """Opens a session with the MCP server of a site, as in `connect("https://mugs.example", agent="MyBot/1.0")`.

    `where` is the URL of a site, a result of `discover`, or documents. Runs under asyncio and trio.

    - `agent`: the product token or User-Agent, as for `agentsdisc.decide`; also the name of the client in MCP,
      and the User-Agent of every request.
    - `endpoint`: one of the declared endpoints; default: the first that is permitted. An undeclared endpoint must be in
      `approve`.
    - `transport`: `streamable-http` or `sse`, instead of what the documents say. If they say nothing, streamable HTTP is tried first, then SSE, as
      the MCP specification recommends for older servers.
    - `token`: a token, or a function that returns one for a decision, such as a `calls.OAuth2`, which also follows a refusal of the server to a token. It is sent with each request, in the header that the documents name, by default as a bearer token. `headers`:
      credentials in other headers. They are sent only to the origin of the endpoint, only over TLS (loopback hosts
      excepted), and are never logged.
    - `approve`: endpoints on other domains that the user has approved.
    - `confirm`: called with a `calls.Question` (the decision, with what the person needs to know), the tool and the arguments if a person should or
      must agree to the call; only True is consent. Without it, such calls are refused.
    - `limiter`: counts the calls for the rate limits; default: one for this session.
    - `done`: actions that ran before the session. A tool whose action requires others is called only after these, in this
      session or before it.
    - `origin`: the origin of the given documents; default: the site that they name. The origin of a discovered site is
      known.
    - `timeouts`: `total` bounds discovery, connecting, and each list of the tools, each on its own; `request` bounds the wait for an answer in the
      session.
    - `max_tools`, `max_response`: the largest number of tools, and of bytes of one answer or stream, to read.
    - `max_wait`: the longest wait of a call for the rate limits, in seconds; default: `timeouts.request`.
    - `allow_private`: connect to the hosts that you name (`where` or `origin`, `endpoint`, `approve`) also if they are at private or
      loopback addresses; default: as `discover` was told for a Site, otherwise False. All other hosts still must be public.
    - `discovery`: more options for `adiscover`, such as `cache`.
    - `identity`: an `identity.Identity`, a key and the URL of its directory, that signs every request (Web Bot Auth).

    Raises NotDeclared, PolicyDenied, CredentialsRefused, CredentialsNeeded, ConnectionFailed, LimitExceeded, all of
    them McpError with the `decision`; ValueError if `where`, `transport`, `max_wait` or a credential is invalid.
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
        limiter=limiter,
        done=done,
        origin=origin,
        timeouts=timeouts,
        max_tools=max_tools,
        max_response=max_response,
        max_wait=max_wait,
        allow_private=allow_private,
        discovery=discovery or {},
        identity=identity,
    )


_connect = asynccontextmanager(open_session)
