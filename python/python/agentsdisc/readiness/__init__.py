"""Is a site ready for agents? `agentsdisc.check_site` and `agentsdisc check` tell before scanners do, and what is true.

The checks are in the core; this package sends their requests, or looks them up in a folder. Checking a URL
needs httpx (`pip install 'agentsdisc[http]'`), checking a folder needs nothing.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from .. import Limits
from .._arguments import as_in
from .._extras import HTTP, needing
from .folder import check_folder, is_folder
from .report import Check, Evidence, Prediction, Report, Score
from .survey import PROFILES, TOPICS, Measure

if TYPE_CHECKING:
    from ..discovery import Timeouts

__all__ = [
    "PROFILES",
    "TOPICS",
    "Check",
    "Evidence",
    "Prediction",
    "Report",
    "Score",
    "acheck_site",
    "check_site",
]


def __dir__() -> list[str]:
    """Returns the public names."""
    return sorted(__all__)


async def acheck_site(
    target: str | Path,
    *,
    canonical_origin: str | None = None,
    profile: str | None = None,
    expect: Iterable[str] = (),
    user_agent: str | None = None,
    timeouts: "Timeouts | None" = None,
    limits: Limits | None = None,
    allow_private: bool = False,
    call_mcp: bool = False,
) -> Report:
    """Checks whether a site is ready for agents. `target` is its URL, or the folder with its files before they are published.

    `canonical_origin` is the origin that the documents name, such as `https://example.com`, if `target` is a preview, a server on this
    machine, or a folder. `profile` is `content`, `api` or `shop`; `expect` names what the site must have: `api`, `auth`, `mcp`, `agent`,
    `shop`, `bots`. At most 60 requests are sent, and only to the host of the site: GET and HEAD, and with `call_mcp` the call
    `server/discover` to MCP servers that its card names. The other options are those of `adiscover`.

    Raises ValueError for invalid arguments, and OSError if the site does not answer at all or the folder cannot be read.
    """
    measure = Measure.of(canonical_origin, profile, expect, call_mcp)
    if is_folder(target):
        return check_folder(Path(target), measure, limits or Limits())
    with needing("checking a site needs httpx", *HTTP):
        from ..discovery import Timeouts
        from .site import check_url
    return await check_url(
        str(target),
        measure,
        user_agent=user_agent,
        timeouts=timeouts or Timeouts(),
        limits=limits or Limits(),
        allow_private=allow_private,
    )


@as_in(acheck_site)
def check_site(
    target: str | Path,
    *,
    canonical_origin: str | None = None,
    profile: str | None = None,
    expect: Iterable[str] = (),
    user_agent: str | None = None,
    timeouts: "Timeouts | None" = None,
    limits: Limits | None = None,
    allow_private: bool = False,
    call_mcp: bool = False,
) -> Report:
    """Does the same as `acheck_site` for callers without an event loop; also works beside a running one."""
    measure = Measure.of(canonical_origin, profile, expect, call_mcp)
    if is_folder(target):
        return check_folder(Path(target), measure, limits or Limits())
    with needing("checking a site needs httpx", *HTTP):
        from ..discovery.waiting import wait_for

    async def ask() -> Report:
        return await acheck_site(
            target,
            canonical_origin=canonical_origin,
            profile=profile,
            expect=expect,
            user_agent=user_agent,
            timeouts=timeouts,
            limits=limits,
            allow_private=allow_private,
            call_mcp=call_mcp,
        )

    return wait_for(ask)
