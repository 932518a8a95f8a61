"""Shows what the library finds in a folder of documents, and how fast it reads them. Part of `cargo xtask demo`."""

import sys
import time
import unicodedata
from pathlib import Path

import agentsdisc

COLUMNS = ("document", "format", "service", "capabilities", "agents", "findings")


def row(name: str, data: bytes) -> tuple[str, ...]:
    """What one document holds; for one that cannot be read, why and where."""
    try:
        document = agentsdisc.parse(data)
    except agentsdisc.ParseError as error:
        return (
            name,
            agentsdisc.detect(data),
            f"{error.kind}, line {error.line}, column {error.column}",
            "",
            "",
            "",
        )
    findings: dict[str, int] = {}
    for diagnostic in document.check():
        severity = str(diagnostic.severity)
        findings[severity] = findings.get(severity, 0) + 1
    service = document.service
    return (
        name,
        str(document.format),
        str((service and service.name) or ""),
        str(len(document.capabilities or ())),
        str(len(document.agents or ())),
        ", ".join(
            f"{findings[severity]} {severity}"
            for severity in ("error", "warning", "info")
            if severity in findings
        ),
    )


def shown(text: str, width: int) -> str:
    """The text without what a terminal would obey, cut and padded to a width."""
    text = "".join(c if c.isprintable() else "?" for c in text)
    if columns(text) > width:
        while columns(text) >= width:
            text = text[:-1]
        text += "…"
    return text + " " * (width - columns(text))


def columns(text: str) -> int:
    """How many columns of a terminal the text takes: wide characters take two, combining ones none."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) != 0 for c in text)


def main() -> None:
    folder = Path(sys.argv[1])
    documents = [
        (str(path.relative_to(folder)), path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    rows = [row(name, data) for name, data in documents]
    widths = [
        min(44, max(columns(line[i]) for line in [COLUMNS, *rows]))
        for i in range(len(COLUMNS))
    ]
    for line in [COLUMNS, tuple("-" * width for width in widths), *rows]:
        print(
            "  ".join(
                shown(cell, width) for cell, width in zip(line, widths, strict=True)
            ).rstrip()
        )

    # Reading alone, in memory, on one core: the table above spends its time on starting Python and on printing.
    readable = [
        data for (_, data), line in zip(documents, rows, strict=True) if line[3]
    ]
    if not readable:
        return
    rounds, started = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - started) < 0.5:
        for data in readable:
            agentsdisc.parse(data)
        rounds += 1
    size = sum(map(len, readable)) * rounds
    print(
        f"\n{len(documents)} documents, {len(readable)} of them readable. Parsing those from Python, one after another: "
        f"{len(readable) * rounds / elapsed:,.0f} documents/s, {size / elapsed / 1e6:,.0f} MB/s on one core."
    )


if __name__ == "__main__":
    main()
