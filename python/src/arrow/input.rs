//! What comes in: bodies and URLs, as Arrow arrays of any kind of bytes or text, or as Python sequences.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use arrow_select::take::take;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyString};
use pyo3_arrow::ffi::ArrayReader;
use pyo3_arrow::input::AnyArray;

use crate::input::bytes_of;

/// The column that has the URLs where nobody names one.
const USUAL_URL: &str = "url";

/// A stream of arrays: of bodies, or of structs with a body among their columns.
pub(super) type Source = Box<dyn ArrayReader + Send>;

/// A value for each row, or none.
pub(super) enum Values {
    /// Of Arrow, without dictionaries.
    Arrow(Vec<ArrayRef>),
    /// Of Python: bodies that are held.
    Held(Vec<Option<PyBackedBytes>>),
    /// Of Python: texts.
    Texts(Vec<Option<String>>),
}

/// Whether the values of a type are bytes or text.
fn is_bytes(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_bytes(values),
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => true,
        // What polars and others make of a column in which nothing stands.
        DataType::Null => true,
        other => is_text(other),
    }
}

/// Whether the values of a type are text.
fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_text(values),
        other => matches!(
            other,
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null
        ),
    }
}

/// Says of a column that it holds what it must not.
fn wrong_type(what: &str, field: &Field, wanted: &str) -> PyErr {
    let name = if field.name().is_empty() {
        what.to_owned()
    } else {
        format!("{what} {:?}", field.name())
    };
    PyTypeError::new_err(format!(
        "the column of {name} holds {}; it must hold {wanted}",
        field.data_type()
    ))
}

/// Refuses a column of bodies that holds something else.
pub(super) fn must_be_bodies(field: &Field) -> PyResult<()> {
    if is_bytes(field.data_type()) {
        Ok(())
    } else {
        Err(wrong_type(
            "bodies",
            field,
            "bytes or text (binary, string, or a view of such)",
        ))
    }
}

/// Refuses a column of URLs that holds something else.
pub(super) fn must_be_urls(field: &Field) -> PyResult<()> {
    if is_text(field.data_type()) {
        Ok(())
    } else {
        Err(wrong_type("URLs", field, "text"))
    }
}

/// The same values without a dictionary.
pub(super) fn spelled_out(array: ArrayRef) -> Result<ArrayRef, ArrowError> {
    match array.as_any_dictionary_opt() {
        Some(dictionary) => take(dictionary.values().as_ref(), dictionary.keys(), None),
        None => Ok(array),
    }
}

/// Adds the values of all rows.
fn add_values<'a>(array: &'a dyn Array, to: &mut Vec<Option<&'a [u8]>>) {
    let bytes = |text: Option<&'a str>| text.map(str::as_bytes);
    match array.data_type() {
        DataType::Binary => to.extend(array.as_binary::<i32>()),
        DataType::LargeBinary => to.extend(array.as_binary::<i64>()),
        DataType::BinaryView => to.extend(array.as_binary_view()),
        DataType::FixedSizeBinary(_) => to.extend(array.as_fixed_size_binary()),
        DataType::Utf8 => to.extend(array.as_string::<i32>().iter().map(bytes)),
        DataType::LargeUtf8 => to.extend(array.as_string::<i64>().iter().map(bytes)),
        DataType::Utf8View => to.extend(array.as_string_view().iter().map(bytes)),
        _ => to.extend(std::iter::repeat_n(None, array.len())),
    }
}

impl Values {
    /// Of one array.
    pub(super) fn of(array: ArrayRef) -> Result<Self, ArrowError> {
        Ok(Self::Arrow(vec![spelled_out(array)?]))
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Arrow(chunks) => chunks.iter().map(|chunk| chunk.len()).sum(),
            Self::Held(bodies) => bodies.len(),
            Self::Texts(texts) => texts.len(),
        }
    }

    /// The bytes of every row.
    pub(super) fn slices(&self) -> Vec<Option<&[u8]>> {
        match self {
            Self::Arrow(chunks) => {
                let mut values = Vec::with_capacity(self.len());
                chunks
                    .iter()
                    .for_each(|chunk| add_values(chunk.as_ref(), &mut values));
                values
            }
            Self::Held(bodies) => bodies.iter().map(Option::as_deref).collect(),
            Self::Texts(texts) => texts
                .iter()
                .map(|text| text.as_deref().map(str::as_bytes))
                .collect(),
        }
    }
}

/// Whether an object speaks Arrow.
pub(super) fn is_arrow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.hasattr("__arrow_c_array__")? || object.hasattr("__arrow_c_stream__")?)
}

/// The arrays of an object that speaks Arrow.
pub(super) fn source(object: &Bound<'_, PyAny>) -> PyResult<Source> {
    let source =
        caught(|| object.extract::<AnyArray>()?.into_reader()).map_err(super::arrow_error)??;
    Ok(Box::new(Caught(source)))
}

/// Arrays as they come in.
struct Caught(Source);

impl Iterator for Caught {
    type Item = Result<ArrayRef, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        caught(|| self.0.next()).unwrap_or_else(|error| Some(Err(error)))
    }
}

impl ArrayReader for Caught {
    fn field(&self) -> FieldRef {
        self.0.field()
    }
}

/// Takes up an array. Arrow before version 60 panics at a struct in a struct of which only a part is handed over (apache/arrow-rs#7595).
fn caught<T>(take: impl FnOnce() -> T) -> Result<T, ArrowError> {
    catch_unwind(AssertUnwindSafe(take)).map_err(|_| {
        let why = "a column is a part of a struct with structs in it, which cannot be taken up; leave that column out, or copy it first (take of pyarrow does)";
        ArrowError::CDataInterface(why.to_owned())
    })
}

/// Bodies of a Python sequence.
pub(super) fn held(bodies: &Bound<'_, PyAny>) -> PyResult<Values> {
    let single = bodies.is_instance_of::<PyBytes>()
        || bodies.is_instance_of::<PyString>()
        || bodies.is_instance_of::<PyByteArray>()
        || bodies.is_instance_of::<PyMemoryView>()
        || bodies.is_instance_of::<PyDict>();
    let iterator = if single { None } else { bodies.try_iter().ok() };
    let Some(iterator) = iterator else {
        let name = bodies.get_type().fully_qualified_name()?;
        return Err(PyTypeError::new_err(format!(
            "bodies must be an Arrow array, table or stream, or a sequence of bytes, not {name} (one document alone is [document])"
        )));
    };
    let mut values = Vec::new();
    for (at, body) in iterator.enumerate() {
        let body = body?;
        values.push(if body.is_none() {
            None
        } else {
            Some(bytes_of(&body, || format!("bodies[{at}]"))?)
        });
    }
    Ok(Values::Held(values))
}

/// URLs: an Arrow array of texts, or a sequence of str.
pub(super) fn urls(object: &Bound<'_, PyAny>) -> PyResult<Values> {
    let py = object.py();
    if is_arrow(object)? {
        let source = source(object)?;
        must_be_urls(&source.field())?;
        return Ok(Values::Arrow(drained(py, source)?));
    }
    let wrong = || {
        PyTypeError::new_err("urls must be an Arrow array of texts or a sequence of str and None")
    };
    if object.is_instance_of::<PyString>() {
        return Err(wrong());
    }
    let mut texts = Vec::new();
    for url in object.try_iter().map_err(|_| wrong())? {
        let url = url?;
        texts.push(match url.cast::<PyString>() {
            Ok(text) => Some(text.to_string_lossy().into_owned()),
            Err(_) if url.is_none() => None,
            Err(_) => return Err(wrong()),
        });
    }
    Ok(Values::Texts(texts))
}

/// Every array of a stream. Whoever makes the stream may be Python on another thread, so this one lets go meanwhile.
pub(super) fn drained(py: Python<'_>, source: Source) -> PyResult<Vec<ArrayRef>> {
    py.detach(|| {
        source
            .map(|array| array.and_then(spelled_out))
            .collect::<Result<Vec<_>, _>>()
    })
    .map_err(super::arrow_error)
}

/// Which columns of a table are what.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub(super) body: usize,
    pub(super) url: Option<usize>,
    pub(super) kept: Vec<(usize, FieldRef)>,
}

/// The names by which the columns of a table are found.
pub(super) struct Names<'n> {
    pub(super) body: &'n str,
    /// None: the column of the usual name, if there is one.
    pub(super) url: Option<&'n str>,
    pub(super) keep: Vec<String>,
}

impl Places {
    /// Finds the columns, and refuses wrong ones.
    pub(super) fn find(fields: &[FieldRef], names: &Names<'_>) -> PyResult<Self> {
        let place = |name: &str| fields.iter().position(|field| field.name() == name);
        let missing = |name: &str| {
            let there: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
            PyValueError::new_err(format!(
                "there is no column {name:?}; the columns are: {}",
                there.join(", ")
            ))
        };
        let body = place(names.body).ok_or_else(|| missing(names.body))?;
        fields
            .get(body)
            .map_or(Ok(()), |field| must_be_bodies(field))?;
        let url = match names.url {
            Some(name) => Some(place(name).ok_or_else(|| missing(name))?),
            None => place(USUAL_URL),
        };
        if let Some(field) = url.and_then(|at| fields.get(at)) {
            must_be_urls(field)?;
        }
        let kept = names.keep.iter().map(|name| {
            let at = place(name).ok_or_else(|| missing(name))?;
            Ok((at, fields.get(at).ok_or_else(|| missing(name))?.clone()))
        });
        Ok(Self {
            body,
            url,
            kept: kept.collect::<PyResult<_>>()?,
        })
    }
}
