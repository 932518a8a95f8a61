//! Decisions, plans of calls, and discoveries.

use agentsdisc_core::Document;
use agentsdisc_core::call::{Next, Plan, Refusal};
use agentsdisc_core::discovery::{Discovery, Options, Rejection, RequestId, Resource, Resources};
use agentsdisc_core::policy::{
    Decision, Offers, Reason, Request, Robots, Workspace, agent_name, decide, decide_with,
};

use crate::{buffer, keep, show, text};

/// # Safety
/// `documents` must point to the given number of documents, `robots` to what is known of
/// robots.txt, `data` to the given number of bytes, `approved` to the given number of texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_decide(
    documents: *const Document<'static>,
    count: usize,
    robots: *const Robots<'static>,
    status: u16,
    data: *const u8,
    length: usize,
    approved: *const &'static str,
    approved_count: usize,
) {
    // SAFETY: guaranteed by the caller.
    let documents = unsafe { core::slice::from_raw_parts(documents, count) };
    // SAFETY: guaranteed by the caller.
    let approved = unsafe { core::slice::from_raw_parts(approved, approved_count) };
    // SAFETY: guaranteed by the caller.
    let (robots, given) = unsafe { (*robots, text(data, length)) };
    let request = Request::url(given, given)
        .with_method(given)
        .with_purpose(given)
        .with_content_usage(given)
        .with_origin(given)
        .with_approved(approved);
    let robots = Robots::of_status(status).unwrap_or(robots);
    keep(decide(documents, robots, &request));
    keep(decide_with(documents, robots, &request, &mut Workspace::default()));
    let offers = Offers::new(documents, robots, &request, &mut []);
    keep(offers.is_cut());
    keep(agent_name(given));
    keep(Reason::from_id(given));
}

/// # Safety
/// `decision`, `plan`, `refusal` and `next` must point to such values, `data` to the given number of
/// bytes, `scratch` and `out` to the given number of numbers and bytes, not aliased.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_decision(
    decision: *const Decision<'static>,
    plan: *const Plan<'static, 'static>,
    refusal: *const Refusal<'static>,
    next: *const Next<'static, 'static, 'static>,
    data: *const u8,
    length: usize,
    scratch: *mut u32,
    numbers: usize,
    out: *mut u8,
    size: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (decision, plan, refusal, next) = unsafe { (&*decision, &*plan, &*refusal, &*next) };
    // SAFETY: guaranteed by the caller.
    let (given, out) = unsafe { (text(data, length), buffer(out, size)) };
    // SAFETY: guaranteed by the caller.
    let scratch = unsafe { core::slice::from_raw_parts_mut(scratch, numbers) };
    if let Err(error) = decision.auth_header(given, out) {
        show(error);
    }
    keep(decision.write_json(scratch, out));
    keep(plan.write_json(out));
    plan.put_json(&mut |piece: &[u8]| keep(piece));
    show(refusal);
    keep(refusal.write_json(decision, out));
    refusal.put_json(decision, &mut |piece: &[u8]| keep(piece));
    if let Next::Done(outputs) = next {
        keep(outputs.answer());
    }
    keep(next.write_json(out));
    next.put_json(&mut |piece: &[u8]| keep(piece));
}

/// # Safety
/// `discovery` must point to a discovery that is not aliased, `data` to the given number of bytes,
/// `options` to options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_discovery(
    discovery: *mut Discovery,
    data: *const u8,
    length: usize,
    options: *const Options,
    resource: Resource,
    id: u16,
) {
    // SAFETY: guaranteed by the caller.
    let (discovery, given, options) = unsafe { (&mut *discovery, text(data, length), &*options) };
    keep(discovery.attempt(RequestId(id)).map(|attempt| attempt.rejection()));
    match Discovery::new(given, options) {
        Ok(new) => *discovery = new,
        Err(error) => {
            show(error);
            *discovery = Discovery::idle();
        }
    }
    keep((Resource::from_id(given), resource.is_well_known(), Resources::ALL.without(resource)));
    keep(Rejection::from_code(given));
}
