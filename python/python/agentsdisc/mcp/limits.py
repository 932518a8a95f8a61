"""Enforces the rate limits of the documents for the calls of one session."""

import math
import time
from collections import deque

from .. import AppliedLimit, Decision

# Which limit, and whose calls it counts.
_Key = tuple[str, str | None, int, int]


class Limiter:
    """Counts calls in sliding windows: one for each limit, and for each capability where it is the capability's.

    A limit whose window cannot be read is counted by the minute; zero requests allow none, ever.
    """

    def __init__(self) -> None:
        self._times: dict[_Key, deque[float]] = {}

    def wait(self, decision: Decision, now: float | None = None) -> float:
        """Seconds until all limits have room for one call; infinity where one never has."""
        now = time.monotonic() if now is None else now
        return max(
            (self._wait(limit, now) for limit in decision.rate_limits), default=0.0
        )

    def take(self, decision: Decision, now: float | None = None) -> None:
        """Counts one call for every limit that applies to it."""
        now = time.monotonic() if now is None else now
        # What several documents say alike, such as an agents.txt and its agents.json, is one limit.
        for key in {_key(limit) for limit in decision.rate_limits}:
            self._times.setdefault(key, deque()).append(now)

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
