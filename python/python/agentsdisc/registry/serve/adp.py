"""The interface of ADP (section 6), and what the registry knows of one service."""

from dataclasses import asdict
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from ..entries import CapabilityEntry, Query, ServiceEntry
from ..store import Store
from .problems import Problem, quoted
from .requests import number, several, words
from .state import Answer, Registry, as_json


def registry_of(request: Request) -> Registry:
    """Returns what all endpoints share."""
    registry: Registry = request.app.state.registry
    return registry


def _query(request: Request) -> Query:
    given = request.query_params
    return Query(
        text=words(given.get("q", ""), "q"),
        limit=number(given.get("limit"), "limit", 10, 1, 100),
        offset=number(given.get("offset"), "offset", 0, 0, 1000),
        category=several(request, "category"),
        format=several(request, "format"),
        auth=several(request, "auth"),
        tag=several(request, "tag"),
        domain=several(request, "domain"),
    )


async def discover(request: Request) -> Response:
    """Answers GET /api/discover."""
    registry, query = registry_of(request), _query(request)
    url = registry.settings.url

    def make(store: Store) -> Answer:
        found = store.search(query)
        data = [
            {
                "service": _summary(hit.service),
                "matching_capabilities": [_short(url, c) for c in hit.capabilities],
            }
            for hit in found.hits
        ]
        values = {
            "success": True,
            "query": query.text,
            "result_count": len(data),
            "data": data,
        }
        after = query.offset + query.limit
        if not found.more or after > 1000:
            return as_json(values)
        given = [(k, v) for k, v in request.query_params.multi_items() if k != "offset"]
        following = urlencode([*given, ("offset", str(after))])
        return as_json(values, Link=f'<{url}/api/discover?{following}>; rel="next"')

    return await registry.answer(request, make)


async def services(request: Request) -> Response:
    """Answers GET /api/services: all services by domain."""
    registry, query = registry_of(request), _query(request)
    after = request.query_params.get("after")

    def make(store: Store) -> Answer:
        found = store.list(query, after)
        data = [_summary(hit.service) for hit in found.hits]
        last = data[-1]["domain"] if found.more and data else None
        return as_json({"success": True, "data": data, "after": last})

    return await registry.answer(request, make)


async def service(request: Request) -> Response:
    """Answers GET /api/services/{domain}."""
    registry, domain = registry_of(request), request.path_params["domain"]
    url = registry.settings.url

    def make(store: Store) -> Answer:
        entry = _known(store, domain)
        listed = store.capabilities(domain)
        sources = [
            {k: v for k, v in asdict(source).items() if v is not None}
            for source in entry.sources
        ]
        for one in sources:
            for name in ("fetched", "fresh_until"):
                if name in one:
                    one[name] = one[name].isoformat()
        data = {
            **_summary(entry),
            "category": entry.category,
            "tags": entry.tags,
            "preferences": dict(entry.preferences),
            "documents": sources,
            "capability_count": entry.capabilities,
            "capabilities": [_short(url, c) for c in listed],
        }
        return as_json({"success": True, "data": data})

    return await registry.answer(request, make)


async def capability(request: Request) -> Response:
    """Answers GET /api/services/{domain}/capabilities/{name}: an ADP capability detail, as far as it is known."""
    registry = registry_of(request)
    domain, name = request.path_params["domain"], request.path_params["name"]

    def make(store: Store) -> Answer:
        entry = store.capability(domain, name)
        if entry is None:
            raise Problem("not-found", f"no capability {quoted(name)} is known there")
        values: dict[str, Any] = {
            "name": entry.name,
            "description": entry.description or entry.title or entry.name,
            "endpoint": entry.endpoint,
            "method": entry.method,
            "parameters": [{"name": each} for each in entry.parameters],
            "auth_type": entry.auth,
            "domain": domain,
            "source": entry.source,
        }
        return as_json({k: v for k, v in values.items() if v is not None})

    return await registry.answer(request, make)


def _known(store: Store, domain: str) -> ServiceEntry:
    entry = store.service(domain)
    if entry is None:
        raise Problem("not-found", f"no service {quoted(domain)} is known")
    return entry


def _summary(entry: ServiceEntry) -> dict[str, Any]:
    return {
        "name": entry.name or entry.domain,
        "domain": entry.domain,
        "description": entry.description,
        "base_url": entry.url or f"https://{entry.domain}",
        "auth_type": entry.auth,
        "pricing_type": entry.price,
        "verified": entry.verified,
    }


def _short(url: str, entry: CapabilityEntry) -> dict[str, Any]:
    place = f"{quote(entry.domain)}/capabilities/{quote(entry.name, safe='')}"
    return {
        "name": entry.name,
        "description": entry.description or entry.title,
        "detail_url": f"{url}/api/services/{place}",
    }
