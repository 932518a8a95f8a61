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
            0 => documents::parse(world),
            1 => documents::detect(world),
            2 => documents::parts(world),
            3 => documents::capabilities(world),
            4 => documents::other_lists(world),
            5 => documents::robots_and_results(world),
            6 => documents::members(world),
            7 => documents::json(world),
            8 => documents::texts(world),
            9 => documents::names(world),
            10 => checks::check(world),
            11 => checks::check_in_order(world),
            12 => checks::write(world),
            13 => policies::robots(world),
            14 => policies::decide(world),
            15 => policies::decision(world),
            16 => discoveries::begin(world),
            17 | 18 => discoveries::answer(world),
            19 => discoveries::discovered(world),
            20 => services::awp(world),
            21 => services::adp(world),
            22 => services::adp_request(world),
            23 => services::urls(world),
            24 => documents::body(world),
            25 => checks::differences(world),
            26 => documents::places(world),
            _ => plans::call(world),
        }
    }
}
