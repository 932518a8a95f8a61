//! Messages: texts of this library, and quoted parts of documents and answers.

use core::fmt;

use crate::diagnostic::write_quoted;
use crate::rules::credentials::holds_credential;
use crate::sink::put_number;
use crate::syntax::text::Text;

/// A message in pieces. [`fmt::Display`] writes it without a heap.
#[derive(Clone, Copy, Debug)]
pub struct Message<'m>(pub(super) &'m [Piece<'m>]);

impl Message<'_> {
    /// No message.
    pub(super) const NONE: Message<'static> = Message(&[]);

    /// Whether there is no message.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A piece of a message.
#[derive(Clone, Copy)]
pub(super) enum Piece<'m> {
    /// A text of this library, or a URL that it has made.
    Plain(&'m str),
    /// A text from a document or an answer: in quotes, escaped and shortened, and withheld if it
    /// looks like a credential.
    Quoted(Text<'m>),
    Number(u64),
    /// Anything that writes itself, such as a diagnostic.
    Own(&'m dyn fmt::Display),
}

impl fmt::Debug for Piece<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<'m> From<&'m str> for Piece<'m> {
    fn from(text: &'m str) -> Self {
        Self::Plain(text)
    }
}

impl<'m> From<Text<'m>> for Piece<'m> {
    fn from(text: Text<'m>) -> Self {
        Self::Quoted(text)
    }
}

impl From<usize> for Piece<'_> {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<u32> for Piece<'_> {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u16> for Piece<'_> {
    fn from(number: u16) -> Self {
        Self::Number(number.into())
    }
}

impl<'m> From<&'m dyn fmt::Display> for Piece<'m> {
    fn from(own: &'m dyn fmt::Display) -> Self {
        Self::Own(own)
    }
}

impl fmt::Display for Piece<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(text) => f.write_str(text),
            Self::Quoted(text) if holds_credential(*text) => f.write_str("(withheld)"),
            Self::Quoted(text) => write_quoted(f, *text),
            Self::Number(number) => {
                let mut result = Ok(());
                put_number(*number, &mut |digits: &[u8]| {
                    result = f.write_str(core::str::from_utf8(digits).unwrap_or_default());
                });
                result
            }
            Self::Own(own) => own.fmt(f),
        }
    }
}

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| piece.fmt(f))
    }
}

/// Makes a message of its pieces.
macro_rules! say {
    ($($piece:expr),* $(,)?) => {
        $crate::readiness::message::Message(&[$($crate::readiness::message::Piece::from($piece)),*])
    };
}
pub(super) use say;
