//! What a view is filled with on firmware: the members of an object, each with the number of its field. One loop for every view, so that what is left
//! of a view is its fields.

use super::value::{Members, Value};
use super::view::{Field, find};
use crate::document::Outline;

/// The members of an object, read from it or recorded when the document was parsed.
pub(crate) enum Found<'a, 'o> {
    /// All members.
    Read { members: Members<'a>, fields: &'static [Field] },
    /// The top-level members that the table of the format names.
    Recorded { bytes: &'a [u8], outline: &'o Outline, next: usize },
}

impl<'a, 'o> Found<'a, 'o> {
    /// The members of an object; none of any other value.
    pub(crate) fn read(object: Value<'a>, fields: &'static [Field]) -> Self {
        Self::Read { members: object.members(), fields }
    }

    /// The recorded ones.
    pub(crate) const fn recorded(bytes: &'a [u8], outline: &'o Outline) -> Self {
        Self::Recorded { bytes, outline, next: 0 }
    }

    /// The number of the field that the next member belongs to, which no field has where the table does not name the member; and its value.
    #[inline(never)]
    pub(crate) fn next(&mut self) -> Option<(u32, Value<'a>)> {
        match self {
            Self::Read { members, fields } => {
                let member = members.next()?;
                Some((find(fields, member.name).unwrap_or(u32::MAX), member.value))
            }
            Self::Recorded { bytes, outline, next } => loop {
                let number = *next;
                if number >= Outline::FIELDS {
                    return None;
                }
                *next = number.saturating_add(1);
                if let Some(value) = outline.member(bytes, number) {
                    return Some((number as u32, value));
                }
            },
        }
    }
}
