//! The message for people about a document that cannot be read.

use core::fmt;

use super::detect::{Hints, detect};
use crate::error::{Error, ErrorKind};

/// Why a document could not be read: what is wrong, the signs that were found if the format is
/// unknown, the position, and the kind of the error. [`Error::explain`] returns it.
#[derive(Clone, Copy, Debug)]
pub struct Explained<'a> {
    error: Error,
    document: &'a [u8],
}

impl Error {
    /// The message for people. `document` is the document that the error came from.
    ///
    /// ```
    /// use agentsdisc_core::Document;
    /// let text = b"{\n\"specVersion\": oops}";
    /// let error = Document::parse(text).unwrap_err();
    /// let said = "expected a JSON value; JSON has no comments, and no comma before a closing bracket (line 2, column 16, byte 17, invalid-json)";
    /// assert_eq!(error.explain(text).to_string(), said);
    /// ```
    pub const fn explain(self, document: &[u8]) -> Explained<'_> {
        Explained { error: self, document }
    }
}

impl fmt::Display for Explained<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { error, document } = *self;
        f.write_str(error.kind.message())?;
        if error.kind == ErrorKind::UnknownFormat {
            let evidence = detect(document, Hints::default()).evidence;
            if evidence.counts().next().is_some() {
                write!(f, "; signs found: {evidence}")?;
            }
        }
        let position = error.position(document);
        let (line, column) = (position.line, position.column);
        write!(f, " (line {line}, column {column}, byte {}, {})", error.offset, error.kind.as_str())
    }
}
