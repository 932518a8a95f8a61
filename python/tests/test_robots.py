"""`RobotsTxt`: decisions and the deciding lines."""

import json
import pickle

import agentsdisc
import pytest
from agentsdisc import RobotsTxt
from conftest import ROOT

TEXT = b"""\
User-agent: FooBot
Disallow: /private # not for robots
Allow: /private/press*
Crawl-delay: 2.5

User-agent: *
Disallow: /*.pdf$
Crawl-delay: soon

Sitemap: https://mugs.example/sitemap.xml
"""
VECTORS = sorted((ROOT / "conformance").rglob("*.in"))


def test_the_deciding_rule_is_named() -> None:
    robots = RobotsTxt(TEXT)
    verdict = robots.decide("foobot/2.1", "https://mugs.example/private/x?y")
    assert (verdict.allowed, verdict.reason, verdict.binding) == (
        False,
        "rule",
        "named",
    )
    rule = verdict.rule
    assert rule is not None
    assert (rule.allow, rule.pattern, rule.line) == (False, "/private", 2)
    assert TEXT[slice(*rule.span)] == b"/private"
    assert repr(verdict) == "<RobotsDecision not allowed, line 2: Disallow: /private>"
    assert repr(rule) == "<DecidingRule line 2: Disallow: /private>"


@pytest.mark.parametrize(
    ("agent", "url", "allowed", "reason", "binding"),
    [
        ("FooBot", "/private/press/1", True, "rule", "named"),
        ("FooBot", "/a.pdf", True, "no-rule", "named"),
        ("BarBot", "/a.pdf", False, "rule", "any"),
        (b"BarBot", b"/a.pdf", False, "rule", "any"),
        ("BarBot", "/", True, "no-rule", "any"),
        ("FooBot", "https://mugs.example/robots.txt", True, "robots-file", None),
        ("\ud800", "/\udfff", True, "no-rule", "any"),
        ("", "", False, "invalid-agent", None),
        ("BarBot", "", True, "no-rule", "any"),
    ],
)
def test_agents_and_urls(
    agent: str | bytes,
    url: str | bytes,
    allowed: bool,
    reason: str,
    binding: str | None,
) -> None:
    robots = RobotsTxt(TEXT)
    assert robots.allowed(agent, url) is allowed
    verdict = robots.decide(agent, url)
    assert (verdict.allowed, verdict.reason, verdict.binding) == (
        allowed,
        reason,
        binding,
    )
    assert (verdict.rule is None) is (reason != "rule")


def test_without_a_group_everything_is_allowed() -> None:
    verdict = RobotsTxt("User-agent: a\nDisallow: /\n").decide("b", "/")
    assert (verdict.allowed, verdict.reason, verdict.rule) == (True, "no-group", None)
    assert RobotsTxt(b"").allowed("b", "/")


def test_delays_groups_and_sitemaps() -> None:
    robots = RobotsTxt(TEXT)
    assert robots.crawl_delay("FooBot") == 2.5
    assert robots.crawl_delay("BarBot") is None
    assert [group.agents for group in robots.groups] == [("FooBot",), ("*",)]
    assert robots.groups[0].rules[1].pattern == "/private/press*"
    assert robots.groups[1].crawl_delay == "soon"
    assert robots.groups is robots.groups
    assert robots.sitemaps == ("https://mugs.example/sitemap.xml",)
    assert repr(robots) == f"<RobotsTxt groups: 2, sitemaps: 1, bytes: {len(TEXT)}>"


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfUser-agent: *\nDisallow: /caf\xe9\n",
        bytearray(b"User-agent: *\r\nDisallow: /caf\xe9\r\n"),
        memoryview(b"user-agent:*\rdisallow:/caf\xe9"),
    ],
)
def test_any_encoding_is_read(data: bytes | bytearray | memoryview) -> None:
    robots = RobotsTxt(data)
    assert not robots.allowed("a", b"/caf\xe9")
    assert robots.allowed("a", b"/cafe")
    assert robots.groups[0].rules[0].pattern == "/caf\ufffd"


def test_of_a_document() -> None:
    document = agentsdisc.parse(TEXT)
    robots = RobotsTxt.of(document)
    assert robots == RobotsTxt(TEXT)
    assert hash(robots) == hash(RobotsTxt(TEXT))
    assert robots != RobotsTxt(b"")
    assert robots.bytes is document.bytes
    assert document.robots is not None
    assert document.robots.groups == robots.groups
    with pytest.raises(ValueError, match="agents-json"):
        RobotsTxt.of(agentsdisc.parse("{}", format="agents-json"))


def test_a_long_one_is_cut_at_a_line() -> None:
    limits = agentsdisc.Limits(robots=40)
    robots = RobotsTxt(
        "User-agent: *\nDisallow: /a\nDisallow: /because\n", limits=limits
    )
    assert robots.is_cut
    assert not robots.allowed("x", "/a")
    assert robots.allowed("x", "/because")
    assert not RobotsTxt(TEXT).is_cut
    again = pickle.loads(pickle.dumps(robots))
    assert again == robots
    assert again.is_cut


def test_wrong_types_are_refused() -> None:
    robots = RobotsTxt(TEXT)
    with pytest.raises(TypeError, match="agent must be str or bytes, not int"):
        robots.allowed(5, "/")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="url must be str or bytes, not NoneType"):
        robots.decide("a", None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        RobotsTxt(None)  # type: ignore[arg-type]


def test_hostile_ones_end() -> None:
    data = b"User-agent: *\nDisallow: /" + b"*a" * 10_000 + b"$\n"
    assert RobotsTxt(data).allowed("a", "/" + "a" * 2_000 + "b")
    robots = RobotsTxt(b"User-agent: *\nDisallow: /x\n" * 20_000)
    assert not robots.allowed("a", "/x")
    assert len(robots.groups) > 1000


def test_the_decisions_of_the_vectors() -> None:
    for path in VECTORS:
        expected = json.loads(path.with_suffix(".json").read_bytes())
        limits = agentsdisc.Limits(**expected.get("options", {}).get("limits", {}))
        for case in expected.get("decisions", ()):
            robots = RobotsTxt(path.read_bytes(), limits=limits)
            verdict = robots.decide(case["agent"], case["url"])
            line = verdict.rule.line if verdict.rule else None
            found = (verdict.allowed, line)
            assert found == (case["allowed"], case.get("line")), (path, case)
            assert robots.allowed(case["agent"], case["url"]) is case["allowed"]


PREFERENCES = b"""\
Content-Signal: search=yes

User-agent: MugBot
User-agent: CupBot
Disallow: /x
Content-Signal: ai-train=no, use=reference
Content-Usage: /open/ train-ai=y

Agentmap: https://mugs.example/catalog.json
Host: mugs.example
"""


def test_the_preferences_of_the_vectors() -> None:
    count = 0
    for path in VECTORS:
        expected = json.loads(path.with_suffix(".json").read_bytes())
        for case in expected.get("preferences", ()):
            robots = RobotsTxt(path.read_bytes())
            asked = (case["agent"], case["url"], case["purpose"])
            answer = robots.preference(*asked)
            line = answer.statement.line if answer.statement else None
            found = (answer.preference, line)
            assert found == (case["preference"], case.get("line")), (path, case)
            count += 1
    assert count > 40


def test_preferences() -> None:
    robots = RobotsTxt(PREFERENCES)
    first, second, third, fourth = robots.preferences
    assert (first.purpose, first.preference, first.agents) == ("search", "allow", ())
    assert (second.purpose, second.purpose_text) == ("train-ai", "ai-train")
    assert (second.agents, second.source) == (("MugBot", "CupBot"), "content-signal")
    assert PREFERENCES[slice(*second.span)] == b"ai-train=no" and second.line == 6
    assert (third.purpose, third.purpose_text, third.preference) == (
        "unknown",
        "use",
        "not-stated",
    )
    assert (fourth.path, fourth.source) == ("/open/", "content-usage")
    assert repr(third) == "<Preference line 6: not-stated use>"
    assert robots.agentmaps == ("https://mugs.example/catalog.json",)
    assert [(f.name, f.value) for f in robots.fields] == [("Host", "mugs.example")]
    model = agentsdisc.parse(PREFERENCES, format="robots-txt").to_dict()["robots"]
    assert [item.get("group") for item in model["preferences"]] == [None, 0, 0, 0]


def test_a_preference_and_a_header() -> None:
    robots = RobotsTxt(PREFERENCES)
    answer = robots.preference("MugBot", "/a", "train-ai")
    assert (answer.preference, answer.crawlable, answer.by_header) == (
        "disallow",
        True,
        False,
    )
    assert answer.statement is not None and answer.statement.line == 6
    assert robots.preference("CupBot", "/open/a", "train-ai").preference == "disallow"
    assert robots.preference("MugBot", "/x", "search").crawlable is False
    answer = robots.preference("MugBot", "/a", "search", content_usage="search=n")
    assert (answer.preference, answer.statement, answer.by_header) == (
        "disallow",
        None,
        True,
    )
    assert repr(answer) == "<PreferenceAnswer disallow, header>"
    answer = robots.preference(b"MugBot", "/a", "search", content_usage=b"search=y")
    assert (answer.preference, answer.by_header) == ("allow", False)
    for value in (*robots.preferences, answer):
        assert pickle.loads(pickle.dumps(value)) == value
        assert hash(pickle.loads(pickle.dumps(value))) == hash(value)
    with pytest.raises(TypeError):
        robots.preference("MugBot", "/a", 1)  # type: ignore[arg-type]


def test_a_purpose_need_not_be_spelled_exactly_but_must_be_there() -> None:
    url = "https://mugs.example/robots.txt"
    text = b"Content-Signal: ai-train=no\n"
    assert agentsdisc.parse(text, url=url).format == "robots-txt"
    robots = RobotsTxt(text)
    for purpose in ("train-ai", "Train_AI", " ai-train\n"):
        assert robots.preference("MugBot", "/", purpose).preference == "disallow"
    for purpose in ("", " ", b"\n"):
        with pytest.raises(ValueError, match="purpose is empty"):
            robots.preference("MugBot", "/", purpose)


def test_compiled_rules_decide_as_the_robots_txt() -> None:
    robots = RobotsTxt(TEXT)
    for agent in (
        "FooBot",
        b"BarBot",
        "",
        "\ud800",
        "Mozilla/5.0 (compatible; FooBot)",
    ):
        compiled = robots.compile(agent)
        assert repr(compiled).startswith("<CompiledRobots for ")
        again = pickle.loads(pickle.dumps(compiled))
        for url in (
            "/private/x",
            b"/private/press",
            "/a.pdf",
            "",
            "/robots.txt",
            "\udfff",
        ):
            expected = robots.decide(agent, url)
            assert compiled.decide(url) == expected
            assert compiled.allowed(url) is expected.allowed
            assert again.allowed(url) is expected.allowed
    with pytest.raises(TypeError, match="url must be str or bytes"):
        robots.compile("FooBot").allowed(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="agent must be str or bytes"):
        robots.compile(None)  # type: ignore[arg-type]
