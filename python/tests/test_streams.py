"""The exit code of a command does not depend on its output."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import environment

TXT = (
    "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\nDisallow: /private\n"
)
FAULTY = "Spec-Version: 1.0\nSite-Name: A\nCapability: a\n"
ROBOTS = "User-agent: a\nDisallow: /x\nUser-agent: b\nCrawl-delay: 5\n"

DENIED = "decide good.txt --agent Bot --url /private"
ALLOWED = "decide good.txt --agent Bot --url /"
NOWHERE = "http://127.0.0.1:1 --no-cache --allow-private --timeout 5"

VERDICTS = [
    (DENIED, 1),
    (DENIED + " --json", 1),
    (ALLOWED, 0),
    ("lint bad.txt", 1),
    ("lint bad.txt --output-format json", 1),
    ("lint bad.txt --output-format sarif", 1),
    ("lint bad.txt --output-format github", 1),
    ("lint missing.txt", 2),
    ("lint --diff odd.txt", 1),
    ("lint good.txt", 0),
    ("convert robots.txt --to agents-txt", 1),
    ("convert missing.txt --to agents-txt", 2),
    ("parse missing.txt", 2),
    ("inspect missing.txt", 2),
    ("inspect good.txt", 0),
    (f"inspect {NOWHERE}", 1),
    (f"discover {NOWHERE}", 1),
    (f"discover --json {NOWHERE}", 1),
    (f"mcp --agent Bot {NOWHERE}", 2),
    ("init --name a", 2),
    ("ingest missing -o out.jsonl", 2),
    ("decide", 2),
    ("no-such-command", 2),
]
PRODUCTS = ["parse good.txt", "convert good.txt --to json", "formats", "--help"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "good.txt": TXT,
        "bad.txt": FAULTY,
        "odd.txt": TXT.replace("Disallow:", "disallow :"),
        "robots.txt": ROBOTS,
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def code(folder: Path, command: str, to: str, unbuffered: bool = False) -> int:
    """Returns the exit code of a command with its output redirected by `to`; checks that it prints no traceback."""
    script = f"{sys.executable} -m agentsdisc {command} {to}"
    if "|" in to:
        script = f"({script.replace(' | head -c 0', '')}; echo $? > code) | head -c 0"
        # The reader exits before anything is written.
        script = script.replace(f"({sys.executable}", f"(sleep 0.2; {sys.executable}")
    env = environment()
    env.pop("PYTHONUNBUFFERED", None)
    if unbuffered:
        env["PYTHONUNBUFFERED"] = "1"
    done = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    for said in (b"Traceback", b"Exception", b"BrokenPipe"):
        assert said not in done.stderr, done.stderr
    if "|" in to:
        return int((folder / "code").read_text())
    return done.returncode


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


@pytest.mark.parametrize(("command", "expected"), VERDICTS)
def test_a_verdict_stands(folder: Path, command: str, expected: int) -> None:
    pytest.importorskip("mcp")
    for to in (">&- 2>&-", "2>&1 | head -c 0"):
        assert code(folder, command, to) == expected, to


@pytest.mark.parametrize("to", [">&-", "2>&-", "| head -c 0", "2>&1 | head -c 0"])
def test_a_denial_stands(folder: Path, to: str) -> None:
    for unbuffered in (False, True):
        assert code(folder, DENIED, to, unbuffered) == 1
        assert code(folder, "lint bad.txt", to, unbuffered) == 1


@pytest.mark.parametrize("command", PRODUCTS)
def test_a_product_that_is_lost_is_an_error(folder: Path, command: str) -> None:
    assert code(folder, command, "| head -c 0") == 0
    if command != "--help":
        assert code(folder, command, ">&-") == 2


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
def test_a_full_disk_makes_nothing_better(folder: Path) -> None:
    for command, expected in [
        (DENIED, 1),
        ("lint bad.txt", 1),
        (ALLOWED, 2),
        ("parse good.txt", 2),
        ("lint good.txt", 0),
    ]:
        assert code(folder, command, "> /dev/full") == expected, command
