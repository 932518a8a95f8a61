"""Reads the files in which hosts of static files are configured: headers, redirects, fallbacks.

Read are `_headers` and `_redirects` (Netlify, Cloudflare), `netlify.toml`, `vercel.json`, `.htaccess` (Apache) and
`staticwebapp.config.json` (Azure). What these files say in ways that are not read here is skipped.
"""

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_MOST = 1 << 20
"""The size of the largest file that is read, in bytes."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A redirect, or another file for a path."""

    path: re.Pattern[str]
    target: str
    status: int
    file: str
    """The file that states it."""
    forced: bool = False
    """Whether it applies although there is a file."""


@dataclass(frozen=True, slots=True)
class Header:
    """A header of some paths."""

    path: re.Pattern[str]
    name: str
    value: str


@dataclass(slots=True)
class Host:
    """What the configuration in a folder says."""

    files: list[str] = field(default_factory=list)
    """The files that were read."""
    rules: list[Header] = field(default_factory=list)
    rewrites: list[Rewrite] = field(default_factory=list)

    @property
    def is_known(self) -> bool:
        """Whether a file states headers, so that those of other files are the host's own."""
        return bool(self.files)

    def headers(self, path: str) -> Iterator[tuple[str, str]]:
        """Yields the headers of a path, in the order of the rules."""
        for rule in self.rules:
            if rule.path.fullmatch(path):
                yield rule.name, rule.value

    def rewrite(self, path: str, *, forced: bool = False) -> Rewrite | None:
        """Returns the rule for a path: one that applies although there is a file, or one for paths without a file."""
        for rule in self.rewrites:
            if rule.forced == forced and rule.path.fullmatch(path):
                return rule
        return None


def host_of(folder: Path) -> Host:
    """Reads the configuration in a folder; `netlify.toml`, `vercel.json` and `staticwebapp.config.json` also from the folder above it."""
    host = Host()
    for name, read in _READERS.items():
        beside = folder.parent / name if name in _ABOVE else None
        for file in (folder / name, beside):
            if file is not None and file.is_file():
                text = file.read_bytes()[:_MOST].decode("utf-8", "replace")
                read(host, text)
                if name != "_redirects":
                    host.files.append(name)
                break
    return host


def _glob(pattern: str) -> re.Pattern[str]:
    """Converts a pattern with `*` and `:name`."""
    parts = re.split(r"(\*|/:[A-Za-z_]\w*)", pattern)
    text = "".join(
        ".*" if part == "*" else "/[^/]+" if part.startswith("/:") else re.escape(part)
        for part in parts
    )
    # `/docs/*` also is `/docs`.
    return re.compile(
        text.removesuffix("/.*") + "(?:/.*)?" if text.endswith("/.*") else text
    )


def _headers_file(host: Host, text: str) -> None:
    pattern: re.Pattern[str] | None = None
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace():
            path = re.sub(r"^https?://[^/]*", "", line.strip())
            pattern = _glob(path)
            continue
        name, colon, value = line.strip().partition(":")
        if pattern is not None and name.startswith("!"):
            gone = name.lstrip("! ").lower()
            host.rules = [rule for rule in host.rules if rule.name.lower() != gone]
        elif pattern is not None and colon:
            host.rules.append(Header(pattern, name.strip(), value.strip()))


def _redirects_file(host: Host, text: str) -> None:
    for line in text.splitlines():
        parts = line.partition("#")[0].split()
        if len(parts) < 2 or not parts[0].startswith("/") or "=" in parts[1]:
            continue
        code = next(
            (part for part in parts[2:] if re.fullmatch(r"\d{3}!?", part)), "301"
        )
        # Conditions, such as a country, cannot be decided.
        if any("=" in part for part in parts[2:]):
            continue
        _add_rewrite(
            host, parts[0], parts[1], code.rstrip("!"), "_redirects", code.endswith("!")
        )


def _add_rewrite(
    host: Host,
    source: str,
    target: str,
    status: str | int,
    file: str,
    forced: bool = False,
) -> None:
    # A target that depends on the path is not computed.
    if not re.search(r":[A-Za-z]|\$\d", re.sub(r"^https?://[^/]*", "", target)):
        host.rewrites.append(Rewrite(_glob(source), target, int(status), file, forced))


def _objects(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, dict))


def _netlify(host: Host, text: str) -> None:
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    for each in _objects(read.get("headers")):
        values = each.get("values")
        if isinstance(each.get("for"), str) and isinstance(values, dict):
            pattern = _glob(each["for"])
            host.rules += (
                Header(pattern, name, str(value)) for name, value in values.items()
            )
    for each in _objects(read.get("redirects")):
        source, target = each.get("from"), each.get("to")
        if (
            isinstance(source, str)
            and isinstance(target, str)
            and not each.get("conditions")
        ):
            status = each.get("status", 301)
            if isinstance(status, int):
                _add_rewrite(
                    host,
                    source,
                    target,
                    status,
                    "netlify.toml",
                    bool(each.get("force")),
                )


def _json(text: str) -> dict[str, Any]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _vercel(host: Host, text: str) -> None:
    read = _json(text)
    for each in _objects(read.get("headers")):
        source = each.get("source")
        # With conditions, nothing is certain.
        if not isinstance(source, str) or each.get("has") or each.get("missing"):
            continue
        pattern = _vercel_pattern(source)
        if pattern is not None:
            host.rules += (
                Header(pattern, str(pair.get("key", "")), str(pair.get("value", "")))
                for pair in _objects(each.get("headers"))
            )
    for kind, usual in (("redirects", 308), ("rewrites", 200)):
        for each in _objects(read.get(kind)):
            source, target = each.get("source"), each.get("destination")
            if not isinstance(source, str) or not isinstance(target, str):
                continue
            if (
                each.get("has")
                or each.get("missing")
                or ":" in target.partition("://")[2]
                or "$" in target
            ):
                continue
            status = usual if each.get("permanent", True) else 307
            status = each.get("statusCode", status)
            pattern = _vercel_pattern(source)
            if pattern is not None and isinstance(status, int):
                host.rewrites.append(
                    Rewrite(pattern, target, status, "vercel.json", kind == "redirects")
                )


def _vercel_pattern(source: str) -> re.Pattern[str] | None:
    """Converts a pattern of path-to-regexp: `/:name`, `/:name*` and groups of regular expressions."""
    text = re.sub(r"/:\w+\((.*?)\)\*?", r"/(?:\1)", source)
    text = re.sub(r"/:\w+\*", "(?:/.*)?", text)
    text = re.sub(r"/:\w+", "/[^/]+", text)
    text = re.sub(r"(?<![\\*)\]])\.(?![*+?])", r"\\.", text)
    if len(text) > 512:
        return None
    try:
        return re.compile(text)
    except re.error:
        return None


def _azure(host: Host, text: str) -> None:
    read = _json(text)
    everywhere = read.get("globalHeaders")
    if isinstance(everywhere, dict):
        host.rules += (
            Header(_glob("/*"), name, str(value)) for name, value in everywhere.items()
        )
    types = read.get("mimeTypes")
    if isinstance(types, dict):
        host.rules += (
            Header(re.compile(f".*{re.escape(ending)}"), "Content-Type", str(value))
            for ending, value in types.items()
        )
    for each in _objects(read.get("routes")):
        route = each.get("route")
        if not isinstance(route, str):
            continue
        pattern = _glob(route)
        values = each.get("headers")
        if isinstance(values, dict):
            host.rules += (
                Header(pattern, name, str(value)) for name, value in values.items()
            )
        if isinstance(each.get("redirect"), str):
            status = each.get("statusCode", 302)
            if isinstance(status, int):
                host.rewrites.append(
                    Rewrite(
                        pattern,
                        each["redirect"],
                        status,
                        "staticwebapp.config.json",
                        True,
                    )
                )
        elif isinstance(each.get("rewrite"), str):
            host.rewrites.append(
                Rewrite(pattern, each["rewrite"], 200, "staticwebapp.config.json", True)
            )
    fallback = read.get("navigationFallback")
    if isinstance(fallback, dict) and isinstance(fallback.get("rewrite"), str):
        spared = [
            _glob(each) for each in fallback.get("exclude", []) if isinstance(each, str)
        ]
        # A rule without a path, but with its exceptions.
        apart = "".join(f"(?!(?:{each.pattern})$)" for each in spared)
        host.rewrites.append(
            Rewrite(
                re.compile(f"{apart}/.*"),
                fallback["rewrite"],
                200,
                "staticwebapp.config.json",
            )
        )


def _apache(host: Host, text: str) -> None:
    everything = re.compile("/.*")
    scope = [everything]
    is_certain = [True]
    for line in text.splitlines():
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            continue
        if not words:
            continue
        name, rest = words[0].lower(), words[1:]
        if name.startswith("</"):
            if len(scope) > 1:
                scope.pop()
                is_certain.pop()
        elif name.startswith("<"):
            kind = name.strip("<>")
            opened = _section(kind, [word.rstrip(">") for word in rest])
            scope.append(opened or scope[-1])
            is_certain.append(
                is_certain[-1] and (opened is not None or kind == "ifmodule")
            )
        elif is_certain[-1]:
            host.rules += _directive(name, rest, scope[-1])
            if name == "fallbackresource" and rest and rest[0] != "disabled":
                host.rewrites.append(Rewrite(everything, rest[0], 200, ".htaccess"))
            elif name == "redirect" and len(rest) >= 2:
                status, source, target = (
                    ["302", *rest] if rest[0].startswith("/") else rest
                )[:3]
                status = {"permanent": "301", "temp": "302", "seeother": "303"}.get(
                    status, status
                )
                if status.isdigit():
                    _add_rewrite(host, source, target, status, ".htaccess", True)
            elif (
                name == "rewriterule"
                and len(rest) >= 2
                and rest[0] in {".", "^", ".*", "^.*$", "^(.*)$", "(.*)"}
            ):
                target = rest[1] if rest[1].startswith("/") else f"/{rest[1]}"
                if re.fullmatch(r"/[\w./-]+\.html?", target):
                    host.rewrites.append(Rewrite(everything, target, 200, ".htaccess"))


def _section(kind: str, words: list[str]) -> re.Pattern[str] | None:
    """Returns the paths of a section `<Files>` or `<FilesMatch>`."""
    if kind == "files" and words[:1] == ["~"]:
        kind, words = "filesmatch", words[1:]
    if kind == "files" and words:
        name = "".join(
            ".*" if c == "*" else "[^/]" if c == "?" else re.escape(c) for c in words[0]
        )
        return re.compile(f".*/{name}")
    if kind == "filesmatch" and words:
        text = words[0]
        begins, ends = (
            text.startswith("^"),
            text.endswith("$") and not text.endswith("\\$"),
        )
        inside = (
            text.removeprefix("^").removesuffix("$") if ends else text.removeprefix("^")
        )
        try:
            return re.compile(
                f".*/{'' if begins else '[^/]*'}(?:{inside}){'' if ends else '[^/]*'}"
            )
        except re.error:
            return None
    return None


def _directive(name: str, rest: list[str], scope: re.Pattern[str]) -> Iterable[Header]:
    """Yields the headers of a directive."""
    if name == "header" and rest[:1] == ["always"]:
        rest = rest[1:]
    if (
        name == "header"
        and len(rest) == 3
        and rest[0].lower() in {"set", "append", "merge", "add"}
    ):
        yield Header(scope, rest[1].rstrip(":"), rest[2])
    elif name in {"forcetype", "defaulttype"} and rest:
        yield Header(scope, "Content-Type", rest[0])
    elif name == "addtype" and len(rest) >= 2:
        for ending in rest[1:]:
            yield Header(
                re.compile(f".*\\.{re.escape(ending.lstrip('.'))}"),
                "Content-Type",
                rest[0],
            )


_READERS: dict[str, Callable[[Host, str], None]] = {
    "_headers": _headers_file,
    "_redirects": _redirects_file,
    "netlify.toml": _netlify,
    "vercel.json": _vercel,
    ".htaccess": _apache,
    "staticwebapp.config.json": _azure,
}
_ABOVE = frozenset({"netlify.toml", "vercel.json", "staticwebapp.config.json"})
"""Files that also stand beside the folder that is published."""
