//! The unified model as columns, generated from the core's tables of the model (`docs/model.md`).
//!
//! An enumeration becomes two columns, as it has two members in the model. An object whose names
//! the document chooses, and a value of any type, become a column of JSON text.

use agentsdisc_core::manifest as model;
use agentsdisc_core::manifest::{
    AuthType, Choice, Enumeration, Execution, Hints, Kind, List, Location, Manifest, Member,
    Metadata, Object, PricingType, Protocol, Purpose, Raw, Sensitivity, Source, Stance, Transport,
    Vocabulary, Window,
};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::text::Text;
use arrow_array::types::{Float64Type, Int64Type};

use super::blank::Blanks;
use super::chosen::Chosen;
use super::column::{
    Choices, Column, Failure, Finished, Json, Number, Numbers, Put, Tasks, Texts, Truths, double,
};
use super::nested::{Lists, objects};

/// A column of integers. The model has unsigned 32-bit integers, which not every engine supports,
/// so the column has 64 bits.
pub(super) type Integers = Numbers<Int64Type>;

/// A type of the model, and the column that takes its values.
pub(super) trait Columnar: Sized {
    /// The column.
    type Column: Column + Put<Self>;
    /// The column of `Option<Self>`.
    type OfSome: Column + Put<Self>;

    /// Returns the value; None if it is an object without members.
    #[inline]
    fn present(self) -> Option<Self> {
        Some(self)
    }
}

impl<T: Columnar> Columnar for Option<T> {
    type Column = T::OfSome;
    type OfSome = T::OfSome;
}

impl<E: Enumeration> Columnar for Choice<'_, E> {
    type Column = Choices;
    type OfSome = Choices;
}

/// An object of the model.
pub(super) trait Item: Columnar {}

impl<T: Item> Columnar for List<'_, T> {
    type Column = Lists<T::Column>;
    type OfSome = Lists<T::Column>;
}

macro_rules! columnar {
    ($($type:ty: $column:ty $(, or $of_some:ty)?;)*) => {$(
        impl<'a> Columnar for $type {
            type Column = $column;
            type OfSome = columnar!(@some $column $(, $of_some)?);
        }
    )*};
    (@some $column:ty) => { $column };
    (@some $column:ty, $of_some:ty) => { $of_some };
}

columnar! {
    Text<'a>: Texts;
    bool: Truths;
    u32: Integers;
    Value<'a>: Numbers<Float64Type>;
    Raw<'a>: Json;
    Metadata<'a>: Json;
    List<'a, Text<'a>>: Lists<Texts>, or Granted;
    List<'a, Raw<'a>>: Lists<Json>;
}

impl Put<u32> for Integers {
    #[inline]
    fn put(&mut self, row: usize, number: u32) {
        self.put(row, Number(number));
    }
}

impl Put<Value<'_>> for Numbers<Float64Type> {
    fn put(&mut self, row: usize, value: Value<'_>) {
        self.put(row, double(value));
    }
}

macro_rules! name_of {
    ($field:ident $name:literal) => {
        $name
    };
    ($field:ident) => {
        stringify!($field)
    };
}

macro_rules! columns {
    ($(
        $(#[doc = $about:literal])*
        $object:ident $(: $default:ident)? {
            $(
                $(#[doc = $doc:literal])*
                $field:ident $(as $name:literal)? $(or $text:ident)?: $type:ty $(= $implied:expr)?,
            )*
        } $(from $origin:literal)?,
    )*) => {
        objects! {$(
            $(#[doc = $about])*
            $object of model::$object<'a> as it {
                $($field [name_of!($field $($name)?)]: <$type as Columnar>::Column = {
                    let value = it.$field;
                    $(let value = Some(value).filter(|value| *value != $implied);)?
                    value.present()
                },)*
            }
        )*}

        $(
            impl Item for model::$object<'_> {}

            impl<'a> Columnar for model::$object<'a> {
                type Column = $object;
                type OfSome = $object;

                fn present(self) -> Option<Self> {
                    (!self.is_empty()).then_some(self)
                }
            }
        )*

        /// Returns the name of the column with the text of an enumeration as written.
        pub(super) fn text_name(name: &str) -> &'static str {
            let names = [
                ("kind", "kind_text"),
                $($((name_of!($field $($name)?), concat!(name_of!($field $($name)?), "_text")),)*)*
            ];
            names.iter().find(|(known, _)| *known == name).map_or("text", |(_, text)| text)
        }
    };
}

agentsdisc_core::model! { columns 'static }

/// Returns the name of the column of a member. It differs from the member's name if a column about
/// the result of parsing has that name.
fn column_name(member: &'static str) -> &'static str {
    match member {
        "errors" => "recoveries",
        "status" => "service_status",
        other => other,
    }
}

/// Returns the value of a member; reads the head of the document on first use.
macro_rules! value_of {
    ($manifest:ident $head:ident $field:ident $in_head:ident) => {
        $head.get_or_insert_with(|| $manifest.head()).$field
    };
    ($manifest:ident $head:ident $field:ident) => {
        $manifest.$field()
    };
}

macro_rules! document {
    ($(
        #[doc = $doc:literal]
        $field:ident $(as $name:literal)? $(or $text:ident)? $(unless $empty:ident)?
        $(in $head:ident: $part:ty)? $(: $type:ty)?,
    )*) => {
        /// Which columns are enabled. Kept together, because the columns are far apart and most
        /// stay empty for most documents.
        #[derive(Clone, Copy)]
        struct Wanted {
            $($field: bool,)*
        }

        /// A column for each member of a whole document.
        pub(super) struct Members {
            wanted: Wanted,
            $(pub(super) $field: <$($part)? $($type)? as Columnar>::Column,)*
        }

        impl Column for Members {
            fn new(of: &Chosen, _: &'static str) -> Self {
                $(
                    let $field: <$($part)? $($type)? as Columnar>::Column =
                        Column::new(of, column_name(name_of!($field $($name)?)));
                )*
                Self { wanted: Wanted { $($field: $field.is_on(),)* }, $($field,)* }
            }

            fn is_on(&self) -> bool {
                $(self.wanted.$field)||*
            }

            fn truncate(&mut self, rows: usize) {
                $(self.$field.truncate(rows);)*
            }

            fn make_room(&mut self, times: usize) {
                $(self.$field.make_room(times);)*
            }

            fn take_up<'c>(&'c mut self, rows: usize, others: Vec<(usize, Self)>, tasks: &mut Tasks<'c>) {
                $(let mut $field = Vec::with_capacity(others.len());)*
                for (count, other) in others {
                    $($field.push((count, other.$field));)*
                }
                $(self.$field.take_up(rows, $field, tasks);)*
            }

            fn finish(self, rows: usize, blanks: &mut Blanks, into: &mut Finished) -> Result<(), Failure> {
                $(self.$field.finish(rows, blanks, into)?;)*
                Ok(())
            }
        }

        impl Put<&Manifest<'_>> for Members {
            fn put(&mut self, row: usize, manifest: &Manifest<'_>) {
                // Only selected values are read: a value may need a pass over the document.
                let (wanted, mut head) = (self.wanted, None);
                $(
                    if wanted.$field {
                        let value = value_of!(manifest head $field $($head)?);
                        $(let value = value.filter(|object| !object.$empty());)?
                        self.$field.put(row, value.present());
                    }
                )*
            }
        }
    };
}

agentsdisc_core::document! { document 'static }

/// Hints are shown as a list, because their order counts.
impl Columnar for Hints<'_> {
    type Column = Lists<Hint>;
    type OfSome = Lists<Hint>;
}

impl<'a> Put<Hints<'a>> for Lists<Hint> {
    fn put(&mut self, row: usize, hints: Hints<'a>) {
        self.put(row, hints.0);
    }
}

impl<'a> Put<Member<'a>> for Hint {
    fn put(&mut self, row: usize, hint: Member<'a>) {
        self.put_from(row, &hint.into());
    }
}

/// The capabilities that an agent may use. Without a list, it may use all of them; with an empty
/// list, none.
pub(super) struct Granted(Lists<Texts>);

impl Column for Granted {
    fn new(of: &Chosen, name: &'static str) -> Self {
        Self(Lists::new(of, name))
    }

    fn is_on(&self) -> bool {
        self.0.is_on()
    }

    fn truncate(&mut self, rows: usize) {
        self.0.truncate(rows);
    }

    fn make_room(&mut self, times: usize) {
        self.0.make_room(times);
    }

    fn take_up<'c>(&'c mut self, rows: usize, others: Vec<(usize, Self)>, tasks: &mut Tasks<'c>) {
        self.0.take_up(
            rows,
            others.into_iter().map(|(count, other)| (count, other.0)).collect(),
            tasks,
        );
    }

    fn finish(self, rows: usize, blanks: &mut Blanks, into: &mut Finished) -> Result<(), Failure> {
        self.0.finish(rows, blanks, into)
    }
}

impl<'a> Put<List<'a, Text<'a>>> for Granted {
    fn put(&mut self, row: usize, list: List<'a, Text<'a>>) {
        self.0.even_empty(row, list);
    }
}
