//! llms.txt.

pub(crate) mod check;

use crate::error::Error;
use crate::format::Format;
use crate::limits::Limits;
use crate::model::Reading;
use crate::span::Span;
use crate::syntax::outline::Outline;

/// A parsed llms.txt.
#[derive(Clone, Copy, Debug)]
pub struct LlmsTxt<'a> {
    pub(crate) bytes: &'a [u8],
}

impl<'a> LlmsTxt<'a> {
    pub(crate) fn attach(bytes: &'a [u8], _outline: &Outline) -> Self {
        Self { bytes }
    }
}

/// Reads a document.
pub(crate) fn parse(_bytes: &[u8], body: Span, _limits: &Limits) -> Result<Outline, Error> {
    Ok(Outline::new(Format::LlmsTxt, body))
}

impl<'a> Reading<'a> for LlmsTxt<'a> {}
