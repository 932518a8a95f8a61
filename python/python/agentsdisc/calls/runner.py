"""Makes a call: asks the core for the next step, and does it."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin

import anyio

from .. import Decision, Document, Limits, PrerequisiteError, RobotsTxt, decide, parse
from .._agentsdisc import _Call
from .._conduct import (
    check_agent,
    has_key,
    headers_with,
    is_private_allowed,
    longest_wait,
    token_of,
)
from .._consent import Question
from .._errors import CallError, NotDeclared, PolicyDenied, refused, why_missed
from .._gateways import McpEndpoint, Rules, capabilities_of, choose, declared
from .._policy import RobotsState
from ..discovery import Site, Timeouts, adiscover
from ..discovery.fetch import Reply
from ..discovery.transport import GuardedTransport
from . import graphql
from .authorizing import Challenge, is_beneath
from .clients import client_of
from .consents import Consents
from .describing import Describer
from .encoding import encoded
from .errors import (
    CallRefused,
    CredentialsNeeded,
    CredentialsRefused,
    LimitExceeded,
    PrerequisitesMissing,
)
from .oauth import OAuth2
from .reasons import near, renewable, unasked, without_token
from .recovering import Recoveries
from .repeating import Exchange
from .results import Answer, HttpRequest, Operation, Planned
from .sending import (
    Sender,
    named_hosts,
    outputs_of,
    sent_by,
    shared_limiter,
    transport_of,
)
from .sessions import Sessions, opened

if TYPE_CHECKING:
    from . import Options

Read = Callable[[Exchange, Reply], Answer]
"""Reads the answer of another protocol over HTTP, such as GraphQL."""

_MOST_ACTIONS = 64


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
        self._verified = tuple(options["verified"])
        self._consents = Consents(options.get("confirm"), deadline)
        limiter = options.get("limiter") or shared_limiter(
            self._origin, tuple(documents), self._agent
        )
        self._sender = Sender(transport, options, timeouts, max_wait, limiter)
        self._tokens: dict[str, str | None] = {}
        self._sessions = Sessions.of(where)
        self._session: str | None = None
        self._job: str | None = None
        self._top: str | None = None
        self._renewal: str | None = None
        self._done = dict.fromkeys(options.get("done", ()), b"")
        self._open: list[str] = []
        self._recoveries = Recoveries(
            self._sender, self._rules, self._documents, self._act
        )
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
        where: "str | Site | tuple[Document, ...]",
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
        private = is_private_allowed(options.get("allow_private"), where)
        encoded(capability, arguments)
        for action, given in (options.get("before") or {}).items():
            encoded(action, given)
        runner: Runner | None = None
        try:
            with anyio.fail_after(timeouts.total) as scope:
                if isinstance(where, str):
                    settings: dict[str, Any] = {
                        "timeouts": timeouts,
                        "allow_private": private,
                        "user_agent": agent,
                        "identity": options.get("identity"),
                        **(options.get("discovery") or {}),
                    }
                    where = await adiscover(where, **settings)
                hosts = named_hosts(where, options) if private else ()
                identity = options.get("identity")
                async with transport_of(where, hosts, identity) as transport:
                    runner = cls(where, transport, options, timeouts, max_wait, scope)
                    runner._notify(capability)
                    if dry_run:
                        return await runner._planned(capability, arguments)
                    return await runner._called(capability, arguments)
        except TimeoutError:
            late = LimitExceeded(
                f"the call of {capability!r} takes longer than {timeouts.total:g} s (timeouts.total)"
            )
            raise runner._with_steps(late) if runner else late from None
        except CallError as problem:
            if runner is None:
                raise
            said = runner._with_steps(problem)
            if said is problem:
                raise
            raise said from problem

    def _with_steps(self, problem: CallError) -> CallError:
        """Returns an error with all steps of the call. After something was sent, a refusal becomes CallFailed."""
        sender = self._sender
        if isinstance(problem, CallRefused | CredentialsRefused) and sender.has_sent:
            problem = sender.failure(
                str(problem).replace("is not called", "has failed", 1),
                problem.decision,
                sender.last,
                failure="refused",
            )
        problem.steps, problem.job = tuple(sender.steps), self._job
        return problem

    async def _called(self, name: str, arguments: dict[str, Any]) -> Answer:
        """Calls a capability, or a tool that only an MCP server names."""
        self._top = name
        if not self._is_tool(name):
            return await self.perform(name, arguments)
        try:
            return await self._tool(name, arguments)
        except PrerequisitesMissing as missing:
            given = self._options.get("before") or {}
            if not missing.missing or not given.keys() >= set(missing.missing):
                raise
            decision = missing.decision
            assert decision is not None
            tool = Operation(
                "mcp", self._options.get("endpoint") or "", name, arguments
            )
            question = self._question(decision, arguments, tool)
            await self._check_ahead(missing.missing, question=question)
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
            confirm=self._consent,
            done=tuple(self._done),
        )

    def _notify(self, name: str) -> None:
        """Shows the decision about a step before it runs."""
        if (notice := self._options.get("notice")) is None:
            return
        decision = self._decision(name)
        if decision.reason == "unknown-capability":
            nowhere = McpEndpoint("", None)
            ids = capabilities_of(self._rules(), nowhere, [name])(name)
            decision = self._decision(next(iter(ids), name))
        notice(decision)

    def _is_tool(self, name: str) -> bool:
        """Returns whether a name is not that of a capability, but may be that of a tool."""
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
            verified=self._verified,
        )

    def _decide(self, capability: str) -> Decision:
        decision = self._decision(capability)
        if not decision.allowed and not self._has_open_host(decision):
            denied = refused(
                decision, f"{self._subject(capability)} is not called", self._where
            )
            if decision.reason != "unknown-capability":
                raise denied
            said = f"{denied}{near(capability, self._documents)}"
            if reasons := why_missed(self._where):
                raise NotDeclared(f"{said}; {reasons}", decision)
            raise PolicyDenied(said, decision)
        return decision

    def _has_open_host(self, decision: Decision) -> bool:
        """Returns whether an argument determines the host of the service. The core then decides with that argument."""
        services = (each.service for each in self._documents if each.format == "adp")
        return decision.reason == "invalid-endpoint" and any(
            "{" in (service.url or "") for service in services if service
        )

    def _key(self) -> str | None:
        """Returns the idempotency key; an action that runs first has its own."""
        key = self._options.get("idempotency_key")
        if key is None or not self._open:
            return key
        return f"{key}:{quote(self._open[-1], safe='')}"

    def _plan(
        self,
        progress: _Call,
        decision: Decision,
        arguments: Mapping[str, Any],
        confirmed: bool,
        *assumed: str,
    ) -> dict[str, Any]:
        """Returns the next step of the core, as if the actions `assumed` had run. Raises CallRefused if there is none."""
        given = self._options.get("credentials") is not None
        settings = (
            given or has_key(self._options.get("headers")),
            self._session is not None,
            confirmed,
            [*self._done.items(), *((action, b"") for action in assumed)],
            self._key(),
            None,
            bool(self._options.get("undeclared")),
            bool(self._options.get("from_text")),
        )

        text = encoded(decision.capability or "", arguments)
        step: dict[str, Any] = json.loads(
            progress.plan(decision._asked, text, settings)
        )
        return self._accepted(step, decision)

    def _subject(self, name: str | None) -> str:
        """Returns the name of what is not called, for a message; for an action also the call that requires it."""
        if not self._open or self._sender.has_sent:
            return repr(name)
        return f"{name!r}, which the site requires before {self._top!r},"

    def _accepted(self, step: dict[str, Any], decision: Decision) -> dict[str, Any]:
        """Returns a step. Raises the error for a refusal."""
        if "refused" not in step:
            return step
        about = f"{self._subject(decision.capability)} is not called: {step['message']}"
        if (argument := step.get("argument")) is not None:
            about += f": {argument or repr(argument)}"
        if expected := step.get("expected"):
            about += f" (expected: {expected})"
        if (rule := step.get("rule")) and step["refused"] == "denied":
            about += f" ({rule['text']})"
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
            # Fetches a description, which is part of discovery: without it, the request is not known.
            if kind == "document" and step["url"] not in seen:
                seen.add(step["url"])
                await self._read(step, decision, capability)
                continue
            if kind == "client" and step["protocol"] == "openapi":
                step = await self._described.request(step, decision, capability)
                kind = step["step"]
            request = sent_by(step) if kind in {"http", "client"} else None
            if isinstance(request, Operation) and request.protocol == "graphql":
                request = graphql.request(request, decision, capability)
            detail = step.get("url") or step.get("action")
            is_sent = step.get("credential") is not None
            return Planned(
                capability,
                None if request else kind,
                None if request else detail,
                request,
                self._header_name(step),
                decision,
                tuple(self._options.get("headers") or ()) if is_sent else (),
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
                    request = await self._check_step(decision, capability, arguments)
                    self._sender.check_room(decision, capability)
                    question = self._question(decision, arguments, request)
                    if not self._open and not self._sender.has_sent:
                        first = _readable(decision)
                        await self._check_ahead(first, question=question)
                    else:
                        await self._consents.ask(question, capability, not self._open)
                    confirmed = True
                case "document":
                    if step["url"] in seen:
                        raise self._sender.failure(
                            f"{capability!r} is not called: {step['url']} does not describe it",
                            decision,
                        )
                    seen.add(step["url"])
                    await self._read(step, decision, capability)
                case "action":
                    if not self._open and not self._sender.has_sent:
                        call = decision, capability, arguments
                        await self._check_ahead(decision.prerequisites, call=call)
                    await self._act(step["action"])
                case "token":
                    raise without_token(decision)
                case "session":
                    await self._open_session(step, decision, capability)
                case "client" if step["protocol"] != "openapi":
                    answer = await self._by_client(progress, step, decision, capability)
                    if answer is not None:
                        return answer
                case kind:
                    if kind == "client":
                        step = await self._described.request(step, decision, capability)
                    request = sent_by(step)
                    assert isinstance(request, HttpRequest)
                    exchange = await self._exchange(
                        progress, step, decision, capability
                    )
                    answer = await self._by_http(exchange, request)
                    if answer is not None:
                        return answer

    async def _act(self, action: str) -> None:
        """Calls an action that has to run first. Its answer is kept."""
        is_open = action in self._open or action == self._top
        if is_open or len(self._done) >= _MOST_ACTIONS:
            raise LimitExceeded(f"the actions before {action!r} have no end")
        self._open.append(action)
        given = dict((self._options.get("before") or {}).get(action, {}))
        # A job goes on while an action runs for it.
        job = self._job
        self._notify(action)
        answer = await self.perform(action, given)
        self._job = job
        self._open.pop()
        body = answer.body
        if answer.status is None:
            found = {each.name: each.value for each in answer.outputs if each.typed}
            body = json.dumps(found).encode()
        self._done[action] = body

    async def _check_ahead(
        self,
        actions: Iterable[str],
        *,
        call: tuple[Decision, str, dict[str, Any]] | None = None,
        question: Question | None = None,
    ) -> None:
        """Checks the actions before a call and the call itself, and then asks a person about the call, if `question` is given, and about each action. Nothing is sent before.

        Raises the first refusal.
        """
        before = self._options.get("before") or {}
        questions = []
        for action in actions:
            if action not in self._done:
                self._open.append(action)
                decision, given = self._decide(action), dict(before.get(action, {}))
                self._consents.check(decision, action)
                request = await self._check_step(decision, action, given)
                self._sender.check_room(decision, action)
                self._open.pop()
                questions.append((self._question(decision, given, request), action))
        if call is not None:
            await self._check_step(*call)
        if question is not None:
            await self._consents.ask_ahead(question, self._top or "", True)
        for each, action in questions:
            await self._consents.ask_ahead(each, action)

    async def _check_step(
        self, decision: Decision, name: str, arguments: dict[str, Any]
    ) -> HttpRequest | Operation | None:
        """Returns what a step will send; None if that is not known yet. Raises the refusal of the step.

        Also plans the step as if the actions before it had run, because only then the core returns its request.
        """
        step = self._plan(_Call(), decision, arguments, True)
        if step["step"] == "token":
            raise without_token(decision)
        await self._credentials(step, decision)
        try:
            if step["step"] == "action":
                step = self._plan(
                    _Call(), decision, arguments, True, *decision.prerequisites
                )
            if step["step"] == "client" and step["protocol"] == "openapi":
                step = await self._described.request(step, decision, name)
            elif step["step"] == "client":
                return self._client(step, decision, name)[1]
        except CallRefused as refusal:
            # An action before this step may supply the argument.
            if refusal.problem != "missing-argument" or not decision.prerequisites:
                raise
            return None
        return sent_by(step) if step["step"] == "http" else None

    def _question(
        self,
        decision: Decision,
        arguments: Mapping[str, Any],
        request: HttpRequest | Operation | None,
    ) -> Question:
        """Returns the question to a person about a step."""
        return Question.about(
            decision, site=self._origin, arguments=arguments, request=request
        )

    def _client(
        self, step: Mapping[str, Any], decision: Decision, name: str
    ) -> tuple[ModuleType, Operation]:
        """Returns the client for a step, and what it sends."""
        operation = sent_by(step)
        assert isinstance(operation, Operation)
        if self._open and name not in (self._options.get("before") or {}):
            # The parameters of other protocols are not known, so an action runs only if the caller gives its arguments.
            raise unasked(name, decision)
        return client_of(operation, decision, name), operation

    async def _consent(
        self, question: Question, name: str, arguments: Mapping[str, Any]
    ) -> bool:
        return await self._consents.ask(question, name, not self._open)

    async def _read(
        self, step: Mapping[str, Any], decision: Decision, capability: str
    ) -> None:
        """Fetches a document that describes the capability."""
        url = step["url"]
        request = HttpRequest("GET", url, (("Accept", "application/json"),))
        reply = await self._sender.send(request, decision, capability, "document")
        what = f"the description of {capability!r} at {url}"
        if not 200 <= reply.status < 300:
            raise self._sender.failure(
                f"{what} has status {reply.status}", decision, reply
            )
        asking = [*self._documents, *self._unread][step["document"]]
        kind = "adp-capability" if asking.format == "adp" else "agents-json-0.1"
        try:
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
        self._session = self._sessions.kept(request.url, self._agent, sent)
        if self._session is not None:
            return
        reply = await self._sender.send(request, decision, capability, "session", sent)
        token, seconds = None, float(step["ttl_seconds"])
        if 200 <= reply.status < 300:
            token, seconds = opened(reply.body, seconds)
        if token is None:
            raise self._sender.failure(
                f"{step['url']} opens no session: it answers {reply.status} without a `session_token`",
                decision,
                reply,
            )
        self._session = token
        self._sessions.keep(request.url, self._agent, sent, token, seconds)

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
            # Tokens are kept per capability, because actions before the call can belong to another server.
            name = decision.capability or ""
            given = self._options.get("credentials")
            if name not in self._tokens or renew:
                if isinstance(given, OAuth2):
                    given.reject(self._tokens.get(name))
                    made = await given.token_for(step.get("url", ""), decision)
                else:
                    made = await token_of(given, decision)
                self._tokens[name] = made
            token = self._tokens[name]
        headers = self._options.get("headers")
        # The server may say where to get a token, if nobody else does.
        is_missing = token is None and not isinstance(
            self._options.get("credentials"), OAuth2
        )
        if is_missing and not has_key(headers) and credential["need"] == "required":
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
        exchange: Exchange,
        request: HttpRequest,
        read: Read | None = None,
    ) -> Answer | None:
        """Sends a request until it has an answer. Returns None if it must be planned again."""
        sender, decision = self._sender, exchange.decision
        capability, kind, waited = exchange.capability, "call", 0.0
        while True:
            reply, next = await exchange.send(request, kind, waited)
            waited = 0.0
            match next["next"]:
                case "done":
                    self._job = None
                    if read is not None and kind != "poll":
                        return read(exchange, reply)
                    outputs = outputs_of(next)
                    return sender.answer(capability, decision, reply, outputs)
                case "poll":
                    if url := next.get("url"):
                        request = HttpRequest("GET", url)
                    self._job, kind = request.url, "poll"
                    exchange.is_bare = not next["credential"]
                    waited = await sender.pause(next["seconds"], decision, capability)
                case "session":
                    self._sessions.drop(self._session)
                    self._session = None
                    return None
                case "recover" if next.get("retries"):
                    waited = await self._recoveries.follow(
                        next, decision, capability, reply
                    )
                    kind = "poll" if kind == "poll" else "retry"
                case _:
                    raise exchange.failed(reply, next)

    async def _exchange(
        self,
        progress: _Call,
        step: dict[str, Any],
        decision: Decision,
        capability: str,
    ) -> Exchange:
        """Returns the exchange that sends the requests of a step, and repeats them."""

        async def renew(url: str | None) -> dict[str, str]:
            # The request is sent again once, even if the credential is the same.
            if callable(self._options.get("credentials")):
                return await self._credentials(step, decision, renew=True)
            raise CredentialsNeeded(
                f"{decision.capability or ''!r}: the server does not accept the credentials{renewable(url)}",
                decision,
            )

        async def authorize(challenge: Challenge, url: str) -> dict[str, str] | None:
            return await self._authorized(step, decision, challenge, url)

        sent = await self._credentials(step, decision)
        if step.get("credential") is None and decision.credentials == "allowed":
            sent = await self._remembered(step["url"], decision)
        return Exchange(
            self._sender, progress, decision, capability, sent, renew, authorize
        )

    async def _remembered(self, url: str, decision: Decision) -> dict[str, str]:
        """Returns the header with a token for a server that the documents do not say to need one, if it has asked for one before."""
        given = self._options.get("credentials")
        if not isinstance(given, OAuth2) or not given.knows(url):
            return {}
        token = await given.token_for(url, decision)
        self._tokens[decision.capability or ""] = token
        headers = self._options.get("headers")
        return headers_with(token, headers, type="oauth2", header=None, prefix=None)

    async def _authorized(
        self,
        step: Mapping[str, Any],
        decision: Decision,
        challenge: Challenge,
        url: str,
    ) -> dict[str, str] | None:
        """Returns the headers with a token that a server asks for; None if it gets none."""
        given, credential = self._options.get("credentials"), step.get("credential")
        is_for_session = credential is not None and credential["for"] == "session"
        # The rule for every credential: only where the decision allows it, and to the origin that it is about.
        own = re.sub(r"^ws", "http", step["url"], flags=re.IGNORECASE)
        is_own = is_beneath(url, urljoin(own, "/"))
        is_safe = is_own and decision.credentials == "allowed"
        if not isinstance(given, OAuth2) or is_for_session or not is_safe:
            return None
        name = decision.capability or ""
        if not challenge.is_for_more:
            given.reject(self._tokens.get(name))
        token = await given.authorize(
            challenge, url, decision, self._sender.transport, self._agent
        )
        if token is None:
            return None
        self._tokens[name] = token
        headers = self._options.get("headers")
        return headers_with(token, headers, type="oauth2", header=None, prefix=None)

    async def _by_client(
        self,
        progress: _Call,
        step: dict[str, Any],
        decision: Decision,
        capability: str,
    ) -> Answer | None:
        """Calls an operation of another protocol. Returns None if it must be planned again."""
        client, operation = self._client(step, decision, capability)
        exchange = await self._exchange(progress, step, decision, capability)
        answer: Answer
        match operation.protocol:
            case "mcp":
                given = self._options.get("credentials")
                is_followed = isinstance(given, OAuth2)
                is_safe = decision.credentials == "allowed"
                answer = await client.call_tool(
                    self._sender,
                    self._where,
                    operation,
                    capability=capability,
                    progress=progress,
                    decision=decision,
                    credentials=given if is_followed and is_safe else None,
                    headers=exchange.credentials,
                    confirm=self._consents.stricter(
                        decision, capability, not self._open
                    ),
                    done=tuple(self._done),
                )
                return answer
            case "graphql":
                request = client.request(operation, decision, capability)
                return await self._by_http(exchange, request, client.answer)
            case _:
                answer = await client.send(exchange, operation)
                return answer


def _readable(decision: Decision) -> tuple[str, ...]:
    """Returns the actions that have to run first; none if they cannot be read, because the core then refuses the call."""
    try:
        return decision.prerequisites
    except PrerequisiteError:
        return ()
