//! Plans a call with arbitrary arguments, and reads arbitrary answers to it.

use super::*;

/// Headers, with names and values that may be invalid.
fn headers(world: &mut World<'_>) -> Vec<agd_http_header> {
    (0..world.script.byte() % 3)
        .map(|_| agd_http_header { name: world.argument(), value: world.argument() })
        .collect()
}

/// A JSON object, or any text.
fn arguments(world: &mut World<'_>) -> agd_text {
    let bytes: &[u8] = match world.script.byte() % 4 {
        0 => b"{}",
        1 => br#"{"q": "a/b", "id": 7, "name": "x", "limit": [1, {}]}"#,
        _ => return world.argument(),
    };
    agd_text { ptr: bytes.as_ptr().cast(), len: bytes.len(), flags: 0 }
}

/// Checks that a status and a required size are consistent with the capacity of the buffer.
fn agrees(status: agd_status, needed: usize, capacity: usize) {
    match status {
        AGD_OK => assert!(needed <= capacity),
        AGD_ERROR_BUFFER_TOO_SMALL => assert!(needed > capacity),
        _ => assert!(status < 0),
    }
}

/// Calls `agd_call_plan` and `agd_call_next`, or their variants with a workspace.
///
/// # Safety
/// All state is from the library, or zero.
pub unsafe fn call(world: &mut World<'_>) {
    unsafe {
        let mut call: agd_call = match world.script.byte() {
            9 => MaybeUninit::zeroed().assume_init(),
            _ => agd_call_begin(),
        };
        // The content of a workspace does not matter.
        let mut workspace =
            agd_workspace { state: [MaybeUninit::new(u64::MAX); AGD_WORKSPACE_WORDS] };
        plan(world, &mut call, &mut workspace);
        for _ in 0..world.script.byte() % 8 {
            next(world, &mut call, &mut workspace);
        }
        let number = world.script.number();
        assert!(!CStr::from_ptr(agd_problem_name(number)).is_empty());
        assert!(!CStr::from_ptr(agd_call_failure_name(number)).is_empty());
    }
}

unsafe fn plan(world: &mut World<'_>, call: &mut agd_call, workspace: &mut agd_workspace) {
    unsafe {
        let done: Vec<_> = (0..world.script.byte() % 3)
            .map(|_| agd_done { action: world.argument(), body: arguments(world) })
            .collect();
        let mut options = Item::<agd_call_options>::new(&mut world.script, true);
        let place = options.place();
        (*place).has_credential = world.script.number();
        (*place).has_session = world.script.number();
        (*place).confirmed = world.script.number();
        (*place).undeclared = world.script.number();
        (*place).from_text = world.script.number();
        (*place).constant_headers = world.script.number();
        (*place).done_count = done.len();
        (*place).done = done.as_ptr();
        match world.script.byte() {
            8 => (*place).done_count = AGD_DONE_MAX + 1,
            9 => (*place).done = null(),
            _ => {}
        }
        if (*place).done_count > done.len() {
            (*place).done = null();
        }
        (*place).idempotency_key = world.argument();
        (*place).operation = world.argument();
        let given = if world.script.is() { null() } else { place };
        let (arguments, decision) = (arguments(world), &raw const world.decision);
        let mut step = Item::<agd_call_step>::new(&mut world.script, true);
        let mut refusal = Item::<agd_refusal>::new(&mut world.script, true);
        let (mut room, mut needed) = (Room::of(&mut world.script), 0);
        let (start, capacity) = (room.start(), room.memory.len());
        let (step_place, why) = (step.place(), refusal.place());
        let needs = &raw mut needed;
        let status = known(if world.script.is() {
            agd_call_plan(call, decision, arguments, given, start, capacity, needs, step_place, why)
        } else {
            agd_call_plan_with(
                call, decision, arguments, given, workspace, start, capacity, needs, step_place,
                why,
            )
        });
        agrees(status, needed, capacity);
        refused(world, status, refusal.get());
        if status == AGD_OK {
            planned(world, step.get());
        }
    }
}

/// Reads all members of a step. Texts in the buffer are not kept.
unsafe fn planned(world: &mut World<'_>, step: &agd_call_step) {
    unsafe {
        assert_ne!(step.step, AGD_STEP_NONE);
        if step.step == AGD_STEP_HTTP {
            assert!(!CStr::from_ptr(step.method).is_empty());
            assert!(!CStr::from_ptr(step.url).is_empty());
        }
        // A body that is not JSON may contain NULs.
        assert!(step.body.is_null() || CStr::from_ptr(step.body).count_bytes() <= step.body_length);
        walk(world, step.headers, false, agd_headers_next, |_, header| {
            assert!(!CStr::from_ptr(header.name).is_empty());
            std::hint::black_box(CStr::from_ptr(header.value).count_bytes());
        });
        for text in [step.action, step.token_url, step.key_field, step.version] {
            world.keep(text);
        }
        walk(world, step.scopes, false, agd_texts_next, |world, scope| world.keep(*scope));
    }
}

unsafe fn next(world: &mut World<'_>, call: &mut agd_call, workspace: &mut agd_workspace) {
    unsafe {
        let headers = headers(world);
        let mut answer = Item::<agd_call_answer>::new(&mut world.script, true);
        let place = answer.place();
        (*place).status = match world.script.byte() % 8 {
            0 => world.script.number(),
            1 => 202,
            2 => 401,
            3 => 429,
            4 => 503,
            5 => 422,
            _ => 200,
        };
        (*place).headers = headers.as_ptr();
        (*place).header_count = headers.len();
        (*place).body = arguments(world);
        let decision = &raw const world.decision;
        let mut result = Item::<agd_call_result>::new(&mut world.script, true);
        let mut refusal = Item::<agd_refusal>::new(&mut world.script, true);
        let (mut room, mut needed) = (Room::of(&mut world.script), 0);
        let (start, capacity) = (room.start(), room.memory.len());
        let (made, why) = (result.place(), refusal.place());
        let needs = &raw mut needed;
        let status = known(if world.script.is() {
            agd_call_next(call, decision, place, start, capacity, needs, made, why)
        } else {
            agd_call_next_with(call, decision, place, workspace, start, capacity, needs, made, why)
        });
        agrees(status, needed, capacity);
        refused(world, status, refusal.get());
        if status == AGD_OK {
            let result = result.get();
            assert_ne!(result.next, AGD_NEXT_NONE);
            assert!(result.url.is_null() || !CStr::from_ptr(result.url).is_empty());
            walk(world, result.outputs, true, agd_outcomes_next, |world, outcome| {
                world.keep(outcome.name)
            });
        }
    }
}

/// Checks that a refusal states its reason.
unsafe fn refused(world: &mut World<'_>, status: agd_status, refusal: &agd_refusal) {
    if status == AGD_ERROR_CALL_REFUSED {
        assert!(!unsafe { CStr::from_ptr(refusal.message) }.is_empty());
        assert!(refusal.rule_start <= refusal.rule_end);
        world.keep(refusal.rule);
    }
}
