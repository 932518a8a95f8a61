//! Views of validated JSON text.

/// A JSON value: the slice of a validated document that holds it.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    raw: &'a [u8],
}

impl<'a> Value<'a> {
    /// The text of the value.
    pub const fn raw(self) -> &'a [u8] {
        self.raw
    }
}

impl core::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(&crate::syntax::text::Text::plain(self.raw), f)
    }
}
