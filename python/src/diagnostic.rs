//! The diagnostics of the check of a document.

use std::borrow::Cow;

use agentsdisc_core::span::PositionCursor;
use agentsdisc_core::{CheckOptions, Document, Severity};
use pyo3::prelude::*;

use crate::pickled::{Reduced, reduced};
use crate::secrets::masked;

/// One problem that the check of a document found.
#[pyclass(frozen, module = "agentsdisc", eq, hash, get_all)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Diagnostic {
    /// The code: a stable name, such as `missing-required-field`.
    pub(crate) code: Cow<'static, str>,
    /// `error`, `warning` or `info`.
    pub(crate) severity: Cow<'static, str>,
    /// Line, from 1.
    pub(crate) line: u32,
    /// Column in bytes, from 1.
    pub(crate) column: u32,
    /// Byte offset of the start, from 0.
    pub(crate) offset: u32,
    /// Byte offset of the end.
    pub(crate) end: u32,
    /// The problem, in a sentence.
    pub(crate) message: String,
    /// The specification that states the rule.
    pub(crate) spec: Cow<'static, str>,
    /// The section of that specification; empty if none applies.
    pub(crate) section: Cow<'static, str>,
}

#[pymethods]
impl Diagnostic {
    fn __repr__(&self) -> String {
        masked(
            &format!(
                "<Diagnostic {} [{}] at {}:{}: {}>",
                self.severity, self.code, self.line, self.column, self.message
            ),
            None,
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let Self { code, severity, line, column, offset, end, message, spec, section } = self;
        reduced(
            "Diagnostic",
            (code, severity, line, column, offset, end, message, spec, section)
                .into_pyobject(py)?,
        )
    }
}

impl Diagnostic {
    /// Creates the value from the attributes in a pickle.
    #[allow(clippy::type_complexity)]
    pub(crate) fn restored(
        attributes: (String, String, u32, u32, u32, u32, String, String, String),
    ) -> Self {
        let (code, severity, line, column, offset, end, message, spec, section) = attributes;
        Self {
            code: code.into(),
            severity: severity.into(),
            line,
            column,
            offset,
            end,
            message,
            spec: spec.into(),
            section: section.into(),
        }
    }
}

/// Returns the buffer in which the core finds duplicates, references and cycles. It has one number
/// per byte of the document, which is always enough, but at most 16 million. If these are too few,
/// the check reports it. The buffer need not be cleared between documents.
fn room<'s>(document: &Document<'_>, scratch: &'s mut Vec<u32>) -> &'s mut [u32] {
    let size = document.bytes().len().min(1 << 24);
    if scratch.len() < size {
        scratch.resize(size, 0);
    }
    scratch.get_mut(..size).unwrap_or_default()
}

/// Checks a document; returns the diagnostics sorted by offset, then code.
pub(crate) fn check(
    document: &Document<'_>,
    origin: Option<&str>,
    received_from: Option<&str>,
) -> Vec<Diagnostic> {
    let options = CheckOptions { origin, received_from, ..CheckOptions::default() };
    check_with(document, &options, &mut Vec::new())
}

/// Does the same with the caller's buffer, which the caller can use for other documents as well.
pub(crate) fn check_with(
    document: &Document<'_>,
    options: &CheckOptions<'_>,
    scratch: &mut Vec<u32>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    document.check_with(options, room(document, scratch), |diagnostic| {
        found.push(Diagnostic {
            code: diagnostic.code.as_str().into(),
            severity: diagnostic.severity.as_str().into(),
            line: 0,
            column: 0,
            offset: diagnostic.span.start,
            end: diagnostic.span.end,
            message: diagnostic.to_string(),
            spec: diagnostic.spec.as_str().into(),
            section: diagnostic.section.into(),
        });
    });
    found.sort_by(|a, b| (a.offset, &a.code, &a.severity).cmp(&(b.offset, &b.code, &b.severity)));
    let mut cursor = PositionCursor::new(document.bytes());
    for diagnostic in &mut found {
        let position = cursor.at(diagnostic.offset as usize);
        (diagnostic.line, diagnostic.column) = (position.line, position.column);
    }
    found
}

/// Counts the errors, warnings and infos of the check.
pub(crate) fn counts(document: &Document<'_>, scratch: &mut Vec<u32>) -> [u32; 3] {
    let mut counts = [0_u32; 3];
    document.check_with(&CheckOptions::default(), room(document, scratch), |diagnostic| {
        count(&mut counts, diagnostic.severity)
    });
    counts
}

fn count([errors, warnings, infos]: &mut [u32; 3], severity: Severity) {
    let count = match severity {
        Severity::Error => errors,
        Severity::Warning => warnings,
        Severity::Info => infos,
    };
    *count = count.saturating_add(1);
}
