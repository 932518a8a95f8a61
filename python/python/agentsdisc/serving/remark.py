"""What is wrong with how a site serves its documents."""

from dataclasses import dataclass

from .._serving import CODES
from .._visible import shown

_OWN_SPEC = "agentsdisc"


@shown
@dataclass(frozen=True, slots=True)
class Spot:
    """A position in a document."""

    url: str
    """The URL of the document."""
    line: int
    """Line, from 1."""
    column: int
    """Column in bytes, from 1."""
    offset: int
    """Byte offset of the first byte, from 0."""
    end: int
    """Byte offset after the last byte."""

    def __str__(self) -> str:
        return f"{self.url}:{self.line}:{self.column}"


@shown
@dataclass(frozen=True, slots=True)
class Remark:
    """A problem with, or a note on, how a site serves its documents."""

    code: str
    """The code; `agentsdisc.serving.CODES` lists all of them."""
    severity: str
    """`error`, `warning` or `info`."""
    url: str
    """The URL of the document or location."""
    message: str
    """The problem and its solution in a sentence."""
    spec: str = _OWN_SPEC
    """The specification that states the rule."""
    section: str = ""
    """The section of that specification; empty if none applies."""
    header: str | None = None
    """The header with the problem, as sent."""
    spots: tuple[Spot, ...] = ()
    """The positions in the documents, for differences between them."""


def remark(code: str, url: str, message: str, **more: object) -> Remark:
    """Returns a remark; its severity is that of the code unless `severity` is given."""
    severity = str(more.pop("severity", None) or CODES[code][0])
    return Remark(code, severity, url, message, **more)  # type: ignore[arg-type]
