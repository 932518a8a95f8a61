//! Decisions over documents.

use agentsdisc_core::Document;
use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::policy::{
    AppliedLimit, Decision, Documents, Reason, Request, Robots, Workspace, decide, decide_with,
};

use crate::{buffer, keep, show, text};

/// # Safety
/// `documents` must point to the given number of documents, `asked`, `agent`, `method` and `origin`
/// to the given number of bytes, `approved` to the given number of texts, `robots` to a robots.txt;
/// `scratch` and `out` to the given number of numbers and bytes, not aliased.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_decide(
    documents: *const Document<'static>,
    count: usize,
    robots: *const RobotsTxt<'static>,
    status: u16,
    agent: *const u8,
    agent_length: usize,
    asked: *const u8,
    asked_length: usize,
    method: *const u8,
    method_length: usize,
    origin: *const u8,
    origin_length: usize,
    approved: *const &'static str,
    approved_count: usize,
    scratch: *mut u32,
    numbers: usize,
    out: *mut u8,
    size: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (documents, approved) = unsafe {
        (
            core::slice::from_raw_parts(documents, count),
            core::slice::from_raw_parts(approved, approved_count),
        )
    };
    // SAFETY: guaranteed by the caller.
    let (scratch, out) =
        unsafe { (core::slice::from_raw_parts_mut(scratch, numbers), buffer(out, size)) };
    // SAFETY: guaranteed by the caller.
    let (agent, asked) = unsafe { (text(agent, agent_length), text(asked, asked_length)) };
    // SAFETY: guaranteed by the caller.
    let (method, origin) = unsafe { (text(method, method_length), text(origin, origin_length)) };
    // SAFETY: guaranteed by the caller.
    let robots = Robots::of_status(status).unwrap_or(Robots::Found(unsafe { *robots }));
    let url = Request::url(agent, asked);
    let plain = decide(documents, Robots::default(), &url);
    decision(&plain, method, scratch, out);
    let full = url
        .with_method(method)
        .with_purpose(method)
        .with_content_usage(origin)
        .with_origin(origin)
        .with_approved(approved);
    decision(&decide(documents, robots, &full), method, scratch, out);
    let capability = Request::capability(agent, asked).with_origin(origin).with_approved(approved);
    decision(&decide(documents, robots, &capability), method, scratch, out);
    let stored = Documents::stored(&[], count, |_, index| FOUND.get(index));
    keep((stored.count(), stored.get(count)));
    decision(&decide(stored, robots, &capability), method, scratch, out);
    let mut workspace = Workspace::default();
    let lent = decide_with(documents, robots, &full, &mut workspace);
    keep(lent.advisory_limit_with(&mut workspace));
    let mut settled = Decision::open();
    settled.settle(documents, robots, &capability, &mut workspace);
    decision(&settled, method, scratch, out);
    keep(lent.rate_limits().next_with(&mut workspace));
}

/// Documents that are not in a slice.
static FOUND: [Document<'static>; 0] = [];

fn decision(decision: &Decision<'_>, token: &str, scratch: &mut [u32], out: &mut [u8]) {
    keep((
        decision.allowed,
        decision.reason,
        decision.rule,
        decision.agent,
        decision.capability,
        decision.endpoint,
        decision.method,
    ));
    keep((
        decision.relation,
        decision.credentials.as_str(),
        decision.session_required,
        decision.human,
        decision.degraded,
    ));
    keep((
        decision.rule_position(),
        decision.rule.and_then(|rule| decision.position_of(&rule)),
        decision.preference,
        decision.session(),
        decision.human.confirmation.as_str(),
    ));
    keep((decision.auth(), decision.auth().need.as_str()));
    let mut strictest: Option<AppliedLimit<'_>> = decision.advisory_limit();
    for limit in decision.rate_limits() {
        keep((limit, limit.scope.as_str()));
        if strictest.is_some_and(|strictest| limit.is_stricter_than(&strictest)) {
            strictest = Some(limit);
        }
    }
    keep(strictest);
    decision.can().for_each(keep);
    decision.cannot().for_each(keep);
    decision.behavior().for_each(keep);
    decision.unread().for_each(keep);
    match decision.auth_header(token, out) {
        Ok(header) => keep(header),
        Err(error) => show(error),
    }
    keep(decision.put_auth_header(token, &mut |piece: &[u8]| keep(piece)).is_ok());
    match decision.prerequisites(scratch) {
        None => {}
        Some(Ok(actions)) => actions.for_each(keep),
        Some(Err(error)) => show(error),
    }
    keep(decision.prerequisites_unknown());
    keep(decision.write_json(scratch, out));
    decision.put_json(scratch, &mut |piece: &[u8]| keep(piece));
}

/// # Safety
/// `id` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_reason(id: *const u8, length: usize, which: usize) {
    // SAFETY: guaranteed by the caller.
    keep(agentsdisc_core::policy::agent_name(unsafe { text(id, length) }));
    // SAFETY: guaranteed by the caller.
    keep(Reason::from_id(unsafe { text(id, length) }));
    let Some(&reason) = Reason::ALL.get(which) else {
        return;
    };
    keep((reason.as_str(), reason.is_allowed(), reason.section(), reason.message()));
    show(reason);
}
