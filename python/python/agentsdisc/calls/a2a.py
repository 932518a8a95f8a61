"""Sends messages to A2A agents with the official SDK (extra `a2a`)."""

import json
import re
import uuid
from importlib import import_module
from typing import Any

import httpx

from .. import Decision
from .._errors import CallError
from .errors import CallRefused, ClientNeeded, LimitExceeded
from .repeating import Exchange
from .results import Answer, HttpRequest, Operation
from .sending import Sender, outputs_in

try:
    from a2a.client import ClientConfig, ClientFactory
    from a2a.types import (
        AgentCard,
        AgentInterface,
        GetTaskRequest,
        Message,
        Part,
        Role,
        SendMessageRequest,
        StreamResponse,
        Task,
        TaskState,
    )

    _protobuf: Any = import_module("google.protobuf.json_format")
except ImportError as problem:
    raise ImportError(
        f"calls of A2A agents need {problem.name}; run: pip install 'agentsdisc[a2a]'"
    ) from problem

BINDINGS = {"jsonrpc": "JSONRPC", "http+json": "HTTP+JSON", None: "JSONRPC"}
"""The supported bindings, by the transport of the model."""
TEXT = "text"
"""The argument that becomes the text of the message; all others become its data."""
MOST_POLLS = 100
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 10.0
_SEGMENT = re.compile(r"(?!\.{1,2}$)[\w.~:-]{0,256}", re.ASCII)
"""Matches ids of tasks, and tenants, that can be a segment of a URL."""
_LARGEST = 1 << 53
"""The largest integer that is exact in ProtoJSON, whose numbers are doubles."""


def check(operation: Operation, decision: Decision, capability: str) -> None:
    """Raises ClientNeeded for another binding, CallRefused for arguments that A2A cannot carry."""
    if operation.transport not in BINDINGS:
        raise ClientNeeded(
            f"{capability!r} is an operation of A2A by {operation.transport} at {operation.url}; use a client of that binding",
            decision,
            operation,
        )
    # Over HTTP+JSON, the tenant becomes a part of the URL.
    if not _SEGMENT.fullmatch(operation.tenant or ""):
        raise CallRefused(
            f"{capability!r} is not called: the tenant of its agent has characters other than letters, digits and -._~:, or more than 256",
            decision,
            {"refused": "invalid-endpoint"},
        )
    for name, value in operation.arguments.items():
        if not _is_exact(value):
            raise CallRefused(
                f"{capability!r} is not called: {name!r} has an integer above 2^53, which A2A cannot carry; write it as text",
                decision,
                {"refused": "invalid-value", "argument": name},
            )


async def send(exchange: Exchange, operation: Operation) -> Answer:
    """Sends one message, and waits until its task has ended. The answer's body is the task or message as JSON (ProtoJSON).

    The caller has called `check`.
    """
    sender, decision = exchange.sender, exchange.decision
    capability = exchange.capability
    binding = BINDINGS[operation.transport]
    interface = AgentInterface(
        url=operation.url,
        protocol_binding=binding,
        protocol_version=operation.version or "1.0",
        tenant=operation.tenant or "",
    )
    card = AgentCard(name=capability, supported_interfaces=[interface])
    carrier = _Carrier(exchange, operation.url)
    async with httpx.AsyncClient(transport=carrier) as http:
        config = ClientConfig(
            streaming=False,
            polling=True,
            httpx_client=http,
            supported_protocol_bindings=[binding],
        )
        try:
            client = ClientFactory(config).create(card)
            found = [each async for each in client.send_message(_request(operation))]
            result = await _end(sender, client, found[0], decision, capability)
        except CallError:
            raise
        except Exception as problem:  # the SDK raises many types for invalid answers
            if carrier.error is not None:
                raise carrier.error from None
            said = f"{type(problem).__name__}: {problem}"[:500]
            raise sender.failure(
                f"{capability!r} has failed: {said}", decision, failure="operation"
            ) from None
    # The core reads outputs by their names.
    outputs = outputs_in(exchange.progress, decision, _data(result))
    return sender.answer(capability, decision, _json(result), outputs)


def _is_exact(value: Any) -> bool:
    """Whether all integers in plain values are exact as doubles."""

    def small(digits: str) -> int:
        if abs(int(digits)) > _LARGEST:
            raise OverflowError
        return 0

    try:
        json.loads(json.dumps(value), parse_int=small)
    except OverflowError:
        return False
    return True


def _request(operation: Operation) -> SendMessageRequest:
    arguments = dict(operation.arguments)
    parts = []
    text = arguments.pop(TEXT, None)
    if isinstance(text, str):
        parts.append(Part(text=text))
    elif text is not None:
        arguments[TEXT] = text
    if arguments or not parts:
        parts.append(_protobuf.ParseDict({"data": arguments}, Part()))
    return SendMessageRequest(
        message=Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=parts)
    )


async def _end(
    sender: Sender,
    client: Any,
    first: StreamResponse,
    decision: Decision,
    capability: str,
) -> Message | Task:
    """Returns the message, or the task when it has ended. Raises CallFailed if it did not succeed."""
    if first.HasField("message"):
        return first.message
    task: Task = first.task
    # The id becomes a part of the URL of a poll.
    if not _SEGMENT.fullmatch(task.id):
        raise sender.failure(
            f"{capability!r} has failed: the id of its task has characters other than letters, digits and -._~:",
            decision,
            body=_json(task),
            failure="job",
        )
    wait = _FIRST_WAIT
    for _ in range(MOST_POLLS):
        state = task.status.state
        if state not in {TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING}:
            break
        await sender.pause(wait, decision, capability)
        wait = min(wait * 1.5, _LONGEST_WAIT)
        task = await client.get_task(GetTaskRequest(id=task.id))
    else:
        raise LimitExceeded(
            f"the task of {capability!r} has not ended after {MOST_POLLS} polls",
            decision,
        )
    if state == TaskState.TASK_STATE_COMPLETED:
        return task
    name = TaskState.Name(state).removeprefix("TASK_STATE_").lower().replace("_", "-")
    raise sender.failure(
        f"{capability!r} has failed: the task is {name}",
        decision,
        body=_json(task),
        failure="job",
    )


def _data(result: Message | Task) -> dict[str, Any]:
    """Returns the members of the data parts of a message or of a task's artifacts."""
    if isinstance(result, Message):
        parts = list(result.parts)
    else:
        parts = [part for each in result.artifacts for part in each.parts]
    found: dict[str, Any] = {}
    for part in parts:
        if part.HasField("data"):
            data = _protobuf.MessageToDict(part.data)
            found.update(data if isinstance(data, dict) else {})
    return found


def _json(result: Message | Task) -> bytes:
    return json.dumps(_protobuf.MessageToDict(result), ensure_ascii=False).encode()


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = httpx.URL(url)
    return parts.scheme, parts.host, parts.port


class _Carrier(httpx.AsyncBaseTransport):
    """Sends the requests of the SDK through the guarded transport, to the declared origin only."""

    def __init__(self, exchange: Exchange, url: str) -> None:
        self._exchange, self._origin = exchange, _origin(url)
        self._sent = False
        self.error: CallError | None = None
        """The error of the last request; the SDK replaces errors by its own."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends one request."""
        url = str(request.url)
        if _origin(url) != self._origin:
            self.error = CallError(
                f"{url} is not on the declared origin", self._exchange.decision
            )
            raise self.error
        body = await request.aread()
        headers = tuple(
            (name, value)
            for name, value in request.headers.items()
            if name in {"accept", "content-type", "a2a-version", "a2a-extensions"}
        )
        kind = "poll" if self._sent else "call"
        self._sent = True
        try:
            reply, next = await self._exchange.send(
                HttpRequest(request.method, url, headers, body or None), kind
            )
            if not 200 <= reply.status < 300:
                raise self._exchange.failed(reply, next)
        except CallError as error:
            self.error = error
            raise
        return httpx.Response(
            reply.status,
            headers=[
                (name, value)
                for name, value in reply.headers
                if name.lower() == b"content-type"
            ],
            content=reply.body,
            request=request,
        )
