"""`agentsdisc conformance`: runs the conformance kit in a folder against an implementation."""

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

from .terminal import tell


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "conformance",
        help="run the conformance kit against an implementation",
        description="Runs the conformance kit in a folder against an implementation. All options except "
        "`--kit` are those of the kit's own runner.",
        usage="agentsdisc conformance [--kit FOLDER] --adapter COMMAND [OPTION ...]",
        # The runner of the kit reads the options, so none is read here.
        prefix_chars="\0",
        add_help=False,
    )
    command.add_argument("options", nargs="*")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the kit's own runner, so that it fits the kit's cases, and returns its exit code."""
    own = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    own.add_argument("--kit", default="conformance")
    mine, options = own.parse_known_args(arguments.options)
    runner = Path(mine.kit) / "kit"
    if not (runner / "__main__.py").is_file():
        tell(
            f"conformance: there is no kit in {mine.kit}: name the folder `conformance` of the source code with --kit"
        )
        return 2
    return subprocess.run(
        [sys.executable, str(runner), *options], check=False
    ).returncode
