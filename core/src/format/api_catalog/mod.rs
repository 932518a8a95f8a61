//! The API catalog (RFC 9727).

pub(crate) mod check;

use crate::model::Reading;
use crate::syntax::json::view::{Array, view};
use crate::syntax::outline::Outline;

view! {
    /// The document.
    pub struct Top {
        /// `linkset`.
        linkset: Array<'a> = b"linkset",
    }
}

/// A parsed API catalog (RFC 9727).
#[derive(Clone, Copy, Debug)]
pub struct ApiCatalog<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> ApiCatalog<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self {
            top: Top::attach(bytes, outline),
        }
    }
}

impl<'a> Reading<'a> for ApiCatalog<'a> {}
