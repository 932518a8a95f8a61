//! The checks of references by name: to actions, protocols and entities.

use super::actions::Uses;
use super::types;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::format::awp::advice::Advice;
use crate::format::awp::graph::is_name;
use crate::format::awp::{Action, AuthObject, Awp, ErrorObject, ProtocolObject, StatusObject, Top};
use crate::rules::json::reading::{Texts, texts};
use crate::rules::json::{Check, span_of};
use crate::syntax::json::view::Object;
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;

pub(super) fn check<'a>(
    document: &Awp<'a>,
    uses: Uses,
    check: &mut Check<'_, '_, 'a>,
    scratch: &mut [u32],
) {
    shapes(document, check);
    actions(document, check, scratch);
    contradictions(document, uses, check, scratch);
    if uses.protocols {
        protocols(document, check, scratch);
    }
    types::check(document, check, scratch);
}

/// Checks the names and the types of values in `dependencies`.
fn shapes<'a>(document: &Awp<'a>, check: &mut Check<'_, '_, 'a>) {
    let Some(Object(object)) = document.top.dependencies else {
        return;
    };
    for member in object.members() {
        if member.name.is_blank() {
            let message =
                "the name of an action in `dependencies` is empty; write the id of the action";
            check.graded(Code::EmptyValue, Severity::Error, member.name, "11", message);
        }
        let (code, message) = match member.value.kind() {
            Kind::Null => continue,
            Kind::Array => {
                for item in member.value.elements().filter(|item| !is_name(*item)) {
                    requirement(item, check);
                }
                continue;
            }
            Kind::String if !is_name(member.value) => {
                requirement(member.value, check);
                continue;
            }
            Kind::String => (
                Code::NonstandardShape,
                "{} has a string instead of an array, which is read as one action; write an array",
            ),
            _ => (
                Code::WrongType,
                "the requirements of {} must be an array of action ids; they are ignored",
            ),
        };
        check.report.add(
            Diagnostic::new(code, span_of(member.value, check.bytes), check.spec, "11", message)
                .about(member.name),
        );
    }
}

/// Reports an item in the requirements of an action that is not a name.
fn requirement<'a>(item: Value<'a>, check: &mut Check<'_, '_, 'a>) {
    let code = match item.kind() {
        Kind::String => Code::EmptyValue,
        _ => Code::WrongType,
    };
    let message = "this item must be the id of an action; as it stands, agents do not know what has to run first";
    let span = span_of(item, check.bytes);
    let diagnostic = Diagnostic::new(code, span, check.spec, "11", message);
    check.report.add(diagnostic.with_severity(Severity::Error));
}

/// Reports repeated ids, references to actions that are not declared, and vague recoveries.
fn actions<'a>(document: &Awp<'a>, check: &mut Check<'_, '_, 'a>, scratch: &mut [u32]) {
    let top = &document.top;
    // If the actions cannot be read, their references cannot be checked.
    if top.actions.is_none() {
        return;
    }
    let ids = document.actions().filter_map(|action| action.id);
    let message = "an earlier action already has the id {}; give each action a unique id";
    let Some(ids) = check.unique(ids, Severity::Error, "9", message, scratch) else {
        return;
    };
    let refer = |name: Text<'a>, section: &'static str, check: &mut Check<'_, '_, 'a>| {
        if !check.report.is_full() && !name.is_blank() && !ids.contains(name) {
            let message = "no action has the id {}; declare it, or correct the reference";
            check.graded(Code::UnknownReference, Severity::Error, name, section, message);
        }
    };
    if let Some(Object(object)) = top.auth {
        let auth = AuthObject::read(object);
        for name in texts(auth.required_for).chain(texts(auth.optional_for)) {
            refer(name, "7", check);
        }
    }
    if let Some(Object(object)) = top.dependencies {
        for member in object.members() {
            refer(member.name, "11", check);
            if matches!(member.value.kind(), Kind::Array | Kind::String) {
                Texts::of(member.value).for_each(|name| refer(name, "11", check));
            }
        }
    }
    if let Some(Object(object)) = top.agent_status {
        texts(StatusObject::read(object).degraded_actions)
            .for_each(|name| refer(name, "13", check));
    }
    let Some(Object(errors)) = top.errors else {
        return;
    };
    for member in errors.members() {
        let recovery = ErrorObject::read(member.value).recovery.or(member.value.as_text());
        if let Some(recovery) = recovery.filter(|recovery| {
            !recovery.is_blank() && !Advice::read(*recovery, |id| ids.contains(id)).is_actionable()
        }) {
            let message = "{} names neither an endpoint nor an action, and does not say to wait or to retry; name what to call";
            check.about(Code::VagueRecovery, recovery, "10", message);
        }
    }
}

/// Reports actions whose `auth_required` contradicts the lists of `auth`.
fn contradictions<'a>(
    document: &Awp<'a>,
    uses: Uses,
    check: &mut Check<'_, '_, 'a>,
    scratch: &mut [u32],
) {
    let top = &document.top;
    let Some(Object(object)) = top.auth else {
        if uses.required && !top.seen.has(Top::auth) {
            let message = "actions require authentication, but {} is missing, so agents do not know how; add it with its `type`";
            check.lacks(
                Code::MissingRecommendedField,
                Severity::Warning,
                "auth",
                top.object,
                "7",
                message,
            );
        }
        return;
    };
    let auth = AuthObject::read(object);
    let is_needed = uses.required || !texts(auth.required_for).is_empty();
    if is_needed && !auth.seen.has(AuthObject::kind) {
        let message = "actions require authentication, but {} is missing, so agents do not know how; write oauth2, api_key or bearer";
        check.lacks(Code::MissingRecommendedField, Severity::Warning, "type", object, "7", message);
    }
    if let Some(kind) = auth.kind.filter(|kind| kind.eq_ignore_case("none"))
        && is_needed
    {
        let message = "the type of authentication is {}, but actions require it; the stricter one counts, correct one of them";
        check.about(Code::Contradiction, kind, "7", message);
    }
    let lists = [
        (
            auth.optional_for,
            uses.required,
            true,
            "the action requires authentication (`auth_required` is {}), but `optional_for` lists it; the stricter one counts, correct one of them",
        ),
        (
            auth.required_for,
            uses.open,
            false,
            "the action requires no authentication (`auth_required` is {}), but `required_for` lists it; the stricter one counts, correct one of them",
        ),
    ];
    for (list, is_said, value, message) in lists {
        if list.is_none() {
            continue;
        }
        let Some(names) = check.sorted(texts(list), scratch) else {
            return;
        };
        for action in is_said.then(|| document.actions()).into_iter().flatten() {
            if action.auth_required == Some(value)
                && action.id.is_some_and(|id| names.contains(id))
                && let Some(member) = action.object.get("auth_required")
            {
                check.about_value(Code::Contradiction, Severity::Warning, member, "7", message);
            }
        }
    }
}

/// Reports actions that use an undeclared protocol, or that have no endpoint if their protocol has
/// none.
fn protocols<'a>(document: &Awp<'a>, check: &mut Check<'_, '_, 'a>, scratch: &mut [u32]) {
    let members = || document.top.protocols.into_iter().flat_map(|Object(object)| object.members());
    let through = || document.actions().filter_map(|action| Some((action, action.via?)));
    let declared = members().filter(|member| !member.value.is_null()).map(|member| member.name);
    let Some(declared) = check.sorted(declared, scratch) else {
        return;
    };
    for (_, via) in through().filter(|(_, via)| !declared.contains(*via)) {
        let message =
            "the protocol {} is not declared; declare it in `protocols`, or correct the name";
        check.graded(Code::UnknownReference, Severity::Error, via, "5.5", message);
    }
    let has_endpoint =
        |value: Value<'_>| ProtocolObject::read(value).seen.has(ProtocolObject::endpoint);
    let without = members()
        .filter(|member| member.value.kind() == Kind::Object && !has_endpoint(member.value))
        .map(|member| member.name);
    let Some(without) = check.sorted(without, scratch) else {
        return;
    };
    for (action, _) in through().filter(|(_, via)| without.contains(*via)) {
        if !action.seen.has(Action::endpoint) {
            let message = "neither the action nor its protocol has {}; add it to one of them";
            check.lacks(
                Code::MissingRequiredField,
                Severity::Error,
                "endpoint",
                action.object,
                "9",
                message,
            );
        }
    }
}
