"""Signatures, cards and keys that cannot be verified: each has its result or its error."""

import base64
import json

import jwt
import pytest
from agentsdisc import verify
from cryptography.hazmat.primitives.asymmetric import ec
from signing import (
    CARD,
    KEY,
    SDK_BYTES,
    only,
    public,
    signed,
    with_signatures,
)


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
