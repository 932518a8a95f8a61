//! Calls: what to send next, and what an answer means. The package keeps the state of a call
//! ([`kept`]).

use alloc::vec;
use alloc::vec::Vec;

use agentsdisc_core::call::{Answer, Call, Done, Header, Options, Problem, Refusal};
use agentsdisc_core::policy::{Confirmation, Decision};

use crate::input::Input;
use crate::json::Json;
use crate::kept;
use crate::policy::Asked;

/// Plans the next step. The arguments are the request, the state, the arguments of the capability,
/// and the options.
pub(crate) fn plan(asked: &Asked<'_>, mut input: Input<'_>, json: &mut Json) {
    let before = state(&mut input);
    let arguments = input.bytes().unwrap_or_default();
    let mut options = Options::default();
    options.has_credential = input.truth();
    options.has_session = input.truth();
    if input.truth() {
        options.confirmed = Confirmation::Must;
    }
    options.undeclared = input.truth();
    options.from_text = input.truth();
    (options.idempotency_key, options.operation) = (input.text(), input.text());
    let count = input.number();
    let mut next = || Some(Done { action: input.text()?, body: input.bytes()? });
    let done: Vec<_> = (0..count).map_while(|_| next()).collect();
    options.done = &done;
    let decision = asked.decide();
    with_buffer(before, &decision, json, |call, buffer, json| {
        call.plan(&decision, arguments, &options, buffer).map(|plan| plan.put_json(json))
    });
}

/// Reads an answer. The arguments are the request, the state and the answer.
pub(crate) fn next(asked: &Asked<'_>, mut input: Input<'_>, json: &mut Json) {
    let before = state(&mut input);
    let (now, status) = (input.time(), input.number() as u16);
    let count = input.number();
    let mut header = || Some(Header { name: input.text()?, value: input.text()? });
    let headers: Vec<_> = (0..count).map_while(|_| header()).collect();
    let body = input.bytes().unwrap_or_default();
    let answer = Answer { status, headers: &headers, body, now };
    let decision = asked.decide();
    with_buffer(before, &decision, json, |call, buffer, json| {
        call.next(&decision, &answer, buffer).map(|next| next.put_json(json))
    });
}

/// Reads the state of a call; a new one if there is none yet.
fn state(input: &mut Input<'_>) -> Call {
    kept::read::<Call>(input).map_or_else(Call::new, |call| *call)
}

/// Runs a step with a small buffer, and again with one of the size that it needs.
fn with_buffer<'a>(
    before: Call,
    decision: &Decision<'a>,
    json: &mut Json,
    step: impl Fn(&mut Call, &mut [u8], &mut Json) -> Result<(), Refusal<'a>>,
) {
    let mut call = before;
    let mut refused = step(&mut call, &mut [0; 4096], json).err();
    if let Some(Refusal { problem: Problem::BufferTooSmall { needed }, .. }) = refused {
        call = before;
        refused = step(&mut call, &mut vec![0; needed], json).err();
    }
    if let Some(refusal) = refused {
        refusal.put_json(decision, json);
    }
    kept::put(&call, json);
}
