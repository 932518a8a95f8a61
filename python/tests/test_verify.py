"""Signatures of A2A cards and digests of skills: what the SDK signs verifies, and nothing else does."""

import base64
import hashlib
import json
import pickle
import re

import agentsdisc
import jwt
import pytest
from agentsdisc import calls, verify
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm
from jwt.api_jws import PyJWS

# The card that the A2A SDK for Python signs in its own tests, and the bytes that it expects.
CARD = {
    "name": "Test Agent",
    "description": "A test agent",
    "supportedInterfaces": [
        {"url": "http://localhost", "protocolBinding": "HTTP+JSON"}
    ],
    "version": "1.0.0",
    "capabilities": {"pushNotifications": True},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "iconUrl": "",
    "skills": [
        {
            "id": "skill1",
            "name": "Test Skill",
            "description": "A test skill",
            "tags": ["test"],
        }
    ],
}
SDK_BYTES = (
    b'{"capabilities":{"pushNotifications":true},'
    b'"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],'
    b'"description":"A test agent","name":"Test Agent",'
    b'"skills":[{"description":"A test skill","id":"skill1","name":"Test Skill","tags":["test"]}],'
    b'"supportedInterfaces":[{"protocolBinding":"HTTP+JSON","url":"http://localhost"}],'
    b'"version":"1.0.0"}'
)
KEY = ec.generate_private_key(ec.SECP256R1())


def signed(covered: bytes, key=KEY, algorithm="ES256", **header) -> dict[str, str]:
    """Signs bytes, and returns the object for `signatures`."""
    token = PyJWS().encode(
        covered, key, algorithm, {"typ": "JOSE", "kid": "key-1", **header}
    )
    protected, _, signature = token.split(".")
    return {"protected": protected, "signature": signature}


def with_signatures(*signatures: dict[str, str], **members) -> bytes:
    return json.dumps({**CARD, **members, "signatures": list(signatures)}).encode()


def public(kid: str | None, jku: str | None):
    return KEY.public_key() if kid == "key-1" else None


def only(card: bytes, keys=public, **options) -> verify.SignatureCheck:
    (check,) = verify.verify_card(card, keys, **options).signatures
    return check


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


def sdk_card(**members) -> dict:
    """Returns a card as the A2A SDK for Python signs and writes it."""
    from a2a.types import AgentCard
    from a2a.utils.signing import create_agent_card_signer
    from google.protobuf.json_format import MessageToDict, ParseDict

    header = {"alg": "ES256", "kid": "key-1", "typ": "JOSE", "jku": None}
    sign = create_agent_card_signer(KEY, header)
    return MessageToDict(sign(ParseDict({**CARD, **members}, AgentCard())))


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


def test_only_what_was_signed_is_in_the_verified_document():
    required = {"schemes": {"key": {"list": ["use"]}}}
    strict = {**CARD, "securityRequirements": [required]}
    del strict["iconUrl"]
    covered = json.dumps(strict, separators=(",", ":"), sort_keys=True).encode()
    # The SDK does not sign empty objects. Here, one more would allow anonymous calls.
    loose = {**strict, "securityRequirements": [required, {}]}
    card = json.dumps({**loose, "signatures": [signed(covered)]})
    result = verify.verify_card(card, public)
    assert result.signatures[0].form == "a2a-sdk"
    assert json.loads(result.document.bytes)["securityRequirements"] == [required]


def scheme(kind: str, **members) -> dict:
    return {kind: members}


def flow(kind: str, **members) -> dict:
    return scheme("oauth2SecurityScheme", flows={kind: members})


TOKEN = "https://a.example/token"
SCHEMES = {
    "key in a header": scheme("apiKeySecurityScheme", location="header", name="X-Key"),
    "key in the query": scheme("apiKeySecurityScheme", location="query", name="key"),
    "key in a cookie": scheme("apiKeySecurityScheme", location="cookie", name="key"),
    "bearer": scheme("httpAuthSecurityScheme", scheme="Bearer"),
    "basic": scheme("httpAuthSecurityScheme", scheme="Basic"),
    "http without a scheme": scheme("httpAuthSecurityScheme", scheme=""),
    "code": flow("authorizationCode", authorizationUrl=TOKEN, tokenUrl=TOKEN),
    "client": flow("clientCredentials", tokenUrl=TOKEN, scopes={}),
    "device": flow("deviceCode", deviceAuthorizationUrl=TOKEN, tokenUrl=TOKEN),
    "implicit": flow("implicit", authorizationUrl=TOKEN),
    "password": flow("password", tokenUrl=TOKEN),
    "flow without members": flow("clientCredentials"),
    "openid": scheme("openIdConnectSecurityScheme", openIdConnectUrl=TOKEN),
    "tls": scheme("mtlsSecurityScheme"),
}
EMPTY = {"schemes": {"o": {"list": []}}}
SCOPED = {"schemes": {"o": {"list": ["use"]}}}
OTHER = {"schemes": {"p": {"list": []}}}
SKILL = CARD["skills"][0]
WAYS = {
    "card": {"securityRequirements": [EMPTY]},
    "scopes": {"securityRequirements": [SCOPED]},
    "several": {"securityRequirements": [EMPTY, OTHER]},
    "together": {"securityRequirements": [{"schemes": {**SCOPED["schemes"], "p": {}}}]},
    "skill": {"skills": [{**SKILL, "securityRequirements": [EMPTY]}]},
    "second skill": {
        "skills": [
            {**SKILL, "id": "another"},
            {**SKILL, "securityRequirements": [EMPTY]},
        ]
    },
    "declared only": {},
    "optional": {"securityRequirements": [{}, EMPTY]},
    "nothing": {"securityRequirements": [{}]},
}
NEEDS = ["not-stated", "none", "optional", "required"]


def outcome(document, origin, *verified):
    """Returns the decision, and what is planned with a credential and without."""
    asked = {"agent": "Bot", "origin": origin, "verified": verified}
    decision = agentsdisc.decide([document], capability="skill1", **asked)
    said = []
    try:
        said.append(decision.auth_header("secret"))
    except ValueError as refused:
        said.append(str(refused))
    for credentials in ("secret", None):
        asked |= {"credentials": credentials, "dry_run": True}
        try:
            plan = calls.call([document], "skill1", {"text": "one"}, **asked)
            said.append((plan.first, plan.request, plan.credential))
        except calls.CallError as refused:
            said.append((type(refused), str(refused)))
    return decision, said


@pytest.mark.parametrize("origin", ["https://a.example", "http://a.example"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", SCHEMES)
def test_a_verified_card_requires_what_the_fetched_one_does(kind, way, origin):
    interface = {"url": f"{origin}/rpc", "protocolBinding": "JSONRPC"}
    card = sdk_card(
        supportedInterfaces=[{**interface, "protocolVersion": "1.0"}],
        securitySchemes={"o": SCHEMES[kind], "p": SCHEMES["bearer"]},
        **WAYS[way],
    )
    fetched = agentsdisc.parse(json.dumps(card), format="a2a-agent-card")
    result = verify.verify_card(fetched, public)
    assert result.verified
    declared, its_plans = outcome(fetched, origin)
    for document, verified in ((fetched, [result]), (result.document, [])):
        decision, plans = outcome(document, origin, *verified)
        if way in {"optional", "nothing"}:
            # A call without authentication is allowed by nothing that is signed.
            needs = [NEEDS.index(each.auth.need) for each in (declared, decision)]
            assert needs == sorted(needs) and not (
                decision.allowed and not declared.allowed
            )
            continue
        assert decision.auth == declared.auth
        assert (decision.allowed, decision.reason, plans) == (
            declared.allowed,
            declared.reason,
            its_plans,
        )
    if way not in {"optional", "nothing", "declared only"}:
        assert declared.auth.need == "required"
        assert declared.allowed == origin.startswith("https:")


def sdk_signed(**members) -> dict:
    """Signs the members of a card of any version as the A2A SDK does: without empty values."""
    from a2a.utils.signing import _clean_empty

    covered = json.dumps(
        _clean_empty({**CARD, **members}), separators=(",", ":"), sort_keys=True
    )
    return {**CARD, **members, "signatures": [signed(covered.encode())]}


OLD = {"o": {"type": "apiKey", "in": "header", "name": "X-Key"}}
NEW = {"o": SCHEMES["code"], "p": SCHEMES["key in a header"], "t": SCHEMES["tls"]}


@pytest.mark.parametrize(
    "members",
    [
        {"securitySchemes": OLD, "security": [{"o": []}]},
        {"securitySchemes": OLD, "skills": [{**SKILL, "security": [{"o": []}]}]},
        {"securitySchemes": {"o": {}}, "securityRequirements": [EMPTY]},
        {"securitySchemes": {}, "securityRequirements": [EMPTY]},
        {"securityRequirements": {}},
        {"securityRequirements": ""},
        {"securityRequirements": [[]]},
        {"security": [""]},
        {"authentication": {"schemes": [""]}},
        {"authentication": []},
        {"securitySchemes": NEW, "securityRequirements": [{"schemes": {"t": {}}}]},
    ],
)
def test_what_the_sdk_does_not_sign_is_required_nevertheless(members):
    card = json.dumps(sdk_signed(**members))
    fetched = agentsdisc.parse(card, format="a2a-agent-card")
    result = verify.verify_card(fetched, public)
    assert [check.form for check in result.signatures] == ["a2a-sdk"]
    declared, its_plans = outcome(fetched, "http://localhost")
    decision, plans = outcome(fetched, "http://localhost", result)
    assert decision.auth == declared.auth and decision.auth.need == "required"
    assert plans == its_plans


def test_every_scheme_and_requirement_of_the_fetched_card_is_in_the_verified_one():
    skills = [{}, {**SKILL, "securityRequirements": [OTHER]}, {"tags": []}, SKILL]
    interfaces = [{}, {**CARD["supportedInterfaces"][0], "security": [{"o": []}]}]
    card = sdk_signed(
        securitySchemes=NEW,
        securityRequirements=[EMPTY],
        skills=skills,
        supportedInterfaces=interfaces,
    )
    result = verify.verify_card(json.dumps(card), public)
    document = json.loads(result.document.bytes)
    assert document["securitySchemes"] == NEW
    assert document["securityRequirements"] == [EMPTY]
    assert document["skills"] == [skills[1], SKILL]
    assert document["supportedInterfaces"] == [interfaces[1]]
    assert "iconUrl" in card and "iconUrl" not in document


REQUIRED = {"securitySchemes": NEW, "securityRequirements": [SCOPED]}


@pytest.mark.parametrize(
    "loose",
    [
        {"securityRequirements": [{}, SCOPED]},
        {"securityRequirements": [SCOPED, {"schemes": {}}]},
        {"securityRequirements": [OTHER, SCOPED]},
        {"securityRequirements": [None, {"schemes": {"t": {}}}, SCOPED, ""]},
        {"securityRequirements": [{**SCOPED, "p": []}]},
        {"securityRequirements": [{"schemes": {**SCOPED["schemes"], "p": {}}}]},
        {"security": [{}]},
        {"security": []},
        {"authentication": {"schemes": []}},
        {"authentication": {}},
        {"skills": [{**SKILL, "securityRequirements": [{}]}]},
        {"skills": [{**SKILL, "security": [{"schemes": {}}]}]},
        {"skills": [{}, {**SKILL, "securityRequirements": []}, None]},
        {"securitySchemes": {**NEW, "q": {}}},
        {"securitySchemes": {"o": {**NEW["o"], "apiKeySecurityScheme": {}}, **NEW}},
        {
            "securitySchemes": {
                **NEW,
                "o": {
                    "apiKeySecurityScheme": {"name": ""},
                    "httpAuthSecurityScheme": {},
                    **NEW["o"],
                },
            }
        },
        {"supportedInterfaces": [{}, *CARD["supportedInterfaces"], {"security": [{}]}]},
    ],
)
def test_what_is_added_to_a_signed_card_only_restricts(loose):
    card = sdk_signed(**REQUIRED)
    before = agentsdisc.parse(json.dumps(card), format="a2a-agent-card")
    strict, _ = outcome(before, "http://localhost")
    after = agentsdisc.parse(json.dumps(card | loose), format="a2a-agent-card")
    result = verify.verify_card(after, public)
    assert [check.form for check in result.signatures] == ["a2a-sdk"]
    decision, _ = outcome(after, "http://localhost", result)
    assert strict.auth.need == decision.auth.need == "required"
    assert decision.auth.type in {strict.auth.type, "unknown"}
    assert decision.endpoint == strict.endpoint


def test_an_older_requirement_cannot_be_replaced_by_an_empty_one():
    signed_card = sdk_signed(securitySchemes=OLD, security=[{"o": ["use"]}])
    for added in ({}, {"p": {}}, {"o": {}, "p": {}}):
        loose = signed_card | {"security": [{"o": ["use"], "schemes": added}]}
        fetched = agentsdisc.parse(json.dumps(loose), format="a2a-agent-card")
        result = verify.verify_card(fetched, public)
        assert result.verified
        decision, _ = outcome(fetched, "http://localhost", result)
        assert (decision.auth.need, decision.auth.type) == ("required", "unknown")


def test_a_card_that_declares_schemes_stays_one_without_a_signed_statement():
    card = sdk_signed(securitySchemes=NEW) | {"securityRequirements": [{}]}
    result = verify.verify_card(json.dumps(card), public)
    assert result.verified
    decision, _ = outcome(result.document, "http://localhost")
    assert decision.auth.need == "optional"


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


@pytest.mark.parametrize("order", [1, -1])
def test_a_rule_of_another_document_does_not_hide_what_has_failed(order):
    text = b"Site: x\nSite-URL: http://localhost\n\nAllow: /\n\nAgent: *\n  Capabilities: skill1, mugs\n"
    rules = agentsdisc.parse(text, format="agents-txt")
    changed = agentsdisc.parse(
        with_signatures(signed(SDK_BYTES), name="Another"), format="a2a-agent-card"
    )
    content = {"name": "mugs", "type": "skill-md", "description": "x", "url": "/s.md"}
    digest = "sha256:" + hashlib.sha256(b"# Skill").hexdigest()
    schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
    skills = {"$schema": schema, "skills": [{**content, "digest": digest}]}
    index = agentsdisc.parse(json.dumps(skills), format="agent-skills")

    def asked(document, capability, *verified):
        return agentsdisc.decide(
            [rules, document][::order],
            agent="Bot",
            capability=capability,
            origin="http://localhost",
            verified=verified,
        )

    assert asked(changed, "skill1").allowed
    failed = asked(changed, "skill1", verify.verify_card(changed, public))
    assert (failed.allowed, failed.signature) == (False, "failed")
    assert asked(index, "mugs").digest == "declared"
    failed = asked(index, "mugs", verify.check_skill(digest, b"other"))
    assert (failed.allowed, failed.digest) == (False, "failed")
    assert asked(index, "mugs", verify.check_skill(digest, b"# Skill")).allowed


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ({"alg": "none"}, "algorithm-not-allowed"),
        ({"alg": "XX999"}, "algorithm-not-allowed"),
        ({"alg": ["ES256"]}, "algorithm-not-allowed"),
        ({}, "algorithm-not-allowed"),
        ({"alg": "ES256", "crit": ["exp"], "exp": 1}, "critical-header"),
        ({"alg": "ES256", "b64": False}, "critical-header"),
        ({"alg": "ES256", "kid": "other"}, "no-key"),
        ({"alg": "ES256", "kid": 1}, "no-key"),
        (["alg"], "malformed"),
    ],
)
def test_a_header_that_is_not_acceptable_says_why(header, problem):
    protected = base64.urlsafe_b64encode(json.dumps(header).encode()).rstrip(b"=")
    forged = {"protected": protected.decode(), "signature": "AAAA"}
    assert only(with_signatures(forged)).problem == problem


@pytest.mark.parametrize(
    "signature",
    [
        None,
        "text",
        {},
        {"protected": "e30"},
        {"protected": 1, "signature": "AAAA"},
        {"protected": "e30", "signature": "not base64!"},
        {"protected": "bm90IGpzb24", "signature": "AAAA"},
        {"protected": "A" * 9000, "signature": "AAAA"},
        {
            "protected": base64.urlsafe_b64encode(b"[" * 6000).decode().rstrip("="),
            "signature": "AAAA",
        },
    ],
)
def test_a_malformed_signature_is_a_result(signature):
    assert only(with_signatures(signature)).problem == "malformed"


def test_no_more_than_sixteen_signatures_are_tried():
    tried = []

    def find(kid, jku):
        tried.append(kid)

    result = verify.verify_card(with_signatures(*[signed(b"{}")] * 1000), find)
    assert len(result.signatures) == len(tried) == 16


@pytest.mark.parametrize("signatures", [None, {}, "text", []])
def test_a_card_without_signatures_is_not_verified(signatures):
    result = verify.verify_card(json.dumps({**CARD, "signatures": signatures}), public)
    assert (result.verified, result.signatures) == (False, ())


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("[]", "not a JSON object"),
        ('{"name":"a","name":"b"}', "occurs twice"),
        ('{"provider":{"url":"a","url":"b"}}', "occurs twice"),
        ('{"x":NaN}', "NaN"),
        ('{"x":123456789012345678901234567890}', "canonical form"),
        ("{", None),
        ('{"x":' + "[" * 100_000, None),
    ],
)
def test_a_card_that_cannot_be_verified_raises(card, words):
    with pytest.raises(ValueError, match=words):
        verify.verify_card(card, public)


def test_keys_can_be_a_set():
    key = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(KEY.public_key()))
    other = json.loads(
        jwt.algorithms.ECAlgorithm.to_jwk(
            ec.generate_private_key(ec.SECP256R1()).public_key()
        )
    )
    card = with_signatures(signed(SDK_BYTES))
    both = {"keys": [{**other, "kid": "key-2"}, {**key, "kid": "key-1"}]}
    assert only(card, both).verified
    assert only(card, {"keys": [{**other, "kid": "key-1"}]}).problem == "invalid"
    assert only(card, {"keys": [{**key, "kid": "key-2"}]}).problem == "no-key"
    with pytest.raises(ValueError, match="JWK Set"):
        verify.verify_card(card, {"keys": []})
    with pytest.raises(TypeError, match="keys must be"):
        verify.verify_card(card, [key])


@pytest.mark.parametrize("algorithm", ["none", "XX1", ""])
def test_unknown_algorithms_cannot_be_accepted(algorithm):
    with pytest.raises(ValueError, match="unknown algorithm"):
        verify.verify_card("{}", public, algorithms=["ES256", algorithm])


def test_decisions_tell_what_is_verified_from_what_is_declared():
    fetched = agentsdisc.parse(
        with_signatures(signed(SDK_BYTES)), format="a2a-agent-card"
    )

    def asked(*verified):
        return agentsdisc.decide(
            [fetched], agent="Bot", capability="skill1", verified=verified
        )

    assert asked().signature == "declared"
    assert asked(verify.verify_card(fetched, public)).signature == "verified"
    assert asked(verify.verify_card(fetched, lambda *_: None)).signature == "declared"
    other = ec.generate_private_key(ec.SECP256R1()).public_key()
    failed = asked(verify.verify_card(fetched, lambda *_: other))
    assert failed.signature == failed.to_dict()["signature"] == "failed"
    assert not failed.allowed and not failed.to_dict()["allowed"]
    assert failed.reason == failed.to_dict()["reason"] == "unreadable"
    assert "signature" in failed.message
    assert failed.message == failed.to_dict()["message"]
    assert failed.rule == asked().rule and failed != asked()
    assert pickle.loads(pickle.dumps(failed)) == failed
    plain = agentsdisc.parse(json.dumps(CARD), format="a2a-agent-card")
    decision = agentsdisc.decide([plain], agent="Bot", capability="skill1")
    assert decision.signature is None


@pytest.mark.parametrize(
    "asked", [{"capability": "skill1"}, {"url": "http://localhost", "method": "POST"}]
)
@pytest.mark.parametrize("members", [{"name": "Another"}, {"version": "2"}])
def test_a_changed_card_allows_nothing(asked, members):
    changed = agentsdisc.parse(
        with_signatures(signed(SDK_BYTES), **members), format="a2a-agent-card"
    )
    result = verify.verify_card(changed, public)

    def decided(*documents, verified=(result,), **asked):
        return agentsdisc.decide(
            documents,
            agent="Bot",
            origin="http://localhost",
            verified=verified,
            **asked,
        )

    declared, failed = decided(changed, verified=(), **asked), decided(changed, **asked)
    assert declared.allowed and declared.auth_header("token") is None
    assert not failed.allowed
    with pytest.raises(ValueError, match="not allowed"):
        failed.auth_header("token")
    # What the card does not cover is not its affair, and what denies it anyway stays the reason.
    assert decided(changed, url="/other").allowed
    assert decided(changed, capability="none").reason == "unknown-capability"


def test_a_call_by_a_card_that_is_not_valid_is_refused():
    card = agentsdisc.parse(
        with_signatures(signed(SDK_BYTES), name="Another"), format="a2a-agent-card"
    )
    result = verify.verify_card(card, public)
    plan = {"agent": "Bot", "origin": "http://localhost", "dry_run": True}
    assert calls.call(card, "skill1", {"text": "one"}, **plan).decision.allowed
    with pytest.raises(calls.PolicyDenied, match="signature"):
        calls.call(card, "skill1", {"text": "one"}, verified=[result], **plan)


def test_a_skill_has_the_declared_digest():
    content = b"# Skill\n"
    digest = "sha256:" + hashlib.sha256(content).hexdigest()
    assert verify.verify_skill(digest, content)
    assert not verify.verify_skill(digest, content + b"\n")
    assert verify.verify_skill(digest.removeprefix("sha256:"), content)
    assert verify.verify_skill(digest.replace(":", ": "), content)
    assert not verify.verify_skill(digest.removeprefix("sha256:"), b"other")
    assert not verify.verify_skill(digest + "0", content)
    assert not verify.verify_skill("sha256:" + digest, content)
    assert not verify.verify_skill(digest.upper(), content)
    assert not verify.verify_skill("md5:" + hashlib.md5(content).hexdigest(), content)
    assert not verify.verify_skill("", content)
    index = {
        "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
        "skills": [
            {
                "name": "mugs",
                "type": "skill-md",
                "description": "Mugs.",
                "url": "/s.md",
                "digest": digest,
            },
            {"name": "none", "type": "skill-md", "description": "x", "url": "/n.md"},
            {"name": "old", "url": "/s.md", "sha256": digest.removeprefix("sha256:")},
        ],
    }
    document = agentsdisc.parse(json.dumps(index), format="agent-skills")
    mugs, none, old = document.capabilities
    assert verify.verify_skill(mugs, content)
    assert verify.verify_skill(old, content)
    checked = verify.check_skill(old, content)
    decision = agentsdisc.decide(
        [document], agent="Bot", capability="old", verified=[checked]
    )
    assert decision.digest == "verified"
    assert not verify.verify_skill(old, b"other")
    assert not verify.verify_skill(mugs, b"other")
    assert not verify.verify_skill(none, content)


def test_decisions_tell_verified_digests_from_declared_ones(run, tmp_path):
    content = b"# Skill\n"
    digest = "sha256:" + hashlib.sha256(content).hexdigest()
    skill = {"type": "skill-md", "description": "Mugs.", "url": "/s.md"}
    schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
    skills = [{"name": "mugs", "digest": digest, **skill}, {"name": "none", **skill}]
    text = json.dumps({"$schema": schema, "skills": skills})
    index = agentsdisc.parse(text, format="agent-skills")
    mugs, _ = index.capabilities

    def asked(name, *verified):
        return agentsdisc.decide(
            [index], agent="Bot", capability=name, verified=verified
        )

    assert asked("mugs").digest == asked("mugs").to_dict()["digest"] == "declared"
    assert asked("mugs", verify.check_skill(mugs, content)).digest == "verified"
    failed = asked("mugs", verify.check_skill(digest, b"other"))
    assert (failed.digest, failed.allowed, failed.reason) == (
        "failed",
        False,
        "unreadable",
    )
    assert "digest" in failed.message
    assert asked("mugs", verify.check_skill(mugs, content)).allowed
    assert asked("none").digest is None and "digest" not in asked("none").to_dict()
    (tmp_path / "index.json").write_text(text)
    done = run("decide", "index.json", "--agent", "Bot", "--capability", "mugs")
    assert "digest  declared, not verified\n" in done.stdout


def test_the_command_line_verifies_with_the_keys_of_a_file(run, tmp_path):
    jwk = json.loads(ECAlgorithm.to_jwk(KEY.public_key())) | {"kid": "key-1"}
    (tmp_path / "keys.json").write_text(json.dumps({"keys": [jwk]}))
    good = with_signatures(signed(verify.payload(json.dumps(CARD))))
    bad = good.replace(b"A test skill", b"Another skill")
    options = ("--agent", "Bot", "--capability", "skill1", "--keys", "keys.json")
    for card, code, said in ((good, 0, "verified"), (bad, 1, "failed")):
        (tmp_path / "agent-card.json").write_bytes(card)
        done = run("decide", "agent-card.json", *options, check=code)
        assert re.search(rf"signature +{said}", done.stdout)
    (tmp_path / "keys.json").write_text("[]")
    done = run("decide", "agent-card.json", *options, check=2)
    assert "keys.json: not a JWK Set" in done.stderr


SHORT = {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "kid": "key-7"}


def test_the_command_line_names_keys_that_cannot_be_used(run, tmp_path):
    jwk = json.loads(ECAlgorithm.to_jwk(KEY.public_key())) | {"kid": "key-1"}
    card = with_signatures(signed(verify.payload(json.dumps(CARD))))
    (tmp_path / "agent-card.json").write_bytes(card)
    asked = ("decide", "agent-card.json", "--agent", "Bot", "--capability", "skill1")

    def decided(keys, code):
        (tmp_path / "keys.json").write_text(json.dumps({"keys": keys}))
        return run(*asked, "--keys", "keys.json", check=code)

    for key, said in (
        (SHORT, "keys[0] ('key-7'): Coords should be 32 bytes for curve P-256"),
        ({"kty": "FOO"}, "keys[0]: Unsupported kty: FOO"),
        ({"d": "c2VjcmV0"}, "keys[0]: kty is not found"),
        ({**jwk, "alg": "none?"}, "keys[0] ('key-1'): Unable to find an algorithm"),
        ("a", "keys[0]: not a JSON object"),
        ({"kty": "EC", "crv": "\x1b[31m"}, r"keys[0]: Unsupported crv: \x1b[31m"),
    ):
        stderr = decided([key], 2).stderr
        assert f"keys.json: no key can be used: {said}" in stderr
        assert "cryptography" not in stderr and "c2VjcmV0" not in stderr
        assert stderr.count("\n") == 1
        with pytest.raises(ValueError, match=re.escape(said.split(r"\x1b")[0])):
            verify.verify_card(card, {"keys": [key]})
    assert "the list is empty" in decided([], 2).stderr
    assert "; and 97 others" in decided([SHORT] * 100, 2).stderr

    done = decided([SHORT, jwk], 0)
    assert re.search(r"signature +verified", done.stdout)
    assert "keys.json: some keys cannot be used: keys[0] ('key-7')" in done.stderr


@pytest.mark.parametrize("given", [True, [True], ["card"]])
def test_only_results_count_as_verified(given):
    document = agentsdisc.parse(json.dumps(CARD), format="a2a-agent-card")
    with pytest.raises(TypeError, match=r"verified(\[0\])? must be"):
        agentsdisc.decide([document], agent="Bot", capability="skill1", verified=given)
    with pytest.raises(TypeError, match=r"verified(\[0\])? must be"):
        calls.call(document, "skill1", {}, agent="Bot", verified=given)
