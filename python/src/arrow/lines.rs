//! Converts record batches to JSON Lines.

use agentsdisc_core::syntax::text::Text;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::capsule::record_batch;
use super::column::CONTENT;
use super::json;

/// Returns the rows of a record batch as JSON Lines: one object per row, without absent values;
/// JSON columns become JSON.
///
/// `batch` is an object with the PyCapsule interface that holds columns of `parse_batch`, or
/// columns of plain types.
#[pyfunction]
pub(crate) fn batch_json_lines<'py>(
    py: Python<'py>,
    batch: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let batch = record_batch(batch)?;
    let lines = py.detach(|| lines(&batch));
    Ok(PyBytes::new(py, &lines))
}

/// One object per row, without absent values; JSON columns become JSON.
pub(super) fn lines(batch: &RecordBatch) -> Vec<u8> {
    let mut lines = Vec::new();
    for row in 0..batch.num_rows() {
        object(
            batch
                .schema_ref()
                .fields()
                .iter()
                .map(AsRef::as_ref)
                .zip(batch.columns().iter().map(AsRef::as_ref)),
            row,
            &mut lines,
        );
        lines.push(b'\n');
    }
    lines
}

fn object<'c>(
    columns: impl Iterator<Item = (&'c Field, &'c dyn Array)>,
    row: usize,
    to: &mut Vec<u8>,
) {
    to.push(b'{');
    let mut first = true;
    for (field, column) in columns {
        if column.is_null(row) {
            continue;
        }
        if !std::mem::take(&mut first) {
            to.push(b',');
        }
        json::string(Text::plain(field.name().as_bytes()), to);
        to.push(b':');
        value(field, column, row, to);
    }
    to.push(b'}');
}

/// Writes the value of a row that is not null. The nesting is that of our schema, or of a copied
/// column, so the recursion is bounded.
fn value(field: &Field, column: &dyn Array, row: usize, to: &mut Vec<u8>) {
    match column.data_type() {
        DataType::Utf8 if field.metadata().contains_key(CONTENT) => {
            to.extend_from_slice(column.as_string::<i32>().value(row).as_bytes())
        }
        DataType::Utf8 => {
            json::string(Text::plain(column.as_string::<i32>().value(row).as_bytes()), to)
        }
        DataType::LargeUtf8 => {
            json::string(Text::plain(column.as_string::<i64>().value(row).as_bytes()), to)
        }
        DataType::Utf8View => {
            json::string(Text::plain(column.as_string_view().value(row).as_bytes()), to)
        }
        DataType::Boolean => {
            to.extend_from_slice(if column.as_boolean().value(row) { b"true" } else { b"false" })
        }
        DataType::Int32 => to.extend_from_slice(
            column.as_primitive::<Int32Type>().value(row).to_string().as_bytes(),
        ),
        DataType::Int64 => to.extend_from_slice(
            column.as_primitive::<Int64Type>().value(row).to_string().as_bytes(),
        ),
        DataType::Float64 => {
            let number = column.as_primitive::<Float64Type>().value(row);
            to.extend_from_slice(
                if number.is_finite() { number.to_string() } else { "null".to_owned() }.as_bytes(),
            );
        }
        DataType::List(item) => {
            let items = column.as_list::<i32>().value(row);
            to.push(b'[');
            for at in 0..items.len() {
                if at > 0 {
                    to.push(b',');
                }
                if items.is_null(at) {
                    to.extend_from_slice(b"null");
                } else {
                    value(item, items.as_ref(), at, to);
                }
            }
            to.push(b']');
        }
        DataType::Struct(fields) => {
            let members = column.as_struct().columns();
            object(
                fields.iter().map(AsRef::as_ref).zip(members.iter().map(AsRef::as_ref)),
                row,
                to,
            );
        }
        // The type of a copied column.
        other => json::string(Text::plain(format!("({other})").as_bytes()), to),
    }
}
