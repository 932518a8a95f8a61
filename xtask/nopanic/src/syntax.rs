//! Tokens, lines, lists and choices.

use agentsdisc_core::format::credentials;
use agentsdisc_core::manifest::{Choice, Enumeration, List, Mark, Window};
use agentsdisc_core::scan::{Backend, backend, force};
use agentsdisc_core::syntax::json::{Token, Tokenizer, Value};
use agentsdisc_core::syntax::line::Lines;
use agentsdisc_core::syntax::text::Text;

use crate::{bytes, keep, show, text};

// not called: deserialize, because it exists only with the feature `serde`; serde-json-core and the
// parsing of `f64` have code that can panic
// not called: deserialize_with, for the same reason

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_json_tokens(data: *const u8, length: usize, depth: usize) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { bytes(data, length) };
    tokens(Tokenizer::new(text));
    tokens(Tokenizer::with_depth(text, depth));
    if let Err(error) = agentsdisc_core::Document::parse(text) {
        show(error.explain(text));
    }
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

/// A value of arbitrary text, valid or not.
///
/// # Safety
/// `value` must point to a value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_json_number(value: *const Value<'static>) {
    // SAFETY: guaranteed by the caller.
    if let Some(number) = unsafe { *value }.as_number() {
        keep((number.raw(), number.as_str()));
        show(number);
    }
}

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_lines(
    data: *const u8,
    length: usize,
    position: usize,
    limit: usize,
) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { bytes(data, length) };
    let mut lines = Lines::starting_at(text, position);
    keep(lines.validate(limit));
    while let Some(line) = lines.next() {
        keep((line, lines.position()));
    }
}

/// # Safety
/// `text` must point to a text, `mark` to a mark.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_choice(text: *const Text<'static>, mark: *const Mark) {
    // SAFETY: guaranteed by the caller.
    let (text, mark) = unsafe { (*text, *mark) };
    keep(text.is_escaped());
    choice(Choice::<Window>::read(text));
    let (implied, unreadable) = (Choice::implied(Window::of(text)), Choice::<Window>::unreadable());
    keep((implied.value.seconds(), implied == unreadable));
    walk(List::<Text<'_>>::empty().resume(mark), keep);
}

pub(crate) fn choice<E: Enumeration>(choice: Choice<'_, E>) {
    keep((choice.as_str(), choice.differing_text()));
}

/// Walks a list to its end.
pub(crate) fn walk<T>(list: List<'_, T>, each: impl FnMut(T)) {
    keep((list.is_empty(), list.is_nothing(), list.mark()));
    list.for_each(each);
}

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_mask(data: *const u8, length: usize) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { text(data, length) };
    credentials::mask(text, |piece| keep(piece));
    credentials::hidden(text).for_each(|range| keep(range));
}

#[unsafe(no_mangle)]
pub extern "C" fn nopanic_scan(which: usize) {
    let wanted = Backend::ALL.get(which).copied();
    keep(wanted.map(Backend::is_available));
    keep((force(wanted), backend()));
}
