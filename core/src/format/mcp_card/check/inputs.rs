//! The check of the inputs of a remote: the variables of its URL, and its headers.

use crate::diagnostic::{Code, Severity};
use crate::format::mcp_card::servers::InputObject;
use crate::rules::Notation;
use crate::rules::credentials;
use crate::rules::json::{Case, Check, members, quoted, span_of, strings_in};
use crate::rules::method::{can_be_set, is_token};
use crate::rules::names::Names;
use crate::rules::urls::Secure;
use crate::syntax::json::view::{Also, Array, Object};
use crate::syntax::json::{Kind, Value};
use crate::syntax::template::{has_whole_braces, placeholders};
use crate::syntax::text::Text;

pub(super) fn inputs<'a>(object: Option<Object<'a>>) -> impl Iterator<Item = Value<'a>> {
    let members = object.into_iter().flat_map(|Object(object)| object.members());
    members.map(|member| member.value)
}

/// Checks the URL of a remote, which may be a template.
pub(super) fn server_url<'a>(
    url: Text<'a>,
    variables: Option<Object<'a>>,
    check: &mut Check<'_, '_, 'a>,
) {
    if !url.raw().contains(&b'{') {
        return check.url(Some(url), Secure::Http, "");
    }
    let begins = |prefix| url.starts_with_ignore_case(prefix);
    if begins("http://") {
        check.about(Code::InsecureUrl, url, "", "{} is not secure; use https");
    } else if !(begins("https://") || begins("{"))
        || url.chars().any(char::is_whitespace)
        || !has_whole_braces(url)
    {
        check.about(
            Code::InvalidUrl,
            url,
            "",
            "{} is not a template of a URL; begin with https:// or a variable, with a name in each pair of braces and without spaces",
        );
    }
    let message =
        "{} has a variable that `variables` does not declare; declare it with a description";
    templated(url, &[variables], message, check);
}

/// Reports a text with a variable in braces that none of the objects in `declared` declares.
fn templated<'a>(
    text: Text<'a>,
    declared: &[Option<Object<'a>>],
    message: &'static str,
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
            check.about(Code::UnknownReference, text, "", message);
            return;
        }
    }
}

/// The maximum number of variables of a template, and of declared variables in an object, that are
/// compared.
const VARIABLES: usize = 16;
/// The maximum length of an object with variables, in bytes. If one is longer, variables are not
/// compared.
const VARIABLE_BYTES: usize = 2048;

pub(super) fn headers<'a>(
    headers: Value<'a>,
    variables: Option<Object<'a>>,
    check: &mut Check<'_, '_, 'a>,
    scratch: &mut [u32],
) {
    check.objects(headers, "", |object, check| {
        let header = input(object, check, scratch);
        let name = header.name;
        let name = check.need_text::<InputObject<'_>>(object, &header.seen, "name", name, "");
        if let Some(name) = name {
            if !is_token(name.chars()) {
                check.about(
                    Code::InvalidValue,
                    name,
                    "",
                    "{} is not a valid name of a header; use letters, digits and `-`",
                );
            } else if !can_be_set(name) && !name.eq_ignore_case("Authorization") {
                check.graded(
                    Code::InvalidValue,
                    Severity::Warning,
                    name,
                    "",
                    "clients set the header {} themselves; remove it",
                );
            }
        }
        if let Some(value) = header.value.and_then(|Also(value)| value.as_text()) {
            let own = header.variables.map(|Also(variables)| variables);
            let message = "{} has a variable that `variables` does not declare; declare it with a description";
            templated(value, &[own, variables], message, check);
        }
    });
    let names = headers.elements().filter_map(|header| InputObject::read(header).name);
    let Some(names) = Names::sort(names, check.bytes, Notation::Json, true, scratch) else {
        return check.not_checked();
    };
    for name in names.repeated() {
        let message = "the header {} is described twice; remove one";
        check.graded(Code::DuplicateId, Severity::Warning, name, "", message);
    }
}

/// Checks a header or a variable, and the variables of its value.
pub(super) fn input<'a>(
    object: Value<'a>,
    check: &mut Check<'_, '_, 'a>,
    scratch: &mut [u32],
) -> InputObject<'a> {
    let input = own(object, check);
    let variables = input.variables.map(|Also(variables)| variables);
    check.repeated(variables, scratch);
    // The variables of a variable have no meaning, so deeper levels are not checked.
    for variable in inputs(variables) {
        own(variable, check);
    }
    input
}

/// Checks the members of a header or a variable.
fn own<'a>(object: Value<'a>, check: &mut Check<'_, '_, 'a>) -> InputObject<'a> {
    if object.kind() != Kind::Object {
        if !object.is_null() {
            let message = "this input must be an object; write one with `description`";
            check.add(Code::WrongType, span_of(object, check.bytes), "", message);
        }
        return InputObject::read(object);
    }
    let noted = members::<InputObject<'_>>(object, check, "");
    strings_in(&noted, &["choices"], check, "");
    let input = noted.view();
    check.one_of(
        input.format,
        &["string", "number", "boolean", "filepath"],
        Case::Exact,
        "",
        "{} is not a format of inputs; write string, number, boolean or filepath",
    );
    let value = input.value.map(|Also(value)| value);
    for value in [input.default, value, input.placeholder]
        .into_iter()
        .flatten()
        .filter(|value| !matches!(value.kind(), Kind::String | Kind::Null))
    {
        let message = "this value of an input must be a string; write it in quotes";
        check.add(Code::WrongType, span_of(value, check.bytes), "", message);
    }
    let default = input.default.and_then(Value::as_text);
    if let (Some(default), Some(Array(choices))) = (default, input.choices)
        && !choices.elements().any(|choice| choice.as_text() == Some(default))
    {
        check.graded(
            Code::InvalidValue,
            Severity::Warning,
            default,
            "",
            "the default {} is not one of the choices; write one of them",
        );
    }
    secret(&input, check);
    input
}

/// Reports an input that is declared secret but whose value is in the document.
fn secret<'a>(input: &InputObject<'a>, check: &mut Check<'_, '_, 'a>) {
    let value = input.value.and_then(|Also(value)| value.as_text());
    if input.secret == Some(true)
        && let Some(secret) = value.or(input.default.and_then(Value::as_text))
        && credentials::is_literal(secret)
    {
        check.add(
            Code::CredentialInDocument,
            quoted(secret, check.bytes),
            "",
            credentials::MESSAGE,
        );
    }
}
