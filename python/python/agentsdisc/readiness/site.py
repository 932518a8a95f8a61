"""Sends the requests of a check to a site, with the client of discovery."""

from collections.abc import Iterable, Sequence
from typing import Any
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
UNFINISHED = "no time was left"
"""Failure of a request that was not answered when the time for the whole site was over. The site is not to blame for it."""


class Sender:
    """Sends requests to a site, a few at the same time. After the time for the whole site, answers are without a status."""

    def __init__(
        self,
        private: Sequence[str],
        user_agent: str | None,
        timeouts: Timeouts,
        limits: Limits,
    ) -> None:
        self._transport = GuardedTransport(
            private=private, any_port=False, connections=_AT_ONCE, reuse=False
        )
        self._name = client_name(user_agent).encode()
        self._timeouts, self._limit = timeouts, limits.document
        self._turn = anyio.Semaphore(_AT_ONCE)
        self._end = anyio.current_time() + timeouts.total

    async def __aenter__(self) -> "Sender":
        await self._transport.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._transport.__aexit__(*error)

    async def __call__(self, probes: list[Probe]) -> list[Answer]:
        """Returns the answers in the order of the requests."""
        answers = [Answer(probe, failure=UNFINISHED) for probe in probes]

        async def send(place: int, probe: Probe) -> None:
            async with self._turn:
                answers[place] = await self._sent(probe)

        with anyio.CancelScope(deadline=self._end):
            async with anyio.create_task_group() as group:
                for place, probe in enumerate(probes):
                    group.start_soon(send, place, probe)
        return answers

    async def _sent(self, probe: Probe) -> Answer:
        headers = [(b"User-Agent", self._name), (b"Accept", probe.accept.encode())]
        if probe.origin is not None:
            headers.append((b"Origin", probe.origin.encode()))
        headers += ((name.encode(), value.encode()) for name, value in probe.headers)
        try:
            reply = await fetch(
                self._transport,
                probe.url,
                headers,
                limit=self._limit,
                cuts=True,
                timeouts=self._timeouts,
                method=probe.method,
                content=probe.content.encode() or None,
                # Errors of calls are messages.
                keeps_errors=bool(probe.content),
            )
        except Failed as failed:
            return Answer(probe, failure=failed.words)
        is_cut = len(reply.body) >= self._limit
        return Answer(probe, reply.status, reply.headers, reply.body, is_cut=is_cut)


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

    private = [asked] if allow_private else ()
    async with Sender(private, user_agent, timeouts, limits) as ask:
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
