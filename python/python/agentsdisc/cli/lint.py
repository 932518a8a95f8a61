"""`agentsdisc lint`: reports violations of the specifications, for people, editors and pipelines."""

import argparse
import codecs
import json
import sys
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import Document, Limits
from .._visible import line_start, masked, starred
from .discover import hinted, http_options, is_url, shown_url
from .fixing import fix_file, show
from .reading import Broken, Unreadable, get, origin, shown_name, written
from .sarif import sarif
from .terminal import Style, tell, visible

if TYPE_CHECKING:
    from ..serving import Remark

_COLOUR = {"error": "red", "warning": "yellow", "info": "blue"}


@dataclass(frozen=True)
class Finding:
    """One problem in one file."""

    file: str
    line: int
    column: int
    offset: int
    end: int
    severity: str
    code: str
    message: str
    spec: str
    section: str
    source: str
    """The source line. `before` and `width` are the terminal columns before the span and in it."""
    before: int
    width: int
    character: int
    """The column in characters, from 1."""
    served: str | None = None
    """The header, perhaps empty, for a problem with how a document is served; such a problem has no line."""


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    from . import reading_options

    command: argparse.ArgumentParser = commands.add_parser(
        "lint",
        help="check documents against their specifications",
        description="Checks documents against their specifications. For a site, also checks how they are served. "
        "Exit code 1 if there is a finding of severity error, 2 if a document cannot be read.",
    )
    command.add_argument(
        "files",
        metavar="FILE|URL",
        nargs="+",
        help="documents, - for standard input, or the URL of a site, whose documents are requested and checked, and how they are served",
    )
    command.add_argument(
        "--output-format",
        choices=["text", "json", "sarif", "github"],
        default="text",
        help="text for people (the default), one JSON array, SARIF 2.1.0, or workflow commands for annotations on GitHub",
    )
    command.add_argument(
        "--origin",
        type=origin,
        metavar="ORIGIN",
        help="the origin of the documents, such as https://example.com; statements about other origins are reported",
    )
    command.add_argument(
        "--fix",
        action="store_true",
        help="first apply automatic fixes to agents.txt files, in place, and print the changes",
    )
    command.add_argument(
        "--diff",
        action="store_true",
        help="print the changes that --fix would make, without changing or checking anything; exit code 1 if there is a change",
    )
    reading_options(command)
    http_options(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Checks every file, and prints the findings."""
    from . import CANNOT_READ, FINDINGS, OK, limits

    bounds = limits(options)
    if (options.fix or options.diff) and any(map(is_url, options.files)):
        raise Unreadable(
            "--fix and --diff apply to files only; run them on the files of the site"
        )
    if (options.format or options.url) and all(map(is_url, options.files)):
        raise Unreadable("--format and --url apply to files only; remove them")
    if options.files.count("-") > 1:
        raise Unreadable("-: standard input can be read only once; name it once")
    if options.diff:
        return show(options, bounds)
    code = OK
    read: list[Read] = []

    def findings() -> Iterator[Finding]:
        nonlocal code
        for name in options.files:
            try:
                if options.fix:
                    fix_file(name, options, bounds)
                found = (
                    check_site(name, options, bounds)
                    if is_url(name)
                    else check(name, options, bounds, read)
                )
                for finding in found:
                    if finding.severity == "error":
                        unread = (
                            finding.served is not None and finding.code == "unreadable"
                        )
                        code = max(code, CANNOT_READ if unread else FINDINGS)
                    yield finding
            except Unreadable as problem:
                sys.stdout.flush()
                tell(problem)
                code = CANNOT_READ
                if isinstance(problem, Broken) and options.output_format != "text":
                    yield unparsed(problem)
        for finding in unaccompanied(read):
            if finding.severity == "error":
                code = max(code, FINDINGS)
            yield finding

    _WRITERS[options.output_format](findings())
    return code


@dataclass(frozen=True)
class Read:
    """A file that was checked."""

    name: str
    format: str
    needs_companion: bool
    advice: list[Finding]
    """The advice to create the agents.json that the document needs."""


def unaccompanied(read: list[Read]) -> Iterator[Finding]:
    """Yields what is wrong with each agents.txt 0.1 that needs an agents.json 0.1, but has none beside it."""
    beside = {(Path(one.name).parent, one.format): one.name for one in read}
    for one in read:
        folder = Path(one.name).parent
        if (folder, "agents-json-0.1") in beside:
            continue
        draft = beside.get((folder, "agents-json"))
        if draft is None:
            yield from one.advice
        elif one.needs_companion:
            yield Finding(
                file=shown_name(one.name),
                line=1,
                column=1,
                offset=0,
                end=0,
                severity="error",
                code="companion-missing",
                message=f"the document has sessions or an audit, but {shown_name(draft)} is an agents.json of the Internet-Draft; "
                "create one of version 0.1 with `agentsdisc convert --to agents-json-0.1`",
                spec="agents.txt 0.1.0",
                section="Notes",
                source="",
                before=0,
                width=1,
                character=1,
                served="",
            )


def check(
    name: str, options: argparse.Namespace, limits: Limits, read: list[Read]
) -> Iterator[Finding]:
    """Yields the findings in one document, and notes that it was read."""
    document, data = get(name, options, limits)
    one = Read(name, document.format, document.needs_companion(), [])
    read.append(one)
    for finding in in_document(shown_name(name), document, data, options.origin):
        if is_advice(document, finding):
            one.advice.append(finding)
        else:
            yield finding


def is_advice(document: Document, finding: Finding) -> bool:
    """Whether a finding advises to create an agents.json. The caller may know that there is one."""
    return document.needs_companion() and finding.code == "missing-recommended-field"


def in_document(
    name: str, document: Document, data: bytes, origin: str | None
) -> Iterator[Finding]:
    """Yields the findings in a parsed document."""
    data = starred(data, document.format)
    for found in document.check(origin):
        source, before, width = excerpt(data, found.offset, found.end)
        yield Finding(
            name,
            found.line,
            found.column,
            found.offset,
            found.end,
            found.severity,
            found.code,
            masked(found.message),
            found.spec,
            found.section,
            source,
            before,
            width,
            character(data, found.offset),
        )


def check_site(
    url: str, options: argparse.Namespace, limits: Limits
) -> Iterator[Finding]:
    """Yields the findings in the documents of a site, and in how they are served."""
    try:
        from .. import serving
        from ..discovery import Timeouts

        timeouts = (
            Timeouts() if options.timeout is None else Timeouts(total=options.timeout)
        )
        checked = serving.check(
            url,
            agent=options.user_agent or "*",
            user_agent=options.user_agent,
            timeouts=timeouts,
            limits=limits,
            allow_private=options.allow_private,
        )
    except (ImportError, ValueError) as problem:
        raise Unreadable(f"{shown_url(url)}: {visible(str(problem))}") from None
    if not checked.answered:
        why = "; ".join(
            sorted(
                {
                    remark.message.partition("; ")[0]
                    for remark in checked.remarks
                    if remark.code == "refused"
                }
            )
        )
        raise Unreadable(visible(f"{url}: the site does not answer: {hinted(why)}"))
    for remark in checked.remarks:
        yield about_serving(remark)
    formats = {document.format for _, document in checked.documents}
    for name, document in checked.documents:
        origin = options.origin or checked.origin
        for finding in in_document(name, document, document.bytes, origin):
            if "agents-json-0.1" not in formats or not is_advice(document, finding):
                yield finding


def about_serving(remark: "Remark") -> Finding:
    """Returns a remark on how a document is served as a finding; with a line if it has a position."""
    spot = next((spot for spot in remark.spots if spot.url == remark.url), None)
    line, column, offset, end = (
        (spot.line, spot.column, spot.offset, spot.end) if spot else (1, 1, 0, 0)
    )
    return Finding(
        remark.url,
        line,
        column,
        offset,
        end,
        remark.severity,
        remark.code,
        masked(remark.message),
        remark.spec,
        remark.section,
        "",
        0,
        1,
        column,
        masked(remark.header or ""),
    )


def unparsed(problem: Broken) -> Finding:
    """Returns a document that cannot be read as a finding."""
    error = problem.error
    offset = min(error.offset, len(problem.data))
    source, before, _ = excerpt(starred(problem.data, None), offset, offset)
    if masked(source) != source:
        source, before = masked(source), 0
    return Finding(
        problem.name,
        error.line,
        error.column,
        offset,
        offset,
        "error",
        error.kind,
        masked(str(error)),
        "agentsdisc",
        "",
        source,
        before,
        1,
        character(problem.data, offset),
    )


def character(data: bytes, offset: int) -> int:
    """Returns the column of an offset in characters, from 1; in bytes if the line is very long."""
    begin = line_start(data, offset)
    if begin == 0 and data.startswith(codecs.BOM_UTF8):
        # A byte order mark: neither editors nor SARIF count it.
        begin = min(len(codecs.BOM_UTF8), offset)
    if offset - begin > 1 << 16:
        return offset - begin + 1
    return len(data[begin:offset].decode("utf-8", "replace")) + 1


def excerpt(data: bytes, start: int, end: int) -> tuple[str, int, int]:
    """Returns the line of a span, the terminal columns before the span and in it; cuts a long line around the span."""
    begin = max(line_start(data, start), start - 60)
    while begin < start and 0x80 <= data[begin] < 0xC0:  # inside a character
        begin += 1
    ends = [at for at in (data.find(b"\n", start), data.find(b"\r", start)) if at >= 0]
    stop = min([*ends, start + 120, len(data)])
    while stop < len(data) and stop > start and 0x80 <= data[stop] < 0xC0:
        stop -= 1
    shown = [
        visible(part.decode("utf-8", "replace").replace("\t", " "))
        for part in (
            data[begin:start],
            data[start : min(end, stop)],
            data[max(start, min(end, stop)) : stop],
        )
    ]
    return "".join(shown), cells(shown[0]), max(1, cells(shown[1]))


def cells(text: str) -> int:
    """Returns the number of terminal columns of a text."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def write_text(findings: Iterator[Finding]) -> None:
    """Writes text for people: position, severity, code, message, and the line with a caret."""
    style = Style()
    counts: dict[str, int] = {}
    for found in findings:
        counts[found.severity] = counts.get(found.severity, 0) + 1
        place = f"{visible(found.file)}:"
        if found.served is None:
            place += f"{found.line}:{found.column}:"
        severity = style(
            f"{found.severity}[{found.code}]", "bold", _COLOUR[found.severity]
        )
        spec = f" ({found.spec}{', section ' + found.section if found.section else ''})"
        print(
            f"{style(place, 'bold')} {severity}: {visible(found.message)}{style(spec, 'dim')}"
        )
        if found.served is not None:
            if found.served:
                print(f"{style('|', 'blue')} {visible(found.served)}")
            continue
        number = str(found.line)
        caret = " " * found.before + "^" * found.width
        print(f"{style(f'{number} |', 'blue')} {found.source}")
        margin = style(" " * len(number) + " |", "blue")
        print(f"{margin} {style(caret, _COLOUR[found.severity])}")
    if counts:
        names = [name for name in ("error", "warning", "info") if name in counts]
        said = (f"{counts[n]} {n}{'s' if counts[n] > 1 else ''}" for n in names)
        print(", ".join(said))


def as_json(found: Finding) -> dict[str, object]:
    """Returns a finding as plain values."""
    return {"file": written(found.file)} | {
        name: getattr(found, name)
        for name in (
            "line",
            "column",
            "offset",
            "end",
            "severity",
            "code",
            "message",
            "spec",
            "section",
        )
    }


def write_json(findings: Iterator[Finding]) -> None:
    """Writes one JSON array, with one finding per line."""
    first = True
    print("[", end="")
    for found in findings:
        text = json.dumps(as_json(found))
        print(("\n" if first else ",\n") + text, end="")
        first = False
    print("]" if first else "\n]")


def write_sarif(findings: Iterator[Finding]) -> None:
    """Writes SARIF 2.1.0, for code scanning services and editors."""
    results = [
        as_json(found) | {"file": found.file, "character": found.character}
        for found in findings
    ]
    print(json.dumps(sarif(results), indent=2))


def write_github(findings: Iterator[Finding]) -> None:
    """Writes workflow commands, which GitHub shows as annotations."""

    def value(text: object) -> str:
        # Escapes line breaks, so that GitHub finds the file by its name.
        escapes = {"%": "%25", "\r": "%0D", "\n": "%0A"}
        return "".join(escapes.get(c) or visible(c) for c in str(text))

    def parameter(text: object) -> str:
        return value(text).replace(":", "%3A").replace(",", "%2C")

    kinds = {"error": "error", "warning": "warning", "info": "notice"}
    for found in findings:
        print(
            f"::{kinds[found.severity]} file={parameter(found.file)},line={found.line},col={found.character},"
            f"title={parameter(found.code)}::{value(found.message)}"
        )


_WRITERS: dict[str, Callable[[Iterator[Finding]], None]] = {
    "text": write_text,
    "json": write_json,
    "sarif": write_sarif,
    "github": write_github,
}
