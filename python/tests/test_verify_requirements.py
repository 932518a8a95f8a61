"""What a verified A2A card requires: at least what the fetched card does."""

import json

import agentsdisc
import pytest
from agentsdisc import calls, verify
from signing import (
    CARD,
    EMPTY,
    SCHEMES,
    public,
    sdk_card,
    signed,
)


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
