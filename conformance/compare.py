"""Runs the kit against other implementations, and writes what each does as a page.

`python3 conformance/compare.py FOLDER`, with Python 3.13 or newer, which `ard-sdk` needs, installs them in a folder, at the
versions that `adapters/` pins, and writes the page to the standard output. `--rust PROGRAM` names the built example `conformance-adapter` of the core,
which also has the crates that are compared, `--ours PYTHON` the Python that has this project's package, and
`--javascript` also runs the npm package, which has to be built.
"""

import argparse
import json
import subprocess
import sys
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
ADAPTERS = ROOT / "adapters"

PYTHON = (
    "scrapy_protego.py",
    "urllib_robotparser.py",
    "robots_exclusion.py",
    "robotspy_parser.py",
    "a2a_sdk.py",
    "ard_sdk.py",
    "llms_txt_python.py",
    "mcp_sdk.py",
    "http_message_signatures_python.py",
)
JAVASCRIPT = ("robots_parser.mjs", "a2a_sdk.mjs", "mcp_sdk.mjs", "web_bot_auth.mjs")
RUST = ("robotstxt", "texting_robots")

OURS = "agentsdisc "

HEAD = """\
# Comparison

What implementations answer in the cases of the [conformance kit](../conformance/README.md), version {version}. Only the tasks and
formats that an implementation has are asked. `must` and `should` are rules of specifications; a `ruling` is ours, where they
are silent, and counts against nobody: as often, others have the better reasons. This page is written by
`python3 conformance/compare.py FOLDER --rust target/debug/examples/conformance-adapter --ours .venv/bin/python --javascript`.

| implementation | version | formats | task | must | should | rulings alike |
| --- | --- | --- | --- | --: | --: | --: |
"""

SIGNED = """
## A2A cards on which SDKs differ

What a signature covers (A2A 1.0, section 8.4.1): the specification leaves these open, or its example and its text disagree. "as expected" is what
the vector states, not what is right: a card that is to be verified by every SDK has none of these members.

"""

RIGHT = """
## Where others have the better reasons

- A2A cards: both SDKs leave empty required members out of what is signed. The text of the specification and this project's canonical form keep
  them, but the cards that exist are signed by SDKs. `agentsdisc.verify` accepts both forms, and tells which one was signed.
- An agent without a name: what `robots-txt/suite/empty` asks is allowed by all others, as in the tests that Google published. This project denies every question
  without a name.
"""

ALONE = """
## Rulings of ours that no other implementation shares

At least three others answered, and all of them otherwise. Where you disagree with such a ruling, so do they.

"""


def install(folder: Path) -> Path:
    """Installs the other implementations, and returns the Python that has them."""
    venv.create(folder / "venv", with_pip=True, clear=False)
    bin = "Scripts" if sys.platform == "win32" else "bin"
    python = folder / "venv" / bin / "python"
    pip = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]
    subprocess.run([*pip, "-r", str(ADAPTERS / "requirements.txt")], check=True)
    text = (ADAPTERS / "package.json").read_text(encoding="utf-8")
    (folder / "package.json").write_text(text, encoding="utf-8")
    npm = ["npm", "install", "--silent", "--ignore-scripts", "--no-fund", "--no-audit"]
    subprocess.run(npm, cwd=folder, check=True)
    return python


def run(folder: Path, command: str) -> dict[str, Any]:
    """Runs the kit against one adapter."""
    kit = [sys.executable, str(ROOT / "kit"), "--adapter", command]
    # Some take long to start.
    ran = subprocess.run(
        [*kit, "--output-format", "json", "--timeout", "60"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    if not ran.stdout:
        raise SystemExit(f"{command}: {ran.stderr.decode()}")
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def rows(found: dict[str, Any]) -> str:
    """Returns the rows of one implementation."""
    counts = {(c["task"], c["level"]): c for c in found["counts"]}
    name, version = found["implementation"].values()
    lines = []
    formats = ", ".join(sorted({r["format"] for r in found["results"] if r["format"]}))
    if len(formats) > 80:
        formats = "all"
    for task in dict.fromkeys(c["task"] for c in found["counts"]):
        cells = []
        for level in ("must", "should", "ruling"):
            count = counts.get((task, level))
            asked = count and count["passed"] + count["failed"]
            cells.append(f"{count['passed']} of {asked}" if count and asked else "–")
        head = f"| {name} | {version} | {formats} | {task} |"
        lines.append(f"{head} {' | '.join(cells)} |\n")
        name = version = formats = ""
    return "".join(lines)


def differences(found: dict[str, Any]) -> str:
    """Returns the rules of specifications that an implementation does not follow."""
    failed: dict[str, str] = {}
    for result in found["results"]:
        if result["result"] in ("fail", "broken") and result["level"] == "must":
            failed.setdefault(result["id"].split("#")[0], result["section"])
    if not failed:
        return ""
    name = found["implementation"]["name"]
    lines = [f"\n### {name}\n\n"]
    lines += [
        f"- `{vector}`: {section.split(':')[0]}\n" for vector, section in failed.items()
    ]
    return "".join(lines)


def signed_forms(all_of: list[dict[str, Any]]) -> str:
    """Returns a table of the forms that signatures of A2A cards cover."""
    asked = [f for f in all_of if any(r["task"] == "canonical" for r in f["results"])]
    names = [found["implementation"]["name"] for found in asked]
    lines = [f"| card | {' | '.join(names)} |\n| --- |{' --- |' * len(names)}\n"]
    answers = [{r["id"]: r["result"] for r in found["results"]} for found in asked]
    for case in (case for case in answers[0] if case.startswith("canonical/")):
        said = [answer[case] for answer in answers]
        if set(said) != {"pass"}:
            cells = ["as expected" if one == "pass" else "otherwise" for one in said]
            lines.append(f"| `{case.split('#')[0]}` | {' | '.join(cells)} |\n")
    return "".join(lines)


def alone(all_of: list[dict[str, Any]]) -> str:
    """Returns the rulings from which all others differ, if at least three answered."""
    said: dict[str, list[bool]] = {}
    for found in all_of:
        if found["implementation"]["name"].startswith(OURS):
            continue
        for result in found["results"]:
            if result["level"] == "ruling" and result["result"] in ("pass", "fail"):
                said.setdefault(result["id"], []).append(result["result"] == "fail")
    rules = {case.split("#")[0] for case, answers in said.items() if _all(answers)}
    # Others have no such limits.
    rules = {rule for rule in rules if "/limits/" not in rule}
    return "".join(f"- `{rule}`: {_about(rule)}\n" for rule in sorted(rules))


def _about(rule: str) -> str:
    vector = json.loads((ROOT / f"{rule}.json").read_text(encoding="utf-8"))
    return str(vector["about"])


def _all(differ: list[bool]) -> bool:
    return len(differ) >= 3 and all(differ)


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where to install them")
    parser.add_argument(
        "--ours", type=Path, metavar="PYTHON", help="the Python with this package"
    )
    parser.add_argument("--rust", type=Path, help="the program with the Rust crates")
    parser.add_argument("--javascript", action="store_true", help="run ours, too")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    python = install(options.folder)
    commands = [f'"{python}" "{ADAPTERS / name}"' for name in PYTHON]
    commands += [f'node "{ADAPTERS / name}"' for name in JAVASCRIPT]
    if options.rust:
        program = f'"{options.rust.resolve()}"'
        commands += [f"{program} {name}" for name in RUST]
        commands.insert(0, program)
    if options.javascript:
        commands.insert(0, f'node "{ADAPTERS / "agentsdisc_javascript.mjs"}"')
    if options.ours:
        # Not resolved: the link to the interpreter says which environment it is.
        ours = options.ours.absolute()
        commands.insert(0, f'"{ours}" "{ADAPTERS / "agentsdisc_python.py"}"')
    with ThreadPoolExecutor(2) as pool:
        all_of = list(pool.map(lambda one: run(options.folder, one), commands))
    version = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
    sys.stdout.write(HEAD.format(version=version))
    sys.stdout.write("".join(map(rows, all_of)))
    sys.stdout.write(SIGNED + signed_forms(all_of))
    sys.stdout.write("\n## Rules that an implementation does not follow\n")
    sys.stdout.write("".join(map(differences, all_of)))
    sys.stdout.write(RIGHT + ALONE + alone(all_of))
    return 0


if __name__ == "__main__":
    sys.exit(main())
