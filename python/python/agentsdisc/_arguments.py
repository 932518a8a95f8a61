"""Arguments that are of a wrong type, said with their names."""

from collections.abc import Iterable


def must_be(kind: type, value: object, name: str, called: str = "") -> None:
    """Raises TypeError for a value of another type; `called` is what it may be, where that is more than one."""
    if not isinstance(value, kind):
        got = type(value).__qualname__
        raise TypeError(f"{name} must be {called or kind.__name__}, not {got}")


def may_be(kind: type, value: object, name: str, called: str = "") -> None:
    """The same for an argument that may be left out: None is right, too."""
    if value is not None:
        must_be(kind, value, name, called)


def several(values: Iterable[str], name: str) -> list[str]:
    """Texts as a list. One text is an iterable of texts, too, but never meant so: raises TypeError."""
    if isinstance(values, str):
        raise TypeError(f"{name} must be several texts, not one str")
    return list(values)
