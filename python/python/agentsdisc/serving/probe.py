"""Requests all locations of documents of a site, as the core asks for them.

Connects only to the site's own host: records a redirect to another host, and does not follow it.
"""

import secrets
from dataclasses import dataclass, replace

import anyio

from .. import Document, Limits, ParseError, _agentsdisc, parse
from ..discovery import Site, Timeouts, adiscover
from ..discovery.fetch import client_name
from ..readiness.site import UNFINISHED, Sender
from ..readiness.survey import Answer, Probe
from .remark import Remark, Spot


@dataclass(frozen=True, slots=True)
class Placed:
    """A document at a location."""

    resource: str
    url: str
    document: Document


@dataclass(frozen=True, slots=True)
class Survey:
    """What a site serves."""

    site: Site
    """The result of discovery."""
    remarks: tuple[Remark, ...]
    """What is wrong at the locations."""
    placed: tuple[Placed, ...]
    answered: bool
    """Whether the site sent any response."""


async def survey(
    url: str,
    *,
    agent: str,
    user_agent: str | None,
    timeouts: Timeouts,
    limits: Limits,
    allow_private: bool,
) -> Survey:
    """Requests all locations of a site. Raises ValueError if the URL is not a site."""
    end = anyio.current_time() + timeouts.total
    site = await adiscover(
        url,
        resources="all",
        details=True,
        user_agent=user_agent,
        # Leaves time for the rest if a response does not arrive.
        timeouts=replace(timeouts, total=timeouts.total / 2),
        limits=limits,
        allow_private=allow_private,
        cache=False,
    )
    name, nonce = client_name(user_agent), f"agentsdisc-{secrets.token_hex(8)}"
    found = [(each.attempt.key, each.url) for each in site.found]
    answers: list[Answer] = []
    private = [site.origin] if allow_private else ()
    rest = replace(timeouts, total=max(0, end - anyio.current_time()))
    async with Sender(private, user_agent, rest, limits) as ask:
        while True:
            given = [answer.given() for answer in answers]
            probes, remarks, placed = _agentsdisc._serve(
                site.origin, name, nonce, agent=agent, found=found, answers=given
            )
            known = {answer.probe for answer in answers}
            wanted = list(dict.fromkeys(map(Probe.of, probes)))
            new = await ask([probe for probe in wanted if probe not in known])
            new = [answer for answer in new if answer.failure != UNFINISHED]
            if not new:
                break
            answers += new
    documents = []
    for resource, number, kind in placed:
        answer = answers[number]
        try:
            document = parse(answer.body, format=kind, limits=limits)
        except ParseError:
            # It is beyond the limits of the caller.
            continue
        documents.append(Placed(resource, answer.probe.url, document))
    return Survey(
        site,
        tuple(
            Remark(*values, spots=() if spot is None else (Spot(*spot),))
            for values, spot in ((each[:7], each[7]) for each in remarks)
        ),
        tuple(documents),
        any(answer.status for answer in answers),
    )
