"""Compares the documents of a site, and reports where its documents lead to nothing. Does no I/O.

The core finds what is wrong at the locations themselves.
"""

from collections.abc import Iterator

from .. import Capability, Document, RequestError
from .._companion import described, not_compared, secrets_in, shown_name
from .._facts import FACTS
from ..discovery import Attempt, Site
from .probe import Survey
from .remark import Remark, Spot, remark


def judge(survey: Survey) -> Iterator[Remark]:
    """Yields all problems: those of the locations, then those of several documents."""
    yield from survey.remarks
    yield from _companion(survey)
    yield from _details(survey.site)
    yield from _linked(survey.site)
    yield from _trail(survey.site)


def _spec(format: str) -> str:
    facts = FACTS[format].serving
    return "" if facts is None else str(facts["spec"])


def _companion(survey: Survey) -> Iterator[Remark]:
    """Compares agents.txt and its agents.json field by field."""
    documents: dict[str, tuple[str, Document]] = {}
    for placed in survey.placed:
        documents.setdefault(placed.resource, (placed.url, placed.document))
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
            spec=_spec(document.format),
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
                spec=_spec(document.format),
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
        spec=_spec(document.format),
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
    about = {"spec": _spec("adp"), "section": "7"}
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
