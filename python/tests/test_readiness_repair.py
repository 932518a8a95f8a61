"""`agentsdisc check --fix`: writes what needs no decision, changes nothing else, and changes nothing twice."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from agentsdisc import RobotsTxt
from agentsdisc.readiness.repair import repairs
from conftest import Run

INDEX = ".well-known/agent-skills/index.json"
ORIGIN = "https://mugs.example"
ZEROS = "sha256:" + "0" * 64


def put(folder: Path, name: str, content: str | bytes | dict[str, Any]) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, dict):
        content = json.dumps(content, indent=2)
    file.write_bytes(content.encode() if isinstance(content, str) else content)


def fixed(folder: Path) -> dict[str, bytes]:
    """The files that are written, by name; nothing is left to correct afterwards."""
    found: dict[str, bytes] = {}
    for repair in repairs(folder, ORIGIN):
        file = folder / repair.file
        assert repair.before == (file.read_bytes() if file.exists() else b"")
        file.write_bytes(repair.after)
        found[repair.file] = repair.after
    assert list(repairs(folder, ORIGIN)) == []
    return found


def skill(url: str, digest: Any = ZEROS, **more: Any) -> dict[str, Any]:
    return {
        "name": "a",
        "type": "skill-md",
        "description": "x",
        "url": url,
        "digest": digest,
        **more,
    }


def test_digests_are_those_of_the_bytes(tmp_path: Path) -> None:
    put(tmp_path, "skills/a.md", b"# A\r\n\xff")
    put(tmp_path, "skills/b.md", b"# B\n")
    other = "sha256:" + "1" * 64
    index = {
        "$schema": "x",
        "skills": [
            skill("/skills/a.md"),
            skill(f"{ORIGIN}/skills/b.md", other, previous=other),
            skill("https://cdn.example/c.md"),
        ],
    }
    put(tmp_path, INDEX, index)
    before = (tmp_path / INDEX).read_text()
    (after,) = fixed(tmp_path).values()
    right = [
        hashlib.sha256((tmp_path / f"skills/{x}.md").read_bytes()).hexdigest()
        for x in "ab"
    ]
    read = json.loads(after)["skills"]
    assert read[1]["digest"] == f"sha256:{right[1]}"
    assert read[1]["previous"] == other
    # Two skills state the same wrong digest, and only one of them is here.
    assert len(after) == len(before)
    assert [line for line in before.splitlines() if "digest" not in line] == [
        line for line in after.decode().splitlines() if "digest" not in line
    ]


@pytest.mark.parametrize(
    "index",
    [
        b"[]",
        b"{",
        b'{"skills": [], "skills": []}',
        b'{"skills": {"digest": 1}}',
        b"\xff\xfe{\0}\0",
        b'{"skills": [{"url": "/a", "digest": 5}, 7]}',
        b"[" * 100_000,
    ],
)
def test_an_index_that_is_not_understood_stays(tmp_path: Path, index: bytes) -> None:
    put(tmp_path, INDEX, index)
    assert fixed(tmp_path) == {}


@pytest.mark.parametrize(
    "url",
    [
        "/../secret",
        "../../../secret",
        "//elsewhere.example/a",
        "http://[",
        "/a?x=1",
        "/%2e%2e/secret",
        "/link",
        "/\0",
    ],
)
def test_only_files_of_the_folder_are_read(tmp_path: Path, url: str) -> None:
    site = tmp_path / "site"
    put(tmp_path, "secret", "x")
    put(site, "a", "x")
    (site / "link").symlink_to(tmp_path / "secret")
    put(site, INDEX, {"skills": [skill(url)]})
    assert fixed(site) == {}


ENTRY = {
    "identifier": "urn:air:mugs.example:a",
    "displayName": "A",
    "type": "application/json",
    "url": f"{ORIGIN}/a",
}
CATALOG = {"specVersion": "1.0", "entries": [ENTRY]}


def test_a_catalog_is_copied_to_its_other_place(tmp_path: Path) -> None:
    put(tmp_path, ".well-known/ai-catalog.json", CATALOG)
    (name,) = fixed(tmp_path)
    assert name == ".well-known/ard.json"
    assert json.loads((tmp_path / name).read_bytes()) == CATALOG
    (tmp_path / ".well-known/ai-catalog.json").unlink()
    assert list(fixed(tmp_path)) == [".well-known/ai-catalog.json"]


def test_catalogs_that_differ_or_are_none_stay(tmp_path: Path) -> None:
    put(tmp_path, ".well-known/ai-catalog.json", CATALOG)
    put(tmp_path, ".well-known/ard.json", CATALOG | {"entries": []})
    assert fixed(tmp_path) == {}
    for number, poor in enumerate(({"entries": [ENTRY]}, {"x": 1}, {"entries": 1})):
        put(tmp_path / str(number), ".well-known/ard.json", poor)
        assert fixed(tmp_path / str(number)) == {}


STAR = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n"
SIGNAL = "Content-Signal: search=yes, ai-train=no\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            f"{STAR}\nUser-agent: A\nDisallow: /x\n",
            f"{STAR}\nUser-agent: A\n{SIGNAL}Disallow: /x\n",
        ),
        (
            f"{STAR}\nUser-agent: A\nUser-Agent: B # b\nDisallow:\n",
            f"{STAR}\nUser-agent: A\nUser-Agent: B # b\n{SIGNAL}Disallow:\n",
        ),
        (
            f"User-agent: A\nDisallow: /x\n\n{STAR}",
            f"User-agent: A\n{SIGNAL}Disallow: /x\n\n{STAR}",
        ),
        (f"{STAR}\nUser-agent: A\nContent-Signal: search=no\n", None),
        (
            f"{STAR}\nUser-agent: A\nAllow: /\n\nUser-agent: a\nContent-Signal: search=no\n",
            None,
        ),
        ("User-agent: *\nAllow: /\n\nUser-agent: A\nDisallow: /\n", None),
        (f"User-agent: B\n{STAR}\nUser-agent: A\nDisallow: /\n", None),
        (f"{STAR}\nUser-agent: A", f"{STAR}\nUser-agent: A\n{SIGNAL}"),
        (f"{STAR}# User-agent: A\n", None),
        (
            f"{STAR}\nUser-agent: A\nAllow: /\n".replace("\n", "\r\n"),
            f"{STAR}\nUser-agent: A\n{SIGNAL}Allow: /\n".replace("\n", "\r\n"),
        ),
    ],
)
def test_signals_stand_in_every_group(
    tmp_path: Path, before: str, after: str | None
) -> None:
    put(tmp_path, "robots.txt", before)
    found = fixed(tmp_path)
    assert found == ({"robots.txt": after.encode()} if after else {})
    for agent in ("A", "B", "*", "Other"):
        one, other = RobotsTxt(before), RobotsTxt(after or before)
        for path in ("/", "/x"):
            assert one.allowed(agent, path) == other.allowed(agent, path)


def test_types_are_added_to_headers_that_are_there(tmp_path: Path) -> None:
    catalog = ".well-known/api-catalog"
    put(tmp_path, catalog, {"linkset": []})
    put(tmp_path, "llms.txt", "# A\n")
    assert fixed(tmp_path) == {}
    put(tmp_path, "_headers", "/*\n  X: y")
    text = fixed(tmp_path)["_headers"].decode()
    assert (
        text == f"/*\n  X: y\n\n/{catalog}\n  Content-Type: application/linkset+json\n"
    )
    put(tmp_path, "_headers", f"/{catalog}\n  content-type: application/json\n")
    assert fixed(tmp_path) == {}


def test_the_command_shows_what_it_writes(run: Run, tmp_path: Path) -> None:
    put(
        tmp_path,
        "dist/robots.txt",
        f"{STAR}\nUser-agent: ghp_"
        + "q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oA\nDisallow: /\n",
    )
    put(tmp_path, "dist/_headers", "/*\n  X: y\n")
    put(tmp_path, "dist/.well-known/ai-catalog.json", CATALOG)
    done = run("check", "--fix", "dist", "--fail-on", "never", check=0)
    assert "+Content-Signal: search=yes, ai-train=no" in done.stderr
    assert "ghp_q7" not in done.stderr + done.stdout
    assert "dist/.well-known/ard.json: fixed: " in done.stderr
    again = run("check", "--fix", "dist", "--fail-on", "never", check=0)
    assert again.stderr == ""
    assert (
        "--fix changes the files of a folder"
        in run("check", "--fix", "https://a.example", check=2).stderr
    )
