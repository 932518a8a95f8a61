"""Options of the commands that act for an agent, and the question to a person."""

import argparse
import json
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .. import Decision
from .._conduct import check_headers
from .._consent import Question
from .decision import agent_option, approve_option
from .discover import http_options
from .keys import keys_option
from .terminal import tell


def acting_options(
    command: argparse.ArgumentParser, *, url: str = "URL or host of the site"
) -> None:
    """Adds the options of all commands that call something on a site."""
    from . import limit_options

    command.add_argument("url", metavar="URL", help=url)
    agent_option(command)
    command.add_argument(
        "--header",
        action="append",
        default=[],
        type=header,
        metavar="'NAME: VALUE'",
        help="a header with a credential, such as an API key; may be repeated. The value is never printed",
    )
    command.add_argument(
        "--after",
        action="append",
        default=[],
        metavar="ACTION",
        help="an action that has run before, and that the site requires before the call; may be repeated",
    )
    command.add_argument(
        "--before",
        action="append",
        default=[],
        type=prerequisite,
        metavar="ACTION=JSON",
        help="the arguments of an action that has to run first; may be repeated",
    )
    command.add_argument(
        "--endpoint",
        metavar="URL",
        help="the declared MCP endpoint to use (default: the first that is permitted)",
    )
    command.add_argument(
        "--transport",
        choices=["streamable-http", "sse"],
        help="the transport of MCP (default: the one that the documents declare)",
    )
    command.add_argument(
        "--yes",
        action="store_true",
        help="confirm this call, as the person whose confirmation the site requires",
    )
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    approve_option(command)
    keys_option(command)
    limit_options(command)
    http_options(command)


def header(text: str) -> tuple[str, str]:
    """Parses a header. The message does not repeat it, because it may be a secret."""
    name, colon, value = text.partition(":")
    if not (colon and name.strip() and value.strip()):
        raise argparse.ArgumentTypeError("write a header as 'Name: value'")
    try:
        check_headers({name.strip(): ""})
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None
    return name.strip(), value.strip()


def prerequisite(text: str) -> tuple[str, dict[str, Any]]:
    """Parses the arguments of an action."""
    name, _, value = text.partition("=")
    try:
        members = json.loads(value)
    except ValueError:
        members = None
    if not name or not isinstance(members, dict):
        raise argparse.ArgumentTypeError("write ACTION={…}, with a JSON object")
    return name, members


def discovery_options(options: argparse.Namespace) -> dict[str, Any]:
    """Returns the options for discovery."""
    from . import limits

    found: dict[str, Any] = {
        "cache": not options.no_cache,
        "limits": limits(options),
    }
    if options.user_agent is not None:
        found["user_agent"] = options.user_agent
    return found


class Asker:
    """Asks a person, unless one has agreed to this call in advance. Always asks about actions that run before the call."""

    def __init__(self, options: argparse.Namespace, capability: str) -> None:
        self._is_agreed, self._capability = options.yes, capability
        self.declined: str | None = None
        """The action before the call to which nobody has agreed."""

    def __call__(
        self, question: Question, name: str, arguments: Mapping[str, Any]
    ) -> bool:
        """Returns whether a person agrees."""
        is_call = name == self._capability
        if (is_call and self._is_agreed) or agreed(question):
            return True
        self.declined = None if is_call else name
        return False


class Notices:
    """Prints what the site says about a call before it is made."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def __call__(self, decision: Decision) -> None:
        """Prints what was not printed yet."""
        lines = [f"{label}: {text}" for label, text in words(decision)]
        if decision.degraded:
            lines.append(
                f"{decision.capability}: the service reports that it is impaired"
            )
        for line in lines:
            if line not in self._said:
                self._said.add(line)
                tell(line)


def words(decision: Decision) -> Iterator[tuple[str, str]]:
    """Yields what the site says in words, with its labels."""
    yield from (("cannot", text) for text in decision.cannot)
    yield from (("behavior", text) for text in decision.behavior)
    yield from (("not read", text) for text in decision.unread)


def needing_credentials(refusal: Exception, variable: str) -> str:
    """Returns the error for missing credentials, and how to give them."""
    return (
        f"{refusal}; put it into the environment variable {variable}, or add --header"
    )


def agreed(question: Question) -> bool:
    """Asks for confirmation on the terminal; returns False without a terminal."""
    if not sys.stdin.isatty():
        return False
    with interruptible():
        print(f"{question}\nCall it? [y/N] ", end="", file=sys.stderr, flush=True)
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
