"""A report in the Static Analysis Results Interchange Format (SARIF) 2.1.0."""

import hashlib
import json
import re
from typing import Any

from ..._sarif import log, uri
from ..._visible import masked
from ..report import Check, Evidence, Report
from .common import HELP, file_of, seen

_LEVELS = {"fail": "error", "warn": "warning"}


def sarif(report: Report) -> str:
    """Returns the log. Its results are failures and warnings; what could not be decided is a notification of the run."""
    found = [check for check in report.checks if check.status in _LEVELS]
    undecided = [
        masked(f"{check.id}: {check.message}")
        for check in report.checks
        if check.status == "unknown"
    ]
    rules = [{"id": check.id, "helpUri": HELP} for check in found]
    results = [_result(report, check, number) for number, check in enumerate(found)]
    return json.dumps(log(rules, results, undecided), indent=2) + "\n"


def _result(report: Report, check: Check, number: int) -> dict[str, Any]:
    message = check.message if check.fix is None else f"{check.message}\n{check.fix}"
    first, *others = check.evidence or (Evidence(),)
    main = _location(report, first)
    # The path that no site has differs from run to run.
    place = re.sub(
        r"agentsdisc-[0-9a-f]{16}",
        "agentsdisc",
        main["physicalLocation"]["artifactLocation"]["uri"],
    )
    identity = hashlib.sha256(f"{check.id}\n{place}".encode()).hexdigest()
    return {
        "ruleId": check.id,
        "ruleIndex": number,
        "level": _LEVELS[check.status],
        "message": {"text": masked(message)},
        "locations": [main],
        "relatedLocations": [
            {"id": id, **_location(report, each), "message": {"text": masked(text)}}
            for id, each in enumerate(others, 1)
            if (text := seen(check, each))
        ],
        "partialFingerprints": {"agentsdiscCheck/v1": identity},
        "properties": {"rules": report.rules},
    }


def _location(report: Report, evidence: Evidence) -> dict[str, Any]:
    name = file_of(report, evidence) or evidence.url or report.target
    place: dict[str, Any] = {"artifactLocation": {"uri": uri(masked(name))}}
    if evidence.line is not None:
        place["region"] = {"startLine": evidence.line}
    return {"physicalLocation": place}
