"""`agentsdisc init`: creates an agents.txt, agents.json, agents.md or robots.txt for a site.

Messages name options of the command line, because the user has seen no fields of the document.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unicodedata import category

from .. import ConvertError, Diagnostic, Document, Limits, ParseError, parse
from .._visible import keys_in
from .conversion import (
    details_of,
    details_option,
    file_of,
    losses_of,
    native_option,
    origin_of,
    put_details,
    report_errors,
    report_errors_of,
    report_losses,
)
from .reading import Unreadable, read_bytes, shown_name
from .terminal import visible
from .writing import put

_OLDER = ("agents-txt-0.1", "agents-json-0.1")
# The options with content of an agents.md, where everything is optional.
_OF_MARKDOWN = ("name", "description", "contact", "mcp", "allow", "disallow")
_FROM = ("llms-txt", "awp", "adp")
"""The formats that are only written from another document."""
_KINDS = ("agents-txt", "agents-json", "agents-md", *_OLDER, "robots-txt", *_FROM)
_AUTH = ("none", "api-key", "bearer-token", "oauth2", "hmac")
# The names in agents.md, which supports no other types.
_AUTH_MD = {"none": "none", "api-key": "api_key", "oauth2": "oauth2"}
_PURPOSES = ("train-ai", "search", "ai-input")
_STANCES = {"allow": "y", "disallow": "n"}
"""The values of `--preference`, with those of a `Content-Usage`."""
_ELSEWHERE = ("mcp", "auth", "auth_endpoint", "disallow", "preference")
_ABOUT_SITE = ("name", "url", "description", "contact", "capability", "rate_limit")
_UNSUPPORTED = {
    "agents-txt": ("preference",),
    "agents-json": ("preference",),
    "agents-md": ("capability", "rate_limit", "auth_endpoint", "preference"),
    "agents-txt-0.1": _ELSEWHERE,
    "agents-json-0.1": (*_ELSEWHERE, "allow"),
    "robots-txt": (*_ABOUT_SITE, "mcp", "auth", "auth_endpoint"),
}
"""The options that a format does not support."""
_OPTIONS = {
    field: option
    for option, fields in {
        "name": "Site-Name Site name",
        "url": "Site-URL URL url",
        "description": "Site-Description Description description",
        "contact": "Site-Contact Contact contact",
        "capability": "Capability Endpoint capabilities id endpoint",
        "auth": "Auth auth type",
        "auth-endpoint": "Auth-Endpoint tokenEndpoint",
        "rate-limit": "Rate-Limit rateLimit requests requests_per_minute",
        "allow": "Allow allow",
        "disallow": "Disallow disallow",
        "preference": "Content-Usage Content-Signal",
    }.items()
    for field in fields.split()
}
"""The option that gives the value of a field, without `--`."""


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "init",
        help="create an agents.txt, agents.json, agents.md or robots.txt",
        description="Creates a document for a site from options. Asks for missing values on a terminal. Checks the document first; if it "
        "violates its specification, writes nothing (exit code 2).",
    )
    command.add_argument(
        "--to",
        metavar="FORMAT",
        choices=_KINDS,
        default="agents-txt",
        help="agents-txt (the default), agents-json, agents-md, agents-txt-0.1, agents-json-0.1 or robots-txt; with --from also llms-txt, awp or adp",
    )
    command.add_argument(
        "--from",
        dest="source",
        metavar="FILE",
        help="a document that already describes the site, such as its OpenAPI description in JSON or YAML, or - for standard input; the result says "
        "what the document says, and standard error lists what it cannot express. Only --url is used besides, as the origin of the document",
    )
    native_option(command)
    details_option(command)
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
        help="a capability that agents use by a GET request to a URL; may be repeated. For agents-txt-0.1, which has no URLs, ID is enough",
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
            help=f"paths that agents {about} request, such as /api/*; for agents.md a sentence that says what they {about} do"
            f"{', for agents-txt-0.1 a capability' if option == '--allow' else ''}; may be repeated",
        )
    command.add_argument(
        "--preference",
        metavar="PURPOSE=STANCE",
        action="append",
        default=[],
        help="what the content may be used for, for robots-txt: train-ai, search or ai-input, with allow or disallow, such as "
        "train-ai=disallow; written as Content-Usage and as Content-Signal; may be repeated",
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Asks for missing values, and writes the document."""
    from . import OK

    is_file = options.output not in {None, "-"}
    if is_file:
        refuse_existing(options)
    if options.source is not None:
        put(options.output, made_from(options))
        return OK
    if options.to in _FROM:
        raise Unreadable(
            f"{options.to} is written only from a document; name one with --from"
        )
    if options.details is not None:
        raise Unreadable("--details needs --from")
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


def made_from(options: argparse.Namespace) -> bytes:
    """Returns what a document says, in the format of the command, and reports the losses."""
    others = [
        name
        for name in (*_ABOUT_SITE, "mcp", "auth", "auth_endpoint", "allow", "disallow")
        if name != "url" and getattr(options, name) not in (None, [], "none")
    ]
    if others:
        said = others[0].replace("_", "-")
        raise Unreadable(f"--from states the content; remove --{said}")
    name = shown_name(options.source)
    data = as_json(name, read_bytes(options.source, _LARGEST))
    keys = keys_in(data)
    try:
        document = parse(data, limits=Limits(document=_MOST_JSON))
        made = document.convert(
            options.to, origin=options.url, **origin_of(options, document)
        )
        details = details_of(document, made, options, origin=options.url)
    except ParseError as error:
        raise Unreadable(f"{visible(name)}: {visible(str(error), keys)}") from None
    except ConvertError as error:
        report_losses(name, error.losses, keys)
        raise Unreadable(f"{visible(name)}: {visible(str(error), keys)}") from None
    report_losses(name, losses_of(made, details.values()), keys)
    result = bytes(made)
    report_errors(name, result, options.to, options.url, keys)
    report_errors_of(name, details, keys)
    for path in details:
        refuse_existing(options, file_of(options.details, path))
    put_details(options.details, details)
    return result if result.endswith(b"\n") else result + b"\n"


_LARGEST = 32 << 20
"""The largest document that is read, in bytes."""
_MOST_JSON = 64 << 20
"""The largest JSON that a YAML document can become: aliases repeat what they stand for."""


def as_json(name: str, data: bytes) -> bytes:
    """Returns a document of YAML as JSON; any other text as it is."""
    if not re.match(
        rb"(?:\s|#[^\n]*\n|---[^\n]*\n)*[\"']?(?:openapi|swagger)[\"']?\s*:", data
    ):
        return data
    try:
        import yaml  # type: ignore[import-untyped]
    except ImportError:
        raise Unreadable(
            f"{visible(name)}: reading YAML needs PyYAML; install it (pip install pyyaml), or convert the file to JSON"
        ) from None
    parts, length = [], 0
    try:
        value = yaml.load(data, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        for part in json.JSONEncoder(ensure_ascii=False, default=str).iterencode(value):
            length += len(part)
            if length > _MOST_JSON:
                raise ValueError("its aliases make it too large")
            parts.append(part)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise Unreadable(f"{visible(name)}: not valid YAML: {visible(said)}") from None
    return "".join(parts).encode("utf-8", "replace")


def refuse_existing(options: argparse.Namespace, file: Path | None = None) -> None:
    """Refuses to overwrite an existing file, or that of the option, without --force."""
    name = str(file or options.output)
    if not options.force and os.path.lexists(name):
        raise Unreadable(
            f"{visible(name)}: the file exists; use --force to overwrite it"
        )


def refuse_unused(options: argparse.Namespace) -> None:
    """Refuses options that have no effect because others are missing, or that the format does not support."""
    for name in _UNSUPPORTED.get(options.to, ()):
        if getattr(options, name) not in (None, [], "none"):
            said = name.replace("_", "-")
            raise Unreadable(f"{options.to} does not support --{said}; remove it")
    is_for = "--mcp" if options.to == "agents-md" else "--capability or --mcp"
    if options.auth != "none" and not (options.capability or options.mcp):
        raise Unreadable(f"--auth has no effect without a capability; add {is_for}")
    if options.auth_endpoint and options.auth == "none":
        raise Unreadable("--auth-endpoint has no effect without --auth; add --auth")


def ask(options: argparse.Namespace) -> None:
    """Asks on the terminal for required values, then for optional ones."""
    if options.to == "robots-txt":
        return
    needed = [("name", "Name of the site")]
    if options.to != "agents-md":
        needed += [("url", "URL of the site, such as https://example.com")]
    elif is_markdown_given(options) or not sys.stdin.isatty():
        return
    if options.to in _OLDER and not options.allow:
        example = "search" if options.to == "agents-txt-0.1" else "search=https://…"
        question = f"What agents may use, such as {example} (several with blanks)"
        needed += [("capability", question)]
    missing = [name for name, _ in needed if not getattr(options, name)]
    if not missing:
        return
    if not sys.stdin.isatty():
        raise Unreadable(
            f"--{' and --'.join(missing)} missing, and standard input is not a terminal"
        )
    for name, question in needed:
        while not getattr(options, name):
            said = answer(question)
            setattr(options, name, said.split() if name == "capability" else said)
    unsupported = _UNSUPPORTED.get(options.to, ())
    for name, question in (
        ("description", "Description of the site, in a sentence"),
        ("contact", "Email address of the contact"),
        ("mcp", "Endpoint of an MCP server"),
    ):
        if getattr(options, name) is None and name not in unsupported:
            setattr(options, name, answer(question + " (may be empty)") or None)
    if options.to == "agents-md":
        for name, may in (("allow", "may"), ("disallow", "must not")):
            if not getattr(options, name):
                said = answer(
                    f"A thing that agents {may} do, in a sentence (may be empty)"
                )
                setattr(options, name, [said] if said else [])
    elif not options.disallow and "disallow" not in unsupported:
        said = answer(
            "Paths that agents must not request, such as /admin/* (may be empty)"
        )
        options.disallow = said.split()


def is_markdown_given(options: argparse.Namespace) -> bool:
    """Whether an option gives content for an agents.md."""
    return any(getattr(options, name) for name in _OF_MARKDOWN)


def given(options: argparse.Namespace) -> dict[str, list[str]]:
    """Returns the values that go into the document, by option without `--`."""
    names = dict.fromkeys([*_OPTIONS.values(), "mcp"])
    values = {name: getattr(options, name.replace("-", "_")) for name in names}
    return {
        name: value if isinstance(value, list) else [value]
        for name, value in values.items()
        if value is not None
    }


def refuse_control_characters(options: argparse.Namespace) -> None:
    """Refuses control characters, line breaks, and unpaired surrogates, by which Python represents bytes that are not UTF-8.

    Also refuses white space at the ends, which readers trim, and empty items of lists.
    """
    for name, values in given(options).items():
        for text in values:
            kinds = {category(character) for character in text}
            if "Cs" in kinds:
                raise Unreadable(f"--{name}: {visible(text)!r} is not UTF-8")
            if kinds & {"Cc", "Zl", "Zp"}:
                raise Unreadable(
                    f"--{name}: '{visible(text)}' contains a line break or another control character; remove it"
                )
            if text != text.strip():
                raise Unreadable(
                    f"--{name}: '{visible(text)}' begins or ends with white space; remove it"
                )
            if not text and isinstance(getattr(options, name, None), list):
                raise Unreadable(f"--{name} is empty; write a value, or remove it")


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
    capabilities = [
        {"id": name, "endpoint": url, "method": "GET", "protocol": "REST"}
        for name, url in capabilities_of(options)
    ]
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


def capabilities_of(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Returns id and URL of every capability; the URL may be empty in agents.txt 0.1."""
    pairs = [text.partition("=") for text in options.capability]
    if options.to != "agents-txt-0.1":
        for name, found, _ in pairs:
            if not found:
                raise Unreadable(
                    f"--capability: {visible(name)!r} is not a valid capability; use ID=URL, for example search=https://example.com/search"
                )
    return [(name, url) for name, _, url in pairs]


def without_empty(members: dict[str, Any]) -> dict[str, Any]:
    """Returns the members with a value."""
    return {name: value for name, value in members.items() if value}


def limit(text: str) -> dict[str, Any]:
    """Parses a rate limit, and returns it in the JSON format."""
    read = parse(f"Agent: *\n  Rate-Limit: {text}\n", format="agents-txt").agents
    limits = read[0].rate_limits if len(read) == 1 else ()
    if not limits:
        raise Unreadable(
            f"--rate-limit: {visible(text)!r} is not a valid rate limit; use for example 60/minute"
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
        raise Unreadable(in_options(options, converted.losses[0].message))
    return bytes(converted)


def agents_txt_01(options: argparse.Namespace) -> bytes:
    """Returns an agents.txt 0.1."""
    names = [name for name, _ in capabilities_of(options)] + options.allow
    groups: list[list[tuple[str, str | None]]] = [
        [
            ("Site", options.name),
            ("URL", options.url),
            ("Description", options.description),
            ("Contact", options.contact),
        ],
        [("Allow", name) for name in names],
        [("Rate-Limit", options.rate_limit)],
    ]
    texts = (
        "".join(f"{key}: {value}\n" for key, value in group if value)
        for group in groups
    )
    return "\n".join(text for text in texts if text).encode()


def agents_json_01(options: argparse.Namespace) -> bytes:
    """Returns an agents.json 0.1, converted from an agents.txt 0.1, with the URLs."""
    document = parse(agents_txt_01(options), format="agents-txt-0.1")
    refuse_problems(options, document)
    members = json.loads(document.convert("agents-json-0.1"))
    pairs = zip(members["capabilities"], capabilities_of(options), strict=False)
    members["capabilities"] = [
        {"name": name, "endpoint": url, "method": "GET"} | one
        for one, (name, url) in pairs
    ]
    return json.dumps(members, indent=2, ensure_ascii=False).encode() + b"\n"


def agents_md(options: argparse.Namespace) -> bytes:
    """Returns an agents.md."""
    if not is_markdown_given(options):
        said = ", ".join(f"--{name}" for name in _OF_MARKDOWN)
        raise Unreadable(f"an agents.md needs at least one of {said}")
    if options.description and not options.name:
        raise Unreadable("--description has no effect without --name; add --name")
    lines = ["---", "version: 1.0.0"]
    if options.mcp:
        if options.auth not in _AUTH_MD:
            raise Unreadable(
                f"agents-md does not support --auth {options.auth}; use none, api-key or oauth2"
            )
        endpoint = json.dumps(options.mcp, ensure_ascii=False)
        lines += ["mcp:", f"  endpoint: {endpoint}", "  transport: streamable-http"]
        lines += [f"  auth: {_AUTH_MD[options.auth]}"]
    lines += ["---", ""]
    if options.name:
        lines += [f"# {options.name}", ""]
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


def preferences(options: argparse.Namespace) -> dict[str, str]:
    """Returns the stance on every purpose."""
    stances: dict[str, str] = {}
    for text in options.preference:
        purpose, _, stance = text.partition("=")
        if purpose not in _PURPOSES or stance not in _STANCES:
            raise Unreadable(
                f"--preference: {visible(text)!r} is not a valid preference; use {', '.join(_PURPOSES)} with =allow or =disallow, "
                "for example train-ai=disallow"
            )
        if stances.setdefault(purpose, stance) != stance:
            raise Unreadable(
                f"--preference: {purpose} is both allowed and disallowed; remove one"
            )
    return stances


def robots_txt(options: argparse.Namespace) -> bytes:
    """Returns a robots.txt for every agent."""
    stances = preferences(options)
    if not (stances or options.allow or options.disallow):
        raise Unreadable(
            "a robots.txt needs at least one of --preference, --allow and --disallow"
        )
    stated = (f"{purpose}={_STANCES[stance]}" for purpose, stance in stances.items())
    lines = ["User-agent: *"]
    if stances:
        lines += [f"Content-Usage: {', '.join(stated)}"]
    lines += [f"Allow: {pattern}" for pattern in options.allow]
    lines += [f"Disallow: {pattern}" for pattern in options.disallow]
    text = "".join(f"{line}\n" for line in lines)
    # The conversion adds the other field.
    return bytes(parse(text, format="robots-txt").convert("robots-txt"))


_MAKERS: dict[str, Callable[[argparse.Namespace], bytes]] = {
    "agents-txt": agents_txt,
    "agents-json": agents_json,
    "agents-md": agents_md,
    "agents-txt-0.1": agents_txt_01,
    "agents-json-0.1": agents_json_01,
    "robots-txt": robots_txt,
}


def verify(options: argparse.Namespace, data: bytes) -> None:
    """Parses the result: it must have the given values, and conform to its specification."""
    document = parse(data, format=options.to)
    service = document.service
    words = document.permissions
    read: dict[str, list[str]] = {
        "name": [service.name] if service and service.name else [],
        "description": [service.description] if service and service.description else [],
        "contact": list(service.contact) if service else [],
        "allow": list(document.access.allow),
        "disallow": list(document.access.disallow),
    }
    values = given(options)
    if options.to == "agents-md":
        read["allow"] = list(words.can) if words else []
        read["disallow"] = list(words.cannot) if words else []
    elif options.to in _OLDER:
        read["capability"] = [one.id or "" for one in document.capabilities]
        values["capability"] = [name for name, _ in capabilities_of(options)]
        values["capability"] += values.pop("allow")
        del read["allow"]
    elif options.to == "robots-txt":
        groups = document.robots.groups if document.robots else ()
        rules = [rule for group in groups for rule in group.rules]
        for name, is_allow in (("allow", True), ("disallow", False)):
            read[name] = [rule.pattern for rule in rules if rule.allow == is_allow]
    for name, texts in read.items():
        if texts != [text for text in values.get(name, []) if text]:
            raise Unreadable(
                f"--{name}: the value would be parsed differently; remove line breaks and markup"
            )
    refuse_problems(options, document)


def refuse_problems(options: argparse.Namespace, document: Document) -> None:
    """Refuses a document that does not conform to its specification."""
    # The URL is a valid origin only if the first check finds no problem.
    for found in map(document.check, (None, options.url)):
        problems = [d for d in found if d.severity != "info"]
        if problems:
            said = (said_of(options, document, problem) for problem in problems)
            raise Unreadable("; ".join(said))


def said_of(
    options: argparse.Namespace, document: Document, problem: Diagnostic
) -> str:
    """Returns the message of a problem, with the option that gave the value."""
    said = in_options(options, problem.message)
    if said != visible(problem.message):
        return said
    before = document.bytes[: problem.end]
    line = before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")
    quoted = document.bytes[problem.offset : problem.end].decode("utf-8", "replace")
    text = quoted.strip('"')
    values = given(options)
    key = _OPTIONS.get(line.partition(":")[0].strip(' "'))
    # Two options can set the same key, and items of lists have no key.
    whole = [
        name
        for name in values
        if any(text in {v, *v.split("=", 1)} for v in values[name])
    ]
    parts = [name for name in values if any(text and text in v for v in values[name])]
    options_of = [name for name in whole or parts if name == key] or whole or parts
    option = options_of[0] if options_of else key
    return said if option is None else f"--{option}: {said}"


def in_options(options: argparse.Namespace, message: str) -> str:
    """Returns a message about fields with the names of options, for people."""
    ours = {text for texts in given(options).values() for text in texts}

    def named(found: re.Match[str]) -> str:
        field = re.sub(r"\[\d+\]$", "", found[1].rpartition(".")[2])
        is_field = found[1] not in ours and field in _OPTIONS
        # In 0.1, `Allow` names a capability.
        is_capability = field == "Allow" and options.to in _OLDER
        option = "capability" if is_capability else _OPTIONS.get(field)
        return f"`--{option}`" if is_field else found[0]

    return visible(re.sub(r"`([\w.\[\]-]+)`", named, message))
