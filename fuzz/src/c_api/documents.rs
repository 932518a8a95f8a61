//! Documents: parsing, their parts and lists, and the values and texts in them.

use super::*;

pub fn options(world: &mut World<'_>) -> Option<agd_options> {
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
pub fn input(world: &mut World<'_>) -> (*const c_char, usize) {
    match world.script.byte() {
        1 => (null(), 0),
        2 => (null(), 9),
        3 => (world.bytes.as_ptr().cast(), usize::MAX),
        _ => (world.bytes.as_ptr().cast(), world.bytes.len()),
    }
}

pub unsafe fn parse(world: &mut World<'_>) {
    unsafe {
        let (start, length) = input(world);
        let options = options(world);
        let index = usize::from(world.script.byte() % 3);
        // A decision borrows the documents, which change.
        world.decision = MaybeUninit::zeroed().assume_init();
        world.decision.size = size_of::<agd_decision>();
        let mut error = MaybeUninit::<agd_error>::zeroed();
        let options = options.as_ref().map_or(null(), |options| &raw const *options);
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

pub unsafe fn detect(world: &mut World<'_>) {
    unsafe {
        let (start, length) = input(world);
        let options = options(world);
        let mut detection = Item::<agd_detection>::new(&mut world.script, true);
        let options = options.as_ref().map_or(null(), |options| &raw const *options);
        known(agd_detect(start, length, options, detection.place()));
        let mut sign = agd_text { ptr: null(), len: 0, flags: 0 };
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

pub unsafe fn parts(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        part!(world, document, agd_document_head, agd_head, spec_version generated_at companion search_query);
        part!(world, document, agd_document_service, agd_service, name url description);
        part!(world, document, agd_document_provenance, agd_provenance, last_verified);
        part!(world, document, agd_document_auth, agd_service_auth, header prefix token_url);
        part!(world, document, agd_document_status, agd_service_status,);
        part!(world, document, agd_document_pricing, agd_pricing, plans_url);
        part!(world, document, agd_document_session, agd_session, create close);
        part!(world, document, agd_document_audit, agd_audit, endpoint);
        part!(world, document, agd_document_access, agd_access,);
        part!(world, document, agd_document_permissions, agd_permissions,);
        agd_document_session_seconds(document);
        agd_document_needs_companion(document);
        agd_document_is_audited(document);
        let (room, status, length) = filled(world, |_, start, capacity, length| {
            agd_document_companion_url(document, start, capacity, length)
        });
        if status == AGD_SOME {
            room.holds(status, length);
        }
        let format = agd_document_format(document);
        assert!(!CStr::from_ptr(agd_format_id(format)).is_empty());
    }
}

pub unsafe fn text_list(world: &mut World<'_>, list: agd_texts) {
    unsafe { walk(world, list, false, agd_texts_next, |world, text| world.keep(*text)) }
}

pub unsafe fn member_list(world: &mut World<'_>, list: agd_members) {
    unsafe {
        walk(world, list, false, agd_members_next, |world, member| {
            world.keep(member.name);
            world.keep(member.value.text);
            world.value = member.value;
        });
    }
}

pub unsafe fn capability_list(world: &mut World<'_>, list: agd_capabilities) {
    unsafe {
        walk(world, list, true, agd_capabilities_next, |world, capability| {
            world.keep(capability.endpoint);
            world.keep(capability.id);
            text_list(world, capability.auth_scopes);
            walk(world, capability.rate_limits, true, agd_rate_limits_next, |_, _| {});
            walk(world, capability.outputs, true, agd_outputs_next, |world, output| {
                world.keep(output.name)
            });
            walk(world, capability.parameters, true, agd_parameters_next, |world, parameter| {
                world.keep(parameter.name);
                walk(world, parameter.options, false, agd_values_next, |world, value| {
                    world.keep(value.text)
                });
            });
            member_list(world, capability.metadata);
        });
    }
}

pub unsafe fn capabilities(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        capability_list(world, agd_document_capabilities(document));
        walk(world, agd_document_rate_limits(document), true, agd_rate_limits_next, |_, _| {});
        walk(world, agd_document_agents(document), true, agd_agents_next, |world, agent| {
            world.keep(agent.name);
            text_list(world, agent.capabilities);
        });
        // A list that does not come from the library.
        let none: agd_capabilities = MaybeUninit::zeroed().assume_init();
        let (mut none, mut item) = (none, Item::<agd_capability>::new(&mut world.script, true));
        assert_eq!(agd_capabilities_next(&raw mut none, item.place()), AGD_ERROR_UNINITIALISED);
    }
}

pub unsafe fn other_lists(world: &mut World<'_>) {
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
        walk(world, agd_document_flows(document), true, agd_flows_next, |world, flow| {
            text_list(world, flow.steps)
        });
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
        walk(world, agd_document_entities(document), true, agd_entities_next, |world, entity| {
            world.keep(entity.name)
        });
        walk(world, agd_document_errors(document), true, agd_recoveries_next, |_, _| {});
        text_list(world, agd_document_operates_on(document));
        text_list(world, agd_document_sitemaps(document));
        let mut pricing = Item::<agd_pricing>::new(&mut world.script, true);
        agd_document_pricing(document, pricing.place());
        walk(world, pricing.get().plans, true, agd_plans_next, |world, plan| world.keep(plan.name));
    }
}

pub unsafe fn group_list(world: &mut World<'_>, list: agd_robots_groups) {
    unsafe {
        walk(world, list, true, agd_robots_groups_next, |world, group| {
            text_list(world, group.agents);
            walk(world, group.rules, true, agd_robots_rules_next, |world, rule| {
                world.keep(rule.pattern)
            });
        });
    }
}

pub unsafe fn preference_list(world: &mut World<'_>, list: agd_robots_preferences) {
    unsafe {
        walk(world, list, true, agd_robots_preferences_next, |world, item| {
            world.keep(item.path);
            agd_purpose_name(item.purpose.value);
            agd_stance_name(item.preference.value);
            agd_vocabulary_name(item.source.value);
        });
    }
}

pub unsafe fn robots_and_results(world: &mut World<'_>) {
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

pub unsafe fn members(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        member_list(world, agd_document_hints(document));
        member_list(world, agd_document_features(document));
        member_list(world, agd_document_metadata(document));
    }
}

pub unsafe fn json(world: &mut World<'_>) {
    unsafe {
        let (start, length) = input(world);
        let mut value = world.value;
        let mut error = MaybeUninit::<agd_error>::zeroed();
        if world.script.is()
            && known(agd_json_parse(start, length, &raw mut value, error.as_mut_ptr())) == AGD_OK
        {
            world.value = value;
        }
        if world.script.byte() == 9 {
            value = agd_value { kind: world.script.number(), text: world.argument() };
        }
        let mut number = 0;
        known(agd_value_u64(&raw const value, &raw mut number));
        agd_value_bool(&raw const value);
        let mut members: agd_json_members = MaybeUninit::zeroed().assume_init();
        known(agd_value_members(&raw const value, &raw mut members));
        walk(world, members, false, agd_json_members_next, |world, member| {
            world.value = member.value
        });
        let mut elements: agd_json_elements = MaybeUninit::zeroed().assume_init();
        known(agd_value_elements(&raw const value, &raw mut elements));
        walk(world, elements, false, agd_json_elements_next, |world, value| world.value = *value);
    }
}

pub unsafe fn texts(world: &mut World<'_>) {
    unsafe {
        let (one, other) = (world.argument(), world.argument());
        assert_eq!(agd_text_eq(one, other), agd_text_eq(other, one));
        assert_eq!(agd_text_eq_ignore_case(one, other), agd_text_eq_ignore_case(other, one));
        agd_text_eq_str(one, c"search".as_ptr());
        agd_text_eq_str(one, null());
        agd_text_eq_str_ignore_case(one, c"SEARCH".as_ptr());
        let (mut room, mut length, size) = (Room::of(&mut world.script), 0, world.script.is());
        let capacity = if size { 0 } else { room.memory.len() };
        let status = known(agd_text_decode(one, room.start(), capacity, &raw mut length));
        if !size {
            room.holds_decoded(status, length);
        }
    }
}

pub unsafe fn names(world: &mut World<'_>) {
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

pub unsafe fn body(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let mut entries: agd_agents_md = MaybeUninit::zeroed().assume_init();
        known(agd_agents_md_walk(document, &raw mut entries));
        walk(world, entries, true, agd_agents_md_next, |world, entry| world.keep(entry.text));
    }
}

pub unsafe fn places(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let (mut line, mut column, mut start, mut end) = (0, 0, 0, 0);
        known(agd_document_position(document, world.script.size(), &raw mut line, &raw mut column));
        if known(agd_document_span(document, world.argument(), &raw mut start, &raw mut end))
            == AGD_OK
        {
            assert!(start <= end && end <= world.bytes.len());
        }
        assert!(!CStr::from_ptr(agd_version()).is_empty() && agd_version_number() > 0);
    }
}
