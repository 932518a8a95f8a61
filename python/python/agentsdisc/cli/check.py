"""`agentsdisc check`: tells whether a site is ready for agents, before it is published or after."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._visible import starred
from ..readiness import PROFILES, TOPICS, Report, check_site
from ..readiness.folder import is_folder
from ..readiness.output import OUTPUTS
from ..readiness.repair import repairs
from ..readiness.report import Check
from .discover import http_options
from .fixing import diff
from .reading import Unreadable, shown_name
from .terminal import Style, visible
from .writing import replace

_COLOURS = {"pass": "green", "warn": "yellow", "fail": "red"}
_PLACES = 10
"""How many places of a check are printed."""
_FAILING = {"fail": ("fail",), "warn": ("fail", "warn"), "never": ()}


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import limit_options

    command: argparse.ArgumentParser = commands.add_parser(
        "check",
        help="tell whether a site is ready for agents",
        description="Checks a site, or the folder with its files, for everything that agents and the scanners of sites look at: robots.txt, "
        "AI rules, sitemap, llms.txt, Markdown, links, catalogs, cards, OAuth, skills. What could not be decided is no failure. "
        "Exit code 1 if a check fails (see --fail-on), 2 if nothing could be checked.",
    )
    command.add_argument(
        "target",
        metavar="TARGET",
        help="the URL of a site, the folder with its files, or a report of an earlier run in JSON, to write it in another format; headers are read from _headers, netlify.toml, vercel.json, .htaccess and "
        "staticwebapp.config.json",
    )
    command.add_argument(
        "--canonical-origin",
        metavar="URL",
        help="the origin that the documents name, if TARGET is a folder, a preview or a server on this machine",
    )
    command.add_argument(
        "--profile",
        choices=list(PROFILES),
        help="the kind of site: content (APIs, agents and shops are not checked), api (it must have one; shops are not checked), "
        "shop (it must be one)",
    )
    command.add_argument(
        "--expect",
        type=topics,
        action="extend",
        default=[],
        metavar="TOPICS",
        help=f"what the site must have, separated by commas: {', '.join(TOPICS)}",
    )
    command.add_argument(
        "--baseline",
        metavar="FILE",
        help="a report of an earlier run (--output-format json): only checks that did not fail there count for the exit code",
    )
    command.add_argument(
        "--fail-on",
        choices=list(_FAILING),
        default="fail",
        metavar="STATUS",
        help="exit with 1 if a check has this status or a worse one: fail (the default), warn or never",
    )
    command.add_argument(
        "--output-format",
        choices=[*WRITERS, *OUTPUTS],
        default="text",
        help="text for people (the default), the report as JSON, SARIF 2.1.0, JUnit XML, workflow commands for annotations on GitHub, one "
        "HTML file, Markdown for a comment on a pull request, or the JSON of a badge; HTML and Markdown say what has changed since --baseline",
    )
    command.add_argument(
        "--fix",
        action="store_true",
        help="first correct in the folder what needs no decision, and print the changes: digests of skills, ard.json beside ai-catalog.json, "
        "Content-Signal in the groups of robots.txt, missing types in _headers",
    )
    command.add_argument(
        "--call-mcp",
        action="store_true",
        help="call the MCP servers on the host of the site that its card names: server/discover, the only request that is not GET or HEAD",
    )
    limit_options(command)
    http_options(command, stores=False)
    command.set_defaults(run=run)


def topics(text: str) -> list[str]:
    """Returns the topics in an option."""
    named = [name.strip() for name in text.split(",") if name.strip()]
    for name in named:
        if name not in TOPICS:
            raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(TOPICS)}")
    return named


def run(options: argparse.Namespace) -> int:
    """Checks the site, and prints the report."""
    from . import FINDINGS, OK

    known = baseline(options.baseline)
    if options.fix:
        correct(options.target, options.canonical_origin)
    report = baseline(options.target) if is_report(options.target) else None
    report = report or checked(options)
    if options.output_format in OUTPUTS:
        sys.stdout.write(OUTPUTS[options.output_format](report, known))
    else:
        WRITERS[options.output_format](report, known)
    failing = _FAILING[options.fail_on]
    is_bad = any(
        check.status in failing and not was_bad(check, known, failing)
        for check in report.checks
    )
    return FINDINGS if is_bad else OK


def is_report(target: str) -> bool:
    """Whether a target is a file, and so a report."""
    return "://" not in target and Path(target).is_file()


def checked(options: argparse.Namespace) -> Report:
    """Checks a site or a folder."""
    from . import limits

    more: dict[str, Any] = {}
    try:
        if not is_folder(options.target):
            from ..discovery.addresses import host_of, is_loopback

            is_here = is_loopback(host_of(options.target))
            more = {
                "user_agent": options.user_agent,
                # A server on this machine is named to be checked.
                "allow_private": options.allow_private or is_here,
            }
            if options.timeout is not None:
                from ..discovery import Timeouts

                more["timeouts"] = Timeouts(total=options.timeout)
        return check_site(
            options.target,
            canonical_origin=options.canonical_origin,
            profile=options.profile,
            expect=options.expect,
            call_mcp=options.call_mcp,
            limits=limits(options),
            **more,
        )
    except ValueError as problem:
        raise Unreadable(str(problem)) from None


def correct(target: str, origin: str | None) -> None:
    """Corrects the files of a folder, each in one step, and prints the changes on standard error."""
    if not is_folder(target):
        raise Unreadable("--fix changes the files of a folder; name one")
    folder = Path(target)
    if folder.name == ".well-known":
        folder = folder.parent
    for repair in repairs(folder, origin):
        name = str(folder / repair.file)
        replace(name, repair.after)
        shown = (
            text.decode("utf-8", "replace") for text in (repair.before, repair.after)
        )
        before, after = (starred(text.encode(), None) for text in shown)
        print(f"{visible(name)}: fixed: {visible(repair.why)}", file=sys.stderr)
        print(*diff(name, before, after), sep="\n", file=sys.stderr)


def baseline(name: str | None) -> Report | None:
    """Reads the report of an earlier run."""
    if name is None:
        return None
    try:
        return Report.from_json(Path(name).read_bytes())
    except ValueError as problem:
        raise Unreadable(f"{shown_name(name)}: {problem}") from None


def was_bad(check: Check, known: Report | None, failing: tuple[str, ...]) -> bool:
    """Whether a check failed in the earlier report, too."""
    if known is None:
        return False
    return any(
        before.id == check.id and before.status in failing for before in known.checks
    )


def write_text(report: Report, known: Report | None) -> None:
    """Writes text for people: the checks that concern the site, what they are based on, and what to do."""
    style = Style()
    print(style(visible(report.target), "bold"))
    apart: dict[str, list[str]] = {"not-applicable": [], "unknown": []}
    for check in report.checks:
        if check.status == "not-applicable":
            apart[check.status].append(check.id)
            continue
        colour = _COLOURS.get(check.status, "dim")
        new = ""
        if known is not None and check.status == "fail":
            new = "" if was_bad(check, known, ("fail",)) else " (new)"
        print(
            f"{style(f'{check.status:7}', colour)} {style(check.id, 'bold')}{new}: {visible(check.message)}"
        )
        if check.status in {"warn", "fail"}:
            for evidence in check.evidence[:_PLACES]:
                where = evidence.file or evidence.url or ""
                line = f":{evidence.line}" if evidence.line else ""
                place = visible(f"{where}{line}")
                # The message of the check is the first of these texts.
                same = check.message.startswith(evidence.text or "")
                said = "" if same else f": {visible(evidence.text or '')}"
                if place or said:
                    print(style(f"          {place}{said}", "dim"))
            if len(check.evidence) > _PLACES:
                more = len(check.evidence) - _PLACES
                print(style(f"          and {more} more", "dim"))
            if check.fix is not None:
                for number, line in enumerate(check.fix.split("\n")):
                    print(f"          {' ' if number else '→'} {visible(line)}")
    if apart["not-applicable"]:
        print(
            style(
                f"does not concern the site: {', '.join(apart['not-applicable'])}",
                "dim",
            )
        )
    score = report.score
    print(
        f"level {report.level} ({report.level_name}), score {score.passed:g} of {score.applicable} ({score.percent} %), "
        f"rules of {report.rules}"
    )


def write_json(report: Report, known: Report | None) -> None:
    """Writes the report."""
    sys.stdout.write(report.to_json() + "\n")


WRITERS: dict[str, Callable[[Report, Report | None], None]] = {
    "text": write_text,
    "json": write_json,
}
