"""Limits what each client has: requests by time, in a table of bounded size, and what is open at once."""

import math
import time
from collections import Counter, OrderedDict

CLIENTS = 10_000
"""The largest number of addresses to remember; the one without requests for the longest time is removed first."""


class Buckets:
    """Each client has `burst` tokens, and gets `rate` new ones a second. A request takes one."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate = rate
        self.burst = burst
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str, now: float | None = None) -> int:
        """Takes a token. Returns 0, or the seconds until there is one."""
        if self.rate <= 0:
            return 0
        now = time.monotonic() if now is None else now
        key = client(address)
        tokens, since = self._clients.pop(key, (float(self.burst), now))
        tokens = min(self.burst, tokens + (now - since) * self.rate)
        wait = 0 if tokens >= 1 else math.ceil((1 - tokens) / self.rate)
        self._clients[key] = (tokens if wait else tokens - 1, now)
        if len(self._clients) > CLIENTS:
            self._clients.popitem(last=False)
        return wait


class Open:
    """Counts what each client has open: connections, or requests in progress. `most` is the limit; 0: none."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._clients: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Counts one more, unless the client has as many as it may have."""
        key = client(address)
        if 0 < self.most <= self._clients[key]:
            return False
        self._clients[key] += 1
        return True

    def leave(self, address: str) -> None:
        """Counts one less."""
        key = client(address)
        self._clients[key] -= 1
        if self._clients[key] <= 0:
            del self._clients[key]


def client(address: str) -> str:
    """Returns what counts as one client: an IPv4 address, or the /64 network of an IPv6 address, which usually belongs to one household."""
    if ":" not in address:
        return address
    import ipaddress

    try:
        network = ipaddress.IPv6Network((address.partition("%")[0], 64), strict=False)
    except ValueError:
        return address
    mapped = network.network_address.ipv4_mapped
    return str(mapped or network.network_address)
