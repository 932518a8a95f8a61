//! The signs of the metadata of OAuth.

use crate::rules::signs::{Mark, RESOURCE, Rule, signs};

signs! {
    SIGNS:
    OAUTH = 54 "member authorization_servers, bearer_methods_supported or scopes_supported",
    ISSUER = 65 "member issuer",
    SERVER = 66 "endpoints or response types of an authorization server",
}

/// The members of the metadata of a protected resource.
pub(super) const RESOURCE_MARKS: &[Mark] = &[
    Mark::sign(b"authorization_servers", OAUTH),
    Mark::sign(b"bearer_methods_supported", OAUTH),
    Mark::sign(b"scopes_supported", OAUTH),
];

pub(super) const RESOURCE_RULES: &[Rule] = &[Rule::new(RESOURCE | OAUTH, 0, (0, 0))];

/// The members of the metadata of an authorization server.
pub(super) const SERVER_MARKS: &[Mark] = &[
    Mark::sign(b"issuer", ISSUER),
    Mark::sign(b"authorization_endpoint", SERVER),
    Mark::sign(b"token_endpoint", SERVER),
    Mark::sign(b"response_types_supported", SERVER),
];

pub(super) const SERVER_RULES: &[Rule] = &[Rule::new(ISSUER | SERVER, 0, (0, 0))];

/// At the well-known place, the identifier is enough.
pub(super) const RESOURCE_PLACED: &[(&str, Rule)] =
    &[("/.well-known/oauth-protected-resource", Rule::new(RESOURCE, 0, (0, 0)))];
