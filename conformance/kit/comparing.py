"""Compares an answer with the expected one.

An implementation is compared in what it says. Members that it leaves out are not compared, unless the adapter
claims the whole model.
"""

import json
from typing import Any

from cases import Case


def difference(case: Case, result: Any, is_whole: bool) -> str | None:
    """Returns what differs, or None. `is_whole` says whether the adapter claims the whole model."""
    if not isinstance(result, dict):
        return "the result is no object"
    if case.task == "parse":
        return _parsed(case.expect, result, is_whole)
    if case.task == "check":
        return _checked(case.expect["diagnostics"], result)
    if case.task == "signed-request":
        # Only this project names reasons.
        return _members(case.expect, result, False)
    if case.task in ("detect", "robots", "preferences"):
        return _members(case.expect, result, is_whole)
    if case.task == "call":
        return _called(case.expect, result)
    return _holds(case.expect, result)


def _parsed(
    expect: dict[str, Any], result: dict[str, Any], is_whole: bool
) -> str | None:
    error = result.get("error")
    if "error" in expect:
        if error is None:
            return "a document that is not valid was accepted"
        if not isinstance(error, dict):
            return "`error` is no object"
        return _members(expect["error"], error, False) if error else None
    if error is not None:
        return f"a valid document was refused: {_short(error)}"
    if is_whole:
        return _same(expect["model"], result.get("model"))
    return _partly(expect["model"], result.get("model", {}))


def _checked(expect: list[dict[str, Any]], result: dict[str, Any]) -> str | None:
    """Compares the findings; of an implementation without codes, whether the document is valid."""
    if "diagnostics" in result:
        return _same(_sorted(expect), _sorted(result["diagnostics"]))
    is_valid = all(item["severity"] != "error" for item in expect)
    return _members({"valid": is_valid}, result, False)


def _sorted(found: Any) -> Any:
    try:
        return sorted(
            found, key=lambda d: (d["line"], d["column"], d["code"], d["severity"])
        )
    except (KeyError, TypeError):
        return found


def _called(expect: dict[str, Any], result: dict[str, Any]) -> str | None:
    if wrong := _holds(expect["plan"], result.get("plan")):
        return f"plan: {wrong}"
    said = result.get("next", [])
    if not isinstance(said, list) or len(said) != len(expect["next"]):
        return f"{len(expect['next'])} answers are expected in `next`"
    for number, (wanted, actual) in enumerate(zip(expect["next"], said), 1):
        if wrong := _holds(wanted, actual):
            return f"answer {number}: {wrong}"
    return None


def _members(
    expect: dict[str, Any], result: dict[str, Any], is_whole: bool
) -> str | None:
    """Compares the members of the result, of which there has to be one."""
    shared = expect if is_whole else expect.keys() & result.keys()
    if not shared and expect:
        return f"the result has none of {', '.join(sorted(expect))}"
    for name in sorted(shared):
        if wrong := _same(expect[name], result.get(name)):
            return f"{name}: {wrong}"
    return None


def _partly(expect: Any, actual: Any) -> str | None:
    """Compares each member that the implementation gives; null says that there is none."""
    if isinstance(actual, dict) and isinstance(expect, dict):
        for name, value in actual.items():
            if wrong := _partly(expect.get(name), value):
                return f"{name}: {wrong}" if ": " in wrong else f"{name} {wrong}"
        return None
    if isinstance(actual, list) and isinstance(expect, list):
        if len(actual) != len(expect):
            return f"has {len(actual)} items, not {len(expect)}"
        pairs = enumerate(zip(expect, actual), 1)
        return next(
            (
                f"item {number}: {wrong}"
                for number, (e, a) in pairs
                if (wrong := _partly(e, a))
            ),
            None,
        )
    return _same(expect, actual)


def _holds(expect: Any, actual: Any) -> str | None:
    """Compares each expected member; null says that it must be absent."""
    if isinstance(expect, dict) and isinstance(actual, dict):
        for name, value in expect.items():
            if wrong := _holds(value, actual.get(name)):
                return f"{name}: {wrong}"
        return None
    if isinstance(expect, list) and isinstance(actual, list):
        if len(expect) != len(actual):
            return f"has {len(actual)} items, not {len(expect)}"
        return next(
            (wrong for e, a in zip(expect, actual) if (wrong := _holds(e, a))), None
        )
    return _same(expect, actual)


def _same(expect: Any, actual: Any) -> str | None:
    if _plain(expect) == _plain(actual):
        return None
    return f"{_short(expect)} is expected, not {_short(actual)}"


def _plain(value: Any) -> Any:
    """Numbers as doubles, so that 1e2 equals 100, and true differs from 1."""
    if isinstance(value, bool) or value is None:
        return ("word", value)
    if isinstance(value, (int, float)):
        try:
            return ("number", float(value))
        except OverflowError:
            return ("number", value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 160 else text[:157] + "..."
