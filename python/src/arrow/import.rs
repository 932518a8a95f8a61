//! Input arrays: the columns of one array of the Arrow C data interface, each checked before it is
//! read.
//!
//! The interface passes pointers without buffer sizes. So this module checks that all parts of an
//! array agree: the numbers of buffers and children, offsets, views, dictionary keys and lengths.
//! The producer is responsible for buffers of the size that the array's length and last offset
//! state.
//!
//! INVARIANT: only arrays that [`check`] accepted are imported, and a column that is copied to the
//! output is fully validated.

use std::ffi::c_void;
use std::fmt::Display;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, from_ffi_and_data_type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, StructArray, make_array};
use arrow_data::transform::MutableArrayData;
use arrow_data::{ArrayData, layout};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};

use super::bytes::{ByteColumn, as_bytes};
use super::capsule::caught;

/// The largest nesting depth of structs and lists in an input column.
const DEPTH: usize = 64;

/// One array of a stream: documents, or a struct of columns. It is read column by column.
pub(super) struct Incoming {
    array: Arc<FFI_ArrowArray>,
    field: FieldRef,
    /// The index of the array in the stream, from 0.
    number: usize,
}

/// Names an array and its column, for messages.
fn place(number: usize, column: &str) -> String {
    match column {
        "" => format!("batch {number}"),
        column => format!("batch {number}, column {column:?}"),
    }
}

fn invalid(number: usize, column: &str, why: impl Display) -> ArrowError {
    ArrowError::CDataInterface(format!("{}: {why}", place(number, column)))
}

impl Incoming {
    pub(super) fn new(array: FFI_ArrowArray, field: FieldRef, number: usize) -> Self {
        Self { array: Arc::new(array), field, number }
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> Result<usize, ArrowError> {
        check_length(&self.array).map_err(|why| invalid(self.number, "", why))?;
        Ok(self.array.len())
    }

    /// Returns a column of documents or URLs; None is the array itself.
    pub(super) fn bytes(&self, at: Option<usize>) -> Result<ByteColumn, ArrowError> {
        let (field, data) = self.data(at, |field| {
            as_bytes(field.data_type()).ok_or_else(|| {
                let kind = field.data_type();
                format!("the type {kind} is not bytes or text")
            })
        })?;
        Ok(ByteColumn::new(data, place(self.number, field.name())))
    }

    /// Returns a column of any type, fully validated.
    pub(super) fn column(&self, at: usize) -> Result<ArrayRef, ArrowError> {
        let (field, data) = self.data(Some(at), |field| Ok(field.data_type().clone()))?;
        caught(|| {
            data.validate_full()?;
            array_of(data)
        })
        .flatten()
        .map_err(|why| invalid(self.number, field.name(), message(&why)))
    }

    /// Returns all columns as a record batch.
    pub(super) fn into_batch(self) -> Result<RecordBatch, ArrowError> {
        let DataType::Struct(fields) = self.field.data_type() else {
            return Err(invalid(self.number, "", "the array is not a record batch"));
        };
        let columns = (0..fields.len()).map(|at| self.column(at));
        let columns = columns.collect::<Result<_, _>>()?;
        let schema = Schema::new_with_metadata(fields.clone(), self.field.metadata().clone());
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows()?));
        RecordBatch::try_new_with_options(Arc::new(schema), columns, &options)
    }

    /// Returns the rows of a column, as the type that `kind` derives from its own.
    fn data(
        &self,
        at: Option<usize>,
        kind: impl FnOnce(&Field) -> Result<DataType, String>,
    ) -> Result<(&Field, ArrayData), ArrowError> {
        let rows = self.rows()?;
        let (field, part) = match at {
            None => (self.field.as_ref(), self.array.as_ref()),
            Some(at) => self.child(at)?,
        };
        let data = (|| {
            let kind = kind(field)?;
            check(part, &kind, 0)?;
            let needed = self.array.offset() + rows;
            if at.is_some() && part.len() < needed {
                return Err(format!("it has {} rows, not {needed}", part.len()));
            }
            let part = match at {
                None => share(&self.array, part, part.offset(), rows),
                Some(_) => share(&self.array, part, part.offset() + self.array.offset(), rows),
            };
            if rows == 0 {
                return Ok(ArrayData::new_empty(&kind));
            }
            // SAFETY: the array has all parts that its type requires, and the share keeps its
            // memory.
            let import = || unsafe { from_ffi_and_data_type(part, kind) };
            caught(import).flatten().map_err(|why| message(&why))
        })();
        let data = data.map_err(|why| invalid(self.number, field.name(), why))?;
        Ok((field, data))
    }

    /// Returns a column of the struct.
    fn child(&self, at: usize) -> Result<(&Field, &FFI_ArrowArray), ArrowError> {
        let DataType::Struct(fields) = self.field.data_type() else {
            return Err(invalid(self.number, "", "the array is not a struct"));
        };
        let Some(field) = fields.get(at) else {
            return Err(invalid(self.number, "", "a column is missing"));
        };
        check_counts(&self.array, self.field.data_type())
            .map_err(|why| invalid(self.number, "", why))?;
        Ok((field, self.array.child(at)))
    }
}

/// Returns the message of an error, without the name of its kind.
pub(super) fn message(error: &ArrowError) -> String {
    match error {
        ArrowError::CDataInterface(why) | ArrowError::InvalidArgumentError(why) => why.clone(),
        other => other.to_string(),
    }
}

/// Returns a part of an array as a separate array, which keeps the whole one alive. It begins at
/// `offset` and has `length` rows.
fn share(
    whole: &Arc<FFI_ArrowArray>,
    part: &FFI_ArrowArray,
    offset: usize,
    length: usize,
) -> FFI_ArrowArray {
    let is_whole = offset == part.offset() && length == part.len();
    FFI_ArrowArray {
        // The check limits both to less than an i64.
        length: length as i64,
        null_count: if is_whole { part.null_count } else { -1 },
        offset: offset as i64,
        n_buffers: part.n_buffers,
        n_children: part.n_children,
        buffers: part.buffers,
        children: part.children,
        dictionary: part.dictionary,
        release: Some(release_share),
        private_data: Box::into_raw(Box::new(whole.clone())).cast::<c_void>(),
    }
}

/// Releases the array that [`share`] keeps.
unsafe extern "C" fn release_share(part: *mut FFI_ArrowArray) {
    // SAFETY: only called with an array that `share` created, and only once, because it clears
    // itself.
    unsafe {
        (*part).release = None;
        drop(Box::from_raw((*part).private_data.cast::<Arc<FFI_ArrowArray>>()));
    }
}

fn check_length(array: &FFI_ArrowArray) -> Result<(), String> {
    let (length, offset) = (array.length, array.offset);
    // Prevents overflow of buffer sizes: the widest value has 32 bytes.
    let fits = |end: i64| end < i64::MAX >> 8;
    match length.checked_add(offset) {
        Some(end) if length >= 0 && offset >= 0 && fits(end) => Ok(()),
        _ => Err(format!("invalid length {length} and offset {offset}")),
    }
}

/// Checks that an array has the buffers and children of its type.
fn check_counts(array: &FFI_ArrowArray, kind: &DataType) -> Result<(), String> {
    let layout = layout(kind);
    let fixed = layout.buffers.len() + usize::from(layout.can_contain_null_mask);
    let buffers = usize::try_from(array.n_buffers).ok();
    // An array of views has the sizes of its buffers in one more buffer.
    let enough = match buffers {
        Some(count) if layout.variadic => count > fixed,
        count => count == Some(fixed),
    };
    if !enough || (array.buffers.is_null() && array.n_buffers > 0) {
        let count = array.n_buffers;
        return Err(format!("{count} buffers are invalid for the type {kind}"));
    }
    let children = children(kind).len();
    let all = usize::try_from(array.n_children) == Ok(children)
        && (children == 0 || !array.children.is_null())
        // SAFETY: the producer states this number of pointers.
        && (0..children).all(|at| unsafe { !(*array.children.add(at)).is_null() });
    if !all {
        let count = array.n_children;
        return Err(format!("{count} children are invalid for the type {kind}"));
    }
    if matches!(kind, DataType::Dictionary(..)) == array.dictionary.is_null() {
        return Err(format!("a dictionary is missing or not of the type {kind}"));
    }
    Ok(())
}

fn children(kind: &DataType) -> Vec<&FieldRef> {
    match kind {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => vec![item],
        DataType::Struct(fields) => fields.iter().collect(),
        DataType::Union(fields, _) => fields.iter().map(|(_, field)| field).collect(),
        DataType::RunEndEncoded(ends, values) => vec![ends, values],
        _ => Vec::new(),
    }
}

/// Checks everything that determines the sizes of the buffers of an array.
fn check(array: &FFI_ArrowArray, kind: &DataType, depth: usize) -> Result<(), String> {
    if depth > DEPTH {
        return Err(format!("it is nested more than {DEPTH} levels deep"));
    }
    if matches!(kind, DataType::FixedSizeBinary(width) | DataType::FixedSizeList(_, width) if *width < 0)
    {
        return Err(format!("the type {kind} is invalid"));
    }
    check_length(array)?;
    check_counts(array, kind)?;
    let end = array.len() + array.offset();
    let width = match kind {
        DataType::FixedSizeBinary(width) => *width as usize,
        _ => 1,
    };
    if end.checked_mul(width).is_none_or(|size| size > isize::MAX as usize) {
        return Err(format!("{end} rows are too many for the type {kind}"));
    }
    let layout = layout(kind);
    let first = usize::from(layout.can_contain_null_mask);
    let needed = match kind {
        // The data buffer of an array with offsets may be empty.
        DataType::Binary | DataType::LargeBinary | DataType::Utf8 | DataType::LargeUtf8 => 1,
        DataType::FixedSizeBinary(0) => 0,
        _ => layout.buffers.len(),
    };
    if !array.is_empty() && (first..first + needed).any(|at| array.buffer(at).is_null()) {
        return Err("a buffer is missing".to_owned());
    }
    if !array.is_empty() {
        check_sizes(array, kind, end)?;
    }
    for (at, field) in children(kind).into_iter().enumerate() {
        check(array.child(at), field.data_type(), depth + 1)
            .map_err(|why| format!("in {:?}: {why}", field.name()))?;
    }
    match (kind, array.dictionary()) {
        (DataType::Dictionary(_, values), Some(dictionary)) => {
            check(dictionary, values, depth + 1).map_err(|why| format!("in its dictionary: {why}"))
        }
        _ => Ok(()),
    }
}

/// Checks the sizes in an array of at least one row, whose last row is row `end` of its buffers.
fn check_sizes(array: &FFI_ArrowArray, kind: &DataType, end: usize) -> Result<(), String> {
    let offsets = || array.buffer(1);
    // SAFETY: the producer states that there is an offset after the last row.
    let last = unsafe {
        match kind {
            DataType::Binary | DataType::Utf8 => {
                i64::from(offsets().cast::<i32>().add(end).read_unaligned())
            }
            DataType::LargeBinary | DataType::LargeUtf8 => {
                offsets().cast::<i64>().add(end).read_unaligned()
            }
            _ => 0,
        }
    };
    if last < 0 {
        return Err(format!("the last offset is {last}"));
    }
    let has_data = matches!(
        kind,
        DataType::Binary | DataType::LargeBinary | DataType::Utf8 | DataType::LargeUtf8
    );
    if has_data && last > 0 && array.buffer(2).is_null() {
        return Err("a buffer is missing".to_owned());
    }
    if matches!(kind, DataType::BinaryView | DataType::Utf8View) {
        let variadic = array.num_buffers() - 3;
        let sizes = array.buffer(array.num_buffers() - 1).cast::<i64>();
        if variadic > 0 && (sizes.is_null() || !sizes.is_aligned()) {
            return Err("the buffer with the sizes of buffers is invalid".to_owned());
        }
        for at in 0..variadic {
            // SAFETY: the producer states that there is a size for each of these buffers.
            let size = unsafe { sizes.add(at).read() };
            if size < 0 || (size > 0 && array.buffer(2 + at).is_null()) {
                return Err(format!("buffer {at} has the invalid size {size}"));
            }
        }
    }
    Ok(())
}

/// Returns the array of validated data. Slices structs here: make_array panics for a slice of a
/// struct that contains structs (apache/arrow-rs#7595).
fn array_of(data: ArrayData) -> Result<ArrayRef, ArrowError> {
    let DataType::Struct(fields) = data.data_type() else {
        return Ok(make_array(data));
    };
    let columns = data.child_data().iter().map(|child| {
        let column = array_of(child.clone())?;
        Ok(column.slice(data.offset(), data.len()))
    });
    let array = StructArray::try_new_with_length(
        fields.clone(),
        columns.collect::<Result<_, ArrowError>>()?,
        data.nulls().cloned(),
        data.len(),
    )?;
    Ok(Arc::new(array))
}

/// Concatenates several arrays.
pub(super) fn joined(chunks: &[ArrayRef], kind: &DataType) -> Result<ArrayRef, ArrowError> {
    match chunks {
        [] => Ok(arrow_array::new_empty_array(kind)),
        [one] => Ok(one.clone()),
        many => caught(|| {
            let many: Vec<ArrayData> = many.iter().map(Array::to_data).collect();
            let rows = many.iter().map(ArrayData::len).sum();
            let mut whole = MutableArrayData::new(many.iter().collect(), false, rows);
            for (at, chunk) in many.iter().enumerate() {
                whole.try_extend(at, 0, chunk.len())?;
            }
            Ok(make_array(whole.freeze()))
        })
        .flatten(),
    }
}
