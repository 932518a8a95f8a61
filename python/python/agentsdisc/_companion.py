"""Compares two documents of one site, such as an agents.txt and its agents.json."""

from collections.abc import Iterator
from dataclasses import dataclass

from ._agentsdisc import Document, _differences
from ._visible import shown

_DESCRIPTIVE_FIELDS = frozenset(
    {
        "service.name",
        "service.description",
        "service.contact",
        "capabilities.description",
        "capabilities.parameters.description",
    }
)
_MOST = 1000
"""The largest number of differences to report."""


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


class Described(tuple[tuple[Difference, str, str | None], ...]):
    """The differences to report, each with its message, and with its severity if that is not the usual one."""

    complete: bool
    """Whether these are all differences."""


def described(first: tuple[str, Document], second: tuple[str, Document]) -> Described:
    """Says in which values two documents, with their names, differ."""
    found = differences(first[1], second[1])
    secrets = {*secrets_in(first[1]), *secrets_in(second[1])}

    def message(each: Difference) -> str:
        of = f" of {shown_name(each.subject, secrets)}" if each.subject else ""
        about = f" {shown_name(each.item, secrets)}" if each.item else ""
        said = " and ".join(
            f"at {name}:{place.line}:{place.column}" if place else f"not in {name}"
            for name, place in ((first[0], each.first), (second[0], each.second))
        )
        return f"{each.field}{about}{of} differs: {said}; generate one from the other with `agentsdisc convert`"

    made = Described(
        (each, message(each), "warning" if each.field in _DESCRIPTIVE_FIELDS else None)
        for each in found[:_MOST]
    )
    made.complete = found.complete and len(found) <= _MOST
    return made


def not_compared(other: str) -> str:
    """Says that a comparison with another document is incomplete."""
    return f"there may be more differences from {other}; correct those reported and check again"


def secrets_in(document: Document) -> Iterator[str]:
    """Yields the credentials in a document, which messages must not contain."""
    for found in document.check():
        if found.code == "credential-in-document":
            text = document.bytes[found.offset : found.end].decode("utf-8", "replace")
            yield text.strip('"')


def shown_name(name: str, secrets: set[str]) -> str:
    """Returns a name from a document, shortened, and withheld if it contains a credential."""
    if any(name in secret or secret in name for secret in secrets):
        return "(withheld)"
    return repr(name if len(name) <= 80 else name[:80] + "…")
