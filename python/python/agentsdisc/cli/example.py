"""`agentsdisc example`: serves an example shop."""

import argparse
import signal
import threading
from typing import Any

from .reading import Unreadable
from .terminal import visible


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import port

    command: argparse.ArgumentParser = commands.add_parser(
        "example",
        help="serve an example shop on this machine, with documents of every format",
        description="Serves a small shop with documents of every format that the library reads, and what they describe, to try the other "
        "commands and the Python package with (docs/start). It prints its address, and stops on SIGINT and SIGTERM.",
    )
    command.add_argument(
        "--host",
        default="127.0.0.1",
        help="the address to listen on (default: 127.0.0.1)",
    )
    command.add_argument(
        "--port",
        type=port,
        default=8000,
        help="the port; 0: a free one (default: 8000)",
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serves until a signal comes."""
    from ..example.server import Server
    from . import OK

    try:
        server = Server(options.host, options.port)
    except (OSError, UnicodeError) as problem:
        said = getattr(problem, "strerror", None) or str(problem)
        where = f"{visible(options.host)}:{options.port}"
        raise Unreadable(f"cannot listen on {where}: {said}") from None

    def stop(number: int, frame: object) -> None:
        # An exception could interrupt what is being printed. `shutdown` waits, so it must not be called here.
        threading.Thread(target=server.shutdown, daemon=True).start()

    with server:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, stop)
        print(f"the example shop is at {server.shop.site}", flush=True)
        server.serve_forever()
    return OK
