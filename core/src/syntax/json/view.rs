//! Typed views of JSON objects, each from one table of its members.
//!
//! [`view!`] takes the table (field, type, name, other names) and makes: a `Copy` struct with an `Option` for every member; `read`,
//! which fills it in one pass over the object; and [`Table::FIELDS`], the same table as data, from which checks, metadata and
//! documentation are made. A rule about a member stands nowhere else.
//!
//! What counts as a value (formats.md, section 0): the last of duplicate members, even where it is ill-typed; an ill-typed one has no
//! value but is remembered in [`Seen`]; `null` is absent.

use super::names::Names;
use super::record::{Record, Slot};
use super::tokenizer::TokenKind;
use super::value::{Kind, Number, Value};
use crate::syntax::pieces::Pieces;
use crate::syntax::text::Text;

/// The JSON types that a member may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Text,
    Bool,
    Number,
    Object,
    Array,
    /// Any type: the view looks at it itself.
    Any,
}

impl Shape {
    #[inline]
    pub(crate) fn fits(self, value: Value<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::Text => value.kind() == Kind::String,
            Self::Bool => value.kind() == Kind::Bool,
            Self::Number => value.kind() == Kind::Number,
            Self::Object => value.kind() == Kind::Object,
            Self::Array => value.kind() == Kind::Array,
        }
    }
}

/// One line of a view's table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// The name that the specification gives it, then others that are read, with [`BETWEEN`] between them: a list of lists would be half of all
    /// constants of a firmware.
    pub(crate) names: &'static [u8],
    /// The length of the first one.
    pub(crate) first: u8,
    pub(crate) shape: Shape,
    /// Whether a value can be read into the field. One that cannot stays readable as metadata.
    pub(crate) reads: fn(Value<'_>) -> bool,
    /// Whether it stays as metadata all the same.
    pub(crate) kept: bool,
}

/// What stands between the names of a field, and in none of them.
const BETWEEN: u8 = b'|';

impl Field {
    /// The name that the specification gives it.
    pub(crate) const fn name(&self) -> &'static [u8] {
        match self.names.split_at_checked(self.first as usize) {
            Some((name, _)) => name,
            None => self.names,
        }
    }

    /// Whether it is read under other names as well.
    pub(crate) const fn has_others(&self) -> bool {
        self.names.len() != self.first as usize
    }

    /// Whether one of its names is this one.
    pub(crate) fn is_named(&self, name: &[u8]) -> bool {
        Pieces::of(self.names, BETWEEN).any(|own| own == name)
    }
}

/// How long names are with what stands between them. For constants, as is [`joined`].
pub(crate) const fn joined_length(mut names: &[&[u8]]) -> usize {
    let mut length = 0;
    while let [name, rest @ ..] = names {
        length += name.len() + !rest.is_empty() as usize;
        names = rest;
    }
    length
}

/// The names of a field in one text.
#[allow(clippy::indexing_slicing)] // Only when the program is compiled.
pub(crate) const fn joined<const LENGTH: usize>(mut names: &[&[u8]]) -> [u8; LENGTH] {
    let mut text = [BETWEEN; LENGTH];
    let mut at = 0;
    while let [name, rest @ ..] = names {
        let mut i = 0;
        while i < name.len() {
            text[at] = name[i];
            (at, i) = (at + 1, i + 1);
        }
        (at, names) = (at + 1, rest);
    }
    text
}

/// A view's table.
pub(crate) trait Table {
    const FIELDS: &'static [Field];
    /// How its names are found.
    const NAMES: &'static Names;
}

/// How the fields of a table are found by name: on a host at once ([`Names`]), on firmware, where that would take more room than all names together,
/// by comparing one name after the other.
#[derive(Clone, Copy)]
pub(crate) struct Lookup {
    pub(crate) fields: &'static [Field],
    #[cfg(not(target_os = "none"))]
    names: &'static Names,
}

impl Lookup {
    /// That of a table.
    pub(crate) const fn of<V: Table>() -> Self {
        Self {
            fields: V::FIELDS,
            #[cfg(not(target_os = "none"))]
            names: V::NAMES,
        }
    }

    /// The number of the field that a name belongs to.
    pub(crate) fn number(&self, name: Text<'_>) -> Option<u32> {
        #[cfg(not(target_os = "none"))]
        return self.names.find(name);
        #[cfg(target_os = "none")]
        return find(self.fields, name);
    }

    /// The same for a name that stands in `bytes`.
    pub(crate) fn number_in(&self, bytes: &[u8], name: Text<'_>) -> Option<u32> {
        #[cfg(not(target_os = "none"))]
        return self.names.find_in(bytes, name);
        #[cfg(target_os = "none")]
        return {
            let _ = bytes; // Only words that are loaded at once need what stands around a name.
            self.number(name)
        };
    }
}

/// What [`view!`] makes of a table.
pub(crate) trait View<'a>: Table + Sized {
    /// Reads an object; any other value as an object without members.
    fn of_value(value: Value<'a>) -> Self;
    /// The view of an object whose members were noted.
    fn noted<const N: usize>(bytes: &'a [u8], record: &Record<N>) -> Self;
}

/// A type that a member can be read into.
pub(crate) trait Read<'a>: Sized {
    const SHAPE: Shape;
    /// Whether the unified model has no place for the member, so that it stays as metadata though it is read.
    const KEPT: bool = false;
    fn read(value: Value<'a>) -> Option<Self>;
    /// Reads a value that was noted, which is not `null`.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn read_slot(bytes: &'a [u8], slot: Slot) -> Option<Self> {
        Self::read(slot.value(bytes))
    }
}

impl<'a> Read<'a> for Text<'a> {
    const SHAPE: Shape = Shape::Text;
    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn read(value: Value<'a>) -> Option<Self> {
        value.as_text()
    }
    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn read_slot(bytes: &'a [u8], slot: Slot) -> Option<Self> {
        slot.text(bytes)
    }
}

impl<'a> Read<'a> for bool {
    const SHAPE: Shape = Shape::Bool;
    fn read(value: Value<'a>) -> Option<Self> {
        value.as_bool()
    }
    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn read_slot(_: &'a [u8], slot: Slot) -> Option<Self> {
        match slot.kind {
            TokenKind::True => Some(true),
            TokenKind::False => Some(false),
            _ => None,
        }
    }
}

impl<'a> Read<'a> for Number<'a> {
    const SHAPE: Shape = Shape::Number;
    fn read(value: Value<'a>) -> Option<Self> {
        value.as_number()
    }
}

/// Any value but `null`.
impl<'a> Read<'a> for Value<'a> {
    const SHAPE: Shape = Shape::Any;
    fn read(value: Value<'a>) -> Option<Self> {
        Some(value)
    }
}

/// A member that the view reads, but the unified model has no place for.
#[derive(Clone, Copy, Debug)]
pub struct Also<T>(pub T);

impl<'a, T: Read<'a>> Read<'a> for Also<T> {
    const SHAPE: Shape = T::SHAPE;
    const KEPT: bool = true;
    fn read(value: Value<'a>) -> Option<Self> {
        T::read(value).map(Self)
    }
}

macro_rules! shaped {
    ($($(#[$about:meta])* $name:ident $shape:ident $start:ident,)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'a>(pub Value<'a>);

        impl<'a> Read<'a> for $name<'a> {
            const SHAPE: Shape = Shape::$shape;
            #[cfg_attr(not(target_os = "none"), inline(always))]
            fn read(value: Value<'a>) -> Option<Self> {
                (value.kind() == Kind::$shape).then_some(Self(value))
            }
            #[cfg_attr(not(target_os = "none"), inline(always))]
            fn read_slot(bytes: &'a [u8], slot: Slot) -> Option<Self> {
                (slot.kind == TokenKind::$start).then(|| Self(slot.value(bytes)))
            }
        }
    )*};
}

shaped! {
    /// A value that is an object.
    Object Object ObjectStart,
    /// A value that is an array.
    Array Array ArrayStart,
}

/// What reading an object saw besides the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// One bit for each field that is there, readable or not, and is not `null`.
    pub(crate) present: u32,
    /// One bit for each field whose (last) value has the wrong type.
    pub(crate) ill_typed: u32,
    /// Whether there are members that the table does not name.
    pub(crate) unknown: bool,
}

impl Seen {
    /// Whether nothing needs to be kept as metadata for its name or type.
    pub(crate) const fn is_plain(&self) -> bool {
        !self.unknown && self.ill_typed == 0
    }

    /// Whether the field with this number is there, readable or not.
    pub(crate) fn has(&self, field: u32) -> bool {
        self.present.checked_shr(field).unwrap_or(0) & 1 == 1
    }

    /// Whether it is there with the wrong type.
    pub(crate) fn is_ill_typed(&self, field: u32) -> bool {
        self.ill_typed.checked_shr(field).unwrap_or(0) & 1 == 1
    }
}

/// Reads a member into its field; the last one counts.
#[cfg_attr(not(target_os = "none"), inline(always))]
pub(crate) fn take<'a, T: Read<'a>>(slot: &mut Option<T>, value: Value<'a>, seen: &mut Seen, bit: u32) {
    put(slot, value, T::read(value), seen, bit);
}

/// The same for a value that was read.
#[cfg_attr(not(target_os = "none"), inline(always))]
pub(crate) fn put<'a, T: Read<'a>>(slot: &mut Option<T>, value: Value<'a>, read: Option<T>, seen: &mut Seen, bit: u32) {
    let mask = 1 << bit;
    seen.present |= mask;
    seen.ill_typed &= !mask;
    seen.unknown |= T::KEPT;
    *slot = read;
    if slot.is_none() || (matches!(T::SHAPE, Shape::Any) && value.is_null()) {
        *slot = None;
        if value.is_null() { seen.present &= !mask } else { seen.ill_typed |= mask }
    }
}

/// The longest name of a member that any table holds, with some room.
pub(crate) const NAME: usize = 40;

/// The plain bytes of a member's name, decoded into `buffer` where it is escaped. A longer one matches nothing.
#[cfg_attr(not(target_os = "none"), inline(always))]
pub(crate) fn plain_name<'t>(name: Text<'t>, buffer: &'t mut [u8; NAME]) -> &'t [u8] {
    if name.is_escaped() { name.decode(buffer).map_or(&[], str::as_bytes) } else { name.raw() }
}

/// The number of the line of a table that names a member.
pub(crate) fn find(fields: &[Field], name: Text<'_>) -> Option<u32> {
    let mut buffer = [0; NAME];
    let plain = plain_name(name, &mut buffer);
    fields.iter().position(|field| field.is_named(plain)).map(|number| number as u32)
}

/// The number of the field with this name, for constants; 32 or more, which no bit set holds, where there is none.
pub(crate) const fn index_of(fields: &[Field], name: &[u8]) -> u32 {
    let mut index = 0;
    let mut rest = fields;
    while let [field, tail @ ..] = rest {
        if same(field.name(), name) {
            return index;
        }
        index += 1;
        rest = tail;
    }
    u32::MAX
}

const fn same(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([x, a_rest @ ..], [y, b_rest @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (a_rest, b_rest);
    }
    a.is_empty() && b.is_empty()
}

/// Makes a typed view of a JSON object; see the module's documentation.
macro_rules! view {
    ($($(#[$about:meta])* $visibility:vis struct $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty = $($key:literal)|+,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        $visibility struct $name<'a> {
            /// The object that the view reads.
            pub object: $crate::syntax::json::Value<'a>,
            $($(#[$doc])* pub $field: Option<$type>,)*
            /// What reading saw besides the values.
            pub seen: $crate::syntax::json::view::Seen,
        }

        impl<'a> $name<'a> {
            /// Reads an object in one pass. Any other value reads as an object without members.
            #[allow(dead_code)]
            pub(crate) fn read(object: $crate::syntax::json::Value<'a>) -> Self {
                #[allow(non_camel_case_types, clippy::enum_variant_names)]
                #[repr(u32)]
                enum Number { $($field,)* }
                let mut view = Self { object, $($field: None,)* seen: $crate::syntax::json::view::Seen::default() };
                if cfg!(target_os = "none") {
                    view.fill($crate::syntax::json::found::Found::read(object, <Self as $crate::syntax::json::view::Table>::FIELDS));
                    return view;
                }
                for member in object.members() {
                    let mut buffer = [0; $crate::syntax::json::view::NAME];
                    match $crate::syntax::json::view::plain_name(member.name, &mut buffer) {
                        $($($key)|+ => $crate::syntax::json::view::take(&mut view.$field, member.value, &mut view.seen, Number::$field as u32),)*
                        _ => view.seen.unknown = true,
                    }
                }
                view
            }

            /// Reads members into the fields that they were found to be. What a host does for each field in place is done here in less code.
            #[inline(never)]
            #[allow(dead_code)]
            fn fill(&mut self, mut found: $crate::syntax::json::found::Found<'a, '_>) {
                #[allow(non_camel_case_types, clippy::enum_variant_names)]
                #[repr(u32)]
                enum Number { $($field,)* }
                while let Some((number, value)) = found.next() {
                    match number {
                        $(_ if number == Number::$field as u32 => $crate::syntax::json::view::take(&mut self.$field, value, &mut self.seen, number),)*
                        _ => self.seen.unknown = true,
                    }
                }
            }

            /// The view of an object whose members were noted; without the fields that `skipped` has a bit for.
            #[cfg_attr(not(target_os = "none"), inline(always))]
            #[allow(dead_code)]
            pub(crate) fn of_record<const N: usize>(bytes: &'a [u8], record: &$crate::syntax::json::Record<N>, skipped: u32) -> Self {
                let mut view = Self { object: record.object(bytes), $($field: None,)* seen: $crate::syntax::json::view::Seen::default() };
                view.seen.unknown = record.marks.unknown;
                let mut index = 0;
                $(
                    if skipped >> index & 1 == 0
                        && let Some(slot) = record.slot(index)
                    {
                        $crate::syntax::json::record::take_slot(&mut view.$field, bytes, slot, &mut view.seen, index);
                    }
                    index += 1;
                )*
                let _ = index;
                view
            }

            /// The same from the members that parsing recorded.
            #[allow(dead_code)]
            pub(crate) fn attach(bytes: &'a [u8], outline: &$crate::document::Outline) -> Self {
                let object = $crate::syntax::json::Value::trusted($crate::syntax::text::trim(outline.body.slice(bytes)));
                let mut view = Self { object, $($field: None,)* seen: $crate::syntax::json::view::Seen::default() };
                let unknown = outline.flags & $crate::document::Outline::UNKNOWN_MEMBERS != 0;
                if cfg!(target_os = "none") {
                    view.fill($crate::syntax::json::found::Found::recorded(bytes, outline));
                    view.seen.unknown |= unknown;
                    return view;
                }
                let mut index = 0;
                $(
                    if let Some(value) = outline.member(bytes, index) {
                        $crate::syntax::json::view::take(&mut view.$field, value, &mut view.seen, index as u32);
                    }
                    index += 1;
                )*
                let _ = index;
                view.seen.unknown |= unknown;
                view
            }
        }

        impl<'a> $crate::syntax::json::view::View<'a> for $name<'a> {
            fn of_value(value: $crate::syntax::json::Value<'a>) -> Self {
                Self::read(value)
            }
            #[cfg_attr(not(target_os = "none"), inline(always))]
            fn noted<const N: usize>(bytes: &'a [u8], record: &$crate::syntax::json::Record<N>) -> Self {
                Self::of_record(bytes, record, 0)
            }
        }

        impl $crate::syntax::json::view::Table for $name<'_> {
            const NAMES: &'static $crate::syntax::json::names::Names = &$crate::syntax::json::names::Names::of({
                #[allow(non_camel_case_types, clippy::enum_variant_names)]
                #[repr(u32)]
                enum Number { $($field,)* }
                &[$($($crate::syntax::json::names::Name::of($key, Number::$field as u32)),+,)*]
            });
            const FIELDS: &'static [$crate::syntax::json::view::Field] = &[$($crate::syntax::json::view::Field {
                names: {
                    const NAMES: &[&[u8]] = &[$($key),+];
                    &$crate::syntax::json::view::joined::<{ $crate::syntax::json::view::joined_length(NAMES) }>(NAMES)
                },
                first: {
                    const NAMES: &[&[u8]] = &[$($key),+];
                    match NAMES {
                        [first, ..] => first.len() as u8,
                        [] => 0,
                    }
                },
                shape: {
                    #[allow(clippy::extra_unused_lifetimes)]
                    const fn shape<'a>() -> $crate::syntax::json::view::Shape {
                        <$type as $crate::syntax::json::view::Read<'a>>::SHAPE
                    }
                    shape()
                },
                kept: {
                    #[allow(clippy::extra_unused_lifetimes)]
                    const fn kept<'a>() -> bool {
                        <$type as $crate::syntax::json::view::Read<'a>>::KEPT
                    }
                    kept()
                },
                reads: {
                    fn reads<'a>(value: $crate::syntax::json::Value<'a>) -> bool {
                        <$type as $crate::syntax::json::view::Read<'a>>::read(value).is_some()
                    }
                    reads
                },
            },)*];
        }
    )*};
}

pub(crate) use view;
