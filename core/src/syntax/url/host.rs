//! What a host is: a name, or an address in one of its many spellings.

use core::net::{Ipv4Addr, Ipv6Addr};

use crate::scan;
use crate::syntax::grammar;
use crate::syntax::pieces::Pieces;

/// What the host of a URL is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum HostKind {
    /// A name.
    Domain,
    /// An IPv4 address, also one written as `0x7f.1` or `2130706433`: clients take those too.
    Ipv4(Ipv4Addr),
    /// An IPv6 address, which stands in brackets.
    Ipv6(Ipv6Addr),
}

impl HostKind {
    /// What `host` is, or `None` where it is no host: empty, a number that is no IPv4 address, brackets without an IPv6
    /// address (zones are none), or a name with an empty label or a character that names do not have. One trailing dot
    /// is fine. Non-ASCII letters are taken as they are.
    ///
    /// ```
    /// use agentsdisc_core::syntax::url::HostKind;
    /// assert_eq!(HostKind::of("example.com"), Some(HostKind::Domain));
    /// assert_eq!(HostKind::of("0x7f.1"), Some(HostKind::Ipv4([127, 0, 0, 1].into())));
    /// assert_eq!(HostKind::of("1.2.3.400"), None);
    /// ```
    pub fn of(host: &str) -> Option<Self> {
        match host.as_bytes() {
            [b'[', address @ .., b']'] => return Some(Self::Ipv6(ipv6(address)?)),
            [b'[', ..] => return None,
            _ => {}
        }
        let name = without_dot(host.as_bytes());
        // All characters of the host are looked at, as a dot may be anywhere; most hosts need not be decoded for it, which firmware does always.
        if (cfg!(target_os = "none") || !is_usual_name(name)) && (!host.chars().all(is_name_char) || labels(name).any(<[u8]>::is_empty)) {
            return None;
        }
        if ends_in_number(name) { Some(Self::Ipv4(ipv4(name)?)) } else { Some(Self::Domain) }
    }

    /// Whether this is the kind of a host that is this very machine; `host` is the host it was made of.
    pub(super) fn is_loopback(self, host: &[u8]) -> bool {
        match self {
            Self::Domain => is_localhost(host),
            Self::Ipv4(address) => address.is_loopback(),
            Self::Ipv6(address) => address == Ipv6Addr::LOCALHOST || address.octets().starts_with(MAPPED_LOOPBACK),
        }
    }
}

/// How `::ffff:127.0.0.0/104` begins: connecting to a mapped address reaches the IPv4 one.
const MAPPED_LOOPBACK: &[u8] = b"\0\0\0\0\0\0\0\0\0\0\xff\xff\x7f";

/// `host` without one trailing dot.
pub(super) fn without_dot(host: &[u8]) -> &[u8] {
    host.strip_suffix(b".").unwrap_or(host)
}

/// `localhost`, or a name below it (RFC 6761 section 6.3).
pub(super) fn is_localhost(host: &[u8]) -> bool {
    last_label(without_dot(host)).eq_ignore_ascii_case(b"localhost")
}

fn labels(name: &[u8]) -> Pieces<'_> {
    Pieces::of(name, b'.')
}

fn last_label(name: &[u8]) -> &[u8] {
    match scan::memrchr(b'.', name) {
        Some(dot) => name.get(dot.saturating_add(1)..).unwrap_or_default(),
        None => name,
    }
}

/// Whether two hosts are one.
pub(super) fn is_same(a: &[u8], a_kind: HostKind, b: &[u8], b_kind: HostKind) -> bool {
    match (a_kind, b_kind) {
        (HostKind::Domain, HostKind::Domain) => without_dot(a).eq_ignore_ascii_case(without_dot(b)),
        _ => a_kind == b_kind,
    }
}

/// Whether a name is one of letters, digits and hyphens, as those in the DNS are, without an empty label.
fn is_usual_name(name: &[u8]) -> bool {
    let mut previous = b'.';
    name.iter().all(|&octet| {
        let fits = octet.is_ascii_alphanumeric() || octet == b'-' || (octet == b'.' && previous != b'.');
        previous = octet;
        fits
    }) && previous != b'.'
}

/// What RFC 3986 allows in a registered name, percent-encoding left out, and non-ASCII letters.
fn is_name_char(c: char) -> bool {
    match c {
        '-' | '.' | '_' | '~' | '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';' | '=' => true,
        _ if c.is_ascii() => c.is_ascii_alphanumeric(),
        _ => !super::is_blank_or_control(c),
    }
}

/// Whether the last label says that the host means to be an IPv4 address (WHATWG URL, "ends in a number").
fn ends_in_number(name: &[u8]) -> bool {
    let last = last_label(name);
    (!last.is_empty() && last.iter().all(u8::is_ascii_digit)) || number(last).is_some()
}

/// One to four numbers, the last of which fills the octets that are left (WHATWG URL, "IPv4 parser").
fn ipv4(name: &[u8]) -> Option<Ipv4Addr> {
    let mut address: u32 = 0;
    let mut shift = 32u32;
    let mut parts = labels(name);
    while let Some(part) = parts.next() {
        let value = number(part)??;
        if parts.is_done() {
            return if value.checked_shr(shift).unwrap_or(0) == 0 { Some((address | value).into()) } else { None };
        }
        shift = shift.checked_sub(8).filter(|&shift| shift >= 8)?;
        address |= u32::from(u8::try_from(value).ok()?).checked_shl(shift)?;
    }
    None
}

/// A decimal, octal (`0…`) or hexadecimal (`0x…`) number; `Some(None)` for one that is too large for every address. `0x` alone is zero.
fn number(text: &[u8]) -> Option<Option<u32>> {
    let (digits, radix) = match text {
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', digits @ ..] => (digits, 8),
        [] => return None,
        digits => (digits, 10),
    };
    digits_of(digits, radix)
}

/// The number that digits are, zero where there are none; `Some(None)` for one that is too large.
fn digits_of(digits: &[u8], radix: u32) -> Option<Option<u32>> {
    digits.iter().try_fold(Some(0u32), |value, &digit| {
        let digit = char::from(digit).to_digit(radix)?;
        Some(value.and_then(|value| value.checked_mul(radix)?.checked_add(digit)))
    })
}

/// An IPv6 address without its brackets (RFC 4291 section 2.2).
fn ipv6(text: &[u8]) -> Option<Ipv6Addr> {
    let (groups, mut octets) = (ipv6_words(text)?, [0; 16]);
    for (place, group) in octets.as_chunks_mut().0.iter_mut().zip(groups) {
        *place = group.to_be_bytes();
    }
    Some(octets.into())
}

/// The words that it is made of.
fn ipv6_words(text: &[u8]) -> Option<[u16; 8]> {
    let mut groups = [0u16; 8];
    let gap = scan::find(text, b"::");
    let Some((head, tail)) = gap.and_then(|at| Some((text.get(..at)?, text.get(at.checked_add(2)?..)?))) else {
        return if ipv6_groups(text, &mut groups)? == 8 { Some(groups) } else { None };
    };
    let front = ipv6_groups(head, &mut groups)?;
    let mut back = [0u16; 8];
    let behind = ipv6_groups(tail, &mut back)?;
    // `::` stands for at least one group, and an IPv4 address only at the end.
    if front.saturating_add(behind) > 7 || scan::memchr(b'.', head).is_some() {
        return None;
    }
    for (place, group) in groups.iter_mut().rev().zip(back.iter().take(behind).rev()) {
        *place = *group;
    }
    Some(groups)
}

/// Reads groups into `groups` and returns how many there were; none for empty text.
fn ipv6_groups(text: &[u8], groups: &mut [u16; 8]) -> Option<usize> {
    if text.is_empty() {
        return Some(0);
    }
    let mut places = groups.iter_mut();
    let mut count = 0usize;
    let mut parts = Pieces::of(text, b':');
    while let Some(part) = parts.next() {
        if parts.is_done() && scan::memchr(b'.', part).is_some() {
            let [a, b, c, d] = dotted(part)?;
            *places.next()? = u16::from_be_bytes([a, b]);
            *places.next()? = u16::from_be_bytes([c, d]);
            return count.checked_add(2);
        }
        if !(1..=4).contains(&part.len()) {
            return None;
        }
        *places.next()? = u16::try_from(digits_of(part, 16)??).ok()?;
        count = count.checked_add(1)?;
    }
    Some(count)
}

/// Four decimal numbers without leading zeros.
fn dotted(text: &[u8]) -> Option<[u8; 4]> {
    let mut octets = [0; 4];
    let mut parts = labels(text);
    for octet in &mut octets {
        match parts.next()? {
            [] | [b'0', _, ..] => return None,
            part => *octet = u8::try_from(grammar::number(part)?).ok()?,
        }
    }
    if parts.next().is_some() { None } else { Some(octets) }
}
