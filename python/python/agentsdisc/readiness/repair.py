"""Corrects in a folder what can be corrected without a decision of its owner: `agentsdisc check --fix`.

A repair is a file with its new bytes. Nothing is written here, and a file that is not understood in full stays as it is.
"""

import codecs
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from .. import Document, ParseError, RobotsTxt, parse
from .hosts import host_of
from .recipes import BY_NAME, types

_MOST = 1 << 20
"""The size of the largest file that is changed, in bytes."""
_ANYWHERE = "https://folder.invalid"


@dataclass(frozen=True, slots=True)
class Repair:
    """A file to write."""

    file: str
    """The file in the folder, relative to it, with `/`."""
    before: bytes
    """What it is; empty for a new file."""
    after: bytes
    why: str
    """What changes, in a sentence."""


def repairs(folder: Path, origin: str | None = None) -> Iterator[Repair]:
    """Yields what can be corrected in a folder; each repair, once it is written, counts for the next one. `origin` is that of the site, by which absolute URLs are found in the folder."""
    root = Root(folder.resolve(), origin or _ANYWHERE)
    kinds: tuple[Callable[[Root], Iterator[Repair]], ...] = (
        *(_digests, _catalogs, _signals, _types),
    )
    for find in kinds:
        yield from find(root)


class Root:
    """The files of a site."""

    def __init__(self, path: Path, origin: str) -> None:
        self.path, self.origin = path, origin

    def read(self, name: str, most: int = _MOST) -> bytes | None:
        """Returns a file inside of the folder; None if there is none, or it is larger than a document may be."""
        try:
            file = (self.path / name).resolve()
            if not file.is_file() or not file.is_relative_to(self.path):
                return None
            if file.stat().st_size > most:
                return None
            return file.read_bytes()
        except (OSError, ValueError):
            return None

    def served(self, base: str, reference: str) -> bytes | None:
        """Returns the file to which a reference in a document leads; None if it is not one of this site."""
        try:
            here = urlsplit(urljoin(f"{self.origin}/{base}", reference))
            own = urlsplit(self.origin)
            is_own = (here.scheme, here.netloc) == (own.scheme, own.netloc)
        except ValueError:
            return None
        if not is_own or here.query:
            return None
        return self.read(unquote(here.path).lstrip("/"), 64 * _MOST)


_INDEXES = (".well-known/agent-skills/index.json", ".well-known/skills/index.json")
_DIGEST = re.compile(r"sha256:[0-9a-fA-F]{64}")


def _digests(root: Root) -> Iterator[Repair]:
    """Corrects the digests of skills that the folder has."""
    for name in _INDEXES:
        data = root.read(name)
        index = None if data is None else _object(data)
        if data is None or index is None or not isinstance(index.get("skills"), list):
            continue
        wrong: dict[str, str] = {}
        kept: set[str] = set()
        for skill in index["skills"]:
            if not isinstance(skill, dict) or not isinstance(skill.get("url"), str):
                continue
            stated, body = skill.get("digest"), root.served(name, skill["url"])
            if not isinstance(stated, str) or not _DIGEST.fullmatch(stated):
                continue
            right = f"sha256:{hashlib.sha256(body).hexdigest()}" if body else stated
            if right == stated.lower():
                kept.add(stated)
            elif wrong.setdefault(stated, right) != right:
                # Two skills state one digest, and need different ones.
                kept.add(stated)
        after = data
        for old, new in wrong.items():
            if old not in kept:
                stated = rf'("digest"\s*:\s*")({old})(?=")'.encode()
                after = re.sub(stated, rb"\g<1>" + new.encode(), after)
        if after != data and _object(after) is not None:
            yield Repair(name, data, after, "the digests are those of the files")


def _object(data: bytes) -> dict[str, Any] | None:
    """Reads a JSON object in which no name occurs twice; None for anything else."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError
        return dict(pairs)

    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=unique)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


_OLD, _NEW = ".well-known/ai-catalog.json", ".well-known/ard.json"


def _catalogs(root: Root) -> Iterator[Repair]:
    """Copies a catalog to the place that other readers request."""
    for source, copy in ((_OLD, _NEW), (_NEW, _OLD)):
        data = root.read(source)
        if (
            data is None
            or (root.path / copy).exists()
            or (root.path / copy).is_symlink()
        ):
            continue
        index = _object(data)
        # Readers of the older place need its version.
        if index is None or (copy == _OLD and "specVersion" not in index):
            continue
        if isinstance(index.get("entries"), list) and _is(data, source, "ai-catalog"):
            yield Repair(
                copy,
                b"",
                data,
                f"the same as {source}, for readers that request it here",
            )


def _is(data: bytes, name: str, format: str) -> bool:
    try:
        found: Document = parse(data, url=f"{_ANYWHERE}/{name}")
    except ParseError:
        return False
    return found.format == format


_AGENT = re.compile(rb"[ \t]*user-agent[ \t]*:[ \t]*([^\s#]+)[ \t]*(?:#.*)?$", re.I)
_SIGNAL = re.compile(rb"[ \t]*content-signal[ \t]*:[ \t]*[^\s#]", re.I)
_FIELD = re.compile(rb"[ \t]*([A-Za-z-]+)[ \t]*:")
_RULES = frozenset(
    {b"allow", b"disallow", b"content-signal", b"content-usage", b"crawl-delay"}
)


def _signals(root: Root) -> Iterator[Repair]:
    """Repeats the Content-Signal lines of the group for `*` in the groups that have none."""
    name = "robots.txt"
    data = root.read(name, 500 * 1024)
    if data is None or b"\0" in data or data.startswith(codecs.BOM_UTF16_BE):
        return
    lines = re.split(rb"(?<=\n)|(?<=\r)(?!\n)", data)
    groups = list(_groups(lines))
    if len(groups) != len(RobotsTxt(data).groups):
        return
    stated = [
        lines[at] for group in groups if b"*" in group.agents for at in group.signals
    ]
    if not stated or any(
        b"*" in group.agents and len(group.agents) > 1 for group in groups
    ):
        return
    # A name with several groups has the rules of all of them.
    signed = {a for group in groups if group.signals for a in group.agents}
    end = b"\r\n" if b"\r\n" in data else b"\n"
    added = b"".join(line.strip() + end for line in dict.fromkeys(stated))
    after, last = b"", 0
    for group in groups:
        if not group.signals and not signed & group.agents:
            after += b"".join(lines[last : group.begin]).rstrip(b"\r\n") + end + added
            last = group.begin
            signed |= group.agents
    after += b"".join(lines[last:])
    if last and _same_rules(data, after):
        yield Repair(
            name,
            data,
            after,
            "the Content-Signal of * stands in every group, because a signal counts for its group only",
        )


@dataclass(slots=True)
class Group:
    """A group of robots.txt."""

    agents: set[bytes]
    begin: int
    """The line behind those that name agents."""
    signals: list[int]


def _groups(lines: list[bytes]) -> Iterator[Group]:
    group, is_open = None, False
    for number, line in enumerate(lines):
        named = _AGENT.match(line.rstrip(b"\r\n"))
        field = _FIELD.match(line)
        if named is not None:
            if group is None or not is_open:
                if group is not None:
                    yield group
                group, is_open = Group(set(), 0, []), True
            group.agents.add(named[1].lower())
            group.begin = number + 1
        elif group is not None and field is not None and field[1].lower() in _RULES:
            is_open = False
            if _SIGNAL.match(line):
                group.signals.append(number)
    if group is not None:
        yield group


def _same_rules(before: bytes, after: bytes) -> bool:
    """Whether two robots.txt name the same agents with the same rules."""
    one, other = (
        [(g.agents, g.rules) for g in RobotsTxt(d).groups] for d in (before, after)
    )
    return [repr(each) for each in one] == [repr(each) for each in other]


def _types(root: Root) -> Iterator[Repair]:
    """Adds to an existing `_headers` the types of documents whose names do not say them."""
    name = "_headers"
    data = root.read(name)
    if data is None:
        return
    host = host_of(root.path)
    added = ""
    # A type that follows from the name is not stated, with the charset or without.
    for path, kind in types().items():
        is_named = BY_NAME.get(Path(path).suffix) == kind.partition(";")[0]
        stated = any(key.lower() == "content-type" for key, _ in host.headers(path))
        if not is_named and not stated and root.read(path.lstrip("/")) is not None:
            added += f"\n{path}\n  Content-Type: {kind}\n"
    if added:
        end = "\r\n" if b"\r\n" in data else "\n"
        text = added.replace("\n", end).encode()
        begin = data.rstrip(b"\r\n")
        yield Repair(
            name,
            data,
            begin + (end.encode() + text if begin else text.lstrip()),
            "documents have the types that their specifications ask for",
        )
