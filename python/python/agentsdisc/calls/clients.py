"""The clients of other protocols than HTTP."""

from types import ModuleType

from .. import Decision
from .errors import ClientNeeded
from .results import Operation


def client_of(operation: Operation, decision: Decision, capability: str) -> ModuleType:
    """Returns the module that sends an operation.

    Raises ClientNeeded if there is none for its protocol, ImportError if an extra is not installed, CallRefused if it cannot send these arguments.
    """
    match operation.protocol:
        case "mcp":
            from . import mcp

            return mcp
        case "graphql":
            from . import graphql

            graphql.request(operation, decision, capability)
            return graphql
        case "a2a":
            from . import a2a

            a2a.check(operation, decision, capability)
            return a2a
        case "websocket":
            from . import websocket

            return websocket
    known = operation.protocol != "unknown"
    which = operation.protocol if known else "another protocol"
    raise ClientNeeded(
        f"{capability!r} is an operation of {which} at {operation.url}; use a client of that protocol",
        decision,
        operation,
    )
