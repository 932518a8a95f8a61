//! The checks of single actions.

use super::{duration, endpoint, not_an_object};
use crate::diagnostic::{Code, Severity};
use crate::format::awp::{Action, EntityObject, IdempotencyObject, Input, Top};
use crate::rules;
use crate::rules::json::{Case, Check, members, span_of};
use crate::rules::urls::Secure;
use crate::rules::values;
use crate::syntax::json::view::{Array, Object};
use crate::syntax::json::{Kind, Member, Value};
use crate::syntax::text::Text;
use crate::syntax::type_expr::{TypeExpr, TypeKind};

const SECTION: &str = "9";

/// Which references occur in the actions. The checks of other references are skipped. (Incomplete
/// if the limit of diagnostics is reached.)
#[derive(Clone, Copy, Default)]
pub(super) struct Uses {
    /// An action uses a protocol.
    pub(super) protocols: bool,
    /// An action requires authentication.
    pub(super) required: bool,
    /// An action requires no authentication.
    pub(super) open: bool,
}

/// Checks each action and each entity, and reports repeated names in the maps of the document.
pub(super) fn check<'a>(
    top: &Top<'a>,
    host: Option<&str>,
    check: &mut Check<'_, '_, 'a>,
    scratch: &mut [u32],
) -> Uses {
    for map in [top.protocols, top.entities, top.errors, top.dependencies, top.agent_hints] {
        check.repeated(map, scratch);
    }
    if let Some(Object(object)) = top.entities {
        for Member { name, value } in object.members() {
            if value.kind() != Kind::Object {
                not_an_object(name, value, None, "8", check);
                continue;
            }
            let entity = members::<EntityObject<'_>>(value, check, "8").view();
            let is_given = entity.seen.has(EntityObject::fields);
            let is_empty =
                matches!(entity.fields, Some(Object(fields)) if fields.members().next().is_none());
            if !is_given || is_empty {
                let message =
                    "the entity has no {}, so agents do not know what it contains; add them";
                check.lacks(
                    Code::MissingRecommendedField,
                    Severity::Warning,
                    "fields",
                    value,
                    "8",
                    message,
                );
            }
            check.repeated(entity.fields, scratch);
        }
    }
    let mut uses = Uses::default();
    let Some(Array(array)) = top.actions else {
        return uses;
    };
    check.objects(array, SECTION, |object, check| {
        let action = action(object, check, scratch);
        check.elsewhere(host, action.endpoint);
        check.elsewhere(host, action.poll_endpoint);
        uses.protocols |= action.via.is_some();
        uses.required |= action.auth_required == Some(true);
        uses.open |= action.auth_required == Some(false);
    });
    uses
}

fn action<'a>(object: Value<'a>, check: &mut Check<'_, '_, 'a>, scratch: &mut [u32]) -> Action<'a> {
    let members_of_action = members::<Action<'_>>(object, check, SECTION);
    let action = members_of_action.view();
    let seen = &action.seen;
    check.need_text::<Action<'_>>(object, seen, "id", action.id, SECTION);
    if seen.has(Action::description) {
        check.need_text::<Action<'_>>(object, seen, "description", action.description, SECTION);
    } else {
        let message = "the action has no {}, which agents need to plan; add it";
        check.lacks(
            Code::MissingRequiredField,
            Severity::Warning,
            "description",
            object,
            SECTION,
            message,
        );
    }
    for name in ["auth_required", "inputs", "outputs"] {
        check.need::<Action<'_>>(object, seen, name, SECTION);
    }
    if !seen.has(Action::via) {
        check.need_text::<Action<'_>>(object, seen, "endpoint", action.endpoint, SECTION);
        check.need_text::<Action<'_>>(object, seen, "method", action.method, SECTION);
    }
    endpoint(action.endpoint, Secure::Http, SECTION, check);
    let message = "{} is not a method of the specification; write GET, POST, PUT, DELETE or PATCH";
    check.one_of(
        action.method,
        &["GET", "POST", "PUT", "DELETE", "PATCH"],
        Case::Ignored,
        SECTION,
        message,
    );
    rate_limit(members_of_action.value("rate_limit"), check);
    if let Some(Object(object)) = action.idempotency {
        let idempotency = members::<IdempotencyObject<'_>>(object, check, SECTION).view();
        duration(idempotency.window, SECTION, check);
        let is_named = idempotency.seen.has(IdempotencyObject::key_field);
        if idempotency.supported != Some(false) && !is_named {
            let message =
                "{} is missing, so agents do not know where the idempotency key goes; add it";
            check.lacks(
                Code::MissingRecommendedField,
                Severity::Warning,
                "key_field",
                object,
                SECTION,
                message,
            );
        }
    }
    check.one_of(
        action.execution_model,
        &["sync", "async"],
        Case::Ignored,
        SECTION,
        "{} is not a valid execution model; write sync or async",
    );
    if action.execution_model.is_some_and(|model| model.eq_ignore_case("async"))
        && !seen.has(Action::poll_endpoint)
    {
        let message = "the action is asynchronous, but {} is missing; write the URL from which agents get the result";
        check.lacks(
            Code::MissingRecommendedField,
            Severity::Warning,
            "poll_endpoint",
            object,
            SECTION,
            message,
        );
    }
    endpoint(action.poll_endpoint, Secure::Http, SECTION, check);
    sensitivity(
        &action,
        seen.has(Action::sensitivity),
        seen.has(Action::requires_human_confirmation),
        check,
    );
    check.repeated(action.inputs, scratch);
    check.repeated(action.outputs, scratch);
    if let Some(Object(inputs)) = action.inputs {
        for Member { name, value } in inputs.members() {
            if value.kind() != Kind::Object {
                not_an_object(
                    name,
                    value,
                    Some("{} is a string, which is read as its type; write an object with `type`"),
                    SECTION,
                    check,
                );
                continue;
            }
            let input = members::<Input<'_>>(value, check, SECTION).view();
            check.need_text::<Input<'_>>(value, &input.seen, "type", input.kind, SECTION);
            default_value(&input, check);
        }
    }
    action
}

/// The maximum number of items of a default that are compared with the options. Both lists may be
/// long.
const ITEMS: usize = 64;

/// Reports a default that is not one of the options.
fn default_value<'a>(input: &Input<'a>, check: &mut Check<'_, '_, 'a>) {
    let Some(default) = input.default else { return };
    let listed = input
        .options
        .map(|Array(options)| options.elements())
        .filter(|options| options.clone().next().is_some());
    let kind = input.kind.and_then(|kind| TypeExpr::parse(kind).ok());
    let innermost = kind.map(|kind| kind.innermost());
    let is_option = |value: Value<'a>| match (listed, innermost) {
        (Some(mut options), _) => options.any(|option| is_same(option, value)),
        (None, Some(kind)) if kind.options().next().is_some() => {
            value.as_text().is_some_and(|value| kind.options().any(|option| option == value))
        }
        _ => true,
    };
    // The options of an array are the options of its items.
    let is_array = kind.is_some_and(|kind| kind.kind() == TypeKind::Array);
    let are_options = if is_array && default.kind() == Kind::Array {
        default.elements().take(ITEMS).all(is_option)
    } else {
        is_option(default)
    };
    if !are_options {
        let message =
            "the default {} is not one of the options; write one of them, or add it to the options";
        check.about_value(Code::InvalidValue, Severity::Warning, default, SECTION, message);
    }
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

fn rate_limit<'a>(value: Option<Value<'a>>, check: &mut Check<'_, '_, 'a>) {
    let Some(value) = value else { return };
    let Some(text) = value.as_text().filter(|text| !text.is_empty()) else {
        return;
    };
    let requests = values::rate_limit(text).map(|limit| limit.requests);
    let message = "{} is not a valid rate limit; write a number and a window, such as 30/minute";
    if let Some(diagnostic) =
        rules::rate_limit(check.spec, SECTION, span_of(value, check.bytes), requests, message)
    {
        check.report.add(diagnostic.about(text));
    }
}

/// Checks that an action with consequences declares its sensitivity and requires confirmation. An
/// unreadable `requires_human_confirmation` means that confirmation is required.
fn sensitivity<'a>(action: &Action<'a>, is_given: bool, asks: bool, check: &mut Check<'_, '_, 'a>) {
    let message = "{} is not a valid sensitivity; write standard, destructive or irreversible";
    check.one_of(
        action.sensitivity,
        &["standard", "destructive", "irreversible"],
        Case::Ignored,
        SECTION,
        message,
    );
    if let Some(text) = action.sensitivity
        && (!asks || action.requires_human_confirmation == Some(false))
    {
        if text.eq_ignore_case("irreversible") {
            let message = "the action is {}, so agents must ask a person first; set `requires_human_confirmation` to true";
            check.about(Code::MissingConfirmation, text, SECTION, message);
        } else if text.eq_ignore_case("destructive") {
            let message = "the action is {}, so agents should ask a person first; set `requires_human_confirmation` to true";
            check.graded(Code::MissingConfirmation, Severity::Info, text, SECTION, message);
        }
    }
    if action.reversible == Some(true)
        && action.sensitivity.is_some_and(|text| text.eq_ignore_case("irreversible"))
        && let Some(member) = action.object.get("reversible")
    {
        let message = "`reversible` is {}, but the action is irreversible; the stricter one counts, correct one of them";
        check.about_value(Code::Contradiction, Severity::Warning, member, SECTION, message);
    }
    let is_final = action.reversible == Some(false);
    if is_final
        && let Some(text) = action.sensitivity.filter(|text| text.eq_ignore_case("standard"))
    {
        let message = "the sensitivity is {}, but the action cannot be undone (`reversible` is false); the stricter one counts, write irreversible";
        check.graded(Code::Contradiction, Severity::Warning, text, SECTION, message);
    }
    let deletes = action.method.is_some_and(|method| method.eq_ignore_case("DELETE"))
        || action.id.is_some_and(sounds_destructive);
    if (is_final || deletes) && !is_given {
        let (severity, message) = if is_final {
            let message = "the action cannot be undone (`reversible` is false), but {} is missing; write irreversible";
            (Severity::Warning, message)
        } else {
            let message = "the action seems to delete something, but {} is missing; write standard, destructive or irreversible";
            (Severity::Info, message)
        };
        check.lacks(
            Code::MissingRecommendedField,
            severity,
            "sensitivity",
            action.object,
            SECTION,
            message,
        );
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
