//! The check of the three ADP documents: what the rules in the tables of the formats refer to.

use super::resolve::{has_base_path, is_path};
use super::{
    Adp, AdpCapability, AdpSearch, AuthObject, Detail, Entry, ParameterObject, SearchTop, Top,
};
use crate::diagnostic::{Code, Spec};
use crate::format::draft::check::LOCATION;
use crate::model::{Enumeration, Location};
use crate::rules::is_joined;
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::json::{members, other_location, span_of};
use crate::rules::method::{can_carry_key, is_token, is_visible};
use crate::rules::report::Report;
use crate::rules::urls::{is_ambiguous, is_elsewhere, is_rooted, judge_url};
use crate::scan;
use crate::sink::copy;
use crate::span::Span;
use crate::syntax::json::view::Array;
use crate::syntax::json::{Kind, Value};
use crate::syntax::template::{Piece, pieces, placeholders};
use crate::syntax::text::Text;
use crate::syntax::url::{self, Url};

says! {
    VERSION: UnsupportedVersion "7", "version {} is not supported; write 1.0";
    LENGTH: InvalidLength "7", "{} must have 10 to 200 characters; shorten or lengthen it";
    NO_CAPABILITIES: EmptyValue Error "7", "the list of capabilities is empty; declare at least one";
    CAPABILITY_TWICE: DuplicateId "7", "an earlier capability already has the name {}; give each capability a unique name";
    NO_SNAKE_CASE: InvalidValue "7", "{} is not in snake_case; use lower-case letters and digits, with `_` between words";
    PLACEHOLDER: Placeholder "2", "the URL contains the placeholder {}, so clients cannot use it without a value from their user; write the URL of the service, or say where users find the value";
    NO_BASE_URL: InvalidUrl "7", "{} is not a valid URL; write one that begins with https://";
    BASE_QUERY: BaseUrlQuery, "{} has a query or fragment, which clients drop when they resolve a path with it; declare the query as parameters of the capabilities";
    BASE_PATH: BaseUrlPath, "{} has a path: clients append a path to it, although RFC 3986 would replace it or its last segment; write absolute URLs to avoid the ambiguity";
    NO_REFERENCE: InvalidUrl, "{} is not a valid path or URL; write a path that begins with `/`, or an absolute URL, without spaces and backslashes";
    OTHER_HOST: CrossOriginEndpoint, "{} begins with `//`, so it refers to another host; begin it with one slash, or write an absolute URL";
    OTHER_DOMAIN: CrossOriginEndpoint Info, "{} is on another domain than base_url, so agents do not send it credentials; use a host on the domain of base_url if it needs them";
    NO_AUTH_TYPE: InvalidValue, "{} is not a valid authentication type; write none, api_key or oauth2";
    NO_HEADER: InvalidValue, "{} is not a valid HTTP header name; write one such as Authorization";
    NO_KEY: InvalidValue, "the header {} has another meaning and cannot carry a key; write Authorization, or a header of your own such as X-Api-Key";
    NO_DEFAULT: ImpliedPrefix, "clients send the key in {} without a prefix, because only Authorization defaults to `Bearer`; write `prefix` if the service expects one";
    INVISIBLE: InvalidValue, "{} contains characters that an HTTP header cannot contain; use visible ASCII characters";
    NO_AUTHORIZATION: MissingRecommendedField Info, "{} is missing, so agents cannot ask a user for authorization; add it, unless they have credentials of their own";
    NO_TOKEN: MissingRecommendedField Warning, "{} is missing, so agents do not know where to get a token; add it";
    NO_PRICING: InvalidValue, "{} is not a valid pricing model; write free, freemium or paid";
    NO_SLASH: NonstandardShape, "{} does not begin with `/`: clients append it to base_url, although RFC 3986 would replace the last segment of its path; begin it with `/`";
    NO_REQUEST: WrongType, "{} must be an object with `method`, `url`, `headers` and `body`";
    NO_RESPONSE: WrongType, "{} must be an object with `status` and `body`";
    PARAMETER_TWICE: DuplicateId, "an earlier parameter already has the name {}; give each parameter a unique name";
    NO_LOCATION: InvalidValue, LOCATION;
    UNDECLARED: UnknownReference, "the endpoint contains {} in braces, which is not declared; declare it in `parameters`";
    NOT_IN_PATH: UnknownReference, "the endpoint does not contain the path parameter {}; write its name in braces where its value belongs";
    FAILED: InvalidValue Warning, "`success` is {}, so the search failed; do not use its results";
    OTHER_COUNT: InvalidValue Warning, "{} differs from the number of results in `data`; write that number";
}

/// Checks a manifest. `scratch` needs two numbers for each capability.
pub(crate) fn manifest<'a>(
    document: &Adp<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let Top { object, base_url, .. } = document.top;
    let mut check = Check::new(bytes, Spec::Adp, report).with(scratch);
    let span = span_of(object, bytes);
    if scan::memchr(b'{', bytes) != Some(span.start as usize) {
        let message = "the manifest is inside the response of a registry, where it is read; a service serves the manifest itself";
        let span = Span::new(span.start, span.start.saturating_add(1));
        check.add(Code::NonstandardShape, span, "1", message);
    }
    let mut buffer = None;
    let base = base_url.and_then(|base| Url::lazily(base, &mut buffer));
    check.host = base.map(|base| base.host());
    check.document(object, Top::RULES);
}

/// Checks the detail of a capability. `scratch` needs two numbers for each parameter.
pub(crate) fn detail<'a>(
    document: &AdpCapability<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, Spec::Adp, report).with(scratch);
    check.document(document.detail.object, Detail::RULES);
}

/// Checks the response of a registry search.
pub(crate) fn search<'a>(document: &AdpSearch<'a>, bytes: &'a [u8], report: &mut Report<'_, 'a>) {
    Check::new(bytes, Spec::Adp, report).document(document.top.object, SearchTop::RULES);
}

/// Reports each placeholder of a URL by its name.
pub(super) fn no_placeholders<'a>(url: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    for name in placeholders(url) {
        if check.report.is_full() {
            return;
        }
        check.say_part(PLACEHOLDER, name, url, row);
    }
}

/// Checks the base URL as if each placeholder in it had a value.
pub(super) fn base_url<'a>(base: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let mut buffer = None;
    let as_it_stands =
        !base.is_escaped() && base.raw().len() <= url::BUFFER && !base.raw().contains(&b'{');
    let url = if as_it_stands {
        Url::parse(base.raw())
    } else {
        filled(base, buffer.insert([0; url::BUFFER])).and_then(|text| Url::parse(text.as_bytes()))
    };
    let Some(url) = url else { return check.say(NO_BASE_URL, base, row) };
    if let Some(finding) = judge_url(&url, Secure::Http) {
        check.graded(finding.code, finding.severity, base, "7", finding.message);
    }
    if url.query().is_some() || url.fragment().is_some() {
        check.say(BASE_QUERY, base, row);
    }
}

/// Copies the text to the buffer with an `x` for each placeholder.
fn filled<'b>(text: Text<'_>, buffer: &'b mut [u8]) -> Option<&'b str> {
    let mut length = 0_usize;
    for piece in pieces(text) {
        let mut utf8 = [0; 4];
        let c = match piece {
            Piece::Char(c) => c,
            Piece::Name(_) => 'x',
        };
        let utf8 = c.encode_utf8(&mut utf8).as_bytes();
        let end = length.checked_add(utf8.len())?;
        copy(buffer.get_mut(length..end)?, utf8);
        length = end;
    }
    core::str::from_utf8(buffer.get(..length)?).ok()
}

/// Reports a base URL with a path, if the path of a capability has two readings.
pub(super) fn base_path<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let Some(base) = row.text_of(Top::base_url) else { return };
    let mut buffer = None;
    let Some(url) = Url::lazily(base, &mut buffer) else { return };
    let capabilities = row.view::<Top<'_>>().capabilities;
    let entries = super::objects(capabilities, |cursor| cursor.next_object().map(Entry::read));
    let references = entries.flat_map(|entry| [entry.detail_url, entry.endpoint]).flatten();
    if references.filter(|text| !text.is_blank()).any(|text| has_two_readings(&url, text)) {
        check.say(BASE_PATH, base, row);
    }
}

/// Whether a path has two readings: clients append it to the base URL, and RFC 3986 resolves it to
/// another URL.
fn has_two_readings(base: &Url<'_>, reference: Text<'_>) -> bool {
    let has_base_path = has_base_path(base, reference);
    let differs = if is_rooted(reference) {
        !has_base_path
    } else {
        has_base_path || !base.path().ends_with('/')
    };
    differs && is_path(reference) && !matches!(base.path(), "" | "/")
}

/// Checks an endpoint or `detail_url`: a path or an absolute URL.
pub(super) fn reference<'a>(text: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let mut buffer = None;
    if is_ambiguous(text) {
        check.say(NO_REFERENCE, text, row);
    } else if is_rooted(text) {
        // A path is always on the host of the service.
    } else if text.chars().next() == Some('/') {
        check.say(OTHER_HOST, text, row);
    } else if let Some(url) = Url::lazily(text, &mut buffer) {
        if let Some(finding) = judge_url(&url, Secure::Http) {
            check.graded(finding.code, finding.severity, text, row.section, finding.message);
        }
        if check.host.is_some_and(|host| is_elsewhere(host, url.host())) {
            check.say(OTHER_DOMAIN, text, row);
        }
    } else if text.chars().find(|c| matches!(c, ':' | '/' | '?' | '#')) == Some(':')
        && placeholders(text).next().is_none()
    {
        // A reference with a scheme is a URL, and this one is invalid.
        check.say(NO_REFERENCE, text, row);
    }
}

pub(super) fn method<'a>(method: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    check.method(Some(method), row.section);
}

/// Whether a description has 10 to 200 characters.
pub(super) fn has_length(description: Text<'_>) -> bool {
    (10..=200).contains(&description.chars().count())
}

/// Whether a name matches `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`.
pub(super) fn is_snake_case(name: Text<'_>) -> bool {
    !name.chars().next().is_some_and(|c| c.is_ascii_digit()) && is_joined(name, '_')
}

/// Checks the header of a key, and that it has a prefix if its default is none.
pub(super) fn header<'a>(header: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let auth: AuthObject<'a> = row.view();
    let has_key = auth.kind.is_none_or(|kind| !kind.eq_ignore_case("none"));
    if !is_token(header.chars()) {
        check.say(NO_HEADER, header, row);
    } else if !can_carry_key(header) {
        check.say(NO_KEY, header, row);
    } else if has_key
        && !auth.seen.has(AuthObject::prefix)
        && !header.eq_ignore_case("Authorization")
    {
        check.say(NO_DEFAULT, header, row);
    }
}

/// Checks a prefix, which may be empty: the key is then sent without one.
pub(super) fn prefix<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if let Some(prefix) = value.as_text().filter(|prefix| !is_visible(*prefix)) {
        check.say(INVISIBLE, prefix, row);
    }
}

/// Whether the authentication is OAuth 2. The specification requires none of its URLs, and an agent
/// with credentials of its own needs no authorization.
pub(super) fn is_oauth2(row: &Row<'_, '_>) -> bool {
    row.text_of(AuthObject::kind).is_some_and(|kind| kind.eq_ignore_case("oauth2"))
}

pub(super) fn rooted<'a>(endpoint: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if is_path(endpoint) && !is_rooted(endpoint) {
        check.say(NO_SLASH, endpoint, row);
    }
}

pub(super) fn requests<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    check.requests(value.as_number(), row.section);
}

pub(super) fn location<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let parameter: ParameterObject<'a> = row.view();
    let places = (parameter.location, parameter.other_location);
    other_location(row.object, places, row.section, check);
    if let Some(location) = parameter.place().filter(|location| !location.is_empty())
        && Location::of(location) == Location::Unknown
    {
        check.say(NO_LOCATION, location, row);
    }
}

/// Reports names in the endpoint and parameters in the path that do not match each other.
pub(super) fn path_parameters<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let detail: Detail<'a> = row.view();
    let Some(endpoint) = row.text_of(Detail::endpoint) else { return };
    // Unreadable parameters are reported elsewhere, and cannot be compared with the endpoint.
    if detail.parameters.is_none() && detail.seen.has(Detail::parameters) {
        return;
    }
    let parameters = || {
        super::objects(detail.parameters, |cursor| cursor.next_object().map(ParameterObject::read))
    };
    let names = parameters().filter_map(|parameter| parameter.name);
    check.with_names(names, |names, check| {
        if let Some(name) = placeholders(endpoint).find(|name| !names.contains(*name)) {
            check.say_part(UNDECLARED, name, endpoint, row);
        }
    });
    check.with_names(placeholders(endpoint), |segments, check| {
        for parameter in parameters() {
            let is_in_path =
                parameter.place().is_some_and(|place| Location::of(place) == Location::Path);
            let name = parameter.name.filter(|name| is_in_path && !name.is_empty());
            if let Some(name) = name.filter(|name| !segments.contains(*name)) {
                check.say(NOT_IN_PATH, name, row);
            }
        }
    });
}

pub(super) fn success<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if value.as_bool() == Some(false) {
        check.say_value(FAILED, value, row.section);
    }
}

pub(super) fn count<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let results = row.view::<SearchTop<'_>>().data;
    if let (Some(Array(results)), Some(count)) = (results, value.as_number())
        && count.as_u64() != u64::try_from(results.elements().count()).ok()
    {
        check.say_value(OTHER_COUNT, value, row.section);
    }
}

/// Checks the matching capabilities of a result, whose members are all optional.
pub(super) fn matches<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if value.kind() == Kind::Array {
        check.objects(value, row.section, |object, check| {
            members::<Entry<'_>>(object, check, row.section);
        });
    }
}
