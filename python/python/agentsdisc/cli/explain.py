"""`agentsdisc explain`: what a finding of `lint` means, why it matters, and how to correct it."""

import argparse
import difflib
import json
from typing import Any

from .. import codes, parse
from .._agentsdisc import _explained
from .._serving import CODES as SERVING
from .reading import Unreadable
from .terminal import Style, visible

HELP = "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics"
"""The folder with a page of the same texts for each code."""
_SERVING_HELP = "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"


def known() -> list[str]:
    """Returns the codes of all findings."""
    return sorted({code for code, _ in codes()} | set(SERVING))


def checked(code: str) -> str:
    """Returns a code if there is one with this name."""
    if code in known():
        return code
    near = difflib.get_close_matches(code, known(), 3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise Unreadable(
        f"{visible(code)} is not the code of a finding{hint} (agentsdisc explain lists them)"
    )


def explained(code: str) -> dict[str, Any]:
    """Returns what is known about a code."""
    found = _explained(code)
    if found is None:
        severity, about = SERVING[code]
        return {
            "code": code,
            "severity": severity,
            "about": about,
            "why": "",
            "help": _SERVING_HELP,
        }
    severity, points_at, about, why, example = found
    said: dict[str, Any] = {
        "code": code,
        "severity": severity,
        "points_at": points_at,
        "about": about,
        "why": why,
        "help": f"{HELP}/{code}.md",
    }
    if example is not None:
        format, wrong, right = example
        finding = next(
            finding
            for finding in parse(wrong, format=format).check("https://mugs.example")
            if finding.code == code
        )
        said |= {
            "format": format,
            "wrong": wrong,
            "message": finding.message,
            "spec": finding.spec,
            "section": finding.section,
            "right": right,
        }
    return said


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "explain",
        help="explain a finding of lint",
        description="Says what a code of a finding means, why it matters, and shows a wrong and a right document. Without a code, lists all codes.",
    )
    command.add_argument(
        "codes", metavar="CODE", nargs="*", help="a code, such as insecure-url"
    )
    command.add_argument(
        "--json", action="store_true", help="print a JSON array for programs"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints the explanations."""
    wanted = [checked(code) for code in options.codes]
    if options.json:
        print(json.dumps([explained(code) for code in wanted or known()], indent=2))
        return 0
    style = Style()
    if not wanted:
        for code in known():
            said = explained(code)
            print(f"{code:28}{said['severity']:9}{said['about']}")
        return 0
    for number, code in enumerate(wanted):
        if number:
            print()
        first, *rest = lines(explained(code))
        print("\n".join([style(first, "bold"), *rest]))
    return 0


def lines(said: dict[str, Any]) -> list[str]:
    """Returns the lines of one explanation."""
    where = f", at {said['points_at']}" if "points_at" in said else ""
    text = [
        f"{said['code']} ({said['severity']}{where})",
        "",
        said["about"],
    ]
    if said["why"]:
        text.append(said["why"])
    if "wrong" in said:
        section = f", section {said['section']}" if said["section"] else ""
        text += ["", f"Wrong, in a document of the format {said['format']}:", ""]
        text += [f"    {visible(line)}" for line in said["wrong"].splitlines()]
        text += ["", f"{visible(said['message'])} ({said['spec']}{section})"]
        text += ["", "Right:", ""]
        text += [f"    {visible(line)}" for line in said["right"].splitlines()]
    return [*text, "", said["help"]]
