"""The command line `agentsdisc`.

Exit codes: 0 success; 1 `lint` found an error (with `--diff`: or a possible fix), a check of `check` fails, `convert` was refused, `decide`,
`tools`, `call` or `mcp` does not allow the request, `discover`, `search` or `inspect URL` found nothing, or `ingest` or
`registry build` lost a part of its inputs; 2 an input cannot be read, an output cannot be written, or the arguments
are invalid; 130 interrupted. A closed output does not change the exit code.
"""

import argparse
import sys
import traceback
from collections.abc import Sequence
from typing import Any, NoReturn

from .. import Limits, __version__
from .._extras import Missing
from ..cli import (
    calling,
    check,
    conformance,
    conversion,
    decision,
    discover,
    example,
    explain,
    formats,
    gateway,
    ingest,
    init,
    inspection,
    lint,
    model,
    offering,
    registry,
    search,
    session,
    signing,
)
from .reading import Unreadable
from .streams import guarded
from .terminal import tell, visible

OK, FINDINGS, CANNOT_READ, INTERRUPTED = 0, 1, 2, 130

_EPILOG = """\
exit codes:
  0  success
  1  lint found an error, a check of check fails, convert was refused, decide, tools, call or mcp does not allow
     the request, discover, search or inspect URL found nothing, or ingest or registry build
     lost a part of its inputs
  2  an input cannot be read, an output cannot be written, or the arguments are invalid
"""


class Parser(argparse.ArgumentParser):
    """Masks secrets and escapes hidden characters in messages."""

    mixes = False
    """Whether options may stand between positional arguments of which some are optional."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with the usage and the message."""
        super().error(visible(message))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses the arguments. Some versions of `parse_known_intermixed_args` call this method."""
        if not self.mixes:
            return super().parse_known_args(args, namespace)
        self.mixes = False
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self.mixes = True


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the whole command line."""
    top = Parser(
        prog="agentsdisc",
        description="Reads the documents by which web sites tell AI agents what they may do.",
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
        check,
        explain,
        conversion,
        init,
        decision,
        offering,
        search,
        calling,
        session,
        gateway,
        signing,
        ingest,
        registry,
        formats,
        conformance,
        example,
    ):
        module.register(commands)
    return top


def reading_options(command: argparse.ArgumentParser) -> None:
    """Adds the options of all commands that read documents."""
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
    """Adds the options for limits."""
    command.add_argument(
        "--max-bytes",
        type=size,
        metavar="N",
        help="size of the largest document to read, such as 4M (default: 1M)",
    )


def size(text: str) -> int:
    """Parses a number of bytes; K, M and G are powers of 1024."""
    number, factor = text.strip(), 1
    if number[-1:].upper() in {"K", "M", "G"}:
        factor = 1024 ** (1 + "KMG".index(number[-1].upper()))
        number = number[:-1]
    if (
        not (number.isascii() and number.isdigit())
        or not 0 < int(number) * factor < 2**32
    ):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a valid size; use 1 to 4G bytes, for example 65536 or 4M"
        )
    return int(number) * factor


def port(text: str) -> int:
    """Parses a port; 0 means a free one."""
    if not (text.isascii() and text.isdecimal() and int(text[:6]) <= 65535):
        raise argparse.ArgumentTypeError("give a port: 0 to 65535")
    return int(text)


def limits(options: argparse.Namespace) -> Limits:
    """Returns the limits in the options."""
    if options.max_bytes is None:
        return Limits()
    return Limits(document=options.max_bytes)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command, and returns its exit code."""
    with guarded() as (output, _):
        options = parser().parse_args(gateway.spelled(arguments))
        code = verdict(options)
        sys.stdout.flush()
        if output is None or output.problem is None or output.is_broken_pipe:
            return code
        # The exit code of a verdict does not depend on its text. Data that cannot be written is an error.
        if not (output.is_closed_stream and is_verdict(options)):
            tell(Unreadable.of(output.problem))
            code = code or CANNOT_READ
        return code


def verdict(options: argparse.Namespace) -> int:
    """Runs the command. Every failure becomes one line on standard error, and an exit code."""
    try:
        code: int = options.run(options)
        return code
    except (Unreadable, Missing) as problem:
        tell(problem)
        return CANNOT_READ
    except OSError as problem:
        tell(Unreadable.of(problem))
        return CANNOT_READ
    except ingest.Interrupted as end:
        tell(end)
        return end.code
    except KeyboardInterrupt:
        tell("interrupted")
        return INTERRUPTED
    except Exception:
        # A bug. No traceback: it shows values, which may be secrets from a document.
        for line in traceback.format_exc().splitlines():
            print(visible(line), file=sys.stderr)
        return CANNOT_READ


def is_verdict(options: argparse.Namespace) -> bool:
    """Whether the exit code is the result and the text explains it; otherwise the output is the result."""
    as_data = getattr(options, "json", False) or (
        getattr(options, "output_format", "text") != "text"
    )
    return options.command in _VERDICTS and not as_data


_VERDICTS = frozenset(
    {"check", "decide", "discover", "inspect", "lint", "mcp", "search", "tools"}
)


def entry() -> None:
    """Runs the installed program."""
    sys.exit(main())
