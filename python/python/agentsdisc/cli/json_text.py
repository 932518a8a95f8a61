"""Prints JSON on standard output: always valid, and without characters that control a terminal."""

import json
import math
import re
import sys
from typing import Any

from .._visible import HIDDEN

_HIDDEN = re.compile(f"(?!\n)[{HIDDEN}]")


def put_json(value: Any, indent: int | None = None) -> None:
    """Prints plain values. Numbers outside the range of floats become null, because JSON has no infinity."""
    put_text(
        json.dumps(finite(value), indent=indent, ensure_ascii=False, allow_nan=False)
    )


def put_text(text: str) -> None:
    """Prints JSON text in UTF-8, regardless of the locale."""
    escaped = _HIDDEN.sub(lambda found: _escape(found[0]), text)
    sys.stdout.flush()
    sys.stdout.buffer.write(escaped.encode() + b"\n")


def _escape(c: str) -> str:
    """Returns the JSON escape of a character; a surrogate pair above U+FFFF."""
    units = c.encode("utf-16-be", "surrogatepass")
    return "".join(
        f"\\u{a:02x}{b:02x}" for a, b in zip(units[::2], units[1::2], strict=True)
    )


def finite(value: Any) -> Any:
    """Returns the value with infinities replaced by None."""
    match value:
        case dict():
            return {name: finite(item) for name, item in value.items()}
        case list() | tuple():
            return [finite(item) for item in value]
        case float() if not math.isfinite(value):
            return None
    return value
