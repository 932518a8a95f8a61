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
from typing import Any, NamedTuple

from . import Capability, Document, Limits, parse
from ._arguments import must_be, several
from ._extras import needing
from ._verified import (
    Form,
    Problem,
    SignatureCheck,
    SkillVerification,
    Verification,
)
from ._visible import beginning

with needing("verification needs PyJWT and rfc8785", "verify", "jwt", "rfc8785"):
    import jwt
    import rfc8785
    from jwt.api_jws import PyJWS

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


def __dir__() -> list[str]:
    """Returns the public names."""
    return sorted(__all__)


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

    The result names the form that was signed. What the form does not cover never permits anything, but its requirements count:
    `document` requires at least what the card as fetched requires.

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
        if forms[signed] == "a2a-sdk":
            # This form leaves out empty values, and so a required scheme without scopes.
            signed = json.dumps(_strict(json.loads(signed), members)).encode()
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
    """Returns what can have been signed: by the specification, and as versions of the A2A SDKs write it.

    Several forms do not let a changed card pass: a form only chooses bytes, and the signature must cover exactly these. What
    `verify_card` returns is read from these bytes; from the rest of the fetched card it takes only what restricts.
    """
    try:
        kept = _kept(members, "AgentCard", fill=False)
        forms: dict[bytes, Form] = {rfc8785.dumps(kept): "rfc8785"}
        # ProtoJSON leaves out default values, also of required members, which are signed nevertheless.
        filled = _kept(members, "AgentCard", fill=True)
        forms.setdefault(rfc8785.dumps(filled), "rfc8785")
        empty = _without_empty(kept) or {}
        escaped = json.dumps(empty, separators=(",", ":"), sort_keys=True)
        forms.setdefault(rfc8785.dumps(empty), "a2a-sdk")
        forms.setdefault(escaped.encode(), "a2a-sdk")
        # The first version of the SDK for JavaScript keeps `false`.
        forms.setdefault(rfc8785.dumps(_without_empty(members) or {}), "a2a-sdk")
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


# The messages of a card in `a2a.proto`: the members that are always kept, because they are required (`!`) or optional (`?`), and the others. Each has
# its type: `s` for text, `b` for a boolean, a message, or one of these in a list (`*`) or in a map (`%`). Other members are unknown, and kept.
_MESSAGES: dict[str, str] = {
    "AgentCard": "name=!s description=!s supportedInterfaces=!*AgentInterface provider=AgentProvider version=!s documentationUrl=?s "
    "capabilities=!AgentCapabilities securitySchemes=%SecurityScheme securityRequirements=*SecurityRequirement "
    "defaultInputModes=!*s defaultOutputModes=!*s skills=!*AgentSkill iconUrl=?s",
    "AgentInterface": "url=!s protocolBinding=!s tenant=s protocolVersion=!s",
    "AgentProvider": "url=!s organization=!s",
    "AgentCapabilities": "streaming=?b pushNotifications=?b extensions=*AgentExtension extendedAgentCard=?b",
    "AgentExtension": "uri=s description=s required=b params=Struct",
    "AgentSkill": "id=!s name=!s description=!s tags=!*s examples=*s inputModes=*s outputModes=*s "
    "securityRequirements=*SecurityRequirement",
    "SecurityRequirement": "schemes=%StringList",
    "StringList": "list=*s",
    "SecurityScheme": "apiKeySecurityScheme=APIKeySecurityScheme httpAuthSecurityScheme=HTTPAuthSecurityScheme "
    "oauth2SecurityScheme=OAuth2SecurityScheme openIdConnectSecurityScheme=OpenIdConnectSecurityScheme "
    "mtlsSecurityScheme=MutualTlsSecurityScheme",
    "APIKeySecurityScheme": "description=s location=!s name=!s",
    "HTTPAuthSecurityScheme": "description=s scheme=!s bearerFormat=s",
    "OAuth2SecurityScheme": "description=s flows=!OAuthFlows oauth2MetadataUrl=s",
    "OpenIdConnectSecurityScheme": "description=s openIdConnectUrl=!s",
    "MutualTlsSecurityScheme": "description=s",
    "OAuthFlows": "authorizationCode=AuthorizationCodeOAuthFlow clientCredentials=ClientCredentialsOAuthFlow "
    "implicit=ImplicitOAuthFlow password=PasswordOAuthFlow deviceCode=DeviceCodeOAuthFlow",
    "AuthorizationCodeOAuthFlow": "authorizationUrl=!s tokenUrl=!s refreshUrl=s scopes=!%s pkceRequired=b",
    "ClientCredentialsOAuthFlow": "tokenUrl=!s refreshUrl=s scopes=!%s",
    "ImplicitOAuthFlow": "authorizationUrl=s refreshUrl=s scopes=%s",
    "PasswordOAuthFlow": "tokenUrl=s refreshUrl=s scopes=%s",
    "DeviceCodeOAuthFlow": "deviceAuthorizationUrl=!s tokenUrl=!s refreshUrl=s scopes=!%s",
}


class _Field(NamedTuple):
    """A member of a message."""

    presence: str
    """`!` for a required member, `?` for an optional one, otherwise empty."""
    container: str
    """`*` for a list, `%` for a map, otherwise empty."""
    type: str

    @property
    def default(self) -> Any:
        """The value that counts as absent; None for a message, because an empty message is present."""
        if self.container:
            return [] if self.container == "*" else {}
        return {"s": "", "b": False}.get(self.type)

    def is_default(self, value: Any) -> bool:
        """Whether a value is the default value. `0` is not that of a boolean."""
        return type(value) is type(self.default) and value == self.default

    def kept(self, value: Any, fill: bool) -> Any:
        """Returns the value as it is signed."""
        if isinstance(value, list) and self.container == "*":
            return [_kept(each, self.type, fill) for each in value]
        if isinstance(value, dict) and self.container == "%":
            return {key: _kept(each, self.type, fill) for key, each in value.items()}
        return value if self.container else _kept(value, self.type, fill)


_FIELDS = {
    message: {
        name: _Field(*parts)
        for name, *parts in re.findall(r"(\w+)=([!?]?)([*%]?)(\w+)", fields)
    }
    for message, fields in _MESSAGES.items()
}


def _kept(value: Any, message: str, fill: bool) -> Any:
    """Returns a message as it is signed: without members that are null, or have a default value and are neither required nor optional.

    `fill` adds required members that are absent and have a default value. Values of another type are returned as they are.
    """
    if not isinstance(value, dict) or message not in _FIELDS:
        return value
    fields = _FIELDS[message]
    kept: dict[str, Any] = {}
    for name, each in value.items():
        if (field := fields.get(name)) is None:
            kept[name] = each
        elif each is not None and (field.presence or not field.is_default(each)):
            kept[name] = field.kept(each, fill)
    if fill:
        for name, field in fields.items():
            if field.presence == "!" and field.default is not None:
                kept.setdefault(name, field.default)
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


_HOLDERS = (
    "skills",
    "supportedInterfaces",
    "supported_interfaces",
    "additionalInterfaces",
    "additional_interfaces",
)
"""The lists of a card whose items can require authentication, also under their names in the protocol buffers."""
_SCHEMES = ("securitySchemes", "security_schemes")


def _strict(signed: dict[str, Any], fetched: dict[str, Any]) -> dict[str, Any]:
    """Returns a card as an A2A SDK signed it, with what the fetched card says about authentication. What is not signed never permits anything."""
    for name in _HOLDERS:
        items, listed = signed.get(name), fetched.get(name)
        if isinstance(items, list) and isinstance(listed, list):
            left = (each for each in listed if _without_empty(each) is not None)
            for item, each in zip(items, left, strict=True):
                if isinstance(item, dict):
                    _add_requirements(item, each)
    return _add_requirements(signed, fetched)


def _add_requirements(
    signed: dict[str, Any], fetched: dict[str, Any]
) -> dict[str, Any]:
    """Adds what a fetched card, skill or interface says about authentication to what was signed."""
    schemes = [fetched[name] for name in _SCHEMES if fetched.get(name)]
    for name in ("securityRequirements", "security_requirements", "security"):
        listed = fetched.get(name)
        if isinstance(listed, list):
            listed = _alternatives(listed, not schemes)
        if listed is not None:
            signed[name] = listed
    for name in _SCHEMES:
        if isinstance(fetched.get(name), dict):
            signed[name] = fetched[name] | signed.get(name, {})
    for name in (*_SCHEMES, "authentication"):
        if fetched.get(name) is not None:
            signed.setdefault(name, fetched[name])
    return signed


def _alternatives(listed: list[Any], may_be_open: bool) -> list[Any]:
    """Returns the alternatives that count: those of which a part is signed.

    Without any, those that need authentication count, because more alternatives permit more. Without them as well, authentication is not needed,
    if `may_be_open`.
    """
    is_open: tuple[Any, ...] = (None, {}, {"schemes": {}})
    return (
        [each for each in listed if _without_empty(each) is not None]
        or [each for each in listed if each not in is_open]
        or (listed if may_be_open else [])
    )
