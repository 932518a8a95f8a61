"""Policy decisions: vectors, attributes and the command line."""

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from agentsdisc import (
    Decision,
    Document,
    PrerequisiteError,
    RobotsTxt,
    decide,
    parse,
)
from conftest import ROOT, Run

VECTORS = sorted((ROOT / "conformance/policy").rglob("*.json"))
TXT = """\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/s
  Protocol: REST
  Rate-Limit: 2/second
Capability: order
  Endpoint: https://mugs.example/o
  Protocol: REST
  Method: POST
  Auth: bearer-token
  Auth-Endpoint: https://mugs.example/token
Capability: signed
  Endpoint: https://mugs.example/h
  Protocol: REST
  Auth: hmac
Disallow: /admin/*
Agent: *
  Rate-Limit: 60/minute
Agent: Named
  Capabilities: search
"""


@pytest.fixture
def shop() -> Document:
    return parse(TXT)


def text_of(part: dict[str, Any]) -> str:
    return "\n".join(part["lines"]) + "\n"


def document_of(part: dict[str, Any]) -> Document:
    text = json.dumps(part["json"]) if "json" in part else text_of(part)
    return parse(text, format=part.get("format"))


def holds(expected: Any, actual: Any) -> bool:
    """Returns True if all expected values are present; None means absent."""
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            holds(value, actual.get(name)) for name, value in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(actual, list)
            and len(expected) == len(actual)
            and all(map(holds, expected, actual))
        )
    return bool(expected == actual)


def test_there_are_vectors() -> None:
    assert len(VECTORS) > 80


@pytest.mark.parametrize(
    "path", VECTORS, ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_vector(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    documents = [document_of(document) for document in case["documents"]]
    robots = case.get("robots")
    if isinstance(robots, dict):
        robots = RobotsTxt(text_of(robots))
    for question in case["questions"]:
        asked = {name: value for name, value in question.items() if name != "expect"}
        decision = decide(documents, robots=robots, **asked)
        assert holds(question["expect"], decision.to_dict()), (
            asked,
            decision.to_dict(),
        )
        same_as_dict(decision)


def same_as_dict(decision: Decision) -> None:
    """Checks that the attributes equal the members of the dict."""
    members = decision.to_dict()
    assert (decision.allowed, decision.reason) == (
        members["allowed"],
        members["reason"],
    )
    assert (decision.rule is None) is ("rule" not in members)
    assert (decision.session is None) is ("session" not in members)
    assert [limit.requests for limit in decision.rate_limits] == [
        limit["requests"] for limit in members.get("rate_limits", [])
    ]
    assert decision.auth.need == members["auth"]["need"]
    assert decision.cannot == tuple(members.get("cannot", ()))
    if not decision.prerequisites_unknown and not decision.prerequisite_cycle:
        assert decision.prerequisites == tuple(members.get("prerequisites", ()))
    human = members.get("human", {})
    assert decision.confirmation == human.get("confirmation", "not-stated")


def test_restrictions_that_are_not_read_are_named() -> None:
    text = b"Engine: *\nAllow: read\nDisallow: write\nDisallow: /admin\n"
    with pytest.raises(agentsdisc.ParseError):
        parse(text)
    document = parse(text, format="unknown")
    assert (document.format, document.bytes) == ("unknown", text)
    assert pickle.loads(pickle.dumps(document)) == document
    denied = decide([document], agent="Bot", url="/admin/x", robots="absent")
    assert (denied.allowed, denied.reason) == (False, "unread-restriction")
    assert denied.rule is not None and denied.rule.line == 4
    open_ = decide([document], agent="Bot", url="/read", robots="absent")
    assert (open_.allowed, open_.reason) == (True, "not-stated")
    assert open_.unread == denied.unread == ("write", "/admin")


def test_the_line_that_decides_is_named(shop: Document) -> None:
    decision = shop.decide(agent="Bot/1.0", url="https://mugs.example/admin/x")
    assert (decision.allowed, decision.reason) == (False, "disallowed")
    rule = decision.rule
    assert rule is not None
    assert (rule.text, rule.document, rule.line, rule.column) == ("/admin/*", 0, 18, 11)
    assert repr(decision) == (
        "<Decision not allowed: disallowed, document 0, line 18: '/admin/*'>"
    )
    assert "Disallow" in decision.message


def test_limits_and_the_strictest(shop: Document) -> None:
    decision = shop.decide(agent="Bot", capability="search")
    assert [
        (limit.scope, limit.requests, limit.window) for limit in decision.rate_limits
    ] == [("agent", 60, "minute"), ("capability", 2, "second")]
    assert decision.advisory_limit == decision.rate_limits[0]
    assert decision.endpoint == "https://mugs.example/s"


def test_headers(shop: Document) -> None:
    order = shop.decide(agent="Bot", capability="order")
    assert order.auth.type == "bearer-token"
    assert order.auth.token_url == "https://mugs.example/token"
    assert order.auth_header("secret") == ("Authorization", "Bearer secret")
    assert shop.decide(agent="Bot", capability="search").auth_header("x") is None
    with pytest.raises(ValueError, match="not valid in a header"):
        order.auth_header("a\nb")
    with pytest.raises(ValueError, match="which header"):
        shop.decide(agent="Bot", capability="signed").auth_header("x")
    with pytest.raises(ValueError, match="not allowed"):
        shop.decide(agent="named", capability="order").auth_header("x")


def test_dependencies_that_cannot_be_read_are_said() -> None:
    site = {"awp_version": "0.2", "domain": "a.example", "intent": "x"}
    for dependencies, first, unknown in (
        ({"pay": ["look"]}, ("look",), False),
        ({"pay": ["look", 5]}, ("look",), True),
        (5, (), True),
    ):
        text = json.dumps(
            site | {"actions": [{"id": "pay"}], "dependencies": dependencies}
        )
        decision = parse(text).decide(agent="Bot", capability="pay")
        assert decision.prerequisites_unknown is unknown
        if not unknown:
            assert decision.prerequisites == first
            continue
        with pytest.raises(PrerequisiteError, match="cannot be read") as raised:
            decision.prerequisites  # noqa: B018
        assert (raised.value.cycle, raised.value.readable) == ((), first)


def test_prerequisites_in_a_cycle_raise() -> None:
    site = {"awp_version": "0.2", "domain": "a.example", "intent": "x"}
    text = json.dumps(
        site | {"actions": [{"id": "a"}], "dependencies": {"a": ["b"], "b": ["a"]}}
    )
    decision = parse(text).decide(agent="Bot", capability="a")
    with pytest.raises(PrerequisiteError) as raised:
        decision.prerequisites  # noqa: B018
    assert raised.value.cycle == decision.prerequisite_cycle == ("a", "b")


def test_methods(shop: Document) -> None:
    assert shop.decide(agent="Bot", capability="order").allowed
    assert shop.decide(agent="Bot", capability="order", method="POST").allowed
    wrong = shop.decide(agent="Bot", capability="order", method="GET")
    assert wrong.reason == "method-not-declared"


def test_robots(shop: Document) -> None:
    rules = RobotsTxt("User-agent: *\nDisallow: /s\nCrawl-delay: 3\n")
    decision = shop.decide(agent="Bot", capability="search", robots=rules)
    assert decision.reason == "robots-disallowed"
    assert decision.rule is not None and decision.rule.document == "robots"
    assert decision.advisory_limit is not None
    assert decision.advisory_limit.milliseconds == 3000
    ask = {"agent": "Bot", "url": "/x"}
    assert shop.decide(**ask, robots="absent").allowed
    assert shop.decide(**ask, robots="unreachable").reason == "robots-unreachable"


def test_approved_endpoints() -> None:
    document = parse(
        TXT + "Capability: far\n  Endpoint: https://far.test/f\n  Protocol: REST\n"
    )
    ask = {"agent": "Bot", "capability": "far"}
    assert document.decide(**ask).reason == "cross-origin-endpoint"
    approved = document.decide(**ask, approved=["https://far.test/f"])
    assert (approved.allowed, approved.reason) == (True, "approved-endpoint")


def test_misuse(shop: Document) -> None:
    with pytest.raises(ValueError, match="either"):
        shop.decide(agent="Bot")
    with pytest.raises(ValueError, match="either"):
        shop.decide(agent="Bot", url="/x", capability="search")
    with pytest.raises(ValueError, match="robots must be"):
        shop.decide(agent="Bot", url="/x", robots="gone")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="several"):
        shop.decide(agent="Bot", url="/x", approved="https://a.test/")
    with pytest.raises(TypeError):
        decide([shop, "x"], agent="Bot", url="/x")  # type: ignore[list-item]
    with pytest.raises(TypeError):
        shop.decide(url="/x")  # type: ignore[call-arg]


def test_decisions_are_values(shop: Document) -> None:
    decision = shop.decide(agent="Bot", capability="order")
    assert decision == shop.decide(agent="Bot", capability="order")
    assert decision != shop.decide(agent="Bot", capability="search")
    assert len({decision, copy.copy(decision)}) == 1
    again = pickle.loads(pickle.dumps(decision))
    assert again == decision
    assert again.auth_header("secret") == ("Authorization", "Bearer secret")
    decision.to_dict()["allowed"] = False
    assert decision.to_dict()["allowed"] is True


def test_reasons_are_a_closed_list() -> None:
    reasons = agentsdisc.reasons()
    assert len({reason for reason, *_ in reasons}) == len(reasons) > 30
    guide = (ROOT / "docs/reasons.md").read_text(encoding="utf-8")
    for reason, allows, section, message in reasons:
        assert f"`{reason}` | {section} | {message} |" in guide, reason
        assert isinstance(allows, bool)


def test_cli_names_the_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_text(TXT, encoding="utf-8")
    ask = ("decide", "agents.txt", "--agent", "Bot/1.0")
    done = run(*ask, "--url", "https://mugs.example/admin/x", check=1)
    first, second, *_ = done.stdout.splitlines()
    assert first.startswith("not allowed: ") and first.endswith("[disallowed]")
    assert second == "agents.txt:18:11: Disallow: /admin/*"
    done = run(*ask, "--capability", "order", check=0)
    assert "authentication  required: bearer-token" in done.stdout
    assert "header  Authorization: Bearer <token>" in done.stdout
    assert "endpoint  POST https://mugs.example/o" in done.stdout
    assert (
        "rate limit  60/minute for the agent, agents.txt (the strictest)" in done.stdout
    )


def test_cli_json_and_robots(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_text(TXT, encoding="utf-8")
    (tmp_path / "robots.txt").write_text(
        "User-agent: *\nDisallow: /x\n", encoding="utf-8"
    )
    ask = ("decide", "agents.txt", "--agent", "Bot", "--url", "/x")
    found = json.loads(run(*ask, "--json", check=0).stdout)
    assert found["reason"] == "not-disallowed"
    done = run(*ask, "--robots", "robots.txt", check=1)
    assert "robots.txt:2:11: Disallow: /x" in done.stdout
    assert "[robots-unreachable]" in run(*ask, "--robots-status", "503", check=1).stdout
    run(*ask, "--robots-status", "404", check=0)
    run(*ask, "--method", "G T", check=1)
    run(*ask, "--origin", "https://other.example", check=0)
    run("decide", "agents.txt", "--agent", "B", "--url", "https://a.test/", check=1)


PREFERENCES = "User-agent: *\nAllow: /\nContent-Usage: train-ai=n, search=y\n"


def test_purposes(shop: Document) -> None:
    robots = RobotsTxt(PREFERENCES)
    ask: dict[str, Any] = {"agent": "Bot", "url": "/x", "robots": robots}
    assert shop.decide(**ask).preference is None
    denied = shop.decide(**ask, purpose="train-ai")
    assert (denied.allowed, denied.reason) == (False, "preference-disallowed")
    assert denied.rule is not None and denied.preference is not None
    assert (denied.rule.document, denied.rule.line) == ("robots", 3)
    assert denied.preference.statement == denied.rule
    allowed = shop.decide(**ask, purpose="search")
    assert allowed.preference is not None and allowed.allowed
    assert allowed.preference.preference == "allow"
    header = shop.decide(**ask, purpose="search", content_usage="search=n")
    assert header.preference is not None and header.preference.header
    assert (header.allowed, header.rule) == (False, None)
    with pytest.raises(TypeError):
        shop.decide(**ask, purpose=b"search")


def test_cli_purpose(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_text(TXT, encoding="utf-8")
    (tmp_path / "robots.txt").write_text(PREFERENCES, encoding="utf-8")
    ask = ("decide", "agents.txt", "--agent", "Bot", "--url", "/x")
    ask = (*ask, "--robots", "robots.txt", "--purpose")
    done = run(*ask, "ai-train", check=1)
    first, second, third, *_ = done.stdout.splitlines()
    assert first.endswith("[preference-disallowed]")
    assert second == "robots.txt:3:16: Content-Usage: train-ai=n, search=y"
    assert third == "preference  ai-train: disallow"
    done = run(*ask, "search", check=0)
    assert "robots.txt:3:28: Content-Usage: train-ai=n, search=y" in done.stdout
    done = run(*ask, "Train_AI", check=1)
    assert "preference  Train_AI: disallow" in done.stdout and not done.stderr
    done = run(*ask, "trian-ai", check=0)
    assert "trian-ai is not a known purpose" in done.stderr
    assert "did you mean train-ai?" in done.stderr
    done = run(*ask, "example", check=0)
    assert "not a known purpose" in done.stderr and "did you" not in done.stderr
    done = run(*ask, "search", "--content-usage", "search=n", check=1)
    assert "purpose" not in done.stderr
    assert "preference  search: disallow (Content-Usage header)" in done.stdout


def test_cli_given_wrongly(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_text(TXT, encoding="utf-8")
    ask = ("decide", "agents.txt", "--agent", "Bot")
    run(*ask, "--method", "GET", check=2)
    run(*ask, "--url", "/x", "--capability", "y", check=2)
    run("decide", "agents.txt", "--url", "/x", check=2)
    run("decide", "missing.txt", "--agent", "Bot", "--url", "/x", check=2)
    run(*ask, "--url", "/x", "--robots", "missing.txt", check=2)
    run(*ask, "--url", "/x", "--robots-status", "200", check=2)


def test_cli_shows_no_control_characters(run: Run, tmp_path: Path) -> None:
    evil = TXT.replace("/admin/*", "/admin/*\x1b[31m\u202e")
    (tmp_path / "agents.txt").write_text(evil, encoding="utf-8")
    words = "# X\n\n## Cannot\n- Do\x1b[2J that\n"
    (tmp_path / "agents.md").write_text(words, encoding="utf-8")
    ask = ("decide", "agents.txt", "agents.md", "--agent", "Bot", "--url")
    done = run(*ask, "/admin/%1B[31m%E2%80%AE", check=1)
    assert "\\x1b[31m" in done.stdout and "\\x1b[2J" in done.stdout
    assert all(c.isprintable() or c == "\n" for c in done.stdout)


def service(*, refresh: str | None = None, **members: Any) -> Decision:
    """Decides about the action of an agent.json with these members."""
    auth: dict[str, Any] = {"type": "oauth2", "required_for": ["a"]}
    if refresh:
        auth["refresh_endpoint"] = refresh
    action = {"id": "a", "auth_required": True, "endpoint": "/a", "method": "POST"}
    head = {"awp_version": "0.2", "domain": "mugs.example", "intent": "x"}
    document = parse(json.dumps(head | members | {"actions": [action], "auth": auth}))
    return document.decide(agent="Bot", capability="a")


@pytest.mark.parametrize(
    ("refresh", "relation"),
    [
        ("/refresh", "same-host"),
        ("https://login.mugs.example/refresh", "subdomain"),
        ("https://other.example/refresh", "other"),
    ],
)
def test_a_decision_relates_the_refresh_url_to_the_site(
    refresh: str, relation: str
) -> None:
    auth = service(refresh=refresh).auth
    assert (auth.refresh_url, auth.refresh_relation) == (refresh, relation)
    assert auth.refresh_relation_verified is True


def test_a_decision_without_a_refresh_url_has_no_relation() -> None:
    auth = service().auth
    assert auth.need == "required"
    assert (auth.refresh_url, auth.refresh_relation) == (None, None)
    assert auth.refresh_relation_verified is None


@pytest.mark.parametrize(
    ("members", "synthetic", "confidence"),
    [
        ({"source": "synthetic", "generated_by": "x", "confidence": 0.87}, True, 0.87),
        ({"source": "synthetic", "generated_by": "x", "confidence": 1}, True, 1),
        ({"source": "synthetic", "generated_by": "x"}, True, None),
        # The site's own document: the number says nothing about it.
        ({"source": "native", "confidence": 0.87}, False, None),
        ({}, False, None),
    ],
)
def test_a_decision_by_a_third_party_says_so(
    members: dict[str, Any], synthetic: bool, confidence: float | None
) -> None:
    decision = service(**members)
    assert decision.allowed
    assert (decision.synthetic, decision.confidence) == (synthetic, confidence)
    assert copy.copy(decision).confidence == confidence
    assert decision.to_dict().get("confidence") == confidence


@pytest.mark.parametrize("body", [b"", "", {}, bytearray(), memoryview(b"")])
def test_an_empty_body_is_an_unknown_document(body: Any) -> None:
    decision = decide(body, agent="Bot", url="https://mugs.example/x")
    assert decision.reason == "not-stated"
    assert [document.format for document in decision._asked[0]] == ["unknown"]


def test_one_document_needs_no_list() -> None:
    url = "https://mugs.example/admin/x"
    for documents in (parse(TXT), [parse(TXT)]):
        assert decide(documents, agent="Bot", url=url).reason == "disallowed"


@pytest.mark.parametrize("agent", ["", "  ", "Bot\n", "\u200b", "(Bot)", "/1.0"])
def test_an_invalid_agent_is_denied(agent: str) -> None:
    decision = decide([], agent=agent, url="https://mugs.example/x", robots="absent")
    assert (decision.allowed, decision.reason) == (False, "invalid-agent")
    verdict = RobotsTxt(b"").decide(agent, "/x")
    assert (verdict.allowed, verdict.reason) == (False, "invalid-agent")


def test_robots_txt_resolves_dot_segments() -> None:
    robots = RobotsTxt(b"User-agent: MugBot\nDisallow: /x\n")
    agent = "Mozilla/5.0 (compatible; MugBot/1.0)"
    for url in ("/x", "/y/../x", "/y/%2e%2E/x"):
        assert not robots.allowed(agent, url)
    assert robots.decide(agent, "/./" + "y" * 2100).reason == "invalid-url"
