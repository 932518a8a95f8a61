"""`agentsdisc decide`: decides whether an agent may make a request, and shows the line that decides it."""

import argparse
import difflib
import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import (
    AppliedLimit,
    Decision,
    Document,
    PrerequisiteError,
    RobotsTxt,
    decide,
    detect,
    parse,
)
from .._errors import RateLimited
from .._visible import Keys, keys_in, starred, whole_lines, without_secrets
from .discover import ask, http_options, is_url, tell_missed
from .json_text import put_json
from .keys import keys_of, keys_option, verified
from .lint import excerpt
from .reading import Broken, Unreadable, get, read_bytes, shown_name
from .terminal import Style, tell, visible

if TYPE_CHECKING:
    from ..discovery import Site


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "decide",
        help="decide whether an agent may make a request, and why",
        description="Decides a request by the documents of one site, and prints the line that decides it. Without --url and --capability, lists all "
        "capabilities as `agentsdisc tools` does. Requests the documents from the "
        "site if a URL is given. Exit code 0 if the request is allowed, 1 if not, 2 if a document cannot be read or the "
        "arguments are invalid.",
    )
    documents_options(command)
    agent_option(command)
    target = command.add_mutually_exclusive_group()
    target.add_argument(
        "--url", metavar="URL", help="the URL to request, or a path on the site"
    )
    target.add_argument("--capability", metavar="ID", help="the capability to use")
    command.add_argument(
        "--method",
        metavar="METHOD",
        help="the HTTP method (default: GET for a URL, the declared method for a capability)",
    )
    approve_option(command)
    command.add_argument(
        "--content-usage",
        metavar="VALUE",
        help="the Content-Usage header of the answer, which counts beside the robots.txt",
    )
    command.add_argument(
        "--json", action="store_true", help="print the decision as JSON"
    )
    # No --format; --url is the requested URL, not the URL of the document.
    command.set_defaults(run=run, format=None)


def documents_options(command: argparse.ArgumentParser) -> None:
    """Adds the documents of a site, and the options that state what is known about them."""
    from . import limit_options

    command.add_argument(
        "files",
        metavar="FILE|URL",
        nargs="+",
        help="documents of one site, - for standard input, or the URL of a site, whose documents are requested",
    )
    robots = command.add_mutually_exclusive_group()
    robots.add_argument("--robots", metavar="FILE", help="the robots.txt of the site")
    robots.add_argument(
        "--robots-status",
        metavar="STATUS",
        type=_robots_state,
        help="the HTTP error status of robots.txt, such as 404 or 503",
    )
    command.add_argument(
        "--origin",
        metavar="URL",
        help="the origin the documents were fetched from (default: the one they state)",
    )
    keys_option(command)
    command.add_argument(
        "--purpose",
        metavar="PURPOSE",
        help="what the content is used for: train-ai, search, ai-input or another label of AI preferences",
    )
    limit_options(command)
    http_options(command)


def agent_option(command: argparse.ArgumentParser) -> None:
    """Adds the option that names the agent."""
    command.add_argument(
        "--agent",
        required=True,
        metavar="UA",
        help="the agent: its product token, or its User-Agent",
    )


def approve_option(command: argparse.ArgumentParser) -> None:
    """Adds the option that approves endpoints on other domains."""
    command.add_argument(
        "--approve",
        metavar="URL",
        action="append",
        default=[],
        help="an endpoint on another domain that you approve; may be repeated",
    )


def _robots_state(text: str) -> str:
    """Returns the state of robots.txt after an error status (RFC 9309 section 2.3.1)."""
    if not (text.isascii() and text.isdigit() and 400 <= int(text) <= 599):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an HTTP error status; use 400 to 599"
        )
    return "absent" if int(text) < 500 else "unreachable"


_PURPOSES = ("train-ai", "ai-train", "ai-training", "search", "ai-input")
"""The labels of AI preferences with a meaning."""


def _letters(label: str) -> str:
    """Returns a label without separators and blanks, in lower case, as the core compares it."""
    return re.sub(r"[-_\s]", "", label, flags=re.ASCII).lower()


def warn_of_purpose(purpose: str | None) -> None:
    """Warns about an unknown purpose: only statements with exactly this label count for it."""
    if purpose is None or _letters(purpose) in map(_letters, _PURPOSES):
        return
    near = difflib.get_close_matches(purpose.lower().replace("_", "-"), _PURPOSES, 1)
    meant = f"; did you mean {near[0]}?" if near else ""
    tell(
        f"{visible(purpose)} is not a known purpose (train-ai, search, ai-input), so only statements with this label count{meant}"
    )


def run(options: argparse.Namespace) -> int:
    """Prints the decision."""
    from . import FINDINGS, OK, offering

    if options.url is None and options.capability is None:
        return offering.run(options)
    warn_of_purpose(options.purpose)
    decision, texts, robots = (
        over_site(options) if names_site(options) else over_files(options)
    )
    if options.json:
        keys = keys_in(robots[1], *(data for _, data, _ in texts))
        put_json(without_secrets(decision.to_dict(), keys))
    else:
        for line in lines(decision, texts, robots, Style()):
            print(line)
    return OK if decision.allowed else FINDINGS


_NOT_READ = {
    "unknown-format",
    "not-a-discovery-document",
    "invalid-utf8",
    "too-large",
    "line-too-long",
}
"""The errors of documents that have another format or cannot be read, but can contain restrictions."""

Source = tuple[str, bytes, str]
"""The name of a document, its bytes and its format."""

Decided = tuple[Decision, list[Source], Source]
"""A decision, the documents, and robots.txt."""


def read_site(
    options: argparse.Namespace, details: Any
) -> tuple["Site", Any, list[Source]]:
    """Requests the documents from the site. Returns the site, the keys of the caller, and the documents."""
    for name in ("robots", "robots_status", "origin"):
        if getattr(options, name) is not None:
            raise Unreadable(
                f"--{name.replace('_', '-')} applies to files only; remove it"
            )
    keys = keys_of(options)
    place = argparse.Namespace(**{**vars(options), "url": options.files[0]})
    site = ask(place, details=details)
    tell_missed(site)
    found = (*site.found, *site.details, *site.unread)
    return site, keys, [(f.url, f.document.bytes, f.document.format) for f in found]


def over_site(options: argparse.Namespace) -> Decided:
    """Requests the documents from the site, and decides by them."""
    named = [options.capability] if options.capability else False
    site, keys, texts = read_site(options, named)
    names = {c.id for d in site.documents if d.format == "adp" for c in d.capabilities}
    if names.intersection(site.missing_details):
        said = f"the detail of the capability {options.capability!r}"
        tell(f"{said} could not be fetched, so it is unknown what it says")
    try:
        decision = site.decide(
            agent=options.agent,
            url=options.url,
            capability=options.capability,
            method=options.method,
            approved=options.approve,
            purpose=options.purpose,
            content_usage=options.content_usage,
            verified=verified(site.documents, keys),
        )
    except RateLimited as problem:
        raise Unreadable(str(problem)) from None
    rules = next((a for a in site.attempts if a.resource == "robots-txt"), None)
    return (
        decision,
        texts,
        (
            rules.url if rules else "robots.txt",
            site.robots.bytes if site.robots else b"",
            "robots-txt",
        ),
    )


def names_site(options: argparse.Namespace) -> bool:
    """Whether the argument is the URL of a site."""
    return len(options.files) == 1 and is_url(options.files[0])


def read_files(
    options: argparse.Namespace,
) -> tuple[list[Document], list[Source], Any, bytes]:
    """Reads the files. Returns the documents, their sources, and what is known about robots.txt, with its bytes."""
    from . import limits

    bounds = limits(options)
    reading = argparse.Namespace(url=None, format=None)
    documents: list[Document] = []
    texts: list[Source] = []
    for name in options.files:
        try:
            document, data = get(name, reading, bounds)
        except Broken as broken:
            if broken.error.kind not in _NOT_READ or detect(broken.data) == "html":
                raise
            tell(f"{broken}; it allows nothing, and only its Disallow lines count")
            data = broken.data
            if broken.error.kind == "too-large":
                data = whole_lines(data)
            document = parse(data, format="unknown", limits=bounds)
        documents.append(document)
        texts.append((shown_name(name), data, document.format))
    robots: Any = options.robots_status
    rules = b""
    if options.robots is not None:
        rules = read_bytes(options.robots, bounds.robots)
        robots = RobotsTxt(rules, limits=bounds)
    return documents, texts, robots, rules


def over_files(options: argparse.Namespace) -> Decided:
    """Reads the files, and decides by them."""
    keys = keys_of(options)
    documents, texts, robots, rules = read_files(options)
    decision = decide(
        documents,
        agent=options.agent,
        url=options.url,
        capability=options.capability,
        method=options.method,
        robots=robots,
        origin=options.origin,
        approved=options.approve,
        purpose=options.purpose,
        content_usage=options.content_usage,
        verified=verified(documents, keys),
    )
    return (
        decision,
        texts,
        (
            shown_name(options.robots or os.devnull),
            rules,
            "robots-txt",
        ),
    )


def lines(
    decision: Decision,
    texts: list[Source],
    robots: Source,
    style: Style,
) -> Iterator[str]:
    """Yields the decision for people: the answer, the line that decides it, and further facts."""

    def source(document: int | str) -> Source:
        return robots if isinstance(document, str) else texts[document]

    keys = keys_in(robots[1], *(data for _, data, _ in texts))
    answer = (
        style("allowed", "bold", "green")
        if decision.allowed
        else style("not allowed", "bold", "red")
    )
    yield f"{answer}: {visible(decision.message)} [{decision.reason}]"
    stated = decision.preference
    rules = [decision.rule, stated.statement if stated is not None else None]
    for rule in dict.fromkeys(rule for rule in rules if rule is not None):
        name, data, format = source(rule.document)
        data = starred(data, format)
        start = offset(data, rule.line, rule.column)
        shown, _, _ = excerpt(data, start, start)
        yield f"{style(f'{visible(name)}:{rule.line}:{rule.column}:', 'bold')} {shown}"
    if stated is not None:
        by = " (Content-Usage header)" if stated.header else ""
        if stated.statement is not None and stated.preference == "not-stated":
            by = ": the Content-Signal of the group for * does not reach this agent"
        value = f"{stated.purpose}: {stated.preference}{by}"
        yield f"{style('preference', 'blue')}  {visible(value, keys)}"
    for label, value in facts(decision):
        yield f"{style(label, 'blue')}  {visible(value, keys)}"
    for limit in decision.rate_limits:
        name, *_ = source(limit.document)
        strictest = " (the strictest)" if limit == decision.advisory_limit else ""
        yield f"{style('rate limit', 'blue')}  {rate(limit)} for the {limit.scope}, {visible(name)}{strictest}"
    yield from words_of(decision, keys, style)


def words_of(decision: Decision, keys: Keys, style: Style) -> Iterator[str]:
    """Yields what the documents say in words."""
    for label, words in (
        ("can", decision.can),
        ("cannot", decision.cannot),
        ("behavior", decision.behavior),
        ("not read", decision.unread),
    ):
        for text in words:
            yield f"{style(label, 'blue')}  {visible(text, keys)}"


def offset(data: bytes, line: int, column: int) -> int:
    """Returns the byte offset of a line and column, both from 1."""
    start = 0
    for _ in range(line - 1):
        ends = [
            at for at in (data.find(b"\n", start), data.find(b"\r", start)) if at >= 0
        ]
        end = min(ends, default=len(data))
        start = end + (2 if data[end : end + 2] == b"\r\n" else 1)
    return min(start + column - 1, len(data))


def rate(limit: AppliedLimit) -> str:
    """Returns a rate limit on one line."""
    if limit.window is not None:
        return f"{limit.requests}/{limit.window}"
    if limit.milliseconds is None:
        return f"{limit.requests} in an unknown time"
    return f"{limit.requests} in {limit.milliseconds / 1000:g} s"


def facts(decision: Decision) -> Iterator[tuple[str, str]]:
    """Yields further facts with their labels."""
    for label, standing in (
        ("signature", decision.signature),
        ("digest", decision.digest),
    ):
        if standing is not None:
            yield (
                label,
                "declared, not verified" if standing == "declared" else standing,
            )
    if decision.endpoint is not None:
        method = f"{decision.method} " if decision.method is not None else ""
        yield "endpoint", method + decision.endpoint
    auth = decision.auth
    if auth.need in ("optional", "required"):
        kind = auth.type_text or auth.type or "unknown"
        yield "authentication", f"{auth.need}: {kind}"
        if auth.header is not None:
            prefix = f"{auth.prefix} " if auth.prefix else ""
            yield "header", f"{auth.header}: {prefix}<token>"
        for label, value in (
            ("token from", auth.token_url),
            ("refresh at", auth.refresh_url),
            ("key from", auth.setup_url),
            ("described at", auth.docs_url),
        ):
            if value is not None:
                yield label, value
        if auth.refresh_relation == "other":
            yield (
                "refresh",
                "on another domain than the site; ask before sending a token there",
            )
        if auth.scopes:
            yield "scopes", ", ".join(auth.scopes)
    if decision.credentials != "allowed" and (
        auth.need in ("optional", "required") or decision.credentials == "insecure"
    ):
        yield "credentials", f"must not be sent there ({decision.credentials})"
    if decision.session is not None:
        session = decision.session
        yield "session", f"{session.create}, for {session.ttl_seconds} s"
    if decision.confirmation != "not-stated":
        yield "confirmation", f"a person {decision.confirmation} be asked"
    if decision.sensitivity not in (None, "standard"):
        yield "sensitivity", str(decision.sensitivity)
    if decision.detail_unknown:
        yield "endpoint", "unknown: it is in the detail, which is not there"
    if decision.handoff:
        yield "hand-off", "a person completes the action"
    if decision.synthetic:
        confidence = decision.confidence
        said = "unknown" if confidence is None else f"{confidence:g}"
        yield "written by", f"a third party, not the site (confidence {said})"
    if decision.degraded:
        yield "status", "the service reports that it is impaired"
    try:
        first = [*decision.prerequisites]
    except PrerequisiteError as error:
        first = [*error.readable]
    if decision.prerequisites_unknown:
        first.append("perhaps more (its dependencies cannot be read)")
    if first:
        yield "first", ", ".join(first)
    if decision.prerequisite_cycle:
        yield "never", "requires itself: " + ", ".join(decision.prerequisite_cycle)
