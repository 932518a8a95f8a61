//! The objects of the unified model as columns, made from the core's table of the model (`docs/model.md`).
//!
//! A member that is an enumeration makes two columns, as the model has two members for it. Where the model has an object
//! whose names are the document's own, or a value of any type, the column is JSON text.

use agentsdisc_core::manifest as model;
use agentsdisc_core::manifest::{
    AuthType, Choice, Enumeration, Execution, List, Location, Member, Metadata, Object,
    PricingType, Protocol, Purpose, Raw, Sensitivity, Source, Stance, Transport, Vocabulary,
    Window,
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

/// A whole number. The model's are unsigned and of 32 bits, which not every engine has.
pub(super) type Integers = Numbers<Int64Type>;

/// A type of the model, and the column that takes its values.
pub(super) trait Columnar: Sized {
    /// The column.
    type Column: Column + Put<Self>;
    /// The column of an `Option` of it.
    type OfSome: Column + Put<Self>;

    /// The value; absent where it is an object without members.
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

        /// The name of the column beside that of an enumeration, for the text as written.
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

/// Hints are shown as a list, because their order counts.
impl<'a> Put<Member<'a>> for Hint {
    fn put(&mut self, row: usize, hint: Member<'a>) {
        self.put_from(row, &hint.into());
    }
}

/// The capabilities that an agent may use: no list (all of them) is not the same as a list without items (none).
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
            others
                .into_iter()
                .map(|(count, other)| (count, other.0))
                .collect(),
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
