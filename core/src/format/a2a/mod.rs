//! The A2A agent card.

pub(crate) mod check;

use crate::model::Reading;
use crate::syntax::json::view::{Array, view};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The document.
    pub struct Top {
        /// `name`.
        name: Text<'a> = b"name",
        /// `capabilities`.
        capabilities: Array<'a> = b"capabilities",
    }
}

/// A parsed A2A agent card.
#[derive(Clone, Copy, Debug)]
pub struct A2aAgentCard<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> A2aAgentCard<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self {
            top: Top::attach(bytes, outline),
        }
    }
}

impl<'a> Reading<'a> for A2aAgentCard<'a> {}
