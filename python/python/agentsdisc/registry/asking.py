"""Asks a registry over HTTP, and reads its answer with the core: as an ADP search, or as entries of an AI catalog."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import anyio
import httpx

from .. import Document, Limits, ParseError, Reference, adp_search_url, detect, parse
from .._errors import ConnectionFailed, LimitExceeded
from .._facts import FACTS
from .._visible import beginning, visible
from ..discovery import Timeouts
from ..discovery.addresses import canonical
from ..discovery.fetch import Failed, Reply, client_name, fetch
from ..discovery.transport import GuardedTransport
from .client import FoundCapability, FoundService, FoundServices, Kind
from .hosts import domain_in

_LIMIT = 4 << 20
_MOST_REDIRECTS = 3
_MOST_REFERRALS = 16
_OTHER_PROTOCOL = {400, 404, 405, 406, 410, 415, 422, 501}
"""Statuses of a server that does not support a request; other statuses are about this request."""
REGISTRY_TYPES = {"application/ai-registry+json", "application/ai-registry"}
MEDIA_TYPES = {
    facts.name: facts.media_types[0] for facts in FACTS.values() if facts.media_types
}
"""The media types by which ARD knows formats."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A search: words and filters."""

    words: str
    limit: int
    category: str | None
    format: str | None
    auth: str | None

    def adp(self) -> str:
        """Returns what follows the words in the URL of an ADP search."""
        given = (
            ("category", self.category),
            ("format", self.format),
            ("auth", self.auth),
        )
        filters = [(name, value) for name, value in given if value is not None]
        return urlencode([("limit", self.limit), *filters])

    def ard(self) -> bytes:
        """Returns the body of an ARD search."""
        kind = self.format and MEDIA_TYPES.get(self.format, self.format)
        given = {
            "type": kind,
            "metadata.category": self.category,
            "metadata.auth": self.auth,
        }
        filters = {name: [value] for name, value in given.items() if value is not None}
        query = {"text": self.words, **({"filter": filters} if filters else {})}
        return json.dumps({"query": query, "pageSize": self.limit}).encode()


class _NotThis(ConnectionFailed):
    """The server does not answer in this protocol."""


async def ask(
    registry: str,
    asked: Asked,
    kind: Kind | None,
    timeouts: Timeouts,
    allow_private: bool,
    user_agent: str | None,
) -> FoundServices:
    """Searches a registry."""
    registry = _checked(registry)
    private = (registry,) if allow_private else ()
    try:
        with anyio.fail_after(timeouts.total):
            async with GuardedTransport(private=private, reuse=False) as transport:
                asker = _Asker(registry, asked, transport, timeouts, user_agent)
                match kind:
                    case "adp":
                        return await asker.adp()
                    case "ard":
                        return await asker.ard(registry)
                return await asker.any()
    except TimeoutError:
        raise LimitExceeded(
            f"{registry}: no answer within {timeouts.total:g} s (timeouts.total)"
        ) from None


def _checked(registry: str) -> str:
    """Returns the URL of a registry with its scheme. Raises ValueError if it is invalid."""
    url = registry if "://" in registry else f"https://{registry}"
    if "@" in url:
        raise ValueError("the URL of a registry cannot contain a user name")
    try:
        parts = urlsplit(url)
        domain = domain_in(parts.netloc)
    except ValueError:
        domain = None
    if domain is None or parts.scheme not in {"http", "https"}:
        raise ValueError(
            f"{visible(registry)[:200]!r} is not the URL of a registry: write one such as https://registry.example"
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path}"


class _Asker:
    def __init__(
        self,
        registry: str,
        asked: Asked,
        transport: httpx.AsyncBaseTransport,
        timeouts: Timeouts,
        user_agent: str | None,
    ) -> None:
        self._registry, self._asked = registry, asked
        self._transport, self._timeouts = transport, timeouts
        self._user_agent = client_name(user_agent)

    async def any(self) -> FoundServices:
        """Asks in the protocol that the server speaks."""
        try:
            return await self.adp()
        except _NotThis as not_adp:
            problems = [f"as ADP: {_reason(not_adp, self._registry)}"]
        try:
            return await self.ard(self._registry)
        except _NotThis as not_ard:
            problems.append(f"as ARD: {_reason(not_ard, self._registry)}")
        declared = await self._declared()
        if declared is not None and declared != self._registry:
            return await self.ard(declared)
        raise ConnectionFailed(
            f"{self._registry} does not answer as a registry; {'; '.join(problems)}"
        )

    async def adp(self) -> FoundServices:
        """Searches by `GET /api/discover`."""
        url = adp_search_url(self._registry, self._asked.words)
        reply = await self._get(f"{url}&{self._asked.adp()}")
        document = self._read(reply.body, "adp-search", url)
        if document.metadata.get("success") is False:
            raise ConnectionFailed(f"{url}: the search has failed{_said(reply)}")
        found = document.search
        if found is None or detect(reply.body) != "adp-search":
            raise _NotThis(f"{url}: the answer is not that of an ADP search")
        results: list[FoundService] = []
        problems: list[str] = []
        for number, result in enumerate(found.results[: self._asked.limit], 1):
            service = result.service
            name = service.domain or _authority(service.url)
            domain = domain_in(name or "")
            if domain is None:
                problems.append(_without_domain(number, name))
                continue
            results.append(
                FoundService(
                    domain=domain,
                    site=self._site(domain, service.url),
                    name=service.name,
                    description=service.description,
                    url=service.url,
                    score=_score(service.metadata.get("score")),
                    verified=service.metadata.get("verified") is True,
                    capabilities=tuple(
                        FoundCapability(
                            name=each.id,
                            description=each.description,
                            detail_url=each.detail_url,
                        )
                        for each in result.capabilities
                        if each.id
                    ),
                )
            )
        return FoundServices(
            registry=self._registry,
            kind="adp",
            services=tuple(results),
            problems=tuple(problems),
        )

    async def ard(self, base: str) -> FoundServices:
        """Searches by `POST /search`."""
        url = base.rstrip("/")
        if not url.endswith("/search"):
            url += "/search"
        body = self._asked.ard()
        content_type = (b"Content-Type", b"application/json")
        reply = await self._get(url, "POST", body, content_type)
        answer = self._read(reply.body, "ai-catalog", url).metadata
        listed = answer.get("results")
        if not isinstance(listed, list):
            raise _NotThis(f"{url}: the answer has no list `results`")
        results: list[FoundService] = []
        problems: list[str] = []
        entries = self._entries(listed[: self._asked.limit], url)
        for number, entry in enumerate(entries, 1):
            name = _authority(entry.url) or _publisher(entry.identifier)
            domain = domain_in(name or "")
            if domain is None:
                problems.append(_without_domain(number, name))
                continue
            names = entry.metadata.get("capabilities")
            results.append(
                FoundService(
                    domain=domain,
                    site=self._site(domain, entry.url),
                    name=entry.title,
                    description=entry.description,
                    url=entry.url,
                    format=entry.media_type,
                    identifier=entry.identifier,
                    score=_score(entry.metadata.get("score")),
                    capabilities=tuple(
                        FoundCapability(name=each)
                        for each in (names if isinstance(names, list) else ())
                        if isinstance(each, str) and each
                    ),
                )
            )
        others = answer.get("referrals")
        listed = others[:_MOST_REFERRALS] if isinstance(others, list) else []
        return FoundServices(
            registry=base,
            kind="ard",
            services=tuple(results),
            referrals=tuple(e.url for e in self._entries(listed, url) if e.url),
            problems=tuple(problems),
        )

    async def _declared(self) -> str | None:
        """Returns the base URL of the registry that the AI catalog of this host names, if it is on this host."""
        for path in ("/.well-known/ard.json", "/.well-known/ai-catalog.json"):
            url = urljoin(self._registry, path)
            try:
                reply = await self._get(url)
                entries = self._read(reply.body, "ai-catalog", url).references
                break
            except _NotThis:
                continue
        else:
            return None
        bases = [
            urljoin(url, entry.url)
            for entry in entries
            if entry.media_type in REGISTRY_TYPES and entry.url
        ]
        own = [base for base in bases if _is_on_host(base, url)]
        if bases and not own:
            raise ConnectionFailed(
                f"{self._registry} is not a registry itself, but names one on another host: search {bases[0]}"
            )
        return own[0] if own else None

    def _entries(self, listed: list[Any], url: str) -> tuple[Reference, ...]:
        """Reads entries: those of an answer are entries of a catalog."""
        catalog = json.dumps({"specVersion": "1.0", "entries": listed})
        return self._read(catalog.encode(), "ai-catalog", url).references

    def _read(self, body: bytes, format: str, url: str) -> Document:
        # Entries may grow when they are written again.
        limits = Limits(document=4 * _LIMIT)
        try:
            return parse(body, format=format, limits=limits)
        except ParseError as problem:
            raise _NotThis(f"{url}: the answer cannot be read: {problem}") from None

    def _site(self, domain: str, url: str | None) -> str:
        is_plain = (
            url is not None
            and url[:7].lower() == "http://"
            and self._registry.startswith("http://")
            and domain_in(_authority(url) or "") == domain
        )
        return f"{'http' if is_plain else 'https'}://{domain}"

    async def _get(
        self,
        url: str,
        method: str = "GET",
        content: bytes | None = None,
        *more: tuple[bytes, bytes],
    ) -> Reply:
        """Requests a URL; follows redirects on its host. Raises ConnectionFailed for every status except 200."""
        for _ in range(_MOST_REDIRECTS + 1):
            reply = await self._send(url, method, content, more)
            where = _location(reply)
            if where is None:
                break
            target = urljoin(url, where)
            if not _is_on_host(target, url) or (
                method == "POST" and reply.status < 307
            ):
                raise ConnectionFailed(
                    f"{url} redirects to {target}, which is not requested"
                )
            url = target
        else:
            raise ConnectionFailed(f"{url}: more than {_MOST_REDIRECTS} redirects")
        if reply.status == 200:
            return reply
        kind = _NotThis if reply.status in _OTHER_PROTOCOL else ConnectionFailed
        raise kind(f"{url}: status {reply.status}{_said(reply)}")

    async def _send(
        self,
        url: str,
        method: str,
        content: bytes | None,
        more: tuple[tuple[bytes, bytes], ...],
    ) -> Reply:
        headers = [
            (b"User-Agent", self._user_agent.encode()),
            (b"Accept", b"application/json, application/problem+json;q=0.9"),
            *more,
        ]
        if content is not None:
            headers.append((b"Content-Length", str(len(content)).encode()))
        try:
            return await fetch(
                self._transport,
                url,
                headers,
                limit=_LIMIT,
                cuts=False,
                timeouts=self._timeouts,
                method=method,
                content=content,
                keeps_errors=True,
            )
        except Failed as failed:
            match failed.why:
                case "timeout":
                    said = f"no answer within {self._timeouts.request:g} s (timeouts.request)"
                    raise LimitExceeded(f"{url}: {said}") from None
                case "too-large":
                    said = "the answer is larger than 4 MiB"
                    raise LimitExceeded(f"{url}: {said}") from None
            raise ConnectionFailed(f"{url}: {failed.words}") from failed


def _authority(url: str | None) -> str | None:
    """Returns the host and port of a URL as written; None if it has none."""
    try:
        return urlsplit(url or "").netloc or None
    except ValueError:
        return None


def _publisher(identifier: str | None) -> str | None:
    """Returns the domain in an identifier such as `urn:air:mugs.example:shop`."""
    parts = (identifier or "").split(":")
    is_known = (
        len(parts) > 2 and parts[0].lower() == "urn" and parts[1].lower() == "air"
    )
    return parts[2] if is_known else None


def _score(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= 100 else None  # type: ignore[arg-type,operator]


def _without_domain(number: int, name: str | None) -> str:
    said = visible(name)[:100] if name else "nothing"
    return f"result {number} is left out: its domain is not valid ({said})"


def _is_on_host(target: str, url: str) -> bool:
    """Returns whether a URL has the host of another one, and is not less safe."""
    try:
        one, other = urlsplit(target), urlsplit(url)
        is_as_safe = one.scheme == "https" or one.scheme == other.scheme == "http"
        return is_as_safe and canonical(one.hostname or "") == canonical(
            other.hostname or ""
        )
    except ValueError:
        return False


def _location(reply: Reply) -> str | None:
    """Returns where an answer redirects to."""
    if reply.status not in {301, 302, 303, 307, 308}:
        return None
    return next(
        (
            v.decode("latin-1")
            for name, v in reply.headers
            if name.lower() == b"location"
        ),
        None,
    )


def _said(reply: Reply) -> str:
    """Returns what a server says about an error: the detail of problem+json, or the message of ARD or ADP."""
    try:
        values = json.loads(reply.body)
    except (ValueError, RecursionError):
        values = None
    texts = (
        [values.get(name) for name in ("detail", "message", "error", "title")]
        if isinstance(values, dict)
        else []
    )
    text = next((text for text in texts if isinstance(text, str) and text), None)
    again = next(
        (v for name, v in reply.headers if name.lower() == b"retry-after"), None
    )
    later = f"; ask again after {again.decode('latin-1')[:40]} s" if again else ""
    return (f": {beginning(text, 200)}" if text else "") + later


def _reason(problem: Exception, registry: str) -> str:
    return str(problem).removeprefix(registry)
