"""`agentsdisc parse`: prints the unified model as JSON."""

import argparse
from typing import Any

from .json_text import put_json, put_text


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import reading_options

    command: argparse.ArgumentParser = commands.add_parser(
        "parse",
        help="print the unified model of a document as JSON",
        description="Prints the unified model of a document as JSON on standard output.",
    )
    command.add_argument(
        "file", metavar="FILE", help="a document, or - for standard input"
    )
    command.add_argument(
        "--indent",
        type=int,
        metavar="N",
        help="indent the JSON by N spaces per level (default: one line)",
    )
    reading_options(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints the model."""
    from . import limits
    from .reading import get

    document, _ = get(options.file, options, limits(options))
    if options.indent is None:
        put_text(document.to_json())
    else:
        put_json(document.to_dict(), max(0, options.indent))
    return 0
