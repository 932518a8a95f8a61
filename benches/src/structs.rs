//! Types that the structs of peers share.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::touch;

/// A text that borrows from the document, unless it has escapes.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Str<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// Uses texts that were read.
pub(crate) fn sum<'t, 'a: 't>(texts: impl IntoIterator<Item = &'t Str<'a>>) -> u64 {
    { texts.into_iter() }.map(|text| touch(text.0.as_bytes())).sum()
}

/// Uses the texts that are present.
pub(crate) fn sum_of<const N: usize>(texts: [&Option<Str<'_>>; N]) -> u64 {
    sum(texts.into_iter().flatten())
}

/// An object from name to value, in the order of the document. Faster than a map.
pub(crate) struct Pairs<'a, T>(pub(crate) Vec<(Str<'a>, T)>);

impl<T> Default for Pairs<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Pairs<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor(PhantomData))
    }
}

struct PairsVisitor<'a, T>(PhantomData<(&'a (), T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for PairsVisitor<'a, T> {
    type Value = Pairs<'a, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Pairs(pairs))
    }
}
