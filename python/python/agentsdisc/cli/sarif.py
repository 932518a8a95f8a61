"""The findings of `lint` in the Static Analysis Results Interchange Format (SARIF) 2.1.0."""

from collections.abc import Sequence
from typing import Any

from .._sarif import log, uri
from .explain import explained, known, lines

_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def sarif(findings: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Returns the log of one run."""
    used = sorted({found["code"] for found in findings})
    return log(
        [rule(code) for code in used], [result(found, used) for found in findings]
    )


def rule(code: str) -> dict[str, Any]:
    """Returns the rule of a code. A document that cannot be read has the kind of its error as code, which no table explains."""
    if code not in known():
        return {"id": code, "defaultConfiguration": {"level": "error"}}
    said = explained(code)
    level = {"level": _LEVELS[said["severity"]]}
    help = "\n".join(lines(said))
    return {
        "id": code,
        "shortDescription": {"text": said["about"]},
        "fullDescription": {"text": f"{said['about']} {said['why']}".strip()},
        "help": {"text": help},
        "helpUri": said["help"],
        "defaultConfiguration": level,
    }


def result(found: dict[str, Any], used: list[str]) -> dict[str, Any]:
    """Returns the result object of one finding."""
    return {
        "ruleId": found["code"],
        "ruleIndex": used.index(found["code"]),
        "level": _LEVELS[found["severity"]],
        "message": {"text": found["message"]},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri(found["file"])},
                    "region": {
                        "startLine": found["line"],
                        "startColumn": found["character"],
                        "byteOffset": found["offset"],
                        "byteLength": max(0, found["end"] - found["offset"]),
                    },
                }
            }
        ],
        "properties": {"spec": found["spec"], "section": found["section"]},
    }
