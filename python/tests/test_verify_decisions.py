"""What decisions and calls make of verified cards and skills."""

import hashlib
import json
import pickle

import agentsdisc
import pytest
from agentsdisc import calls, verify
from cryptography.hazmat.primitives.asymmetric import ec
from signing import CARD, SDK_BYTES, public, signed, with_signatures


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


@pytest.mark.parametrize("given", [True, [True], ["card"]])
def test_only_results_count_as_verified(given):
    document = agentsdisc.parse(json.dumps(CARD), format="a2a-agent-card")
    with pytest.raises(TypeError, match=r"verified(\[0\])? must be"):
        agentsdisc.decide([document], agent="Bot", capability="skill1", verified=given)
    with pytest.raises(TypeError, match=r"verified(\[0\])? must be"):
        calls.call(document, "skill1", {}, agent="Bot", verified=given)
