"""Answers the requests of a check from the files of a folder, as the host would that will serve them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from .. import Limits, RobotsTxt
from .hosts import Host, host_of
from .report import Check, Report
from .survey import Answer, Measure, Probe, Subject, missing, origin_of, report

_NOWHERE = "https://folder.invalid"
"""The origin of a folder whose site is not known."""

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".htm": "text/html; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml; charset=utf-8",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}
"""The types that hosts of static files send by default. Others, and files without an ending, are sent as bytes."""


def is_folder(target: str | Path) -> bool:
    """Whether a target is a folder, and not a URL."""
    return isinstance(target, Path) or ("://" not in target and Path(target).is_dir())


def check_folder(folder: Path, measure: Measure, limits: Limits) -> Report:
    """Checks the files of a folder. Raises OSError if it cannot be read."""
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder}: not a folder")
    if folder.name == ".well-known":
        folder = folder.parent
    host = host_of(folder)
    site = Folder(folder, host, limits)
    canonical = measure.canonical or site.stated_origin()
    subject = Subject(
        str(folder),
        canonical or _NOWHERE,
        canonical or "",
        measure,
        is_folder=True,
    )
    answers: list[Answer] = []
    while probes := missing(subject, answers):
        answers += [site.answer(probe) for probe in probes]
    found = report(subject, answers)
    return replace(found, checks=tuple(_placed(each, host) for each in found.checks))


def _placed(check: Check, host: Host) -> Check:
    """Adds the file of the host in which headers are set to what to do."""
    if check.id != "served-as" or check.fix is None or not host.files:
        return check
    return replace(check, fix=f"in {host.files[0]}: {check.fix}")


class Folder:
    """The files of a site, and the rules of its host."""

    def __init__(self, root: Path, host: Host, limits: Limits) -> None:
        self._root, self._host, self._limits = root.resolve(), host, limits

    def stated_origin(self) -> str | None:
        """Returns the origin that the files state: in `CNAME`, in a `Sitemap` line, or as the canonical URL of the home page."""
        for text in self._statements():
            try:
                return origin_of(text)
            except ValueError:
                continue
        return None

    def _statements(self) -> Iterator[str]:
        name = self._root / "CNAME"
        if name.is_file():
            yield name.read_text("utf-8", "replace").strip()
        robots = self._root / "robots.txt"
        if robots.is_file():
            for sitemap in RobotsTxt(robots.read_bytes()).sitemaps:
                yield str(sitemap)

    def answer(self, probe: Probe) -> Answer:
        """Returns what the host would answer."""
        path = unquote(urlsplit(probe.url).path)
        for _ in range(5):
            forced = self._host.rewrite(path, forced=True)
            file = None if forced is not None else self._file(path)
            rule = forced or (self._host.rewrite(path) if file is None else None)
            if rule is None:
                break
            if rule.status in {301, 302, 303, 307, 308}:
                headers = [(b"location", rule.target.encode())]
                return Answer(probe, rule.status, headers, file=rule.file)
            if rule.status != 200:
                return Answer(probe, rule.status, file=rule.file)
            file = self._file(rule.target)
            if file is not None or rule.target == path:
                break
            path = rule.target
        if file is None:
            return Answer(probe, 404, hides_headers=not self._host.is_known)
        return self._sent(probe, path, file)

    def _sent(self, probe: Probe, path: str, file: Path) -> Answer:
        limit = self._limits.document
        try:
            with file.open("rb") as opened:
                body = opened.read(limit + 1)
        except OSError as problem:
            return Answer(probe, failure=f"it cannot be read: {problem.strerror}")
        headers = {
            "content-type": _TYPES.get(file.suffix.lower(), "application/octet-stream")
        }
        for name, value in self._host.headers(path):
            key = name.lower()
            joins = key in headers and key not in {"content-type", "cache-control"}
            headers[key] = f"{headers[key]}, {value}" if joins else value
        name = file.relative_to(self._root).as_posix()
        return Answer(
            probe,
            200,
            [(n.encode(), v.encode("utf-8", "replace")) for n, v in headers.items()],
            b"" if probe.method == "HEAD" else body[:limit],
            is_cut=len(body) > limit,
            hides_headers=not self._host.is_known,
            file=name,
        )

    def _file(self, path: str) -> Path | None:
        """Returns the file of a path, as hosts of static files find it; None if there is none inside of the folder."""
        if "\0" in path or "\\" in path:
            return None
        parts = [part for part in path.split("/") if part not in {"", "."}]
        if ".." in parts:
            return None
        place = self._root.joinpath(*parts)
        found = (
            [place / "index.html"]
            if path.endswith("/")
            else [place, place.with_name(f"{place.name}.html"), place / "index.html"]
        )
        for file in found:
            try:
                inside = file.resolve()
                if inside.is_file() and inside.is_relative_to(self._root):
                    return file
            except (OSError, ValueError):
                continue
        return None
