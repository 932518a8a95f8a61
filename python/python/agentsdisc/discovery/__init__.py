"""Discovery over HTTP: what a site tells agents, asked for as the specifications want it.

Which URLs are asked, where redirects may lead, what counts as a document, and for how long: all of that is
decided by the core. Here it is only carried out, over httpx, which `pip install
'agentsdisc[http]'` brings.
"""

import os
from collections.abc import Iterable
from typing import TypedDict, Unpack

from .. import Limits
from .._arguments import may_be, must_be, several
from .cache import Cache
from .results import Attempt, Declaration, Found, Freshness, Site, Timeouts

__all__ = [
    "Attempt",
    "Cache",
    "Declaration",
    "Found",
    "Freshness",
    "Site",
    "Timeouts",
    "adiscover",
    "discover",
]


class Options(TypedDict, total=False):
    """The options of `discover`: those of `adiscover`."""

    resources: Iterable[str] | None
    details: bool
    declarations: bool
    user_agent: str | None
    timeouts: Timeouts | None
    limits: Limits | None
    concurrency: int
    allow_private: bool
    cache: "Cache | str | os.PathLike[str] | bool"


async def adiscover(
    url: str,
    *,
    resources: Iterable[str] | None = None,
    details: bool = False,
    declarations: bool = False,
    user_agent: str | None = None,
    timeouts: Timeouts | None = None,
    limits: Limits | None = None,
    concurrency: int = 6,
    allow_private: bool = False,
    cache: "Cache | str | os.PathLike[str] | bool" = True,
) -> Site:
    """Asks a site for everything it tells agents. Runs under asyncio and trio.

    `url` names the site: a URL, whose path does not matter, or a host, which means https.

    - `resources`: what to look for, of `agents-json`, `agents-txt`, `agents-md`, `awp`, `adp`,
      `robots-txt`, `companion`; all of them by default.
    - `details`: also get the details of the capabilities of an ADP manifest, those on the site.
    - `declarations`: also get the declarations of the operators that an agents.txt names
      (`Agent-Declaration`), and see whether they name this site. They lie on other sites.
    - `user_agent`: who is asking, such as `MyBot/1.0 (+https://bot.example)`.
    - `concurrency`: how many requests are open at once at most, from 1.
    - `allow_private`: connect to the host of `url` also if it is at a private, loopback or other special address. Redirects and URLs in
      documents that lead to other hosts still must be public.
    - `cache`: where answers are kept; True means a file in the user's cache folder (or the
      one that `AGENTSDISC_CACHE` names), False not at all. They are kept for one `user_agent`. Without a store the rule that an agents.md
      is asked for once an hour is the caller's to keep.

    Nothing that a site does raises: `Site.attempts` says what came of each attempt. Raises
    ValueError where `url` names no site or `concurrency` is less than 1, ImportError without httpx. Certificates
    are always checked; no cookies, credentials or proxies are used.
    """
    must_be(str, url, "url")
    may_be(str, user_agent, "user_agent")
    may_be(Timeouts, timeouts, "timeouts")
    may_be(Limits, limits, "limits")
    if concurrency < 1:
        raise ValueError(f"concurrency must be 1 or more, not {concurrency}")
    try:
        from .driver import run
    except ModuleNotFoundError as missing:
        if missing.name in {"httpx", "httpcore", "anyio"}:
            message = "discovery needs httpx: pip install 'agentsdisc[http]'"
            raise ImportError(message, name=missing.name) from None
        raise
    return await run(
        url,
        resources=None if resources is None else several(resources, "resources"),
        details=details,
        declarations=declarations,
        user_agent=user_agent,
        timeouts=timeouts or Timeouts(),
        limits=limits or Limits(),
        concurrency=concurrency,
        allow_private=allow_private,
        cache=cache,
    )


def discover(url: str, **options: Unpack[Options]) -> Site:
    """The same as `adiscover`, for callers without an event loop (or beside a running one)."""
    try:
        from .waiting import wait_for
    except ModuleNotFoundError:
        import asyncio

        # Says what to install.
        return asyncio.run(adiscover(url, **options))

    async def ask() -> Site:
        return await adiscover(url, **options)

    return wait_for(ask)
