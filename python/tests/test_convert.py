"""Conversion to other formats, and automatic fixes of agents.txt."""

import copy
import json
import pickle

import agentsdisc
import pytest

TEXT = """\
Spec-Version: 1.0

Site-Name: Mug Shop
Site-URL: https://mugs.example

Capability: search
  Endpoint: https://mugs.example/s
  Protocol: REST
  Auth: api-key

Allow: /api/*
Disallow: /admin/*

Agent: *
  Capabilities: search
"""


def test_both_ways_without_loss() -> None:
    converted = agentsdisc.parse(TEXT).convert("agents-json")
    assert isinstance(converted, bytes)
    assert isinstance(converted, agentsdisc.Converted)
    assert converted.losses == ()
    assert json.loads(converted)["access"] == {
        "allow": ["/api/*"],
        "disallow": ["/admin/*"],
    }
    back = agentsdisc.parse(converted).convert("agents-txt")
    assert back == TEXT.encode()
    assert back.losses == ()


def test_losses_have_path_reason_and_position() -> None:
    source = b'{"specVersion": "1.0",\n "x": 5, "site": {"name": "a\\nb"}}'
    converted = agentsdisc.parse(source).convert("agents-txt")
    assert converted == b"Spec-Version: 1.0\n"
    first, second = converted.losses
    assert (first.path, first.reason, first.severity) == (
        "metadata.x",
        "not-text",
        "warning",
    )
    assert (first.line, first.column, first.offset, first.end) == (2, 3, 25, 26)
    assert first.message.startswith("`metadata.x`: ")
    assert (second.path, second.reason) == ("service.name", "line-break")
    assert "metadata.x" in repr(first)
    assert first == first and first != second and len({first, second}) == 2


def test_layout() -> None:
    document = agentsdisc.parse(TEXT)
    pretty, compact = (
        document.convert("agents-json", pretty=pretty) for pretty in (True, False)
    )
    assert json.loads(pretty) == json.loads(compact)
    assert pretty.count(b"\n") > 10
    assert b"\n" not in compact


def test_the_unified_model_is_a_target() -> None:
    document = agentsdisc.parse(TEXT)
    assert document.convert("json") == document.to_json().encode()


def test_conversions_that_would_allow_more_are_refused() -> None:
    document = agentsdisc.parse(
        b'{"specVersion": "1.0", "access": {"disallow": ["/a\\nAllow: /*"]}}',
        format="agents-json",
    )
    with pytest.raises(
        agentsdisc.ConvertError, match=r"access\.disallow\[0\]"
    ) as caught:
        document.convert("agents-txt")
    (loss,) = caught.value.losses
    assert (loss.reason, loss.severity) == ("line-break", "error")
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "target", ["adp-search", "nonsense", "", "agents-txt-0.1", "AGENTS-JSON"]
)
def test_other_targets_are_errors(target: str) -> None:
    with pytest.raises(agentsdisc.ConvertError, match="agents-json") as caught:
        agentsdisc.parse(TEXT).convert(target)
    assert caught.value.losses == ()


def test_a_detail_is_of_the_named_capability() -> None:
    source = "Site-URL: https://mugs.example\n\nCapability: get-a\n\nCapability: b\n"
    document = agentsdisc.parse(source)
    manifest = agentsdisc.parse(document.convert("adp"))
    assert [one.id for one in manifest.capabilities] == ["get_a", "b"]
    for name in ("get-a", "get_a"):
        detail = document.convert("adp-capability", capability=name, pretty=False)
        assert detail == b'{"name":"get_a","method":"GET"}'
    for capability in (None, "c", ""):
        with pytest.raises(agentsdisc.ConvertError, match="one capability"):
            document.convert("adp-capability", capability=capability)


def test_origin_and_loosen() -> None:
    source = {
        "awp_version": "0.2",
        "actions": [
            {
                "id": "wipe",
                "endpoint": "/wipe",
                "auth_required": True,
                "sensitivity": "destructive",
            }
        ],
    }
    document = agentsdisc.parse(json.dumps(source), format="awp")
    careful = document.convert("agents-json")
    assert b"wipe" not in careful
    assert "guarded" in {loss.reason for loss in careful.losses}
    loose = document.convert("agents-json", origin="https://a.example", loosen=True)
    (capability,) = json.loads(loose)["capabilities"]
    assert capability["endpoint"] == "https://a.example/wipe"
    assert capability["auth"] == {"type": "unknown"}


def test_a_large_document_lets_other_threads_run() -> None:
    capabilities = [{"id": f"c{n}", "x": n} for n in range(5000)]
    document = agentsdisc.parse(
        json.dumps({"specVersion": "1.0", "capabilities": capabilities}),
        format="agents-json",
    )
    converted = document.convert("agents-txt")
    assert len(converted.losses) == 5000
    assert converted.count(b"Capability: ") == 5000


def test_results_are_bytes_that_can_be_copied_and_pickled() -> None:
    source = b'{"specVersion": "1.0", "x": 5}'
    converted = agentsdisc.parse(source, format="agents-json").convert("agents-txt")
    assert copy.copy(converted).losses == converted.losses
    assert agentsdisc.Converted(b"x") == b"x"
    fixed = agentsdisc.fix("site-name: a\n", format="agents-txt")
    assert copy.copy(fixed).changes == fixed.changes
    plain = agentsdisc.parse(TEXT).convert("agents-json")
    again = pickle.loads(pickle.dumps(plain))
    assert (again, again.losses) == (plain, ())


def test_fix_applies_automatic_fixes() -> None:
    fixed = agentsdisc.fix(
        "spec-version:1.0\nCapability: a\nauth: none\n", format="agents-txt"
    )
    assert fixed == b"Spec-Version: 1.0\nCapability: a\n  Auth: none\n"
    assert {(change.fix, change.line) for change in fixed.changes} == {
        ("letter-case", 1),
        ("indentation", 3),
        ("letter-case", 3),
    }
    assert "indentation" in repr(fixed.changes[1])
    again = agentsdisc.fix(fixed, format="agents-txt")
    assert again == fixed
    assert again.changes == ()


def test_fix_accepts_the_arguments_of_parse() -> None:
    text = b"Site: a\nURL: https://a.example\nAllow: b\nFlow: c -> b\n"
    for data in (text, bytearray(text), memoryview(text), text.decode()):
        assert "→".encode() in agentsdisc.fix(data)
    with pytest.raises(agentsdisc.ParseError):
        agentsdisc.fix(b"\xff", format="agents-txt")
    with pytest.raises(agentsdisc.ConvertError, match="agents-json"):
        agentsdisc.fix("{}", format="agents-json")
    with pytest.raises(agentsdisc.ParseError):
        agentsdisc.fix(text, format="agents-txt", limits=agentsdisc.Limits(document=10))


def test_preferences_are_written_in_both_fields() -> None:
    source = b"# ours\nUser-agent: *\nContent-Signal: ai-train=no\nContent-Usage: /a search=y\n"
    document = agentsdisc.parse(source, format="robots-txt")
    converted = document.convert("robots-txt")
    assert converted == source + b"Content-Usage: train-ai=n\n"
    (lost, changed) = sorted(
        converted.losses, key=lambda loss: loss.offset, reverse=True
    )
    assert (lost.path, lost.reason, lost.line) == (
        "robots.preferences[1]",
        "one-field",
        4,
    )
    assert (changed.path, changed.reason) == ("robots.preferences", "changed")
    before, after = agentsdisc.RobotsTxt(source), agentsdisc.RobotsTxt(converted)
    for url in ("/", "/a"):
        for purpose in ("train-ai", "search", "ai-input"):
            was, now = (r.preference("AnyBot", url, purpose) for r in (before, after))
            assert was.preference == now.preference
    # Another format has no place for them.
    losses = {loss.path: loss.reason for loss in document.convert("agents-txt").losses}
    assert (
        losses["robots.preferences[0]"] == losses["robots.preferences[1]"] == "no-place"
    )
