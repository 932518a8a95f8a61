"""Writes src/cli/generated.ts, src/readiness/generated.ts and src/hidden.ts: from the Python command its help, the explanations of findings and the names of documents, and tables of Unicode.

Run it with the Python package installed: `python js/cli.py`.
"""

import json
import os
import sys
import unicodedata
from pathlib import Path

os.environ["COLUMNS"] = "80"
from agentsdisc import cli  # noqa: E402
from agentsdisc._facts import FACTS, RESOURCES  # noqa: E402
from agentsdisc._visible import _RANGES  # noqa: E402
from agentsdisc.cli import explain  # noqa: E402
from agentsdisc.readiness import PROFILES  # noqa: E402
from agentsdisc.readiness.recipes import types  # noqa: E402

COMMANDS = ("inspect", "lint", "check", "explain", "convert", "decide", "tools", "formats")
SOURCE = Path(__file__).parent / "src"
TOP = """usage: agentsdisc [-h] [--version] COMMAND ...

Reads the documents by which web sites tell AI agents what they may do.

positional arguments:
  COMMAND
    inspect   show the content of a document for people
    lint      check documents against their specifications
    check     tell whether a site is ready for agents
    explain   explain a finding of lint
    convert   convert a document into another format
    decide    decide whether an agent may make a request, and why
    tools     list what an agent may call on a site, and what not and why
    formats   list the formats that are read or recognized

options:
  -h, --help  show this help message and exit
  --version   show program's version number and exit

Files only, but for check; the command of the Python package also requests the
documents of sites, and has more commands.

exit codes:
  0  success
  1  lint found an error, a check of check fails, convert was refused, or decide
     does not allow the request
  2  an input cannot be read, an output cannot be written, or the arguments are
     invalid
"""


def places():
    """Returns where sites have the documents of each format that is read: locations, and names in any folder."""
    return {
        facts.name: [
            *(at for resource in RESOURCES.values() if facts.name in resource.formats for at in resource.locations),
            *(f"/{name}" for name in facts.also_at),
        ]
        for facts in FACTS.values()
        if facts.is_read
    }


def constant(name, about, kind, value):
    """Returns a constant with a value of JSON."""
    return f"/** {about} */\nexport const {name}: {kind} = {json.dumps(value, indent=2, ensure_ascii=False)};\n"


def ranges(is_in):
    """Returns the ranges of characters with a property."""
    found = []
    for code in range(0x110000):
        if is_in(chr(code)):
            if found and found[-1][1] == code - 1:
                found[-1][1] = code
            else:
                found.append([code, code])
    return found


def table(name, about, rows):
    """Returns a constant."""
    pairs = ", ".join(f"[{first}, {last}]" for first, last in rows)
    return f"/** {about} */\nexport const {name}: readonly (readonly [number, number])[] = [{pairs}];\n"


def files():
    """Yields the files and their texts."""
    commands = cli.parser()._subparsers._group_actions[0].choices
    usages = {"": TOP.partition("\n\n")[0] + "\n"} | {name: commands[name].format_usage() for name in COMMANDS}
    helps = {"": TOP} | {name: commands[name].format_help() for name in COMMANDS}
    kind = "{ readonly [command: string]: string }"
    parts = [
        "// Written by js/cli.py; change it there.\n",
        constant("USAGE", "The usage of each command, and of the whole.", kind, usages),
        constant("HELP", "The help of each command, and of the whole.", kind, helps),
        "/** What is known about the code of a finding. */\nexport interface Explained {\n"
        + "".join(f"  readonly {name}: string;\n" for name in ("code", "severity", "about", "why", "help"))
        + "".join(f"  readonly {name}?: string;\n" for name in ("points_at", "format", "wrong", "message", "spec", "section", "right"))
        + "}\n",
        constant("EXPLAINED", "What is known about each code of a finding.", "{ readonly [code: string]: Explained }", {code: explain.explained(code) for code in explain.known()}),
        constant("PLACES", "Where sites have the documents of each format.", "{ readonly [format: string]: readonly string[] }", places()),
        table("WIDE", "Characters that take two columns of a terminal.", ranges(lambda c: unicodedata.east_asian_width(c) in "WF")),
        table("COMBINING", "Characters that take no column.", ranges(lambda c: unicodedata.combining(c) > 0)),
    ]
    yield SOURCE / "cli/generated.ts", "\n".join(parts)
    readiness = [
        parts[0],
        constant(
            "PROFILES",
            "The topics that a site of a profile must have, and those that are not checked.",
            "{ readonly [profile: string]: readonly [readonly string[], readonly string[]] }",
            PROFILES,
        ),
        constant("TYPES", "The media type of each location of a document.", "{ readonly [path: string]: string }", types()),
    ]
    yield SOURCE / "readiness/generated.ts", "\n".join(readiness)
    hidden = table("HIDDEN", "Characters without a visible form, and those that change how others are shown.", _RANGES)
    yield SOURCE / "hidden.ts", f"{parts[0]}\n{hidden}"


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(any(file.read_text() != text for file, text in files()))
    for file, text in files():
        file.write_text(text)
