//! Shared code of the JSON formats: lists of strings and objects, and metadata.

use crate::model::list::{Cursor, states};
use crate::model::{Choice, Enumeration, List, Member, Metadata, Raw};
use crate::rules::near::names_auth_member;
use crate::scan;
use crate::span::Span;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::names::Meaning;
use crate::syntax::json::view::{Array, Object, Read, Seen, Shape, Table, View};
use crate::syntax::json::{
    self, Holds, Kind, Number, Record, Value, comma_end, next_element, next_member, next_name,
};
use crate::syntax::text::Text;

/// The strings of an array. Skips other elements; the array then stays as metadata as well.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a>(pub List<'a, Text<'a>>);

impl<'a> Texts<'a> {
    /// Returns the strings of an array; a single string is a list of one.
    pub(crate) fn of(value: Value<'a>) -> List<'a, Text<'a>> {
        // A single string is walked like the content of an array of one.
        let inside = if value.kind() == Kind::Array { value.inside(b'[') } else { value.raw() };
        List::new(inside, 0, next_text)
    }
}

/// The next string of an array.
pub(crate) fn next_text<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    loop {
        if let Some(text) = next_element(cursor.bytes, &mut cursor.position)?.as_text() {
            return Some(text);
        }
    }
}

impl<'a> Read<'a> for Texts<'a> {
    const SHAPE: Shape = Shape::Array;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        (value.kind() == Kind::Array).then(|| Self(Self::of(value)))
    }

    const WHOLE: Holds = Holds::TEXTS;

    fn keeps(value: Value<'a>) -> bool {
        !are_all(value, Kind::String)
    }
}

/// The strings of an array; a single string is read as a list of one. For members whose restrictive
/// reading is the longer list.
#[derive(Clone, Copy, Debug)]
pub struct TextsOrOne<'a>(pub List<'a, Text<'a>>);

impl<'a> Read<'a> for TextsOrOne<'a> {
    const SHAPE: Shape = Shape::Array;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        matches!(value.kind(), Kind::Array | Kind::String).then(|| Self(Texts::of(value)))
    }

    const WHOLE: Holds = Holds::TEXTS;

    fn keeps(value: Value<'a>) -> bool {
        Texts::keeps(value)
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

/// The objects of an array. Skips other elements; the array then stays as metadata as well.
#[derive(Clone, Copy, Debug)]
pub struct Objects<'a>(pub Value<'a>);

impl<'a> Objects<'a> {
    /// Creates a list that `step` takes from the elements of the array.
    pub(crate) fn list<T>(
        array: Option<Self>,
        step: fn(&mut Cursor<'a>) -> Option<T>,
    ) -> List<'a, T> {
        objects(array.map(|Self(array)| Array(array)), step)
    }
}

impl<'a> Read<'a> for Objects<'a> {
    const SHAPE: Shape = Shape::Array;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        (value.kind() == Kind::Array).then_some(Self(value))
    }

    const WHOLE: Holds = Holds::OBJECTS;

    fn keeps(value: Value<'a>) -> bool {
        !are_all(value, Kind::Object)
    }
}

/// Whether all elements of an array, or all values of an object, have this type or are `null`, which
/// is absent. True for other values. Linear.
pub(crate) fn are_all(value: Value<'_>, kind: Kind) -> bool {
    let fits = |value: Value<'_>| value.kind() == kind || value.is_null();
    value.elements().all(fits) && value.members().all(|member| fits(member.value))
}

impl<'a> Cursor<'a> {
    /// Returns the next element of an array that is an object.
    pub(crate) fn next_object(&mut self) -> Option<Value<'a>> {
        loop {
            let value = next_element(self.bytes, &mut self.position)?;
            if value.kind() == Kind::Object {
                return Some(value);
            }
        }
    }
}

impl<'a> Cursor<'a> {
    /// Returns the view of the next element of an array that is an object.
    #[inline]
    pub(crate) fn next_view<V: View<'a>>(&mut self) -> Option<V> {
        loop {
            self.position = scan::blanks_end(self.bytes, self.position as usize) as u32;
            if self.next_byte() == Some(b'{') {
                return Some(self.take_view());
            }
            next_element(self.bytes, &mut self.position)?;
        }
    }

    /// Returns the view of the next element of an array, whatever its type.
    #[inline]
    pub(crate) fn next_element_view<V: View<'a>>(&mut self) -> Option<V> {
        self.position = scan::blanks_end(self.bytes, self.position as usize) as u32;
        let is_end = matches!(self.next_byte(), None | Some(b',' | b']' | b'}'));
        (!is_end).then(|| self.take_view())
    }

    /// Returns the name and the view of the next member of an object that is not `null`.
    #[inline]
    pub(crate) fn next_entry_view<V: View<'a>>(&mut self) -> Option<(Text<'a>, V)> {
        loop {
            let name = next_name(self.bytes, &mut self.position)?;
            if self.next_byte() != Some(b'n') {
                return Some((name, self.take_view()));
            }
            next_element(self.bytes, &mut self.position)?;
        }
    }

    /// Returns the byte at the position.
    #[inline]
    pub(crate) fn next_byte(&self) -> Option<u8> {
        self.bytes.get(self.position as usize).copied()
    }

    /// Returns the view of the value at the position, and moves behind it and its comma.
    #[inline]
    pub(crate) fn take_view<V: View<'a>>(&mut self) -> V {
        let view = V::take(self.bytes, &mut self.position);
        self.position = comma_end(self.bytes, self.position as usize) as u32;
        view
    }
}

/// Creates a list that `step` takes from the elements of an array.
pub(crate) fn objects<'a, T>(
    array: Option<Array<'a>>,
    step: fn(&mut Cursor<'a>) -> Option<T>,
) -> List<'a, T> {
    array.map_or_else(List::empty, |Array(array)| List::new(array.inside(b'['), 0, step))
}

/// Returns an object; a view of an absent object has no fields.
pub(crate) fn or_absent<'a>(object: &Option<Object<'a>>) -> Value<'a> {
    object.map_or(Value::ABSENT, |Object(object)| object)
}

/// Whether a member stays as metadata: its name is unknown, or its value cannot be read into the
/// field.
#[inline]
pub(crate) fn stays(member: json::Member<'_>, table: Lookup) -> bool {
    table.number(member.name).is_none_or(|number| table.stays(number, member.value))
}

/// Weighs the values of a Boolean that protects users ([`Weigh`](json::names::Weigh)).
pub(crate) fn guards(value: Value<'_>) -> u32 {
    u32::from(value.as_bool() != Some(false))
}

/// Weighs the values of a limit: the lowest one is the strictest.
pub(crate) fn limits(value: Value<'_>) -> u32 {
    let number = value.as_number().and_then(Number::as_u32);
    number.map_or(0, |number| !number)
}

/// Returns a Boolean that protects users: an unreadable one is true.
#[inline]
pub(crate) fn guarded(value: Option<bool>, seen: &Seen, field: u32) -> Option<bool> {
    value.or(seen.is_ill_typed(field).then_some(true))
}

/// Returns a text whose absence would grant more: an unreadable one is empty, at the place of its
/// value.
#[inline]
pub(crate) fn guarded_text<'a, V: Table>(
    text: Option<Text<'a>>,
    object: &Value<'a>,
    seen: &Seen,
    field: u32,
) -> Option<Text<'a>> {
    if text.is_some() || !seen.is_ill_typed(field) {
        return text;
    }
    // The value that counts, under any of its names.
    let bytes = object.raw();
    let mut record = Record::new();
    record.note(bytes, 0, V::NAMES);
    Some(start_of(record.slot(field)?.value(bytes)))
}

/// Returns the empty text at the start of a value.
pub(crate) fn start_of(value: Value<'_>) -> Text<'_> {
    Text::plain(value.raw().get(..0).unwrap_or_default())
}

/// Returns the metadata of an object that was read as `V`. Does nothing if there is none.
#[inline]
pub(crate) fn kept<'a, V: Table>(object: &Value<'a>, seen: &Seen) -> Metadata<'a> {
    if seen.is_contested() {
        return kept_beside::<V, Described>(*object, Part::Whole);
    }
    kept_in::<V>(seen.metadata(*object), Staying { fields: seen.stays(), more: 0 })
}

/// Returns the metadata in a part of an object.
#[inline]
fn kept_in<V: Table>(inside: &[u8], staying: Staying) -> Metadata<'_> {
    if inside.is_empty() {
        return List::empty();
    }
    List::new(inside, staying, next_kept::<V>)
}

/// Whether an object has a member that its table does not have, but whose name means
/// authentication: then some authentication is needed, and it is unknown which. A member that says
/// that there is none does not count.
pub(crate) fn has_unread_auth<V: Table>(object: &Value<'_>, seen: &Seen) -> bool {
    let says_none = |value: Value<'_>| {
        value.is_null()
            || value.as_bool() == Some(false)
            || value.as_text().is_some_and(|text| text.eq_ignore_case("none"))
    };
    if seen.unknown.is_empty() {
        return false;
    }
    let (inside, mut position) = (seen.metadata(*object), 0);
    core::iter::from_fn(|| next_member(inside, &mut position)).any(|member| {
        names_auth_member(member.name)
            && stays(member, Lookup::of::<V>())
            && !says_none(member.value)
    })
}

/// Where the next member of metadata is, if a field occurs under several names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// In an object that is not a document.
    Whole,
    /// At the top level of a document.
    Top,
    /// In another object of a document, behind the top level.
    Own,
}

states!(Part: Whole, Top, Own);

states! {
    /// The state of a list of the metadata of an object in which a field occurs under several names.
    struct Beside {
        /// The ranks of the names that count.
        ranks: u32[Meaning::PACKED],
        part: Part,
    }
}

/// An object in a document whose members are metadata of the document, after those of the top level.
pub(crate) trait Own {
    /// Its name.
    const NAME: &'static str;

    /// Whether a member of it is metadata.
    fn stays(member: json::Member<'_>) -> bool;
}

/// The object `metadata`, which consists of metadata.
enum Described {}

impl Own for Described {
    const NAME: &'static str = "metadata";

    fn stays(_: json::Member<'_>) -> bool {
        true
    }
}

/// Returns the metadata of a document in which a field of the top level occurs under several names.
pub(crate) fn document_metadata_beside<V: Table, O: Own>(object: Value<'_>) -> Metadata<'_> {
    kept_beside::<V, O>(object, Part::Top)
}

/// Returns the metadata of an object in which a field occurs under several names. That of a document
/// is followed by the members of another object.
#[cold]
fn kept_beside<V: Table, O: Own>(object: Value<'_>, part: Part) -> Metadata<'_> {
    let ranks = Record::ranks(object, V::NAMES);
    List::new(object.inside(b'{'), Beside { ranks, part }, |cursor| {
        loop {
            let Beside { ranks, part } = cursor.state();
            match next_member(cursor.bytes, &mut cursor.position) {
                Some(member) => {
                    let is_own = part == Part::Own;
                    if is_own && O::stays(member) || !is_own && is_beside::<V>(member, ranks) {
                        return Some(raw_member(member));
                    }
                }
                None if part == Part::Top => {
                    cursor.position = own_start(cursor.bytes, O::NAME)?;
                    cursor.set(Beside { ranks, part: Part::Own });
                }
                None => return None,
            }
        }
    })
}

states! {
    /// The state of a list of the metadata of an object in which a field occurs under several names,
    /// and another field has no meaning.
    struct BesideAnd {
        /// The ranks of the names that count.
        ranks: u32[Record::FIELDS as u32],
        /// The number of the field without a meaning, plus 1.
        more: u32[5],
    }
}

/// Returns the metadata of an object in which a field occurs under several names, including the
/// field with the number `more - 1`.
#[cold]
fn kept_beside_and<'a, V: Table>(object: &Value<'a>, more: u32) -> Metadata<'a> {
    const { assert!(V::NAMES.has_room()) }
    let ranks = Record::ranks(*object, V::NAMES);
    List::new(object.inside(b'{'), BesideAnd { ranks, more }, |cursor| {
        let BesideAnd { ranks, more } = cursor.state();
        loop {
            let member = next_member(cursor.bytes, &mut cursor.position)?;
            let number = Lookup::of::<V>().number(member.name);
            let is_one_more = number.is_some_and(|number| number.wrapping_add(1) == more);
            if is_beside::<V>(member, ranks) || is_one_more && !member.value.is_null() {
                return Some(raw_member(member));
            }
        }
    })
}

/// Whether a member stays as metadata in an object in which the names with these ranks count.
fn is_beside<V: Table>(member: json::Member<'_>, ranks: u32) -> bool {
    let is_other = |meaning: Meaning| !meaning.is_in(ranks);
    stays(member, Lookup::of::<V>())
        || !member.value.is_null() && V::NAMES.find(member.name).is_some_and(is_other)
}

const fn raw_member(member: json::Member<'_>) -> Member<'_> {
    Member { name: member.name, value: Raw::Json(member.value) }
}

/// Like [`kept`], for an object in which the field with this number has no meaning, and so is
/// metadata if it is present.
pub(crate) fn kept_and<'a, V: Table>(
    object: &Value<'a>,
    seen: &Seen,
    field: Option<u32>,
) -> Metadata<'a> {
    match field.filter(|field| seen.has(*field)) {
        None => kept::<V>(object, seen),
        Some(field) => {
            let more = field.wrapping_add(1);
            if seen.is_contested() {
                return kept_beside_and::<V>(object, more);
            }
            kept_in::<V>(object.inside(b'{'), Staying { fields: seen.stays(), more })
        }
    }
}

states! {
    /// The state of a list of metadata.
    struct Staying {
        /// One bit for each field that stays, or may stay.
        fields: u32[Record::FIELDS as u32],
        /// The number of the field without a meaning, plus 1; 0 if there is none.
        more: u32[5],
    }
}

const _: () = assert!(Record::FIELDS < 1 << 5);

fn next_kept<'a, V: Table>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    next_kept_of(cursor, Lookup::of::<V>())
}

/// Whether the metadata of an object that was read as `V` contains a member of this name, or any
/// member if the name is absent. Gives the same result as walking the list, but with a call graph
/// that shows which function takes the items, and so the depth of the stack.
#[cfg(feature = "awp")]
pub(crate) fn has_kept<V: Table>(metadata: &Metadata<'_>, name: Option<&str>) -> bool {
    let mut cursor = metadata.cursor();
    // Any field may stay.
    cursor.set(Staying { fields: (1 << Record::FIELDS) - 1, more: 0 });
    core::iter::from_fn(|| next_kept::<V>(&mut cursor))
        .any(|member| name.is_none_or(|name| member.name == *name))
}

/// Like [`next_kept`], with the table as an argument.
#[inline]
fn next_kept_of<'a>(cursor: &mut Cursor<'a>, table: Lookup) -> Option<Member<'a>> {
    let Staying { fields, more } = cursor.state();
    loop {
        let member = next_member(cursor.bytes, &mut cursor.position)?;
        let stays = table.number(member.name).is_none_or(|number| {
            let is_one_more = number.wrapping_add(1) == more;
            let may_stay = fields.wrapping_shr(number) & 1 == 1;
            (is_one_more && !member.value.is_null())
                || (may_stay && table.stays(number, member.value))
        });
        if stays {
            return Some(Member { name: member.name, value: Raw::Json(member.value) });
        }
    }
}

/// Creates a list that `step` takes from the members of an object.
pub(crate) fn entries<'a, T>(
    object: Option<Object<'a>>,
    step: fn(&mut Cursor<'a>) -> Option<T>,
) -> List<'a, T> {
    object.map_or_else(List::empty, |Object(object)| List::new(object.inside(b'{'), 0, step))
}

impl<'a> Cursor<'a> {
    /// Returns the next member of an object that is not `null`.
    pub(crate) fn next_entry(&mut self) -> Option<json::Member<'a>> {
        loop {
            let member = next_member(self.bytes, &mut self.position)?;
            if !member.value.is_null() {
                return Some(member);
            }
        }
    }
}

/// Returns all members of an object, as written.
pub(crate) fn all_members<'a>(object: Option<Object<'a>>) -> Metadata<'a> {
    entries(object, |cursor| {
        let member = next_member(cursor.bytes, &mut cursor.position)?;
        Some(Member { name: member.name, value: Raw::Json(member.value) })
    })
}

/// Returns all elements of an array, as written.
pub(crate) fn raws(array: Option<Array<'_>>) -> List<'_, Raw<'_>> {
    objects(array, |cursor| next_element(cursor.bytes, &mut cursor.position).map(Raw::Json))
}

/// Reads the text of a field as an enumeration value, if the field is present.
pub(crate) fn choice<'a, E: Enumeration>(text: &Option<Text<'a>>) -> Option<Choice<'a, E>> {
    text.map(Choice::read)
}

/// Returns a value of any type, if it is present.
pub(crate) fn raw<'a>(value: &Option<Value<'a>>) -> Option<Raw<'a>> {
    value.map(Raw::Json)
}

/// Returns the texts of an optional list.
pub(crate) fn texts(list: Option<Texts<'_>>) -> List<'_, Text<'_>> {
    list.map_or_else(List::empty, |texts| texts.0)
}

/// Returns the first option if it is present, otherwise the second.
pub(crate) const fn either<'v, T>(first: &'v Option<T>, second: &'v Option<T>) -> &'v Option<T> {
    if first.is_some() { first } else { second }
}

/// Returns the first text unless it is empty and there is a second one.
pub(crate) fn filled_or<'a>(first: Option<Text<'a>>, second: Option<Text<'a>>) -> Option<Text<'a>> {
    let first = first.filter(|text| second.is_none() || !text.is_blank());
    first.or(second)
}

/// Returns the unified metadata of a document: the members of the top level that stay, followed by
/// those of its `metadata` object, if present.
pub(crate) fn document_metadata<'a, V: Table>(
    object: Value<'a>,
    seen: &Seen,
    own: Option<Object<'a>>,
) -> Metadata<'a> {
    if seen.is_contested() {
        return document_metadata_beside::<V, Described>(object);
    }
    let (inside, own) = phases(object, own);
    match (seen.metadata(object).is_empty(), own) {
        (true, 0) => List::empty(),
        // No member of the top level stays.
        (true, own) => List::new(inside, own, next_of_document::<V>).from(u32::MAX),
        (false, own) => List::new(inside, own, next_of_document::<V>),
    }
}

/// Returns the offset of the content of the object with this name among these members.
fn own_start(inside: &[u8], name: &str) -> Option<u32> {
    let mut position = 0;
    let members = core::iter::from_fn(|| next_member(inside, &mut position));
    let own = members.filter(|member| member.name == *name).last()?;
    (own.value.kind() == Kind::Object).then(|| content_start(own.value, inside))
}

/// Like [`document_metadata`], with a `step` that calls [`next_of_document_of`] and keeps more
/// members of the top level, which are read as well.
pub(crate) fn document_metadata_and<'a>(
    object: Value<'a>,
    own: Option<Object<'a>>,
    step: fn(&mut Cursor<'a>) -> Option<Member<'a>>,
) -> Metadata<'a> {
    let (inside, own) = phases(object, own);
    List::new(inside, own, step)
}

/// Returns the members of the top level, and the offset of the content of the object `metadata`
/// among them, or 0 if there is none: the two parts of a list of a document's metadata.
fn phases<'a>(object: Value<'a>, own: Option<Object<'a>>) -> (&'a [u8], u32) {
    let inside = object.inside(b'{');
    (inside, own.map_or(0, |Object(own)| content_start(own, inside)))
}

/// Returns the offset behind the opening bracket of a value.
pub(crate) fn content_start(value: Value<'_>, whole: &[u8]) -> u32 {
    Span::of(value.raw(), whole).start.saturating_add(1)
}

fn next_of_document<'a, V: Table>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    next_of_document_of(cursor, Lookup::of::<V>(), |_| false)
}

/// Like [`next_of_document`], with the table as an argument; also keeps the members of the top
/// level that satisfy `more`.
#[inline]
pub(crate) fn next_of_document_of<'a>(
    cursor: &mut Cursor<'a>,
    table: Lookup,
    more: fn(&json::Member<'a>) -> bool,
) -> Option<Member<'a>> {
    cursor.next_of_two(|cursor, is_own| {
        loop {
            let member = next_member(cursor.bytes, &mut cursor.position)?;
            if is_own || stays(member, table) || (!member.value.is_null() && more(&member)) {
                return Some(raw_member(member));
            }
        }
    })
}
