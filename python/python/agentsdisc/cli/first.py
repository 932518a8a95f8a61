"""`agentsdisc init`: a site's first agents.txt, agents.json or agents.md."""

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unicodedata import category

from .. import ConvertError, parse
from .reading import Unreadable
from .terminal import visible
from .writing import put

_KINDS = ("agents-txt", "agents-json", "agents-md")
_AUTH = ("none", "api-key", "bearer-token", "oauth2", "hmac")
# What agents.md calls it; it has no other.
_AUTH_MD = {"none": "none", "api-key": "api_key", "oauth2": "oauth2"}


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "init",
        help="write a first agents.txt, agents.json or agents.md",
        description="Writes a first document for a site, from options, or from questions where they are left out and a terminal is there to answer "
        "them. What is written is checked first; where it would break its specification, nothing is written (exit code 2).",
    )
    command.add_argument(
        "--to",
        metavar="FORMAT",
        choices=_KINDS,
        default="agents-txt",
        help="agents-txt (the default), agents-json or agents-md",
    )
    command.add_argument(
        "-o", "--output", metavar="OUT", help="file to write (default: standard output)"
    )
    command.add_argument(
        "--force", action="store_true", help="write over a file that is there"
    )
    command.add_argument("--name", help="name of the site")
    command.add_argument("--url", help="URL of the site, such as https://example.com")
    command.add_argument("--description", help="what the site is, in a sentence")
    command.add_argument("--contact", metavar="EMAIL", help="who answers for it")
    command.add_argument(
        "--capability",
        metavar="ID=URL",
        action="append",
        default=[],
        help="something agents can do by a GET request to a URL; may be repeated",
    )
    command.add_argument("--mcp", metavar="URL", help="endpoint of an MCP server")
    command.add_argument(
        "--auth",
        choices=_AUTH,
        default="none",
        help="authentication of capabilities and MCP server (default: none)",
    )
    command.add_argument(
        "--auth-endpoint",
        metavar="URL",
        help="where a token is obtained; needed with bearer-token and oauth2",
    )
    command.add_argument(
        "--rate-limit", metavar="N/WINDOW", help="such as 60/minute, for all agents"
    )
    for option, about in (("--allow", "may"), ("--disallow", "must not")):
        command.add_argument(
            option,
            metavar="PATTERN",
            action="append",
            default=[],
            help=f"paths that agents {about} reach, such as /api/*; for agents.md a sentence about what they {about} do; may be repeated",
        )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Asks what is missing, and writes the document."""
    from . import OK

    is_file = options.output not in {None, "-"}
    if is_file:
        keep(options)
    ask(options)
    refuse_what_is_no_text(options)
    refuse_what_says_nothing(options)
    data = _MAKERS[options.to](options)
    verify(options, data)
    if is_file:
        Path(options.output).parent.mkdir(parents=True, exist_ok=True)
        # Somebody may have written it while questions were answered.
        keep(options)
    put(options.output, data)
    return OK


def keep(options: argparse.Namespace) -> None:
    """Sees to it that a file that is there stays, unless it may be written over."""
    if not options.force and os.path.lexists(options.output):
        raise Unreadable(f"{visible(options.output)}: is there already; give --force")


def refuse_what_says_nothing(options: argparse.Namespace) -> None:
    """Refuses options that would say nothing, for others are missing."""
    is_for = "--mcp" if options.to == "agents-md" else "--capability or --mcp"
    if options.auth != "none" and not (options.capability or options.mcp):
        raise Unreadable(f"--auth says what a capability needs; give {is_for} with it")
    if options.auth_endpoint and options.auth == "none":
        raise Unreadable("--auth-endpoint goes with --auth; say which one it is for")


def ask(options: argparse.Namespace) -> None:
    """Asks on the terminal for what has to be there, and then for what may be."""
    missing = [name for name in ("name", "url") if not getattr(options, name)]
    if not missing:
        return
    if not sys.stdin.isatty():
        raise Unreadable(f"give --{' and --'.join(missing)}; nobody is there to ask")
    for name, question in (
        ("name", "Name of the site"),
        ("url", "URL of the site, such as https://example.com"),
    ):
        while not getattr(options, name):
            setattr(options, name, answer(question))
    for name, question in (
        ("description", "What it is, in a sentence"),
        ("contact", "Email address of who answers for it"),
        ("mcp", "Endpoint of an MCP server"),
    ):
        if getattr(options, name) is None:
            setattr(options, name, answer(question + " (may be empty)") or None)
    if options.to == "agents-md":
        for name, may in (("allow", "may"), ("disallow", "must not")):
            if not getattr(options, name):
                said = answer(f"What agents {may} do, in a sentence (may be empty)")
                setattr(options, name, [said] if said else [])
    elif not options.disallow:
        said = answer("Paths agents must not reach, such as /admin/* (may be empty)")
        options.disallow = said.split()


def refuse_what_is_no_text(options: argparse.Namespace) -> None:
    """Refuses characters that stand in no text: those that end a line, and half surrogate pairs, as which bytes that are no UTF-8 come from the command line."""
    for name, given in vars(options).items():
        for text in given if isinstance(given, list) else [given]:
            if name == "output" or not isinstance(text, str):
                continue
            kinds = {category(character) for character in text}
            if "Cs" in kinds:
                said = name.replace("_", "-")
                raise Unreadable(f"--{said}: {visible(text)!r} is not UTF-8")
            if kinds & {"Cc", "Zl", "Zp"}:
                raise Unreadable(
                    f"'{visible(text)}' holds a line break or another character that has no place in a text; leave it out"
                )


def answer(question: str) -> str:
    """What somebody says to a question."""
    print(f"{question}: ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise Unreadable("the answers ended before the questions")
    return line.strip()


def members(options: argparse.Namespace) -> dict[str, Any]:
    """The document as the JSON format has it."""
    site = {
        "name": options.name,
        "url": options.url,
        "description": options.description,
        "contact": options.contact,
    }
    auth = {"type": options.auth, "tokenEndpoint": options.auth_endpoint}
    capabilities = []
    for text in options.capability:
        name, found, url = text.partition("=")
        if not found:
            raise Unreadable(f"{visible(text)!r} is no capability; write ID=URL")
        capabilities.append(
            {"id": name, "endpoint": url, "method": "GET", "protocol": "REST"}
        )
    if options.mcp:
        capabilities.append({"id": "mcp", "endpoint": options.mcp, "protocol": "MCP"})
    agent: dict[str, Any] = {}
    if options.rate_limit:
        # The core reads it, and says where it is none.
        agent["rateLimit"] = limit(options.rate_limit)
    return {
        "specVersion": "1.0",
        "site": there(site),
        **there({"capabilities": [c | {"auth": there(auth)} for c in capabilities]}),
        **there(
            {"access": there({"allow": options.allow, "disallow": options.disallow})}
        ),
        "agents": {"*": agent},
    }


def there(given: dict[str, Any]) -> dict[str, Any]:
    """The members that are something."""
    return {name: value for name, value in given.items() if value}


def limit(text: str) -> dict[str, Any]:
    """A rate limit in the shape of the JSON format, read by the core."""
    read = parse(f"Agent: *\n  Rate-Limit: {text}\n", format="agents-txt").agents
    limits = read[0].rate_limits if len(read) == 1 else ()
    if not limits:
        raise Unreadable(f"{visible(text)!r} is no rate limit; write one as 60/minute")
    return {"requests": limits[0].requests, "window": limits[0].window}


def agents_json(options: argparse.Namespace) -> bytes:
    """An agents.json."""
    return json.dumps(members(options), indent=2, ensure_ascii=False).encode() + b"\n"


def agents_txt(options: argparse.Namespace) -> bytes:
    """An agents.txt: what the core makes of the agents.json."""
    document = parse(agents_json(options), format="agents-json")
    try:
        converted = document.convert("agents-txt")
    except ConvertError as error:
        raise Unreadable(visible(str(error))) from None
    if converted.losses:
        raise Unreadable(visible(converted.losses[0].message))
    return bytes(converted)


def agents_md(options: argparse.Namespace) -> bytes:
    """An agents.md."""
    for option in ("capability", "rate_limit", "auth_endpoint"):
        if getattr(options, option):
            said = option.replace("_", "-")
            raise Unreadable(f"agents.md has no place for --{said}; leave it out")
    if not (options.mcp or options.allow or options.disallow or options.contact):
        raise Unreadable(
            "an agents.md says nothing without one of --allow, --disallow, --mcp and --contact"
        )
    lines = ["---", "version: 1.0.0"]
    if options.mcp:
        if options.auth not in _AUTH_MD:
            raise Unreadable(f"agents.md has no authentication {options.auth}")
        endpoint = json.dumps(options.mcp, ensure_ascii=False)
        lines += ["mcp:", f"  endpoint: {endpoint}", "  transport: streamable-http"]
        lines += [f"  auth: {_AUTH_MD[options.auth]}"]
    lines += ["---", "", f"# {options.name}", ""]
    if options.description:
        lines += [options.description, ""]
    sections = {
        "Can": options.allow,
        "Cannot": options.disallow,
        "Contact": [options.contact] if options.contact else [],
    }
    for title, items in sections.items():
        if items:
            lines += [f"## {title}", "", *(f"- {item}" for item in items), ""]
    return ("\n".join(lines).rstrip("\n") + "\n").encode()


_MAKERS: dict[str, Callable[[argparse.Namespace], bytes]] = {
    "agents-txt": agents_txt,
    "agents-json": agents_json,
    "agents-md": agents_md,
}


def verify(options: argparse.Namespace, data: bytes) -> None:
    """Reads what was made: it must say what was given, and keep to its specification."""
    document = parse(data, format=options.to)
    service = document.service
    said = service and (service.name, service.description, tuple(service.contact))
    given = (
        options.name,
        options.description or None,
        (options.contact,) if options.contact else (),
    )
    access = (options.allow, options.disallow)
    if options.to == "agents-md":
        words = document.permissions
        read = (list(words.can), list(words.cannot)) if words else ([], [])
    else:
        read = (list(document.access.allow), list(document.access.disallow))
    if said != given or read != access:
        raise Unreadable(
            "a value would read as something else; leave line breaks and markup out"
        )
    # The URL is an origin only where nothing is found about it.
    for found in map(document.check, (None, options.url)):
        problems = [d for d in found if d.severity != "info"]
        if problems:
            raise Unreadable("; ".join(visible(d.message) for d in problems))
