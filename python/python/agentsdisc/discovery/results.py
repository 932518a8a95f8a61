"""The results and settings of discovery."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack, overload

from .. import Decision, Document, Preference, RobotsTxt, decide
from .._errors import RateLimited
from .._facts import RESOURCES
from .._policy import RobotsState
from .._verified import SkillVerification, Verification
from .._visible import shown

if TYPE_CHECKING:
    from .._offers import Offer
    from .._tools import Style, Tools
    from ..calls import Answer, Options, Planned
    from .connections import Connections

FOREIGN = {"not-recognised", "other-format"}
"""Rejections of documents that have another format, but can contain restrictions."""
RESTRICTING = {"unreadable", "too-large", *FOREIGN}
"""Rejections of documents that allow nothing, but whose `Disallow` lines count."""
_NOTHING = {None, "not-found", "gone", "html", *FOREIGN}
"""Rejections that prove that the document does not exist; None means no rejection."""
MANIFESTS = {each.name for each in RESOURCES.values() if each.is_manifest}
"""Resources whose documents state rules."""
_DOCUMENTS = RESOURCES.keys() - {"home", "robots-txt"}
"""Resources whose documents describe the site, or what it has for agents."""


def is_client_name(text: str) -> bool:
    """Whether the text is valid as a User-Agent."""
    return bool(text.strip()) and text.isascii() and text.isprintable()


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Timeouts in seconds, each more than zero; `math.inf` waits forever.

    Raises ValueError if a timeout is not positive, TypeError if it is not a number.
    """

    connect: float = 5.0
    """To connect, including the name lookup."""
    read: float = 10.0
    """For the next bytes of a response."""
    request: float = 20.0
    """For one request and its response, without redirects."""
    total: float = 60.0
    """For the whole discovery."""

    def __post_init__(self) -> None:
        for each in fields(self):
            seconds = getattr(self, each.name)
            if not isinstance(seconds, int | float) or isinstance(seconds, bool):
                got = type(seconds).__qualname__
                raise TypeError(f"{each.name} must be a number of seconds, not {got}")
            # Not `<= 0`: NaN compares false, and would wait forever.
            if not seconds > 0:
                raise ValueError(f"{each.name} must be more than 0 s, not {seconds}")


@dataclass(frozen=True, slots=True)
class Freshness:
    """How long a response is valid. Times are in seconds since 1970."""

    received_at: int
    """When the response arrived."""
    lifetime: int
    """Its lifetime in seconds, from its headers or the default of the format."""
    fresh_until: int
    """The response is used without a new request until this time."""
    ask_again_at: int
    """No new request is sent before this time."""
    may_store: bool
    """Whether the body may be written to a file. If not, it is kept in memory until `fresh_until`."""

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, with times in ISO 8601."""
        return {
            "received_at": _time(self.received_at),
            "lifetime": self.lifetime,
            "fresh_until": _time(self.fresh_until),
            "ask_again_at": _time(self.ask_again_at),
            "may_store": self.may_store,
        }


@shown
@dataclass(frozen=True, slots=True)
class Pointer:
    """The document or page that points to a document."""

    url: str
    """The URL of the document or page that points to it."""
    how: str
    """How: `link-header` or `link-element` (of the home page), `robots-field` (`Agentmap`), `entry` (of a catalog), `endpoint`
    (beside which the card of an MCP server is), `companion` (`Agents-JSON`)."""
    relation: str
    """The relation or the media type as written, or the name of the field."""
    offset: int | None
    """Byte offset of the URL in that document; None for headers and defaults."""
    end: int | None
    """Byte offset of the end of the URL."""

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, without absent ones."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


@shown
@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to get one document from one location, with its redirects."""

    resource: str
    """The resource: `agents-json`, `agents-txt`, …, `companion`, `detail`, `declaration`, `home` (the home page, which is no
    document), `linked` (a document to which another one points)."""
    key: str
    """The URL of the first request."""
    url: str
    """The URL of the last request."""
    rejection: str | None
    """Why the attempt gave no document, as a code; None if it gave one."""
    message: str | None
    """The reason in a sentence."""
    status: int | None
    """The status of the last response; None without a response."""
    redirects: int
    """The number of redirects that were followed."""
    moved: str
    """How far the redirects led: `no`, `same-origin`, `canonical` (https, www.), `same-site`, `other-site`."""
    source: str
    """The source of the response: `network`, `store` or `revalidated`."""
    format: str
    """The detected format; `unknown` without a document."""
    synthetic: bool
    """Whether the document states that a third party generated it."""
    error: str | None
    """More about the rejections `unreadable`, `unreachable`, `encoding` and `address-refused`, and why `credentials` got no token; None if nothing more is known."""
    freshness: Freshness | None
    """How long the response is valid; None without a response."""
    own: bool = True
    """Whether the location belongs to the site: it is on the site, and so is every document that led to it."""
    pointer: Pointer | None = None
    """Who points to it; None if nothing does, because the location is well-known."""

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, without absent ones."""
        others = {"freshness", "pointer"}
        values: dict[str, Any] = {
            f.name: getattr(self, f.name) for f in fields(self) if f.name not in others
        }
        if self.pointer is not None:
            values["pointer"] = self.pointer.to_dict()
        if self.freshness is not None:
            values["freshness"] = self.freshness.to_dict()
        return {name: value for name, value in values.items() if value is not None}


@shown
@dataclass(frozen=True, slots=True)
class Found:
    """A document and the attempt that found it."""

    document: Document
    attempt: Attempt

    @property
    def url(self) -> str:
        """The URL of the document."""
        return self.attempt.url

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values."""
        return {"url": self.url, "document": self.document.to_dict()}


@shown
@dataclass(frozen=True, slots=True)
class Step:
    """A location on the trail of a site, with its document if there is one."""

    attempt: Attempt
    """The attempt to get it."""
    document: Document | None
    """The document; None if there is none that is read."""

    @property
    def url(self) -> str:
        """The URL of the document."""
        return self.attempt.url

    @property
    def pointer(self) -> Pointer | None:
        """Who points to it; None if nothing does, because the location is well-known."""
        return self.attempt.pointer

    @property
    def own(self) -> bool:
        """Whether it is a document of the site. `Site.decide` uses no others."""
        return self.attempt.own

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, without absent ones."""
        values = {
            "url": self.url,
            "format": self.attempt.format,
            "rejection": self.attempt.rejection,
            "own": self.own,
            "pointer": self.pointer.to_dict() if self.pointer else None,
        }
        return {name: value for name, value in values.items() if value is not None}


def unread_robots(attempts: Iterable[Attempt]) -> str:
    """Returns why robots.txt could not be read, in words."""
    reasons = (
        f"{a.error or a.message}{f', status {a.status}' if a.status else ''}"
        for a in attempts
        if a.resource == "robots-txt"
    )
    why = next(reasons, "it was not asked for")
    return f"robots.txt could not be read ({why}), which disallows everything (RFC 9309 section 2.3.1.4)"


@shown
@dataclass(frozen=True, slots=True)
class Declaration:
    """The declaration of an agent's operator, which the site names by `Agent-Declaration`."""

    agent: str
    """The agent, as written by the site."""
    url: str
    """The URL of the declaration."""
    declared: str | None
    """`named` if the operator names this site, `not-named` if it does not, `not-an-agent` if the document does not declare an agent; None without a document."""
    document: Document | None
    """The declaration; None if there is none."""

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values."""
        return {"agent": self.agent, "url": self.url, "declared": self.declared}


@shown
@dataclass(frozen=True, slots=True)
class Site:
    """The documents of a site for agents.

    `call` keeps its connections to the site. They end with the site, or with `close`; a site is a context manager that closes them.
    `acall` keeps connections within `async with site:` only, because they belong to the event loop.
    """

    origin: str
    """Scheme, host and port of the site."""
    found: tuple[Found, ...]
    """The documents about the site, in order of precedence."""
    attempts: tuple[Attempt, ...]
    """Every attempt in order, including those that gave no document."""
    robots: RobotsTxt | None
    """The rules of robots.txt that apply: those of the document, or rules that allow or disallow everything; None if it was not requested."""
    robots_rules: str
    """The kind of these rules: `document`, `allow-all`, `disallow-all`, `unknown`."""
    ask_again_at: int | None
    """When the first response may be requested again, in seconds since 1970."""
    details: tuple[Found, ...] = field(default=())
    """Capability details, if requested."""
    missing_details: tuple[str, ...] = field(default=())
    """The names of capabilities whose details were wanted and are not there: those that were not received (see `attempts`), and those
    after the first 64, which have to be named (`discover(…, details=[name])`)."""
    declarations: tuple[Declaration, ...] = field(default=())
    """Declarations of operators, if requested."""
    unread: tuple[Found, ...] = field(default=())
    """Documents at the locations that are not recognized or belong elsewhere. They allow nothing; `decide` respects their restrictions."""
    elsewhere: tuple[Found, ...] = field(default=())
    """Documents of other sites to which the site points, if `follow` is "any". They neither allow nor deny anything here."""
    trail_is_cut: bool = False
    """Whether some pointers were not followed: those beyond 16 documents, or beyond the first 512 pointers of one document."""
    _home_licenses: tuple[str, ...] = field(default=(), repr=False)
    _connections: "Connections | None" = field(default=None, repr=False, compare=False)
    _allow_private: bool = field(default=False, repr=False, compare=False)
    """Whether discovery was permitted to connect to the site at a private address; calls are, too."""

    def __repr__(self) -> str:
        formats = ", ".join(found.document.format for found in self.found[:8])
        more = ", …" if len(self.found) > 8 else ""
        return f"<Site {self.origin}: {formats or 'no documents'}{more}; robots.txt: {self.robots_rules}>"

    @property
    def trail(self) -> tuple[Step, ...]:
        """Each document, and each location to which a document points, with the pointer to it, in the order in which they were found."""
        documents = {
            (found.attempt.resource, found.attempt.key): found.document
            for found in (*self.found, *self.elsewhere)
        }
        steps = (
            Step(attempt, documents.get((attempt.resource, attempt.key)))
            for attempt in self.attempts
        )
        return tuple(
            s for s in steps if s.document is not None or s.pointer is not None
        )

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents of `found`."""
        return tuple(found.document for found in self.found)

    @property
    def document(self) -> Document | None:
        """The document with the highest precedence; None without documents."""
        return self.found[0].document if self.found else None

    @property
    def preferences(self) -> tuple[Preference, ...]:
        """What the content may be used for, as robots.txt states it (AI preferences); empty if it states nothing."""
        return self.robots.preferences if self.robots else ()

    @property
    def licenses(self) -> tuple[str, ...]:
        """URLs of licences of the content, which are not requested.

        Those of robots.txt (`License`) as written, then those to which the home page links (`rel="license"`).
        """
        stated = self.robots.licenses if self.robots else ()
        return tuple(dict.fromkeys((*stated, *self._home_licenses)))

    @property
    def missed(self) -> tuple[Attempt, ...]:
        """The failed attempts at documents that may exist; their content is unknown.

        The server refused or failed, the document is unreadable, or it could not be requested. For
        robots.txt see `robots_rules`.
        """
        return tuple(
            attempt
            for attempt in self.attempts
            if attempt.rejection not in _NOTHING and attempt.resource in _DOCUMENTS
        )

    @property
    def fresh_until(self) -> int | None:
        """Until when all documents are valid, in seconds since 1970; None without documents."""
        times = [
            f.attempt.freshness.fresh_until for f in self.found if f.attempt.freshness
        ]
        return min(times, default=None)

    @property
    def robots_problem(self) -> str | None:
        """Why robots.txt could not be read, which disallows everything; None if it was read, or there is none."""
        if self.robots_rules != "disallow-all":
            return None
        return unread_robots(self.attempts)

    @property
    def robots_state(self) -> RobotsTxt | RobotsState | None:
        """The state of robots.txt, as an argument of `agentsdisc.decide`."""
        states: dict[str, RobotsState] = {
            "allow-all": "absent",
            "disallow-all": "unreachable",
        }
        return (
            self.robots
            if self.robots_rules == "document"
            else states.get(self.robots_rules)
        )

    @property
    def _robots_for_reading(self) -> RobotsTxt | RobotsState | None:
        """The state of robots.txt for a request that reads a page: status 429 counts as a server error, as crawlers treat it."""
        limited = any(
            a.resource == "robots-txt" and a.status == 429 for a in self.attempts
        )
        state = self.robots_state
        return "unreachable" if limited and state == "absent" else state

    def decide(
        self,
        *,
        agent: str,
        url: str | None = None,
        capability: str | None = None,
        method: str | None = None,
        approved: Iterable[str] = (),
        purpose: str | None = None,
        content_usage: str | None = None,
        verified: Iterable[Verification | SkillVerification] = (),
    ) -> Decision:
        """Calls `agentsdisc.decide` with all documents found, robots.txt, the details, and then those in `unread`.

        For a `url`, a robots.txt that was answered with status 429 counts as unreachable.

        Raises `agentsdisc.calls.RateLimited` if none of them covers the request, and the content of an agents.md is not known because it must be
        neither stored nor requested again yet.

        `decision.detail_unknown` says that the endpoint of an ADP capability was not judged, because its detail is not in `details`. Get it by
        `discover(…, details=[capability])` before you send a request; `call` gets it itself.
        """
        decision = decide(
            self._deciding,
            agent=agent,
            url=url,
            capability=capability,
            method=method,
            robots=self.robots_state if url is None else self._robots_for_reading,
            origin=self.origin,
            approved=approved,
            purpose=purpose,
            content_usage=content_usage,
            verified=verified,
        )
        if decision.reason == "not-stated":
            self._check_known(decision)
        return decision

    def capabilities(
        self,
        *,
        agent: str,
        approved: Iterable[str] = (),
        purpose: str | None = None,
        verified: Iterable[Verification | SkillVerification] = (),
    ) -> "tuple[Offer, ...]":
        """Returns everything that an agent can call here, allowed or not: `agentsdisc.capabilities` with all documents found and robots.txt.

        The parameters of ADP capabilities are in their details: get them by `discover(…, details=True)`.
        """
        from .._offers import capabilities

        return capabilities(
            self._deciding,
            agent=agent,
            robots=self.robots_state,
            origin=self.origin,
            approved=approved,
            purpose=purpose,
            verified=verified,
        )

    def tools(
        self,
        *,
        agent: str,
        style: "Style" = "openai",
        prefix: str = "",
        **options: Any,
    ) -> "Tools":
        """Returns the capabilities that an agent may call here as tools of a model: `agentsdisc.tools` with this site, whose documentation explains the arguments."""
        from .._tools import tools

        return tools(self, agent=agent, style=style, prefix=prefix, **options)

    def summary(self, *, agent: str, characters: int = 2000) -> str:
        """Returns what a model has to know about the site, as a text for its prompt: who the site is, what may be called and what not, what it asks for in words, and the terms for its content.

        The same documents give the same text, of at most `characters` characters (500 or more). Texts of the site are between « and ».
        """
        from .._summary import summary

        return summary(self, agent=agent, characters=characters)

    @property
    def _deciding(self) -> tuple[Document, ...]:
        """The documents by which decisions are made."""
        return tuple(
            found.document for found in (*self.found, *self.details, *self.unread)
        )

    def _check_known(self, decision: Decision) -> None:
        """Raises RateLimited if a document exists whose content must not be stored or requested again yet."""
        for attempt in self.attempts:
            if attempt.rejection != "too-early" or attempt.freshness is None:
                continue
            again = attempt.freshness.ask_again_at
            raise RateLimited(
                f"no other document covers the request, and what {attempt.key} says is not known: it must not be stored, nor "
                f"requested again before {_time(again)}; ask then, or use the site of the first request",
                decision,
                max(0.0, again - time.time()),
            )

    @overload
    def call(
        self,
        capability: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack["Options"],
    ) -> "Answer": ...
    @overload
    def call(
        self,
        capability: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        dry_run: Literal[True],
        **options: Unpack["Options"],
    ) -> "Planned": ...
    def call(
        self,
        capability: str,
        arguments: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> "Answer | Planned":
        """Calls a capability of the site: `agentsdisc.calls.call` with this site, whose documentation explains the options.

        The options are `agent` (required), `credentials`, `headers`, `confirm`, `notice`, `progress`, `before`, `done`, `endpoint`, `transport`,
        `idempotency_key`, `approve`, `origin`, `verified`, `limiter`, `timeouts`, `max_wait`, `max_response`, `allow_private`, `undeclared`,
        `from_text`, `discovery`, `identity` and `dry_run`.
        """
        from ..calls import call

        answer: Answer | Planned = call(self, capability, arguments, **options)
        return answer

    @overload
    async def acall(
        self,
        capability: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack["Options"],
    ) -> "Answer": ...
    @overload
    async def acall(
        self,
        capability: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        dry_run: Literal[True],
        **options: Unpack["Options"],
    ) -> "Planned": ...
    async def acall(
        self,
        capability: str,
        arguments: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> "Answer | Planned":
        """Calls a capability of the site: `agentsdisc.calls.acall` with this site, whose documentation explains the options.

        The options are `agent` (required), `credentials`, `headers`, `confirm`, `notice`, `progress`, `before`, `done`, `endpoint`, `transport`,
        `idempotency_key`, `approve`, `origin`, `verified`, `limiter`, `timeouts`, `max_wait`, `max_response`, `allow_private`, `undeclared`,
        `from_text`, `discovery`, `identity` and `dry_run`.
        """
        from ..calls import acall

        answer: Answer | Planned = await acall(self, capability, arguments, **options)
        return answer

    def close(self) -> None:
        """Closes the connections that `call` keeps. A later call opens new ones."""
        if self._connections is not None:
            self._connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def aclose(self) -> None:
        """Closes the connections that `acall` keeps in this event loop, and those of `call`."""
        if self._connections is not None:
            await self._connections.aclose()

    async def __aenter__(self) -> Self:
        """Keeps the connections of `acall` in this event loop until the end of the block."""
        if self._connections is not None:
            await self._connections.enter()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._connections is not None:
            await self._connections.leave()

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, ready for JSON."""
        values: dict[str, Any] = {
            "origin": self.origin,
            "documents": [found.to_dict() for found in self.found],
            "robots": self.robots_rules,
            "attempts": [attempt.to_dict() for attempt in self.attempts],
            "trail": [step.to_dict() for step in self.trail],
        }
        if preferences := self.preferences:
            values["preferences"] = [_preference(each) for each in preferences]
        if licenses := self.licenses:
            values["licenses"] = list(licenses)
        if self.trail_is_cut:
            values["trail_is_cut"] = True
        if self.elsewhere:
            values["elsewhere"] = [found.to_dict() for found in self.elsewhere]
        if self.unread:
            values["unread"] = [found.url for found in self.unread]
        if self.details:
            values["details"] = [found.to_dict() for found in self.details]
        if self.missing_details:
            values["missing_details"] = list(self.missing_details)
        if self.declarations:
            values["declarations"] = [d.to_dict() for d in self.declarations]
        for name in ("fresh_until", "ask_again_at"):
            seconds = getattr(self, name)
            if seconds is not None:
                values[name] = _time(seconds)
        return values


def _preference(stated: Preference) -> dict[str, Any]:
    """Returns a preference as plain values, without absent ones."""
    values: dict[str, Any] = {
        "purpose": stated.purpose,
        "purpose_text": stated.purpose_text,
        "preference": stated.preference,
        "preference_text": stated.preference_text,
        "path": stated.path,
        "agents": list(stated.agents) or None,
        "source": stated.source,
        "line": stated.line,
    }
    return {name: value for name, value in values.items() if value is not None}


def _time(seconds: int) -> str:
    """Returns a time in ISO 8601."""
    latest = 253_402_300_799  # the last second of the year 9999
    return datetime.fromtimestamp(min(seconds, latest), UTC).strftime(
        "%Y-%m-%dT%H:%M:%SZ"
    )
