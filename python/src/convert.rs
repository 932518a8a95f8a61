//! Documents in other formats, and agents.txt put right.

use std::borrow::Cow;

use agentsdisc_core::span::PositionCursor;
use agentsdisc_core::{ConvertError as CoreError, ConvertOptions, Document, Format};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::input::unlocked;
use crate::pickled::{Reduced, reduced};

pyo3::create_exception!(
    agentsdisc,
    ConvertError,
    PyValueError,
    "A document cannot be converted, or put right.\n\nThe attribute losses is a tuple of Loss: where the conversion was refused, those of severity error tell why."
);

/// One thing that did not carry over into another format as it is.
#[pyclass(frozen, module = "agentsdisc", eq, hash, get_all)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Loss {
    /// Which member of the unified model, such as `capabilities[0].parameters[1].default`. It stands for everything below it.
    path: String,
    /// Why: a stable name, such as `no-place`.
    reason: Cow<'static, str>,
    /// `error`, `warning` or `info`.
    severity: Cow<'static, str>,
    /// Line, from 1.
    line: u32,
    /// Column in bytes, from 1.
    column: u32,
    /// Offset in bytes of where it stands in the source, from 0.
    offset: u32,
    /// Offset after it.
    end: u32,
    /// What happened, in a sentence.
    message: String,
}

#[pymethods]
impl Loss {
    fn __repr__(&self) -> String {
        format!(
            "<Loss {} [{}] at {}:{}: {}>",
            self.severity, self.reason, self.line, self.column, self.path
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let Self {
            path,
            reason,
            severity,
            line,
            column,
            offset,
            end,
            message,
        } = self;
        reduced(
            "Loss",
            (path, reason, severity, line, column, offset, end, message).into_pyobject(py)?,
        )
    }
}

impl Loss {
    /// Of the attributes in a pickle.
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

/// One thing that was put right.
#[pyclass(frozen, module = "agentsdisc", eq, hash, get_all)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Change {
    /// What: a stable name, such as `indentation`.
    fix: Cow<'static, str>,
    /// The line, from 1.
    line: u32,
    /// What that is, in a sentence.
    message: Cow<'static, str>,
}

#[pymethods]
impl Change {
    fn __repr__(&self) -> String {
        format!("<Change [{}] in line {}>", self.fix, self.line)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduced(
            "Change",
            (&self.fix, self.line, &self.message).into_pyobject(py)?,
        )
    }
}

impl Change {
    /// Of the attributes in a pickle.
    pub(crate) fn restored((fix, line, message): (String, u32, String)) -> Self {
        Self {
            fix: fix.into(),
            line,
            message: message.into(),
        }
    }
}

/// What was found out about a conversion: the bytes or why there are none, and the losses in the order of the document.
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

/// An error with its losses.
fn error(py: Python<'_>, message: String, losses: Bound<'_, PyTuple>) -> PyErr {
    let raised = ConvertError::new_err(message);
    match raised.value(py).setattr("losses", losses) {
        Ok(()) => raised,
        Err(failed) => failed,
    }
}

/// The bytes and what goes with them, as the Python class of this name.
fn together<'py>(
    py: Python<'py>,
    class: &str,
    bytes: &[u8],
    others: Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("agentsdisc._written")?
        .getattr(class)?
        .call1((PyBytes::new(py, bytes), others))
}

/// The body of `Document.convert`.
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
    let Some(format) =
        Format::from_id(target).filter(|format| format.is_made_of(document.format()))
    else {
        let made = Format::ALL
            .iter()
            .filter(|format| format.is_made_of(document.format()))
            .map(|format| format.id());
        let made: Vec<_> = made.chain(["json"]).collect();
        let message = format!(
            "no {target:?} is made of a document of the format {}; these are: {}",
            document.format(),
            made.join(", ")
        );
        return Err(error(py, message, PyTuple::empty(py)));
    };
    let (result, losses) = unlocked(py, document.bytes().len(), || {
        converted(document, format, options)
    });
    let refusals = losses.iter().filter(|loss| loss.severity == "error");
    let why = refusals
        .map(|loss| format!("line {}: {}", loss.line, loss.message))
        .take(3)
        .collect::<Vec<_>>()
        .join("; ");
    let losses = PyTuple::new(
        py,
        losses
            .into_iter()
            .map(|loss| Bound::new(py, loss))
            .collect::<PyResult<Vec<_>>>()?,
    )?;
    match result {
        Ok(bytes) => together(py, "Converted", &bytes, losses),
        Err(problem) => Err(error(py, format!("{problem}: {why}"), losses)),
    }
}

/// The body of `Document.fix`.
pub(crate) fn fix<'py>(py: Python<'py>, document: &Document<'_>) -> PyResult<Bound<'py, PyAny>> {
    let fixed = unlocked(py, document.bytes().len(), || {
        let (mut bytes, mut changes) = (Vec::new(), Vec::new());
        let mut cursor = PositionCursor::new(document.bytes());
        let result = document.fix(
            &mut |piece: &[u8]| bytes.extend_from_slice(piece),
            |change| {
                let line = cursor.at(change.span.start as usize).line;
                changes.push(Change {
                    fix: change.fix.as_str().into(),
                    line,
                    message: change.fix.about().into(),
                });
            },
        );
        result.map(|_| (bytes, changes))
    });
    let (bytes, changes) = fixed.map_err(|problem| {
        error(
            py,
            format!("{problem}; this is {}", document.format()),
            PyTuple::empty(py),
        )
    })?;
    let changes = PyTuple::new(
        py,
        changes
            .into_iter()
            .map(|change| Bound::new(py, change))
            .collect::<PyResult<Vec<_>>>()?,
    )?;
    together(py, "Fixed", &bytes, changes)
}
