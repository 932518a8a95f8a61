"""What keeps an agent from connecting or calling, each with the decision behind it."""

from typing import Any

from .. import Decision
from .._visible import visible


class McpError(Exception):
    """Something that policy, the documents or the server do not permit; the message is one line, without secrets.

    Secrets in it are masked, and hidden characters escaped.
    """

    def __init__(self, message: str, decision: Decision | None = None) -> None:
        super().__init__(visible(message))
        self.decision = decision
        """The decision it follows from; None where none was made."""


class NotDeclared(McpError):
    """The documents declare no such MCP endpoint, or the server has no such tool."""


class PolicyDenied(McpError):
    """The policy of the site does not allow it; `decision` says which line decides."""


class CredentialsRefused(PolicyDenied):
    """Credentials were given, and must not be sent there."""


class CredentialsNeeded(McpError):
    """The server or the documents want credentials; `decision.auth` says which, and where to get them."""


class ConfirmationRefused(PolicyDenied):
    """A person was to be asked, and did not agree or could not be asked."""


class RateLimited(PolicyDenied):
    """The rate limits of the site leave no room in the time the caller is ready to wait."""

    def __init__(self, message: str, decision: Decision, seconds: float) -> None:
        super().__init__(message, decision)
        self.seconds = seconds
        """In how many seconds there is room; infinity where there never is."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.decision, self.seconds)


class ConnectionFailed(McpError):
    """No session: the server cannot be reached, is at an address that is not connected to, or speaks no MCP."""


class LimitExceeded(McpError):
    """The server sends, or the documents declare, more than is read, or takes longer than it may."""


def refused(decision: Decision, what: str) -> PolicyDenied:
    """The error for a decision that does not allow something: the reason, and the line that decides."""
    rule = decision.rule
    place = ""
    if rule is not None:
        where = (
            "robots.txt" if rule.document == "robots" else f"document {rule.document}"
        )
        place = f" ({where}, line {rule.line}: {rule.text})"
    return PolicyDenied(
        f"{what}: {decision.message} [{decision.reason}]{place}", decision
    )
