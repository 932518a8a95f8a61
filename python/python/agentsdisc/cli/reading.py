"""Reads documents from files and standard input, and reports failures in one line."""

import argparse
import os
import re
import stat
import sys
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from .. import Document, Limits, ParseError, decide, parse
from .._facts import FACTS, Facts
from . import containers
from .terminal import visible

_POSITION = re.compile(r"\(line \d+, column \d+, byte \d+, (?=[a-z0-9-]+\)$)")
"""The position at the end of the message of an error."""


class Unreadable(Exception):
    """A file or stream cannot be read or written; the message is one line for people."""

    @classmethod
    def of(cls, problem: OSError, name: str | None = None) -> "Unreadable":
        """Creates the message for an error of the operating system."""
        name = name or str(problem.filename or "")
        reason = problem.strerror or str(problem)
        if problem.errno and type(problem).__module__ == "builtins":
            # Arrow's own message is more precise.
            reason = os.strerror(problem.errno)
        reason = reason.lower()
        return cls(f"{visible(name)}: {reason}" if name else reason)


class Broken(Unreadable):
    """A document was read but cannot be parsed."""

    def __init__(self, name: str, data: bytes, error: ParseError) -> None:
        # The position stands before the message.
        said = _POSITION.sub("(", str(error))
        what = said if data else f"the file is empty ({error.kind})"
        super().__init__(f"{visible(name)}:{error.line}:{error.column}: {what}")
        self.name, self.data, self.error = name, data, error


def read_bytes(name: str, limit: int) -> bytes:
    """Reads a file, or standard input for `-`; at most slightly more than `limit` bytes, which bounds the memory."""
    if name == "-":
        return standard_input().read(limit + 1)
    try:
        with Path(name).open("rb") as file:
            return file.read(limit + 1)
    except IsADirectoryError:
        raise Unreadable(
            f"{visible(name)}: is a directory; name a file (or `agentsdisc ingest` the directory)"
        ) from None
    except ValueError:
        raise Unreadable(f"{visible(name)}: is not a valid file name") from None
    except OSError as problem:
        if isinstance(problem, FileNotFoundError) and _HOST.fullmatch(name):
            raise Unreadable(
                f"{visible(name)}: no such file; for the site, write https://{visible(name)}"
            ) from None
        raise Unreadable.of(problem, name) from None


_HOST = re.compile(r"(?:[\w-]+\.)+[a-zA-Z][\w-]+(?::[0-9]+)?(?:/.*)?")
"""What looks like a host, perhaps with a port and a path."""


def standard_input() -> BinaryIO:
    """Returns standard input as bytes. Python has no stream if it is closed."""
    if sys.stdin is None:
        raise Unreadable("-: standard input is closed")
    return sys.stdin.buffer


def is_regular(path: str) -> bool:
    """Whether reading the file ends; False for pipes and devices."""
    return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116


def shown_name(name: str) -> str:
    """Returns the name of an input for people."""
    return "<stdin>" if name == "-" else name


def written(name: str) -> str:
    """Returns a name as valid Unicode text: file names are bytes, and not always UTF-8."""
    return name.encode("utf-8", "backslashreplace").decode()


def origin(text: str) -> str:
    """Returns the origin in an option; the core validates it."""
    if decide([], agent="*", url="/", origin=text).reason == "invalid-url":
        raise argparse.ArgumentTypeError(
            f"origin must be a URL such as https://example.com, not {visible(text)!r}"
        )
    return text


def named_format(path: str, problem: str) -> str | None:
    """Returns the format of a document whose name says what it is, such as `robots.txt`.

    If several formats have this name, the one of which `problem`, the error of detection, names signs; None if it names signs of several.
    """
    fitting = [
        facts.name
        for facts in FACTS.values()
        if facts.is_read and has_name(path, facts)
    ]
    signs = [name for name in fitting if f"{name}: " in problem]
    if len(signs) > 1:
        return None
    return next(iter(signs + fitting), None)


def has_name(path: str, facts: Facts) -> bool:
    """Whether documents of a format have such a name. Some names say something only together with their folder."""
    places = [*facts.locations, *(f"/{name}" for name in facts.also_at)]
    own = [place.rpartition("/")[2] for place in places]
    return any(
        f"/{path}".endswith(place if name in _COMMON else f"/{name}")
        for place, name in zip(places, own, strict=True)
    )


_COMMON = frozenset({"agent", "api", "index.json", "agent.json"})
"""Names that say what a document is only together with their folder."""


def get(
    name: str, options: argparse.Namespace, limits: Limits, *, by_name: bool = False
) -> tuple[Document, bytes]:
    """Returns the parsed document of a file, and its bytes.

    With `by_name`, the name of the file says the format of a document that is not recognized.
    """
    data = read_bytes(name, limits.document)
    if (why := containers.why(data)) is not None:
        raise Unreadable(f"{visible(shown_name(name))}: {why}")
    hint = options.url or (None if name == "-" else written(name).replace(os.sep, "/"))
    try:
        document = parse(data, url=hint, format=options.format, limits=limits)
    except ParseError as error:
        path = urlsplit(hint).path if hint and "://" in hint else hint or ""
        named = named_format(path, str(error))
        if not by_name or error.kind != "unknown-format" or named is None:
            raise Broken(shown_name(name), data, error) from None
        try:
            return parse(data, format=named, limits=limits), data
        except ParseError as other:
            raise Broken(shown_name(name), data, other) from None
    except ValueError as error:  # an unknown format
        raise Unreadable(str(error)) from None
    return document, data
