//! The checks of the three ADP documents that go beyond the types and names of members.

use super::{
    Adp, AdpCapability, AdpSearch, AuthObject, Detail, Entry, ParameterObject, PlanObject,
    PricingObject, RateLimitsObject, ResultObject, SearchService, SearchTop, Top,
    resolve::has_base_path, resolve::is_path,
};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::model::{Enumeration, Location, Reading};
use crate::rules::is_joined;
use crate::rules::json::{
    Case, Check, members, other_location, quoted, span_of, strings, strings_in, untyped,
};
use crate::rules::method::{can_carry_key, is_token, is_visible};
use crate::rules::report::Report;
use crate::rules::urls::{Secure, is_ambiguous, is_elsewhere, is_rooted, judge_url};
use crate::scan;
use crate::sink::copy;
use crate::span::Span;
use crate::syntax::json::view::{Also, Array, Object};
use crate::syntax::json::{Kind, Value};
use crate::syntax::template::{Piece, pieces, placeholders};
use crate::syntax::text::Text;
use crate::syntax::url::{self, Url};

/// Checks a manifest. `scratch` needs two numbers for each capability.
pub(crate) fn manifest<'a>(
    document: &Adp<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let Top { object, seen, .. } = document.top;
    let top = &document.top;
    let mut check = Check::new(bytes, Spec::Adp, report);
    let check = &mut check;
    let start = scan::memchr(b'{', bytes).unwrap_or_default();
    strings(check, start);
    let span = span_of(object, bytes);
    if span.start as usize != start {
        let message = "the manifest is inside the response of a registry, where it is read; a service serves the manifest itself";
        let span = Span::new(span.start, span.start.saturating_add(1));
        check.add(Code::NonstandardShape, span, "1", message);
    }
    members::<Top<'_>>(object, check, "2");
    if let Some(version) =
        check.need_text::<Top<'_>>(object, &seen, "spec_version", top.spec_version, "2")
        && version != "1.0"
    {
        check.about(
            Code::UnsupportedVersion,
            version,
            "7",
            "version {} is not supported; write 1.0",
        );
    }
    check.need_text::<Top<'_>>(object, &seen, "name", top.name, "2");
    if let Some(description) =
        check.need_text::<Top<'_>>(object, &seen, "description", top.description, "2")
        && !(10..=200).contains(&description.chars().count())
    {
        check.about(
            Code::InvalidLength,
            description,
            "7",
            "{} must have 10 to 200 characters; shorten or lengthen it",
        );
    }
    let base = check.need_text::<Top<'_>>(object, &seen, "base_url", top.base_url, "2");
    if let Some(base) = base {
        base_url(base, check);
    }
    check.need::<Top<'_>>(object, &seen, "auth", "2");
    if let Some(Object(object)) = top.auth {
        auth(object, check);
    }
    if let Some(Object(object)) = top.pricing {
        pricing(object, check);
    }
    check.need::<Top<'_>>(object, &seen, "capabilities", "2");
    if let Some(Array(array)) = top.capabilities {
        capabilities(array, base, check);
        let names = document.capabilities().filter_map(|capability| capability.id);
        let message =
            "an earlier capability already has the name {}; give each capability a unique name";
        check.unique(names, Severity::Error, "7", message, scratch);
    }
}

/// Reports each placeholder of a URL by its name.
fn report_placeholders<'a>(url: Text<'a>, check: &mut Check<'_, '_, 'a>) {
    for name in placeholders(url) {
        let message = "the URL contains the placeholder {}, so clients cannot use it without a value from their user; write the URL of the service, or say where users find the value";
        let span = quoted(url, check.bytes);
        let diagnostic = Diagnostic::new(Code::Placeholder, span, check.spec, "2", message);
        check.report.add(diagnostic.about(name));
        if check.report.is_full() {
            return;
        }
    }
}

/// Checks the base URL. Reports placeholders, and checks the rest as if each placeholder had a
/// value.
fn base_url<'a>(base: Text<'a>, check: &mut Check<'_, '_, 'a>) {
    report_placeholders(base, check);
    let mut buffer = None;
    let as_it_stands =
        !base.is_escaped() && base.raw().len() <= url::BUFFER && !base.raw().contains(&b'{');
    let url = if as_it_stands {
        Url::parse(base.raw())
    } else {
        filled(base, buffer.insert([0; url::BUFFER])).and_then(|text| Url::parse(text.as_bytes()))
    };
    let Some(url) = url else {
        return check.about(
            Code::InvalidUrl,
            base,
            "7",
            "{} is not a valid URL; write one that begins with https://",
        );
    };
    if let Some(finding) = judge_url(&url, Secure::Http) {
        check.graded(finding.code, finding.severity, base, "7", finding.message);
    }
    if url.query().is_some() || url.fragment().is_some() {
        let message = "{} has a query or fragment, which clients drop when they resolve a path with it; declare the query as parameters of the capabilities";
        check.about(Code::BaseUrlQuery, base, "2", message);
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

fn auth<'a>(object: Value<'a>, check: &mut Check<'_, '_, 'a>) {
    let members_of_auth = members::<AuthObject<'_>>(object, check, "3");
    strings_in(&members_of_auth, &["scopes"], check, "3");
    let auth = members_of_auth.view();
    if let Some(kind) =
        check.need_text::<AuthObject<'_>>(object, &auth.seen, "type", auth.kind, "3")
    {
        check.one_of(
            Some(kind),
            &["none", "api_key", "oauth2"],
            Case::Ignored,
            "3",
            "{} is not a valid authentication type; write none, api_key or oauth2",
        );
        if kind.eq_ignore_case("oauth2") {
            oauth2(object, &auth, check);
        }
    }
    if let Some(header) = auth.header.filter(|header| !is_token(header.chars())) {
        check.about(
            Code::InvalidValue,
            header,
            "3",
            "{} is not a valid HTTP header name; write one such as Authorization",
        );
    } else if let Some(header) =
        auth.header.filter(|header| !header.is_empty() && !can_carry_key(*header))
    {
        check.about(
            Code::InvalidValue,
            header,
            "3",
            "the header {} has another meaning and cannot carry a key; write Authorization, or a header of your own such as X-Api-Key",
        );
    }
    if let Some(prefix) = auth.prefix.filter(|prefix| !is_visible(*prefix)) {
        check.about(
            Code::InvalidValue,
            prefix,
            "3",
            "{} contains characters that an HTTP header cannot contain; use visible ASCII characters",
        );
    }
    let has_key = auth.kind.is_none_or(|kind| !kind.eq_ignore_case("none"));
    let is_implied = has_key && !auth.seen.has(AuthObject::prefix);
    if let Some(header) = auth.header.filter(|header| {
        is_implied && can_carry_key(*header) && !header.eq_ignore_case("Authorization")
    }) {
        let message = "clients send the key in {} without a prefix, because only Authorization defaults to `Bearer`; write `prefix` if the service expects one";
        check.about(Code::ImpliedPrefix, header, "3", message);
    }
    check.url(auth.setup_url, Secure::NotAsked, "3");
    check.url(auth.authorization_url, Secure::Http, "3");
    check.url(auth.token_url, Secure::Http, "3");
}

/// Reports missing URLs that OAuth 2 needs. The specification requires neither of them, and an
/// agent with credentials of its own needs no authorization.
fn oauth2<'a>(object: Value<'a>, auth: &AuthObject<'a>, check: &mut Check<'_, '_, 'a>) {
    for (field, name, severity, message) in [
        (
            AuthObject::authorization_url,
            "authorization_url",
            Severity::Info,
            "{} is missing, so agents cannot ask a user for authorization; add it, unless they have credentials of their own",
        ),
        (
            AuthObject::token_url,
            "token_url",
            Severity::Warning,
            "{} is missing, so agents do not know where to get a token; add it",
        ),
    ] {
        if !auth.seen.has(field) {
            check.lacks(Code::MissingRecommendedField, severity, name, object, "3", message);
        }
    }
}

fn pricing<'a>(object: Value<'a>, check: &mut Check<'_, '_, 'a>) {
    let pricing = members::<PricingObject<'_>>(object, check, "4").view();
    check.one_of(
        pricing.kind,
        &["free", "freemium", "paid"],
        Case::Ignored,
        "4",
        "{} is not a valid pricing model; write free, freemium or paid",
    );
    check.url(pricing.plans_url, Secure::NotAsked, "4");
    if let Some(Array(plans)) = pricing.plans {
        check.objects(plans, "4", |plan, check| {
            untyped::<PlanObject<'_>>(plan, check, "4");
        });
    }
}

fn capabilities<'a>(array: Value<'a>, base: Option<Text<'a>>, check: &mut Check<'_, '_, 'a>) {
    if array.elements().next().is_none() {
        let empty = Diagnostic::new(
            Code::EmptyValue,
            span_of(array, check.bytes),
            check.spec,
            "7",
            "the list of capabilities is empty; declare at least one",
        );
        check.report.add(empty.with_severity(Severity::Error));
    }
    let mut buffer = None;
    let base_url = base.and_then(|base| Url::lazily(base, &mut buffer));
    let mut path_said = false;
    check.objects(array, "2", |object, check| {
        let entry = members::<Entry<'_>>(object, check, "2").view();
        if let Some(name) =
            check.need_text::<Entry<'_>>(object, &entry.seen, "name", entry.name, "2")
        {
            snake_case(name, check);
        }
        check.need_text::<Entry<'_>>(object, &entry.seen, "description", entry.description, "2");
        let endpoint = entry.endpoint.filter(|endpoint| !endpoint.is_empty());
        if let Some(endpoint) = endpoint {
            reference(endpoint, base_url.as_ref(), "2", check);
        }
        check.method(entry.method, "2");
        let detail =
            check.need_text::<Entry<'_>>(object, &entry.seen, "detail_url", entry.detail_url, "2");
        if let Some(detail) = detail {
            report_placeholders(detail, check);
            reference(detail, base_url.as_ref(), "2", check);
        }
        if let (Some(base), Some(url)) = (base, &base_url)
            && [detail, endpoint]
                .into_iter()
                .flatten()
                .any(|text| has_two_readings(url, text))
            && !core::mem::replace(&mut path_said, true)
        {
            let message = "{} has a path: clients append a path to it, although RFC 3986 would replace it or its last segment; write absolute URLs to avoid the ambiguity";
            check.about(Code::BaseUrlPath, base, "2", message);
        }
    });
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
fn reference<'a>(
    text: Text<'a>,
    base: Option<&Url<'_>>,
    section: &'static str,
    check: &mut Check<'_, '_, 'a>,
) {
    const INVALID: &str = "{} is not a valid path or URL; write a path that begins with `/`, or an absolute URL, without spaces and backslashes";
    let mut buffer = None;
    if is_ambiguous(text) {
        check.about(Code::InvalidUrl, text, section, INVALID);
    } else if is_rooted(text) {
        // A path is always on the host of the service.
    } else if text.chars().next() == Some('/') {
        let message = "{} begins with `//`, so it refers to another host; begin it with one slash, or write an absolute URL";
        check.about(Code::CrossOriginEndpoint, text, section, message);
    } else if let Some(url) = Url::lazily(text, &mut buffer) {
        if let Some(finding) = judge_url(&url, Secure::Http) {
            check.graded(finding.code, finding.severity, text, section, finding.message);
        }
        if base.is_some_and(|base| is_elsewhere(base.host(), url.host())) {
            let message = "{} is on another domain than base_url, so agents do not send it credentials; use a host on the domain of base_url if it needs them";
            check.graded(Code::CrossOriginEndpoint, Severity::Info, text, section, message);
        }
    } else if text.chars().find(|c| matches!(c, ':' | '/' | '?' | '#')) == Some(':')
        && placeholders(text).next().is_none()
    {
        // A reference with a scheme is a URL, and this one is invalid.
        check.about(Code::InvalidUrl, text, section, INVALID);
    }
}

/// Reports a name that does not match `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`.
fn snake_case<'a>(name: Text<'a>, check: &mut Check<'_, '_, 'a>) {
    let begins_with_digit = name.chars().next().is_some_and(|c| c.is_ascii_digit());
    if begins_with_digit || !is_joined(name, '_') {
        check.about(
            Code::InvalidValue,
            name,
            "7",
            "{} is not in snake_case; use lower-case letters and digits, with `_` between words",
        );
    }
}

/// Checks the detail of a capability. `scratch` needs two numbers for each parameter.
pub(crate) fn detail<'a>(
    document: &AdpCapability<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    const SECTION: &str = "5";
    let detail = &document.detail;
    let (object, seen) = (detail.object, &detail.seen);
    let mut check = Check::new(bytes, Spec::Adp, report);
    let check = &mut check;
    strings(check, span_of(object, bytes).start as usize);
    let members_of_detail = members::<Detail<'_>>(object, check, SECTION);
    strings_in(&members_of_detail, &["auth_scopes"], check, SECTION);
    if let Some(name) = check.need_text::<Detail<'_>>(object, seen, "name", detail.name, SECTION) {
        snake_case(name, check);
    }
    check.need_text::<Detail<'_>>(object, seen, "description", detail.description, SECTION);
    let endpoint =
        check.need_text::<Detail<'_>>(object, seen, "endpoint", detail.endpoint, SECTION);
    if let Some(endpoint) = endpoint {
        reference(endpoint, None, SECTION, check);
        if is_path(endpoint) && !is_rooted(endpoint) {
            let message = "{} does not begin with `/`: clients append it to base_url, although RFC 3986 would replace the last segment of its path; begin it with `/`";
            check.about(Code::NonstandardShape, endpoint, SECTION, message);
        }
    }
    let method = check.need_text::<Detail<'_>>(object, seen, "method", detail.method, SECTION);
    check.method(method, SECTION);
    for name in ["parameters", "request_example", "response_example"] {
        check.need::<Detail<'_>>(object, seen, name, SECTION);
    }
    for (name, example, message) in [
        (
            "request_example",
            detail.request_example,
            "{} must be an object with `method`, `url`, `headers` and `body`",
        ),
        (
            "response_example",
            detail.response_example,
            "{} must be an object with `status` and `body`",
        ),
    ] {
        if let Some(example) = example.filter(|example| example.kind() != Kind::Object) {
            let span = span_of(example, check.bytes);
            let diagnostic = Diagnostic::new(Code::WrongType, span, check.spec, SECTION, message);
            check.report.add(diagnostic.about(Text::plain(name.as_bytes())));
        }
    }
    if let Some(object) = members_of_detail.value_of_kind("rate_limits", Kind::Object) {
        let limits = members::<RateLimitsObject<'_>>(object, check, SECTION).view();
        check.requests(limits.requests_per_minute, SECTION);
        check.requests(limits.daily_limit, SECTION);
    }
    if let Some(Array(array)) = detail.parameters {
        check.objects(array, SECTION, |object, check| {
            let parameter = members::<ParameterObject<'_>>(object, check, SECTION).view();
            check.need_text::<ParameterObject<'_>>(
                object,
                &parameter.seen,
                "name",
                parameter.name,
                SECTION,
            );
            check.need_text::<ParameterObject<'_>>(
                object,
                &parameter.seen,
                "type",
                parameter.kind,
                SECTION,
            );
            check.need_text::<ParameterObject<'_>>(
                object,
                &parameter.seen,
                "description",
                parameter.description,
                SECTION,
            );
            let places = (parameter.location, parameter.other_location);
            other_location(parameter.object, places, SECTION, check);
            if let Some(location) = parameter.place().filter(|location| !location.is_empty())
                && Location::of(location) == Location::Unknown
            {
                check.about(
                    Code::InvalidValue,
                    location,
                    SECTION,
                    crate::format::draft::check::LOCATION,
                );
            }
        });
    }
    // Unreadable parameters are reported elsewhere, and cannot be compared with the endpoint.
    if detail.parameters.is_some() || !seen.has(PARAMETERS) {
        parameter_names(document, endpoint, check, scratch);
    }
}

const PARAMETERS: u32 = Detail::parameters;

/// Reports repeated parameters, and path parameters that do not match the endpoint.
fn parameter_names<'a>(
    document: &AdpCapability<'a>,
    endpoint: Option<Text<'a>>,
    check: &mut Check<'_, '_, 'a>,
    scratch: &mut [u32],
) {
    let parameters = || {
        super::objects(document.detail.parameters, |cursor| {
            cursor.next_object().map(ParameterObject::read)
        })
    };
    let names = parameters().filter_map(|parameter| parameter.name);
    let message = "an earlier parameter already has the name {}; give each parameter a unique name";
    let Some(names) = check.unique(names, Severity::Error, "5", message, scratch) else {
        return;
    };
    let Some(endpoint) = endpoint else { return };
    if let Some(name) = placeholders(endpoint).find(|name| !names.contains(*name)) {
        let message =
            "the endpoint contains {} in braces, which is not declared; declare it in `parameters`";
        let span = quoted(endpoint, check.bytes);
        let diagnostic = Diagnostic::new(Code::UnknownReference, span, check.spec, "5", message);
        check.report.add(diagnostic.about(name));
    }
    let Some(segments) = check.sorted(placeholders(endpoint), scratch) else {
        return;
    };
    for parameter in parameters() {
        let in_path =
            parameter.place().is_some_and(|location| Location::of(location) == Location::Path);
        if let Some(name) = parameter.name.filter(|name| in_path && !name.is_empty())
            && !segments.contains(name)
        {
            check.about(
                Code::UnknownReference,
                name,
                "5",
                "the endpoint does not contain the path parameter {}; write its name in braces where its value belongs",
            );
        }
    }
}

/// Checks the response of a registry search.
pub(crate) fn search<'a>(document: &AdpSearch<'a>, bytes: &'a [u8], report: &mut Report<'_, 'a>) {
    const SECTION: &str = "6";
    let top = &document.top;
    let object = top.object;
    let mut check = Check::new(bytes, Spec::Adp, report);
    let check = &mut check;
    strings(check, span_of(object, bytes).start as usize);
    let members_of_top = members::<SearchTop<'_>>(object, check, SECTION);
    check.need::<SearchTop<'_>>(object, &top.seen, "success", SECTION);
    check.need::<SearchTop<'_>>(object, &top.seen, "data", SECTION);
    if let Some(success) =
        members_of_top.value("success").filter(|success| success.as_bool() == Some(false))
    {
        check.about_value(
            Code::InvalidValue,
            Severity::Warning,
            success,
            SECTION,
            "`success` is {}, so the search failed; do not use its results",
        );
    }
    let Some(Array(data)) = top.data else { return };
    if let Some(Also(count)) = top.result_count
        && count.as_u64() != u64::try_from(data.elements().count()).ok()
    {
        let value = Value::trusted(count.raw());
        let message = "{} differs from the number of results in `data`; write that number";
        check.about_value(Code::InvalidValue, Severity::Warning, value, SECTION, message);
    }
    check.objects(data, SECTION, |object, check| {
        let result = members::<ResultObject<'_>>(object, check, SECTION).view();
        check.need::<ResultObject<'_>>(object, &result.seen, "service", SECTION);
        check.need::<ResultObject<'_>>(object, &result.seen, "matching_capabilities", SECTION);
        if let Some(Object(object)) = result.service {
            let service = members::<SearchService<'_>>(object, check, SECTION).view();
            check.need_text::<SearchService<'_>>(
                object,
                &service.seen,
                "name",
                service.name,
                SECTION,
            );
            check.need_text::<SearchService<'_>>(
                object,
                &service.seen,
                "domain",
                service.domain,
                SECTION,
            );
        }
        if let Some(Array(array)) = result.matching_capabilities {
            check.objects(array, SECTION, |object, check| {
                members::<Entry<'_>>(object, check, SECTION);
            });
        }
    });
}
