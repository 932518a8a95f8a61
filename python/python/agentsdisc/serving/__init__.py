"""Checks how a site serves its documents: locations, headers, and whether the documents agree.

`Document.check` checks the content of a document, and the core compares two documents; this package
checks locations and headers. It uses httpx (`pip install 'agentsdisc[http]'`). Only site owners run
it, never a decision.
"""

from dataclasses import dataclass

from .. import Document, Limits
from .._arguments import as_in, may_be
from .._extras import HTTP, needing
from .._serving import CODES
from .._visible import shown
from ..discovery import Timeouts

__all__ = ["CODES", "Checked", "Remark", "Spot", "acheck", "check"]


def __dir__() -> list[str]:
    """Returns the public names."""
    return sorted(__all__)


with needing("checking a site needs httpx", *HTTP):
    from ..discovery.waiting import wait_for
    from .judge import judge
    from .probe import survey
    from .remark import Remark, Spot


@shown
@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check."""

    origin: str
    """Scheme, host and port of the site."""
    documents: tuple[tuple[str, Document], ...]
    """The documents at the well-known locations, with their URLs; of two copies, the first. Capability details follow."""
    remarks: tuple[Remark, ...]
    """Problems with how the documents are served. `Document.check` reports problems with their content."""
    answered: bool
    """Whether the site sent any response."""


async def acheck(
    url: str,
    *,
    agent: str = "*",
    user_agent: str | None = None,
    timeouts: Timeouts | None = None,
    limits: Limits | None = None,
    allow_private: bool = False,
) -> Checked:
    """Requests every document of a site at every location, and checks how it is served. Stores nothing.

    `agent` is the agent to match with robots.txt. Connects only to the site's own host and to the hosts that
    discovery connects to. The other options are those of `adiscover`. Raises ValueError if `url` is not a site.
    """
    may_be(Timeouts, timeouts, "timeouts")
    found = await survey(
        url,
        agent=agent,
        user_agent=user_agent,
        timeouts=timeouts or Timeouts(),
        limits=limits or Limits(),
        allow_private=allow_private,
    )
    documents: list[tuple[str, Document]] = []
    for each in found.placed:
        if all(each.document.bytes != document.bytes for _, document in documents):
            documents.append((each.url, each.document))
    known = {url for url, _ in documents} | {
        document.bytes for _, document in documents
    }
    for other in found.site.found:
        # The document is on another host of the site, to which discovery follows redirects.
        if other.url not in known and other.document.bytes not in known:
            documents.append((other.url, other.document))
    documents += [(each.url, each.document) for each in found.site.details]
    return Checked(
        found.site.origin, tuple(documents), tuple(judge(found)), found.answered
    )


@as_in(acheck)
def check(
    url: str,
    *,
    agent: str = "*",
    user_agent: str | None = None,
    timeouts: Timeouts | None = None,
    limits: Limits | None = None,
    allow_private: bool = False,
) -> Checked:
    """Does the same as `acheck` for callers without an event loop; also works beside a running one."""

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
