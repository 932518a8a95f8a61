"""What the specifications say about how each document is served."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A well-known location."""

    path: str
    resource: str
    """What is looked for there, as discovery calls it."""
    is_main: bool
    """Whether the specification wants it there; the others are fallbacks."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How documents of one format are to be served."""

    types: tuple[str, ...]
    """The media types that are right; the first one is what we advise."""
    must: bool
    """Whether the specification demands it."""
    charset: bool
    """Whether it wants `charset=utf-8` said."""
    cache: str | None
    """The severity of no Cache-Control; None where the specification does not speak of it."""
    cors: str | None
    """The severity of no CORS; None where the specification does not speak of it."""
    advice: int
    """Seconds to advise for max-age."""
    spec: str
    """The specification."""
    sections: tuple[str, str, str, str]
    """Its sections on the place, the Content-Type, Cache-Control, CORS."""


PLACES = (
    Place("/.well-known/agents.json", "agents-json", True),
    Place("/.well-known/agents.txt", "agents-txt", True),
    Place("/agents.txt", "agents-txt", False),
    Place("/.well-known/agents.md", "agents-md", True),
    Place("/agents.md", "agents-md", False),
    # The specification wants it at the root; published sites use either.
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
"""By what is looked for, the formats that belong there."""
