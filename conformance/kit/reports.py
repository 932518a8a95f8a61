"""Writes the results of a run: as a table for a terminal, JSON, JUnit, Markdown or a badge."""

import json
from collections.abc import Callable
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from running import BROKEN, FAIL, SKIP, Claims, Result, by_task, count, failures


class Run(NamedTuple):
    """A finished run."""

    kit: str
    """The version of the kit."""
    claims: Claims
    results: list[Result]


def as_table(run: Run) -> str:
    """A table of tasks and levels, and the cases that failed."""
    lines = [f"{_line(_title(run))}, kit {run.kit}", ""]
    lines.append(f"{'task':<16}{'level':<8}{'passed':>8}{'failed':>8}{'skipped':>9}")
    for (task, level), found in by_task(run.results).items():
        lines.append(
            f"{task:<16}{level:<8}{found.passed:>8}{found.failed:>8}{found.skipped:>9}"
        )
    shown = [r for r in run.results if r.result in (FAIL, BROKEN)]
    if shown:
        lines.append("")
    for result in shown:
        lines.append(
            f"{result.case.level:<7} {_line(result.case.id)}: {_line(result.message)}"
        )
        lines.append(
            f"        {_line(result.case.section)}: {_line(result.case.about)}"
        )
    return "\n".join(lines) + "\n"


def as_json(run: Run) -> str:
    """Everything, as one JSON object."""
    counts = [
        {"task": task, "level": level, **found._asdict()}
        for (task, level), found in by_task(run.results).items()
    ]
    results = [
        {
            "id": r.case.id,
            "task": r.case.task,
            "format": r.case.format,
            "level": r.case.level,
            "section": r.case.section,
            "result": r.result,
            "message": r.message,
            "seconds": round(r.seconds, 6),
        }
        for r in run.results
    ]
    name, version = run.claims.name, run.claims.version
    whole = {
        "kit": run.kit,
        "implementation": {"name": name, "version": version},
        "counts": counts,
        "results": results,
    }
    return json.dumps(whole, indent=1) + "\n"


def as_junit(run: Run) -> str:
    """JUnit's XML: a test case for each case; a ruling that differs is skipped, not failed."""
    failed = failures(run.results) + failures(run.results, "should")
    skipped = sum(r.result == SKIP for r in run.results) + failures(
        run.results, "ruling"
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        (
            f"<testsuite name={_attribute(_title(run))} "
            f"tests={_attribute(len(run.results))} failures={_attribute(failed)} "
            f'errors="0" skipped={_attribute(skipped)} '
            f"time={_attribute(f'{sum(r.seconds for r in run.results):.6f}')}>"
        ),
    ]
    for r in run.results:
        head = (
            f"<testcase classname={_attribute(r.case.task)} name={_attribute(r.case.id)} "
            f"time={_attribute(f'{r.seconds:.6f}')}"
        )
        message = _attribute(r.message)
        if r.result in (FAIL, BROKEN) and r.case.level != "ruling":
            lines.append(f"{head}><failure message={message}/></testcase>")
        elif r.result in (FAIL, BROKEN, SKIP):
            lines.append(f"{head}><skipped message={message}/></testcase>")
        else:
            lines.append(f"{head}/>")
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def as_markdown(run: Run) -> str:
    """A table, and the cases of specifications that failed."""
    lines = [f"# {_cell(_title(run))}", "", f"Version of the kit: {run.kit}", ""]
    lines += [
        "| task | level | passed | failed | skipped |",
        "| --- | --- | --: | --: | --: |",
    ]
    for (task, level), found in by_task(run.results).items():
        lines.append(
            f"| {task} | {level} | {found.passed} | {found.failed} | {found.skipped} |"
        )
    lines.append("")
    for r in run.results:
        if r.result in (FAIL, BROKEN) and r.case.level != "ruling":
            lines.append(
                f"- `{r.case.id}` ({r.case.level}, {_cell(r.case.section)}): {_cell(r.message)}"
            )
    return "\n".join(lines).rstrip() + "\n"


def as_badge(run: Run) -> str:
    """The object from which shields.io makes a badge."""
    found = count(r for r in run.results if r.case.level == "must")
    colour = "brightgreen" if not found.failed else "yellow" if found.passed else "red"
    badge = {
        "schemaVersion": 1,
        "label": "agent documents",
        "message": f"{found.passed} of {found.asked} must",
        "color": colour if found.asked else "lightgrey",
    }
    return json.dumps(badge) + "\n"


WRITERS: dict[str, Callable[[Run], str]] = {
    "text": as_table,
    "json": as_json,
    "junit": as_junit,
    "markdown": as_markdown,
    "badge": as_badge,
}


def _title(run: Run) -> str:
    return f"{run.claims.name} {run.claims.version}".strip()


def _line(text: str) -> str:
    """Text without characters that would control a terminal."""
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text)


def _cell(text: str) -> str:
    return _line(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _attribute(value: object) -> str:
    return quoteattr(_line(str(value)))
