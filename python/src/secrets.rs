//! Hides secrets in what people read.

use std::collections::hash_map::RandomState;
use std::collections::{HashSet, VecDeque};
use std::hash::BuildHasher;
use std::sync::{LazyLock, Mutex, PoisonError};

use agentsdisc_core::format::credentials::{key_words, mask};
use pyo3::prelude::*;

/// The largest number of words of private keys to remember.
const MOST: usize = 1 << 16;

/// Hashes of the words of private keys in the documents that this process has read. A single line
/// of a key, quoted alone, cannot be recognized by its form.
#[derive(Default)]
struct Words {
    hashes: HashSet<u64>,
    /// The hashes in the order of insertion. If there are too many, the oldest is removed.
    order: VecDeque<u64>,
}

static WORDS: LazyLock<Mutex<Words>> = LazyLock::new(Mutex::default);
static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Remembers the words of the private keys in a document.
pub(crate) fn learn(document: &[u8]) {
    let mut found = Vec::new();
    key_words(document, |range| {
        let word = plain(document.get(range).unwrap_or_default());
        found.push(hash(&word));
        found.extend(parts(&word).map(hash));
    });
    if found.is_empty() {
        return;
    }
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    for word in found {
        if words.hashes.insert(word) {
            words.order.push_back(word);
        }
        if words.order.len() > MOST
            && let Some(oldest) = words.order.pop_front()
        {
            words.hashes.remove(&oldest);
        }
    }
}

/// Returns a word of base64 without backslashes, because JSON may escape a `/`.
fn plain(word: &[u8]) -> Vec<u8> {
    word.iter().copied().filter(|byte| *byte != b'\\').collect()
}

/// Returns the parts of a word between slashes that are long enough to be recognized. In a path,
/// other parts may precede them.
fn parts(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    const SHORTEST: usize = 12;
    let parts = word.split(|byte| *byte == b'/');
    parts.filter(|part| part.len() >= SHORTEST)
}

/// Returns the hash of a word of base64, without `/` and `=` at both ends.
fn hash(word: &[u8]) -> u64 {
    let is_edge = |byte: &&u8| matches!(byte, b'/' | b'=');
    let start = word.iter().take_while(is_edge).count();
    let inner = word.get(start..).unwrap_or_default();
    let padding = inner.iter().rev().take_while(is_edge).count();
    let end = inner.len().saturating_sub(padding);
    STATE.hash_one(inner.get(..end).unwrap_or_default())
}

impl Words {
    /// Appends a word, or `…` for the word of a key or a part of it.
    fn put(&self, word: &str, shown: &mut String) {
        let is_secret = |part: &str| self.hashes.contains(&hash(part.as_bytes()));
        if word.is_empty() || is_secret(word) {
            shown.push_str(if word.is_empty() { "" } else { "…" });
            return;
        }
        for (at, part) in word.split('/').enumerate() {
            shown.push_str(if at > 0 { "/" } else { "" });
            let is_part = parts(part.as_bytes()).next().is_some() && is_secret(part);
            shown.push_str(if is_part { "…" } else { part });
        }
    }
}

/// Returns `text` with each credential replaced by its first four characters and `…`; a password
/// becomes `…` alone, and so does each word of a private key in a document that was read.
#[pyfunction]
pub(crate) fn masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    mask(text, |piece| masked.push_str(piece));
    let words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if words.hashes.is_empty() {
        return masked;
    }
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let mut shown = String::with_capacity(masked.len());
    let mut rest = masked.as_str();
    while !rest.is_empty() {
        let length = rest.find(|c| !is_base64(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length);
        words.put(word, &mut shown);
        let next = behind.find(is_base64).unwrap_or(behind.len());
        let (between, after) = behind.split_at(next);
        shown.push_str(between);
        rest = after;
    }
    shown
}

/// Returns the byte ranges of the words of private keys in a document.
#[pyfunction]
pub(crate) fn _key_words(document: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    key_words(document, |range| found.push((range.start, range.end)));
    found
}
