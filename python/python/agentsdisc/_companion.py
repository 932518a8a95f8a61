"""Two documents of one site, compared: an agents.txt and the agents.json beside it."""

from dataclasses import dataclass

from ._agentsdisc import Document, _differences


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a document."""

    offset: int
    """In bytes, from 0."""
    end: int
    """The offset after it."""
    line: int
    """From 1."""
    column: int
    """In bytes, from 1."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that two documents do not say alike."""

    field: str
    """Which member of the unified model, such as `capabilities.endpoint`."""
    subject: str
    """The id of the capability, or the name of the agent, that it belongs to; empty for the others."""
    item: str
    """The item of a list, or the name of the parameter; empty for the others."""
    first: Place | None
    """Where it stands in the first document; None where that does not say it."""
    second: Place | None
    """Where it stands in the second document; None where that does not say it."""


class Differences(tuple[Difference, ...]):
    """What two documents do not say alike, in the order of the first one's parts."""

    complete: bool
    """Whether everything was compared: not so where both are large and in different order."""


def differences(first: Document, second: Document) -> Differences:
    r"""Compares two documents of one site field by field, as far as both notations can say the same.

    Defaults count as said; letter case of enumerations and the order of lists do not matter.

    >>> import agentsdisc
    >>> text = agentsdisc.parse("Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n")
    >>> data = agentsdisc.parse('{"specVersion": "1.0", "site": {"name": "Cups", "url": "https://mugs.example"}}')
    >>> for found in agentsdisc.differences(text, data):
    ...     print(found.field, found.first.line, found.second.column)
    service.name 2 42
    """
    found, complete = _differences(first, second)
    made = Differences(
        Difference(field, subject, item, one and Place(*one), two and Place(*two))
        for field, subject, item, one, two in found
    )
    made.complete = complete
    return made
