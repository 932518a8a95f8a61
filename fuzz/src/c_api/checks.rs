//! Checks, comparisons and conversions of documents.

use super::*;

/// Options of a check, and the memory that they borrow.
pub fn check_options(world: &mut World<'_>, scratch: &mut Vec<u32>) -> Item<agd_check_options> {
    let mut options = Item::<agd_check_options>::new(&mut world.script, true);
    *scratch = vec![7; world.script.size() % 600];
    unsafe {
        let place = options.place();
        (*place).origin = world.argument();
        (*place).max = usize::from(world.script.byte());
        (*place).scratch = if world.script.byte() == 7 { null_mut() } else { scratch.as_mut_ptr() };
        (*place).scratch_length = scratch.len();
    }
    options
}

pub unsafe fn check(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let mut scratch = Vec::new();
        let mut options = check_options(world, &mut scratch);
        let options = given(world, &mut options);
        let mut left = u32::from(world.script.byte());
        known(agd_check(document, options, Some(diagnostic), (&raw mut left).cast()));
        let mut counts = MaybeUninit::<agd_counts>::zeroed();
        known(agd_check_count(document, options, counts.as_mut_ptr()));
    }
}

pub unsafe fn check_in_order(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let mut scratch = Vec::new();
        let mut options = check_options(world, &mut scratch);
        let options = given(world, &mut options);
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

pub unsafe fn write(world: &mut World<'_>) {
    unsafe {
        let document = world.document();
        let (room, status, length) = filled(world, |_, start, capacity, length| {
            agd_write_json(document, start, capacity, length)
        });
        room.holds(status, length);
        let mut options = Item::<agd_convert_options>::new(&mut world.script, true);
        (*options.place()).origin = world.argument();
        (*options.place()).loosen = world.script.number();
        (*options.place()).compact = world.script.number();
        let options = given(world, &mut options);
        let target = world.script.number();
        let (room, status, length) = filled(world, |_, start, capacity, length| {
            agd_convert(document, target, options, start, capacity, length, Some(loss), null_mut())
        });
        room.holds(status, length);
        let (room, status, length) = filled(world, |_, start, capacity, length| {
            agd_fix(document, start, capacity, length, Some(change), null_mut())
        });
        room.holds(status, length);
    }
}

pub unsafe fn differences(world: &mut World<'_>) {
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
