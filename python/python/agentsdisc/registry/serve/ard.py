"""The interface of Agentic Resource Discovery: search, explore and list."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..._visible import keys_in, without_secrets
from ..entries import (
    CapabilityEntry,
    Query,
    ServiceEntry,
    Since,
    Source,
    without_keys,
)
from ..hosts import as_domain, domain_of, publisher_of, without_port
from ..searching import MOST_OFFSET
from ..store import Store
from .federation import Federation
from .problems import invalid, quoted
from .requests import (
    MOST_RESULTS,
    body_of,
    bounded,
    clean,
    listed,
    moment_of,
    number,
    place,
    token,
    words,
)
from .state import Answer, Registry, as_json, fitting, time_text
from .types import formats_of, type_of

_MOST_FACETS = 20
_PATHS = {
    "type": "format",
    "metadata.format": "format",
    "publisher": "publisher",
    "publisherId": "publisher",
    "tags": "tag",
    "capabilities": "capability",
    "displayName": "name",
    "metadata.category": "category",
    "metadata.auth": "auth",
}
"""The paths by which entries can be filtered, and the filters of a query."""
_TIMES = {"createdAfter": "created", "updatedAfter": "updated"}
"""The times by which a list can be filtered, and the members of `Since`."""
_COUNTED = {
    path: field
    for path, field in _PATHS.items()
    if field in {"format", "publisher", "tag", "category", "auth"}
}


def routes(registry: Registry, federation: Federation) -> list[Route]:
    """Returns the routes of ARD's interface."""
    base = registry.settings.ard

    async def search(request: Request) -> Response:
        body = await body_of(request)
        asked = _query(body, text_needed=True)
        mode = body.get("federation", "auto")
        if mode not in {"auto", "referrals", "none"}:
            raise invalid("federation must be auto, referrals or none")
        state = _state(asked)
        size = _number(body, "pageSize", 10, MOST_RESULTS)
        given = body.get("pageToken")
        offset, behind = _places(given, state) if given is not None else (0, 0)
        asked = replace(asked, limit=size, offset=offset)
        others: list[dict[str, Any]] = []
        if mode == "auto" and behind is not None:
            others = await federation.ask(body["query"])
        make = partial(_found, base, asked, state, others, behind or 0)
        if mode == "referrals":
            make = partial(make, referrals=federation.referrals)
        return await registry.answer(request, make, key=_key(request, body, others))

    async def explore(request: Request) -> Response:
        body = await body_of(request)
        asked = _query(body, text_needed=False)
        facets = _facets(body)
        make = partial(_counted, asked, facets)
        return await registry.answer(request, make, key=_key(request, body, []))

    async def agents(request: Request) -> Response:
        params = request.query_params
        asked, since = _filtered(params.get("filter", ""))
        asked = replace(
            asked,
            limit=number(params.get("pageSize"), "pageSize", 20, 1, MOST_RESULTS),
        )
        if params.get("orderBy", "") not in {"", "publisher", "publisherId"}:
            raise invalid("orderBy must be publisher; other orders are not supported")
        state = _state(asked, since)
        given = params.get("pageToken")
        after = place(given, state) if given else None
        make = partial(_listed, asked, since, state, after)
        return await registry.answer(request, make)

    return [
        Route("/search", search, methods=["POST"]),
        Route("/explore", explore, methods=["POST"]),
        Route("/agents", agents, methods=["GET"]),
    ]


def _found(
    base: str,
    asked: Query,
    state: str,
    others: list[dict[str, Any]],
    behind: int,
    store: Store,
    *,
    referrals: list[dict[str, Any]] | None = None,
) -> Answer:
    results = store.search(asked)
    own = []
    for hit in results.hits:
        service, matching = without_keys(hit.service, hit.capabilities)
        entry = entry_of(service, asked.format, matching)
        entry |= {"score": _score(hit.score), "source": base}
        if matching:
            entry["capabilities"] = [each.name for each in matching]
        own.append(entry)
    others = [_alone(each) for each in _not_own(store, others)[behind:]]
    merged = sorted((*own, *others), key=lambda each: -each["score"])[: asked.limit]
    merged = fitting(merged)
    shown = sum(each["source"] == base for each in merged)
    answer: dict[str, Any] = {"results": merged}
    if referrals is not None:
        answer["referrals"] = referrals
    end = asked.offset + shown
    theirs = len(merged) - shown
    if merged and end <= MOST_OFFSET:
        if theirs < len(others):
            answer["pageToken"] = token(f"{end}+{behind + theirs}", state)
        elif results.more or shown < len(own):
            answer["pageToken"] = token(str(end), state)
    return as_json(answer)


def _alone(entry: dict[str, Any]) -> dict[str, Any]:
    """Returns a result of another registry without the lines of private keys in it."""
    keys = keys_in(entry)
    names = ("identifier", "source")
    kept = {name: entry[name] for name in names}
    return {**without_secrets(entry, keys), **kept} if keys else entry


def _not_own(store: Store, others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the results of other registries that this one does not have, the best first."""
    domains = {domain_of(each["url"]) for each in others} - {None}
    known = {
        _identifier(entry.domain, source.format)
        for entry in store.services(d for d in domains if d).values()
        for source in entry.sources
    }
    left = (each for each in others if each["identifier"] not in known)
    return sorted(left, key=lambda each: -each["score"])


def _score(score: float) -> int:
    return max(0, min(100, round(score)))


def _counted(asked: Query, facets: list[tuple[str, int, int]], store: Store) -> Answer:
    counted: dict[str, Any] = {}
    for path, limit, least in facets:
        field = _COUNTED[path]
        found = store.facet(asked, field, limit, least)
        shown = type_of if path == "type" else str
        counted[path] = {
            "buckets": [{"value": shown(v), "count": n} for v, n in found.buckets],
            **({"otherCount": found.other} if found.other else {}),
        }
    return as_json({"resultType": "facets", "facets": counted})


def _listed(
    asked: Query, since: Since, state: str, after: str | None, store: Store
) -> Answer:
    results = store.list(asked, after, since)
    items = fitting(
        [entry_of(without_keys(hit.service)[0], asked.format) for hit in results.hits]
    )
    answer: dict[str, Any] = {"items": items}
    if results.total is not None:
        answer["total"] = results.total
    if items and (results.more or len(items) < len(results.hits)):
        last = results.hits[len(items) - 1].service
        answer["pageToken"] = token(last.domain, state)
    return as_json(answer)


def entry_of(
    entry: ServiceEntry,
    formats: tuple[str, ...] = (),
    matching: tuple[CapabilityEntry, ...] = (),
) -> dict[str, Any]:
    """Returns a service as an entry of a catalog: one of its documents in these formats, preferably that of the best capability that matches."""
    source = _chosen(entry, formats, {each.source for each in matching[:1]})
    values: dict[str, Any] = {
        "identifier": _identifier(entry.domain, source.format),
        "displayName": entry.name or entry.domain,
        "type": type_of(source.format),
        "url": source.url,
        "description": entry.description,
        "tags": entry.tags,
        "updatedAt": time_text(entry.updated),
        "metadata": {
            "format": source.format,
            "formats": ",".join(entry.formats),
            "createdAt": time_text(entry.created),
            "category": entry.category,
            "auth": entry.auth,
            "verdict": source.verdict,
            "verified": source.verified,
            "capabilityCount": entry.capabilities,
        },
    }
    return {name: value for name, value in values.items() if value}


def _chosen(entry: ServiceEntry, formats: tuple[str, ...], best: set[str]) -> Source:
    fit = [s for s in entry.sources if not formats or s.format in formats]
    return next((s for s in fit if s.url in best), (fit or [*entry.sources])[0])


def _identifier(domain: str, format: str) -> str:
    port = without_port(domain)[1]
    named = [publisher_of(domain), *([port] if port else []), quote(format)]
    return ":".join(["urn:air", *named])


# Requests.


def _query(body: Mapping[str, Any], *, text_needed: bool) -> Query:
    given = body.get("query", None if text_needed else {})
    if not isinstance(given, dict):
        raise invalid('query must be an object, such as {"text": "send an e-mail"}')
    text = given.get("text", None if text_needed else "")
    if not isinstance(text, str) or (text_needed and not text.strip()):
        raise invalid("query.text must be a text that says what is needed")
    filters = given.get("filter")
    if filters is not None and not isinstance(filters, dict):
        raise invalid("query.filter must be an object of paths and values")
    chosen: dict[str, Any] = {}
    for path, values in (filters or {}).items():
        if path not in _PATHS:
            paths = ", ".join(_PATHS)
            raise invalid(f"query.filter has {quoted(path)}; supported are {paths}")
        found = values if isinstance(values, list) else [values]
        if not found or not all(isinstance(one, str) for one in found):
            raise invalid(f"query.filter.{path} must be a text or a list of texts")
        _add(chosen, path, listed(path, found))
    return replace(Query(text=words(text, "query.text")), **chosen)


def _add(chosen: dict[str, Any], path: str, values: tuple[str, ...]) -> None:
    field = _PATHS[path]
    if field == "format":
        values = tuple(dict.fromkeys(f for value in values for f in formats_of(value)))
    elif field == "publisher":
        values = tuple(map(as_domain, values))
    if field in chosen:
        # Both filters must match; "-", which no entry has, matches nothing.
        values = tuple(v for v in values if v in chosen[field]) or ("-",)
    chosen[field] = values


def _filtered(text: str) -> tuple[Query, Since]:
    """Reads the filter of `GET /agents`: `field=value,value` with AND between fields."""
    paths = {"displayName", "type", "publisherId", "publisher", *_TIMES}
    chosen: dict[str, Any] = {}
    since = Since()
    for path, values in _split(clean(text)):
        if path not in paths:
            known = ", ".join(sorted(paths))
            raise invalid(f"filter has {quoted(path)}; write FIELD=VALUE with {known}")
        if path in _TIMES:
            moment = moment_of(path, ",".join(values))
            before = getattr(since, _TIMES[path])
            later = moment if before is None else max(moment, before)
            since = replace(since, **{_TIMES[path]: later})
            continue
        if path == "type":
            # A plus that a client has not escaped in the URL was decoded as a space.
            values = [_type(value) for value in values]
        _add(chosen, path, listed(path, [one for one in values if one]) or ("-",))
    return replace(Query(), **chosen), since


def _type(text: str) -> str:
    kind, *others = text.split(";", 1)
    return ";".join([kind.strip().replace(" ", "+"), *others])


_AND = re.compile(r"&|\sAND\s", re.IGNORECASE)
_VALUE = re.compile(
    r"""\s*(?:"((?:[^"]|"")*)"\s*|'((?:[^']|'')*)'\s*|((?:(?!\sAND\s)[^,&])*))(?=,|&|\sAND\s|\Z)""",
    re.IGNORECASE,
)
"""A value in quotes, in which the quote character is doubled, or a value without quotes up to a comma or AND."""


def _split(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yields the fields of a filter with their values."""
    place = 0
    while place < len(text) and not text[place:].isspace():
        path, equals, _ = text[place:].partition("=")
        if not equals:
            yield path.strip(), []
            return
        values: list[str] = []
        place += len(path)
        while text[place : place + 1] in {"=", ","}:
            found = _VALUE.match(text, place + 1)
            double, single, plain = found.groups() if found else (None, None, "'")
            if found is None or (plain or "").strip()[:1] in {"'", '"'}:
                raise invalid(
                    f"filter has a quote that is not closed at {quoted(text[place + 1 :])}"
                )
            place = found.end()
            if double is not None:
                values.append(double.replace('""', '"'))
            elif single is not None:
                values.append(single.replace("''", "'"))
            else:
                values.append(plain.strip())
        yield path.strip(), values
        between = _AND.match(text, place)
        place = between.end() if between else place


def _facets(body: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    kind = body.get("resultType")
    facets = kind.get("facets") if isinstance(kind, dict) else None
    if not isinstance(facets, list) or not 0 < len(facets) <= _MOST_FACETS:
        raise invalid(f"resultType.facets must be a list of 1 to {_MOST_FACETS} fields")
    found = []
    for each in facets:
        field = each.get("field") if isinstance(each, dict) else None
        if not isinstance(field, str) or field not in _COUNTED:
            raise invalid(f"a facet must have a field of {', '.join(_COUNTED)}")
        limit = _number(each, "limit", 20, 1000)
        found.append((field, limit, _number(each, "minCount", 1, 1 << 31, least=0)))
    return found


def _number(
    values: Mapping[str, Any], name: str, default: int, most: int, least: int = 1
) -> int:
    value = values.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise invalid(f"{name} must be a whole number")
    return bounded(name, min(value, most), least, most)


def _places(given: object, state: str) -> tuple[int, int | None]:
    """Returns how many own results precede a page, and how many of other registries; None if those are exhausted."""
    numbers = place(given, state).split("+")
    if len(numbers) > 2 or not all(
        one.isascii() and one.isdecimal() and len(one) < 6 for one in numbers
    ):
        raise invalid("pageToken is not one that this registry gave")
    own, *others = map(int, numbers)
    return bounded("pageToken", own, 0, MOST_OFFSET), others[0] if others else None


def _state(asked: Query, since: Since | None = None) -> str:
    kept = (replace(asked, limit=1, offset=0), since)
    return hashlib.sha256(repr(kept).encode()).hexdigest()[:16]


def _key(request: Request, body: Any, others: list[Any]) -> str:
    asked = json.dumps([body, others], sort_keys=True)
    return f"{request.url.path} {hashlib.sha256(asked.encode()).hexdigest()}"
