//! The pieces of a text between separators.

use crate::scan;

/// What stands between the octets of one kind; at least one piece, which may be empty. One type for every separator, other than what
/// `slice::split` makes, so that its code is there once.
#[derive(Clone)]
pub(crate) struct Pieces<'t> {
    rest: Option<&'t [u8]>,
    /// Either of them separates.
    separators: (u8, u8),
}

impl<'t> Pieces<'t> {
    /// Those of `text` between octets like this one.
    pub(crate) const fn of(text: &'t [u8], separator: u8) -> Self {
        Self::of_two(text, (separator, separator))
    }

    /// Those between octets like either of these.
    pub(crate) const fn of_two(text: &'t [u8], separators: (u8, u8)) -> Self {
        Self {
            rest: Some(text),
            separators,
        }
    }

    /// What is left behind the pieces that were taken; empty where nothing is.
    pub(crate) fn rest(&self) -> &'t [u8] {
        self.rest.unwrap_or_default()
    }

    /// Whether there is no further one.
    pub(crate) const fn is_done(&self) -> bool {
        self.rest.is_none()
    }
}

/// What stands before the first octet like this one; all of it where there is none.
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
