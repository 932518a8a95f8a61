"""What scanners will probably say: on sites of which that is known, and where it cannot be known."""

import json
import re
import time
from dataclasses import replace
from typing import Any

import pytest
from agentsdisc.readiness.prediction import (
    outcome,
    outlook,
    predict,
    requests,
    rules,
    title,
)
from agentsdisc.readiness.report import STATUSES
from agentsdisc.readiness.survey import Answer
from scanned_sites import ORIGIN, C, D, F, L, N, P, Part, U, at, report, sites

SCANNERS: dict[str, Any] = rules()["scanners"]
EACH = [(name, each) for name, about in SCANNERS.items() for each in about["checks"]]
IDS = {each["check"] for _, each in EACH}


def said(site: Part, **options: Any) -> dict[tuple[str, str], str]:
    found = outlook(report(IDS, site.here), site.answers, ORIGIN, **options)
    return {(one.scanner, one.id): one.status for one in found}


def test_the_prediction_is_right_on_sites_with_known_results() -> None:
    wrong, number, seen = [], 0, set()
    for count, site in enumerate(sites(240)):
        found = said(site)
        for name, status in site.said.items():
            number += 1
            seen.add((name, status))
            if found[name] != status:
                wrong.append((count, *name, status, found[name]))
    assert number > 10_000
    assert wrong == []
    # Every rule that decides anything is tried with each result that its steps have.
    for name, each in EACH:
        if (name, each["id"]) not in {one for one, _ in seen}:
            continue
        tried = {status for one, status in seen if one == (name, each["id"])}
        assert len(tried) > 1, (name, each["id"])


def test_every_check_of_isitagentready_is_mapped() -> None:
    ids = [each["id"] for each in SCANNERS[C]["checks"]]
    assert len(ids) == len(set(ids)) == 22
    checks = [each["check"] for each in SCANNERS[C]["checks"]]
    assert len(set(checks)) == 22, "the level and the score need one result for each"


CONDITIONS = {
    *("status", "type", "html", "header", "matches", "text", "least", "even", "json"),
    *("has", "at_origin", "in_header", "shorter", "longer", "links", "here", "is"),
    *("not", "all", "any", "at"),
}


@pytest.mark.parametrize(("scanner", "check"), EACH, ids=lambda one: str(one)[:40])
def test_the_rules_are_written_right(scanner: str, check: dict[str, Any]) -> None:
    assert re.fullmatch(r"\d{4}-\d\d", SCANNERS[scanner]["as_of"])
    assert check.keys() <= {
        *("id", "check", "at", "steps", "pass", "differs", "optional"),
        "profiles",
    }
    for step in check["steps"]:
        (status,) = step.keys() - {"because"}
        assert status in STATUSES and step["because"]
        waiting = [step[status]]
        while waiting:
            condition = waiting.pop()
            assert condition.keys() <= CONDITIONS, condition
            waiting += [condition["not"]] if "not" in condition else []
            waiting += [*condition.get("all", ()), *condition.get("any", ())]
            for name in ("text", "matches"):
                re.compile(condition.get(name, ""))
    for each in check.get("differs", ()):
        assert each["because"] and each["section"]
        assert not set(each["here"]) & set(each["scanner"])
        assert {*each["here"], *each["scanner"]} <= set(STATUSES)


def test_a_difference_names_reason_and_section() -> None:
    star = at("/robots.txt", "User-agent: *\nAllow: /\n", "text/plain")
    told = predict(report(IDS, {}), [star], ORIGIN)["ai-rules"].predicted[C]
    assert told.status == F
    assert "RFC 9309, section 2.2.1" in told.message
    agreed = predict(report(IDS, {"ai-rules": F}), [star], ORIGIN)["ai-rules"]
    assert agreed.predicted[C].status == F
    assert "RFC 9309" not in agreed.predicted[C].message


def test_the_column_never_changes_what_was_verified() -> None:
    for site in sites(20):
        before = report(IDS, site.here)
        after = predict(before, site.answers, ORIGIN)
        bare = tuple(replace(check, predicted={}) for check in after.checks)
        assert replace(after, checks=bare) == before
        assert type(after).from_json(after.to_json()) == after


def test_nothing_is_decided_without_answers() -> None:
    nothing = report(IDS, dict.fromkeys(IDS, U))
    assert {one.status for one in outlook(nothing, [], ORIGIN)} == {U}


def test_hidden_headers_leave_types_open() -> None:
    hidden = replace(at("/robots.txt", "User-agent: *\n"), hides_headers=True)
    site = Part([hidden], {})
    assert said(site)[C, "robotsTxt"] == U
    assert said(site)[C, "robotsTxtAiRules"] == F
    # The body alone decides that it fails, whatever the type is.
    poor = replace(hidden, body=b"Disallow: /\n")
    assert said(Part([poor], {}))[C, "robotsTxt"] == F


def test_a_cut_body_decides_only_what_its_beginning_shows() -> None:
    index = "/.well-known/agent-skills/index.json"
    cut = replace(at(index, b'{"$schema": "0.2.0", "skills": ['), is_cut=True)
    assert said(Part([cut], {}))[C, "agentSkills"] == U
    llms = replace(at("/llms.txt", "# A\n" + "x" * 200_000), is_cut=True)
    found = said(Part([llms, at("/docs/llms.txt", "", "", 404)], {}))
    assert found[L, "llms-txt"] == U
    assert found[D, "llms-txt-size"] == F


def test_redirects_are_followed_among_the_answers() -> None:
    away = at("/robots.txt", "", "", 301, headers=[("Location", "/r.txt")])
    real = at("/r.txt", "User-agent: *\n", "text/plain")
    assert said(Part([away, real], {}))[C, "robotsTxt"] == P
    assert said(Part([away], {}))[C, "robotsTxt"] == U
    circle = at("/r.txt", "", "", 302, headers=[("Location", "/robots.txt")])
    assert said(Part([away, circle], {}))[C, "robotsTxt"] == F
    broken = at("/robots.txt", "", "", 302, headers=[("Location", "https://[")])
    assert said(Part([broken], {}))[C, "robotsTxt"] == F


def test_a_catalog_elsewhere_is_not_predicted() -> None:
    here = [at("/", "<p>"), _none("/.well-known/ai-catalog.json")]
    map = f"User-agent: *\nAgentmap: {ORIGIN}/{{}}\n"
    rest = at("/robots.txt", map.format(".well-known/ai-catalog.json"))
    away = at("/robots.txt", map.format("agents/catalog.json"))
    assert said(Part([*here, rest], {}))[L, "ard-schema"] == N
    assert said(Part([*here, away], {}))[L, "ard-schema"] == U


def test_sitemaps_that_robots_txt_names_come_first() -> None:
    robots = at(
        "/robots.txt", f"User-agent: *\nSitemap: {ORIGIN}/s.xml\n", "text/plain"
    )
    answers = [robots, at("/s.xml", "<urlset ", "text/xml"), *map(_none, _GUESSES)]
    assert said(Part(answers, {}))[C, "sitemap"] == P
    assert said(Part([robots, *map(_none, _GUESSES)], {}))[C, "sitemap"] == U


_GUESSES = (
    "/sitemap-index.xml",
    "/sitemap.xml.gz",
    "/sitemap_index.xml",
    "/sitemap.xml",
)


def _none(path: str) -> Answer:
    return at(path, "", "", 404)


@pytest.mark.parametrize(
    ("passes", "unknown", "words"),
    [
        ([], [], "probably level 0 (Not Ready)"),
        (["robots-txt", "sitemap"], [], "probably level 1 (Basic Web Presence)"),
        (["robots-txt"], ["sitemap"], "0 (Not Ready) to 1 (Basic Web Presence)"),
        (["ai-rules", "content-signals"], [], "level 0"),
        (["robots-txt", "link-headers", "ai-rules", "content-signals"], [], "level 2"),
        (
            [
                *("robots-txt", "sitemap", "ai-rules", "content-signals"),
                "markdown-negotiation",
                "skills-index",
            ],
            [],
            "level 4",
        ),
        (sorted(IDS), [], "level 5 (Agent-Native)"),
    ],
)
def test_the_level_of_isitagentready(
    passes: list[str], unknown: list[str], words: str
) -> None:
    whole = predict(report(IDS, {}), [], ORIGIN)
    statuses = dict.fromkeys(passes, P) | dict.fromkeys(unknown, U)
    checks = tuple(
        replace(
            check,
            predicted={
                C: replace(check.predicted[C], status=statuses.get(check.id, F))
            },
        )
        for check in whole.checks
        if C in check.predicted
    )
    assert words in outcome(replace(whole, checks=checks), C)


def test_the_score_of_isitagentready_leaves_out_shops_and_neutral_checks() -> None:
    for site in sites(30):
        whole = predict(report(IDS, site.here), site.answers, ORIGIN)
        optional = {
            each["id"] for each in SCANNERS[C]["checks"] if each.get("optional")
        }
        counted = [
            s for (who, id), s in said(site).items() if who == C and id not in optional
        ]
        passed, failed = counted.count(P), counted.count(F)
        points = int(100 * passed / (passed + failed) + 0.5)
        assert f"probably {points} points" in outcome(whole, C)
        assert all(outcome(whole, name) and title(name) for name in SCANNERS)


def test_documents_of_a_preview_name_the_canonical_origin() -> None:
    def moved(answer: Answer) -> Answer:
        probe = replace(answer.probe, url=answer.probe.url.replace(ORIGIN, preview))
        return replace(answer, probe=probe)

    preview = "http://localhost:8000"
    robots = at(
        "/robots.txt", f"User-agent: *\nSitemap: {ORIGIN}/s.xml\n", "text/plain"
    )
    answers = [robots, at("/s.xml", "<urlset ", "text/xml"), *map(_none, _GUESSES)]
    answers.append(
        at(
            "/.well-known/oauth-protected-resource",
            {"resource": f"{ORIGIN}/api", "authorization_servers": [ORIGIN]},
        )
    )
    for canonical, status in ((ORIGIN, P), ("", F)):
        found = {
            (one.scanner, one.id): one.status
            for one in outlook(
                report(IDS, {}), map(moved, answers), preview, canonical=canonical
            )
        }
        assert found[C, "oauthProtectedResource"] == status
        assert found[C, "sitemap"] == (P if canonical else U)


def test_a_profile_leaves_checks_out() -> None:
    content = {id for who, id in said(Part([], {}), profile="content") if who == C}
    assert "robotsTxt" in content
    assert "mcpServerCard" not in content


def test_requests_are_few() -> None:
    found = requests(ORIGIN, [])
    assert len({(probe.url, "markdown" in probe.accept) for probe in found}) <= 40
    assert all(probe.url.startswith(f"{ORIGIN}/") for probe in found)
    answered = [Answer(probe, 404) for probe in found]
    assert requests(ORIGIN, answered) == []


def test_pages_that_robots_txt_disallows_are_not_requested() -> None:
    def paths(*answers: Answer) -> set[str]:
        found = requests(ORIGIN, answers, "agentsdisc/1")
        return {probe.url.removeprefix(ORIGIN) for probe in found}

    rules = "User-agent: *\nDisallow: /api\n"
    assert "/api" in paths(at("/robots.txt", "", status=404))
    assert not paths(at("/robots.txt", rules)) & {"/api", "/api/v1"}
    assert "/docs/llms.txt" in paths(at("/robots.txt", rules))
    for answers in ([at("/robots.txt", "", status=503)], []):
        assert all(path.startswith("/.well-known/") for path in paths(*answers))


@pytest.mark.parametrize(
    "body",
    [
        *(
            b"[" * 2_000_000,
            b"<meta" * 400_000,
            b"<link " * 400_000,
            b"<script x=" * 200_000,
        ),
        *(
            b"\n" * 2_000_000,
            b"User-agent: *\n" * 150_000,
            b" " * 2_000_000,
            b"](" * 1_000_000,
        ),
        *(b"a" * 2_000_000, b'{"a":' * 400_000, b"<!--" * 500_000, b"[a](" * 500_000),
        *(
            b"<!doctype html>" + b"x" * 10_000_000,
            b"User-agent" * 200_000,
            b"# " * 1_000_000,
        ),
    ],
    ids=lambda body: body[:12].decode(),
)
def test_long_bodies_are_read_in_time(body: bytes) -> None:
    paths = {probe.url.removeprefix(ORIGIN) for probe in requests(ORIGIN, [])}
    answers = [
        at(path, body, "text/plain", headers=[("Link", "rel=" * 5000)])
        for path in paths
    ]
    begin = time.monotonic()
    list(outlook(report(IDS, {}), answers, ORIGIN))
    assert time.monotonic() - begin < 30


def test_the_data_is_plain_json() -> None:
    assert json.loads(json.dumps(rules())) == rules()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", rules()["version"])
