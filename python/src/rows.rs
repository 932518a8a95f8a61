//! Many documents at once, one row each: what `agentsdisc ingest` writes.
//!
//! The work is done without the GIL and, where that is asked for, on several threads; only then are Python objects made, column by column.

use std::thread;

use agentsdisc_core::manifest::List;
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Hints, Limits as CoreLimits, ParseOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyDict, PyList};

use crate::diagnostic;
use crate::input::{Limits, document_bytes, error_message};

/// What is said of one document. An absent text or number is None in Python.
#[derive(Default)]
pub(crate) struct Row {
    /// Where it stood in JSON Lines, from 0, and the URL that was given there.
    pub(crate) line: u64,
    pub(crate) url: Option<String>,
    format: &'static str,
    status: &'static str,
    error_kind: Option<&'static str>,
    error_offset: Option<u64>,
    error_line: Option<u32>,
    error_column: Option<u32>,
    error_message: Option<String>,
    spec_version: Option<String>,
    kind: Option<&'static str>,
    service_name: Option<String>,
    service_url: Option<String>,
    service_description: Option<String>,
    capability_count: Option<u32>,
    agent_count: Option<u32>,
    errors: Option<u32>,
    warnings: Option<u32>,
    infos: Option<u32>,
    model: Option<String>,
    bytes: u64,
}

fn decoded(text: Option<Text<'_>>) -> Option<String> {
    text.map(|text| text.to_string())
}

fn count<T>(list: List<'_, T>) -> Option<u32> {
    u32::try_from(list.count()).ok()
}

impl Row {
    /// The row of something that is no document.
    pub(crate) fn invalid_record(why: String, size: usize) -> Self {
        Self {
            format: "unknown",
            status: "error",
            error_kind: Some("invalid-record"),
            error_message: Some(why),
            bytes: size as u64,
            ..Self::default()
        }
    }

    pub(crate) fn of(bytes: &[u8], url: Option<&str>, limits: CoreLimits) -> Self {
        let hints = Hints { url, content_type: None };
        let size = bytes.len() as u64;
        let document = match Document::parse_with(bytes, &ParseOptions { format: None, hints, limits }) {
            Ok(document) => document,
            Err(error) => {
                let position = error.position(bytes);
                return Self {
                    // What cannot be read may still be recognised. A document over the limit is not searched for signs.
                    format: if bytes.len() > limits.document_limit() {
                        "unknown"
                    } else {
                        agentsdisc_core::detect(bytes, hints).format.id()
                    },
                    status: "error",
                    error_kind: Some(error.kind.as_str()),
                    error_offset: Some(error.offset as u64),
                    error_line: Some(position.line),
                    error_column: Some(position.column),
                    error_message: Some(error_message(bytes, error)),
                    bytes: size,
                    ..Self::default()
                };
            }
        };
        let manifest = document.manifest();
        let (head, service) = (manifest.head(), manifest.service());
        let [errors, warnings, infos] = diagnostic::counts(&document, &mut Vec::new());
        let mut model = Vec::with_capacity(bytes.len());
        document.put_json(&mut |piece: &[u8]| model.extend_from_slice(piece));
        Self {
            format: manifest.format().id(),
            status: "ok",
            spec_version: decoded(head.spec_version),
            kind: Some(head.kind.as_str()),
            service_name: decoded(service.and_then(|service| service.name)),
            service_url: decoded(service.and_then(|service| service.url)),
            service_description: decoded(service.and_then(|service| service.description)),
            capability_count: count(manifest.capabilities()),
            agent_count: count(manifest.agents()),
            errors: Some(errors),
            warnings: Some(warnings),
            infos: Some(infos),
            model: Some(String::from_utf8(model).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())),
            bytes: size,
            ..Self::default()
        }
    }
}

macro_rules! columns {
    ($py:ident $rows:ident: $($name:ident)*) => {{
        let dict = PyDict::new($py);
        $(dict.set_item(stringify!($name), PyList::new($py, $rows.iter().map(|row| &row.$name))?)?;)*
        dict
    }};
}

/// The rows, column by column.
pub(crate) fn columns<'py>(py: Python<'py>, rows: &[Row]) -> PyResult<Bound<'py, PyDict>> {
    Ok(columns! { py rows:
        line url format status error_kind error_offset error_line error_column error_message spec_version kind service_name service_url
        service_description capability_count agent_count errors warnings infos model bytes
    })
}

/// Reads many documents, one row each, in order: a dict from column name to a list of values.
///
/// `urls` are hints for detection (URLs or paths), one for each body, None where there is none. Other Python threads run meanwhile; up to
/// `threads` threads share the work. A document that cannot be read is a row with the status `error`, never an exception.
#[pyfunction]
#[pyo3(signature = (bodies, urls=None, *, limits=None, threads=1))]
pub(crate) fn rows<'py>(
    py: Python<'py>,
    bodies: Vec<Bound<'py, PyAny>>,
    urls: Option<Vec<Option<String>>>,
    limits: Option<&Bound<'py, Limits>>,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let count = bodies.len();
    let urls = urls.unwrap_or_else(|| vec![None; count]);
    if urls.len() != count {
        return Err(PyValueError::new_err(format!("there are {count} bodies and {} urls", urls.len())));
    }
    let limits = Limits::core(limits.map(Bound::get));
    let bodies = bodies.iter().map(document_bytes).collect::<PyResult<Vec<PyBackedBytes>>>()?;
    let work: Vec<(&[u8], Option<&str>)> = bodies.iter().map(|body| &**body).zip(urls.iter().map(Option::as_deref)).collect();
    let rows = py.detach(|| read(&work, limits, threads));
    let columns = columns(py, &rows)?;
    // Only JSON Lines have these.
    columns.del_item("line")?;
    columns.del_item("url")?;
    Ok(columns)
}

/// The rows of all documents, in order.
fn read(work: &[(&[u8], Option<&str>)], limits: CoreLimits, threads: usize) -> Vec<Row> {
    let read_part = |part: &[(&[u8], Option<&str>)]| part.iter().map(|(bytes, url)| Row::of(bytes, *url, limits)).collect::<Vec<_>>();
    let size = work.len().div_ceil(threads.clamp(1, 256)).max(1);
    if size >= work.len() {
        return read_part(work);
    }
    thread::scope(|scope| {
        let parts: Vec<_> = work.chunks(size).map(|part| (part, thread::Builder::new().spawn_scoped(scope, || read_part(part)))).collect();
        let mut rows = Vec::with_capacity(work.len());
        for (part, started) in parts {
            // A thread that could not be started does not lose its part.
            let part = started.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| read_part(part));
            rows.extend(part);
        }
        rows
    })
}
