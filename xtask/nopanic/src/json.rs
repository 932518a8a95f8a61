//! JSON: tokens and values.

// not called: deserialize, because it exists only with the feature `serde`; serde-json-core and the
// parsing of `f64` have code that can panic
// not called: deserialize_with, for the same reason

use agentsdisc_core::syntax::json::{Token, Tokenizer, Value};

use crate::{bytes, keep, show, text};

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_json_tokens(data: *const u8, length: usize, depth: usize) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { bytes(data, length) };
    tokens(Tokenizer::new(text));
    tokens(Tokenizer::with_depth(text, depth));
}

fn tokens(mut tokens: Tokenizer<'_>) {
    while let Ok(Some(next)) = tokens.next_token() {
        token(next);
        keep((tokens.depth(), tokens.position()));
    }
    // The error is returned again.
    keep(tokens.next_token().is_err());
}

fn token(token: Token<'_>) {
    keep((token.text(), token.number().is_some(), token.raw()));
}

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_json_parse(data: *const u8, length: usize) -> usize {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { bytes(data, length) };
    Value::parse(text).map_or(0, |value| value.raw().len())
}

/// A value of arbitrary text, valid or not.
///
/// # Safety
/// `value` must point to a value, `name` to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_json_value(
    value: *const Value<'static>,
    name: *const u8,
    length: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (value, name) = unsafe { (*value, text(name, length)) };
    keep((value.kind(), value.is_null(), value.as_text(), value.as_bool()));
    value.members().for_each(keep);
    value.elements().for_each(keep);
    keep(value.get(name));
    if let Some(number) = value.as_number() {
        keep((number.raw(), number.as_str(), number.as_u64(), number.as_u32(), number.as_i64()));
        show(number);
    }
}
