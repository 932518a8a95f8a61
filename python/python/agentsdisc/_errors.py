"""Errors of connecting and calling, each with the decision behind it."""

from typing import Any

from ._policy import Decision
from ._visible import visible

_LONGEST = 999


class CallError(Exception):
    """Policy, the documents or the server do not permit something. The message is one line of at most 1,000 characters.

    Secrets in it are masked, and hidden characters escaped.
    """

    def __init__(self, message: str, decision: Decision | None = None) -> None:
        shown = visible(message)
        super().__init__(shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…")
        self.decision = decision
        """The decision that led to the error; None if none was made."""
        self.steps: tuple[Any, ...] = ()
        """Everything that was done for the call, in order (`agentsdisc.calls.Step`)."""
        self.job: str | None = None
        """The URL of the job that the call started. Request it instead of calling again, except after the failure `job`: then the job has ended."""


class NotDeclared(CallError):
    """The documents declare no such capability or endpoint, or the server has no such tool."""


class PolicyDenied(CallError):
    """The policy of the site does not allow it; `decision` says which line decides."""


class CredentialsRefused(PolicyDenied):
    """Credentials were given that must not be sent to the endpoint."""


class CredentialsNeeded(CallError):
    """The server or the documents require credentials; `decision.auth` says which, and where to get them."""


class ConfirmationRefused(PolicyDenied):
    """A person had to agree, and did not, or could not be asked."""


class PrerequisitesMissing(PolicyDenied):
    """The site requires other actions first, and they have not run."""

    def __init__(
        self, message: str, decision: Decision, missing: tuple[str, ...]
    ) -> None:
        super().__init__(message, decision)
        self.missing = missing
        """The missing actions, in order; empty if they require each other, or if they cannot be read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.decision, self.missing), vars(self)


class RateLimited(PolicyDenied):
    """The rate limits of the site allow no call within the time that the caller waits."""

    def __init__(self, message: str, decision: Decision, seconds: float) -> None:
        super().__init__(message, decision)
        self.seconds = seconds
        """Seconds until a call is allowed; infinity if it never is."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.decision, self.seconds), vars(self)


class ConnectionFailed(CallError):
    """The server cannot be reached, has a refused address, or does not speak the protocol."""


class LimitExceeded(CallError):
    """The server sends too much or takes too long, or the documents declare too much."""


for _error in (
    CallError,
    NotDeclared,
    PolicyDenied,
    CredentialsRefused,
    CredentialsNeeded,
    ConfirmationRefused,
    PrerequisitesMissing,
    RateLimited,
    ConnectionFailed,
    LimitExceeded,
):
    # Where callers import it from, so that tracebacks name it as programs do.
    _error.__module__ = "agentsdisc.calls"


def refused(decision: Decision, what: str, where: object = None) -> PolicyDenied:
    """Returns the error for a denial, with its reason and the line that decides. `where` is the site, if it is known."""
    rule = decision.rule
    place = f" ({rule._place}: {rule.text})" if rule is not None else ""
    why = decision.message
    if decision.reason == "robots-unreachable":
        why = getattr(where, "robots_problem", None) or why
    return PolicyDenied(f"{what}: {why} [{decision.reason}]{place}", decision)


def why_missed(where: object) -> str:
    """Returns why documents of a site could not be fetched; empty if none is missing."""
    attempts = getattr(where, "missed", ())
    reasons = dict.fromkeys(a.error or a.message or str(a.rejection) for a in attempts)
    if not reasons:
        return ""
    from .discovery.addresses import with_option

    said = f"but not all of its documents could be fetched ({', '.join(reasons)})"
    return with_option(said)
