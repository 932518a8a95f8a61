"""`agentsdisc registry mcp`: a registry as an MCP server on standard input and output."""

import argparse
from typing import Any

from .._agentsdisc import _Discovery
from .discover import client_name
from .reading import Unreadable
from .registry_build import store_option
from .terminal import visible


def register(subcommands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = subcommands.add_parser(
        "mcp",
        help="serve a registry to an MCP client, on standard input and output",
        description="Starts an MCP server with the tools discover, get_service, get_capability and call. An MCP client starts this command. "
        "Calls are made as the agent, without credentials, and only if the documents of the site allow it; what a person must agree to, "
        "the client asks its user.",
    )
    store_option(command)
    command.add_argument(
        "--agent",
        metavar="UA",
        type=client_name,
        default=_Discovery.USER_AGENT,
        help="the agent that calls: its product token, or its User-Agent",
    )
    command.add_argument(
        "--no-calls",
        action="store_true",
        help="only find services; without the tool call",
    )
    command.add_argument(
        "--allow-private",
        action="store_true",
        help="call services also if their addresses are private or loopback",
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serves until the client ends."""
    from . import OK

    try:
        import anyio

        from ..registry import StoreError, open_store
        from ..registry.mcp import mcp_server
    except ModuleNotFoundError as problem:
        raise Unreadable(
            f"`registry mcp` needs the package {problem.name}: pip install 'agentsdisc[registry]'"
        ) from None
    try:
        store = open_store(options.store, read_only=True)
    except StoreError as problem:
        raise Unreadable(visible(str(problem))) from None
    try:
        server = mcp_server(
            store,
            agent=None if options.no_calls else options.agent,
            allow_private=options.allow_private,
        )
        anyio.run(server.run_stdio_async)
    finally:
        store.close()
    return OK
