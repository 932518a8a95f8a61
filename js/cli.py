"""Writes src/cli/generated.ts: the help of the Python command, and tables of Unicode that JavaScript has no names for.

Run it with the Python package installed: `python js/cli.py`.
"""

import json
import os
import sys
import unicodedata
from pathlib import Path

os.environ["COLUMNS"] = "80"
from agentsdisc import cli  # noqa: E402
from agentsdisc._visible import _RANGES  # noqa: E402

COMMANDS = ("inspect", "lint", "convert", "decide", "formats")
FILE = Path(__file__).parent / "src/cli/generated.ts"
TOP = """usage: agentsdisc [-h] [--version] COMMAND ...

Reads the documents by which web sites tell AI agents what they may do.

positional arguments:
  COMMAND
    inspect   show the content of a document for people
    lint      check documents against their specifications
    convert   convert a document into another format
    decide    decide whether an agent may make a request, and why
    formats   list the formats that are read or recognized

options:
  -h, --help  show this help message and exit
  --version   show program's version number and exit

Files only; the command of the Python package also requests the documents of
sites, and has more commands.

exit codes:
  0  success
  1  lint found an error, convert was refused, or decide does not allow the
     request
  2  an input cannot be read, an output cannot be written, or the arguments are
     invalid
"""


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


def text():
    """Returns the file."""
    commands = cli.parser()._subparsers._group_actions[0].choices
    usages = {"": TOP.partition("\n\n")[0] + "\n"} | {name: commands[name].format_usage() for name in COMMANDS}
    helps = {"": TOP} | {name: commands[name].format_help() for name in COMMANDS}
    kind = "{ readonly [command: string]: string }"
    parts = [
        "// Written by js/cli.py; change it there.\n",
        f"/** The usage of each command, and of the whole. */\nexport const USAGE: {kind} = {json.dumps(usages, indent=2, ensure_ascii=False)};\n",
        f"/** The help of each command, and of the whole. */\nexport const HELP: {kind} = {json.dumps(helps, indent=2, ensure_ascii=False)};\n",
        table("HIDDEN", "Characters without a visible form, and those that change how others are shown.", _RANGES),
        table("WIDE", "Characters that take two columns of a terminal.", ranges(lambda c: unicodedata.east_asian_width(c) in "WF")),
        table("COMBINING", "Characters that take no column.", ranges(lambda c: unicodedata.combining(c) > 0)),
    ]
    return "\n".join(parts)


if sys.argv[1:] == ["--check"]:
    sys.exit(FILE.read_text() != text())
FILE.write_text(text())
