"""Which addresses are connected to."""

import ipaddress
from ipaddress import IPv4Address, IPv6Address

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def is_public(text: str) -> bool:
    """Whether an address belongs to somebody on the Internet: not private, not this machine, not for special use.

    An IPv6 address that stands for an IPv4 address (mapped, 6to4, Teredo, NAT64) is as public as that one.
    """
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return all(_is_public(each) for each in (address, *_embedded(address)))


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    special = (
        address.is_multicast
        or address.is_reserved
        or address.is_unspecified
        or address.is_loopback
        or address.is_link_local
        or address.is_private
    )
    if isinstance(address, IPv6Address):
        if address in _NAT64 or address.ipv4_mapped is not None:
            return True  # it is its IPv4 address that counts
        special = special or address.is_site_local
    return address.is_global and not special


def _embedded(address: IPv4Address | IPv6Address) -> list[IPv4Address]:
    if isinstance(address, IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        found.append(IPv4Address(int(address) & 0xFFFF_FFFF))
    return [each for each in found if each is not None]
