"""Follows what a document says about an error."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from .. import Decision, Document
from .._gateways import Rules
from ..discovery.fetch import Reply
from .errors import CallFailed
from .reasons import why
from .results import HttpRequest
from .sending import Sender

_MOST = 4
_UNSAFE = re.compile(r"\b(?:POST|PUT|PATCH|DELETE)\b")


class Recoveries:
    """The recoveries of one call and of the actions before it."""

    def __init__(
        self,
        sender: Sender,
        rules: Callable[[], Rules],
        documents: Iterable[Document],
        act: Callable[[str], Awaitable[None]],
    ) -> None:
        self._sender, self._rules = sender, rules
        self._documents, self._act = documents, act
        self._recovered: list[str] = []

    async def follow(
        self,
        next: Mapping[str, Any],
        decision: Decision,
        capability: str,
        reply: Reply,
    ) -> float:
        """Does what the document says about an error, once for each action and URL, and returns the seconds that it waited."""

        def failed(reason: str, failure: str = "recovery") -> CallFailed:
            return self._sender.failure(
                f"{capability!r} has failed: {why(next, reply.status)} ({reason})",
                decision,
                reply,
                failure=failure,
                recovery=next,
            )

        url, action = next.get("url"), next.get("action")
        if action is None and next.get("endpoint"):
            if url is None:
                raise failed("that endpoint cannot be requested")
            action = self._action_at(url)
        what = action or url or ""
        if what in self._recovered or len(self._recovered) >= _MOST:
            raise failed("it did not help", "too-many-recoveries")
        self._recovered.append(what)
        waited = 0.0
        if seconds := next.get("seconds"):
            waited = await self._sender.pause(seconds, decision, capability)
        if action is not None:
            await self._act(action)
        elif url:
            if reason := self._forbidden(url, next):
                raise failed(reason)
            request = HttpRequest("GET", url)
            done = await self._sender.send(
                request, decision, capability, "action", waited=waited
            )
            waited = 0.0
            if not 200 <= done.status < 300:
                raise failed(f"{url} has status {done.status}")
        return waited

    def _action_at(self, url: str) -> str | None:
        """Returns the action whose endpoint a recovery names."""
        rules = self._rules()
        for document in self._documents:
            for each in document.capabilities:
                if each.id and rules.absolute(each.endpoint) == url:
                    return each.id
        return None

    def _forbidden(self, url: str, next: Mapping[str, Any]) -> str | None:
        """Returns why a URL that a recovery names is not requested; None if it is."""
        if _UNSAFE.search(next.get("text", "")):
            return "no action declares that endpoint, so only GET is sent there"
        permission = self._rules().get(url)
        if permission.allowed and permission.credentials == "allowed":
            return None
        reason = permission.reason if not permission.allowed else "other-origin"
        return f"{url} is not requested: {reason}"
