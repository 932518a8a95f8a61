"""Writes the pictures in docs/images: a recording of the command on the example site, and the chart of docs/performance.md. `--check`: compares."""

import html
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs/images"
PORT = 8000

COMMANDS = [
    "agentsdisc check http://127.0.0.1:8000 --allow-private",
    "agentsdisc decide http://127.0.0.1:8000 --agent MyBot --url /basket --allow-private",
    "agentsdisc decide http://127.0.0.1:8000 --agent MyBot --capability stocktake --allow-private",
]
SHOWN = {"check": (10, 1), "decide": (2, 0)}
"""How many lines of the output of each command are shown, at its beginning and at its end."""
COLOURS = {
    "pass": "#7fd894",
    "warn": "#ffc966",
    "fail": "#ff8a80",
    "unknown": "#8ab4f8",
    "allowed": "#7fd894",
    "not allowed": "#ff8a80",
}

CHARTS = [
    (
        "agents.json of 20 KB: all values read",
        "agents.json, from bytes to all values",
        "agents-json, 20 KB pretty",
        "agentsdisc read, unified",
        [
            "simdjson On-Demand by hand",
            "sonic-rs Value",
            "simd-json structs",
            "jiter by hand",
            "sonic-rs structs",
            "serde_json structs",
        ],
    ),
    (
        "robots.txt of 20 KB: one decision",
        "robots.txt, from bytes to one decision",
        "robots-txt, 20 KB",
        "agentsdisc",
        ["texting_robots", "robotstxt"],
    ),
]
"""The title of each chart, the table and the column of docs/performance.md, our row and the others."""


def recorded() -> list[str]:
    """Returns the lines of a terminal: the commands and what they print."""
    store = Path(tempfile.mkdtemp()) / "answers.sqlite3"
    known = os.environ | {"AGENTSDISC_CACHE": str(store), "NO_COLOR": "1"}
    server = subprocess.Popen(
        [sys.executable, "-m", "agentsdisc", "example", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    found = re.search(r":(\d+)$", server.stdout.readline().strip())
    assert found is not None
    lines = []
    for command in COMMANDS:
        name, *arguments = shlex.split(command.replace(f":{PORT}", f":{found[1]}"))
        done = subprocess.run(
            [sys.executable, "-m", name, *arguments],
            capture_output=True,
            text=True,
            env=known,
            check=False,
        )
        printed = done.stdout.replace(f":{found[1]}", f":{PORT}").splitlines()
        first, last = SHOWN[arguments[0]]
        lines += [f"$ {command}", *printed[:first]]
        if last:
            lines += ["…", *printed[-last:]]
        lines.append("")
    server.send_signal(signal.SIGINT)
    server.wait()
    return lines[:-1]


def terminal(lines: list[str]) -> str:
    """Returns the picture of a terminal. Its text can be read aloud and selected."""
    width, height, left, top = 8.4, 19, 16, 44
    columns = 104
    shown = [
        line if len(line) <= columns else f"{line[: columns - 1]}…" for line in lines
    ]
    rows = []
    for number, line in enumerate(shown):
        text = html.escape(line)
        if line.startswith("$ "):
            text = f'<tspan fill="#8ab4f8">$</tspan> <tspan fill="#fff">{html.escape(line[2:])}</tspan>'
        for word, colour in COLOURS.items():
            if re.match(rf"{word}\b", line):
                text = f'<tspan fill="{colour}">{word}</tspan>{html.escape(line[len(word) :])}'
        rows.append(
            f'<text x="{left}" y="{top + number * height}" xml:space="preserve">{text}</text>'
        )
    size = f'{columns * width + 2 * left:.0f}" height="{top + len(shown) * height}'
    bars = "".join(
        f'<circle cx="{20 + 18 * x}" cy="16" r="5.5" fill="#4a5262"/>' for x in range(3)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {size.replace(chr(34), "").replace(" height=", " ")}" width="{size}">\n'
        "<title>agentsdisc checks the example site, and decides about two requests</title>\n"
        '<rect width="100%" height="100%" rx="8" fill="#15181d"/>\n'
        f"{bars}\n"
        '<g fill="#d6dae2" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14">\n'
        + "\n".join(rows)
        + "\n</g>\n</svg>\n"
    )


def speeds(title: str, column: str) -> dict[str, float]:
    """Returns the speed of each row in a column of a table of docs/performance.md."""
    page = (ROOT / "docs/performance.md").read_text(encoding="utf-8")
    section = page.split(f"\n### {title}\n")[1].split("\n### ")[0]
    rows = [
        [cell.strip(" *") for cell in line.strip("|").split(" | ")]
        for line in section.splitlines()
        if line.startswith("|")
    ]
    place = rows[0].index(column)
    found = {}
    for row in rows[2:]:
        number = re.match(r"[\d.]+", row[place])
        if number:
            found[row[0].strip()] = float(number[0])
    return found


def chart() -> str:
    """Returns the chart: bars for our speed and that of others, the faster ones too."""
    left, width, height, top = 230, 380, 24, 0
    parts = []
    for title, table, column, ours, others in CHARTS:
        known = speeds(table, column)
        rows = sorted(((known[name], name) for name in [ours, *others]), reverse=True)
        parts.append(
            f'<text class="t" x="0" y="{top + 18}">{html.escape(title)}</text>'
        )
        top += 32
        for speed, name in rows:
            length = max(2, width * speed / rows[0][0])
            kind = "o" if name == ours else "p"
            label = "agentsdisc" if name == ours else name
            parts.append(
                f'<text class="n {kind}" x="{left - 10}" y="{top + 15}">{html.escape(label)}</text>'
                f'<rect class="{kind}" x="{left}" y="{top + 2}" width="{length:.0f}" height="{height - 7}" rx="2"/>'
                f'<text class="{kind}" x="{left + length + 8:.0f}" y="{top + 15}">{speed:,.0f}</text>'
            )
            top += height
        top += 20
    about = "MB/s on one core; longer is faster. Measured by `cargo xtask performance`."
    parts.append(f'<text x="0" y="{top - 2}">{about}</text>')
    # A background of its own: the picture is also shown on dark pages.
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="-20 -16 740 {top + 40}" width="740" height="{top + 40}">\n'
        "<title>Speed of agentsdisc and of other libraries</title>\n"
        "<style>text { font: 13px system-ui, sans-serif; fill: #4b5563 } .t { font-weight: 600; font-size: 15px; fill: #111827 } "
        ".n { text-anchor: end } rect.p { fill: #9aa4b5 } rect.o { fill: #3f51b5 } text.o { fill: #303f9f; font-weight: 600 }</style>\n"
        f'<rect x="-20" y="-16" width="740" height="{top + 40}" rx="8" fill="#fff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


if __name__ == "__main__":
    pictures = {"check.svg": terminal(recorded()), "performance.svg": chart()}
    for name, picture in pictures.items():
        if sys.argv[1:] == ["--check"]:
            if (IMAGES / name).read_text(encoding="utf-8") != picture:
                sys.exit(
                    f"docs/images/{name} is not up to date; run `cargo xtask site`"
                )
        else:
            (IMAGES / name).write_text(picture, encoding="utf-8")
