"""Enforces the rate limits of the documents."""

import math
import threading
import time
from collections import deque
from collections.abc import Iterable

from ._policy import AppliedLimit, Decision

# Identifies a limit: scope, capability, requests and milliseconds.
_Key = tuple[str, str | None, int, int]


class Limiter:
    """Counts calls in sliding windows, one for each limit. A limit of a capability has a window of its own.

    A limit whose window cannot be read counts calls per minute. A limit of zero requests allows no call. Threads and tasks can share a limiter; use
    one limiter for each site and agent.
    """

    def __init__(self) -> None:
        self._times: dict[_Key, deque[float]] = {}
        self._held: dict[str | None, float] = {}
        self._lock = threading.Lock()

    def hold(
        self, decision: Decision, seconds: float, now: float | None = None
    ) -> None:
        """Blocks calls of the capability for some seconds, because the server has sent `Retry-After`."""
        now = time.monotonic() if now is None else now
        with self._lock:
            self._held = {name: end for name, end in self._held.items() if end > now}
            held = self._held.get(decision.capability, now)
            self._held[decision.capability] = max(held, now + seconds)

    def take(
        self, decision: Decision, now: float | None = None, *, kind: str = "call"
    ) -> float:
        """Counts one call for every limit that applies to it, if all limits permit it.

        `hold` does not delay a `retry` or a `poll`, which have waited already. A `poll` does not count for the limits of its capability. Returns 0 if
        the call was counted; otherwise the seconds until the limits permit it, infinity if they never do.
        """
        now = time.monotonic() if now is None else now
        is_poll = kind == "poll"
        limits = [
            limit
            for limit in decision.rate_limits
            if not (is_poll and limit.capability is not None)
        ]
        with self._lock:
            seconds = self._longest(limits, now)
            if kind not in {"retry", "poll"}:
                seconds = max(seconds, self._held.get(decision.capability, now) - now)
            if seconds <= 0:
                # Equal limits of several documents, such as an agents.txt and its agents.json, are one limit.
                for key in {_key(limit) for limit in limits}:
                    self._times.setdefault(key, deque()).append(now)
            return max(seconds, 0.0)

    def wait(self, decision: Decision, now: float | None = None) -> float:
        """Returns the seconds until the limits permit a call, infinity if they never do; counts nothing."""
        now = time.monotonic() if now is None else now
        with self._lock:
            held = self._held.get(decision.capability, now) - now
            return max(self._longest(decision.rate_limits, now), held, 0.0)

    def _longest(self, limits: Iterable[AppliedLimit], now: float) -> float:
        """Returns the longest wait for any of these limits."""
        return max((self._wait(limit, now) for limit in limits), default=0.0)

    def is_used(self, now: float | None = None) -> bool:
        """Whether the limiter still counts a call, or waits because of `hold`."""
        now = time.monotonic() if now is None else now
        with self._lock:
            counts = any(
                times and times[-1] > now - milliseconds / 1000
                for (_, _, _, milliseconds), times in self._times.items()
            )
            return counts or any(end > now for end in self._held.values())

    def _wait(self, limit: AppliedLimit, now: float) -> float:
        if limit.requests == 0:
            return math.inf
        times = self._times.get(_key(limit))
        if times is None:
            return 0.0
        window = _seconds(limit)
        while times and times[0] <= now - window:
            times.popleft()
        if len(times) < limit.requests:
            return 0.0
        return times[len(times) - limit.requests] + window - now


def _seconds(limit: AppliedLimit) -> float:
    return 60.0 if limit.milliseconds is None else limit.milliseconds / 1000


def _key(limit: AppliedLimit) -> _Key:
    milliseconds = limit.milliseconds or 60_000
    return limit.scope, limit.capability, limit.requests, milliseconds
