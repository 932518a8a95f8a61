"""The badge of a report, in the JSON of the endpoint badge of shields.io."""

import json

from ..report import Report

_COLOURS = ((90, "brightgreen"), (75, "green"), (50, "yellow"), (0, "orange"))


def badge(report: Report) -> str:
    """Returns the JSON of the badge."""
    score = report.score
    if score.applicable:
        message = f"level {report.level} | {score.percent} %"
        colour = next(name for least, name in _COLOURS if score.percent >= least)
    else:
        message, colour = "unknown", "lightgrey"
    if any(check.status == "fail" for check in report.checks) and colour in {
        "brightgreen",
        "green",
    }:
        # A site on which something fails is not green, whatever the rest weighs.
        colour = "yellow"
    values = {
        "schemaVersion": 1,
        "label": "ready for agents",
        "message": message,
        "color": colour,
    }
    return json.dumps(values, ensure_ascii=False) + "\n"
