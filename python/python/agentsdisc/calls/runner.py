"""Makes a call: asks the core for the next step, and does it."""

import inspect
import json
import math
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import anyio
import httpx

from .. import Decision, Document, Limits, RobotsTxt, decide, parse
from .._agentsdisc import _Call
from .._errors import refused
from .._limits import Limiter
from .._policy import RobotsState
from ..discovery import Site, Timeouts, adiscover
from ..discovery.fetch import Failed, Reply, fetch
from ..discovery.transport import GuardedTransport
from .errors import (
    CallFailed,
    CallRefused,
    ClientNeeded,
    ConfirmationRefused,
    ConnectionFailed,
    CredentialsNeeded,
    CredentialsRefused,
    LimitExceeded,
    RateLimited,
)
from .results import Answer, HttpRequest, Operation, Output, Planned, Step

if TYPE_CHECKING:
    from . import Options, Where

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[!-~]+(?: +[!-~]+)*")
_MOST_LIMITERS = 1000
_MOST_ACTIONS = 64

_limiters: OrderedDict[tuple[str | None, str], Limiter] = OrderedDict()
_lock = threading.Lock()


def _shared_limiter(origin: str | None, agent: str) -> Limiter:
    """Returns the limiter that all calls of an agent to a site share."""
    with _lock:
        limiter = _limiters.setdefault((origin, agent), Limiter())
        _limiters.move_to_end((origin, agent))
        if len(_limiters) > _MOST_LIMITERS:
            _limiters.popitem(last=False)
        return limiter


class Runner:
    """One call, with the actions that it requires."""

    def __init__(
        self,
        where: "Site | Document | tuple[Document, ...]",
        transport: httpx.AsyncBaseTransport,
        options: "Options",
        timeouts: Timeouts,
    ) -> None:
        self._origin: str | None
        self._robots: RobotsTxt | RobotsState | None
        if isinstance(where, Site):
            documents = [*where.documents, *(each.document for each in where.details)]
            self._unread = [found.document for found in where.unread]
            self._origin, self._robots = where.origin, where.robots_state
        else:
            documents = [where] if isinstance(where, Document) else list(where)
            self._unread = []
            self._origin, self._robots = options.get("origin"), None
        self._documents = documents
        self._transport = transport
        self._options = options
        self._agent = options["agent"]
        self._timeouts = timeouts
        wait = options.get("max_wait")
        self._max_wait = timeouts.request if wait is None else wait
        self._limiter = options.get("limiter") or _shared_limiter(
            self._origin, self._agent
        )
        self._token: str | None = None
        self._session: str | None = None
        self._done: dict[str, bytes] = {}
        self._open: list[str] = []
        self._steps: list[Step] = []

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
        if not _VALUE.fullmatch(agent):
            raise ValueError(f"{agent!r} is not valid as a User-Agent")
        wait = options.get("max_wait")
        # NaN compares false, and would wait forever.
        if wait is not None and not wait >= 0:
            raise ValueError(f"max_wait must be 0 s or more, not {wait}")
        timeouts = options.get("timeouts") or Timeouts()
        private = bool(options.get("allow_private"))
        try:
            with anyio.fail_after(timeouts.total):
                if isinstance(where, str):
                    settings: dict[str, Any] = {
                        "timeouts": timeouts,
                        "allow_private": private,
                        "user_agent": agent,
                        **(options.get("discovery") or {}),
                    }
                    where = await adiscover(where, **settings)
                if not isinstance(where, Site | Document):
                    where = tuple(where)
                async with AsyncExitStack() as stack:
                    hosts = _hosts(where, options) if private else ()
                    transport = GuardedTransport(private=hosts, connections=4)
                    await stack.enter_async_context(transport)
                    runner = cls(where, transport, options, timeouts)
                    if dry_run:
                        return await runner._planned(capability, arguments)
                    return await runner.perform(capability, arguments)
        except TimeoutError:
            raise LimitExceeded(
                f"the call of {capability!r} takes longer than {timeouts.total:g} s (timeouts.total)"
            ) from None

    def _decide(self, capability: str) -> Decision:
        decision = decide(
            [*self._documents, *self._unread],
            agent=self._agent,
            capability=capability,
            robots=self._robots,
            origin=self._origin,
            approved=self._options.get("approve", ()),
        )
        if not decision.allowed:
            raise refused(decision, f"{capability!r} is not called")
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
        text = json.dumps(arguments, ensure_ascii=False).encode("utf-8", "replace")
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
            request = _sent(step) if kind in {"http", "client"} else None
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
                    await self._confirm(decision, capability, arguments)
                    confirmed = True
                case "document":
                    if step["url"] in seen:
                        raise CallFailed(
                            f"{capability!r} is not called: {step['url']} does not describe it",
                            decision,
                            steps=tuple(self._steps),
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
                case "client":
                    return await self._by_client(step, decision, capability)
                case _:
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
        self._done[action] = answer.body

    async def _confirm(
        self, decision: Decision, capability: str, arguments: Mapping[str, Any]
    ) -> None:
        what = (
            f"a person {decision.confirmation} be asked before {capability!r} is called"
        )
        confirm = self._options.get("confirm")
        if confirm is None:
            raise ConfirmationRefused(
                f"{what}; give `confirm` a function that asks one", decision
            )
        agreed = confirm(decision, capability, arguments)
        if inspect.isawaitable(agreed):
            agreed = await agreed
        if agreed is not True:
            raise ConfirmationRefused(f"{what}, and did not agree", decision)

    async def _read(self, url: str, decision: Decision, capability: str) -> None:
        """Fetches a document that describes the capability."""
        request = HttpRequest("GET", url, (("Accept", "application/json"),))
        reply = await self._send(request, decision, capability, "document", {})
        if not 200 <= reply.status < 300:
            raise CallFailed(
                f"the description of {capability!r} at {url} has status {reply.status}",
                decision,
                status=reply.status,
                body=reply.body,
                steps=tuple(self._steps),
            )
        try:
            manifests = {document.format for document in self._documents}
            kind = "adp-capability" if "adp" in manifests else "agents-json-0.1"
            self._documents.append(
                parse(reply.body, url=url, format=kind, limits=Limits())
            )
        except ValueError as problem:
            raise CallFailed(
                f"the description of {capability!r} at {url} cannot be read: {problem}",
                decision,
                status=reply.status,
                body=reply.body,
                steps=tuple(self._steps),
            ) from None

    async def _open_session(
        self, step: Mapping[str, Any], decision: Decision, capability: str
    ) -> None:
        request = HttpRequest(step["method"], step["url"])
        sent = await self._credentials(step, decision)
        reply = await self._send(request, decision, capability, "session", sent)
        token = None
        if 200 <= reply.status < 300:
            try:
                members = json.loads(reply.body)
            except (ValueError, RecursionError):
                members = None
            if isinstance(members, dict):
                token = members.get("session_token")
        if not isinstance(token, str) or not _VALUE.fullmatch(token):
            raise CallFailed(
                f"{step['url']} opens no session: it answers {reply.status} without a `session_token`",
                decision,
                status=reply.status,
                body=reply.body,
                steps=tuple(self._steps),
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
        sent = dict(self._options.get("headers") or {})
        given = self._options.get("credentials")
        if credential["for"] == "session":
            token = self._session
        elif isinstance(given, str):
            token = given
        elif given is not None and (self._token is None or renew):
            made = given(decision)
            token = await made if inspect.isawaitable(made) else made
            self._token = token
        else:
            token = self._token
        if token is not None:
            name, prefix = credential.get("header"), credential.get("prefix", "")
            if name is None:
                if credential["type"] in {"api-key", "hmac"}:
                    raise ValueError(
                        f"the documents do not say which header a credential of type {credential['type']} goes into: give `headers`"
                    )
                name, prefix = "Authorization", "Bearer"
            sent[name] = f"{prefix} {token}".lstrip()
        elif credential["need"] == "required" and not sent:
            raise CredentialsNeeded(
                f"{decision.capability!r} needs credentials, and `credentials` returned none",
                decision,
            )
        for name, value in sent.items():
            if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
                # Without the value, which is a secret.
                raise ValueError(
                    "the credential has a character that is not valid in a header"
                )
        return sent

    async def _send(
        self,
        request: HttpRequest,
        decision: Decision,
        capability: str,
        kind: str,
        credentials: Mapping[str, str],
        waited: float = 0.0,
    ) -> Reply:
        """Sends a request, after a wait that the rate limits ask for."""
        waited += await self._room(decision, capability)
        headers = {"User-Agent": self._agent, **dict(request.headers), **credentials}
        try:
            reply = await fetch(
                self._transport,
                request.url,
                [(name.encode(), value.encode()) for name, value in headers.items()],
                limit=self._options.get("max_response", 16 << 20),
                cuts=False,
                timeouts=self._timeouts,
                method=request.method,
                content=request.body,
                keeps_errors=True,
            )
        except Failed as failed:
            self._steps.append(Step(kind, capability, request, None, waited))
            said = failed.detail or failed.why
            if failed.why == "too-large":
                raise LimitExceeded(
                    f"the answer to {capability!r} is larger than max_response",
                    decision,
                ) from None
            raise ConnectionFailed(f"{request.url}: {said}", decision) from None
        self._steps.append(Step(kind, capability, request, reply.status, waited))
        return reply

    async def _room(self, decision: Decision, capability: str) -> float:
        """Waits until the rate limits have room for a request, and counts it."""
        begun = anyio.current_time()
        deadline = begun + self._max_wait
        while (seconds := self._limiter.take(decision)) > 0:
            if seconds == math.inf or anyio.current_time() + seconds > deadline:
                raise RateLimited(
                    f"the rate limits leave no room for {capability!r} in {self._max_wait:g} s",
                    decision,
                    seconds,
                )
            await anyio.sleep(seconds)
        return anyio.current_time() - begun

    async def _by_http(
        self,
        progress: _Call,
        step: dict[str, Any],
        decision: Decision,
        capability: str,
    ) -> Answer | None:
        """Sends the request until it has an answer. Returns None if it must be planned again."""
        planned = _sent(step)
        assert isinstance(planned, HttpRequest)
        request, kind, waited = planned, "call", 0.0
        sent = await self._credentials(step, decision)
        while True:
            reply = await self._send(request, decision, capability, kind, sent, waited)
            headers = [
                (name.decode("latin-1"), value.decode("latin-1"))
                for name, value in reply.headers
            ]
            answer = (reply.status, headers, reply.body, int(time.time()))
            asked = decision._asked
            next = self._accepted(json.loads(progress.next(asked, *answer)), decision)
            failed = CallFailed(
                f"{capability!r} has failed: {_why(next, reply.status)}",
                decision,
                failure=next.get("failure", "recovery"),
                status=reply.status,
                body=reply.body,
                recovery=next if next["next"] == "recover" else None,
                steps=tuple(self._steps),
            )
            waited = 0.0
            match next["next"]:
                case "done":
                    return Answer(
                        capability,
                        reply.status,
                        tuple(headers),
                        reply.body,
                        tuple(
                            Output(
                                each["name"],
                                each.get("type"),
                                each.get("value"),
                                each["typed"],
                            )
                            for each in next.get("outputs", ())
                        ),
                        tuple(self._steps),
                        decision,
                    )
                case "retry":
                    waited = await self._pause(next["seconds"])
                    request, kind = planned, "retry"
                case "poll":
                    waited = await self._pause(next["seconds"])
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
                case "recover":
                    if seconds := next.get("seconds"):
                        waited = await self._pause(seconds)
                    if (action := next.get("action")) is not None:
                        await self._act(action)
                    if not next.get("retries"):
                        raise failed
                    request, kind = planned, "retry"
                case _:
                    raise failed

    async def _pause(self, seconds: float) -> float:
        await anyio.sleep(seconds)
        return seconds

    async def _by_client(
        self, step: dict[str, Any], decision: Decision, capability: str
    ) -> Answer:
        """Calls an operation of another protocol."""
        operation = _sent(step)
        assert isinstance(operation, Operation)
        sent = await self._credentials(step, decision)
        await self._room(decision, capability)
        if operation.protocol == "mcp":
            body, failed = await self._by_mcp(operation, sent)
        elif operation.protocol == "graphql":
            return await self._by_graphql(operation, decision, capability, sent)
        else:
            raise ClientNeeded(
                f"{capability!r} is an operation of {operation.protocol} at {operation.url}; use a client of that protocol",
                decision,
                operation,
            )
        self._steps.append(Step("call", capability, operation))
        steps = tuple(self._steps)
        if failed:
            raise CallFailed(
                f"the tool of {capability!r} has failed",
                decision,
                failure="tool",
                body=body,
                steps=steps,
            )
        return Answer(capability, None, (), body, (), steps, decision)

    async def _by_mcp(
        self, operation: Operation, sent: dict[str, str]
    ) -> tuple[bytes, bool]:
        """Calls a tool. Returns its result as JSON, and whether it is an error."""
        from .. import mcp

        async with mcp.connect(
            self._documents,
            agent=self._agent,
            endpoint=operation.url,
            transport=operation.transport
            if operation.transport in {"streamable-http", "sse"}
            else None,
            headers=sent or None,
            approve=self._options.get("approve", ()),
            # The person has been asked, and the actions before have run.
            confirm=lambda *_: True,
            done=tuple(self._done),
            origin=self._origin,
            timeouts=self._timeouts,
            max_response=self._options.get("max_response", 16 << 20),
            max_wait=self._max_wait,
            allow_private=bool(self._options.get("allow_private")),
        ) as session:
            name = operation.name or ""
            result = await session.call_tool(name, dict(operation.arguments))
            values = result.model_dump(mode="json", by_alias=True, exclude_none=True)
        return json.dumps(values).encode(), bool(values.get("isError"))

    async def _by_graphql(
        self,
        operation: Operation,
        decision: Decision,
        capability: str,
        sent: dict[str, str],
    ) -> Answer:
        """Sends a GraphQL operation by POST (GraphQL over HTTP)."""
        given = dict(operation.arguments)
        query = given.pop("query", None)
        if not isinstance(query, str):
            raise CallRefused(
                f"{capability!r} is not called: GraphQL needs the argument `query`, the text of the operation",
                decision,
                {"refused": "missing-argument", "argument": "query"},
            )
        variables = given.pop("variables", given)
        body: dict[str, Any] = {"query": query, "variables": variables}
        if operation.name is not None:
            body["operationName"] = operation.name
        request = HttpRequest(
            "POST",
            operation.url,
            (
                ("Content-Type", "application/json"),
                ("Accept", "application/graphql-response+json, application/json"),
            ),
            json.dumps(body).encode(),
        )
        reply = await self._send(request, decision, capability, "call", sent)
        steps = tuple(self._steps)
        if not 200 <= reply.status < 300:
            raise CallFailed(
                f"{capability!r} has failed: status {reply.status}",
                decision,
                status=reply.status,
                body=reply.body,
                steps=steps,
            )
        headers = tuple(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in reply.headers
        )
        return Answer(
            capability, reply.status, headers, reply.body, (), steps, decision
        )


def _sent(step: Mapping[str, Any]) -> HttpRequest | Operation:
    """Returns what a step sends."""
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
    )


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


def _hosts(
    where: "Site | Document | tuple[Document, ...]", options: "Options"
) -> list[str]:
    """Returns the URLs whose hosts the user has named: the site, and what is approved."""
    approved = list(options.get("approve", ()))
    if isinstance(where, Site):
        return [where.origin, *approved]
    documents = (where,) if isinstance(where, Document) else where
    sites = (each.service.url if each.service else None for each in documents)
    site = options.get("origin") or next(filter(None, sites), None)
    return [site, *approved] if site else approved
