"""`agentsdisc convert`: converts a document into another format, and reports the losses."""

import argparse
import contextlib
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .. import ConvertError, Document, Loss, ParseError, __version__, parse
from .._facts import FACTS
from .._visible import Keys, keys_in
from .reading import Unreadable, get, origin, shown_name
from .terminal import Style, tell, visible
from .writing import put

_COLOUR = {"error": "red", "warning": "yellow", "info": "blue"}
TARGETS = (*(facts.name for facts in FACTS.values() if facts.is_target), "json")


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import reading_options

    command: argparse.ArgumentParser = commands.add_parser(
        "convert",
        help="convert a document into another format",
        description="Converts a document into another format. Standard error lists the losses with their positions, and the required values of the "
        "target format that the document lacks. Exit code 1, without output, if the result would allow agents more than the document does, or if "
        "--strict is given and a value is lost; 2 if the document cannot be read or cannot be converted to this format.",
    )
    command.add_argument(
        "file", metavar="FILE", help="a document, or - for standard input"
    )
    command.add_argument(
        "--to",
        metavar="FORMAT",
        required=True,
        choices=TARGETS,
        help="agents-txt or agents-json of the Internet-Draft; agents-txt-0.1 or agents-json-0.1 for a document of 0.1; agents-md; awp for agent.json of the Agent Web Protocol; robots-txt for a robots.txt whose AI preferences stand in both Content-Signal and Content-Usage; json for the unified model",
    )
    command.add_argument(
        "-o", "--output", metavar="OUT", help="file to write (default: standard output)"
    )
    command.add_argument(
        "--origin",
        type=origin,
        metavar="ORIGIN",
        help="the origin of the document, such as https://example.com; used as the URL of the site if the document states none",
    )
    command.add_argument(
        "--compact", action="store_true", help="write JSON on one line"
    )
    command.add_argument(
        "--loosen",
        action="store_true",
        help="drop the restrictions that the target cannot express: those of a capability (confirmation by a person, effect class, a second "
        "rate limit), which is otherwise omitted, and those of the site (what an agents.md forbids, rate limits), without which nothing is written",
    )
    native_option(command)
    command.add_argument(
        "--strict",
        action="store_true",
        help="write nothing if a value is lost that affects agents",
    )
    reading_options(command)
    command.set_defaults(run=run)


def native_option(command: argparse.ArgumentParser) -> None:
    """Adds the option for an agent.json that its owner publishes."""
    command.add_argument(
        "--native",
        action="store_true",
        help="the owner of the site publishes the agent.json; otherwise one that is made from another document says that it is synthetic, "
        "with the tool, the time, and the share of actions that are fully described",
    )


def origin_of(options: argparse.Namespace, document: Document) -> dict[str, Any]:
    """Returns what an agent.json states about where it comes from."""
    if options.native or options.to != "awp" or document.format == "awp":
        return {}
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return {"generated_by": f"agentsdisc {__version__}", "last_verified": now}


def run(options: argparse.Namespace) -> int:
    """Converts one document."""
    from . import FINDINGS, OK, limits

    if is_same(options.file, options.output):
        raise Unreadable(
            f"{visible(options.output)}: the output is the input file; name another file"
        )
    document, source = get(options.file, options, limits(options))
    keys = keys_in(source)
    name = shown_name(options.file)
    try:
        converted = document.convert(
            options.to,
            origin=options.origin,
            pretty=not options.compact,
            loosen=options.loosen,
            **origin_of(options, document),
        )
    except ConvertError as error:
        if not error.losses:
            raise Unreadable(f"{visible(name)}: {visible(str(error), keys)}") from None
        report_losses(name, error.losses, keys)
        tell(
            f"{name}: not written, because the result would allow agents more than the document does"
        )
        return FINDINGS
    report_losses(name, converted.losses, keys)
    if options.strict and any(loss.severity != "info" for loss in converted.losses):
        tell(f"{name}: not written, because of the losses above (--strict)")
        return FINDINGS
    data = bytes(converted)
    if options.to != "json":
        report_errors(name, data, options.to, options.origin, keys)
    put(options.output, data if data.endswith(b"\n") else data + b"\n")
    return OK


# The largest number of errors in the result to print; `lint` prints all.
_MAX_ERRORS = 5


def report_errors(
    name: str, data: bytes, to: str, origin: str | None, keys: Keys
) -> None:
    """Prints the errors in the result, such as required values that the document lacks."""
    try:
        found = parse(data, format=to).check(origin)
    except ParseError as error:
        shown, more = [f"{error}"], 0
    else:
        errors = [f"line {d.line}: {d.message}" for d in found if d.severity == "error"]
        shown, more = errors[:_MAX_ERRORS], len(errors[_MAX_ERRORS:])
    for message in shown:
        tell(f"{name}: correct this in the output: {visible(message, keys)}")
    if more:
        tell(f"{name}: {more} more errors; `agentsdisc lint` prints all")


def is_same(source: str, output: str | None) -> bool:
    """Whether the output would replace the input, whose comments and lost values cannot be restored."""
    if source == "-" or output in {None, "-"}:
        return False
    with contextlib.suppress(OSError, ValueError):
        return Path(source).is_file() and Path(source).samefile(output)
    return False


def report_losses(name: str, losses: tuple[Loss, ...], keys: Keys) -> None:
    """Prints one line for each loss."""
    style = Style(sys.stderr)
    for loss in losses:
        place = style(f"{visible(name)}:{loss.line}:{loss.column}:", "bold")
        severity = style(
            f"{loss.severity}[{loss.reason}]", "bold", _COLOUR[loss.severity]
        )
        print(f"{place} {severity}: {visible(loss.message, keys)}", file=sys.stderr)
