"""`lint`, `lint --fix` and `convert` with unusual files and failing outputs."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run, environment

FAULTY = b"Spec-Version: 1.0\nsite-name: a\nSite-URL: http://a.example\nDisallow: /x\n"
CLEAN = b"Spec-Version: 1.0\nSite-Name: a\nSite-URL: https://a.example\nDisallow: /x\n"

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")
linux = pytest.mark.skipif(sys.platform != "linux", reason="names must be bytes")


@linux
@pytest.mark.parametrize("kind", ["text", "json", "sarif", "github"])
def test_a_name_that_is_not_utf_8_is_linted(tmp_path: Path, kind: str) -> None:
    name = b"n\xff.agents.txt"
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))).write_bytes(FAULTY)
    done = subprocess.run(
        [sys.executable, "-m", "agentsdisc", "lint", "--output-format", kind, name],
        capture_output=True,
        cwd=tmp_path,
        env=environment(),
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr == b""
    said = done.stdout.decode()
    assert "insecure-url" in said
    if kind == "json":
        assert json.loads(said)[0]["file"] == "n\\udcff.agents.txt"
    if kind == "sarif":
        (place,) = json.loads(said)["runs"][0]["results"][0]["locations"]
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        assert uri == "n%FF.agents.txt"


@posix
def test_line_breaks_in_file_names_are_escaped_for_github(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "a\nb,c:%.txt").write_bytes(FAULTY)
    done = run("lint", "--output-format", "github", "a\nb,c:%.txt", check=1)
    assert done.stdout.startswith("::error file=a%0Ab%2Cc%3A%25.txt,line=3,col=11,")
    assert done.stdout.count("\n") == 1


def test_columns_are_characters_where_editors_count_them(
    run: Run, tmp_path: Path
) -> None:
    bad = "\ufeffNonsense\nSite-Name: a\n".encode()
    (tmp_path / "agents.txt").write_bytes(bad)
    command = ("lint", "--format", "agents-txt", "agents.txt", "--output-format")
    log = json.loads(run(*command, "sarif", check=1).stdout)
    columns = {
        result["locations"][0]["physicalLocation"]["region"]["startColumn"]
        for result in log["runs"][0]["results"]
    }
    assert columns == {1}, "a byte order mark does not count"
    wide = b"Spec-Version: 1.0\nSite-Name: a\nSite-URL: https://a.example\nDisallow: /x\nCapability: \xe7\x8c\xab\xe7\x8c\xab, x\nAllow: \xe7\x8c\xab\n"
    (tmp_path / "agents.txt").write_bytes(wide)
    text = run("lint", "agents.txt", check=1).stdout.splitlines()
    at = next(i for i, line in enumerate(text) if line == "6 | Allow: 猫")
    assert text[at + 1] == "  |        ^^", "a wide character takes two columns"


def test_an_empty_file_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_bytes(b"")
    done = run("lint", "agents.txt", check=1)
    assert (
        "agents.txt:1:1: error[missing-required-field]: `Spec-Version`" in done.stdout
    )


def test_standard_input_cannot_be_named_twice(run: Run) -> None:
    done = run("lint", "-", "-", input=CLEAN, check=2)
    assert "only once" in done.stderr


@pytest.mark.parametrize(
    "origin", ["a.example", "", "https://", "https://u:p@a.example", "https://a\nb"]
)
def test_an_invalid_origin_is_refused(run: Run, origin: str) -> None:
    for command in (("lint", "-"), ("convert", "-", "--to", "agents-json")):
        done = run(*command, "--origin", origin, input=CLEAN, check=2)
        assert "origin must be a URL" in done.stderr
        assert done.stdout == ""


@posix
def test_a_fixed_file_keeps_its_owner(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "agents.txt"
    file.write_bytes(FAULTY)
    file.chmod(0o664)
    owned = os.geteuid() == 0
    if owned:
        os.chown(file, 1234, 2345)
    marked = hasattr(os, "setxattr")
    if marked:
        try:
            os.setxattr(file, "user.note", b"kept")
        except OSError:
            marked = False
    os.utime(file, (1, 1))
    run("lint", "--fix", "agents.txt", check=1)
    assert b"Site-Name" in file.read_bytes()
    state = file.stat()
    assert stat.S_IMODE(state.st_mode) == 0o664
    assert state.st_mtime > 1, "the modification time changes"
    if owned:
        assert (state.st_uid, state.st_gid) == (1234, 2345)
    if marked:
        assert os.getxattr(file, "user.note") == b"kept"


@posix
def test_fix_refuses_inputs_that_are_not_files(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    done = run("lint", "--fix", "pipe", check=2)
    assert "not a regular file" in done.stderr


def test_convert_never_overwrites_its_input(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_bytes(b"# ours\n" + CLEAN)
    for output in ("agents.txt", "./agents.txt", tmp_path / "agents.txt"):
        done = run(
            "convert", "agents.txt", "--to", "agents-json", "-o", output, check=2
        )
        assert "the output is the input file" in done.stderr
    assert (tmp_path / "agents.txt").read_bytes() == b"# ours\n" + CLEAN


@linux
def test_an_output_without_a_name_is_written_to(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_bytes(CLEAN)
    done = run(
        "convert", "agents.txt", "--to", "agents-json", "-o", "/dev/stdout", check=0
    )
    assert json.loads(done.stdout)["site"]["name"] == "a"


@posix
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("lint bad.txt", 1),
        ("lint good.txt", 0),
        ("lint --output-format json good.txt", 2),
        ("convert good.txt --to agents-json", 2),
        ("convert good.txt --to agents-json -o out.json", 0),
        ("init --name a --url https://a.example -o first.txt", 0),
    ],
)
def test_standard_output_may_be_closed(tmp_path: Path, command: str, code: int) -> None:
    (tmp_path / "bad.txt").write_bytes(FAULTY)
    (tmp_path / "good.txt").write_bytes(CLEAN)
    for closed in (">&-", ">&- 2>&-"):
        done = subprocess.run(
            f"{sys.executable} -m agentsdisc {command} {closed}",
            shell=True,
            capture_output=True,
            cwd=tmp_path,
            env=environment(),
        )
        assert done.returncode == code, done.stderr
        assert b"Traceback" not in done.stderr
        assert b"Exception" not in done.stderr
        (tmp_path / "first.txt").unlink(missing_ok=True)


def test_missing_values_of_a_converted_document_are_reported(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "robots.txt").write_bytes(b"User-agent: *\nDisallow: /x\n")
    command = ("convert", "robots.txt", "--to", "agents-txt")
    done = run(*command, "--origin", "https://a.example", check=0)
    said = done.stderr.splitlines()
    assert [line for line in said if "correct this in the output" in line] == [
        "agentsdisc: robots.txt: correct this in the output: line 1: `Site-Name` is missing in the site; add it"
    ]
    actions = [{"name": f"a_{n}", "detail_url": "/x"} for n in range(9)]
    manifest = {"spec_version": "1.0", "name": "a", "capabilities": actions}
    (tmp_path / "agent").write_text(json.dumps(manifest))
    done = run("convert", "agent", "--format", "adp", "--to", "agents-json", check=0)
    assert done.stderr.count("correct this in the output") == 5
    assert "more errors; `agentsdisc lint` prints all" in done.stderr
    (tmp_path / "agents.txt").write_bytes(CLEAN)
    assert run("convert", "agents.txt", "--to", "agents-json", check=0).stderr == ""
