//! The names of a member in the unified model and in both notations of a format.

/// A member: its name in the unified model, the key of its line, its name in JSON.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    pub(crate) model: &'static str,
    pub(crate) text: &'static str,
    pub(crate) json: &'static str,
    /// Whether a comment can follow the value in its line.
    pub(crate) has_comment: bool,
}

/// Makes a [`Name`].
pub(crate) const fn name(model: &'static str, text: &'static str, json: &'static str) -> Name {
    Name { model, text, json, has_comment: false }
}
