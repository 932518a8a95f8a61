//! The index of agent skills.

pub(crate) mod check;

use crate::model::Reading;
use crate::syntax::json::view::{Array, view};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The document.
    pub struct Top {
        /// `$schema`.
        schema: Text<'a> = b"$schema",
        /// `skills`.
        skills: Array<'a> = b"skills",
    }
}

/// A parsed index of agent skills.
#[derive(Clone, Copy, Debug)]
pub struct AgentSkills<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> AgentSkills<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self {
            top: Top::attach(bytes, outline),
        }
    }
}

impl<'a> Reading<'a> for AgentSkills<'a> {}
