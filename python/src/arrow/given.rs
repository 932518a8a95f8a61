//! Columns from Python lists.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyDict;

use super::arrow_error;
use super::batch::Batch;

/// Returns a record batch of equally long lists by column name: text columns, then integer columns;
/// None is null.
///
/// pyarrow does the same, but first imports pandas if it is installed, to test whether a list is a
/// series. That takes longer than many runs.
#[pyfunction]
pub(crate) fn batch_of(texts: &Bound<'_, PyDict>, integers: &Bound<'_, PyDict>) -> PyResult<Batch> {
    let mut columns: Vec<(String, ArrayRef, bool)> = Vec::new();
    for (name, values) in texts {
        let values: Vec<Option<PyBackedStr>> = values.extract()?;
        columns.push((name.extract()?, Arc::new(StringArray::from_iter(values)), true));
    }
    for (name, values) in integers {
        let values: Vec<Option<i64>> = values.extract()?;
        columns.push((name.extract()?, Arc::new(Int64Array::from_iter(values)), true));
    }
    Ok(Batch { batch: RecordBatch::try_from_iter_with_nullable(columns).map_err(arrow_error)? })
}
