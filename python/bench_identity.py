"""Signed requests: what a signature costs an agent, and how many verdicts a site gives in a second.

    python python/bench_identity.py

Prints one line for each figure. Exit code 1 if one misses its goal: 20,000 verdicts a second and core without the cryptography, and 0.2 ms more for a
signed call. The times are processor times of one thread, so that a figure is that of one core, whatever else the machine does; the best of several
rounds counts.
"""

import sys
import time
from collections.abc import Callable

from agentsdisc import parse
from agentsdisc._agentsdisc import _claim, _find_key
from agentsdisc.identity import Gate, Identity, Key, sign, verify

ROUNDS, TIMES = 7, 1000
LEAST_VERDICTS, MOST_SECONDS = 20_000, 0.0002
URL = "https://shop.example/mugs?color=red&size=2"
OWN = {"User-Agent": "ShopBot/1.0", "Accept": "application/json"}


def seconds(work: Callable[[], object]) -> float:
    """Returns how long one run takes, in the best round."""
    rounds = []
    for _ in range(ROUNDS):
        begun = time.thread_time()
        for _ in range(TIMES):
            work()
        rounds.append((time.thread_time() - begun) / TIMES)
    return min(rounds)


def main() -> int:
    """Measures, and returns the exit code."""
    key = Key.generate()
    keys = {"keys": [key.public]}
    now = int(time.time())
    made = sign(key, "GET", URL, directory="https://agent.example", now=now)
    headers = {**OWN, **made}
    fields = [(name.encode(), value.encode()) for name, value in headers.items()]
    request = b"GET", URL.encode(), fields
    directory = str(keys).replace("'", '"').encode()

    def verdict() -> object:
        read = _claim(request, 0, now, 10, None)
        assert read is not None and read[1] is not None
        claim = read[1]
        reason, found = _find_key(directory, claim.key_id.encode(), None, now)
        assert reason is None
        return found

    def whole() -> object:
        found = verify("GET", URL, headers, keys=keys, now=now)
        assert found.valid
        return found

    txt = "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://shop.example\nAllow: /mugs\n"
    gate = Gate(
        origin="https://shop.example",
        documents=parse(txt.encode()),
        robots="absent",
        keys=keys,
        replays=None,
    )

    def admitted() -> object:
        found = gate.admit("GET", "/mugs?color=red&size=2", headers, now=now)
        assert found.is_admitted
        return found

    without = seconds(verdict)
    signing = seconds(lambda: Identity(key, "https://agent.example").sign("GET", URL))
    print(f"verdict without the cryptography  {1 / without:10,.0f} a second")
    print(f"verdict with Ed25519              {1 / seconds(whole):10,.0f} a second")
    print(f"decision of a gate                {1 / seconds(admitted):10,.0f} a second")
    print(f"a signed call takes more          {signing * 1000:10.3f} ms")
    is_met = 1 / without >= LEAST_VERDICTS and signing <= MOST_SECONDS
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
