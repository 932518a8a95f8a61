"""What a discovery has found, and what it was given to work with."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

from .. import Decision, Document, RobotsTxt, decide
from .._policy import RobotsState

_NOTHING = {None, "not-found", "gone", "html", "not-recognised", "other-format"}
"""Rejections that tell for certain that no such document is there; None is none."""
_MANIFESTS = {"agents-json", "agents-txt", "agents-md", "awp", "adp", "companion"}


def is_client_name(text: str) -> bool:
    """Whether a text can be sent as a User-Agent."""
    return bool(text.strip()) and text.isascii() and text.isprintable()


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds to wait, each more than zero; `math.inf` for no end.

    Raises ValueError for what is no such time, TypeError for what is no number.
    """

    connect: float = 5.0
    """To connect, with the look-up of the name."""
    read: float = 10.0
    """For the next bytes of an answer."""
    request: float = 20.0
    """For one request and its answer, without redirects."""
    total: float = 60.0
    """For everything together."""

    def __post_init__(self) -> None:
        for each in fields(self):
            seconds = getattr(self, each.name)
            if not isinstance(seconds, int | float) or isinstance(seconds, bool):
                got = type(seconds).__qualname__
                raise TypeError(f"{each.name} must be a number of seconds, not {got}")
            # Not `<= 0`: what is not a number compares with nothing, and would never end.
            if not seconds > 0:
                raise ValueError(f"{each.name} must be more than 0 s, not {seconds}")


@dataclass(frozen=True, slots=True)
class Freshness:
    """How long an answer counts. Times are seconds since 1970."""

    received_at: int
    """When it came."""
    lifetime: int
    """Seconds that it was good for, as the headers or the format have it."""
    fresh_until: int
    """Until when it is used without asking."""
    ask_again_at: int
    """Until when it must not be asked for again."""
    may_store: bool
    """Whether the body may be kept."""

    def to_dict(self) -> dict[str, Any]:
        """The same with times for people."""
        return {
            "received_at": _time(self.received_at),
            "lifetime": self.lifetime,
            "fresh_until": _time(self.fresh_until),
            "ask_again_at": _time(self.ask_again_at),
            "may_store": self.may_store,
        }


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to get one document from one location, with its redirects."""

    resource: str
    """What was looked for: `agents-json`, `agents-txt`, …, `companion`, `detail`, `declaration`."""
    key: str
    """The URL that was asked for first."""
    url: str
    """The URL that was asked for last."""
    rejection: str | None
    """Why it gave nothing, as a code; None where it gave a document."""
    message: str | None
    """The same in words."""
    status: int | None
    """The status of the last answer; None where there was none."""
    redirects: int
    """How many redirects were followed."""
    moved: str
    """How far they led: `no`, `same-origin`, `canonical` (https, www.), `same-site`, `other-site`."""
    source: str
    """Where the answer came from: `network`, `store` or `revalidated`."""
    format: str
    """What came; `unknown` where nothing did."""
    synthetic: bool
    """Whether the document says that the site itself did not make it."""
    error: str | None
    """Why the document could not be read (rejection `unreadable`), or the server not be reached (`unreachable`,
    `address-refused`), where more is known than the message says."""
    freshness: Freshness | None
    """How long this counts; None where there was no answer."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values, without what is absent."""
        values: dict[str, Any] = {
            f.name: getattr(self, f.name) for f in fields(self) if f.name != "freshness"
        }
        if self.freshness is not None:
            values["freshness"] = self.freshness.to_dict()
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Found:
    """A document and how it was found."""

    document: Document
    attempt: Attempt

    @property
    def url(self) -> str:
        """Where the document is."""
        return self.attempt.url

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"url": self.url, "document": self.document.to_dict()}


@dataclass(frozen=True, slots=True)
class Declaration:
    """What the operator of an agent says, whom the site names by `Agent-Declaration`."""

    agent: str
    """The agent, as the site names it."""
    url: str
    """Where its operator declares it."""
    declared: str | None
    """`named` where the operator names this site, `not-named` where not, `not-an-agent` where the
    document declares no agent; None where there is none."""
    document: Document | None
    """The operator's declaration."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"agent": self.agent, "url": self.url, "declared": self.declared}


@dataclass(frozen=True, slots=True)
class Site:
    """What a site tells agents."""

    origin: str
    """Scheme, host and port that were asked."""
    found: tuple[Found, ...]
    """The documents about the site, the one that goes first before the others."""
    attempts: tuple[Attempt, ...]
    """Every attempt in order, also those that gave nothing."""
    robots: RobotsTxt | None
    """The rules of robots.txt that bind: of the document, or those that allow or forbid everything; None where they
    were not asked for."""
    robots_rules: str
    """Which these are: `document`, `allow-all`, `disallow-all`, `unknown`."""
    ask_again_at: int | None
    """When something may be asked again at the earliest, in seconds since 1970."""
    details: tuple[Found, ...] = field(default=())
    """Details of capabilities, where they were asked for."""
    declarations: tuple[Declaration, ...] = field(default=())
    """Declarations of operators, where they were asked for."""

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents of `found`."""
        return tuple(found.document for found in self.found)

    @property
    def document(self) -> Document | None:
        """The document that goes first; None where there is none."""
        return self.found[0].document if self.found else None

    @property
    def missed(self) -> tuple[Attempt, ...]:
        """The attempts behind which there may be a document that is not in `documents`: what it says is not known.

        They were refused, failed, could not be read, or not be asked for. Of the robots.txt, `robots_rules` tells.
        """
        return tuple(
            attempt
            for attempt in self.attempts
            if attempt.rejection not in _NOTHING and attempt.resource in _MANIFESTS
        )

    @property
    def fresh_until(self) -> int | None:
        """Until when all documents count, in seconds since 1970; None without documents."""
        times = [
            f.attempt.freshness.fresh_until for f in self.found if f.attempt.freshness
        ]
        return min(times, default=None)

    @property
    def robots_state(self) -> RobotsTxt | RobotsState | None:
        """What is known of the robots.txt, as `agentsdisc.decide` takes it."""
        states: dict[str, RobotsState] = {
            "allow-all": "absent",
            "disallow-all": "unreachable",
        }
        return (
            self.robots
            if self.robots_rules == "document"
            else states.get(self.robots_rules)
        )

    def decide(
        self,
        *,
        agent: str,
        url: str | None = None,
        capability: str | None = None,
        method: str | None = None,
        approved: Iterable[str] = (),
    ) -> Decision:
        """`agentsdisc.decide` over everything that was found here, robots.txt among it."""
        return decide(
            self.documents,
            agent=agent,
            url=url,
            capability=capability,
            method=method,
            robots=self.robots_state,
            origin=self.origin,
            approved=approved,
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, ready for JSON."""
        values: dict[str, Any] = {
            "origin": self.origin,
            "documents": [found.to_dict() for found in self.found],
            "robots": self.robots_rules,
            "attempts": [attempt.to_dict() for attempt in self.attempts],
        }
        if self.details:
            values["details"] = [found.to_dict() for found in self.details]
        if self.declarations:
            values["declarations"] = [d.to_dict() for d in self.declarations]
        for name in ("fresh_until", "ask_again_at"):
            seconds = getattr(self, name)
            if seconds is not None:
                values[name] = _time(seconds)
        return values


def _time(seconds: int) -> str:
    """A time in ISO 8601."""
    latest = 253_402_300_799  # the last second of the year 9999
    return datetime.fromtimestamp(min(seconds, latest), UTC).strftime(
        "%Y-%m-%dT%H:%M:%SZ"
    )
