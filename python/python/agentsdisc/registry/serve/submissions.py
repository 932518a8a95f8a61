"""Domains that anyone submits: fetched at most once an hour and a few at a time. Only their own documents count.

A note in the store has the results, so that every process of a registry knows them.
"""

import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import anyio
import anyio.abc
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..._agentsdisc import host_relation
from ..._visible import beginning, visible
from ...discovery import Site, Timeouts, adiscover
from ...discovery.addresses import host_of, is_local
from ..domains import AGAIN_AFTER, put_site
from ..entries import ServiceEntry
from ..hosts import as_domain, domain_in
from ..store import Entries, Store, Writer
from .adp import service_url
from .clients import Buckets
from .problems import Problem, invalid, quoted
from .requests import body_of
from .settings import Settings
from .state import Registry, log

_MOST_WAITING = 100
_MOST_KNOWN = 2_000
_WORKERS = 2
_RATE, _BURST = 30 / 3600, 30
"""Submissions of one client: 30 at once, and 30 an hour."""
_SECONDS = 30.0
_LOST = _MOST_WAITING * _SECONDS / _WORKERS
"""If a domain still waits after this many seconds, no process is handling it any more."""
_NOTE = "submissions"
_DAY = 86_400
"""For how many seconds the signature of a submission may be valid."""
_NOT_THERE = (None, "not-found", "gone")

Known = dict[str, dict[str, Any]]
"""The submissions of the last hour by domain, the oldest first."""


class Submissions:
    """The queue of submitted domains, and the results of the last ones."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        settings = registry.settings
        self._signers = _Signers(settings) if settings.signed else None
        self._identity = None
        if settings.identity is not None:
            from ...identity import Identity, Key

            self._identity = Identity(Key.load(settings.identity), settings.directory)
        self._clients = Buckets(_RATE, _BURST)
        self._waiting = 0
        self._send, self._receive = anyio.create_memory_object_stream[tuple[str, str]](
            math.inf
        )

    def start(self, group: anyio.abc.TaskGroup) -> None:
        """Starts the tasks that fetch the domains."""
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
        client = request.client.host if request.client else ""
        if self._signers is not None:
            client = await self._signers.signer(request)
        domain, url = self._site((await body_of(request)).get("domain"))
        known = await self._registry.ask(lambda store: _last(store, domain))
        if known is None:
            with self._place(client) as admitted:
                known = await self._registry.change(self._taken(domain))
                if known is None:
                    known = {"state": "waiting"}
                    admitted()
                    self._send.send_nowait((domain, url))
        return self._shown(domain, known)

    async def status(self, request: Request) -> Response:
        """Answers with the result of a submission."""
        domain = as_domain(request.path_params["domain"])
        known = await self._registry.ask(lambda store: _known(store).get(domain))
        if known is None:
            said = f"{quoted(domain)} was not submitted within the last hour"
            raise Problem("not-found", said)
        return self._shown(domain, known, status=200)

    def _site(self, given: object) -> tuple[str, str]:
        """Returns the domain, and the URL to ask."""
        if not isinstance(given, str) or len(given) > 300:
            raise invalid("domain is missing: the host of the site, such as a.example")
        scheme, _, rest = given.strip().rpartition("://")
        domain = domain_in(rest.rstrip("/"))
        if domain is None or scheme not in {"", "https", "http"}:
            raise invalid(f"{quoted(given)} is not a domain such as a.example")
        if not self._registry.settings.allow_private:
            if is_local(host_of(f"https://{domain}") or ""):
                said = f"{quoted(given)} is a private address, or a name of a local network; submit a public domain"
                raise invalid(said)
            # Otherwise anybody could make this machine scan ports.
            if scheme == "http" or urlsplit(f"//{domain}").port is not None:
                raise invalid("submit the host only, without http:// and port")
        return domain, f"{scheme or 'https'}://{domain}"

    @contextmanager
    def _place(self, client: str) -> Iterator[Callable[[], None]]:
        """Reserves a place in the queue for a client. Frees it again unless the submission is admitted."""
        seconds = self._clients.take(client)
        headers = {"Retry-After": str(seconds or 60)}
        if seconds:
            said = f"more submissions than {_BURST} an hour; wait {seconds} s"
            raise Problem("too-many-requests", said, headers=headers)
        if self._waiting >= _MOST_WAITING:
            said = "too many submissions are waiting; submit it again later"
            raise Problem("too-many-requests", said, headers=headers)
        self._waiting += 1
        admitted = False

        def admit() -> None:
            nonlocal admitted
            admitted = True
            self._registry.metrics.event("submissions")

        try:
            yield admit
        finally:
            self._waiting -= not admitted

    def _taken(self, domain: str) -> Callable[[Store], dict[str, Any] | None]:
        """Returns a function that records that a domain waits. If another process was faster, the function returns its record."""
        most, owner = self._registry.settings.subdomains, owner_of(domain)

        def take(store: Store) -> dict[str, Any] | None:
            with store.write() as writer:
                found = _last(writer, domain)
                if found is not None:
                    return found
                known = _known(writer)
                if most and writer.service(domain) is None:
                    taken = {
                        *writer.services(_submitted(writer, owner)),
                        *(name for name, each in known.items() if _is_of(each, owner)),
                    }
                    if len(taken) >= most:
                        said = f"the registry takes {most} submitted services of {quoted(owner)} at most"
                        raise Problem("domain-full", said)
                _set(writer, known, domain, state="waiting", owner=owner)
            return None

        return take

    def _shown(
        self, domain: str, known: dict[str, Any], status: int | None = None
    ) -> Response:
        where = f"{self._registry.settings.url}/api/submissions/{domain}"
        values = {
            "success": known["state"] != "refused",
            "domain": domain,
            "status_url": where,
            **{n: value for n, value in known.items() if n not in {"asked", "owner"}},
        }
        headers = {"Location": where, "Cache-Control": "no-store"}
        is_open = known["state"] == "waiting"
        return JSONResponse(values, status or (202 if is_open else 200), headers)

    async def _work(self) -> None:
        async for domain, url in self._receive.clone():
            self._waiting -= 1
            try:
                await self._fetch(domain, url)
            except Exception as problem:
                log.error("submission: %s", visible(str(problem))[:500])
                # If the store fails, the domain can be submitted again after _LOST seconds.
                with suppress(Problem):
                    await self._refused(domain)

    async def _refused(self, domain: str) -> None:
        why = "it could not be fetched or kept"

        def refuse(store: Store) -> None:
            with store.write() as writer:
                _set(writer, _known(writer), domain, state="refused", detail=why)

        self._registry.metrics.event("submissions_refused")
        await self._registry.change(refuse)

    async def _fetch(self, domain: str, url: str) -> None:
        settings = self._registry.settings
        site = await adiscover(
            url,
            details=True,
            cache=False,
            allow_private=settings.allow_private,
            timeouts=Timeouts(total=_SECONDS),
            identity=self._identity,
        )

        def write(store: Store) -> ServiceEntry | None:
            with store.write() as writer:
                entry = None
                # A domain without documents is not written to the store.
                if site.found or writer.service(domain) is not None:
                    entry = put_site(writer, domain, site)
                if entry is None:
                    outcome: dict[str, Any] = {"state": "refused", "detail": _why(site)}
                else:
                    _submitted(writer, owner_of(domain), domain)
                    outcome = {
                        "state": "added",
                        "service": service_url(settings.url, domain),
                        "formats": list(entry.formats),
                        "capabilities": entry.capabilities,
                    }
                _set(writer, _known(writer), domain, **outcome)
            return entry

        entry = await self._registry.change(write)
        self._registry.changed()
        ended = "submissions_refused" if entry is None else "submissions_added"
        self._registry.metrics.event(ended)


class _Signers:
    """Who signs submissions."""

    def __init__(self, settings: Settings) -> None:
        from ...identity import Directory, Replays

        self._url = settings.url
        self._keys = settings.keys or Directory()
        self._replays = Replays()

    async def signer(self, request: Request) -> str:
        """Returns who signed a request. Raises Problem if nobody did."""
        from ...identity import averify
        from ...identity.middleware import ASKED

        target = request.scope["raw_path"].decode("latin-1").partition("?")[0]
        if query := request.scope["query_string"]:
            target += "?" + query.decode("latin-1")
        # The URL of the registry, never what the field Host says.
        verdict = await averify(
            request.method,
            self._url + target,
            request.headers.raw,
            keys=self._keys,
            longest=_DAY,
            replays=self._replays,
        )
        if verdict.identity is None:
            raise Problem(
                "signature-required",
                verdict.message,
                headers=ASKED,
                reason=verdict.reason,
            )
        return verdict.identity


def _why(site: Site) -> str:
    """Returns why a site gives no service: the failure at its most informative location."""
    if site.found:
        return "its documents describe no service"
    others = [each for each in site.attempts if each.rejection not in _NOT_THERE]
    first = next(iter((*site.missed, *others, *site.attempts)), None)
    if first is None:
        return "it has no document that describes a service"
    said = ": ".join(filter(None, (first.message, first.error)))
    why = f"it has no document that describes a service; {first.key}: {said}"
    return visible(beginning(why, 500))


def owner_of(domain: str) -> str:
    """Returns the registrable domain of a domain, which has one owner; an address or a public suffix itself."""
    host = host_of(f"https://{domain}") or domain
    labels = host.split(".")
    for at in range(len(labels) - 2, 0, -1):
        end = ".".join(labels[at:])
        if host_relation(end, host) != "other":
            return end
    return host


def _known(entries: Entries) -> Known:
    """Returns the submissions of the last hour."""
    kept = entries.recall(_NOTE).get(_NOTE)
    found: Known = json.loads(kept) if kept else {}
    now = time.time()
    return {
        domain: each
        for domain, each in found.items()
        if now - each["asked"] < (_LOST if each["state"] == "waiting" else AGAIN_AFTER)
    }


def _last(entries: Entries, domain: str) -> dict[str, Any] | None:
    """Returns what is known of a domain if it was submitted or asked within the hour."""
    known = _known(entries).get(domain)
    if known is None:
        note = f"asked {domain}"
        asked = entries.recall(note).get(note)
        if asked is not None and int(asked) > time.time() - AGAIN_AFTER:
            known = {"state": "recent"}
    return known


def _set(writer: Writer, known: Known, domain: str, **values: Any) -> None:
    before = known.pop(domain, {"asked": time.time()})
    known[domain] = {"asked": before["asked"], **values}
    kept = dict([*known.items()][-_MOST_KNOWN:])
    writer.remember(_NOTE, json.dumps(kept).encode())


def _is_of(known: dict[str, Any], owner: str) -> bool:
    return known["state"] == "waiting" and known.get("owner") == owner


def _submitted(writer: Writer, owner: str, more: str | None = None) -> list[str]:
    """Returns the submitted domains of an owner that are services; adds the domain `more`, if given."""
    note = f"submitted {owner}"
    kept = writer.recall(note).get(note)
    found: list[str] = json.loads(kept) if kept else []
    if more is not None and more not in found:
        found = [*writer.services(found), more]
        writer.remember(note, json.dumps(found).encode())
    return found
