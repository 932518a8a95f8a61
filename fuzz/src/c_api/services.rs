//! Services: actions of the Agent Web Protocol, requests of the Agent Discovery Protocol, URLs.

use super::*;

pub unsafe fn awp(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let mut features = Item::<agd_awp_features>::new(&mut world.script, true);
        known(agd_awp_feature_flags(document, features.place()));
        let mut scratch = vec![1_u32; usize::from(world.script.byte())];
        let mut items =
            vec![agd_text { ptr: null(), len: 0, flags: 0 }; usize::from(world.script.byte() % 8)];
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
        walk(world, found.get().options, false, agd_type_options_next, |world, text| {
            world.keep(*text)
        });
    }
}

pub unsafe fn adp(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let mut auth = Item::<agd_adp_auth>::new(&mut world.script, true);
        known(agd_adp_auth_of(document, auth.place()));
        let (mut room, mut needed) = (Room::of(&mut world.script), 0);
        let mut header = agd_header { name: null(), value: null() };
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
            let (room, status, length) = filled(world, |world, start, capacity, length| {
                resolve(document, world.argument(), start, capacity, length)
            });
            if status == AGD_OK {
                room.holds(status, length);
            }
        }
        let (room, status, length) = filled(world, |world, start, capacity, length| {
            agd_adp_search_url(world.argument(), world.argument(), start, capacity, length)
        });
        room.holds(status, length);
    }
}

pub unsafe fn adp_request(world: &mut World<'_>) {
    unsafe {
        let (manifest, detail) = (world.document(), world.document());
        let count = usize::from(world.script.byte() % 5);
        let arguments: Vec<_> = (0..count)
            .map(|_| agd_argument {
                name: world.argument(),
                value: agd_value { kind: world.script.number() % 9, text: world.argument() },
            })
            .collect();
        let mut options = Item::<agd_adp_options>::new(&mut world.script, true);
        (*options.place()).token = world.argument();
        (*options.place()).arguments =
            if world.script.byte() == 9 { null() } else { arguments.as_ptr() };
        (*options.place()).argument_count =
            if world.script.byte() == 9 && count == 0 { 65 } else { count };
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
        let (room, status, length) = filled(world, |world, start, capacity, length| {
            agd_adp_resolve(manifest, world.argument(), options.place(), start, capacity, length)
        });
        if status == AGD_OK {
            room.holds(status, length);
        }
    }
}

pub unsafe fn urls(world: &mut World<'_>) {
    unsafe {
        let mut url = Item::<agd_url>::new(&mut world.script, true);
        if known(agd_url_parse(world.argument(), url.place())) == AGD_SOME {
            world.keep(url.get().host);
        }
        let mut verified = 0;
        known(agd_host_relation(world.argument(), world.argument(), &raw mut verified).min(0));
        let (room, status, length) = filled(world, |world, start, capacity, length| {
            agd_url_resolve(world.argument(), world.argument(), start, capacity, length)
        });
        if status == AGD_OK {
            room.holds(status, length);
        }
    }
}
