"""Sends GraphQL operations by POST (GraphQL over HTTP)."""

import json
from typing import Any

from .. import Decision
from ..discovery.fetch import Reply
from .errors import CallRefused
from .repeating import Exchange
from .results import Answer, HttpRequest, Operation
from .sending import outputs_in


def request(operation: Operation, decision: Decision, capability: str) -> HttpRequest:
    """Returns the request for the operation in the argument `query`; the other arguments are its variables."""
    variables = dict(operation.arguments)
    query = variables.pop("query", None)
    if not isinstance(query, str):
        raise CallRefused(
            f"{capability!r} is not called: GraphQL needs the argument `query`, the text of the operation",
            decision,
            {"refused": "missing-argument", "argument": "query"},
        )
    if isinstance(variables.get("variables"), dict):
        if others := sorted(variables.keys() - {"variables"}):
            raise CallRefused(
                f"{capability!r} is not called: write {others[0]!r} in `variables`, or give all variables as arguments",
                decision,
                {"refused": "unknown-argument", "argument": others[0]},
            )
        variables = variables["variables"]
    body: dict[str, Any] = {"query": query, "variables": variables}
    if operation.name is not None:
        body["operationName"] = operation.name
    return HttpRequest(
        "POST",
        operation.url,
        (
            ("Content-Type", "application/json"),
            ("Accept", "application/graphql-response+json, application/json"),
        ),
        json.dumps(body).encode(),
    )


def answer(exchange: Exchange, reply: Reply) -> Answer:
    """Returns the answer to an operation. Raises CallFailed if it has errors."""
    sender, decision = exchange.sender, exchange.decision
    try:
        result = json.loads(reply.body)
    except (ValueError, RecursionError):
        result = None
    members = result if isinstance(result, dict) else {}
    data = members.get("data")
    if data is None or members.get("errors"):
        raise sender.failure(
            f"{exchange.capability!r} has failed: {_problem(members.get('errors'))}",
            decision,
            reply,
            failure="operation",
        )
    outputs = outputs_in(exchange.progress, decision, data)
    return sender.answer(exchange.capability, decision, reply, outputs)


def _problem(errors: Any) -> str:
    """Returns the message of the first error."""
    first = errors[0] if isinstance(errors, list) and errors else None
    message = first.get("message") if isinstance(first, dict) else None
    return message[:200] if isinstance(message, str) else "the answer has no `data`"
