//! The pieces of a text between separators.

use crate::scan;

/// An iterator over the pieces between separator bytes; at least one piece, which may be empty. One
/// type serves all separators, unlike `slice::split`, so that its code exists only once.
#[derive(Clone)]
pub(crate) struct Pieces<'t> {
    rest: Option<&'t [u8]>,
    /// Either byte is a separator.
    separators: (u8, u8),
}

impl<'t> Pieces<'t> {
    /// The pieces of `text` between occurrences of this byte.
    pub(crate) const fn of(text: &'t [u8], separator: u8) -> Self {
        Self::of_two(text, (separator, separator))
    }

    /// The pieces between occurrences of either byte.
    pub(crate) const fn of_two(text: &'t [u8], separators: (u8, u8)) -> Self {
        Self { rest: Some(text), separators }
    }

    /// The rest of the text after the pieces taken so far.
    pub(crate) fn rest(&self) -> &'t [u8] {
        self.rest.unwrap_or_default()
    }

    /// True if there are no more pieces.
    pub(crate) const fn is_done(&self) -> bool {
        self.rest.is_none()
    }
}

/// The text before the first occurrence of this byte; the whole text if there is none.
pub(crate) fn before(text: &[u8], separator: u8) -> &[u8] {
    match scan::memchr(separator, text) {
        Some(at) => text.get(..at).unwrap_or_default(),
        None => text,
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t [u8];

    fn next(&mut self) -> Option<&'t [u8]> {
        let rest = self.rest?;
        let end = scan::memchr2(self.separators.0, self.separators.1, rest).unwrap_or(rest.len());
        self.rest = rest.get(end.saturating_add(1)..);
        rest.get(..end)
    }
}
