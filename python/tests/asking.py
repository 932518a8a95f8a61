"""Discovery from the tests' own servers, which have loopback addresses."""

from typing import Any

import agentsdisc
from agentsdisc.discovery import Site, Timeouts

# For tests that may wait, on a machine that does other work.
PATIENT = Timeouts(connect=60, read=60, request=60, total=120)


def discover(url: str, **options: Any) -> Site:
    """Requests the documents of a site, with nothing from a store unless one is given."""
    return agentsdisc.discover(
        url,
        **{"allow_private": True, "cache": False, "timeouts": PATIENT, **options},
    )


def rejections(site: Site) -> dict[str, str | None]:
    """Why each requested path was rejected; None where a document was found."""
    return {a.key.removeprefix(site.origin): a.rejection for a in site.attempts}
