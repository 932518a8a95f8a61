"""What is written: bytes, together with what there is to say about them."""

from typing import Self

from ._agentsdisc import Change, Document, Limits, Loss, parse


class Converted(bytes):
    r"""A document in another format: its bytes, and what did not carry over.

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
        """Puts both together."""
        self = super().__new__(cls, data)
        self.losses = losses
        return self


class Fixed(bytes):
    """A document with everything put right that is mechanical: its bytes, and what changed."""

    changes: tuple[Change, ...]

    def __new__(cls, data: bytes, changes: tuple[Change, ...] = ()) -> Self:
        """Puts both together."""
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
    r"""Puts an agents.txt right where that is mechanical, and leaves its meaning as it is.

    Of the Internet-Draft's format and of 0.1.0: indentation, letter case and names of fields,
    arrows, units, blanks, line ends. Comments, empty lines and unknown fields stay. Raises
    ParseError where the document cannot be read, ConvertError where it is no agents.txt.

    >>> import agentsdisc
    >>> agentsdisc.fix("site-name:Mugs", format="agents-txt")
    b'Site-Name: Mugs\n'
    """
    document: Document = parse(data, url=url, format=format, limits=limits)
    return document.fix()
