//! What the JSON formats share: lists of strings and objects, and what stays as metadata.

use crate::manifest::list::Cursor;
use crate::manifest::{List, Member, Metadata, Raw};
use crate::syntax::json::view::{Array, Read, Seen, Shape, Table, find};
use crate::syntax::json::{self, Kind, Value, next_element, next_member};
use crate::syntax::text::Text;

/// Strings in an array. What is no string is passed over.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a>(pub List<'a, Text<'a>>);

impl<'a> Texts<'a> {
    /// The strings of an array; a single string is walked as the only one.
    pub(crate) fn of(value: Value<'a>) -> List<'a, Text<'a>> {
        // A single string is walked as the inside of an array of one.
        let inside = if value.kind() == Kind::Array { value.inside(b'[') } else { value.raw() };
        List::new(inside, 0, |cursor| {
            loop {
                if let Some(text) = next_element(cursor.bytes, &mut cursor.position)?.as_text() {
                    return Some(text);
                }
            }
        })
    }
}

impl<'a> Read<'a> for Texts<'a> {
    const SHAPE: Shape = Shape::Array;

    fn read(value: Value<'a>) -> Option<Self> {
        (value.kind() == Kind::Array).then(|| Self(Self::of(value)))
    }
}

/// Strings in an array; a single string is read as the only one, for members where more is the narrow reading.
#[derive(Clone, Copy, Debug)]
pub struct TextsOrOne<'a>(pub List<'a, Text<'a>>);

impl<'a> Read<'a> for TextsOrOne<'a> {
    const SHAPE: Shape = Shape::Array;

    fn read(value: Value<'a>) -> Option<Self> {
        matches!(value.kind(), Kind::Array | Kind::String).then(|| Self(Texts::of(value)))
    }
}

/// A string that the model shows as a list of one.
#[derive(Clone, Copy, Debug)]
pub struct OneText<'a>(pub List<'a, Text<'a>>);

impl<'a> Read<'a> for OneText<'a> {
    const SHAPE: Shape = Shape::Text;

    fn read(value: Value<'a>) -> Option<Self> {
        (value.kind() == Kind::String).then(|| Self(Texts::of(value)))
    }
}

impl<'a> Cursor<'a> {
    /// The next element of an array that is an object.
    pub(crate) fn next_object(&mut self) -> Option<Value<'a>> {
        loop {
            let value = next_element(self.bytes, &mut self.position)?;
            if value.kind() == Kind::Object {
                return Some(value);
            }
        }
    }
}

/// A list that `step` takes from the elements of an array.
pub(crate) fn objects<'a, T>(array: Option<Array<'a>>, step: fn(&mut Cursor<'a>) -> Option<T>) -> List<'a, T> {
    array.map_or_else(List::empty, |Array(array)| List::new(array.inside(b'['), 0, step))
}

/// Whether a member stays as metadata: its name is unknown, or its value cannot be read into the field.
pub(crate) fn is_kept<V: Table>(member: json::Member<'_>) -> bool {
    match find(V::FIELDS, member.name).and_then(|(index, _)| V::FIELDS.get(index)) {
        Some(field) => !member.value.is_null() && !(field.reads)(member.value),
        None => true,
    }
}

/// The metadata of an object that was read as `V`. Costs nothing where there is none.
pub(crate) fn kept<'a, V: Table>(object: Value<'a>, seen: &Seen) -> Metadata<'a> {
    if seen.is_plain() { List::empty() } else { List::new(object.inside(b'{'), 0, next_kept::<V>) }
}

/// The same where the first field of the table means nothing in this place, and so is metadata.
pub(crate) fn kept_and_first<'a, V: Table>(object: Value<'a>, seen: &Seen) -> Metadata<'a> {
    if seen.is_plain() && !seen.has(0) { List::empty() } else { List::new(object.inside(b'{'), 1, next_kept::<V>) }
}

fn next_kept<'a, V: Table>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    loop {
        let member = next_member(cursor.bytes, &mut cursor.position)?;
        let first = cursor.mode == 1 && matches!(find(V::FIELDS, member.name), Some((0, _)));
        if first || is_kept::<V>(member) {
            return Some(Member { name: member.name, value: Raw::Json(member.value) });
        }
    }
}
