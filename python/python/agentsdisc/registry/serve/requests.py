"""Reads parameters and bodies of requests."""

import json
from typing import Any

from starlette.requests import Request

from .problems import Problem, invalid, quoted

MAX_TEXT = 1_000


def words(text: str, name: str) -> str:
    """Checks words to search for."""
    if len(text) > MAX_TEXT:
        raise invalid(f"{name} has more than {MAX_TEXT:,} characters")
    return text


def number(text: str | None, name: str, default: int, least: int, most: int) -> int:
    """Parses a whole number; one above `most` means `most`."""
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10) or int(text) < least:
        raise invalid(f"{name} must be a whole number from {least}, not {quoted(text)}")
    return min(int(text), most)


def several(request: Request, name: str) -> tuple[str, ...]:
    """Returns the values of a parameter: repeated, or with commas between them."""
    given = ",".join(request.query_params.getlist(name)).split(",")
    found = tuple(dict.fromkeys(v for each in given if (v := each.strip())))
    if len(found) > 50:
        raise invalid(f"{name} has more than 50 values")
    return found


async def json_object(request: Request) -> dict[str, Any]:
    """Reads a body that is a JSON object."""
    kind = request.headers.get("content-type", "application/json").partition(";")[0]
    if not kind.strip().lower().endswith("json"):
        raise Problem("not-json", "send the body as application/json")
    try:
        value = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise invalid("the body is not valid JSON") from None
    if not isinstance(value, dict):
        raise invalid("the body must be a JSON object")
    return value
