"""`agentsdisc discover`: gets the documents of a site over HTTP."""

import argparse
import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .._visible import Keys, keys_in, without_secrets
from ..discovery.addresses import with_option
from .json_text import put_json
from .preferences import stated
from .reading import Unreadable
from .terminal import Style, tell, visible

if TYPE_CHECKING:
    from ..discovery import Attempt, Site

FOUND, NOTHING = 0, 1

_PREFERENCES = 20
"""How many AI preferences are printed."""


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import limit_options

    command: argparse.ArgumentParser = commands.add_parser(
        "discover",
        help="get all documents of a site for agents",
        description="Requests agents.json, agents.txt, agents.md, agent.json, agent cards, llms.txt and related documents at their "
        "well-known locations, follows what the site points to, and reports the result of each attempt. "
        "Exit code 1 if there is no such document, and robots.txt states no AI preferences.",
    )
    command.add_argument("url", metavar="URL", help="a site: a URL, or a host")
    command.add_argument(
        "--json", action="store_true", help="print everything as JSON, documents too"
    )
    command.add_argument(
        "--details",
        action="store_true",
        help="also get the capability details that an ADP manifest names, at most 64",
    )
    command.add_argument(
        "--detail",
        metavar="NAME",
        action="append",
        default=[],
        help="also get the detail of this capability of an ADP manifest; may be repeated",
    )
    command.add_argument(
        "--declarations",
        action="store_true",
        help="also get the operator declarations that an agents.txt names, from their sites",
    )
    command.add_argument(
        "--all",
        action="store_true",
        help="also request MCP server cards, indexes of skills and API catalogs at their well-known locations, not only where something "
        "points to them",
    )
    command.add_argument(
        "--follow",
        choices=("same-site", "any", "none"),
        default="same-site",
        help="whether to request documents to which the site points, at most 16: on the site (default), also on other sites, or none",
    )
    limit_options(command)
    http_options(command)
    command.set_defaults(run=run)


def http_options(
    command: argparse.ArgumentParser,
    *,
    stores: bool = True,
    timed: str = "the whole command",
) -> None:
    """Adds the options of all commands that send requests; `stores`: those that keep answers; `timed`: what has the time limit."""
    group = command.add_argument_group("HTTP")
    group.add_argument(
        "--user-agent",
        metavar="NAME",
        type=client_name,
        help="the User-Agent to send, such as 'MyBot/1.0 (+https://bot.example)'",
    )
    group.add_argument(
        "--timeout",
        type=seconds,
        metavar="SECONDS",
        help=f"time limit for {timed} (default: 60)",
    )
    group.add_argument(
        "--allow-private",
        action="store_true",
        help="connect to the host that you name also if its address is private or loopback; other hosts must be public",
    )
    if not stores:
        return
    group.add_argument(
        "--no-cache",
        action="store_true",
        help="neither store answers nor use stored ones",
    )


def client_name(text: str) -> str:
    """Checks a User-Agent."""
    from ..discovery.results import is_client_name

    if not is_client_name(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} cannot be a User-Agent: give ASCII characters"
        )
    return text


def seconds(text: str) -> float:
    """Parses a time in seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a time: give seconds, from 0.1 to 3600"
        )
    return value


def ask(options: argparse.Namespace, **more: Any) -> "Site":
    """Runs discovery for the site in the options."""
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
    except ValueError as problem:
        raise Unreadable(f"{shown_url(options.url)}: {visible(str(problem))}") from None


def tell_missed(site: "Site") -> None:
    """Reports on standard error which documents may exist but could not be fetched, and why: their content is not known."""
    places: dict[str, list[str]] = {}
    for attempt in site.missed:
        places.setdefault(why(attempt), []).append(where(attempt, site))
    for reason, paths in places.items():
        said = f"these could not be fetched, so it is unknown what they say: {', '.join(paths)} ({reason})"
        tell(said)


def run(options: argparse.Namespace) -> int:
    """Prints the results."""
    details = options.detail or options.details
    site = ask(
        options,
        details=details,
        declarations=options.declarations,
        resources="all" if options.all else None,
        follow=None if options.follow == "none" else options.follow,
    )
    if options.json:
        values = site.to_dict()
        # Documents carry their data as it is, as with `agentsdisc parse`.
        parts = ("documents", "details", "elsewhere")
        keys = keys_of_site(site)
        put_json(
            {
                name: value if name in parts else without_secrets(value, keys)
                for name, value in values.items()
            },
            2,
        )
    else:
        for line in lines(site, Style()):
            print(line)
    return FOUND if site.found or site.preferences else NOTHING


def lines(site: "Site", style: Style) -> Iterator[str]:
    """Returns the results for people, line by line."""
    preferences, keys = site.preferences, keys_of_site(site)
    yield style(visible(site.origin), "bold")
    for found in site.found:
        document = found.document
        name = document.service.name if document.service else None
        count = len(document.capabilities)
        things = "capability" if count == 1 else "capabilities"
        said = f"{document.format}, {count} {things}"
        called = f", {visible(repr(name), keys)}" if name else ""
        yield f"  {style(where(found.attempt, site), 'green')}  {visible(said + called)}{aside(found.attempt)}{pointer_of(found.attempt, site)}"
    for found in site.elsewhere:
        said = f"{found.document.format} of another site"
        yield f"  {where(found.attempt, site)}  {visible(said)}{aside(found.attempt)}{pointer_of(found.attempt, site)}"
    if not site.found and site.missed:
        yield "  no document is known; the site may have some that could not be fetched"
    elif not site.found and preferences:
        yield "  no documents for agents"
    elif not site.found:
        yield "  nothing for agents"
    robots = {
        "document": "robots.txt has rules"
        if disallows(site)
        else "robots.txt disallows nothing",
        "allow-all": "there is no robots.txt; everything may be fetched",
        "disallow-all": "robots.txt cannot be fetched; nothing may be fetched",
    }
    if site.robots_rules in robots:
        yield f"  {robots[site.robots_rules]}"
    if preferences:
        yield "  AI preferences in robots.txt:"
    for text in stated(preferences[:_PREFERENCES]):
        yield f"    - {visible(text, keys)}"
    if len(preferences) > _PREFERENCES:
        more = len(preferences) - _PREFERENCES
        yield f"    and {more} others (see `agentsdisc inspect`)"
    for url in site.licenses[:_PREFERENCES]:
        yield f"  license: {visible(url, keys)} (not requested)"
    for detail in site.details:
        yield f"  {style(where(detail.attempt, site), 'green')}  detail{aside(detail.attempt)}"
    if site.missing_details:
        names = ", ".join(site.missing_details)
        yield f"  no detail of {visible(names, keys)}; name those that you need with --detail"
    for declaration in site.declarations:
        said = f"{declaration.agent}: {declaration.declared or 'no declaration'} at {declaration.url}"
        yield f"  {visible(said, keys)}"
    if site.trail_is_cut:
        yield "  the site points to more documents than are followed"
    for attempt in site.attempts:
        if attempt.rejection is not None:
            label = style(where(attempt, site), "dim")
            yield f"  {label}  {attempt.rejection}: {why(attempt)}{pointer_of(attempt, site)}"


def keys_of_site(site: "Site") -> Keys:
    """Returns the words of private keys in the documents of a site."""
    robots = (site.robots.bytes,) if site.robots else ()
    found = (*site.found, *site.details)
    return keys_in(*robots, *(each.document.bytes for each in found))


def disallows(site: "Site") -> bool:
    """Returns whether robots.txt disallows a path for some agent."""
    groups = site.robots.groups if site.robots else ()
    return any(
        rule.pattern and not rule.allow for group in groups for rule in group.rules
    )


def why(attempt: "Attempt") -> str:
    """Returns why an attempt gave no document."""
    status = f" ({attempt.status})" if attempt.status else ""
    words = attempt.message or str(attempt.rejection)
    if attempt.error is not None:
        both = attempt.rejection == "unreachable"
        words = f"{words}: {attempt.error}" if both else hinted(attempt.error)
    return visible(words + status + remembered(attempt))


def remembered(attempt: "Attempt") -> str:
    """Returns for how long a stored answer still counts; empty for other answers."""
    if attempt.source != "store" or attempt.freshness is None:
        return ""
    left = max(0, attempt.freshness.ask_again_at - int(time.time()))
    return f"; from store, asked again in {left} s (or with --no-cache)"


def hinted(words: str) -> str:
    """Adds the option that helps to the reason of a failure, as the command line calls it."""
    return with_option(words).replace("allow_private=True", "--allow-private")


def where(attempt: "Attempt", site: "Site") -> str:
    """Returns the path of an attempt; the whole URL if it is on another origin."""
    return visible(attempt.key.removeprefix(site.origin) or attempt.resource)


def pointer_of(attempt: "Attempt", site: "Site") -> str:
    """Returns which document points to a location; empty if none does."""
    pointer = attempt.pointer
    if pointer is None:
        return ""
    by = pointer.url.removeprefix(site.origin) or pointer.url
    return visible(f"; {by} points to it ({pointer.how}: {pointer.relation})")


def aside(attempt: "Attempt") -> str:
    """Returns further facts about a document."""
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
    """Returns whether an argument is the URL of a site, not the name of a file."""
    scheme, colon, _ = text.partition("://")
    return bool(colon) and scheme.lower() in {"http", "https"}


def shown_url(text: str) -> str:
    """Returns a URL for people, without its user information."""
    return visible(re.sub(r"^([A-Za-z][A-Za-z0-9+.-]*://)?[^/?#]*@", r"\1***@", text))
