"""Why calls fail, in words."""

from collections.abc import Mapping
from typing import Any

from .. import Decision
from .errors import ConfirmationRefused, CredentialsNeeded, PrerequisitesMissing


def strictness(decision: Decision) -> int:
    """Returns how strictly a decision demands that a person is asked."""
    return ("not-stated", "should", "must").index(decision.confirmation)


def without_token(decision: Decision) -> CredentialsNeeded:
    """Returns the error for a call without the credentials that it needs."""
    return CredentialsNeeded(
        f"{decision.capability!r} needs credentials: {decision.auth.type or 'unknown'}",
        decision,
    )


def unasked(action: str, decision: Decision) -> PrerequisitesMissing:
    """Returns the error for an action of another protocol without arguments. Its parameters are not known, so the caller must give them."""
    return PrerequisitesMissing(
        f"the site requires first: {action}, whose arguments are not given",
        decision,
        (action,),
    )


def unconfirmed(name: str, decision: Decision) -> ConfirmationRefused:
    """Returns the error for a call that a person would have to confirm."""
    return ConfirmationRefused(
        f"a person {decision.confirmation} be asked before {name!r} is called; give `confirm` a function that asks one",
        decision,
    )


def renewable(url: str | None) -> str:
    """Returns where a new token is obtained, as the end of a message."""
    return f"; a new token is obtained at {url}" if url else ""


def why(next: Mapping[str, Any], status: int) -> str:
    """Returns why a call has failed, in words."""
    if next["next"] == "recover":
        return f"status {status}; the document says: {next.get('text', '')}"
    reasons = {
        "redirect": f"status {status}: redirects are not followed",
        "job": "the job has failed",
        "too-many-retries": f"status {status} after several attempts",
        "too-many-polls": "the job has not ended after 100 polls",
        "too-many-recoveries": f"status {status}; the recoveries did not help",
    }
    return reasons.get(next.get("failure", ""), f"status {status}")
