"""The option `--keys`: verifies the signatures of agent cards with keys that the user trusts."""

import argparse
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .. import Document
from .reading import Unreadable, read_bytes
from .terminal import tell, visible

if TYPE_CHECKING:
    from .._verified import Verification


_NAMED = 3
"""How many unusable keys are named."""


def keys_option(command: argparse.ArgumentParser) -> None:
    """Adds the option."""
    command.add_argument(
        "--keys",
        metavar="FILE",
        help="a JWK Set of keys that you trust: signed agent cards are verified with it, of a valid one only what is signed permits anything, "
        "and one whose signature is not valid allows nothing; needs agentsdisc[verify]",
    )


def keys_of(options: argparse.Namespace) -> dict[str, Any] | None:
    """Returns the JWK Set in the options. Reports keys in it that cannot be used."""
    if options.keys is None:
        return None
    data = read_bytes(options.keys, 1 << 20)
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("keys"), list):
        raise Unreadable(
            f"{visible(options.keys)}: not a JWK Set; write an object with the list `keys`"
        )
    from ..verify import read_keys

    usable, unusable = read_keys(found)
    said = "; ".join(unusable[:_NAMED])
    if len(unusable) > _NAMED:
        said = f"{said}; and {len(unusable) - _NAMED} others"
    if not usable:
        raise Unreadable(
            f"{visible(options.keys)}: no key can be used: {visible(said or 'the list is empty')}"
        )
    if unusable:
        tell(f"{options.keys}: some keys cannot be used: {said}")
    return found


def verified(
    documents: Iterable[Document], keys: dict[str, Any] | None
) -> "list[Verification]":
    """Returns the results for the signed agent cards among documents; none without keys."""
    if keys is None:
        return []
    from ..verify import verify_card

    cards = [each for each in documents if each.signatures]
    try:
        return [verify_card(card, keys) for card in cards]
    except ValueError as problem:
        raise Unreadable(
            f"a signature cannot be verified: {visible(str(problem))}"
        ) from None
