"""Verification on the command line, with the keys of a file."""

import json
import re

import pytest
from agentsdisc import verify
from jwt.algorithms import ECAlgorithm
from signing import CARD, KEY, signed, with_signatures


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
