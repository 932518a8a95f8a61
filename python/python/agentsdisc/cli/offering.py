"""`agentsdisc tools`: lists what an agent may call on a site, and what not and why."""

import argparse
from collections.abc import Iterator
from typing import Any

from .._errors import RateLimited
from .._offers import WORDS, Offer, capabilities
from .._visible import Keys, beginning, keys_in, without_secrets
from .decision import (
    Source,
    agent_option,
    approve_option,
    documents_options,
    facts,
    names_site,
    read_files,
    read_site,
    warn_of_purpose,
    words_of,
)
from .json_text import put_json
from .keys import keys_of, verified
from .reading import Unreadable
from .terminal import Style, tell, visible

_MOST_SAID, _MOST_NAMED = 200, 8
_AMBIGUOUS = (
    "several capabilities of one document have the same id, so none of them is called"
)


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "tools",
        help="list what an agent may call on a site, and what not and why",
        description="Lists the capabilities in the documents of one site with the decision about each of them. Requests the documents from the site "
        "if a URL is given. Exit code 0 if the agent may call any of them, 1 if none, 2 if a document cannot be read or the arguments are invalid.",
    )
    documents_options(command)
    agent_option(command)
    approve_option(command)
    output = command.add_mutually_exclusive_group()
    output.add_argument(
        "--json",
        action="store_true",
        help="print the capabilities as JSON, with the schemas of their arguments",
    )
    output.add_argument(
        "--style",
        choices=("openai", "anthropic", "mcp"),
        help="print those that are allowed as the tools of a model",
    )
    # Only `decide` has these.
    command.set_defaults(run=run, format=None, url=None, capability=None, method=None)
    command.set_defaults(content_usage=None)


def run(options: argparse.Namespace) -> int:
    """Prints the capabilities."""
    from . import FINDINGS, OK

    for name in ("method", "content_usage"):
        if getattr(options, name) is not None:
            raise Unreadable(
                f"--{name.replace('_', '-')} needs --url or --capability beside it"
            )
    warn_of_purpose(options.purpose)
    offers, made, texts = (
        _over_site(options) if names_site(options) else _over_files(options)
    )
    keys = keys_in(*(data for _, data, _ in texts))
    if made is not None:
        left_out = [visible(each.id, keys) for each in offers if each.ambiguous]
        if left_out:
            tell(f"left out, {_AMBIGUOUS}: {', '.join(left_out[:_MOST_NAMED])}")
        put_json(without_secrets(list(made), keys))
    elif options.json:
        put_json(without_secrets(_values(offers), keys))
    else:
        for line in lines(offers, texts, keys, Style()):
            print(line)
    return OK if any(_is_usable(offer) for offer in offers) else FINDINGS


def _is_usable(offer: Offer) -> bool:
    return offer.allowed and not offer.ambiguous


Found = tuple[tuple[Offer, ...], Any, list[Source]]
"""The capabilities, the tools of a model if they are asked for, and the documents."""


def _over_site(options: argparse.Namespace) -> Found:
    site, keys, texts = read_site(options, True)
    results = verified(site.documents, keys)
    try:
        offers = site.capabilities(
            agent=options.agent,
            approved=options.approve,
            purpose=options.purpose,
            verified=results,
        )
    except RateLimited as problem:
        raise Unreadable(str(problem)) from None
    return offers, _made(options, site, offers), texts


def _over_files(options: argparse.Namespace) -> Found:
    documents, texts, robots, _ = read_files(options)
    results = verified(documents, keys_of(options))
    offers = capabilities(
        documents,
        agent=options.agent,
        robots=robots,
        origin=options.origin,
        approved=options.approve,
        purpose=options.purpose,
        verified=results,
    )
    return offers, _made(options, tuple(documents), offers), texts


def _made(options: argparse.Namespace, where: Any, offers: tuple[Offer, ...]) -> Any:
    """Returns the tools of a model, if they are asked for."""
    if getattr(options, "style", None) is None:
        return None
    from .._tools import Tools, host_in

    return Tools(
        where,
        offers,
        agent=options.agent,
        style=options.style,
        prefix="",
        host=host_in(where, options.origin),
        options={},
    )


def _values(offers: tuple[Offer, ...]) -> dict[str, Any]:
    """Returns the capabilities as plain values; once what is the same for all."""
    values: dict[str, Any] = {"capabilities": [offer.to_dict() for offer in offers]}
    if offers:
        said = {name: list(getattr(offers[0].decision, name)) for name in WORDS}
        values |= {name: texts for name, texts in said.items() if texts}
    return values


def lines(
    offers: tuple[Offer, ...], texts: list[Source], keys: Keys, style: Style
) -> Iterator[str]:
    """Yields the capabilities for people: those that are allowed first."""
    if not offers:
        yield "no capabilities"
        return
    width = min(32, max(len(visible(offer.id, keys)) for offer in offers))
    for offer in sorted(offers, key=lambda each: not _is_usable(each)):
        is_usable = _is_usable(offer)
        answer = style("allowed", "green") if is_usable else style("denied ", "red")
        decision = offer.decision
        name = visible(offer.id, keys).ljust(width)
        if offer.allowed and offer.ambiguous:
            said = f"{_AMBIGUOUS} [ambiguous-id]"
        elif offer.allowed:
            said = "; ".join(f"{label}: {value}" for label, value in facts(decision))
        else:
            said = f"{decision.message} [{decision.reason}]"
            if decision.rule is not None:
                rule = decision.rule
                where = (
                    "robots.txt"
                    if isinstance(rule.document, str)
                    else texts[rule.document][0]
                )
                said += f" {where}:{rule.line}: {beginning(rule.text, _MOST_SAID)}"
        yield f"{answer}  {style(name, 'bold')}  {visible(said, keys)}".rstrip()
        if offer.description:
            text = " ".join(offer.description.split())
            yield f"         {' ' * width}  {style(visible(beginning(text, _MOST_SAID), keys), 'dim')}"
    yield from words_of(offers[0].decision, keys, style)
