"""A report as one HTML file without scripts, which needs nothing else."""

import html
from urllib.parse import urlsplit

from ..._visible import visible
from ..prediction import outcome, title
from ..report import Check, Evidence, Report
from .common import (
    HELP,
    ORDER,
    WORDS,
    Change,
    changes,
    counts,
    ordered,
    seen,
    where,
)

_NAMES = {
    "pass": "pass",
    "warn": "warning",
    "fail": "fail",
    "not-applicable": "n/a",
    "unknown": "unknown",
}
_LEVELS = 5

_STYLE = """
:root { color-scheme: light dark; --back: #fff; --card: #f5f6f8; --text: #1b1f24; --dim: #57606a; --line: #d5d9df;
  --pass: #146c2e; --warn: #7a4d00; --fail: #b3141d; --na: #57606a; --link: #0a58b0; }
@media (prefers-color-scheme: dark) {
  :root { --back: #101418; --card: #1a2027; --text: #e8ebef; --dim: #a4adb8; --line: #343c46;
    --pass: #5fce80; --warn: #e9b44c; --fail: #ff8a86; --na: #a4adb8; --link: #83b9ff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 62rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.125rem; margin: 2rem 0 .5rem; }
.dim { color: var(--dim); margin: 0; }
.absent { margin: .25rem 0; }
.result { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; margin: 1.25rem 0; padding: 1rem 1.25rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .5rem; }
.result > :last-child { flex: 1 1 16rem; }
.result b { display: block; font-size: 1.75rem; line-height: 1.2; }
.steps { display: flex; gap: .25rem; list-style: none; margin: .5rem 0 0; padding: 0; }
.steps li { width: 1.75rem; height: .375rem; border-radius: .25rem; background: var(--line); }
.steps .done { background: var(--pass); }
.status { font-weight: 600; font-size: .875rem; }
summary .status { display: inline-block; min-width: 5rem; }
.pass { color: var(--pass); } .warn { color: var(--warn); } .fail { color: var(--fail); }
.not-applicable, .unknown { color: var(--na); }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; background: var(--card); }
details.fail { border-left: .25rem solid var(--fail); } details.warn { border-left: .25rem solid var(--warn); }
summary { cursor: pointer; padding: .5rem .75rem; color: var(--text); }
summary code { font-weight: 600; }
summary p { margin: .125rem 0 0; }
.body { padding: 0 .75rem .75rem; color: var(--text); }
.body h3 { font-size: .875rem; margin: .75rem 0 .25rem; color: var(--dim); }
ul { margin: .25rem 0; padding-left: 1.25rem; }
pre { margin: .25rem 0; padding: .5rem .75rem; background: var(--back); border: 1px solid var(--line); border-radius: .375rem;
  white-space: pre-wrap; font-size: .875rem; }
code { font-size: .9em; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .375rem .5rem .375rem 0; border-bottom: 1px solid var(--line); }
th, td:not(:last-child) { white-space: nowrap; }
th { color: var(--dim); font-size: .875rem; }
@media (max-width: 40rem) {
  thead { display: none; } table, tbody, tr, td { display: block; } tr { border-bottom: 1px solid var(--line); padding: .375rem 0; }
  td, td:not(:last-child) { white-space: normal; }
  td { border: 0; padding: .125rem 0; } td[data-name]::before { content: attr(data-name) " "; color: var(--dim); font-size: .875rem; }
}
@media print { details { break-inside: avoid; } }
"""


def page(report: Report, baseline: Report | None = None) -> str:
    """Returns the page. Failures and warnings are open, everything else is folded."""
    score = report.score
    percent = f"{score.percent} %" if score.applicable else "–"
    steps = "".join(
        f"<li{' class=done' if number <= report.level else ''}></li>"
        for number in range(1, _LEVELS + 1)
    )
    numbers = " · ".join(
        f'<span class="{status}">{n} {WORDS[status]}</span>'
        for status, n in counts(report).items()
    )
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>Ready for agents: {_text(report.target)}</title>",
        f"<style>{_STYLE}</style>",
        "<main>",
        f"<h1>Is {_text(report.target)} ready for agents?</h1>",
        f'<p class="dim">agentsdisc check, rules {_text(report.rules)}, <a href="{HELP}">what the checks mean</a></p>',
        '<div class="result">',
        f"<div>Level<b>{report.level} · {_text(report.level_name)}</b>"
        f'<ul class="steps" aria-hidden="true">{steps}</ul></div>',
        f'<div>Score<b>{percent}</b><span class="dim">{score.passed:g} of {score.applicable}</span></div>',
        f"<div>Checks<b>{len(report.checks)}</b>{numbers}</div>",
        "</div>",
    ]
    if baseline is not None:
        parts += _difference(report, baseline)
    groups = dict.fromkeys(ORDER, "")
    for check in ordered(report):
        groups[check.status] += (
            _absent(check)
            if check.status == "not-applicable"
            else _check(report, check)
        )
    for status, inside in groups.items():
        if inside:
            title = f"{WORDS[status][0].upper()}{WORDS[status][1:]}"
            parts += [f"<section><h2>{title}</h2>", inside, "</section>"]
    parts += _predicted(report)
    return "\n".join([*parts, "</main>", "</html>", ""])


def _check(report: Report, check: Check) -> str:
    inside = ""
    if check.evidence:
        items = "".join(
            f"<li>{_evidence(report, check, each)}" for each in check.evidence
        )
        inside += f"<h3>Evidence</h3><ul>{items}</ul>"
    if check.fix is not None:
        inside += f"<h3>Fix</h3><pre>{_lines(check.fix)}</pre>"
    is_open = " open" if check.status in {"fail", "warn"} else ""
    return (
        f'<details class="{check.status}" id="{_text(check.id)}"{is_open}><summary>{_status(check.status)} <code>{_text(check.id)}</code>'
        f"<p>{_text(check.message)}</p></summary>"
        f'<div class="body">{inside or "No evidence was needed."}</div></details>\n'
    )


def _absent(check: Check) -> str:
    """Returns a check that does not concern the site: one line."""
    id = _text(check.id)
    return (
        f'<p class="absent" id="{id}"><code>{id}</code>: {_text(check.message)}</p>\n'
    )


def _evidence(report: Report, check: Check, evidence: Evidence) -> str:
    place = where(report, evidence)
    shown = f"<code>{_text(place)}</code>"
    if evidence.file is None and _is_link(place):
        shown = f'<a href="{_text(place)}" rel="noreferrer noopener">{shown}</a>'
    found = html.escape(seen(check, evidence))
    return f"{shown if place else ''}{': ' if place and found else ''}{found}"


def _is_link(url: str) -> bool:
    """Whether a URL may be a link: on the web, and shown as it is."""
    try:
        return urlsplit(url).scheme in {"http", "https"} and visible(url) == url
    except ValueError:
        return False


def _predicted(report: Report) -> list[str]:
    names = {name: None for check in report.checks for name in check.predicted}
    if not names:
        return []
    return [
        "<section><h2>What scanners will probably say</h2>",
        '<p class="dim">Predicted from the rules that each scanner documents. This counts neither for the level nor for the score.</p>',
        *(_scanner(report, name) for name in names),
        "</section>",
    ]


def _scanner(report: Report, name: str) -> str:
    rows = "".join(
        f'<tr><td data-name="Check"><code>{_text(check.id)}</code><td data-name="Here">{_status(check.status)}'
        f'<td data-name="Probably">{_status(said.status)}<td>{_text(said.message)}</tr>\n'
        for check in ordered(report)
        if (said := check.predicted.get(name)) is not None
    )
    return (
        f"<details><summary><b>{_text(title(name))}</b><p>{_text(outcome(report, name))}</p></summary>"
        f'<div class="body"><table><thead><tr><th>Check<th>Here<th>Probably<th>Why</tr></thead><tbody>{rows}</tbody></table></div></details>\n'
    )


def _difference(report: Report, baseline: Report) -> list[str]:
    before = f"level {baseline.level}, {baseline.score.percent} %"
    note = ""
    if baseline.rules != report.rules:
        note = f" The rules differ (before: {_text(baseline.rules)}), so that scores move alone."
    items = "".join(_change(change) for change in changes(report, baseline))
    return [
        "<section><h2>Since the baseline</h2>",
        f"<p>Before: {before}.{note}</p>",
        f"<ul>{items}</ul>" if items else "<p>No check has changed.</p>",
        "</section>",
    ]


def _change(change: Change) -> str:
    before = _status(change.before) if change.before else "new"
    now = _status(change.now) if change.now else "gone"
    return f"<li><code>{_text(change.id)}</code>: {before} → {now}"


def _status(status: str) -> str:
    return f'<span class="status {_text(status)}">{_text(_NAMES.get(status, status))}</span>'


def _text(text: str) -> str:
    return html.escape(visible(text))


def _lines(text: str) -> str:
    return "\n".join(_text(line) for line in text.split("\n"))
