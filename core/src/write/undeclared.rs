//! Restrictions that formats without access rules cannot express, because such formats do not
//! decide about requests that they do not declare.
//!
//! The conversion fails if the source disallows a path, has a policy that grants only some
//! capabilities, or has a rate limit for the whole service. (Limits are dropped if the caller sets
//! [`ConvertOptions::loosen`](crate::ConvertOptions::loosen).)

use super::adapt::Source;
use super::loss::{Part, Reason};
use super::losses;
use super::out::Out;
use crate::diagnostic::Severity::{Error, Info, Warning};
use crate::model::{Kind, Service};

/// Reports the access rules, the policies and the head of the source.
pub(super) fn document<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let reading = source.reading;
    let head = reading.head();
    out.lose_text("generated_at", head.generated_at, Reason::NoPlace, Info);
    out.lose_text("companion", head.companion, Reason::NoPlace, Info);
    // A document about an agent does not grant the capabilities of a site.
    let place = head.kind.text.map_or(out.place, |text| out.span(text));
    match head.kind.value {
        Kind::Platform if head.kind.text.is_none() => {}
        Kind::Platform => out.lose(Part::object("kind"), Reason::Changed, Info, place),
        Kind::Agent => out.lose(Part::object("kind"), Reason::NoPlace, Error, place),
        _ => out.lose(Part::object("kind"), Reason::NoPlace, Warning, place),
    }
    for (one, index) in reading.operates_on().zip(0..) {
        let span = out.span(one);
        out.lose(Part::item("operates_on", index), Reason::NoPlace, Info, span);
    }
    let access = reading.access();
    losses::unreadable(out, source, &access);
    if source.is_draft && access.allow.is_empty() && access.disallow.is_empty() {
        // Without rules, only the endpoints of capabilities are permitted.
        let place = out.place;
        out.lose(Part::object("access"), Reason::NoPlace, Warning, place);
    }
    out.within(Part::object("access"), out.place, |out| {
        for (member, patterns, severity) in
            [("allow", access.allow, Warning), ("disallow", access.disallow, Error)]
        {
            for (pattern, index) in patterns.zip(0..) {
                let span = out.span(pattern);
                out.lose(Part::item(member, index), Reason::NoPlace, severity, span);
            }
        }
        let others = { access.metadata }.filter(|one| !losses::is_pattern_list(one));
        out.lose_metadata("metadata", others);
    });
    for (policy, index) in reading.agents().zip(0..) {
        let severity = if policy.name.is_none() || policy.capabilities.is_some() {
            Error
        } else if policy.rate_limits.is_empty() {
            Warning
        } else {
            source.severity()
        };
        let span = out.span_of(policy.source);
        out.lose(Part::item("agents", index), Reason::NoPlace, severity, span);
    }
}

/// Reports limits of the whole service.
pub(super) fn limits<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    for (_, index) in source.reading.rate_limits().zip(0..) {
        let place = out.place;
        out.lose(Part::item("rate_limits", index), Reason::NoPlace, source.severity(), place);
    }
}

/// Reports the members of the service that neither format has.
pub(super) fn service<'a>(out: &mut Out<'_, 'a>, service: &Service<'a>) {
    losses::others(out, service, "name url domain description contact metadata");
    out.lose_metadata("metadata", service.metadata);
}

/// Reports the metadata of the document. Unreadable restrictions are already reported.
pub(super) fn metadata<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let bytes = out.bytes;
    let others = source.reading.metadata().filter(|one| !source.is_unreadable(one, bytes));
    out.lose_metadata("metadata", others);
}
