"""The commands in the pages can be copied, and are commands that there are.

Here every command line is read by the parser that would read it, and every program that one names is looked for. Which pages are run as they
are written is listed in `RUN`, with the tests that do so.
"""

import contextlib
import io
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from agentsdisc import cli
from agentsdisc.cli import gateway
from conftest import ROOT

PAGES = [
    *(
        ROOT / name
        for name in (
            "README.md",
            "CONTRIBUTING.md",
            ".github/SECURITY.md",
            "conformance/README.md",
            "js/README.md",
            "python/README.md",
            "core/README.md",
        )
    ),
    # The pages in docs/commands are written from the parsers.
    *(
        page
        for page in sorted((ROOT / "docs").rglob("*.md"))
        if page.parent.name != "commands"
    ),
]
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)

RUN = {
    "README.md": "test_docs.py",
    "docs/calls.md": "test_docs.py",
    "docs/policy.md": "test_quickstarts.py",
    "docs/identity.md": "test_docs.py",
    "docs/site-owners.md": "test_site_owners.py",
    "docs/start": "test_quickstarts.py",
}
"""The pages and folders whose commands are run, and by which file of tests."""

NOT_RUN = {
    "CONTRIBUTING.md": "the commands are the tests",
    "conformance/README.md": "test_conformance_kit.py runs the kit with adapters that exist",
    "docs/c.md": "`cargo xtask test` builds and links the programs of the page, and installs the library",
    "docs/crawling.md": "test_engines.py runs python/examples/crawl.py, which does the same",
    "docs/embedded.md": "`cargo xtask embedded` builds and runs the firmware",
    "docs/javascript.md": "js/test builds the package and runs its command",
    "docs/python.md": "installs",
    "docs/registry-operation.md": "test_registry_semantic.py serves such a store",
    "docs/registry.md": "test_registry_build.py, test_registry_serve.py and `cargo xtask demo` do the same",
    "js/README.md": "js/test runs the command",
}
"""The other pages with commands, and what tries them instead."""


def lines(text: str) -> Iterator[str]:
    """Yields the commands in the blocks of a page, without comments."""
    for language, body in BLOCK.findall(text):
        if language not in ("sh", "text"):
            continue
        for line in body.replace("\\\n", " ").splitlines():
            if language == "sh" or re.match(r"(agentsdisc|npx|python3?) ", line):
                command = re.sub(r"(^|\s+)# .*|\s+#\s.*", "", line).strip()
                for part in re.split(r" && | \| ", command):
                    if part:
                        yield part
    for body in re.findall(r'"mcpServers".*', text):
        server = next(iter(json.loads("{" + body.lstrip("{"))["mcpServers"].values()))
        yield shlex.join([server["command"], *server["args"]])


XTASK = set(
    re.findall(
        r'^ +"([a-z-]+)"(?: \| "[^"]+")* =>',
        (ROOT / "xtask/src/main.rs").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)
STEPS = set(
    re.findall(
        r'step\(\s*"([a-z0-9-]+)"',
        (ROOT / "xtask/src/test.rs").read_text(encoding="utf-8"),
    )
)
EXTRAS = set(
    tomllib.loads((ROOT / "python/pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]["optional-dependencies"]
)
FEATURES = {
    name
    for crate in ("core", "ffi-c")
    for name in tomllib.loads((ROOT / crate / "Cargo.toml").read_text("utf-8"))[
        "features"
    ]
}


def wrong(command: str) -> str | None:
    """Returns what is wrong with a command."""
    if command.startswith("$ "):
        return "a prompt is copied with the command"
    words = shlex.split(command)
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        del words[0]
    if ">" in words:
        del words[words.index(">") :]
    match words:
        case ["agentsdisc", *arguments] | ["npx", "agentsdisc", *arguments]:
            problem = io.StringIO()
            try:
                with contextlib.redirect_stderr(problem):
                    cli.parser().parse_args(gateway.spelled(arguments))
            except SystemExit:
                return problem.getvalue()
        case ["cargo", "xtask", name, *arguments]:
            if name not in XTASK:
                return f"no command {name}"
            if "--only" in arguments and name in ("check", "test"):
                steps = arguments[arguments.index("--only") + 1].split(",")
                return next((f"no step {x}" for x in steps if x not in STEPS), None)
        case ["python" | "python3" | "node", path, *_] if path[0] != "-":
            mine = path.removeprefix("agentsdisc/")
            # A program that the page has the reader save.
            if "/" in mine and not (ROOT / mine).exists():
                return f"{path} does not exist"
        case ["pip", "install", *packages]:
            for extras in re.findall(r"python\[([\w,]+)\]", " ".join(packages)):
                for extra in extras.split(","):
                    if extra not in EXTRAS:
                        return f"no extra {extra}"
        case ["cargo", *arguments] if "--features" in arguments:
            for feature in arguments[arguments.index("--features") + 1].split(","):
                if feature not in FEATURES:
                    return f"no feature {feature}"
    return None


def test_every_command_is_one_that_there_is() -> None:
    number, problems = 0, []
    for page in PAGES:
        for command in lines(page.read_text(encoding="utf-8")):
            number += 1
            if problem := wrong(command):
                problems.append(f"{page.relative_to(ROOT)}: {command}: {problem}")
    assert not problems, "\n".join(problems)
    assert number > 90


def test_every_command_in_a_sentence_is_one_that_there_is() -> None:
    found, problems = 0, []
    for page in PAGES:
        text = BLOCK.sub("", page.read_text(encoding="utf-8"))
        for name, rest in re.findall(r"`cargo xtask ([a-z-]+)([^`]*)`", text):
            found += 1
            if problem := wrong(f"cargo xtask {name}{rest}"):
                problems.append(f"{page.relative_to(ROOT)}: {problem}")
        for name in re.findall(r"`agentsdisc ([a-z]+)\b[^`]*`", text):
            found += 1
            if name not in cli.parser().format_help():
                problems.append(f"{page.relative_to(ROOT)}: no command {name}")
        for path in re.findall(
            r"`(?:python3? )?((?:python|js|conformance)/[a-z0-9_/.-]+\.\w+)\b[^`]*`",
            text,
        ):
            found += 1
            if not (ROOT / path).exists():
                problems.append(f"{page.relative_to(ROOT)}: {path} does not exist")
    assert not problems, "\n".join(problems)
    assert found > 100


def test_every_page_with_commands_is_run_or_says_what_tries_them() -> None:
    with_commands = set()
    for page in PAGES:
        name = page.relative_to(ROOT).as_posix()
        if any(lines(page.read_text(encoding="utf-8"))):
            with_commands.add("docs/start" if name.startswith("docs/start/") else name)
    assert with_commands == RUN.keys() | NOT_RUN.keys()
    for page, tests in RUN.items():
        text = (ROOT / "python/tests" / tests).read_text(encoding="utf-8")
        assert Path(page).name in text, page


def foreign(text: str) -> list[str]:
    """Returns what PowerShell does not take, in a quickstart for Windows as well."""
    found = []
    for language, body in BLOCK.findall(text):
        if language == "sh":
            found += re.findall(r"&&|\$\(|\\$|^[A-Z_]+=|[<|]", body, re.MULTILINE)
            # A comma outside of quotes makes two arguments.
            found += re.findall(r"[\w-]+,[\w-]+", re.sub(r"'[^']*'", "", body))
            # This name is another command there.
            if "curl " in body and "`curl.exe`" not in text:
                found.append("curl")
            if ".venv/bin/activate" in body and "Activate.ps1" not in text:
                found.append("activate")
    return found


def test_quickstarts_run_in_powershell() -> None:
    for page in sorted((ROOT / "docs/start").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if "on Linux or macOS" not in text:
            assert not foreign(text), page.name
    block = "```sh\n{}\n```\n"
    for wrong in ("a && b", "a \\\n  b", "A=1 a", "a b,c", "curl -s a", "a | b"):
        assert foreign(block.format(wrong)), wrong


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("$ agentsdisc formats", "prompt"),
        ("agentsdisc lint --fast agents.txt", "--fast"),
        ("agentsdisc chek dist", "chek"),
        ("cargo xtask everything", "everything"),
        ("cargo xtask test --only nothing", "nothing"),
        ("python python/none.py", "python/none.py"),
        ("pip install './python[nothing]'", "nothing"),
        ("cargo build --features none", "none"),
    ],
)
def test_a_wrong_command_is_found(command: str, problem: str) -> None:
    assert problem in str(wrong(command))
    (found,) = lines(f"```sh\n{command}   # a comment\n```\n")
    assert found == command
