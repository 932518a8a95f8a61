"""What single formats have beyond the unified model: requests of ADP, types of AWP."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request that calls a capability, ready to be sent by whatever client you have.

    Where a token was given, `headers` holds it, so they are not shown with the rest.
    """

    method: str
    """The method, in capitals."""
    url: str
    """The absolute URL, percent-encoded, without fragment."""
    headers: dict[str, str] = field(repr=False)
    """Authentication, the type of the body, and the arguments that go into headers."""
    body: bytes | None = field(repr=False)
    """A JSON object in UTF-8; None where the request has no body."""


@dataclass(frozen=True, slots=True)
class TypeExpr:
    """A type expression of the Agent Web Protocol."""

    kind: str
    """`string`, `integer`, `float`, `boolean`, `date-time` (`ISO8601`), `url`, `enum`, `array`,
    `object`, or `named` for any other name, such as that of an entity."""
    text: str
    """The whole expression, without blanks at its ends."""
    items: TypeExpr | None = None
    """Of an array: the type of its items. None where it is not given, and for all else."""
    entity: str | None = None
    """Of an object: the entity. None where it is not given, and for all else."""
    options: tuple[str, ...] = ()
    """Of an enumeration: its values, empty ones left out."""

    @property
    def innermost(self) -> TypeExpr:
        """What arrays of arrays (and so on) hold in the end; the type itself where it is no array."""
        inner = self
        while inner.items is not None:
            inner = inner.items
        return inner
