"""Text for terminals: colours where there is one, and never a control character of a document."""

import os
import sys
from typing import TextIO

_COLOURS = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "yellow": "33",
    "blue": "34",
    "green": "32",
}

# Besides the control characters: what turns the direction of text around, or hides in it.
_HIDDEN = frozenset(
    [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF]
)


def visible(text: str) -> str:
    """The text with everything escaped that a terminal would obey or not show."""
    if text.isprintable():
        return text
    return "".join(
        c if (c.isprintable() or c == " ") and ord(c) not in _HIDDEN else _escaped(c)
        for c in text
    )


def _escaped(c: str) -> str:
    code = ord(c)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class Style:
    """Colours for one stream: only on a terminal, and not where `NO_COLOR` is set."""

    def __init__(self, stream: TextIO | None = None) -> None:
        stream = stream or sys.stdout
        self.on = stream.isatty() and not os.environ.get("NO_COLOR")

    def __call__(self, text: str, *styles: str) -> str:
        """The text in these styles."""
        if not self.on or not text:
            return text
        return f"\x1b[{';'.join(_COLOURS[style] for style in styles)}m{text}\x1b[0m"
