//! What `request_example` of a detail says about the request in addition to the parameters: the
//! encoding of the body, and headers that are the same in every request.

use crate::format::adp::{Adp, AdpCapability, ParameterObject};
use crate::rules::credentials::holds_credential;
use crate::rules::json::reading::objects;
use crate::rules::method::{can_be_set, can_carry_key, is_visible};
use crate::syntax::json::{Kind, Member, Value};
use crate::syntax::text::Text;

/// How the body is encoded.
#[derive(Clone, Copy)]
pub(crate) enum Encoding {
    /// A JSON object with a member for each argument.
    Object,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `multipart/form-data`.
    Multipart,
    /// One value, as JSON.
    Value,
    /// One value, as text.
    Text,
}

/// The encoding of the body and its media type. The default is a JSON object.
#[derive(Clone, Copy)]
pub(crate) struct Media<'a> {
    pub(super) encoding: Encoding,
    /// The media type with its parameters, as written in the example.
    pub(super) name: Text<'a>,
}

impl<'a> Media<'a> {
    /// A JSON object.
    pub(crate) const JSON: Self =
        Self { encoding: Encoding::Object, name: Text::plain(b"application/json") };

    pub(crate) fn of(detail: &AdpCapability<'a>) -> Self {
        let is_list = body(detail).is_some_and(|body| body.kind() == Kind::Array);
        let is_object = body(detail).is_some_and(|body| body.kind() == Kind::Object);
        let name = headers(detail)
            .filter(|header| header.name.eq_ignore_case("Content-Type"))
            .last()
            .and_then(|header| header.value.as_text())
            .map(Text::trim)
            .filter(|name| !name.is_empty() && is_visible(*name))
            .unwrap_or(Self::JSON.name);
        let is = |one: &str| {
            name.starts_with_ignore_case(one)
                && matches!(name.chars().nth(one.len()), None | Some(';' | ' '))
        };
        let is_json = || {
            let mut essence = [0; 64];
            let length = name.chars().take_while(|c| !matches!(c, ';' | ' ')).count();
            let start = name.decode(&mut essence).unwrap_or_default();
            let essence = start.get(..length).unwrap_or_default().as_bytes();
            let end = |suffix: &[u8]| {
                let at = essence.len().checked_sub(suffix.len());
                at.and_then(|at| essence.get(at..))
                    .is_some_and(|end| end.eq_ignore_ascii_case(suffix))
            };
            end(b"/json") || end(b"+json")
        };
        let encoding = if is("application/x-www-form-urlencoded") {
            Encoding::Form
        } else if is("multipart/form-data") {
            Encoding::Multipart
        } else if is_list {
            Encoding::Value
        } else if is_object || is_json() {
            Encoding::Object
        } else {
            Encoding::Text
        };
        Self { encoding, name }
    }

    /// Whether the body is the value of one argument.
    pub(super) const fn is_single(&self) -> bool {
        matches!(self.encoding, Encoding::Value | Encoding::Text)
    }
}

/// Returns the body of the example.
fn body<'a>(detail: &AdpCapability<'a>) -> Option<Value<'a>> {
    detail.detail.request_example?.get("body")
}

/// Returns the headers of the example.
fn headers<'a>(detail: &AdpCapability<'a>) -> impl Iterator<Item = Member<'a>> + Clone + use<'a> {
    let example = detail.detail.request_example;
    let headers = example.and_then(|example| example.get("headers"));
    // An object with more headers is not a realistic example of a request.
    headers.unwrap_or(Value::NULL).members().take(MOST)
}

/// The largest number of headers that are read.
const MOST: usize = 32;

/// Returns the headers that are the same in every request; see [`Adp::constant_headers`].
pub(crate) fn constants<'a>(
    manifest: &Adp<'a>,
    detail: &AdpCapability<'a>,
) -> impl Iterator<Item = (Text<'a>, Text<'a>)> + use<'a> {
    let (carrier, _) = manifest.header_and_prefix();
    let (all, detail) = (headers(detail), *detail);
    headers(&detail).enumerate().filter_map(move |(index, header)| {
        let (name, value) = (header.name, header.value.as_text()?);
        let is_repeated = || {
            let mut later = all.clone().skip(index.saturating_add(1));
            later.any(|other| other.name.eq_text_ignore_case(name))
        };
        let fits = can_be_set(name)
            && (can_carry_key(name) || name.starts_with_ignore_case("Accept"))
            && !name.eq_text_ignore_case(carrier)
            && !is_about_a_caller(name)
            && is_constant(value)
            && !is_repeated()
            && !has_parameter(&detail, name);
        fits.then_some((name, value))
    })
}

/// Whether the detail has a parameter with the name of a header.
fn has_parameter(detail: &AdpCapability<'_>, name: Text<'_>) -> bool {
    objects(detail.detail.parameters, |cursor| cursor.next_object().map(ParameterObject::read))
        .any(|parameter| parameter.name.is_some_and(|own| own.eq_text_ignore_case(name)))
}

/// Whether the name of a header says that its value is a credential or identifies the caller.
fn is_about_a_caller(name: Text<'_>) -> bool {
    const WORDS: [&str; 12] = [
        "auth",
        "key",
        "token",
        "secret",
        "cookie",
        "password",
        "session",
        "signature",
        "user",
        "account",
        "behalf",
        "-id",
    ];
    WORDS.iter().any(|word| contains(name, word))
}

/// Whether the value of a header is neither a placeholder nor a credential.
fn is_constant(value: Text<'_>) -> bool {
    !value.is_empty()
        && is_visible(value)
        && !value.chars().any(|c| matches!(c, '{' | '}' | '<' | '>' | '$'))
        && !["your", "xxx", "...", "***"].iter().any(|mark| contains(value, mark))
        && !holds_credential(value)
}

/// Whether a text contains a word in any letter case.
fn contains(text: Text<'_>, word: &str) -> bool {
    let mut chars = text.chars();
    loop {
        let mut ahead = chars;
        if word.chars().all(|c| ahead.next().is_some_and(|own| own.eq_ignore_ascii_case(&c))) {
            return true;
        }
        if chars.next().is_none() {
            return false;
        }
    }
}
