"""`agentsdisc lint` and `explain`: names of files, folders, companions, and settings for pipelines."""

import json
from pathlib import Path

import agentsdisc
import pytest
from agentsdisc.cli.explain import explained, known
from conftest import Run

TXT = "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nDisallow: /cart/\n"
JSON = json.dumps(
    {
        "specVersion": "1.0",
        "site": {"name": "Mugs", "url": "https://mugs.example"},
        "capabilities": [],
        "access": {"disallow": ["/account/"]},
    }
)
POOR = "User-agent: *\nDisallow: /a /b\nX-Colour: red\n"


def test_a_file_whose_name_says_what_it_is_is_always_checked(
    run: Run, tmp_path: Path
) -> None:
    for name, text, code in (
        ("robots.txt", "Disallow: /private\n", "misplaced-field"),
        ("robots.txt", "User\u2013agent: *\nDisallow: /\n", "misplaced-field"),
        ("robots.txt", "", None),
        ("llms.txt", "words\n", "missing-required-field"),
        ("agents.md", "words\n", "no-known-section"),
        (".well-known/agents.txt", "nothing\n", "malformed-line"),
        (".well-known/agent-card.json", "{}", "missing-required-field"),
        (".well-known/agent-skills/index.json", "{}", "missing-required-field"),
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        done = run("lint", file, "--output-format", "json")
        assert done.returncode in {0, 1}, done.stderr
        codes = {found["code"] for found in json.loads(done.stdout)}
        assert code is None or code in codes, (name, codes)


@pytest.mark.parametrize("name", ["notes.txt", "AGENTS.md", "index.json", "agent"])
def test_other_names_say_nothing(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("Disallow: /private\n", "utf-8")
    done = run("lint", tmp_path / name, check=2)
    assert "unknown-format" in done.stderr or "invalid-json" in done.stderr


def test_companions_are_compared(run: Run, tmp_path: Path) -> None:
    text, data = tmp_path / "a.txt", tmp_path / "b.json"
    text.write_text(TXT, "utf-8")
    data.write_text(JSON, "utf-8")
    done = run("lint", text, data, check=1)
    assert done.stdout.count("error[companion-differs]") == 2
    assert f"{text}:4:1" in done.stdout or f"{text}:4:11" in done.stdout
    assert "companion-differs" not in run("lint", text, check=0).stdout
    data.write_text(JSON.replace("/account/", "/cart/"), "utf-8")
    assert run("lint", text, data, check=0).stdout == ""


def test_a_folder_is_a_site(run: Run, tmp_path: Path) -> None:
    done = run("lint", tmp_path, check=2)
    assert "no document for agents" in done.stderr
    (tmp_path / ".well-known").mkdir()
    (tmp_path / ".well-known" / "agents.txt").write_text(TXT, "utf-8")
    (tmp_path / ".well-known" / "agents.json").write_text(JSON, "utf-8")
    (tmp_path / "robots.txt").write_text(POOR, "utf-8")
    (tmp_path / "notes.txt").write_text("words", "utf-8")
    for folder in (tmp_path, tmp_path / ".well-known"):
        done = run("lint", folder, check=1)
        assert "companion-differs" in done.stdout
        assert "several-values" in done.stdout
        assert "notes.txt" not in done.stdout + done.stderr


def test_equal_findings_are_one(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "llms.txt"
    file.write_text("# A\n\n## B\n\n" + "- [](https://a.example)\n" * 30, "utf-8")
    done = run("lint", file, check=0)
    assert done.stdout.count("warning[empty-value]") == 1
    assert "the same at 6:3, 7:3" in done.stdout and "and 9 more" in done.stdout
    assert "30 warnings" in done.stdout
    done = run("lint", file, "--output-format", "json", check=0)
    assert len(json.loads(done.stdout)) == 30


def test_findings_are_selected(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "robots.txt"
    file.write_text(POOR, "utf-8")

    def codes(*options: str, check: int = 0) -> list[str]:
        done = run("lint", file, "--output-format", "json", *options, check=check)
        return [found["code"] for found in json.loads(done.stdout)]

    assert codes() == ["several-values", "unknown-field"]
    assert codes("--select", "unknown-field") == ["unknown-field"]
    assert codes("--select", "unknown-field,several-values") == codes()
    assert codes("--select", "unknown-field", "--select", "several-values") == codes()
    assert codes("--ignore", "unknown-field") == ["several-values"]
    assert codes("--select", "several-values", "--ignore", "several-values") == []
    codes("--fail-on", "error")
    codes("--fail-on", "warning", check=1)
    codes("--fail-on", "info", check=1)
    codes("--fail-on", "warning", "--ignore", "several-values")
    codes("--fail-on", "info", "--select", "unknown-field", check=1)
    done = run("lint", file, "--ignore", "several-value", check=2)
    assert "did you mean several-values" in done.stderr


def test_every_code_is_explained(run: Run) -> None:
    for code in known():
        said = explained(code)
        assert said["about"] and said["help"].startswith("https://")
        if "wrong" in said:
            for text, expected in ((said["wrong"], True), (said["right"], False)):
                found = agentsdisc.parse(text, format=said["format"])
                has = {one.code for one in found.check("https://mugs.example")}
                assert (code in has) == expected, code
    done = run("explain", "insecure-url", check=0)
    for part in ("Anybody on the way", "Wrong", "Right", "section 2.5", "https://"):
        assert part in done.stdout
    listed = run("explain", check=0).stdout
    assert all(code in listed for code in known())
    assert json.loads(run("explain", "--json", "soft-404", check=0).stdout)
    done = run("explain", "insecure-urls", check=2)
    assert "did you mean insecure-url" in done.stderr


def test_the_rules_of_sarif_explain_themselves(run: Run, tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text(POOR, "utf-8")
    done = run("lint", tmp_path, "--output-format", "sarif", check=0)
    rules = json.loads(done.stdout)["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["several-values", "unknown-field"]
    for rule in rules:
        assert rule["fullDescription"]["text"] and rule["help"]["text"]
        assert rule["helpUri"].endswith(f"/{rule['id']}.md")


def test_the_name_of_a_site_is_no_file(run: Run) -> None:
    done = run("lint", "mugs.example", check=2)
    assert "write https://mugs.example" in done.stderr
