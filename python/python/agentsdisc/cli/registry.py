"""`agentsdisc registry`: builds, serves and searches a registry of services."""

import argparse
from typing import Any

from . import registry_build, registry_mcp, registry_serve, registry_upkeep

_DESCRIPTION = """\
A registry of services: built from crawls or from domains, and searched by words.
"""


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "registry",
        help="build and serve a registry that finds services by words",
        description=_DESCRIPTION,
    )
    subcommands = command.add_subparsers(
        dest="subcommand", required=True, metavar="SUBCOMMAND"
    )
    for module in (registry_build, registry_serve, registry_mcp, registry_upkeep):
        module.register(subcommands)
