"""Checks of argument types; the errors name the argument."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def as_in(other: Callable[..., Any]) -> Callable[[F], F]:
    """Lets `help` show the signature and the documentation of the asynchronous function behind a function that waits for it."""

    def mark(function: F) -> F:
        setattr(function, "__wrapped__", other)  # noqa: B010
        function.__doc__ = f"{function.__doc__}\n\n{other.__doc__}"
        return function

    return mark


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
