//! The required fields in both notations.

/// A required field, with its names in both notations.
#[derive(Clone, Copy)]
pub(super) struct Required {
    pub(super) in_text: &'static str,
    pub(super) in_json: &'static str,
    pub(super) section: &'static str,
    pub(super) message: &'static str,
}

const fn required(
    in_text: &'static str,
    in_json: &'static str,
    section: &'static str,
    message: &'static str,
) -> Required {
    Required { in_text, in_json, section, message }
}

const IN_DOCUMENT: &str = "{} is missing in the document; add it";
const IN_CAPABILITY: &str = "{} is missing in the capability; add it";
pub(super) const SPEC_VERSION: Required =
    required("Spec-Version", "specVersion", "2.3", IN_DOCUMENT);
pub(super) const SITE: Required = required("Site-Name", "site", "2.4", IN_DOCUMENT);
pub(super) const SITE_NAME: Required =
    required("Site-Name", "name", "2.4", "{} is missing in the site; add it");
pub(super) const SITE_URL: Required =
    required("Site-URL", "url", "2.4", "{} is missing in the site; add it");
pub(super) const ID: Required = required("Capability", "id", "2.5", IN_CAPABILITY);
pub(super) const ENDPOINT: Required = required("Endpoint", "endpoint", "2.5", IN_CAPABILITY);
pub(super) const PROTOCOL: Required = required("Protocol", "protocol", "2.5", IN_CAPABILITY);
pub(super) const AUTH_TYPE: Required = required(
    "Auth",
    "type",
    "2.5",
    "{} is missing in `auth`, so agents expect some unknown authentication; add it",
);
pub(super) const AUTH_ENDPOINT: Required = required(
    "Auth-Endpoint",
    "tokenEndpoint",
    "2.5",
    "bearer-token and oauth2 require {}; add the URL that issues tokens",
);
pub(super) const AGENT_NAME: Required = required(
    "Agent",
    "name",
    "2.7",
    "{} is missing in the policy, so it could be for any agent; add it",
);
pub(super) const PARAMETER_NAME: Required =
    required("Param", "name", "2.5", "{} is missing in the parameter; add it");
pub(super) const PARAMETER_IN: Required =
    required("Param", "in", "2.5", "{} is missing in the parameter; add it");
pub(super) const PARAMETER_KIND: Required =
    required("Param", "type", "2.5", "{} is missing in the parameter; add it");
