//! The documents of a site, wherever they are kept.

use core::mem::MaybeUninit;

use crate::document::Document;

/// Documents that a decision is made over: a slice, or memory of another shape that documents are found in.
///
/// It is made from one document, or a slice or array of them, where [`decide`](super::decide) is called.
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
    /// Documents in words of memory, as a caller keeps them who cannot have a slice of them: `get` finds each of the `count` by its index. It is
    /// asked again and again, and must be quick. One that it does not find says nothing.
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

    /// How many there are.
    pub const fn count(&self) -> usize {
        match self.0 {
            Kind::Slice(documents) => documents.len(),
            Kind::Stored { count, .. } => count,
        }
    }

    /// Each with its index.
    pub(super) fn indexed(self) -> impl Iterator<Item = (usize, &'a Document<'a>)> + use<'a> {
        (0..self.count()).filter_map(move |index| Some((index, self.get(index)?)))
    }

    /// Each.
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
