"""Calls the capabilities that the documents of a site declare.

The core decides whether a call is allowed, plans its requests, and reads what the answers mean; this package sends
them (`pip install 'agentsdisc[http]'`). MCP needs the official SDK (`agentsdisc[mcp]`).
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    Required,
    TypedDict,
    Unpack,
    overload,
)

from .. import Document
from .._arguments import as_in, may_be, must_be
from .._conduct import Credentials
from .._consent import Confirm, Question
from .._extras import HTTP, needing
from .._limits import Limiter
from .._policy import Decision
from .._verified import SkillVerification, Verification
from ..discovery import Site, Timeouts
from .checking import check_options, checked_where
from .errors import (
    CallError,
    CallFailed,
    CallRefused,
    ClientNeeded,
    ConfirmationRefused,
    ConnectionFailed,
    CredentialsNeeded,
    CredentialsRefused,
    LimitExceeded,
    NotDeclared,
    PaymentRequired,
    PaymentTerms,
    PolicyDenied,
    PrerequisitesMissing,
    RateLimited,
)
from .results import Answer, HttpRequest, Operation, Output, Planned, Step

if TYPE_CHECKING:
    from ..identity import Identity

with needing("calls need httpx", *HTTP):
    from .oauth import OAuth2

__all__ = [
    "Answer",
    "CallError",
    "CallFailed",
    "CallRefused",
    "ClientNeeded",
    "Confirm",
    "ConfirmationRefused",
    "ConnectionFailed",
    "Credentials",
    "CredentialsNeeded",
    "CredentialsRefused",
    "HttpRequest",
    "LimitExceeded",
    "Limiter",
    "NotDeclared",
    "OAuth2",
    "Operation",
    "Output",
    "PaymentRequired",
    "PaymentTerms",
    "Planned",
    "PolicyDenied",
    "PrerequisitesMissing",
    "Question",
    "RateLimited",
    "Step",
    "acall",
    "call",
]

Where = str | Site | Document | Iterable[Document]


def __dir__() -> list[str]:
    """Returns the public names."""
    return sorted(__all__)


class Options(TypedDict, total=False):
    """The options of `call`: those of `acall`."""

    agent: Required[str]
    credentials: Credentials | None
    headers: Mapping[str, str] | None
    confirm: Confirm | Literal[True] | None
    notice: Callable[[Decision], None] | None
    progress: Callable[[Step], Awaitable[None] | None] | None
    before: Mapping[str, Mapping[str, Any]] | None
    done: Iterable[str]
    endpoint: str | None
    transport: str | None
    idempotency_key: str | None
    approve: Iterable[str]
    origin: str | None
    verified: Iterable[Verification | SkillVerification]
    limiter: Limiter | None
    timeouts: Timeouts | None
    max_wait: float | None
    max_response: int
    allow_private: bool | None
    undeclared: bool
    from_text: bool
    discovery: Mapping[str, Any] | None
    identity: "Identity | None"


@overload
async def acall(
    where: Where,
    capability: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    dry_run: Literal[False] = False,
    **options: Unpack[Options],
) -> Answer: ...
@overload
async def acall(
    where: Where,
    capability: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    dry_run: Literal[True],
    **options: Unpack[Options],
) -> Planned: ...
async def acall(
    where: Where,
    capability: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    dry_run: bool = False,
    **options: Unpack[Options],
) -> Answer | Planned:
    """Calls a capability of a site. Runs under asyncio and trio.

    `where` is the URL of a site, a result of `discover`, or documents. `capability` is its id; if no document declares
    it, but one declares an MCP server, the name of a tool. Such a tool is called only if the server has it and the documents permit
    it: documents that name tools forbid all others.

    - `agent` (required): the product token or User-Agent, as for `agentsdisc.decide`; also the User-Agent of every request.
    - `credentials`: a token, or a function that returns one, such as an `OAuth2`, which also follows a refusal of the server to a token. It is sent in the header that the documents name, by default as
      a bearer token, and only where `decision.credentials` allows it. `headers`: credentials in other headers, sent to the same place;
      not those of the connection, such as `Host`, and not those that each request has, such as `User-Agent`.
    - `confirm`: called with a `Question`, the capability and the arguments if a person should or must agree, after everything that can be known
      before the call is checked; only True is consent. The question is the decision with what the person needs to know; `str()` has it in words. Without it, such calls are refused. `confirm=True` says that a person has agreed to this call; that is not consent to
      actions that run before it.
    - `notice`: called with each decision, about the call and about each action that runs first, before that step runs or is refused. Use it to show
      what the site says in words (`cannot`, `behavior`, `unread`), and `degraded`.
    - `progress`: called with each `Step` after its request was answered, such as each poll of a long job; may be asynchronous.
    - `before`: the arguments of the actions that have to run first, by their ids. `done`: the actions that ran already.
    - `endpoint`: the MCP endpoint whose tool `capability` is; it must be declared, or in `approve`. `transport`: `streamable-http` or `sse`,
      if the documents do not say.
    - `idempotency_key`: sent if the document names a field for it; a call with a key is repeated after errors. Each action that runs first gets its
      own key, derived from this one.
    - `approve`: endpoints on other domains that the user has approved. `origin`: the origin of the given documents.
    - `verified`: results of `agentsdisc.verify`, as for `agentsdisc.decide`.
    - `limiter`: counts calls for the rate limits; default: one for each site and agent, which all calls of this process share.
    - `timeouts`: `total` bounds the whole call. `max_wait`: the longest wait for rate limits, in seconds; default: `timeouts.request`.
    - `max_response`: the most bytes of one answer; default: 16 MiB.
    - `allow_private`: connect to the hosts of the site and of `approve` also if they are at private or loopback addresses; default: as
      `discover` was told for a Site, otherwise False.
    - `undeclared`: send arguments to a capability that declares no parameters. `from_text`: read str arguments as the declared type.
    - `discovery`: more options for `adiscover`, such as `cache`, if `where` is a URL.
    - `identity`: an `identity.Identity`, a key and the URL of its directory, that signs every request (Web Bot Auth).
    - `dry_run`: send only the requests that discover the site and describe the capability, and return the request that the call would send.

    Raises `CallError`: `PolicyDenied` if a document denies the call, `CallRefused` if the arguments make no valid call,
    `ConfirmationRefused`, `CredentialsNeeded`, `RateLimited`, `ConnectionFailed`, `LimitExceeded`, `CallFailed` if the server answers with
    an error, `PaymentRequired` if it answers with payment terms, `ClientNeeded` if another client is needed. Raises ValueError and TypeError for invalid options, ImportError without httpx.
    """
    must_be(str, capability, "capability")
    may_be(Mapping, arguments, "arguments")
    check_options(options, Options.__annotations__.keys())
    place = checked_where(where)
    with needing("calls need httpx", *HTTP):
        from .runner import Runner
    return await Runner.run(place, capability, dict(arguments or {}), dry_run, options)


@overload
def call(
    where: Where,
    capability: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    dry_run: Literal[False] = False,
    **options: Unpack[Options],
) -> Answer: ...
@overload
def call(
    where: Where,
    capability: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    dry_run: Literal[True],
    **options: Unpack[Options],
) -> Planned: ...
@as_in(acall)
def call(
    where: Where,
    capability: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    dry_run: bool = False,
    **options: Unpack[Options],
) -> Answer | Planned:
    """Does the same as `acall` for callers without an event loop; also works beside a running one."""
    from ..discovery.waiting import wait_for

    async def go() -> Answer | Planned:
        if dry_run:
            return await acall(where, capability, arguments, dry_run=True, **options)
        return await acall(where, capability, arguments, **options)

    if isinstance(where, Site) and where._connections is not None:
        return where._connections.run(go)
    return wait_for(go)
