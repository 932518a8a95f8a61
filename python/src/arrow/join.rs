//! Tables of several parts made one: their columns, one behind another.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ListArray, StructArray};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat;

use super::blank::Blanks;
use super::column::Failure;

/// The same column of every part.
type Pieces<'p> = Vec<&'p dyn Array>;

/// The columns of all parts, on at most so many threads.
///
/// Most of a table may stand in one column of objects, so what the threads share are the columns of texts and numbers in it: every thread
/// takes the next one. Objects and lists around them are little work.
pub(super) fn joined(parts: &[Vec<ArrayRef>], threads: usize) -> Result<Vec<ArrayRef>, Failure> {
    let count = parts.first().map_or(0, Vec::len);
    let columns: Vec<Pieces<'_>> =
        (0..count).map(|at| parts.iter().filter_map(|part| part.get(at)).map(AsRef::as_ref).collect()).collect();
    let mut leaves = Vec::new();
    columns.iter().for_each(|column| gather(column, &mut leaves));
    let next = AtomicUsize::new(0);
    let places: Vec<Mutex<Option<Result<ArrayRef, Failure>>>> = leaves.iter().map(|_| Mutex::new(None)).collect();
    let join = || {
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let (Some(leaf), Some(place)) = (leaves.get(at), places.get(at))
        {
            let joined = concat(leaf).map_err(|error| match error {
                ArrowError::OffsetOverflowError(_) => Failure::TooMuch,
                other => other.into(),
            });
            if let Ok(mut place) = place.lock() {
                *place = Some(joined);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(parts.len()) {
            // Without it, the others do its part.
            drop(thread::Builder::new().spawn_scoped(scope, join));
        }
        join();
    });
    let mut places = places.into_iter();
    let mut leaf = || {
        let lost = || Failure::Arrow("a column was lost".to_owned());
        places.next().and_then(|place| place.into_inner().ok().flatten()).unwrap_or_else(|| Err(lost()))
    };
    let mut blanks = Blanks::default();
    columns.iter().map(|column| built(column, &mut blanks, &mut leaf)).collect()
}

/// Whether nothing stands in any of them.
fn is_blank(pieces: &[&dyn Array]) -> bool {
    pieces.iter().all(|piece| piece.null_count() == piece.len())
}

/// The columns in a column that are neither lists nor objects, where anything stands in them. The nesting is that of our schema, so the
/// recursion is bounded.
fn gather<'p>(pieces: &[&'p dyn Array], leaves: &mut Vec<Pieces<'p>>) {
    match pieces.first().map(|piece| piece.data_type()) {
        Some(DataType::Struct(members)) => (0..members.len()).for_each(|at| gather(&of_member(pieces, at), leaves)),
        Some(DataType::List(_)) => gather(&of_items(pieces), leaves),
        Some(_) if !is_blank(pieces) => leaves.push(pieces.to_vec()),
        _ => {}
    }
}

fn of_member<'p>(pieces: &[&'p dyn Array], at: usize) -> Pieces<'p> {
    pieces.iter().filter_map(|piece| piece.as_struct_opt()?.columns().get(at)).map(AsRef::as_ref).collect()
}

fn of_items<'p>(pieces: &[&'p dyn Array]) -> Pieces<'p> {
    pieces.iter().filter_map(|piece| piece.as_list_opt::<i32>()).map(|lists| lists.values().as_ref()).collect()
}

/// A column, built of the leaves in the order in which they were gathered.
fn built(pieces: &[&dyn Array], blanks: &mut Blanks, leaf: &mut dyn FnMut() -> Result<ArrayRef, Failure>) -> Result<ArrayRef, Failure> {
    let rows = pieces.iter().map(|piece| piece.len()).sum();
    match pieces.first().map_or(&DataType::Null, |piece| piece.data_type()) {
        DataType::Struct(members) => {
            let columns = (0..members.len()).map(|at| built(&of_member(pieces, at), blanks, leaf)).collect::<Result<_, _>>()?;
            let nulls = nulls(pieces, rows, blanks);
            Ok(Arc::new(StructArray::try_new_with_length(members.clone(), columns, nulls, rows)?))
        }
        DataType::List(item) => {
            let values = built(&of_items(pieces), blanks, leaf)?;
            let (offsets, nulls) = (offsets(pieces, rows, blanks)?, nulls(pieces, rows, blanks));
            Ok(Arc::new(ListArray::try_new(item.clone(), offsets, values, nulls)?))
        }
        kind if is_blank(pieces) => Ok(blanks.array(kind, rows)),
        _ => leaf(),
    }
}

/// The marks of what is there.
fn nulls(pieces: &[&dyn Array], rows: usize, blanks: &mut Blanks) -> Option<NullBuffer> {
    if is_blank(pieces) {
        return blanks.nulls(rows);
    }
    if pieces.iter().all(|piece| piece.null_count() == 0) {
        return None;
    }
    let mut bits = BooleanBufferBuilder::new(rows);
    for piece in pieces {
        match piece.nulls() {
            Some(nulls) => bits.append_buffer(nulls.inner()),
            None => bits.append_n(piece.len(), true),
        }
    }
    Some(NullBuffer::new(bits.finish()))
}

/// Where the lists begin and end.
fn offsets(pieces: &[&dyn Array], rows: usize, blanks: &mut Blanks) -> Result<OffsetBuffer<i32>, Failure> {
    if is_blank(pieces) {
        return Ok(blanks.offsets(rows));
    }
    let (mut offsets, mut base) = (Vec::with_capacity(rows + 1), 0_i32);
    offsets.push(0);
    for lists in pieces.iter().filter_map(|piece| piece.as_list_opt::<i32>()) {
        let ends = lists.value_offsets();
        let count = ends.last().copied().unwrap_or(0);
        let end = base.checked_add(count).ok_or(Failure::TooMuch)?;
        offsets.extend(ends.iter().skip(1).map(|end| base + end));
        base = end;
    }
    Ok(OffsetBuffer::new(ScalarBuffer::from(offsets)))
}
