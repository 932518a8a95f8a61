//! The signs of the Agent Discovery Protocol.

use crate::rules::signs::{
    CAPABILITIES, DESCRIPTION, DETAIL_URLS, EMPTY_DATA, ENDPOINT, FOREIGN, MATCHING, Mark, Members,
    NAME, Rule, Signs, first_signs, is_empty_list, sign_if, signs,
};

signs! {
    SIGNS:
    SPEC_VERSION = 4 "member spec_version",
    BASE_URL = 5 "member base_url",
    AUTH = 7 "member auth",
    PRICING = 8 "member pricing",
    METHOD = 10 "member method",
    PARAMETERS = 11 "a list of parameters",
    EXAMPLES = 12 "member request_example or response_example",
    SUCCESS = 13 "member success",
    DATA = 14 "member data",
    QUERY = 17 "member query",
    RESULT_COUNT = 18 "member result_count",
}

pub(super) const MANIFEST: Signs = SPEC_VERSION | BASE_URL | DETAIL_URLS | AUTH | PRICING;
pub(super) const DETAIL: Signs = ENDPOINT | METHOD | PARAMETERS;
pub(super) const SEARCH: Signs = SUCCESS | DATA | QUERY | RESULT_COUNT;

pub(super) const MARKS: &[Mark] = &[
    Mark::sign(b"spec_version", SPEC_VERSION),
    Mark::sign(b"base_url", BASE_URL),
    Mark::sign(b"auth", AUTH),
    Mark::sign(b"pricing", PRICING),
];

pub(super) const DETAIL_MARKS: &[Mark] = &[
    Mark::sign(b"method", METHOD),
    Mark::shape(b"parameters", |value| {
        let is_described = first_signs(value, &[("name", 1), ("type", 1)]) != 0;
        sign_if(is_empty_list(value) || is_described, PARAMETERS)
    }),
    Mark::sign(b"request_example", EXAMPLES),
    Mark::sign(b"response_example", EXAMPLES),
];

pub(super) const SEARCH_MARKS: &[Mark] = &[
    Mark::sign(b"success", SUCCESS),
    Mark::shape(b"data", |value| {
        let shape = if is_empty_list(value) {
            EMPTY_DATA
        } else {
            first_signs(value, &[("matching_capabilities", MATCHING)])
        };
        Some(DATA | shape)
    }),
    Mark::sign(b"query", QUERY),
    Mark::sign(b"result_count", RESULT_COUNT),
];

pub(super) const RULES: &[Rule] = &[Rule::new(0, SPEC_VERSION | DETAIL_URLS, (3, MANIFEST))];

pub(super) const PLACED: &[(&str, Rule)] =
    &[("/.well-known/agent", Rule::new(0, SPEC_VERSION | DETAIL_URLS, (2, MANIFEST)))];

pub(super) const DETAIL_RULES: &[Rule] = &[
    Rule::new(DETAIL, EXAMPLES, (0, NAME | DESCRIPTION)),
    Rule::new(DETAIL | NAME | DESCRIPTION, 0, (0, 0)),
];

pub(super) const SEARCH_RULES: &[Rule] = &[
    Rule::new(SUCCESS | DATA | MATCHING, 0, (0, SEARCH)),
    Rule::new(SEARCH | EMPTY_DATA, 0, (0, 0)),
];

/// Whether a document can be a manifest. Without URLs of details, most members must be its own.
pub(super) const fn is_manifest(members: &Members) -> bool {
    !members.any(FOREIGN)
        && (members.any(DETAIL_URLS)
            || members.is_mostly(MANIFEST | CAPABILITIES | NAME | DESCRIPTION, 0))
}

/// Whether an object can be the response of a registry with a manifest (`data.manifest`), and is
/// not a manifest itself.
pub(crate) const fn may_hold_manifest(members: &Members) -> bool {
    const OWN: Signs = SPEC_VERSION | NAME | DESCRIPTION | BASE_URL | AUTH | PRICING | CAPABILITIES;
    members.has(DATA) && !members.any(OWN)
}
