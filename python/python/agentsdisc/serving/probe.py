"""Requests all locations of a site, as a browser and an agent do, and records the responses.

Connects only to the site's own host: records a redirect to another host, and does not follow it.
"""

import secrets
from dataclasses import dataclass, field, replace
from urllib.parse import urljoin, urlsplit

import anyio

from .. import Document, Limits, ParseError, _agentsdisc, detect, parse
from .._facts import RESOURCES
from ..discovery import Site, Timeouts, adiscover
from ..discovery.fetch import Failed, Reply, client_name, fetch
from ..discovery.transport import GuardedTransport
from .rules import OLD_CARD, PLACES, Place

ORIGIN = _agentsdisc._ASKING_ORIGIN
"""The origin of the requesting page, for CORS."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST = 5
_AT_ONCE = 6
UNFINISHED = "unfinished"
"""Failure of a request that was not sent, or not answered yet, when the time for the whole site was over. The site is not to blame for it."""


@dataclass(slots=True)
class Served:
    """The response of one location."""

    place: Place
    url: str
    """The URL of the last request."""
    status: int | None = None
    """The status of the last response; None without a response."""
    headers: dict[str, str] = field(default_factory=dict)
    """Headers by name in lower case; repeated ones are joined by commas."""
    redirects: list[str] = field(default_factory=list)
    """The targets of the redirects that were followed."""
    away: str | None = None
    """The target of a redirect that was not followed."""
    failure: str | None = None
    """Why there is no response; `UNFINISHED` if the time for the whole site was over first."""
    detail: str | None = None
    """Details of the failure, if known."""
    body: bytes = b""
    document: Document | None = None
    """The document, if it is of a format for this location."""
    error: ParseError | None = None
    """Why the document is unreadable, if it is of a format for this location."""
    kind: str = "unknown"
    """The detected format."""


@dataclass(slots=True)
class Survey:
    """The responses of a site."""

    site: Site
    """The result of discovery."""
    places: list[Served]
    answers_anything: bool
    """Whether a document that does not exist gets status 200."""


async def survey(
    url: str,
    *,
    user_agent: str | None,
    timeouts: Timeouts,
    limits: Limits,
    allow_private: bool,
) -> Survey:
    """Requests all locations of a site. Raises ValueError if the URL is not a site."""
    end = anyio.current_time() + timeouts.total
    site = await adiscover(
        url,
        resources="all",
        details=True,
        user_agent=user_agent,
        # Leaves time for the rest if a response does not arrive.
        timeouts=replace(timeouts, total=timeouts.total / 2),
        limits=limits,
        allow_private=allow_private,
        cache=False,
    )
    places = [
        Served(place, site.origin + place.path, failure=UNFINISHED) for place in PLACES
    ]
    nowhere = Served(
        Place(f"/.well-known/agentsdisc-{secrets.token_hex(8)}", "", False),
        "",
        failure=UNFINISHED,
    )
    nowhere.url = site.origin + nowhere.place.path
    headers = [
        (b"User-Agent", client_name(user_agent).encode()),
        (b"Origin", ORIGIN.encode()),
    ]
    async with GuardedTransport(
        private=[site.origin] if allow_private else (),
        any_port=False,
        connections=_AT_ONCE,
        reuse=False,
    ) as transport:
        turn = anyio.Semaphore(_AT_ONCE)
        with anyio.CancelScope(deadline=end):
            async with anyio.create_task_group() as group:
                for served in (*places, nowhere):
                    group.start_soon(
                        _ask, transport, turn, served, headers, timeouts, limits
                    )
    return Survey(site, places, nowhere.status == 200)


async def _ask(
    transport: GuardedTransport,
    turn: anyio.Semaphore,
    served: Served,
    headers: list[tuple[bytes, bytes]],
    timeouts: Timeouts,
    limits: Limits,
) -> None:
    while True:
        try:
            async with turn:
                reply = await fetch(
                    transport,
                    served.url,
                    headers,
                    limit=limits.document,
                    cuts=False,
                    timeouts=timeouts,
                )
        except Failed as failed:
            served.failure, served.detail = failed.why, failed.detail
            return
        served.failure, served.status = None, reply.status
        served.headers = _joined(reply)
        target = served.headers.get("location") if reply.status in _REDIRECTS else None
        if target is None:
            break
        if len(served.redirects) == _MOST or not _is_ours(served.url, target):
            served.away = target
            return
        served.url = urljoin(served.url, target).partition("#")[0]
        if served.url in served.redirects:
            served.away = target
            return
        served.redirects.append(served.url)
    if reply.status == 200 and served.place.resource:
        _read(served, reply.body, limits)


def _read(served: Served, body: bytes, limits: Limits) -> None:
    served.body = body
    hints = {"url": served.url, "content_type": served.headers.get("content-type")}
    served.kind = detect(body, **hints)
    if served.place.resource == "robots-txt" and served.kind != "html":
        # Any other body counts as rules (RFC 9309, section 2.3.1.1).
        served.kind, hints = "robots-txt", {"format": "robots-txt"}
    if served.kind == "a2a-agent-card" and served.place.path == OLD_CARD.path:
        served.place = OLD_CARD
    formats = RESOURCES[served.place.resource].formats
    belongs = served.kind in formats
    if not belongs and served.kind != "unknown":
        return
    try:
        document = parse(body, **hints, limits=limits)
    except ParseError as error:
        if error.kind not in {"unknown-format", "not-a-discovery-document"}:
            # Malformed before its format could be detected: counts as a document for this location.
            served.error = error
            served.kind = served.kind if belongs else formats[0]
        return
    served.document = document if belongs else None


def _joined(reply: Reply) -> dict[str, str]:
    headers: dict[str, str] = {}
    for raw_name, raw_value in reply.headers:
        name, value = (
            raw_name.decode("latin-1").lower(),
            raw_value.decode("latin-1").strip(),
        )
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _is_ours(url: str, target: str) -> bool:
    """Whether a redirect stays on the same host and does not drop encryption."""
    if (
        not target.isascii()
        or any(c in target for c in "\\@")
        or not target.isprintable()
    ):
        return False
    try:
        here, there = urlsplit(url), urlsplit(urljoin(url, target))
        same_place = (here.hostname, here.port) == (there.hostname, there.port)
    except ValueError:
        return False
    upgraded = here.hostname == there.hostname and here.port == there.port is None
    return (here.scheme == there.scheme and same_place) or (
        (here.scheme, there.scheme) == ("http", "https") and upgraded
    )
