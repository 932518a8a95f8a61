"""How each document must be served, according to the specifications."""

from dataclasses import dataclass

from .. import _agentsdisc
from .._facts import FACTS


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


*PLACES, OLD_CARD = (Place(*each) for each in _agentsdisc._places())
"""The well-known locations; `OLD_CARD` is one of them for another resource: earlier versions of A2A have the card there."""

RULES = {
    facts.name: Rule(**facts.serving)
    for facts in FACTS.values()
    if facts.serving is not None
}
"""The rules by format."""
