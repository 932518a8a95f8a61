"""Drives the checks of the core: sends the requests that they need, and makes the report of what they find."""

import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from .. import _agentsdisc as core
from .._arguments import several
from .report import Check, Evidence, Report, Score

TOPICS = ("api", "auth", "mcp", "agent", "shop", "bots")
"""What a site can have besides pages."""

PROFILES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "content": ((), TOPICS),
    "api": (("api",), ("shop",)),
    "shop": (("shop",), ()),
}
"""The topics that a site of a profile must have, and those that are not checked."""

BUDGET = core._BUDGET
"""The maximum number of requests to a site."""

_WORST = ("fail", "warn", "pass", "unknown", "not-applicable")
"""Which findings of a check give its message, the most serious first."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A request that a check needs."""

    url: str
    method: str
    accept: str
    origin: str | None
    """The value of `Origin`, for CORS."""
    headers: tuple[tuple[str, str], ...] = ()
    """More headers."""
    content: str = ""
    """The body; empty for none."""

    @classmethod
    def of(cls, asked: "Asked") -> "Probe":
        """Returns a request of the core."""
        url, method, accept, origin, headers, content = asked
        return cls(url, method, accept, origin, tuple(headers), content)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server or a folder answered."""

    probe: Probe
    status: int | None = None
    """The status code; None without an answer."""
    headers: Sequence[tuple[bytes, bytes]] = ()
    body: bytes = b""
    failure: str = ""
    """Why there is no answer or no body, in words; empty if there is one."""
    is_cut: bool = False
    hides_headers: bool = False
    """Whether the headers of a file are not known."""
    file: str | None = None
    """The file of a folder, relative to it."""

    def given(self) -> tuple[object, ...]:
        """Returns the answer as the core takes it."""
        probe = self.probe
        return (
            probe.url,
            probe.method,
            probe.accept,
            self.status or 0,
            self.failure,
            list(self.headers),
            self.hides_headers,
            self.body,
            self.is_cut,
        )


@dataclass(frozen=True, slots=True)
class Measure:
    """By which measure a site is checked."""

    canonical: str | None
    """The origin that the documents name, if the caller says so."""
    expected: tuple[str, ...]
    """The topics that must be there."""
    ignored: tuple[str, ...]
    """The topics that are not checked."""
    profile: str | None = None
    """The kind of site, as the caller says."""
    calls: bool = False
    """Whether MCP servers on the host of the site are called."""

    @classmethod
    def of(
        cls,
        canonical: str | None,
        profile: str | None,
        expect: Iterable[str],
        calls: bool = False,
    ) -> "Measure":
        """Reads the arguments of a check. Raises ValueError for an unknown name or an invalid origin."""
        if profile is not None and profile not in PROFILES:
            raise ValueError(f"{profile!r} is not a profile: {', '.join(PROFILES)}")
        named = several(expect, "expect")
        for name in named:
            if name not in TOPICS:
                raise ValueError(f"{name!r} cannot be expected: {', '.join(TOPICS)}")
        expected, ignored = PROFILES[profile] if profile is not None else ((), ())
        expected = tuple(dict.fromkeys((*expected, *named)))
        return cls(
            None if canonical is None else origin_of(canonical),
            expected,
            tuple(name for name in ignored if name not in expected),
            profile,
            calls,
        )


def origin_of(url: str) -> str:
    """Returns the origin of a site. Raises ValueError if there is none."""
    return core._Discovery(url).origin


@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked."""

    target: str
    """The URL or the folder, as in the report."""
    origin: str
    """Where requests go."""
    canonical: str
    """The origin that the documents name; empty if it is not known."""
    measure: Measure
    agent: str = "agentsdisc"
    """The name by which robots.txt is read."""
    is_folder: bool = False
    nonce: str = field(default_factory=lambda: f"agentsdisc-{secrets.token_hex(8)}")
    """A path that no site has."""


Found = tuple[str, str, str, str | None, int | None, str | None, int | None]
"""A finding: the check, its status, message, fix, the number of the answer, header and line."""
Asked = tuple[str, str, str, str | None, list[tuple[str, str]], str]
"""A request of the core, with the members of a `Probe`."""
Walked = tuple[
    list[Asked],
    list[Found],
    list[tuple[str, str]],
    int,
    str,
    int,
    int,
    int,
]
"""The requests that are missing, the findings, the status of each check, the level, its name, twice the weight that passed, the
weight that applies, and percent."""


def walk(subject: Subject, answers: Sequence[Answer]) -> Walked:
    """Walks over all checks once: returns what they still need, and what they find."""
    return core._survey(
        subject.origin,
        subject.canonical,
        subject.agent,
        subject.nonce,
        is_folder=subject.is_folder,
        calls=subject.measure.calls,
        expected=list(subject.measure.expected),
        ignored=list(subject.measure.ignored),
        answers=[answer.given() for answer in answers],
    )


def missing(subject: Subject, answers: Sequence[Answer]) -> list[Probe]:
    """Returns the requests that the checks need besides those that are answered."""
    known = {answer.probe for answer in answers}
    wanted = dict.fromkeys(map(Probe.of, walk(subject, answers)[0]))
    return [probe for probe in wanted if probe not in known]


async def survey(
    subject: Subject,
    fetch: Callable[[list[Probe]], Awaitable[list[Answer]]],
    answers: Sequence[Answer],
    is_wanted: Callable[[Probe], bool] = lambda _: True,
    budget: int = BUDGET,
) -> list[Answer]:
    """Asks `fetch` for what the checks need besides these answers, in rounds, until the budget is spent. Returns all answers."""
    found = list(answers)
    while True:
        probes = list(filter(is_wanted, missing(subject, found)))[: budget - len(found)]
        if not probes:
            return found
        found += await fetch(probes)


def report(subject: Subject, answers: Sequence[Answer]) -> Report:
    """Makes the report of what the answers mean."""
    _, findings, statuses, level, name, halves, applicable, percent = walk(
        subject, answers
    )
    by_check: dict[str, list[Found]] = {}
    for found in findings:
        by_check.setdefault(found[0], []).append(found)
    return Report(
        core._RULES,
        subject.target,
        level,
        name,
        Score(halves / 2 if halves % 2 else halves // 2, applicable, percent),
        tuple(
            _check(id, status, by_check.get(id, []), answers) for id, status in statuses
        ),
    )


def _check(
    id: str, status: str, findings: list[Found], answers: Sequence[Answer]
) -> Check:
    if not findings:
        return Check(id, status, "it does not concern this site")
    # `sorted` keeps the order of findings of one status.
    ordered = sorted(findings, key=lambda found: _WORST.index(found[1]))
    worst = [found for found in ordered if found[1] == status]
    message, fix = worst[0][2], next((found[3] for found in worst if found[3]), None)
    distinct = len({found[2] for found in worst})
    shown = worst
    if status in {"warn", "fail"}:
        message = f"{message} (and {distinct - 1} more)" if distinct > 1 else message
        shown = [found for found in ordered if found[1] in {"warn", "fail"}]
    elif status == "pass":
        shown = [found for found in ordered if found[1] != "not-applicable"]
    evidence = dict.fromkeys(_evidence(found, answers) for found in shown)
    return Check(id, status, message, tuple(evidence), fix)


def _evidence(found: Found, answers: Sequence[Answer]) -> Evidence:
    _, _, message, _, number, header, line = found
    if number is None:
        return Evidence(line=line, text=message)
    answer = answers[number]
    return Evidence(
        url=None if answer.file is not None else answer.probe.url,
        file=answer.file,
        line=line,
        status=None if answer.file is not None else answer.status,
        header=header,
        text=message,
    )
