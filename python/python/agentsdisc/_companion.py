"""Compares two documents of one site, such as an agents.txt and its agents.json."""

from dataclasses import dataclass

from ._agentsdisc import Document, _differences
from ._visible import shown


@shown
@dataclass(frozen=True, slots=True)
class Place:
    """The position of a value in a document."""

    offset: int
    """Byte offset of the first byte, from 0."""
    end: int
    """Byte offset after the last byte."""
    line: int
    """Line, from 1."""
    column: int
    """Column in bytes, from 1."""


@shown
@dataclass(frozen=True, slots=True)
class Difference:
    """A value in which two documents differ."""

    field: str
    """The field of the unified model, such as `capabilities.endpoint`."""
    subject: str
    """The capability id or agent name that the field belongs to; empty for other fields."""
    item: str
    """The list item or parameter name; empty for other fields."""
    first: Place | None
    """Its position in the first document; None if absent there."""
    second: Place | None
    """Its position in the second document; None if absent there."""


class Differences(tuple[Difference, ...]):
    """The differences between two documents, in the order of the first document."""

    complete: bool
    """Whether every field was compared. False if both documents are large and in different order."""


def differences(first: Document, second: Document) -> Differences:
    r"""Compares two documents of one site field by field.

    Compares everything that both formats can express. A missing value equals its default. The letter case of enumerations and the order of lists do
    not matter.

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
