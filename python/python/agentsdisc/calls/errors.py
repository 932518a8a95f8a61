"""Errors of calls."""

from collections.abc import Mapping
from typing import Any

from .._errors import (
    CallError,
    ConfirmationRefused,
    ConnectionFailed,
    CredentialsNeeded,
    CredentialsRefused,
    LimitExceeded,
    NotDeclared,
    PolicyDenied,
    PrerequisitesMissing,
    RateLimited,
)
from .._policy import Decision
from .results import Operation, Step

__all__ = [
    "CallError",
    "CallFailed",
    "CallRefused",
    "ClientNeeded",
    "ConfirmationRefused",
    "ConnectionFailed",
    "CredentialsNeeded",
    "CredentialsRefused",
    "LimitExceeded",
    "NotDeclared",
    "PolicyDenied",
    "PrerequisitesMissing",
    "RateLimited",
]


class CallRefused(CallError):
    """The call cannot be made from these arguments: `problem` says why, and nothing was sent for it."""

    def __init__(
        self, message: str, decision: Decision | None, refusal: Mapping[str, Any]
    ) -> None:
        super().__init__(message, decision)
        self.problem: str = refusal["refused"]
        """The problem: an id of a closed list, such as `missing-argument` (docs/calls.md)."""
        self.argument: str | None = refusal.get("argument")
        """The argument with the problem."""
        self.expected: str | None = refusal.get("expected")
        """The declared type of that argument."""
        self._refusal = dict(refusal)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.decision, self._refusal), vars(self)


class CallFailed(CallError):
    """The server has answered with an error, or not in the declared way."""

    def __init__(
        self,
        message: str,
        decision: Decision | None,
        *,
        failure: str = "status",
        status: int | None = None,
        body: bytes = b"",
        recovery: Mapping[str, Any] | None = None,
        steps: tuple[Step, ...] = (),
    ) -> None:
        super().__init__(message, decision)
        self.failure = failure
        """Why: `status`, `redirect`, `job`, `too-many-retries`, `too-many-polls`, `too-many-recoveries`, `recovery`, `operation`, `tool`, or
        `refused`: after something was sent, the call cannot go on, as for `CallRefused`, or because a poll would be at another site."""
        self.status = status
        """The HTTP status; None for clients of other protocols."""
        self.body = body
        """The body as received."""
        self.recovery = dict(recovery or {})
        """What the document says about this error; empty if it says nothing."""
        self.steps = steps

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.decision), vars(self)


class ClientNeeded(CallError):
    """The call is allowed and its arguments are right, but no client for its protocol is included: `operation` says what to call."""

    def __init__(
        self, message: str, decision: Decision | None, operation: Operation
    ) -> None:
        super().__init__(message, decision)
        self.operation = operation
        """What to call."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.decision, self.operation), vars(self)


for _error in (CallRefused, CallFailed, ClientNeeded):
    # Where callers import it from, so that tracebacks name it as programs do.
    _error.__module__ = "agentsdisc.calls"
