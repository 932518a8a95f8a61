//! Input: bodies and URLs, as Arrow arrays of bytes or text, or as Python sequences.

use arrow_schema::{DataType, Field, FieldRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyString};

use super::bytes::{ByteColumn, as_bytes};
use super::capsule::{Source, is_arrow};
use super::column::Failure;
use super::import::Incoming;
use crate::input::bytes_of;

/// The default column of URLs.
const USUAL_URL: &str = "url";

/// An optional value per row.
pub(super) enum Values {
    /// From Arrow.
    Arrow(Vec<ByteColumn>),
    /// From Python: bodies with their references.
    Held(Vec<Option<PyBackedBytes>>),
    /// From Python: texts.
    Texts(Vec<Option<String>>),
}

/// Returns true if the values of a type are text.
fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_text(values),
        other => matches!(
            other,
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null
        ),
    }
}

/// Returns the error for a column of the wrong type.
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

/// Rejects a column of bodies that does not hold bytes or text.
pub(super) fn must_be_bodies(field: &Field) -> PyResult<()> {
    if as_bytes(field.data_type()).is_some() {
        Ok(())
    } else {
        Err(wrong_type("bodies", field, "bytes or text (binary, string, or a view of such)"))
    }
}

/// Rejects a column of URLs that does not hold text.
pub(super) fn must_be_urls(field: &Field) -> PyResult<()> {
    if is_text(field.data_type()) && as_bytes(field.data_type()).is_some() {
        Ok(())
    } else {
        Err(wrong_type("URLs", field, "text"))
    }
}

impl Values {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Arrow(chunks) => {
                chunks.iter().fold(0, |rows, chunk| rows.saturating_add(chunk.rows()))
            }
            Self::Held(bodies) => bodies.len(),
            Self::Texts(texts) => texts.len(),
        }
    }

    /// Returns the bytes of every row. Those from Arrow are checked.
    pub(super) fn slices(&self) -> Result<Vec<Option<&[u8]>>, Failure> {
        let mut values = Vec::new();
        let room = values.try_reserve_exact(self.len());
        room.map_err(|_| Failure::TooMuch)?;
        match self {
            Self::Arrow(chunks) => {
                for chunk in chunks {
                    let read = chunk.read(0..chunk.rows(), &mut values);
                    read.map_err(Failure::Arrow)?;
                }
            }
            Self::Held(bodies) => values.extend(bodies.iter().map(Option::as_deref)),
            Self::Texts(texts) => {
                values.extend(texts.iter().map(|text| text.as_deref().map(str::as_bytes)))
            }
        }
        Ok(values)
    }
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
        let source = Source::of(object)?;
        must_be_urls(source.field())?;
        let columns = drained(py, source, |array| array.bytes(None))?;
        return Ok(Values::Arrow(columns));
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

/// Calls `read` with every array of a stream. Releases the GIL, because the producer may need
/// Python on another thread.
pub(super) fn drained<T: Send>(
    py: Python<'_>,
    source: Source,
    read: impl Fn(Incoming) -> Result<T, arrow_schema::ArrowError> + Sync,
) -> PyResult<Vec<T>> {
    py.detach(|| source.map(|array| array.and_then(&read)).collect::<Result<_, _>>())
        .map_err(super::arrow_error)
}

/// The indices of the columns of a table that are read.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub(super) body: usize,
    pub(super) url: Option<usize>,
    pub(super) kept: Vec<(usize, FieldRef)>,
}

/// The names of the columns of a table that are read.
pub(super) struct Names<'n> {
    pub(super) body: &'n str,
    /// None: the column `url`, if there is one.
    pub(super) url: Option<&'n str>,
    pub(super) keep: Vec<String>,
}

impl Places {
    /// Finds the columns. Rejects missing ones and those of the wrong type.
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
        fields.get(body).map_or(Ok(()), |field| must_be_bodies(field))?;
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
        Ok(Self { body, url, kept: kept.collect::<PyResult<_>>()? })
    }
}
