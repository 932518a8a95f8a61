//! Sizes: cursors over tokens, lines, blocks and entries have at most 512 bytes for any document,
//! and decisions and discoveries have a documented size.

use agentsdisc_core::Document;
use agentsdisc_core::discovery::Discovery;
use agentsdisc_core::format::agents_md::Walk;
use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::manifest::{Capability, List};
use agentsdisc_core::policy::{Decision, RateLimits, Workspace};
use agentsdisc_core::syntax::json::{Elements, Members, Tokenizer};
use agentsdisc_core::syntax::line::Lines;
use agentsdisc_core::syntax::markdown::Blocks;
use agentsdisc_core::syntax::yaml::{Entries, Events};

#[test]
fn every_cursor_has_a_bounded_size() {
    for (name, size) in [
        ("Tokenizer", size_of::<Tokenizer<'_>>()),
        ("Lines", size_of::<Lines<'_>>()),
        ("yaml::Events", size_of::<Events<'_>>()),
        ("yaml::Entries", size_of::<Entries<'_>>()),
        ("markdown::Blocks", size_of::<Blocks<'_>>()),
        ("agents_md::Walk", size_of::<Walk<'_>>()),
        ("RobotsTxt", size_of::<RobotsTxt<'_>>()),
    ] {
        assert!(size <= 512, "{name}: {size} bytes");
    }
    for (name, size) in [
        ("List", size_of::<List<'_, Capability<'_>>>()),
        ("json::Members", size_of::<Members<'_>>()),
        ("json::Elements", size_of::<Elements<'_>>()),
    ] {
        assert!(size <= 64, "{name}: {size} bytes, and they are nested");
    }
}

/// For 64-bit pointers; about two thirds on a microcontroller.
#[test]
fn public_state_has_the_documented_size() {
    for (name, size, bound) in [
        ("Document", size_of::<Document<'_>>(), 256),
        ("Decision", size_of::<Decision<'_>>(), 1600),
        ("RateLimits", size_of::<RateLimits<'_>>(), 640),
        ("Workspace", size_of::<Workspace>(), 9 << 10),
        ("Discovery", size_of::<Discovery>(), 39 << 10),
    ] {
        assert!(size <= bound, "{name}: {size} bytes");
        assert!(size > bound / 2, "{name}: {size} bytes, the bound is not worth stating");
    }
}
