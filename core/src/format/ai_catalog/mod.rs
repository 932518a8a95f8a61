//! The AI Catalog.

pub(crate) mod check;

use crate::model::Reading;
use crate::syntax::json::view::{Array, view};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The document.
    pub struct Top {
        /// `specVersion`.
        spec_version: Text<'a> = b"specVersion",
        /// `entries`.
        entries: Array<'a> = b"entries",
    }
}

/// A parsed AI Catalog.
#[derive(Clone, Copy, Debug)]
pub struct AiCatalog<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> AiCatalog<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self {
            top: Top::attach(bytes, outline),
        }
    }
}

impl<'a> Reading<'a> for AiCatalog<'a> {}
