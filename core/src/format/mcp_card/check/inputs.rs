//! The check of the inputs of a remote: the variables of its URL, and its headers.

use super::*;
use crate::format::mcp_card::servers::{Headers, InputObject};
use crate::rules::Notation;
use crate::rules::credentials;
use crate::rules::json::quoted;
use crate::rules::method::{can_be_set, is_token};
use crate::rules::names::Names;
use crate::rules::urls::judge;
use crate::syntax::json::view::{Array, Object};
use crate::syntax::template::{has_whole_braces, placeholders};

says! {
    INSECURE: InsecureUrl, "{} is not secure; use https";
    NO_TEMPLATE: InvalidUrl, "{} is not a template of a URL; begin with https:// or a variable, with a name in each pair of braces and without spaces";
    NO_VARIABLE: UnknownReference, "{} has a variable that `variables` does not declare; declare it with a description";
    NO_HEADER: InvalidValue, "{} is not a valid name of a header; use letters, digits and `-`";
    OWN_HEADER: InvalidValue Warning, "clients set the header {} themselves; remove it";
    HEADER_TWICE: DuplicateId Warning, "the header {} is described twice; remove one";
    NO_FORMAT: InvalidValue, "{} is not a format of inputs; write string, number, boolean or filepath";
    NO_TEXT: WrongType, "this value of an input must be a string; write it in quotes";
    NO_CHOICE: InvalidValue Warning, "the default {} is not one of the choices; write one of them";
}

/// Whether a server is one of the remotes of a card, whose members the specification defines.
pub(crate) fn is_remote(row: &Row<'_, '_>) -> bool {
    within::<{ 1 << Top::remotes }>(row)
}

/// Checks the URL of a remote, which may be a template.
pub(crate) fn server_url<'a>(url: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if !url.raw().contains(&b'{') {
        return check.url(Some(url), Secure::Http, "");
    }
    let begins = |prefix| url.starts_with_ignore_case(prefix);
    if begins("http://") {
        match judge(server_of(url), Secure::Http) {
            Some(found) if found.severity == Severity::Info => check.finding(found, url, ""),
            _ => check.say(INSECURE, url, row),
        }
    } else if !(begins("https://") || begins("{"))
        || url.chars().any(char::is_whitespace)
        || !has_whole_braces(url)
    {
        check.say(NO_TEMPLATE, url, row);
    }
    templated(url, &[row.view::<ServerObject<'a>>().variables], row, check);
}

/// Returns the scheme and the host of a template, without its port.
fn server_of(url: Text<'_>) -> Text<'_> {
    let raw = url.raw();
    let host = raw.get(SCHEME..).unwrap_or_default();
    let length = match host {
        [b'[', ..] => host.iter().position(|octet| *octet == b']').map(|end| end.saturating_add(1)),
        _ => host.iter().position(|octet| b":/?#{".contains(octet)),
    };
    let end = SCHEME.saturating_add(length.unwrap_or(host.len()));
    // A variable before the port is a part of the name.
    match raw.get(end) {
        Some(b'{') => Text::EMPTY,
        _ => Text::plain(raw.get(..end).unwrap_or_default()),
    }
}

/// The length of `http://`.
const SCHEME: usize = 7;

/// Reports a text with a variable in braces that none of the objects in `declared` declares.
fn templated<'a>(
    text: Text<'a>,
    declared: &[Option<Object<'a>>],
    row: &Row<'_, 'a>,
    check: &mut Check<'_, '_, 'a>,
) {
    let is_long = |Object(object): &Object<'_>| object.raw().len() > VARIABLE_BYTES;
    if declared.iter().flatten().any(is_long) {
        return;
    }
    for name in placeholders(text).take(VARIABLES) {
        let is_declared = declared.iter().flatten().any(|Object(object)| {
            object.members().take(VARIABLES).any(|member| member.name == name)
        });
        if !is_declared {
            return check.say(NO_VARIABLE, text, row);
        }
    }
}

/// The maximum number of variables of a template, and of declared variables in an object, that are
/// compared.
const VARIABLES: usize = 16;
/// The maximum length of an object with variables, in bytes. If one is longer, variables are not
/// compared.
const VARIABLE_BYTES: usize = 2048;

/// Checks what the headers of a remote need from each other, and from the variables of the remote.
pub(crate) fn remote<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let ServerObject { headers, variables, .. } = row.view();
    let Some(Headers(headers)) = headers.filter(|_| is_remote(row)) else { return };
    let headers = || headers.elements().map(InputObject::read);
    for header in headers() {
        if let Some(value) = header.value.and_then(|Also(value)| value.as_text()) {
            let own = header.variables.map(|Also(variables)| variables);
            templated(value, &[own, variables], row, check);
        }
    }
    check.with_scratch(|check, scratch| {
        let names = headers().filter_map(|header| header.name);
        let Some(names) = Names::sort(names, check.bytes, Notation::Json, true, scratch) else {
            return check.not_checked();
        };
        for name in names.repeated() {
            check.say(HEADER_TWICE, name, row);
        }
    });
}

pub(crate) fn is_header(row: &Row<'_, '_>) -> bool {
    within::<{ 1 << ServerObject::headers }>(row)
}

pub(crate) fn header_name<'a>(name: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if !is_token(name.chars()) {
        check.say(NO_HEADER, name, row);
    } else if !can_be_set(name) && !name.eq_ignore_case("Authorization") {
        check.say(OWN_HEADER, name, row);
    }
}

/// Checks the values of a header or a variable. One that is declared secret must not be in the
/// document.
pub(crate) fn input<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let input: InputObject<'a> = row.view();
    let value = input.value.map(|Also(value)| value);
    for value in [input.default, value, input.placeholder].into_iter().flatten() {
        if value.kind() != Kind::String {
            check.say_at(NO_TEXT, value, row);
        }
    }
    let default = input.default.and_then(Value::as_text);
    if let (Some(default), Some(Array(choices))) = (default, input.choices)
        && !choices.elements().any(|choice| choice.as_text() == Some(default))
    {
        check.say(NO_CHOICE, default, row);
    }
    if input.secret == Some(true)
        && let Some(secret) = value.and_then(Value::as_text).or(default)
        && credentials::is_literal(secret)
    {
        let code = Code::CredentialInDocument;
        check.add(code, quoted(secret, check.bytes), "", credentials::MESSAGE);
    }
}
