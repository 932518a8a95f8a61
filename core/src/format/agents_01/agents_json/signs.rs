//! The signs of agents.json 0.1.

use crate::rules::signs::{
    AGENTS_JSON, CAPABILITIES, CAPABILITY_LIST, DRAFT_SHAPE, FOREIGN, LEGACY_SHAPE, Mark, Members,
    Rule, SCHEMA_VERSION, SITE, SPEC_VERSION, Signs, signs,
};

signs! {
    SIGNS:
    OWN_MEMBER = 28 "member session, audit or docs_url",
}

pub(super) const ALL: Signs = SCHEMA_VERSION | SITE | CAPABILITIES | OWN_MEMBER;

pub(super) const MARKS: &[Mark] = &[
    Mark::sign(b"session", OWN_MEMBER),
    Mark::sign(b"audit", OWN_MEMBER),
    Mark::sign(b"docs_url", OWN_MEMBER),
];

pub(super) const RULES: &[Rule] = &[Rule::new(SCHEMA_VERSION, SITE | LEGACY_SHAPE, (2, ALL))];

pub(super) const PLACED: &[(&str, Rule)] =
    &[("/agents.json", Rule::new(LEGACY_SHAPE, 0, (0, ALL)))];

/// Whether a document can be an agents.json 0.1. Its names are common, so most members must be its
/// own if it is not complete.
pub(super) const fn is_possible(members: &Members) -> bool {
    let is_complete = members.has(SCHEMA_VERSION | SITE | CAPABILITY_LIST);
    !members.any(FOREIGN | AGENTS_JSON)
        && (is_complete || members.is_mostly(ALL, 0))
        && (members.any(SCHEMA_VERSION) || !members.any(SPEC_VERSION | DRAFT_SHAPE))
}
