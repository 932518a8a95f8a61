"""`agentsdisc inspect`: shows the content of a document for people."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import Document, Link, RobotsTxt, decide, links
from .._visible import Keys, keys_in
from .discover import (
    FOUND,
    NOTHING,
    ask,
    http_options,
    is_url,
    pointer_of,
    tell_missed,
)
from .preferences import stated
from .reading import Unreadable
from .terminal import Style, visible

if TYPE_CHECKING:
    from ..discovery import Site


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import reading_options

    command: argparse.ArgumentParser = commands.add_parser(
        "inspect",
        help="show the content of a document for people",
        description="Shows the content of a document for people. Uses colours only on a terminal; escapes control characters. "
        "Exit code 1 if a site has no document, and its robots.txt states no AI preferences.",
    )
    command.add_argument(
        "file",
        metavar="FILE|URL",
        help="a document, - for standard input, or the URL of a site, whose documents are requested",
    )
    reading_options(command)
    http_options(command)
    command.set_defaults(run=run)


_OTHERS = 20
"""How many links of no known kind are printed."""


def run(options: argparse.Namespace) -> int:
    """Prints the document."""
    from . import limits
    from .reading import Broken, get, shown_name

    if is_url(options.file):
        return run_site(options)
    try:
        document, _ = get(options.file, options, limits(options))
    except Broken as broken:
        show_links(links(broken.data), Style(), keys_in(broken.data))
        raise
    show(shown_name(options.file), document, None)
    return 0


def run_site(options: argparse.Namespace) -> int:
    """Prints every document of a site."""
    if options.format is not None or options.url is not None:
        raise Unreadable("--format and --url apply to files only; remove them")
    options.url = options.file
    site = ask(options)
    tell_missed(site)
    for found in site.found:
        show(found.url, found.document, site.origin, pointer_of(found.attempt, site))
    preferences = site.preferences
    for attempt in site.attempts:
        if preferences and attempt.resource == "robots-txt":
            show_preferences(attempt.url, site)
    if not site.found and not preferences:
        said = "no document is known" if site.missed else "no documents for agents"
        print(f"{visible(site.origin)}: {said} (see `agentsdisc discover`)")
    return FOUND if site.found or preferences else NOTHING


def show_preferences(url: str, site: "Site") -> None:
    """Prints the AI preferences of the robots.txt of a site."""
    style = Style()
    print(f"{style(visible(url), 'bold')}: robots-txt")
    keys = keys_in(site.robots.bytes if site.robots else b"")
    said = stated(site.preferences)
    for line in lines({"robots": {"preferences": said}}, style, keys):
        print(line)


def show(name: str, document: Document, origin: str | None, pointer: str = "") -> None:
    """Prints one document, and who points to it."""
    style, keys = Style(), keys_in(document.bytes)
    size = f"{len(document.bytes):,} bytes"
    print(f"{style(visible(name), 'bold')}: {document.format}, {size}{pointer}")
    model = document.to_dict()
    if document.robots and document.robots.preferences:
        model["robots"]["preferences"] = stated(RobotsTxt.of(document).preferences)
    for line in lines(model, style, keys):
        print(line)
    for label, value in defaults(document):
        print(f"{style(label, 'blue')}  {visible(value, keys)} (default)")
    # The agent and the URL do not matter here.
    for text in decide([document], agent="agentsdisc", url="/").unread:
        print(f"{style('not read', 'blue')}  {visible(text, keys)}")
    show_links(document.links(), style, keys)
    found = document.check(origin)
    if found:
        counts = {"error": 0, "warning": 0, "info": 0}
        for diagnostic in found:
            counts[diagnostic.severity] += 1
        said = ", ".join(f"{n} {name}" for name, n in counts.items() if n)
        print(f"{style('check', 'blue')}  {said} (see `agentsdisc lint`)")


def show_links(found: list[Link], style: Style, keys: Keys) -> None:
    """Prints each URL once: first the links whose kind is known, then the others, of which at most `_OTHERS`."""
    once = list({link.url: link for link in reversed(found)}.values())[::-1]
    known = [link for link in once if link.kind != "other"]
    others = [link for link in once if link.kind == "other"]
    if once:
        print(style("links", "blue"))
    for link in known + others[:_OTHERS]:
        label = f"  {visible(link.label, keys)}" if link.label else ""
        print(f"  {style(link.kind, 'bold')}  {visible(link.url, keys)}{label}")
    if len(others) > _OTHERS:
        print(f"  and {len(others) - _OTHERS} other links")


def defaults(document: Document) -> Iterator[tuple[str, str]]:
    """Yields what follows from the format because the document does not state it."""
    url, seconds = document.companion_url(), document.session_seconds()
    if url is not None and not document.companion:
        yield "companion", url
    session, audit = document.session, document.audit
    if seconds is not None and (session is None or session.ttl_seconds is None):
        yield "session ttl_seconds", str(seconds)
    if document.is_audited() is False and (audit is None or audit.enabled is None):
        yield "audit enabled", "no"


def lines(model: dict[str, Any], style: Style, keys: Keys) -> Iterator[str]:
    """Yields the model, one line for each value, indented by depth."""
    for name, value in model.items():
        if name == "format":
            continue
        if is_listed(name, value):
            yield style(visible(name, keys), "blue")
            yield from nested(value, "  ", style, keys)
        else:
            yield f"{style(visible(name, keys), 'blue')}  {short(value, keys)}"


def nested(value: Any, indent: str, style: Style, keys: Keys) -> Iterator[str]:
    """Yields the indented lines of a list or an object."""
    if isinstance(value, list):
        for item in value:
            if not isinstance(item, dict | list) or is_short(item):
                yield f"{indent}- {short(item, keys)}"
                continue
            first = True
            for line in nested(item, "", style, keys):
                yield f"{indent}{'- ' if first else '  '}{line}"
                first = False
        return
    for name, item in value.items():
        label = style(visible(name, keys), "blue")
        if not is_listed(name, item):
            yield f"{indent}{label}  {short(item, keys)}"
        else:
            yield f"{indent}{label}"
            yield from nested(item, indent + "  ", style, keys)


_LINE_EACH = frozenset(
    {
        "can",
        "cannot",
        "cannot_prose",
        "behavior",
        "allow",
        "disallow",
        "preferences",
    }
)
"""Lists of permissions and restrictions, whose items are printed on one line each."""


def is_listed(name: str, value: Any) -> bool:
    """Whether a value needs lines of its own."""
    if name in _LINE_EACH and isinstance(value, list):
        return len(value) > 0
    return isinstance(value, dict | list) and not is_short(value)


def is_short(value: Any) -> bool:
    """Whether a value fits the line of its name."""
    if isinstance(value, dict):
        return is_rate(value) or not value
    if isinstance(value, list):
        plain = all(not isinstance(v, dict | list) or is_rate(v) for v in value)
        return plain and sum(len(str(v)) for v in value) < 80
    return True


def is_rate(value: Any) -> bool:
    """Whether the value is a rate limit."""
    return isinstance(value, dict) and set(value) == {"requests", "window"}


def short(value: Any, keys: Keys) -> str:
    """Returns a value on one line."""
    match value:
        case True:
            return "yes"
        case False:
            return "no"
        case None:
            return "null"
        case list():
            return ", ".join(short(item, keys) for item in value) or "(none)"
        case {"requests": requests, "window": window}:
            return f"{requests}/{visible(str(window), keys)}"
        case dict():
            return "(empty)"
        case str():
            return visible(value, keys)
    return str(value)
