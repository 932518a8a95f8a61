//! `parse_batch`, and the record batch and schema that Python sees.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyTuple};

use super::bytes::ByteColumn;
use super::capsule::{Source, batch_capsules, is_arrow, schema_capsule};
use super::column::Failure;
use super::import::{Incoming, joined};
use super::input::{self, Names, Places, Values};
use super::reading::Work;
use super::rows::Plan;
use super::{failure, plan, reading, rows, thread_count};
use crate::input::Limits;

/// The table of many documents: an Arrow record batch with one row per document, in order.
///
/// It implements the Arrow PyCapsule interface: pyarrow.record_batch(batch),
/// polars.DataFrame(batch), DuckDB queries and others accept it without a copy.
#[pyclass(frozen, module = "agentsdisc")]
pub(crate) struct Batch {
    pub(super) batch: RecordBatch,
}

#[pymethods]
impl Batch {
    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    /// The number of columns.
    #[getter]
    fn num_columns(&self) -> usize {
        self.batch.num_columns()
    }

    /// The size in memory, in bytes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.batch.get_array_memory_size()
    }

    /// The names and types of the columns.
    #[getter]
    fn schema(&self) -> Schema {
        Schema { schema: self.batch.schema() }
    }

    /// Returns the rows as JSON Lines: one object per row, without absent values; JSON columns
    /// become JSON.
    fn to_json_lines<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let lines = py.detach(|| super::lines::lines(&self.batch));
        PyBytes::new(py, &lines)
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<Batch of {} rows, {} columns>", self.batch.num_rows(), self.batch.num_columns())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, self.batch.schema_ref())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // The types are always those of the table, as the interface permits.
        drop(requested_schema);
        batch_capsules(py, &self.batch)
    }
}

/// The names and types of columns. Implements the Arrow PyCapsule interface:
/// pyarrow.schema(schema).
#[pyclass(frozen, module = "agentsdisc")]
pub(crate) struct Schema {
    pub(super) schema: SchemaRef,
}

#[pymethods]
impl Schema {
    /// The names of the columns, in order.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// The metadata of the table: `agentsdisc.rows`, the version of the table; `agentsdisc.model`,
    /// that of the unified model; `agentsdisc.version`, that of this package.
    #[getter]
    fn metadata(&self) -> std::collections::HashMap<&str, &str> {
        self.schema.metadata().iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Schema of {} columns>", self.schema.fields().len())
    }

    fn __str__(&self) -> String {
        let mut text = String::new();
        self.schema.fields().iter().for_each(|field| describe(field, 0, &mut text));
        text
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }
}

/// One line for each column and each of its members.
fn describe(field: &Field, depth: usize, text: &mut String) {
    let (mut kind, mut lists) = (field.data_type(), String::new());
    let mut is_json = field.metadata().contains_key(super::column::CONTENT);
    while let DataType::List(item) = kind {
        lists.push_str("list of ");
        is_json |= item.metadata().contains_key(super::column::CONTENT);
        kind = item.data_type();
    }
    let name = match kind {
        DataType::Struct(_) => "struct".to_owned(),
        DataType::Utf8 if is_json => "string (JSON)".to_owned(),
        DataType::Utf8 => "string".to_owned(),
        DataType::Boolean => "bool".to_owned(),
        DataType::Float64 => "double".to_owned(),
        other => other.to_string().to_lowercase(),
    };
    text.push_str(&format!("{:indent$}{}: {lists}{name}\n", "", field.name(), indent = depth * 2));
    if let DataType::Struct(members) = kind {
        members.iter().for_each(|member| describe(member, depth + 1, text));
    }
}

/// Returns the columns that `parse_batch` creates with the same `columns` and `check`.
#[pyfunction]
#[pyo3(signature = (columns=None, *, check=true))]
pub(crate) fn batch_schema(columns: Option<Vec<String>>, check: bool) -> PyResult<Schema> {
    Ok(Schema { schema: rows::schema(&plan(columns, check, None)?.chosen).map_err(failure)? })
}

/// Parses many documents into an Arrow record batch with the unified model as typed columns: one
/// row per document, in order.
///
/// `bodies` is an Arrow array, chunked array, record batch, table or stream (any object with the
/// PyCapsule interface), or a sequence of bytes, str and None. In a table, `body` and `url` name
/// the columns with the documents and their URLs (None: `url` if the column exists), and the
/// columns in `keep` are copied to the output, before all others. `urls` has one text per body, a
/// hint for detection like `url` of `parse`.
///
/// `columns` selects columns, or members of them (`capabilities.id`); other columns are not created
/// and cost nothing. The default is all columns except `model` and `links`. With `check=False`, the default
/// omits the columns that need the check (`errors`, `warnings`, `infos`, `diagnostics`), which
/// costs up to three times as much as everything else. Releases the GIL, and uses up to `threads`
/// threads (None: one per processor). A document that is null, cannot be read or is larger than 256
/// MiB becomes a row with the status `error`, never an exception.
#[pyfunction]
#[pyo3(signature = (bodies, urls=None, *, columns=None, check=true, threads=None, limits=None, body="body", url=None, keep=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn parse_batch(
    py: Python<'_>,
    bodies: &Bound<'_, PyAny>,
    urls: Option<&Bound<'_, PyAny>>,
    columns: Option<Vec<String>>,
    check: bool,
    threads: Option<usize>,
    limits: Option<&Bound<'_, Limits>>,
    body: &str,
    url: Option<&str>,
    keep: Option<Vec<String>>,
) -> PyResult<Batch> {
    let (plan, threads) = (plan(columns, check, limits)?, thread_count(threads)?);
    let schema = rows::schema(&plan.chosen).map_err(failure)?;
    let names = Names { body, url, keep: keep.unwrap_or_default() };
    let given = urls.map(input::urls).transpose()?;
    let mut table = Table::take(bodies, &names)?;
    table.urls = given.or(table.urls);
    let kept: Vec<FieldRef> = table.kept.iter().map(|(field, _)| field.clone()).collect();
    check_names(&kept, &schema)?;
    let batch = table.read(py, &plan, &schema, threads)?;
    Ok(Batch { batch })
}

/// The columns to read or copy from one array of the input.
pub(super) struct Part {
    pub(super) bodies: ByteColumn,
    pub(super) urls: Option<ByteColumn>,
    pub(super) kept: Vec<ArrayRef>,
}

impl Part {
    pub(super) fn of(array: &Incoming, places: &Places) -> Result<Self, ArrowError> {
        Ok(Self {
            bodies: array.bytes(Some(places.body))?,
            urls: places.url.map(|at| array.bytes(Some(at))).transpose()?,
            kept: places.kept.iter().map(|(at, _)| array.column(*at)).collect::<Result<_, _>>()?,
        })
    }
}

/// The input of one batch.
struct Table {
    bodies: Values,
    urls: Option<Values>,
    kept: Vec<(FieldRef, Vec<ArrayRef>)>,
}

impl Table {
    fn take(bodies: &Bound<'_, PyAny>, names: &Names<'_>) -> PyResult<Self> {
        let py = bodies.py();
        if !is_arrow(bodies)? {
            no_columns(names)?;
            return Ok(Self { bodies: input::held(bodies)?, urls: None, kept: Vec::new() });
        }
        let source = Source::of(bodies)?;
        let field = source.field().clone();
        let DataType::Struct(fields) = field.data_type() else {
            no_columns(names)?;
            input::must_be_bodies(&field)?;
            let columns = input::drained(py, source, |array| array.bytes(None))?;
            return Ok(Self { bodies: Values::Arrow(columns), urls: None, kept: Vec::new() });
        };
        let places = Places::find(fields, names)?;
        let mut kept: Vec<(FieldRef, Vec<ArrayRef>)> =
            places.kept.iter().map(|(_, field)| (field.clone(), Vec::new())).collect();
        let (mut bodies, mut urls) = (Vec::new(), Vec::new());
        for part in input::drained(py, source, |array| Part::of(&array, &places))? {
            bodies.push(part.bodies);
            urls.extend(part.urls);
            kept.iter_mut().zip(part.kept).for_each(|((_, chunks), chunk)| chunks.push(chunk));
        }
        Ok(Self {
            bodies: Values::Arrow(bodies),
            urls: places.url.map(|_| Values::Arrow(urls)),
            kept,
        })
    }

    fn read(
        self,
        py: Python<'_>,
        plan: &Plan,
        schema: &SchemaRef,
        threads: usize,
    ) -> PyResult<RecordBatch> {
        let count = self.bodies.len();
        if let Some(urls) = self.urls.as_ref().map(Values::len).filter(|urls| *urls != count) {
            return Err(PyValueError::new_err(format!(
                "{count} bodies and {urls} urls; give one URL or None per body"
            )));
        }
        let mut interrupted = None;
        let bodies = &self.bodies;
        let urls = &self.urls;
        let kept = &self.kept;
        let read = py.detach(|| {
            let work = Work {
                bodies: bodies.slices()?,
                urls: urls.as_ref().map_or(Ok(Vec::new()), Values::slices)?,
            };
            let ours = reading::read(&work, plan, schema, threads, &mut || {
                still_wanted(&mut interrupted)
            })?;
            with_kept(kept, ours)
        });
        match (read, interrupted) {
            (_, Some(error)) => Err(error),
            (read, None) => read.map_err(failure),
        }
    }
}

/// Returns true unless a signal handler of Python raised; `interrupted` then holds the exception.
pub(super) fn still_wanted(interrupted: &mut Option<PyErr>) -> bool {
    match Python::attach(|py| py.check_signals()) {
        Ok(()) => true,
        Err(error) => {
            *interrupted = Some(error);
            false
        }
    }
}

/// Returns the copied columns, followed by those of the table.
fn with_kept(
    kept: &[(FieldRef, Vec<ArrayRef>)],
    ours: RecordBatch,
) -> Result<RecordBatch, Failure> {
    if kept.is_empty() {
        return Ok(ours);
    }
    let mut arrays = Vec::with_capacity(kept.len() + ours.num_columns());
    for (field, chunks) in kept {
        arrays.push(joined(chunks, field.data_type())?);
    }
    let fields: Vec<FieldRef> = kept.iter().map(|(field, _)| field.clone()).collect();
    arrays.extend_from_slice(ours.columns());
    Ok(RecordBatch::try_new(reading::behind(&fields, &ours.schema()), arrays)?)
}

/// Rejects names of columns to keep if the input has no columns.
pub(super) fn no_columns(names: &Names<'_>) -> PyResult<()> {
    match names.keep.first() {
        Some(name) => Err(PyValueError::new_err(format!(
            "`keep` names the column {name:?}, but `bodies` has no columns; pass a table"
        ))),
        None => Ok(()),
    }
}

/// Rejects a column that would appear twice.
pub(super) fn check_names(kept: &[FieldRef], schema: &SchemaRef) -> PyResult<()> {
    let twice = |field: &FieldRef, why| {
        Err(PyValueError::new_err(format!("duplicate column {:?}: {why}", field.name())))
    };
    for (at, field) in kept.iter().enumerate() {
        if schema.index_of(field.name()).is_ok() {
            return twice(field, "`keep` names it, and it is a column of the output");
        }
        if kept.iter().skip(at + 1).any(|other| other.name() == field.name()) {
            return twice(field, "`keep` names it twice");
        }
    }
    Ok(())
}
