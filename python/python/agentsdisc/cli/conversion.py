"""`agentsdisc convert`: a document in another format, and what did not carry over."""

import argparse
import contextlib
import sys
from pathlib import Path
from typing import Any

from .. import ConvertError, Loss, ParseError, parse
from .reading import Unreadable, get, origin, shown_name
from .terminal import Style, tell, visible
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
        "something is lost; 2 where the document cannot be read, or no such document is made of it. What the target requires and the document does not say is told, too.",
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

    if is_same(options.file, options.output):
        raise Unreadable(
            f"{visible(options.output)}: is the document itself; name another file"
        )
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
        tell_losses(name, error.losses)
        tell(
            f"{name}: nothing is written, for it would allow agents more than the document does"
        )
        return FINDINGS
    tell_losses(name, converted.losses)
    if options.strict and any(loss.severity != "info" for loss in converted.losses):
        tell(f"{name}: nothing is written, for something would be lost")
        return FINDINGS
    data = bytes(converted)
    if options.to != "json":
        tell_unfinished(name, data, options)
    put(options.output, data if data.endswith(b"\n") else data + b"\n")
    return OK


# So many errors of what is written are told; `lint` tells all.
_TOLD = 5


def tell_unfinished(name: str, data: bytes, options: argparse.Namespace) -> None:
    """Says where what is written breaks its own specification: what the document does not say, nobody can make up."""
    try:
        found = parse(data, format=options.to).check(options.origin)
    except ParseError as error:
        told, more = [f"{error}"], 0
    else:
        errors = [f"line {d.line}: {d.message}" for d in found if d.severity == "error"]
        told, more = errors[:_TOLD], len(errors[_TOLD:])
    for message in told:
        tell(f"{name}: to be put right in what is written: {message}")
    if more:
        tell(f"{name}: and {more} more; `agentsdisc lint` tells them all")


def is_same(source: str, output: str | None) -> bool:
    """Whether the output would take the place of the document: comments, and what is lost, would be gone for good."""
    if source == "-" or output in {None, "-"}:
        return False
    with contextlib.suppress(OSError, ValueError):
        return Path(source).is_file() and Path(source).samefile(output)
    return False


def tell_losses(name: str, losses: tuple[Loss, ...]) -> None:
    """Says what did not carry over, a line for each."""
    style = Style(sys.stderr)
    for loss in losses:
        place = style(f"{visible(name)}:{loss.line}:{loss.column}:", "bold")
        severity = style(
            f"{loss.severity}[{loss.reason}]", "bold", _COLOUR[loss.severity]
        )
        print(f"{place} {severity}: {visible(loss.message)}", file=sys.stderr)
