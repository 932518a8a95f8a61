"""Sends the requests of a check to a site, with the client of discovery."""

from collections.abc import Iterable
from urllib.parse import urljoin, urlsplit

import anyio

from .. import Limits
from ..discovery import Timeouts
from ..discovery.addresses import host_of, is_loopback
from ..discovery.fetch import Failed, client_name, fetch
from ..discovery.transport import GuardedTransport
from .completion import completed
from .prediction import requests
from .report import Report
from .survey import BUDGET, Answer, Measure, Probe, Subject, origin_of, survey

_AT_ONCE = 4
"""The maximum number of requests at the same time."""


async def check_url(
    url: str,
    measure: Measure,
    *,
    user_agent: str | None,
    timeouts: Timeouts,
    limits: Limits,
    allow_private: bool,
) -> Report:
    """Checks a site. Raises ValueError if the URL is not that of one, OSError if it does not answer at all."""
    asked = origin_of(url)

    def subject_at(origin: str) -> Subject:
        # What a server on this machine names is another site.
        own = "" if is_loopback(host_of(origin)) else origin
        canonical = measure.canonical or own
        agent = client_name(user_agent)
        return Subject(asked, origin, canonical, measure, agent=agent)

    async with GuardedTransport(
        private=[asked] if allow_private else (),
        any_port=False,
        connections=_AT_ONCE,
        reuse=True,
    ) as transport:
        turn = anyio.Semaphore(_AT_ONCE)
        end = anyio.current_time() + timeouts.total

        async def ask(probes: list[Probe]) -> list[Answer]:
            answers = [Answer(probe, failure="no time was left") for probe in probes]
            with anyio.CancelScope(deadline=end):
                async with anyio.create_task_group() as group:
                    for place, probe in enumerate(probes):
                        group.start_soon(send, place, probe, answers)
            return answers

        async def send(place: int, probe: Probe, answers: list[Answer]) -> None:
            async with turn:
                answers[place] = await _sent(
                    transport, probe, user_agent, timeouts, limits
                )

        subject, home = subject_at(asked), (f"{asked}/robots.txt", f"{asked}/")
        answers = await survey(subject, ask, [], lambda probe: probe.url in home)
        moved, spent = _moved(asked, answers), 0
        if moved is not None:
            subject, answers, spent = subject_at(moved), [], len(answers)
        answers = await survey(subject, ask, answers, budget=BUDGET - spent)
        left = max(0, BUDGET - spent - len(answers))
        more = requests(subject.origin, answers, subject.agent)
        answers += await ask(more[:left])
    if not any(answer.status for answer in answers):
        why = next((answer.failure for answer in answers), "it does not answer")
        raise OSError(f"{asked}: {why}")
    return completed(subject, answers)


def _moved(origin: str, answers: Iterable[Answer]) -> str | None:
    """Returns the origin to which the home page redirects, if that is https of the same name, with or without `www.`."""
    for answer in answers:
        target = next(
            (v for name, v in answer.headers if name.lower() == b"location"), None
        )
        if answer.probe.url != f"{origin}/" or target is None:
            continue
        try:
            there = origin_of(urljoin(answer.probe.url, target.decode("ascii")))
        except ValueError:
            continue
        old, new = (urlsplit(url).hostname or "" for url in (origin, there))
        same = old.removeprefix("www.") == new.removeprefix("www.")
        if same and there != origin and there.startswith("https://"):
            return there
    return None


async def _sent(
    transport: GuardedTransport,
    probe: Probe,
    user_agent: str | None,
    timeouts: Timeouts,
    limits: Limits,
) -> Answer:
    headers = [
        (b"User-Agent", client_name(user_agent).encode()),
        (b"Accept", probe.accept.encode()),
    ]
    if probe.origin is not None:
        headers.append((b"Origin", probe.origin.encode()))
    limit = limits.document
    try:
        reply = await fetch(
            transport,
            probe.url,
            headers,
            limit=limit,
            cuts=True,
            timeouts=timeouts,
            method=probe.method,
        )
    except Failed as failed:
        return Answer(probe, failure=failed.words)
    return Answer(
        probe, reply.status, reply.headers, reply.body, is_cut=len(reply.body) >= limit
    )
