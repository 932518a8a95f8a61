//! Columns of documents and URLs from other libraries, read value by value. Each value is checked
//! before it is read; nothing is copied.
//!
//! Text is read as bytes, because the producer may not have validated it as UTF-8. Dictionary
//! values are not repeated.

use std::ops::Range;

use arrow_buffer::{ArrowNativeType, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;

/// The largest number of bytes that a view stores inline.
const INLINE: usize = 12;

/// Returns the type to read bytes or text as; None for other types.
pub(super) fn as_bytes(kind: &DataType) -> Option<DataType> {
    match kind {
        DataType::Dictionary(keys, values) if !matches!(**values, DataType::Dictionary(..)) => {
            Some(DataType::Dictionary(keys.clone(), as_bytes(values)?.into()))
        }
        DataType::Binary | DataType::Utf8 => Some(DataType::Binary),
        DataType::LargeBinary | DataType::LargeUtf8 => Some(DataType::LargeBinary),
        DataType::BinaryView | DataType::Utf8View => Some(DataType::BinaryView),
        // Polars and others use this type for columns without values.
        DataType::FixedSizeBinary(_) | DataType::Null => Some(kind.clone()),
        _ => None,
    }
}

/// A column of documents or URLs.
pub(super) struct ByteColumn {
    data: ArrayData,
    /// The column, for messages.
    place: String,
}

impl ByteColumn {
    pub(super) fn new(data: ArrayData, place: String) -> Self {
        Self { data, place }
    }

    pub(super) fn rows(&self) -> usize {
        self.data.len()
    }

    /// Appends the values of some rows.
    pub(super) fn read<'a>(
        &'a self,
        rows: Range<usize>,
        to: &mut Vec<Option<&'a [u8]>>,
    ) -> Result<(), String> {
        let values = Values::of(&self.data);
        for row in rows {
            let value = values.get(row);
            to.push(value.map_err(|why| format!("{}: row {row}: {why}", self.place))?);
        }
        Ok(())
    }
}

/// The values of an array of one of the types of [`as_bytes`].
struct Values<'a> {
    nulls: Option<&'a NullBuffer>,
    kind: Kind<'a>,
}

enum Kind<'a> {
    /// Offsets, and the bytes between them.
    Small(&'a [i32], &'a [u8]),
    Large(&'a [i64], &'a [u8]),
    /// Views, as numbers and as bytes, and an array with the buffers that they refer to.
    Views(&'a [u128], &'a [u8], &'a ArrayData),
    /// The size of each value, and the bytes of all values.
    Fixed(usize, &'a [u8]),
    Dictionary(Keys<'a>, usize, Box<Values<'a>>),
    Null,
}

/// The keys of a dictionary.
enum Keys<'a> {
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
}

/// Returns the values of a buffer, from the first row of the array on.
fn typed<T: ArrowNativeType>(data: &ArrayData) -> &[T] {
    let buffer = data.buffers().first();
    let all = buffer.map(|buffer| buffer.typed_data::<T>());
    all.and_then(|all| all.get(data.offset()..)).unwrap_or_default()
}

fn bytes(data: &ArrayData, buffer: usize) -> &[u8] {
    let buffer = data.buffers().get(buffer);
    buffer.map(|buffer| buffer.as_slice()).unwrap_or_default()
}

impl<'a> Values<'a> {
    fn of(data: &'a ArrayData) -> Self {
        let kind = match data.data_type() {
            DataType::Binary => Kind::Small(typed(data), bytes(data, 1)),
            DataType::LargeBinary => Kind::Large(typed(data), bytes(data, 1)),
            DataType::BinaryView => {
                let views = bytes(data, 0).get(data.offset() * size_of::<u128>()..);
                Kind::Views(typed(data), views.unwrap_or_default(), data)
            }
            DataType::FixedSizeBinary(width) => {
                let width = usize::try_from(*width).unwrap_or_default();
                let all = bytes(data, 0).get(data.offset() * width..);
                Kind::Fixed(width, all.unwrap_or_default())
            }
            DataType::Dictionary(keys, _) => match (Keys::of(data, keys), data.child_data()) {
                (Some(keys), [values]) => {
                    Kind::Dictionary(keys, values.len(), Box::new(Values::of(values)))
                }
                _ => Kind::Null,
            },
            _ => Kind::Null,
        };
        let nulls = data.nulls();
        Self { nulls, kind }
    }

    /// Returns the value of a row; None if it is null.
    fn get(&self, row: usize) -> Result<Option<&'a [u8]>, String> {
        if self.nulls.is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(None);
        }
        let value = match &self.kind {
            Kind::Null => return Ok(None),
            Kind::Small(offsets, data) => between(offsets, row, data)?,
            Kind::Large(offsets, data) => between(offsets, row, data)?,
            Kind::Fixed(width, data) => data
                .get(row * width..)
                .and_then(|rest| rest.get(..*width))
                .ok_or("the value is not in the buffer")?,
            Kind::Views(views, inline, data) => viewed(views, inline, data, row)?,
            Kind::Dictionary(keys, count, values) => {
                return match keys.get(row) {
                    Some(key) if key < *count => values.get(key),
                    _ => Err(format!("a key is not in the dictionary of {count} values")),
                };
            }
        };
        Ok(Some(value))
    }
}

/// Returns the bytes between two offsets.
fn between<'a, O: Copy + Into<i64>>(
    offsets: &[O],
    row: usize,
    data: &'a [u8],
) -> Result<&'a [u8], String> {
    let Some([start, end]) = offsets.get(row..).and_then(|rest| rest.first_chunk()) else {
        return Err("an offset is missing".to_owned());
    };
    let (start, end) = ((*start).into(), (*end).into());
    let range = usize::try_from(start)
        .ok()
        .zip(usize::try_from(end).ok())
        .and_then(|(start, end)| data.get(start..end));
    range.ok_or_else(|| {
        let size = data.len();
        format!("the offsets {start} and {end} are invalid in {size} bytes")
    })
}

/// Returns the bytes of a view: inline, or in the buffer that it refers to.
fn viewed<'a>(
    views: &[u128],
    inline: &'a [u8],
    data: &'a ArrayData,
    row: usize,
) -> Result<&'a [u8], String> {
    let view = views.get(row).copied().ok_or("a view is missing")?;
    let length = view as u32 as usize;
    if length <= INLINE {
        // The bytes after a short value must be zero.
        let is_padded = length == INLINE || view >> (32 + 8 * length) == 0;
        let start = row * size_of::<u128>() + 4;
        let value = inline.get(start..start + length);
        return value
            .filter(|_| is_padded)
            .ok_or_else(|| "a view has nonzero bytes after its value".to_owned());
    }
    let (prefix, buffer, start) =
        ((view >> 32) as u32, (view >> 64) as u32 as usize, (view >> 96) as u32 as usize);
    let value = data
        .buffers()
        .get(buffer + 1)
        .and_then(|buffer| buffer.as_slice().get(start..)?.get(..length))
        .ok_or_else(|| {
            format!("a view points to {length} bytes from {start} on in buffer {buffer}, which does not have them")
        })?;
    if value.starts_with(&prefix.to_le_bytes()) {
        Ok(value)
    } else {
        Err("the first bytes of a view are not those of its value".to_owned())
    }
}

impl<'a> Keys<'a> {
    fn of(data: &'a ArrayData, kind: &DataType) -> Option<Self> {
        Some(match kind {
            DataType::Int8 => Self::I8(typed(data)),
            DataType::Int16 => Self::I16(typed(data)),
            DataType::Int32 => Self::I32(typed(data)),
            DataType::Int64 => Self::I64(typed(data)),
            DataType::UInt8 => Self::U8(typed(data)),
            DataType::UInt16 => Self::U16(typed(data)),
            DataType::UInt32 => Self::U32(typed(data)),
            DataType::UInt64 => Self::U64(typed(data)),
            _ => return None,
        })
    }

    /// Returns the key of a row; None if it is negative or missing.
    fn get(&self, row: usize) -> Option<usize> {
        match self {
            Self::I8(keys) => usize::try_from(*keys.get(row)?).ok(),
            Self::I16(keys) => usize::try_from(*keys.get(row)?).ok(),
            Self::I32(keys) => usize::try_from(*keys.get(row)?).ok(),
            Self::I64(keys) => usize::try_from(*keys.get(row)?).ok(),
            Self::U8(keys) => Some(usize::from(*keys.get(row)?)),
            Self::U16(keys) => Some(usize::from(*keys.get(row)?)),
            Self::U32(keys) => usize::try_from(*keys.get(row)?).ok(),
            Self::U64(keys) => usize::try_from(*keys.get(row)?).ok(),
        }
    }
}
