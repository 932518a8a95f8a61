"""Asks a person through the client of a gateway, and tells the client how a call goes on.

Before 2026-07-28, the question is a request to the client. Since then it is a result, after which the client calls again with the answer. Nothing
of the call has been sent at that moment, so the second call is the first one to the site. What the client carries in between is sealed by the
SDK, and bound to the tool and its arguments.
"""

import hashlib
import json
import secrets
import time
from collections.abc import Mapping
from typing import Any

import anyio
import mcp.types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from .._consent import Question
from .._errors import ConfirmationRefused
from .._schemas import foreign
from ..calls import Step
from .places import Place

ANSWERING = 300.0
"""How long a person may take to answer, in seconds."""
_MOST_SPENT = 10_000
_AGREEMENT: dict[str, Any] = {
    "type": "object",
    "properties": {"agree": {"type": "boolean", "title": "Make this call"}},
    "required": ["agree"],
}
Context = ServerRequestContext[Any, Any]


class Telling:
    """Tells the client each request of a call."""

    def __init__(self, ctx: Context) -> None:
        self._ctx, self._count = ctx, 0

    async def __call__(self, step: Step) -> None:
        """Reports a step."""
        self._count += 1
        status = "no answer" if step.status is None else f"status {step.status}"
        said = f"{step.kind} {foreign(step.capability, 100)}: {status}"
        await self._ctx.session.report_progress(self._count, None, said)


class Asking(ConfirmationRefused):
    """A call stops until the client has asked a person."""

    def __init__(self, message: str, question: Question) -> None:
        super().__init__(message, question)
        self.question = question

    @property
    def has_run(self) -> bool:
        """Whether something was sent already, so that the call must not be made again."""
        return any(step.kind != "document" for step in self.steps)


class Consent:
    """Asks a person through the client, for one call of a tool."""

    def __init__(
        self,
        ctx: Context,
        params: types.CallToolRequestParams,
        place: Place,
        id: str,
        spent: dict[str, float],
    ) -> None:
        self._ctx, self._place, self._id, self._spent = ctx, place, id, spent
        state = _state(params.request_state)
        nonce, pending = state.get("nonce"), state.get("pending")
        is_first = isinstance(nonce, str) and nonce not in spent
        if is_first:
            _spend(spent, str(nonce))
        self._agreed: set[str] = set(state.get("agreed", ())) if is_first else set()
        self._declined: str | None = None
        if is_first and isinstance(pending, str):
            answer = (params.input_responses or {}).get("consent")
            if _is_consent(answer):
                self._agreed.add(pending)
            else:
                self._declined = pending

    async def __call__(
        self, question: Question, name: str, arguments: Mapping[str, Any]
    ) -> bool:
        """Returns whether a person agrees. Raises Asking if the client has to ask first."""
        key = _key(question)
        if key in self._agreed:
            return True
        if key == self._declined:
            return False
        if not _can_ask(self._ctx):
            raise ConfirmationRefused(
                f"a person {question.confirmation} be asked before {name!r} is called, and this client cannot ask (MCP elicitation). A person can call "
                f"it on a terminal: agentsdisc call {self._place.host} {self._id} NAME=VALUE… --agent …",
                question,
            )
        if is_modern(self._ctx):
            raise Asking(f"a person must be asked before {name!r} is called", question)
        with anyio.move_on_after(ANSWERING):
            answer = await self._ctx.session.elicit_form(
                _words(question), _AGREEMENT, self._ctx.request_id
            )
            return _is_consent(answer)
        return False

    def wanted(self, question: Question) -> types.InputRequiredResult:
        """Returns the result after which the client asks, and calls again."""
        form = types.ElicitRequestFormParams(
            message=_words(question), requested_schema=_AGREEMENT
        )
        state = {
            "nonce": secrets.token_urlsafe(16),
            "pending": _key(question),
            "agreed": sorted(self._agreed),
        }
        return types.InputRequiredResult(
            input_requests={"consent": types.ElicitRequest(params=form)},
            request_state=json.dumps(state),
        )


def _words(question: Question) -> str:
    return f"{question}\nCall it?"


def _key(question: Question) -> str:
    """Returns what identifies a question: what is asked, word by word."""
    text = json.dumps(
        [str(question), question.site, repr(question.request), repr(question.arguments)]
    )
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _state(text: str | None) -> dict[str, Any]:
    """Returns what the client has carried back; the seal was checked."""
    try:
        state = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return state if isinstance(state, dict) else {}


def _spend(spent: dict[str, float], nonce: str) -> None:
    """Records that an agreement was used: it is for one call."""
    now = time.monotonic()
    for each, ends in list(spent.items()):
        if ends < now or len(spent) >= _MOST_SPENT:
            del spent[each]
    spent[nonce] = now + 2 * ANSWERING


def _is_consent(answer: object) -> bool:
    """Returns whether a person has agreed: only an accepted form in which they said so."""
    if not isinstance(answer, types.ElicitResult) or answer.action != "accept":
        return False
    return (answer.content or {}).get("agree") is True


def _can_ask(ctx: Context) -> bool:
    able = ctx.session.client_capabilities
    asks = able.elicitation if able is not None else None
    return asks is not None and (asks.form is not None or asks.url is None)


def is_modern(ctx: Context) -> bool:
    """Returns whether a client speaks a revision without sessions and without questions of the server."""
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
