"""The command line `agentsdisc`.

Exit codes: 0 all is well; 1 `lint` found something of the severity error (with `--diff`:
or something to put right), `convert` was refused, `decide` or `mcp` does not allow the request,
or `discover` or `inspect URL` found no document; 2 something cannot be read or written, or the command was
given wrongly; 130 interrupted.
"""

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from .. import Limits, __version__
from ..cli import (
    conversion,
    decision,
    discover,
    first,
    formats,
    ingest,
    inspection,
    lint,
    model,
    session,
)
from .reading import Unreadable

OK, FINDINGS, CANNOT_READ, INTERRUPTED = 0, 1, 2, 130

_EPILOG = """\
exit codes:
  0  all is well
  1  lint found something of the severity error, convert was refused, decide or mcp does
     not allow the request, or discover or inspect URL found no document
  2  something cannot be read or written, or the command was given wrongly
"""


def parser() -> argparse.ArgumentParser:
    """The whole grammar of the command line."""
    top = argparse.ArgumentParser(
        prog="agentsdisc",
        description="Reads the documents with which web sites tell AI agents what they may do.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"agentsdisc {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in (
        model,
        inspection,
        discover,
        lint,
        conversion,
        first,
        decision,
        session,
        ingest,
        formats,
    ):
        module.register(commands)
    return top


def reading_options(command: argparse.ArgumentParser) -> None:
    """The options that every command which reads documents has."""
    command.add_argument(
        "--format",
        metavar="FORMAT",
        help="read the document as this format (see `agentsdisc formats`) instead of detecting it",
    )
    command.add_argument(
        "--url",
        metavar="URL",
        help="where the document was fetched from: helps to detect the format (default: the file's path)",
    )
    limit_options(command)


def limit_options(command: argparse.ArgumentParser) -> None:
    """The options for limits."""
    command.add_argument(
        "--max-bytes",
        type=size,
        metavar="N",
        help="largest document that is read, such as 4M (default: 1M)",
    )


def size(text: str) -> int:
    """A number of bytes, with K, M or G for powers of 1024."""
    number, factor = text.strip(), 1
    if number[-1:].upper() in {"K", "M", "G"}:
        factor = 1024 ** (1 + "KMG".index(number[-1].upper()))
        number = number[:-1]
    if (
        not (number.isascii() and number.isdigit())
        or not 0 < int(number) * factor < 2**32
    ):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no size: give bytes from 1 to 4G, such as 65536 or 4M"
        )
    return int(number) * factor


def limits(options: argparse.Namespace) -> Limits:
    """The limits that the options ask for."""
    if options.max_bytes is None:
        return Limits()
    return Limits(document=options.max_bytes)


class Closed(io.RawIOBase):
    """Standard output that is closed: for a command that has nothing to say, that is fine."""

    def writable(self) -> bool:
        """Whether it takes bytes: so it seems."""
        return True

    def write(self, _: Any) -> int:
        """Takes none."""
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "<stdout>")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command, and returns its exit code."""
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(Closed(), write_through=True)
    if sys.stderr is None:
        # Otherwise what is said would go to standard output.
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        # Documents hold any character, terminals and pipes often cannot show it.
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    options = parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except Unreadable as problem:
        print(f"agentsdisc: {problem}", file=sys.stderr)
        return CANNOT_READ
    except BrokenPipeError:
        # Whoever read our output has seen enough. Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as problem:
        print(f"agentsdisc: {Unreadable.of(problem)}", file=sys.stderr)
        return CANNOT_READ
    except ingest.Interrupted as end:
        print(f"agentsdisc: {end}", file=sys.stderr)
        return end.code
    except KeyboardInterrupt:
        print("agentsdisc: interrupted", file=sys.stderr)
        return INTERRUPTED


def entry() -> None:
    """What the installed program runs."""
    sys.exit(main())
