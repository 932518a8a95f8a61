"""JSON on standard output: valid whatever a document holds, and nothing in it that a terminal would obey."""

import json
import math
import re
import sys
from typing import Any

# The further control characters, what turns the direction of text around or hides in it, and halves of pairs.
_OBEYED = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


def put_json(value: Any, indent: int | None = None) -> None:
    """Prints plain values. Numbers that are larger than a float can be are null: JSON has no infinity."""
    put_text(
        json.dumps(finite(value), indent=indent, ensure_ascii=False, allow_nan=False)
    )


def put_text(text: str) -> None:
    """Prints text that is JSON. As such it is UTF-8, whatever the locale says."""
    escaped = _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    sys.stdout.flush()
    sys.stdout.buffer.write(escaped.encode() + b"\n")


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
