"""`agentsdisc mcp`: lists the tools of a site's MCP server with their decisions, or calls a permitted one."""

import argparse
import getpass
import json
import logging
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .._extras import MCP, needing
from .._visible import keys_in, without_secrets
from .acting import acting_options, discovery_options, needing_credentials, words
from .calling import perform
from .decision import facts, rate
from .discover import hinted, shown_url
from .reading import Unreadable
from .terminal import Style, tell, visible

if TYPE_CHECKING:
    from ..mcp import Session, Tool

TOKEN = "AGENTSDISC_MCP_TOKEN"


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "mcp",
        help="list the tools of a site's MCP server, or call a permitted one",
        description="Requests the documents of a site, connects to the MCP endpoint that they declare, and lists its tools with the decision "
        f"on each, or calls one. Reads the token from the environment variable {TOKEN}, or asks for it. Exit code 1 if the documents do not "
        "allow the call, 2 if the session or the call fails.",
    )
    acting_options(command)
    what = command.add_mutually_exclusive_group()
    what.add_argument(
        "--list", action="store_true", help="list the tools (the default)"
    )
    what.add_argument(
        "--call",
        nargs="+",
        metavar=("TOOL", "JSON"),
        help="call a tool, with its arguments as a JSON object",
    )
    command.add_argument(
        "--ask-token",
        action="store_true",
        help=f"ask for the token on the terminal, instead of {TOKEN}",
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Calls a tool, or lists all of them."""
    if options.call is not None:
        name, arguments = wanted(options.call)
        given = token(options)
        return perform(options, name, arguments, TOKEN, given, from_text=False)
    return listed(options)


def listed(options: argparse.Namespace) -> int:
    """Lists the tools, each with its decision."""
    from . import CANNOT_READ, FINDINGS, OK

    with needing("this needs the MCP SDK", *MCP):
        import anyio

        from .. import mcp
        from ..discovery import Timeouts
    # The log of the SDK contains text from the server.
    logging.disable(logging.CRITICAL)
    given = token(options)
    seconds = Timeouts().total if options.timeout is None else options.timeout
    # Leaves time for the session if a document does not arrive.
    discovery = {**discovery_options(options), "timeouts": Timeouts(total=seconds / 2)}

    async def go() -> list[Any]:
        with anyio.fail_after(seconds):
            async with mcp.connect(
                options.url,
                agent=options.agent,
                endpoint=options.endpoint,
                transport=options.transport,
                token=given,
                headers=dict(options.header),
                approve=options.approve,
                done=options.after,
                timeouts=Timeouts(request=seconds, total=seconds),
                allow_private=options.allow_private,
                discovery=discovery,
            ) as session:
                return list(listing(session, await session.tools(), options.json))

    try:
        lines = anyio.run(go)
    except TimeoutError:
        raise Unreadable(
            f"{shown_url(options.url)}: timeout after {seconds:g} s (see --timeout)"
        ) from None
    except mcp.PolicyDenied as refusal:
        tell(refusal)
        return FINDINGS
    except mcp.CredentialsNeeded as refusal:
        tell(needing_credentials(refusal, TOKEN))
        return CANNOT_READ
    except (mcp.McpError, ValueError) as problem:
        said = visible(hinted(str(problem)))
        raise Unreadable(f"{shown_url(options.url)}: {said}") from None
    except OSError as problem:
        said = str(Unreadable.of(problem))
        raise Unreadable(f"{shown_url(options.url)}: {said}") from None
    except Exception as problem:  # the SDK raises many types for invalid responses
        said = f"{type(problem).__name__}: {problem}"
        raise Unreadable(f"{shown_url(options.url)}: {visible(said)[:500]}") from None
    for line in lines:
        # ASCII, so that no character from the server controls the terminal.
        print(json.dumps(line, indent=2) if options.json else line)
    return OK


def token(options: argparse.Namespace) -> str | None:
    """Returns the token: from the terminal if that was asked for, otherwise from the environment."""
    return (ask_token() if options.ask_token else os.environ.get(TOKEN)) or None


def ask_token() -> str:
    """Reads the token from the terminal."""
    try:
        return getpass.getpass("token: ")
    except EOFError:
        raise Unreadable("--ask-token: no terminal to ask on") from None


def wanted(call: list[str]) -> tuple[str, dict[str, Any]]:
    """Returns the tool and its arguments."""
    if len(call) > 2:
        raise Unreadable(
            "--call takes a tool, and optionally its arguments as one JSON object"
        )
    try:
        arguments = json.loads(call[1]) if len(call) == 2 else {}
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        raise Unreadable("the arguments of --call must be a JSON object")
    return call[0], arguments


def listing(session: "Session", tools: "list[Tool]", as_json: bool) -> Iterator[Any]:
    """Yields the tools, for people or programs."""
    if as_json:
        shown = {
            "endpoint": session.endpoint.url,
            "transport": session.transport,
            "decision": session.decision.to_dict(),
            "tools": [
                {
                    "name": tool.name,
                    "description": tool.tool.description,
                    "capabilities": list(tool.capabilities),
                    "decision": tool.decision.to_dict(),
                }
                for tool in tools
            ],
        }
        yield without_secrets(shown, keys_in(shown))
        return
    style = Style()
    keys = keys_in([(tool.name, tool.tool.description) for tool in tools])
    yield f"{style(visible(session.endpoint.url), 'bold')}  {session.transport}"
    for tool in tools:
        decision = tool.decision
        answer = (
            style("allowed", "green")
            if decision.allowed
            else style("not allowed", "red")
        )
        yield f"  {style(visible(tool.name, keys), 'bold')}  {answer} [{decision.reason}]"
        first = (tool.tool.description or "").strip().partition("\n")[0][:200]
        if first:
            yield f"    {visible(first, keys)}"
        for label, value in facts(decision):
            yield f"    {style(label, 'blue')}  {visible(value, keys)}"
        for limit in decision.rate_limits:
            yield f"    {style('rate limit', 'blue')}  {rate(limit)} for the {limit.scope}"
    for label, text in words(session.decision):
        yield f"{style(label, 'blue')}  {visible(text)}"
