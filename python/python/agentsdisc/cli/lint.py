"""`agentsdisc lint`: reports violations of the specifications, for people, editors and pipelines."""

import argparse
import codecs
import itertools
import json
import sys
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import Document, Limits, detect
from .._companion import described, not_compared
from .._facts import FACTS
from .._github import annotation
from .._visible import line_start, masked, starred
from .discover import hinted, http_options, is_url, shown_url
from .explain import checked
from .fixing import fix_file, show
from .reading import Broken, Unreadable, get, origin, shown_name, written
from .sarif import sarif
from .terminal import Style, tell, visible

if TYPE_CHECKING:
    from ..serving import Remark

_SEVERITIES = ("info", "warning", "error")
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
        "Exit code 1 if there is a finding of severity error (see --fail-on), 2 if a document cannot be read.",
    )
    command.add_argument(
        "files",
        metavar="FILE|FOLDER|URL",
        nargs="+",
        help="documents, - for standard input, folders with the files of a site, or the URL of a site, whose documents are requested and "
        "checked, and how they are served; of an agents.txt and its agents.json, also whether they agree",
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
    command.add_argument(
        "--select",
        type=code_list,
        action="extend",
        metavar="CODES",
        help="report only findings with these codes, separated by commas (`agentsdisc explain` lists them)",
    )
    command.add_argument(
        "--ignore",
        type=code_list,
        action="extend",
        default=[],
        metavar="CODES",
        help="report no findings with these codes; they do not count for the exit code either",
    )
    command.add_argument(
        "--fail-on",
        choices=list(_SEVERITIES),
        default="error",
        metavar="SEVERITY",
        help="exit with 1 if there is a finding of this severity or a higher one: error (the default), warning or info",
    )
    reading_options(command)
    http_options(command)
    command.set_defaults(run=run)


def code_list(text: str) -> list[str]:
    """Returns the codes in an option."""
    try:
        return [checked(code.strip()) for code in text.split(",") if code.strip()]
    except Unreadable as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


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
    options.files = [name for given in options.files for name in files_of(given)]
    if options.diff:
        return show(options, bounds)
    code = OK
    read: list[Read] = []

    def is_wanted(finding: Finding) -> bool:
        selected = options.select is None or finding.code in options.select
        return selected and finding.code not in options.ignore

    def fails(finding: Finding) -> bool:
        least = _SEVERITIES.index(options.fail_on)
        return _SEVERITIES.index(finding.severity) >= least

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
                for finding in filter(is_wanted, found):
                    if fails(finding):
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
        beside = [*compared(read), *unaccompanied(read)]
        for finding in filter(is_wanted, beside):
            if fails(finding):
                code = max(code, FINDINGS)
            yield finding

    _WRITERS[options.output_format](findings())
    return code


@dataclass(frozen=True)
class Read:
    """A file that was checked."""

    name: str
    format: str
    document: Document
    data: bytes
    advice: list[Finding]
    """The advice to create the agents.json that the document needs."""


def files_of(name: str) -> list[str]:
    """Returns the files of a site in a folder: those at the locations of documents, and below its `.well-known`."""
    if name == "-" or is_url(name) or not Path(name).is_dir():
        return [name]
    folder = Path(name)
    if folder.name == ".well-known":
        folder = folder.parent
    paths = {
        path.removeprefix("/")
        for facts in FACTS.values()
        if facts.is_read
        for path in (*facts.locations, *facts.also_at)
    }
    found = sorted(str(folder / path) for path in paths if (folder / path).is_file())
    # Otherwise the documents in a folder of another layout.
    found = found or sorted(str(path) for path in folder.iterdir() if is_document(path))
    if not found:
        raise Unreadable(
            f"{visible(name)}: the folder has no document for agents, such as .well-known/agents.txt"
        )
    return found


def is_document(path: Path) -> bool:
    """Whether a file in a folder is a document of a format that is read."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return FACTS[detect(file.read(1 << 20))].is_read
    except OSError:
        return False


def compared(read: list[Read]) -> Iterator[Finding]:
    """Yields in what each agents.txt differs from the agents.json beside it, or from the only one."""
    for one in read:
        if not one.format.startswith("agents-txt"):
            continue
        wanted = one.format.replace("txt", "json")
        fitting = [other for other in read if other.format == wanted]
        folder = Path(one.name).parent
        beside = [other for other in fitting if Path(other.name).parent == folder]
        if not beside and sum(other.format == one.format for other in read) == 1:
            beside = fitting if len(fitting) == 1 else []
        for other in beside[:1]:
            yield from disagreement(one, other)


def disagreement(one: Read, other: Read) -> Iterator[Finding]:
    """Yields in what two documents of one site differ."""
    names = shown_name(one.name), shown_name(other.name)
    found = described((names[0], one.document), (names[1], other.document))
    for each, message, severity in found:
        side, name, place = (
            (one, names[0], each.first)
            if each.first is not None
            else (other, names[1], each.second)
        )
        offset, end = (place.offset, place.end) if place is not None else (0, 0)
        source, before, width = excerpt(side.data, offset, end)
        yield Finding(
            name,
            place.line if place is not None else 1,
            place.column if place is not None else 1,
            offset,
            end,
            severity or "error",
            "companion-differs",
            masked(message),
            "draft-car-agents-txt-wellknown-00"
            if one.format == "agents-txt"
            else "agents.txt 0.1.0",
            "3.2" if one.format == "agents-txt" else "Notes",
            source,
            before,
            width,
            character(side.data, offset),
        )
    if not found.complete:
        yield Finding(
            file=names[0],
            line=1,
            column=1,
            offset=0,
            end=0,
            severity="info",
            code="not-compared",
            message=not_compared(names[1]),
            spec="agentsdisc",
            section="",
            source="",
            before=0,
            width=1,
            character=1,
            served="",
        )


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
        elif one.document.needs_companion():
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
    document, data = get(name, options, limits, by_name=True)
    one = Read(name, document.format, document, starred(data, document.format), [])
    read.append(one)
    for finding in in_document(shown_name(name), document, one.data, options.origin):
        if is_advice(document, finding):
            one.advice.append(finding)
        else:
            yield finding


def is_advice(document: Document, finding: Finding) -> bool:
    """Whether a finding advises to create an agents.json. The caller may know that there is one."""
    return document.needs_companion() and finding.code == "missing-recommended-field"


def in_document(
    name: str,
    document: Document,
    data: bytes,
    origin: str | None,
    received_from: str | None = None,
) -> Iterator[Finding]:
    """Yields the findings in a parsed document. `data` are its bytes without secrets."""
    for found in document.check(origin, received_from=received_from):
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
    except ValueError as problem:
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
        # Nothing is encrypted on this machine.
        if (remark.code, remark.severity) != ("insecure-transport", "info"):
            yield about_serving(remark)
    formats = {document.format for _, document in checked.documents}
    for name, document in checked.documents:
        origin = options.origin or checked.origin
        data = starred(document.bytes, document.format)
        for finding in in_document(name, document, data, origin, checked.origin):
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
    """Writes text for people: position, severity, code, message, and the line with a caret; equal findings once."""
    style = Style()
    counts: dict[str, int] = {}
    # Findings about how documents are served often are the same for every location.
    for _, several in itertools.groupby(
        findings, lambda found: found.file if found.served is None else None
    ):
        groups: dict[tuple[object, ...], list[Finding]] = {}
        for found in several:
            counts[found.severity] = counts.get(found.severity, 0) + 1
            equal = (found.severity, found.code, found.message, found.served)
            groups.setdefault(equal, []).append(found)
        for first, *others in groups.values():
            write_finding(first, style)
            if others:
                places = [place_of(found, first) for found in others[:_PLACES]]
                more = (
                    f" and {len(others) - _PLACES} more"
                    if len(others) > _PLACES
                    else ""
                )
                same = f"  the same at {', '.join(places)}{more}"
                print(style(visible(same), "dim"))
    if counts:
        names = [name for name in ("error", "warning", "info") if name in counts]
        said = (f"{counts[n]} {n}{'s' if counts[n] > 1 else ''}" for n in names)
        print(", ".join(said))


_PLACES = 20
"""The largest number of places that are listed for equal findings."""


def place_of(found: Finding, first: Finding) -> str:
    """Returns the position of a finding that equals an earlier one."""
    if found.served is None:
        return f"{found.line}:{found.column}"
    return found.file if found.file != first.file else f"line {found.line}"


def write_finding(found: Finding, style: Style) -> None:
    """Writes one finding."""
    place = f"{visible(found.file)}:"
    if found.served is None:
        place += f"{found.line}:{found.column}:"
    severity = style(f"{found.severity}[{found.code}]", "bold", _COLOUR[found.severity])
    spec = f" ({found.spec}{', section ' + found.section if found.section else ''})"
    print(
        f"{style(place, 'bold')} {severity}: {visible(found.message)}{style(spec, 'dim')}"
    )
    if found.served is not None:
        if found.served:
            print(f"{style('|', 'blue')} {visible(found.served)}")
        return
    number = str(found.line)
    caret = " " * found.before + "^" * found.width
    print(f"{style(f'{number} |', 'blue')} {found.source}")
    margin = style(" " * len(number) + " |", "blue")
    print(f"{margin} {style(caret, _COLOUR[found.severity])}")


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
    kinds = {"error": "error", "warning": "warning", "info": "notice"}
    for found in findings:
        print(
            annotation(
                kinds[found.severity],
                found.message,
                file=found.file,
                line=found.line,
                col=found.character,
                title=found.code,
            )
        )


_WRITERS: dict[str, Callable[[Iterator[Finding]], None]] = {
    "text": write_text,
    "json": write_json,
    "sarif": write_sarif,
    "github": write_github,
}
