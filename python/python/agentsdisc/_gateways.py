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
    """Absolute."""
    transport: str | None
    """`streamable-http` or `sse`; None where the documents do not say."""
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
            found = (*where.found, *where.details, *where.unread)
            documents = tuple(each.document for each in found)
            return cls(documents, agent, where.origin, where.robots_state, approved)
        documents = (where,) if isinstance(where, Document) else tuple(where)
        return cls(documents, agent, origin, None, approved)

    @property
    def site(self) -> str | None:
        """The origin; without one, the site that the first document names."""
        sites = (_site(document) for document in self.documents)
        return self.origin or next(filter(None, sites), None)

    def named(self, endpoint: str | None) -> list[str]:
        """Returns the URLs whose hosts the user has named: the site, the endpoint, and what is approved."""
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
        """An endpoint as absolute URL, a path being one of the site; None where it is neither."""
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
    """Every MCP endpoint of the documents, in their order; one entry for each URL."""
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
    """The endpoint that is connected to: the one that is wanted, else the first that is permitted.

    Raises NotDeclared where there is none, PolicyDenied where none is permitted. Of very many capabilities in a large
    document each costs its time; others run meanwhile, and it can be cancelled.
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
            # Of several capabilities at one endpoint, one that is granted suffices to connect. Of one id there
            # may be another one elsewhere, which says nothing about this place.
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
    """What says for a tool which capabilities it corresponds to, given the names of all tools of the server.

    Those that name it: by their id, or by the operation they call there; letter case and `-`, `_`, `.`
    do not matter. Where none does, those at the endpoint that name no tool at all stand for the whole endpoint.
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
    """The site that a document says it is of; its URL as far as the path."""
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
    """An endpoint as absolute URL: a path is one of the site; None where it is neither."""
    if endpoint is None:
        return None
    if endpoint.startswith("/") and not endpoint.startswith("//"):
        return None if origin is None else origin.rstrip("/") + endpoint
    return endpoint if "://" in endpoint else None
