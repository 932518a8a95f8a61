"""The conformance kit: its runner, its outputs, and what it does with an adapter that misbehaves."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import ROOT, Run

KIT = ROOT / "conformance/kit"
OURS = f'"{sys.executable}" "{ROOT}/conformance/adapters/agentsdisc_python.py"'

ANSWERS = """\
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    if request["task"] == "hello":
        print(json.dumps({"id": "hello", "result": {"name": "n <&> \\x1b[31m", "version": "1", "tasks": ["robots"]}}), flush=True)
        continue
    """

TASKS = (
    "detect",
    "parse",
    "check",
    "robots",
    "preferences",
    "policy",
    "call",
    "canonical",
    "signed-card",
    "signature-base",
    "signed-request",
)
FEW = "robots-txt/groups/star-first"


def kit(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs the kit as someone without the wheel does."""
    return subprocess.run(
        [sys.executable, "-I", str(KIT), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture
def adapter(tmp_path: Path):
    """Makes an adapter that answers each request by some lines of Python."""

    def make(body: str, begin: str = ANSWERS) -> str:
        path = tmp_path / "adapter.py"
        path.write_text(begin + body, encoding="utf-8")
        return f'"{sys.executable}" "{path}"'

    return make


def results(*arguments: str) -> "list[tuple[str, str]]":
    found = json.loads(kit(*arguments, "--output-format", "json").stdout)["results"]
    return [(result["result"], result["message"]) for result in found]


def test_our_python_package_has_no_failure_at_any_level() -> None:
    arguments = ("--adapter", OURS, "--fail-on", "ruling", "--output-format", "json")
    ran = kit(*arguments)
    assert ran.returncode == 0, ran.stdout[:3000] + ran.stderr
    found = json.loads(ran.stdout)
    ids = [result["id"] for result in found["results"]]
    assert len(set(ids)) == len(ids) > 9_000
    tasks = {result["task"] for result in found["results"]}
    assert tasks == set(TASKS)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("time.sleep(60)", "no answer in 1 seconds"),
        ("sys.exit(3)", "it ended with code 3"),
        ("print('x' * 20_000_000, flush=True)", "more than 16777216 bytes"),
        ("print('no json', flush=True)", "no JSON"),
        ("print('[' * 100_000, flush=True)", "no JSON"),
        ("print('[]', flush=True)", "no object"),
        ('print(\'{"id": "other"}\', flush=True)', "is to 'other'"),
        (
            "print(json.dumps({'id': request['id'], 'error': 'lost'}), flush=True)",
            "lost",
        ),
    ],
)
def test_an_adapter_that_misbehaves_fails_its_case(adapter, body, message) -> None:
    arguments = ("--adapter", adapter(body), "--only", FEW, "--timeout", "1")
    found = results(*arguments)
    assert len(found) >= 2
    for result, said in found:
        assert result == "broken" and message in said, said
    assert kit(*arguments).returncode == 1


def test_a_late_answer_is_not_taken_for_the_next_case(adapter) -> None:
    body = "time.sleep(1.5); print(json.dumps({'id': request['id'], 'result': {'allowed': True}}), flush=True)"
    found = results("--adapter", adapter(body), "--only", FEW, "--timeout", "1")
    assert {result for result, _ in found} == {"broken"}


@pytest.mark.parametrize(
    "begin",
    [
        "raise SystemExit(1)\n",
        'print(\'{"id": "hello", "result": 3}\', flush=True)\n',
        'print(\'{"id": "hello", "result": {"tasks": ["fly"]}}\', flush=True)\n',
    ],
)
def test_an_adapter_that_cannot_be_used(adapter, begin) -> None:
    ran = kit("--adapter", adapter("", begin))
    assert ran.returncode == 2 and "cannot be used" in ran.stderr


def test_a_program_that_is_missing() -> None:
    ran = kit("--adapter", "no-such-program")
    assert ran.returncode == 2 and "cannot be started" in ran.stderr


def test_skipped_cases_and_levels(adapter) -> None:
    skip = "print(json.dumps({'id': request['id'], 'skip': 'not yet'}), flush=True)"
    assert {r for r, _ in results("--adapter", adapter(skip), "--only", FEW)} == {
        "skip"
    }
    wrong = "print(json.dumps({'id': request['id'], 'result': {'allowed': None}}), flush=True)"
    ruling = ("--adapter", adapter(wrong), "--only", "robots-txt/encoding/broken")
    assert kit(*ruling).returncode == 0
    assert kit(*ruling, "--fail-on", "ruling").returncode == 1


def test_outputs(adapter, tmp_path: Path) -> None:
    wrong = "print(json.dumps({'id': request['id'], 'result': {'allowed': '<]]>\\x1b'}}), flush=True)"
    arguments = ("--adapter", adapter(wrong), "--only", FEW)
    for format in ("text", "markdown", "junit"):
        text = kit(*arguments, "--output-format", format).stdout
        assert "\x1b" not in text and FEW in text
    suite = ElementTree.fromstring(kit(*arguments, "--output-format", "junit").stdout)
    assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure")) >= 1
    badge = json.loads(kit(*arguments, "--output-format", "badge").stdout)
    assert badge["message"].startswith("0 of ") and badge["color"] == "red"
    file = tmp_path / "out.json"
    kit(*arguments, "--output-format", "json", "--output", str(file))
    assert (
        json.loads(file.read_text())["kit"]
        == (ROOT / "conformance/VERSION").read_text().strip()
    )


def test_documents_by_path() -> None:
    ran = kit(
        "--adapter", OURS, "--only", FEW, "--documents", "path", "--fail-on", "ruling"
    )
    assert ran.returncode == 0, ran.stdout


def test_the_command(run: Run, tmp_path: Path) -> None:
    missing = run("conformance", "--kit", str(tmp_path), "--adapter", OURS)
    assert missing.returncode == 2 and "there is no kit" in missing.stderr
    ran = run(
        "conformance",
        "--kit",
        str(ROOT / "conformance"),
        "--adapter",
        OURS,
        "--only",
        FEW,
    )
    assert ran.returncode == 0 and "agentsdisc (Python)" in ran.stdout
