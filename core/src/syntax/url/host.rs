//! Hosts: names, and addresses in their many spellings.

use core::net::{Ipv4Addr, Ipv6Addr};

use crate::scan;
use crate::syntax::pieces::Pieces;
use crate::syntax::text::Text;

/// The kind of the host of a URL.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum HostKind {
    /// A name.
    Domain,
    /// An IPv4 address, also in spellings such as `0x7f.1` or `2130706433`, which clients accept.
    Ipv4(Ipv4Addr),
    /// An IPv6 address, in brackets.
    Ipv6(Ipv6Addr),
}

impl HostKind {
    /// Returns the kind of `host`; `None` if it is invalid: empty, a number that is not an IPv4
    /// address, brackets without an IPv6 address (zones are not supported), or a name with an empty
    /// label or an invalid character. One trailing dot is allowed. Non-ASCII letters are accepted
    /// as they are.
    ///
    /// ```
    /// use agentsdisc_core::syntax::url::HostKind;
    /// assert_eq!(HostKind::of("example.com"), Some(HostKind::Domain));
    /// assert_eq!(HostKind::of("0x7f.1"), Some(HostKind::Ipv4([127, 0, 0, 1].into())));
    /// assert_eq!(HostKind::of("1.2.3.400"), None);
    /// ```
    pub fn of(host: &str) -> Option<Self> {
        if is_spelled_well(host.as_bytes()) { kind(host.as_bytes()) } else { None }
    }
}

/// True if a text is a valid host.
pub(super) fn is_host(host: &[u8]) -> bool {
    is_spelled_well(host) && address(host, &mut [0; 8]).is_some()
}

/// True if the host is in brackets or consists of characters that names may contain.
fn is_spelled_well(host: &[u8]) -> bool {
    // Dots can be anywhere, so this reads every character. Most hosts need no decoding.
    host.starts_with(b"[") || is_usual_name(without_dot(host)) || is_name(host)
}

/// The kind of a host whose characters are valid.
pub(super) fn kind(host: &[u8]) -> Option<HostKind> {
    let mut words = [0; 8];
    Some(match address(host, &mut words)? {
        Family::Name => HostKind::Domain,
        Family::Ipv4 => HostKind::Ipv4(join(&words).into()),
        Family::Ipv6 => HostKind::Ipv6(words.into()),
    })
}

/// The kind of a host, without its address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Name,
    Ipv4,
    Ipv6,
}

/// Writes the address of a host into words, an IPv4 address into the first two. `None` if the host
/// is invalid.
fn address(host: &[u8], words: &mut Words) -> Option<Family> {
    if let [b'[', address @ ..] = host {
        ipv6(address.strip_suffix(b"]")?, words)?;
        return Some(Family::Ipv6);
    }
    let name = without_dot(host);
    if !ends_in_number(name) {
        return Some(Family::Name);
    }
    put_ipv4(name, words, 0)?;
    Some(Family::Ipv4)
}

type Words = [u16; 8];

/// True if the host of a URL is an address or `localhost`.
pub(super) fn is_alone(host: &[u8]) -> bool {
    host.starts_with(b"[") || ends_in_number(without_dot(host)) || is_localhost(host)
}

/// True if the host of a URL is the local machine.
pub(super) fn is_loopback(host: &[u8]) -> bool {
    let mut words = [0; 8];
    // A connection to a mapped address (`::ffff:127.0.0.0/104`) reaches the IPv4 address.
    let family = address(host, &mut words);
    let [front, .., mapped, _] = words;
    let first = match family {
        Some(Family::Ipv4) => front,
        Some(Family::Ipv6) if words.starts_with(&[0, 0, 0, 0, 0, 0xffff]) => mapped,
        Some(Family::Ipv6) => return words == [0, 0, 0, 0, 0, 0, 0, 1],
        _ => return is_localhost(host),
    };
    first >> 8 == 127
}

/// `host` without one trailing dot.
pub(super) fn without_dot(host: &[u8]) -> &[u8] {
    host.strip_suffix(b".").unwrap_or(host)
}

/// `localhost`, or a name below it (RFC 6761 section 6.3).
fn is_localhost(host: &[u8]) -> bool {
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

/// True if two URLs have the same host.
pub(super) fn is_same(a: &[u8], b: &[u8]) -> bool {
    if without_dot(a).eq_ignore_ascii_case(without_dot(b)) {
        return true;
    }
    let (mut a_words, mut b_words) = ([0; 8], [0; 8]);
    let family = address(a, &mut a_words);
    matches!(family, Some(Family::Ipv4 | Family::Ipv6))
        && family == address(b, &mut b_words)
        && a_words == b_words
}

/// True if a name consists of letters, digits and hyphens, as in the DNS, without an empty label.
fn is_usual_name(name: &[u8]) -> bool {
    let mut previous = b'.';
    name.iter().all(|&octet| {
        let fits =
            octet.is_ascii_alphanumeric() || octet == b'-' || (octet == b'.' && previous != b'.');
        previous = octet;
        fits
    }) && previous != b'.'
}

/// True if all characters are valid in names and no label is empty; one trailing dot is allowed.
fn is_name(host: &[u8]) -> bool {
    let mut previous = '.';
    let fits = Text::plain(host).chars().all(|c| {
        let fits = is_name_char(c) && !(c == '.' && previous == '.');
        previous = c;
        fits
    });
    fits && !host.is_empty()
}

/// The characters that RFC 3986 allows in a registered name, without percent-encoding, and
/// non-ASCII letters.
fn is_name_char(c: char) -> bool {
    match c {
        '-' | '.' | '_' | '~' | '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';'
        | '=' => true,
        _ if c.is_ascii() => c.is_ascii_alphanumeric(),
        _ => !super::is_blank_or_control(c),
    }
}

/// True if the last label shows that the host is meant as an IPv4 address (WHATWG URL, "ends in a
/// number").
fn ends_in_number(name: &[u8]) -> bool {
    let last = last_label(name);
    (!last.is_empty() && last.iter().all(u8::is_ascii_digit)) || number(last).is_some()
}

/// One to four numbers; the last one fills the remaining bytes (WHATWG URL, "IPv4 parser").
fn ipv4(name: &[u8]) -> Option<u32> {
    let mut address: u32 = 0;
    let mut shift = 32u32;
    let mut parts = labels(name);
    while let Some(part) = parts.next() {
        let value = number(part)??;
        if parts.is_done() {
            return if value.checked_shr(shift).unwrap_or(0) == 0 {
                Some(address | value)
            } else {
                None
            };
        }
        shift = shift.checked_sub(8).filter(|&shift| shift >= 8)?;
        address |= u32::from(u8::try_from(value).ok()?).checked_shl(shift)?;
    }
    None
}

/// Writes an IPv4 address into two words.
fn put_ipv4(name: &[u8], words: &mut Words, at: usize) -> Option<()> {
    let address = ipv4(name)?;
    *words.get_mut(at)? = (address >> 16) as u16;
    *words.get_mut(at.wrapping_add(1))? = address as u16;
    Some(())
}

/// The IPv4 address in the first two words.
fn join(&[first, second, ..]: &Words) -> u32 {
    u32::from(first) << 16 | u32::from(second)
}

/// A decimal, octal (`0…`) or hexadecimal (`0x…`) number; `Some(None)` if it is too large for an
/// address. `0x` alone is zero.
fn number(text: &[u8]) -> Option<Option<u32>> {
    let (digits, radix) = match text {
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', digits @ ..] => (digits, 8),
        [] => return None,
        digits => (digits, 10),
    };
    digits_of(digits, radix)
}

/// The value of digits, zero if there are none; `Some(None)` if it is too large.
fn digits_of(digits: &[u8], radix: u32) -> Option<Option<u32>> {
    digits.iter().try_fold(Some(0u32), |value, &digit| {
        let digit = char::from(digit).to_digit(radix)?;
        Some(value.and_then(|value| value.checked_mul(radix)?.checked_add(digit)))
    })
}

/// Writes an IPv6 address without its brackets (RFC 4291 section 2.2) into words that are zero.
fn ipv6(text: &[u8], words: &mut Words) -> Option<()> {
    let (mut at, mut has_gap) = (0_usize, false);
    // A colon at the start must be followed by another one.
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
            if rest.is_empty() {
                return if at < 8 { Some(()) } else { None };
            }
            // `::` replaces all missing groups, at least one. An IPv4 address replaces two groups.
            let groups = parts.clone().count().wrapping_add(usize::from(has_dot(rest)));
            at = 8_usize.checked_sub(groups).filter(|&behind| behind > at)?;
        } else if parts.is_done() && has_dot(part) {
            if !is_dotted(part) {
                return None;
            }
            put_ipv4(part, words, at)?;
            at = at.wrapping_add(2);
        } else {
            if part.len() > 4 {
                return None;
            }
            *words.get_mut(at)? = digits_of(part, 16)?? as u16;
            at = at.wrapping_add(1);
        }
    }
    if at == 8 { Some(()) } else { None }
}

fn has_dot(text: &[u8]) -> bool {
    scan::memchr(b'.', text).is_some()
}

/// True if the text is four numbers without leading zeros.
fn is_dotted(text: &[u8]) -> bool {
    let mut count = 0_usize;
    for part in labels(text) {
        count = count.wrapping_add(if matches!(part, [b'0', _, ..]) { 8 } else { 1 });
    }
    count == 4
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn ipv6_is_what_std_reads(text in "(::?|1|ff|0?1\\.2\\.3\\.4|:1\\.2\\.3\\.4|:a:b:c|1:|12345|g|\\.){0,10}") {
            let found = HostKind::of(&std::format!("[{text}]"));
            prop_assert_eq!(found, text.parse().ok().map(HostKind::Ipv6), "{}", text);
        }
    }
}
