"""Reads what a call costs from an answer with status 402, by x402. Nothing here pays."""

import binascii
from base64 import b64decode
from collections.abc import Iterator
from itertools import islice
from typing import Any

from .. import Document, ParseError, parse
from ..discovery.fetch import Reply
from .errors import PaymentRequired, PaymentTerms
from .reasons import said_by
from .sending import Sender

_MOST_READ = 64 << 10
"""The longest header or body that is read, in bytes."""
_MOST_HEADERS, _MOST_WAYS = 4, 20
"""How many headers, and how many ways to pay in each, are read."""
_LONGEST = 500
"""The longest text of terms, in characters."""
_MOST_DIGITS = 78
"""The digits of the largest amount, 2^256."""

_PAYING = {"asset", "network", "payTo", "scheme"}
"""Members of a way to pay. One of them is enough."""

Ways = tuple[PaymentTerms, ...]


def payment_required(
    sender: Sender, capability: str, decision: Any, reply: Reply
) -> PaymentRequired | None:
    """Returns the error for an answer that states payment terms; None for any other answer."""
    if reply.status != 402:
        return None
    stated = [ways for text in _texts(reply) if (ways := _ways(text))]
    if not stated:
        return None
    terms, others = stated[0], stated[1:]
    is_contested = any(_costs(other) != _costs(terms) for other in others)
    message = f"{capability!r} costs {_in_words(terms)}; nothing was paid"
    if is_contested:
        message += "; the answer also states other terms"
    if said := said_by(reply.body):
        message += f"; the server says: {said}"
    return PaymentRequired(
        message,
        decision,
        terms=terms,
        is_contested=is_contested,
        body=reply.body,
        steps=tuple(sender.steps),
    )


def _texts(reply: Reply) -> Iterator[bytes]:
    """Yields the places of an answer that can state terms: the headers of version 2, then the body of version 1."""
    headers = (v for name, v in reply.headers if name.lower() == b"payment-required")
    for header in islice(headers, _MOST_HEADERS):
        if len(header) <= _MOST_READ:
            try:
                yield b64decode(header.strip(), validate=True)
            except binascii.Error:
                continue
    if len(reply.body) <= _MOST_READ:
        yield reply.body


def _ways(text: bytes) -> Ways:
    """Returns the ways to pay in a document; empty if it states none."""
    try:
        document = parse(text, format="x402")
    except ParseError:
        return ()
    pricing = document.pricing
    if pricing is None:
        return ()
    # The resources of a list say nothing about this answer.
    ways = (plan for plan in pricing.plans if not _PAYING.isdisjoint(plan.metadata))
    return tuple(_terms(document, plan) for plan in islice(ways, _MOST_WAYS))


def _terms(document: Document, plan: Any) -> PaymentTerms:
    """Returns the terms of one way to pay."""
    said = plan.metadata
    reference = next(iter(document.references), None)
    own = _short(said.get("description"))
    about = None if reference is None else _short(reference.description)
    where = None if reference is None else _short(reference.url)
    price = _short(plan.price)
    is_amount = price is not None and price.isascii() and price.isdecimal()
    return PaymentTerms(
        amount=price if is_amount and len(price or "") <= _MOST_DIGITS else None,
        price=price,
        asset=_short(said.get("asset")),
        network=_short(said.get("network")),
        payee=_short(said.get("payTo")),
        scheme=_short(said.get("scheme")),
        description=own or about,
        resource=_short(plan.name) or where,
    )


def _costs(ways: Ways) -> set[tuple[str | None, ...]]:
    """Returns what is paid to whom. The versions of x402 name networks in different ways."""
    return {(way.price, way.asset, way.payee) for way in ways}


def _short(value: Any) -> str | None:
    """Returns a text unless it is too long, which no address and no amount is."""
    return value if isinstance(value, str) and len(value) <= _LONGEST else None


def _in_words(terms: Ways) -> str:
    """Returns the first way to pay in words, and the number of the others."""
    first = terms[0]
    if first.amount is None:
        said = "a price that cannot be read"
        if first.price is not None:
            said = f"a price that is no number of units ({first.price!r})"
    else:
        said = f"{first.amount} units"
    said += f" of {first.asset}" if first.asset else " of an unknown asset"
    said += f" on {first.network}" if first.network else ""
    said += f", paid to {first.payee}" if first.payee else ""
    others = len(terms) - 1
    return said + (f" (or {others} other ways)" if others else "")
