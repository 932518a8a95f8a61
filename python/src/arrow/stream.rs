//! `parse_stream`: a stream of documents in, a stream of record batches out, in bounded memory.

use std::sync::{Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, FieldRef, SchemaRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::ffi::{ArrayReader, to_schema_pycapsule, to_stream_pycapsule};

use super::batch::{
    Batch, Schema, check_names, no_columns, read_values, still_wanted, struct_field,
};
use super::column::Failure;
use super::input::{self, Names, Places, Source, Values};
use super::rows::Plan;
use super::{failure, plan, reading, rows, thread_count};
use crate::input::Limits;

/// A batch ends with the document that makes it this large.
const LARGE_BATCH: usize = 64 << 20;

/// The tables of a stream of documents: an iterator of `Batch`, and a stream in Arrow's PyCapsule interface. It can be read once.
#[pyclass(frozen, module = "agentsdisc")]
pub(crate) struct BatchReader {
    schema: SchemaRef,
    /// None when somebody has taken it.
    reading: Mutex<Option<Reading>>,
}

/// A stream that is being read.
struct Reading {
    source: Source,
    /// What is left of the array that was taken last.
    pending: Option<ArrayRef>,
    places: Option<Places>,
    plan: Plan,
    /// Of our columns, without those that are passed on.
    ours: SchemaRef,
    /// Of everything.
    schema: SchemaRef,
    threads: usize,
    rows: usize,
}

/// Reads a stream of documents, and gives a stream of record batches: `parse_batch` for more than fits into memory.
///
/// `source` is anything with the Arrow PyCapsule interface. It is taken up batch by batch while the result is read, and never more is held than one
/// batch of the source and one of the result, which has at most `batch_rows` rows and ends with the document that fills 64 MiB. The other
/// arguments are those of `parse_batch`.
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
    if !input::is_arrow(source)? {
        let name = source.get_type().fully_qualified_name()?;
        return Err(PyTypeError::new_err(format!(
            "source must be an Arrow stream, table or array, not {name}"
        )));
    }
    let names = Names {
        body,
        url,
        keep: keep.unwrap_or_default(),
    };
    let ours = rows::schema(&plan.chosen).map_err(failure)?;
    let source = input::source(source)?;
    let field = source.field();
    let places = match field.data_type() {
        DataType::Struct(fields) => Some(Places::find(fields, &names)?),
        _ => {
            no_columns(&names)?;
            input::must_be_bodies(&field)?;
            None
        }
    };
    let kept: Vec<FieldRef> = places
        .iter()
        .flat_map(|places| &places.kept)
        .map(|(_, field)| field.clone())
        .collect();
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
    Ok(BatchReader {
        schema,
        reading: Mutex::new(Some(reading)),
    })
}

/// What went wrong, and the exception if Python was the one.
type Stopped = (Failure, Option<PyErr>);

impl Reading {
    fn next_batch(&mut self) -> Option<Result<RecordBatch, Stopped>> {
        let array = loop {
            match self.pending.take() {
                Some(array) if !array.is_empty() => break array,
                _ => match self.source.next()? {
                    Ok(array) => self.pending = Some(array),
                    Err(error) => return Some(Err((error.into(), None))),
                },
            }
        };
        Some(self.batch(array))
    }

    fn batch(&mut self, array: ArrayRef) -> Result<RecordBatch, Stopped> {
        let quiet = |error: ArrowError| (Failure::from(error), None);
        let count = self.fitting(&array).map_err(quiet)?;
        let part = array.slice(0, count);
        if count < array.len() {
            self.pending = Some(array.slice(count, array.len() - count));
        }
        let column = |at: usize| {
            part.as_struct_opt()
                .and_then(|table| table.columns().get(at))
                .cloned()
        };
        let missing = || {
            ArrowError::SchemaError(
                "a batch of the stream is not what the stream has said".to_owned(),
            )
        };
        let (body, url) = match &self.places {
            Some(places) => (
                column(places.body),
                places
                    .url
                    .map(|at| column(at).ok_or_else(missing))
                    .transpose()
                    .map_err(quiet)?,
            ),
            None => (Some(part.clone()), None),
        };
        let bodies = Values::of(body.ok_or_else(missing).map_err(quiet)?).map_err(quiet)?;
        let urls = url.map(Values::of).transpose().map_err(quiet)?;
        let mut interrupted = None;
        let read = read_values(
            &bodies,
            urls.as_ref(),
            &self.plan,
            &self.ours,
            self.threads,
            &mut || still_wanted(&mut interrupted),
        );
        let ours = read.map_err(|failure| (failure, interrupted))?;
        let kept = self
            .places
            .iter()
            .flat_map(|places| &places.kept)
            .map(|(at, _)| column(*at));
        let arrays: Option<Vec<ArrayRef>> = kept
            .chain(ours.columns().iter().cloned().map(Some))
            .collect();
        RecordBatch::try_new(
            self.schema.clone(),
            arrays.ok_or_else(missing).map_err(quiet)?,
        )
        .map_err(quiet)
    }

    /// How many rows of an array make a batch.
    fn fitting(&self, array: &ArrayRef) -> Result<usize, ArrowError> {
        let rows = array.len().min(self.rows);
        let part = array.slice(0, rows);
        let body = match &self.places {
            Some(places) => part
                .as_struct_opt()
                .and_then(|table| table.columns().get(places.body))
                .cloned(),
            None => Some(part),
        };
        let Some(body) = body else { return Ok(rows) };
        let values = Values::of(body)?;
        let mut size = 0;
        let large = values.slices().iter().position(|body| {
            size += body.map_or(0, <[u8]>::len);
            size >= LARGE_BATCH
        });
        Ok(large.map_or(rows, |last| last + 1))
    }
}

/// A reading as a stream of struct arrays, for the C stream interface.
struct Exported(Reading);

impl Iterator for Exported {
    type Item = Result<ArrayRef, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.0.next_batch()?;
        Some(
            batch
                .map(|batch| std::sync::Arc::new(StructArray::from(batch)) as ArrayRef)
                .map_err(|(failed, error)| {
                    let error = error.unwrap_or_else(|| failure(failed));
                    ArrowError::ExternalError(error.to_string().replace('\0', "").into())
                }),
        )
    }
}

impl ArrayReader for Exported {
    fn field(&self) -> FieldRef {
        struct_field(&self.0.schema)
    }
}

#[pymethods]
impl BatchReader {
    /// The columns' names and types.
    #[getter]
    fn schema(&self) -> Schema {
        Schema {
            schema: self.schema.clone(),
        }
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        // The source may need Python on another thread, and another thread may be waiting here.
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
        Ok(to_schema_pycapsule(py, self.schema.as_ref())?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let reading = py.detach(|| {
            self.reading
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take()
        });
        let reading = reading.ok_or_else(taken)?;
        Ok(to_stream_pycapsule(
            py,
            Box::new(Exported(reading)),
            requested_schema,
        )?)
    }
}

fn taken() -> PyErr {
    PyValueError::new_err("the stream has been taken by somebody else; it can be read once")
}
