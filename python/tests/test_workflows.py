"""What the workflows of the repository may run and do: actions by commit, no more permissions than needed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, environment

FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = sorted([*FOLDER.glob("*.yml"), *FOLDER.glob("*.yaml")])
ACTION = ROOT / "action.yml"
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def jobs(text: str) -> dict[str, str]:
    """The jobs of a workflow by name, as they are written."""
    after = text.split("\njobs:\n", 1)[1]
    parts = re.split(r"^  ([\w-]+):\n", after, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def granted(text: str) -> dict[str, str]:
    """The permissions of a job."""
    found = re.search(r"^    permissions:\n((?:      .*\n)+)", text, re.MULTILINE)
    assert found, text
    return dict(re.findall(r"^      ([\w-]+): (\w+)$", found[1], re.MULTILINE))


def test_there_are_workflows() -> None:
    assert {path.name for path in WORKFLOWS} >= {"ci.yml", "release.yml"}


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION], ids=lambda path: path.name)
def test_actions_are_pinned_by_commit(path: Path) -> None:
    used = re.findall(r"uses:\s*(.*)", path.read_text("utf-8"))
    assert used
    # `./` is the action of this repository.
    assert [one for one in used if not PINNED.fullmatch(one) and one != "./"] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_jobs_have_the_permissions_that_they_need(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "\npermissions: {}\n" in text
    checkouts = text.count("actions/checkout@")
    assert text.count("persist-credentials: false") == checkouts
    for name, job in jobs(text).items():
        wanted = {"contents": "read"}
        if name == "publish":
            wanted = {"id-token": "write"}
        elif name == "deploy":
            wanted = {"pages": "write", "id-token": "write"}
        elif name == "attest":
            wanted = {"id-token": "write", "attestations": "write"}
        elif name in {"npm", "crate"}:  # They build what they publish.
            wanted["id-token"] = "write"
        assert granted(job) == wanted, name


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("attest", "actions/attest-build-provenance"),
        ("publish", "pypa/gh-action-pypi-publish"),
    ],
)
def test_a_job_that_signs_or_publishes_does_nothing_else(
    name: str, action: str
) -> None:
    job = jobs((FOLDER / "release.yml").read_text("utf-8"))[name]
    used = re.findall(r"uses: ([\w/-]+)@", job)
    assert used == ["actions/download-artifact", action]
    assert "run:" not in job


def test_the_job_that_deploys_the_site_does_nothing_else() -> None:
    job = jobs((FOLDER / "docs.yml").read_text("utf-8"))["deploy"]
    assert re.findall(r"uses: ([\w/-]+)@", job) == ["actions/deploy-pages"]
    assert "run:" not in job


def test_the_action_runs_no_input_as_a_command() -> None:
    text = ACTION.read_text("utf-8")
    scripts = re.findall(r"      run: \|\n((?:        .*\n|\n)+)", text)
    assert len(scripts) == text.count("shell: bash") == 4
    assert [script for script in scripts if "${{" in script] == []
    for name in re.findall(r"\$\{\{ inputs\.([\w-]+)", text):
        assert f"\n  {name}:\n" in text


@pytest.mark.parametrize("fail_on", ["fail", "never"])
def test_the_action_writes_every_report(tmp_path: Path, fail_on: str) -> None:
    """The scripts of the action, with the command of these tests in the place of the installed one."""
    if os.name != "posix" or shutil.which("jq") is None:
        pytest.skip("needs bash and jq")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/robots.txt").write_text("User-agent: *\nDisallow: /x")
    (tmp_path / "site/openapi.json").write_text('{"openapi": "3.1.0"}')
    program = tmp_path / "agentsdisc/bin/agentsdisc"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agentsdisc "$@"\n')
    program.chmod(0o755)
    text = ACTION.read_text("utf-8")
    scripts = re.findall(r"      run: \|\n((?:        .*\n|\n)+)", text)
    outputs, summary = tmp_path / "outputs", tmp_path / "summary"
    inputs = {
        "TARGET": "site",
        "FAIL_ON": fail_on,
        "FOLDER": f"{tmp_path}/agentsdisc-report",
    }
    inputs |= dict.fromkeys(("PROFILE", "EXPECT", "BASELINE"), "")
    inputs |= {"ORIGIN": "https://mugs.example", "RUNNER_TEMP": str(tmp_path)}
    inputs |= {"GITHUB_OUTPUT": str(outputs), "GITHUB_STEP_SUMMARY": str(summary)}
    done = [
        subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", scripts[number]],
            cwd=tmp_path,
            env=environment() | inputs,
            capture_output=True,
            text=True,
        )
        for number in (1, 3)
    ]
    assert done[0].returncode == 0, done[0].stderr
    assert "::error file=site/openapi.json" in done[0].stdout
    assert done[1].returncode == (1 if fail_on == "fail" else 0), done[1].stderr
    said = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    assert said.keys() == {"level", "score", "folder"}
    assert 0 <= int(said["score"]) <= 100 and 0 <= int(said["level"]) <= 5
    names = {file.name for file in Path(said["folder"]).iterdir()}
    assert names == {
        "annotations",
        "badge.json",
        *(f"report.{end}" for end in ("json", "sarif", "xml", "html", "md")),
    }
    assert summary.read_text().startswith("<!-- agentsdisc check -->")
