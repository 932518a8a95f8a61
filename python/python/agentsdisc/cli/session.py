"""`agentsdisc mcp`: lists the tools of a site's MCP server with their decisions, or calls a permitted one."""

import argparse
import getpass
import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .. import Decision
from .._visible import without_secrets
from .decision import approve_option, facts, rate
from .discover import hinted, http_options, shown_url
from .reading import Unreadable
from .terminal import Style, tell, visible

if TYPE_CHECKING:
    from ..mcp import Session, Tool

TOKEN = "AGENTSDISC_MCP_TOKEN"


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import limit_options

    command: argparse.ArgumentParser = commands.add_parser(
        "mcp",
        help="list the tools of a site's MCP server, or call a permitted one",
        description="Requests the documents of a site, connects to the MCP endpoint that they declare, and lists its tools with the decision "
        f"on each, or calls one. Reads the token from the environment variable {TOKEN}, or asks for it. Exit code 1 if the documents do not "
        "allow the call, 2 if the session or the call fails.",
    )
    command.add_argument("url", metavar="URL", help="URL or host of the site")
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
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    command.add_argument(
        "--endpoint",
        metavar="URL",
        help="the declared endpoint to use (default: the first that is permitted)",
    )
    command.add_argument(
        "--transport",
        choices=["streamable-http", "sse"],
        help="the transport (default: the one that the documents declare)",
    )
    approve_option(command)
    command.add_argument(
        "--header",
        action="append",
        default=[],
        type=header,
        metavar="'NAME: VALUE'",
        help="a header to send to the endpoint, such as an API key; may be repeated. The value is never printed",
    )
    command.add_argument(
        "--after",
        action="append",
        default=[],
        metavar="ACTION",
        help="an action that has run before, and that the site requires before the call; may be repeated",
    )
    command.add_argument(
        "--ask-token",
        action="store_true",
        help=f"ask for the token on the terminal, instead of {TOKEN}",
    )
    command.add_argument(
        "--yes",
        action="store_true",
        help="confirm this call, as the person whose confirmation the site requires",
    )
    limit_options(command)
    http_options(command)
    command.set_defaults(run=run)


def header(text: str) -> tuple[str, str]:
    """Parses a header. The message does not repeat it, because it may be a secret."""
    name, colon, value = text.partition(":")
    if not (colon and name.strip() and value.strip()):
        raise argparse.ArgumentTypeError("write a header as 'Name: value'")
    return name.strip(), value.strip()


def run(options: argparse.Namespace) -> int:
    """Connects, and lists the tools or calls one."""
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
    # The log of the SDK contains text from the server.
    logging.disable(logging.CRITICAL)
    token = ask_token() if options.ask_token else os.environ.get(TOKEN)
    seconds = Timeouts().total if options.timeout is None else options.timeout
    discovery: dict[str, Any] = {
        "cache": not options.no_cache,
        "limits": limits(options),
        # Leaves time for the session if a document does not arrive.
        "timeouts": Timeouts(total=seconds / 2),
    }
    if options.user_agent is not None:
        discovery["user_agent"] = options.user_agent

    async def go(scope: anyio.CancelScope) -> tuple[int, list[Any]]:
        def confirm(
            decision: Decision, name: str, arguments: Mapping[str, Any]
        ) -> bool:
            begun = time.monotonic()
            answer = options.yes or agreed(decision, name, arguments)
            scope.deadline += (
                time.monotonic() - begun
            )  # the time of the question does not count
            return answer

        async with mcp.connect(
            options.url,
            agent=options.agent,
            endpoint=options.endpoint,
            transport=options.transport,
            token=token or None,
            headers=dict(options.header),
            approve=options.approve,
            confirm=confirm,
            done=options.after,
            timeouts=Timeouts(request=seconds, total=seconds),
            allow_private=options.allow_private,
            discovery=discovery,
        ) as session:
            if tool is None:
                listed = await session.tools()
                return OK, list(listing(session, listed, options.json))
            for label in ("cannot", "behavior"):
                for text in getattr(session.decision, label):
                    tell(f"{label}: {text}")
            result = await session.call_tool(tool, arguments)
            answer = result.model_dump(mode="json", by_alias=True, exclude_none=True)
            code = CANNOT_READ if answer.get("isError") else OK
            return code, [answer] if options.json else list(content(answer))

    async def in_time() -> tuple[int, list[Any]]:
        with anyio.fail_after(seconds) as scope:
            return await go(scope)

    try:
        code, lines = anyio.run(in_time)
    except TimeoutError:
        raise Unreadable(
            f"{shown_url(options.url)}: timeout after {seconds:g} s (see --timeout)"
        ) from None
    except mcp.ConfirmationRefused as refusal:
        tell(f"{refusal}; if a person agrees, add --yes")
        return FINDINGS
    except mcp.PrerequisitesMissing as refusal:
        options_needed = " ".join(f"--after {name}" for name in refusal.missing)
        hint = f"; run them first, then add {options_needed}" if options_needed else ""
        tell(f"{refusal}{hint}")
        return FINDINGS
    except mcp.PolicyDenied as refusal:
        tell(refusal)
        return FINDINGS
    except (mcp.McpError, ValueError) as problem:
        said = visible(hinted(str(problem)))
        raise Unreadable(f"{shown_url(options.url)}: {said}") from None
    except OSError as problem:
        said = str(Unreadable.of(problem))
        raise Unreadable(f"{shown_url(options.url)}: {said}") from None
    except Exception as problem:  # the SDK raises many types for invalid responses
        said = f"{type(problem).__name__}: {problem}"
        raise Unreadable(f"{shown_url(options.url)}: {visible(said)[:500]}") from None
    show(lines, options.json)
    return code


def ask_token() -> str:
    """Reads the token from the terminal."""
    try:
        return getpass.getpass("token: ")
    except EOFError:
        raise Unreadable("--ask-token: no terminal to ask on") from None


def wanted(call: list[str] | None) -> tuple[str | None, dict[str, Any]]:
    """Returns the tool and its arguments."""
    if call is None:
        return None, {}
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


def agreed(decision: Decision, name: str, arguments: Mapping[str, Any]) -> bool:
    """Asks for confirmation on the terminal; returns False without a terminal."""
    if not sys.stdin.isatty():
        return False
    said = f"{visible(name)} {visible(json.dumps(dict(arguments)))}: a person {decision.confirmation} be asked."
    with interruptible():
        print(f"{said} Call it? [y/N] ", end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().lower() in {"y", "yes"}


@contextmanager
def interruptible() -> Iterator[None]:
    """Lets Ctrl-C interrupt blocking code: the event loop would cancel its tasks, none of which runs meanwhile."""
    before = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or before in {None, signal.SIG_IGN}:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def listing(session: "Session", tools: "list[Tool]", as_json: bool) -> Iterator[Any]:
    """Yields the tools, for people or programs."""
    if as_json:
        yield without_secrets(
            {
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
        )
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
    """Yields the result of a tool for people, as text without control characters."""
    for part in answer.get("content", []):
        if part.get("type") == "text":
            for line in str(part.get("text", "")).split("\n"):
                yield visible(line)
        else:
            yield f"({visible(str(part.get('type')))})"


def show(lines: list[Any], as_json: bool) -> None:
    """Prints lines, or JSON."""
    for line in lines:
        # ASCII, so that no character from the server controls the terminal.
        print(json.dumps(line, indent=2) if as_json else line)
