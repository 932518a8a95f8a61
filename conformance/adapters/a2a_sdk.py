"""The adapter of `a2a-sdk`, the official SDK of the Agent2Agent Protocol for Python."""

import json
from typing import Any

from a2a.types import AgentCard
from a2a.utils import signing
from google.protobuf.json_format import ParseDict, ParseError
from jwt import PyJWK
from jwt.exceptions import PyJWTError
from lines import document_of, serve


def card_of(request: dict[str, Any]) -> AgentCard:
    """Reads a card as the client of the SDK does: unknown members are ignored."""
    return ParseDict(
        json.loads(document_of(request)), AgentCard(), ignore_unknown_fields=True
    )


def parse(request: dict[str, Any]) -> dict[str, Any]:
    """The members of a card that the model has, or that it was refused."""
    try:
        card = card_of(request)
    except (ValueError, ParseError, RecursionError):
        return {"error": {}}
    skills = [{"id": skill.id} for skill in card.skills]
    return {"model": {"capabilities": skills} if skills else {}}


def canonical(request: dict[str, Any]) -> dict[str, Any]:
    """The bytes that a signature of a card covers."""
    return {"text": signing._canonicalize_agent_card(card_of(request))}


def signed_card(request: dict[str, Any]) -> dict[str, Any]:
    """Whether a signature of a card is valid."""
    keys = {key["kid"]: PyJWK(key) for key in request["keys"]["keys"]}

    def key_of(kid: str | None, jku: str | None) -> PyJWK:
        if kid not in keys:
            raise PyJWTError(f"unknown key {kid}")
        return keys[kid]

    verify = signing.create_signature_verifier(key_of, ["ES256"])
    try:
        verify(card_of(request))
    except signing.SignatureVerificationError:
        return {"valid": False}
    return {"valid": True}


serve(
    "a2a-sdk (Python)",
    "a2a-sdk",
    {"parse": parse, "canonical": canonical, "signed-card": signed_card},
    ["a2a-agent-card"],
)
