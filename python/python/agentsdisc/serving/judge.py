"""Finds problems with how documents are served, in the responses that `probe` recorded. Does no I/O."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from .. import Capability, Document, RequestError, RobotsTxt, _agentsdisc
from .._companion import described, not_compared, secrets_in, shown_name
from .._serving import CODES
from .._visible import line_start, shown
from ..discovery import Attempt, Site
from .probe import UNFINISHED, Served, Survey
from .rules import RULES, Place

_OWN_SPEC = "agentsdisc"


@shown
@dataclass(frozen=True, slots=True)
class Spot:
    """A position in a document."""

    url: str
    """The URL of the document."""
    line: int
    """Line, from 1."""
    column: int
    """Column in bytes, from 1."""
    offset: int
    """Byte offset of the first byte, from 0."""
    end: int
    """Byte offset after the last byte."""

    def __str__(self) -> str:
        return f"{self.url}:{self.line}:{self.column}"


@shown
@dataclass(frozen=True, slots=True)
class Remark:
    """A problem with, or a note on, how a site serves its documents."""

    code: str
    """The code; `agentsdisc.serving.CODES` lists all of them."""
    severity: str
    """`error`, `warning` or `info`."""
    url: str
    """The URL of the document or location."""
    message: str
    """The problem and its solution in a sentence."""
    spec: str = _OWN_SPEC
    """The specification that states the rule."""
    section: str = ""
    """The section of that specification; empty if none applies."""
    header: str | None = None
    """The header with the problem, as sent."""
    spots: tuple[Spot, ...] = ()
    """The positions in the documents, for differences between them."""


def remark(code: str, url: str, message: str, **more: object) -> Remark:
    """Returns a remark; its severity is that of the code unless `severity` is given."""
    severity = str(more.pop("severity", None) or CODES[code][0])
    return Remark(code, severity, url, message, **more)  # type: ignore[arg-type]


def judge(survey: Survey, agent: str = "*") -> Iterator[Remark]:
    """Yields all problems: location by location, then those of several locations."""
    attempts = {attempt.key: attempt for attempt in survey.site.attempts}
    if not survey.site.found and not any(s.document or s.error for s in survey.places):
        yield remark(
            "nothing-served",
            survey.site.origin,
            "the site has no document for agents; serve one, for example /.well-known/agents.txt",
        )
    if survey.answers_anything:
        yield remark(
            "soft-404",
            survey.site.origin,
            "a page that does not exist has status 200; answer 404 for missing pages",
        )
    for served in survey.places:
        yield from _answer(served, attempts.get(survey.site.origin + served.place.path))
        if served.document is not None or served.error is not None:
            yield from _sent(served)
            if not _is_robots(served):
                yield from _robots(served, survey, agent)
    yield from _locations(survey)
    yield from _companion(survey)
    yield from _details(survey.site)
    yield from _linked(survey.site)
    yield from _trail(survey.site)
    if survey.site.robots_rules == "disallow-all":
        yield remark(
            "robots-unavailable",
            f"{survey.site.origin}/robots.txt",
            "the server fails to send robots.txt, which disallows everything; serve it, or answer 404",
            spec="RFC 9309",
            section="2.3.1.4",
        )


def _answer(served: Served, attempt: Attempt | None) -> Iterator[Remark]:
    """Checks the status, the redirects and the format."""
    asked, status = served.redirects[:1], served.status
    url = served.url
    if served.away is not None:
        where = served.away[:200]
        if attempt is not None and attempt.rejection is None:
            yield remark(
                "redirected",
                url,
                f"the document is on another host of the site, {attempt.url}; serve it on this host",
                severity="warning",
            )
        else:
            why = attempt.message if attempt is not None else "it leads to another host"
            yield remark(
                "redirected-away",
                url,
                f"agents do not follow the redirect to {where} ({why}); serve the document at this URL",
                header=f"Location: {served.away}"[:200],
            )
        return
    if asked:
        yield remark(
            "redirected",
            url,
            f"{served.place.path} redirects to this document; serve the document at {served.place.path}",
        )
    if _is_robots(served) and served.status not in {200, None}:
        # Another status has a meaning (RFC 9309, section 2.3.1).
        return
    if served.failure == UNFINISHED:
        yield remark(
            "not-answered",
            url,
            "the time for the whole site was over before this location answered; allow more time, on the command line with --timeout",
        )
    elif served.failure is not None or (
        status is not None and status not in {200, 404, 410}
    ):
        why = served.detail or served.failure or f"status {status}"
        code = (
            "unreadable" if served.failure in {"too-large", "encoding"} else "refused"
        )
        yield remark(
            code,
            url,
            f"the document is not available ({why}); serve it, or answer 404 if it does not exist",
        )
    elif served.error is not None:
        problem = served.error
        spot = Spot(url, problem.line, problem.column, problem.offset, problem.offset)
        yield remark(
            "unreadable", url, f"the document is unreadable: {problem}", spots=(spot,)
        )
    elif status == 200 and served.document is None:
        if served.kind == "html":
            yield remark(
                "soft-404",
                url,
                "the response is an HTML page; answer 404 if there is no document",
            )
        else:
            yield remark(
                "not-recognised",
                url,
                f"the response is not a document of a format for this location ({served.kind}); see `agentsdisc formats`",
            )


def _is_robots(served: Served) -> bool:
    return served.place.resource == "robots-txt"


def _sent(served: Served) -> Iterator[Remark]:
    """Checks the headers and the connection, by the rules of the core."""
    headers = [
        (name.encode(), value.encode("latin-1"))
        for name, value in served.headers.items()
    ]
    for code, severity, message, spec, section, header in _agentsdisc._served(
        served.kind, served.url, headers
    ):
        yield Remark(code, severity, served.url, message, spec, section, header)


def _robots(served: Served, survey: Survey, agent: str) -> Iterator[Remark]:
    robots = survey.site.robots
    if survey.site.robots_rules != "document" or not isinstance(robots, RobotsTxt):
        return
    verdict = robots.decide(agent, served.url)
    if verdict.allowed or verdict.rule is None:
        return
    url = f"{survey.site.origin}/robots.txt"
    start, end = verdict.rule.span
    line = verdict.rule.line
    before = line_start(robots.bytes, start)
    yield remark(
        "blocked-by-robots",
        served.url,
        f"{url}:{line} disallows the document; allow {urlsplit(served.url).path} there",
        spec="RFC 9309",
        section="2.2.2",
        spots=(Spot(url, line, start - before + 1, start, end),),
    )


def _locations(survey: Survey) -> Iterator[Remark]:
    """Compares the two locations of a document."""
    by_resource: dict[str, list[Served]] = {}
    for served in survey.places:
        by_resource.setdefault(served.place.resource, []).append(served)
    for pair in by_resource.values():
        if [served.place.is_main for served in pair] != [True, False]:
            continue
        main, other = pair
        if main.document is None and other.document is not None:
            rule = RULES[other.kind]
            yield remark(
                "wrong-location",
                other.url,
                f"the document is not at {main.place.path}; serve it there (also)",
                severity=None if rule["must"] else "warning",
                spec=rule["spec"],
                section=rule["sections"][0],
            )
        elif main.document is not None and other.document is not None:
            if main.body != other.body and main.url != other.url:
                yield remark(
                    # Agents of both versions of the specification read one catalog.
                    "companion-differs"
                    if main.place.resource == "ai-catalog"
                    else "locations-differ",
                    other.url,
                    f"the document differs from {main.url}, which agents use; serve the same at both, or redirect",
                    spec=RULES[main.kind]["spec"],
                    section=RULES[main.kind]["sections"][0],
                )
        elif (
            main.document is not None
            and other.status in {404, 410}
            and _is_fallback(other.place)
        ):
            yield remark(
                "missing-root-copy",
                main.url,
                f"some agents request only {other.place.path}; serve the document there too",
                spec=RULES[main.kind]["spec"],
                section=RULES[main.kind]["sections"][0],
            )


def _is_fallback(place: Place) -> bool:
    """Whether the specification names the location as a fallback."""
    return place.resource in {"agents-txt", "agents-md", "ai-catalog"}


def _companion(survey: Survey) -> Iterator[Remark]:
    """Compares agents.txt and its agents.json field by field."""
    documents: dict[str, tuple[str, Document]] = {}
    for served in survey.places:
        if served.document is not None:
            documents.setdefault(served.place.resource, (served.url, served.document))
    if "agents-txt" not in documents:
        return
    url, document = documents["agents-txt"]
    wanted = document.format.replace("txt", "json")
    # The companion that the document names comes first, even if it is at another location.
    others = [
        (found.url, found.document)
        for resource in ("companion", "agents-json")
        for found in survey.site.found
        if found.attempt.resource == resource
    ]
    others += [documents["agents-json"]] if "agents-json" in documents else []
    fitting = [other for other in others if other[1].format == wanted]
    if not fitting:
        yield from _missing_companion(url, document, others)
        return
    other_url, other = fitting[0]
    yield from _dead_companion(survey.site, (url, document), other_url)
    found = described((url, document), (other_url, other))
    for each, message, severity in found:
        spots = (
            (url, each.first),
            (other_url, each.second),
        )
        yield remark(
            "companion-differs",
            url if each.first is not None else other_url,
            message,
            severity=severity,
            spec=RULES[document.format]["spec"],
            section="3.2" if document.format == "agents-txt" else "Notes",
            spots=tuple(
                Spot(where, place.line, place.column, place.offset, place.end)
                for where, place in spots
                if place is not None
            ),
        )
    if not found.complete:
        yield remark("not-compared", url, not_compared(other_url))


def _dead_companion(
    site: Site, by: tuple[str, Document], other: str
) -> Iterator[Remark]:
    """Reports that the site serves no companion at the URL that a document names, but serves one at another URL."""
    url, document = by
    for attempt in site.attempts if document.companion is not None else ():
        if attempt.resource == "companion" and attempt.rejection and attempt.status:
            where = shown_name(attempt.key, {*secrets_in(document)})
            yield remark(
                "companion-missing",
                url,
                f"the document names its companion, but the site serves none at {where}; serve it there, or name {other}",
                spec=RULES[document.format]["spec"],
                section="3.2" if document.format == "agents-txt" else "Notes",
            )


def _missing_companion(
    url: str, document: Document, others: list[tuple[str, Document]]
) -> Iterator[Remark]:
    """Reports that the site does not serve the agents.json that a document requires or names."""
    # A site that declares a lifetime of sessions has its own capabilities that need a companion.
    needs = document.needs_companion() or document.session is not None
    if not needs and (others or document.companion is None):
        return
    is_draft = document.format == "agents-txt"
    why = "has sessions or an audit" if needs else "names its companion"
    name = "agents.json" if is_draft else "agents.json 0.1"
    where = document.companion_url() or "/.well-known/agents.json"
    but = f"the site serves no {name} at {shown_name(where, {*secrets_in(document)})}"
    if others:
        but = f"{others[0][0]} is an agents.json of the Internet-Draft, and {but}"
    yield remark(
        "companion-missing",
        url,
        f"the document {why}, but {but}; create it with `agentsdisc convert --to {document.format.replace('txt', 'json')}`",
        spec=RULES[document.format]["spec"],
        section="3.2" if is_draft else "Notes",
    )


_NOT_ASKED = frozenset({"invalid-url", "off-site", "downgrade", "url-too-long"})
"""Rejections of URLs that are not requested."""
_NO_DETAIL = frozenset(
    {"html", "not-recognised", "other-format", "unreadable", "too-large", "encoding"}
)
"""Rejections of responses that are not a detail."""


def _details(site: Site) -> Iterator[Remark]:
    """Checks that each capability of an ADP manifest has a detail, and that the detail describes that capability."""
    about = {"spec": RULES["adp"]["spec"], "section": "7"}
    names: dict[str, list[str]] = {}
    asked, left = {a.key for a in site.attempts if a.resource == "detail"}, 0
    for document in site.documents:
        if document.format != "adp":
            continue
        secrets = set(secrets_in(document))
        for capability in document.capabilities:
            urls = _urls(document, capability)
            for url in urls:
                names.setdefault(url, []).append(
                    shown_name(capability.id or "", secrets)
                )
            left += bool(urls) and asked.isdisjoint(urls)
    for attempt in site.attempts:
        if attempt.resource != "detail" or attempt.rejection is None:
            continue
        of, why = _of(names, attempt), attempt.message or attempt.rejection
        if attempt.status is not None and attempt.status != 200:
            why = f"{why}, status {attempt.status}"
        if attempt.rejection in _NOT_ASKED and attempt.status is None:
            message = f"the detail of {of} is not requested ({why})"
            yield remark("detail-not-checked", attempt.key, message, **about)
        elif attempt.rejection in _NO_DETAIL:
            message = f"the response is not the detail of {of} ({why}); serve its JSON"
            yield remark("detail-unreadable", attempt.key, message, **about)
        else:
            message = f"the detail of {of} is not served ({why}); serve it with status 200, or correct `detail_url`"
            yield remark("detail-missing", attempt.key, message, **about)
    for found in site.details:
        secrets, wanted = (
            set(secrets_in(found.document)),
            names.get(found.attempt.key, []),
        )
        own = shown_name(found.document.capabilities[0].id or "", secrets)
        for name in wanted:
            if name != own:
                message = f"the detail is of {own}, but the manifest names it for {name}; use one name in both"
                yield remark("detail-name", found.url, message, **about)
    if left:
        message = f"the details of {left} further capabilities are not requested; get them with `agentsdisc discover --detail NAME`"
        yield remark("detail-not-checked", site.origin, message, **about)


def _linked(site: Site) -> Iterator[Remark]:
    """Checks that the links of the site lead to documents that agents can read."""
    for attempt in site.attempts:
        if attempt.pointer is None or attempt.rejection in {None, "off-site"}:
            continue
        if attempt.resource != "linked":
            continue
        why = attempt.error or attempt.message or attempt.rejection
        by = attempt.pointer.url
        if attempt.rejection == "unreadable":
            yield remark(
                "unreadable",
                attempt.url,
                f"the document, to which {by} points, is unreadable: {why}",
            )
        elif attempt.rejection == "robots-disallowed":
            yield remark(
                "blocked-by-robots",
                attempt.url,
                f"{by} points to the document, but robots.txt disallows it; allow it there",
                spec="RFC 9309",
                section="2.2.2",
            )
        elif attempt.pointer.how != "endpoint":
            # Beside an MCP endpoint there need not be a card.
            yield remark(
                "dead-link",
                attempt.url,
                f"{by} points to it, but agents cannot read it ({why}); serve the document there, or correct the link",
            )


def _trail(site: Site) -> Iterator[Remark]:
    if site.trail_is_cut:
        yield remark(
            "not-followed",
            site.origin,
            "the site points to more documents than are requested, so the others are not checked; check them with `agentsdisc lint FILE`",
        )


def _urls(document: Document, capability: Capability) -> set[str]:
    """Returns the URL of a detail, resolved and as written: an attempt has one of them."""
    try:
        resolved = document.detail_url(capability)
    except RequestError:
        resolved = None
    return {url for url in (resolved, capability.detail_url) if url is not None}


def _of(names: dict[str, list[str]], attempt: Attempt) -> str:
    return ", ".join(names.get(attempt.key, [])) or "a capability"
