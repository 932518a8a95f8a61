"""What a run of `agentsdisc ingest` that did not end leaves, and what may have become of that."""

import errno
import os
import sys
from pathlib import Path

import pytest
from agentsdisc import cli
from agentsdisc.cli import folder, ingest, items
from agentsdisc.cli.reading import Unreadable
from conftest import Run
from test_ingest_runs import few, finished, rows, small_parts

pytest.importorskip("pyarrow")
pytest.importorskip("fastwarc.warc")


@pytest.mark.skipif(sys.platform != "linux", reason="a limit on the size of files")
def test_a_resumed_run_may_find_damaged_parts(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.warc").write_bytes(b"".join(few(300)))
    arguments = ("in.warc", "-o", "out.jsonl", "--check")
    process = small_parts(tmp_path, *arguments, file_size=190_000)
    assert "go on with --resume" in finished(process, 2)
    folder = tmp_path / "out.jsonl.parts"
    note = (folder / "state.json").read_bytes()
    again = ("ingest", *arguments, "--resume")
    for spoilt in ("[]", "{}", "null", '{"settings": 3}', "nonsense"):
        (folder / "state.json").write_text(spoilt)
        done = run(*again, check=2)
        assert "state.json: cannot be read; begin anew with --restart" in done.stderr
    (folder / "state.json").write_bytes(note)
    first, *others = sorted(folder.glob("part-*"))
    assert others
    first.rename(tmp_path / "elsewhere")
    done = run(*again, check=2)
    assert f"{first.name}: is not there any more; begin anew" in done.stderr
    (tmp_path / "elsewhere").rename(first)
    run(*again, check=0)
    assert len(rows(tmp_path / "out.jsonl")) == 300


def test_a_run_may_be_killed_while_its_parts_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ingest, "_PART_ROWS", 100)
    monkeypatch.setattr(items, "_DOCUMENTS", 50)
    Path("in.warc").write_bytes(b"".join(few(300)))
    arguments = ["ingest", "in.warc", "-o", "out.jsonl"]

    def killed(held: folder.Folder) -> None:
        min(held.path.glob("part-*")).unlink()

    with monkeypatch.context() as patch:
        patch.setattr(folder.Folder, "remove_all", killed)
        assert cli.main(arguments) == 0
    whole = Path("out.jsonl").read_bytes()
    assert Path("out.jsonl.parts").exists()
    assert cli.main(arguments) == 2
    assert cli.main([*arguments, "--resume"]) == 0
    assert Path("out.jsonl").read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.warc", "out.jsonl"]


def test_a_full_disk_is_reported_from_any_library() -> None:
    of_arrow = "Error writing bytes to file. Detail: [errno 28] No space left on device"
    for said in (of_arrow, os.strerror(errno.ENOSPC)):
        line = Unreadable.of(OSError(errno.ENOSPC, said), "out.parquet")
        assert str(line) == "out.parquet: no space left on device"
    assert str(Unreadable.of(OSError("in words only"), "a")) == "a: in words only"
