//! The checks that agents.json does not share with agents.txt: types, shapes and names of members.

use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::format::draft::check as draft;
use crate::model::Reading;
use crate::rules::json::reading::Objects;
use crate::rules::json::{Check, members, other_location, quoted, span_of, strings, strings_in};
use crate::rules::report::Report;
use crate::span::Span;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::view::{Object, Read, Table};
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;

use super::{
    AccessObject, AgentObject, AgentsJson, AgentsValue, AuthObject, CapabilityObject,
    ParameterObject, RateLimitObject, RateValue, Site, Top,
};

/// Checks a document. See [`draft::check`] for the scratch buffer.
pub(crate) fn check<'a>(
    document: &AgentsJson<'a>,
    bytes: &'a [u8],
    origin: Option<&str>,
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let object = document.top.object;
    let start = span_of(object, bytes).start;
    let mut check = Check::new(bytes, Spec::InternetDraft, report);
    top(document, &mut check);
    strings(&mut check, start as usize);
    let options = draft::Options {
        notation: draft::Notation::Json,
        top: Span::new(start, start + 1),
        origin,
    };
    draft::check(document as &dyn Reading<'a>, bytes, &options, scratch, report);
}

fn top<'a>(document: &AgentsJson<'a>, check: &mut Check<'_, '_, 'a>) {
    let Top { object, site, capabilities, access, agents, .. } = document.top;
    let members_of_top = members::<Top<'_>>(object, check, "3");
    let hidden = document.hidden();
    for (name, is_hidden, if_hidden) in [
        ("allow", hidden.0, "{} is also in `access`, which counts; remove this one"),
        (
            "disallow",
            hidden.1,
            "{} is also in `access`, and it is unclear which one counts, so everything is disallowed; remove this one",
        ),
    ] {
        let subject = Text::plain(name.as_bytes());
        if is_hidden && let Some(value) = members_of_top.value(name) {
            let diagnostic = Diagnostic::new(
                Code::Contradiction,
                span_of(value, check.bytes),
                check.spec,
                "2.6",
                if_hidden,
            );
            check.report.add(diagnostic.about(subject));
        } else if let Some(value) = members_of_top.value_of_kind(name, Kind::Array) {
            shape(
                check,
                span_of(value, check.bytes),
                subject,
                "{} is outside `access`, where it is still read; move it into `access`",
                "2.6",
            );
        }
    }
    strings_in(&members_of_top, &["operatesOn", "allow", "disallow"], check, "2.3");
    if let Some(Object(site)) = site {
        members::<Site<'_>>(site, check, "2.4");
    }
    if let Some(Objects(array)) = capabilities {
        check.objects(array, "2.5", |value, check| {
            capability(value, check);
        });
    }
    if let Some(Object(access)) = access {
        let access = members::<AccessObject<'_>>(access, check, "2.6");
        strings_in(&access, &["allow", "disallow"], check, "2.6");
    }
    match agents {
        Some(AgentsValue(array)) if array.kind() == Kind::Array => {
            check.objects(array, "2.7", |value, check| agent(value, true, check));
        }
        Some(AgentsValue(object)) => {
            object.members().for_each(|member| match member.value.kind() {
                Kind::Object => agent(member.value, false, check),
                Kind::Null => {}
                _ => {
                    let span = span_of(member.value, check.bytes);
                    let message =
                        "the policy of {} is not an object, so it grants nothing; write an object";
                    check.report.add(
                        Diagnostic::new(Code::WrongType, span, check.spec, "2.7", message)
                            .about(member.name),
                    );
                }
            })
        }
        None => {}
    }
}

fn capability<'a>(value: Value<'a>, check: &mut Check<'_, '_, 'a>) {
    let object = members::<CapabilityObject<'_>>(value, check, "2.5");
    if object.value_of_kind("authEndpoint", Kind::String).is_some()
        && let Some(member) = last_member(value, "authEndpoint")
    {
        let message =
            "{} is outside `auth`, where it is still read; write it as `tokenEndpoint` in `auth`";
        shape(check, quoted(member.name, check.bytes), member.name, message, "2.5");
    }
    if let Some(auth) = object.value_of_kind("auth", Kind::Object) {
        let auth = members::<AuthObject<'_>>(auth, check, "2.5");
        strings_in(&auth, &["scopes"], check, "2.5");
    }
    strings_in(&object, &["scopes"], check, "2.5");
    rate_limit(object.value("rateLimit"), check, "2.5");
    if let Some(parameters) = object.value_of_kind("parameters", Kind::Array) {
        check.objects(parameters, "2.5", |parameter, check| {
            let parameter = members::<ParameterObject<'_>>(parameter, check, "2.5").view();
            let places = (parameter.location, parameter.other_location);
            other_location(parameter.object, places, "2.5", check);
        });
    }
}

fn agent<'a>(value: Value<'a>, named: bool, check: &mut Check<'_, '_, 'a>) {
    let object = members::<AgentObject<'_>>(value, check, "2.7");
    // In an object of policies, the keys are the names of the agents.
    if !named
        && object.value("name").is_some()
        && let Some(member) = last_member(value, "name")
    {
        let message = "{} is kept as metadata, because the key of this policy already names the agent; remove it";
        let span = quoted(member.name, check.bytes);
        check.report.add(
            Diagnostic::new(Code::UnknownField, span, check.spec, "2.7", message)
                .about(member.name),
        );
    }
    strings_in(&object, &["capabilities"], check, "2.7");
    if let Some(list) = object
        .value_of_kind("capabilities", Kind::Array)
        .filter(|list| list.elements().next().is_none())
    {
        let message = "the list is empty, so the agent may use no capability; leave it out to permit all of them";
        check.report.add(Diagnostic::new(
            Code::EmptyValue,
            span_of(list, check.bytes),
            check.spec,
            "2.7",
            message,
        ));
    }
    rate_limit(object.value("rateLimit"), check, "2.7");
}

/// Checks the rate limit of a capability or an agent: an object or a string.
fn rate_limit<'a>(value: Option<Value<'a>>, check: &mut Check<'_, '_, 'a>, section: &'static str) {
    let Some(value) = value else { return };
    let span = span_of(value, check.bytes);
    let name = Text::plain(b"rateLimit");
    let read = RateValue::read(value).map(|rate| rate.limit.requests);
    match value.kind() {
        Kind::Null => {}
        Kind::Object => {
            members::<RateLimitObject<'_>>(value, check, section);
            let table = Lookup::of::<RateLimitObject<'_>>();
            let ill_typed = value.members().any(|member| {
                let field = table
                    .number_in(check.bytes, member.name)
                    .and_then(|number| RateLimitObject::FIELDS.get(number as usize));
                field.is_some_and(|field| !field.shape.fits(member.value))
            });
            // A member of the wrong type is already reported.
            if read.is_some() || !ill_typed {
                draft::rate_limit(
                    check.report,
                    draft::Notation::Json,
                    span,
                    Text::plain(value.raw()),
                    read,
                    section,
                );
            }
        }
        Kind::String => {
            if read.is_some() {
                shape(
                    check,
                    span,
                    name,
                    "{} is a string, which is read; write an object: {\"requests\": N, \"window\": \"minute\"}",
                    section,
                );
            }
            draft::rate_limit(
                check.report,
                draft::Notation::Json,
                span,
                value.as_text().unwrap_or_default(),
                read,
                section,
            );
        }
        _ => {
            let message = "{} must be an object with `requests` and `window`; its value is ignored";
            check.report.add(
                Diagnostic::new(Code::WrongType, span, check.spec, section, message).about(name),
            );
        }
    }
}

fn shape<'a>(
    check: &mut Check<'_, '_, 'a>,
    span: Span,
    subject: Text<'a>,
    message: &'static str,
    section: &'static str,
) {
    let diagnostic = Diagnostic::new(Code::NonstandardShape, span, check.spec, section, message);
    check.report.add(diagnostic.with_severity(Severity::Warning).about(subject));
}

fn last_member<'a>(object: Value<'a>, name: &str) -> Option<crate::syntax::json::Member<'a>> {
    object.members().filter(|member| member.name == *name).last()
}
