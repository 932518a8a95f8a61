//! Converts a capability of the Agent Discovery Protocol to the HTTP request that calls it. Sends
//! nothing.

use agentsdisc_core::format::adp::{
    Adp, AdpCapability, Argument, ArgumentValue, RequestError as CoreError, RequestOptions,
    search_url,
};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document as CoreDocument, ErrorKind};
use pyo3::exceptions::{PyRecursionError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString};

use crate::document::Document;
use crate::input::unlocked;
use crate::views::Capability;

pyo3::create_exception!(
    agentsdisc,
    RequestError,
    PyValueError,
    "A URL or a request cannot be created.\n\nAttributes: kind (a stable name such as 'missing-argument') and parameter (the name of the parameter with the error, or None)."
);

/// The size of the first buffer; most requests are smaller.
const ROOM: usize = 2 << 10;

/// An argument: its name and its value, which is text or JSON.
struct Given {
    name: String,
    value: String,
    is_json: bool,
}

/// Returns the message of an error in an argument, quoted as the core does.
fn named(error: &CoreError<'_>, name: &str) -> String {
    format!("{}: `{}`", error.message(), name.escape_debug())
}

/// An error and its parameter, without a borrow of the documents.
struct Fault {
    kind: &'static str,
    message: String,
    parameter: Option<String>,
}

impl Fault {
    fn new(error: &CoreError<'_>, arguments: &[Given]) -> Self {
        let name = |index: usize| arguments.get(index).map(|argument| argument.name.clone());
        let parameter = match *error {
            CoreError::MissingArgument(name)
            | CoreError::UnplacedParameter(name)
            | CoreError::Placeholder(name) => Some(name.chars().collect()),
            CoreError::UnknownArgument(index)
            | CoreError::RepeatedArgument(index)
            | CoreError::UnplacedArgument(index)
            | CoreError::InvalidArgument(index) => name(index),
            _ => None,
        };
        let message = match &parameter {
            // The core identifies arguments by index, callers by name.
            Some(name)
                if !matches!(
                    error,
                    CoreError::MissingArgument(_)
                        | CoreError::UnplacedParameter(_)
                        | CoreError::Placeholder(_)
                ) =>
            {
                named(error, name)
            }
            _ => error.to_string(),
        };
        Self { kind: error.as_str(), message, parameter }
    }

    /// An argument whose value is not valid JSON.
    fn value(name: &str, why: &str) -> Self {
        let error = CoreError::InvalidArgument(0);
        Self {
            kind: error.as_str(),
            message: format!("{} ({why})", named(&error, name)),
            parameter: Some(name.to_owned()),
        }
    }

    fn raise(self, py: Python<'_>) -> PyErr {
        let raised = RequestError::new_err(self.message);
        let value = raised.value(py);
        match value
            .setattr("kind", self.kind)
            .and_then(|()| value.setattr("parameter", self.parameter))
        {
            Ok(()) => raised,
            Err(failed) => failed,
        }
    }
}

/// Writes into a buffer that grows until the result fits.
fn grown<'a, T>(
    mut make: impl FnMut(&mut [u8]) -> Result<T, CoreError<'a>>,
) -> Result<T, CoreError<'a>> {
    let mut buffer = vec![0; ROOM];
    loop {
        match make(&mut buffer) {
            Err(CoreError::BufferTooSmall { needed }) if needed > buffer.len() => {
                buffer.resize(needed, 0)
            }
            made => return made,
        }
    }
}

/// Returns the typed view of a manifest, or an error for other formats.
fn manifest<'a>(document: &CoreDocument<'a>) -> PyResult<Adp<'a>> {
    document.adp().ok_or_else(|| {
        PyValueError::new_err(format!("the document has the format {}, not adp", document.format()))
    })
}

/// Returns the typed view of a detail, or an error for other formats.
fn capability<'a>(detail: &CoreDocument<'a>) -> PyResult<AdpCapability<'a>> {
    detail.adp_capability().ok_or_else(|| {
        PyValueError::new_err(format!(
            "the detail has the format {}, not adp-capability",
            detail.format()
        ))
    })
}

/// Returns the JSON text of a Python object, as Python's `json` module writes it.
fn json(py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let options = PyDict::new(py);
    options.set_item("ensure_ascii", false)?;
    options.set_item("allow_nan", false)?;
    options.set_item("separators", (",", ":"))?;
    let written = py.import("json")?.getattr("dumps")?.call((value,), Some(&options));
    let written = written.and_then(|text| text.extract::<String>());
    written.map_err(|error| {
        let raised = if error.is_instance_of::<PyTypeError>(py) {
            PyTypeError::new_err(format!(
                "the argument `{}` cannot be converted to JSON: {}",
                name.escape_debug(),
                error.value(py)
            ))
        } else if error.is_instance_of::<PyValueError>(py)
            || error.is_instance_of::<PyRecursionError>(py)
        {
            Fault::value(name, &error.value(py).to_string()).raise(py)
        } else {
            return error;
        };
        raised.set_cause(py, Some(error));
        raised
    })
}

/// The arguments of a call.
fn given(arguments: &Bound<'_, PyMapping>) -> PyResult<Vec<Given>> {
    let py = arguments.py();
    let mut all = Vec::new();
    for pair in arguments.items()? {
        let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        let Ok(name) = name.cast::<PyString>() else {
            return Err(PyTypeError::new_err(format!(
                "the names of arguments must be str, not {}",
                name.get_type().fully_qualified_name()?
            )));
        };
        let Ok(plain) = name.to_str() else {
            // Unpaired surrogates cannot be in a document.
            let name = name.to_string_lossy().into_owned();
            return Err(Fault::new(
                &CoreError::UnknownArgument(0),
                &[Given { name, value: String::new(), is_json: false }],
            )
            .raise(py));
        };
        let (value, is_json) = match value.cast::<PyString>() {
            Ok(text) => (
                text.to_str()
                    .map_err(|_| Fault::value(plain, "its value is not valid Unicode").raise(py))?
                    .to_owned(),
                false,
            ),
            Err(_) => (json(py, plain, &value)?, true),
        };
        all.push(Given { name: plain.to_owned(), value, is_json });
    }
    Ok(all)
}

/// A request without borrows.
struct Made {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

/// Returns the arguments as the core reads them.
fn parsed(given: &[Given]) -> Result<Vec<Argument<'_>>, Fault> {
    let mut arguments = Vec::with_capacity(given.len());
    for Given { name, value, is_json } in given {
        let value = if *is_json {
            let value = Value::parse(value.as_bytes());
            ArgumentValue::Json(value.map_err(|error| match error.kind {
                ErrorKind::TooDeep => Fault::value(name, "its value nests too deep"),
                other => Fault::value(name, other.message()),
            })?)
        } else {
            ArgumentValue::Text(value)
        };
        arguments.push(Argument { name, value });
    }
    Ok(arguments)
}

fn make<'a>(
    manifest: &Adp<'a>,
    detail: &AdpCapability<'a>,
    given: &[Given],
    options: &RequestOptions<'_>,
) -> Result<Made, Fault> {
    let arguments = parsed(given)?;
    let made = grown(|buffer| {
        let request = manifest.request(detail, &arguments, options, buffer)?;
        Ok(Made {
            method: request.method.to_owned(),
            url: request.url.to_owned(),
            headers: request
                .headers
                .map(|header| (header.name.to_owned(), header.value.to_owned()))
                .collect(),
            body: request.body.map(|body| body.as_bytes().to_vec()),
        })
    });
    made.map_err(|error| Fault::new(&error, given))
}

/// Implements `Document.request`.
pub(crate) fn request<'py>(
    py: Python<'py>,
    manifest_of: &Document,
    detail: &Document,
    arguments: Option<&Bound<'py, PyMapping>>,
    (token, origin): (Option<&Bound<'py, PyString>>, Option<&Bound<'py, PyString>>),
    how: RequestOptions<'static>,
) -> PyResult<Bound<'py, PyAny>> {
    let (base, detail) = (manifest_of.base().document(), detail.base().document());
    let service = manifest(&base)?;
    let capability = capability(&detail)?;
    let arguments = arguments.map_or_else(|| Ok(Vec::new()), given)?;
    let token = token
        .map(|token| {
            token.to_str().map_err(|_| Fault::new(&CoreError::InvalidToken, &[]).raise(py))
        })
        .transpose()?;
    // Unpaired surrogates are in no URL: such an origin is as invalid as an empty one.
    let origin = origin.map(|origin| origin.to_str().unwrap_or_default());
    let mut options: RequestOptions<'_> = how;
    (options.token, options.origin) = (token, origin);
    // Every argument is looked up in the whole detail.
    let size = detail.bytes().len().saturating_mul(arguments.len().saturating_add(1));
    let made = unlocked(py, size, || make(&service, &capability, &arguments, &options))
        .map_err(|fault| fault.raise(py))?;
    let headers = PyDict::new(py);
    for (name, value) in &made.headers {
        // Names are unique: the core rejects duplicates.
        headers.set_item(name, value)?;
    }
    let body = made.body.map(|body| PyBytes::new(py, &body));
    py.import("agentsdisc._formats")?.getattr("Request")?.call1((
        made.method,
        made.url,
        headers,
        body,
    ))
}

/// Implements `Document.constant_headers`.
pub(crate) fn constant_headers<'py>(
    py: Python<'py>,
    manifest_of: &Document,
    detail: &Document,
) -> PyResult<Bound<'py, PyDict>> {
    let (base, detail) = (manifest_of.base().document(), detail.base().document());
    let headers = PyDict::new(py);
    for (name, value) in manifest(&base)?.constant_headers(&capability(&detail)?) {
        let text = |text: Text<'_>| text.chars().collect::<String>();
        headers.set_item(text(name), text(value))?;
    }
    Ok(headers)
}

/// Implements `Document.detail_url`.
pub(crate) fn detail_url(
    py: Python<'_>,
    document: &Document,
    capability: &Bound<'_, PyAny>,
    rfc3986: bool,
    arguments: Option<&Bound<'_, PyMapping>>,
) -> PyResult<Option<String>> {
    let document = document.base().document();
    let manifest = manifest(&document)?;
    let reference = if capability.is_instance_of::<Capability>() {
        capability.getattr("detail_url")?
    } else {
        capability.clone()
    };
    if reference.is_none() && capability.is_instance_of::<Capability>() {
        return Ok(None);
    }
    let Ok(reference) = reference.cast::<PyString>() else {
        let name = reference.get_type().fully_qualified_name()?;
        return Err(PyTypeError::new_err(format!(
            "capability must be a Capability or str, not {name}"
        )));
    };
    let arguments = arguments.map_or_else(|| Ok(Vec::new()), given)?;
    let raise = |error: &CoreError<'_>| Fault::new(error, &arguments).raise(py);
    let filled = parsed(&arguments).map_err(|fault| fault.raise(py))?;
    let reference = Text::plain(
        reference.to_str().map_err(|_| raise(&CoreError::InvalidReference))?.as_bytes(),
    );
    let made = grown(|buffer| {
        let made = manifest.resolve_filled(reference, &filled, rfc3986, buffer);
        made.map(str::to_owned)
    });
    made.map(Some).map_err(|error| raise(&error))
}

/// Returns the URL that searches a registry of the Agent Discovery Protocol for services (section
/// 6).
///
/// `registry` is its URL and `words` are the search words. Raises RequestError if `registry` is not
/// a valid http(s) URL.
#[pyfunction]
pub(crate) fn adp_search_url(py: Python<'_>, registry: &str, words: &str) -> PyResult<String> {
    let made = grown(|buffer| search_url(registry, words, buffer).map(str::to_owned));
    // The core's message mentions the base_url of a manifest, which does not apply here.
    made.map_err(|error| match error {
        CoreError::InvalidBaseUrl => Fault {
            kind: error.as_str(),
            message: "the registry is not a valid http(s) URL".to_owned(),
            parameter: None,
        }
        .raise(py),
        error => Fault::new(&error, &[]).raise(py),
    })
}
