"""Workflow commands of GitHub Actions, which GitHub shows as annotations."""

import re

from ._visible import visible

_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}


def annotation(kind: str, message: str, **properties: object) -> str:
    """Returns one command. `kind` is error, warning or notice; properties that are None are left out."""
    named = ",".join(
        f"{name}={_parameter(value)}"
        for name, value in properties.items()
        if value is not None
    )
    return f"::{kind}{' ' if named else ''}{named}::{_value(message)}"


def _value(text: object) -> str:
    # Escapes line breaks, so that GitHub finds the file by its name.
    parts = re.split(r"([%\r\n])", str(text))
    return "".join(_ESCAPES.get(part) or visible(part) for part in parts)


def _parameter(text: object) -> str:
    return _value(text).replace(":", "%3A").replace(",", "%2C")
