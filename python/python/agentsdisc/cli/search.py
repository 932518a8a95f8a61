"""`agentsdisc search`: searches a registry of services."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .._visible import beginning, keys_in, without_secrets
from .discover import hinted, http_options
from .json_text import put_json
from .reading import Unreadable
from .terminal import Style, tell, visible

if TYPE_CHECKING:
    from ..registry.client import FoundService, FoundServices

FOUND, NOTHING = 0, 1
_MOST_TEXT = 300
"""The most characters of a text that are shown."""
_MOST_CAPABILITIES = 20


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "search",
        help="find services by words, in a registry",
        description="Asks a registry of services that speaks ADP or ARD, and prints the results. They are claims of the registry; "
        "`agentsdisc discover DOMAIN` prints what a service itself declares. Exit code 1 if nothing is found.",
    )
    command.add_argument(
        "registry", metavar="REGISTRY", help="a registry: a URL, or a host"
    )
    command.add_argument(
        "words", metavar="WORDS", nargs="+", help="what the service should do"
    )
    command.add_argument(
        "--limit",
        type=number,
        default=10,
        metavar="N",
        help="the most services to show: 1 to 100 (default: 10)",
    )
    command.add_argument(
        "--kind",
        choices=["adp", "ard"],
        help="the protocol of the registry (default: the one in which it answers)",
    )
    for name, what in (
        ("category", "of this category"),
        ("format", "with a document of this format, such as a2a-agent-card"),
        ("auth", "with this type of authentication, such as none"),
    ):
        command.add_argument(
            f"--{name}", metavar=name.upper(), help=f"only services {what}"
        )
    command.add_argument("--json", action="store_true", help="print everything as JSON")
    http_options(command, stores=False)
    command.set_defaults(run=run)


def number(text: str) -> int:
    """Parses a number of services."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 100):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 100")
    return int(text)


def ask(
    options: argparse.Namespace, registry: str, words: str, **more: Any
) -> "FoundServices":
    """Searches the registry."""
    from .. import search
    from .._errors import CallError
    from ..discovery import Timeouts

    timeouts = Timeouts()
    if options.timeout is not None:
        timeouts = Timeouts(total=options.timeout)
    try:
        found = search(
            registry,
            words,
            timeouts=timeouts,
            allow_private=options.allow_private,
            user_agent=options.user_agent,
            **more,
        )
    except (CallError, ValueError) as problem:
        raise Unreadable(visible(hinted(str(problem)))) from None
    for left_out in found.problems:
        tell(left_out)
    return found


def run(options: argparse.Namespace) -> int:
    """Prints what is found."""
    found = ask(
        options,
        options.registry,
        " ".join(options.words),
        limit=options.limit,
        kind=options.kind,
        category=options.category,
        format=options.format,
        auth=options.auth,
    )
    # A service must not change what is shown of another one.
    services = [without_secrets(one, keys_in(one)) for one in found.services]
    if options.json:
        shown = {**asdict(found), "services": list(map(asdict, services))}
        put_json(without_secrets(shown), 2)
    else:
        style = Style()
        for service in services:
            for line in lines(service, style):
                print(line)
        for url in found.referrals:
            print(f"another registry: {short(url)}")
        if not found.services:
            print("nothing is found")
    return FOUND if found.services else NOTHING


def lines(service: "FoundService", style: Style) -> Iterator[str]:
    """Returns a service for people, line by line."""
    said = [service.name] if service.name else []
    said += [service.format] if service.format else []
    said += ["verified, says the registry"] if service.verified else []
    said += [f"score {service.score:g}"] if service.score is not None else []
    yield f"{style(visible(service.domain), 'bold')}  {short(', '.join(said))}".rstrip()
    if service.description:
        yield f"  {short(service.description)}"
    for capability in service.capabilities[:_MOST_CAPABILITIES]:
        about = f"  {short(capability.description)}" if capability.description else ""
        yield f"  {style(short(capability.name), 'green')}{about}"
    left_out = len(service.capabilities) - _MOST_CAPABILITIES
    if left_out > 0:
        yield f"  … and {left_out:,} more; --json has all"


def short(text: str) -> str:
    """Returns the beginning of a text in one line."""
    return visible(beginning(" ".join(text.split()), _MOST_TEXT))
