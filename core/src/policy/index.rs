//! An index of the capabilities of a site, for callers that ask about all of them.
//!
//! Every decision compares the requested id and the place with each capability of each document. For
//! all capabilities of a site, that would be quadratic in reading them. The index has two hashes of
//! each capability, so only those that may be used are read. What it skips cannot be used: equal ids
//! have equal hashes, and so have the last segments of equal paths. What it does not skip is compared
//! as without an index, so hashes decide nothing.
//!
//! Advice before you change this: a hash must not differ for texts that the comparison after it
//! accepts. Where that is in doubt (escapes, placeholders, other protocols), the hash is [`ANY`].

use super::Documents;
use super::capabilities::via_of;
use super::endpoint::Spot;
use crate::document::{Document, with_reading};
use crate::format::Format;
use crate::model::{Capability, Mark};
use crate::scan;
use crate::syntax::text::Text;

/// The numbers of a capability: the hashes of its id and of its place, its document, and its mark.
pub(super) const WORDS: usize = 3 + Mark::WORDS;

/// A capability in the index.
type Entry = [u32; WORDS];

/// The hash of a place that is compared with every place.
const ANY: u32 = 0;

/// The capabilities of documents. Empty if there is no index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Index<'a>(&'a [Entry]);

impl<'a> Index<'a> {
    pub(super) const NONE: Self = Self(&[]);

    /// Makes an index in `memory`; none if it is too small.
    pub(super) fn of(documents: Documents<'a>, memory: &'a mut [u32]) -> Self {
        let entries = memory.as_chunks_mut::<WORDS>().0;
        let mut count = 0;
        for (index, document) in documents.indexed() {
            let mut list = with_reading(document, |reading| reading.capabilities());
            loop {
                let mark = list.mark();
                let Some(capability) = list.next() else { break };
                let Some(entry) = entries.get_mut(count) else {
                    return Self::NONE;
                };
                let [a, b, c, d, e, f, g] = mark.numbers();
                let id = capability.id.map_or(ANY, hash);
                *entry = [id, place_of(document, &capability), index as u32, a, b, c, d, e, f, g];
                count = count.saturating_add(1);
            }
        }
        Self(entries.get(..count).unwrap_or_default())
    }

    pub(super) const fn is_there(&self) -> bool {
        !self.0.is_empty()
    }

    /// The next capability of a document that may have the id, or may be at the spot. `from` is the
    /// entry that is looked at first, and is set to the one after the capability.
    pub(super) fn next(
        &self,
        from: &mut usize,
        document: usize,
        id: Option<Text<'_>>,
        spot: Option<&Spot<'_, '_>>,
    ) -> Option<Mark> {
        let rest = self.0.get(*from..)?;
        let (asked, own) = (id.map(hash), document as u32);
        let place = spot.map(|spot| hash_of_path(spot.place.path()));
        let may_be = |entry: &Entry| {
            let [id, place_of, document, ..] = *entry;
            document == own
                && (asked == Some(id)
                    || place
                        .is_some_and(|place| place == ANY || place_of == ANY || place == place_of))
        };
        let found = rest.iter().position(may_be)?;
        *from = from.saturating_add(found).saturating_add(1);
        let [_, _, _, mark @ ..] = *rest.get(found)?;
        Some(Mark::of_numbers(mark))
    }
}

/// The start of a hash by FNV-1a.
const START: u32 = 0x811c_9dc5;

/// FNV-1a of the characters of a text.
fn hash(text: Text<'_>) -> u32 {
    let mut hash = START;
    if text.is_escaped() {
        for c in text.chars() {
            hash = hash_on(hash, c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    } else {
        hash = hash_on(hash, text.raw());
    }
    hash
}

fn hash_on(hash: u32, octets: &[u8]) -> u32 {
    octets.iter().fold(hash, |hash, octet| (hash ^ u32::from(*octet)).wrapping_mul(0x0100_0193))
}

/// The hash of the place of a capability.
fn place_of(document: &Document<'_>, capability: &Capability<'_>) -> u32 {
    let is_other = capability.poll_url.is_some()
        || via_of(document.format(), capability).is_some()
        || document.is(Format::A2aAgentCard);
    match capability.endpoint {
        Some(endpoint) if !is_other && !endpoint.is_escaped() && !endpoint.is_empty() => {
            hash_of_path(endpoint.raw())
        }
        Some(_) => ANY,
        None if is_other => ANY,
        // Nothing is at the endpoint.
        None => 1,
    }
}

/// The hash of the last segment of a URL or path; [`ANY`] if another spelling may be equal.
fn hash_of_path(path: &[u8]) -> u32 {
    let is_special = |octet: &u8| !octet.is_ascii_graphic() || b"%{}\\?#;".contains(octet);
    let last = path.rsplit(|octet| *octet == b'/').next().unwrap_or_default();
    // `https://mugs.example` has the path `/`.
    let is_host = scan::find(path, b"://")
        .is_some_and(|at| !path.iter().skip(at.saturating_add(3)).any(|octet| *octet == b'/'));
    if path.iter().any(is_special) || last.starts_with(b".") || is_host {
        return ANY;
    }
    hash_on(START, last).max(2)
}
