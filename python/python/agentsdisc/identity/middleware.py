"""Middleware that admits requests by the site's own documents: who signed them, what `decide` says, and the rate limits of each agent."""

import json
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Literal
from urllib.parse import quote, urlsplit

from .. import Decision, Document, RobotsTxt, decide
from .._arguments import must_be
from .._facts import RESOURCES
from .._limits import Limiter
from .._policy import RobotsState
from .directory import Directory
from .replays import Replays
from .verifying import (
    SKEW,
    Headers,
    Verdict,
    as_bytes,
    averify,
    fields_of,
    verify,
)

_DAY = 86_400
_MOST_AGENTS = 10_000
_WANTED = 'sig1=("@authority" "@method" "@path" "@query" "signature-agent";key="sig1");created;expires;keyid;nonce;tag="web-bot-auth"'
"""What a request for a signature asks for (RFC 9421 section 5)."""

ASKED = {"WWW-Authenticate": "Signature", "Accept-Signature": _WANTED}
"""The headers of an answer that asks for a signature."""

_OPEN = {
    place for each in RESOURCES.values() if each.formats for place in each.locations
}
"""The places of documents for agents, which must be read before anything is decided."""

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_Asgi = Callable[[_Scope, _Receive, _Send], Awaitable[None]]
_Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a request is admitted."""

    status: int
    """200 if it is; otherwise the status of the answer: 401 without a valid signature, 403 if the documents deny it, 429 if a rate limit does."""
    verdict: Verdict
    """What is known of the signature."""
    decision: Decision | None = None
    """What the documents say; None if they were not asked."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """The headers of the answer."""
    reason: str = ""
    """The reason of the verdict, of the decision, or `rate-limited`."""
    detail: str = ""
    """The reason in a sentence."""

    @property
    def is_admitted(self) -> bool:
        """Whether the request may go on."""
        return self.status == 200

    @property
    def body(self) -> bytes:
        """The answer as problem details (RFC 9457)."""
        title = HTTPStatus(self.status).phrase
        return json.dumps(
            {
                "type": "about:blank",
                "title": title,
                "status": self.status,
                "detail": self.detail,
                "reason": self.reason,
            }
        ).encode()


class Gate:
    """Admits requests of agents by the site's documents. The middleware for ASGI and WSGI are thin layers over it.

    - `origin`: the origin of the site, such as `https://shop.example`; several for a site with several names. The URL of a request is made of it,
      never of what `Host` says, so a signature for another site fits no request.
    - `documents`, `robots`: what the site publishes, as for `agentsdisc.decide`. The agent of a decision is the User-Agent of the request.
    - `keys`: a `Directory` or a JWK Set; default: a Directory that fetches.
    - `unsigned`: `refuse` answers requests without a signature with 401; `pass` lets them through undecided, for a site that people visit too. A signature
      that is not valid is refused in both cases. The places of robots.txt and of the documents for agents are open to all: they are read before anything is decided.
    - `replays`: remembers used signatures; None lets them be used until they expire.
    - `longest`: for how many seconds a signature may be valid; default: a day.
    - `skew`: by how many seconds the clock of an agent may be ahead.
    """

    def __init__(
        self,
        *,
        origin: str | Iterable[str],
        documents: Document | Iterable[Document],
        robots: RobotsTxt | RobotsState | None = None,
        keys: Mapping[str, Any] | Directory | None = None,
        unsigned: Literal["refuse", "pass"] = "refuse",
        replays: Replays | Literal[True] | None = True,
        longest: int | None = _DAY,
        skew: int = SKEW,
    ) -> None:
        origins = [origin] if isinstance(origin, str) else list(origin)
        self._origins = {_host(each): _origin(each) for each in origins}
        if not self._origins:
            raise ValueError("origin must name at least one origin")
        if isinstance(documents, Document):
            documents = (documents,)
        self._documents = tuple(documents)
        for document in self._documents:
            must_be(Document, document, "documents")
        if unsigned not in {"refuse", "pass"}:
            raise ValueError(f"unsigned is 'refuse' or 'pass', not {unsigned!r}")
        self._robots = robots
        self._passes = unsigned == "pass"
        self._options: dict[str, Any] = {
            "keys": Directory() if keys is None else keys,
            "replays": Replays() if replays is True else replays,
            "longest": longest,
            "skew": skew,
        }
        self._limiters: OrderedDict[str, Limiter] = OrderedDict()
        self._lock = threading.Lock()

    def admit(
        self, method: str, target: str, headers: Headers, *, now: float | None = None
    ) -> Admission:
        """Decides a request. `target` is its path and query as sent. Never raises for what a request contains."""
        asked = self._asked(method, target, headers)
        if isinstance(asked, Admission):
            return asked
        verdict = verify(*asked, **self._options, now=now)
        return self._settled(verdict, asked, now)

    async def aadmit(
        self, method: str, target: str, headers: Headers, *, now: float | None = None
    ) -> Admission:
        """Does the same without blocking the event loop while a directory is fetched."""
        asked = self._asked(method, target, headers)
        if isinstance(asked, Admission):
            return asked
        verdict = await averify(*asked, **self._options, now=now)
        return self._settled(verdict, asked, now)

    def _asked(
        self, method: str, target: str, headers: Headers
    ) -> tuple[str, str, list[tuple[bytes, bytes]]] | Admission:
        """Returns the request as it is verified: with the site's own name."""
        try:
            fields = fields_of(headers)
        except (TypeError, ValueError):
            return _unauthorized(Verdict(False, "malformed-request"))
        host = _value(fields, b"host").decode("latin-1").lower()
        origin = self._origins.get(host) or next(iter(self._origins.values()))
        return method, origin + (target if target[:1] == "/" else "/"), fields

    def _settled(
        self,
        verdict: Verdict,
        asked: tuple[str, str, list[tuple[bytes, bytes]]],
        now: float | None,
    ) -> Admission:
        method, url, fields = asked
        is_unsigned = verdict.reason == "unsigned"
        if is_unsigned and self._passes:
            return Admission(200, verdict, reason="unsigned")
        if not verdict.valid and not is_unsigned:
            return _unauthorized(verdict)
        # As the core reads a User-Agent: octets that are no ASCII name no agent.
        agent = _value(fields, b"user-agent").decode("utf-8", "replace")
        decision = decide(
            self._documents,
            agent=agent,
            url=url,
            method=method,
            robots=self._robots,
            origin=url[: url.index("/", 8)],
        )
        if method in {"GET", "HEAD"} and _path(url) in _OPEN:
            return Admission(200, verdict, decision, reason=verdict.reason)
        if is_unsigned:
            return _unauthorized(verdict)
        if not decision.allowed:
            return Admission(
                403, verdict, decision, {}, decision.reason, decision.message
            )
        assert verdict.identity is not None
        seconds = self._wait(verdict.identity, decision, now)
        if seconds <= 0:
            return Admission(200, verdict, decision, reason=decision.reason)
        if seconds == math.inf:
            return Admission(
                403,
                verdict,
                decision,
                {},
                "rate-limited",
                "The site allows no requests.",
            )
        said = f"The rate limit of the site permits the next request in {math.ceil(seconds)} s."
        after = {"Retry-After": str(math.ceil(seconds))}
        return Admission(429, verdict, decision, after, "rate-limited", said)

    def _wait(self, identity: str, decision: Decision, now: float | None) -> float:
        """Counts a request of an agent; returns the seconds until the limits permit it."""
        with self._lock:
            limiter = self._limiters.get(identity)
            if limiter is None:
                if len(self._limiters) >= _MOST_AGENTS and not self._has_room():
                    return 60.0
                limiter = self._limiters[identity] = Limiter()
            self._limiters.move_to_end(identity)
        # A test gives the time; calls count by a clock that nobody sets.
        return limiter.take(decision, time.monotonic() if now is None else now)

    def _has_room(self) -> bool:
        """Drops the counter that was not used for the longest time, unless it still counts: its agent would begin anew."""
        oldest, limiter = next(iter(self._limiters.items()))
        if limiter.is_used():
            return False
        del self._limiters[oldest]
        return True


def _unauthorized(verdict: Verdict) -> Admission:
    return Admission(401, verdict, None, ASKED, verdict.reason, verdict.message)


def _value(fields: list[tuple[bytes, bytes]], name: bytes) -> bytes:
    """Returns the value of a field; empty if it is absent or occurs twice."""
    values = [value for given, value in fields if given.lower() == name]
    return values[0].strip() if len(values) == 1 else b""


def _path(url: str) -> str:
    return url[url.index("/", 8) :].partition("?")[0]


def _origin(url: str) -> str:
    """Returns scheme and authority of an origin. Raises ValueError for anything else."""
    parts = urlsplit(url)
    if (
        parts.scheme not in {"http", "https"}
        or not parts.hostname
        or parts.username is not None
        or parts.path not in {"", "/"}
        or parts.query
        or parts.fragment
    ):
        raise ValueError(f"{url!r} is not an origin such as https://shop.example")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _host(url: str) -> str:
    return urlsplit(_origin(url)).netloc


class AsgiGate:
    """ASGI middleware: `app = AsgiGate(app, origin="https://shop.example", documents=…)`. The options are those of `Gate`.

    An admitted request has its `Admission` as `scope["agentsdisc"]`. The handshake of a WebSocket is a request like every other; one that is not admitted
    is closed.
    """

    def __init__(self, app: _Asgi, **options: Any) -> None:
        self.app, self.gate = app, Gate(**options)

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Answers one request."""
        kind = scope["type"]
        if kind not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        path = scope.get("raw_path") or quote(scope["path"]).encode()
        target = path.decode("latin-1").partition("?")[0]
        if query := scope.get("query_string"):
            target += "?" + query.decode("latin-1")
        admission = await self.gate.aadmit(
            scope.get("method", "GET"), target, scope["headers"]
        )
        if admission.is_admitted:
            await self.app({**scope, "agentsdisc": admission}, receive, send)
        elif kind == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            pairs = [
                (name.encode(), value.encode())
                for name, value in _answer_headers(admission)
            ]
            await send(
                {
                    "type": "http.response.start",
                    "status": admission.status,
                    "headers": pairs,
                }
            )
            body = b"" if scope["method"] == "HEAD" else admission.body
            await send({"type": "http.response.body", "body": body})


class WsgiGate:
    """WSGI middleware: `app = WsgiGate(app, origin="https://shop.example", documents=…)`. The options are those of `Gate`.

    An admitted request has its `Admission` as `environ["agentsdisc"]`. WSGI has the path only decoded; where the server also gives it as sent
    (`RAW_URI`, `REQUEST_URI`), that is used.
    """

    def __init__(self, app: _Wsgi, **options: Any) -> None:
        self.app, self.gate = app, Gate(**options)

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Answers one request."""
        fields = [
            (name[5:].replace("_", "-"), value)
            for name, value in environ.items()
            if name.startswith("HTTP_") and isinstance(value, str)
        ]
        names = {"CONTENT_TYPE": "Content-Type", "CONTENT_LENGTH": "Content-Length"}
        fields += [
            (header, environ[name])
            for name, header in names.items()
            if environ.get(name)
        ]
        admission = self.gate.admit(environ["REQUEST_METHOD"], _target(environ), fields)
        if admission.is_admitted:
            return self.app({**environ, "agentsdisc": admission}, start_response)
        status = f"{admission.status} {HTTPStatus(admission.status).phrase}"
        start_response(status, _answer_headers(admission))
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else admission.body]


def _target(environ: Mapping[str, Any]) -> str:
    """Returns path and query of a WSGI request, as sent if the server says it."""
    for name in ("RAW_URI", "REQUEST_URI"):
        raw = environ.get(name)
        if isinstance(raw, str) and raw.startswith("/"):
            return raw
    path = f"{environ.get('SCRIPT_NAME', '')}{environ.get('PATH_INFO', '')}"
    target = quote(as_bytes(path), safe="/!$&'()*+,;=:@~-._")
    query = environ.get("QUERY_STRING")
    return f"{target or '/'}?{query}" if query else target or "/"


def _answer_headers(admission: Admission) -> list[tuple[str, str]]:
    return [
        ("Content-Type", "application/problem+json"),
        ("Content-Length", str(len(admission.body))),
        ("Cache-Control", "no-store"),
        *admission.headers.items(),
    ]
