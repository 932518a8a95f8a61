"""Writes docs/commands.md and the page of each command in docs/commands/ from the parsers. `--check`: fails if a page is not up to date."""

import argparse
import os
import re
import sys
import textwrap
from pathlib import Path

os.environ["COLUMNS"] = "100"
from agentsdisc import cli

DOCS = Path(__file__).parents[2] / "docs"
MARK = "<!-- Written by `cargo xtask site` from the parsers in python/python/agentsdisc/cli; change it there. -->\n\n"
HEAD = f"""\
{MARK}# Commands

Every command of `agentsdisc`; its page has what `agentsdisc COMMAND --help` prints. [The quickstart](start/command-line.md) shows the most useful ones.

| exit code | meaning |
| --- | --- |
| 0 | success |
| 1 | the answer is no: `lint` or `check` found something, `convert` was refused, `decide`, `tools`, `call` or `mcp` does not allow it, `discover`, `search` or `inspect URL` found nothing, or `ingest` or `registry build` lost a part of its inputs |
| 2 | an input cannot be read, an output cannot be written, or the arguments are wrong |
| 130, 143 | interrupted, terminated |

| command | what it does |
| --- | --- |
"""


def text(words: str | None) -> str:
    """Returns help text for Markdown: in one line, with names of options as code."""
    line = " ".join((words or "").replace("%%", "%").split())
    line = line.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
    parts = line.split("`")  # every second part is code already
    parts[::2] = [re.sub(r"(?<![\w-])(--[a-z][a-z-]*)", r"`\1`", x) for x in parts[::2]]
    return "`".join(parts)


def paragraphs(words: str | None) -> str:
    """Returns a description for Markdown: paragraphs stay paragraphs, an indented list becomes a list."""
    found = []
    for part in re.split(r"\n\s*\n", (words or "").strip()):
        lines = part.splitlines()
        rows = [line for line in lines if re.match(r"  \S", line)]
        if not rows:
            found.append(text(part))
            continue
        if lines[0] not in rows:
            found.append(text(lines[0]))
        items: list[str] = []
        for line in lines[lines[0] not in rows :]:
            if re.match(r"  \S", line):
                items.append(line)
            else:
                items[-1] += f" {line.strip()}"
        found.append("\n".join(f"- {text(item)}" for item in items))
    return "\n\n".join(found)


def parsers(command: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Returns the parsers of the commands of a command."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def rows(command: argparse.ArgumentParser) -> str:
    """Returns the table of the arguments and options of a command."""
    found = ""
    for action in command._actions:
        if isinstance(action, (argparse._HelpAction, argparse._SubParsersAction)):
            continue
        value = command._get_formatter()._format_args(
            action, action.metavar or action.dest.upper()
        )
        if isinstance(action.choices, (list, tuple)) and not action.metavar:
            value = ", ".join(map(str, action.choices))
        name = ", ".join(action.option_strings)
        shown = " ".join(filter(None, [name, value])).replace("|", "\\|")
        help = text(action.help) if action.help != argparse.SUPPRESS else ""
        found += f"| `{shown}` | {help} |\n"
    return f"\n| argument | meaning |\n| --- | --- |\n{found}" if found else ""


def section(name: str, command: argparse.ArgumentParser, level: int) -> str:
    """Returns the section of a command and those of its commands."""
    usage = textwrap.dedent(" " * 7 + command.format_usage().removeprefix("usage: "))
    found = f"\n{'#' * level} {name}\n\n{paragraphs(command.description)}\n\n```text\n{usage}```\n"
    found += rows(command)
    if command.epilog:
        found += f"\n{paragraphs(command.epilog)}\n"
    for below, parser in parsers(command).items():
        found += section(f"{name} {below}", parser, level + 1)
    return found


def pages() -> dict[str, str]:
    """Returns all pages: the list, and one for each command with its own commands."""
    top = cli.parser()
    (commands,) = (
        action
        for action in top._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    short = {action.dest: action.help for action in commands._choices_actions}
    listed, found = HEAD, {}
    for name, command in commands.choices.items():
        outer, _, inner = name.partition(" ")
        anchor = f"#{outer}-{inner}" if inner else ""
        listed += (
            f"| [`{name}`](commands/{outer}.md{anchor}) | {text(short.get(name))} |\n"
        )
        path = f"commands/{outer}.md"
        if inner:
            found[path] += section(name, command, 2)
        else:
            back = "[All commands](../commands.md) says what the exit codes mean.\n"
            found[path] = f"{MARK}{section(name, command, 1).lstrip()}\n{back}"
    return {"commands.md": listed} | found


if __name__ == "__main__":
    fresh = pages()
    there = {f"commands/{page.name}" for page in (DOCS / "commands").glob("*.md")}
    if sys.argv[1:] == ["--check"]:
        for path, page in fresh.items():
            file = DOCS / path
            if not file.exists() or file.read_text(encoding="utf-8") != page:
                sys.exit(f"docs/{path} is not up to date; run `cargo xtask site`")
        for path in sorted(there - fresh.keys()):
            sys.exit(f"docs/{path} is the page of no command; remove it")
    else:
        (DOCS / "commands").mkdir(exist_ok=True)
        for path, page in fresh.items():
            (DOCS / path).write_text(page, encoding="utf-8")
