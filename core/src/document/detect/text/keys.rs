//! The keys whose lines are signs of a format.

use super::*;
use crate::format::robots_txt::line::{self, Key};
use crate::syntax::line::{Letters, Names};

/// The meaning of a key for the detection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Vote {
    /// A sign, or a mark of another vocabulary.
    Sign(u64),
    /// A rule, a delay or a sitemap: a sign of robots.txt only after a `User-agent`.
    Rule(u64),
    SiteName,
}

/// The keys that are signs, besides the keys of robots.txt ([`line::NAMES`]).
const KEYS: [(&str, Vote); 29] = [
    ("Spec-Version", Vote::Sign(SPEC_VERSION)),
    ("Site-URL", Vote::Sign(SITE_URL)),
    ("Capability", Vote::Sign(CAPABILITY)),
    ("Declaration-Type", Vote::Sign(DECLARATION_TYPE)),
    ("Operates-On", Vote::Sign(OPERATES_ON)),
    ("Site-Name", Vote::SiteName),
    ("site", Vote::Sign(SITE)),
    ("url", Vote::Sign(URL)),
    ("flow", Vote::Sign(FLOW)),
    ("session-ttl", Vote::Sign(SESSION_TTL)),
    ("audit", Vote::Sign(AUDIT)),
    ("Contact", Vote::Sign(CONTACT)),
    ("Expires", Vote::Sign(EXPIRES)),
    ("Encryption", Vote::Sign(ENCRYPTION)),
    ("Acknowledgments", Vote::Sign(ACKNOWLEDGMENTS)),
    ("Preferred-Languages", Vote::Sign(PREFERRED_LANGUAGES)),
    ("Canonical", Vote::Sign(CANONICAL)),
    ("Policy", Vote::Sign(POLICY)),
    ("Hiring", Vote::Sign(HIRING)),
    ("Protocols", Vote::Sign(PROTOCOLS)),
    ("Authorization", Vote::Sign(AUTHORIZATION)),
    ("MCP", Vote::Sign(MCP)),
    ("Skills", Vote::Sign(SKILLS)),
    ("A2A", Vote::Sign(A2A)),
    ("UCP", Vote::Sign(UCP)),
    ("WebMCP", Vote::Sign(WEBMCP)),
    // Other vocabularies: ADP/1.0 in text, ai.txt, vCard and iCalendar.
    ("Engine", Vote::Sign(OTHER_VOCABULARY)),
    ("Element", Vote::Sign(OTHER_VOCABULARY)),
    ("BEGIN", Vote::Sign(OTHER_VOCABULARY)),
];

const VOTES: usize = KEYS.len() + line::NAMES.len();

static NAMES: Names<Vote, VOTES, 256> = Names::of(&votes());

#[allow(clippy::indexing_slicing)] // Runs only when the program is compiled.
const fn votes() -> [(&'static str, Vote); VOTES] {
    let mut votes = [("", Vote::Rule(SITEMAP)); VOTES];
    let mut i = 0;
    while i < VOTES {
        votes[i] = if i < KEYS.len() {
            KEYS[i]
        } else {
            let (name, key) = line::NAMES[i - KEYS.len()];
            let vote = match key {
                Key::UserAgent => Vote::Sign(USER_AGENT),
                Key::Allow => Vote::Rule(ALLOW),
                Key::Disallow => Vote::Rule(DISALLOW),
                Key::CrawlDelay => Vote::Rule(CRAWL_DELAY),
                Key::Sitemap => Vote::Rule(SITEMAP),
                _ => Vote::Sign(PREFERENCE),
            };
            (name, vote)
        };
        i += 1;
    }
    votes
}

/// The meaning of a key with these letters.
#[inline]
pub(super) fn find(letters: Letters, key: &[u8]) -> Option<Vote> {
    // The lookup treats NUL as the blank of `user agent`, the fifth byte.
    NAMES
        .find_packed(letters)
        .copied()
        .filter(|vote| *vote != Vote::Sign(USER_AGENT) || key.get(4) != Some(&0))
}
