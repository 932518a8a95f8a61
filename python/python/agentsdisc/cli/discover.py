"""`agentsdisc discover`: what a site tells agents, asked for over HTTP."""

import argparse
import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .._visible import without_secrets
from .json_text import put_json
from .reading import Unreadable
from .terminal import Style, tell, visible

if TYPE_CHECKING:
    from ..discovery import Attempt, Site

FOUND, NOTHING = 0, 1


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import limit_options

    command: argparse.ArgumentParser = commands.add_parser(
        "discover",
        help="ask a site for everything it tells agents",
        description="Asks a site for agents.json, agents.txt, agents.md, agent.json and their relatives, at their well-known locations, "
        "and says what came of each attempt. Exit code 1 where there is no such document.",
    )
    command.add_argument("url", metavar="URL", help="a site: a URL, or a host")
    command.add_argument(
        "--json", action="store_true", help="print everything as JSON, documents too"
    )
    command.add_argument(
        "--details",
        action="store_true",
        help="also get the details of capabilities that an ADP manifest names",
    )
    command.add_argument(
        "--declarations",
        action="store_true",
        help="also get the declarations of operators that an agents.txt names, from their sites",
    )
    limit_options(command)
    http_options(command)
    command.set_defaults(run=run)


def http_options(command: argparse.ArgumentParser) -> None:
    """The options of everything that asks sites."""
    group = command.add_argument_group("HTTP")
    group.add_argument(
        "--user-agent",
        metavar="NAME",
        type=client_name,
        help="who is asking, such as 'MyBot/1.0 (+https://bot.example)'",
    )
    group.add_argument(
        "--timeout",
        type=seconds,
        metavar="SECONDS",
        help="for everything together (default: 60)",
    )
    group.add_argument(
        "--allow-private",
        action="store_true",
        help="connect to the host that you name also if its address is private or loopback; other hosts must be public",
    )
    group.add_argument(
        "--no-cache", action="store_true", help="keep no answers, and use none"
    )


def client_name(text: str) -> str:
    """A User-Agent."""
    from ..discovery.results import is_client_name

    if not is_client_name(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} cannot be a User-Agent: give ASCII characters"
        )
    return text


def seconds(text: str) -> float:
    """A time in seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time: give seconds, from 0.1 to 3600"
        )
    return value


def ask(options: argparse.Namespace, **more: Any) -> "Site":
    """Asks the site that the options name."""
    from ..discovery import Timeouts, discover
    from . import limits

    timeouts = Timeouts()
    if options.timeout is not None:
        timeouts = Timeouts(total=options.timeout)
    try:
        return discover(
            options.url,
            user_agent=options.user_agent,
            timeouts=timeouts,
            limits=limits(options),
            allow_private=options.allow_private,
            cache=not options.no_cache,
            **more,
        )
    except (ImportError, ValueError) as problem:
        raise Unreadable(f"{shown_url(options.url)}: {visible(str(problem))}") from None


def tell_missed(site: "Site") -> None:
    """Says on standard error which documents there may be that could not be had, and why: what they say is not known."""
    places: dict[str, list[str]] = {}
    for attempt in site.missed:
        places.setdefault(why(attempt), []).append(where(attempt, site))
    for reason, paths in places.items():
        said = f"not known what these say, if they are there: {', '.join(paths)} ({reason})"
        tell(said)


def run(options: argparse.Namespace) -> int:
    """Prints what was found."""
    site = ask(options, details=options.details, declarations=options.declarations)
    if options.json:
        values = site.to_dict()
        # Documents carry their data as it is, as with `agentsdisc parse`.
        parts = ("documents", "details")
        put_json(
            {
                name: value if name in parts else without_secrets(value)
                for name, value in values.items()
            },
            2,
        )
    else:
        for line in lines(site, Style()):
            print(line)
    return FOUND if site.found else NOTHING


def lines(site: "Site", style: Style) -> Iterator[str]:
    """What was found, for people."""
    yield style(visible(site.origin), "bold")
    for found in site.found:
        document = found.document
        name = document.service.name if document.service else None
        said = f"{document.format}, {len(document.capabilities)} capabilities"
        called = f", {name!r}" if name else ""
        yield f"  {style(where(found.attempt, site), 'green')}  {visible(said + called)}{aside(found.attempt)}"
    if not site.found:
        yield "  nothing for agents"
    robots = {
        "document": "robots.txt has rules",
        "allow-all": "there is no robots.txt; everything may be fetched",
        "disallow-all": "robots.txt cannot be had; nothing may be fetched",
    }
    if site.robots_rules in robots:
        yield f"  {robots[site.robots_rules]}"
    for detail in site.details:
        yield f"  {style(where(detail.attempt, site), 'green')}  detail{aside(detail.attempt)}"
    for declaration in site.declarations:
        said = f"{declaration.agent}: {declaration.declared or 'no declaration'} at {declaration.url}"
        yield f"  {visible(said)}"
    for attempt in site.attempts:
        if attempt.rejection is not None:
            label = style(where(attempt, site), "dim")
            yield f"  {label}  {attempt.rejection}: {why(attempt)}"


def why(attempt: "Attempt") -> str:
    """Why an attempt gave nothing."""
    status = f" ({attempt.status})" if attempt.status else ""
    words = attempt.message or str(attempt.rejection)
    if attempt.error is not None:
        both = attempt.rejection == "unreachable"
        words = f"{words}: {attempt.error}" if both else hinted(attempt.error)
    return visible(words + status + remembered(attempt))


def remembered(attempt: "Attempt") -> str:
    """Of what the store says, for how long it will."""
    if attempt.source != "store" or attempt.freshness is None:
        return ""
    left = max(0, attempt.freshness.ask_again_at - int(time.time()))
    return f"; from store, asked again in {left} s (or with --no-cache)"


def hinted(words: str) -> str:
    """Why something cannot be had, and which option helps."""
    helps = "is not public" in words and "only the host" not in words
    return f"{words}; --allow-private connects to it all the same" if helps else words


def where(attempt: "Attempt", site: "Site") -> str:
    """The path of an attempt; the whole URL where that is elsewhere."""
    return visible(attempt.key.removeprefix(site.origin) or attempt.resource)


def aside(attempt: "Attempt") -> str:
    """What else is worth knowing of a document."""
    said = []
    if attempt.moved in {"same-site", "canonical", "same-origin", "other-site"}:
        said.append(f"at {attempt.url}")
    if attempt.synthetic:
        said.append("synthetic")
    if attempt.source != "network":
        said.append(f"from {attempt.source}".replace("from revalidated", "unchanged"))
    if attempt.freshness is not None:
        left = max(0, attempt.freshness.fresh_until - int(time.time()))
        said.append(f"fresh for {left} s")
    return visible("".join(f"; {each}" for each in said))


def is_url(text: str) -> bool:
    """Whether an argument names a site rather than a file."""
    scheme, colon, _ = text.partition("://")
    return bool(colon) and scheme.lower() in {"http", "https"}


def shown_url(text: str) -> str:
    """A URL for people, without the password that may stand in it."""
    return visible(re.sub(r"^([A-Za-z][A-Za-z0-9+.-]*://)?[^/?#]*@", r"\1***@", text))
