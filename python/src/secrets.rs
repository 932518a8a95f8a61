//! Hides secrets in what people read.

use std::collections::HashSet;

use agentsdisc_core::format::credentials::{hidden, key_words, mask};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

/// The words of the private keys in documents. A single line of a key, quoted alone, cannot be
/// recognized by its form. Only texts about these documents may be masked with it: a document can
/// name any word as a line of a key.
#[pyclass(frozen, module = "agentsdisc._agentsdisc", name = "_Keys")]
#[derive(Default)]
pub(crate) struct Keys(HashSet<Vec<u8>>);

#[pymethods]
impl Keys {
    #[new]
    #[pyo3(signature = (*documents))]
    fn new(documents: Vec<PyBackedBytes>) -> Self {
        let mut keys = Self::default();
        for document in &documents {
            keys.learn(document);
        }
        keys
    }

    fn __bool__(&self) -> bool {
        !self.0.is_empty()
    }
}

impl Keys {
    pub(crate) fn of(document: &[u8]) -> Self {
        let mut keys = Self::default();
        keys.learn(document);
        keys
    }

    fn learn(&mut self, document: &[u8]) {
        key_words(document, |range| {
            let word = plain(document.get(range).unwrap_or_default());
            for part in parts(&word) {
                self.0.insert(part.into());
            }
            self.0.insert(inner(&word).into());
        });
    }

    /// Returns `text` with each credential replaced by its first four characters and `…`; a
    /// password becomes `…` alone, and so does each word of a private key in these documents.
    pub(crate) fn masked(&self, text: &str) -> String {
        let masked = by_form(text);
        if self.0.is_empty() {
            return masked;
        }
        let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
        let mut shown = String::with_capacity(masked.len());
        let mut rest = masked.as_str();
        while !rest.is_empty() {
            let length = rest.find(|c| !is_base64(c)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(length);
            self.put(word, &mut shown);
            let next = behind.find(is_base64).unwrap_or(behind.len());
            let (between, after) = behind.split_at(next);
            shown.push_str(between);
            rest = after;
        }
        shown
    }

    /// Appends a word, or `…` for the word of a key or a part of it.
    fn put(&self, word: &str, shown: &mut String) {
        let is_secret = |part: &str| self.0.contains(inner(part.as_bytes()));
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

/// Returns a word of base64 without backslashes, because JSON may escape a `/`.
fn plain(word: &[u8]) -> Vec<u8> {
    word.iter().copied().filter(|byte| *byte != b'\\').collect()
}

/// Returns the parts of a word between slashes that are long enough to be recognized. In a path,
/// other parts may precede them.
fn parts(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    const SHORTEST: usize = 12;
    let parts = word.split(|byte| *byte == b'/');
    parts.filter(|part| part.len() >= SHORTEST).map(inner)
}

/// Returns a word of base64 without `/` and `=` at both ends.
fn inner(word: &[u8]) -> &[u8] {
    let is_edge = |byte: &&u8| matches!(byte, b'/' | b'=');
    let start = word.iter().take_while(is_edge).count();
    let inner = word.get(start..).unwrap_or_default();
    let padding = inner.iter().rev().take_while(is_edge).count();
    let end = inner.len().saturating_sub(padding);
    inner.get(..end).unwrap_or_default()
}

fn by_form(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    mask(text, |piece| masked.push_str(piece));
    masked
}

/// Returns `text` with each credential replaced by its first four characters and `…`; a password
/// becomes `…` alone, and so does each word of a private key in the documents of `keys`.
#[pyfunction]
#[pyo3(signature = (text, keys=None))]
pub(crate) fn masked(text: &str, keys: Option<&Keys>) -> String {
    keys.map_or_else(|| by_form(text), |keys| keys.masked(text))
}

/// Returns how many of the first `most` characters of a text can be kept so that no secret is cut.
#[pyfunction]
pub(crate) fn _whole(text: &str, most: usize) -> usize {
    let cut = text.char_indices().nth(most);
    let cut = cut.map_or(text.len(), |(at, _)| at);
    let divided = hidden(text).find(|hidden| hidden.contains(&cut) && hidden.start < cut);
    let end = divided.map_or(cut, |hidden| hidden.start);
    text.get(..end).unwrap_or_default().chars().count()
}

/// Returns the byte ranges of the words of private keys in a document.
#[pyfunction]
pub(crate) fn _key_words(document: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    key_words(document, |range| found.push((range.start, range.end)));
    found
}
