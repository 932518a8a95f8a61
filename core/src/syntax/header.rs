//! The header lines of HTTP.

/// A header line of a request or a response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header<'a> {
    /// The name, in any letter case.
    pub name: &'a [u8],
    /// The value, as received.
    pub value: &'a [u8],
}

impl<'a> Header<'a> {
    /// A header with a text value.
    pub const fn new(name: &'a str, value: &'a str) -> Self {
        Self { name: name.as_bytes(), value: value.as_bytes() }
    }
}
