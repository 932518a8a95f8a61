"""`agentsdisc ingest` of files in other files: WACZ, and gzip, bzip2, xz or Zstandard around one file."""

import bz2
import gzip
import io
import json
import lzma
import os
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agentsdisc.cli import packed
from conftest import Run, environment
from test_ingest_runs import GOOD, compressed, few, record, rows

pa = pytest.importorskip("pyarrow")

URLS = [f"https://s{number}.example/agents.txt" for number in range(9)]
MEMBERS = [gzip.compress(one, mtime=0) for one in few()]
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".gz": gzip.compress,
    ".zst": lambda data: compressed(data, "zst"),
}


def wacz(path: Path, *files: tuple[str, bytes], how: int = zipfile.ZIP_STORED) -> None:
    """Writes a WACZ with these files in its folder of archives."""
    with zipfile.ZipFile(path, "w", how) as folder:
        folder.writestr("datapackage.json", "{}")
        folder.writestr("indexes/index.cdx.gz", gzip.compress(b"x"))
        for name, data in files:
            folder.writestr(f"archive/{name}", data)


def read(run: Run, name: str, check: int = 0) -> list[dict[str, Any]]:
    """Returns the rows of an input."""
    run("ingest", name, "-o", "out.jsonl", "--restart", "-j", "2", check=check)
    return rows(Path("out.jsonl"))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_archives_of_a_wacz_are_read(run: Run, tmp_path: Path, how: int) -> None:
    first, second = b"".join(MEMBERS[:5]), b"".join(few()[5:])
    wacz(tmp_path / "in.WACZ", ("a.warc.gz", first), ("b.warc", second), how=how)
    found = read(run, "in.WACZ")
    assert [row["url"] for row in found] == URLS
    assert {row["status"] for row in found} == {"ok"}
    starts = [len(b"".join(MEMBERS[:number])) for number in range(5)]
    sources = [f"in.WACZ/archive/a.warc.gz@{start}" for start in starts]
    assert [row["source"] for row in found][:5] == sources
    assert found[5]["source"] == "in.WACZ/archive/b.warc@0"


@pytest.mark.parametrize("suffix", [".bz2", ".xz"])
def test_a_packed_archive_is_read(run: Run, tmp_path: Path, suffix: str) -> None:
    pack = PACKERS[suffix]
    parts = pack(b"".join(few()[:4])), pack(b"".join(few()[4:]))
    (tmp_path / f"in.warc{suffix}").write_bytes(b"".join(parts))
    found = read(run, f"in.warc{suffix}")
    assert [row["url"] for row in found] == URLS
    assert [row["fetched"] for row in found] == ["2026-11-01T00:00:00Z"] * 9


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_packed_json_lines_are_read(run: Run, tmp_path: Path, suffix: str) -> None:
    lines = [json.dumps({"url": url, "body": GOOD}) + "\n" for url in URLS]
    data = "".join(lines).encode()
    pack, name = PACKERS[suffix], f"in.jsonl{suffix}"
    (tmp_path / name).write_bytes(pack(data[:500]) + pack(data[500:]))
    found = read(run, name)
    assert [(row["source"], row["url"]) for row in found] == [
        (f"{name}:{number}", url) for number, url in enumerate(URLS, start=1)
    ]
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/in.jsonl.gz").write_bytes(b"")
    (tmp_path / "tree/in.wacz").write_bytes(b"")
    (tmp_path / "tree/z.txt").write_text(GOOD)
    *others, _ = read(run, "tree", check=1)
    whys = [row["error_message"] for row in others]
    assert whys == [
        "a file of JSON Lines in a folder: name it as an input",
        "a WACZ file in a folder: name it as an input",
    ]


@pytest.mark.parametrize("how", ["a.warc.gz", "a.warc.bz2"])
def test_a_revisit_is_resolved_in_packed_archives(
    run: Run, tmp_path: Path, how: str
) -> None:
    digest = b"WARC-Payload-Digest: sha1:A\r\n"
    start = b"WARC-Type: response\r\n"
    (one,) = few(1)
    earlier = one.replace(start, start + digest)
    again = one.replace(start, b"WARC-Type: revisit\r\n" + digest)
    data = again + earlier
    if how == "a.warc.gz":
        wacz(tmp_path / "in.wacz", (how, gzip.compress(again) + gzip.compress(earlier)))
        found = read(run, "in.wacz")
    else:
        (tmp_path / how).write_bytes(bz2.compress(data))
        found = read(run, how)
    assert [row["record_type"] for row in found] == ["response", "revisit"]
    assert {row["status"] for row in found} == {"ok"}


def test_a_damaged_wacz_loses_no_whole_record(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "in.wacz"
    wacz(path, ("a.warc.gz", b"".join(MEMBERS)))
    data = path.read_bytes()
    start = data.index(MEMBERS[0])
    cut = start + len(b"".join(MEMBERS[:6])) + 9
    no_directory = data[: data.rindex(b"PK\1\2")]
    for damaged, expected in (
        (data[:cut], ["recovered"] * 6),
        (no_directory, ["recovered"] * 9),
        (data[:cut] + b"\0" * 9 + data[cut + 9 :], ["ok"] * 6 + ["recovered"] * 2),
    ):
        path.write_bytes(damaged)
        found = read(run, "in.wacz", check=1)
        good = [row["status"] for row in found if "error_kind" not in row]
        assert good == expected
        assert len(found) > len(good)
    wrong = bytearray(data)
    header = data.index(b"PK\3\4", data.index(b"archive/") - 40)
    wrong[header] ^= 1
    path.write_bytes(wrong)
    (row,) = read(run, "in.wacz", check=1)
    assert (row["error_kind"], row["source"]) == (
        "unreadable",
        "in.wacz/archive/a.warc.gz",
    )


def test_a_wacz_without_archives_says_so(run: Run, tmp_path: Path) -> None:
    wacz(tmp_path / "in.wacz")
    (row,) = read(run, "in.wacz", check=1)
    assert row["error_message"] == "there is no WARC file in the folder `archive`"


def test_bombs_of_zip_are_not_unpacked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "in.wacz"
    zeros = ("z.warc", bytes(40 << 20))
    good = ("a.warc.gz", b"".join(MEMBERS))
    wacz(path, zeros, good, how=zipfile.ZIP_DEFLATED)
    found = read(run, "in.wacz", check=1)
    assert found[0]["error_message"] == "it is packed to less than 1/200 of its size"
    assert [row["url"] for row in found[1:]] == URLS
    # Many entries for the same bytes.
    wacz(path, good)
    data = path.read_bytes()
    at, end = data.rindex(b"PK\1\2"), data.rindex(b"PK\5\6")
    entry, count = data[at:end], 200
    head = bytearray(data[end:])
    size = end - data.index(b"PK\1\2") + count * len(entry)
    struct.pack_into("<HHI", head, 8, 3 + count, 3 + count, size)
    path.write_bytes(data[:end] + entry * count + head)
    found = read(run, "in.wacz", check=1)
    assert [row["url"] for row in found if row["status"] == "recovered"] == URLS
    # A directory of any size.
    monkeypatch.setattr(packed, "_DIRECTORY", 10)
    with path.open("rb") as file:
        assert [source.name for source in packed.archives("in.wacz", file)] == [
            "in.wacz"
        ]


@pytest.mark.parametrize("suffix", PACKERS)
def test_what_precedes_damage_is_read(suffix: str) -> None:
    noise = os.urandom(300_000).hex().encode()
    data = PACKERS[suffix](noise) + PACKERS[suffix](noise)
    first = len(PACKERS[suffix](noise))

    def content(data: bytes) -> tuple[bytes, str]:
        stream, found = packed.unpacked(f"in{suffix}", io.BytesIO(data)), b""
        try:
            while block := stream.read(777):
                found += block
        except OSError as problem:
            return found, str(problem)
        return found, ""

    assert content(data) == (noise * 2, "")
    assert content(data + bytes(8)) == (noise * 2, "")
    found, why = content(data[:-9])
    assert (noise * 2).startswith(found) and len(found) >= len(noise)
    assert "ends in the middle" in why
    found, why = content(data + b"garbage")
    assert found == noise * 2 and why
    found, why = content(data[: first + 20] + b"garbage" * 9 + data[first + 83 :])
    assert found.startswith(noise) and len(found) < 2 * len(noise) and why


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_lines_before_damage_are_read(run: Run, tmp_path: Path, suffix: str) -> None:
    lines = [
        json.dumps({"url": url, "body": GOOD, "x": os.urandom(99).hex()})
        for url in URLS * 9
    ]
    # Zstandard loses the block that is damaged, of up to 128 KiB.
    text = "\n".join(lines * (1 if suffix == ".gz" else 40)).encode()
    data = bytearray(PACKERS[suffix](text))
    middle = len(data) // 2
    data[middle : middle + 60] = b"\xff" * 60
    (tmp_path / f"in.jsonl{suffix}").write_bytes(data)
    found = read(run, f"in.jsonl{suffix}", check=1)
    good = sum(row["status"] == "ok" for row in found)
    assert good >= (30 if suffix == ".gz" else 1000)
    assert found[-1]["error_kind"] == "unreadable"


def test_every_block_before_damage_is_read() -> None:
    noise = os.urandom(1 << 20).hex().encode()
    data = bytearray(compressed(noise, "zst"))
    whole = packed.unpacked("in.zst", io.BytesIO(data))
    assert b"".join(iter(whole.read, b"")) == noise
    for share in (0.3, 0.6, 0.9):
        at = int(len(data) * share)
        cut = packed.unpacked("in.zst", io.BytesIO(data[:at]))
        found = b""
        with pytest.raises(OSError, match="ends in the middle"):
            while block := cut.read():
                found += block
        assert noise.startswith(found)
        assert len(found) > 2 * at - (1 << 18)


@pytest.mark.skipif(sys.platform != "linux", reason="units of the peak")
def test_a_bomb_of_zstandard_takes_bounded_memory(run: Run, tmp_path: Path) -> None:
    lines = [json.dumps({"url": url, "body": GOOD}) for url in URLS]
    text, size = "\n".join(lines).encode(), 200 << 20
    bomb = b"\n" + bytes(size) + b"\n"
    path = tmp_path / "in.jsonl.zst"
    path.write_bytes(pa.compress(text + bomb + text, "zstd", asbytes=True))
    assert path.stat().st_size < size // 1000
    found = read(run, "in.jsonl.zst", check=1)
    assert [row["status"] for row in found] == ["ok"] * 9 + ["error"] + ["ok"] * 9
    assert found[9]["error_message"] == "the line is too long"
    code = (
        "import resource, sys\n"
        "from agentsdisc.cli import packed\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "content = packed.unpacked('x.zst', open(sys.argv[1], 'rb'))\n"
        "size = sum(map(len, iter(content.read, b'')))\n"
        "print(size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    made, peak = map(int, done.stdout.split())
    assert made == 2 * len(text) + len(bomb)
    assert peak < 30_000  # kB
    # A window that is larger than a decoder has to support.
    head = b"\x28\xb5\x2f\xfd\0" + bytes([(28 - 10) << 3])
    (tmp_path / "far.jsonl.zst").write_bytes(head + b"\1\0\0")
    (row,) = read(run, "far.jsonl.zst", check=1)
    assert row["error_message"] == "zstd: frame requires too much memory for decoding"


def test_a_decoder_of_xz_takes_bounded_memory(run: Run, tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 29}]
    body = record("https://a.example/agents.txt", GOOD.encode())
    data = bytearray(lzma.compress(body, filters=filters))
    (tmp_path / "in.warc.xz").write_bytes(data)
    (row,) = read(run, "in.warc.xz", check=1)
    assert "memory usage limit" in row["error_message"].lower()
