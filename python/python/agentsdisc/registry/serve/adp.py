"""The interface of the Agent Discovery Protocol: search, and the services with their capabilities."""

import re
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .. import rows
from ..entries import CapabilityEntry, Hit, ServiceEntry, without_keys
from ..hosts import as_domain
from ..searching import MOST_OFFSET
from ..store import Store
from .problems import Problem, invalid, quoted
from .requests import clean, number, query
from .state import Answer, Registry, as_json, fitting, time_text

_MOST_LISTED = 100
_CAPABILITIES = "/api/services/{domain}/capabilities"


def routes(registry: Registry) -> list[Route]:
    """Returns the routes of ADP's interface."""
    url = registry.settings.url

    async def discover(request: Request) -> Response:
        asked = query(request)
        filters = (asked.format, asked.category, asked.auth, asked.tag)
        if not asked.text.strip() and not any(filters):
            raise invalid("q is missing: the words to search for")

        def make(store: Store) -> Answer:
            found = store.search(asked)
            data = fitting([_hit(url, hit) for hit in found.hits])
            answer = {
                "success": True,
                "query": asked.text,
                "result_count": len(data),
                "data": data,
            }
            behind = asked.offset + len(data)
            more = found.more or len(data) < len(found.hits)
            if not more or behind > MOST_OFFSET:
                return as_json(answer)
            following = url + _next(request, "offset", str(behind))
            return as_json(answer, Link=f'<{following}>; rel="next"')

        return await registry.answer(request, make)

    async def services(request: Request) -> Response:
        asked = replace(query(request, default=20), text="", offset=0)
        after = request.query_params.get("after")

        def make(store: Store) -> Answer:
            found = store.list(asked, clean(after) if after else None)
            listed = fitting(
                [service_values(url, without_keys(h.service)[0]) for h in found.hits]
            )
            more = found.more or len(listed) < len(found.hits)
            return _page(
                url,
                listed,
                _next(request, "after", listed[-1]["domain"])
                if more and listed
                else None,
                total=found.total,
            )

        return await registry.answer(request, make)

    async def service(request: Request) -> Response:
        domain = clean(as_domain(request.path_params["domain"]))
        after = request.query_params.get("after")
        limit = number(
            request.query_params.get("limit"), "limit", _MOST_LISTED, 1, _MOST_LISTED
        )

        def make(store: Store) -> Answer:
            entry = known(store, domain)
            found = store.capabilities(domain, clean(after) if after else None, limit)
            behind = (
                _next(request, "after", rows.key(found[-1].name))
                if len(found) == limit
                else None
            )
            entry, listed = without_keys(entry, found)
            return as_json(
                {
                    "success": True,
                    "data": {
                        **service_values(url, entry),
                        "capabilities": [capability_values(url, c) for c in listed],
                        "next": url + behind if behind else None,
                    },
                }
            )

        return await registry.answer(request, make)

    async def capability(request: Request) -> Response:
        domain = clean(as_domain(request.path_params["domain"]))
        given = request.path_params.get("name", request.query_params.get("name"))
        if not given:
            raise invalid(
                "name is missing: the name of a capability; the URL without /capabilities lists them"
            )
        name = clean(given)

        def make(store: Store) -> Answer:
            entry = store.capability(domain, name)
            if entry is None:
                known(store, domain)
                said = f"{quoted(domain)} has no capability {quoted(name)}"
                raise Problem("not-found", said)
            _, (entry,) = without_keys(None, (entry,))
            return as_json({"success": True, "data": capability_values(url, entry)})

        return await registry.answer(request, make)

    return [
        Route("/api/discover", discover, methods=["GET"]),
        Route("/api/services", services, methods=["GET"]),
        Route("/api/services/{domain}", service, methods=["GET"]),
        Route(_CAPABILITIES, capability, methods=["GET"]),
        Route(f"{_CAPABILITIES}/{{name:path}}", capability, methods=["GET"]),
    ]


def registry_of(request: Request) -> Registry:
    """Returns the registry that all endpoints share."""
    registry: Registry = request.app.state.registry
    return registry


def known(store: Store, domain: str) -> ServiceEntry:
    """Returns a service. Raises the problem `not-found`."""
    entry = store.service(domain)
    if entry is None:
        raise Problem("not-found", f"the registry has no service {quoted(domain)}")
    return entry


def _hit(url: str, hit: Hit) -> dict[str, Any]:
    entry, capabilities = without_keys(hit.service, hit.capabilities)
    service = {
        "name": entry.name or entry.domain,
        "domain": entry.domain,
        "description": entry.description or None,
        "base_url": entry.url or site_of(entry),
        "auth_type": entry.auth,
        "pricing_type": entry.price,
        "verified": entry.verified,
    }
    return {
        "service": service,
        "matching_capabilities": [
            {
                "name": each.name,
                "description": each.description or each.title or None,
                "detail_url": detail_url(url, each),
            }
            for each in capabilities
        ],
        # No words match: a client may leave such results out.
        **({"match": "meaning"} if hit.by_meaning else {}),
    }


def site_of(entry: ServiceEntry) -> str:
    """Returns the URL of a site, with the scheme by which its most important document was fetched."""
    scheme = urlsplit(entry.sources[0].url).scheme if entry.sources else "https"
    return f"{'http' if scheme == 'http' else 'https'}://{entry.domain}"


def service_url(url: str, domain: str) -> str:
    """Returns the URL at which the registry describes a service."""
    return f"{url}/api/services/{quote(domain, safe=':')}"


def detail_url(url: str, entry: CapabilityEntry) -> str:
    """Returns the URL at which the registry describes a capability."""
    where, name = f"{service_url(url, entry.domain)}/capabilities", rows.key(entry.name)
    # Clients and proxies resolve or join such segments, also if they are escaped.
    if name.isprintable() and {"", ".", ".."}.isdisjoint(re.split(r"[/\\]", name)):
        return f"{where}/{quote(name, safe='')}"
    return f"{where}?{urlencode({'name': name})}"


def service_values(url: str, entry: ServiceEntry) -> dict[str, Any]:
    """Returns all that is declared of a service, and from where."""
    return {
        "domain": entry.domain,
        "name": entry.name,
        "description": entry.description,
        "base_url": entry.url,
        "category": entry.category,
        "tags": entry.tags,
        "auth_type": entry.auth,
        "pricing_type": entry.price,
        "rate_limit": entry.limit,
        "ai_preferences": dict(entry.preferences),
        "verified": entry.verified,
        "capability_count": entry.capabilities,
        "created_at": time_text(entry.created),
        "updated_at": time_text(entry.updated),
        "sources": [
            {
                "url": each.url,
                "format": each.format,
                "sha256": each.digest,
                "fetched_at": time_text(each.fetched),
                "fresh_until": time_text(each.fresh_until),
                "verdict": each.verdict,
                "errors": each.errors,
                "warnings": each.warnings,
                "verified": each.verified,
            }
            for each in entry.sources
        ],
        "url": service_url(url, entry.domain),
    }


def capability_values(url: str, entry: CapabilityEntry) -> dict[str, Any]:
    """Returns all that is declared of a capability."""
    return {**asdict(entry), "detail_url": detail_url(url, entry)}


def _next(request: Request, name: str, value: str) -> str:
    """Returns the path and query of the next page."""
    kept = [(n, v) for n, v in request.query_params.multi_items() if n != name]
    text = urlencode([*kept, (name, value)], errors="replace")
    return f"{quote(request.scope['path'], safe='/:')}?{text}"


def _page(
    url: str, data: Iterable[Any], following: str | None, *, total: int | None
) -> Answer:
    listed = list(data)
    answer = {
        "success": True,
        "result_count": len(listed),
        "total": total,
        "data": listed,
        "next": url + following if following else None,
    }
    if following is None:
        return as_json(answer)
    return as_json(answer, Link=f'<{url}{following}>; rel="next"')
