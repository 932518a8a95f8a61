//! What the rules for actions refer to.

use super::*;
use crate::format::awp::{Action, IdempotencyObject, Input};
use crate::rules::json::quoted;
use crate::rules::{self, values};
use crate::syntax::json::view::Array;
use crate::syntax::type_expr::{TypeExpr, TypeKind};

says! {
    ACTION_TWICE: DuplicateId, "an earlier action already has the id {}; give each action a unique id";
    NO_DESCRIPTION: MissingRequiredField Warning, "the action has no {}, which agents need to plan; add it";
    NO_METHOD: InvalidValue, "{} is not a method of the specification; write GET, POST, PUT, DELETE or PATCH";
    NO_KEY_FIELD: MissingRecommendedField Warning, "{} is missing, so agents do not know where the idempotency key goes; add it";
    NO_EXECUTION: InvalidValue, "{} is not a valid execution model; write sync or async";
    NO_POLL: MissingRecommendedField Warning, "the action is asynchronous, but {} is missing; write the URL from which agents get the result";
    TYPE_ALONE: NonstandardShape, "{} is a string, which is read as its type; write an object with `type`";
    NO_OPTION: InvalidValue Warning, "the default {} is not one of the options; write one of them, or add it to the options";
    NO_SENSITIVITY: InvalidValue, "{} is not a valid sensitivity; write standard, destructive or irreversible";
    MUST_ASK: MissingConfirmation, "the action is {}, so agents must ask a person first; set `requires_human_confirmation` to true";
    SHOULD_ASK: MissingConfirmation Info, "the action is {}, so agents should ask a person first; set `requires_human_confirmation` to true";
    REVERSIBLE: Contradiction Warning, "`reversible` is {}, but the action is irreversible; the stricter one counts, correct one of them";
    STANDARD: Contradiction Warning, "the sensitivity is {}, but the action cannot be undone (`reversible` is false); the stricter one counts, write irreversible";
    FINAL: MissingRecommendedField Warning, "the action cannot be undone (`reversible` is false), but {} is missing; write irreversible";
    DELETES: MissingRecommendedField Info, "the action seems to delete something, but {} is missing; write standard, destructive or irreversible";
}

/// Whether an action is called directly, not through a protocol.
pub(crate) fn is_direct(row: &Row<'_, '_>) -> bool {
    row.value_of(Action::via).is_none()
}

pub(crate) fn is_async(row: &Row<'_, '_>) -> bool {
    row.text_of(Action::execution_model).is_some_and(|model| model.eq_ignore_case("async"))
}

/// Whether an action cannot be undone.
pub(crate) fn is_final(row: &Row<'_, '_>) -> bool {
    row.value_of(Action::reversible).and_then(Value::as_bool) == Some(false)
}

/// Whether an action that may be undone deletes something, by its method or its id.
pub(crate) fn seems_to_delete(row: &Row<'_, '_>) -> bool {
    let deletes = |method: Text<'_>| method.eq_ignore_case("DELETE");
    !is_final(row)
        && (row.text_of(Action::method).is_some_and(deletes)
            || row.text_of(Action::id).is_some_and(sounds_destructive))
}

pub(crate) fn is_idempotent(row: &Row<'_, '_>) -> bool {
    row.value_of(IdempotencyObject::supported).and_then(Value::as_bool) != Some(false)
}

pub(crate) fn rate_limit<'a>(text: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let message = "{} is not a valid rate limit; write a number and a window, such as 30/minute";
    let requests = values::rate_limit(text).map(|limit| limit.requests);
    let span = quoted(text, check.bytes);
    if let Some(found) = rules::rate_limit(check.spec, row.section, span, requests, message) {
        check.report.add(found.about(text));
    }
}

/// Checks that an action with consequences requires confirmation, and that it can be undone if it
/// has none. An unreadable `requires_human_confirmation` means that confirmation is required.
pub(crate) fn sensitivity<'a>(text: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let action: Action<'a> = row.view();
    let asks = action.seen.has(Action::requires_human_confirmation)
        && action.requires_human_confirmation != Some(false);
    if !asks && text.eq_ignore_case("irreversible") {
        check.say(MUST_ASK, text, row);
    } else if !asks && text.eq_ignore_case("destructive") {
        check.say(SHOULD_ASK, text, row);
    } else if action.reversible == Some(false) && text.eq_ignore_case("standard") {
        check.say(STANDARD, text, row);
    }
}

pub(crate) fn reversible<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let sensitivity = row.text_of(Action::sensitivity);
    if value.as_bool() == Some(true)
        && sensitivity.is_some_and(|text| text.eq_ignore_case("irreversible"))
    {
        check.say_value(REVERSIBLE, value, row.section);
    }
}

/// The maximum number of items of a default that are compared with the options. Both lists may be
/// long.
const ITEMS: usize = 64;

/// Reports a default that is not one of the options. The options of an array are those of its
/// items.
pub(crate) fn default_value<'a>(
    default: Value<'a>,
    row: &Row<'_, 'a>,
    check: &mut Check<'_, '_, 'a>,
) {
    let input: Input<'a> = row.view();
    let kind = input.kind.and_then(|kind| TypeExpr::parse(kind).ok());
    let is_array = kind.is_some_and(|kind| kind.kind() == TypeKind::Array);
    let are_options = if is_array && default.kind() == Kind::Array {
        default.elements().take(ITEMS).all(|item| is_option(item, &input, kind))
    } else {
        is_option(default, &input, kind)
    };
    if !are_options {
        check.say_value(NO_OPTION, default, row.section);
    }
}

/// Whether a value is one of the options of an input: those of `options`, otherwise those of its
/// type. True if there are none.
fn is_option<'a>(value: Value<'a>, input: &Input<'a>, kind: Option<TypeExpr<'a>>) -> bool {
    let mut listed = input.options.into_iter().flat_map(|Array(options)| options.elements());
    if let Some(first) = listed.next() {
        return is_same(first, value) || listed.any(|option| is_same(option, value));
    }
    let mut options = kind.map(|kind| kind.innermost()).into_iter().flat_map(|kind| kind.options());
    let Some(first) = options.next() else { return true };
    value.as_text().is_some_and(|value| first == value || options.any(|option| option == value))
}

/// Whether two JSON values are equal. Numbers and containers are equal only if they are written the
/// same way.
fn is_same(option: Value<'_>, default: Value<'_>) -> bool {
    match (option.as_text(), default.as_text()) {
        (Some(option), Some(default)) => option == default,
        (None, None) => option.raw() == default.raw(),
        _ => false,
    }
}

/// Whether an id begins with a word that means deletion, or contains such a word as a whole word
/// (`account-delete`, `orderCancel`).
fn sounds_destructive(id: Text<'_>) -> bool {
    const WORDS: [&str; 5] = ["delete", "remove", "cancel", "purge", "destroy"];
    let begins = WORDS.iter().any(|word| id.starts_with_ignore_case(word));
    // The current word, cut to 8 bytes. The longest word of the list is shorter.
    let mut word = [0_u8; 8];
    let mut length = 0_usize;
    let is_one = |word: &[u8; 8], length: usize| {
        WORDS.iter().any(|known| word.get(..length) == Some(known.as_bytes()))
    };
    let mut was_lower = false;
    let mut found = false;
    for c in id.chars() {
        if !c.is_alphanumeric() || (c.is_ascii_uppercase() && was_lower) {
            found |= is_one(&word, length);
            length = 0;
        }
        was_lower = c.is_ascii_lowercase();
        if c.is_alphanumeric() {
            if let Some(place) = word.get_mut(length) {
                *place = if c.is_ascii() { (c as u8).to_ascii_lowercase() } else { 0 };
            }
            length = length.saturating_add(1);
        }
    }
    begins || found || is_one(&word, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_removal() {
        let sounds = |text: &'static str| sounds_destructive(Text::plain(text.as_bytes()));
        for id in [
            "delete",
            "deleteAccount",
            "delete_account",
            "cart.remove",
            "order-cancel",
            "orderCancel",
            "CANCEL",
            "purge_all",
            "x_destroy_y",
        ] {
            assert!(sounds(id), "{id}");
        }
        for id in [
            "",
            "undelete",
            "is_deleted",
            "search",
            "add_removal",
            "uncancelled",
            "list_cancellations",
        ] {
            assert!(!sounds(id), "{id}");
        }
    }
}
