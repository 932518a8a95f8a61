"""What is known about the formats, and about the documents that discovery requests: the tables of the core.

A list of formats, locations or media types anywhere in this package is made from these.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from . import _agentsdisc


class Serving(TypedDict):
    """How a server must send the documents of a format: `Serving` of the core."""

    types: tuple[str, ...]
    must: bool
    charset: bool
    cache: str | None
    cors: str | None
    methods: tuple[str, ...]
    sections: tuple[str, str, str, str]
    advice: int
    spec: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known about a format."""

    name: str
    title: str
    is_read: bool
    is_json: bool
    is_manifest: bool
    """Whether its documents state rules or services of their site, and are requested whatever robots.txt says."""
    is_target: bool
    """Whether documents can be converted to it."""
    has_rival_locations: bool
    """Whether its locations are of different proposals or versions; otherwise all but the first are fallbacks."""
    also_at: tuple[str, ...]
    """Where else sites have such documents: paths, and names of files in any folder."""
    media_types: tuple[str, ...]
    """Its own media types, the registered one first."""
    registry: int | None
    """Its place in a registry, the lowest number first; None if a registry does not read it."""
    is_supporting: bool
    """Whether its documents make no service alone, but add to others."""
    serving: Serving | None
    """How its documents must be served; None if they have no location of their own."""

    @property
    def locations(self) -> tuple[str, ...]:
        """The well-known locations at which a site serves its documents."""
        return tuple(
            location
            for resource in RESOURCES.values()
            if self.name in resource.formats
            for location in resource.locations
        )


class Resource(NamedTuple):
    """A kind of document that discovery requests at well-known locations, or the companion."""

    name: str
    locations: tuple[str, ...]
    formats: tuple[str, ...]
    is_default: bool
    """Whether it is requested unless the caller selects others."""

    @property
    def is_manifest(self) -> bool:
        """Whether its documents state rules or services of their site."""
        return any(FACTS[name].is_manifest for name in self.formats)


FACTS = {row["name"]: Facts(**row) for row in _agentsdisc._facts()}
"""The formats by name, in the order of `formats()`."""
RESOURCES = {row[0]: Resource(*row) for row in _agentsdisc._resources()}
"""What discovery requests, by name."""
