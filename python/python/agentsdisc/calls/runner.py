"""Makes a call: asks the core for the next step, and does it."""

import inspect
import json
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio

from .. import Decision, Document, Limits, RobotsTxt, decide, parse
from .._agentsdisc import _Call
from .._conduct import (
    Confirm,
    ask,
    check_agent,
    headers_with,
    is_value,
    longest_wait,
    token_of,
)
from .._errors import NotDeclared, refused, why_missed
from .._gateways import Rules, choose, declared
from .._limits import Limiter
from .._policy import RobotsState
from ..discovery import Site, Timeouts, adiscover
from ..discovery.transport import GuardedTransport
from .describing import Describer
from .errors import (
    CallRefused,
    ClientNeeded,
    CredentialsNeeded,
    CredentialsRefused,
    LimitExceeded,
    PrerequisitesMissing,
)
from .oauth import OAuth2
from .results import Answer, HttpRequest, Operation, Planned
from .sending import Sender, outputs_of, sent_by, texts

if TYPE_CHECKING:
    from . import Options, Where

_MOST_LIMITERS = 1000
_MOST_ACTIONS = 64

_limiters: OrderedDict[tuple[object, str], Limiter] = OrderedDict()
_lock = threading.Lock()


def _shared_limiter(
    origin: str | None, documents: tuple[Document, ...], agent: str
) -> Limiter:
    """Returns the limiter that all calls of an agent to a site share. Without an origin, the documents stand for the site."""
    parts = urlsplit(origin or "")
    site = (parts.scheme, parts.netloc.lower()) if origin else hash(documents)
    # Limits are for an agent, whatever its version.
    key = site, agent.split("/", 1)[0].split(" ", 1)[0].casefold()
    with _lock:
        limiter = _limiters.setdefault(key, Limiter())
        _limiters.move_to_end(key)
        if len(_limiters) > _MOST_LIMITERS:
            _limiters.popitem(last=False)
        return limiter


class Runner:
    """One call, with the actions that it requires."""

    def __init__(
        self,
        where: "Site | tuple[Document, ...]",
        transport: GuardedTransport,
        options: "Options",
        timeouts: Timeouts,
        max_wait: float,
        deadline: anyio.CancelScope,
    ) -> None:
        self._where = where
        self._origin: str | None
        self._robots: RobotsTxt | RobotsState | None
        if isinstance(where, Site):
            documents = [*where.documents, *(each.document for each in where.details)]
            self._unread = [found.document for found in where.unread]
            self._origin, self._robots = where.origin, where.robots_state
        else:
            documents, self._unread = list(where), []
            self._origin, self._robots = options.get("origin"), None
        self._documents = documents
        self._options = options
        self._agent = options["agent"]
        self._deadline = deadline
        limiter = options.get("limiter") or _shared_limiter(
            self._origin, tuple(documents), self._agent
        )
        self._sender = Sender(transport, options, timeouts, max_wait, limiter)
        self._token: str | None = None
        self._session: str | None = None
        self._done = dict.fromkeys(options.get("done", ()), b"")
        self._open: list[str] = []
        self._described = Describer(
            self._sender,
            self._origin,
            self._rules,
            self._decision,
            lambda decision, given: self._plan(_Call(), decision, given, True),
        )

    @classmethod
    async def run(
        cls,
        where: "Where",
        capability: str,
        arguments: dict[str, Any],
        dry_run: bool,
        options: "Options",
    ) -> Answer | Planned:
        """Makes a call."""
        agent = options["agent"]
        check_agent(agent)
        timeouts = options.get("timeouts") or Timeouts()
        max_wait = longest_wait(options.get("max_wait"), timeouts.request)
        private = bool(options.get("allow_private"))
        try:
            with anyio.fail_after(timeouts.total) as scope:
                if isinstance(where, str):
                    settings: dict[str, Any] = {
                        "timeouts": timeouts,
                        "allow_private": private,
                        "user_agent": agent,
                        **(options.get("discovery") or {}),
                    }
                    where = await adiscover(where, **settings)
                if isinstance(where, Document):
                    where = (where,)
                elif not isinstance(where, Site):
                    where = tuple(where)
                hosts = _hosts(where, options) if private else ()
                async with _transport(where, hosts) as transport:
                    runner = cls(where, transport, options, timeouts, max_wait, scope)
                    if dry_run:
                        return await runner._planned(capability, arguments)
                    return await runner._called(capability, arguments)
        except TimeoutError:
            raise LimitExceeded(
                f"the call of {capability!r} takes longer than {timeouts.total:g} s (timeouts.total)"
            ) from None

    async def _called(self, name: str, arguments: dict[str, Any]) -> Answer:
        """Calls a capability, or a tool that only an MCP server names."""
        if not self._is_tool(name):
            return await self.perform(name, arguments)
        try:
            return await self._tool(name, arguments)
        except PrerequisitesMissing as missing:
            given = self._options.get("before") or {}
            if not missing.missing or not given.keys() >= set(missing.missing):
                raise
            for action in missing.missing:
                if action not in self._done:
                    await self._act(action)
        return await self._tool(name, arguments)

    async def _tool(self, name: str, arguments: dict[str, Any]) -> Answer:
        """Calls a tool of an MCP server by its name."""
        from .mcp import call_tool

        return await call_tool(
            self._sender,
            self._where,
            Operation("mcp", self._options.get("endpoint") or "", name, arguments),
            capability=None,
            credentials=self._options.get("credentials"),
            headers=dict(self._options.get("headers") or {}),
            confirm=self._ask,
            done=tuple(self._done),
        )

    def _is_tool(self, name: str) -> bool:
        """Returns whether a name is none of a capability, but may be one of a tool."""
        if self._options.get("endpoint") is not None:
            return True
        decision = self._decision(name)
        return decision.reason == "unknown-capability" and bool(declared(self._rules()))

    def _rules(self) -> Rules:
        return Rules.of(
            self._where,
            agent=self._agent,
            origin=self._origin,
            approve=self._options.get("approve", ()),
        )

    def _decision(self, capability: str, *before: Document) -> Decision:
        return decide(
            [*before, *self._documents, *self._unread],
            agent=self._agent,
            capability=capability,
            robots=self._robots,
            origin=self._origin,
            approved=self._options.get("approve", ()),
        )

    def _decide(self, capability: str) -> Decision:
        decision = self._decision(capability)
        if not decision.allowed:
            denied = refused(decision, f"{capability!r} is not called")
            reasons = why_missed(self._where)
            if reasons and decision.reason == "unknown-capability":
                raise NotDeclared(f"{denied}; {reasons}", decision)
            raise denied
        return decision

    def _plan(
        self,
        progress: _Call,
        decision: Decision,
        arguments: Mapping[str, Any],
        confirmed: bool,
    ) -> dict[str, Any]:
        """Returns the next step of the core. Raises CallRefused if there is none."""
        given = self._options.get("credentials") is not None
        settings = (
            given or bool(self._options.get("headers")),
            self._session is not None,
            confirmed,
            list(self._done.items()),
            self._options.get("idempotency_key"),
            None,
            bool(self._options.get("undeclared")),
            bool(self._options.get("from_text")),
        )
        try:
            text = json.dumps(arguments, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            said = f"{decision.capability!r} is not called: an argument is not valid Unicode"
            raise CallRefused(
                said, decision, {"refused": "invalid-arguments"}
            ) from None
        step = json.loads(progress.plan(decision._asked, text, settings))
        return self._accepted(step, decision)

    def _accepted(self, step: dict[str, Any], decision: Decision) -> dict[str, Any]:
        """Returns a step. Raises the error for a refusal."""
        if "refused" not in step:
            return step
        about = f"{decision.capability!r} is not called: {step['message']}"
        if argument := step.get("argument"):
            about += f": {argument}"
        if expected := step.get("expected"):
            about += f" (expected: {expected})"
        if step["refused"] == "unsafe-credential":
            raise CredentialsRefused(about, decision)
        raise CallRefused(about, decision, step)

    async def _planned(self, capability: str, arguments: dict[str, Any]) -> Planned:
        """Returns what would be sent first."""
        if self._is_tool(capability):
            return await self._planned_tool(capability, arguments)
        progress = _Call()
        seen: set[str] = set()
        while True:
            decision = self._decide(capability)
            step = self._plan(progress, decision, arguments, True)
            kind = step["step"]
            # A description is part of discovery, and without it nothing is known of the request.
            if kind == "document" and step["url"] not in seen:
                seen.add(step["url"])
                await self._read(step["url"], decision, capability)
                continue
            if kind == "client" and step["protocol"] == "openapi":
                step = await self._described.request(step, decision, capability)
                kind = step["step"]
            request = sent_by(step) if kind in {"http", "client"} else None
            detail = step.get("url") or step.get("action")
            header = self._header_name(step)
            return Planned(
                capability,
                None if request else kind,
                None if request else detail,
                request,
                header,
                decision,
            )

    async def _planned_tool(self, name: str, arguments: dict[str, Any]) -> Planned:
        """Does the same for a tool. Only its server knows whether it exists."""
        rules = self._rules()
        endpoint, decision = await choose(rules, self._options.get("endpoint"))
        operation = Operation(
            "mcp", endpoint.url, name, arguments, transport=endpoint.transport
        )
        given = self._options.get("credentials") is not None
        header = (decision.auth.header or "Authorization") if given else None
        return Planned(name, None, None, operation, header, decision)

    async def perform(self, capability: str, arguments: dict[str, Any]) -> Answer:
        """Calls a capability, after what it requires."""
        progress = _Call()
        confirmed = False
        seen: set[str] = set()
        while True:
            decision = self._decide(capability)
            step = self._plan(progress, decision, arguments, confirmed)
            match step["step"]:
                case "confirmation":
                    await ask(self._ask, decision, capability, arguments)
                    confirmed = True
                case "document":
                    if step["url"] in seen:
                        raise self._sender.failure(
                            f"{capability!r} is not called: {step['url']} does not describe it",
                            decision,
                        )
                    seen.add(step["url"])
                    await self._read(step["url"], decision, capability)
                case "action":
                    await self._act(step["action"])
                case "token":
                    raise CredentialsNeeded(
                        f"{capability!r} needs credentials: {decision.auth.type or 'unknown'}",
                        decision,
                    )
                case "session":
                    await self._open_session(step, decision, capability)
                case "client" if step["protocol"] != "openapi":
                    return await self._by_client(progress, step, decision, capability)
                case kind:
                    if kind == "client":
                        step = await self._described.request(step, decision, capability)
                    answer = await self._by_http(progress, step, decision, capability)
                    if answer is not None:
                        return answer

    async def _act(self, action: str) -> None:
        """Calls an action that has to run first. Its answer is kept."""
        if action in self._open or len(self._done) >= _MOST_ACTIONS:
            raise LimitExceeded(f"the actions before {action!r} have no end")
        self._open.append(action)
        given = dict((self._options.get("before") or {}).get(action, {}))
        answer = await self.perform(action, given)
        self._open.pop()
        body = answer.body
        if answer.status is None:
            found = {each.name: each.value for each in answer.outputs if each.typed}
            body = json.dumps(found).encode()
        self._done[action] = body

    @property
    def _ask(self) -> Confirm | None:
        """Asks a person. The time of the question does not count."""
        confirm = self._options.get("confirm")
        if confirm is None:
            return None

        async def asked(*question: Any) -> bool:
            begun, left = anyio.current_time(), self._deadline.deadline
            self._deadline.deadline = math.inf
            try:
                agreed = confirm(*question)
                return await agreed if inspect.isawaitable(agreed) else agreed
            finally:
                self._deadline.deadline = left + anyio.current_time() - begun

        return asked

    async def _read(self, url: str, decision: Decision, capability: str) -> None:
        """Fetches a document that describes the capability."""
        request = HttpRequest("GET", url, (("Accept", "application/json"),))
        reply = await self._sender.send(request, decision, capability, "document")
        what = f"the description of {capability!r} at {url}"
        if not 200 <= reply.status < 300:
            raise self._sender.failure(
                f"{what} has status {reply.status}", decision, reply
            )
        try:
            manifests = {document.format for document in self._documents}
            kind = "adp-capability" if "adp" in manifests else "agents-json-0.1"
            self._documents.append(
                parse(reply.body, url=url, format=kind, limits=Limits())
            )
        except ValueError as problem:
            raise self._sender.failure(
                f"{what} cannot be read: {problem}", decision, reply
            ) from None

    async def _open_session(
        self, step: Mapping[str, Any], decision: Decision, capability: str
    ) -> None:
        request = HttpRequest(step["method"], step["url"])
        sent = await self._credentials(step, decision)
        reply = await self._sender.send(request, decision, capability, "session", sent)
        token = None
        if 200 <= reply.status < 300:
            try:
                members = json.loads(reply.body)
            except (ValueError, RecursionError):
                members = None
            if isinstance(members, dict):
                token = members.get("session_token")
        if not is_value(token):
            raise self._sender.failure(
                f"{step['url']} opens no session: it answers {reply.status} without a `session_token`",
                decision,
                reply,
            )
        self._session = token

    def _header_name(self, step: Mapping[str, Any]) -> str | None:
        """Returns the name of the header that carries the credential of a step."""
        credential = step.get("credential")
        given = self._options.get("credentials") is not None
        if credential is None or not (given or credential["for"] == "session"):
            return None
        return credential.get("header") or "Authorization"

    async def _credentials(
        self, step: Mapping[str, Any], decision: Decision, renew: bool = False
    ) -> dict[str, str]:
        """Returns the headers with the credentials of a step: none if none may be sent."""
        credential = step.get("credential")
        if credential is None:
            return {}
        if credential["for"] == "session":
            token = self._session
        else:
            if self._token is None or renew:
                given = self._options.get("credentials")
                if isinstance(given, OAuth2):
                    given.reject(self._token)
                self._token = await token_of(given, decision)
            token = self._token
        headers = self._options.get("headers")
        if token is None and not headers and credential["need"] == "required":
            raise CredentialsNeeded(
                f"{decision.capability!r} needs credentials, and `credentials` returned none",
                decision,
            )
        return headers_with(
            token,
            headers,
            type=credential["type"],
            header=credential.get("header"),
            prefix=credential.get("prefix"),
        )

    async def _by_http(
        self,
        progress: _Call,
        step: dict[str, Any],
        decision: Decision,
        capability: str,
    ) -> Answer | None:
        """Sends the request until it has an answer. Returns None if it must be planned again."""
        planned = sent_by(step)
        assert isinstance(planned, HttpRequest)
        sender, request, kind, waited = self._sender, planned, "call", 0.0
        sent = await self._credentials(step, decision)
        while True:
            reply = await sender.send(request, decision, capability, kind, sent, waited)
            answer = (reply.status, texts(reply), reply.body, int(time.time()))
            said = progress.next(decision._asked, *answer)
            next = json.loads(said)
            if "refused" in next:
                raise sender.failure(
                    f"{capability!r} was called, but not followed to its end: {next['message']}",
                    decision,
                    reply,
                    failure="refused",
                )
            waited = 0.0
            match next["next"]:
                case "done":
                    outputs = outputs_of(next)
                    return sender.answer(capability, decision, reply, outputs)
                case "retry":
                    waited = await sender.pause(next["seconds"], decision, capability)
                    request, kind = planned, "retry"
                case "poll":
                    waited = await sender.pause(next["seconds"], decision, capability)
                    request = HttpRequest("GET", next.get("url") or request.url)
                    kind = "poll"
                case "refresh" | "token":
                    if not callable(self._options.get("credentials")):
                        raise CredentialsNeeded(
                            f"{capability!r}: the server does not accept the credentials",
                            decision,
                        )
                    sent = await self._credentials(step, decision, renew=True)
                    request, kind = planned, "retry"
                case "session":
                    self._session = None
                    return None
                case "recover" if next.get("retries"):
                    if seconds := next.get("seconds"):
                        waited = await sender.pause(seconds, decision, capability)
                    if (action := next.get("action")) is not None:
                        await self._act(action)
                    request, kind = planned, "retry"
                case _:
                    raise sender.failure(
                        f"{capability!r} has failed: {_why(next, reply.status)}",
                        decision,
                        reply,
                        failure=next.get("failure", "recovery"),
                        recovery=next if next["next"] == "recover" else None,
                    )

    async def _by_client(
        self,
        progress: _Call,
        step: dict[str, Any],
        decision: Decision,
        capability: str,
    ) -> Answer:
        """Calls an operation of another protocol."""
        operation = sent_by(step)
        assert isinstance(operation, Operation)
        if self._open and capability not in (self._options.get("before") or {}):
            # What the arguments of other protocols are is not known here, so none of their operations runs unasked.
            raise PrerequisitesMissing(
                f"the site requires first: {capability}, whose arguments are not given",
                decision,
                (capability,),
            )
        sent = await self._credentials(step, decision)
        call = (self._sender, progress, operation, decision, capability, sent)
        match operation.protocol:
            case "mcp":
                from .mcp import call_tool

                return await call_tool(
                    self._sender,
                    self._where,
                    operation,
                    capability=capability,
                    progress=progress,
                    decision=decision,
                    headers=sent,
                    # The person has been asked, and the actions before have run.
                    confirm=lambda *_: True,
                    done=tuple(self._done),
                )
            case "graphql":
                from . import graphql

                return await graphql.send(*call)
            case "a2a":
                from . import a2a

                return await a2a.send(*call)
            case "websocket":
                from . import websocket

                return await websocket.send(*call)
            case _:
                raise ClientNeeded(
                    f"{capability!r} is an operation of {operation.protocol} at {operation.url}; use a client of that protocol",
                    decision,
                    operation,
                )


def _transport(
    where: "Site | tuple[Document, ...]", hosts: Iterable[str]
) -> AbstractAsyncContextManager[GuardedTransport]:
    """Returns the way to the servers: that of the site, if it keeps one."""
    if isinstance(where, Site) and where._connections is not None:
        return where._connections.transport(hosts)
    return GuardedTransport(private=hosts, connections=4)


def _why(next: Mapping[str, Any], status: int) -> str:
    """Returns why a call has failed, in words."""
    if next["next"] == "recover":
        return f"status {status}; the document says: {next.get('text', '')}"
    reasons = {
        "redirect": f"status {status}: redirects are not followed",
        "job": "the job has failed",
        "too-many-retries": f"status {status} after several attempts",
        "too-many-polls": "the result is not there after 100 polls",
        "too-many-recoveries": f"status {status}; the recoveries did not help",
    }
    return reasons.get(next.get("failure", ""), f"status {status}")


def _hosts(where: "Site | tuple[Document, ...]", options: "Options") -> list[str]:
    """Returns the URLs whose hosts the user has named: the site, and what is approved."""
    approved = list(options.get("approve", ()))
    if isinstance(where, Site):
        return [where.origin, *approved]
    sites = (each.service.url if each.service else None for each in where)
    site = options.get("origin") or next(filter(None, sites), None)
    return [site, *approved] if site else approved
