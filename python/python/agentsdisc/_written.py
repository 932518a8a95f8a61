"""Written documents: bytes with the losses of a conversion or the changes of a fix."""

from typing import Self

from ._agentsdisc import Change, Document, Limits, Loss, parse


class Converted(bytes):
    r"""A converted document: its bytes, and the losses of the conversion.

    >>> import agentsdisc
    >>> text = "Spec-Version: 1.0\nSite-Name: Mugs\nDisallow: /admin\n"
    >>> converted = agentsdisc.parse(text, format="agents-txt").convert("agents-json")
    >>> converted.losses
    ()
    >>> agentsdisc.parse(converted).access.disallow
    ('/admin',)
    """

    losses: tuple[Loss, ...]

    def __new__(cls, data: bytes, losses: tuple[Loss, ...] = ()) -> Self:
        """Creates the document from its bytes and losses."""
        self = super().__new__(cls, data)
        self.losses = losses
        return self


class Fixed(bytes):
    """A document with automatic fixes applied: its bytes, and the changes."""

    changes: tuple[Change, ...]

    def __new__(cls, data: bytes, changes: tuple[Change, ...] = ()) -> Self:
        """Creates the document from its bytes and changes."""
        self = super().__new__(cls, data)
        self.changes = changes
        return self


def fix(
    data: bytes | bytearray | memoryview | str,
    *,
    url: str | None = None,
    format: str | None = None,
    limits: Limits | None = None,
) -> Fixed:
    r"""Applies automatic fixes to an agents.txt, without changing its meaning.

    Accepts agents.txt of the Internet-Draft and 0.1.0. Fixes indentation, letter case and names of
    fields, arrows, units, blanks and line ends. Keeps comments, empty lines and unknown fields.
    Raises ParseError if the document cannot be read, ConvertError if it is not an agents.txt.

    >>> import agentsdisc
    >>> agentsdisc.fix("site-name:Mugs", format="agents-txt")
    b'Site-Name: Mugs\n'
    """
    document: Document = parse(data, url=url, format=format, limits=limits)
    return document.fix()
