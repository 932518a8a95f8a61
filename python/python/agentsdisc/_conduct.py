"""Credentials and rate limits, as calls and sessions share them."""

import inspect
import math
import re
from collections.abc import Awaitable, Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import TypeGuard

from ._arguments import must_be
from ._errors import RateLimited
from ._limits import Limiter
from ._policy import Decision

Credentials = str | Callable[[Decision], str | Awaitable[str | None] | None]
"""A token, or a function that returns one for a decision (`decision.auth` says what is needed). It is called again when the server does not accept its token any more."""

_DAY = 86_400.0
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[!-~]+(?: +[!-~]+)*")
_RESERVED = re.compile(
    r"host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|http2-settings|sec-.*"
    r"|content-(length|type|encoding)|accept-encoding|user-agent|origin|set-cookie2?",
    re.IGNORECASE,
)
"""Headers that callers cannot give: those of the connection, those that each request sets itself, and those that identify the client.
`Cookie` is not among them, because a cookie can be a credential."""
_DESCRIPTIVE = re.compile(
    r"accept(-.*)?|if-.*|cache-control|pragma|prefer|priority|range|referer|date|from|dnt|via|forwarded|x-forwarded-.*|max-forwards",
    re.IGNORECASE,
)
"""Headers in which no server looks for a credential."""


def seconds_of(value: str, now: float) -> float | None:
    """Returns the seconds of a `Retry-After` (RFC 9110 section 10.2.3), at most a day; None if it is not valid."""
    text = value.strip()
    if text.isascii() and text.isdecimal():
        return min(float(text[:9]), _DAY)
    try:
        at = parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
    return min(max(at - now, 0.0), _DAY)


def is_value(text: object) -> TypeGuard[str]:
    """Returns whether a text is valid as the value of a header."""
    return isinstance(text, str) and _VALUE.fullmatch(text) is not None


def is_private_allowed(given: bool | None, where: object) -> bool:
    """Returns whether connections may go to private addresses: what the caller says, by default what the discovery of the site was told."""
    return bool(getattr(where, "_allow_private", False)) if given is None else given


def check_agent(agent: object) -> None:
    """Raises TypeError or ValueError for what cannot be a User-Agent."""
    must_be(str, agent, "agent")
    if not is_value(agent):
        raise ValueError(f"{agent!r} is not valid as a User-Agent")


def longest_wait(max_wait: float | None, usual: float) -> float:
    """Returns the longest wait for rate limits in seconds; `usual` if none is given. Raises ValueError for a negative number."""
    # NaN compares false, and would wait forever.
    if max_wait is not None and not max_wait >= 0:
        raise ValueError(f"max_wait must be 0 s or more, not {max_wait}")
    return usual if max_wait is None else max_wait


async def token_of(given: Credentials | None, decision: Decision) -> str | None:
    """Returns the token for a decision."""
    if given is None or isinstance(given, str):
        return given
    if not callable(given):
        got = type(given).__qualname__
        raise TypeError(f"credentials must be str or a function, not {got}")
    made = given(decision)
    return await made if inspect.isawaitable(made) else made


def check_headers(headers: Mapping[str, str] | None) -> None:
    """Raises ValueError for a header of the caller that HTTP or the request sets itself."""
    for name in headers or {}:
        if _RESERVED.fullmatch(name):
            how = "; use `agent`" if name.lower() == "user-agent" else ""
            raise ValueError(
                f"the header {name!r} cannot be given: each request has its own, and it carries no credential{how}"
            )


def has_key(headers: Mapping[str, str] | None) -> bool:
    """Returns whether any of these headers can carry a credential."""
    return not all(map(_DESCRIPTIVE.fullmatch, headers or ()))


def headers_with(
    token: str | None,
    headers: Mapping[str, str] | None,
    *,
    type: str | None,
    header: str | None,
    prefix: str | None,
) -> dict[str, str]:
    """Returns the headers that carry the credentials: those of the caller, and one for the token.

    Raises ValueError if no header is known for the token, or if a header is not valid.
    """
    check_headers(headers)
    sent = dict(headers or {})
    if token is not None:
        if header is None:
            if type in {"api-key", "hmac"}:
                raise ValueError(
                    f"the documents do not say which header a credential of type {type} goes into: give `headers`"
                )
            header, prefix = "Authorization", "Bearer"
        sent[header] = f"{prefix or ''} {token}".lstrip() if is_value(token) else token
    for name, value in sent.items():
        if not _NAME.fullmatch(name) or not is_value(value):
            # The message omits the value, which is a secret.
            raise ValueError(
                "a credential is empty, or has a character that is not valid in a header"
            )
    return sent


def _until(seconds: float) -> str:
    """Returns when a call is allowed, in words."""
    if seconds == math.inf:
        return "they never allow it"
    return f"the next call is allowed in {math.ceil(seconds)} s"


def check_room(limiter: Limiter, decision: Decision, name: str, most: float) -> None:
    """Raises RateLimited if the rate limits permit no call within `most` seconds, as far as that is known now."""
    if (seconds := limiter.wait(decision)) > most:
        raise _no_room(decision, name, most, seconds)


def _no_room(decision: Decision, name: str, most: float, seconds: float) -> RateLimited:
    """Returns the error for a call that the rate limits do not permit in time."""
    said = (
        f"the rate limits leave no room for {name!r} in {most:g} s: {_until(seconds)}"
    )
    return RateLimited(said, decision, seconds)


async def make_room(
    limiter: Limiter, decision: Decision, name: str, most: float, kind: str = "call"
) -> float:
    """Waits until the rate limits permit a call, counts it, and returns the seconds waited. Raises RateLimited if that takes more than `most` seconds."""
    import anyio

    begun = anyio.current_time()
    while (seconds := limiter.take(decision, kind=kind)) > 0:
        if seconds == math.inf or anyio.current_time() + seconds > begun + most:
            raise _no_room(decision, name, most, seconds)
        await anyio.sleep(seconds)
    return anyio.current_time() - begun
