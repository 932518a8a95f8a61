"""Domains as a source: requests the documents of each domain, rarely enough.

The documents of a site replace what the registry has of its domain. An answer is used for the lifetime that it declares. A domain is requested at
most once an hour.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import import_module
from time import time
from typing import TYPE_CHECKING, Any

from .. import Limits, parse_batch
from .entries import ServiceEntry, Source
from .hosts import domain_of
from .joining import put_parts
from .parts import COLUMNS, Part, Same, now, parts
from .store import Store, Writer

if TYPE_CHECKING:
    from ..discovery import Site

AGAIN_AFTER = 3_600
"""Seconds until a domain is asked again."""
_TOGETHER = 32


@dataclass(slots=True)
class Asked:
    """The result of requesting domains."""

    sites: int = 0
    """Domains that were asked."""
    found: int = 0
    """Domains that have documents."""
    skipped: int = 0
    """Domains that were not asked, because they had been asked within the last hour."""
    removed: int = 0
    """Services that were removed, because their sites have no documents any more."""
    invalid: int = 0
    """Lines that name no domain."""


def domains_in(text: str) -> tuple[dict[str, str], list[tuple[int, str]]]:
    """Returns the domains in a text with one on each line, each with the site to request, and the invalid lines with their numbers.

    A line is a host or the URL of a site; # begins a comment.
    """
    found: dict[str, str] = {}
    invalid: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        url = line if "://" in line else f"https://{line}"
        domain = domain_of(url)
        if domain is None:
            invalid.append((number, line))
        else:
            scheme = url.partition("://")[0]
            site = line if line.isascii() else f"{scheme}://{domain}"
            found.setdefault(domain, site)
    return found, invalid


def ask(store: Store, domains: Mapping[str, str], **options: Any) -> Asked:
    """Does the same as `aask` for callers without an event loop."""
    anyio: Any = import_module("anyio")

    async def run() -> Asked:
        return await aask(store, domains, **options)

    asked: Asked = anyio.run(run)
    return asked


async def aask(
    store: Store,
    domains: Mapping[str, str],
    *,
    concurrency: int = 8,
    keys: Mapping[str, Any] | None = None,
    progress: Callable[[Asked], None] = lambda asked: None,
    stopped: Callable[[], bool] = lambda: False,
    **options: Any,
) -> Asked:
    """Asks domains for their documents, and writes these into a store.

    `domains` are hosts, with the URL of the site or the host itself (`domains_in`); `options` are those of `agentsdisc.adiscover`.
    At most `concurrency` sites are asked at once. `stopped` ends it before the next site.
    """
    from ..discovery import adiscover

    # Fails early if a package is not installed.
    anyio: Any = import_module("anyio")
    import_module("agentsdisc.discovery.driver")
    asked = Asked()
    waiting: list[tuple[str, Site]] = []
    limiter = anyio.CapacityLimiter(concurrency)
    writing = anyio.Lock()

    async def write(least: int) -> None:
        async with writing:
            if len(waiting) < least:
                return
            sites = waiting[:]
            waiting.clear()
            await anyio.to_thread.run_sync(_write, store, sites, asked, keys)
            progress(asked)

    problems: list[Exception] = []

    async def one(domain: str) -> None:
        try:
            site = await adiscover(domains[domain], **options)
        except ValueError:
            asked.invalid += 1
            return
        waiting.append((domain, site))
        try:
            await write(_TOGETHER)
        except Exception as problem:
            # Raised after the task group, which would wrap it in an exception group.
            problems.append(problem)

    async with anyio.create_task_group() as group:
        for domain in domains:
            if problems or stopped():
                break
            if _is_recent(store, domain):
                asked.skipped += 1
                continue
            # Started only when there is room, so that a long list takes no memory.
            turn = _Turn(limiter)
            await turn.take()
            group.start_soon(turn.run, one, domain)
    if problems:
        raise problems[0]
    await write(1)
    progress(asked)
    return asked


class _Turn:
    """A place among the sites that are asked at once."""

    def __init__(self, limiter: Any) -> None:
        self._limiter = limiter

    async def take(self) -> None:
        """Waits for the place."""
        await self._limiter.acquire_on_behalf_of(self)

    async def run(self, work: Callable[[str], Any], domain: str) -> None:
        """Does the work, and leaves the place."""
        async with self._held():
            await work(domain)

    @asynccontextmanager
    async def _held(self) -> AsyncIterator[None]:
        try:
            yield
        finally:
            self._limiter.release_on_behalf_of(self)


def _is_recent(store: Store, domain: str) -> bool:
    note = f"asked {domain}"
    kept = store.recall(note).get(note)
    return kept is not None and int(kept) > time() - AGAIN_AFTER


def _write(
    store: Store,
    sites: list[tuple[str, "Site"]],
    asked: Asked,
    keys: Mapping[str, Any] | None,
) -> None:
    with store.write() as writer:
        for domain, site in sites:
            asked.sites += 1
            was_there = writer.service(domain) is not None
            entry = put_site(writer, domain, site, keys=keys)
            asked.found += entry is not None
            asked.removed += was_there and entry is None


def put_site(
    writer: Writer,
    domain: str,
    site: "Site",
    *,
    limits: Limits | None = None,
    keys: Mapping[str, Any] | None = None,
) -> ServiceEntry | None:
    """Replaces what the registry has of a site by what its documents declare, and records the time.

    Returns the service; if the site describes none, removes the service and returns None. A document that could not be fetched now, for example
    because the server does not answer, stays as it was. Documents of other hosts do not count.
    """
    writer.remember(f"asked {domain}", str(int(time())).encode())
    bodies = {f.attempt.key: f.document.bytes for f in (*site.found, *site.details)}
    found = {part.url: part for part in _parts_of(domain, site, limits, keys)}
    missed = {attempt.key for attempt in site.missed}
    return put_parts(writer, domain, found, bodies, keep=missed.__contains__)


def _parts_of(
    domain: str, site: "Site", limits: Limits | None, keys: Mapping[str, Any] | None
) -> Iterable[Part]:
    # `key` is the URL of the first request: only requests to the site's own host count, even if they were redirected to another host of the site.
    own = [
        f for f in (*site.found, *site.details) if domain_of(f.attempt.key) == domain
    ]
    if not own:
        return
    urls: list[str | None] = [f.attempt.key for f in own]
    bodies: list[bytes | None] = [f.document.bytes for f in own]
    batch = import_module("pyarrow").record_batch(
        parse_batch(
            bodies, urls, columns=list(COLUMNS), check=True, limits=limits or Limits()
        )
    )
    times = {f.attempt.key: f.attempt.freshness for f in own}
    preferences = _preferences(site)
    for part in parts(batch, [now()] * len(own), urls, bodies, keys):
        if isinstance(part, Same):
            continue
        (source,) = part.service.sources
        service = replace(part.service, sources=(_timed(source, times[source.url]),))
        # robots.txt itself is not among the documents of a site.
        yield Part(replace(service, preferences=preferences), part.capabilities)


def _timed(source: Source, freshness: Any) -> Source:
    if freshness is None:
        return source
    return replace(
        source,
        fetched=datetime.fromtimestamp(freshness.received_at, UTC),
        fresh_until=datetime.fromtimestamp(min(freshness.fresh_until, 2**32), UTC),
    )


def _preferences(site: "Site") -> tuple[tuple[str, bool], ...]:
    allowed: dict[str, bool] = {}
    for one in site.preferences:
        is_for_all = one.path in {None, "/"} and (not one.agents or "*" in one.agents)
        if is_for_all and one.preference in {"allow", "disallow"}:
            before = allowed.get(one.purpose, True)
            allowed[one.purpose] = before and one.preference == "allow"
    return tuple(allowed.items())
