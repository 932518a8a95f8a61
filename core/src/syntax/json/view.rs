//! Typed views of JSON objects, each made from one table of members.
//!
//! [`view!`] takes the table (field, type, name, other names, `required`) and makes a `Copy` struct
//! with an `Option` for every member, the function `read`, which fills the struct in one pass over
//! the object, and [`Table::FIELDS`], which is the same table as data. Checks, metadata and
//! documentation are made from `FIELDS`. A row may end with rules in brackets, which the check of
//! the format follows. No other code contains a rule about a member.
//!
//! Rules for values (`docs/formats/index.md`): the last of duplicate members counts, even if it is
//! ill-typed; an ill-typed member has no value but is recorded in [`Seen`]; `null` is absent. If a
//! field occurs under several names, the name in the specification counts, except that a table can
//! let the stricter value count (`=>`, a [`Weigh`](super::names::Weigh)); the others stay as
//! metadata.

use super::lookup::Lookup;
use super::names::Names;
use super::record::{Fields, Holds, Record, Slot};
use super::tokenizer::TokenKind;
use super::value::{Kind, Number, Value};
use crate::span::Span;
use crate::syntax::text::Text;

/// The JSON types of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Text,
    Bool,
    Number,
    Object,
    Array,
    /// Any type: the view checks it itself.
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
    /// The name in the specification, followed by other names that are read.
    pub(crate) names: &'static [&'static [u8]],
    pub(crate) shape: Shape,
    /// Whether it must not be empty. Where rows have rules, those with `Need` say the same.
    pub(crate) required: bool,
    /// Whether a value can be read into the field. Other values stay readable as metadata.
    pub(crate) reads: fn(Value<'_>) -> bool,
    /// Whether a value stays as metadata even if it is read.
    pub(crate) keeps: fn(Value<'_>) -> bool,
}

impl Field {
    /// Returns the name in the specification.
    pub(crate) const fn name(&self) -> &'static [u8] {
        match self.names {
            [name, ..] => name,
            [] => b"",
        }
    }

    /// Whether the field has this name.
    pub(crate) fn is_named(&self, name: &[u8]) -> bool {
        self.names.contains(&name)
    }
}

/// A view's table.
pub(crate) trait Table {
    const FIELDS: &'static [Field];
    /// The index of the names.
    const NAMES: &'static Names;
}

/// A view that [`view!`] makes from a table.
pub(crate) trait View<'a>: Table + Sized {
    /// Reads a validated object. Any other value reads as an object without members.
    #[inline]
    fn of_value(object: Value<'a>) -> Self {
        Self::take(object.raw(), &mut 0)
    }
    /// Reads the object of a document, whose `metadata` is read as well.
    fn of_document(object: Value<'a>) -> Self {
        let mut record = Record::new();
        record.note(object.raw(), 0, Self::NAMES);
        Self::of_fields(object.raw(), record.fields().of_document())
    }
    /// Reads the validated value at an offset, and moves the position behind it.
    fn take(bytes: &'a [u8], position: &mut u32) -> Self {
        let mut record = Record::new();
        record.note(bytes, *position as usize, Self::NAMES);
        *position = record.end;
        Self::of_fields(bytes, record.fields())
    }
    /// Returns the view of a recorded object of `bytes`.
    fn of_fields(bytes: &'a [u8], fields: Fields<'_>) -> Self;
}

/// A type into which a member can be read.
pub(crate) trait Read<'a>: Sized {
    const SHAPE: Shape;
    /// Whether it may stay as metadata even if it is read ([`Self::keeps`]).
    const KEPT: bool = false;
    /// The elements with which a value is read whole, so that it does not stay.
    const WHOLE: Holds = Holds::UNKNOWN;
    /// Whether a value stays as metadata even if it is read: the unified model has no member for
    /// it, or lacks a part of it.
    fn keeps(value: Value<'a>) -> bool {
        let _ = value;
        Self::KEPT
    }
    /// Whether the value from which this was read stays as metadata.
    #[inline]
    fn is_kept(&self, bytes: &'a [u8], slot: Slot) -> bool {
        Self::keeps(slot.value(bytes))
    }
    /// The table of an object that is recorded together with the enclosing object.
    const NESTED: Option<Lookup> = None;
    fn read(value: Value<'a>) -> Option<Self>;
    /// Reads a recorded value that is not `null`. `nested` contains the fields of an object that
    /// has a table ([`Self::NESTED`]).
    #[inline]
    fn read_slot(bytes: &'a [u8], slot: Slot, nested: Option<Fields<'_>>) -> Option<Self> {
        let _ = nested;
        Self::read(slot.value(bytes))
    }
}

impl<'a> Read<'a> for Text<'a> {
    const SHAPE: Shape = Shape::Text;
    #[inline]
    fn read(value: Value<'a>) -> Option<Self> {
        value.as_text()
    }
    #[inline]
    fn read_slot(bytes: &'a [u8], slot: Slot, _: Option<Fields<'_>>) -> Option<Self> {
        slot.text(bytes)
    }
}

impl<'a> Read<'a> for bool {
    const SHAPE: Shape = Shape::Bool;
    fn read(value: Value<'a>) -> Option<Self> {
        value.as_bool()
    }
    #[inline]
    fn read_slot(_: &'a [u8], slot: Slot, _: Option<Fields<'_>>) -> Option<Self> {
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

/// Any value except `null`.
impl<'a> Read<'a> for Value<'a> {
    const SHAPE: Shape = Shape::Any;
    fn read(value: Value<'a>) -> Option<Self> {
        Some(value)
    }
}

/// A member that the view reads, but the unified model does not have.
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
            #[inline]
            fn read(value: Value<'a>) -> Option<Self> {
                (value.kind() == Kind::$shape).then_some(Self(value))
            }
            #[inline]
            fn read_slot(bytes: &'a [u8], slot: Slot, _: Option<Fields<'_>>) -> Option<Self> {
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

/// What reading an object found besides the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// One bit for each field that is present and not `null`, readable or not; and
    /// [`Self::CONTESTED`].
    pub(crate) present: u32,
    /// One bit for each field whose (last) value has the wrong type.
    pub(crate) ill_typed: u32,
    /// One bit for each field whose (last) value is read and stays as metadata. In a view of a
    /// document, each whose value may stay: its lists are long, and most callers do not ask.
    pub(crate) kept: u32,
    /// From the first to the last member that is not in the table, as offsets into the object;
    /// empty if there is none.
    pub(crate) unknown: Span,
}

impl Seen {
    /// Nothing was found.
    pub(crate) const NOTHING: Self =
        Self { present: 0, ill_typed: 0, kept: 0, unknown: Span::new(0, 0) };

    /// In `present`: a field occurs under several names.
    pub(crate) const CONTESTED: u32 = 1 << 31;

    /// Whether a field occurs under several names. The values of all names but one stay as
    /// metadata.
    #[inline]
    pub(crate) const fn is_contested(&self) -> bool {
        self.present & Self::CONTESTED != 0
    }

    /// Returns one bit for each field whose value stays as metadata, or may stay.
    pub(crate) const fn stays(&self) -> u32 {
        self.kept | self.ill_typed
    }

    /// Returns the part of `object` that can contain members that stay as metadata because of their
    /// name, type or field. Usually empty.
    pub(crate) fn metadata<'a>(&self, object: Value<'a>) -> &'a [u8] {
        if self.stays() != 0 || self.is_contested() {
            object.inside(b'{')
        } else {
            self.unknown.slice(object.raw())
        }
    }

    /// Whether the field with this number is present, readable or not.
    pub(crate) fn has(&self, field: u32) -> bool {
        self.present.checked_shr(field).unwrap_or(0) & 1 == 1
    }

    /// Whether the field with this number is present with the wrong type.
    pub(crate) fn is_ill_typed(&self, field: u32) -> bool {
        self.ill_typed.checked_shr(field).unwrap_or(0) & 1 == 1
    }
}

/// Whether two names are equal. For constants.
pub(crate) const fn are_same(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([x, a_rest @ ..], [y, b_rest @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (a_rest, b_rest);
    }
    a.is_empty() && b.is_empty()
}

/// A size for the longest name of a member in any table, with a margin.
pub(crate) const NAME: usize = 40;

/// Returns the plain bytes of a member's name, decoded into `buffer` if it is escaped. A name
/// longer than the buffer matches nothing.
#[inline]
pub(crate) fn plain_name<'t>(name: Text<'t>, buffer: &'t mut [u8; NAME]) -> &'t [u8] {
    if name.is_escaped() { name.decode(buffer).map_or(&[], str::as_bytes) } else { name.raw() }
}

/// Returns the number of the line of a table that has this name.
pub(crate) fn find(fields: &[Field], name: Text<'_>) -> Option<u32> {
    let mut buffer = [0; NAME];
    let plain = plain_name(name, &mut buffer);
    fields.iter().position(|field| field.is_named(plain)).map(|number| number as u32)
}

/// Makes a typed view of a JSON object; see the module documentation.
macro_rules! view {
    ($($(#[$about:meta])* $visibility:vis struct $name:ident $(at $section:literal $($head:ident)*)? { $($(#[$doc:meta])* $field:ident: $type:ty = $($key:literal)|+ $($required:ident)? $(=> $weigh:path)? $([$($rule:expr),+])?,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        $visibility struct $name<'a> {
            /// The object that the view reads.
            pub object: $crate::syntax::json::Value<'a>,
            $($(#[$doc])* pub $field: Option<$type>,)*
            /// What reading found besides the values.
            pub seen: $crate::syntax::json::view::Seen,
        }

        const _: () = {
            #[allow(dead_code, non_camel_case_types, clippy::enum_variant_names)]
            #[repr(u32)]
            enum FieldNumber { $($field,)* }

            const { assert!(<$name<'_> as $crate::syntax::json::view::Table>::FIELDS.len() <= $crate::syntax::json::Record::FIELDS) };

            const TABLES: &[Option<$crate::syntax::json::lookup::Lookup>] = &[$({
                #[allow(clippy::extra_unused_lifetimes)]
                const fn nested<'a>() -> Option<$crate::syntax::json::lookup::Lookup> {
                    <$type as $crate::syntax::json::view::Read<'a>>::NESTED
                }
                nested()
            }),*];
            const KEYS: &[&$crate::syntax::json::names::Keys] = &[$(&[$($key),+]),*];
            const NESTED: &[$crate::syntax::json::names::Nested] =
                &$crate::syntax::json::names::Nested::number::<{ $crate::syntax::json::names::Nested::count(TABLES) }>(TABLES);

            // The number of each field, by the field's own name: a misspelt name does not compile.
            #[allow(non_upper_case_globals, dead_code)]
            impl $name<'_> {
                $(pub(crate) const $field: u32 = FieldNumber::$field as u32;)*
            }

            impl<'a> $name<'a> {
                /// Returns the view of an object before anything is read.
                #[inline]
                #[allow(dead_code)]
                pub(crate) const fn blank(object: $crate::syntax::json::Value<'a>) -> Self {
                    Self { object, $($field: None,)* seen: $crate::syntax::json::view::Seen::NOTHING }
                }

                /// Reads a validated object. Any other value reads as an object without members.
                #[allow(dead_code)]
                pub(crate) fn read(object: $crate::syntax::json::Value<'a>) -> Self {
                    $crate::syntax::json::view::View::of_value(object)
                }

                /// Returns the view of a document from the members that parsing recorded.
                #[allow(dead_code)]
                pub(crate) fn attach(bytes: &'a [u8], outline: &$crate::syntax::outline::Outline) -> Self {
                    $crate::syntax::json::view::View::of_fields(bytes, outline.record::<Self>(bytes).fields().of_document())
                }
            }

            impl<'a> $crate::syntax::json::view::View<'a> for $name<'a> {
                // The fields go directly from the record to the item that is made from the view.
                #[inline(always)]
                fn of_fields(bytes: &'a [u8], fields: $crate::syntax::json::record::Fields<'_>) -> Self {
                    let mut view = Self::blank(fields.object(bytes));
                    view.seen.unknown = fields.unknown();
                    view.seen.present = fields.contested();
                    $(
                        let number = Self::$field;
                        if let Some(slot) = fields.slot(number) {
                            const NESTED_BASE: Option<(usize, u32)> =
                                <$name<'_> as $crate::syntax::json::view::Table>::NAMES.nested_base($name::$field);
                            let nested = fields.nested(NESTED_BASE, slot);
                            $crate::syntax::json::record::take_slot(&mut view.$field, (bytes, slot), nested, &mut view.seen, number, fields.of_document);
                        }
                    )*
                    view
                }
            }

            impl $crate::syntax::json::view::Table for $name<'_> {
                const NAMES: &'static $crate::syntax::json::names::Names = &$crate::syntax::json::names::Names::of(
                    &$crate::syntax::json::names::Name::table::<{ $crate::syntax::json::names::Name::count(KEYS) }>(KEYS),
                    NESTED,
                    &[$({
                        fn weigh(value: $crate::syntax::json::Value<'_>) -> u32 {
                            let _ = value;
                            0 $(+ $weigh(value))?
                        }
                        weigh
                    }),*],
                );
                const FIELDS: &'static [$crate::syntax::json::view::Field] = &[$($crate::syntax::json::view::Field {
                    names: &[$($key),+],
                    required: !(&[$(stringify!($required))?] as &[&str]).is_empty(),
                    shape: {
                        #[allow(clippy::extra_unused_lifetimes)]
                        const fn shape<'a>() -> $crate::syntax::json::view::Shape {
                            <$type as $crate::syntax::json::view::Read<'a>>::SHAPE
                        }
                        shape()
                    },
                    keeps: {
                        fn keeps<'a>(value: $crate::syntax::json::Value<'a>) -> bool {
                            <$type as $crate::syntax::json::view::Read<'a>>::keeps(value)
                        }
                        keeps
                    },
                    reads: {
                        fn reads<'a>(value: $crate::syntax::json::Value<'a>) -> bool {
                            <$type as $crate::syntax::json::view::Read<'a>>::read(value).is_some()
                        }
                        reads
                    },
                },)*];
            }
        };

        $crate::syntax::json::view::schema! { $name $($section $($head)*)?; $([$($($rule),+)?])* }
    )*
    };
}

pub(crate) use view;

/// Makes the schema of a view whose table states the section of the specification. The rules, their
/// functions and the type are those that the module `check` of the format has or imports.
macro_rules! schema {
    ($name:ident; $($rows:tt)*) => {};
    ($name:ident $section:literal; $($rows:tt)*) => {
        $crate::syntax::json::view::schema! { @ $name $section (Nothing) (None) $($rows)* }
    };
    ($name:ident $section:literal then $then:ident; $($rows:tt)*) => {
        $crate::syntax::json::view::schema! { @ $name $section (Nothing) (Some($then)) $($rows)* }
    };
    ($name:ident $section:literal welcomes $welcome:ident; $($rows:tt)*) => {
        $crate::syntax::json::view::schema! { @ $name $section ($welcome) (None) $($rows)* }
    };
    ($name:ident $section:literal welcomes $welcome:ident then $then:ident; $($rows:tt)*) => {
        $crate::syntax::json::view::schema! { @ $name $section ($welcome) (Some($then)) $($rows)* }
    };
    (@ $name:ident $section:literal ($welcome:ident) ($then:expr) $([$($rule:expr),*])*) => {
        impl $name<'_> {
            /// The rules for the members of the object.
            pub(crate) const RULES: &'static check::Schema = {
                #[allow(unused_imports)]
                use check::*;
                static TABLE_RULES: check::Schema = check::Schema {
                    table: $crate::syntax::json::lookup::Lookup::of::<$name<'_>>(),
                    section: $section,
                    welcome: check::Welcome::$welcome,
                    rows: &[$(&[$($rule),*]),*],
                    then: $then,
                };
                &TABLE_RULES
            };
        }
        const _: () = assert!($name::RULES.fits(), "the stack of containers is too small");
    };
}

pub(crate) use schema;
