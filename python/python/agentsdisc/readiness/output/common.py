"""What several outputs say of a report."""

import os
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from ..._visible import visible
from ..report import STATUSES, Check, Evidence, Report

HELP = "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#is-the-site-ready"
"""The page that explains the checks."""

ORDER = ("fail", "warn", "unknown", "pass", "not-applicable")
"""The statuses, those first that the owner of the site should read first."""

WORDS = {
    "pass": "passed",
    "warn": "with a warning",
    "fail": "failed",
    "not-applicable": "not applicable",
    "unknown": "not checked",
}
"""How checks with each status are called, after their number."""


def ordered(report: Report) -> list[Check]:
    """Returns the checks by status, as in `ORDER`, and in the report's order below it."""
    return sorted(report.checks, key=lambda check: ORDER.index(check.status))


def counts(report: Report) -> dict[str, int]:
    """Returns how many checks have each status that occurs, as in `ORDER`."""
    found = [check.status for check in report.checks]
    return {status: found.count(status) for status in ORDER if status in found}


def counted(report: Report) -> str:
    """Returns the numbers of checks by status as a text."""
    return ", ".join(f"{n} {WORDS[status]}" for status, n in counts(report).items())


def summary(report: Report) -> str:
    """Returns level and score in one line."""
    score = report.score
    if not score.applicable:
        return f"level {report.level} ({report.level_name}), nothing could be decided"
    return (
        f"level {report.level} ({report.level_name}), "
        f"{score.percent} % ({score.passed:g} of {score.applicable})"
    )


def file_of(report: Report, evidence: Evidence) -> str | None:
    """Returns the path of the file of an evidence, as the command was given the folder; None if it is not about a file."""
    if evidence.file is None:
        return None
    if "://" in report.target:
        return evidence.file
    folder = report.target.replace("\\", "/") if os.sep == "\\" else report.target
    return posixpath.normpath(posixpath.join(folder, evidence.file))


def where(report: Report, evidence: Evidence) -> str:
    """Returns the place of an evidence for people: `robots.txt:3` or a URL; empty if it has none."""
    file = file_of(report, evidence)
    if file is None:
        return evidence.url or ""
    return file if evidence.line is None else f"{file}:{evidence.line}"


def seen(check: Check, evidence: Evidence) -> str:
    """Returns what was found at the place of an evidence, besides the message of the check; empty if only the place is known."""
    status = None if evidence.status is None else f"status {evidence.status}"
    text = None if evidence.text == check.message else evidence.text
    parts = (status, evidence.header, text)
    return "; ".join(visible(part) for part in parts if part)


@dataclass(frozen=True, slots=True)
class Change:
    """A check whose status differs from an earlier run."""

    id: str
    before: str | None
    """The earlier status; None for a new check."""
    now: str | None
    """None for a check that the rules no longer have."""

    @property
    def is_worse(self) -> bool:
        """Whether the check no longer holds, or holds less."""
        return _rank(self.now) > _rank(self.before)


_BADNESS = {"pass": 0, "not-applicable": 0, "unknown": 1, "warn": 2, "fail": 3}
assert set(_BADNESS) == set(STATUSES) == set(ORDER) == set(WORDS)


def _rank(status: str | None) -> int:
    return _BADNESS[status] if status is not None else 0


def changes(report: Report, baseline: Report) -> Iterator[Change]:
    """Yields the checks whose status differs from an earlier run."""
    before = {check.id: check.status for check in baseline.checks}
    for check in report.checks:
        was = before.pop(check.id, None)
        if was != check.status:
            yield Change(check.id, was, check.status)
    for id, was in before.items():
        yield Change(id, was, None)
