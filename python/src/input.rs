//! Input: documents, limits, format names; and the error for a document that cannot be read.

use std::borrow::Cow;

use agentsdisc_core::syntax::url::Url;
use agentsdisc_core::{
    Document, Error, Format, Hints, Limits as CoreLimits, Outline, ParseOptions,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PyString, PyTuple};

pyo3::create_exception!(
    agentsdisc,
    ParseError,
    PyValueError,
    "A document cannot be read.\n\nAttributes: kind (a stable name such as 'invalid-json'), offset (bytes from 0), line and column (from 1, the column in bytes)."
);

/// From this size on, releasing the GIL costs less than it gains.
pub(crate) const LARGE: usize = 16 << 10;

/// Runs `work`; releases the GIL if the work is large.
pub(crate) fn unlocked<T: Send>(py: Python<'_>, size: usize, work: impl FnOnce() -> T + Send) -> T {
    if size >= LARGE { py.detach(work) } else { work() }
}

/// The bytes of a document: borrowed from `bytes`, copied from all mutable types.
pub(crate) fn document_bytes(data: &Bound<'_, PyAny>) -> PyResult<PyBackedBytes> {
    bytes_of(data, || "data".to_owned())
}

/// Does the same for an argument with another name.
pub(crate) fn bytes_of(
    data: &Bound<'_, PyAny>,
    called: impl FnOnce() -> String,
) -> PyResult<PyBackedBytes> {
    let py = data.py();
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.clone().into());
    }
    if let Ok(text) = data.cast::<PyString>() {
        if let Ok(bytes) = text.encode_utf8() {
            return Ok(bytes.into());
        }
        // Unpaired surrogates have no UTF-8. They are passed on, so that the core reports their
        // position.
        let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
        return Ok(bytes.cast_into::<PyBytes>()?.into());
    }
    let Ok(view) = PyMemoryView::from(data) else {
        let name = data.get_type().fully_qualified_name()?;
        return Err(PyTypeError::new_err(format!(
            "{} must be bytes, bytearray, memoryview or str, not {name}",
            called()
        )));
    };
    // Not the buffer itself: bytes() also joins views with strides.
    let copy = py.get_type::<PyBytes>().call1((view,))?;
    Ok(copy.cast_into::<PyBytes>()?.into())
}

/// Converts a text that describes a document: its URL or media type.
///
/// Python represents file names that are not UTF-8 with unpaired surrogates. They become U+FFFD; no
/// name that detection looks for contains them.
pub(crate) fn words<'a>(text: Option<&'a Bound<'_, PyString>>) -> Option<Cow<'a, str>> {
    text.map(|text| text.to_string_lossy())
}

/// Validates an argument that is an origin. Without this check, the core would ignore an invalid
/// origin, or write it unchanged.
pub(crate) fn origin<'a>(text: Option<&'a Bound<'_, PyString>>) -> PyResult<Option<Cow<'a, str>>> {
    let origin = words(text);
    match &origin {
        Some(url) if Url::parse(url.as_bytes()).is_none() => Err(PyValueError::new_err(format!(
            "origin must be a URL such as https://example.com, not {url:?}"
        ))),
        _ => Ok(origin),
    }
}

/// Returns the format with this name. Raises ValueError unless the format can be parsed or is
/// `unknown`.
pub(crate) fn format(name: Option<&Bound<'_, PyString>>) -> PyResult<Option<Format>> {
    let Some(name) = words(name) else {
        return Ok(None);
    };
    match Format::from_id(&name).filter(|format| format.is_read() || *format == Format::Unknown) {
        Some(format) => Ok(Some(format)),
        None => {
            let known: Vec<_> = Format::ALL
                .iter()
                .filter(|format| format.is_read())
                .map(|format| format.id())
                .collect();
            Err(PyValueError::new_err(format!(
                "{name:?} is not a format that can be parsed; use one of: {}",
                known.join(", ")
            )))
        }
    }
}

/// The largest documents that are read.
///
/// Parsing fails with an error that names the exceeded limit; nothing is truncated silently.
/// Omitted arguments have their defaults.
#[pyclass(frozen, module = "agentsdisc", eq, hash, get_all)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Limits {
    /// Size of a document in bytes. Default 1 MiB.
    document: usize,
    /// Depth of JSON, YAML and Markdown, at most 256. Default 64.
    depth: usize,
    /// Length of a line in the text formats, in bytes. Default 64 KiB.
    line: usize,
    /// Number of bytes of a robots.txt to read. Default 500 KiB.
    robots: usize,
}

#[pymethods]
impl Limits {
    #[new]
    #[pyo3(signature = (*, document=1_048_576, depth=64, line=65_536, robots=512_000))]
    fn new(document: usize, depth: usize, line: usize, robots: usize) -> Self {
        Self { document, depth, line, robots }
    }

    fn __repr__(&self) -> String {
        format!(
            "Limits(document={}, depth={}, line={}, robots={})",
            self.document, self.depth, self.line, self.robots
        )
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("agentsdisc._agentsdisc")?.getattr("_limits")?;
        Ok((restore, (self.document, self.depth, self.line, self.robots).into_pyobject(py)?))
    }
}

/// Creates the limits from a pickle.
#[pyfunction]
#[pyo3(name = "_limits")]
pub(crate) fn restore_limits(document: usize, depth: usize, line: usize, robots: usize) -> Limits {
    Limits { document, depth, line, robots }
}

impl Limits {
    pub(crate) fn core(limits: Option<&Self>) -> CoreLimits {
        match limits {
            Some(limits) => CoreLimits {
                document: limits.document,
                depth: limits.depth,
                line: limits.line,
                robots: limits.robots,
            },
            None => CoreLimits::DEFAULT,
        }
    }
}

/// Parses; releases the GIL if the document is large.
pub(crate) fn parse(
    py: Python<'_>,
    bytes: &PyBackedBytes,
    format: Option<Format>,
    hints: Hints<'_>,
    limits: CoreLimits,
) -> PyResult<Outline> {
    let slice: &[u8] = bytes;
    if format == Some(Format::Unknown) {
        return Ok(*Document::unread(slice).outline());
    }
    let options = ParseOptions { format, hints, limits };
    let parsed = unlocked(py, slice.len(), || {
        Document::parse_with(slice, &options).map(|document| *document.outline())
    });
    parsed.map_err(|error| parse_error(py, slice, error))
}

fn parse_error(py: Python<'_>, bytes: &[u8], error: Error) -> PyErr {
    let raised = ParseError::new_err(error.explain(bytes).to_string());
    let position = error.position(bytes);
    let value = raised.value(py);
    let attributes = || {
        value.setattr("kind", error.kind.as_str())?;
        value.setattr("offset", error.offset)?;
        value.setattr("format", error.kind.format().id())?;
        value.setattr("line", position.line)?;
        value.setattr("column", position.column)
    };
    match attributes() {
        Ok(()) => raised,
        Err(failed) => failed,
    }
}
