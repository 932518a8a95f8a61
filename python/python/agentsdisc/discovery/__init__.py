"""Discovery over HTTP: gets all documents of a site for agents, by the rules of their specifications.

The core decides which URLs are requested, where redirects may lead, what counts as a document, and for how long. This
package sends the requests with httpx (`pip install 'agentsdisc[http]'`).
"""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from .. import Limits
from .._arguments import as_in, may_be, must_be, several
from .._extras import HTTP, needing
from .cache import Cache
from .results import (
    Attempt,
    Declaration,
    Found,
    Freshness,
    Pointer,
    Site,
    Step,
    Timeouts,
)

if TYPE_CHECKING:
    from ..calls import OAuth2
    from ..identity import Identity

__all__ = [
    "Attempt",
    "Cache",
    "Declaration",
    "Found",
    "Freshness",
    "Pointer",
    "Site",
    "Step",
    "Timeouts",
    "adiscover",
    "discover",
]


def __dir__() -> list[str]:
    """Returns the public names."""
    return sorted(__all__)


class Options(TypedDict, total=False):
    """The options of `discover`: those of `adiscover`."""

    resources: Iterable[str] | Literal["all"] | None
    follow: Literal["same-site", "any"] | None
    details: bool | Iterable[str]
    declarations: bool
    user_agent: str | None
    timeouts: Timeouts | None
    limits: Limits | None
    concurrency: int
    allow_private: bool
    cache: "Cache | str | os.PathLike[str] | bool"
    credentials: "OAuth2 | None"
    identity: "Identity | tuple[Any, str | None] | None"


async def adiscover(
    url: str,
    *,
    resources: Iterable[str] | Literal["all"] | None = None,
    follow: Literal["same-site", "any"] | None = "same-site",
    details: bool | Iterable[str] = False,
    declarations: bool = False,
    user_agent: str | None = None,
    timeouts: Timeouts | None = None,
    limits: Limits | None = None,
    concurrency: int = 6,
    allow_private: bool = False,
    cache: "Cache | str | os.PathLike[str] | bool" = True,
    credentials: "OAuth2 | None" = None,
    identity: "Identity | tuple[Any, str | None] | None" = None,
) -> Site:
    """Gets all documents of a site for agents. Runs under asyncio and trio.

    `url` is a URL of the site, whose path is ignored, or a host, which means https.

    - `resources`: what to request at well-known locations: names from the table in docs/formats/locations.md, such as `agents-json`,
      `companion`, or `home` (the home page, for its links); default: those that the table marks, because the others are requested only if a
      document points to them; "all": all.
    - `follow`: whether to request the documents to which the site points, at most 16: by links of the home page, `Agentmap` in
      robots.txt, entries of catalogs, and MCP endpoints (the cards beside them). "same-site" follows them on the site, "any" also on
      other sites, None not at all. `Site.trail` lists the documents with their pointers. Documents of other sites are in `Site.elsewhere`; they
      neither allow nor deny anything.
    - `details`: also get the capability details that an ADP manifest names, if they are on the site: True for the first
      64, or the names of capabilities. `Site.missing_details` names those without a detail.
    - `declarations`: also get the operator declarations that an agents.txt names (`Agent-Declaration`), which are on
      other sites, and compare whether they name this site.
    - `user_agent`: the User-Agent to send, such as `MyBot/1.0 (+https://bot.example)`.
    - `concurrency`: the largest number of requests in flight, from 1.
    - `allow_private`: connect to the host of `url` also if it is at a private, loopback or other special address. Redirects and URLs in
      documents that lead to other hosts still must be public.
    - `cache`: the store of answers. True is a file in the user's cache folder (or the one in `AGENTSDISC_CACHE`), False
      is none. Each `user_agent` has its own answers. Without a store, the caller must keep the rule that an agents.md is
      requested at most once an hour.
    - `credentials`: a `calls.OAuth2` that gets tokens for documents of the site which the server gives only to those who have one (status 401), from
      the authorization server that the document's resource names (RFC 9728). The answers are not stored.
    - `identity`: signs every request (Web Bot Auth): an `identity.Identity`, that is, a key and the URL of its directory. The answers are not stored.

    Nothing that a site does raises: `Site.attempts` holds the result of each attempt. Raises ValueError if `url` is not a
    site or `concurrency` is less than 1, ImportError without httpx. Certificates are always checked; cookies
    and proxies are not used, and no credentials but those that `credentials` gets.
    """
    must_be(str, url, "url")
    may_be(str, follow, "follow")
    may_be(str, user_agent, "user_agent")
    may_be(Timeouts, timeouts, "timeouts")
    may_be(Limits, limits, "limits")
    if concurrency < 1:
        raise ValueError(f"concurrency must be 1 or more, not {concurrency}")
    with needing("discovery needs httpx", *HTTP):
        from .driver import run
    if credentials is not None:
        from ..calls import OAuth2

        must_be(OAuth2, credentials, "credentials")
        cache = False
    if identity is not None:
        from ..identity.signing import checked

        identity = checked(identity)
        # What a site shows to one agent is not for others.
        cache = False
    return await run(
        url,
        resources=_kinds(resources),
        follow=follow,
        details=details if isinstance(details, bool) else several(details, "details"),
        declarations=declarations,
        user_agent=user_agent,
        timeouts=timeouts or Timeouts(),
        limits=limits or Limits(),
        concurrency=concurrency,
        allow_private=allow_private,
        cache=cache,
        credentials=credentials,
        identity=identity,
    )


def _kinds(resources: Iterable[str] | None) -> list[str] | None:
    """Returns the names of resources as the core takes them."""
    if resources is None or resources == "all":
        return None if resources is None else ["all"]
    return several(resources, "resources")


@as_in(adiscover)
def discover(url: str, **options: Unpack[Options]) -> Site:
    """Does the same as `adiscover` for callers without an event loop; also works beside a running one."""
    try:
        from .waiting import wait_for
    except ModuleNotFoundError:
        import asyncio

        # Says what to install.
        return asyncio.run(adiscover(url, **options))

    async def ask() -> Site:
        return await adiscover(url, **options)

    return wait_for(ask)
