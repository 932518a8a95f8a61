//! The check of agents.json 0.1: what the rules in the tables of the format refer to.
//!
//! The specification of agents.txt 0.1.0 names this document but does not describe it, so the rules
//! have no section numbers.

use super::{AgentsJson01, CapabilityObject, RateLimitObject, SessionObject, Site, Top};
use crate::diagnostic::{Code, Severity, Spec};
use crate::model::Reading;
use crate::rules::json::reading::{Objects, or_absent};
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::report::Report;
use crate::syntax::json::Kind;
use crate::syntax::text::Text;
use crate::syntax::url;

says! {
    EMPTY: EmptyValue Error, "the list of capabilities is empty; declare at least one";
    EMPTY_SITE: EmptyValue Error, "the site is empty; write its `name` and `url`";
    CAPABILITY_TWICE: DuplicateId, "an earlier capability already has the name {}; give each capability a unique name";
    NO_NAME: InvalidValue, "{} is not a valid capability name; begin with a lower-case letter, then use lower-case letters, digits, `_` and `.`";
    TYPE_ALONE: NonstandardShape, "{} is a string, which is read as the type; write an object with `type`";
    NO_SESSION: MissingRecommendedField Info, "a capability requires a session, but {} is missing, so its defaults apply; add it if you need other values";
    FLOW_TWICE: DuplicateId Warning, "the flow {} is described twice; rename or remove one";
    NO_CAPABILITY: UnknownReference, "{} is not a capability of this document; declare it, or correct the step";
}

/// An endpoint, which may be a path of the site.
pub(super) const PATH_OR_URL: Rule = Endpoint(
    Secure::Http,
    "{} is neither an http(s) URL nor a path that begins with `/`; write one of them",
);

/// Checks a document. `scratch` needs two numbers for each capability, for each flow, and for each
/// parameter of the capability with the most parameters.
pub(crate) fn check<'a>(
    document: &AgentsJson01<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, Spec::AgentsTxt01, report).with(scratch);
    check.document(document.top.object, Top::RULES);
}

/// Checks what capabilities need from the other members, and the steps of flows.
pub(super) fn document<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let top: Top<'a> = row.view();
    let mut buffer = None;
    let site = Site::read(or_absent(&top.site)).url;
    let site = site.and_then(|site| url::Url::lazily(site, &mut buffer));
    let host = site.as_ref().map(url::Url::host);
    let mut has_sessions = false;
    for capability in Objects::list(top.capabilities, |cursor| cursor.next_view()) {
        let capability: CapabilityObject<'a> = capability;
        has_sessions |= capability.requires_session == Some(true);
        check.elsewhere(host, capability.endpoint);
    }
    if has_sessions && !top.seen.has(Top::session) {
        check.without(NO_SESSION, row.name_of(Top::session), row);
    }
    let document = AgentsJson01 { top };
    let mut steps = document.flows().flat_map(|flow| flow.steps).peekable();
    if steps.peek().is_none() {
        return;
    }
    check.with_scratch(|check, scratch| {
        let names = document.capabilities().filter_map(|capability| capability.id);
        let Some(names) = check.sorted(names, scratch) else { return };
        for step in steps.filter(|step| !names.contains(*step)) {
            check.say(NO_CAPABILITY, step, row);
        }
    });
}

/// Whether a name matches `^[a-z][a-z0-9_.]*$`.
pub(super) fn is_name(name: Text<'_>) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_' | '.'))
}

pub(super) fn method<'a>(method: Text<'a>, _: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    check.method(Some(method), "");
}

/// Checks the lifetime of sessions.
pub(super) fn session<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let ttl = row.value_of(SessionObject::ttl_seconds).filter(|ttl| ttl.kind() == Kind::Number);
    let Some(ttl) = ttl else { return };
    if ttl.as_number().and_then(|number| number.as_u32()).is_none_or(|seconds| seconds < 60) {
        let message =
            "{} is not a valid session lifetime; write a whole number of seconds, at least 60";
        check.about_value(Code::InvalidValue, Severity::Error, ttl, "", message);
    }
}

pub(super) fn rate_limit<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    check.requests(row.view::<RateLimitObject<'a>>().requests_per_minute, "");
}
