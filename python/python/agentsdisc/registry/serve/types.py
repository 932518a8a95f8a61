"""The types of entries in ARD: the media types of formats."""

from ..asking import MEDIA_TYPES

_BARE = {
    "agents-txt": "text/plain",
    "agents-txt-0.1": "text/plain",
    "agents-md": "text/markdown",
    "llms-txt": "text/markdown",
}


def type_of(format: str) -> str:
    """Returns the media type of a format. A format without its own media type has a profile, which distinguishes it from others."""
    own = MEDIA_TYPES.get(format)
    bare = _BARE.get(format, "application/json")
    return own or f'{bare}; profile="{format}"'


def formats_of(media_type: str) -> tuple[str, ...]:
    """Returns the formats of a media type or of the id of a format. Any other text is returned as an id, which no entry has."""
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
