"""What is wrong with how documents are served. No input or output: over what `probe` has noted."""

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from .. import Document, RobotsTxt, differences
from .._serving import CODES
from ..discovery import Attempt
from .probe import ORIGIN, Served, Survey
from .rules import RULES, Place, Rule

_WEEK = 7 * 86400
_WORDS = frozenset(
    {
        "service.name",
        "service.description",
        "service.contact",
        "capabilities.description",
        "capabilities.parameters.description",
    }
)
_MINE = "agentsdisc"
_MOST = 1000
"""Differences that are told."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a document."""

    url: str
    """The document."""
    line: int
    """From 1."""
    column: int
    """In bytes, from 1."""
    offset: int
    """In bytes, from 0."""
    end: int
    """The offset after it."""

    def __str__(self) -> str:
        return f"{self.url}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that is wrong, or worth knowing, about how a site serves its documents."""

    code: str
    """What it is about; `agentsdisc.serving.CODES` has them all."""
    severity: str
    """`error`, `warning` or `info`."""
    url: str
    """The document, or the place, it is about."""
    message: str
    """What is wrong, and what to do, in a sentence."""
    spec: str = _MINE
    """The specification it comes from."""
    section: str = ""
    """The section of that specification; empty where there is none to name."""
    header: str | None = None
    """The header it is about, as it was sent."""
    spots: tuple[Spot, ...] = ()
    """Where it stands in the documents, for what compares them."""


def remark(code: str, url: str, message: str, **more: object) -> Remark:
    """A remark with the usual severity of its code, unless another one is given."""
    severity = str(more.pop("severity", None) or CODES[code][0])
    return Remark(code, severity, url, message, **more)  # type: ignore[arg-type]


def judge(survey: Survey, agent: str = "*") -> Iterator[Remark]:
    """Everything that is wrong, place by place, then what concerns several."""
    attempts = {attempt.key: attempt for attempt in survey.site.attempts}
    if not survey.site.found and not any(s.document or s.error for s in survey.places):
        yield remark(
            "nothing-served",
            survey.site.origin,
            "there is no document for agents; serve one, such as /.well-known/agents.txt",
        )
    if survey.answers_anything:
        yield remark(
            "soft-404",
            survey.site.origin,
            "a page that cannot be there comes with status 200; answer 404 for what is not there",
        )
    for served in survey.places:
        yield from _answer(served, attempts.get(survey.site.origin + served.place.path))
        if served.document is not None or served.error is not None:
            yield from _transport(served)
            yield from _headers(served, RULES[served.kind])
            yield from _robots(served, survey, agent)
    yield from _locations(survey)
    yield from _companion(survey)
    if survey.site.robots_rules == "disallow-all":
        yield remark(
            "robots-unavailable",
            f"{survey.site.origin}/robots.txt",
            "robots.txt cannot be had, which disallows everything; serve it, or answer 404",
            spec="RFC 9309",
            section="2.3.1.4",
        )


def _answer(served: Served, attempt: Attempt | None) -> Iterator[Remark]:
    """The status, redirects, and whether it is what belongs there."""
    asked, status = served.redirects[:1], served.status
    url = served.url
    if served.away is not None:
        where = served.away[:200]
        if attempt is not None and attempt.rejection is None:
            yield remark(
                "redirected",
                url,
                f"it is at another host of the site, {attempt.url}; serve it here",
                severity="warning",
            )
        else:
            why = attempt.message if attempt is not None else "it leads off the host"
            yield remark(
                "redirected-away",
                url,
                f"the redirect to {where} is not followed ({why}); serve the document here",
                header=f"Location: {served.away}"[:200],
            )
        return
    if asked:
        yield remark(
            "redirected", url, f"{served.place.path} redirects to it; serve it there"
        )
    if served.failure is not None or (
        status is not None and status not in {200, 404, 410}
    ):
        why = served.detail or served.failure or f"status {status}"
        code = (
            "unreadable" if served.failure in {"too-large", "encoding"} else "refused"
        )
        yield remark(
            code,
            url,
            f"it cannot be had ({why}); serve it, or answer 404 where there is none",
        )
    elif served.error is not None:
        problem = served.error
        spot = Spot(url, problem.line, problem.column, problem.offset, problem.offset)
        yield remark("unreadable", url, f"it cannot be read: {problem}", spots=(spot,))
    elif status == 200 and served.document is None:
        if served.kind == "html":
            yield remark(
                "soft-404",
                url,
                "a page for people is served there; answer 404 where there is no document",
            )
        else:
            yield remark(
                "not-recognised",
                url,
                f"what is served there is no document that belongs there ({served.kind}); see `agentsdisc formats`",
            )


def _transport(served: Served) -> Iterator[Remark]:
    parts = urlsplit(served.url)
    if parts.scheme == "https":
        return
    rule = RULES[served.kind]
    local = _is_local(parts.hostname or "")
    yield remark(
        "insecure-transport",
        served.url,
        "it is served without encryption, so that anybody on the way can change it; serve it over https",
        severity="info" if local else None,
        spec=rule.spec,
        section=rule.sections[0],
    )


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _headers(served: Served, rule: Rule) -> Iterator[Remark]:
    """Content-Type, Cache-Control and CORS."""
    _, kind, cache, cors = rule.sections
    yield from _content_type(served, rule, kind)
    yield from _cache_control(served, rule, cache)
    if rule.cors is not None:
        allowed = served.headers.get("access-control-allow-origin")
        if allowed is None or allowed.strip() not in {"*", ORIGIN}:
            yield remark(
                "missing-cors",
                served.url,
                "programs in browsers cannot read it; send `Access-Control-Allow-Origin: *`",
                severity=rule.cors,
                spec=rule.spec,
                section=cors,
                header=None
                if allowed is None
                else f"Access-Control-Allow-Origin: {allowed}",
            )
        elif rule.cors == "warning":
            methods = served.headers.get("access-control-allow-methods", "")
            named = {method.strip().upper() for method in methods.split(",")}
            if not {"GET", "OPTIONS"} <= named and "*" not in named:
                yield remark(
                    "missing-cors-methods",
                    served.url,
                    "send `Access-Control-Allow-Methods: GET, OPTIONS`",
                    spec=rule.spec,
                    section=cors,
                    header=f"Access-Control-Allow-Methods: {methods}"
                    if methods
                    else None,
                )


def _content_type(served: Served, rule: Rule, section: str) -> Iterator[Remark]:
    wanted = rule.types[0] + ("; charset=utf-8" if rule.charset else "")
    severity = None if rule.must else "warning"
    sent = served.headers.get("content-type")
    if not sent:
        yield remark(
            "missing-content-type",
            served.url,
            f"send `Content-Type: {wanted}`",
            severity=severity,
            spec=rule.spec,
            section=section,
        )
        return
    kind, *parameters = (part.strip().lower() for part in sent.split(";"))
    charsets = [
        p.partition("=")[2].strip().strip('"')
        for p in parameters
        if p.partition("=")[0].strip() == "charset"
    ]
    right = kind in rule.types
    if right and all(charset in {"utf-8", "utf8"} for charset in charsets):
        if charsets or not rule.charset:
            return
        # It is the only coding that the format has, so nothing is read wrongly.
        severity = "warning"
    yield remark(
        "wrong-content-type",
        served.url,
        f"send `Content-Type: {wanted}`",
        severity=severity,
        spec=rule.spec,
        section=section,
        header=f"Content-Type: {sent}",
    )


def _cache_control(served: Served, rule: Rule, section: str) -> Iterator[Remark]:
    sent = served.headers.get("cache-control")
    advice = f"send `Cache-Control: max-age={rule.advice}`"
    about = {"spec": rule.spec if rule.cache else _MINE, "section": section}
    if not sent:
        if rule.cache is not None:
            yield remark(
                "missing-cache-control",
                served.url,
                advice,
                severity=rule.cache,
                **about,
            )
        return
    header = f"Cache-Control: {sent}"
    names: dict[str, set[str]] = {}
    for part in sent.lower().split(","):
        name, _, value = part.strip().partition("=")
        names.setdefault(name.strip(), set()).add(value.strip().strip('"'))
    times = names.get("s-maxage", set()) | names.get("max-age", set())
    own = names.get("max-age", set())
    if len(own) > 1 or any(not (t.isascii() and t.isdigit()) for t in times):
        yield remark(
            "invalid-cache-control",
            served.url,
            f"it gives no time that can be read; {advice}",
            header=header,
            **about,
        )
        return
    if "no-store" in names or "no-cache" in names:
        yield remark(
            "unsuitable-cache-time",
            served.url,
            f"agents must ask for it again and again; {advice}",
            header=header,
            **about,
        )
        return
    if not times:
        if rule.cache is not None and "expires" not in served.headers:
            yield remark(
                "invalid-cache-control",
                served.url,
                f"it gives no time; {advice}",
                header=header,
                **about,
            )
        return
    least, most = min(int(t[:12]) for t in times), max(int(t[:12]) for t in times)
    if least < 60:
        yield remark(
            "unsuitable-cache-time",
            served.url,
            f"it is kept for {least} s only; {advice}",
            header=header,
            **about,
        )
    elif most > _WEEK:
        yield remark(
            "unsuitable-cache-time",
            served.url,
            f"it is kept for {most // 86400} days, so that changes come late; {advice}",
            header=header,
            **about,
        )


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
    before = (
        max(robots.bytes.rfind(b"\n", 0, start), robots.bytes.rfind(b"\r", 0, start))
        + 1
    )
    yield remark(
        "blocked-by-robots",
        served.url,
        f"{url}:{line} disallows it; allow {urlsplit(served.url).path} there",
        spec="RFC 9309",
        section="2.2.2",
        spots=(Spot(url, line, start - before + 1, start, end),),
    )


def _locations(survey: Survey) -> Iterator[Remark]:
    """Both places of a document, and whether they agree."""
    by_resource: dict[str, list[Served]] = {}
    for served in survey.places:
        by_resource.setdefault(served.place.resource, []).append(served)
    for pair in by_resource.values():
        if len(pair) != 2:
            continue
        main, other = pair
        if main.document is None and other.document is not None:
            rule = RULES[other.kind]
            yield remark(
                "wrong-location",
                other.url,
                f"it is not at {main.place.path}; serve it there (too)",
                severity=None if rule.must else "warning",
                spec=rule.spec,
                section=rule.sections[0],
            )
        elif main.document is not None and other.document is not None:
            if main.body != other.body and main.url != other.url:
                yield remark(
                    "locations-differ",
                    other.url,
                    f"it differs from {main.url}, which counts; serve the same at both, or a redirect",
                    spec=RULES[main.kind].spec,
                    section=RULES[main.kind].sections[0],
                )
        elif (
            main.document is not None
            and other.status in {404, 410}
            and _is_fallback(other.place)
        ):
            yield remark(
                "missing-root-copy",
                main.url,
                f"some agents look at {other.place.path} only; serve it there too",
                spec=RULES[main.kind].spec,
                section=RULES[main.kind].sections[0],
            )


def _is_fallback(place: Place) -> bool:
    """Whether the specification tells agents to look there."""
    return place.resource in {"agents-txt", "agents-md"}


def _companion(survey: Survey) -> Iterator[Remark]:
    """agents.txt and agents.json, field by field."""
    documents: dict[str, tuple[str, Document]] = {}
    for served in survey.places:
        if served.document is not None:
            documents.setdefault(served.place.resource, (served.url, served.document))
    text, data = documents.get("agents-txt"), documents.get("agents-json")
    if text is None:
        return
    url, document = text
    if data is None:
        needs = document.session is not None or document.audit is not None
        named = document.companion is not None
        elsewhere = any(
            f.document.format in {"agents-json", "agents-json-0.1"}
            for f in survey.site.found
        )
        if (needs or named) and not elsewhere:
            why = "names its companion" if named else "has sessions or an audit"
            yield remark(
                "companion-missing",
                url,
                f"it {why}, and the site serves no /.well-known/agents.json; make it with `agentsdisc convert --to agents-json`",
                spec=RULES[document.format].spec,
                section="3.2" if document.format == "agents-txt" else "Notes",
            )
        return
    other_url, other = data
    if document.format.endswith("-0.1") != other.format.endswith("-0.1"):
        # Two specifications, which do not speak of one another.
        return
    found = differences(document, other)
    secrets = {*_secrets(document), *_secrets(other)}
    for each in found[:_MOST]:
        of = f" of {_shown(each.subject, secrets)}" if each.subject else ""
        about = f" {_shown(each.item, secrets)}" if each.item else ""
        sides = ((url, each.first), (other_url, each.second))
        spots = [
            Spot(where, place.line, place.column, place.offset, place.end)
            if place is not None
            else None
            for where, place in sides
        ]
        said = " and ".join(
            f"at {spot}" if spot is not None else f"not in {where}"
            for spot, (where, _) in zip(spots, sides, strict=True)
        )
        yield remark(
            "companion-differs",
            url if each.first is not None else other_url,
            f"{each.field}{about}{of} differs: {said}; make one of the other with `agentsdisc convert`",
            severity="warning" if each.field in _WORDS else None,
            spec=RULES[document.format].spec,
            section="3.2" if document.format == "agents-txt" else "Notes",
            spots=tuple(spot for spot in spots if spot is not None),
        )
    if not found.complete or len(found) > _MOST:
        yield remark(
            "not-compared",
            url,
            f"there may be more differences from {other_url}; mend what is told and check again",
        )


def _secrets(document: Document) -> Iterator[str]:
    """What looks like a credential in a document, to be left out of messages."""
    for found in document.check():
        if found.code == "credential-in-document":
            text = document.bytes[found.offset : found.end].decode("utf-8", "replace")
            yield text.strip('"')


def _shown(name: str, secrets: set[str]) -> str:
    """A name of a document, short, and without what looks like a credential."""
    if any(name in secret or secret in name for secret in secrets):
        return "(withheld)"
    return repr(name if len(name) <= 80 else name[:80] + "…")
