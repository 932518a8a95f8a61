"""Where each document must be served, and by which specification. The core judges how it is sent."""

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


*PLACES, OLD_CARD = (Place(*each) for each in _agentsdisc._places())
"""The well-known locations; `OLD_CARD` is one of them for another resource: earlier versions of A2A have the card there."""

RULES = {
    facts.name: facts.serving for facts in FACTS.values() if facts.serving is not None
}
"""How the documents of each format must be served."""
