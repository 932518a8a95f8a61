//! JSON (RFC 8259): a validating pull tokenizer, and views of validated text.

mod tokenizer;
mod value;
pub(crate) mod view;

pub(crate) use tokenizer::validate;
pub use tokenizer::{Token, TokenKind, Tokenizer};
pub use value::{Elements, Kind, Member, Members, Number, Value};
pub(crate) use value::{next_element, next_member};
