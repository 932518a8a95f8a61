"""Calls MCP tools: those of capabilities, and those that only the server names."""

import json
from collections.abc import Iterable
from typing import Any

from mcp.types import InputRequiredResult

from .. import Decision, Document, mcp
from .._agentsdisc import _Call
from .._conduct import Credentials
from .._consent import Confirm
from .._errors import CallError, NotDeclared
from ..discovery import Site
from .results import Answer, Operation
from .sending import Sender, outputs_in

TRANSPORTS = frozenset({"streamable-http", "sse"})

Where = Site | tuple[Document, ...]


async def call_tool(
    sender: Sender,
    where: Where,
    operation: Operation,
    *,
    capability: str | None,
    progress: _Call | None = None,
    decision: Decision | None = None,
    credentials: Credentials | None = None,
    headers: dict[str, str] | None = None,
    confirm: Confirm | None = None,
    done: Iterable[str] = (),
) -> Answer:
    """Calls a tool in its own session. `capability` is the capability that the tool belongs to; None if the caller has named the tool itself."""
    options = sender.options
    transport = operation.transport or options.get("transport")
    async with mcp.connect(
        where,
        agent=sender.agent,
        endpoint=operation.url or None,
        transport=transport if transport in TRANSPORTS else None,
        token=credentials,
        headers=headers or None,
        approve=options.get("approve", ()),
        confirm=confirm,
        limiter=sender.limiter,
        done=done,
        origin=options.get("origin"),
        timeouts=sender.timeouts,
        max_response=sender.max_response,
        max_wait=sender.max_wait,
        allow_private=options.get("allow_private"),
        identity=options.get("identity"),
    ) as session:
        if capability is None:
            tool = await session.permission(operation.name or "")
        else:
            tool = _of_capability(await session.tools(), operation.name, capability)
        called = capability or tool.name
        decision = decision or tool.decision
        sent = Operation(
            "mcp",
            session.endpoint.url,
            tool.name,
            operation.arguments,
            session.transport,
            operation.version,
        )
        try:
            result = await session.call_tool(
                tool.name, dict(sent.arguments), allow_input_required=True
            )
        except CallError:
            raise
        except Exception as problem:  # the SDK raises many types for invalid answers
            sender.done(sent, called)
            said = f"{type(problem).__name__}: {problem}"[:500]
            raise sender.failure(
                f"the tool {tool.name!r} has failed: {said}", decision, failure="tool"
            ) from None
    sender.done(sent, called)
    if isinstance(result, InputRequiredResult):
        raise sender.failure(
            f"the tool {tool.name!r} asks for input of a person or a model, which a call cannot give",
            decision,
            failure="tool",
        )
    values = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    body = json.dumps(values).encode()
    if values.get("isError"):
        raise sender.failure(
            f"the tool {tool.name!r} has failed", decision, body=body, failure="tool"
        )
    structured = values.get("structuredContent")
    outputs = outputs_in(progress, decision, structured) if progress else ()
    return sender.answer(called, decision, body, outputs)


def _of_capability(tools: list[Any], name: str | None, capability: str) -> Any:
    """Returns the tool of a capability: the one that the document names, otherwise the one with the name of the capability."""
    wanted = name or capability
    for tool in tools:
        if tool.name == wanted:
            return tool
    found = [tool for tool in tools if capability in tool.capabilities]
    if name is None and len(found) == 1:
        return found[0]
    names = ", ".join(repr(tool.name) for tool in found[:20])
    hint = f"; call one of its tools by name: {names}" if found and not name else ""
    raise NotDeclared(f"the server has no tool {wanted!r}{hint}")
