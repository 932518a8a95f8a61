//! The signs of agent cards.

use crate::rules::signs::{
    CAPABILITY_FLAGS, DESCRIPTION, LINKED_DATA, Mark, Members, NAME, PROTOCOL_VERSION, Rule,
    SKILLS, Signs, URL, VERSION, WEBMCP, signs,
};

signs! {
    SIGNS:
    MODES = 40 "member defaultInputModes or defaultOutputModes",
    INTERFACES = 41 "member supportedInterfaces, additionalInterfaces or preferredTransport",
    SCHEMA = 42 "a schema of A2A",
}

/// The signs that only agent cards have, and all signs that count for agent cards.
const OWN: Signs = SKILLS | MODES | INTERFACES | SCHEMA;
const ALL: Signs = OWN | PROTOCOL_VERSION | URL | VERSION | CAPABILITY_FLAGS;

pub(super) const COUNTED: Signs = OWN | PROTOCOL_VERSION;

pub(super) const MARKS: &[Mark] = &[
    Mark::sign(b"defaultInputModes", MODES),
    Mark::sign(b"defaultOutputModes", MODES),
    Mark::sign(b"supportedInterfaces", INTERFACES),
    Mark::sign(b"additionalInterfaces", INTERFACES),
    Mark::sign(b"preferredTransport", INTERFACES),
    Mark::sign(b"default_input_modes", MODES),
    Mark::sign(b"default_output_modes", MODES),
    Mark::sign(b"supported_interfaces", INTERFACES),
    Mark::sign(b"additional_interfaces", INTERFACES),
    Mark::sign(b"preferred_transport", INTERFACES),
];

pub(super) const RULES: &[Rule] = &[
    Rule::new(NAME, OWN, (3, ALL)),
    Rule::new(NAME | DESCRIPTION, INTERFACES | SCHEMA, (2, ALL)),
    Rule::new(NAME | INTERFACES | SKILLS, 0, (0, ALL)),
];

const THERE: Rule = Rule::new(NAME, COUNTED, (2, ALL));

pub(super) const PLACED: &[(&str, Rule)] = &[("/agent-card.json", THERE), ("/agent.json", THERE)];

/// Whether a document can be an agent card.
pub(super) const fn is_possible(members: &Members) -> bool {
    !members.any(LINKED_DATA | WEBMCP)
}
