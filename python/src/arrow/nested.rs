//! Columns of lists and objects, which consist of columns.

use std::sync::Arc;

use agentsdisc_core::manifest::List;
use arrow_array::{ListArray, StructArray};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::Fields;

use super::bits::{Bits, make_room};
use super::blank::Blanks;
use super::chosen::{Chosen, ITEM};
use super::column::{Column, Failure, Finished, Put, Tasks};

/// A column of lists. A list without elements is absent, except with [`Lists::even_empty`].
pub(super) struct Lists<C> {
    name: &'static str,
    on: bool,
    items: C,
    /// Whether the elements of a list are appended before the list is stored.
    appended: bool,
    /// The number of elements.
    count: usize,
    /// The start of each list, and the end of the last one; empty before the first list.
    borders: Vec<i32>,
    present: Bits,
}

impl<C: Column> Lists<C> {
    /// Appends an element to the list that is closed next.
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

    /// Appends an element; `put` stores it in its columns.
    #[inline]
    pub(super) fn append_with(&mut self, put: impl FnOnce(&mut C, usize)) {
        if self.on {
            put(&mut self.items, self.count);
            self.count += 1;
        }
    }

    /// Declares that a visitor appends the elements. Storing a list then only closes it.
    pub(super) const fn elements_are_appended(&mut self) {
        self.appended = true;
    }

    /// Returns the columns of the elements, for parts of the element that is appended next.
    pub(super) const fn items(&mut self) -> &mut C {
        &mut self.items
    }

    fn last_end(&self) -> usize {
        self.borders.last().map_or(0, |end| *end as usize)
    }

    /// Closes the list of `row`: the elements since the last one.
    #[inline]
    pub(super) fn close(&mut self, row: usize) {
        if self.count > self.last_end() {
            self.close_even_empty(row);
        }
    }

    fn close_even_empty(&mut self, row: usize) {
        let before = self.last_end() as i32;
        if row >= self.borders.len() {
            self.borders.resize(row + 1, before);
        }
        self.borders.push(self.count as i32);
        self.present.set(row);
    }

    /// Stores a list; returns whether it has elements, even if the column is disabled.
    #[inline]
    pub(super) fn put_any<V>(&mut self, row: usize, mut list: List<'_, V>) -> bool
    where
        C: Put<V>,
    {
        let Some(first) = list.next() else {
            return false;
        };
        if self.on {
            self.append(first);
            list.for_each(|value| self.append(value));
            self.close_even_empty(row);
        }
        true
    }

    /// Stores a list that is present even without elements.
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
        Self {
            name,
            on: part.is_anything(),
            items,
            appended: false,
            count: 0,
            borders: Vec::new(),
            present: Bits::default(),
        }
    }

    fn is_on(&self) -> bool {
        self.on
    }

    fn truncate(&mut self, rows: usize) {
        self.borders.truncate(rows + 1);
        self.present.truncate(rows);
        let count = self.last_end();
        if self.count > count {
            self.items.truncate(count);
            self.count = count;
        } else {
            // Parts of an element that was never appended may be stored.
            self.items.truncate(count);
        }
    }

    fn make_room(&mut self, times: usize) {
        self.items.make_room(times);
        make_room(&mut self.borders, times);
        self.present.make_room(times);
    }

    fn take_up<'c>(&'c mut self, rows: usize, others: Vec<(usize, Self)>, tasks: &mut Tasks<'c>) {
        if !self.on {
            return;
        }
        let (mut items, mut lists) =
            (Vec::with_capacity(others.len()), Vec::with_capacity(others.len()));
        for (count, other) in others {
            items.push((other.count, other.items));
            lists.push((count, other.borders, other.present, other.count));
        }
        let Self { borders, present, count: end, .. } = self;
        let start = *end;
        *end += items.iter().map(|(count, _)| count).sum::<usize>();
        self.items.take_up(start, items, tasks);
        tasks.push(Box::new(move || {
            let (mut rows, mut start) = (rows, start);
            for (count, theirs, bits, elements) in lists {
                if !theirs.is_empty() {
                    // If this exceeds 32 bits, the number of all elements does as well. That number
                    // is checked before the offsets are used.
                    let start = start as i32;
                    borders.resize(rows + 1, start);
                    borders.extend(theirs.iter().skip(1).map(|end| start.wrapping_add(*end)));
                    present.append(rows, &bits);
                }
                rows += count;
                start += elements;
            }
        }));
    }

    fn finish(
        mut self,
        rows: usize,
        blanks: &mut Blanks,
        into: &mut Finished,
    ) -> Result<(), Failure> {
        if !self.on {
            return Ok(());
        }
        let end = i32::try_from(self.count).map_err(|_| Failure::TooMuch)?;
        let mut inner = Finished::default();
        self.items.finish(self.count, blanks, &mut inner)?;
        let (Some(field), Some(values)) = (inner.fields.pop(), inner.arrays.pop()) else {
            return Ok(());
        };
        let (offsets, nulls) = if self.borders.is_empty() {
            (blanks.offsets(rows), blanks.nulls(rows))
        } else {
            self.borders.resize(rows + 1, end);
            (OffsetBuffer::new(ScalarBuffer::from(self.borders)), self.present.nulls(rows))
        };
        into.add(self.name, Arc::new(ListArray::try_new(field, offsets, values, nulls)?), None);
        Ok(())
    }
}

impl<'a, V, C: Column + Put<V>> Put<List<'a, V>> for Lists<C> {
    #[inline]
    fn put(&mut self, row: usize, list: List<'a, V>) {
        if self.on {
            if self.appended {
                self.close(row);
            } else {
                self.put_any(row, list);
            }
        }
    }
}

/// The common parts of every column of objects besides the columns of its members.
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

    pub(super) fn make_room(&mut self, times: usize) {
        self.present.make_room(times);
    }

    pub(super) fn append(&mut self, rows: usize, other: &Self) {
        self.present.append(rows, &other.present);
    }

    pub(super) fn finish(
        self,
        members: Finished,
        rows: usize,
        blanks: &mut Blanks,
        into: &mut Finished,
    ) -> Result<(), Failure> {
        let nulls =
            if self.present.is_empty() { blanks.nulls(rows) } else { self.present.nulls(rows) };
        let array = StructArray::try_new_with_length(
            Fields::from(members.fields),
            members.arrays,
            nulls,
            rows,
        )?;
        into.add(self.name, Arc::new(array), None);
        Ok(())
    }
}

/// Columns of objects: one column per member. Each line has the field, the name of the column, its
/// type, and the value.
macro_rules! objects {
    ($($(#[$about:meta])* $columns:ident of $model:ty as $it:ident { $($member:ident [$name:expr]: $kind:ty = $value:expr,)* })*) => {$(
        $(#[$about])*
        pub(super) struct $columns {
            pub(super) objects: $crate::arrow::nested::Objects,
            $(pub(super) $member: $kind,)*
        }

        impl $crate::arrow::column::Column for $columns {
            fn new(of: &$crate::arrow::chosen::Chosen, name: &'static str) -> Self {
                let part = of.part(name);
                Self { objects: $crate::arrow::nested::Objects::new(of, name), $($member: <$kind>::new(part, $name),)* }
            }

            fn is_on(&self) -> bool {
                self.objects.on
            }

            fn truncate(&mut self, rows: usize) {
                self.objects.truncate(rows);
                $(self.$member.truncate(rows);)*
            }

            fn make_room(&mut self, times: usize) {
                self.objects.make_room(times);
                $(self.$member.make_room(times);)*
            }

            fn take_up<'c>(
                &'c mut self,
                rows: usize,
                others: Vec<(usize, Self)>,
                tasks: &mut $crate::arrow::column::Tasks<'c>,
            ) {
                $(let mut $member = Vec::with_capacity(others.len());)*
                let mut end = rows;
                for (count, other) in others {
                    self.objects.append(end, &other.objects);
                    end += count;
                    $($member.push((count, other.$member));)*
                }
                $(self.$member.take_up(rows, $member, tasks);)*
            }

            fn finish(
                self,
                rows: usize,
                blanks: &mut $crate::arrow::blank::Blanks,
                into: &mut $crate::arrow::column::Finished,
            ) -> Result<(), $crate::arrow::column::Failure> {
                if !self.objects.on {
                    return Ok(());
                }
                let mut members = $crate::arrow::column::Finished::default();
                $(self.$member.finish(rows, blanks, &mut members)?;)*
                self.objects.finish(members, rows, blanks, into)
            }
        }

        impl $columns {
            /// Stores a borrowed object.
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
