"""The report of a check: what holds for a site, what does not, and what could not be decided."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from .._visible import shown

STATUSES = ("pass", "warn", "fail", "not-applicable", "unknown")
"""What a check can find. `unknown` is no failure: the check's message says why nothing could be decided."""


@shown
@dataclass(frozen=True, slots=True)
class Evidence:
    """What a check looked at. Members that do not apply are None."""

    url: str | None = None
    """The URL that was requested."""
    file: str | None = None
    """The file in the folder, relative to it, with `/`."""
    line: int | None = None
    """The line in the document or the file, from 1."""
    status: int | None = None
    """The status code of the response."""
    header: str | None = None
    """A header of the response, as `Name: value`."""
    text: str | None = None
    """What was found there, as a sentence or as a part of the document."""


@shown
@dataclass(frozen=True, slots=True)
class Prediction:
    """What a scanner will probably say."""

    status: str
    """`pass`, `warn`, `fail`, `not-applicable` or `unknown`."""
    message: str
    """Why, in a sentence."""


@shown
@dataclass(frozen=True, slots=True)
class Check:
    """One check and its result."""

    id: str
    """The check, such as `robots-txt`; ids do not change."""
    status: str
    """`pass`, `warn`, `fail`, `not-applicable` or `unknown`."""
    message: str
    """The result in a sentence."""
    evidence: tuple[Evidence, ...] = ()
    """What the result is based on."""
    fix: str | None = None
    """What to do; None if there is nothing to do."""
    predicted: Mapping[str, Prediction] = field(default_factory=dict)
    """What each scanner will probably say, by the name of the scanner. Never part of `status`, level or score."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Returns a check from its JSON object."""
        return cls(
            values["id"],
            values["status"],
            values["message"],
            tuple(Evidence(**each) for each in values["evidence"]),
            values["fix"],
            {name: Prediction(**said) for name, said in values["predicted"].items()},
        )


@shown
@dataclass(frozen=True, slots=True)
class Score:
    """How much of what applies to the site holds, by weight: a requirement 3, a recommendation 2, a convention 1."""

    passed: float
    """The weight of what passed; a warning counts half."""
    applicable: int
    """The weight of what applies and could be decided."""
    percent: int
    """`passed` of `applicable` in percent; 0 if nothing could be decided."""


@shown
@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check of a site or a folder."""

    rules: str
    """The version of the rules; results of different versions cannot be compared."""
    target: str
    """The URL or the folder that was checked."""
    level: int
    """The level, 0 to 5: no check that applies fails up to it."""
    level_name: str
    """The name of the level, such as `Readable`."""
    score: Score
    """How much of what applies holds."""
    checks: tuple[Check, ...]
    """All checks, in a fixed order."""

    def to_dict(self) -> dict[str, Any]:
        """Returns the report as plain values, as in its JSON."""
        values = asdict(self)
        for check in values["checks"]:
            check["evidence"] = list(check["evidence"])
        return values | {"checks": list(values["checks"])}

    def to_json(self, *, indent: int | None = 2) -> str:
        """Returns the report as JSON."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Reads a report that `to_json` wrote. Raises ValueError if it is none."""
        try:
            values = json.loads(text)
            if not {check["status"] for check in values["checks"]} <= {*STATUSES}:
                raise ValueError("not a report: a check has an unknown status")
            return cls(
                values["rules"],
                values["target"],
                values["level"],
                values["level_name"],
                Score(**values["score"]),
                tuple(Check.of(check) for check in values["checks"]),
            )
        except (AttributeError, KeyError, TypeError) as problem:
            raise ValueError(f"not a report: {problem}") from None

    def __getitem__(self, id: str) -> Check:
        """Returns the check with this id. Raises KeyError if there is none."""
        for check in self.checks:
            if check.id == id:
                return check
        raise KeyError(id)
