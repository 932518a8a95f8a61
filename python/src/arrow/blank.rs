//! Columns without values: most columns of most batches.

use std::collections::BTreeMap;

use arrow_array::{ArrayRef, new_null_array};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::DataType;

/// The buffers of columns without values, created once per number of rows: arrays share their
/// memory.
#[derive(Default)]
pub(super) struct Blanks(BTreeMap<usize, Blank>);

struct Blank {
    offsets: OffsetBuffer<i32>,
    nulls: Option<NullBuffer>,
    arrays: Vec<ArrayRef>,
}

impl Blanks {
    fn of(&mut self, rows: usize) -> &mut Blank {
        self.0.entry(rows).or_insert_with(|| Blank {
            offsets: OffsetBuffer::new_zeroed(rows),
            nulls: (rows > 0).then(|| NullBuffer::new_null(rows)),
            arrays: Vec::new(),
        })
    }

    /// Returns the offsets of lists without elements.
    pub(super) fn offsets(&mut self, rows: usize) -> OffsetBuffer<i32> {
        self.of(rows).offsets.clone()
    }

    /// Returns the validity buffer in which every row is null. None without rows.
    pub(super) fn nulls(&mut self, rows: usize) -> Option<NullBuffer> {
        self.of(rows).nulls.clone()
    }

    /// Returns an array of nulls.
    pub(super) fn array(&mut self, kind: &DataType, rows: usize) -> ArrayRef {
        let arrays = &mut self.of(rows).arrays;
        if let Some(array) = arrays.iter().find(|array| array.data_type() == kind) {
            return array.clone();
        }
        let array = new_null_array(kind, rows);
        arrays.push(array.clone());
        array
    }
}
