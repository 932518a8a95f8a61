//! The signs of directories of keys.

use crate::rules::signs::{KEYS, Mark, Rule, first_members, has_text, signs};

signs! {
    SIGNS:
    OTHER_KEYS = 64 "keys of other types",
}

pub(super) const MARKS: &[Mark] = &[
    // The keys of Web Bot Auth have this type; the keys of an OAuth server have others.
    Mark::shape(b"keys", |value| {
        let mut kinds = first_members(value).filter(|member| member.name == "kty");
        let kind = kinds.next()?.value;
        Some(if has_text(kind, |kind| kind == "OKP") { KEYS } else { OTHER_KEYS })
    }),
];

pub(super) const RULES: &[Rule] = &[Rule::new(KEYS, 0, (0, 0))];

pub(super) const PLACED: &[(&str, Rule)] =
    &[("/.well-known/http-message-signatures-directory", Rule::new(OTHER_KEYS, 0, (0, 0)))];
