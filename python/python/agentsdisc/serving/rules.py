"""How each document must be served, according to the specifications."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A well-known location."""

    path: str
    resource: str
    """The resource, as discovery names it."""
    is_main: bool
    """Whether the specification names this location; others are fallbacks."""


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


PLACES = (
    Place("/.well-known/agents.json", "agents-json", True),
    Place("/.well-known/agents.txt", "agents-txt", True),
    Place("/agents.txt", "agents-txt", False),
    Place("/.well-known/agents.md", "agents-md", True),
    Place("/agents.md", "agents-md", False),
    # The specification requires the root; published sites use both locations.
    Place("/agent.json", "awp", True),
    Place("/.well-known/agent.json", "awp", False),
    Place("/.well-known/agent", "adp", True),
)

_DRAFT = "draft-car-agents-txt-wellknown-00"
_TXT_01 = "agents.txt 0.1.0"

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
}
"""By format."""

FORMATS = {
    "agents-json": {"agents-json", "agents-json-0.1"},
    "agents-txt": {"agents-txt", "agents-txt-0.1"},
    "agents-md": {"agents-md"},
    "awp": {"awp"},
    "adp": {"adp"},
}
"""The formats for each resource."""
