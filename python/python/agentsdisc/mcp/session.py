"""The session of the SDK, which checks the policy of the site before every call of a tool."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
import mcp.types as types
from anyio.lowlevel import checkpoint
from mcp import ClientSession
from mcp.shared.dispatcher import ProgressFnT
from mcp.shared.message import ClientMessageMetadata
from pydantic import BaseModel, TypeAdapter

from .. import Decision, PrerequisiteError
from .._conduct import Confirm, ask, make_room
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

ResultT = TypeVar("ResultT", bound=BaseModel)

_MOST_PAGES = 100


@shown
@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the server, and what the site says about it."""

    tool: types.Tool
    """As the server describes it. Its texts are the server's: show them to no terminal, and believe none of them."""
    capabilities: tuple[str, ...]
    """The ids of the capabilities it corresponds to; empty where the documents name none."""
    decision: Decision
    """Whether it may be called: of several capabilities, the first that denies, else the one with the most to heed."""

    @property
    def name(self) -> str:
        """Its name."""
        return self.tool.name

    @property
    def allowed(self) -> bool:
        """Whether policy permits to call it."""
        return self.decision.allowed


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a session asks, waits, and what it takes."""

    confirm: Confirm | None
    has_credentials: bool
    max_tools: int
    max_wait: float
    max_listing: float


class Session(ClientSession):
    """An initialized `mcp.ClientSession` that calls no tool which the site does not permit.

    Everything of the SDK works as it does there. `call_tool`, and whatever else sends `tools/call`, first asks the
    policy, a person where the site wants one asked, and waits where a rate limit asks for it.
    """

    endpoint: McpEndpoint
    """What it is connected to."""
    transport: str
    """By which transport: `streamable-http` or `sse`."""
    decision: Decision
    """Why that is allowed, with the words of an agents.md (`can`, `cannot`, `behavior`)."""
    _rules: Rules
    _conduct: Conduct
    _limiter: Limiter
    _ran: set[str]
    _tools: dict[str, Tool] | None = None

    def _govern(
        self,
        rules: Rules,
        endpoint: McpEndpoint,
        decision: Decision,
        conduct: Conduct,
        limiter: Limiter,
        ran: set[str],
    ) -> None:
        self._ran = ran
        self.endpoint, self.decision = endpoint, decision
        self._rules, self._conduct, self._limiter = rules, conduct, limiter

    async def tools(self) -> list[Tool]:
        """All tools of the server with what the site says about each. Asks the server every time.

        Raises LimitExceeded where it has more than `max_tools`, or takes longer than `timeouts.total` to list them.
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
                # Where the documents name the tools one by one, and not this one, it is asked for by its own name.
                named = ids or ((tool.name,) if self.endpoint.capabilities else ())
                if named not in strictest:
                    strictest[named] = await self._strictest(named)
                found.append(Tool(tool, ids, strictest[named]))
            self._tools = {tool.name: tool for tool in found}
            return found
        raise LimitExceeded(f"the list of tools takes longer than {seconds:g} s")

    async def _listed(self) -> list[types.Tool]:
        """All tools, page by page."""
        listed: list[types.Tool] = []
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            params = types.PaginatedRequestParams(cursor=cursor) if cursor else None
            page = await self.list_tools(params=params)
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
        """Of the capabilities, the decision with the most to heed; of none, that for the endpoint."""
        if not ids:
            return self._rules.url(self.endpoint.url)
        decisions = []
        for id in ids:
            # Very many in a large document take their time: others run meanwhile, and it can be cancelled.
            await checkpoint()
            decisions.append(self._rules.capability(id))
        return max(decisions, key=_strictness)

    async def permission(self, name: str) -> Tool:
        """What the site says about the tool of that name. Raises NotDeclared where the server has none."""
        if self._tools is None or name not in self._tools:
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
        """Sends a request; a call of a tool only where it is permitted. Raises McpError where not."""
        tool = None
        if request.method == "tools/call":
            name: str = getattr(request.params, "name", "")
            tool = await self.permission(name)
            await self._guard(tool, getattr(request.params, "arguments", None) or {})
        result = await super().send_request(
            request,
            result_type,
            request_read_timeout_seconds,
            metadata,
            progress_callback,
        )
        if tool is not None and not getattr(result, "is_error", False):
            self._ran.update(tool.capabilities)
        return result

    async def validate_tool_result(
        self, name: str, result: types.CallToolResult
    ) -> None:
        """Does nothing: results are not compared with the output schemas that the server gives for them.

        A schema can be written so that comparing lasts for ever, and both are the server's own.
        """

    async def _guard(self, tool: Tool, arguments: Mapping[str, Any]) -> None:
        name, decision = tool.name, tool.decision
        if not decision.allowed:
            raise refused(decision, f"the tool {name!r} is not called")
        if decision.auth.need == "required" and not self._conduct.has_credentials:
            raise CredentialsNeeded(
                f"the tool {name!r} needs credentials: {decision.auth.type or 'unknown'}",
                decision,
            )
        self._check_prerequisites(decision, name)
        if decision.confirmation != "not-stated":
            await ask(self._conduct.confirm, decision, name, arguments)
        await make_room(self._limiter, decision, name, self._conduct.max_wait)

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
