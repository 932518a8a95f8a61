//! The checks of agents.json 0.1 that go beyond the types and names of members.
//!
//! The specification of agents.txt 0.1.0 names this document but does not describe it, so the rules
//! have no section numbers.

use super::{
    AgentsJson01, AuditObject, CapabilityObject, FlowObject, ParamObject, Params, RateLimitObject,
    SessionObject, Site, Top,
};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::model::Reading;
use crate::rules::json::reading::Objects;
use crate::rules::json::{Check, members, span_of, strings, strings_in, wrong_type};
use crate::rules::report::Report;
use crate::rules::urls::Secure;
use crate::syntax::json::view::{Object, Shape};
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;
use crate::syntax::url::Url;

/// Checks a document. `scratch` needs two numbers for each capability, for each flow, and for each
/// parameter of the capability with the most parameters.
pub(crate) fn check<'a>(
    document: &AgentsJson01<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let top = &document.top;
    let object = top.object;
    let mut check = Check::new(bytes, Spec::AgentsTxt01, report);
    let check = &mut check;
    strings(check, span_of(object, bytes).start as usize);
    let members_of_top = members::<Top<'_>>(object, check, "");
    check.need_text::<Top<'_>>(object, &top.seen, "schema_version", top.schema_version, "");
    check.need::<Top<'_>>(object, &top.seen, "site", "");
    check.need::<Top<'_>>(object, &top.seen, "capabilities", "");
    if let Some(Object(object)) = top.site {
        let site = members::<Site<'_>>(object, check, "").view();
        check.url(site.url, Secure::Http, "");
    }
    check.url(top.docs_url, Secure::NotAsked, "");
    let mut buffer = None;
    let url = top
        .site
        .and_then(|Object(object)| Site::read(object).url)
        .and_then(|url| Url::lazily(url, &mut buffer));
    capabilities(top, url.as_ref().map(Url::host), check, scratch);
    if let Some(Object(object)) = top.session {
        session(object, check);
    }
    if let Some(Objects(array)) = top.flows {
        check.objects(array, "", |flow, check| {
            let flow = members::<FlowObject<'_>>(flow, check, "");
            strings_in(&flow, &["steps"], check, "");
        });
    }
    if let Some(object) = members_of_top.value_of_kind("rate_limit", Kind::Object) {
        let limit = members::<RateLimitObject<'_>>(object, check, "").view();
        check.requests(limit.requests_per_minute, "");
    }
    if let Some(Object(object)) = top.audit {
        let audit = members::<AuditObject<'_>>(object, check, "").view();
        endpoint(audit.endpoint, check);
    }
    names(document, check, scratch);
}

fn capabilities<'a>(
    top: &Top<'a>,
    host: Option<&str>,
    check: &mut Check<'_, '_, 'a>,
    scratch: &mut [u32],
) {
    let Some(Objects(array)) = top.capabilities else {
        return;
    };
    if array.elements().next().is_none() {
        let empty = Diagnostic::new(
            Code::EmptyValue,
            span_of(array, check.bytes),
            check.spec,
            "",
            "the list of capabilities is empty; declare at least one",
        );
        check.report.add(empty.with_severity(Severity::Error));
    }
    let mut sessions = false;
    check.objects(array, "", |object, check| {
        let capability = members::<CapabilityObject<'_>>(object, check, "").view();
        sessions |= capability.requires_session == Some(true);
        if let Some(name) = check.need_text::<CapabilityObject<'_>>(
            object,
            &capability.seen,
            "name",
            capability.name,
            "",
        ) && !is_name(name)
        {
            check.about(
                Code::InvalidValue,
                name,
                "",
                "{} is not a valid capability name; begin with a lower-case letter, then use lower-case letters, digits, `_` and `.`",
            );
        }
        let endpoint = check.need_text::<CapabilityObject<'_>>(
            object,
            &capability.seen,
            "endpoint",
            capability.endpoint,
            "",
        );
        self::endpoint(endpoint, check);
        check.elsewhere(host, endpoint);
        let method = check.need_text::<CapabilityObject<'_>>(
            object,
            &capability.seen,
            "method",
            capability.method,
            "",
        );
        check.method(method, "");
        let params = capability.params.map(|Params(params)| Object(params));
        parameters(params, check, scratch);
    });
    if sessions && !top.seen.has(Top::session) {
        check.lacks(
            Code::MissingRecommendedField,
            Severity::Info,
            "session",
            top.object,
            "",
            "a capability requires a session, but {} is missing, so its defaults apply; add it if you need other values",
        );
    }
}

/// Whether a name matches `^[a-z][a-z0-9_.]*$`.
fn is_name(name: Text<'_>) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_' | '.'))
}

/// Checks an endpoint, which may be a path of the site.
fn endpoint<'a>(endpoint: Option<Text<'a>>, check: &mut Check<'_, '_, 'a>) {
    check.endpoint(
        endpoint,
        Secure::Http,
        "",
        "{} is neither an http(s) URL nor a path that begins with `/`; write one of them",
    );
}

fn parameters<'a>(params: Option<Object<'a>>, check: &mut Check<'_, '_, 'a>, scratch: &mut [u32]) {
    check.repeated(params, scratch);
    let Some(Object(object)) = params else { return };
    for member in object.members() {
        match member.value.kind() {
            Kind::Object => {
                members::<ParamObject<'_>>(member.value, check, "");
            }
            Kind::Null => {}
            kind => {
                let (code, message) = match kind {
                    Kind::String => (
                        Code::NonstandardShape,
                        "{} is a string, which is read as the type; write an object with `type`",
                    ),
                    _ => (Code::WrongType, wrong_type(Shape::Object)),
                };
                let diagnostic = Diagnostic::new(
                    code,
                    span_of(member.value, check.bytes),
                    check.spec,
                    "",
                    message,
                );
                check.report.add(diagnostic.about(member.name));
            }
        }
    }
}

fn session<'a>(object: Value<'a>, check: &mut Check<'_, '_, 'a>) {
    let session = members::<SessionObject<'_>>(object, check, "");
    let places = session.view();
    endpoint(places.create, check);
    endpoint(places.delete, check);
    let Some(ttl) = session.value_of_kind("ttl_seconds", Kind::Number) else {
        return;
    };
    if ttl.as_number().and_then(|number| number.as_u32()).is_none_or(|seconds| seconds < 60) {
        check.about_value(
            Code::InvalidValue,
            Severity::Error,
            ttl,
            "",
            "{} is not a valid session lifetime; write a whole number of seconds, at least 60",
        );
    }
}

/// Reports repeated names of flows and of capabilities, and steps of flows that are not names of
/// capabilities.
fn names<'a>(document: &AgentsJson01<'a>, check: &mut Check<'_, '_, 'a>, scratch: &mut [u32]) {
    let flows = document.flows().filter_map(|flow| flow.name);
    let message = "the flow {} is described twice; rename or remove one";
    if check.unique(flows, Severity::Warning, "", message, scratch).is_none() {
        return;
    }
    let names = document.capabilities().filter_map(|capability| capability.id);
    let message =
        "an earlier capability already has the name {}; give each capability a unique name";
    let Some(names) = check.unique(names, Severity::Error, "", message, scratch) else {
        return;
    };
    for step in document.flows().flat_map(|flow| flow.steps) {
        if check.report.is_full() {
            return;
        }
        if !names.contains(step) {
            check.about(
                Code::UnknownReference,
                step,
                "",
                "{} is not a capability of this document; declare it, or correct the step",
            );
        }
    }
}
