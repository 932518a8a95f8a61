"""Features of single formats beyond the unified model: requests of ADP, types of AWP."""

from __future__ import annotations

from dataclasses import dataclass, field

from ._visible import shown


@shown
@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request that calls a capability; send it with any HTTP client.

    `repr` omits `headers`, because they contain the token if one was given.
    """

    method: str
    """The method, in upper case."""
    url: str
    """The absolute URL, percent-encoded, without a fragment."""
    headers: dict[str, str] = field(repr=False)
    """Authentication, Content-Type, and the arguments that are sent as headers."""
    body: bytes | None = field(repr=False)
    """A JSON object in UTF-8; None if the request has no body."""


@dataclass(frozen=True, slots=True)
class TypeExpr:
    """A type expression of the Agent Web Protocol."""

    kind: str
    """`string`, `integer`, `float`, `boolean`, `date-time` (`ISO8601`), `url`, `enum`, `array`, `object`, or `named` for any other name, such as an entity."""
    text: str
    """The whole expression, without blanks at both ends."""
    items: TypeExpr | None = None
    """The item type of an array. None if it is absent, and for other types."""
    entity: str | None = None
    """The entity of an object. None if it is absent, and for other types."""
    options: tuple[str, ...] = ()
    """The values of an enumeration, without empty ones."""

    @property
    def innermost(self) -> TypeExpr:
        """Returns the item type of nested arrays; the type itself if it is not an array."""
        inner = self
        while inner.items is not None:
            inner = inner.items
        return inner
