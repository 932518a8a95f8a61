"""Decisions: whether an agent may do something, and what it must know before it does.

The core decides; this module turns its answer into objects.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from ._agentsdisc import (
    Document,
    PrerequisiteError,
    RobotsTxt,
    _auth_header,
    _decide,
    parse,
)
from ._arguments import may_be, must_be, several
from ._verified import SkillVerification, Standing, Verification, results_in
from ._visible import shown, visible

RobotsState = Literal["absent", "unreachable"]

_BODIES = (bytes, bytearray, memoryview, str, Mapping)


@shown
@dataclass(frozen=True, slots=True)
class DecisionRule:
    """The text that decides: a pattern, the name of an agent's policy, or the id or endpoint of a capability."""

    text: str
    """The text as written."""
    document: int | Literal["robots"]
    """The index of its document, or `robots` for robots.txt."""
    line: int
    """Its line, from 1."""
    column: int
    """Its column in bytes, from 1."""

    @property
    def _place(self) -> str:
        """Its document and line, for people."""
        of_robots = self.document == "robots"
        name = "robots.txt" if of_robots else f"document {self.document}"
        return f"{name}, line {self.line}"


@shown
@dataclass(frozen=True, slots=True)
class DecisionPreference:
    """Whether the content may be used for the purpose of the request (AI preferences)."""

    purpose: str
    """The purpose of the request."""
    preference: str
    """What the site prefers: `allow`, `disallow` or `not-stated`."""
    statement: DecisionRule | None = None
    """The statement that decides; None if nothing is stated, or if the header decides. With `not-stated`, the Content-Signal of a group for `*` that does
    not reach the agent, because another group names it."""
    header: bool = False
    """Whether the Content-Usage header decides."""


@shown
@dataclass(frozen=True, slots=True)
class AppliedLimit:
    """A rate limit that applies to a request."""

    scope: str
    """The scope: `agent`, `capability`, `service` or `robots`."""
    document: int | Literal["robots"]
    """The index of its document, or `robots` for robots.txt."""
    requests: int
    """The number of requests. Zero allows none."""
    milliseconds: int | None = None
    """The length of the window in milliseconds; None if the window is unreadable."""
    window: str | None = None
    """The name of the window, if it has one: `second`, `minute`, `hour` or `day`."""
    capability: str | None = None
    """The id of the capability; None for other scopes."""


@shown
@dataclass(frozen=True, slots=True)
class DecisionAuth:
    """How to authenticate: the strictest requirement of all documents."""

    need: str
    """`not-stated`, `none`, `optional` or `required`."""
    type: str | None = None
    """The type, such as `oauth2`; `unknown` if authentication of an unknown type is needed. None if none is needed."""
    type_text: str | None = None
    """The type as written, if that differs."""
    document: int | None = None
    """The index of the document that states it."""
    token_url: str | None = None
    """The URL to obtain a token."""
    authorization_url: str | None = None
    """The OAuth 2 authorization endpoint."""
    refresh_url: str | None = None
    """The URL to refresh a token."""
    refresh_relation: str | None = None
    """The relation of the host of `refresh_url` to that of the documents, as in `Decision.relation`."""
    refresh_relation_verified: bool | None = None
    """Whether `refresh_relation` is certain. False if a host has letters other than ASCII, which are compared as written."""
    setup_url: str | None = None
    """The URL where a person obtains a key."""
    docs_url: str | None = None
    """The URL of the documentation of authentication."""
    scopes: tuple[str, ...] = ()
    """The OAuth 2 scopes."""
    header: str | None = None
    """The name of the header that carries the token; None if the format does not state it."""
    prefix: str | None = None
    """The text before the token in that header; empty for the token alone."""


@shown
@dataclass(frozen=True, slots=True)
class DecisionSession:
    """The session that must be open, with the defaults of the formats."""

    ttl_seconds: int
    """Its lifetime in seconds."""
    create: str
    """The endpoint that opens it."""
    delete: str | None = None
    """The endpoint that closes it, if stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Whether a request is allowed, and what to know before sending it (`docs/policy.md`)."""

    allowed: bool
    """Whether the request is allowed."""
    reason: str
    """The reason: an id of a closed list, such as `not-listed`."""
    message: str
    """The reason in a sentence."""
    rule: DecisionRule | None = None
    """The text that decides; None if no text does."""
    preference: DecisionPreference | None = None
    """Whether the content may be used for the purpose; None if no purpose was given."""
    agent: str
    """The policy that applies to the agent: `named`, `any` or `none`."""
    capability: str | None = None
    """The id of the capability that is used."""
    endpoint: str | None = None
    """The endpoint of the capability, as written; None for a URL, or if none is declared."""
    method: str | None = None
    """The declared method, as written."""
    detail_unknown: bool = False
    """Whether the endpoint of the capability is in its ADP detail, which is not among the documents. Then no rule was asked about the endpoint."""
    relation: str | None = None
    """The relation of the host to that of the documents: `same-host`, `subdomain`, `same-registrable-domain` or `other`."""
    relation_verified: bool | None = None
    """Whether `relation` is certain. False if a host has letters other than ASCII, which are compared as written."""
    credentials: str
    """Whether credentials may be sent: `allowed`, `insecure`, `non-ascii-host`, `other-domain` or `unknown-host`."""
    auth: DecisionAuth
    """How to authenticate."""
    session: DecisionSession | None = None
    """The session that must be open; None if none is needed."""
    confirmation: str = "not-stated"
    """Whether to ask a person first: `not-stated`, `should` or `must`."""
    sensitivity: str | None = None
    """The effect class of the capability: `standard`, `destructive`, `irreversible` or `unknown`."""
    reversible: bool | None = None
    """Whether the effect can be undone; None if not stated."""
    handoff: bool = False
    """Whether a person completes the action."""
    degraded: bool = False
    """Whether the service reports that it is impaired."""
    synthetic: bool = False
    """Whether a third party wrote the document that answers."""
    confidence: float | None = None
    """The confidence of that third party, from 0 to 1; None if it states none."""
    rate_limits: tuple[AppliedLimit, ...] = ()
    """All rate limits that apply. Keep all of them."""
    advisory_limit: AppliedLimit | None = None
    """The strictest rate limit."""
    prerequisites_unknown: bool = False
    """Whether `prerequisites` raises, because the document's `dependencies` cannot be read."""
    prerequisite_cycle: tuple[str, ...] = ()
    """Actions that require each other, so that the action can never run and `prerequisites` raises."""
    can: tuple[str, ...] = ()
    """The permissions of agents.md in prose."""
    cannot: tuple[str, ...] = ()
    """The prohibitions of agents.md in prose. The decision does not cover them: read and respect them."""
    behavior: tuple[str, ...] = ()
    """The behavior that agents.md asks for."""
    unread: tuple[str, ...] = ()
    """The values of `Disallow` lines in documents that are not recognized, or whose format has no such lines. Those that match the request deny it (`unread-restriction`). Also the lines of an agents.md that look like the heading of a section Cannot, but are none."""
    signature: Standing | None = None
    """Whether the document that decides is signed: `verified` or `failed` if a result in `verified` says so, `declared` if it only has signatures. None without."""
    digest: Standing | None = None
    """The same for the digest of a skill, which the content at its URL must have. None for other capabilities, and without a digest."""
    _members: dict[str, Any] = field(repr=False, compare=False)
    _asked: tuple[Any, ...] = field(repr=False, compare=False)

    @property
    def prerequisites(self) -> tuple[str, ...]:
        """The actions that must run first, in order.

        Raises PrerequisiteError if they require each other, or if `dependencies` cannot be read. The attribute `readable` of the error has the
        prerequisites that can be read.
        """
        first = tuple(self._members.get("prerequisites", ()))
        if not self.prerequisites_unknown and not self.prerequisite_cycle:
            return first
        said = (
            "the actions require each other"
            if self.prerequisite_cycle
            else "the dependencies cannot be read, so more actions may have to run first"
        )
        raised = PrerequisiteError(said)
        raised.cycle, raised.readable = self.prerequisite_cycle, first
        raise raised

    def to_dict(self) -> dict[str, Any]:
        """Returns the decision as a dict, without absent values."""
        copied: dict[str, Any] = json.loads(json.dumps(self._members))
        for name in ("signature", "digest"):
            if (standing := getattr(self, name)) is not None:
                copied[name] = standing
        return copied

    @property
    def _has_failed(self) -> bool:
        return "failed" in (self.signature, self.digest)

    def _without_failed(self) -> "Decision":
        """Returns this decision; denied if the verification of its document or skill has failed."""
        if not self.allowed or not self._has_failed:
            return self
        failed = (
            "No signature of the document that decides is valid, so nothing in it allows anything."
            if self.signature == "failed"
            else "The content of the skill does not have the declared digest, so it must not be used."
        )
        denied: dict[str, Any] = {
            "allowed": False,
            "reason": "unreadable",
            "message": failed,
        }
        return replace(self, **denied, _members={**self._members, **denied})

    def auth_header(self, token: str) -> tuple[str, str] | None:
        """Returns the name and value of the header that carries `token`.

        None if no authentication is needed. Raises ValueError if credentials must not be sent, if the format does not name the header,
        or if the token contains characters that a header must not contain.
        """
        if self._has_failed:
            raise ValueError("the request is not allowed")
        header = _auth_header(token, self._asked)
        if header is None:
            return None
        name, value = header.split(": ", 1)
        return name, value

    def __repr__(self) -> str:
        answer = "allowed" if self.allowed else "not allowed"
        if self.detail_unknown:
            answer += " without its detail"
        if self.rule is None:
            return f"<Decision {answer}: {self.reason}>"
        return visible(
            f"<Decision {answer}: {self.reason}, {self.rule._place}: {self.rule.text!r}>"
        )

    def __hash__(self) -> int:
        return hash((self.allowed, self.reason, self.rule, self.capability))


_NAMES = frozenset(each.name for each in fields(Decision))
_CLASSES = {
    "rule": DecisionRule,
    "statement": DecisionRule,
    "preference": DecisionPreference,
    "auth": DecisionAuth,
    "session": DecisionSession,
    "rate_limits": AppliedLimit,
    "advisory_limit": AppliedLimit,
}
"""The classes of the core's objects, by the names of their members."""


def _objects(members: dict[str, Any]) -> dict[str, Any]:
    """Returns members of the core's decision: objects as instances of their classes, lists as tuples."""
    made = dict(members)
    for name, value in members.items():
        if type(value) is dict:
            made[name] = _CLASSES[name](**_objects(value))
        elif type(value) is list:
            kind = _CLASSES.get(name)
            made[name] = tuple(kind(**e) for e in value) if kind else tuple(value)
    return made


def decide(
    documents: Document | Iterable[Document],
    *,
    agent: str,
    url: str | None = None,
    capability: str | None = None,
    method: str | None = None,
    robots: RobotsTxt | RobotsState | None = None,
    origin: str | None = None,
    approved: Iterable[str] | None = (),
    purpose: str | None = None,
    content_usage: str | None = None,
    verified: Iterable[Verification | SkillVerification] = (),
) -> Decision:
    """Decides a request over the documents of one site and its robots.txt.

    `documents` is one document or several. An empty body (bytes, str or dict) is not "no documents", but an unknown document.

    `agent` is a name or a User-Agent. Pass either a `url` (or a path of the site) or a `capability` by its id. `method`
    defaults to GET for a URL, and to the declared method for a capability. `robots` is the robots.txt; `absent` if there is none (a 4xx status),
    `unreachable` if it could not be fetched (5xx, no connection), None if it was not requested. `origin` is the origin that the documents were
    fetched from; without it, the site that they name is taken as their origin. `approved` are endpoints on other domains that the user has approved.
    `purpose` is what the content is used for, such as `train-ai`, `search` or `ai-input`: a preference of the site against that use denies the
    request. `content_usage` is the Content-Usage header of the answer, if there is an answer already; the stricter one of header and robots.txt
    counts. `verified` are results of `agentsdisc.verify.verify_card` and `agentsdisc.verify.check_skill`. If a card has a valid signature, only its
    signed members permit anything; its requirements are at least those of the card as fetched. A card whose signatures are all invalid, and a skill
    whose content does not have its digest, allow nothing (`unreadable`).

    An invalid URL, method or agent does not raise: the decision denies it. Raises ValueError if
    neither or both of `url` and `capability` are given, TypeError if an argument has another type.
    """
    case = Case(
        documents,
        agent=agent,
        url=url,
        capability=capability,
        method=method,
        robots=robots,
        origin=origin,
        approved=approved,
        purpose=purpose,
        content_usage=content_usage,
        verified=verified,
    )
    return case.decision(json.loads(_decide(case.asked)), case.asked)


class Case:
    """The checked arguments of a decision, in the form in which the core takes them."""

    def __init__(
        self,
        documents: Document | Iterable[Document],
        *,
        agent: str,
        url: str | None = None,
        capability: str | None = None,
        method: str | None = None,
        robots: RobotsTxt | RobotsState | None = None,
        origin: str | None = None,
        approved: Iterable[str] | None = (),
        purpose: str | None = None,
        content_usage: str | None = None,
        verified: Iterable[Verification | SkillVerification] = (),
    ) -> None:
        rules, state = (
            (robots, None) if isinstance(robots, RobotsTxt) else (None, robots)
        )
        if isinstance(documents, _BODIES) and not documents:
            documents = parse(b"", format="unknown")
        if isinstance(documents, Document):
            documents = (documents,)
        those, endpoints = list(documents), several(approved or (), "approved")
        for at, document in enumerate(those):
            must_be(Document, document, f"documents[{at}]")
        results = results_in(verified)
        self.cards = {
            each.card: each for each in results if isinstance(each, Verification)
        }
        self.digests = {
            each.digest: each.verified
            for each in results
            if isinstance(each, SkillVerification)
        }
        self.fetched = those
        """The documents as they were fetched."""
        if self.cards:
            signed = (self.cards.get(document.bytes) for document in those)
            both = zip(those, signed, strict=True)
            those = [
                (result and result.document) or document for document, result in both
            ]
        for at, endpoint in enumerate(endpoints):
            must_be(str, endpoint, f"approved[{at}]")
        must_be(str, agent, "agent")
        optional = {
            "url": url,
            "capability": capability,
            "method": method,
            "origin": origin,
            "purpose": purpose,
            "content_usage": content_usage,
        }
        for name, text in optional.items():
            may_be(str, text, name)
        may_be(str, state, "robots", 'RobotsTxt, "absent", "unreachable" or None')
        # Of a signed card, the core reads only what is signed.
        self.asked = (
            those,
            agent,
            url,
            capability,
            method,
            rules,
            state,
            origin,
            endpoints,
            purpose,
            content_usage,
        )
        self._declared: dict[tuple[str | None, str | None], list[Document]] | None = (
            None
        )

    def about(self, capability: str) -> tuple[Any, ...]:
        """Returns the question about a capability."""
        return (*self.asked[:2], None, capability, *self.asked[4:])

    def decision(self, members: dict[str, Any], asked: tuple[Any, ...]) -> Decision:
        """Returns the decision that the core has made."""
        deciding = self._deciding(members)
        flat = {**members, **members.get("human", {})}
        decision = Decision(
            **_objects({name: flat[name] for name in _NAMES & flat.keys()}),
            signature=_signature(deciding, self.cards),
            digest=_digest(deciding, self.digests, members.get("capability")),
            _members=members,
            _asked=asked,
        )
        return decision._without_failed()

    def _deciding(self, members: dict[str, Any]) -> list[Document]:
        """Returns the document with the rule of a decision, and those that declare the capability with the endpoint of the decision.

        A rule of another document can allow a capability that only an agent card or an index of skills declares.
        """
        at = members["rule"]["document"] if members.get("rule") else None
        deciding = [self.fetched[at]] if isinstance(at, int) else []
        name, endpoint = members.get("capability"), members.get("endpoint")
        if name is None:
            return deciding
        if self._declared is None:
            self._declared = {}
            for document in self.fetched:
                for each in _declared(document):
                    self._declared.setdefault(each, []).append(document)
        return deciding + self._declared.get((name, endpoint), [])


def _declared(document: Document) -> set[tuple[str | None, str | None]]:
    """Returns the ids and endpoints of capabilities that a signed card, or an index of skills, declares."""
    if document.format == "a2a-agent-card" and document.signatures:
        urls = {each.url for each in document.endpoints}
        return {(each.id, url) for each in document.capabilities for url in urls}
    if document.format == "agent-skills":
        return {(each.id, each.endpoint) for each in document.capabilities}
    return set()


def _signature(
    documents: list[Document], cards: dict[bytes, Verification]
) -> Standing | None:
    """Returns whether the first signed one of the deciding documents is verified."""
    card = next((each for each in documents if each.signatures), None)
    if card is None:
        return None
    result = cards.get(card.bytes)
    if result is None:
        return "declared"
    if result.verified:
        return "verified"
    # Without a key, nothing was tried.
    tried = any(check.problem != "no-key" for check in result.signatures)
    return "failed" if tried else "declared"


def _digest(
    documents: list[Document], digests: dict[str, bool], name: str | None
) -> Standing | None:
    """Returns whether the content of the skill is known to have its digest."""
    index = next((each for each in documents if each.format == "agent-skills"), None)
    if name is None or index is None:
        return None
    skills = (each.skill for each in index.capabilities if each.id == name)
    declared = next((skill.digest for skill in skills if skill), None)
    if declared is None:
        return None
    if declared in digests:
        return "verified" if digests[declared] else "failed"
    return "declared"
