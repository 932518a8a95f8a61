//! Looks up member names in the table of a view.

use super::names::{Meaning, Names};
use super::value::Value;
use super::view::{Field, Table};
use crate::syntax::text::Text;

/// A view's table without the type of the view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup {
    pub(crate) fields: &'static [Field],
    pub(crate) names: &'static Names,
}

impl Lookup {
    /// Returns the table of a view.
    pub(crate) const fn of<V: Table>() -> Self {
        Self { fields: V::FIELDS, names: V::NAMES }
    }

    /// Returns the number of the field with this name.
    pub(crate) fn number(&self, name: Text<'_>) -> Option<u32> {
        self.find(name).map(|meaning| meaning.field)
    }

    /// Like [`Self::number`], for a name that is a slice of `bytes`; faster if it has no escapes.
    pub(crate) fn number_in(&self, bytes: &[u8], name: Text<'_>) -> Option<u32> {
        self.find_in(bytes, name).map(|meaning| meaning.field)
    }

    /// Returns what a name stands for.
    pub(crate) fn find(&self, name: Text<'_>) -> Option<Meaning> {
        self.names.find(name)
    }

    /// Like [`Self::find`], for a name that is a slice of `bytes`; faster if it has no escapes.
    pub(crate) fn find_in(&self, bytes: &[u8], name: Text<'_>) -> Option<Meaning> {
        self.names.find_in(bytes, name)
    }

    /// Returns the name of a field in the specification; empty if there is no such field.
    pub(crate) fn name(&self, number: u32) -> &'static [u8] {
        self.fields.get(number as usize).map_or(b"", Field::name)
    }

    /// Whether a value of a field stays as metadata: it or a part of it cannot be read, or the
    /// unified model has no member for it. `null` is absent.
    #[inline]
    pub(crate) fn stays(&self, number: u32, value: Value<'_>) -> bool {
        if value.is_null() {
            return false;
        }
        match self.fields.get(number as usize) {
            Some(field) => (field.keeps)(value) || !(field.reads)(value),
            None => true,
        }
    }
}
