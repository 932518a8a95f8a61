"""Verifies what documents declare about their own bytes: signatures of A2A cards, and digests of skills.

Needs PyJWT and rfc8785 (`pip install 'agentsdisc[verify]'`). Without verification, `Document.signatures` and
`Skill.digest` are only what a document declares.
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import Capability, Document, Limits, parse
from ._arguments import must_be, several
from ._verified import (
    Form,
    Problem,
    SignatureCheck,
    SkillVerification,
    Verification,
)
from ._visible import beginning

try:
    import jwt
    import rfc8785
    from jwt.api_jws import PyJWS
except ModuleNotFoundError as missing:
    message = "verification needs PyJWT and rfc8785: pip install 'agentsdisc[verify]'"
    raise ImportError(message, name=missing.name) from None

__all__ = [
    "ALGORITHMS",
    "SignatureCheck",
    "SkillVerification",
    "Verification",
    "check_skill",
    "payload",
    "verify_card",
    "verify_skill",
]

ALGORITHMS = (
    "ES256",
    "ES384",
    "ES512",
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "EdDSA",
)
"""The algorithms that are accepted by default: those with a public key."""

_MOST_SIGNATURES = 16
_MOST_HEADER = 8192
_MOST_NAMED = 3
"""How many unusable keys a message names."""


def verify_card(
    card: Document | bytes | str,
    keys: Mapping[str, Any] | Callable[[str | None, str | None], Any],
    *,
    algorithms: Iterable[str] = ALGORITHMS,
) -> Verification:
    """Verifies the signatures of an A2A agent card (A2A 1.0 section 8.4, RFC 7515).

    `keys` are the keys that you trust: a JWK Set as a dict, or a function that is called with the id of the
    key and the declared URL of its key set, each None if absent, and returns a key for PyJWT or None. Keys from a URL
    of the card prove only that the card comes from the owner of that URL, so compare its host with that of the
    site first.

    `algorithms` are those that are accepted. `none` never is.

    Raises ValueError if the card is not a JSON object, has a member twice, or cannot be written in the form of RFC
    8785, or if an algorithm is not known.
    """
    accepted = frozenset(several(algorithms, "algorithms"))
    if unknown := accepted - set(jwt.algorithms.get_default_algorithms()) | (
        accepted & {"none"}
    ):
        raise ValueError(f"unknown algorithm: {', '.join(sorted(unknown))}")
    text = _text(card)
    members = _members(text)
    signatures = members.pop("signatures", None)
    listed = signatures if isinstance(signatures, list) else []
    forms = _forms(members)
    checks: list[SignatureCheck] = []
    signed: bytes | None = None
    for signature in listed[:_MOST_SIGNATURES]:
        check, covered = _check(signature, forms, _key_finder(keys), accepted)
        checks.append(check)
        if signed is None:
            signed = covered
    document = None
    if signed is not None:
        most = Limits(document=len(signed), depth=256)
        document = parse(signed, format="a2a-agent-card", limits=most)
    return Verification(text, tuple(checks), document)


def payload(card: Document | bytes | str) -> bytes:
    """Returns the bytes that a signature of the card covers (A2A 1.0 section 8.4.1, RFC 8785).

    Members with default values are left out, except required and optional ones, and so is `signatures`. Raises
    ValueError as `verify_card` does.
    """
    members = _members(_text(card))
    members.pop("signatures", None)
    return next(iter(_forms(members)))


def check_skill(skill: Capability | str, content: bytes) -> SkillVerification:
    """Verifies the content of a skill as `verify_skill` does, and returns a result for the argument `verified` of `decide`."""
    is_verified = verify_skill(skill, content)
    if isinstance(skill, Capability):
        skill = (skill.skill.digest if skill.skill else None) or ""
    return SkillVerification(skill, is_verified)


def verify_skill(skill: Capability | str, content: bytes) -> bool:
    """Returns whether the content of a skill has the declared digest (`sha256:` and 64 hexadecimal digits, or the digits alone).

    `skill` is a capability of an agent-skills index, or the digest. `content` is what its URL serves. False if no digest
    is declared, or one of another kind: content that is not verified must not be used.
    """
    must_be(bytes, content, "content")
    if isinstance(skill, Capability):
        declared = (skill.skill.digest if skill.skill else None) or ""
    else:
        must_be(str, skill, "skill")
        declared = skill
    digest = re.fullmatch("(?:sha256: ?)?([0-9a-f]{64})", declared)
    if digest is None:
        return False
    return hmac.compare_digest(digest[1], hashlib.sha256(content).hexdigest())


def _text(card: Document | bytes | str) -> bytes:
    if isinstance(card, Document):
        return card.bytes
    if isinstance(card, str):
        return card.encode()
    must_be(bytes, card, "card", "Document, bytes or str")
    return card


def _members(text: bytes) -> dict[str, Any]:
    """Reads the members of a card."""
    try:
        members = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("the card is nested too deeply") from None
    if not isinstance(members, dict):
        raise ValueError("the card is not a JSON object")
    return members


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Makes an object; each member may occur once (RFC 8785 section 3.1)."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member of the card occurs twice, so it cannot be verified")
    return members


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _forms(members: dict[str, Any]) -> dict[bytes, Form]:
    """Returns what can have been signed: by the specification, and as versions of the A2A SDK for Python write it.

    Several forms do not let a changed card pass: a form only chooses bytes, and the signature must cover exactly these. What
    `verify_card` returns is read from these bytes, so what a form leaves out of the fetched card has no effect.
    """
    try:
        kept = _kept(members, "AgentCard")
        forms: dict[bytes, Form] = {rfc8785.dumps(kept): "rfc8785"}
        for full in (_without_empty(kept), _without_empty(members)):
            escaped = json.dumps(full, separators=(",", ":"), sort_keys=True)
            forms.setdefault(rfc8785.dumps(full), "a2a-sdk")
            forms.setdefault(escaped.encode(), "a2a-sdk")
    except (rfc8785.CanonicalizationError, RecursionError) as problem:
        reason = str(problem) or "it is nested too deeply"
        raise ValueError(f"the card has no canonical form: {reason}") from None
    return forms


def _check(
    signature: Any,
    forms: dict[bytes, Form],
    find: Callable[[str | None, str | None], Any],
    accepted: frozenset[str],
) -> tuple[SignatureCheck, bytes | None]:
    """Returns the result for a signature, and the bytes that it covers if it is valid."""
    header = _header(signature)
    if header is None:
        return SignatureCheck(None, None, None, None, "malformed"), None
    algorithm, key_id, key_url = (
        value if isinstance(value := header.get(name), str) else None
        for name in ("alg", "kid", "jku")
    )

    def refused(problem: Problem) -> tuple[SignatureCheck, None]:
        return SignatureCheck(algorithm, key_id, key_url, None, problem), None

    if algorithm not in accepted:
        return refused("algorithm-not-allowed")
    # No extension is supported, so each one that must be understood is a reason to refuse (RFC 7515 section 4.1.11).
    if "crit" in header or "b64" in header:
        return refused("critical-header")
    key = find(key_id, key_url)
    if key is None:
        return refused("no-key")
    for covered, form in forms.items():
        parts = signature["protected"], _encoded(covered), signature["signature"]
        try:
            PyJWS().decode(".".join(parts), key, algorithms=[algorithm])
        except (jwt.PyJWTError, ValueError, TypeError):
            continue
        return SignatureCheck(algorithm, key_id, key_url, form, None), covered
    return refused("invalid")


def _header(signature: Any) -> dict[str, Any] | None:
    """Reads the protected header; None if the signature is malformed."""
    match signature:
        case {"protected": str(protected), "signature": str(value)} if (
            len(protected) <= _MOST_HEADER and len(value) <= _MOST_HEADER
        ):
            pass
        case _:
            return None
    alphabet = re.compile("[A-Za-z0-9_-]+")
    if not alphabet.fullmatch(protected) or not alphabet.fullmatch(value):
        return None
    try:
        text = base64.urlsafe_b64decode(protected + "=" * (-len(protected) % 4))
        header = json.loads(text, object_pairs_hook=_once)
    except (binascii.Error, ValueError, RecursionError):
        return None
    return header if isinstance(header, dict) else None


def _encoded(text: bytes) -> str:
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def _key_finder(
    keys: Mapping[str, Any] | Callable[[str | None, str | None], Any],
) -> Callable[[str | None, str | None], Any]:
    """Returns the function that finds a key by its id."""
    if callable(keys):
        return keys
    must_be(Mapping, keys, "keys")
    known, unusable = read_keys(keys)
    if not known:
        reason = "; ".join(unusable[:_MOST_NAMED]) or "it has no keys"
        raise ValueError(f"keys is not a JWK Set with usable keys: {reason}")

    def find(key_id: str | None, _: str | None) -> Any:
        if key_id is None:
            return known[0] if len(known) == 1 else None
        return next((key for key in known if key.key_id == key_id), None)

    return find


def read_keys(keys: Mapping[str, Any]) -> tuple[list[jwt.PyJWK], list[str]]:
    """Reads a JWK Set. Returns its usable keys, and for each other key which one it is and why it cannot be used.

    A key that cannot be used does not make the others unusable (RFC 7517 section 5).
    """
    usable: list[jwt.PyJWK] = []
    unusable: list[str] = []
    listed = keys.get("keys")
    for number, key in enumerate(listed if isinstance(listed, list) else ()):
        name = f"keys[{number}]"
        if not isinstance(key, dict):
            unusable.append(f"{name}: not a JSON object")
            continue
        if isinstance(key.get("kid"), str):
            name = f"{name} ({beginning(key['kid'], 80)!r})"
        try:
            usable.append(jwt.PyJWK(key))
        except (jwt.PyJWTError, ValueError, TypeError) as problem:
            # Some messages of PyJWT end with the whole key, which may be a private one.
            reason = str(problem).partition(": {")[0]
            unusable.append(f"{name}: {beginning(reason, 200)}")
    return usable, unusable


# The messages of a card in `a2a.proto`: the members that are kept even with a default value, because they are required or optional, and the messages
# within. A name in brackets is the message of a map's values. Unlisted members are unknown, and kept as they are.
_MESSAGES: dict[str, tuple[str, dict[str, str]]] = {
    "AgentCard": (
        "name description supportedInterfaces version documentationUrl capabilities "
        "defaultInputModes defaultOutputModes skills iconUrl",
        {
            "supportedInterfaces": "AgentInterface",
            "provider": "AgentProvider",
            "capabilities": "AgentCapabilities",
            "securitySchemes": "[SecurityScheme]",
            "securityRequirements": "SecurityRequirement",
            "skills": "AgentSkill",
        },
    ),
    "AgentInterface": ("url protocolBinding protocolVersion", {"tenant": ""}),
    "AgentProvider": ("url organization", {}),
    "AgentCapabilities": (
        "streaming pushNotifications extendedAgentCard",
        {"extensions": "AgentExtension"},
    ),
    "AgentExtension": ("params", {"uri": "", "description": "", "required": ""}),
    "AgentSkill": (
        "id name description tags",
        {
            "examples": "",
            "inputModes": "",
            "outputModes": "",
            "securityRequirements": "SecurityRequirement",
        },
    ),
    "SecurityRequirement": ("", {"schemes": "[StringList]"}),
    "StringList": ("", {"list": ""}),
    "SecurityScheme": (
        "",
        {
            "apiKeySecurityScheme": "APIKeySecurityScheme",
            "httpAuthSecurityScheme": "HTTPAuthSecurityScheme",
            "oauth2SecurityScheme": "OAuth2SecurityScheme",
            "openIdConnectSecurityScheme": "OpenIdConnectSecurityScheme",
            "mtlsSecurityScheme": "MutualTlsSecurityScheme",
        },
    ),
    "APIKeySecurityScheme": ("location name", {"description": ""}),
    "HTTPAuthSecurityScheme": ("scheme", {"description": "", "bearerFormat": ""}),
    "OAuth2SecurityScheme": (
        "flows",
        {"description": "", "flows": "OAuthFlows", "oauth2MetadataUrl": ""},
    ),
    "OpenIdConnectSecurityScheme": ("openIdConnectUrl", {"description": ""}),
    "MutualTlsSecurityScheme": ("", {"description": ""}),
    "OAuthFlows": (
        "",
        {
            "authorizationCode": "AuthorizationCodeOAuthFlow",
            "clientCredentials": "ClientCredentialsOAuthFlow",
            "implicit": "OldOAuthFlow",
            "password": "OldOAuthFlow",
            "deviceCode": "DeviceCodeOAuthFlow",
        },
    ),
    "AuthorizationCodeOAuthFlow": (
        "authorizationUrl tokenUrl scopes",
        {"refreshUrl": "", "pkceRequired": ""},
    ),
    "ClientCredentialsOAuthFlow": ("tokenUrl scopes", {"refreshUrl": ""}),
    "OldOAuthFlow": (
        "",
        {"authorizationUrl": "", "tokenUrl": "", "refreshUrl": "", "scopes": "[]"},
    ),
    "DeviceCodeOAuthFlow": (
        "deviceAuthorizationUrl tokenUrl scopes",
        {"refreshUrl": ""},
    ),
}


def _kept(members: dict[str, Any], message: str) -> dict[str, Any]:
    """Returns the members that are signed: without those that have the default value of Protocol Buffers."""
    always, within = _MESSAGES[message]
    kept: dict[str, Any] = {}
    for name, value in members.items():
        inner = within.get(name)
        is_map = inner is not None and inner.startswith("[")
        is_known = inner is not None or name in always.split()
        if is_known and value is None:
            continue
        # A message has no default value: an empty message counts as present.
        is_default = value in ("", False, 0, []) or (is_map and value == {})
        if inner is not None and name not in always.split() and is_default:
            continue
        if inner is None or inner in {"", "[]"}:
            kept[name] = value
        elif is_map and isinstance(value, dict):
            kept[name] = {
                key: _kept(each, inner[1:-1]) if isinstance(each, dict) else each
                for key, each in value.items()
            }
        elif isinstance(value, list):
            kept[name] = [
                _kept(each, inner) if isinstance(each, dict) else each for each in value
            ]
        else:
            kept[name] = _kept(value, inner) if isinstance(value, dict) else value
    return kept


def _without_empty(value: Any) -> Any:
    """Returns the value without empty texts, lists and objects, as the A2A SDK for Python signs it."""
    match value:
        case dict():
            items = ((key, _without_empty(each)) for key, each in value.items())
            return {key: each for key, each in items if each is not None} or None
        case list():
            return [
                each for each in map(_without_empty, value) if each is not None
            ] or None
        case "":
            return None
        case _:
            return value
