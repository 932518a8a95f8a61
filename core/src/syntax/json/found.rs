//! How firmware fills a view: one loop over the members of an object for every view, so that what is left of a view is where its fields are ([`Fields`]).

use super::lookup::Lookup;
use super::value::{Number, Value};
use super::view::{Array, Object, Read, Seen};
use crate::document::Outline;
use crate::format::json_common::Texts;
use crate::syntax::text::Text;

/// A field of a view, as the type that a member is read into.
pub(crate) enum Place<'v, 'a> {
    Text(&'v mut Option<Text<'a>>),
    Texts(&'v mut Option<Texts<'a>>),
    Bool(&'v mut Option<bool>),
    Number(&'v mut Option<Number<'a>>),
    Object(&'v mut Option<Object<'a>>),
    Array(&'v mut Option<Array<'a>>),
    Value(&'v mut Option<Value<'a>>),
    /// A type that few fields have: the view reads it itself, from what is noted in [`Own`].
    Own,
    /// No field has this number.
    Nowhere,
}

/// The fields of a view by their numbers.
pub(crate) trait Fields<'a> {
    /// Where a value of a field is read into.
    fn place(&mut self, number: u32) -> Place<'_, 'a>;
    /// What was seen besides the values.
    fn seen(&mut self) -> &mut Seen;
}

/// The last values of the fields that are [`Place::Own`], by their numbers. They are read when everything else was: a type of its own may be a view again, and
/// no function here must lead back to itself.
pub(crate) type Own<'a> = heapless::Vec<(u32, Value<'a>), MOST>;

/// As many such fields as any view has.
pub(crate) const MOST: usize = 4;

/// Reads the members of an object into a fresh view; none of any other value.
#[inline(never)]
pub(crate) fn read<'a>(
    view: &mut dyn Fields<'a>,
    object: Value<'a>,
    table: Lookup,
    own: &mut Own<'a>,
) {
    for member in object.members() {
        fill(
            view,
            table.number(member.name).unwrap_or(u32::MAX),
            member.value,
            own,
        );
    }
}

/// Reads the members that were recorded when the document was parsed.
#[inline(never)]
pub(crate) fn attach<'a>(
    view: &mut dyn Fields<'a>,
    bytes: &'a [u8],
    outline: &Outline,
    own: &mut Own<'a>,
) {
    let mut number = 0;
    while number < Outline::FIELDS {
        if let Some(value) = outline.member(bytes, number) {
            fill(view, number as u32, value, own);
        }
        number = number.wrapping_add(1);
    }
    view.seen().unknown |= outline.flags & Outline::UNKNOWN_MEMBERS != 0;
}

/// Reads a value into the field with a number, which no field has where the table does not name the member; the last one counts. What a host does for
/// each field in place is done here in less code.
#[inline(never)]
fn fill<'a>(view: &mut dyn Fields<'a>, number: u32, value: Value<'a>, own: &mut Own<'a>) {
    let is_read = match view.place(number) {
        Place::Text(place) => put(place, value),
        Place::Texts(place) => put(place, value),
        Place::Bool(place) => put(place, value),
        Place::Number(place) => put(place, value),
        Place::Object(place) => put(place, value),
        Place::Array(place) => put(place, value),
        Place::Value(place) => {
            *place = (!value.is_null()).then_some(value);
            place.is_some()
        }
        Place::Own => {
            match own.iter_mut().find(|(noted, _)| *noted == number) {
                Some((_, noted)) => *noted = value,
                None => {
                    // There is room: `view!` counts them.
                    let _ = own.push((number, value));
                }
            }
            return;
        }
        Place::Nowhere => {
            view.seen().unknown = true;
            return;
        }
    };
    view.seen().note(number, value, is_read);
}

/// Whether there is something in the place then.
fn put<'a, T: Read<'a>>(place: &mut Option<T>, value: Value<'a>) -> bool {
    *place = T::read(value);
    place.is_some()
}
