//! What a host is: a name, or an address in one of its many spellings.

use core::net::{Ipv4Addr, Ipv6Addr};

use crate::scan;
use crate::syntax::pieces::Pieces;
use crate::syntax::text::copy;

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
        if (cfg!(target_os = "none") || !is_usual_name(name)) && !is_name(host) {
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
        Some(dot) => name.get(dot.wrapping_add(1)..).unwrap_or_default(),
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

/// Whether all characters are such as names have, and no label is empty; one trailing dot is fine.
fn is_name(host: &str) -> bool {
    let mut previous = '.';
    let fits = host.chars().all(|c| {
        let fits = is_name_char(c) && !(c == '.' && previous == '.');
        previous = c;
        fits
    });
    fits && !host.is_empty()
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
    let (mut octets, mut at, mut has_gap) = ([0; 16], 0_usize, false);
    // A colon at the front is one of two.
    let text = match text {
        [b':', tail @ ..] if tail.starts_with(b":") => tail,
        [b':', ..] => return None,
        _ => text,
    };
    let mut parts = Pieces::of(text, b':');
    while let Some(part) = parts.next() {
        let rest = parts.rest();
        if part.is_empty() {
            if has_gap || parts.is_done() {
                return None;
            }
            has_gap = true;
            // `::` stands for as many groups as are missing, and for one at least. An IPv4 address takes the place of two.
            let groups = if rest.is_empty() { 0 } else { parts.clone().count().wrapping_add(usize::from(has_dot(rest))) };
            at = 16_usize.checked_sub(groups.checked_mul(2)?).filter(|&behind| behind > at)?;
            if rest.is_empty() {
                break;
            }
            continue;
        }
        if parts.is_done() && has_dot(part) {
            copy(octets.get_mut(at..at.wrapping_add(4))?, &dotted(part)?.octets());
            at = at.wrapping_add(4);
        } else {
            if part.len() > 4 {
                return None;
            }
            let group = digits_of(part, 16)??;
            copy(octets.get_mut(at..at.wrapping_add(2))?, &[(group >> 8) as u8, group as u8]);
            at = at.wrapping_add(2);
        }
    }
    (at == 16).then(|| octets.into())
}

fn has_dot(text: &[u8]) -> bool {
    scan::memchr(b'.', text).is_some()
}

/// Four decimal numbers without leading zeros.
fn dotted(text: &[u8]) -> Option<Ipv4Addr> {
    let mut count = 0_usize;
    for part in labels(text) {
        if matches!(part, [b'0', _, ..]) {
            return None;
        }
        count = count.wrapping_add(1);
    }
    if count == 4 { ipv4(text) } else { None }
}
