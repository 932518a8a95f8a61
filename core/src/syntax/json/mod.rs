//! JSON (RFC 8259): a validating pull tokenizer, and views of validated text.

mod fused;
mod locate;
pub(crate) mod lookup;
mod machine;
pub(crate) mod names;
pub(crate) mod record;
mod same;
mod scalar;
mod tokenizer;
mod value;
pub(crate) mod view;
mod write;

pub(crate) use locate::{Locate, Masks, Words};
pub(crate) use machine::{Core, Step};
pub(crate) use record::{Holds, Met, Record, Slot, Wants};
pub(crate) use tokenizer::validate;
pub use tokenizer::{Token, TokenKind, Tokenizer};
pub use value::{Elements, Kind, Member, Members, Number, Value};
pub(crate) use value::{comma_end, next_element, next_member, next_name};
pub(crate) use write::write_string;
