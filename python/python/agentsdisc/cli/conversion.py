"""`agentsdisc convert`: a document in another format, and what did not carry over."""

import argparse
import sys
from typing import Any

from .. import ConvertError, Loss
from .reading import Unreadable, get, origin, shown_name
from .terminal import Style, visible
from .writing import put

_COLOUR = {"error": "red", "warning": "yellow", "info": "blue"}
TARGETS = ("agents-txt", "agents-json", "agents-txt-0.1", "agents-json-0.1", "json")


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import reading_options

    command: argparse.ArgumentParser = commands.add_parser(
        "convert",
        help="convert a document into another format",
        description="Converts a document into another format. What does not carry over is told on standard error, with the place where it "
        "stands. Exit code 1, and nothing written, where what is left would allow agents more than the document does, or --strict is given and "
        "something is lost; 2 where the document cannot be read, or no such document is made of it.",
    )
    command.add_argument(
        "file", metavar="FILE", help="a document, or - for standard input"
    )
    command.add_argument(
        "--to",
        metavar="FORMAT",
        required=True,
        choices=TARGETS,
        help="agents-txt or agents-json of the Internet-Draft; agents-txt-0.1 or agents-json-0.1 for a document of 0.1; json for the unified model",
    )
    command.add_argument(
        "-o", "--output", metavar="OUT", help="file to write (default: standard output)"
    )
    command.add_argument(
        "--origin",
        type=origin,
        metavar="ORIGIN",
        help="where the document is served, such as https://example.com: the site's URL where the document gives none",
    )
    command.add_argument("--compact", action="store_true", help="JSON on one line")
    command.add_argument(
        "--loosen",
        action="store_true",
        help="keep capabilities whose restrictions the target cannot say (a person's confirmation, what they may break, a second rate limit), "
        "without them; otherwise such capabilities are left out",
    )
    command.add_argument(
        "--strict",
        action="store_true",
        help="write nothing where something is lost that agents act on",
    )
    reading_options(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Converts one document."""
    from . import FINDINGS, OK, limits

    document, _ = get(options.file, options, limits(options))
    name = shown_name(options.file)
    try:
        converted = document.convert(
            options.to,
            origin=options.origin,
            pretty=not options.compact,
            loosen=options.loosen,
        )
    except ConvertError as error:
        if not error.losses:
            raise Unreadable(f"{visible(name)}: {visible(str(error))}") from None
        tell(name, error.losses)
        print(
            f"agentsdisc: {visible(name)}: nothing is written, for it would allow agents more than the document does",
            file=sys.stderr,
        )
        return FINDINGS
    tell(name, converted.losses)
    if options.strict and any(loss.severity != "info" for loss in converted.losses):
        print(
            f"agentsdisc: {visible(name)}: nothing is written, for something would be lost",
            file=sys.stderr,
        )
        return FINDINGS
    data = bytes(converted)
    put(options.output, data if data.endswith(b"\n") else data + b"\n")
    return OK


def tell(name: str, losses: tuple[Loss, ...]) -> None:
    """Says what did not carry over, a line for each."""
    style = Style(sys.stderr)
    for loss in losses:
        place = style(f"{visible(name)}:{loss.line}:{loss.column}:", "bold")
        severity = style(
            f"{loss.severity}[{loss.reason}]", "bold", _COLOUR[loss.severity]
        )
        print(f"{place} {severity}: {visible(loss.message)}", file=sys.stderr)
