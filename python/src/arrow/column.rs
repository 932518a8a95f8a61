//! Growing columns of texts, numbers and truth values. `nested` has lists and objects.
//!
//! A value is stored under the number of its row. Rows without a value are absent: they are filled
//! when the next value is stored, or at the end. So absent values cost nothing, and most documents
//! contain few members of the model. Columns without any value are not filled at all: they share
//! the buffers of [`Blanks`].
//!
//! INVARIANT: rows are stored in ascending order, with at most one value each. [`Column::truncate`]
//! removes rows.

use std::mem::take;
use std::sync::Arc;

use agentsdisc_core::manifest::{Choice, Enumeration, List, Member, Raw};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::text::Text;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{Array, ArrayRef, BooleanArray, PrimitiveArray, StringArray};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, FieldRef};

use super::bits::{Bits, make_room};
use super::blank::Blanks;
use super::chosen::Chosen;
use super::encoding::{decoded, repaired};
use super::json;

/// The metadata key that marks a column of JSON text.
pub(super) const CONTENT: &str = "agentsdisc.content";

/// Why columns cannot be created.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// A column exceeds the range of 32-bit offsets.
    TooMuch,
    /// The caller stopped the work.
    Interrupted,
    /// An error of Arrow.
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
    pub(super) fn add(&mut self, name: &str, array: ArrayRef, metadata: Option<(&str, &str)>) {
        let mut field = Field::new(name, array.data_type().clone(), true);
        if let Some((key, value)) = metadata {
            field.set_metadata([(key.to_owned(), value.to_owned())].into());
        }
        self.fields.push(Arc::new(field));
        self.arrays.push(array);
    }
}

/// Work on single columns, which threads can share.
pub(super) type Tasks<'c> = Vec<Box<dyn FnOnce() + Send + 'c>>;

/// A growing column. An enumeration has two columns in the table: its name and the text as written.
pub(super) trait Column: Sized + Send {
    /// Creates an empty column for the member `name`; a disabled one if the member is not selected.
    fn new(of: &Chosen, name: &'static str) -> Self;
    /// Whether the column is enabled.
    fn is_on(&self) -> bool;
    /// Removes all rows from `rows` on.
    fn truncate(&mut self, rows: usize);
    /// Reserves capacity for a multiple of the current length.
    fn make_room(&mut self, times: usize);
    /// Appends the rows of other columns, each with its number of rows, after the `rows` of this
    /// one. Most of the work becomes tasks.
    fn take_up<'c>(&'c mut self, rows: usize, others: Vec<(usize, Self)>, tasks: &mut Tasks<'c>);
    /// Fills the column up to a number of rows, and returns it.
    fn finish(self, rows: usize, blanks: &mut Blanks, into: &mut Finished) -> Result<(), Failure>;
}

/// Stores values of a type.
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

/// A column of texts.
pub(super) struct Texts {
    name: &'static str,
    on: bool,
    data: Vec<u8>,
    /// The start of each text, and the end of the last one; empty before the first text.
    borders: Vec<i32>,
    present: Bits,
    /// The array, if it was created before the column is finished.
    made: Option<Box<Result<ArrayRef, Failure>>>,
}

impl Texts {
    /// Fills the column up to `row`, and calls `write` to append the text.
    #[inline]
    pub(super) fn with(&mut self, row: usize, write: impl FnOnce(&mut Vec<u8>)) {
        if !self.on {
            return;
        }
        if row >= self.borders.len() {
            self.borders.resize(row + 1, self.data.len() as i32);
        }
        write(&mut self.data);
        self.borders.push(self.data.len() as i32);
        self.present.set(row);
    }

    /// Appends other texts, and creates the array of all of them.
    fn join(&mut self, mut rows: usize, others: Vec<(usize, Self)>) {
        self.data.reserve(others.iter().map(|(_, other)| other.data.len()).sum());
        for (count, other) in others {
            if !other.borders.is_empty() {
                // If this exceeds 32 bits, the total does as well. The total is checked before the
                // offsets are used.
                let start = self.data.len() as i32;
                self.borders.resize(rows + 1, start);
                self.borders
                    .extend(other.borders.iter().skip(1).map(|end| start.wrapping_add(*end)));
                self.data.extend_from_slice(&other.data);
                self.present.append(rows, &other.present);
            }
            rows += count;
        }
        if !self.borders.is_empty() {
            let whole = Self {
                name: self.name,
                on: true,
                data: take(&mut self.data),
                borders: take(&mut self.borders),
                present: take(&mut self.present),
                made: None,
            };
            self.made = Some(Box::new(whole.array(rows, &mut Blanks::default())));
        }
    }

    fn array(mut self, rows: usize, blanks: &mut Blanks) -> Result<ArrayRef, Failure> {
        if let Some(made) = self.made {
            return *made;
        }
        if self.borders.is_empty() {
            return Ok(blanks.array(&DataType::Utf8, rows));
        }
        let end = i32::try_from(self.data.len()).map_err(|_| Failure::TooMuch)?;
        self.borders.resize(rows + 1, end);
        let offsets = OffsetBuffer::new(ScalarBuffer::from(self.borders));
        let (data, nulls) = (Buffer::from_vec(self.data), self.present.nulls(rows));
        // Arrow validates all text and every offset.
        match StringArray::try_new(offsets.clone(), data.clone(), nulls.clone()) {
            Ok(array) => Ok(Arc::new(array)),
            Err(_) => Ok(Arc::new(repaired(&offsets, &data, nulls)?)),
        }
    }
}

impl Column for Texts {
    fn new(of: &Chosen, name: &'static str) -> Self {
        Self {
            name,
            on: of.part(name).is_anything(),
            data: Vec::new(),
            borders: Vec::new(),
            present: Bits::default(),
            made: None,
        }
    }

    #[inline]
    fn is_on(&self) -> bool {
        self.on
    }

    fn truncate(&mut self, rows: usize) {
        if self.borders.len() > rows + 1 {
            self.borders.truncate(rows + 1);
            self.data.truncate(self.borders.last().map_or(0, |end| *end as usize));
            self.present.truncate(rows);
        }
    }

    fn make_room(&mut self, times: usize) {
        make_room(&mut self.data, times);
        make_room(&mut self.borders, times);
        self.present.make_room(times);
    }

    fn take_up<'c>(&'c mut self, rows: usize, others: Vec<(usize, Self)>, tasks: &mut Tasks<'c>) {
        if self.on {
            tasks.push(Box::new(move || self.join(rows, others)));
        }
    }

    fn finish(self, rows: usize, blanks: &mut Blanks, into: &mut Finished) -> Result<(), Failure> {
        if self.on {
            let name = self.name;
            into.add(name, self.array(rows, blanks)?, None);
        }
        Ok(())
    }
}

/// Appends the characters of a text. Plain text is validated as UTF-8 once, when the column is
/// finished.
#[inline]
pub(super) fn characters(text: Text<'_>, to: &mut Vec<u8>) {
    if text.is_escaped() {
        decoded(text, to);
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

/// A column of JSON texts: values without a type of their own.
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
        if self.0.on {
            let name = self.0.name;
            into.add(name, self.0.array(rows, blanks)?, Some((CONTENT, "json")));
        }
        Ok(())
    }
}

impl Put<Raw<'_>> for Json {
    fn put(&mut self, row: usize, value: Raw<'_>) {
        self.0.with(row, |data| json::raw(value, data));
    }
}

/// Members by name become an object; an empty list is absent.
impl<'a> Put<List<'a, Member<'a>>> for Json {
    #[inline]
    fn put(&mut self, row: usize, mut members: List<'a, Member<'a>>) {
        if self.0.on
            && let Some(first) = members.next()
        {
            self.0.with(row, |data| json::object(first, members, data));
        }
    }
}

/// A column of the values of an enumeration, and one of the texts that differ from their canonical
/// names.
pub(super) struct Choices {
    canonical: Texts,
    written: Texts,
}

impl Column for Choices {
    fn new(of: &Chosen, name: &'static str) -> Self {
        Self {
            canonical: Texts::new(of, name),
            written: Texts::new(of, super::model::text_name(name)),
        }
    }

    fn is_on(&self) -> bool {
        self.canonical.on || self.written.on
    }

    fn truncate(&mut self, rows: usize) {
        self.canonical.truncate(rows);
        self.written.truncate(rows);
    }

    fn make_room(&mut self, times: usize) {
        self.canonical.make_room(times);
        self.written.make_room(times);
    }

    fn take_up<'c>(&'c mut self, rows: usize, others: Vec<(usize, Self)>, tasks: &mut Tasks<'c>) {
        let (canonical, written) = others
            .into_iter()
            .map(|(count, other)| ((count, other.canonical), (count, other.written)))
            .unzip();
        self.canonical.take_up(rows, canonical, tasks);
        self.written.take_up(rows, written, tasks);
    }

    fn finish(self, rows: usize, blanks: &mut Blanks, into: &mut Finished) -> Result<(), Failure> {
        self.canonical.finish(rows, blanks, into)?;
        self.written.finish(rows, blanks, into)
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

    fn make_room(&mut self, times: usize) {
        make_room(&mut self.values, times);
        self.present.make_room(times);
    }

    fn take_up<'c>(&'c mut self, rows: usize, others: Vec<(usize, Self)>, tasks: &mut Tasks<'c>) {
        tasks.push(Box::new(move || {
            let mut rows = rows;
            for (count, other) in others {
                if !other.values.is_empty() {
                    self.values.resize(rows, T::Native::default());
                    self.values.extend_from_slice(&other.values);
                    self.present.append(rows, &other.present);
                }
                rows += count;
            }
        }));
    }

    fn finish(
        mut self,
        rows: usize,
        blanks: &mut Blanks,
        into: &mut Finished,
    ) -> Result<(), Failure> {
        if self.on && self.values.is_empty() {
            into.add(self.name, blanks.array(&T::DATA_TYPE, rows), None);
        } else if self.on {
            self.values.resize(rows, T::Native::default());
            let values = ScalarBuffer::from(self.values);
            into.add(
                self.name,
                Arc::new(PrimitiveArray::<T>::try_new(values, self.present.nulls(rows))?),
                None,
            );
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

/// Converts a number to the type of the column.
pub(super) struct Number<N>(pub(super) N);

/// Returns the number of a JSON value; `None` if it is too large for the type.
pub(super) fn double(value: Value<'_>) -> Option<Number<f64>> {
    value.as_number()?.as_str().parse().ok().filter(|number: &f64| number.is_finite()).map(Number)
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
        Self {
            name,
            on: of.part(name).is_anything(),
            values: Bits::default(),
            present: Bits::default(),
        }
    }

    fn is_on(&self) -> bool {
        self.on
    }

    fn truncate(&mut self, rows: usize) {
        self.values.truncate(rows);
        self.present.truncate(rows);
    }

    fn make_room(&mut self, times: usize) {
        self.values.make_room(times);
        self.present.make_room(times);
    }

    fn take_up<'c>(&'c mut self, rows: usize, others: Vec<(usize, Self)>, tasks: &mut Tasks<'c>) {
        tasks.push(Box::new(move || {
            let mut rows = rows;
            for (count, other) in others {
                self.values.append(rows, &other.values);
                self.present.append(rows, &other.present);
                rows += count;
            }
        }));
    }

    fn finish(self, rows: usize, blanks: &mut Blanks, into: &mut Finished) -> Result<(), Failure> {
        if self.on && self.present.is_empty() {
            into.add(self.name, blanks.array(&DataType::Boolean, rows), None);
        } else if self.on {
            into.add(
                self.name,
                Arc::new(BooleanArray::new(self.values.finish(rows), self.present.nulls(rows))),
                None,
            );
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
