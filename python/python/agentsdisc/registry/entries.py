"""What a registry holds, and what it is asked."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from .._visible import keys_in, shown, without_secrets

Verdict = Literal["clean", "warnings", "errors", "unchecked"]
"""What the check of a document found, by its most severe finding; unchecked: it was read by `ingest` without `--check`."""


@shown
@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document that the registry read."""

    url: str
    """Where it was fetched."""
    format: str
    """The id of its format."""
    digest: str
    """The SHA-256 of its bytes, in hexadecimal."""
    fetched: datetime
    """When it was fetched, in UTC."""
    fresh_until: datetime | None = None
    """When it has to be fetched again; None: not known."""
    changed: datetime | None = None
    """When this content was fetched first; None: when it was fetched."""
    verdict: Verdict
    """What the check found."""
    errors: int = 0
    """Errors that the check found."""
    warnings: int = 0
    """Warnings that the check found."""
    verified: bool = False
    """Whether a signature over the document is valid."""

    def again(self, fetched: datetime) -> "Source":
        """Returns the same content, fetched again."""
        if fetched <= self.fetched:
            return self
        return replace(self, fetched=fetched, changed=self.changed or self.fetched)


@shown
@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityEntry:
    """What a service can do for an agent."""

    domain: str
    """The domain of its service."""
    name: str
    """Its id in the document: unique in its service."""
    title: str | None = None
    """Its name for people."""
    description: str | None = None
    """What it does."""
    parameters: tuple[str, ...] = ()
    """The names of its parameters."""
    tags: tuple[str, ...] = ()
    """Keywords."""
    category: str | None = None
    """The declared category."""
    method: str | None = None
    """The HTTP method."""
    endpoint: str | None = None
    """The URL that is called; None: not declared here, as in ADP's manifest."""
    transport: str | None = None
    """The id of the transport, as in the model."""
    auth: str | None = None
    """The declared type of authentication as in the model, such as `api-key`; `none`: declared as not needed."""
    limit: str | None = None
    """The declared rate limit, such as `60/minute`."""
    price: str | None = None
    """The declared price, as text."""
    confirm: bool = False
    """Whether a person must agree to each call."""
    source: str
    """The URL of its document."""


@shown
@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceEntry:
    """A site that offers capabilities to agents. The domain is what identifies it."""

    domain: str
    """The host that its documents were fetched from, with the port unless it is the scheme's own."""
    name: str | None = None
    """Its declared name."""
    description: str | None = None
    """What it is."""
    url: str | None = None
    """Its declared base URL."""
    category: str | None = None
    """The declared category."""
    tags: tuple[str, ...] = ()
    """Keywords."""
    auth: str | None = None
    """The declared type of authentication as in the model, such as `api-key`; `none`: declared as not needed."""
    price: str | None = None
    """The declared type of pricing, such as `freemium`."""
    limit: str | None = None
    """The declared rate limit of the whole service."""
    preferences: tuple[tuple[str, bool], ...] = ()
    """Declared preferences about AI: the purpose, and whether it is allowed."""
    sources: tuple[Source, ...] = ()
    """The documents that say all this, the most important one first."""
    capabilities: int = 0
    """How many capabilities it has."""
    created: datetime | None = None
    """When the first of its documents was fetched; set by the store."""

    @property
    def formats(self) -> tuple[str, ...]:
        """The ids of the formats of its documents, each once."""
        return tuple(dict.fromkeys(source.format for source in self.sources))

    @property
    def verified(self) -> bool:
        """Whether a signature over one of its documents is valid."""
        return any(source.verified for source in self.sources)

    @property
    def updated(self) -> datetime | None:
        """When the last change of its documents was fetched."""
        return max((s.changed or s.fetched for s in self.sources), default=None)


@shown
@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A search. Filters are joined by and; the values of one filter by or."""

    text: str = ""
    """Words, a domain or the id of a capability; empty: everything that the filters leave, by domain."""
    domain: tuple[str, ...] = ()
    format: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    auth: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    name: tuple[str, ...] = ()
    """Declared names of services, whole, in any letter case."""
    publisher: tuple[str, ...] = ()
    """Publishers in ARD's identifiers: hosts without ports."""
    capability: tuple[str, ...] = ()
    """Names of capabilities, whole, of which the service has at least one."""
    limit: int = 10
    """The most services to return: 1 to 100."""
    offset: int = 0
    """How many services to leave out: at most 1,000, otherwise a search raises ValueError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """Limits a list to newer services."""

    created: datetime | None = None
    """Their first document was fetched after this time."""
    updated: datetime | None = None
    """The last change of their documents was fetched after this time."""


ANY_TIME = Since()


@shown
@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A service that a search found."""

    service: ServiceEntry
    capabilities: tuple[CapabilityEntry, ...] = ()
    """Those of its capabilities that match, the best first, at most 10; none if only the service itself matches."""
    score: float
    """How well it matches, from 0 to 100. Says nothing of trust."""
    by_meaning: bool = False
    """Whether none of the words match, but only the meaning: nonsense has such hits, too."""


@shown
@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The answer to a search."""

    hits: tuple[Hit, ...]
    more: bool
    """Whether there are more services after these."""
    total: int | None = None
    """How many services match; None: too many to count in time."""


@shown
@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """How often each value of a field occurs among the services that match."""

    buckets: tuple[tuple[str, int], ...]
    """The values and their counts, the most frequent first."""
    other: int = 0
    """The sum of the counts that were left out."""


def without_keys(
    service: ServiceEntry | None, capabilities: tuple[CapabilityEntry, ...] = ()
) -> tuple[Any, tuple[CapabilityEntry, ...]]:
    """Returns the entries of one service for an answer, without the lines of private keys that are separate texts.

    A service must not change what is said of another one, so do not pass entries of several services. The domain stays, because it names the service.
    """
    keys = keys_in(service, *capabilities)
    if not keys:
        return service, capabilities

    def alone(entry: Any) -> Any:
        return replace(without_secrets(entry, keys), domain=entry.domain)

    return service and alone(service), tuple(map(alone, capabilities))
