"""Sends a request again when the core requires it: after a wait, or with a new credential."""

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from .. import Decision
from .._agentsdisc import _Call
from ..discovery.fetch import Reply
from .authorizing import Challenge, challenge_of, pointer
from .errors import CallFailed, ConnectionFailed
from .payment import payment_required
from .reasons import renewable, why
from .results import HttpRequest
from .sending import Sender, texts

Attempt = Callable[[Mapping[str, str], str, float], Awaitable[Reply]]
"""Sends a request once: with these credentials, as this kind of step, after this wait."""

Renew = Callable[[str | None], Awaitable[dict[str, str]]]
"""Returns the headers with a new credential. Receives the URL that issues credentials according to the documents."""

Authorize = Callable[[Challenge, str], Awaitable[dict[str, str] | None]]
"""Returns the headers with a token that the server at a URL asks for; None if nothing can be done about its refusal."""

_UNSURE = frozenset({408, 500, 502, 503, 504})
"""Statuses after which the server may have done what was asked."""


class Exchange:
    """The requests of one step of a call, and its credentials."""

    def __init__(
        self,
        sender: Sender,
        progress: _Call,
        decision: Decision,
        capability: str,
        credentials: dict[str, str],
        renew: Renew,
        authorize: Authorize,
    ) -> None:
        self.sender, self.decision, self.capability = sender, decision, capability
        self.progress = progress
        self.is_bare = False
        """Whether no credentials may be sent."""
        self.credentials, self._renew = credentials, renew
        self._authorize = authorize
        self._followed: set[int] = set()
        """The statuses of the refusals that were followed: each once, so that nobody is asked again and again."""
        self._renewal: str | None = None
        self._lost: ConnectionFailed | None = None

    async def send(
        self, request: HttpRequest, kind: str = "call", waited: float = 0.0
    ) -> tuple[Reply, dict[str, Any]]:
        """Sends an HTTP request as `follow` does."""

        async def once(sent: Mapping[str, str], kind: str, waited: float) -> Reply:
            return await self.sender.send(
                request, self.decision, self.capability, kind, sent, waited
            )

        return await self.follow(once, request.url, kind, waited)

    async def follow(
        self, attempt: Attempt, url: str, kind: str = "call", waited: float = 0.0
    ) -> tuple[Reply, dict[str, Any]]:
        """Sends to `url` until the core no longer requires to send again. Returns the last answer and the core's next step."""
        while True:
            reply = await self._once(attempt, kind, waited)
            if await self._is_authorized(reply, url):
                kind, waited = "poll" if kind == "poll" else "retry", 0.0
                continue
            if payment := payment_required(
                self.sender, self.capability, self.decision, reply
            ):
                raise payment
            next = self._meaning(reply, kind)
            waited = 0.0
            match next["next"]:
                case "retry":
                    waited = await self._pause(next["seconds"])
                case "refresh" | "token" if 401 not in self._followed:
                    self._renewal = next.get("url")
                    self.credentials = await self._renew(self._renewal)
                case _:
                    return reply, next
            kind = "poll" if kind == "poll" else "retry"

    async def _is_authorized(self, reply: Reply, url: str) -> bool:
        """Returns whether the server has refused a request, and there is now a token that it asks for."""
        if self.is_bare or reply.status in self._followed:
            return False
        challenge = challenge_of(reply.status, texts(reply))
        if challenge is None:
            return False
        credentials = await self._authorize(challenge, url)
        if credentials is None:
            return False
        self._followed.add(reply.status)
        self.credentials = credentials
        return True

    async def _once(self, attempt: Attempt, kind: str, waited: float) -> Reply:
        """Sends once. A poll without an answer counts as status 504, because it is safe to send again."""
        self._lost = None
        try:
            return await attempt({} if self.is_bare else self.credentials, kind, waited)
        except ConnectionFailed as lost:
            if kind != "poll":
                raise
            self._lost = lost
            return Reply(504, [], b"")

    def _meaning(self, reply: Reply, kind: str) -> dict[str, Any]:
        """Returns the core's next step after an answer."""
        # A poll is safe to send again, even if the core has not planned it.
        status = 429 if kind == "poll" and reply.status in _UNSURE else reply.status
        said = self.progress.next(
            self.decision._asked, status, texts(reply), reply.body, int(time.time())
        )
        next: dict[str, Any] = json.loads(said)
        if "refused" in next:
            raise self.sender.failure(
                f"{self.capability!r} was called, but not followed to its end: {next['message']}",
                self.decision,
                reply,
                failure="refused",
            )
        return next

    async def _pause(self, seconds: float) -> float:
        return await self.sender.pause(seconds, self.decision, self.capability)

    def failed(
        self, reply: Reply, next: Mapping[str, Any]
    ) -> CallFailed | ConnectionFailed:
        """Returns the error for an answer with which a call has failed."""
        if self._lost is not None:
            return self._lost
        hint = renewable(self._renewal) if reply.status == 401 else ""
        if not hint and not self._followed:
            hint = pointer(challenge_of(reply.status, texts(reply)))
        return self.sender.failure(
            f"{self.capability!r} has failed: {why(next, reply.status)}{hint}",
            self.decision,
            reply,
            failure=next.get("failure", "recovery"),
            recovery=next if next["next"] == "recover" else None,
        )
