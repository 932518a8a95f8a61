"""Colours and messages on a terminal."""

import os
import sys
from typing import TextIO

from .._visible import visible

__all__ = ["Style", "tell", "visible"]

_COLOURS = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "yellow": "33",
    "blue": "34",
    "green": "32",
}


def tell(message: object) -> None:
    """Prints a message of the program on standard error."""
    print(f"agentsdisc: {visible(str(message))}", file=sys.stderr)


class Style:
    """Colours for one stream: only on a terminal, and only if `NO_COLOR` is not set."""

    def __init__(self, stream: TextIO | None = None) -> None:
        stream = stream or sys.stdout
        self.on = stream.isatty() and not os.environ.get("NO_COLOR")

    def __call__(self, text: str, *styles: str) -> str:
        """Returns the text in these styles."""
        if not self.on or not text:
            return text
        return f"\x1b[{';'.join(_COLOURS[style] for style in styles)}m{text}\x1b[0m"
