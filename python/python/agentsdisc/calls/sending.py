"""Sends the requests of one call, and creates its answers and errors."""

import inspect
import json
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio

from .. import Decision, Document
from .._agentsdisc import _agent_name, _Call
from .._conduct import check_room, make_room, seconds_of
from .._limits import Limiter
from ..discovery import Site, Timeouts
from ..discovery.addresses import port_of
from ..discovery.fetch import Failed, Reply, fetch
from ..discovery.transport import GuardedTransport
from .errors import CallFailed, ConnectionFailed, LimitExceeded, RateLimited
from .reasons import said_by
from .results import Answer, HttpRequest, Operation, Output, Step

if TYPE_CHECKING:
    from ..identity import Identity
    from . import Options

Headers = list[tuple[str, str]]

_MOST_REQUESTS = 200
"""The largest number of requests of one call, with the actions before it, its polls and its recoveries."""


_FIRST_SWEEP = 1000
"""The number of limiters at which those that remember nothing are removed."""


class _Limiters:
    """The limiters of this process. One that counts requests or waits is never removed."""

    def __init__(self) -> None:
        self._all: dict[tuple[object, str], Limiter] = {}
        self._sweep_at = _FIRST_SWEEP
        self._lock = threading.Lock()

    def of(self, site: object, agent: str) -> Limiter:
        """Returns the limiter of an agent, regardless of its version, for a site."""
        key = site, _agent_name(agent).casefold()
        with self._lock:
            if key not in self._all and len(self._all) >= self._sweep_at:
                self._all = {k: each for k, each in self._all.items() if each.is_used()}
                # Not before the number has doubled, so that each call takes constant time on average.
                self._sweep_at = max(_FIRST_SWEEP, 2 * len(self._all))
            return self._all.setdefault(key, Limiter())


_limiters = _Limiters()


def shared_limiter(
    origin: str | None, documents: tuple[Document, ...], agent: str
) -> Limiter:
    """Returns the limiter that all calls of an agent to a site share.

    Without an origin, all calls with the same documents share one: the site that a document names may be another one's.
    """
    return _limiters.of(_origin(origin) if origin else hash(documents), agent)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    """Returns the origin of a URL, in one spelling."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, port_of(url)


class Sender:
    """Sends requests within the limits of the caller, and records every step."""

    def __init__(
        self,
        transport: GuardedTransport,
        options: "Options",
        timeouts: Timeouts,
        max_wait: float,
        limiter: Limiter,
    ) -> None:
        self.transport, self.options, self.timeouts = transport, options, timeouts
        self.agent = options["agent"]
        self.max_wait, self.limiter = max_wait, limiter
        self.max_response = options.get("max_response", 16 << 20)
        self.steps: list[Step] = []
        self.last: Reply | None = None
        """The last answer."""

    @property
    def has_sent(self) -> bool:
        """Whether anything was sent, except requests for descriptions."""
        return any(step.kind != "document" for step in self.steps)

    async def send(
        self,
        request: HttpRequest,
        decision: Decision,
        capability: str,
        kind: str = "call",
        credentials: Mapping[str, str] | None = None,
        waited: float = 0.0,
    ) -> Reply:
        """Waits for the rate limits, and sends a request."""
        if len(self.steps) >= _MOST_REQUESTS:
            raise LimitExceeded(
                f"{capability!r} needs more than {_MOST_REQUESTS} requests", decision
            )
        waited += await self.room(decision, capability, kind)
        headers = {
            "User-Agent": self.agent,
            **dict(request.headers),
            **(credentials or {}),
        }
        try:
            reply = await fetch(
                self.transport,
                request.url,
                [(name.encode(), value.encode()) for name, value in headers.items()],
                limit=self.max_response,
                cuts=False,
                timeouts=self.timeouts,
                method=request.method,
                content=request.body,
                keeps_errors=True,
            )
        except Failed as failed:
            await self._record(Step(kind, capability, request, None, waited))
            if failed.why == "too-large":
                raise self.too_long(capability, decision) from None
            raise ConnectionFailed(
                f"{request.url}: {failed.words}", decision
            ) from failed
        await self._record(Step(kind, capability, request, reply.status, waited))
        self.last = reply
        if reply.status == 429:
            self.note(decision, texts(reply))
        return reply

    async def _record(self, step: Step) -> None:
        """Records a step, and reports it to the caller."""
        self.steps.append(step)
        if (progress := self.options.get("progress")) is not None:
            told = progress(step)
            if inspect.isawaitable(told):
                await told

    def note(self, decision: Decision, headers: Iterable[tuple[str, str]]) -> None:
        """Records the `Retry-After` of an answer with status 429, so that the next call waits as well."""
        for name, value in headers:
            if name.lower() == "retry-after":
                seconds = seconds_of(value, time.time())
                if seconds is not None:
                    self.limiter.hold(decision, seconds)
                return

    def done(
        self,
        operation: Operation,
        capability: str,
        kind: str = "call",
        waited: float = 0.0,
    ) -> None:
        """Records a step of a client of another protocol."""
        self.steps.append(Step(kind, capability, operation, None, waited))

    async def room(
        self, decision: Decision, capability: str, kind: str = "call"
    ) -> float:
        """Waits until the rate limits permit a request, and counts it. A poll waits as long as the call may take, so that the job is not lost."""
        deadline = anyio.current_effective_deadline()
        left = deadline - anyio.current_time()
        most = left if kind == "poll" else self.max_wait
        return await make_room(self.limiter, decision, capability, most, kind)

    def check_room(self, decision: Decision, capability: str) -> None:
        """Raises RateLimited if the rate limits permit no call in time, as far as that is known before it."""
        check_room(self.limiter, decision, capability, self.max_wait)

    async def pause(self, seconds: float, decision: Decision, capability: str) -> float:
        """Waits before a request is sent again. Raises RateLimited at once if the wait is longer than the call may take."""
        if anyio.current_time() + seconds > anyio.current_effective_deadline():
            raise RateLimited(
                f"{capability!r} has to wait {seconds:g} s before it can go on, longer than timeouts.total",
                decision,
                seconds,
            )
        await anyio.sleep(seconds)
        return seconds

    def too_long(self, capability: str, decision: Decision) -> LimitExceeded:
        """Returns the error for an answer that is too large."""
        return LimitExceeded(
            f"the answer to {capability!r} is larger than max_response", decision
        )

    def failure(
        self,
        message: str,
        decision: Decision | None,
        reply: Reply | None = None,
        *,
        failure: str = "status",
        body: bytes = b"",
        recovery: Mapping[str, Any] | None = None,
    ) -> CallFailed:
        """Returns the error for a server that answers with an error. The message repeats what the server says about it."""
        body = body if reply is None else reply.body
        is_error = reply is None or reply.status >= 400
        if is_error and (said := said_by(body)):
            message = f"{message}; the server says: {said}"
        return CallFailed(
            message,
            decision,
            failure=failure,
            status=None if reply is None else reply.status,
            body=body,
            recovery=recovery,
            steps=tuple(self.steps),
        )

    def answer(
        self,
        capability: str,
        decision: Decision,
        reply: Reply | bytes,
        outputs: Iterable[Output] = (),
    ) -> Answer:
        """Returns the answer to a call: a reply of HTTP, or the result of another protocol."""
        status: int | None = None
        headers: Headers = []
        if isinstance(reply, Reply):
            status, headers, body = reply.status, texts(reply), reply.body
        else:
            body = reply
        return Answer(
            capability,
            status,
            tuple(headers),
            body,
            tuple(outputs),
            tuple(self.steps),
            decision,
        )


def texts(reply: Reply) -> Headers:
    """Returns the headers of a reply as texts."""
    return [(k.decode("latin-1"), v.decode("latin-1")) for k, v in reply.headers]


def outputs_of(next: Mapping[str, Any]) -> list[Output]:
    """Returns the declared outputs that the core has found in an answer."""
    return [
        Output(each["name"], each.get("type"), each.get("value"), each["typed"])
        for each in next.get("outputs", ())
    ]


def outputs_in(progress: _Call, decision: Decision, values: Any) -> list[Output]:
    """Returns the declared outputs in the result of another protocol."""
    if not isinstance(values, dict):
        return []
    body = json.dumps(values, ensure_ascii=False).encode("utf-8", "replace")
    said = progress.next(decision._asked, 200, [], body, int(time.time()))
    return outputs_of(json.loads(said))


def sent_by(step: Mapping[str, Any]) -> HttpRequest | Operation:
    """Returns what a step of the core sends."""
    if step["step"] == "http":
        body = step.get("body")
        return HttpRequest(
            step["method"],
            step["url"],
            tuple((each["name"], each["value"]) for each in step.get("headers", ())),
            None if body is None else body.encode(),
        )
    return Operation(
        step["protocol"],
        step["url"],
        step.get("operation"),
        step.get("arguments", {}),
        step.get("transport"),
        step.get("version"),
        step.get("openapi"),
        step.get("method"),
        step.get("tenant"),
    )


def transport_of(
    where: "Site | tuple[Document, ...]",
    hosts: Iterable[str],
    identity: "Identity | None",
) -> AbstractAsyncContextManager[GuardedTransport]:
    """Returns the transport to the servers: the one that the site keeps, otherwise a new one."""
    if isinstance(where, Site) and where._connections is not None:
        return where._connections.transport(hosts, identity)
    return GuardedTransport(private=hosts, connections=4, identity=identity)


def named_hosts(where: "Site | tuple[Document, ...]", options: "Options") -> list[str]:
    """Returns the URLs whose hosts the user has named: the site and the approved URLs."""
    approved = list(options.get("approve", ()))
    if isinstance(where, Site):
        return [where.origin, *approved]
    sites = (each.service.url if each.service else None for each in where)
    site = options.get("origin") or next(filter(None, sites), None)
    return [site, *approved] if site else approved
