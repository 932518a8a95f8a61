//! The checks of references by name: to actions and protocols.

use super::*;
use crate::format::awp::advice::Advice;
use crate::format::awp::graph::is_name;
use crate::format::awp::{Action, AuthObject, ErrorObject, ProtocolObject, StatusObject};
use crate::model::List;
use crate::rules::json::reading::{Texts, or_absent, texts};
use crate::rules::names::Names;
use crate::syntax::json::Member;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::view::Object;

const NOT_AN_ID: &str =
    "this item must be the id of an action; as it stands, agents do not know what has to run first";

says! {
    NO_ACTION: UnknownReference Error, "no action has the id {}; declare it, or correct the reference";
    NO_PROTOCOL: UnknownReference Error, "the protocol {} is not declared; declare it in `protocols`, or correct the name";
    NO_ENDPOINT: MissingRequiredField, "neither the action nor its protocol has {}; add it to one of them";
    NO_AUTH: MissingRecommendedField Warning "7", "actions require authentication, but {} is missing, so agents do not know how; add it with its `type`";
    NO_TYPE: MissingRecommendedField Warning, "actions require authentication, but {} is missing, so agents do not know how; write oauth2, api_key or bearer";
    NONE: Contradiction, "the type of authentication is {}, but actions require it; the stricter one counts, correct one of them";
    OPTIONAL: Contradiction Warning, "the action requires authentication (`auth_required` is {}), but `optional_for` lists it; the stricter one counts, correct one of them";
    REQUIRED: Contradiction Warning, "the action requires no authentication (`auth_required` is {}), but `required_for` lists it; the stricter one counts, correct one of them";
    VAGUE: VagueRecovery, "{} names neither an endpoint nor an action, and does not say to wait or to retry; name what to call";
    NO_NAME: EmptyValue Error "11", "the name of an action in `dependencies` is empty; write the id of the action";
    NAME_ALONE: NonstandardShape, "{} has a string instead of an array, which is read as one action; write an array";
    NO_LIST: WrongType, "the requirements of {} must be an array of action ids; they are ignored";
    EMPTY_ID: EmptyValue Error "11", NOT_AN_ID;
    NO_ID: WrongType Error "11", NOT_AN_ID;
}

/// Checks the names and the types of values in `dependencies`.
pub(crate) fn dependencies<'a>(map: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    for member in map.members() {
        if member.name.is_blank() {
            check.say(NO_NAME, member.name, row);
        }
        match member.value.kind() {
            Kind::Null => {}
            Kind::Array => member.value.elements().for_each(|item| id(item, row, check)),
            Kind::String if is_name(member.value) => check.say_member(NAME_ALONE, member, "11"),
            Kind::String => id(member.value, row, check),
            _ => check.say_member(NO_LIST, member, "11"),
        }
    }
}

/// Reports an item in the requirements of an action that is not a name.
fn id<'a>(item: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if !is_name(item) {
        let say = if item.kind() == Kind::String { EMPTY_ID } else { NO_ID };
        check.say_at(say, item, row);
    }
}

pub(super) fn check<'a>(document: &Awp<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    // If the actions cannot be read, their references cannot be checked.
    if document.top.actions.is_some() {
        let ids = document.actions().filter_map(|action| action.id);
        check.with_names(ids, |ids, check| {
            actions(&document.top, ids, check);
            recoveries(&document.top, ids, check);
        });
    }
    authentication(document, row, check);
    protocols(document, check);
}

pub(super) fn members(map: Option<Object<'_>>) -> impl Iterator<Item = Member<'_>> {
    map.into_iter().flat_map(|Object(map)| map.members())
}

/// Reports references to actions that are not declared.
fn actions<'a>(top: &Top<'a>, ids: &Names<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let mut refer = |name: Text<'a>, section| {
        if !check.report.is_full() && !name.is_blank() && !ids.contains(name) {
            check.say_in(NO_ACTION, name, section);
        }
    };
    let auth = AuthObject::read(or_absent(&top.auth));
    texts(auth.required_for).chain(texts(auth.optional_for)).for_each(|name| refer(name, "7"));
    for member in members(top.dependencies) {
        refer(member.name, "11");
        if matches!(member.value.kind(), Kind::Array | Kind::String) {
            Texts::of(member.value).for_each(|name| refer(name, "11"));
        }
    }
    let status = StatusObject::read(or_absent(&top.agent_status));
    texts(status.degraded_actions).for_each(|name| refer(name, "13"));
}

/// Reports vague recoveries.
fn recoveries<'a>(top: &Top<'a>, ids: &Names<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    for member in members(top.errors) {
        let recovery = ErrorObject::read(member.value).recovery.or(member.value.as_text());
        let Some(recovery) = recovery.filter(|recovery| !recovery.is_blank()) else { continue };
        if !Advice::read(recovery, |id| ids.contains(id)).is_actionable() {
            check.say_in(VAGUE, recovery, "10");
        }
    }
}

/// Checks that the document says how to authenticate if actions require it, and reports actions
/// whose `auth_required` contradicts the lists of `auth`.
fn authentication<'a>(document: &Awp<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let is_required = || document.actions().any(|action| action.auth_required == Some(true));
    let Some(Object(object)) = document.top.auth else {
        if !document.top.seen.has(Top::auth) && is_required() {
            check.without(NO_AUTH, row.name_of(Top::auth), row);
        }
        return;
    };
    let auth = AuthObject::read(object);
    let is_needed = || is_required() || !texts(auth.required_for).is_empty();
    if !auth.seen.has(AuthObject::kind) && is_needed() {
        check.without_in(NO_TYPE, "type", object, "7");
    }
    if let Some(kind) = auth.kind.filter(|kind| kind.eq_ignore_case("none") && is_needed()) {
        check.say_in(NONE, kind, "7");
    }
    contradictions(OPTIONAL, texts(auth.optional_for), true, document, check);
    contradictions(REQUIRED, texts(auth.required_for), false, document, check);
}

/// Reports the actions of a list whose `auth_required` has this value.
fn contradictions<'a>(
    say: &Say,
    list: List<'a, Text<'a>>,
    value: bool,
    document: &Awp<'a>,
    check: &mut Check<'_, '_, 'a>,
) {
    if list.is_empty() {
        return;
    }
    let is_flag = |member: &Member<'_>| {
        Lookup::of::<Action<'_>>().number(member.name) == Some(Action::auth_required)
    };
    check.with_names(list, |names, check| {
        for action in document.actions().filter(|action| action.auth_required == Some(value)) {
            let flag = action.object.members().filter(is_flag).last();
            if let Some(flag) = flag.filter(|_| action.id.is_some_and(|id| names.contains(id))) {
                check.say_value(say, flag.value, "7");
            }
        }
    });
}

/// Reports actions that use an undeclared protocol, or that have no endpoint if their protocol has
/// none.
fn protocols<'a>(document: &Awp<'a>, check: &mut Check<'_, '_, 'a>) {
    let through = || document.actions().filter_map(|action| Some((action, action.via?)));
    if through().next().is_none() {
        return;
    }
    let declared = members(document.top.protocols).filter(|member| !member.value.is_null());
    check.with_names(declared.map(|member| member.name), |declared, check| {
        for (_, via) in through().filter(|(_, via)| !declared.contains(*via)) {
            check.say_in(NO_PROTOCOL, via, "5.5");
        }
    });
    let has_none = |member: &Member<'_>| {
        let has_endpoint = ProtocolObject::read(member.value).seen.has(ProtocolObject::endpoint);
        member.value.kind() == Kind::Object && !has_endpoint
    };
    let without = members(document.top.protocols).filter(has_none).map(|member| member.name);
    check.with_names(without, |without, check| {
        let is_nowhere = |action: &Action<'_>| !action.seen.has(Action::endpoint);
        for (action, via) in through().filter(|(action, _)| is_nowhere(action)) {
            if without.contains(via) {
                check.without_in(NO_ENDPOINT, "endpoint", action.object, "9");
            }
        }
    });
}
