"""`agentsdisc call --registry`: finds the capability to call by words."""

import argparse
import sys
from typing import TYPE_CHECKING, NamedTuple

from .acting import interruptible
from .discover import shown_url
from .reading import Unreadable
from .search import ask, short
from .terminal import tell

if TYPE_CHECKING:
    from ..registry.client import FoundCapability, FoundService, FoundServices

_MOST_SHOWN = 20


class Choice(NamedTuple):
    """A capability that may be meant; None: the registry names none."""

    service: "FoundService"
    capability: "FoundCapability | None"

    def __str__(self) -> str:
        if self.capability is None:
            return f"{self.service.domain}  (names no capability)"
        about = self.capability.description or self.service.name
        shown = f"{self.service.domain}  {short(self.capability.name)}"
        return f"{shown}  {short(about)}" if about else shown


def registry_options(command: argparse.ArgumentParser) -> None:
    """Adds the options that find the capability by words."""
    group = command.add_argument_group(
        "registry",
        "Finds the site and the capability by words: agentsdisc call --registry URL --agent UA WORDS… NAME=VALUE…. The site itself says what "
        "it allows, as always. Credentials are not sent to a site that a registry has chosen.",
    )
    group.add_argument(
        "--registry", metavar="URL", help="search this registry for the words"
    )
    group.add_argument(
        "--first",
        action="store_true",
        help="call the first result, also if there are others",
    )


def choose(options: argparse.Namespace) -> bool:
    """Replaces the words in the options by a site and a capability. Returns False if none is chosen; says why."""
    texts = [options.url, *filter(None, [options.capability]), *options.arguments]
    words = " ".join(text for text in texts if "=" not in text)
    if not words:
        raise Unreadable("--registry needs words that say what to call")
    if options.header or options.token_env != _default_token():
        raise Unreadable(
            "with --registry no credentials are sent, because the registry chooses the site; search first, then call the site that you mean"
        )
    found = ask(options, options.registry, words)
    choice = _chosen(found, words, options.first)
    if choice is None:
        return False
    assert choice.capability is not None
    service = choice.service
    tell(
        f"calls {short(choice.capability.name)} of {service.site}, found by {found.registry}"
    )
    options.url, options.capability = service.site, choice.capability.name
    options.arguments = [text for text in texts if "=" in text]
    # The registry has chosen the site: it must not choose a machine of the network, other than its own.
    options.allow_private = options.allow_private and _is_same_host(service, found)
    options.token_env = ""
    return True


def _default_token() -> str:
    from .calling import TOKEN

    return TOKEN


def _is_same_host(service: "FoundService", found: "FoundServices") -> bool:
    from ..discovery.addresses import host_of

    return host_of(service.site) == host_of(found.registry)


def _chosen(found: "FoundServices", words: str, first: bool) -> Choice | None:
    """Returns what to call: the only result, the one with the name, the first one if that is wanted, or the one that a person chooses."""
    every = [
        Choice(service, capability)
        for service in found.services
        for capability in service.capabilities or (None,)
    ]
    callable = [choice for choice in every if choice.capability is not None]
    named = [
        choice
        for choice in callable
        if choice.capability and choice.capability.name == words
    ]
    where = shown_url(found.registry)
    if not callable:
        tell(f"{where} finds no capability for these words")
        _list(every)
        return None
    for clear in (named, callable):
        if len(clear) == 1 or (clear and first):
            return clear[0]
    if not sys.stdin.isatty():
        tell(f"{where} finds several capabilities; add --first, or call one of them:")
        _list(callable)
        return None
    return _asked(callable[:_MOST_SHOWN])


def _list(choices: list[Choice]) -> None:
    for choice in choices[:_MOST_SHOWN]:
        print(f"  {choice}", file=sys.stderr)


def _asked(choices: list[Choice]) -> Choice | None:
    """Asks a person on the terminal."""
    for number, choice in enumerate(choices, 1):
        print(f"{number:3}  {choice}", file=sys.stderr)
    with interruptible():
        print("Call which? [number, or nothing] ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline().strip()
    if answer.isascii() and answer.isdigit() and 1 <= int(answer[:9]) <= len(choices):
        return choices[int(answer) - 1]
    tell("nothing is called")
    return None
