"""`agentsdisc formats`: lists the formats that are read or only recognized."""

import argparse
from typing import Any

from .._facts import FACTS


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "formats",
        help="list the formats that are read or recognized",
        description="Lists the formats. Formats that are read can be parsed; formats that are recognized are only detected.",
    )
    command.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    """Prints the list."""
    for facts in FACTS.values():
        if facts.name != "unknown":
            state = "read" if facts.is_read else "recognized"
            print(f"{facts.name:26}{state:12}{facts.title}")
    return 0
