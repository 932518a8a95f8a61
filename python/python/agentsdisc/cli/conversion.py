"""`agentsdisc convert`: converts a document into another format, and reports the losses."""

import argparse
import contextlib
import re
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .. import (
    Converted,
    ConvertError,
    Document,
    Limits,
    Loss,
    ParseError,
    __version__,
    parse,
)
from .._facts import FACTS
from .._visible import Keys, keys_in
from .reading import Unreadable, get, origin, shown_name
from .terminal import Style, tell, visible
from .writing import put

_COLOUR = {"error": "red", "warning": "yellow", "info": "blue"}
TARGETS = (*(facts.name for facts in FACTS.values() if facts.is_target), "json")


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import reading_options

    command: argparse.ArgumentParser = commands.add_parser(
        "convert",
        help="convert a document into another format",
        description="Converts a document into another format. Standard error lists the losses with their positions, and the required values of the "
        "target format that the document lacks. Exit code 1, without output, if the result would allow agents more than the document does, or if "
        "--strict is given and a value is lost; 2 if the document cannot be read or cannot be converted to this format.",
    )
    command.add_argument(
        "file", metavar="FILE", help="a document, or - for standard input"
    )
    command.add_argument(
        "--to",
        metavar="FORMAT",
        required=True,
        choices=TARGETS,
        help="agents-txt or agents-json of the Internet-Draft; agents-txt-0.1 or agents-json-0.1 for a document of 0.1; agents-md; llms-txt; awp for agent.json of the Agent Web Protocol; adp and adp-capability for the manifest and a detail of the Agent Discovery Protocol; robots-txt for a robots.txt whose AI preferences stand in both Content-Signal and Content-Usage; json for the unified model",
    )
    command.add_argument(
        "-o", "--output", metavar="OUT", help="file to write (default: standard output)"
    )
    command.add_argument(
        "--origin",
        type=origin,
        metavar="ORIGIN",
        help="the origin of the document, such as https://example.com; used as the URL of the site if the document states none",
    )
    command.add_argument(
        "--compact", action="store_true", help="write JSON on one line"
    )
    command.add_argument(
        "--loosen",
        action="store_true",
        help="drop the restrictions that the target cannot express: those of a capability (confirmation by a person, effect class, a second "
        "rate limit), which is otherwise omitted, and those of the site (what an agents.md forbids, rate limits), without which nothing is written",
    )
    native_option(command)
    details_option(command)
    command.add_argument(
        "--capability",
        metavar="NAME",
        help="the capability that an adp-capability describes (default: the only one)",
    )
    command.add_argument(
        "--strict",
        action="store_true",
        help="write nothing if a value is lost that affects agents",
    )
    reading_options(command)
    command.set_defaults(run=run)


def native_option(command: argparse.ArgumentParser) -> None:
    """Adds the option for an agent.json that its owner publishes."""
    command.add_argument(
        "--native",
        action="store_true",
        help="the owner of the site publishes the agent.json; otherwise one that is made from another document says that it is synthetic, "
        "with the tool, the time, and the share of actions that are fully described",
    )


def details_option(command: argparse.ArgumentParser) -> None:
    """Adds the option for the details of a manifest."""
    command.add_argument(
        "--details",
        metavar="FOLDER",
        help="also write the details of an adp below this folder, which is the root of the site: /capabilities/NAME.json",
    )


_DETAIL = re.compile(r"/capabilities/[A-Za-z0-9_-]+\.json")
_MANIFEST = Limits(document=64 << 20)


def details_of(
    document: Document, manifest: Converted, options: argparse.Namespace, **given: Any
) -> dict[str, Converted]:
    """Returns the details that `--details` asks for, by their paths on the site."""
    if options.details is None:
        return {}
    if options.to != "adp" or document.format == "adp":
        raise Unreadable(
            "--details needs --to adp, and a document that is no manifest itself"
        )
    details: dict[str, Converted] = {}
    for one in parse(manifest, format="adp", limits=_MANIFEST).capabilities:
        path = one.detail_url or ""
        if not _DETAIL.fullmatch(path) or path in details:
            raise Unreadable(
                f"the capability {visible(repr(one.id))} has no file for its detail: give it a name of its own, of letters, digits and `_`"
            )
        details[path] = document.convert("adp-capability", capability=one.id, **given)
    return details


def file_of(folder: str, path: str) -> Path:
    """Returns the file of a detail."""
    return Path(folder) / path.removeprefix("/")


def put_details(folder: str, details: dict[str, Converted]) -> None:
    """Writes the details below a folder."""
    for path, data in details.items():
        file = file_of(folder, path)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise Unreadable.of(problem, str(file.parent)) from None
        put(str(file), data if data.endswith(b"\n") else data + b"\n")


def losses_of(manifest: Converted, details: Iterable[Converted]) -> tuple[Loss, ...]:
    """Returns what neither a manifest nor its details express; of a document alone, all its losses."""
    details = list(details)
    if not details:
        return manifest.losses
    found: dict[tuple[str, str], Loss] = {}
    for loss in (loss for one in (manifest, *details) for loss in one.losses):
        if loss.reason != "elsewhere":
            found.setdefault((loss.path, loss.reason), loss)
    return tuple(sorted(found.values(), key=lambda loss: (loss.offset, loss.end)))


def origin_of(options: argparse.Namespace, document: Document) -> dict[str, Any]:
    """Returns what an agent.json states about where it comes from."""
    if options.native or options.to != "awp" or document.format == "awp":
        return {}
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return {"generated_by": f"agentsdisc {__version__}", "last_verified": now}


def run(options: argparse.Namespace) -> int:
    """Converts one document."""
    from . import FINDINGS, OK, limits

    if is_same(options.file, options.output):
        raise Unreadable(
            f"{visible(options.output)}: the output is the input file; name another file"
        )
    document, source = get(options.file, options, limits(options))
    keys = keys_in(source)
    name = shown_name(options.file)
    if options.capability is not None and options.to != "adp-capability":
        raise Unreadable("--capability needs --to adp-capability")
    given: dict[str, Any] = {
        "origin": options.origin,
        "pretty": not options.compact,
        "loosen": options.loosen,
    }
    try:
        converted = document.convert(
            options.to,
            **given,
            **origin_of(options, document),
            capability=options.capability,
        )
        details = details_of(document, converted, options, **given)
    except ConvertError as error:
        if not error.losses:
            raise Unreadable(f"{visible(name)}: {visible(str(error), keys)}") from None
        report_losses(name, error.losses, keys)
        tell(
            f"{name}: not written, because the result would allow agents more than the document does"
        )
        return FINDINGS
    losses = losses_of(converted, details.values())
    report_losses(name, losses, keys)
    if options.strict and any(loss.severity != "info" for loss in losses):
        tell(f"{name}: not written, because of the losses above (--strict)")
        return FINDINGS
    data = bytes(converted)
    if options.to != "json":
        report_errors(name, data, options.to, options.origin, keys)
    report_errors_of(name, details, keys)
    put_details(options.details, details)
    put(options.output, data if data.endswith(b"\n") else data + b"\n")
    return OK


# The largest number of errors in the result to print; `lint` prints all.
_MAX_ERRORS = 5


def report_errors(
    name: str, data: bytes, to: str, origin: str | None, keys: Keys
) -> None:
    """Prints the errors in the result, such as required values that the document lacks."""
    print_errors(name, errors_in(data, to, origin), keys)


def report_errors_of(name: str, details: dict[str, Converted], keys: Keys) -> None:
    """Prints the errors in the details of a manifest."""
    print_errors(
        name,
        [
            f"{path}: {error}"
            for path, data in details.items()
            for error in errors_in(data, "adp-capability", None)
        ],
        keys,
    )


def errors_in(data: bytes, to: str, origin: str | None) -> list[str]:
    """Returns the errors in a result."""
    try:
        found = parse(data, format=to).check(origin)
    except ParseError as error:
        return [f"{error}"]
    return [f"line {d.line}: {d.message}" for d in found if d.severity == "error"]


def print_errors(name: str, errors: list[str], keys: Keys) -> None:
    """Prints the first errors, and the number of the others."""
    for message in errors[:_MAX_ERRORS]:
        tell(f"{name}: correct this in the output: {visible(message, keys)}")
    if more := len(errors[_MAX_ERRORS:]):
        tell(f"{name}: {more} more errors; `agentsdisc lint` prints all")


def is_same(source: str, output: str | None) -> bool:
    """Whether the output would replace the input, whose comments and lost values cannot be restored."""
    if source == "-" or output in {None, "-"}:
        return False
    with contextlib.suppress(OSError, ValueError):
        return Path(source).is_file() and Path(source).samefile(output)
    return False


def report_losses(name: str, losses: tuple[Loss, ...], keys: Keys) -> None:
    """Prints one line for each loss."""
    style = Style(sys.stderr)
    for loss in losses:
        place = style(f"{visible(name)}:{loss.line}:{loss.column}:", "bold")
        severity = style(
            f"{loss.severity}[{loss.reason}]", "bold", _COLOUR[loss.severity]
        )
        print(f"{place} {severity}: {visible(loss.message, keys)}", file=sys.stderr)
