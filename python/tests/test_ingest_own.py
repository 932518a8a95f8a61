"""`agentsdisc ingest` changes only its own files: part folders, inputs that are also outputs, changed inputs."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from agentsdisc import cli
from agentsdisc.cli import ingest, items, parts
from agentsdisc.cli.folder import MARKER
from conftest import Run
from test_ingest_runs import GOOD, rows

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="links")

LINE = json.dumps({"body": GOOD}) + "\n"
VICTIM = "do not touch\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Changes to a folder with an input."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text(LINE * 3)
    return tmp_path


def state(folder: Path) -> dict[str, str]:
    """Returns the content of a folder: links with their targets, files with their text."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        else:
            found[name] = "folder" if path.is_dir() else path.read_text("utf-8")
    return found


def a_foreign_folder(folder: Path) -> None:
    folder.mkdir()
    (folder / "part-00000.jsonl").write_text(VICTIM)
    (folder / "state.json").write_text("{}")
    (folder / "lock").write_text(VICTIM)


def a_link_to_a_folder(folder: Path) -> None:
    folder.symlink_to("elsewhere")


def a_link_to_a_run(folder: Path) -> None:
    (folder.parent / "other").mkdir()
    (folder.parent / "other" / MARKER).write_text(VICTIM)
    folder.symlink_to("other")


def a_dangling_link(folder: Path) -> None:
    folder.symlink_to("nowhere")


def a_file(folder: Path) -> None:
    folder.write_text(VICTIM)


def a_lock_that_is_a_link(folder: Path) -> None:
    folder.mkdir()
    (folder / "lock").symlink_to("../elsewhere/victim.txt")


def a_marker_that_is_a_link(folder: Path) -> None:
    folder.mkdir()
    (folder / MARKER).symlink_to("../elsewhere/victim.txt")


def a_marker_of_somebody_else(folder: Path) -> None:
    folder.mkdir()
    (folder / MARKER).write_text(VICTIM)
    (folder / "part-00000.jsonl").write_text(VICTIM)


@pytest.mark.parametrize("option", ["--resume", "--restart", None])
@pytest.mark.parametrize(
    "make",
    [
        *(a_foreign_folder, a_link_to_a_folder, a_link_to_a_run, a_dangling_link),
        *(a_file, a_lock_that_is_a_link, a_marker_that_is_a_link),
        a_marker_of_somebody_else,
    ],
)
def test_what_is_not_of_a_run_is_refused_and_stays(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    make: Callable[[Path], None],
    option: str | None,
) -> None:
    (here / "elsewhere").mkdir()
    (here / "elsewhere" / "victim.txt").write_text(VICTIM)
    make(here / "out.jsonl.parts")
    before = state(here)
    options = [option] if option else []
    assert cli.main(["ingest", "in.jsonl", "-o", "out.jsonl", *options]) == 2
    assert "out.jsonl.parts: is not a folder of agentsdisc" in capsys.readouterr().err
    assert state(here) == before


def interrupted(here: Path, monkeypatch: pytest.MonkeyPatch, *inputs: str) -> Path:
    """Returns the part folder of an unfinished run."""
    with monkeypatch.context() as patch:
        patch.setattr(ingest, "_PART_ROWS", 2)
        patch.setattr(items, "_DOCUMENTS", 2)
        add, calls = parts.Parts.add, []

        def adding(self: parts.Parts, finished: dict[str, Path]) -> None:
            calls.append(finished)
            add(self, finished)
            if len(calls) == 2:
                raise KeyboardInterrupt

        patch.setattr(parts.Parts, "add", adding)
        command = ["ingest", *inputs, "-o", "out.jsonl", "-j", "1"]
        assert cli.main(command) == 130
    folder = here / "out.jsonl.parts"
    assert (folder / MARKER).is_file() and (folder / "state.json").is_file()
    return folder


def of_many(here: Path) -> None:
    (here / "tree").mkdir()
    for number in range(9):
        (here / "tree" / f"{number}.txt").write_text(GOOD)


@pytest.mark.parametrize("option", ["--resume", "--restart"])
@pytest.mark.parametrize(
    "name",
    ["state.json", "part-00000.jsonl", "part-00009.jsonl.partial", "lock", "notes.txt"],
)
@pytest.mark.parametrize("kind", ["link", "hard link", "folder", "file"])
def test_what_somebody_put_among_the_parts_stays(
    here: Path, monkeypatch: pytest.MonkeyPatch, option: str, name: str, kind: str
) -> None:
    if kind == "file" and name not in ("lock", "notes.txt"):
        pytest.skip("a file with this name is one of the run")
    of_many(here)
    folder = interrupted(here, monkeypatch, "tree")
    (here / "victim.txt").write_text(VICTIM)
    (folder / name).unlink(missing_ok=True)
    if kind == "link":
        (folder / name).symlink_to("../victim.txt")
    elif kind == "hard link":
        (folder / name).hardlink_to(here / "victim.txt")
    elif kind == "file":
        (folder / name).write_text(VICTIM)
    else:
        (folder / name).mkdir()
        (folder / name / "a").write_text(VICTIM)
    before = state(here)
    assert cli.main(["ingest", "tree", "-o", "out.jsonl", option]) == 2
    assert state(here) == before


def test_a_run_that_did_not_end_is_gone_on_with(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_many(here)
    for option in ("--resume", "--restart"):
        folder = interrupted(here, monkeypatch, "tree")
        assert cli.main(["ingest", "tree", "-o", "out.jsonl", option]) == 0
        assert len(rows(here / "out.jsonl")) == 9
        assert not folder.exists()


@pytest.mark.parametrize(
    "files",
    [
        *({".jsonl": names} for names in (["../victim.jsonl"], ["part-00000.jsonl"])),
        {"/../../victim.jsonl": [13]},
        {".jsonl/../../victim.jsonl": [13]},
        {".jsonl": [5]},
        {".jsonl": [None]},
        {".jsonl": 7},
        [],
    ],
)
def test_a_note_that_names_other_files_is_refused(
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    files: object,
) -> None:
    of_many(here)
    (here / "victim.jsonl").write_text(VICTIM)
    folder = interrupted(here, monkeypatch, "tree")
    note = json.loads((folder / "state.json").read_text())
    (folder / "state.json").write_text(json.dumps({**note, "files": files}))
    before = state(here)
    assert cli.main(["ingest", "tree", "-o", "out.jsonl", "--resume"]) == 2
    assert "discard the run with --restart" in capsys.readouterr().err
    assert state(here) == before


@pytest.mark.parametrize("cut", [0, 10])
def test_a_part_of_another_size_is_refused(
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    cut: int,
) -> None:
    of_many(here)
    folder = interrupted(here, monkeypatch, "tree")
    part = folder / "part-00000.jsonl"
    data = part.read_bytes()
    part.write_bytes(data[:cut])
    assert cli.main(["ingest", "tree", "-o", "out.jsonl", "--resume"]) == 2
    said = f"part-00000.jsonl: the file has {cut} bytes instead of {len(data):,}"
    assert said in capsys.readouterr().err
    part.write_bytes(data)
    assert cli.main(["ingest", "tree", "-o", "out.jsonl", "--resume"]) == 0
    assert len(rows(here / "out.jsonl")) == 9


@pytest.mark.parametrize(
    ("member", "value"),
    [
        *(("rows", value) for value in ("x", None, -1, 1.5, True, [])),
        *((name, None) for name in ("size", "lost", "consumed", "failed", "seconds")),
        ("seconds", "x"),
        pytest.param("seconds", 10**400, id="seconds-huge"),
        *(("counts", value) for value in ([[1, 2, 3]], [["a", "b", "c"]], 5)),
        *(("losses", value) for value in ([[1, 2]], [["a"]], "ab", [[]])),
        *(("place", [*place, []]) for place in ((-1, 0), (0, -5), ("0", 1), (9, 1))),
        ("place", [0, 1, [5]]),
        ("place", None),
        ("marks", []),
        ("marks", None),
        ("settings", []),
    ],
)
def test_a_note_with_invalid_values_is_refused(
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    member: str,
    value: object,
) -> None:
    of_many(here)
    folder = interrupted(here, monkeypatch, "tree")
    note = json.loads((folder / "state.json").read_text())
    (folder / "state.json").write_text(json.dumps({**note, member: value}))
    assert cli.main(["ingest", "tree", "-o", "out.jsonl", "--resume"]) == 2
    said = "state.json: the file is invalid; discard the run with --restart"
    assert said in capsys.readouterr().err
    assert not (here / "out.jsonl").exists()


def test_a_note_of_endless_depth_is_refused(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_many(here)
    folder = interrupted(here, monkeypatch, "tree")
    (folder / "state.json").write_text("[" * 100_000)
    assert cli.main(["ingest", "tree", "-o", "out.jsonl", "--resume"]) == 2


@pytest.mark.parametrize("option", ["-o", "--errors-to"])
def test_a_link_into_a_folder_that_does_not_exist_is_refused_at_once(
    here: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    (here / "link.jsonl").symlink_to("missing/out.jsonl")
    outputs = ["-o", "link.jsonl"]
    if option == "--errors-to":
        outputs = ["-o", "out.jsonl", "--errors-to", "link.jsonl"]
    before = state(here)
    assert cli.main(["ingest", "in.jsonl", *outputs]) == 2
    assert "link.jsonl: no such file or directory" in capsys.readouterr().err
    assert state(here) == before


def test_a_run_may_be_killed_before_it_marks_its_folder(here: Path) -> None:
    (here / "out.jsonl.parts").mkdir()
    assert cli.main(["ingest", "in.jsonl", "-o", "out.jsonl"]) == 2
    assert cli.main(["ingest", "in.jsonl", "-o", "out.jsonl", "--resume"]) == 0
    assert not (here / "out.jsonl.parts").exists()


@pytest.mark.parametrize("change", ["added", "removed", "both", "other text"])
@pytest.mark.parametrize("where", ["done", "in the middle"])
def test_files_of_a_folder_that_come_or_go_are_seen(
    here: Path, monkeypatch: pytest.MonkeyPatch, change: str, where: str
) -> None:
    of_many(here)
    inputs = ["tree", "in.jsonl"] if where == "done" else ["tree"]
    if where == "done":
        for number in range(3, 9):
            (here / "tree" / f"{number}.txt").unlink()
        (here / "in.jsonl").write_text(LINE * 9)
    interrupted(here, monkeypatch, *inputs)
    if change in ("added", "both"):
        (here / "tree" / "00.txt").write_text(GOOD)
    if change in ("removed", "both"):
        (here / "tree" / "1.txt").unlink()
    if change == "other text":
        (here / "tree" / "1.txt").write_text(GOOD + "# more\n")
    command = ["ingest", *inputs, "-o", "out.jsonl"]
    assert cli.main([*command, "--resume"]) == 2
    assert not (here / "out.jsonl").exists()
    assert cli.main([*command, "--restart"]) == 0
    found = {row["source"] for row in rows(here / "out.jsonl")}
    assert ("tree/00.txt" in found) == (change in ("added", "both"))
    assert ("tree/1.txt" in found) == (change not in ("removed", "both"))


def same_link(here: Path) -> str:
    (here / "bad.jsonl").symlink_to("out.jsonl")
    return "bad.jsonl"


def same_hard_link(here: Path) -> str:
    (here / "out.jsonl").write_text("old\n")
    (here / "bad.jsonl").hardlink_to(here / "out.jsonl")
    return "bad.jsonl"


def same_through_a_folder(here: Path) -> str:
    (here / "sub").mkdir()
    (here / "link").symlink_to(here)
    return "link/sub/../out.jsonl"


def same_through_two_links(here: Path) -> str:
    (here / "one.jsonl").symlink_to("two.jsonl")
    (here / "two.jsonl").symlink_to(here / "out.jsonl")
    return "one.jsonl"


@pytest.mark.parametrize(
    "make", [same_link, same_hard_link, same_through_a_folder, same_through_two_links]
)
def test_outputs_that_are_one_file_are_refused(
    run: Run, here: Path, make: Callable[[Path], str]
) -> None:
    errors = make(here)
    before = state(here)
    command = ("ingest", "in.jsonl", "-o", "out.jsonl", "--errors-to", errors)
    assert "--errors-to: names the output" in run(*command, check=2).stderr
    assert state(here) == before


@pytest.mark.parametrize("make", [same_link, same_hard_link, same_through_a_folder])
@pytest.mark.parametrize("option", ["-o", "--errors-to"])
def test_an_output_that_is_an_input_is_refused(
    here: Path, make: Callable[[Path], str], option: str
) -> None:
    (here / "in.jsonl").rename(here / "first.jsonl")
    (here / "out.jsonl").write_text(LINE)
    if make is same_hard_link:
        (here / "bad.jsonl").hardlink_to(here / "out.jsonl")
        other = "bad.jsonl"
    else:
        other = make(here)
    outputs = ["-o", "out.jsonl"]
    if option == "--errors-to":
        outputs = ["-o", "third.jsonl", "--errors-to", "out.jsonl"]
    assert cli.main(["ingest", "first.jsonl", other, *outputs]) == 2
    assert (here / "out.jsonl").read_text() == LINE


def test_errors_and_inputs_are_not_among_the_parts(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_many(here)
    folder = interrupted(here, monkeypatch, "tree")
    (here / "link").symlink_to("out.jsonl.parts")
    before = state(here)
    for name in ("out.jsonl.parts/bad.jsonl", "link/bad.jsonl"):
        command = ["ingest", "tree", "-o", "out.jsonl", "--errors-to", name]
        assert cli.main([*command, "--restart"]) == 2
    for name in ("out.jsonl.parts/part-00000.jsonl", "link", "link/part-00000.jsonl"):
        assert cli.main(["ingest", name, "-o", "out.jsonl", "--restart"]) == 2
    assert state(here) == before
    shutil.rmtree(folder)


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16", "utf-32"])
def test_json_lines_with_a_byte_order_mark(run: Run, here: Path, mark: str) -> None:
    (here / "in.jsonl").write_bytes((LINE * 3).encode(mark))
    data = (here / "in.jsonl").read_bytes()
    for arguments, given, name in (
        (("in.jsonl",), b"", "in.jsonl"),
        (("-",), data, "<stdin>"),
    ):
        code = 0 if mark == "utf-8-sig" else 1
        run("ingest", *arguments, "-o", "out.jsonl", input=given, check=code)
        found = rows(here / "out.jsonl")
        if mark == "utf-8-sig":
            assert [row["source"] for row in found] == [
                f"{name}:{n}" for n in (1, 2, 3)
            ]
            assert {row["status"] for row in found} == {"ok"}
        else:
            assert [row["error_kind"] for row in found] == ["invalid-record"]
            assert "must be UTF-8" in found[0]["error_message"]
