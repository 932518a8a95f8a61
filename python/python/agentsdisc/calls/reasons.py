"""Why calls fail, in words."""

import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import Any

from .. import Decision, Document
from .._visible import beginning, keys_in, visible
from .errors import ConfirmationRefused, CredentialsNeeded, PrerequisitesMissing

_MOST_SAID = 300
"""How many characters of a server's own words an error repeats."""
_MOST_READ = 64 << 10
"""The longest answer that is read for such words, in bytes."""
_SAYING = ("error", "error_description", "title", "detail", "message", "reason", "text")
"""The members of a JSON answer that say why it is an error: of OAuth 2 (RFC 6749 section 5.2), of problem details (RFC 9457), and usual ones."""
_INSIDE = ("errors", "error", "content")
"""The members that may hold such an object, or a list of them. `content` is that of MCP tools."""
_MOST_NAMED = 20
"""How many capabilities an error names."""
_MOST_COMPARED, _LONGEST_NAME = 1000, 64
"""How many capabilities are compared with an unknown one, and the longest id that is."""


def said_by(body: bytes) -> str:
    """Returns what a server says about an error, in one line for people: the members of JSON that say it, or a text; empty for anything else, and for a long answer."""
    if len(body) > _MOST_READ:
        return ""
    try:
        said = "; ".join(dict.fromkeys(_words_in(json.loads(body))))
    except (ValueError, RecursionError):
        try:
            said = body.decode()
        except UnicodeDecodeError:
            return ""
        if said.lstrip().startswith("<"):
            return ""
    line = " ".join(visible(said, keys_in(body)).split())
    return beginning(line, _MOST_SAID)


def _words_in(value: Any) -> Iterable[str]:
    """Yields what an answer in JSON says about an error."""
    if isinstance(value, str):
        yield value
        return
    for member in [value, *(_first(value, name) for name in _INSIDE)]:
        if isinstance(member, str):
            yield member
        elif isinstance(member, dict):
            yield from (
                member[name] for name in _SAYING if isinstance(member.get(name), str)
            )


def _first(value: Any, name: str) -> Any:
    """Returns a member of an object; the first element if it is an array."""
    member = value.get(name) if isinstance(value, dict) else None
    return member[0] if isinstance(member, list) and member else member


def near(name: str, documents: Iterable[Document]) -> str:
    """Returns which capabilities there are, as the end of a message about one that is not declared; empty if there are none."""
    names = dict.fromkeys(
        each.id for document in documents for each in document.capabilities if each.id
    )
    if not names:
        return ""
    # Comparing takes time with the number and the square of the lengths of names, which a document chooses.
    short = (each for each in names if len(each) <= _LONGEST_NAME)
    close = get_close_matches(name[:_LONGEST_NAME], [*islice(short, _MOST_COMPARED)], 1)
    listed = ", ".join(map(repr, [*names][:_MOST_NAMED]))
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    meant = f"did you mean {close[0]!r}? " if close else ""
    return f"; {meant}declared: {listed}{more}"


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
