//! Decisions and the rules of a robots.txt.

use super::documents::{group_list, preference_list, text_list};
use super::*;

pub unsafe fn robots(world: &mut World<'_>) {
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
        known(agd_robots_prefers(robots, agent, url, agent, stance.place()));
        preference_list(world, agd_robots_preference_list(robots));
        group_list(world, agd_robots_group_list(robots));
        text_list(world, agd_robots_sitemaps(robots));
        agd_robots_is_cut(robots);
        let (mut line, mut column, mut start, mut end) = (0, 0, 0, 0);
        known(agd_robots_position(robots, world.script.size(), &raw mut line, &raw mut column));
        known(agd_robots_span(robots, world.argument(), &raw mut start, &raw mut end));
    }
}

pub unsafe fn decide(world: &mut World<'_>) {
    unsafe {
        let mut request = Item::<agd_request>::new(&mut world.script, true);
        let place = request.place();
        (*place).agent = world.argument();
        *(if world.script.is() { &raw mut (*place).capability } else { &raw mut (*place).url }) =
            world.argument();
        (*place).method = world.argument();
        (*place).origin = world.argument();
        (*place).approved = world.argument();
        (*place).robots_state = world.script.number() % 6;
        (*place).robots = if world.script.is() { &raw const world.robots } else { null() };
        let count = usize::from(world.script.byte() % 4);
        let size = if world.script.byte() == 9 { 8 } else { size_of::<agd_decision>() };
        world.decision.size = size;
        let documents = if world.script.byte() == 9 { null() } else { world.documents.as_ptr() };
        let made = &raw mut world.decision;
        // The content of a workspace does not matter.
        let mut workspace =
            agd_workspace { state: [MaybeUninit::new(u64::MAX); AGD_WORKSPACE_WORDS] };
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

pub unsafe fn decision(world: &mut World<'_>) {
    unsafe {
        let decision = if world.script.byte() == 9 { null() } else { &raw const world.decision };
        walk(world, agd_decision_limits(decision), true, agd_applied_limits_next, |_, _| {});
        let mut limit = Item::<agd_applied_limit>::new(&mut world.script, true);
        known(agd_decision_advisory_limit(decision, limit.place()));
        let mut workspace =
            agd_workspace { state: [MaybeUninit::new(u64::MAX); AGD_WORKSPACE_WORDS] };
        known(agd_decision_advisory_limit_with(decision, &raw mut workspace, limit.place()));
        let mut limits = agd_decision_limits(decision);
        while agd_applied_limits_next_with(&raw mut limits, &raw mut workspace, limit.place())
            == AGD_SOME
        {}
        let mut words = agd_decision_words(decision, world.script.number());
        let (mut text, mut index) = (agd_text { ptr: null(), len: 0, flags: 0 }, 0);
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
        let mut items = [agd_text { ptr: null(), len: 0, flags: 0 }; 4];
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
        let (room, status, length) = filled(world, |_, start, capacity, length| {
            agd_decision_json(
                decision,
                scratch.as_mut_ptr(),
                scratch.len(),
                start,
                capacity,
                length,
            )
        });
        room.holds(status, length);
    }
}
