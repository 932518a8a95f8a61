"""Hosts and addresses: which are public, and their canonical form."""

import ipaddress
import socket
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

NOT_PUBLIC = "its address is not public"
"""Why a connection is refused, if the option can permit it."""
PRIVATE_OPTION = "use allow_private=True to connect anyway"
"""That option, for callers in Python."""

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")

_SPECIAL = [
    ipaddress.ip_network(text)
    for text in (
        "168.63.129.16/32",  # the platform service of Azure, which only its machines reach
        "192.0.0.0/24",  # IETF protocols, some of which Python calls global
        "192.88.99.0/24",  # 6to4 relays, deprecated
        "64:ff9b:1::/48",  # local NAT64
        "2001:1::/32",  # as 192.0.0.0/24
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
    )
]
"""Special networks that some versions of Python call global."""

_LOCAL = frozenset(
    [
        *("alt", "corp", "home", "internal", "intranet", "lan", "local"),
        *("localdomain", "localhost", "onion", "private", "test"),
    ]
)
"""Last labels of names for one machine or network, or of names that are not in the public DNS."""


def with_option(words: str) -> str:
    """Adds the option that permits a connection to the reason why it was refused, unless only another host may be private."""
    helps = NOT_PUBLIC in words and "only the host" not in words
    is_known = PRIVATE_OPTION in words
    return f"{words}; {PRIVATE_OPTION}" if helps and not is_known else words


def host_of(url: str) -> str | None:
    """Returns the host of a URL, or a host itself, in canonical form; None if there is none."""
    text = url if "://" in url else f"https://{url}"
    try:
        host = urlsplit(text).hostname
    except ValueError:
        return None
    return canonical(host) if host else None


def port_of(url: str) -> int | None:
    """Returns the port of a URL or a host; the scheme's default if it names none, None if it is not valid."""
    parts = urlsplit(url if "://" in url else f"https://{url}")
    try:
        port = parts.port
    except ValueError:
        return None
    return (80 if parts.scheme in {"http", "ws"} else 443) if port is None else port


def is_loopback(host: str | None) -> bool:
    """Whether a canonical host is this machine: one of its addresses, `localhost`, or a name below it (RFC 6761 section 6.3)."""
    if host is None:
        return False
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host.rpartition(".")[2] == "localhost"
    # A connection to a mapped address reaches the IPv4 address.
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def is_of_machine(host: str) -> bool:
    """Returns whether a canonical host is an address or a name of this machine, where each port is another service."""
    with suppress(ValueError):
        ipaddress.ip_address(host)
        return True
    return is_loopback(host)


def canonical(host: str) -> str:
    """Returns a host in lower case without a final dot; an address in its usual spelling."""
    host = host.lower().rstrip(".").strip("[]")
    # No name has such an end or a colon, so most hosts need not be tried.
    if ":" in host or host[-1:].isdigit():
        with suppress(ValueError):
            return str(ipaddress.ip_address(host))
    # Such as 127.1, 0x7f.1 or 2130706433, which systems take for IPv4 addresses.
    if host[:1].isdigit():
        with suppress(OSError):
            return str(IPv4Address(socket.inet_aton(host)))
    return host


def is_local(host: str) -> bool:
    """Returns whether a canonical host itself shows that it is not on the public Internet: a private address, or a name for local networks.

    Other names may resolve to private addresses as well.
    """
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        labels = host.split(".")
        is_home = labels[-2:] == ["home", "arpa"]
        return len(labels) < 2 or labels[-1] in _LOCAL or is_home
    return not is_public(host)


def is_public(text: str) -> bool:
    """Returns whether an address is on the public Internet: not private, not loopback, not for special use.

    An IPv6 address that contains an IPv4 address (mapped, 6to4, Teredo, NAT64) is public only if the IPv4 address is.
    """
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return all(_is_public(each) for each in (address, *_embedded(address)))


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    special = (
        any(address in network for network in _SPECIAL)
        or address.is_multicast
        or address.is_reserved
        or address.is_unspecified
        or address.is_loopback
        or address.is_link_local
        or address.is_private
    )
    if isinstance(address, IPv6Address):
        if address in _NAT64 or address.ipv4_mapped is not None:
            return True  # only its IPv4 address counts
        special = special or address.is_site_local
    return address.is_global and not special


def _embedded(address: IPv4Address | IPv6Address) -> list[IPv4Address]:
    if isinstance(address, IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        found.append(IPv4Address(int(address) & 0xFFFF_FFFF))
    return [each for each in found if each is not None]
