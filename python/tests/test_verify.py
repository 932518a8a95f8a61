"""Signatures of A2A cards: what the SDK signs verifies, and nothing else does."""

import base64
import json

import pytest
from agentsdisc import verify
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from signing import (
    CARD,
    EMPTY,
    KEY,
    SCHEMES,
    SDK_BYTES,
    only,
    public,
    sdk_card,
    signed,
    with_signatures,
)


def test_the_example_of_the_specification_has_its_canonical_form():
    card = {
        "name": "Example Agent",
        "description": "",
        "capabilities": {
            "streaming": False,
            "pushNotifications": False,
            "extensions": [],
        },
        "skills": [],
    }
    expected = b'{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}'
    assert verify.payload(json.dumps(card)) == expected


@pytest.mark.parametrize(
    ("key", "algorithm"),
    [
        (KEY, "ES256"),
        (rsa.generate_private_key(65537, 2048), "RS256"),
        (rsa.generate_private_key(65537, 2048), "PS384"),
        (ed25519.Ed25519PrivateKey.generate(), "EdDSA"),
    ],
)
def test_a_signature_over_the_canonical_form_verifies(key, algorithm):
    card = with_signatures(signed(verify.payload(json.dumps(CARD)), key, algorithm))
    result = verify.verify_card(card, lambda kid, jku: key.public_key())
    assert result.verified
    (check,) = result.signatures
    assert (check.form, check.algorithm, check.key_id) == (
        "rfc8785",
        algorithm,
        "key-1",
    )
    assert result.document.service.name == "Test Agent"
    assert result.document.signatures == ()


def test_what_the_sdk_signs_verifies():
    check = only(with_signatures(signed(SDK_BYTES)))
    assert check.verified
    assert check.form == "a2a-sdk"


def test_the_sdk_writes_other_letters_as_escapes():
    covered = SDK_BYTES.replace(b"A test agent", rb"Caf\u00e9")
    card = with_signatures(signed(covered), description="Café")
    assert only(card).form == "a2a-sdk"
    card = with_signatures(
        signed(verify.payload(json.dumps({**CARD, "description": "Café"}))),
        description="Café",
    )
    assert only(card).form == "rfc8785"


PARAMS = {
    "n": 1e20,
    "small": 1e-7,
    "none": None,
    "list": ["", {}, 0],
    "\ufb33": 1,
    "😀": 2,
}


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"name": "Tést"},
        {"capabilities": {}},
        {"name": "Tést", "capabilities": {}},
        {"name": "Tést 😀\u2028\u007f", "description": "", "skills": []},
        {"name": "Tést", "provider": {"organization": "", "url": ""}},
        {
            "name": "Tést",
            "capabilities": {"extensions": [{"uri": "u", "params": PARAMS}]},
        },
    ],
)
def test_what_the_installed_sdk_signs_verifies(members):
    card = sdk_card(**members)
    defaults = json.loads(json.dumps(card))
    defaults["securityRequirements"] = []
    for extension in defaults["capabilities"].get("extensions", ()):
        extension["required"] = False
    for written in (card, defaults):
        for ascii in (True, False):
            text = json.dumps(written, ensure_ascii=ascii, indent=1)
            assert only(text).verified

    kept = [name for name in card if card[name] and name != "signatures"]
    assert {"name", "version", "supportedInterfaces"} <= set(kept)
    for name in kept:
        fewer = {other: value for other, value in card.items() if other != name}
        assert only(json.dumps(fewer)).problem == "invalid", name
        changed = card | {name: "Other"}
        assert only(json.dumps(changed)).problem == "invalid", name
    added = card | {"documentationUrl": "https://evil.example"}
    assert only(json.dumps(added)).problem == "invalid"


def test_an_empty_value_that_was_signed_cannot_be_removed():
    covered = verify.payload(json.dumps({**CARD, "name": "Tést"}))
    assert b'"iconUrl":""' in covered
    card = json.loads(with_signatures(signed(covered), name="Tést"))
    assert only(json.dumps(card)).form == "rfc8785"
    del card["iconUrl"]
    assert only(json.dumps(card)).problem == "invalid"


def test_symmetric_keys_need_the_callers_permission():
    key = b"a shared key of at least 48 bytes for HMAC-SHA-384"
    card = with_signatures(signed(SDK_BYTES, key, "HS384"))
    assert only(card, lambda *_: key).problem == "algorithm-not-allowed"
    assert only(card, lambda *_: key, algorithms=["HS384"]).verified
    wrong = b"another shared key of at least 48 bytes for HMAC!!!"
    assert only(card, lambda *_: wrong, algorithms=["HS384"]).problem == "invalid"


def test_a_public_key_is_not_taken_for_a_shared_one():
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    pem = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","kid":"key-1"}').rstrip(b"=")
    text = base64.urlsafe_b64encode(SDK_BYTES).rstrip(b"=")
    import hmac

    digest = hmac.digest(pem, header + b"." + text, "sha256")
    forged = {
        "protected": header.decode(),
        "signature": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
    }
    card = with_signatures(forged)
    assert only(card, lambda *_: pem).problem == "algorithm-not-allowed"
    both = ["ES256", "HS256"]
    assert only(card, lambda *_: pem, algorithms=both).problem == "invalid"


def test_one_valid_signature_is_enough_and_each_has_its_result():
    old = signed(b"{}", kid="old")
    card = with_signatures(old, signed(SDK_BYTES), {"protected": "?", "signature": ""})
    result = verify.verify_card(card, public)
    assert [check.problem for check in result.signatures] == [
        "no-key",
        None,
        "malformed",
    ]
    assert result.verified


@pytest.mark.parametrize(
    "members",
    [
        {"name": "Another"},
        {"version": "1.0.1"},
        {"securityRequirements": [{"schemes": {"key": {"list": []}}}]},
        {"url": "https://evil.example"},
        {"skills": []},
    ],
)
def test_a_changed_card_does_not_verify(members):
    card = with_signatures(signed(verify.payload(json.dumps(CARD))), **members)
    result = verify.verify_card(card, public)
    assert not result.verified
    assert result.signatures[0].problem == "invalid"


ONLY_REQUIRED = {name: CARD[name] for name in CARD if name != "iconUrl"}
INTERFACE = {**CARD["supportedInterfaces"][0], "protocolVersion": "1.0"}
FULL = {**ONLY_REQUIRED, "supportedInterfaces": [INTERFACE]}
LISTED = {"description": "", "skills": [], "defaultInputModes": []}


@pytest.mark.parametrize(
    ("covered", "written", "form"),
    [
        # Members that are neither required nor optional: absent, null and the default value are the same.
        (FULL, {"securityRequirements": []}, "rfc8785"),
        (FULL, {"securityRequirements": None}, "rfc8785"),
        (FULL, {"securitySchemes": {}}, "rfc8785"),
        (FULL, {"securitySchemes": None, "provider": None}, "rfc8785"),
        (FULL, {"supportedInterfaces": [{**INTERFACE, "tenant": ""}]}, "rfc8785"),
        # Optional members: null is absent, the default value is not.
        (FULL, {"iconUrl": None}, "rfc8785"),
        ({**FULL, "iconUrl": ""}, {}, "rfc8785"),
        ({**FULL, "iconUrl": ""}, {"iconUrl": None}, None),
        (FULL, {"iconUrl": ""}, "a2a-sdk"),
        ({**FULL, "capabilities": {"streaming": False}}, {}, "rfc8785"),
        (
            {**FULL, "capabilities": {"streaming": False}},
            {"capabilities": {"streaming": None}},
            None,
        ),
        (FULL, {"capabilities": {"pushNotifications": True, "streaming": False}}, None),
        # Required members: absent, null and the default value are the same, and it is signed.
        ({**FULL, **LISTED}, {}, "rfc8785"),
        ({**FULL, **LISTED}, dict.fromkeys(LISTED), "rfc8785"),
        (
            {**FULL, "supportedInterfaces": [{**INTERFACE, "protocolVersion": ""}]},
            {"supportedInterfaces": [*CARD["supportedInterfaces"]]},
            "rfc8785",
        ),
        ({**FULL, "description": None}, {"description": ""}, None),
        # A message has no default value.
        ({**FULL, "provider": {"url": "", "organization": ""}}, {}, "rfc8785"),
        (FULL, {"provider": {"url": "", "organization": ""}}, "a2a-sdk"),
        ({**FULL, "securitySchemes": {"t": SCHEMES["tls"]}}, {}, "rfc8785"),
        ({**FULL, "securityRequirements": [{}]}, {}, "rfc8785"),
        (
            {**FULL, "securityRequirements": [{"schemes": {"o": {}}}]},
            {"securityRequirements": [EMPTY]},
            "rfc8785",
        ),
        (
            {**FULL, "securityRequirements": [{"schemes": {"o": {}}}]},
            {"securityRequirements": [{}]},
            None,
        ),
        # The default value is signed, though it must not be.
        ({**FULL, "securityRequirements": [EMPTY]}, {}, None),
        ({**FULL, "securityRequirements": []}, {}, None),
        # Only the default value of its own type counts.
        (FULL, {"securityRequirements": 0}, None),
        (FULL, {"securityRequirements": False}, None),
        (FULL, {"supportedInterfaces": [{**INTERFACE, "tenant": False}]}, None),
        # Unknown members are signed as they are.
        ({**FULL, "x": ""}, {}, "rfc8785"),
        (FULL, {"x": ""}, "a2a-sdk"),
        (FULL, {"x": 0}, None),
    ],
)
def test_the_form_that_matched_is_named(covered, written, form):
    card = {**covered, **written}
    text = json.dumps(covered, separators=(",", ":"), sort_keys=True).encode()
    check = only(json.dumps({**card, "signatures": [signed(text)]}))
    assert check.form == form
    assert check.problem == (None if form else "invalid")


def test_required_members_that_are_absent_count_as_empty():
    covered = {**FULL, **LISTED}
    text = json.dumps(covered, separators=(",", ":"), sort_keys=True).encode()
    absent = {name: covered[name] for name in covered if name not in LISTED}
    assert only(json.dumps({**absent, "signatures": [signed(text)]})).form == "rfc8785"
