//! What the JSON formats share: lists of strings and objects, and what stays as metadata.

use crate::model::list::Cursor;
use crate::model::{Choice, Enumeration, List, Member, Metadata, Raw};
use crate::span::Span;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::view::{Array, Object, Read, Seen, Shape, Table};
use crate::syntax::json::{self, Kind, Value, next_element, next_member};
use crate::syntax::text::Text;

/// Strings in an array. What is no string is passed over.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a>(pub List<'a, Text<'a>>);

impl<'a> Texts<'a> {
    /// The strings of an array; a single string is walked as the only one.
    pub(crate) fn of(value: Value<'a>) -> List<'a, Text<'a>> {
        // A single string is walked as the inside of an array of one.
        let inside = if value.kind() == Kind::Array {
            value.inside(b'[')
        } else {
            value.raw()
        };
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
pub(crate) fn objects<'a, T>(
    array: Option<Array<'a>>,
    step: fn(&mut Cursor<'a>) -> Option<T>,
) -> List<'a, T> {
    array.map_or_else(List::empty, |Array(array)| {
        List::new(array.inside(b'['), 0, step)
    })
}

/// An object that may be absent; a view of nothing has no fields.
pub(crate) fn or_absent<'a>(object: &Option<Object<'a>>) -> Value<'a> {
    object.map_or(Value::ABSENT, |Object(object)| object)
}

/// Whether a member stays as metadata: its name is unknown, or its value cannot be read into the field.
#[inline]
fn stays(member: json::Member<'_>, table: Lookup) -> bool {
    table
        .number(member.name)
        .is_none_or(|number| table.stays(number, member.value))
}

/// The metadata of an object that was read as `V`. Costs nothing where there is none.
#[inline]
pub(crate) fn kept<'a, V: Table>(object: &Value<'a>, seen: &Seen) -> Metadata<'a> {
    kept_inside::<V>(seen.metadata(*object))
}

/// The same from the inside of an object.
pub(crate) fn kept_inside<V: Table>(inside: &[u8]) -> Metadata<'_> {
    if inside.is_empty() {
        return List::empty();
    }
    List::new(inside, 0, next_kept::<V>)
}

/// The same where the first field of the table means nothing in this place, and so is metadata.
pub(crate) fn kept_and_first<'a, V: Table>(object: &Value<'a>, seen: &Seen) -> Metadata<'a> {
    if !seen.has(0) {
        kept::<V>(object, seen)
    } else {
        List::new(object.inside(b'{'), AND_FIRST, next_kept::<V>)
    }
}

/// In the mode of a list of what is kept: the first field of the table is as well.
const AND_FIRST: u32 = 1;

fn next_kept<'a, V: Table>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    next_kept_of(cursor, Lookup::of::<V>())
}

/// Whether a member of this name is among the metadata of an object that was read as `V`, or any where no name is given. The same as walking the
/// list, but it can be seen which function takes its items, and so how deep the stack gets.
#[cfg(feature = "awp")]
pub(crate) fn has_kept<V: Table>(metadata: &Metadata<'_>, name: Option<&str>) -> bool {
    let mut cursor = metadata.cursor();
    core::iter::from_fn(|| next_kept::<V>(&mut cursor))
        .any(|member| name.is_none_or(|name| member.name == *name))
}

/// The same for every table.
#[inline]
fn next_kept_of<'a>(cursor: &mut Cursor<'a>, table: Lookup) -> Option<Member<'a>> {
    loop {
        let member = next_member(cursor.bytes, &mut cursor.position)?;
        let first = cursor.mode == AND_FIRST
            && !member.value.is_null()
            && table.number(member.name) == Some(0);
        if first || stays(member, table) {
            return Some(Member {
                name: member.name,
                value: Raw::Json(member.value),
            });
        }
    }
}

/// A list that `step` takes from the members of an object.
pub(crate) fn entries<'a, T>(
    object: Option<Object<'a>>,
    step: fn(&mut Cursor<'a>) -> Option<T>,
) -> List<'a, T> {
    object.map_or_else(List::empty, |Object(object)| {
        List::new(object.inside(b'{'), 0, step)
    })
}

impl<'a> Cursor<'a> {
    /// The next member of an object that is not `null`.
    pub(crate) fn next_entry(&mut self) -> Option<json::Member<'a>> {
        loop {
            let member = next_member(self.bytes, &mut self.position)?;
            if !member.value.is_null() {
                return Some(member);
            }
        }
    }
}

/// All members of an object, as they are.
pub(crate) fn all_members<'a>(object: Option<Object<'a>>) -> Metadata<'a> {
    entries(object, |cursor| {
        let member = next_member(cursor.bytes, &mut cursor.position)?;
        Some(Member {
            name: member.name,
            value: Raw::Json(member.value),
        })
    })
}

/// All elements of an array, as they are.
pub(crate) fn raws(array: Option<Array<'_>>) -> List<'_, Raw<'_>> {
    objects(array, |cursor| {
        next_element(cursor.bytes, &mut cursor.position).map(Raw::Json)
    })
}

/// What the text of a field says, where there is one.
pub(crate) fn choice<'a, E: Enumeration>(text: &Option<Text<'a>>) -> Option<Choice<'a, E>> {
    text.map(Choice::read)
}

/// Any value, where there is one.
pub(crate) fn raw<'a>(value: &Option<Value<'a>>) -> Option<Raw<'a>> {
    value.map(Raw::Json)
}

/// The texts of an optional list.
pub(crate) fn texts(list: Option<Texts<'_>>) -> List<'_, Text<'_>> {
    list.map_or_else(List::empty, |texts| texts.0)
}

/// The one that is there, and the first where both are.
pub(crate) const fn either<'v, T>(first: &'v Option<T>, second: &'v Option<T>) -> &'v Option<T> {
    if first.is_some() { first } else { second }
}

/// The unified metadata of a document: the members of the top level that stay, and then those of its `metadata` object, if it has one.
pub(crate) fn document_metadata<'a, V: Table>(
    object: Value<'a>,
    seen: &Seen,
    own: Option<Object<'a>>,
) -> Metadata<'a> {
    let (inside, own) = phases(object, own);
    if seen.metadata(object).is_empty() && own == 0 {
        List::empty()
    } else {
        List::new(inside, own, next_of_document::<V>)
    }
}

/// The same where `step`, which calls [`next_of_document_of`], has more of the top level stay.
pub(crate) fn document_metadata_and<'a>(
    object: Value<'a>,
    own: Option<Object<'a>>,
    step: fn(&mut Cursor<'a>) -> Option<Member<'a>>,
) -> Metadata<'a> {
    let (inside, own) = phases(object, own);
    List::new(inside, own, step)
}

/// Phase one walks the top level; the mode holds where the inside of `metadata` begins, which phase two walks.
fn phases<'a>(object: Value<'a>, own: Option<Object<'a>>) -> (&'a [u8], u32) {
    let inside = object.inside(b'{');
    (
        inside,
        own.map_or(0, |Object(own)| {
            Span::of(own.raw(), inside).start.saturating_add(1)
        }),
    )
}

fn next_of_document<'a, V: Table>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    next_of_document_of(cursor, Lookup::of::<V>(), &[])
}

/// The same for every table; of the top level, members of the names `more` stay as well.
#[inline]
pub(crate) fn next_of_document_of<'a>(
    cursor: &mut Cursor<'a>,
    table: Lookup,
    more: &[&str],
) -> Option<Member<'a>> {
    const OWN: u32 = u32::MAX;
    while cursor.mode != OWN {
        let Some(member) = next_member(cursor.bytes, &mut cursor.position) else {
            if cursor.mode == 0 {
                return None;
            }
            cursor.position = cursor.mode;
            cursor.mode = OWN;
            break;
        };
        let is_more = || !member.value.is_null() && more.iter().any(|name| member.name == **name);
        if stays(member, table) || is_more() {
            return Some(Member {
                name: member.name,
                value: Raw::Json(member.value),
            });
        }
    }
    let member = next_member(cursor.bytes, &mut cursor.position)?;
    Some(Member {
        name: member.name,
        value: Raw::Json(member.value),
    })
}
