//! The calls: each one calls a few related functions with arguments from the script.

use super::*;

/// The number of calls.
pub const CALLS: u8 = 28;

/// Makes a call.
///
/// # Safety
/// All state is from the library, or zero.
pub unsafe fn call(world: &mut World<'_>, call: u8) {
    unsafe {
        match call {
            0 => parse(world),
            1 => detect(world),
            2 => parts(world),
            3 => capabilities(world),
            4 => other_lists(world),
            5 => robots_and_results(world),
            6 => members(world),
            7 => json(world),
            8 => texts(world),
            9 => names(world),
            10 => check(world),
            11 => check_in_order(world),
            12 => write(world),
            13 => robots(world),
            14 => decide(world),
            15 => decision(world),
            16 => begin(world),
            17 | 18 => answer(world),
            19 => discovered(world),
            20 => awp(world),
            21 => adp(world),
            22 => adp_request(world),
            23 => urls(world),
            24 => body(world),
            25 => differences(world),
            26 => places(world),
            _ => plans::call(world),
        }
    }
}

fn options(world: &mut World<'_>) -> Option<agd_options> {
    if !world.script.is() {
        return None;
    }
    let mut options = Item::<agd_options>::new(&mut world.script, true);
    let place = options.place();
    unsafe {
        (*place).format = world.script.number();
        (*place).max_depth = u32::from(world.script.byte());
        (*place).max_document = world.script.size();
        (*place).max_line = world.script.size();
        (*place).max_robots = world.script.size();
        (*place).url = world.argument();
        (*place).content_type = world.argument();
        // If a struct is longer than the library knows, the rest is not read.
        Some(*place)
    }
}

/// The bytes of the document; or NULL with a length that may be wrong.
fn input(world: &mut World<'_>) -> (*const c_char, usize) {
    match world.script.byte() {
        1 => (null(), 0),
        2 => (null(), 9),
        3 => (world.bytes.as_ptr().cast(), usize::MAX),
        _ => (world.bytes.as_ptr().cast(), world.bytes.len()),
    }
}

unsafe fn parse(world: &mut World<'_>) {
    unsafe {
        let (start, length) = input(world);
        let options = options(world);
        let index = usize::from(world.script.byte() % 3);
        // A decision borrows the documents, which change.
        world.decision = MaybeUninit::zeroed().assume_init();
        world.decision.size = size_of::<agd_decision>();
        let mut error = MaybeUninit::<agd_error>::zeroed();
        let options = options
            .as_ref()
            .map_or(null(), |options| &raw const *options);
        let status = known(agd_parse(
            start,
            length,
            options,
            &raw mut world.documents[index],
            error.as_mut_ptr(),
        ));
        let error = error.assume_init();
        assert_eq!((status < 0, error.kind), (status != AGD_OK, status));
        assert!(status == AGD_OK || !CStr::from_ptr(error.message).is_empty());
        assert!(agd_parse(start, length, options, null_mut(), null_mut()) < 0);
        let mut robots = world.robots;
        if known(agd_robots_parse(start, length, options, &raw mut robots)) == AGD_OK {
            world.robots = robots;
        }
    }
}

unsafe fn detect(world: &mut World<'_>) {
    unsafe {
        let (start, length) = input(world);
        let options = options(world);
        let mut detection = Item::<agd_detection>::new(&mut world.script, true);
        let options = options
            .as_ref()
            .map_or(null(), |options| &raw const *options);
        known(agd_detect(start, length, options, detection.place()));
        let mut sign = agd_text {
            ptr: null(),
            len: 0,
            flags: 0,
        };
        for index in 0..20 {
            if agd_detection_sign(detection.get(), index, &raw mut sign) != AGD_SOME {
                break;
            }
            world.keep(sign);
        }
    }
}

macro_rules! part {
    ($world:ident, $document:ident, $read:ident, $struct:ty, $($text:ident)*) => {{
        let mut part = Item::<$struct>::new(&mut $world.script, true);
        if known($read($document, part.place())) == AGD_SOME {
            $($world.keep(part.get().$text);)*
        }
    }};
}

unsafe fn parts(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        part!(world, document, agd_document_head, agd_head, spec_version generated_at companion search_query);
        part!(world, document, agd_document_service, agd_service, name url description);
        part!(
            world,
            document,
            agd_document_provenance,
            agd_provenance,
            last_verified
        );
        part!(world, document, agd_document_auth, agd_service_auth, header prefix token_url);
        part!(world, document, agd_document_status, agd_service_status,);
        part!(
            world,
            document,
            agd_document_pricing,
            agd_pricing,
            plans_url
        );
        part!(world, document, agd_document_session, agd_session, create close);
        part!(world, document, agd_document_audit, agd_audit, endpoint);
        part!(world, document, agd_document_access, agd_access,);
        part!(world, document, agd_document_permissions, agd_permissions,);
        agd_document_session_seconds(document);
        agd_document_needs_companion(document);
        agd_document_is_audited(document);
        let (mut room, mut length) = (Room::of(&mut world.script), 0);
        let capacity = room.memory.len();
        let status = known(agd_document_companion_url(
            document,
            room.start(),
            capacity,
            &raw mut length,
        ));
        if status == AGD_OK {
            room.holds(status, length);
        }
        let format = agd_document_format(document);
        assert!(!CStr::from_ptr(agd_format_id(format)).is_empty());
    }
}

unsafe fn text_list(world: &mut World<'_>, list: agd_texts) {
    unsafe {
        walk(world, list, false, agd_texts_next, |world, text| {
            world.keep(*text)
        })
    }
}

unsafe fn member_list(world: &mut World<'_>, list: agd_members) {
    unsafe {
        walk(world, list, false, agd_members_next, |world, member| {
            world.keep(member.name);
            world.keep(member.value.text);
            world.value = member.value;
        });
    }
}

unsafe fn capability_list(world: &mut World<'_>, list: agd_capabilities) {
    unsafe {
        walk(
            world,
            list,
            true,
            agd_capabilities_next,
            |world, capability| {
                world.keep(capability.endpoint);
                world.keep(capability.id);
                text_list(world, capability.auth_scopes);
                walk(
                    world,
                    capability.rate_limits,
                    true,
                    agd_rate_limits_next,
                    |_, _| {},
                );
                walk(
                    world,
                    capability.outputs,
                    true,
                    agd_outputs_next,
                    |world, output| world.keep(output.name),
                );
                walk(
                    world,
                    capability.parameters,
                    true,
                    agd_parameters_next,
                    |world, parameter| {
                        world.keep(parameter.name);
                        walk(
                            world,
                            parameter.options,
                            false,
                            agd_values_next,
                            |world, value| world.keep(value.text),
                        );
                    },
                );
                member_list(world, capability.metadata);
            },
        );
    }
}

unsafe fn capabilities(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        capability_list(world, agd_document_capabilities(document));
        walk(
            world,
            agd_document_rate_limits(document),
            true,
            agd_rate_limits_next,
            |_, _| {},
        );
        walk(
            world,
            agd_document_agents(document),
            true,
            agd_agents_next,
            |world, agent| {
                world.keep(agent.name);
                text_list(world, agent.capabilities);
            },
        );
        // A list that does not come from the library.
        let none: agd_capabilities = MaybeUninit::zeroed().assume_init();
        let (mut none, mut item) = (none, Item::<agd_capability>::new(&mut world.script, true));
        assert_eq!(
            agd_capabilities_next(&raw mut none, item.place()),
            AGD_ERROR_UNINITIALISED
        );
    }
}

unsafe fn other_lists(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        walk(
            world,
            agd_document_endpoints(document),
            true,
            agd_endpoints_next,
            |world, endpoint| {
                world.keep(endpoint.url);
                member_list(world, endpoint.extra);
            },
        );
        walk(
            world,
            agd_document_flows(document),
            true,
            agd_flows_next,
            |world, flow| text_list(world, flow.steps),
        );
        walk(
            world,
            agd_document_dependencies(document),
            true,
            agd_dependencies_next,
            |world, dependency| {
                world.keep(dependency.capability);
                text_list(world, dependency.required);
            },
        );
        walk(
            world,
            agd_document_entities(document),
            true,
            agd_entities_next,
            |world, entity| world.keep(entity.name),
        );
        walk(
            world,
            agd_document_errors(document),
            true,
            agd_recoveries_next,
            |_, _| {},
        );
        text_list(world, agd_document_operates_on(document));
        text_list(world, agd_document_sitemaps(document));
        let mut pricing = Item::<agd_pricing>::new(&mut world.script, true);
        agd_document_pricing(document, pricing.place());
        walk(
            world,
            pricing.get().plans,
            true,
            agd_plans_next,
            |world, plan| world.keep(plan.name),
        );
    }
}

unsafe fn group_list(world: &mut World<'_>, list: agd_robots_groups) {
    unsafe {
        walk(world, list, true, agd_robots_groups_next, |world, group| {
            text_list(world, group.agents);
            walk(
                world,
                group.rules,
                true,
                agd_robots_rules_next,
                |world, rule| world.keep(rule.pattern),
            );
        });
    }
}

unsafe fn preference_list(world: &mut World<'_>, list: agd_robots_preferences) {
    unsafe {
        walk(
            world,
            list,
            true,
            agd_robots_preferences_next,
            |world, item| {
                world.keep(item.path);
                agd_purpose_name(item.purpose.value);
                agd_stance_name(item.preference.value);
                agd_vocabulary_name(item.source.value);
            },
        );
    }
}

unsafe fn robots_and_results(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        group_list(world, agd_document_robots_groups(document));
        preference_list(world, agd_document_preferences(document));
        text_list(world, agd_document_agentmaps(document));
        walk(
            world,
            agd_document_robots_fields(document),
            true,
            agd_robots_fields_next,
            |world, field| world.keep(field.value),
        );
        walk(
            world,
            agd_document_search_results(document),
            true,
            agd_search_results_next,
            |world, result| {
                capability_list(world, result.capabilities);
            },
        );
    }
}

unsafe fn members(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        member_list(world, agd_document_hints(document));
        member_list(world, agd_document_features(document));
        member_list(world, agd_document_metadata(document));
    }
}

unsafe fn json(world: &mut World<'_>) {
    unsafe {
        let (start, length) = input(world);
        let mut value = world.value;
        let mut error = MaybeUninit::<agd_error>::zeroed();
        if world.script.is()
            && known(agd_json_parse(
                start,
                length,
                &raw mut value,
                error.as_mut_ptr(),
            )) == AGD_OK
        {
            world.value = value;
        }
        if world.script.byte() == 9 {
            value = agd_value {
                kind: world.script.number(),
                text: world.argument(),
            };
        }
        let mut number = 0;
        known(agd_value_u64(&raw const value, &raw mut number));
        agd_value_bool(&raw const value);
        let mut members: agd_json_members = MaybeUninit::zeroed().assume_init();
        known(agd_value_members(&raw const value, &raw mut members));
        walk(
            world,
            members,
            false,
            agd_json_members_next,
            |world, member| world.value = member.value,
        );
        let mut elements: agd_json_elements = MaybeUninit::zeroed().assume_init();
        known(agd_value_elements(&raw const value, &raw mut elements));
        walk(
            world,
            elements,
            false,
            agd_json_elements_next,
            |world, value| world.value = *value,
        );
    }
}

unsafe fn texts(world: &mut World<'_>) {
    unsafe {
        let (one, other) = (world.argument(), world.argument());
        assert_eq!(agd_text_eq(one, other), agd_text_eq(other, one));
        assert_eq!(
            agd_text_eq_ignore_case(one, other),
            agd_text_eq_ignore_case(other, one)
        );
        agd_text_eq_str(one, c"search".as_ptr());
        agd_text_eq_str(one, null());
        agd_text_eq_str_ignore_case(one, c"SEARCH".as_ptr());
        let (mut room, mut length, size) = (Room::of(&mut world.script), 0, world.script.is());
        let capacity = if size { 0 } else { room.memory.len() };
        let status = known(agd_text_decode(
            one,
            room.start(),
            capacity,
            &raw mut length,
        ));
        if !size {
            room.holds_decoded(status, length);
        }
    }
}

unsafe fn names(world: &mut World<'_>) {
    unsafe {
        let number = world.script.number();
        for name in [
            agd_kind_name(number),
            agd_protocol_name(number),
            agd_auth_name(number),
            agd_location_name(number),
            agd_window_name(number),
            agd_transport_name(number),
            agd_sensitivity_name(number),
            agd_execution_name(number),
            agd_pricing_name(number),
            agd_source_name(number),
            agd_format_id(number),
            agd_reason_name(number),
            agd_reason_message(number),
            agd_robots_reason_name(number),
            agd_severity_name(number),
            agd_rejection_code(number),
            agd_rejection_message(number),
            agd_resource_id(number),
            agd_status_name(number),
            agd_status_message(number),
        ] {
            std::hint::black_box(CStr::from_ptr(name).to_bytes().len());
        }
        agd_format_is_read(number);
        agd_format_from_id(world.argument());
    }
}

/// Options of a check, and the memory that they borrow.
fn check_options(world: &mut World<'_>, scratch: &mut Vec<u32>) -> Item<agd_check_options> {
    let mut options = Item::<agd_check_options>::new(&mut world.script, true);
    *scratch = vec![7; world.script.size() % 600];
    unsafe {
        let place = options.place();
        (*place).origin = world.argument();
        (*place).max = usize::from(world.script.byte());
        (*place).scratch = if world.script.byte() == 7 {
            null_mut()
        } else {
            scratch.as_mut_ptr()
        };
        (*place).scratch_length = scratch.len();
    }
    options
}

unsafe fn check(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let mut scratch = Vec::new();
        let mut options = check_options(world, &mut scratch);
        let options = if world.script.is() {
            options.place().cast_const()
        } else {
            null()
        };
        let mut left = u32::from(world.script.byte());
        known(agd_check(
            document,
            options,
            Some(diagnostic),
            (&raw mut left).cast(),
        ));
        let mut counts = MaybeUninit::<agd_counts>::zeroed();
        known(agd_check_count(document, options, counts.as_mut_ptr()));
    }
}

unsafe fn check_in_order(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let mut scratch = Vec::new();
        let mut options = check_options(world, &mut scratch);
        let options = if world.script.is() {
            options.place().cast_const()
        } else {
            null()
        };
        let capacity = usize::from(world.script.byte() % 40);
        let mut window: Vec<MaybeUninit<agd_diagnostic>> = vec![MaybeUninit::zeroed(); capacity];
        let size = if world.script.byte() == 7 {
            world.script.size() % 64
        } else {
            size_of::<agd_diagnostic>()
        };
        let mut found = 0;
        let status = known(agd_check_sorted(
            document,
            options,
            window.as_mut_ptr().cast(),
            size,
            capacity,
            &raw mut found,
        ));
        let mut list: agd_diagnostics = MaybeUninit::zeroed().assume_init();
        let begun = known(agd_diagnostics_begin(
            &raw mut list,
            document,
            options,
            window.as_mut_ptr().cast(),
            size,
            capacity,
        ));
        let (mut given, mut last, mut misused) = (0, 0, false);
        for _ in 0..found + 3 {
            let mut item = Item::<agd_diagnostic>::new(&mut world.script, true);
            match known(agd_diagnostics_next(&raw mut list, item.place())) {
                AGD_SOME => {
                    given += 1;
                    assert!(item.get().start >= last);
                    last = item.get().start;
                }
                AGD_NONE => break,
                _ => misused = true,
            }
        }
        if status >= 0 || status == AGD_ERROR_BUFFER_TOO_SMALL {
            assert!(begun < 0 || misused || given == found, "{given} of {found}");
        }
    }
}

unsafe fn write(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let (mut room, mut length) = (Room::of(&mut world.script), 0);
        let capacity = room.memory.len();
        let status = known(agd_write_json(
            document,
            room.start(),
            capacity,
            &raw mut length,
        ));
        room.holds(status, length);
        let mut options = Item::<agd_convert_options>::new(&mut world.script, true);
        (*options.place()).origin = world.argument();
        (*options.place()).loosen = world.script.number();
        (*options.place()).compact = world.script.number();
        let options = if world.script.is() {
            options.place().cast_const()
        } else {
            null()
        };
        let target = world.script.number();
        let (mut room, mut length) = (Room::of(&mut world.script), 0);
        let capacity = room.memory.len();
        let status = known(agd_convert(
            document,
            target,
            options,
            room.start(),
            capacity,
            &raw mut length,
            Some(loss),
            null_mut(),
        ));
        room.holds(status, length);
        let (mut room, mut length) = (Room::of(&mut world.script), 0);
        let capacity = room.memory.len();
        let status = known(agd_fix(
            document,
            room.start(),
            capacity,
            &raw mut length,
            Some(change),
            null_mut(),
        ));
        room.holds(status, length);
    }
}

unsafe fn differences(world: &mut World<'_>) {
    unsafe {
        let (first, second) = (world.document(), world.document());
        let (mut complete, mut left) = (7, u32::from(world.script.byte()));
        let status = known(agd_differences(
            first,
            second,
            &raw mut complete,
            Some(difference),
            (&raw mut left).cast(),
        ));
        assert_eq!(status == AGD_OK, complete != 7);
        assert!(matches!(
            known(agd_differences(first, second, null_mut(), None, null_mut())),
            AGD_OK | AGD_ERROR_NULL | AGD_ERROR_UNINITIALISED
        ));
    }
}

unsafe fn robots(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let mut robots = match world.script.byte() % 4 {
            0 => world.robots,
            1 => agd_robots_allow_all(),
            2 => agd_robots_disallow_all(),
            _ => MaybeUninit::zeroed().assume_init(),
        };
        if world.script.is() {
            known(agd_document_robots(document, &raw mut robots));
        }
        let robots = &raw const robots;
        let (agent, url) = (world.argument(), world.argument());
        let mut decision = Item::<agd_robots_decision>::new(&mut world.script, true);
        let status = known(agd_robots_decide(robots, agent, url, decision.place()));
        assert!(
            status == AGD_SOME
                || status == AGD_ERROR_STRUCT_SIZE
                || !agd_robots_allowed(robots, agent, url)
        );
        world.keep(decision.get().rule_pattern);
        let mut delay = Item::<agd_robots_delay>::new(&mut world.script, true);
        known(agd_robots_crawl_delay(robots, agent, delay.place()));
        let mut stance = Item::<agd_robots_stance>::new(&mut world.script, true);
        known(agd_robots_prefers(
            robots,
            agent,
            url,
            agent,
            stance.place(),
        ));
        preference_list(world, agd_robots_preference_list(robots));
        group_list(world, agd_robots_group_list(robots));
        text_list(world, agd_robots_sitemaps(robots));
        agd_robots_is_cut(robots);
        let (mut line, mut column, mut start, mut end) = (0, 0, 0, 0);
        known(agd_robots_position(
            robots,
            world.script.size(),
            &raw mut line,
            &raw mut column,
        ));
        known(agd_robots_span(
            robots,
            world.argument(),
            &raw mut start,
            &raw mut end,
        ));
    }
}

unsafe fn decide(world: &mut World<'_>) {
    unsafe {
        let mut request = Item::<agd_request>::new(&mut world.script, true);
        let place = request.place();
        (*place).agent = world.argument();
        *(if world.script.is() {
            &raw mut (*place).capability
        } else {
            &raw mut (*place).url
        }) = world.argument();
        (*place).method = world.argument();
        (*place).origin = world.argument();
        (*place).approved = world.argument();
        (*place).robots_state = world.script.number() % 6;
        (*place).robots = if world.script.is() {
            &raw const world.robots
        } else {
            null()
        };
        let count = usize::from(world.script.byte() % 4);
        let size = if world.script.byte() == 9 {
            8
        } else {
            size_of::<agd_decision>()
        };
        world.decision.size = size;
        let documents = if world.script.byte() == 9 {
            null()
        } else {
            world.documents.as_ptr()
        };
        let made = &raw mut world.decision;
        // The content of a workspace does not matter.
        let mut workspace = agd_workspace {
            state: [MaybeUninit::new(u64::MAX); AGD_WORKSPACE_WORDS],
        };
        let status = if world.script.is() {
            agd_decide(documents, count, place, made)
        } else {
            agd_decide_with(documents, count, place, &raw mut workspace, made)
        };
        known(status);
        assert!(status == AGD_SOME || status < 0);
        world.decision.size = size_of::<agd_decision>();
        world.keep(world.decision.rule);
    }
}

unsafe fn decision(world: &mut World<'_>) {
    unsafe {
        let decision = if world.script.byte() == 9 {
            null()
        } else {
            &raw const world.decision
        };
        walk(
            world,
            agd_decision_limits(decision),
            true,
            agd_applied_limits_next,
            |_, _| {},
        );
        let mut limit = Item::<agd_applied_limit>::new(&mut world.script, true);
        known(agd_decision_advisory_limit(decision, limit.place()));
        let mut workspace = agd_workspace {
            state: [MaybeUninit::new(u64::MAX); AGD_WORKSPACE_WORDS],
        };
        known(agd_decision_advisory_limit_with(
            decision,
            &raw mut workspace,
            limit.place(),
        ));
        let mut limits = agd_decision_limits(decision);
        while agd_applied_limits_next_with(&raw mut limits, &raw mut workspace, limit.place())
            == AGD_SOME
        {}
        let mut words = agd_decision_words(decision, world.script.number());
        let (mut text, mut index) = (
            agd_text {
                ptr: null(),
                len: 0,
                flags: 0,
            },
            0,
        );
        while agd_words_next(&raw mut words, &raw mut text, &raw mut index) == AGD_SOME {
            world.keep(text);
        }
        let (mut room, mut length) = (Room::of(&mut world.script), 0);
        let capacity = room.memory.len();
        let token = world.argument();
        let status = known(agd_decision_auth_header(
            decision,
            token,
            room.start(),
            capacity,
            &raw mut length,
        ));
        if status != AGD_NONE {
            room.holds(status, length);
        }
        let mut scratch = vec![1_u32; usize::from(world.script.byte())];
        let mut found = 0;
        let mut items = [agd_text {
            ptr: null(),
            len: 0,
            flags: 0,
        }; 4];
        assert!(matches!(
            agd_decision_prerequisites_unknown(decision),
            AGD_TRUE | AGD_FALSE | AGD_UNSAID
        ));
        known(agd_decision_prerequisites(
            decision,
            scratch.as_mut_ptr(),
            scratch.len(),
            items.as_mut_ptr(),
            items.len(),
            &raw mut found,
        ));
        let (mut room, mut length) = (Room::of(&mut world.script), 0);
        let capacity = room.memory.len();
        let status = known(agd_decision_json(
            decision,
            scratch.as_mut_ptr(),
            scratch.len(),
            room.start(),
            capacity,
            &raw mut length,
        ));
        room.holds(status, length);
    }
}

unsafe fn begin(world: &mut World<'_>) {
    unsafe {
        let mut options = Item::<agd_discovery_options>::new(&mut world.script, true);
        (*options.place()).resources = u32::from(world.script.byte()) * 3;
        (*options.place()).shared = world.script.number();
        let site = if world.script.byte() == 9 {
            world.argument()
        } else {
            agd_text {
                ptr: c"https://a.example".as_ptr(),
                len: 17,
                flags: 0,
            }
        };
        let options = if world.script.is() {
            options.place().cast_const()
        } else {
            null()
        };
        known(agd_discovery_begin(
            &raw mut *world.discovery,
            site,
            options,
        ));
    }
}

unsafe fn answer(world: &mut World<'_>) {
    unsafe {
        let discovery = &raw mut *world.discovery;
        let mut request = Item::<agd_discovery_request>::new(&mut world.script, true);
        known(agd_discovery_next(discovery, request.place()));
        let id = if world.script.byte() == 9 {
            world.script.number()
        } else {
            request.get().id
        };
        let mut stored = Item::<agd_stored>::new(&mut world.script, true);
        (*stored.place()).url = world.argument();
        (*stored.place()).rejection = world.script.number();
        (*stored.place()).body = world.argument();
        (*stored.place()).etag = world.argument();
        (*stored.place()).last_modified = world.argument();
        (*stored.place()).freshness.fresh_until = u64::from(world.script.byte()) << 24;
        let stored = if world.script.is() {
            stored.place().cast_const()
        } else {
            null()
        };
        let none = agd_text {
            ptr: null(),
            len: 0,
            flags: 0,
        };
        let mut headers = [agd_http_header {
            name: none,
            value: none,
        }; AGD_DISCOVERY_HEADERS];
        let mut count = 0;
        known(agd_discovery_headers(
            discovery,
            id,
            world.argument(),
            stored,
            headers.as_mut_ptr(),
            &raw mut count,
        ));
        assert!(count <= AGD_DISCOVERY_HEADERS);
        let now = u64::from(world.script.byte()) << 24;
        let mut answer = Item::<agd_discovery_answer>::new(&mut world.script, true);
        match world.script.byte() % 4 {
            0 => known(agd_discovery_fail(
                discovery,
                id,
                world.script.number(),
                now,
                answer.place(),
            )),
            1 => known(agd_discovery_recall(
                discovery,
                id,
                stored,
                now,
                answer.place(),
            )),
            _ => {
                let header = [agd_http_header {
                    name: world.argument(),
                    value: world.argument(),
                }; 2];
                let mut response = Item::<agd_discovery_response>::new(&mut world.script, true);
                let place = response.place();
                (*place).status =
                    [200, 404, 302, 304, 500, 0, -1, 99999][usize::from(world.script.byte() % 8)];
                (*place).headers = if world.script.byte() == 9 {
                    null()
                } else {
                    header.as_ptr()
                };
                (*place).header_count = usize::from(world.script.byte() % 3);
                (*place).body = agd_text {
                    ptr: world.bytes.as_ptr().cast(),
                    len: world.bytes.len(),
                    flags: 0,
                };
                (*place).final_url = world.argument();
                (*place).stored = stored;
                (*place).now = now;
                known(agd_discovery_respond(discovery, id, place, answer.place()))
            }
        };
        if answer.get().state == AGD_ATTEMPT_FOUND {
            let mut head = Item::<agd_head>::new(&mut world.script, true);
            known(agd_document_head(
                &raw const answer.get().document,
                head.place(),
            ));
        }
    }
}

unsafe fn discovered(world: &mut World<'_>) {
    unsafe {
        let discovery = &raw mut *world.discovery;
        let mut rejection = 0;
        let document = world.document();
        known(agd_discovery_ask_detail(
            discovery,
            document,
            world.argument(),
            world.script.number(),
            &raw mut rejection,
        ));
        known(agd_discovery_ask_declaration(
            discovery,
            world.argument(),
            &raw mut rejection,
        ));
        agd_discovery_declared(discovery, document);
        for index in 0..40 {
            let mut attempt = Item::<agd_attempt>::new(&mut world.script, true);
            known(agd_discovery_attempt(discovery, index, attempt.place()));
            known(agd_discovery_document(discovery, index, attempt.place()));
            attempt.get();
        }
        agd_discovery_is_done(discovery);
        agd_discovery_is_trail_cut(discovery);
        agd_discovery_robots(discovery);
        agd_discovery_ask_again_at(discovery);
        agd_discovery_origin(discovery);
    }
}

unsafe fn awp(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let mut features = Item::<agd_awp_features>::new(&mut world.script, true);
        known(agd_awp_feature_flags(document, features.place()));
        let mut scratch = vec![1_u32; usize::from(world.script.byte())];
        let mut items = vec![
            agd_text {
                ptr: null(),
                len: 0,
                flags: 0
            };
            usize::from(world.script.byte() % 8)
        ];
        let mut found = 0;
        let action = world.argument();
        let (start, length) = (scratch.as_mut_ptr(), scratch.len());
        known(agd_awp_prerequisites(
            document,
            action,
            start,
            length,
            items.as_mut_ptr(),
            items.len(),
            &raw mut found,
        ));
        for text in items {
            world.keep(text);
        }
        let mut found = Item::<agd_type>::new(&mut world.script, true);
        known(agd_type_parse(world.argument(), found.place()));
        walk(
            world,
            found.get().options,
            false,
            agd_type_options_next,
            |world, text| world.keep(*text),
        );
    }
}

unsafe fn adp(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let mut auth = Item::<agd_adp_auth>::new(&mut world.script, true);
        known(agd_adp_auth_of(document, auth.place()));
        let (mut room, mut needed) = (Room::of(&mut world.script), 0);
        let mut header = agd_header {
            name: null(),
            value: null(),
        };
        let capacity = room.memory.len();
        if known(agd_adp_auth_header(
            document,
            world.argument(),
            room.start(),
            capacity,
            &raw mut needed,
            &raw mut header,
        )) == AGD_SOME
        {
            assert_eq!(
                CStr::from_ptr(header.name).count_bytes()
                    + CStr::from_ptr(header.value).count_bytes()
                    + 2,
                needed
            );
        }
        for resolve in [agd_adp_detail_url, agd_adp_detail_url_rfc3986] {
            let (mut room, mut length) = (Room::of(&mut world.script), 0);
            let capacity = room.memory.len();
            let status = known(resolve(
                document,
                world.argument(),
                room.start(),
                capacity,
                &raw mut length,
            ));
            if status == AGD_OK {
                room.holds(status, length);
            }
        }
        let (mut room, mut length) = (Room::of(&mut world.script), 0);
        let capacity = room.memory.len();
        let status = known(agd_adp_search_url(
            world.argument(),
            world.argument(),
            room.start(),
            capacity,
            &raw mut length,
        ));
        room.holds(status, length);
    }
}

unsafe fn adp_request(world: &mut World<'_>) {
    unsafe {
        let (manifest, detail) = (world.document(), world.document());
        let count = usize::from(world.script.byte() % 5);
        let arguments: Vec<_> = (0..count)
            .map(|_| agd_argument {
                name: world.argument(),
                value: agd_value {
                    kind: world.script.number() % 9,
                    text: world.argument(),
                },
            })
            .collect();
        let mut options = Item::<agd_adp_options>::new(&mut world.script, true);
        (*options.place()).token = world.argument();
        (*options.place()).arguments = if world.script.byte() == 9 {
            null()
        } else {
            arguments.as_ptr()
        };
        (*options.place()).argument_count = if world.script.byte() == 9 && count == 0 {
            65
        } else {
            count
        };
        (*options.place()).trust_endpoint = world.script.number();
        (*options.place()).rfc3986 = world.script.number();
        (*options.place()).constant_headers = world.script.number();
        if (*options.place()).argument_count > count {
            (*options.place()).arguments = null();
        }
        let mut call = Item::<agd_adp_call>::new(&mut world.script, true);
        let (mut room, mut needed) = (Room::of(&mut world.script), 0);
        let capacity = room.memory.len();
        if known(agd_adp_request(
            manifest,
            detail,
            options.place(),
            room.start(),
            capacity,
            &raw mut needed,
            call.place(),
        )) == AGD_OK
        {
            let call = call.get();
            assert!(
                needed <= capacity
                    && !CStr::from_ptr(call.method).is_empty()
                    && !CStr::from_ptr(call.url).is_empty()
            );
            // A body that is not JSON may contain NULs.
            assert!(
                call.body.is_null() || CStr::from_ptr(call.body).count_bytes() <= call.body_length
            );
            walk(world, call.headers, false, agd_headers_next, |_, header| {
                assert!(!CStr::from_ptr(header.name).is_empty());
                std::hint::black_box(CStr::from_ptr(header.value).count_bytes());
            });
        }
        let (mut room, mut length) = (Room::of(&mut world.script), 0);
        let capacity = room.memory.len();
        let status = known(agd_adp_resolve(
            manifest,
            world.argument(),
            options.place(),
            room.start(),
            capacity,
            &raw mut length,
        ));
        if status == AGD_OK {
            room.holds(status, length);
        }
    }
}

unsafe fn urls(world: &mut World<'_>) {
    unsafe {
        let mut url = Item::<agd_url>::new(&mut world.script, true);
        if known(agd_url_parse(world.argument(), url.place())) == AGD_SOME {
            world.keep(url.get().host);
        }
        let mut verified = 0;
        known(agd_host_relation(world.argument(), world.argument(), &raw mut verified).min(0));
        let (mut room, mut length) = (Room::of(&mut world.script), 0);
        let capacity = room.memory.len();
        let status = known(agd_url_resolve(
            world.argument(),
            world.argument(),
            room.start(),
            capacity,
            &raw mut length,
        ));
        if status == AGD_OK {
            room.holds(status, length);
        }
    }
}

unsafe fn body(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let mut entries: agd_agents_md = MaybeUninit::zeroed().assume_init();
        known(agd_agents_md_walk(document, &raw mut entries));
        walk(world, entries, true, agd_agents_md_next, |world, entry| {
            world.keep(entry.text)
        });
    }
}

unsafe fn places(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let (mut line, mut column, mut start, mut end) = (0, 0, 0, 0);
        known(agd_document_position(
            document,
            world.script.size(),
            &raw mut line,
            &raw mut column,
        ));
        if known(agd_document_span(
            document,
            world.argument(),
            &raw mut start,
            &raw mut end,
        )) == AGD_OK
        {
            assert!(start <= end && end <= world.bytes.len());
        }
        assert!(!CStr::from_ptr(agd_version()).is_empty() && agd_version_number() > 0);
    }
}
