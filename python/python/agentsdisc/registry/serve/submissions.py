"""Domains that anyone submits: fetched once an hour at most, a few at a time, and only what they say of themselves counts."""

import time
from collections import OrderedDict
from typing import Any

import anyio
import anyio.abc
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..._visible import visible
from ...discovery import Timeouts, adiscover
from ..asking import domain_of
from ..domains import AGAIN_AFTER, put_site
from ..entries import ServiceEntry
from ..store import Store
from .adp import service_url
from .clients import Buckets
from .problems import Problem, invalid, quoted
from .requests import body_of
from .state import Registry, log

_MOST_WAITING = 100
_MOST_KNOWN = 10_000
_WORKERS = 2
_RATE, _BURST = 30 / 3600, 30
"""Submissions of one client: 30 at once, and 30 an hour."""
_SECONDS = 30.0
_NOTHING = "the site does not answer, has no document that describes a service, or has a private address"


class Submissions:
    """The queue of submitted domains, and what came of the last ones."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._known: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._clients = Buckets(_RATE, _BURST)
        self._send, self._receive = anyio.create_memory_object_stream[tuple[str, str]](
            _MOST_WAITING
        )

    def start(self, group: anyio.abc.TaskGroup) -> None:
        """Starts what fetches the domains."""
        for _ in range(_WORKERS):
            group.start_soon(self._work)

    def routes(self) -> list[Route]:
        """Returns the routes."""
        return [
            Route("/api/services", self.submit, methods=["POST"]),
            Route("/api/submissions/{domain}", self.status, methods=["GET"]),
        ]

    async def submit(self, request: Request) -> Response:
        """Takes a domain into the queue."""
        if not self._registry.settings.submissions:
            raise Problem("submissions-off", "this registry takes no submissions")
        domain, url = self._site((await body_of(request)).get("domain"))
        known = self._known.get(domain)
        if known is None or time.time() - known["asked"] >= AGAIN_AFTER:
            if await self._is_recent(domain):
                known = self._set(domain, "recent")
            else:
                self._admit(request, (domain, url))
                known = self._set(domain, "waiting")
        return self._shown(domain, known)

    async def status(self, request: Request) -> Response:
        """Says what came of a submission."""
        domain = request.path_params["domain"].lower()
        known = self._known.get(domain)
        if known is None:
            raise Problem("not-found", f"{quoted(domain)} was not submitted")
        return self._shown(domain, known, status=200)

    def _site(self, given: object) -> tuple[str, str]:
        """Returns the domain, and the URL to ask."""
        if not isinstance(given, str) or len(given) > 300:
            raise invalid("domain is missing: the host of the site, such as a.example")
        is_private = self._registry.settings.allow_private
        scheme, _, rest = given.strip().rpartition("://")
        domain = domain_of(rest.rstrip("/"))
        if domain is None or scheme not in {"", "https", "http"}:
            raise invalid(f"{quoted(given)} is not a domain such as a.example")
        # Nobody may make this machine look for open ports.
        if not is_private and (":" in domain or scheme == "http"):
            raise invalid("submit the host only, without a port")
        return domain, f"{scheme or 'https'}://{domain}"

    def _admit(self, request: Request, site: tuple[str, str]) -> None:
        client = request.client.host if request.client else ""
        seconds = self._clients.take(client)
        headers = {"Retry-After": str(seconds or 60)}
        if seconds:
            said = f"more submissions than {_BURST} an hour; wait {seconds} s"
            raise Problem("too-many-requests", said, headers=headers)
        try:
            self._send.send_nowait(site)
        except anyio.WouldBlock:
            said = "too many submissions are waiting; submit it again later"
            raise Problem("too-many-requests", said, headers=headers) from None
        self._registry.metrics.event("submissions")

    async def _is_recent(self, domain: str) -> bool:
        note = f"asked {domain}"
        found = (await self._registry.ask(lambda store: store.recall(note))).get(note)
        return found is not None and int(found) > time.time() - AGAIN_AFTER

    def _set(self, domain: str, state: str, **more: Any) -> dict[str, Any]:
        before = self._known.pop(domain, {})
        asked = time.time() if state == "waiting" else before.get("asked", time.time())
        self._known[domain] = {"state": state, "asked": asked, **more}
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
        return self._known[domain]

    def _shown(
        self, domain: str, known: dict[str, Any], status: int | None = None
    ) -> Response:
        where = f"{self._registry.settings.url}/api/submissions/{domain}"
        is_open = known["state"] in {"waiting", "fetching"}
        values = {
            "success": known["state"] != "refused",
            "domain": domain,
            "status_url": where,
            **{name: value for name, value in known.items() if name != "asked"},
        }
        headers = {"Location": where, "Cache-Control": "no-store"}
        return JSONResponse(values, status or (202 if is_open else 200), headers)

    async def _work(self) -> None:
        async for domain, url in self._receive.clone():
            self._set(domain, "fetching")
            try:
                await self._fetch(domain, url)
            except Exception as problem:
                log.error("submission: %s", visible(str(problem))[:500])
                self._refused(domain, "it could not be fetched or kept")

    async def _fetch(self, domain: str, url: str) -> None:
        settings = self._registry.settings
        site = await adiscover(
            url,
            details=True,
            cache=False,
            allow_private=settings.allow_private,
            timeouts=Timeouts(total=_SECONDS),
        )

        def write(store: Store) -> ServiceEntry | None:
            # A domain that has nothing leaves nothing in the store.
            if not site.found and store.service(domain) is None:
                return None
            with store.write() as writer:
                return put_site(writer, domain, site)

        entry = await self._registry.ask(write)
        self._registry.changed()
        if entry is None:
            self._refused(domain, _NOTHING)
            return
        self._registry.metrics.event("submissions_added")
        self._set(
            domain,
            "added",
            service=service_url(settings.url, domain),
            formats=list(entry.formats),
            capabilities=entry.capabilities,
        )

    def _refused(self, domain: str, why: str) -> None:
        self._registry.metrics.event("submissions_refused")
        self._set(domain, "refused", detail=why)
