"""What the workflows of the repository may run and do: actions by commit, no more permissions than needed."""

import re
from pathlib import Path

import pytest
from conftest import ROOT

FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = sorted([*FOLDER.glob("*.yml"), *FOLDER.glob("*.yaml")])
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


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_commit(path: Path) -> None:
    used = re.findall(r"uses:\s*(.*)", path.read_text("utf-8"))
    assert used
    assert [one for one in used if not PINNED.fullmatch(one)] == []


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
        elif name == "npm":  # It builds what it publishes with provenance.
            wanted["id-token"] = "write"
        assert granted(job) == wanted, name


def test_the_job_that_publishes_does_nothing_else() -> None:
    job = jobs((FOLDER / "release.yml").read_text("utf-8"))["publish"]
    assert re.findall(r"uses: ([\w/-]+)@", job) == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]
    assert "run:" not in job
