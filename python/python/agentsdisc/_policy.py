"""Decisions: whether an agent may do something, and what it must know before it does.

The core decides; this module turns its answer into objects.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from ._agentsdisc import Document, RobotsTxt, _auth_header, _decide
from ._arguments import may_be, must_be, several
from ._visible import visible

RobotsState = Literal["absent", "unreachable"]


@dataclass(frozen=True, slots=True)
class DecisionRule:
    """The text that decides: a pattern, the name of an agent's policy, the id or endpoint of a capability."""

    text: str
    """As written."""
    document: int | Literal["robots"]
    """The index of the document it stands in, or `robots` for the robots.txt."""
    line: int
    """Its line, from 1."""
    column: int
    """Its column in bytes, from 1."""


@dataclass(frozen=True, slots=True)
class AppliedLimit:
    """A rate limit that applies to a request."""

    scope: str
    """What it is for: `agent`, `capability`, `service` or `robots`."""
    document: int | Literal["robots"]
    """The index of the document it stands in, or `robots` for the robots.txt."""
    requests: int
    """How many requests. Zero allows none."""
    milliseconds: int | None = None
    """In how many milliseconds; None where the window cannot be read."""
    window: str | None = None
    """The window, where it has a name: `second`, `minute`, `hour` or `day`."""
    capability: str | None = None
    """The id of the capability; None for other scopes."""


@dataclass(frozen=True, slots=True)
class DecisionAuth:
    """How to authenticate: the strictest of what the documents say."""

    need: str
    """`not-stated`, `none`, `optional` or `required`."""
    type: str | None = None
    """The kind, such as `oauth2`; `unknown` is some authentication that cannot be told. None where none is needed."""
    type_text: str | None = None
    """The kind as written, where that differs."""
    document: int | None = None
    """The index of the document that says so."""
    token_url: str | None = None
    """Where a token is obtained."""
    authorization_url: str | None = None
    """OAuth 2 authorization endpoint."""
    refresh_url: str | None = None
    """Where an expired token is refreshed."""
    setup_url: str | None = None
    """Where people get a key."""
    docs_url: str | None = None
    """Where the way to authenticate is described."""
    scopes: tuple[str, ...] = ()
    """OAuth 2 scopes."""
    header: str | None = None
    """The header that carries the token; None where the format does not say."""
    prefix: str | None = None
    """What stands before the token in it; empty for the token alone."""


@dataclass(frozen=True, slots=True)
class DecisionSession:
    """The session that must be open, with the defaults of the formats."""

    ttl_seconds: int
    """How long it lives."""
    create: str
    """Where it is opened."""
    delete: str | None = None
    """Where it is closed, where that is written."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a request is allowed, and what else there is to know before it is made (`docs/policy.md`)."""

    allowed: bool
    """Whether it is."""
    reason: str
    """Why: an id of a closed list, such as `not-listed`."""
    message: str
    """The same in a sentence."""
    rule: DecisionRule | None
    """What decides; None where nothing that is written does."""
    agent: str
    """Which policy holds for the agent: `named`, `any` or `none`."""
    capability: str | None
    """The id of the capability that is used."""
    endpoint: str | None
    """Where it is called, as written; None for a URL, and where none is declared."""
    method: str | None
    """The method it is declared with, as written."""
    relation: str | None
    """How the host relates to that of the documents: `same-host`, `subdomain`, `same-registrable-domain` or `other`."""
    relation_verified: bool | None
    """Whether that is all that can be said."""
    credentials: str
    """Whether credentials may be sent there: `allowed`, `insecure`, `non-ascii-host`, `other-domain` or `unknown-host`."""
    auth: DecisionAuth
    """How to authenticate."""
    session: DecisionSession | None
    """The session that must be open; None where none is needed."""
    confirmation: str
    """Whether a person is to be asked: `not-stated`, `should` or `must`."""
    sensitivity: str | None
    """What it may break: `standard`, `destructive`, `irreversible` or `unknown`."""
    reversible: bool | None
    """Whether it can be undone, where that is said."""
    handoff: bool
    """Whether it ends with a person taking over."""
    degraded: bool
    """Whether it is impaired at present."""
    rate_limits: tuple[AppliedLimit, ...]
    """All rate limits that apply. All of them are to be kept."""
    advisory_limit: AppliedLimit | None
    """The strictest of them."""
    prerequisites: tuple[str, ...]
    """What must run before, in order."""
    prerequisites_unknown: bool
    """Whether there may be more of them: the document's `dependencies` cannot be read."""
    prerequisite_cycle: tuple[str, ...]
    """Actions that require one another, so that it can never run."""
    can: tuple[str, ...]
    """What agents.md permits in words."""
    cannot: tuple[str, ...]
    """What agents.md forbids in words. No decision is made of it: read it, and heed it."""
    behavior: tuple[str, ...]
    """How agents.md asks agents to behave."""
    _members: dict[str, Any] = field(repr=False, compare=False)
    _asked: tuple[Any, ...] = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The decision as a dict; what is absent is left out."""
        copied: dict[str, Any] = json.loads(json.dumps(self._members))
        return copied

    def auth_header(self, token: str) -> tuple[str, str] | None:
        """The header that carries `token`, as name and value; None where no authentication is needed.

        Raises ValueError where credentials must not be sent there, where the format does
        not say which header it is, or where the token cannot stand in one.
        """
        header = _auth_header(token, self._asked)
        if header is None:
            return None
        name, value = header.split(": ", 1)
        return name, value

    def __repr__(self) -> str:
        answer = "allowed" if self.allowed else "not allowed"
        if self.rule is None:
            return f"<Decision {answer}: {self.reason}>"
        place = (
            "robots.txt"
            if self.rule.document == "robots"
            else f"document {self.rule.document}"
        )
        return visible(
            f"<Decision {answer}: {self.reason}, {place}, line {self.rule.line}: {self.rule.text!r}>"
        )

    def __hash__(self) -> int:
        return hash((self.allowed, self.reason, self.rule, self.capability))


def decide(
    documents: Iterable[Document],
    *,
    agent: str,
    url: str | None = None,
    capability: str | None = None,
    method: str | None = None,
    robots: RobotsTxt | RobotsState | None = None,
    origin: str | None = None,
    approved: Iterable[str] | None = (),
) -> Decision:
    """Decides a request over the documents of one site and its robots.txt.

    `agent` is a product token, or a User-Agent whose first token it is. Ask either for a
    `url` (or a path of the site) or for a `capability` by its id. `method` is GET for a
    URL and its own for a capability, unless it is given. `robots` is the robots.txt;
    `absent` where there is none (a 4xx status), `unreachable` where it could not be had
    (5xx, no connection), None where it was not asked for. `origin` is where the documents
    were fetched from; without it, what they say of themselves is believed. `approved` are
    endpoints on other domains that the user has approved.

    An invalid URL, method or agent does not raise: the decision denies it. Raises ValueError if
    neither or both of `url` and `capability` are given, TypeError if an argument has another type.
    """
    rules, state = (robots, None) if isinstance(robots, RobotsTxt) else (None, robots)
    those, endpoints = list(documents), several(approved or (), "approved")
    for at, document in enumerate(those):
        must_be(Document, document, f"documents[{at}]")
    for at, endpoint in enumerate(endpoints):
        must_be(str, endpoint, f"approved[{at}]")
    must_be(str, agent, "agent")
    optional = {"url": url, "capability": capability, "method": method}
    for name, text in {**optional, "origin": origin}.items():
        may_be(str, text, name)
    may_be(str, state, "robots", 'RobotsTxt, "absent", "unreachable" or None')
    asked = (
        those,
        agent,
        url,
        capability,
        method,
        rules,
        state,
        origin,
        endpoints,
    )
    members: dict[str, Any] = json.loads(_decide(asked))

    def texts(name: str) -> tuple[str, ...]:
        return tuple(members.get(name, ()))

    human = members.get("human", {})
    rule, session = members.get("rule"), members.get("session")
    advisory = members.get("advisory_limit")
    auth = dict(members["auth"])
    auth["scopes"] = tuple(auth.get("scopes", ()))
    return Decision(
        allowed=members["allowed"],
        reason=members["reason"],
        message=members["message"],
        rule=DecisionRule(**rule) if rule else None,
        agent=members["agent"],
        capability=members.get("capability"),
        endpoint=members.get("endpoint"),
        method=members.get("method"),
        relation=members.get("relation"),
        relation_verified=members.get("relation_verified"),
        credentials=members["credentials"],
        auth=DecisionAuth(**auth),
        session=DecisionSession(**session) if session else None,
        confirmation=human.get("confirmation", "not-stated"),
        sensitivity=human.get("sensitivity"),
        reversible=human.get("reversible"),
        handoff=human.get("handoff", False),
        degraded=members.get("degraded", False),
        rate_limits=tuple(
            AppliedLimit(**limit) for limit in members.get("rate_limits", ())
        ),
        advisory_limit=AppliedLimit(**advisory) if advisory else None,
        prerequisites=texts("prerequisites"),
        prerequisites_unknown=members.get("prerequisites_unknown", False),
        prerequisite_cycle=texts("prerequisite_cycle"),
        can=texts("can"),
        cannot=texts("cannot"),
        behavior=texts("behavior"),
        _members=members,
        _asked=asked,
    )
