"""Reads requests: parameters, bodies and page tokens. An invalid request raises Problem."""

import base64
import json
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request

from ..entries import Query
from ..searching import MOST_OFFSET
from .problems import Problem, invalid, quoted

MOST_WORDS = 1000
MOST_RESULTS = 100
_MOST_VALUES = 50
_LONGEST_VALUE = 300


def clean(text: str) -> str:
    """Returns a text that every store can compare: without null characters and unpaired surrogates."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def number(text: str | None, name: str, default: int, least: int, most: int) -> int:
    """Returns a parameter that is a whole number; one above `most` means `most`."""
    if text is None or text == "":
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise invalid(f"{name} must be a whole number, not {quoted(text)}")
    return bounded(name, min(int(text), most), least, most)


def bounded(name: str, value: int, least: int, most: int) -> int:
    """Returns a number that is in its range."""
    if not least <= value <= most:
        raise invalid(f"{name} must be {least} to {most:,}, not {value}")
    return value


def offset_of(text: str | None) -> int:
    """Returns how many results to skip. More than `MOST_OFFSET` is an error, because the answer would be another page than the requested one."""
    return bounded("offset", number(text, "offset", 0, 0, 1 << 31), 0, MOST_OFFSET)


def values(request: Request, name: str) -> tuple[str, ...]:
    """Returns the values of a filter: repeated, or joined by commas."""
    given = request.query_params.getlist(name)
    found = [one.strip() for text in given for one in text.split(",") if one.strip()]
    return listed(name, found)


def listed(name: str, found: list[str]) -> tuple[str, ...]:
    """Returns the values of a filter, in bounds."""
    if len(found) > _MOST_VALUES:
        raise invalid(f"{name} has more than {_MOST_VALUES} values")
    if any(len(one) > _LONGEST_VALUE for one in found):
        raise invalid(f"{name} has a value of more than {_LONGEST_VALUE} characters")
    return tuple(clean(one) for one in found)


def words(text: str, name: str) -> str:
    """Returns the words of a search, in bounds."""
    if len(text) > MOST_WORDS:
        raise invalid(f"{name} has more than {MOST_WORDS:,} characters")
    return clean(text)


def query(request: Request, default: int = 10) -> Query:
    """Returns the search that the parameters of a URL ask for."""
    return Query(
        text=words(request.query_params.get("q", ""), "q"),
        format=values(request, "format"),
        category=values(request, "category"),
        auth=values(request, "auth"),
        tag=values(request, "tag"),
        limit=number(
            request.query_params.get("limit"), "limit", default, 1, MOST_RESULTS
        ),
        offset=offset_of(request.query_params.get("offset")),
    )


def moment_of(name: str, text: str) -> datetime:
    """Returns a time of a request; a time without a zone is in UTC."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        example = f"{name}=2026-01-31T12:00:00Z"
        raise invalid(
            f"{name} is {quoted(text)}, not a time of ISO 8601, such as {example}"
        ) from None


async def body_of(request: Request) -> dict[str, Any]:
    """Returns the JSON object that a request sends."""
    kind = (
        request.headers.get("content-type", "application/json")
        .partition(";")[0]
        .strip()
        .lower()
    )
    if kind != "application/json" and not kind.endswith("+json"):
        raise Problem("not-json", "send the body with Content-Type: application/json")
    data = await request.body()
    try:
        found = json.loads(data, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise invalid("the body is not valid JSON") from None
    if not isinstance(found, dict):
        raise invalid("the body must be a JSON object")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(name)


def token(place: str, state: str = "") -> str:
    """Returns a page token for a place in a list; `state` identifies the request, which must stay the same."""
    return base64.urlsafe_b64encode(f"{state}\n{place}".encode()).decode().rstrip("=")


def place(text: object, state: str = "") -> str:
    """Returns the place that a page token names."""
    wrong = invalid("pageToken is not one that this registry gave for this request")
    if not isinstance(text, str) or len(text) > 2000:
        raise wrong
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        asked, _, found = data.decode().partition("\n")
    except ValueError:
        raise wrong from None
    if asked != state or not found:
        raise wrong
    return found
