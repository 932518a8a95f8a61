//! `parse_stream`: a stream of documents to a stream of record batches, in bounded memory.

use std::sync::{Mutex, PoisonError};

use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, FieldRef, SchemaRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::batch::{Batch, Part, Schema, check_names, no_columns, still_wanted};
use super::capsule::{Source, is_arrow, schema_capsule, stream_capsule};
use super::column::Failure;
use super::import::Incoming;
use super::input::{self, Names, Places};
use super::reading::Work;
use super::rows::Plan;
use super::{arrow_error, failure, plan, reading, rows, thread_count};
use crate::input::Limits;

/// The largest number of document bytes per batch, unless a single document is larger.
const LARGE_BATCH: usize = 64 << 20;

/// The tables of a stream of documents: an iterator of `Batch`, and a stream in Arrow's PyCapsule
/// interface. Can be read once.
#[pyclass(frozen, module = "agentsdisc")]
pub(crate) struct BatchReader {
    schema: SchemaRef,
    /// None after the stream was taken.
    reading: Mutex<Option<Reading>>,
}

/// A stream that is being read.
struct Reading {
    source: Source,
    /// The last array of the source, and the number of its rows that were read.
    pending: Option<(Part, usize)>,
    places: Option<Places>,
    plan: Plan,
    /// The schema of our columns, without copied ones.
    ours: SchemaRef,
    /// The schema of all columns.
    schema: SchemaRef,
    threads: usize,
    rows: usize,
}

/// Parses a stream of documents, and returns a stream of record batches: `parse_batch` for data
/// larger than memory.
///
/// `source` is an object with the Arrow PyCapsule interface. It is read batch by batch while the
/// result is read. Memory holds one batch of the source and one of the result, which has at most
/// `batch_rows` rows and 64 MiB of documents, or one document. The other arguments are those of
/// `parse_batch`.
#[pyfunction]
#[pyo3(signature = (source, *, columns=None, check=true, threads=None, limits=None, body="body", url=None, keep=None, batch_rows=16_384))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn parse_stream(
    source: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    check: bool,
    threads: Option<usize>,
    limits: Option<&Bound<'_, Limits>>,
    body: &str,
    url: Option<&str>,
    keep: Option<Vec<String>>,
    batch_rows: usize,
) -> PyResult<BatchReader> {
    let (plan, threads) = (plan(columns, check, limits)?, thread_count(threads)?);
    if batch_rows == 0 {
        return Err(PyValueError::new_err("batch_rows must be at least 1"));
    }
    if !is_arrow(source)? {
        let name = source.get_type().fully_qualified_name()?;
        return Err(PyTypeError::new_err(format!(
            "source must be an Arrow stream, table or array, not {name}"
        )));
    }
    let names = Names { body, url, keep: keep.unwrap_or_default() };
    let ours = rows::schema(&plan.chosen).map_err(failure)?;
    let source = Source::of(source)?;
    let field = source.field().clone();
    let places = match field.data_type() {
        DataType::Struct(fields) => Some(Places::find(fields, &names)?),
        _ => {
            no_columns(&names)?;
            input::must_be_bodies(&field)?;
            None
        }
    };
    let kept: Vec<FieldRef> =
        places.iter().flat_map(|places| &places.kept).map(|(_, field)| field.clone()).collect();
    check_names(&kept, &ours)?;
    let schema = reading::behind(&kept, &ours);
    let reading = Reading {
        source,
        pending: None,
        places,
        plan,
        ours,
        schema: schema.clone(),
        threads,
        rows: batch_rows,
    };
    Ok(BatchReader { schema, reading: Mutex::new(Some(reading)) })
}

/// The error, and the Python exception that caused it, if any.
type Stopped = (Failure, Option<PyErr>);

impl Reading {
    fn next_batch(&mut self) -> Option<Result<RecordBatch, Stopped>> {
        let (part, done) = loop {
            match self.pending.take() {
                Some((part, done)) if done < part.bodies.rows() => break (part, done),
                _ => match self.source.next()?.and_then(|array| self.part(&array)) {
                    Ok(part) => self.pending = Some((part, 0)),
                    Err(error) => return Some(Err((error.into(), None))),
                },
            }
        };
        let read = self.batch(&part, done);
        if let Ok(batch) = &read {
            self.pending = Some((part, done + batch.num_rows()));
        }
        Some(read)
    }

    /// Returns the required columns of an array.
    fn part(&self, array: &Incoming) -> Result<Part, ArrowError> {
        match &self.places {
            Some(places) => Part::of(array, places),
            None => Ok(Part { bodies: array.bytes(None)?, urls: None, kept: Vec::new() }),
        }
    }

    /// Returns a batch of the rows from `start` on.
    fn batch(&self, part: &Part, start: usize) -> Result<RecordBatch, Stopped> {
        let quiet = |failure: Failure| (failure, None);
        let end = part.bodies.rows().min(start.saturating_add(self.rows));
        let mut work = Work { bodies: Vec::new(), urls: Vec::new() };
        let read = part.bodies.read(start..end, &mut work.bodies);
        read.map_err(|why| quiet(Failure::Arrow(why)))?;
        let count = fitting(&work.bodies, LARGE_BATCH);
        work.bodies.truncate(count);
        if let Some(urls) = &part.urls {
            let read = urls.read(start..start + count, &mut work.urls);
            read.map_err(|why| quiet(Failure::Arrow(why)))?;
        }
        let mut interrupted = None;
        let mut go_on = || still_wanted(&mut interrupted);
        let read = reading::read(&work, &self.plan, &self.ours, self.threads, &mut go_on);
        let ours = read.map_err(|failure| (failure, interrupted))?;
        let kept = part.kept.iter().map(|column| column.slice(start, count));
        let columns: Vec<ArrayRef> = kept.chain(ours.columns().iter().cloned()).collect();
        RecordBatch::try_new(self.schema.clone(), columns).map_err(|error| quiet(error.into()))
    }
}

/// Returns how many rows, from the first on, have at most `bytes` bytes together; 1 if the first
/// row has more.
fn fitting(values: &[Option<&[u8]>], bytes: usize) -> usize {
    let mut size = 0_usize;
    let over = values.iter().position(|value| {
        size = size.saturating_add(value.map_or(0, <[u8]>::len));
        size > bytes
    });
    over.map_or(values.len(), |over| over.max(1))
}

/// Returns how many rows of a record batch of bytes or text, from the first on, form a piece: each
/// column has at most `bytes` bytes, or the piece has one row. A dictionary value counts in each
/// row that refers to it. Raises ValueError if the batch is invalid.
#[pyfunction]
pub(crate) fn fitting_rows(batch: &Bound<'_, PyAny>, bytes: usize) -> PyResult<usize> {
    let mut source = Source::of(batch)?;
    let field = source.field().clone();
    let (DataType::Struct(fields), Some(array)) = (field.data_type(), source.next()) else {
        return Err(PyTypeError::new_err("batch must be an Arrow record batch"));
    };
    let array = array.map_err(arrow_error)?;
    let mut fit = array.rows().map_err(arrow_error)?;
    for at in 0..fields.len() {
        let column = array.bytes(Some(at)).map_err(arrow_error)?;
        let mut values = Vec::new();
        let read = column.read(0..fit, &mut values);
        read.map_err(|why| failure(Failure::Arrow(why)))?;
        fit = fit.min(fitting(&values, bytes));
    }
    Ok(fit)
}

/// A reading as a stream of record batches, for the C stream interface.
struct Exported(Reading);

impl Iterator for Exported {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.0.next_batch()?;
        Some(batch.map_err(|(failed, error)| {
            let error = error.unwrap_or_else(|| failure(failed));
            ArrowError::ExternalError(error.to_string().replace('\0', "").into())
        }))
    }
}

impl RecordBatchReader for Exported {
    fn schema(&self) -> SchemaRef {
        self.0.schema.clone()
    }
}

#[pymethods]
impl BatchReader {
    /// The names and types of the columns.
    #[getter]
    fn schema(&self) -> Schema {
        Schema { schema: self.schema.clone() }
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        // The source may need Python on another thread, and another thread may wait here.
        let next = py.detach(|| {
            let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
            reading.as_mut().map(Reading::next_batch)
        });
        match next {
            None => Err(taken()),
            Some(None) => Ok(None),
            Some(Some(Ok(batch))) => Ok(Some(Batch { batch })),
            Some(Some(Err((_, Some(error))))) => Err(error),
            Some(Some(Err((failed, None)))) => Err(failure(failed)),
        }
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The types are always those of the table, as the interface permits.
        drop(requested_schema);
        let reading =
            py.detach(|| self.reading.lock().unwrap_or_else(PoisonError::into_inner).take());
        stream_capsule(py, Box::new(Exported(reading.ok_or_else(taken)?)))
    }
}

fn taken() -> PyErr {
    PyValueError::new_err("the stream was already taken; it can be read once")
}
