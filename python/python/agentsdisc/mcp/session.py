"""The session of the SDK, which checks the policy of the site before every call of a tool."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
import mcp.types as types
from anyio.lowlevel import checkpoint
from mcp import ClientSession, MCPError
from mcp.shared.dispatcher import ProgressFnT
from mcp.shared.message import ClientMessageMetadata
from pydantic import BaseModel, TypeAdapter

from .. import Decision, PrerequisiteError
from .._conduct import check_room, make_room
from .._consent import Confirm, Question, ask
from .._errors import (
    CallError as McpError,
)
from .._errors import (
    CredentialsNeeded,
    LimitExceeded,
    NotDeclared,
    PolicyDenied,
    PrerequisitesMissing,
    refused,
)
from .._gateways import McpEndpoint, Rules, capabilities_of
from .._limits import Limiter
from .._visible import shown
from .transport import McpTransport

ResultT = TypeVar("ResultT", bound=BaseModel)

_MOST_PAGES = 100


@shown
@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the server, and what the site says about it."""

    tool: types.Tool
    """The tool as the server describes it. The server wrote its texts: do not print them unescaped, and do not trust them."""
    capabilities: tuple[str, ...]
    """The ids of the capabilities that the tool corresponds to; empty if the documents name none."""
    decision: Decision
    """The decision about a call. With several capabilities: a denial, otherwise the decision with the strictest conditions."""

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.tool.name

    @property
    def allowed(self) -> bool:
        """Whether the policy permits to call the tool."""
        return self.decision.allowed


@dataclass(frozen=True, slots=True)
class Conduct:
    """The settings of a session: confirmation, credentials and limits."""

    confirm: Confirm | None
    has_credentials: bool
    max_tools: int
    max_wait: float
    max_listing: float


class Session(ClientSession):
    """An `mcp.ClientSession`, ready for requests, that calls no tool which the site does not permit.

    `protocol_version` is the revision of MCP: 2026-07-28, or the newest that an older server has.

    All methods of the SDK work unchanged. Before `tools/call` is sent, by `call_tool` or otherwise, the session checks the policy, asks a person if
    the site requires it, and waits for the rate limits.
    """

    endpoint: McpEndpoint
    """The endpoint that the session is connected to."""
    transport: str
    """The transport: `streamable-http` or `sse`."""
    decision: Decision
    """The decision that allows the connection, with the words of an agents.md (`can`, `cannot`, `behavior`)."""
    _rules: Rules
    _conduct: Conduct
    _limiter: Limiter
    _ran: set[str]
    _carrier: McpTransport
    _tools: dict[str, Tool] | None = None
    _stale: float = math.inf

    def _govern(
        self,
        rules: Rules,
        endpoint: McpEndpoint,
        decision: Decision,
        conduct: Conduct,
        limiter: Limiter,
        ran: set[str],
        carrier: McpTransport,
    ) -> None:
        self._ran, self._carrier = ran, carrier
        self.endpoint, self.decision = endpoint, decision
        self._rules, self._conduct, self._limiter = rules, conduct, limiter

    async def tools(self) -> list[Tool]:
        """Returns all tools of the server, each with its decision. Requests the list every time.

        Raises LimitExceeded if the server has more than `max_tools`, or takes longer than `timeouts.total` to list them.
        """
        seconds = self._conduct.max_listing
        with anyio.move_on_after(seconds):
            listed = await self._listed()
            of = capabilities_of(
                self._rules, self.endpoint, [tool.name for tool in listed]
            )
            strictest: dict[tuple[str, ...], Decision] = {}
            found = []
            for tool in listed:
                ids = of(tool.name)
                # If capabilities at this endpoint are declared, but none for this tool, the decision is about the tool's name.
                named = ids or ((tool.name,) if self.endpoint.capabilities else ())
                if named not in strictest:
                    strictest[named] = await self._strictest(named)
                found.append(Tool(tool, ids, strictest[named]))
            self._tools = {tool.name: tool for tool in found}
            return found
        raise LimitExceeded(f"the list of tools takes longer than {seconds:g} s")

    async def _listed(self) -> list[types.Tool]:
        """Requests all tools, page by page."""
        listed: list[types.Tool] = []
        cursor: str | None = None
        self._stale = math.inf
        for _ in range(_MOST_PAGES):
            params = types.PaginatedRequestParams(cursor=cursor) if cursor else None
            page = await self.list_tools(params=params)
            # Without a time, the list is kept for the session: a server of an older revision states none.
            if page.ttl_ms:
                ends = anyio.current_time() + page.ttl_ms / 1000
                self._stale = min(self._stale, ends)
            listed += page.tools
            if len(listed) > self._conduct.max_tools:
                raise LimitExceeded(
                    f"the server has more than {self._conduct.max_tools} tools (max_tools)"
                )
            cursor = page.next_cursor
            if not cursor:
                return listed
        raise LimitExceeded(f"the list of tools has more than {_MOST_PAGES} pages")

    async def _strictest(self, ids: tuple[str, ...]) -> Decision:
        """Returns the decision with the strictest conditions about these capabilities; without any, that about the endpoint."""
        if not ids:
            return self._rules.url(self.endpoint.url)
        decisions = []
        for id in ids:
            # A large document can have very many capabilities: other tasks run in between, and this one can be cancelled.
            await checkpoint()
            decisions.append(self._rules.capability(id))
        return max(decisions, key=_strictness)

    async def permission(self, name: str) -> Tool:
        """Returns the tool with this name and its decision, from the last list while that is fresh (`ttlMs`). Raises NotDeclared if the server has none."""
        is_fresh = anyio.current_time() < self._stale
        if self._tools is None or name not in self._tools or not is_fresh:
            await self.tools()
        assert self._tools is not None
        if name not in self._tools:
            raise NotDeclared(f"the server has no tool {name!r}")
        return self._tools[name]

    async def send_request(
        self,
        request: types.ClientRequest | types.Request[Any, Any],
        result_type: type[ResultT] | TypeAdapter[ResultT],
        request_read_timeout_seconds: float | None = None,
        metadata: ClientMessageMetadata | None = None,
        progress_callback: ProgressFnT | None = None,
    ) -> ResultT:
        """Sends a request; a call of a tool only if it is permitted. Raises McpError otherwise."""
        tool = None
        if request.method == "tools/call":
            name: str = getattr(request.params, "name", "")
            tool = await self.permission(name)
            await self._guard(tool, getattr(request.params, "arguments", None) or {})
        try:
            result = await super().send_request(
                request,
                result_type,
                request_read_timeout_seconds,
                metadata,
                progress_callback,
            )
        except MCPError:
            # The server wanted a token, and there is none.
            carrier: McpTransport | None = getattr(self, "_carrier", None)
            if carrier is not None and isinstance(carrier.problem, McpError):
                raise carrier.problem from None
            raise
        if tool is not None and not getattr(result, "is_error", False):
            self._ran.update(tool.capabilities)
        return result

    async def validate_tool_result(
        self, name: str, result: types.CallToolResult
    ) -> None:
        """Does nothing: results are not compared with the output schemas that the server gives for them.

        A schema can be written so that the comparison never ends, and the server provides both.
        """

    async def _guard(self, tool: Tool, arguments: Mapping[str, Any]) -> None:
        name, decision, longest = tool.name, tool.decision, self._conduct.max_wait
        if not decision.allowed:
            raise refused(decision, f"the tool {name!r} is not called")
        if decision.auth.need == "required" and not self._conduct.has_credentials:
            raise CredentialsNeeded(
                f"the tool {name!r} needs credentials: {decision.auth.type or 'unknown'}",
                decision,
            )
        self._check_prerequisites(decision, name)
        if decision.confirmation != "not-stated":
            from ..calls.results import Operation

            check_room(self._limiter, decision, name, longest)
            sent = Operation("mcp", self.endpoint.url, name, arguments)
            question = Question.about(
                decision, site=self._rules.site, arguments=arguments, request=sent
            )
            await ask(self._conduct.confirm, question, name)
        await make_room(self._limiter, decision, name, longest)

    def _check_prerequisites(self, decision: Decision, name: str) -> None:
        """Raises PrerequisitesMissing unless all actions that must run first have run."""
        missing: tuple[str, ...] = ()
        why = None
        try:
            missing = tuple(id for id in decision.prerequisites if id not in self._ran)
            if missing:
                why = f"the site requires first: {', '.join(missing)}"
        except PrerequisiteError as error:
            missing = tuple(id for id in error.readable if id not in self._ran)
            if error.cycle:
                cycle = " -> ".join(error.cycle)
                why = f"the actions before it require each other ({cycle})"
            elif missing or not self._ran:
                why = "the actions that the site requires first cannot be read"
        if why is not None:
            said = f"the tool {name!r} is not called: {why}"
            raise PrerequisitesMissing(said, decision, missing)


def _strictness(decision: Decision) -> tuple[bool, int, bool]:
    asked = ("not-stated", "should", "must").index(decision.confirmation)
    return not decision.allowed, asked, decision.auth.need == "required"


__all__ = ["Confirm", "McpError", "PolicyDenied", "Session", "Tool"]
