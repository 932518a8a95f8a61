//! JSON (RFC 8259): a validating pull tokenizer, and views of validated text.

mod value;

pub use value::Value;
