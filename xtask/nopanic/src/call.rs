//! Plans of calls, and their answers.

use agentsdisc_core::call::{
    Answer, Call, Done, Failure, First, Header, Next, Options, Plan, Problem, Refusal, Step,
};
use agentsdisc_core::policy::{Confirmation, Decision, Workspace};

use crate::{buffer, bytes, keep, show, text};

/// # Safety
/// `decision` must point to a decision, `arguments` and `answer` to the given number of bytes,
/// `call` to a call and `out` to the given number of bytes, both not aliased.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_call(
    decision: *const Decision<'static>,
    arguments: *const u8,
    arguments_length: usize,
    answer: *const u8,
    answer_length: usize,
    status: u16,
    flags: u8,
    call: *mut Call,
    out: *mut u8,
    size: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (decision, call) = unsafe { (&*decision, &mut *call) };
    // SAFETY: guaranteed by the caller.
    let (arguments, body, out) = unsafe {
        (bytes(arguments, arguments_length), bytes(answer, answer_length), buffer(out, size))
    };
    // SAFETY: guaranteed by the caller.
    let given = unsafe { text(answer, answer_length) };
    let done = [Done { action: given, body }];
    let mut options = Options::default();
    let is = |bit: u8| flags & bit != 0;
    (options.has_credential, options.has_session) = (is(1), is(2));
    (options.undeclared, options.from_text) = (is(4), is(8));
    options.constant_headers = is(16);
    if is(32) {
        options.confirmed = Confirmation::Must;
    }
    options.done = &done;
    (options.idempotency_key, options.operation) = (Some(given), Some(given));
    keep(Call::new());
    planned(call.plan(decision, arguments, &options, out), decision);
    let mut workspace = Workspace::new();
    let plan = call.plan_with(decision, arguments, &options, &mut workspace, out);
    planned(plan, decision);
    let headers = [Header { name: given, value: given }];
    let answer = Answer { status, headers: &headers, body, now: u64::from(status) };
    read(call.next(decision, &answer, out), decision);
    let next = call.next_with(decision, &answer, &mut workspace, out);
    read(next, decision);
}

fn planned(plan: Result<Plan<'_, '_>, Refusal<'_>>, decision: &Decision<'_>) {
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => return refused(&error, decision),
    };
    keep((plan.human, plan.credential, plan.idempotency));
    match &plan.step {
        Step::Http(request) => request.headers.for_each(keep),
        Step::First(First::Token(auth)) => keep(auth),
        other => keep(other),
    }
    keep(plan.write_json(&mut [0; 8]));
    plan.put_json(&mut |piece: &[u8]| keep(piece));
}

fn refused(refusal: &Refusal<'_>, decision: &Decision<'_>) {
    let problem: Problem = refusal.problem;
    keep((problem.as_str(), problem.message()));
    show(refusal);
    keep(refusal.write_json(decision, &mut [0; 8]));
    refusal.put_json(decision, &mut |piece: &[u8]| keep(piece));
}

fn read(next: Result<Next<'_, '_, '_>, Refusal<'_>>, decision: &Decision<'_>) {
    let next = match next {
        Ok(next) => next,
        Err(error) => return refused(&error, decision),
    };
    match next {
        Next::Done(outputs) => {
            keep(outputs.answer());
            outputs.for_each(keep);
        }
        Next::Failed(failure) => keep(Failure::as_str(failure)),
        other => keep(other),
    }
    keep(next.write_json(&mut [0; 8]));
    next.put_json(&mut |piece: &[u8]| keep(piece));
}
