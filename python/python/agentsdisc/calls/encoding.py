"""Writes arguments as JSON for the core, and names those that cannot be written."""

import json
from collections.abc import Mapping
from typing import Any

from .errors import CallRefused

_DEEPEST = 63
"""The core reads 64 levels; the outermost one is the object of all arguments."""


def encoded(capability: str, arguments: Mapping[str, Any]) -> bytes:
    """Returns the arguments as a JSON object. Raises CallRefused with the name of an argument that JSON cannot represent."""
    texts = []
    for name, value in arguments.items():
        if not isinstance(name, str):
            raise _refused(capability, repr(name), "its name is not a str")
        try:
            parts = [
                json.dumps(each, ensure_ascii=False, allow_nan=False)
                for each in (name, value)
            ]
            text = ": ".join(parts)
            text.encode()
        except UnicodeEncodeError:
            why = "it is not valid Unicode"
        except RecursionError:
            why = "it is nested too deeply"
        except (TypeError, ValueError):
            why = "it has a value that JSON cannot carry"
        else:
            if _depth(value) <= _DEEPEST:
                texts.append(text)
                continue
            why = "it is nested too deeply"
        raise _refused(capability, name, why)
    return f"{{{', '.join(texts)}}}".encode()


def _refused(capability: str, name: str, why: str) -> CallRefused:
    shown = name.encode("utf-8", "backslashreplace").decode()
    return CallRefused(
        f"{capability!r} is not called: the argument {shown!r} cannot be sent: {why}",
        None,
        {"refused": "invalid-value", "argument": shown},
    )


def _depth(value: Any) -> int:
    """Returns how deeply lists and mappings are nested."""
    level, depth = [value], 0
    while inner := [each for each in level if isinstance(each, list | tuple | dict)]:
        depth += 1
        if depth > _DEEPEST:
            break
        level = [
            item
            for each in inner
            for item in (each.values() if isinstance(each, dict) else each)
        ]
    return depth
