"""A report as JUnit XML: one test case for each check."""

from xml.sax.saxutils import escape, quoteattr

from ..._visible import visible
from ..report import Check, Report
from .common import file_of, seen, summary, where


def junit(report: Report) -> str:
    """Returns the XML. A failed check is a failure; one that does not apply or could not be decided is skipped; a warning passes, with its text as output."""
    statuses = [check.status for check in report.checks]
    numbers = _attributes(
        name=f"agentsdisc check {report.target}",
        tests=len(statuses),
        failures=statuses.count("fail"),
        errors=0,
        skipped=statuses.count("not-applicable") + statuses.count("unknown"),
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<testsuites>",
        f"  <testsuite{numbers}>",
        "    <properties>",
        f"      <property{_attributes(name='rules', value=report.rules)}/>",
        f"      <property{_attributes(name='result', value=summary(report))}/>",
        "    </properties>",
    ]
    for check in report.checks:
        lines += _case(report, check)
    return "\n".join([*lines, "  </testsuite>", "</testsuites>", ""])


def _case(report: Report, check: Check) -> list[str]:
    first = next((each for each in check.evidence if each.file is not None), None)
    names: dict[str, object] = {"classname": "agentsdisc.check", "name": check.id}
    if first is not None:
        names |= {"file": file_of(report, first)}
        names |= {} if first.line is None else {"line": first.line}
    start = f"    <testcase{_attributes(**names)}"
    said = [check.message]
    said += [f"{where(report, each)}: {seen(check, each)}" for each in check.evidence]
    said += [] if check.fix is None else [f"Fix: {check.fix}"]
    text = escape(
        "\n".join(visible(line) for part in said for line in part.split("\n"))
    )
    match check.status:
        case "fail":
            about = _attributes(message=check.message, type="fail")
            inside = f"<failure{about}>{text}</failure>"
        case "not-applicable":
            inside = f"<skipped{_attributes(message=check.message)}/>"
        case "unknown":
            inside = f"<skipped{_attributes(message='not checked: ' + check.message)}/>"
        case "warn":
            inside = f"<system-out>Warning: {text}</system-out>"
        case _:
            return [f"{start}/>"]
    return [f"{start}>", f"      {inside}", "    </testcase>"]


def _attributes(**values: object) -> str:
    return "".join(
        f" {name}={quoteattr(visible(str(value)))}" for name, value in values.items()
    )
