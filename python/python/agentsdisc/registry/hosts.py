"""The canonical form of the hosts of services."""

import hashlib
import re
from functools import lru_cache
from urllib.parse import urlsplit

from ..discovery.addresses import canonical

_LONGEST = 253
_NAME = re.compile(
    r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*"
)
_PUBLISHER = re.compile("[a-z0-9.-]+")
_PORTS = {"http": 80, "https": 443}
_PLAIN = re.compile("https?://([a-z0-9.-]+)(?![^/?#])")
"""The beginning of most URLs: the host is written as it is, without a port."""


@lru_cache(1 << 12)
def spelled(host: str) -> str | None:
    """Returns the canonical form of a host, or None if it is not valid: ASCII letters (IDNA 2008, so `straße` is not `strasse`), or an address in its usual form."""
    if not host.isprintable() or "%" in host or len(host) > _LONGEST + 1:
        return None
    if not host.isascii():
        import idna

        try:
            host = idna.encode(host, uts46=True).decode()
        except UnicodeError:
            return None
    host = canonical(host)
    if ":" in host:
        return f"[{host}]"
    return host if len(host) <= _LONGEST and _NAME.fullmatch(host) else None


@lru_cache(1 << 13)
def domain_of(url: str) -> str | None:
    """Returns the domain that a document of this URL speaks for: its host, with the port unless it is the scheme's own; None for other URLs."""
    if plain := _PLAIN.match(url):
        return spelled(plain[1])
    try:
        parts = urlsplit(url)
        host, port = spelled(parts.hostname or ""), parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or host is None:
        return None
    return host if port in (None, _PORTS[parts.scheme]) else f"{host}:{port}"


def domain_in(authority: str) -> str | None:
    """Returns the canonical form of a written host, with its port unless it is 443; None if it is not valid."""
    try:
        netloc = urlsplit(f"https://{authority}").netloc
    except ValueError:
        return None
    if netloc != authority or "@" in authority or not authority.isprintable():
        return None
    return domain_of(f"https://{authority}")


def as_domain(text: str) -> str:
    """Returns the canonical form of a domain that a user has written; the text in lower case if it is not a valid domain."""
    return domain_in(text) or text.lower()


@lru_cache(1 << 12)
def publisher_of(domain: str) -> str:
    """Returns the publisher for a domain in an identifier of ARD: its host in ASCII letters, digits, `.` and `-`. No other host has the same publisher.

    A host that cannot be a publisher, such as an address in brackets, becomes a name below `invalid`, which nobody owns.
    """
    host = without_port(domain)[0]
    written = host
    if not host.isascii():
        import idna

        # The encoding replaces some letters by others, so it must be reversible.
        known = spelled(host)
        written = known if known and idna.decode(known) == host else host
    if _PUBLISHER.fullmatch(written):
        return written
    digest = hashlib.sha256(host.encode("utf-8", "replace")).hexdigest()[:16]
    shown = re.sub("[^a-z0-9.-]", "-", host[:100])
    return f"{shown}.{digest}.invalid"


def without_port(domain: str) -> tuple[str, str]:
    """Returns the host and the port of a domain; no port is an empty text. An address of IPv6 without brackets is a host."""
    if domain.count(":") > 1 and "]" not in domain:
        return domain, ""
    host, bracket, rest = domain.rpartition("]")
    name, _, port = rest.partition(":")
    return host + bracket + name, port


def spoken(domain: str) -> str:
    """Returns a domain as people search for it: also with its letters decoded."""
    if "xn--" not in domain:
        return domain
    import idna

    try:
        return f"{domain} {idna.decode(without_port(domain)[0])}"
    except UnicodeError:
        return domain
