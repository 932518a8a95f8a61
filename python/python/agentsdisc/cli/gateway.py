"""`agentsdisc mcp serve`: sites as an MCP server, on standard input and output or over HTTP."""

import argparse
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from .._extras import MCP, needing
from .acting import discovery_options
from .decision import agent_option, approve_option
from .discover import http_options
from .reading import Unreadable
from .terminal import tell, visible

COMMAND = "mcp serve"
TOKEN = "AGENTSDISC_MCP_TOKEN"
_LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})


def spelled(arguments: Sequence[str] | None) -> list[str]:
    """Returns the arguments of the program, with the two words of this command as one."""
    given = [*(sys.argv[1:] if arguments is None else arguments)]
    return [COMMAND, *given[2:]] if given[:2] == COMMAND.split() else given


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import limit_options

    command: argparse.ArgumentParser = commands.add_parser(
        COMMAND,
        help="serve sites as an MCP server: what an agent may do there as tools",
        description="Starts an MCP server (2026-07-28, and older revisions) on standard input and output; an MCP client starts this command. Its tools are "
        "what the documents of the sites allow the agent, its resources are the documents, its prompts their flows. A call keeps to the rules of the "
        f"site; what a person must agree to, the client asks its user. Reads the token of the site from the environment variable {TOKEN}. "
        "Exit code 2 if no site has documents.",
    )
    command.add_argument("urls", metavar="URL", nargs="+", help="URL or host of a site")
    agent_option(command)
    command.add_argument(
        "--allow",
        metavar="ID,ID",
        action="append",
        default=[],
        help="the capabilities or tools that may be called, no others; may be repeated",
    )
    command.add_argument(
        "--http",
        metavar="[HOST:]PORT",
        type=_address,
        help="serve over streamable HTTP at /mcp there, instead of standard input and output; the host is 127.0.0.1 unless another one is given",
    )
    command.add_argument(
        "--token-env",
        metavar="[HOST=]VAR",
        action="append",
        default=[],
        help=f"the environment variable with the token of a site (default, for one site: {TOKEN}); with several sites, HOST names it; may be repeated",
    )
    approve_option(command)
    limit_options(command)
    http_options(command, timed="each call, and each discovery")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serves until the client ends, or until an interrupt."""
    from . import CANNOT_READ, OK

    with needing("this needs the MCP SDK", *MCP):
        import anyio

        from ..discovery import Timeouts
        from ..mcp.gateway import Gateway
    # The log of the SDK contains text from clients and sites.
    logging.disable(logging.CRITICAL)
    named = [name for each in options.allow for name in each.split(",") if name]
    tokens = _tokens(options.token_env, len(options.urls))
    if options.http is not None and options.http[0] not in _LOCAL and tokens:
        raise Unreadable(
            "--http with a token listens only on this machine: whoever can connect calls with the token"
        )
    seconds = options.timeout
    try:
        gateway = Gateway(
            *options.urls,
            agent=options.agent,
            allow=named or None,
            credentials=tokens,
            approve=options.approve,
            timeouts=None if seconds is None else Timeouts(total=seconds),
            allow_private=options.allow_private,
            discovery=discovery_options(options),
        )
    except ValueError as problem:
        raise Unreadable(visible(str(problem))) from None

    async def serve() -> int:
        for line in await gateway.open():
            tell(line)
        if gateway.missing:
            tell(f"--allow: no tool is called {', '.join(gateway.missing)}")
        if not gateway.has_documents:
            return CANNOT_READ
        try:
            await _serving(gateway, options.http)
        finally:
            with anyio.CancelScope(shield=True, deadline=anyio.current_time() + 5):
                await gateway.aclose()
        return OK

    return anyio.run(serve)


async def _serving(gateway: Any, address: tuple[str, int] | None) -> None:
    if address is None:
        await gateway.run_stdio()
        return
    try:
        import uvicorn
    except ModuleNotFoundError:
        raise Unreadable("--http needs uvicorn: pip install uvicorn") from None
    host, port = address
    application = gateway.streamable_http_app(host=host)
    config = uvicorn.Config(
        application, host=host, port=port, log_level="critical", access_log=False
    )
    shown = f"[{host}]" if ":" in host else host
    tell(f"MCP at http://{shown}:{port}/mcp")
    await uvicorn.Server(config).serve()


def _address(text: str) -> tuple[str, int]:
    """Parses a host and a port."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is not [HOST:]PORT")
    return host.strip("[]") or "127.0.0.1", int(port)


def _tokens(given: list[str], sites: int) -> str | Mapping[str, str] | None:
    """Returns the token of the site, or those of several by their hosts."""
    if not given:
        return (os.environ.get(TOKEN) or None) if sites == 1 else None
    found: dict[str, str] = {}
    for each in given:
        host, equals, variable = each.rpartition("=")
        if not equals and (sites > 1 or len(given) > 1):
            raise Unreadable(f"--token-env {each}: which site? write HOST={each}")
        token = os.environ.get(variable)
        if not token:
            raise Unreadable(
                f"--token-env: the environment variable {variable} is not set"
            )
        if not equals:
            return token
        found[host.lower()] = token
    return found
