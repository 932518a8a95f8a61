"""A site of a gateway: its documents and tools until they expire."""

import hashlib
import json
import math
import time
from dataclasses import dataclass
from typing import Any

import anyio

from .._gateways import Rules, declared
from .._schemas import accepted_name, foreign
from .._tools import ToolResult, Tools, _answered, _failed
from .._visible import visible
from ..calls import CallError
from ..discovery import Site, adiscover
from . import connect
from .session import Tool as ServerTool

_SHORTEST, _USUAL, _LONGEST = 1.0, 3600.0, 86_400.0
"""How long documents are used, in seconds: at least, without a time of their own, and at most."""
_LARGEST_SCHEMA = 32 << 10
"""The largest schema of a tool that a server gives, in bytes."""
_UNKNOWN_EFFECT = {
    "readOnlyHint": False,
    "destructiveHint": True,
    "idempotentHint": False,
    "openWorldHint": True,
}


class Place:
    """A site, with its tools until its documents expire."""

    def __init__(
        self,
        where: str | Site,
        host: str,
        agent: str,
        prefix: str,
        options: dict[str, Any],
        discovery: dict[str, Any],
    ) -> None:
        self._where = where if isinstance(where, str) else where.origin
        self._given = where if isinstance(where, Site) else None
        self._agent, self._options, self._discovery = agent, options, discovery
        self._lock = anyio.Lock()
        self._ends = -math.inf
        self._is_ready = False
        self._kept: list[Site] = []
        """The sites whose connections are kept for the calls of the tools."""
        self._served: dict[str, Served] = {}
        self.problem: str | None = None
        """Why the tools of the site's MCP server are missing."""
        self.host, self.prefix = host, prefix
        self.site: Site
        self.tools: Tools
        self.entries: list[Entry] = []
        """The tools, as a client sees them."""
        self.known: dict[str, str] = {}
        """The ids of all capabilities by the names of their tools, and by what a tool of them would be called if it were allowed."""
        self.shape: bytes | None = None
        """What clients see of the site, as a digest; None if it is not discovered yet."""

    async def refresh(self) -> None:
        """Discovers the site if its documents have expired."""
        async with self._lock:
            if self._is_ready and time.monotonic() < self._ends:
                return
            site, self._given = self._given, None
            if site is None:
                site = await adiscover(self._where, **self._discovery)
            tools = site.tools(
                agent=self._agent, style="mcp", prefix=self.prefix, **self._options
            )
            served = await self._listed(site, tools)
            await self._retire()
            self._kept.append(await site.__aenter__())
            self.site, self.tools, self._served = site, tools, served
            self._record()
            self._ends = time.monotonic() + _lifetime(site)
            self._is_ready = True

    async def _listed(self, site: Site, tools: Tools) -> "dict[str, Served]":
        """Returns the tools that only the MCP server of the site names, if the documents allow them: an agents.md declares a server without its tools."""
        self.problem = None
        rules = Rules.of(
            site, agent=self._agent, origin=None, approve=self._options["approve"]
        )
        if all(each.capabilities for each in declared(rules)):
            return {}
        settings = {n: v for n, v in self._options.items() if n != "credentials"}
        found: dict[str, Served] = {}
        try:
            async with connect(
                site, agent=self._agent, token=self._options["credentials"], **settings
            ) as session:
                for each in await session.tools():
                    if each.capabilities or not each.allowed:
                        continue
                    taken = {*tools.by_name, *found}
                    name = accepted_name(self.prefix + each.name, taken)
                    if name in taken:
                        continue
                    made = Served.of(name, each, session.endpoint.url, self.host)
                    if made is not None:
                        found[name] = made
        except Exception as problem:  # the SDK raises many types for invalid answers
            self.problem = visible(str(problem))[:500]
        return found

    async def _retire(self) -> None:
        """Closes the connections of older discoveries; those of the last one may be in use."""
        while len(self._kept) > 1:
            await self._kept.pop(0).__aexit__()

    async def aclose(self) -> None:
        """Closes the connections, unless the owner of a given site keeps them, too."""
        while self._kept:
            await self._kept.pop().__aexit__()

    def left(self) -> float:
        """Returns how many seconds the documents are valid."""
        return max(self._ends - time.monotonic(), 0.0)

    def _record(self) -> None:
        """Records what clients see of the site."""
        own = self.tools.by_name.values()
        declared = [Entry(each.name, each.offer.id, each.as_mcp()) for each in own]
        self.entries = declared + [each.entry for each in self._served.values()]
        denied = [each.id for each in self.tools.denied]
        whole = {self.prefix + id: id for id in denied}
        names = {accepted_name(each): id for each, id in whole.items()}
        allowed = {each.name: each.id for each in self.entries}
        self.known = {**names, **whole, **allowed}
        documents = [(each.url, each.document.bytes) for each in self.site.found]
        seen = json.dumps([each.shown for each in self.entries]), documents
        self.shape = hashlib.sha256(repr(seen).encode()).digest()

    async def call(
        self, name: str, arguments: dict[str, Any], **options: Any
    ) -> ToolResult:
        """Calls a tool. What the site does not allow is an error of the tool that says why."""
        if name in self.tools.by_name:
            return await self.tools.acall(name, arguments, **options)
        settings = {"agent": self._agent, **self.tools.options, **options}
        id = self.known[name]
        if name in self._served:
            settings["endpoint"] = self._served[name].endpoint
        try:
            # A denied capability is decided again, with nothing sent: the decision is the reason.
            return _answered(await self.site.acall(id, arguments, **settings))
        except CallError as error:
            return _failed(error)


@dataclass(frozen=True, slots=True)
class Entry:
    """A tool, as a client sees it."""

    name: str
    id: str
    """The capability, or the tool of the site's own MCP server."""
    shown: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Served:
    """A tool that only the MCP server of a site names."""

    entry: Entry
    endpoint: str

    @classmethod
    def of(
        cls, name: str, given: ServerTool, endpoint: str, host: str
    ) -> "Served | None":
        """Returns the tool with a name; None if its schema is too large. What its server says of its effect is not believed."""
        schema = given.tool.input_schema
        if len(json.dumps(schema)) > _LARGEST_SCHEMA:
            return None
        words = foreign(given.tool.description or given.name, 500)
        shown = {
            "name": name,
            "description": f"The MCP server of {host} describes it so: {words}.",
            "inputSchema": schema,
            "annotations": _UNKNOWN_EFFECT,
        }
        return cls(Entry(name, given.name, shown), endpoint)


def _lifetime(site: Site) -> float:
    """Returns how many seconds the documents of a site are used."""
    until = max(site.fresh_until or 0, site.ask_again_at or 0)
    left = until - time.time() if until else _USUAL
    return min(max(left, _SHORTEST), _LONGEST)
