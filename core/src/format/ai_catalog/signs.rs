//! The signs of AI Catalogs.

use crate::rules::signs::{
    FOREIGN, LINKED_DATA, Mark, Members, Rule, SPEC_VERSION, is_list, sign_if, signs,
};

signs! {
    SIGNS:
    ENTRIES = 59 "a list of entries",
}

pub(super) const MARKS: &[Mark] =
    &[Mark::shape(b"entries", |value| sign_if(is_list(value), ENTRIES))];

pub(super) const RULES: &[Rule] = &[Rule::new(SPEC_VERSION | ENTRIES, 0, (0, 0))];

const THERE: Rule = Rule::new(ENTRIES, 0, (0, 0));

pub(super) const PLACED: &[(&str, Rule)] = &[("/ard.json", THERE), ("/ai-catalog.json", THERE)];

/// Whether a document can be an AI Catalog. Other vocabularies are allowed in entries, and in the
/// catalog itself.
pub(super) const fn is_possible(members: &Members) -> bool {
    !members.any(FOREIGN & !LINKED_DATA)
}
