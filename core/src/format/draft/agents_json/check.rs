//! The checks that agents.json does not share with agents.txt: shapes that only JSON has.

use super::{
    AgentObject, AgentsJson, AgentsValue, CapabilityObject, RateLimitObject, RateValue, Top,
};
use crate::diagnostic::Spec;
use crate::format::draft::check::{self as draft, *};
use crate::model::Reading;
use crate::rules::json::schema::From;
use crate::rules::json::{other_location, quoted, span_of};
use crate::rules::report::Report;
use crate::span::Span;
use crate::syntax::json::view::Read;
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;

/// Checks a document. See [`draft::check`] for the scratch buffer.
pub(crate) fn check<'a>(
    document: &AgentsJson<'a>,
    bytes: &'a [u8],
    origin: Option<&str>,
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let Top { object, agents, .. } = document.top;
    let mut check = Check::new(bytes, Spec::InternetDraft, report).with(scratch);
    check.origin = origin;
    check.document(object, Top::RULES);
    if let Some(AgentsValue(agents)) = agents {
        policies(agents, &mut check);
    }
    let start = span_of(object, bytes).start;
    draft::check(document as &dyn Reading<'a>, Span::new(start, start + 1), &mut check);
}

/// Checks the policies in an object. (Those in an array follow a rule.)
fn policies<'a>(agents: Value<'a>, check: &mut Check<'_, '_, 'a>) {
    for member in agents.members() {
        if check.report.is_full() {
            return;
        }
        let (name, span) = (member.name, quoted(member.name, check.bytes));
        match member.value.kind() {
            Kind::Null => continue,
            Kind::Object => check.inside(member.value, From::Name(name), AgentObject::RULES),
            _ => check.say_about(NO_POLICY, span_of(member.value, check.bytes), name, "2.7"),
        }
        if name.is_blank() {
            check.say_about(EMPTY, span, Text::plain(b"name"), "2.7");
        }
    }
}

/// Reports access rules at the top level.
pub(in crate::format::draft) fn top<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let top: Top<'a> = row.view();
    let hidden = top.hidden();
    for (field, is_hidden, twice) in
        [(Top::allow, hidden.0, ALLOW_TWICE), (Top::disallow, hidden.1, DISALLOW_TWICE)]
    {
        let Some(value) = row.value_of(field) else { continue };
        let say = match value.kind() {
            _ if is_hidden => twice,
            Kind::Array => OUTSIDE_ACCESS,
            _ => continue,
        };
        let name = Text::plain(row.name_of(field).as_bytes());
        check.say_about(say, span_of(value, check.bytes), name, "2.6");
    }
}

pub(in crate::format::draft) fn capability<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    rate_limit_in(row, CapabilityObject::rate_limit, check);
}

pub(in crate::format::draft) fn policy<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    rate_limit_in(row, AgentObject::rate_limit, check);
}

/// Checks a rate limit that is not an object.
fn rate_limit_in<'a>(row: &Row<'_, 'a>, field: u32, check: &mut Check<'_, '_, 'a>) {
    let Some(value) = row.value_of(field) else { return };
    let (span, name) = (span_of(value, check.bytes), Text::plain(row.name_of(field).as_bytes()));
    let section = row.section;
    match value.as_text() {
        Some(text) => {
            let read = RateValue::read(value).map(|rate| rate.limit.requests);
            if read.is_some() {
                check.say_about(LIMIT_TEXT, span, name, section);
            }
            draft::rate_limit(check.report, Notation::Json, span, text, read, section);
        }
        None if value.kind() != Kind::Object => check.say_about(NO_LIMIT, span, name, section),
        None => {}
    }
}

/// Checks an object that is a rate limit. A member of the wrong type is already reported.
pub(in crate::format::draft) fn limit<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let limit: RateLimitObject<'a> = row.view();
    let read = RateValue::read(row.object).map(|rate| rate.limit.requests);
    if read.is_some() || limit.seen.ill_typed == 0 {
        let span = span_of(row.object, check.bytes);
        let value = Text::plain(row.object.raw());
        draft::rate_limit(check.report, Notation::Json, span, value, read, row.section);
    }
}

pub(in crate::format::draft) fn parameter<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let parameter: super::ParameterObject<'a> = row.view();
    let places = (parameter.location, parameter.other_location);
    other_location(row.object, places, row.section, check);
}
