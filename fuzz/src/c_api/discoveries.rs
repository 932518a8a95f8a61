//! Discovery: requests, answers, attempts.

use super::*;

pub unsafe fn begin(world: &mut World<'_>) {
    unsafe {
        let mut options = Item::<agd_discovery_options>::new(&mut world.script, true);
        (*options.place()).resources = u32::from(world.script.byte()) * 3;
        (*options.place()).shared = world.script.number();
        let site = if world.script.byte() == 9 {
            world.argument()
        } else {
            agd_text { ptr: c"https://a.example".as_ptr(), len: 17, flags: 0 }
        };
        let options = given(world, &mut options);
        known(agd_discovery_begin(&raw mut *world.discovery, site, options));
    }
}

pub unsafe fn answer(world: &mut World<'_>) {
    unsafe {
        let discovery = &raw mut *world.discovery;
        let mut request = Item::<agd_discovery_request>::new(&mut world.script, true);
        known(agd_discovery_next(discovery, request.place()));
        let id = if world.script.byte() == 9 { world.script.number() } else { request.get().id };
        let mut stored = Item::<agd_stored>::new(&mut world.script, true);
        (*stored.place()).url = world.argument();
        (*stored.place()).rejection = world.script.number();
        (*stored.place()).body = world.argument();
        (*stored.place()).etag = world.argument();
        (*stored.place()).last_modified = world.argument();
        (*stored.place()).freshness.fresh_until = u64::from(world.script.byte()) << 24;
        let stored = if world.script.is() { stored.place().cast_const() } else { null() };
        let none = agd_text { ptr: null(), len: 0, flags: 0 };
        let mut headers = [agd_http_header { name: none, value: none }; AGD_DISCOVERY_HEADERS];
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
            0 => {
                known(agd_discovery_fail(discovery, id, world.script.number(), now, answer.place()))
            }
            1 => known(agd_discovery_recall(discovery, id, stored, now, answer.place())),
            _ => {
                let header =
                    [agd_http_header { name: world.argument(), value: world.argument() }; 2];
                let mut response = Item::<agd_discovery_response>::new(&mut world.script, true);
                let place = response.place();
                (*place).status =
                    [200, 404, 302, 304, 500, 0, -1, 99999][usize::from(world.script.byte() % 8)];
                (*place).headers = if world.script.byte() == 9 { null() } else { header.as_ptr() };
                (*place).header_count = usize::from(world.script.byte() % 3);
                (*place).body =
                    agd_text { ptr: world.bytes.as_ptr().cast(), len: world.bytes.len(), flags: 0 };
                (*place).final_url = world.argument();
                (*place).stored = stored;
                (*place).now = now;
                known(agd_discovery_respond(discovery, id, place, answer.place()))
            }
        };
        if answer.get().state == AGD_ATTEMPT_FOUND {
            let mut head = Item::<agd_head>::new(&mut world.script, true);
            known(agd_document_head(&raw const answer.get().document, head.place()));
        }
    }
}

pub unsafe fn discovered(world: &mut World<'_>) {
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
        known(agd_discovery_ask_declaration(discovery, world.argument(), &raw mut rejection));
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
