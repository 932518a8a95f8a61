"""Pages for people: rendered by the server, without scripts.

Text from documents is escaped whenever a template outputs it (`finalize`, autoescape), so templates need not escape it themselves.
"""

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from ..._agentsdisc import ParseError, parse
from ..._visible import beginning, starred, visible
from .. import rows
from ..entries import Facet, Hit, Query, Source, without_keys
from ..hosts import as_domain
from ..searching import MOST_OFFSET
from ..store import Store, StoreError
from .adp import registry_of
from .problems import KINDS, Problem, invalid, quoted
from .requests import number, offset_of, words
from .state import Answer, Registry, response

POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
PAGE = 20
"""Services on a page."""
CAPABILITIES = 50
"""Capabilities on a page."""
LINES = 1_000
"""Lines of a document on a page."""
MAX_LINE = 1_000
"""Characters that are shown of a line."""
MAX_FINDINGS = 200
"""Findings that are shown of a document."""
_FILTERS = ("category", "format", "auth")
_FOLDER = Path(__file__).parent
_STYLE = (_FOLDER / "static" / "style.css").read_bytes()
_STYLE_URL = f"/static/style.css?v={hashlib.sha256(_STYLE).hexdigest()[:12]}"


def routes() -> list[BaseRoute]:
    """Returns the routes of the pages."""
    return [
        Route("/", home),
        Route("/services/{domain}", service),
        Route("/services/{domain}/document", document),
        Route("/static/style.css", style),
    ]


def _shown(value: Any) -> Any:
    if value is None:
        return ""
    # Macros return Markup, whose values are escaped already.
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value


def web_url(url: str | None) -> str | None:
    """Returns a URL of a document if it can be a link: http or https, without user and hidden characters."""
    if not url or len(url) > 2_000 or any(c in url for c in ' \\"<>'):
        return None
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return None
    return url if is_web and "@" not in parts.netloc and visible(url) == url else None


def short(text: str | None, most: int = 400) -> str:
    """Returns the beginning of a text."""
    return beginning(text or "", most)


def service_url(domain: str, **parameters: str) -> str:
    """Returns the path of a service's page; it lists the capabilities from the capability `at`, or after the capability `after`."""
    given = {name: rows.key(value) for name, value in parameters.items()}
    path = f"/services/{quote(domain, safe='')}"
    return f"{path}?{urlencode(given)}" if given else path


def document_url(
    domain: str, url: str, first: int = 1, anchor: int | None = None
) -> str:
    """Returns the path of a document's page, from a line, at a line."""
    given = {"url": rows.key(url)}
    if first != 1:
        given["from"] = str(first)
    path = f"/services/{quote(domain, safe='')}/document?{urlencode(given)}"
    return path if anchor is None else f"{path}#L{anchor}"


def verdict(source: Source) -> str:
    """Returns what the check of a document found, in words."""
    if source.verdict == "unchecked":
        return "not checked"
    counts = [
        f"{count:,} {name}{'s' if count != 1 else ''}"
        for count, name in ((source.errors, "error"), (source.warnings, "warning"))
        if count
    ]
    if not counts:
        return "no findings" if source.verdict == "clean" else source.verdict
    return ", ".join(counts)


def moment(when: datetime) -> str:
    """Returns a time for people."""
    return when.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


_TEMPLATES = Environment(
    loader=FileSystemLoader(_FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    finalize=_shown,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)
_TEMPLATES.filters.update(short=short, verdict=verdict, moment=moment, web_url=web_url)
_TEMPLATES.globals.update(
    style_url=_STYLE_URL, service_url=service_url, document_url=document_url
)


def _render(template: str, registry: Registry, **values: Any) -> str:
    name = registry.settings.name
    return _TEMPLATES.get_template(template).render(registry_name=name, **values)


def _page(template: str, registry: Registry, **values: Any) -> Answer:
    body = _render(template, registry, **values).encode(errors="backslashreplace")
    return Answer(body, "text/html", (("Content-Security-Policy", POLICY),))


def error_page(problem: Problem, registry: Registry) -> HTMLResponse:
    """Returns a problem as a page."""
    title = KINDS[problem.kind].title
    body = _render("error.html", registry, title=title, problem=problem)
    headers = {"Content-Security-Policy": POLICY}
    return HTMLResponse(body, problem.status, headers)


async def style(request: Request) -> Response:
    """Answers with the style sheet."""
    answer = Answer(_STYLE, "text/css")
    # The URL of the style sheet changes with its content.
    return response(request, answer, answer.tag, 31_536_000)


# Searching.


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that the results can be filtered by."""

    value: str
    count: int | None
    url: str
    """The URL that selects the value, or deselects it if it is selected."""
    is_chosen: bool


def _search_url(query: Query, **changed: Any) -> str:
    query = replace(query, **{"offset": 0, **changed})
    given = [("q", query.text)] if query.text else []
    for name in _FILTERS:
        given += [(name, value) for value in getattr(query, name)]
    if query.offset:
        given.append(("offset", str(query.offset)))
    return f"/?{urlencode(given)}" if given else "/"


def _query(request: Request) -> Query:
    given = request.query_params
    chosen = {}
    for name in _FILTERS:
        # A category may contain a comma, so one parameter is one value.
        values = dict.fromkeys(v for v in given.getlist(name) if v.strip())
        if len(values) > 50:
            raise invalid(f"{name} has more than 50 values")
        chosen[name] = tuple(words(value, name) for value in values)
    return Query(
        text=words(given.get("q", "").strip(), "q"),
        limit=PAGE,
        offset=offset_of(given.get("offset")),
        **chosen,
    )


def _choices(store: Store, query: Query, field: str) -> list[Choice]:
    chosen: tuple[str, ...] = getattr(query, field)
    try:
        # Also counts the values that could be chosen instead.
        without: dict[str, Any] = {field: (), "offset": 0}
        found = store.facet(replace(query, **without), field, 12)
    except StoreError:
        # A large index cannot count everything in time; the results matter more.
        found = Facet(buckets=())
    counts: dict[str, int | None] = dict(found.buckets)
    folded = {value.casefold() for value in counts}
    for value in chosen:
        if value.casefold() not in folded:
            counts[value] = None
    choices = []
    for value, count in counts.items():
        others = tuple(v for v in chosen if v.casefold() != value.casefold())
        is_chosen = len(others) < len(chosen)
        after = others if is_chosen else (*chosen, value)
        url = _search_url(query, **{field: after})
        choices.append(Choice(value, count, url, is_chosen))
    return choices


def _alone(hit: Hit) -> Hit:
    service, capabilities = without_keys(hit.service, hit.capabilities)
    return replace(hit, service=service, capabilities=capabilities)


async def home(request: Request) -> Response:
    """Answers with the search form, what was found, and the filters."""
    registry, query = registry_of(request), _query(request)

    def make(store: Store) -> Answer:
        results = store.search(query)
        results = replace(results, hits=tuple(map(_alone, results.hits)))
        later = query.offset + PAGE
        earlier = max(0, query.offset - PAGE)
        services, capabilities = store.counts()
        return _page(
            "search.html",
            registry,
            query=query,
            is_search=bool(query.text or any(getattr(query, f) for f in _FILTERS)),
            results=results,
            services=services,
            capabilities=capabilities,
            filters={name: _choices(store, query, name) for name in _FILTERS},
            everything=_search_url(query, category=(), format=(), auth=())
            if any(getattr(query, name) for name in _FILTERS)
            else None,
            earlier=_search_url(query, offset=earlier) if query.offset else None,
            later=_search_url(query, offset=later)
            if results.more and later <= MOST_OFFSET
            else None,
        )

    return await registry.answer(request, make)


# One service.


async def service(request: Request) -> Response:
    """Answers with what is declared by a service, its documents and its capabilities."""
    registry, domain = registry_of(request), as_domain(request.path_params["domain"])
    after = words(request.query_params.get("after", ""), "after") or None
    at = words(request.query_params.get("at", ""), "at") or None

    def make(store: Store) -> Answer:
        entry = store.service(domain)
        if entry is None:
            raise Problem("not-found", f"no service {quoted(domain)} is known")
        first = store.capability(domain, at) if at else None
        if at and first is None:
            said = f"{quoted(domain)} has no capability {quoted(at)}"
            raise Problem("not-found", said)
        listed = store.capabilities(domain, at or after, CAPABILITIES + 1)
        if first is not None:
            listed = (first, *listed)
        page = listed[:CAPABILITIES]
        more = (
            service_url(domain, after=page[-1].name)
            if len(listed) > CAPABILITIES
            else None
        )
        entry, page = without_keys(entry, page)
        return _page(
            "service.html",
            registry,
            entry=entry,
            capabilities=page,
            after=at or after,
            more=more,
        )

    return await registry.answer(request, make)


# One document.


_SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that the check of a document found."""

    severity: str
    code: str
    message: str
    line: int
    column: int
    rule: str = ""
    """The section that states the rule."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a document."""

    number: int
    text: str
    left_out: int
    """How many bytes or characters of it are not shown."""
    findings: tuple[Finding, ...]

    @property
    def worst(self) -> str | None:
        """The most severe of its findings."""
        found = {each.severity for each in self.findings}
        return next((each for each in _SEVERITIES if each in found), None)


def findings(data: bytes, source: Source) -> list[Finding]:
    """Checks a document as it was when it was read."""
    try:
        found = parse(data, url=source.url, format=source.format).check()
    except ParseError as error:
        message = str(error)
        return [Finding("error", error.kind, message, error.line, error.column)]
    return [
        Finding(
            each.severity,
            each.code,
            each.message,
            each.line,
            each.column,
            f"{each.spec} {each.section}".strip() if each.section else each.spec,
        )
        for each in found
    ]


def _line(number: int, data: bytes, found: list[Finding]) -> Line:
    begin = data[: 8 * MAX_LINE].removesuffix(b"\r")
    text = begin.decode(errors="backslashreplace")
    # Hidden characters become longer; tabs are layout. Secrets are masked before the text is cut.
    text = "\t".join(visible(part) for part in text[: 2 * MAX_LINE].split("\t"))
    left_out = len(data) - len(text) if len(text) <= MAX_LINE else len(data) - MAX_LINE
    is_cut = len(text) > MAX_LINE or len(data) > 2 * MAX_LINE
    return Line(number, text[:MAX_LINE], left_out if is_cut else 0, tuple(found))


def _lines(data: bytes, first: int, found: list[Finding]) -> tuple[list[Line], int]:
    """Returns the lines of a page, and the number of all lines."""
    lines = data.split(b"\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    at: dict[int, list[Finding]] = {}
    for each in found:
        at.setdefault(min(each.line, len(lines)), []).append(each)
    page = lines[first - 1 : first - 1 + LINES]
    return [_line(n, raw, at.get(n, [])) for n, raw in enumerate(page, first)], len(
        lines
    )


async def document(request: Request) -> Response:
    """Answers with a document of a service, and what the check finds at its lines."""
    registry, domain = registry_of(request), as_domain(request.path_params["domain"])
    url = request.query_params.get("url", "")
    first = number(request.query_params.get("from"), "from", 1, 1, 10**8)
    first -= (first - 1) % LINES

    def make(store: Store) -> Answer:
        entry = store.service(domain)
        sources = entry.sources if entry else ()
        source = next((s for s in sources if rows.key(s.url) == rows.key(url)), None)
        if source is None:
            raise Problem("not-found", "no such document of this service is known")
        data = store.document(domain, source.url)
        values: dict[str, Any] = {"lines": [], "total": 0, "found": [], "left_out": 0}
        values["tally"] = ()
        if data is not None:
            found = findings(data, source)
            kept = found[:MAX_FINDINGS]
            lines, total = _lines(starred(data, source.format), first, kept)
            if not lines:
                raise Problem("not-found", f"the document has {total:,} lines")
            values = {
                "lines": lines,
                "total": total,
                "found": kept,
                "left_out": len(found) - len(kept),
                "tally": [
                    (severity, sum(each.severity == severity for each in found))
                    for severity in _SEVERITIES
                ],
            }
        return _page(
            "document.html",
            registry,
            domain=domain,
            source=source,
            is_kept=data is not None,
            size=len(data or b""),
            first=first,
            step=LINES,
            **values,
        )

    return await registry.answer(request, make)
