"""`agentsdisc init`: creates an agents.txt, agents.json or agents.md for a site."""

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
# The names in agents.md, which supports no other types.
_AUTH_MD = {"none": "none", "api-key": "api_key", "oauth2": "oauth2"}


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "init",
        help="create an agents.txt, agents.json or agents.md",
        description="Creates a document for a site from options. Asks for missing values on a terminal. Checks the document first; if it "
        "violates its specification, writes nothing (exit code 2).",
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
        "--force", action="store_true", help="overwrite an existing file"
    )
    command.add_argument("--name", help="name of the site")
    command.add_argument("--url", help="URL of the site, such as https://example.com")
    command.add_argument("--description", help="description of the site, in a sentence")
    command.add_argument(
        "--contact", metavar="EMAIL", help="email address of the contact"
    )
    command.add_argument(
        "--capability",
        metavar="ID=URL",
        action="append",
        default=[],
        help="a capability that agents use by a GET request to a URL; may be repeated",
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
        help="URL to obtain a token; required for bearer-token and oauth2",
    )
    command.add_argument(
        "--rate-limit",
        metavar="N/WINDOW",
        help="rate limit for all agents, such as 60/minute",
    )
    for option, about in (("--allow", "may"), ("--disallow", "must not")):
        command.add_argument(
            option,
            metavar="PATTERN",
            action="append",
            default=[],
            help=f"paths that agents {about} request, such as /api/*; for agents.md a sentence that says what they {about} do; may be repeated",
        )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Asks for missing values, and writes the document."""
    from . import OK

    is_file = options.output not in {None, "-"}
    if is_file:
        refuse_existing(options)
    ask(options)
    refuse_control_characters(options)
    refuse_unused(options)
    data = _MAKERS[options.to](options)
    verify(options, data)
    if is_file:
        Path(options.output).parent.mkdir(parents=True, exist_ok=True)
        # The file may have been created since the first test.
        refuse_existing(options)
    put(options.output, data)
    return OK


def refuse_existing(options: argparse.Namespace) -> None:
    """Refuses to overwrite an existing file without --force."""
    if not options.force and os.path.lexists(options.output):
        raise Unreadable(
            f"{visible(options.output)}: the file exists; use --force to overwrite it"
        )


def refuse_unused(options: argparse.Namespace) -> None:
    """Refuses options that have no effect because others are missing."""
    is_for = "--mcp" if options.to == "agents-md" else "--capability or --mcp"
    if options.auth != "none" and not (options.capability or options.mcp):
        raise Unreadable(f"--auth has no effect without a capability; add {is_for}")
    if options.auth_endpoint and options.auth == "none":
        raise Unreadable("--auth-endpoint has no effect without --auth; add --auth")


def ask(options: argparse.Namespace) -> None:
    """Asks on the terminal for required values, then for optional ones."""
    missing = [name for name in ("name", "url") if not getattr(options, name)]
    if not missing:
        return
    if not sys.stdin.isatty():
        raise Unreadable(
            f"--{' and --'.join(missing)} missing, and standard input is not a terminal"
        )
    for name, question in (
        ("name", "Name of the site"),
        ("url", "URL of the site, such as https://example.com"),
    ):
        while not getattr(options, name):
            setattr(options, name, answer(question))
    for name, question in (
        ("description", "Description of the site, in a sentence"),
        ("contact", "Email address of the contact"),
        ("mcp", "Endpoint of an MCP server"),
    ):
        if getattr(options, name) is None:
            setattr(options, name, answer(question + " (may be empty)") or None)
    if options.to == "agents-md":
        for name, may in (("allow", "may"), ("disallow", "must not")):
            if not getattr(options, name):
                said = answer(
                    f"A thing that agents {may} do, in a sentence (may be empty)"
                )
                setattr(options, name, [said] if said else [])
    elif not options.disallow:
        said = answer(
            "Paths that agents must not request, such as /admin/* (may be empty)"
        )
        options.disallow = said.split()


def refuse_control_characters(options: argparse.Namespace) -> None:
    """Refuses control characters, line breaks, and unpaired surrogates, by which Python represents bytes that are not UTF-8."""
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
                    f"'{visible(text)}' contains a line break or another control character; remove it"
                )


def answer(question: str) -> str:
    """Asks a question, and returns the answer."""
    print(f"{question}: ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise Unreadable("standard input ended before all questions were answered")
    return line.strip()


def members(options: argparse.Namespace) -> dict[str, Any]:
    """Returns the document as an object of the JSON format."""
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
            raise Unreadable(
                f"{visible(text)!r} is not a valid capability; use ID=URL, for example search=https://example.com/search"
            )
        capabilities.append(
            {"id": name, "endpoint": url, "method": "GET", "protocol": "REST"}
        )
    if options.mcp:
        capabilities.append({"id": "mcp", "endpoint": options.mcp, "protocol": "MCP"})
    agent: dict[str, Any] = {}
    if options.rate_limit:
        agent["rateLimit"] = limit(options.rate_limit)
    return {
        "specVersion": "1.0",
        "site": without_empty(site),
        **without_empty(
            {"capabilities": [c | {"auth": without_empty(auth)} for c in capabilities]}
        ),
        **without_empty(
            {
                "access": without_empty(
                    {"allow": options.allow, "disallow": options.disallow}
                )
            }
        ),
        "agents": {"*": agent},
    }


def without_empty(given: dict[str, Any]) -> dict[str, Any]:
    """Returns the members with a value."""
    return {name: value for name, value in given.items() if value}


def limit(text: str) -> dict[str, Any]:
    """Parses a rate limit, and returns it in the JSON format."""
    read = parse(f"Agent: *\n  Rate-Limit: {text}\n", format="agents-txt").agents
    limits = read[0].rate_limits if len(read) == 1 else ()
    if not limits:
        raise Unreadable(
            f"{visible(text)!r} is not a valid rate limit; use for example 60/minute"
        )
    return {"requests": limits[0].requests, "window": limits[0].window}


def agents_json(options: argparse.Namespace) -> bytes:
    """Returns an agents.json."""
    return json.dumps(members(options), indent=2, ensure_ascii=False).encode() + b"\n"


def agents_txt(options: argparse.Namespace) -> bytes:
    """Returns an agents.txt, converted from an agents.json."""
    document = parse(agents_json(options), format="agents-json")
    try:
        converted = document.convert("agents-txt")
    except ConvertError as error:
        raise Unreadable(visible(str(error))) from None
    if converted.losses:
        raise Unreadable(visible(converted.losses[0].message))
    return bytes(converted)


def agents_md(options: argparse.Namespace) -> bytes:
    """Returns an agents.md."""
    for option in ("capability", "rate_limit", "auth_endpoint"):
        if getattr(options, option):
            said = option.replace("_", "-")
            raise Unreadable(f"agents.md does not support --{said}; remove it")
    if not (options.mcp or options.allow or options.disallow or options.contact):
        raise Unreadable(
            "an agents.md needs at least one of --allow, --disallow, --mcp and --contact"
        )
    lines = ["---", "version: 1.0.0"]
    if options.mcp:
        if options.auth not in _AUTH_MD:
            raise Unreadable(
                f"agents.md does not support authentication {options.auth}; use none, api-key or oauth2"
            )
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
    """Parses the result: it must have the given values, and conform to its specification."""
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
            "a value would be parsed differently; remove line breaks and markup"
        )
    # The URL is a valid origin only if the first check finds no problem.
    for found in map(document.check, (None, options.url)):
        problems = [d for d in found if d.severity != "info"]
        if problems:
            raise Unreadable("; ".join(visible(d.message) for d in problems))
