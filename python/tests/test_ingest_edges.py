"""`agentsdisc ingest` with several failures at once: truncated and damaged archives, second interrupts, full disks, links."""

import gzip
import json
import os
import re
import sys
from pathlib import Path

import pytest
from agentsdisc import cli
from agentsdisc.cli import ingest, items, outputs
from conftest import Run
from test_ingest_runs import GOOD, compressed, few, finished, record, rows, small_parts

pytest.importorskip("pyarrow")
pytest.importorskip("fastwarc.warc")

URL = "https://a.example/agents.txt"
ANSWER = record(URL, GOOD.encode())
GONE = record(URL, b"gone", "HTTP/1.1 404 Not Found")
PAGE = record("https://a.example/index.html", b"<html>" * 50)


def kinds(run: Run, folder: Path, name: str, data: bytes) -> list[str]:
    """Returns `ok` or the error kind for each row of an archive."""
    (folder / name).write_bytes(data)
    code = run("ingest", name, "-o", "out.jsonl").returncode
    found = [row.get("error_kind", "ok") for row in rows(folder / "out.jsonl")]
    # A response that the crawler truncated is not a loss of this run.
    is_lost = {"corrupt-record", "truncated-record"} & {*found}
    assert code == (1 if is_lost and b"WARC-Truncated" not in data else 0)
    return found


@pytest.mark.parametrize("packed", [False, True])
def test_a_truncated_file_is_reported(run: Run, tmp_path: Path, packed: bool) -> None:
    records = [ANSWER, GONE, PAGE]
    if packed:
        records = [gzip.compress(one) for one in records]
    name = "in.warc.gz" if packed else "in.warc"
    found = kinds(run, tmp_path, name, b"".join(records)[:-20])
    assert found == ["ok", "http-status", "truncated-record"]


@pytest.mark.parametrize("start", [b"\0", b"\x1f\x8c", b"garbage" * 9])
def test_damage_at_the_start_of_an_archive_costs_only_the_damaged_part(
    run: Run, tmp_path: Path, start: bytes
) -> None:
    packed = gzip.compress(ANSWER)
    data = start + packed[len(start) :] + packed * 3
    found = kinds(run, tmp_path, "in.warc.gz", data)
    assert found == ["corrupt-record", *["ok"] * 3]


@pytest.mark.parametrize("kind", ["zst", "lz4"])
def test_damage_in_other_archives_costs_only_the_damaged_part(
    run: Run, tmp_path: Path, kind: str
) -> None:
    good = compressed(ANSWER, kind)
    # The frame header is intact; the size of the first block is overwritten.
    bad = good[:7] + b"\xff" * 9 + good[16:]
    found = kinds(run, tmp_path, f"in.warc.{kind}", good + bad + good * 2)
    assert found == ["ok", "corrupt-record", "ok", "ok"]


def test_answers_truncated_by_the_crawler_are_errors(run: Run, tmp_path: Path) -> None:
    cut = ANSWER.replace(b"WARC-Date", b"WARC-Truncated: length\r\nWARC-Date")
    assert kinds(run, tmp_path, "in.warc", ANSWER + cut) == ["ok", "truncated-record"]


@pytest.mark.parametrize("packed", [False, True])
def test_that_a_pipe_is_cut_is_said(run: Run, tmp_path: Path, packed: bool) -> None:
    one = gzip.compress(ANSWER) if packed else ANSWER
    run("ingest", "-", "-o", "out.jsonl", input=one + one[:60], check=1)
    found = [row.get("error_kind", "ok") for row in rows(tmp_path / "out.jsonl")]
    assert found == ["ok", "truncated-record"]


def test_errors_that_cannot_be_written_are_said_before_reading(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps({"body": GOOD}) + "\n")
    done = run(
        "ingest", "in.jsonl", "-o", "out.jsonl", "--errors-to", "no/bad.jsonl", check=2
    )
    assert done.stderr == "agentsdisc: no/bad.jsonl: no such file or directory\n"
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_the_errors_that_are_written_are_counted(run: Run, tmp_path: Path) -> None:
    texts = [GOOD, "<html>", "[", "x"]
    lines = [json.dumps({"body": text}) for text in texts]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    done = run(
        "ingest",
        *("in.jsonl", "-o", "out.jsonl", "--errors-to", "bad.jsonl"),
        *("--where-format", "agents-txt"),
        check=0,
    )
    written = len(rows(tmp_path / "bad.jsonl"))
    assert f"errors: bad.jsonl ({written} rows)" in done.stderr


@pytest.mark.parametrize("name", ["out.parquet", "out.jsonl"])
def test_a_second_interrupt_leaves_whole_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The second interrupt arrives while rows wait for earlier rows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(items, "_DOCUMENTS", 10)
    monkeypatch.setattr(outputs, "_GROUP_ROWS", 35)
    Path("in.warc").write_bytes(b"".join([*few(200), GONE]))
    arguments = ["ingest", "in.warc", "-o", name, "-j", "1"]
    if name == "out.jsonl":
        # A batch of errors follows each batch of rows.
        Path("in.warc").write_bytes(b"".join(one + GONE for one in few(200)))
        arguments += ["--errors-to", "bad.jsonl"]
    hand_over = outputs._Threaded._hand_over
    groups = 0

    def interrupted(self: outputs._Threaded, *rest: object) -> None:
        nonlocal groups
        groups += 1
        if groups == 4:
            raise KeyboardInterrupt
        hand_over(self, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(outputs._Threaded, "_hand_over", interrupted)
        assert cli.main(arguments) == 130
    again = ["--resume"] if Path(f"{name}.parts").exists() else []
    assert cli.main([*arguments, *again]) == 0
    urls = [row["url"] for row in rows(Path(name)) if row["url"] != URL]
    assert urls == [f"https://s{number}.example/agents.txt" for number in range(200)]


def test_a_second_interrupt_may_come_while_a_part_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(items, "_DOCUMENTS", 10)
    monkeypatch.setattr(ingest, "_PART_ROWS", 40)
    Path("in.warc").write_bytes(b"".join(few(200)))
    arguments = ["ingest", "in.warc", "-o", "out.jsonl", "--errors-to", "bad.jsonl"]
    close = outputs._Threaded.close
    ended = 0

    def interrupted(self: outputs._Threaded) -> None:
        nonlocal ended
        ended += 1
        close(self)
        if ended == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(outputs._Threaded, "close", interrupted)
        assert cli.main(arguments) == 130
    assert cli.main([*arguments, "--resume"]) == 0
    urls = [row["url"] for row in rows(Path("out.jsonl"))]
    assert urls == [f"https://s{number}.example/agents.txt" for number in range(200)]


@pytest.mark.skipif(sys.platform != "linux", reason="a limit on the size of files")
def test_no_more_is_said_to_be_kept_than_is(tmp_path: Path) -> None:
    # The second part is larger than the first.
    text = GOOD.replace("Site-Name: a", f"Site-Name: {'a' * 5000}")
    large = [record(URL, text.encode())] * 120
    (tmp_path / "in.warc").write_bytes(b"".join([*few(120), *large]))
    options = ("--columns", "url,service.name", "-j", "1")
    process = small_parts(
        tmp_path, "in.warc", "-o", "out.jsonl", *options, file_size=60_000
    )
    said = finished(process, 2)
    note = json.loads((tmp_path / "out.jsonl.parts" / "state.json").read_bytes())
    kept = sum(number for *_, number in note["counts"])
    (claimed,) = re.findall(r"; ([0-9,]+) documents are finished and kept", said)
    assert int(claimed.replace(",", "")) == kept


@pytest.mark.skipif(os.name != "posix", reason="links")
@pytest.mark.parametrize("way", ["link", "in/../in"])
def test_the_output_is_not_read_by_any_path(run: Run, tmp_path: Path, way: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(GOOD)
    (tmp_path / "link").symlink_to("in")
    for _ in range(2):
        run("ingest", way, "-o", "in/out.jsonl", check=0)
        found = [row["source"] for row in rows(tmp_path / "in" / "out.jsonl")]
        assert found == [f"{way}/a.txt"]


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_an_output_that_is_a_link_stays_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps({"body": GOOD}) + "\n")
    (tmp_path / "large").mkdir()
    (tmp_path / "out.jsonl").symlink_to("large/out.jsonl")
    run("ingest", "in.jsonl", "-o", "out.jsonl", check=0)
    assert (tmp_path / "out.jsonl").is_symlink()
    assert len(rows(tmp_path / "large" / "out.jsonl")) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="a file that opens and fails")
def test_an_archive_whose_disk_fails_is_a_row(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.warc").symlink_to("/proc/self/mem")
    (tmp_path / "b.warc").write_bytes(ANSWER)
    run("ingest", "in.warc", "b.warc", "-o", "out.jsonl", check=1)
    first, second = rows(tmp_path / "out.jsonl")
    assert first["source"].startswith("in.warc")
    assert "input/output error" in first["error_message"]
    assert second["status"] == "ok"
