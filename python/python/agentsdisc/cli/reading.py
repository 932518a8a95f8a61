"""Gets documents from files and from standard input, with one clear line where that fails."""

import argparse
import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO

from .. import Document, Limits, ParseError, decide, parse
from .terminal import visible


class Unreadable(Exception):
    """Something cannot be read or written; the message is one line for people."""

    @classmethod
    def of(cls, problem: OSError, name: str | None = None) -> "Unreadable":
        """The line for an error of the operating system."""
        name = name or str(problem.filename or "")
        reason = problem.strerror or str(problem)
        if problem.errno and type(problem).__module__ == "builtins":
            # Arrow says more, in its own words.
            reason = os.strerror(problem.errno)
        reason = reason.lower()
        return cls(f"{visible(name)}: {reason}" if name else reason)


class Broken(Unreadable):
    """A document that was got but cannot be parsed."""

    def __init__(self, name: str, data: bytes, error: ParseError) -> None:
        what = str(error) if data else f"the file is empty ({error.kind})"
        super().__init__(f"{visible(name)}:{error.line}:{error.column}: {what}")
        self.name, self.data, self.error = name, data, error


def read_bytes(name: str, limit: int) -> bytes:
    """The bytes of a file, or of standard input for `-`; never many more than the limit, so that they fit the memory."""
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
        raise Unreadable(f"{visible(name)}: this is no file name") from None
    except OSError as problem:
        raise Unreadable.of(problem, name) from None


def standard_input() -> BinaryIO:
    """Standard input as bytes. It may be closed: then Python has none."""
    if sys.stdin is None:
        raise Unreadable("-: standard input is closed")
    return sys.stdin.buffer


def is_regular(path: str) -> bool:
    """Whether reading the file comes to an end: not so for pipes and devices."""
    return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116


def shown_name(name: str) -> str:
    """The name of an input for people."""
    return "<stdin>" if name == "-" else name


def written(name: str) -> str:
    """A name as text that every encoding of Unicode holds: names of files are bytes, and not always UTF-8."""
    return name.encode("utf-8", "backslashreplace").decode()


def origin(text: str) -> str:
    """An origin that was given. What is one, the core says."""
    if decide([], agent="*", url="/", origin=text).reason == "invalid-url":
        raise argparse.ArgumentTypeError(
            f"origin must be a URL such as https://example.com, not {visible(text)!r}"
        )
    return text


def get(
    name: str, options: argparse.Namespace, limits: Limits
) -> tuple[Document, bytes]:
    """The parsed document of a file, and its bytes."""
    data = read_bytes(name, limits.document)
    hint = options.url or (None if name == "-" else written(name).replace(os.sep, "/"))
    try:
        document = parse(data, url=hint, format=options.format, limits=limits)
    except ParseError as error:
        raise Broken(shown_name(name), data, error) from None
    except ValueError as error:  # a format that there is not
        raise Unreadable(str(error)) from None
    return document, data
