"""The types of entries in ARD: the media types of formats."""

from ..._facts import FACTS, Facts


def type_of(format: str) -> str:
    """Returns the media type of a format. A format without its own media type has a profile, which distinguishes it from others."""
    facts = FACTS.get(format, FACTS["unknown"])
    if facts.media_types:
        return facts.media_types[0]
    return f'{_bare(facts)}; profile="{format}"'


def formats_of(media_type: str) -> tuple[str, ...]:
    """Returns the formats of a media type or of the id of a format. Any other text is returned as an id, which no entry has."""
    kind, _, rest = media_type.partition(";")
    kind = kind.strip().lower()
    profile = rest.strip().removeprefix("profile=").strip('"')
    if profile:
        return (profile,)
    found = (
        facts.name
        for facts in FACTS.values()
        if facts.registry is not None
        and not facts.is_supporting
        and kind in (facts.media_types or (_bare(facts),))
    )
    return tuple(found) or (kind,)


def _bare(facts: Facts) -> str:
    """Returns the media type with which documents of a format are served."""
    return facts.serving["types"][0] if facts.serving else "application/json"
