"""Counts requests and events, in the text format of Prometheus. No label comes from a document or a client."""

import json
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})

EVENTS = {
    "limited": "Requests that were refused because a client sent too many.",
    "store_errors": "Questions that the store could not answer.",
    "kept_answers": "Answers that were kept from an earlier request.",
    "submissions": "Domains that were submitted.",
    "submissions_added": "Submitted domains that are in the index now.",
    "submissions_refused": "Submitted domains that were not added.",
    "upstream_errors": "Questions that an upstream registry did not answer.",
}


class Metrics:
    """The counters of one process. If there are several processes, the process id is a label that distinguishes them, and each keeps its counters in a shared folder."""

    def __init__(self, process: int | None = None, folder: str | None = None) -> None:
        self._process = "" if process is None else f'process="{process}"'
        self._file = None
        if folder is not None and process is not None:
            self._file = Path(folder) / f"{process}.json"
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._times: defaultdict[str, list[int]] = defaultdict(
            lambda: [0] * (len(_BOUNDS) + 1)
        )
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._events = Counter(dict.fromkeys(EVENTS, 0))

    def request(self, endpoint: str, method: str, status: int, seconds: float) -> None:
        """Counts one request."""
        method = method if method in _METHODS else "other"
        self._requests[endpoint, method, status] += 1
        self._times[endpoint][bisect_left(_BOUNDS, seconds)] += 1
        self._seconds[endpoint] += seconds

    def event(self, name: str) -> None:
        """Counts one of EVENTS."""
        self._events[name] += 1

    def keep(self) -> None:
        """Writes the counters for the other processes."""
        if self._file is None:
            return
        values = {
            "requests": [[*key, count] for key, count in self._requests.items()],
            "times": self._times,
            "seconds": self._seconds,
            "events": self._events,
        }
        partial = self._file.with_suffix(".part")
        partial.write_text(json.dumps(values))
        partial.replace(self._file)

    def _others(self) -> "Iterator[Metrics]":
        """Yields the counters of the other processes, also of ended ones: a counter must not fall."""
        if self._file is None:
            return
        for path in sorted(self._file.parent.glob("*.json")):
            if path == self._file:
                continue
            # The file of a process may be written for the first time now.
            with suppress(OSError, ValueError, LookupError, TypeError):
                values = json.loads(path.read_text())
                other = Metrics(int(path.stem))
                for endpoint, method, status, count in values["requests"]:
                    other._requests[endpoint, method, status] = count
                other._times.update(values["times"])
                other._seconds.update(values["seconds"])
                other._events.update(values["events"])
                yield other

    def text(self, gauges: dict[str, tuple[str, float]]) -> str:
        """Returns all counters, those of the other processes too, and the current values in `gauges` with their descriptions."""
        every = (self, *self._others())
        return "\n".join((*_lines(every), *self._gauges(gauges), ""))

    def _value(self, name: str, value: object, labels: str = "") -> str:
        both = ",".join(filter(None, (labels, self._process)))
        named = f"{{{both}}}" if both else ""
        return f"agentsdisc_registry_{name}{named} {value}"

    def _of_requests(self) -> Iterator[str]:
        for (endpoint, method, status), count in sorted(self._requests.items()):
            labels = f'endpoint="{endpoint}",method="{method}",status="{status}"'
            yield self._value("requests_total", count, labels)

    def _of_times(self) -> Iterator[str]:
        for endpoint, counts in sorted(self._times.items()):
            total = 0
            for bound, count in zip((*_BOUNDS, "+Inf"), counts, strict=True):
                total += count
                labels = f'endpoint="{endpoint}",le="{bound}"'
                yield self._value("request_seconds_bucket", total, labels)
            labels = f'endpoint="{endpoint}"'
            seconds = f"{self._seconds[endpoint]:.6f}"
            yield self._value("request_seconds_sum", seconds, labels)
            yield self._value("request_seconds_count", total, labels)

    def _gauges(self, gauges: dict[str, tuple[str, float]]) -> Iterator[str]:
        for name, (about, value) in gauges.items():
            yield from _head(name, "gauge", about)
            yield self._value(name, f"{value:g}")


def _lines(every: Iterable[Metrics]) -> Iterator[str]:
    """Yields the counters of all processes, each kind together."""
    yield from _head("requests_total", "counter", "Requests that were answered.")
    for one in every:
        yield from one._of_requests()
    yield from _head("request_seconds", "histogram", "The time of an answer.")
    for one in every:
        yield from one._of_times()
    for event, about in EVENTS.items():
        yield from _head(f"{event}_total", "counter", about)
        for one in every:
            yield one._value(f"{event}_total", one._events[event])


def _head(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP agentsdisc_registry_{name} {about}"
    yield f"# TYPE agentsdisc_registry_{name} {kind}"
