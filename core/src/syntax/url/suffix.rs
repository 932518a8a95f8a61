//! The Public Suffix List: below which names anybody can have a domain.
//!
//! The list of <https://publicsuffix.org> has about ten thousand rules. `co.uk` says that each name
//! directly below it has an owner of its own; `*.ck` says that of each name below any name of one
//! more label; `!www.ck` excepts a name from that. The longest rule that a host ends in holds, or an
//! exception; without any, the last label is the suffix.
//!
//! `cargo xtask suffixes` makes `suffixes.bin` from the list as the package psl has it. The table is
//! an automaton over the names read backwards, in which equal beginnings and ends of names exist
//! once. So a host is looked up by one walk from its last character, and each label boundary on the
//! way shows whether a rule ends there. An edge is one byte, and its target follows or is named by
//! an offset:
//!
//! ```text
//! bit 7     the last edge of its node
//! bit 6     two bytes with the offset of the target follow; otherwise the target begins behind the edge
//! bits 0–5  a symbol: a letter (1–26), a digit, a hyphen or a dot; 32 and above: what rules end here
//! ```
//!
//! The tests compare the answers with those of the package psl, whose code for the same list takes ten
//! times the space.

use crate::scan;

static TABLE: &[u8] = include_bytes!("suffixes.bin");

const LAST: u8 = 0x80;
const FAR: u8 = 0x40;
const SYMBOL: u8 = FAR - 1;

/// The symbol before any kinds of rules.
const ENDS: u8 = 0x20;
const RULE: u8 = 1;
const WILDCARD: u8 = 2;
const EXCEPTION: u8 = 4;

/// DNS names have at most 253 characters. Nobody owns a longer one.
const LONGEST: usize = 253;

/// The registrable domain of an ASCII host name without a dot at its end: the public suffix and the
/// label before it. Letter case is ignored. `None` if the name is itself a public suffix, or too
/// long for the DNS.
pub(super) fn registrable_domain(name: &[u8]) -> Option<&[u8]> {
    if name.len() > LONGEST {
        return None;
    }
    let dot = public_suffix(name).checked_sub(1)?;
    let before = name.get(..dot).filter(|before| !before.is_empty())?;
    name.get(start_of_last_label(before)..)
}

fn start_of_last_label(name: &[u8]) -> usize {
    scan::memrchr(b'.', name).map_or(0, |dot| dot.saturating_add(1))
}

/// Where the public suffix of a name starts.
fn public_suffix(name: &[u8]) -> usize {
    let mut start = start_of_last_label(name);
    let mut node = 0;
    for (at, &octet) in name.iter().enumerate().rev() {
        let Some(target) = target(node, octet) else { break };
        node = target;
        let before = match at.checked_sub(1) {
            None => None,
            Some(dot) if name.get(dot) == Some(&b'.') => Some(dot),
            Some(_) => continue,
        };
        let kinds = kinds_at(node);
        if kinds & EXCEPTION != 0 {
            let rest = name.get(at..).unwrap_or_default();
            let label = scan::memchr(b'.', rest).unwrap_or(rest.len());
            return at.saturating_add(label).saturating_add(1).min(name.len());
        }
        if kinds & RULE != 0 {
            start = start.min(at);
        }
        if let Some(dot) = before.filter(|_| kinds & WILDCARD != 0) {
            start = start.min(start_of_last_label(name.get(..dot).unwrap_or_default()));
        }
    }
    start
}

const fn symbol(octet: u8) -> Option<u8> {
    match octet {
        b'A'..=b'Z' | b'a'..=b'z' => Some(octet & 0x1F),
        b'0'..=b'9' | b'-' | b'.' => Some(octet),
        _ => None,
    }
}

/// The kinds of the rules that end at a node.
fn kinds_at(node: usize) -> u8 {
    TABLE
        .get(node)
        .map_or(0, |edge| edge & SYMBOL)
        .checked_sub(ENDS)
        .filter(|&kinds| kinds < 8)
        .unwrap_or(0)
}

/// The node to which a character leads.
fn target(node: usize, octet: u8) -> Option<usize> {
    let symbol = symbol(octet)?;
    let mut at = node;
    loop {
        let &edge = TABLE.get(at)?;
        let behind = at.saturating_add(1);
        if edge & SYMBOL == symbol {
            if edge & FAR == 0 {
                return Some(behind);
            }
            let &offset = TABLE.get(behind..)?.first_chunk()?;
            return Some(usize::from(u16::from_be_bytes(offset)));
        }
        if edge & LAST != 0 {
            return None;
        }
        at = if edge & FAR == 0 { behind } else { behind.saturating_add(2) };
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use psl::Psl;
    use std::string::String;
    use std::vec::Vec;

    fn by_psl(name: &str) -> Option<&str> {
        let lower = name.to_ascii_lowercase();
        psl::List
            .domain(lower.as_bytes())
            .and_then(|domain| name.get(name.len() - domain.as_bytes().len()..))
    }

    /// Compares a host with the package. That forgets `*.firenet.ch` for `svc.firenet.ch`, because of
    /// the rule `*.svc.firenet.ch`; the list's algorithm does not, and knows no owner.
    fn same(name: &str) {
        let ours = registrable_domain(name.as_bytes());
        let parent = name.split_once('.').map_or("", |(_, parent)| parent);
        if ours.is_none() && kinds_of(parent) & WILDCARD != 0 {
            return;
        }
        assert_eq!(
            ours.map(|domain| core::str::from_utf8(domain).unwrap()),
            by_psl(name),
            "{name}"
        );
    }

    fn kinds_of(name: &str) -> u8 {
        name.bytes().rev().try_fold(0, target).map_or(0, kinds_at)
    }

    /// All names with rules, and the kinds of them.
    fn names() -> Vec<(String, u8)> {
        fn collect(node: usize, name: &mut Vec<u8>, found: &mut Vec<(String, u8)>) {
            match kinds_at(node) {
                0 => {}
                kinds => {
                    found.push((name.iter().rev().map(|&octet| char::from(octet)).collect(), kinds))
                }
            }
            for octet in (b'a'..=b'z').chain(b'0'..=b'9').chain([b'-', b'.']) {
                if let Some(target) = target(node, octet) {
                    name.push(octet);
                    collect(target, name, found);
                    name.pop();
                }
            }
        }
        let mut found = Vec::new();
        collect(0, &mut Vec::new(), &mut found);
        found
    }

    #[test]
    fn every_rule_holds_as_in_the_package() {
        let names = names();
        assert!(names.len() > 10_000, "{}", names.len());
        for (name, _) in &names {
            for front in ["", "a.", "b.a.", "c.b.a.", "xn--a.", "A.", "_.", "a-", "1.1."] {
                same(&std::format!("{front}{name}"));
            }
            if let Some((_, parent)) = name.split_once('.') {
                same(parent);
                same(&std::format!("a.{parent}"));
            }
            same(&name.to_ascii_uppercase());
        }
    }

    #[test]
    fn a_million_hosts_have_the_domains_that_the_package_finds() {
        let names = names();
        let labels: Vec<&str> = names.iter().flat_map(|(name, _)| name.split('.')).collect();
        let mut state = 0x2026_1105_u64;
        let mut next = move |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut host = String::new();
        for _ in 0..1_000_000 {
            host.clear();
            for _ in 0..next(4) {
                match next(3) {
                    0 => host.push_str(labels[next(labels.len())]),
                    _ => {
                        (0..next(4) + 1).for_each(|_| host.push(char::from(b"abcyz019-"[next(9)])))
                    }
                }
                host.push('.');
            }
            let (name, _) = &names[next(names.len())];
            // Mostly below a rule, otherwise below a part or a change of one.
            match next(8) {
                0 => host.push_str(&name[next(name.len())..]),
                1 => host.push_str(labels[next(labels.len())]),
                _ => host.push_str(name),
            }
            if next(8) == 0 {
                host.insert(next(host.len()), char::from(b"a-.0"[next(4)]));
            }
            same(&host);
        }
    }

    #[test]
    fn a_rule_for_all_labels_holds_beside_longer_ones() {
        assert_eq!(registrable_domain(b"svc.firenet.ch"), None);
        assert_eq!(registrable_domain(b"a.svc.firenet.ch"), None);
        assert_eq!(registrable_domain(b"b.a.svc.firenet.ch"), Some(&b"b.a.svc.firenet.ch"[..]));
        assert_eq!(registrable_domain(b"city.kobe.jp"), Some(&b"city.kobe.jp"[..]));
        assert_eq!(registrable_domain(b"town.kobe.jp"), None);
    }

    #[test]
    fn a_name_that_is_too_long_for_the_dns_has_no_owner() {
        let long = "a.".repeat(125) + "com";
        assert_eq!(registrable_domain(long.as_bytes()), Some(&b"a.com"[..]));
        let longer = std::format!("a{long}");
        assert_eq!(registrable_domain(longer.as_bytes()), None);
    }
}
