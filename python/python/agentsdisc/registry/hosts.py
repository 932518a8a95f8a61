"""Hosts of services in their one spelling."""

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


@lru_cache(1 << 12)
def spelled(host: str) -> str | None:
    """Returns a host as it is compared, shown and asked: in ASCII (IDNA 2008, so `straße` is not `strasse`), an address as usual; None if it is none."""
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


def domain_of(url: str) -> str | None:
    """Returns the domain that a document of this URL speaks for: its host, with the port unless it is the scheme's own; None for other URLs."""
    try:
        parts = urlsplit(url)
        host, port = spelled(parts.hostname or ""), parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or host is None:
        return None
    return host if port in (None, _PORTS[parts.scheme]) else f"{host}:{port}"


def domain_in(authority: str) -> str | None:
    """Returns a host as written, with its port unless it is 443, in its one spelling; None if it is none."""
    try:
        netloc = urlsplit(f"https://{authority}").netloc
    except ValueError:
        return None
    if netloc != authority or "@" in authority or not authority.isprintable():
        return None
    return domain_of(f"https://{authority}")


def as_domain(text: str) -> str:
    """Returns what somebody has written for a domain in its one spelling; as it is, in lower case, if it is none."""
    return domain_in(text) or text.lower()


@lru_cache(1 << 12)
def publisher_of(domain: str) -> str:
    """Returns the host of a domain as the publisher in an identifier of ARD: of ASCII letters, digits, `.` and `-`, and of no other host.

    A host that cannot be one, such as an address in brackets, is below `invalid`, which is nobody's.
    """
    host = without_port(domain)[0]
    written = host
    if not host.isascii():
        import idna

        # Some letters become others.
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
    """Returns a domain as people search for it: also in its own letters."""
    if "xn--" not in domain:
        return domain
    import idna

    try:
        return f"{domain} {idna.decode(without_port(domain)[0])}"
    except UnicodeError:
        return domain
