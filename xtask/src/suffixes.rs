//! `cargo xtask suffixes`: writes the Public Suffix List as the table that the core searches,
//! `core/src/syntax/url/suffixes.bin`, from the list in the package psl at the version of Cargo.lock.
//!
//! The table is a minimal acyclic automaton over the rules read backwards, so that one walk from the
//! end of a host meets every rule that its labels end in. An edge is one byte: a symbol in the low
//! six bits, [`FAR`] if the offset of its target follows in two bytes, big-endian, and [`LAST`] at
//! the last edge of its node. Without an offset, the target begins right behind the edge, which
//! must then be the last one of its node. An edge whose symbol is a kind of rule has no target, and
//! is the first one of its node.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use crate::notices::folders;
use crate::shell::{Outcome, Shell, Stop, cannot, failed, read};
use crate::tools::file_name;

const TABLE: &str = "core/src/syntax/url/suffixes.bin";

/// The package that has the list.
const PACKAGE: &str = "psl";

const LAST: u8 = 0x80;
const FAR: u8 = 0x40;

/// The symbol of a kind of rule: this, plus one of the kinds.
const ENDS: u8 = 0x20;
const RULE: u8 = 1;
const WILDCARD: u8 = 2;
const EXCEPTION: u8 = 4;

pub(crate) fn run(shell: &mut Shell, check: bool) -> Outcome {
    let folder = packaged(shell)?;
    let rules = rules(&read(&folder.join("data/rules.txt"))?)?;
    let table = encode(&rules)?;
    let mut found = BTreeMap::new();
    decode(&table, 0, &mut Vec::new(), &mut found);
    if found != rules {
        return failed(format!("the table has {} names, the list {}", found.len(), rules.len()));
    }
    let note = format!("{} names of {} in {} bytes", rules.len(), file_name(&folder), table.len());
    let file = shell.root.join(TABLE);
    if std::fs::read(&file).is_ok_and(|there| there == table) {
        return Ok(format!("{TABLE} is up to date: {note}"));
    }
    if check {
        return failed(format!(
            "{TABLE} is not up to date; run `cargo xtask suffixes` and commit the result"
        ));
    }
    std::fs::write(&file, table).map_err(|e| cannot("write", &file, &e))?;
    Ok(format!("{TABLE} is written: {note}"))
}

/// The folder of the package in cargo's cache.
fn packaged(shell: &mut Shell) -> Result<PathBuf, Stop> {
    let is_it = |name: &str| name.strip_prefix(PACKAGE).is_some_and(|rest| rest.starts_with(' '));
    let found = folders(shell)?.into_iter().find(|(name, _)| is_it(name));
    found
        .map(|(_, folder)| folder)
        .ok_or_else(|| Stop::Failed(format!("the workspace does not depend on {PACKAGE}")))
}

/// The names of the list as hosts in ASCII, without `!` and `*.`, and the kinds of rules for each.
fn rules(list: &str) -> Result<BTreeMap<Vec<u8>, u8>, Stop> {
    let mut rules = BTreeMap::new();
    for line in list.lines().map(str::trim) {
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        let (kind, name) = if let Some(name) = line.strip_prefix('!') {
            (EXCEPTION, name)
        } else if let Some(name) = line.strip_prefix("*.") {
            (WILDCARD, name)
        } else {
            (RULE, line)
        };
        let name: Vec<String> = name.split('.').map(in_ascii).collect();
        let name = name.join(".").into_bytes();
        if name.is_empty() || name.iter().any(|&octet| symbol(octet).is_none()) {
            return failed(format!("the table has no place for the rule {line}"));
        }
        *rules.entry(name).or_insert(0) |= kind;
    }
    Ok(rules)
}

/// The symbol of an octet of a name in lower case; the core has the same function.
fn symbol(octet: u8) -> Option<u8> {
    match octet {
        b'a'..=b'z' => Some(octet & 0x1F),
        b'0'..=b'9' | b'-' | b'.' => Some(octet),
        _ => None,
    }
}

/// A label as in the DNS: Punycode (RFC 3492) if it is not ASCII. The list is normalized already.
fn in_ascii(label: &str) -> String {
    if label.is_ascii() {
        return label.to_owned();
    }
    let mut out = String::from("xn--");
    out.extend(label.chars().filter(char::is_ascii));
    let basic = out.len() - "xn--".len();
    if basic > 0 {
        out.push('-');
    }
    let total = label.chars().count();
    let (mut n, mut delta, mut bias, mut done) = (128_u32, 0_u32, 72_u32, basic);
    while done < total {
        let next = label.chars().map(u32::from).filter(|&c| c >= n).min().unwrap_or(n);
        delta += (next - n) * (done as u32 + 1);
        n = next;
        for c in label.chars().map(u32::from) {
            if c < n {
                delta += 1;
            }
            if c != n {
                continue;
            }
            let (mut q, mut k) = (delta, 36_u32);
            loop {
                let t = k.saturating_sub(bias).clamp(1, 26);
                if q < t {
                    break;
                }
                out.push(digit(t + (q - t) % (36 - t)));
                q = (q - t) / (36 - t);
                k += 36;
            }
            out.push(digit(q));
            bias = adapt(delta, done, basic);
            delta = 0;
            done += 1;
        }
        delta += 1;
        n += 1;
    }
    out
}

fn digit(value: u32) -> char {
    char::from(if value < 26 { b'a' + value as u8 } else { b'0' + (value as u8 - 26) })
}

fn adapt(delta: u32, done: usize, basic: usize) -> u32 {
    let mut delta = if done == basic { delta / 700 } else { delta / 2 };
    delta += delta / (done as u32 + 1);
    let mut k = 0;
    while delta > 35 * 26 / 2 {
        delta /= 35;
        k += 36;
    }
    k + 36 * delta / (delta + 38)
}

/// The edges of a node: the symbol of each, and its target unless it is a kind of rule.
type Node = Vec<(u8, Option<usize>)>;

#[derive(Default)]
struct Automaton {
    nodes: Vec<Node>,
    same: HashMap<Node, usize>,
}

impl Automaton {
    /// The node after a common beginning: `names` are what is left of each name, sorted, with its
    /// kinds.
    fn node(&mut self, names: &[(&[u8], u8)]) -> usize {
        let mut edges = Node::new();
        let mut rest = names;
        while let Some(((name, kinds), after)) = rest.split_first() {
            let Some(&first) = name.first() else {
                edges.push((ENDS | kinds, None));
                rest = after;
                continue;
            };
            let count = rest.iter().take_while(|(name, _)| name.first() == Some(&first)).count();
            let (same, after) = rest.split_at(count);
            let same: Vec<(&[u8], u8)> = same
                .iter()
                .map(|(name, kinds)| (name.get(1..).unwrap_or_default(), *kinds))
                .collect();
            edges.push((first, Some(self.node(&same))));
            rest = after;
        }
        let next = self.nodes.len();
        let node = *self.same.entry(edges.clone()).or_insert(next);
        if node == next {
            self.nodes.push(edges);
        }
        node
    }
}

fn encode(rules: &BTreeMap<Vec<u8>, u8>) -> Result<Vec<u8>, Stop> {
    let mut names: Vec<(Vec<u8>, u8)> = rules
        .iter()
        .map(|(name, kinds)| (name.iter().rev().filter_map(|&o| symbol(o)).collect(), *kinds))
        .collect();
    names.sort();
    let names: Vec<(&[u8], u8)> =
        names.iter().map(|(name, kinds)| (name.as_slice(), *kinds)).collect();
    let mut automaton = Automaton::default();
    let root = automaton.node(&names);

    // A chain of nodes, each behind the last edge of the one before, until one is placed already.
    let mut table: Vec<u8> = Vec::new();
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut offsets: Vec<(usize, usize)> = Vec::new();
    let mut waiting = vec![root];
    while let Some(first) = waiting.pop() {
        let mut chain = Some(first);
        while let Some(node) = chain.take().filter(|node| !places.contains_key(node)) {
            places.insert(node, table.len());
            let edges = automaton.nodes.get(node).map(Vec::as_slice).unwrap_or_default();
            for (at, &(symbol, target)) in edges.iter().enumerate() {
                let is_last = at + 1 == edges.len();
                let last = if is_last { LAST } else { 0 };
                match target {
                    None => table.push(symbol | last),
                    Some(target) if is_last && !places.contains_key(&target) => {
                        table.push(symbol | last);
                        chain = Some(target);
                    }
                    Some(target) => {
                        table.push(symbol | last | FAR);
                        offsets.push((table.len(), target));
                        table.extend([0, 0]);
                        waiting.push(target);
                    }
                }
            }
        }
    }
    for (at, target) in offsets {
        let place = places.get(&target).and_then(|&place| u16::try_from(place).ok());
        let place = place.ok_or_else(|| Stop::Failed("the table is longer than 64 KiB".into()))?;
        if let Some(two) = table.get_mut(at..at + 2) {
            two.copy_from_slice(&place.to_be_bytes());
        }
    }
    Ok(table)
}

/// Collects all names behind a node.
fn decode(table: &[u8], node: usize, name: &mut Vec<u8>, found: &mut BTreeMap<Vec<u8>, u8>) {
    let mut at = node;
    while let Some(&edge) = table.get(at) {
        let symbol = edge & (FAR - 1);
        if symbol & !7 == ENDS {
            found.insert(name.iter().rev().copied().collect(), symbol & 7);
        } else {
            let octet = if symbol < ENDS { symbol | 0x60 } else { symbol };
            let mut target = at + 1;
            if edge & FAR != 0 {
                let offset = |at| usize::from(table.get(at).copied().unwrap_or_default());
                target = offset(at + 1) << 8 | offset(at + 2);
            }
            name.push(octet);
            decode(table, target, name, found);
            name.pop();
        }
        if edge & LAST != 0 {
            return;
        }
        at += if edge & FAR != 0 { 3 } else { 1 };
    }
}
