"""Other registries: named as referrals, or asked for `federation: auto`. A registry that does not answer is ignored."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import anyio

from ..._visible import visible
from ...discovery import Timeouts
from ...discovery.addresses import port_of
from .. import asking
from ..client import MOST_RESULTS, FoundService
from ..hosts import publisher_of, spelled
from .state import Registry, log

_SECONDS = 3.0
_TOGETHER = 8


@dataclass(frozen=True, slots=True)
class _Forwarded(asking.Asked):
    """A search that is forwarded unchanged to another registry."""

    body: bytes

    def ard(self) -> bytes:
        return self.body


class Federation:
    """The upstream registries of this one."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._upstreams = registry.settings.upstreams
        self._together = anyio.CapacityLimiter(_TOGETHER)
        self.referrals = [_referral(url) for url in self._upstreams]

    async def ask(self, query: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Returns the first results of the upstream registries, in a bounded time."""
        if not self._upstreams:
            return []
        # An upstream that asks others could ask this one again.
        asked = {"query": query, "federation": "none", "pageSize": MOST_RESULTS}
        body = json.dumps(asked).encode()
        forwarded = _Forwarded("", MOST_RESULTS, None, None, None, body)
        found: dict[str, list[dict[str, Any]]] = {}

        async def one(url: str) -> None:
            try:
                found[url] = await self._asked(url, forwarded)
            except Exception as problem:
                self._registry.metrics.event("upstream_errors")
                log.warning("upstream: %s", visible(str(problem))[:500])

        with anyio.move_on_after(_SECONDS + 1):
            async with anyio.create_task_group() as group:
                for url in self._upstreams:
                    group.start_soon(one, url)
        # In the configured order, not in that of the answers.
        merged = [each for url in self._upstreams for each in found.get(url, ())]
        return [*{each["identifier"]: each for each in reversed(merged)}.values()]

    async def _asked(self, url: str, forwarded: _Forwarded) -> list[dict[str, Any]]:
        timeouts = Timeouts(total=_SECONDS, request=_SECONDS)
        async with self._together:
            # The operator has named this host, so it may be a private one.
            answer = await asking.ask(url, forwarded, "ard", timeouts, True, None)
        entries = (_entry(each, url) for each in answer.services)
        return [entry for entry in entries if entry is not None]


def _entry(found: FoundService, upstream: str) -> dict[str, Any] | None:
    if not (found.identifier and found.format and found.url):
        return None
    values: dict[str, Any] = {
        "identifier": found.identifier,
        "displayName": found.name or found.domain,
        "type": found.format,
        "url": found.url,
        "description": found.description,
        "capabilities": [each.name for each in found.capabilities],
        "score": max(0, min(100, round(found.score or 0))),
        "source": upstream,
    }
    return {n: v for n, v in values.items() if v or n == "score"}


def _referral(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    host = spelled(parts.hostname or "") or "registry"
    port = port_of(url)
    names = ["urn:air", publisher_of(host), *([] if port == 443 else [str(port)])]
    path = parts.path.strip("/")
    digest = hashlib.sha256(path.encode()).hexdigest()[:12]
    return {
        "identifier": ":".join([*names, f"registry-{digest}" if path else "registry"]),
        "displayName": f"Registry at {host}",
        "type": "application/ai-registry+json",
        "url": url,
    }
