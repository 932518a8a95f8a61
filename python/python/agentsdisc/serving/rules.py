"""How each document must be served, according to the specifications."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A well-known location."""

    path: str
    resource: str
    """The resource, as discovery names it."""
    is_main: bool
    """Whether the specification names this location; others are fallbacks, and compared with it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How documents of one format must be served."""

    types: tuple[str, ...]
    """The valid media types; the first one is recommended."""
    must: bool
    """Whether the specification requires them."""
    charset: bool
    """Whether it requires `charset=utf-8`."""
    cache: str | None
    """The severity of an absent Cache-Control; None if the specification does not mention it."""
    cors: str | None
    """The severity of absent CORS headers; None if the specification does not mention them."""
    advice: int
    """The recommended max-age in seconds."""
    spec: str
    """The name of the specification."""
    sections: tuple[str, str, str, str]
    """Its sections on the location, Content-Type, Cache-Control and CORS."""
    methods: tuple[str, ...] = ()
    """The methods that Access-Control-Allow-Methods must name; none if the specification does not mention it."""


PLACES = (
    Place("/.well-known/agents.json", "agents-json", True),
    Place("/.well-known/agents.txt", "agents-txt", True),
    Place("/agents.txt", "agents-txt", False),
    Place("/.well-known/agents.md", "agents-md", True),
    Place("/agents.md", "agents-md", False),
    # The specification requires the root; published sites use both locations.
    Place("/agent.json", "awp", True),
    Place("/.well-known/agent-card.json", "agent-card", True),
    Place("/.well-known/agent.json", "awp", False),
    Place("/.well-known/agent", "adp", True),
    # Different proposals and versions: neither location replaces the other.
    Place("/.well-known/mcp/server-card.json", "mcp-server-card", True),
    Place("/.well-known/mcp.json", "mcp-server-card", True),
    Place("/.well-known/ai-catalog.json", "ai-catalog", True),
    Place("/.well-known/agent-skills/index.json", "agent-skills", True),
    Place("/.well-known/skills/index.json", "agent-skills", True),
    Place("/.well-known/api-catalog", "api-catalog", True),
    Place("/llms.txt", "llms-txt", True),
    Place("/robots.txt", "robots-txt", True),
)

OLD_CARD = Place("/.well-known/agent.json", "agent-card", False)
"""The same location for another resource: earlier versions of A2A have the card there."""

_DRAFT = "draft-car-agents-txt-wellknown-00"
_TXT_01 = "agents.txt 0.1.0"
_DRAFT_METHODS = ("GET", "OPTIONS")

RULES = {
    "agents-txt": Rule(
        ("text/plain",),
        True,
        True,
        "warning",
        "warning",
        300,
        _DRAFT,
        ("2.1", "2.1", "5", "5"),
        _DRAFT_METHODS,
    ),
    "agents-json": Rule(
        ("application/json",),
        True,
        True,
        "warning",
        "warning",
        300,
        _DRAFT,
        ("3.1", "3.1", "5", "5"),
        _DRAFT_METHODS,
    ),
    "agents-txt-0.1": Rule(
        ("text/plain",),
        True,
        True,
        None,
        None,
        300,
        _TXT_01,
        ("", "Format Rules", "", ""),
    ),
    "agents-json-0.1": Rule(
        ("application/json",), False, False, None, None, 300, _TXT_01, ("", "", "", "")
    ),
    "agents-md": Rule(
        ("text/markdown", "text/plain"),
        False,
        False,
        "warning",
        None,
        86400,
        "agents.md 1.0.0-draft",
        ("1", "1", "1", ""),
    ),
    "awp": Rule(
        ("application/json",),
        True,
        False,
        None,
        None,
        3600,
        "Agent Web Protocol 0.2",
        ("3", "3", "", ""),
    ),
    "adp": Rule(
        ("application/json",),
        True,
        False,
        "info",
        "info",
        3600,
        "Agent Discovery Protocol 1.0",
        ("1", "1", "1", "1"),
    ),
    "a2a-agent-card": Rule(
        ("application/json", "application/a2a-agent-card+json", "application/a2a+json"),
        False,
        False,
        "warning",
        None,
        3600,
        "A2A",
        ("8.2", "8.2", "8.6.1", ""),
    ),
    "mcp-server-card": Rule(
        ("application/mcp-server-card+json", "application/json"),
        False,
        False,
        "info",
        "warning",
        3600,
        "MCP server card",
        ("Transport Security", "MCP Server Cards", "Caching", "CORS Requirements"),
        ("GET",),
    ),
    "ai-catalog": Rule(
        ("application/ai-catalog+json", "application/json"),
        False,
        False,
        None,
        None,
        3600,
        "Agentic Resource Discovery",
        ("", "", "", ""),
    ),
    "agent-skills": Rule(
        ("application/json",),
        False,
        False,
        "info",
        "info",
        3600,
        "Agent Skills Discovery",
        ("", "", "", ""),
    ),
    "api-catalog": Rule(
        ("application/linkset+json",),
        True,
        False,
        None,
        None,
        3600,
        "RFC 9727",
        ("2", "4.2", "", ""),
    ),
    "llms-txt": Rule(
        ("text/markdown", "text/plain"),
        False,
        False,
        None,
        None,
        3600,
        "llms.txt",
        ("", "", "", ""),
    ),
    "robots-txt": Rule(
        ("text/plain",),
        True,
        False,
        None,
        None,
        3600,
        "RFC 9309",
        ("2.3", "2.3", "2.4", ""),
    ),
}
"""The rules by format."""

FORMATS = {
    "agents-json": {"agents-json", "agents-json-0.1"},
    "agents-txt": {"agents-txt", "agents-txt-0.1"},
    "agents-md": {"agents-md"},
    "awp": {"awp"},
    "adp": {"adp"},
    "agent-card": {"a2a-agent-card"},
    "mcp-server-card": {"mcp-server-card"},
    "ai-catalog": {"ai-catalog"},
    "agent-skills": {"agent-skills"},
    "api-catalog": {"api-catalog"},
    "llms-txt": {"llms-txt"},
    "robots-txt": {"robots-txt"},
}
"""The formats for each resource."""
