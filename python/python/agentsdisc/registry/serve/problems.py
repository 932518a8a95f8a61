"""Errors as answers: problem details (RFC 9457) with ARD's error codes (its appendix B)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..._visible import beginning, visible


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem."""

    status: int
    title: str
    code: str
    """The error code of ARD."""
    about: str


KINDS = {
    "invalid-argument": Kind(
        400,
        "The request is not valid",
        "INVALID_ARGUMENT",
        "A parameter or the body is missing, malformed or not supported. The detail names it, and what to send instead.",
    ),
    "signature-required": Kind(
        401,
        "A valid signature is required",
        "UNAUTHENTICATED",
        "This registry takes signed submissions only (Web Bot Auth). The member reason says what is wrong with the signature.",
    ),
    "submissions-off": Kind(
        403,
        "Submissions are off",
        "PERMISSION_DENIED",
        "This registry takes no submissions.",
    ),
    "domain-full": Kind(
        403,
        "The domain has enough services",
        "PERMISSION_DENIED",
        "So many subdomains of this domain were submitted that the registry takes no other ones.",
    ),
    "not-found": Kind(
        404,
        "There is nothing here",
        "NOT_FOUND",
        "The registry has no such service, capability, document or page.",
    ),
    "method-not-allowed": Kind(
        405,
        "The method is not allowed",
        "INVALID_ARGUMENT",
        "The header Allow has the methods of this URL.",
    ),
    "too-large": Kind(
        413,
        "The request is too large",
        "INVALID_ARGUMENT",
        "The body has more bytes than the registry reads.",
    ),
    "url-too-long": Kind(
        414, "The URL is too long", "INVALID_ARGUMENT", "Send at most 8,192 bytes."
    ),
    "not-json": Kind(
        415,
        "The body is not JSON",
        "INVALID_ARGUMENT",
        "Send the body as application/json.",
    ),
    "too-many-requests": Kind(
        429,
        "There are too many requests",
        "RATE_LIMIT_EXCEEDED",
        "Wait the seconds that the header Retry-After gives.",
    ),
    "internal-error": Kind(
        500,
        "The registry failed",
        "INTERNAL_ERROR",
        "A bug of the registry. Its log says more.",
    ),
    "unavailable": Kind(
        503,
        "The index does not answer",
        "INTERNAL_ERROR",
        "The store of the registry cannot be read now. Ask again after the seconds of the header Retry-After.",
    ),
}
"""The kinds of problems by the last part of their `type`."""

_BY_STATUS = {kind.status: name for name, kind in reversed(KINDS.items())}


class Problem(Exception):
    """An error that is the answer to a request. `detail` is one sentence, safe to show."""

    def __init__(
        self,
        kind: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        **members: Any,
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = visible(detail)
        self.headers = dict(headers or {})
        self.members = members

    @property
    def status(self) -> int:
        """The status of the answer."""
        return KINDS[self.kind].status

    def body(self, url: str) -> bytes:
        """Returns the problem details as JSON; `url` is that of the registry."""
        kind = KINDS[self.kind]
        values = {
            "type": f"{url}/problems#{self.kind}",
            "title": kind.title,
            "status": kind.status,
            "detail": self.detail,
            "errorCode": kind.code,
            "message": self.detail,
            **self.members,
        }
        return json.dumps(values).encode()


def invalid(detail: str) -> Problem:
    """Returns the problem of a request that is not valid."""
    return Problem("invalid-argument", detail)


def of_status(status: int, headers: Mapping[str, str] | None) -> Problem:
    """Returns the problem for a status that the framework answers with."""
    kind = _BY_STATUS.get(status, "invalid-argument")
    return Problem(kind, KINDS[kind].about, headers=headers)


def quoted(text: str) -> str:
    """Returns a text of a request for a message: short, with hidden characters escaped."""
    return f'"{visible(beginning(text, 60))}"'
