//! The signs of the Agent Web Protocol.

use crate::rules::signs::{Mark, Rule, Signs, signs};

signs! {
    SIGNS:
    AWP_VERSION = 0 "member awp_version",
    DOMAIN = 1 "member domain",
    INTENT = 2 "member intent",
    ACTIONS = 3 "member actions",
}

pub(super) const ALL: Signs = AWP_VERSION | DOMAIN | INTENT | ACTIONS;

pub(super) const MARKS: &[Mark] = &[
    Mark::sign(b"awp_version", AWP_VERSION),
    Mark::sign(b"domain", DOMAIN),
    Mark::sign(b"intent", INTENT),
    Mark::sign(b"actions", ACTIONS),
];

pub(super) const RULES: &[Rule] = &[Rule::new(AWP_VERSION, 0, (3, ALL))];

pub(super) const PLACED: &[(&str, Rule)] = &[
    ("/agent.json", Rule::new(AWP_VERSION, 0, (2, ALL))),
    ("/agent.json", Rule::new(DOMAIN | INTENT | ACTIONS, 0, (0, 0))),
];
