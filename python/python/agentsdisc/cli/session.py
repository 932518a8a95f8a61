"""`agentsdisc mcp`: the tools of a site's MCP server, what the site says about each, and calls of those it permits."""

import argparse
import getpass
import json
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .. import Decision
from .decision import approve_option, facts, rate
from .discover import http_options
from .reading import Unreadable
from .terminal import Style, visible

if TYPE_CHECKING:
    from ..mcp import Session, Tool

TOKEN = "AGENTSDISC_MCP_TOKEN"


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import limit_options

    command: argparse.ArgumentParser = commands.add_parser(
        "mcp",
        help="list the tools of a site's MCP server, or call one that the site permits",
        description="Asks a site for its documents, connects to the MCP endpoint they declare, and lists its tools with what policy says "
        f"about each, or calls one. A token is read from the variable {TOKEN}, or asked for. Exit code 1 where policy does not allow it, 2 where "
        "there is no session or the call fails.",
    )
    command.add_argument("url", metavar="URL", help="a site: a URL, or a host")
    command.add_argument(
        "--agent",
        required=True,
        metavar="UA",
        help="the agent: its product token, or its User-Agent",
    )
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
    command.add_argument("--json", action="store_true", help="print the answer as JSON")
    command.add_argument(
        "--endpoint",
        metavar="URL",
        help="which of the declared endpoints (default: the first that is permitted)",
    )
    command.add_argument(
        "--transport",
        choices=["streamable-http", "sse"],
        help="where it is not to be as the documents say",
    )
    approve_option(command)
    command.add_argument(
        "--ask-token",
        action="store_true",
        help=f"ask for the token on the terminal, instead of {TOKEN}",
    )
    command.add_argument(
        "--yes",
        action="store_true",
        help="you are the person that is to be asked, and agree to this call",
    )
    limit_options(command)
    http_options(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Connects, and lists or calls."""
    from . import CANNOT_READ, FINDINGS, OK, limits

    tool, arguments = wanted(options.call)
    try:
        import anyio

        from .. import mcp
        from ..discovery import Timeouts
    except ImportError as problem:
        raise Unreadable(
            str(problem)
            if "pip install" in str(problem)
            else "this needs the MCP SDK: pip install 'agentsdisc[mcp]'"
        ) from None
    # What the SDK logs holds what the server sends.
    logging.disable(logging.CRITICAL)
    token = getpass.getpass("token: ") if options.ask_token else os.environ.get(TOKEN)
    discovery: dict[str, Any] = {
        "cache": not options.no_cache,
        "limits": limits(options),
    }
    if options.user_agent is not None:
        discovery["user_agent"] = options.user_agent
    timeouts = (
        Timeouts() if options.timeout is None else Timeouts(total=options.timeout)
    )

    async def go() -> int:
        async with mcp.connect(
            options.url,
            agent=options.agent,
            endpoint=options.endpoint,
            transport=options.transport,
            token=token or None,
            approve=options.approve,
            confirm=lambda decision, name, arguments: (
                options.yes or agreed(decision, name, arguments)
            ),
            timeouts=timeouts,
            allow_private=options.allow_private,
            discovery=discovery,
        ) as session:
            if tool is None:
                listed = await session.tools()
                show(list(listing(session, listed, options.json)), options.json)
                return OK
            result = await session.call_tool(tool, arguments)
            answer = result.model_dump(mode="json", by_alias=True, exclude_none=True)
            show([answer] if options.json else list(content(answer)), options.json)
            return CANNOT_READ if answer.get("isError") else OK

    try:
        return anyio.run(go)
    except mcp.PolicyDenied as refusal:
        print(f"agentsdisc: {visible(str(refusal))}", file=sys.stderr)
        return FINDINGS
    except (mcp.McpError, ValueError) as problem:
        raise Unreadable(visible(f"{options.url}: {problem}")) from None
    except Exception as problem:  # whatever the SDK raises for what a server answers
        said = f"{options.url}: {type(problem).__name__}: {problem}"
        raise Unreadable(visible(said)[:500]) from None


def wanted(call: list[str] | None) -> tuple[str | None, dict[str, Any]]:
    """The tool and its arguments."""
    if call is None:
        return None, {}
    if len(call) > 2:
        raise Unreadable("--call takes a tool, and its arguments as one JSON object")
    try:
        arguments = json.loads(call[1]) if len(call) == 2 else {}
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        raise Unreadable("the arguments of --call must be a JSON object")
    return call[0], arguments


def agreed(decision: Decision, name: str, arguments: Mapping[str, Any]) -> bool:
    """Asks on the terminal; where there is none, nobody agrees."""
    if not sys.stdin.isatty():
        return False
    said = f"{visible(name)} {visible(json.dumps(dict(arguments)))}: a person {decision.confirmation} be asked."
    print(f"{said} Call it? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def listing(session: "Session", tools: "list[Tool]", as_json: bool) -> Iterator[Any]:
    """The tools, for people or programs."""
    if as_json:
        yield {
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
        return
    style = Style()
    yield f"{style(visible(session.endpoint.url), 'bold')}  {session.transport}"
    for tool in tools:
        decision = tool.decision
        answer = (
            style("allowed", "green")
            if decision.allowed
            else style("not allowed", "red")
        )
        yield f"  {style(visible(tool.name), 'bold')}  {answer} [{decision.reason}]"
        first = (tool.tool.description or "").strip().partition("\n")[0][:200]
        if first:
            yield f"    {visible(first)}"
        for label, value in facts(decision):
            yield f"    {style(label, 'blue')}  {visible(value)}"
        for limit in decision.rate_limits:
            yield f"    {style('rate limit', 'blue')}  {rate(limit)} for the {limit.scope}"
    for label in ("cannot", "behavior"):
        for text in getattr(session.decision, label):
            yield f"{style(label, 'blue')}  {visible(text)}"


def content(answer: dict[str, Any]) -> Iterator[str]:
    """What a tool answered, for people: nothing in it reaches the terminal but text."""
    for part in answer.get("content", []):
        if part.get("type") == "text":
            for line in str(part.get("text", "")).split("\n"):
                yield visible(line)
        else:
            yield f"({visible(str(part.get('type')))})"


def show(lines: list[Any], as_json: bool) -> None:
    """Prints lines, or JSON."""
    for line in lines:
        # ASCII, so that no character of the server is there to be obeyed.
        print(json.dumps(line, indent=2) if as_json else line)
