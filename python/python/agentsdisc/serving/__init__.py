"""How a site serves its documents: where, with which headers, and whether they agree with one another.

What the documents say is for `Document.check`, and whether two of them agree for the core; here are the places and
the headers. That needs the network and is asked by site owners only, never on the way to a decision, so it
is Python, over httpx, which `pip install 'agentsdisc[http]'` brings.
"""

from dataclasses import dataclass

from .. import Document, Limits
from .._arguments import may_be
from .._serving import CODES
from ..discovery import Timeouts

__all__ = ["CODES", "Checked", "Remark", "Spot", "acheck", "check"]

try:
    from ..discovery.waiting import wait_for
    from .judge import Remark, Spot, judge
    from .probe import survey
except ModuleNotFoundError as missing:
    if missing.name in {"httpx", "httpcore", "anyio"}:
        message = "checking a site needs httpx: pip install 'agentsdisc[http]'"
        raise ImportError(message, name=missing.name) from None
    raise


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found about a site."""

    origin: str
    """Scheme, host and port that were asked."""
    documents: tuple[tuple[str, Document], ...]
    """The documents at the well-known places, with their URLs; of the same at two places, the first."""
    remarks: tuple[Remark, ...]
    """What is wrong with how they are served. What is wrong with what they say is told by `Document.check`."""
    answered: bool
    """Whether the site answered at all."""


async def acheck(
    url: str,
    *,
    agent: str = "*",
    user_agent: str | None = None,
    timeouts: Timeouts | None = None,
    limits: Limits | None = None,
    allow_private: bool = False,
) -> Checked:
    """Asks a site for every document at every place, and checks how they are served. Nothing is cached.

    `agent` is for whom the robots.txt is asked. Connects to the site's own host only, and where discovery does. The
    other options are those of `adiscover`. Raises ValueError where `url` names no site.
    """
    may_be(Timeouts, timeouts, "timeouts")
    found = await survey(
        url,
        user_agent=user_agent,
        timeouts=timeouts or Timeouts(),
        limits=limits or Limits(),
        allow_private=allow_private,
    )
    documents: list[tuple[str, Document]] = []
    for served in found.places:
        if served.document is not None and all(
            served.body != d.bytes for _, d in documents
        ):
            documents.append((served.url, served.document))
    known = {url for url, _ in documents} | {
        document.bytes for _, document in documents
    }
    for each in found.site.found:
        # At another host of the site, to which discovery follows.
        if each.url not in known and each.document.bytes not in known:
            documents.append((each.url, each.document))
    answered = any(served.status is not None for served in found.places)
    return Checked(
        found.site.origin, tuple(documents), tuple(judge(found, agent)), answered
    )


def check(
    url: str,
    *,
    agent: str = "*",
    user_agent: str | None = None,
    timeouts: Timeouts | None = None,
    limits: Limits | None = None,
    allow_private: bool = False,
) -> Checked:
    """The same as `acheck`, for callers without an event loop (or beside a running one)."""

    async def ask() -> Checked:
        return await acheck(
            url,
            agent=agent,
            user_agent=user_agent,
            timeouts=timeouts,
            limits=limits,
            allow_private=allow_private,
        )

    return wait_for(ask)
