//! Columns that grow: of texts, numbers, truth values, and of lists and objects of such.
//!
//! A value is put into a column under the number of its row, and rows that nothing was put into are absent: they are filled up when the
//! next value comes, or at the end. So what a document does not say costs nothing, and most documents say little of what the model has.
//!
//! INVARIANT: rows come in ascending order, and at most one value is put into each. [`Column::truncate`] takes rows back.

use std::sync::Arc;

use agentsdisc_core::manifest::{Choice, Enumeration, List, Member, Raw};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::text::Text;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{ArrayRef, BooleanArray, ListArray, PrimitiveArray, StringArray, StructArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields};

use super::chosen::{Chosen, ITEM};
use super::json;

/// The metadata of a column of JSON text says so under this name.
pub(super) const CONTENT: &str = "agentsdisc.content";

/// Why columns cannot be made.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// A column would have more than fits behind offsets of 32 bits.
    TooMuch,
    /// Somebody wants it to stop.
    Interrupted,
    /// What Arrow says.
    Arrow(String),
}

impl From<arrow_schema::ArrowError> for Failure {
    fn from(error: arrow_schema::ArrowError) -> Self {
        Self::Arrow(error.to_string())
    }
}

/// Finished columns.
#[derive(Default)]
pub(super) struct Finished {
    pub(super) fields: Vec<FieldRef>,
    pub(super) arrays: Vec<ArrayRef>,
}

impl Finished {
    fn add(&mut self, name: &str, array: ArrayRef, metadata: Option<(&str, &str)>) {
        let mut field = Field::new(name, array_type(&array), true);
        if let Some((key, value)) = metadata {
            field.set_metadata([(key.to_owned(), value.to_owned())].into());
        }
        self.fields.push(Arc::new(field));
        self.arrays.push(array);
    }
}

fn array_type(array: &ArrayRef) -> DataType {
    array.data_type().clone()
}

/// A column that grows. Some are two in the table: a choice and the text as it was written.
pub(super) trait Column: Sized + Send {
    /// An empty column, or one that takes nothing, as is wanted of the member `name`.
    fn new(of: &Chosen, name: &'static str) -> Self;
    /// Whether it takes anything.
    fn is_on(&self) -> bool;
    /// Takes back all rows from `rows` on.
    fn truncate(&mut self, rows: usize);
    /// Fills it up to a number of rows, and gives it away.
    fn finish(self, rows: usize, into: &mut Finished) -> Result<(), Failure>;
}

/// Takes values of a type.
pub(super) trait Put<V> {
    fn put(&mut self, row: usize, value: V);
}

impl<V, C: Put<V>> Put<Option<V>> for C {
    #[inline]
    fn put(&mut self, row: usize, value: Option<V>) {
        if let Some(value) = value {
            self.put(row, value);
        }
    }
}

/// One bit for each row; those that were never set are 0.
#[derive(Default)]
pub(super) struct Bits {
    bits: Vec<u8>,
}

impl Bits {
    #[inline]
    fn set(&mut self, row: usize) {
        let at = row >> 3;
        if at >= self.bits.len() {
            self.bits.resize(at + 1, 0);
        }
        if let Some(byte) = self.bits.get_mut(at) {
            *byte |= 1 << (row & 7);
        }
    }

    fn truncate(&mut self, rows: usize) {
        if self.bits.len() > rows >> 3 {
            self.bits.truncate(rows.div_ceil(8));
            if let (Some(last), 1..) = (self.bits.get_mut(rows >> 3), rows & 7) {
                *last &= (1 << (rows & 7)) - 1;
            }
        }
    }

    fn finish(mut self, rows: usize) -> BooleanBuffer {
        self.bits.resize(rows.div_ceil(8), 0);
        BooleanBuffer::new(Buffer::from_vec(self.bits), 0, rows)
    }

    /// As the mark of what is there.
    fn nulls(self, rows: usize) -> Option<NullBuffer> {
        Some(NullBuffer::new(self.finish(rows))).filter(|nulls| nulls.null_count() > 0)
    }
}

/// A column of texts.
pub(super) struct Texts {
    name: &'static str,
    on: bool,
    data: Vec<u8>,
    /// Where each text ends.
    ends: Vec<i32>,
    present: Bits,
}

impl Texts {
    /// Fills up to `row` and lets `write` add the text itself.
    #[inline]
    pub(super) fn with(&mut self, row: usize, write: impl FnOnce(&mut Vec<u8>)) {
        if !self.on {
            return;
        }
        if row > self.ends.len() {
            self.ends.resize(row, self.data.len() as i32);
        }
        write(&mut self.data);
        self.ends.push(self.data.len() as i32);
        self.present.set(row);
    }

    fn array(mut self, rows: usize) -> Result<ArrayRef, Failure> {
        let end = i32::try_from(self.data.len()).map_err(|_| Failure::TooMuch)?;
        self.ends.resize(rows, end);
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        offsets.extend_from_slice(&self.ends);
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let (data, nulls) = (Buffer::from_vec(self.data), self.present.nulls(rows));
        // Arrow looks at all of it, and at every border.
        match StringArray::try_new(offsets.clone(), data.clone(), nulls.clone()) {
            Ok(array) => Ok(Arc::new(array)),
            Err(_) => Ok(Arc::new(repaired(&offsets, &data, nulls)?)),
        }
    }
}

/// The same texts where some are not UTF-8: those of a robots.txt, which may be in any encoding. What is none becomes U+FFFD.
fn repaired(offsets: &OffsetBuffer<i32>, data: &Buffer, nulls: Option<NullBuffer>) -> Result<StringArray, Failure> {
    let (mut text, mut ends) = (Vec::with_capacity(data.len()), Vec::with_capacity(offsets.len()));
    ends.push(0);
    for (start, end) in offsets.iter().zip(offsets.iter().skip(1)) {
        let raw = data.get(*start as usize..*end as usize).unwrap_or_default();
        text.extend(Text::plain(raw).chars().flat_map(|c| c.encode_utf8(&mut [0; 4]).as_bytes().to_vec()));
        ends.push(i32::try_from(text.len()).map_err(|_| Failure::TooMuch)?);
    }
    Ok(StringArray::try_new(OffsetBuffer::new(ScalarBuffer::from(ends)), Buffer::from_vec(text), nulls)?)
}

impl Column for Texts {
    fn new(of: &Chosen, name: &'static str) -> Self {
        Self { name, on: of.part(name).is_anything(), data: Vec::new(), ends: Vec::new(), present: Bits::default() }
    }

    #[inline]
    fn is_on(&self) -> bool {
        self.on
    }

    fn truncate(&mut self, rows: usize) {
        if self.ends.len() > rows {
            self.ends.truncate(rows);
            self.data.truncate(self.ends.last().map_or(0, |end| *end as usize));
            self.present.truncate(rows);
        }
    }

    fn finish(self, rows: usize, into: &mut Finished) -> Result<(), Failure> {
        if self.on {
            let name = self.name;
            into.add(name, self.array(rows)?, None);
        }
        Ok(())
    }
}

/// Adds the characters of a text. Whether plain ones are UTF-8 is looked at when the column is finished, for all at once.
#[inline]
pub(super) fn characters(text: Text<'_>, to: &mut Vec<u8>) {
    if text.is_escaped() {
        text.chars().for_each(|c| to.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()));
    } else {
        to.extend_from_slice(text.raw());
    }
}

impl Put<Text<'_>> for Texts {
    #[inline]
    fn put(&mut self, row: usize, text: Text<'_>) {
        self.with(row, |data| characters(text, data));
    }
}

impl Put<&str> for Texts {
    #[inline]
    fn put(&mut self, row: usize, text: &str) {
        self.with(row, |data| data.extend_from_slice(text.as_bytes()));
    }
}

/// A column of JSON texts: of values that have no type of their own.
pub(super) struct Json(Texts);

impl Column for Json {
    fn new(of: &Chosen, name: &'static str) -> Self {
        Self(Texts::new(of, name))
    }

    fn is_on(&self) -> bool {
        self.0.on
    }

    fn truncate(&mut self, rows: usize) {
        self.0.truncate(rows);
    }

    fn finish(self, rows: usize, into: &mut Finished) -> Result<(), Failure> {
        if self.0.on {
            let name = self.0.name;
            into.add(name, self.0.array(rows)?, Some((CONTENT, "json")));
        }
        Ok(())
    }
}

impl Put<Raw<'_>> for Json {
    fn put(&mut self, row: usize, value: Raw<'_>) {
        self.0.with(row, |data| json::raw(value, data));
    }
}

/// Members by name become an object; none, nothing.
impl<'a> Put<List<'a, Member<'a>>> for Json {
    #[inline]
    fn put(&mut self, row: usize, members: List<'a, Member<'a>>) {
        if self.0.on && !members.is_empty() {
            self.0.with(row, |data| json::object(members, data));
        }
    }
}

/// A column of the values of an enumeration, and one of the texts that differ from their canonical names.
pub(super) struct Choices {
    canonical: Texts,
    written: Texts,
}

/// The second column of a choice.
fn written_name(name: &'static str) -> &'static str {
    match name {
        "kind" => "kind_text",
        "source" => "source_text",
        "type" => "type_text",
        "protocol" => "protocol_text",
        "transport" => "transport_text",
        "auth" => "auth_text",
        "window" => "window_text",
        "location" => "location_text",
        "sensitivity" => "sensitivity_text",
        "execution" => "execution_text",
        _ => "text",
    }
}

impl Column for Choices {
    fn new(of: &Chosen, name: &'static str) -> Self {
        Self { canonical: Texts::new(of, name), written: Texts::new(of, written_name(name)) }
    }

    fn is_on(&self) -> bool {
        self.canonical.on || self.written.on
    }

    fn truncate(&mut self, rows: usize) {
        self.canonical.truncate(rows);
        self.written.truncate(rows);
    }

    fn finish(self, rows: usize, into: &mut Finished) -> Result<(), Failure> {
        self.canonical.finish(rows, into)?;
        self.written.finish(rows, into)
    }
}

impl<E: Enumeration> Put<Choice<'_, E>> for Choices {
    #[inline]
    fn put(&mut self, row: usize, choice: Choice<'_, E>) {
        self.canonical.put(row, choice.as_str());
        if self.written.on {
            self.written.put(row, choice.differing_text());
        }
    }
}

/// A column of numbers.
pub(super) struct Numbers<T: ArrowPrimitiveType> {
    name: &'static str,
    on: bool,
    values: Vec<T::Native>,
    present: Bits,
}

impl<T: ArrowPrimitiveType> Column for Numbers<T> {
    fn new(of: &Chosen, name: &'static str) -> Self {
        Self { name, on: of.part(name).is_anything(), values: Vec::new(), present: Bits::default() }
    }

    fn is_on(&self) -> bool {
        self.on
    }

    fn truncate(&mut self, rows: usize) {
        self.values.truncate(rows);
        self.present.truncate(rows);
    }

    fn finish(mut self, rows: usize, into: &mut Finished) -> Result<(), Failure> {
        if self.on {
            self.values.resize(rows, T::Native::default());
            let values = ScalarBuffer::from(self.values);
            into.add(self.name, Arc::new(PrimitiveArray::<T>::try_new(values, self.present.nulls(rows))?), None);
        }
        Ok(())
    }
}

impl<T: ArrowPrimitiveType, N: Into<T::Native>> Put<Number<N>> for Numbers<T> {
    #[inline]
    fn put(&mut self, row: usize, Number(number): Number<N>) {
        if self.on {
            self.values.resize(row, T::Native::default());
            self.values.push(number.into());
            self.present.set(row);
        }
    }
}

/// A number as it is put into a column.
pub(super) struct Number<N>(pub(super) N);

/// The number that a JSON value is.
pub(super) fn double(value: Value<'_>) -> Option<Number<f64>> {
    value.as_number()?.as_str().parse().ok().map(Number)
}

/// A column of truth values.
pub(super) struct Truths {
    name: &'static str,
    on: bool,
    values: Bits,
    present: Bits,
}

impl Column for Truths {
    fn new(of: &Chosen, name: &'static str) -> Self {
        Self { name, on: of.part(name).is_anything(), values: Bits::default(), present: Bits::default() }
    }

    fn is_on(&self) -> bool {
        self.on
    }

    fn truncate(&mut self, rows: usize) {
        self.values.truncate(rows);
        self.present.truncate(rows);
    }

    fn finish(self, rows: usize, into: &mut Finished) -> Result<(), Failure> {
        if self.on {
            into.add(self.name, Arc::new(BooleanArray::new(self.values.finish(rows), self.present.nulls(rows))), None);
        }
        Ok(())
    }
}

impl Put<bool> for Truths {
    #[inline]
    fn put(&mut self, row: usize, value: bool) {
        if self.on {
            self.present.set(row);
            if value {
                self.values.set(row);
            }
        }
    }
}

/// A column of lists. A list without elements is absent, but for [`Lists::even_empty`].
pub(super) struct Lists<C> {
    name: &'static str,
    on: bool,
    items: C,
    /// Whether the elements of a list are appended before it is put.
    told: bool,
    /// How many elements there are.
    count: usize,
    /// Where each list ends.
    ends: Vec<i32>,
    present: Bits,
}

impl<C: Column> Lists<C> {
    /// Adds an element to the list that is closed next.
    #[inline]
    pub(super) fn append<V>(&mut self, value: V)
    where
        C: Put<V>,
    {
        if self.on {
            self.items.put(self.count, value);
            self.count += 1;
        }
    }

    /// Appends an element that is put into its columns by `put`.
    #[inline]
    pub(super) fn append_with(&mut self, put: impl FnOnce(&mut C, usize)) {
        if self.on {
            put(&mut self.items, self.count);
            self.count += 1;
        }
    }

    /// From now on, lists that are put are only closed: somebody has told what is in them.
    pub(super) const fn elements_are_told(&mut self) {
        self.told = true;
    }

    /// The columns of the elements, for what belongs to the element that is appended next.
    pub(super) const fn items(&mut self) -> &mut C {
        &mut self.items
    }

    fn last_end(&self) -> usize {
        self.ends.last().map_or(0, |end| *end as usize)
    }

    /// Ends the list of `row`: what was appended since the last one.
    #[inline]
    pub(super) fn close(&mut self, row: usize) {
        if self.count > self.last_end() {
            self.close_even_empty(row);
        }
    }

    fn close_even_empty(&mut self, row: usize) {
        let before = self.last_end() as i32;
        if row > self.ends.len() {
            self.ends.resize(row, before);
        }
        self.ends.push(self.count as i32);
        self.present.set(row);
    }

    /// Puts a list that is there even where it has no elements.
    pub(super) fn even_empty<V>(&mut self, row: usize, list: List<'_, V>)
    where
        C: Put<V>,
    {
        if self.on {
            list.for_each(|value| self.append(value));
            self.close_even_empty(row);
        }
    }
}

impl<C: Column> Column for Lists<C> {
    fn new(of: &Chosen, name: &'static str) -> Self {
        let part = of.part(name);
        let items = C::new(&part.of_items(), ITEM);
        Self { name, on: part.is_anything(), items, told: false, count: 0, ends: Vec::new(), present: Bits::default() }
    }

    fn is_on(&self) -> bool {
        self.on
    }

    fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows);
        self.present.truncate(rows);
        let count = self.last_end();
        if self.count > count {
            self.items.truncate(count);
            self.count = count;
        } else {
            // Of an element that was never appended, parts may be there.
            self.items.truncate(count);
        }
    }

    fn finish(mut self, rows: usize, into: &mut Finished) -> Result<(), Failure> {
        if !self.on {
            return Ok(());
        }
        let end = i32::try_from(self.count).map_err(|_| Failure::TooMuch)?;
        self.ends.resize(rows, end);
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        offsets.extend_from_slice(&self.ends);
        let mut inner = Finished::default();
        self.items.finish(self.count, &mut inner)?;
        let (Some(field), Some(values)) = (inner.fields.pop(), inner.arrays.pop()) else { return Ok(()) };
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        into.add(self.name, Arc::new(ListArray::try_new(field, offsets, values, self.present.nulls(rows))?), None);
        Ok(())
    }
}

impl<'a, V, C: Column + Put<V>> Put<List<'a, V>> for Lists<C> {
    #[inline]
    fn put(&mut self, row: usize, list: List<'a, V>) {
        if self.on {
            if !self.told {
                list.for_each(|value| self.append(value));
            }
            self.close(row);
        }
    }
}

/// What every column of objects has besides the columns of its members.
pub(super) struct Objects {
    name: &'static str,
    pub(super) on: bool,
    present: Bits,
}

impl Objects {
    pub(super) fn new(of: &Chosen, name: &'static str) -> Self {
        Self { name, on: of.part(name).is_anything(), present: Bits::default() }
    }

    #[inline]
    pub(super) fn set(&mut self, row: usize) {
        self.present.set(row);
    }

    pub(super) fn truncate(&mut self, rows: usize) {
        self.present.truncate(rows);
    }

    pub(super) fn finish(self, members: Finished, rows: usize, into: &mut Finished) -> Result<(), Failure> {
        let nulls = self.present.nulls(rows);
        let array = StructArray::try_new_with_length(Fields::from(members.fields), members.arrays, nulls, rows)?;
        into.add(self.name, Arc::new(array), None);
        Ok(())
    }
}

/// Columns of objects: one for each member, in the order of `docs/model.md`. For every member its place in Rust, its name, its type, and the value.
macro_rules! objects {
    ($($(#[$about:meta])* $columns:ident of $model:ty as $it:ident { $($member:ident $name:literal: $kind:ty = $value:expr,)* })*) => {$(
        $(#[$about])*
        pub(super) struct $columns {
            objects: $crate::arrow::column::Objects,
            $(pub(super) $member: $kind,)*
        }

        impl $crate::arrow::column::Column for $columns {
            fn new(of: &$crate::arrow::chosen::Chosen, name: &'static str) -> Self {
                let part = of.part(name);
                Self { objects: $crate::arrow::column::Objects::new(of, name), $($member: <$kind>::new(part, $name),)* }
            }

            fn is_on(&self) -> bool {
                self.objects.on
            }

            fn truncate(&mut self, rows: usize) {
                self.objects.truncate(rows);
                $(self.$member.truncate(rows);)*
            }

            fn finish(
                self,
                rows: usize,
                into: &mut $crate::arrow::column::Finished,
            ) -> Result<(), $crate::arrow::column::Failure> {
                if !self.objects.on {
                    return Ok(());
                }
                let mut members = $crate::arrow::column::Finished::default();
                $(self.$member.finish(rows, &mut members)?;)*
                self.objects.finish(members, rows, into)
            }
        }

        impl $columns {
            /// Puts an object that need not be given away.
            pub(super) fn put_from<'a>(&mut self, row: usize, $it: &$model) {
                if self.objects.on {
                    self.objects.set(row);
                    $($crate::arrow::column::Put::put(&mut self.$member, row, $value);)*
                }
            }
        }

        impl<'a> $crate::arrow::column::Put<$model> for $columns {
            #[inline]
            fn put(&mut self, row: usize, it: $model) {
                self.put_from(row, &it);
            }
        }
    )*};
}

pub(super) use objects;
