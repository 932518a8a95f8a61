"""The conformance kit: its runner, its outputs, and what it does with an adapter that misbehaves."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import ROOT, Run
from markdown_it import MarkdownIt

KIT = ROOT / "conformance/kit"
FEW = "robots-txt/groups/star-first"
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


# Runs the kit, and ends with its processor time, without that of the adapter.
TIMED = """\
import atexit, runpy, sys, time
atexit.register(lambda: print(time.process_time(), file=sys.stderr))
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def kit(*arguments: str, code: str = "") -> "subprocess.CompletedProcess[str]":
    """Runs the kit as someone does who has Python and no package, or code that runs it."""
    program = ["-c", code, str(KIT)] if code else [str(KIT)]
    return subprocess.run(
        [sys.executable, "-I", "-S", *program, *arguments],
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
    ran = kit(*arguments, code=TIMED)
    assert ran.returncode == 0, ran.stdout[:3000] + ran.stderr
    found = json.loads(ran.stdout)
    ids = [result["id"] for result in found["results"]]
    assert len(set(ids)) == len(ids) > 9_000
    seconds = float(ran.stderr.split()[-1])
    assert seconds / len(ids) < 0.001
    tasks = {result["task"] for result in found["results"]}
    assert tasks == set(TASKS)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("time.sleep(60)", "no answer in 2 seconds"),
        ("sys.exit(3)", "it ended with code 3"),
        ("print('x' * 20_000_000, flush=True)", "more than 16777216 bytes"),
        ("print('no json', flush=True)", "no JSON"),
        ("print('[' * 100_000, flush=True)", "no JSON"),
        ("print('[]', flush=True)", "no object"),
        ('print(\'{"id": "other"}\', flush=True)', "is to 'other'"),
        (
            "print(json.dumps({'id': request['id'][:-1] + '9', 'result': {'allowed': True}}), flush=True)",
            f"is to '{FEW}#robots-9'",
        ),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", "no JSON"),
        ("print('{\"id\"', end='', flush=True); sys.exit(0)", "no JSON"),
        ("import os; os.close(1); time.sleep(60)", "it closed its output"),
        (
            "import subprocess; subprocess.Popen(['sleep', '60']); time.sleep(60)",
            "no answer in 2 seconds",
        ),
        (
            "import os; os.kill(os.getpid(), 9)",
            "it ended with code " + ("9" if sys.platform == "win32" else "-9"),
        ),
        (
            "print(json.dumps({'id': request['id'], 'error': 'lost'}), flush=True)",
            "lost",
        ),
    ],
)
def test_an_adapter_that_misbehaves_fails_its_case(adapter, body, message) -> None:
    arguments = ("--adapter", adapter(body), "--only", FEW, "--timeout", "2")
    found = results(*arguments)
    assert len(found) >= 2
    for result, said in found:
        assert result == "broken" and message in said, said
    assert kit(*arguments).returncode == 1


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("'[' * 980 + ']' * 980", "nested too deeply"),
        ("'\"' + 'x' * 5_000_000 + '\"'", "true is expected, not"),
        ("'NaN'", "NaN"),
        ("'9' * 4000", "999"),
    ],
)
def test_an_answer_of_any_size_is_a_result(adapter, value, message) -> None:
    """An adapter cannot fill the report, or end the run."""
    body = f'print(\'{{"id":"\' + request["id"] + \'","result":{{"allowed":\' + {value} + "}}}}", flush=True)'
    found = results("--adapter", adapter(body), "--only", FEW)
    assert {result for result, _ in found} <= {"fail"}
    assert any(message in said for _, said in found), found
    assert all(len(said) <= 1000 for _, said in found)


def test_an_adapter_that_answers_twice(adapter) -> None:
    """The second answer to a case is not taken for that to the next."""
    body = """print(2 * (json.dumps({'id': request['id'], 'result': {'allowed': True}}) + "\\n"), end="", flush=True)"""
    found = results("--adapter", adapter(body), "--only", FEW)
    assert [said for _, said in found if "the answer is to" in said]


def test_what_an_adapter_started_ends_with_it(adapter, tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("needs process groups")
    ticks = tmp_path / "ticks"
    child = f"import time\nwhile True: open({str(ticks)!r}, 'a').write('.'); time.sleep(0.05)"
    body = f"import subprocess; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(60)"
    results("--adapter", adapter(body), "--only", f"{FEW}#robots-1", "--timeout", "2")
    size = ticks.stat().st_size
    time.sleep(0.5)
    assert size == ticks.stat().st_size > 0


def test_a_late_answer_is_not_taken_for_the_next_case(adapter) -> None:
    body = "time.sleep(2.5); print(json.dumps({'id': request['id'], 'result': {'allowed': True}}), flush=True)"
    found = results("--adapter", adapter(body), "--only", FEW, "--timeout", "2")
    assert {result for result, _ in found} == {"broken"}


@pytest.mark.parametrize(
    "begin",
    [
        "raise SystemExit(1)\n",
        'print(\'{"id": "hello", "result": 3}\', flush=True)\n',
        'print(\'{"id": "hello", "result": {"tasks": ["fly"]}}\', flush=True)\n',
        'print(\'{"id": "hello", "result": {"tasks": ["robots"], "formats": 3}}\', flush=True)\n',
        "import time; time.sleep(60)\n",
    ],
)
def test_an_adapter_that_cannot_be_used(adapter, begin) -> None:
    ran = kit("--adapter", adapter("", begin), "--timeout", "2")
    assert ran.returncode == 2 and "cannot be used" in ran.stderr


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-program", "cannot be started"),
        ("", "is empty"),
        ('"', "cannot be read"),
    ],
)
def test_a_command_that_starts_nothing(command: str, message: str) -> None:
    ran = kit("--adapter", command)
    assert ran.returncode == 2 and message in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("option", ["--timeout=0", "--timeout=-1", "--timeout=nan"])
def test_an_option_that_is_wrong(option: str) -> None:
    ran = kit("--adapter", OURS, option)
    assert ran.returncode == 2 and "no time for an answer" in ran.stderr


def test_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    file = str(tmp_path / "missing/report")
    ran = kit("--adapter", OURS, "--only", FEW, "--output", file)
    assert ran.returncode == 2 and "Traceback" not in ran.stderr


def test_the_report_is_utf_8_whatever_the_terminal_has(adapter) -> None:
    begin = ANSWERS.replace('"n <&> \\x1b[31m"', '"Ж"')
    assert begin != ANSWERS
    skip = "print(json.dumps({'id': request['id'], 'skip': ''}), flush=True)"
    command = [sys.executable, str(KIT), "--only", FEW, "--adapter"]
    ran = subprocess.run(
        [*command, adapter(skip, begin), "--output-format", "junit"],
        capture_output=True,
        timeout=60,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert ElementTree.fromstring(ran.stdout).attrib["name"] == "Ж 1"


def test_skipped_cases_and_levels(adapter) -> None:
    skip = "print(json.dumps({'id': request['id'], 'skip': 'not yet'}), flush=True)"
    assert {r for r, _ in results("--adapter", adapter(skip), "--only", FEW)} == {
        "skip"
    }
    wrong = "print(json.dumps({'id': request['id'], 'result': {'allowed': None}}), flush=True)"
    ruling = ("--adapter", adapter(wrong), "--only", "robots-txt/encoding/broken")
    assert kit(*ruling).returncode == 0
    assert kit(*ruling, "--fail-on", "ruling").returncode == 1


MIXED = """\
number = int(request["id"].split("-")[-1])
    said = [{"result": {"allowed": True}}, {"result": {"allowed": False}}, {"skip": "<&]]>|`\\x00"}, {"error": "a|b<script>`x`\\n# c"}]
    print(json.dumps({"id": request["id"], **said[number % 4]}), flush=True)
"""


def test_readers_of_the_outputs_agree(adapter) -> None:
    """JUnit by a reader of XML, Markdown by a reader of CommonMark, the badge and JSON by one of JSON."""
    arguments = ("--adapter", adapter(MIXED), "--only", "robots-txt/groups/")
    run = json.loads(kit(*arguments, "--output-format", "json").stdout)
    counts = run["counts"]
    failed = [r for r in run["results"] if r["result"] in ("fail", "broken")]
    counting = [r for r in failed if r["level"] != "ruling"]
    assert {r["result"] for r in run["results"]} == {"pass", "fail", "broken", "skip"}
    for key, some in (("passed", ("pass",)), ("failed", ("fail", "broken"))):
        seen = sum(r["result"] in some for r in run["results"])
        assert seen == sum(count[key] for count in counts)

    suite = ElementTree.fromstring(kit(*arguments, "--output-format", "junit").stdout)
    cases = suite.findall("testcase")
    assert suite.tag == "testsuite" and len(cases) == len(suite)
    assert [c.attrib["name"] for c in cases] == [r["id"] for r in run["results"]]
    assert all({"classname", "name", "time"} == set(case.attrib) for case in cases)
    counted = {
        name: int(suite.attrib[name])
        for name in ("tests", "failures", "skipped", "errors")
    }
    assert counted == {
        "tests": len(cases),
        "failures": len(suite.findall("testcase/failure")),
        "skipped": len(suite.findall("testcase/skipped")),
        "errors": 0,
    }
    assert counted["failures"] == len(counting) > 0
    assert {f.attrib["message"] for f in suite.iter("failure")} <= {
        r["message"].replace("\n", "\\u{a}") for r in counting
    }

    text = kit(*arguments, "--output-format", "markdown").stdout
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    kinds = [token.type for token in tokens]
    assert kinds.count("heading_open") == kinds.count("table_open") == 1
    assert kinds.count("tr_open") == 1 + len(counts)
    assert kinds.count("td_open") == 5 * len(counts)
    assert kinds.count("list_item_open") == len(counting)
    inline = [child for token in tokens for child in token.children or ()]
    assert not [c for c in inline if c.type.startswith("html")]
    codes = [c.content for c in inline if c.type == "code_inline"]
    assert [r["id"] for r in counting] == [c for c in codes if "robots-txt/" in c]

    badge = json.loads(kit(*arguments, "--output-format", "badge").stdout)
    assert set(badge) == {"schemaVersion", "label", "message", "color"}
    musts = [count for count in counts if count["level"] == "must"]
    passed = sum(count["passed"] for count in musts)
    asked = passed + sum(count["failed"] for count in musts)
    assert badge["schemaVersion"] == 1
    assert (badge["message"], badge["color"]) == (f"{passed} of {asked} must", "yellow")


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


def test_reports_are_about_rules_of_specifications() -> None:
    sys.path.insert(0, str(KIT))
    from cases import cases

    levels: dict[str, set[str]] = {}
    for case in cases(KIT.parent):
        levels.setdefault(case.id.split("#")[0], set()).add(case.level)
    reports = [p for p in KIT.parent.glob("reports/*.md") if p.name != "README.md"]
    assert len(reports) >= 7
    for report in reports:
        head = report.read_text(encoding="utf-8").split("Version ")[0]
        vectors = head.split("`")[1::2]
        assert [v for v in vectors if "/" in v], report.name
        for vector in (v for v in vectors if "/" in v):
            assert "must" in levels[vector], f"{report.name}: {vector}"


def test_lines_that_nobody_asked_for(adapter) -> None:
    body = "sys.stdout.write('{}\\n' * 1_000_000); sys.stdout.flush()"
    arguments = ("--adapter", adapter(body), "--only", FEW, "--timeout", "5")
    assert {result for result, _ in results(*arguments)} == {"broken"}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A kit whose documents have NUL, bytes that are no UTF-8, and a line of 1 MB."""
    shutil.copytree(KIT, tmp_path / "kit")
    shutil.copy(KIT.parent / "VERSION", tmp_path)
    folder = tmp_path / "robots-txt/hostile"
    folder.mkdir(parents=True)
    for name, line in (
        ("nul", b"Allow: /\0a"),
        ("bytes", b"Allow: /\xff\xfe\x80"),
        ("long", b"Allow: /" + b"x" * 1_000_000),
    ):
        start = b"User-agent: *\nDisallow: /y\n"
        (folder / f"{name}.in").write_bytes(start + line + b"\n")
        asked = {"agent": "a", "url": "/y", "allowed": False, "line": 2}
        vector = {"about": name, "spec": "RFC 9309", "decisions": [asked]}
        (folder / f"{name}.json").write_text(json.dumps(vector))
    return tmp_path / "kit"


@pytest.mark.parametrize("documents", ["inline", "path"])
def test_hostile_documents(hostile: Path, documents: str) -> None:
    command = [sys.executable, "-I", str(hostile), "--adapter", OURS]
    ran = subprocess.run(
        [*command, "--documents", documents, "--output-format", "json"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    found = json.loads(ran.stdout)["results"]
    assert [result["result"] for result in found] == ["pass"] * 3, ran.stdout


def test_a_long_document_for_an_adapter_that_does_not_read(hostile: Path) -> None:
    deaf = 'import sys,time; print(\'{"id":"hello","result":{"tasks":["robots"]}}\', flush=True); time.sleep(60)'
    command = [sys.executable, "-I", str(hostile), "--timeout", "2", "--adapter"]
    ran = subprocess.run(
        [*command, shlex.join([sys.executable, "-c", deaf])],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 1 and ran.stdout.count("no answer in 2 seconds") == 3


def test_two_adapters_at_once() -> None:
    command = [sys.executable, "-I", str(KIT), "--adapter", OURS, "--only", FEW]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    outputs = [one.communicate(timeout=120)[0] for one in both]
    assert [one.returncode for one in both] == [0, 0]
    assert outputs[0] == outputs[1]
