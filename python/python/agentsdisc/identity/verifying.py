"""Verification of requests: the core's rules, the key, the cryptography, and whether the signature is new."""

import json
import time
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from .._agentsdisc import _Claim, _claim, _find_key, _identity_reasons
from .._arguments import may_be, must_be
from .directory import Directory, Place
from .keys import check_installed, fits
from .replays import Replays

if TYPE_CHECKING:
    from anyio import CapacityLimiter
    from anyio.lowlevel import RunVar

Text = str | bytes
Headers = Mapping[str, str] | Iterable[tuple[Text, Text]]
"""The fields of a request: a mapping, or pairs of names and values, which may be bytes."""

MESSAGES = dict(_identity_reasons())
"""What each reason means, in a sentence."""

_MOST_WAITING = 64
"""How many requests of one loop wait for directories at a time; the others wait for these."""

SKEW = 10
"""By how many seconds the clock of an agent may be ahead."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a request is signed by an agent whose key is known."""

    valid: bool
    """Whether the signature is valid. All other members say what the request claims, and prove nothing if this is False."""
    reason: str
    """The reason: `valid`, or an id of a closed list, such as `expired` or `unknown-key` (docs/identity.md)."""
    key_id: str | None = None
    """The thumbprint of the key that the signature names."""
    directory: str | None = None
    """The URL of the keys that the signature covers: of the well-known place, without a query. It says who signed only if the key came from there,
    so not with a JWK Set: use `identity`."""
    created: int | None = None
    """When the signature was made, in seconds since 1970."""
    expires: int | None = None
    """When it expires."""
    nonce: str | None = None
    """Its nonce."""
    identity: str | None = None
    """Who signed, for rules and rate limits: the URL of the directory that has the key, or the thumbprint of the key if it is in a JWK Set. None if the
    signature is not valid."""

    @property
    def message(self) -> str:
        """The reason in a sentence."""
        return MESSAGES[self.reason]

    def __bool__(self) -> bool:
        return self.valid


@dataclass(slots=True)
class _Asked:
    """A directory that must be fetched."""

    place: Place
    is_newer: bool


_Steps = Generator[_Asked, bytes | str, Verdict]


def verify(
    method: Text,
    url: Text,
    headers: Headers,
    *,
    keys: Mapping[str, Any] | Directory,
    now: float | None = None,
    longest: int | None = None,
    skew: int = SKEW,
    replays: Replays | None = None,
) -> Verdict:
    """Verifies the signature of a request (Web Bot Auth, RFC 9421).

    `url` is the whole URL. Its authority must be the name of your site, not what `Host` says: else a signature for another site is valid for yours.

    - `keys`: a JWK Set with the keys that you accept, or a `Directory`, which fetches the keys from the URL that the request names.
    - `now`: the time in seconds since 1970; default: the clock.
    - `longest`: for how many seconds a signature may be valid; default: any number.
    - `skew`: by how many seconds the clock of an agent may be ahead.
    - `replays`: remembers signatures, and refuses those that were used before; default: none does.

    Never raises for what a request or a directory contains: every doubt is a verdict that is not valid. With several signatures of agents, at most four,
    the first valid one counts. Raises TypeError for other `keys`, and ImportError without cryptography (`pip install 'agentsdisc[identity]'`).
    """
    steps = _verification(method, url, headers, keys, now, longest, skew, replays)
    try:
        asked = next(steps)
        while True:
            assert isinstance(keys, Directory)
            asked = steps.send(keys.load(asked.place, is_newer=asked.is_newer))
    except StopIteration as end:
        return _verdict_of(end)


async def averify(
    method: Text,
    url: Text,
    headers: Headers,
    *,
    keys: Mapping[str, Any] | Directory,
    now: float | None = None,
    longest: int | None = None,
    skew: int = SKEW,
    replays: Replays | None = None,
) -> Verdict:
    """Does the same as `verify` without blocking the event loop while a directory is fetched."""
    steps = _verification(method, url, headers, keys, now, longest, skew, replays)
    try:
        asked = next(steps)
        from anyio import to_thread

        while True:
            assert isinstance(keys, Directory)
            load = partial(keys.load, asked.place, is_newer=asked.is_newer)
            came = await to_thread.run_sync(load, limiter=_threads())
            asked = steps.send(came)
    except StopIteration as end:
        return _verdict_of(end)


@lru_cache(maxsize=1)
def _limiters() -> "RunVar[CapacityLimiter]":
    from anyio.lowlevel import RunVar

    return RunVar("agentsdisc directories")


def _threads() -> "CapacityLimiter":
    """Returns the threads of this loop that wait for directories: their own, so that slow directories do not hold up the threads of the site."""
    from anyio import CapacityLimiter

    try:
        return _limiters().get()
    except LookupError:
        made = CapacityLimiter(_MOST_WAITING)
        _limiters().set(made)
        return made


def _verdict_of(end: StopIteration) -> Verdict:
    verdict = end.value
    assert isinstance(verdict, Verdict)
    return verdict


def _verification(
    method: Text,
    url: Text,
    headers: Headers,
    keys: Mapping[str, Any] | Directory,
    now: float | None,
    longest: int | None,
    skew: int,
    replays: Replays | None,
) -> _Steps:
    """Verifies the signatures one after the other; yields the directories that must be fetched."""
    if not isinstance(keys, Directory):
        must_be(Mapping, keys, "keys", "a JWK Set (a mapping) or a Directory")
    may_be(Replays, replays, "replays")
    check_installed()
    at = max(int(time.time() if now is None else now), 0)
    first: Verdict | None = None
    try:
        request = as_bytes(method), as_bytes(url), fields_of(headers)
    except (TypeError, ValueError):
        return Verdict(False, "malformed-request")
    for index in range(5):
        read = _claim(request, index, at, skew, longest)
        if read is None:
            break
        reason, claim = read
        if claim is None:
            assert reason is not None
            verdict = Verdict(False, reason)
        else:
            verdict = yield from _checked(claim, keys, at, replays)
        if verdict.valid:
            return verdict
        first = first or verdict
    assert first is not None
    return first


def _checked(
    claim: _Claim, keys: Mapping[str, Any] | Directory, at: int, replays: Replays | None
) -> _Steps:
    """Verifies a claim."""
    reason, is_valid, identity = "", False, claim.key_id
    if isinstance(keys, Directory):
        reason, found = yield from _key_of_agent(claim, keys, at)
        identity = claim.identifier or ""
    else:
        reason, found = _found(_written(keys), claim, at)
    if found is not None:
        algorithm, is_example, members = found
        if is_example and isinstance(keys, Directory) and not keys.examples:
            reason = "key-of-examples"
        else:
            reason = fits(tuple(members), algorithm, claim.signature, claim.base)
            if reason == "valid" and replays is not None:
                reason = replays.take(claim.key_id, claim.base, claim.expires, at)
            is_valid = reason == "valid"
    return Verdict(
        is_valid,
        reason,
        claim.key_id,
        claim.identifier,
        claim.created,
        claim.expires,
        claim.nonce,
        identity if is_valid else None,
    )


_Found = tuple[str, bool, list[tuple[str, str]]]


def _found(directory: bytes, claim: _Claim, at: int) -> tuple[str, _Found | None]:
    reason, found = _find_key(directory, claim.key_id.encode(), claim.algorithm, at)
    return reason or "", found


def _key_of_agent(
    claim: _Claim, keys: Directory, at: int
) -> Generator[_Asked, bytes | str, tuple[str, _Found | None]]:
    """Finds the key in the directory that the signature covers: never in another one, whose owner could sign in the name of this one."""
    if claim.url is None:
        return "agent-missing", None
    if claim.kind == "other":
        return "unsupported-agent-type", None
    place = Place(claim.url, claim.kind == "cimd")
    came = keys.kept(place)
    if came is None:
        came = yield _Asked(place, False)
    if isinstance(came, str):
        return came, None
    reason, found = _found(came, claim, at)
    if reason == "unknown-key" and keys.may_be_newer(place):
        # The agent may have a new key.
        came = yield _Asked(place, True)
        if isinstance(came, bytes):
            reason, found = _found(came, claim, at)
    return reason, found


def _written(keys: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(dict(keys)).encode()
    except (TypeError, ValueError):
        raise TypeError("keys is a JWK Set: a mapping that can be JSON") from None


def as_bytes(text: object) -> bytes:
    """Returns a text of a request as the octets that were sent."""
    if isinstance(text, str):
        try:
            return text.encode("latin-1")
        except UnicodeEncodeError:
            # No octets of HTTP; the core refuses them.
            return text.encode("utf-8", "surrogatepass")
    if isinstance(text, bytes | bytearray | memoryview):
        return bytes(text)
    raise TypeError


def fields_of(headers: object) -> list[tuple[bytes, bytes]]:
    """Returns the fields of a request. Raises TypeError or ValueError if they are none."""
    items = headers.items() if isinstance(headers, Mapping) else headers
    return [(as_bytes(name), as_bytes(value)) for name, value in items]  # type: ignore[attr-defined]
