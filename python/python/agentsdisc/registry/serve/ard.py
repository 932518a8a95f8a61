"""The interface of ARD: search, explore, list (sections 7 and 8)."""

import base64
import hashlib
import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ..entries import Hit, Query
from ..store import Store
from .adp import registry_of
from .problems import invalid, quoted
from .requests import json_object, number, words
from .settings import Settings
from .state import Answer, as_json

MEDIA_TYPES = {
    "a2a-agent-card": "application/a2a-agent-card+json",
    "mcp-server-card": "application/mcp-server-card+json",
    "ai-catalog": "application/ai-catalog+json",
    "api-catalog": "application/linkset+json",
    "agents-txt": 'text/plain; profile="agents-txt"',
    "agents-txt-0.1": 'text/plain; profile="agents-txt-0.1"',
    "agents-md": 'text/markdown; profile="agents-md"',
    "llms-txt": 'text/markdown; profile="llms-txt"',
    **{
        name: f'application/json; profile="{name}"'
        for name in ("agents-json", "agents-json-0.1", "awp", "adp", "agent-skills")
    },
}
_PATHS = {
    "type": "format",
    "tags": "tag",
    "publisher": "domain",
    "publisherId": "domain",
    "displayName": "name",
    "capabilities": "capability",
    "metadata.category": "category",
    "metadata.auth": "auth",
}
_FACETS = {k: v for k, v in _PATHS.items() if v not in {"name", "capability"}}


async def search(request: Request) -> Response:
    """Answers POST /search."""
    registry, body = registry_of(request), await json_object(request)
    text, filters, nothing = _parts(body.get("query"), needs_text=True)
    mode = body.get("federation", "auto")
    if mode not in ("auto", "referrals", "none"):
        raise invalid("federation must be auto, referrals or none")
    size = body.get("pageSize", 10)
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise invalid("pageSize must be a whole number from 1")
    mark = hashlib.sha256(repr((text, filters)).encode()).hexdigest()[:16]
    offset = _offset(body.get("pageToken"), mark)
    query = Query(text=text, limit=min(size, 100), offset=offset, **filters)

    def make(store: Store) -> Answer:
        found = None if nothing else store.search(query)
        hits = found.hits if found else ()
        values: dict[str, Any] = {
            "results": [
                {
                    **_entry(hit, query.format),
                    "score": max(0, min(100, round(hit.score))),
                    "source": registry.settings.ard,
                }
                for hit in hits
            ]
        }
        if mode == "referrals":
            values["referrals"] = _referrals(registry.settings)
        following = offset + query.limit
        if found and found.more and following <= 1000:
            values["pageToken"] = _token([mark, following])
        return as_json(values)

    key = f"ard-search {mode} {nothing} {query!r}"
    return await registry.answer(request, make, key=key)


async def explore(request: Request) -> Response:
    """Answers POST /explore."""
    registry, body = registry_of(request), await json_object(request)
    text, filters, nothing = _parts(body.get("query", {}), needs_text=False)
    wanted = body.get("resultType")
    facets = wanted.get("facets") if isinstance(wanted, dict) else None
    if not isinstance(facets, list) or not 1 <= len(facets) <= 20:
        raise invalid("resultType.facets must be a list of 1 to 20 objects")
    asked = [_facet(each) for each in facets]
    query = Query(text=text, **filters)

    def make(store: Store) -> Answer:
        counted: dict[str, Any] = {}
        for path, limit, least in asked:
            if nothing:
                counted[path] = {"buckets": []}
                continue
            found = store.facet(query, _FACETS[path], limit, least)
            buckets = [
                {"value": MEDIA_TYPES.get(v, v) if path == "type" else v, "count": n}
                for v, n in found.buckets
            ]
            counted[path] = {"buckets": buckets}
            if found.other:
                counted[path]["otherCount"] = found.other
        return as_json({"resultType": "facets", "facets": counted})

    return await registry.answer(
        request, make, key=f"ard-explore {asked} {nothing} {query!r}"
    )


async def agents(request: Request) -> Response:
    """Answers GET /agents."""
    registry, given = registry_of(request), request.query_params
    filters, nothing = _expression(given.get("filter", ""))
    size = number(given.get("pageSize"), "pageSize", 20, 1, 100)
    token = given.get("pageToken")
    after = _read(token) if token else None
    if after is not None and not isinstance(after, str):
        raise invalid("pageToken is not one of this registry")
    if given.get("orderBy", "publisher") not in ("publisher", "identifier"):
        raise invalid("orderBy can be publisher or identifier")
    query = Query(limit=size, **filters)

    def make(store: Store) -> Answer:
        found = None if nothing else store.list(query, after)
        hits = found.hits if found else ()
        values: dict[str, Any] = {"items": [_entry(hit, query.format) for hit in hits]}
        if found and found.total is not None:
            values["total"] = found.total
        if found and found.more and hits:
            values["pageToken"] = _token(hits[-1].service.domain)
        return as_json(values)

    return await registry.answer(request, make)


def _parts(query: Any, *, needs_text: bool) -> tuple[str, dict[str, Any], bool]:
    """Returns text and filters, and whether the filters exclude everything."""
    if not isinstance(query, dict):
        raise invalid("query must be an object")
    text = query.get("text", "")
    if not isinstance(text, str) or (needs_text and not text.strip()):
        raise invalid("query.text must be a text that is not empty")
    given = query.get("filter", {})
    if not isinstance(given, dict):
        raise invalid("query.filter must be an object")
    return words(text, "query.text"), *_filters(given)


def _filters(given: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    filters: dict[str, Any] = {}
    for path, value in given.items():
        values = value if isinstance(value, list) else [value]
        if path not in _PATHS:
            raise invalid(
                f"the filter {quoted(path)} is not supported; use {', '.join(_PATHS)}"
            )
        if not all(isinstance(v, str) for v in values) or not 1 <= len(values) <= 50:
            raise invalid(f"the filter {path} must have 1 to 50 texts")
        name = _PATHS[path]
        found = _formats(values) if name == "format" else tuple(values)
        if name in filters:
            found = tuple(v for v in found if v in filters[name])
        filters[name] = found
        if not found:
            return {}, True
    return filters, False


def _formats(values: list[str]) -> tuple[str, ...]:
    wanted = {"".join(v.split()).lower() for v in values}
    return tuple(
        name
        for name, media in MEDIA_TYPES.items()
        if media.replace(" ", "") in wanted or media.partition(";")[0] in wanted
    )


def _expression(text: str) -> tuple[dict[str, Any], bool]:
    """Reads the filter of a list, such as `publisherId=a.example,b.example AND displayName=Shop`."""
    given: dict[str, Any] = {}
    for part in text.split(" AND ") if text.strip() else ():
        path, equals, values = part.strip().partition("=")
        if not equals:
            raise invalid(f"the filter {quoted(part)} is not FIELD=VALUE")
        given[path.strip()] = [v.strip().strip("\"'") for v in values.split(",")]
    return _filters(given)


def _facet(given: Any) -> tuple[str, int, int]:
    path = given.get("field") if isinstance(given, dict) else None
    if not isinstance(path, str) or path not in _FACETS:
        raise invalid(f"the field of a facet must be one of {', '.join(_FACETS)}")
    limit, least = given.get("limit", 20), given.get("minCount", 1)
    if not all(type(n) is int and n >= 1 for n in (limit, least)):
        raise invalid("limit and minCount must be whole numbers from 1")
    return path, min(limit, 100), least


def _entry(hit: Hit, formats: tuple[str, ...]) -> dict[str, Any]:
    """Returns the catalog entry of the document that fits best."""
    service = hit.service
    origin = hit.capabilities[0].source if hit.capabilities else None
    fit = [s for s in service.sources if not formats or s.format in formats]
    source = next((s for s in fit if s.url == origin), (fit or [*service.sources])[0])
    host, _, port = service.domain.partition(":")
    values = {
        "identifier": f"urn:air:{host}:{f'port-{port}:' if port else ''}{source.format}",
        "displayName": service.name or service.domain,
        "type": MEDIA_TYPES.get(source.format, "application/octet-stream"),
        "url": source.url,
        "description": service.description,
        "tags": list(service.tags),
        "capabilities": [entry.name for entry in hit.capabilities],
        "updatedAt": source.fetched.isoformat(),
        "metadata": {
            "format": source.format,
            "verdict": source.verdict,
            "category": service.category,
            "auth": service.auth,
        },
    }
    return {name: value for name, value in values.items() if value}


def _referrals(settings: Settings) -> list[dict[str, str]]:
    from ...discovery.addresses import host_of

    return [
        {
            "identifier": f"urn:air:{host_of(url)}:registry:search",
            "displayName": host_of(url) or url,
            "type": "application/ai-registry+json",
            "url": url,
        }
        for url in settings.upstreams
    ]


def _token(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode()


def _read(token: Any) -> Any:
    try:
        return json.loads(base64.urlsafe_b64decode(token))
    except (ValueError, TypeError, RecursionError):
        raise invalid("pageToken is not one of this registry") from None


def _offset(token: Any, mark: str) -> int:
    if token is None:
        return 0
    match _read(token):
        case [str(own), int(offset)] if own == mark and 0 <= offset <= 1000:
            return offset
    raise invalid("pageToken does not belong to this query")
