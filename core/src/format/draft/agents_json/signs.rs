//! The signs of agents.json of the Internet-Draft.

use crate::rules::signs::{
    AGENTS_JSON, CAPABILITIES, CAPABILITY_LIST, DRAFT_SHAPE, FOREIGN, LEGACY_SHAPE, Mark, Members,
    Rule, SITE, SPEC_VERSION, Signs, has_any, sign_if, signs,
};

signs! {
    SIGNS:
    ACCESS = 26 "member access with allow or disallow",
}

pub(super) const ALL: Signs = SPEC_VERSION | SITE | CAPABILITIES | ACCESS;

pub(super) const MARKS: &[Mark] =
    &[Mark::shape(b"access", |value| sign_if(has_any(value, &["allow", "disallow"]), ACCESS))];

pub(super) const RULES: &[Rule] =
    &[Rule::new(SPEC_VERSION, SITE | DRAFT_SHAPE | LEGACY_SHAPE, (2, ALL))];

pub(super) const PLACED: &[(&str, Rule)] = &[
    ("/agents.json", Rule::new(0, ACCESS | DRAFT_SHAPE, (0, ALL))),
    ("/agents.json", Rule::new(SITE | CAPABILITY_LIST, 0, (0, ALL))),
];

/// Whether a document can be an agents.json. Its names are common, so most members must be its own
/// if it is not complete. `agentsJson` is the URL of the companion.
pub(super) const fn is_possible(members: &Members) -> bool {
    let is_complete = members.has(SPEC_VERSION | SITE) && members.any(CAPABILITY_LIST | ACCESS);
    !members.any(FOREIGN)
        && (is_complete || members.is_mostly(ALL, AGENTS_JSON))
        && (members.any(SPEC_VERSION | DRAFT_SHAPE) || !members.any(LEGACY_SHAPE))
}
