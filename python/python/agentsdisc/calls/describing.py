"""Requests of operations that OpenAPI descriptions describe."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from anyio import to_thread

from .. import Decision, Document, ParseError, parse
from .._errors import refused
from .._gateways import Rules
from . import openapi
from .errors import CallRefused, ClientNeeded, CredentialsRefused
from .results import HttpRequest, Operation
from .sending import Sender, sent_by

Planned = dict[str, Any]


class Decide(Protocol):
    """Decides a capability, with documents before those of the site."""

    def __call__(self, capability: str, *before: Document) -> Decision:
        """Returns the decision."""


class Describer:
    """Turns operations of OpenAPI into requests that the core plans, by the rules of all documents of a site."""

    def __init__(
        self,
        sender: Sender,
        origin: str | None,
        rules: Callable[[], Rules],
        decide: Decide,
        plan: Callable[[Decision, Mapping[str, Any]], Planned],
    ) -> None:
        self._sender, self._origin, self._rules = sender, origin, rules
        self._decide, self._plan = decide, plan
        self._read: dict[str, bytes] = {}

    async def request(
        self, step: Mapping[str, Any], decision: Decision, capability: str
    ) -> Planned:
        """Returns the request for a step of the core that needs a client of OpenAPI."""
        operation = sent_by(step)
        assert isinstance(operation, Operation)
        needed = f"{capability!r} is an operation of OpenAPI at {operation.url}; use a client of it"
        url = self._rules().absolute(operation.openapi or operation.url)
        if url is None:
            raise ClientNeeded(needed, decision, operation)
        body = await self._description(url, decision, capability)
        arguments = dict(operation.arguments)

        def read() -> tuple[openapi.Described, str]:
            described = openapi.read(
                body,
                url,
                operation=operation.name,
                endpoint=operation.url if operation.openapi else None,
                method=operation.method,
                capability=capability,
            )
            described.check_options(arguments)
            return described, described.taken(arguments)

        try:
            # In a thread, so that the time limit of the call ends the wait for it.
            described, query = await to_thread.run_sync(read, abandon_on_cancel=True)
        except openapi.Unclear as problem:
            said = f"{needed} (the description at {url}: {problem})"
            raise ClientNeeded(said, decision, operation) from None
        except openapi.Wrong as wrong:
            about = {"refused": wrong.problem, "argument": wrong.argument}
            said = f"{capability!r} is not called: {wrong}"
            raise CallRefused(said, decision, about) from None
        manifest = described.manifest(capability, self._rules().site or url, query)
        try:
            document = parse(manifest)
        except ParseError as problem:
            said = f"{needed} (the description at {url} is too large: {problem})"
            raise ClientNeeded(said, decision, operation) from None
        again = self._decide(capability, document)
        if not again.allowed:
            raise refused(again, f"{capability!r} is not called")
        planned = self._plan(again, arguments)
        if planned["step"] != "http":
            raise ClientNeeded(needed, decision, operation)
        return {**planned, "credential": self._credential(step, planned, again)}

    def _credential(
        self, step: Mapping[str, Any], planned: Planned, again: Decision
    ) -> Any:
        """Returns where the credential goes; None if it must not be sent to the server of the description."""
        name = f"{again.capability!r}"
        if not self._is_safe(planned["url"]):
            said = f"{name} is not called: the server {planned['url']} is not encrypted"
            raise CallRefused(said, again, {"refused": "invalid-endpoint"})
        credential = step.get("credential")
        if credential is None or again.credentials == "allowed":
            return credential
        if credential["need"] == "required":
            raise CredentialsRefused(
                f"{name} needs credentials, which must not be sent to {again.endpoint} ({again.credentials})",
                again,
            )
        return None

    def _is_safe(self, url: str) -> bool:
        """Returns whether a URL is encrypted, or at the origin of the site, which the user has chosen."""
        return url.startswith(("https://", f"{self._origin}/"))

    async def _description(
        self, url: str, decision: Decision, capability: str
    ) -> bytes:
        """Fetches a description, once for each call and without credentials."""
        if url in self._read:
            return self._read[url]
        # Decided like an endpoint of the capability: only an explicit denial prevents the request.
        manifest = openapi.manifest(capability, self._rules().site or url, url)
        permission = self._decide(capability, parse(manifest))
        if not permission.allowed:
            raise refused(permission, f"{url} is not requested")
        if permission.credentials != "allowed" or not self._is_safe(url):
            raise CallRefused(
                f"{capability!r} is not called: its description at {url} is not encrypted",
                permission,
                {"refused": "denied"},
            )
        accept = ("Accept", "application/openapi+json, application/json")
        request = HttpRequest("GET", url, (accept,))
        reply = await self._sender.send(request, decision, capability, "document")
        if not 200 <= reply.status < 300:
            raise self._sender.failure(
                f"the description of {capability!r} at {url} has status {reply.status}",
                decision,
                reply,
            )
        self._read[url] = reply.body
        return reply.body
