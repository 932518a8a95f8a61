"""`agentsdisc lint --fix`: applies automatic fixes, in place or as a diff."""

import argparse
import contextlib
import difflib
import sys
from collections.abc import Iterator
from pathlib import Path

from .. import ConvertError, Fixed, Limits
from .._visible import starred
from .reading import Unreadable, get, is_regular, shown_name
from .terminal import Style, tell, visible
from .writing import replace


def fix_file(name: str, options: argparse.Namespace, limits: Limits) -> None:
    """Fixes a file in place, and prints the changes on standard error."""
    if name == "-":
        raise Unreadable(
            "<stdin>: --fix needs a file to change; name one, or use --diff"
        )
    with contextlib.suppress(OSError, ValueError):
        if not is_regular(name) and not Path(name).is_dir():
            raise Unreadable(
                f"{visible(name)}: is not a regular file, so --fix cannot change it"
            )
    fixed, data, _ = fixed_of(name, options, limits)
    if fixed is None or fixed == data:
        return
    replace(name, fixed)
    for change in fixed.changes:
        print(
            f"{visible(name)}:{change.line}: fixed[{change.fix}]: {visible(change.message)}",
            file=sys.stderr,
        )


def fixed_of(
    name: str, options: argparse.Namespace, limits: Limits
) -> tuple[Fixed | None, bytes, str]:
    """Returns the fixed document (None for a format without automatic fixes), the bytes of the file, and its format."""
    document, data = get(name, options, limits)
    try:
        return document.fix(), data, document.format
    except ConvertError:
        return None, data, document.format


def show(options: argparse.Namespace, limits: Limits) -> int:
    """Prints the changes to every file as a unified diff."""
    from . import CANNOT_READ, FINDINGS, OK

    code, style = OK, Style()
    for name in options.files:
        try:
            fixed, data, format = fixed_of(name, options, limits)
        except Unreadable as problem:
            sys.stdout.flush()
            tell(problem)
            code = CANNOT_READ
            continue
        if fixed is None or fixed == data:
            continue
        code = max(code, FINDINGS)
        for line in diff(
            shown_name(name), starred(data, format), starred(fixed, format)
        ):
            colour = {"+": "green", "-": "red", "@": "blue"}.get(line[:1])
            print(style(line, colour) if colour else line)
    return code


def diff(name: str, before: bytes, after: bytes) -> Iterator[str]:
    """Returns a unified diff with control characters escaped: for people, not for programs that apply it."""
    old, new = (
        [shown_line(line) for line in text.decode("utf-8").split("\n")]
        for text in (before, after)
    )
    shown = visible(name)
    yield from difflib.unified_diff(old, new, shown, shown + " (fixed)", lineterm="")


def shown_line(line: str) -> str:
    """Returns a line for people: keeps tabs, escapes all other hidden characters."""
    return "\t".join(visible(part) for part in line.split("\t"))
