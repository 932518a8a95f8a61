//! Batches: parses many documents into a table. Input and output use Arrow's C data interface, so
//! that any engine can produce the input and read the table.
//!
//! `rows` has the table and fills its rows, `model` has the objects in it, `column`, `nested` and
//! `bits` the growing columns, and `blank` the columns without values. `input` reads the input,
//! `given` creates columns from lists, `reading` distributes the work over threads, `batch` and
//! `stream` are the Python API.

mod batch;
mod bits;
mod blank;
mod bytes;
#[allow(unsafe_code, reason = "Arrow's C data interface")]
mod capsule;
mod chosen;
mod column;
mod encoding;
mod given;
#[allow(unsafe_code, reason = "Arrow's C data interface")]
mod import;
mod input;
mod json;
mod lines;
mod model;
mod nested;
mod reading;
mod rows;
mod stream;

use arrow_schema::ArrowError;
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{FieldRef, Schema as ArrowSchema};
use chosen::Chosen;
use column::Failure;

pub(crate) use batch::{Batch, Schema, batch_schema, parse_batch};
pub(crate) use given::batch_of;
pub(crate) use lines::batch_json_lines;
pub(crate) use rows::{Plan, Rows};
pub(crate) use stream::{BatchReader, fitting_rows, parse_stream};

/// Converts an error of Arrow, or an invalid input, to an exception.
fn arrow_error(error: ArrowError) -> PyErr {
    PyValueError::new_err(import::message(&error))
}

fn failure(failure: Failure) -> PyErr {
    match failure {
        Failure::TooMuch => PyOverflowError::new_err(
            "a column of this batch would hold more than 2 GiB: parse fewer documents at once, or use parse_stream",
        ),
        // The signal handler raised the exception.
        Failure::Interrupted => PyRuntimeError::new_err("interrupted"),
        Failure::Arrow(why) => PyValueError::new_err(why),
    }
}

/// The values of the arguments `columns`, `check` and `limits`.
pub(crate) fn plan(
    columns: Option<Vec<String>>,
    check: bool,
    limits: Option<&Bound<'_, crate::input::Limits>>,
) -> PyResult<Plan> {
    let limits = crate::input::Limits::core(limits.map(Bound::get));
    let Some(paths) = columns else {
        return Ok(Plan { chosen: rows::usual_columns(check).map_err(failure)?, limits });
    };
    let whole = rows::schema(&Chosen::All).map_err(failure)?;
    for path in &paths {
        chosen::known(whole.fields(), path)
            .map_err(|there| PyValueError::new_err(no_column(path, &there)))?;
    }
    if paths.is_empty() {
        return Err(PyValueError::new_err("`columns` is empty; name at least one column"));
    }
    Ok(Plan { chosen: Chosen::from_paths(paths.iter().map(String::as_str)), limits })
}

/// Returns the message for a missing column, with the available ones.
fn no_column(path: &str, there: &[String]) -> String {
    match path.rsplit_once('.') {
        Some((column, _)) if there.is_empty() => {
            format!("there is no column {path:?}; {column:?} has no members")
        }
        _ => format!("there is no column {path:?}; the columns are: {}", there.join(", ")),
    }
}

/// Returns the batch of rows that were added one by one, after a column of the caller.
pub(crate) fn table(
    plan: &Plan,
    rows: Rows,
    before: Option<(FieldRef, ArrayRef)>,
) -> PyResult<Batch> {
    let metadata = rows::schema(&plan.chosen).map_err(failure)?.metadata().clone();
    let (done, _) = rows.finish().map_err(failure)?;
    let (fields, arrays): (Vec<FieldRef>, Vec<ArrayRef>) =
        before.into_iter().chain(done.fields.into_iter().zip(done.arrays)).unzip();
    let schema = Arc::new(ArrowSchema::new_with_metadata(fields, metadata));
    Ok(Batch { batch: RecordBatch::try_new(schema, arrays).map_err(arrow_error)? })
}

/// Returns the number of threads: the given one, or one per processor.
fn thread_count(threads: Option<usize>) -> PyResult<usize> {
    match threads {
        Some(0) => Err(PyValueError::new_err("threads must be at least 1")),
        Some(threads) => Ok(threads.min(256)),
        None => Ok(std::thread::available_parallelism().map_or(1, std::num::NonZero::get)),
    }
}
