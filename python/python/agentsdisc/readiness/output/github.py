"""A report as annotations of GitHub Actions."""

from ..._github import annotation
from ..report import Check, Evidence, Report
from .common import file_of, ordered, seen, summary

_KINDS = {"fail": "error", "warn": "warning", "unknown": "notice"}


def github(report: Report) -> str:
    """Returns one workflow command for each check that did not pass, and one with the result."""
    lines = [
        _line(report, check) for check in ordered(report) if check.status in _KINDS
    ]
    result = f"{report.target}: {summary(report)}, rules {report.rules}"
    lines.append(annotation("notice", result, title="agentsdisc check"))
    return "\n".join(lines) + "\n"


def _line(report: Report, check: Check) -> str:
    first = next((each for each in check.evidence if each.file is not None), Evidence())
    message = check.message
    if check.fix is not None:
        message += f"\nFix: {check.fix}"
    # An annotation without a file is shown in the summary of the run, so it names the place.
    if first.file is None:
        message += "".join(
            f"\n{each.url} {seen(check, each)}".rstrip()
            for each in check.evidence
            if each.url
        )
    return annotation(
        _KINDS[check.status],
        message,
        file=file_of(report, first),
        line=first.line,
        title=f"agentsdisc check: {check.id}",
    )
