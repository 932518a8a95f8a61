"""Signatures that were used: none is accepted twice."""

import threading
import time
from collections import deque

from .keys import digest


class Replays:
    """Remembers signatures until they expire, and finds those that are used again. Threads and tasks can share it.

    At most `size` signatures are kept, and `per_agent` of each key. If there is no room, a signature is refused (`replay-unknown`), because nobody
    could tell whether it is new. Only valid signatures are kept, so others take no room.
    """

    def __init__(self, *, size: int = 200_000, per_agent: int = 20_000) -> None:
        self._size, self._per_agent = size, per_agent
        self._seen: dict[bytes, float] = {}
        self._counts: dict[str, int] = {}
        self._order: deque[tuple[bytes, str]] = deque()
        self._swept = 0.0
        self._lock = threading.Lock()

    def take(
        self, key_id: str, base: bytes, expires: float, now: float | None = None
    ) -> str:
        """Returns `valid` for a signature that is new, and remembers it; otherwise `replayed` or `replay-unknown`.

        `base` is what was signed, not the signature: of one text, there can be several signatures.
        """
        now = time.time() if now is None else now
        name = digest(key_id.encode() + b"\n" + base)
        with self._lock:
            if self._seen.get(name, now) > now:
                return "replayed"
            if self._is_full(key_id):
                self._sweep(now)
                if self._is_full(key_id):
                    return "replay-unknown"
            if name not in self._seen:
                self._order.append((name, key_id))
                self._counts[key_id] = self._counts.get(key_id, 0) + 1
            self._seen[name] = expires
            return "valid"

    def _is_full(self, key_id: str) -> bool:
        return (
            len(self._seen) >= self._size
            or self._counts.get(key_id, 0) >= self._per_agent
        )

    def _sweep(self, now: float) -> None:
        """Forgets what has expired, at most once a second, because it looks at everything."""
        if self._swept <= now < self._swept + 1:
            return
        self._swept = now
        kept: deque[tuple[bytes, str]] = deque()
        for name, key_id in self._order:
            if self._seen[name] > now:
                kept.append((name, key_id))
                continue
            del self._seen[name]
            self._counts[key_id] -= 1
            if not self._counts[key_id]:
                del self._counts[key_id]
        self._order = kept
