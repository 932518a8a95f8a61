//! Converts documents to other formats, and fixes agents.txt.

use std::borrow::Cow;

use agentsdisc_core::span::PositionCursor;
use agentsdisc_core::{ConvertError as CoreError, ConvertOptions, Document, Format};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::input::unlocked;
use crate::pickled::{Reduced, reduced};
use crate::secrets::masked;

pyo3::create_exception!(
    agentsdisc,
    ConvertError,
    PyValueError,
    "A document cannot be converted or fixed.\n\nThe attribute losses is a tuple of Loss: if the conversion was refused, those of severity error state why."
);

/// One value that a conversion lost or changed.
#[pyclass(frozen, module = "agentsdisc", eq, hash, get_all)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Loss {
    /// The member of the unified model, such as `capabilities[0].parameters[1].default`; includes
    /// everything below it.
    path: String,
    /// The reason: a stable name, such as `no-place`.
    reason: Cow<'static, str>,
    /// `error`, `warning` or `info`.
    severity: Cow<'static, str>,
    /// Line, from 1.
    line: u32,
    /// Column in bytes, from 1.
    column: u32,
    /// Byte offset of the value in the source, from 0.
    offset: u32,
    /// Byte offset after the value.
    end: u32,
    /// What was lost, in a sentence.
    message: String,
}

#[pymethods]
impl Loss {
    fn __repr__(&self) -> String {
        masked(
            &format!(
                "<Loss {} [{}] at {}:{}: {}>",
                self.severity, self.reason, self.line, self.column, self.path
            ),
            None,
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let Self { path, reason, severity, line, column, offset, end, message } = self;
        reduced(
            "Loss",
            (path, reason, severity, line, column, offset, end, message).into_pyobject(py)?,
        )
    }
}

impl Loss {
    /// Creates the value from the attributes in a pickle.
    #[allow(clippy::type_complexity)]
    pub(crate) fn restored(
        attributes: (String, String, String, u32, u32, u32, u32, String),
    ) -> Self {
        let (path, reason, severity, line, column, offset, end, message) = attributes;
        Self {
            path,
            reason: reason.into(),
            severity: severity.into(),
            line,
            column,
            offset,
            end,
            message,
        }
    }
}

/// One automatic fix.
#[pyclass(frozen, module = "agentsdisc", eq, hash, get_all)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Change {
    /// The fix: a stable name, such as `indentation`.
    fix: Cow<'static, str>,
    /// The line, from 1.
    line: u32,
    /// What was fixed, in a sentence.
    message: Cow<'static, str>,
}

#[pymethods]
impl Change {
    fn __repr__(&self) -> String {
        format!("<Change [{}] in line {}>", self.fix, self.line)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduced("Change", (&self.fix, self.line, &self.message).into_pyobject(py)?)
    }
}

impl Change {
    /// Creates the value from the attributes in a pickle.
    pub(crate) fn restored((fix, line, message): (String, u32, String)) -> Self {
        Self { fix: fix.into(), line, message: message.into() }
    }
}

/// The result of a conversion: the bytes or an error, and the losses in the order of the document.
type Outcome = (Result<Vec<u8>, CoreError>, Vec<Loss>);

fn converted(document: &Document<'_>, target: Format, options: &ConvertOptions<'_>) -> Outcome {
    let (mut bytes, mut losses) = (Vec::new(), Vec::new());
    let result = document.convert(
        target,
        options,
        &mut |piece: &[u8]| bytes.extend_from_slice(piece),
        |loss| {
            losses.push(Loss {
                path: loss.path.to_string(),
                reason: loss.reason.as_str().into(),
                severity: loss.severity.as_str().into(),
                line: 0,
                column: 0,
                offset: loss.span.start,
                end: loss.span.end,
                message: loss.to_string(),
            });
        },
    );
    losses.sort_by_key(|loss| (loss.offset, loss.end));
    let mut cursor = PositionCursor::new(document.bytes());
    for loss in &mut losses {
        let position = cursor.at(loss.offset as usize);
        (loss.line, loss.column) = (position.line, position.column);
    }
    (result.map(|_| bytes), losses)
}

/// Creates a ConvertError with these losses.
fn error(py: Python<'_>, message: String, losses: Bound<'_, PyTuple>) -> PyErr {
    let raised = ConvertError::new_err(message);
    match raised.value(py).setattr("losses", losses) {
        Ok(()) => raised,
        Err(failed) => failed,
    }
}

/// Creates an object of the Python class `class` from the bytes and `others`, which are losses or
/// changes.
fn together<'py>(
    py: Python<'py>,
    class: &str,
    bytes: &[u8],
    others: Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("agentsdisc._written")?.getattr(class)?.call1((PyBytes::new(py, bytes), others))
}

/// Implements `Document.convert`.
pub(crate) fn convert<'py>(
    py: Python<'py>,
    document: &Document<'_>,
    target: &str,
    options: &ConvertOptions<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    if target == "json" {
        let mut bytes = Vec::new();
        document.put_json(&mut |piece: &[u8]| bytes.extend_from_slice(piece));
        return together(py, "Converted", &bytes, PyTuple::empty(py));
    }
    let format = document
        .format()
        .target(target)
        .map_err(|problem| error(py, problem.to_string(), PyTuple::empty(py)))?;
    let (result, losses) =
        unlocked(py, document.bytes().len(), || converted(document, format, options));
    let refusals = losses.iter().filter(|loss| loss.severity == "error");
    let why = refusals
        .map(|loss| format!("line {}: {}", loss.line, loss.message))
        .take(3)
        .collect::<Vec<_>>()
        .join("; ");
    let losses = PyTuple::new(
        py,
        losses.into_iter().map(|loss| Bound::new(py, loss)).collect::<PyResult<Vec<_>>>()?,
    )?;
    match result {
        Ok(bytes) => together(py, "Converted", &bytes, losses),
        Err(problem) if why.is_empty() => Err(error(py, problem.to_string(), losses)),
        Err(problem) => Err(error(py, format!("{problem}: {why}"), losses)),
    }
}

/// Implements `Document.fix`.
pub(crate) fn fix<'py>(py: Python<'py>, document: &Document<'_>) -> PyResult<Bound<'py, PyAny>> {
    let fixed = unlocked(py, document.bytes().len(), || {
        let (mut bytes, mut changes) = (Vec::new(), Vec::new());
        let mut cursor = PositionCursor::new(document.bytes());
        let result = document.fix(&mut |piece: &[u8]| bytes.extend_from_slice(piece), |change| {
            let line = cursor.at(change.span.start as usize).line;
            changes.push(Change {
                fix: change.fix.as_str().into(),
                line,
                message: change.fix.about().into(),
            });
        });
        result.map(|_| (bytes, changes))
    });
    let (bytes, changes) = fixed.map_err(|problem| {
        error(py, format!("{problem}; this is {}", document.format()), PyTuple::empty(py))
    })?;
    let changes = PyTuple::new(
        py,
        changes.into_iter().map(|change| Bound::new(py, change)).collect::<PyResult<Vec<_>>>()?,
    )?;
    together(py, "Fixed", &bytes, changes)
}
