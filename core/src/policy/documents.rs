//! The documents of a site, in whatever storage the caller uses.

use core::mem::MaybeUninit;

use crate::document::Document;

/// Documents for a decision: a slice, or a callback that finds them in other storage.
///
/// [`decide`](super::decide) accepts one document, a slice or an array of them.
#[derive(Clone, Copy, Debug)]
pub struct Documents<'a>(Kind<'a>);

#[derive(Clone, Copy, Debug)]
enum Kind<'a> {
    Slice(&'a [Document<'a>]),
    Stored {
        memory: &'a [MaybeUninit<u64>],
        count: usize,
        get: fn(&'a [MaybeUninit<u64>], usize) -> Option<&'a Document<'a>>,
    },
}

impl<'a> Documents<'a> {
    /// Documents in storage that is not a slice: `get` returns the document with an index below
    /// `count`. It is called often and must be fast. A missing document (`None`) covers nothing.
    pub const fn stored(
        memory: &'a [MaybeUninit<u64>],
        count: usize,
        get: fn(&'a [MaybeUninit<u64>], usize) -> Option<&'a Document<'a>>,
    ) -> Self {
        Self(Kind::Stored { memory, count, get })
    }

    /// The document with this index.
    pub fn get(&self, index: usize) -> Option<&'a Document<'a>> {
        match self.0 {
            Kind::Slice(documents) => documents.get(index),
            Kind::Stored { memory, count, get } if index < count => get(memory, index),
            Kind::Stored { .. } => None,
        }
    }

    /// The number of documents.
    pub const fn count(&self) -> usize {
        match self.0 {
            Kind::Slice(documents) => documents.len(),
            Kind::Stored { count, .. } => count,
        }
    }

    /// Iterates over the documents from an index on, with their indices. Skips missing ones.
    fn indexed_from(
        self,
        start: usize,
    ) -> impl Iterator<Item = (usize, &'a Document<'a>)> + use<'a> {
        (start..self.count()).filter_map(move |index| Some((index, self.get(index)?)))
    }

    /// The first document from an index on, with its index.
    pub(super) fn next_from(self, start: usize) -> Option<(usize, &'a Document<'a>)> {
        self.indexed_from(start).next()
    }

    /// Iterates over the documents with their indices.
    pub(super) fn indexed(self) -> impl Iterator<Item = (usize, &'a Document<'a>)> + use<'a> {
        self.indexed_from(0)
    }

    /// Iterates over the documents.
    pub(super) fn iter(self) -> impl Iterator<Item = &'a Document<'a>> + use<'a> {
        self.indexed().map(|(_, document)| document)
    }
}

impl<'a> From<&'a [Document<'a>]> for Documents<'a> {
    fn from(documents: &'a [Document<'a>]) -> Self {
        Self(Kind::Slice(documents))
    }
}

impl<'a, const N: usize> From<&'a [Document<'a>; N]> for Documents<'a> {
    fn from(documents: &'a [Document<'a>; N]) -> Self {
        Self(Kind::Slice(documents))
    }
}

impl<'a> From<&'a Document<'a>> for Documents<'a> {
    fn from(document: &'a Document<'a>) -> Self {
        Self(Kind::Slice(core::slice::from_ref(document)))
    }
}
