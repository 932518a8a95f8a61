//! The links of a document of any format, even an unknown one.

use std::borrow::Cow;

use agentsdisc_core::document::Links;
use agentsdisc_core::span::PositionCursor;
use pyo3::prelude::*;

use crate::input;
use crate::pickled::{Reduced, reduced};
use crate::secrets::masked;

/// A URL in a document.
#[pyclass(frozen, module = "agentsdisc", eq, hash, get_all)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Link {
    /// The URL as written. Only the escapes of JSON are decoded, such as `\/`, in a document that is
    /// JSON: neither percent-encoding, nor entities of HTML, nor escapes of Markdown.
    pub(crate) url: String,
    /// The name beside it: the key of the member, the text of a Markdown link, the relation of an
    /// HTML link, or the text before it on its line or in its string. Decoded like the URL. Empty if
    /// there is none.
    pub(crate) label: String,
    /// What it probably leads to, judged from URL and label: `mcp-endpoint`, `openapi`,
    /// `agent-card`, `llms-txt`, `ai-catalog`, `docs`, `contact`, `payment`,
    /// `license` or `other`.
    pub(crate) kind: Cow<'static, str>,
    /// Line, from 1.
    pub(crate) line: u32,
    /// Column in bytes, from 1.
    pub(crate) column: u32,
    /// Byte offset of the start, from 0.
    pub(crate) offset: u32,
    /// Byte offset of the end.
    pub(crate) end: u32,
}

#[pymethods]
impl Link {
    fn __repr__(&self) -> String {
        masked(
            &format!("<Link {} [{}] at {}:{}>", self.url, self.kind, self.line, self.column),
            None,
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let Self { url, label, kind, line, column, offset, end } = self;
        let attributes = (url, label, kind, line, column, offset, end);
        reduced("Link", attributes.into_pyobject(py)?)
    }
}

impl Link {
    /// Creates the value from the attributes in a pickle.
    pub(crate) fn restored(
        (url, label, kind, line, column, offset, end): (String, String, String, u32, u32, u32, u32),
    ) -> Self {
        Self { url, label, kind: kind.into(), line, column, offset, end }
    }
}

/// Returns the links in the bytes of any document.
pub(crate) fn of(bytes: &[u8]) -> Vec<Link> {
    let mut cursor = PositionCursor::new(bytes);
    Links::new(bytes)
        .map(|link| {
            let position = cursor.at(link.span.start as usize);
            Link {
                url: link.url.to_string(),
                label: link.label.to_string(),
                kind: link.kind.as_str().into(),
                line: position.line,
                column: position.column,
                offset: link.span.start,
                end: link.span.end,
            }
        })
        .collect()
}

/// Returns the http and https URLs of any document, known or not: a list of `Link`, in the order of
/// the document. A link states where something is; it never allows or denies a request.
#[pyfunction]
#[pyo3(signature = (data))]
pub(crate) fn links(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Vec<Link>> {
    let bytes = input::document_bytes(data)?;
    let slice: &[u8] = &bytes;
    Ok(input::unlocked(py, slice.len(), || of(slice)))
}
