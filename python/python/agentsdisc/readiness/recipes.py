"""How to correct what is wrong with how a site is served, for the host that serves it.

`recipes.json` has the text for each host: which files in a folder and which headers of answers identify it, the file to edit, and what to write there for
each need. `needs` says which checks have it. Placeholders: `%PATH%`, `%NAME%` (its last part), `%TYPE%` (the media type), `%LINK%` (a value of `Link`).
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from .._facts import FACTS
from .report import Check, Evidence, Report

_MOST = 1 << 20
"""The number of bytes of a file of a host that are read."""


@cache
def recipes() -> dict[str, Any]:
    """Returns the content of `recipes.json`."""
    text = (files(__package__) / "recipes.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@dataclass(frozen=True, slots=True)
class Server:
    """What serves a site."""

    id: str
    """The host, such as `nginx`."""
    title: str
    edit: str
    """What to edit: a file, or a description of the place."""
    recipes: Mapping[str, list[str]]
    """What to write for each need."""

    @property
    def file(self) -> str | None:
        """The file to edit; None if it has no fixed name."""
        return self.edit if " " not in self.edit else None


def host_of_folder(folder: Path) -> Server | None:
    """Returns the host for which a folder, or the project around it, has files. A `_headers` alone means one that reads it."""
    around = (folder, folder.parent)
    for id, about in recipes()["hosts"].items():
        if any((place / name).is_file() for place in around for name in about["files"]):
            return server(id)
    if any((folder / name).is_file() for name in ("_headers", "_redirects")):
        return server("netlify")
    named = " ".join(_dependencies(place) for place in around)
    for id, about in recipes()["hosts"].items():
        if any(
            re.search(rf"(?<![\w/@-]){p}(?![\w/-])", named) for p in about["packages"]
        ):
            return server(id)
    return None


def _dependencies(place: Path) -> str:
    """Returns the names in the files that list the packages of a project."""
    found = ""
    for name in ("package.json", "requirements.txt", "pyproject.toml"):
        try:
            with (place / name).open("rb") as file:
                text = file.read(_MOST).decode("utf-8", "replace")
        except OSError:
            continue
        if name == "package.json":
            try:
                read = json.loads(text)
            except (ValueError, RecursionError):
                continue
            parts = read.get("dependencies") if isinstance(read, dict) else None
            text = " ".join(parts) if isinstance(parts, dict) else ""
        found += f" {text.lower()}"
    return found


def host_of_headers(headers: Iterable[tuple[str, str]]) -> Server | None:
    """Returns the host that the headers of an answer name. A service in front of a server comes first."""
    sent = {name.lower(): value for name, value in headers}
    for id, about in recipes()["hosts"].items():
        for name, pattern in about["headers"].items():
            if name in sent and re.search(pattern, sent[name], re.IGNORECASE):
                return server(id)
    return None


def server(id: str) -> Server:
    """Returns a host by its id."""
    about = recipes()["hosts"][id]
    return Server(id, about["title"], about["edit"], about["recipes"])


def with_recipes(report: Report, host: Server | None, folder: Path | None) -> Report:
    """Returns the report with what to write for the host in the fix of each check that needs it, and with file and line in its evidence."""
    if host is None:
        return report
    checks = (_corrected(check, host, folder) for check in report.checks)
    return replace(report, checks=tuple(checks))


def _corrected(check: Check, host: Server, folder: Path | None) -> Check:
    need = next(
        (name for name, ids in recipes()["needs"].items() if check.id in ids), None
    )
    if need is None or check.status not in {"fail", "warn"}:
        return check
    paths = _paths(check) if need == "headers" else ["/"]
    if not paths:
        return check
    text = "\n".join(recipe(host, need, path) for path in paths[:_SHOWN])
    place = f"{host.title}, in {host.edit}"
    evidence = check.evidence
    if folder is not None and host.file is not None:
        line, is_there = _line(folder, host.file, paths[0])
        place += f", line {line}"
        if is_there:
            told = Evidence(
                file=_name(folder, host.file), line=line, text="what to edit"
            )
            evidence += (told,)
    fix = "" if check.fix is None else f"{check.fix}\n\n"
    return replace(check, evidence=evidence, fix=f"{fix}{place}:\n{text}")


_SHOWN = 5
"""The maximum number of documents for which the text is shown."""

_ABOUT_HEADERS = re.compile(r"content-type|access-control|cache-control|cors", re.I)


def _paths(check: Check) -> list[str]:
    """Returns the paths of the documents whose headers are wrong; none if other things are."""
    found: dict[str, None] = {}
    for each in check.evidence:
        said = f"{each.header or ''} {each.text or ''}"
        path = f"/{each.file}" if each.file else urlsplit(each.url or "").path
        if path in types() and _ABOUT_HEADERS.search(said):
            found[path] = None
    return list(found)


BY_NAME = {
    ".json": "application/json",
    ".txt": "text/plain",
    ".md": "text/markdown",
}
"""The media types that servers send because of the name of a file."""


@cache
def types() -> dict[str, str]:
    """Returns the media type of each location of a document: that of its name if the specification permits it, else the recommended one."""
    found: dict[str, str] = {}
    for facts in FACTS.values():
        if facts.serving is None:
            continue
        for location in facts.locations:
            usual = BY_NAME.get(PurePosixPath(location).suffix)
            permitted = facts.serving["types"]
            kind = usual if usual in permitted else permitted[0]
            # A text without a charset is often read as another one.
            if facts.serving["charset"] or kind.startswith("text/"):
                kind += "; charset=utf-8"
            found.setdefault(location, kind)
    return found


_LINK = '</.well-known/api-catalog>; rel="api-catalog"'


def recipe(host: Server, need: str, path: str) -> str:
    """Returns what to write for a need, `headers` for the document at a path."""
    values = {
        "%PATH_REST%": path.lstrip("/"),
        "%PATH%": path,
        "%NAME%": PurePosixPath(path).name,
        "%TYPE%": types().get(path, "text/html; charset=utf-8"),
        "%LINK_JSON%": _LINK.replace('"', '\\"'),
        "%LINK_HTML%": '<link rel="api-catalog" href="/.well-known/api-catalog">',
        "%LINK_QUOTED%": _LINK,
        "%LINK%": _LINK,
    }
    text = "\n".join(host.recipes[need])
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def _name(folder: Path, file: str) -> str:
    return file if (folder / file).is_file() else f"../{file}"


def _line(folder: Path, file: str, path: str) -> tuple[int, bool]:
    """Returns the line of a file that is about a path, else the one behind the last; and whether there is the file."""
    try:
        with (folder / _name(folder, file)).open("rb") as opened:
            lines = opened.read(_MOST).decode("utf-8", "replace").splitlines()
    except OSError:
        return 1, False
    whole = re.compile(rf"(?<![\w./-]){re.escape(path)}(?![\w./*-])")
    for number, line in enumerate(lines, 1):
        if whole.search(line):
            return number, True
    return len(lines) + 1, True
