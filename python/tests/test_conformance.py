"""Runs the conformance vectors, which every language binding must satisfy."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agentsdisc
import pytest
from conftest import ROOT
from views import as_model, without_implied

FOLDER = ROOT / "conformance"


def vectors() -> list[Path]:
    return sorted(FOLDER.rglob("*.in"))


def normalised(value: Any) -> Any:
    """Converts every number to a double, so that 1e2 equals 100, and true differs from 1."""
    if isinstance(value, bool) or value is None:
        return ("word", value)
    if isinstance(value, int | float):
        return ("number", float(value))
    if isinstance(value, list):
        return [normalised(item) for item in value]
    if isinstance(value, dict):
        return {name: normalised(item) for name, item in value.items()}
    return value


def with_every_value(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Gives a name that occurs more than once the list of its values, as `to_dict` does."""
    values: dict[str, list[Any]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: all if all[1:] else all[0] for name, all in values.items()}


def actual(data: bytes, expected: dict[str, Any]) -> dict[str, Any]:
    """Returns our result in the format of the vector."""
    options = expected.get("options", {})
    hints = {name: options.get(name) for name in ("url", "content_type")}
    found: dict[str, Any] = {"detect": agentsdisc.detect(data, **hints)}
    assert agentsdisc.detect_evidence(data, **hints)["format"] == found["detect"]
    try:
        document = agentsdisc.parse(
            data,
            format=options.get("format"),
            limits=agentsdisc.Limits(**options.get("limits", {})),
            **hints,
        )
    except agentsdisc.ParseError as error:
        found["error"] = {
            "kind": error.kind,
            "offset": error.offset,
            "line": error.line,
            "column": error.column,
        }
        return found
    found["model"] = document.to_dict()
    assert "\n" not in document.to_json()
    # Both forms of the model are created independently, in the same order.
    text = json.loads(document.to_json(), object_pairs_hook=with_every_value)
    assert normalised(text) == normalised(found["model"])
    assert list(text) == list(found["model"])
    # The typed views equal the model.
    ours, model = (
        without_implied(as_model(document)),
        without_implied(document.to_dict()),
    )
    assert normalised(ours) == normalised(model)
    if "schemas" in expected:
        offers = agentsdisc.capabilities(document, agent="Bot/1.0")
        found["schemas"] = {offer.id: offer.schema for offer in offers}
    found["diagnostics"] = sorted(
        (
            {
                "code": d.code,
                "severity": d.severity,
                "line": d.line,
                "column": d.column,
            }
            for d in document.check(options.get("origin"))
        ),
        key=lambda d: (d["line"], d["column"], d["code"], d["severity"]),
    )
    return found


def differences(path: Path) -> Iterator[str]:
    text = path.with_suffix(".json").read_bytes()
    expected = json.loads(text, object_pairs_hook=with_every_value)
    if "model" not in expected and "error" not in expected:
        members = ["detect"]
    else:
        members = ["detect", "model", "error", "schemas", "diagnostics"]
    found = actual(path.read_bytes(), expected)
    if "diagnostics" in expected:
        expected["diagnostics"].sort(
            key=lambda d: (d["line"], d["column"], d["code"], d["severity"])
        )
    for member in members:
        if member == "detect" and "detect" not in expected:
            continue
        if normalised(found.get(member)) != normalised(expected.get(member)):
            yield f"{path.relative_to(FOLDER)}: {member}\n  expected {expected.get(member)}\n  actual   {found.get(member)}"


def test_there_are_vectors() -> None:
    assert len(vectors()) > 100


@pytest.mark.parametrize(
    "folder", sorted({str(p.parent.relative_to(FOLDER)) for p in vectors()})
)
def test_vectors_hold(folder: str) -> None:
    failures = [
        difference
        for path in sorted((FOLDER / folder).glob("*.in"))
        for difference in differences(path)
    ]
    assert not failures, "\n".join(failures)
