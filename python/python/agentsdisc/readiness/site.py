"""Sends the requests of a check to a site, with the client of discovery."""

from collections.abc import Iterable
from urllib.parse import urljoin, urlsplit

import anyio

from .. import Limits
from ..discovery import Timeouts
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

    async def checked(origin: str) -> tuple[Subject, list[Answer]]:
        subject = Subject(
            asked,
            origin,
            measure.canonical or origin,
            measure,
            agent=client_name(user_agent),
        )
        async with GuardedTransport(
            private=[origin] if allow_private else (),
            any_port=False,
            connections=_AT_ONCE,
            reuse=True,
        ) as transport:
            turn = anyio.Semaphore(_AT_ONCE)
            end = anyio.current_time() + timeouts.total

            async def ask(probes: list[Probe]) -> list[Answer]:
                answers = [
                    Answer(probe, failure="no time was left") for probe in probes
                ]
                with anyio.CancelScope(deadline=end):
                    async with anyio.create_task_group() as group:
                        for place, probe in enumerate(probes):
                            group.start_soon(_ask, place, probe, answers)
                return answers

            async def _ask(place: int, probe: Probe, answers: list[Answer]) -> None:
                async with turn:
                    answers[place] = await _sent(
                        transport, probe, user_agent, timeouts, limits
                    )

            answers = await survey(subject, ask)
            left = max(0, BUDGET - len(answers))
            more = requests(origin, answers, subject.agent)
            answers += await ask(more[:left])
            return subject, answers

    subject, answers = await checked(asked)
    moved = _moved(asked, answers)
    if moved is not None:
        subject, answers = await checked(moved)
    if not any(answer.status for answer in answers):
        why = next((answer.failure for answer in answers), "it does not answer")
        raise OSError(f"{asked}: {why}")
    return completed(subject, answers)


def _moved(origin: str, answers: Iterable[Answer]) -> str | None:
    """Returns the origin to which the home page redirects, if that is the same name with or without `www.`."""
    for answer in answers:
        headers = dict(answer.headers)
        target = next((v for n, v in headers.items() if n.lower() == b"location"), None)
        if answer.probe.url != f"{origin}/" or target is None:
            continue
        try:
            here, there = (
                urlsplit(origin),
                urlsplit(urljoin(answer.probe.url, target.decode("ascii"))),
            )
            names = [
                (parts.hostname or "").removeprefix("www.") for parts in (here, there)
            ]
        except ValueError:
            continue
        if (
            here.hostname != there.hostname
            and names[0] == names[1]
            and there.scheme == "https"
        ):
            return f"{there.scheme}://{there.netloc}"
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
