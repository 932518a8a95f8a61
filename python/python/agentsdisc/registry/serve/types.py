"""The types and publishers of entries in ARD: media types of formats, and hosts."""

import hashlib
import re

import idna

from ..asking import MEDIA_TYPES
from ..hosts import spelled

_PUBLISHER = re.compile("[a-z0-9.-]+")
_BARE = {
    "agents-txt": "text/plain",
    "agents-txt-0.1": "text/plain",
    "agents-md": "text/markdown",
    "llms-txt": "text/markdown",
}


def type_of(format: str) -> str:
    """Returns the media type of a format. One without its own type has a profile, so that formats stay apart."""
    own = MEDIA_TYPES.get(format)
    bare = _BARE.get(format, "application/json")
    return own or f'{bare}; profile="{format}"'


def publisher_of(host: str) -> str:
    """Returns a host as the publisher in an identifier of ARD: of ASCII letters, digits, `.` and `-`, and of no other host.

    A host that cannot be one, such as an address in brackets, is below `invalid`, which is nobody's.
    """
    written = host
    if not host.isascii():
        # Some letters become others.
        known = spelled(host)
        written = known if known and idna.decode(known) == host else host
    if _PUBLISHER.fullmatch(written):
        return written
    digest = hashlib.sha256(host.encode("utf-8", "replace")).hexdigest()[:16]
    shown = re.sub("[^a-z0-9.-]", "-", host[:100])
    return f"{shown}.{digest}.invalid"


def formats_of(media_type: str) -> tuple[str, ...]:
    """Returns the formats of a media type. Also takes the id of a format; another text is an id that no entry has."""
    kind, _, rest = media_type.partition(";")
    kind = kind.strip().lower()
    profile = rest.strip().removeprefix("profile=").strip('"')
    if profile:
        return (profile,)
    found = [name for name, own in MEDIA_TYPES.items() if own == kind]
    found += [name for name, own in _BARE.items() if own == kind]
    if kind == "application/json":
        found += _PLAIN_JSON
    if kind == "application/agent-card+json":
        found.append("a2a-agent-card")
    return tuple(found) or (kind,)


_PLAIN_JSON = ("agents-json", "agents-json-0.1", "awp", "adp", "agent-skills")
