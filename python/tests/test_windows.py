"""What differs on Windows, simulated: paths with backslashes, and open files that cannot be removed or renamed."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from agentsdisc import _sarif as sarif
from agentsdisc import cli
from agentsdisc.cli import folder, inputs, items

DRAFT = "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n"


@pytest.fixture
def windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Backslashes separate; on this system, they are a part of a file's name."""
    if os.name != "posix":
        pytest.skip("simulates Windows")
    monkeypatch.setattr(os, "sep", "\\")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("a.example\\agents.txt", "https://a.example/agents.txt"),
        ("A.example\\.well-known\\b c.json", "https://a.example/.well-known/b c.json"),
        ("a.example/b\\c", "https://a.example/b/c"),
        ("a.example", None),
        ("..\\agents.txt", None),
    ],
)
def test_the_path_in_a_mirror_is_a_url(
    windows: Path, path: str, url: str | None
) -> None:
    assert inputs._mirrored(path) == url


def test_hints_have_slashes(windows: Path) -> None:
    documents = items.Documents()
    documents.add("tree\\.well-known\\agents.json", None, b"", 0, None)
    documents.add("tree\\x", "https://a.example/y\\z", b"", 0, None)
    assert documents.hints == [
        "tree/.well-known/agents.json",
        "https://a.example/y\\z",
    ]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("agents.txt", "agents.txt"),
        (".\\a b\\agents.txt", "./a%20b/agents.txt"),
        ("C:\\sites\\a b\\agents.txt", "file:///C:/sites/a%20b/agents.txt"),
        ("C:/sites/agents.txt", "file:///C:/sites/agents.txt"),
        ("\\\\server\\share\\a#b.txt", "file://server/share/a%23b.txt"),
        ("\\sites\\agents.txt", "file:///sites/agents.txt"),
        ("https://a.example/agents.txt", "https://a.example/agents.txt"),
    ],
)
def test_uris_of_findings(windows: Path, path: str, uri: str) -> None:
    assert sarif.uri(path) == uri


@pytest.mark.skipif(os.name != "posix", reason="names of files with backslashes")
@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a\\b.txt", "a%5Cb.txt"),
        ("/C:/a.txt", "file:///C%3A/a.txt"),
        ("C:/a", "C%3A/a"),
    ],
)
def test_a_backslash_is_a_character_elsewhere(path: str, uri: str) -> None:
    assert sarif.uri(path) == uri
    assert inputs._mirrored("a.example\\agents.txt") is None


def test_lint_fix_writes_to_the_named_path(windows: Path) -> None:
    name = ".\\.well-known\\agents.txt"
    (windows / name).write_text(DRAFT + "disallow: /x\n")
    assert cli.main(["lint", "--fix", name]) == 0
    assert (windows / name).read_text() == DRAFT + "Disallow: /x\n"


def is_open(path: str) -> bool:
    handles = Path("/proc/self/fd").iterdir()
    return any(os.path.realpath(one) == os.path.realpath(path) for one in handles)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
@pytest.mark.parametrize("output", ["out.jsonl", "out.parquet", "out.arrow"])
def test_a_run_leaves_no_folder_where_open_files_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(folder, "_IN_FOLDERS", False)
    for name in ("unlink", "remove", "rename", "replace"):
        real = getattr(os, name)

        def checked(path: Any, *rest: Any, _real: Any = real, **more: Any) -> Any:
            if is_open(path):
                raise PermissionError(13, "another process uses the file", path)
            return _real(path, *rest, **more)

        monkeypatch.setattr(os, name, checked)
    Path("in.jsonl").write_text((json.dumps({"body": DRAFT}) + "\n") * 5)
    command = ["ingest", "in.jsonl", "-o", output, "--errors-to", "bad.jsonl"]
    for _ in range(2):
        assert cli.main(command) == 0
        assert {path.name for path in tmp_path.iterdir()} <= {
            "in.jsonl",
            "bad.jsonl",
            output,
        }
