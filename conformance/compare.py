"""Runs the kit against other implementations, and writes what each does as a page.

`python3 conformance/compare.py FOLDER` installs them in a folder, at the versions that `adapters/` pins, and
writes the page to the standard output. `--ours PYTHON` names the Python that has this project's package, and
`--javascript` also runs the npm package, which has to be built.
"""

import argparse
import json
import subprocess
import sys
import venv
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
    "llms_txt_python.py",
)
JAVASCRIPT = ("robots_parser.mjs", "a2a_sdk.mjs")

HEAD = """\
# Comparison

What implementations answer in the cases of the [conformance kit](../conformance/README.md), version {version}. Only the tasks and
formats that an implementation has are asked. `must` and `should` are rules of specifications; a `ruling` is ours, where they
are silent, and counts against nobody. This page is written by
`python3 conformance/compare.py FOLDER --ours .venv/bin/python --javascript`.

| implementation | version | task | must | should | rulings alike |
| --- | --- | --- | --: | --: | --: |
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
    ran = subprocess.run(
        [*kit, "--output-format", "json"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def rows(found: dict[str, Any]) -> str:
    """Returns the rows of one implementation."""
    counts = {(c["task"], c["level"]): c for c in found["counts"]}
    name, version = found["implementation"].values()
    lines = []
    for task in dict.fromkeys(c["task"] for c in found["counts"]):
        cells = []
        for level in ("must", "should", "ruling"):
            count = counts.get((task, level))
            asked = count and count["passed"] + count["failed"]
            cells.append(f"{count['passed']} of {asked}" if count and asked else "–")
        lines.append(f"| {name} | {version} | {task} | {' | '.join(cells)} |\n")
        name = version = ""
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
    lines = [f"\n## {name}\n\n"]
    lines += [
        f"- `{vector}`: {section.split(':')[0]}\n" for vector, section in failed.items()
    ]
    return "".join(lines)


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where to install them")
    parser.add_argument("--ours", metavar="PYTHON", help="the Python with this package")
    parser.add_argument("--javascript", action="store_true", help="run ours, too")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    python = install(options.folder)
    commands = [f'"{python}" "{ADAPTERS / name}"' for name in PYTHON]
    commands += [f'node "{ADAPTERS / name}"' for name in JAVASCRIPT]
    if options.javascript:
        commands.insert(0, f'node "{ADAPTERS / "agentsdisc_javascript.mjs"}"')
    if options.ours:
        commands.insert(0, f'"{options.ours}" "{ADAPTERS / "agentsdisc_python.py"}"')
    all_of = [run(options.folder, command) for command in commands]
    version = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
    sys.stdout.write(HEAD.format(version=version))
    sys.stdout.write("".join(map(rows, all_of)))
    sys.stdout.write("\nRules that an implementation does not follow:\n")
    sys.stdout.write("".join(map(differences, all_of)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
