"""Runs the cases of the kit against an implementation: `python3 conformance/kit --adapter COMMAND`.

Needs Python 3.10 or newer, and nothing else. `../README.md` describes the adapter.
"""

import argparse
import io
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from adapter import Adapter, Broken
from cases import LEVELS, TASKS, Case, cases
from reports import WRITERS, Run
from running import Claims, failures, run

ROOT = Path(__file__).resolve().parents[1]

OK, FAILED, CANNOT_RUN = 0, 1, 2


def main(arguments: "list[str] | None" = None) -> int:
    """Runs the command, and returns its exit code."""
    options = _parser().parse_args(arguments)
    version = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
    adapter = None
    try:
        adapter = Adapter(options.adapter, options.timeout)
        claims = Claims.of(adapter.hello())
        results = list(
            run(adapter, claims, _chosen(options), by_path=options.documents == "path")
        )
    except Broken as broken:
        print(f"conformance: the adapter cannot be used: {broken}", file=sys.stderr)
        return CANNOT_RUN
    finally:
        if adapter is not None:
            adapter.close()
    if not results:
        print("conformance: the adapter claims none of these cases", file=sys.stderr)
        return CANNOT_RUN
    text = WRITERS[options.output_format](Run(version, claims, results))
    if options.output:
        try:
            Path(options.output).write_text(text, encoding="utf-8")
        except OSError as error:
            print(f"conformance: {error}", file=sys.stderr)
            return CANNOT_RUN
    else:
        if isinstance(sys.stdout, io.TextIOWrapper):
            # XML says so, and an adapter may have any name.
            sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.write(text)
    levels = LEVELS[: LEVELS.index(options.fail_on) + 1]
    return FAILED if any(failures(results, level) for level in levels) else OK


def _chosen(options: argparse.Namespace) -> "Iterator[Case]":
    for case in cases(ROOT, options.only or ()):
        if not options.task or case.task in options.task:
            yield case


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= threading.TIMEOUT_MAX:
        raise argparse.ArgumentTypeError(f"{text} is no time for an answer")
    return seconds


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="conformance",
        description="Runs the cases of the kit against an implementation.",
        epilog="exit codes: 0 passed; 1 a case failed; 2 the adapter cannot be used",
    )
    parser.add_argument(
        "--adapter",
        required=True,
        metavar="COMMAND",
        help="the command that starts the adapter",
    )
    parser.add_argument("--task", action="append", choices=TASKS, help="only this task")
    parser.add_argument(
        "--only",
        action="append",
        metavar="BEGIN",
        help="only the cases whose id begins so",
    )
    parser.add_argument(
        "--documents",
        choices=("inline", "path"),
        default="inline",
        help="whether documents are passed as base64 or as the path of a file (default: inline)",
    )
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=10.0,
        metavar="SECONDS",
        help="for an answer (default: 10)",
    )
    parser.add_argument(
        "--fail-on",
        choices=LEVELS,
        default="must",
        help="the lowest level whose failures count (default: must)",
    )
    parser.add_argument("--output-format", choices=WRITERS, default="text")
    parser.add_argument(
        "--output", metavar="FILE", help="instead of the standard output"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
