"""`agentsdisc parse`: the unified model as JSON."""

import argparse
import json
import sys
from typing import Any


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import reading_options

    command: argparse.ArgumentParser = commands.add_parser(
        "parse",
        help="print a document in the unified model, as JSON",
        description="Prints a document in the unified model, as JSON, on standard output.",
    )
    command.add_argument(
        "file", metavar="FILE", help="a document, or - for standard input"
    )
    command.add_argument(
        "--indent",
        type=int,
        metavar="N",
        help="spread the JSON over lines, indented by N",
    )
    reading_options(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints the model."""
    from . import limits
    from .reading import get

    document, _ = get(options.file, options, limits(options))
    text = document.to_json()
    if options.indent is not None:
        model = document.to_dict()
        text = json.dumps(model, indent=max(0, options.indent), ensure_ascii=False)
    # JSON is UTF-8, whatever the locale says.
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
    return 0
