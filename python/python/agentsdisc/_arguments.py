"""Checks of argument types; the errors name the argument."""

from collections.abc import Iterable


def must_be(kind: type, value: object, name: str, called: str = "") -> None:
    """Raises TypeError for a value of another type; `called` names the allowed types if there are several."""
    if not isinstance(value, kind):
        got = type(value).__qualname__
        raise TypeError(f"{name} must be {called or kind.__name__}, not {got}")


def may_be(kind: type, value: object, name: str, called: str = "") -> None:
    """Does the same for an optional argument: None is allowed."""
    if value is not None:
        must_be(kind, value, name, called)


def several(values: Iterable[str], name: str) -> list[str]:
    """Returns texts as a list. Raises TypeError for a single str, which is an iterable of texts by accident."""
    if isinstance(values, str):
        raise TypeError(f"{name} must be several texts, not one str")
    return list(values)
