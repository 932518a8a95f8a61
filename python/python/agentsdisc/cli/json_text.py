"""JSON on standard output: valid whatever a document holds, and nothing in it that a terminal would obey."""

import json
import math
import re
import sys
from typing import Any

from .._visible import HIDDEN

_HIDDEN = re.compile(f"(?!\n)[{HIDDEN}]")


def put_json(value: Any, indent: int | None = None) -> None:
    """Prints plain values. Numbers that are larger than a float can be are null: JSON has no infinity."""
    put_text(
        json.dumps(finite(value), indent=indent, ensure_ascii=False, allow_nan=False)
    )


def put_text(text: str) -> None:
    """Prints text that is JSON. As such it is UTF-8, whatever the locale says."""
    escaped = _HIDDEN.sub(lambda found: _escape(found[0]), text)
    sys.stdout.flush()
    sys.stdout.buffer.write(escaped.encode() + b"\n")


def _escape(c: str) -> str:
    """A character as JSON escapes it: beyond the first plane as two halves."""
    units = c.encode("utf-16-be", "surrogatepass")
    return "".join(
        f"\\u{a:02x}{b:02x}" for a, b in zip(units[::2], units[1::2], strict=True)
    )


def finite(value: Any) -> Any:
    """The value without infinities."""
    match value:
        case dict():
            return {name: finite(item) for name, item in value.items()}
        case list() | tuple():
            return [finite(item) for item in value]
        case float() if not math.isfinite(value):
            return None
    return value
