"""Chooses the MCP endpoint of a site, and maps its tools to capabilities."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from anyio.lowlevel import checkpoint

from . import Decision, Document, decide
from ._agentsdisc import RobotsTxt
from ._errors import NotDeclared, refused
from ._policy import RobotsState
from ._visible import shown
from .discovery import Site


@shown
@dataclass(frozen=True, slots=True)
class McpEndpoint:
    """An MCP endpoint that the documents of a site declare."""

    url: str
    """The absolute URL."""
    transport: str | None
    """`streamable-http` or `sse`; None if the documents do not state it."""
    capabilities: tuple[str, ...] = ()
    """The ids of the capabilities that are called there."""


@shown
@dataclass(frozen=True)
class Rules:
    """The documents of a site, and the agent for which they are judged."""

    documents: tuple[Document, ...]
    agent: str
    origin: str | None
    robots: RobotsTxt | RobotsState | None
    approved: tuple[str, ...]
    _made: dict[str, Decision] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        where: Site | Document | Iterable[Document],
        *,
        agent: str,
        origin: str | None,
        approve: Iterable[str],
    ) -> "Rules":
        """Returns the rules of a discovered site, or of documents that the caller has."""
        if isinstance(approve, str):
            raise TypeError("approve must be several URLs, not one str")
        approved = tuple(approve)
        if isinstance(where, Site):
            return cls(
                where._deciding, agent, where.origin, where.robots_state, approved
            )
        documents = (where,) if isinstance(where, Document) else tuple(where)
        return cls(documents, agent, origin, None, approved)

    @property
    def site(self) -> str | None:
        """The origin; without one, the site that the first document names."""
        sites = (_site(document) for document in self.documents)
        return self.origin or next(filter(None, sites), None)

    def named(self, endpoint: str | None) -> list[str]:
        """Returns the URLs whose hosts the user has named: the site, the endpoint and the approved URLs."""
        return [url for url in (self.site, endpoint, *self.approved) if url]

    def url(self, url: str) -> Decision:
        """Decides whether the agent may send messages to a URL."""
        return self._decide(url=url, method="POST")

    def get(self, url: str) -> Decision:
        """Decides whether the agent may get a URL."""
        return self._decide(url=url, method="GET")

    def capability(self, id: str) -> Decision:
        """Decides whether the agent may use a capability; each is decided once."""
        if id not in self._made:
            self._made[id] = self._decide(capability=id)
        return self._made[id]

    def absolute(self, endpoint: str | None) -> str | None:
        """Returns an endpoint as an absolute URL. Resolves a path against the site; returns None for other relative references."""
        return _absolute(endpoint, self.site)

    def _decide(
        self,
        *,
        url: str | None = None,
        capability: str | None = None,
        method: str | None = None,
    ) -> Decision:
        return decide(
            self.documents,
            agent=self.agent,
            url=url,
            capability=capability,
            method=method,
            robots=self.robots,
            origin=self.origin,
            approved=self.approved,
        )


def declared(rules: Rules) -> list[McpEndpoint]:
    """Returns every MCP endpoint of the documents, in their order; one entry per URL."""
    transports: dict[str, str | None] = {}
    named: dict[str, dict[str, None]] = {}
    for document in rules.documents:
        origin = rules.origin or _site(document)
        via: str | None = None
        for endpoint in document.endpoints:
            url = _absolute(endpoint.url, origin)
            if endpoint.protocol == "mcp" and url is not None:
                via = via or url
                transports[url] = transports.get(url) or endpoint.transport
                named.setdefault(url, {})
        for capability in document.capabilities:
            if capability.protocol == "mcp":
                url = _absolute(capability.endpoint, origin)
            elif capability.via == "mcp":
                url = via
            else:
                continue
            if url is not None:
                transports.setdefault(url, None)
                ids = named.setdefault(url, {})
                if capability.id:
                    ids.setdefault(capability.id)
    return [McpEndpoint(url, transports[url], tuple(named[url])) for url in transports]


async def choose(rules: Rules, wanted: str | None) -> tuple[McpEndpoint, Decision]:
    """Returns the endpoint to connect to: the wanted one, otherwise the first that is permitted.

    Raises NotDeclared if there is none, PolicyDenied if none is permitted. A large document can have very many capabilities, and each decision takes
    time. Other tasks run in between, and the search can be cancelled.
    """
    endpoints = declared(rules)
    if wanted is not None:
        endpoints = [e for e in endpoints if e.url == rules.absolute(wanted)]
        if not endpoints and wanted in rules.approved:
            endpoints = [McpEndpoint(wanted, None)]
    if not endpoints:
        what = "no MCP endpoint" if wanted is None else f"no MCP endpoint {wanted}"
        raise NotDeclared(f"the documents of the site declare {what}")
    first: tuple[McpEndpoint, Decision] | None = None
    for endpoint in endpoints:
        decision = rules.url(endpoint.url)
        if decision.reason == "capability-not-granted":
            # One granted capability at the endpoint suffices to connect. A capability with the same id at another endpoint does not count.
            for id in endpoint.capabilities:
                await checkpoint()
                granted = rules.capability(id)
                is_here = rules.absolute(granted.endpoint) == endpoint.url
                if granted.allowed and is_here:
                    decision = granted
                    break
        if decision.allowed:
            return endpoint, decision
        first = first or (endpoint, decision)
    assert first is not None
    raise refused(first[1], f"{first[0].url} is not connected to")


def capabilities_of(
    rules: Rules, endpoint: McpEndpoint, tools: Sequence[str]
) -> Callable[[str], tuple[str, ...]]:
    """Returns a function from the name of a tool to the ids of the capabilities that it corresponds to.

    `tools` are the names of all tools of the server. A capability names a tool by its id or its operation; letter case and `-`, `_`, `.` do not
    matter. A tool that no capability names corresponds to the capabilities of the endpoint that name no tool: they stand for the whole endpoint.
    """
    by_name: dict[str, dict[str, None]] = {}
    for document in rules.documents:
        for capability in document.capabilities:
            for name in (capability.id, capability.operation):
                if name and capability.id:
                    by_name.setdefault(_folded(name), {}).setdefault(capability.id)
    naming = {id for tool in tools for id in by_name.get(_folded(tool), ())}
    whole = tuple(id for id in endpoint.capabilities if id not in naming)

    def of(tool: str) -> tuple[str, ...]:
        return tuple(by_name.get(_folded(tool), ())) or whole

    return of


def _folded(name: str) -> str:
    return name.casefold().translate({ord("-"): "_", ord("."): "_", ord(" "): "_"})


def _site(document: Document) -> str | None:
    """Returns the site that a document names: its URL up to the path, or its domain with https."""
    service = document.service
    url = service.url if service is not None else None
    if url is None or "://" not in url:
        return (
            f"https://{service.domain}"
            if service is not None and service.domain
            else None
        )
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"


def _absolute(endpoint: str | None, origin: str | None) -> str | None:
    """Returns an endpoint as an absolute URL. Resolves a path against the origin; returns None for other relative references."""
    if endpoint is None:
        return None
    if endpoint.startswith("/") and not endpoint.startswith("//"):
        return None if origin is None else origin.rstrip("/") + endpoint
    return endpoint if "://" in endpoint else None
