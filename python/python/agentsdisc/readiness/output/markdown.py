"""A report as Markdown, for a comment on a pull request."""

import re
from collections.abc import Iterable

from ..._visible import beginning, visible
from ..prediction import outcome, title
from ..report import Check, Report
from .common import WORDS, changes, counts, ordered, seen, summary, where

MARKER = "<!-- agentsdisc check -->"
"""The first line, by which a program finds its earlier comment."""

MOST = 65_536
"""The size of the longest comment on GitHub. Bytes are counted, of which there are at least as many as characters."""

_SYMBOLS = {
    "pass": "✅",
    "warn": "⚠️",
    "fail": "❌",
    "not-applicable": "➖",
    "unknown": "❔",
}
_LONGEST = 400


def markdown(report: Report, baseline: Report | None = None) -> str:
    """Returns the comment. Rows that would make it too long are left out, from the end, and counted."""
    numbers = " · ".join(
        f"{_SYMBOLS[status]} {n} {WORDS[status]}"
        for status, n in counts(report).items()
    )
    start = [
        MARKER,
        f"### Ready for agents: {_text(summary(report))}",
        "",
        f"{_code(report.target)}, rules {_code(report.rules)}  ",
        numbers,
        "",
    ]
    if baseline is not None:
        start += _difference(report, baseline)
    open = [check for check in ordered(report) if check.status in {"fail", "warn"}]
    rest = [check for check in ordered(report) if check not in open]
    table = ["| | check | result | fix |", "| --- | --- | --- | --- |"]
    names = {name: None for check in report.checks for name in check.predicted}
    parts = [
        Part([*start, *table], [_row(report, check) for check in open], [""])
        if open
        else Part([*start, "Nothing to correct.", ""], [], []),
        _folded("Other checks", table, [_row(report, check) for check in rest]),
        *(_predicted(report, name) for name in names),
    ]
    return _fitted(parts)


class Part:
    """Lines that stay, and rows between them that may be left out."""

    def __init__(self, before: list[str], rows: list[str], after: list[str]) -> None:
        self.before, self.rows, self.after = before, rows, after


def _folded(title: str, table: list[str], rows: list[str]) -> Part:
    if not rows:
        return Part([], [], [])
    head = ["<details>", f"<summary>{title}</summary>", "", *table]
    return Part(head, rows, ["", "</details>", ""])


def _fitted(parts: list[Part]) -> str:
    left = "\n… and {} more rows, which are in the other outputs."
    size = sum(_size([*part.before, *part.after]) for part in parts)
    room = MOST - size - len(parts) * _size([left.format(10**6)])
    lines: list[str] = []
    for part in parts:
        lines += part.before
        shown = 0
        for row in part.rows:
            if _size([row]) > room:
                break
            room -= _size([row])
            shown += 1
            lines.append(row)
        if shown < len(part.rows):
            lines.append(left.format(len(part.rows) - shown))
        lines += part.after
    return "\n".join(lines).rstrip() + "\n"


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)


def _difference(report: Report, baseline: Report) -> list[str]:
    said = f"Before: {_text(summary(baseline))}."
    if baseline.rules != report.rules:
        said += f" The rules differ (before: {_code(baseline.rules)}), so that scores move alone."
    found = sorted(changes(report, baseline), key=lambda change: not change.is_worse)
    lines = [said, ""]
    if not found:
        return [*lines, "No check has changed.", ""]
    for change in found[:100]:
        before, now = change.before or "new", change.now or "gone"
        lines.append(
            f"- {_SYMBOLS.get(now, '➖')} {_code(change.id)}: {before} → **{now}**"
        )
    if len(found) > 100:
        lines.append(f"- … and {len(found) - 100} more")
    return [*lines, ""]


def _row(report: Report, check: Check) -> str:
    result = _text(beginning(check.message, _LONGEST))
    for each in check.evidence[:3]:
        place = where(report, each)
        if place:
            found = beginning(seen(check, each), _LONGEST)
            result += f"<br>{_code(beginning(place, 200))} {_text(found)}".rstrip()
    fix = _text(beginning(check.fix or "", _LONGEST))
    return f"| {_SYMBOLS[check.status]} | {_code(check.id)} | {result} | {fix} |"


def _predicted(report: Report, name: str) -> Part:
    rows = [
        f"| {_code(check.id)} | {_SYMBOLS[check.status]} | {_SYMBOLS.get(said.status, '')} "
        f"{_text(beginning(said.message, _LONGEST))} |"
        for check in report.checks
        if (said := check.predicted.get(name)) is not None
        and said.status != "not-applicable"
    ]
    about = f"What {_text(title(name))} will say: {_text(outcome(report, name))}"
    table = ["| check | here | probably |", "| --- | --- | --- |"]
    return _folded(about, table, rows)


_ACTIVE = re.compile(r"[\\`*_{}\[\]()<>&|~$!]|(?<=:)/|(?<=[wW])\.|[@#](?=\w)")


def _text(text: str) -> str:
    """Returns a text that is shown as it is: without markup, links, mentions and references."""
    line = " ".join(visible(part) for part in text.split("\n"))
    # A comment between @ or # and the name keeps GitHub from resolving it.
    return _ACTIVE.sub(
        lambda found: (
            f"{found[0]}<!-- -->" if found[0] in "@#" else f"&#{ord(found[0])};"
        ),
        line,
    )


def _code(text: str) -> str:
    """Returns a text as code in a table."""
    # As HTML, because a bar ends a cell also inside of backticks.
    return f"<code>{_text(text)}</code>" if text else ""
