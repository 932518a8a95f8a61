"""The results of `agentsdisc.verify`, which decisions read without its libraries."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from ._agentsdisc import Document
from ._arguments import must_be
from ._visible import shown

Form = Literal["rfc8785", "a2a-sdk"]
"""Which bytes were signed: by the A2A specification (section 8.4.1), or as the A2A SDKs write them, which leave out every empty value."""

Problem = Literal[
    "malformed", "algorithm-not-allowed", "critical-header", "no-key", "invalid"
]
"""Why a signature is not verified."""


@shown
@dataclass(frozen=True, slots=True)
class SignatureCheck:
    """The result for one signature of a card."""

    algorithm: str | None
    """The algorithm of the protected header (`alg`)."""
    key_id: str | None
    """The id of the key (`kid`)."""
    key_url: str | None
    """The URL of the key set (`jku`), as declared. It is not fetched: a signer can write any URL."""
    form: Form | None
    """Which bytes were signed; None if the signature is not verified."""
    problem: Problem | None
    """Why the signature is not verified; None if it is."""

    @property
    def verified(self) -> bool:
        """Whether the signature is valid."""
        return self.problem is None


Standing = Literal["verified", "failed", "declared"]
"""The state of a signature or a digest: `verified` or `failed` according to a result; `declared` if it was not verified, for example without a key."""


@shown
@dataclass(frozen=True, slots=True)
class SkillVerification:
    """The result for the content of a skill."""

    digest: str
    """The declared digest; empty without one."""
    verified: bool
    """Whether the content has this digest."""


@shown
@dataclass(frozen=True, slots=True)
class Verification:
    """The result for a card."""

    card: bytes = field(repr=False)
    """The card as it was fetched."""
    signatures: tuple[SignatureCheck, ...]
    """One result for each signature of the card, in order; at most 16."""
    document: Document | None
    """The card as it was signed, without its signatures; None if no signature is valid.

    Use it instead of the card that was fetched, which can contain more than what was signed. It requires at least
    what the fetched card requires: if the signed form leaves out a security requirement or scheme, it is taken from the fetched card.
    """

    @property
    def verified(self) -> bool:
        """Whether at least one signature is valid."""
        return self.document is not None


def results_in(
    verified: Iterable[Verification | SkillVerification],
) -> list[Verification | SkillVerification]:
    """Returns the results as a list. Raises TypeError for anything else, which would verify nothing."""
    called = "a result of agentsdisc.verify"
    must_be(Iterable, verified, "verified", "results of agentsdisc.verify")
    results = list(verified)
    for at, each in enumerate(results):
        must_be(Verification | SkillVerification, each, f"verified[{at}]", called)  # type: ignore[arg-type]
    return results
