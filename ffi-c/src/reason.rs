//! Why a request is allowed or not: the C numbers of the core's reasons.

use core::ffi::c_char;

use agentsdisc_core::policy::Reason;

use crate::boundary::{c_text, reasons};

/// A reason that is newer than this list. agd_reason_message and docs/policy.md explain each
/// reason.
pub const AGD_REASON_UNKNOWN: i32 = 0;
/// Allowed: an `Allow` rule matches.
pub const AGD_REASON_ALLOWED: i32 = 1;
/// Allowed: there are only `Disallow` rules, and none of them matches.
pub const AGD_REASON_NOT_DISALLOWED: i32 = 2;
/// Allowed: the URL is the endpoint of a declared capability.
pub const AGD_REASON_CAPABILITY_ENDPOINT: i32 = 3;
/// Allowed: the policy for the agent grants the capability.
pub const AGD_REASON_CAPABILITY_GRANTED: i32 = 4;
/// Allowed: no policy applies to the agent, so every capability is open.
pub const AGD_REASON_NO_AGENT_BLOCK: i32 = 5;
/// Allowed: the capability is declared, in a format without policies for agents.
pub const AGD_REASON_CAPABILITY_DECLARED: i32 = 6;
/// Allowed: the URL is the endpoint of another protocol, such as MCP.
pub const AGD_REASON_PROTOCOL_ENDPOINT: i32 = 7;
/// Allowed: the endpoint is on another registrable domain, and the caller has approved it.
pub const AGD_REASON_APPROVED_ENDPOINT: i32 = 8;
/// Allowed: the URL is the well-known location of a discovery document.
pub const AGD_REASON_DISCOVERY_DOCUMENT: i32 = 9;
/// Allowed: a rule of the robots.txt allows it, and no document covers it.
pub const AGD_REASON_ROBOTS_ALLOWED: i32 = 10;
/// Allowed: there are only restrictions in prose, which the agent must respect.
pub const AGD_REASON_PROSE_ONLY: i32 = 11;
/// Allowed: no document covers the request.
pub const AGD_REASON_NOT_STATED: i32 = 12;
/// Denied: a `Disallow` rule matches.
pub const AGD_REASON_DISALLOWED: i32 = 13;
/// Denied: there are `Allow` rules, and none of them matches.
pub const AGD_REASON_NOT_LISTED: i32 = 14;
/// Denied: there are no access rules, and this is not an endpoint of a capability.
pub const AGD_REASON_NO_ACCESS_RULES: i32 = 15;
/// Denied: the policy for the agent does not list the capability.
pub const AGD_REASON_CAPABILITY_NOT_GRANTED: i32 = 16;
/// Denied: no document declares the capability.
pub const AGD_REASON_UNKNOWN_CAPABILITY: i32 = 17;
/// Denied: the capability is declared for another method.
pub const AGD_REASON_METHOD_NOT_DECLARED: i32 = 18;
/// Denied: rules or policies cannot be read.
pub const AGD_REASON_UNREADABLE: i32 = 19;
/// Denied: a rule of the robots.txt disallows it.
pub const AGD_REASON_ROBOTS_DISALLOWED: i32 = 20;
/// Denied: the robots.txt is unreachable.
pub const AGD_REASON_ROBOTS_UNREACHABLE: i32 = 21;
/// Denied: the service is not operational.
pub const AGD_REASON_NOT_OPERATIONAL: i32 = 22;
/// Denied: a rate limit allows no request.
pub const AGD_REASON_NO_REQUESTS: i32 = 23;
/// Denied: the endpoint is on another registrable domain, and the caller has not approved it.
pub const AGD_REASON_CROSS_ORIGIN_ENDPOINT: i32 = 24;
/// Denied: the URL is on another origin than that of the documents.
pub const AGD_REASON_OTHER_ORIGIN: i32 = 25;
/// Denied: credentials would be sent over an unencrypted connection.
pub const AGD_REASON_INSECURE_ENDPOINT: i32 = 26;
/// Denied: credentials would be sent to a host that cannot be verified.
pub const AGD_REASON_UNVERIFIED_HOST: i32 = 27;
/// Denied: the capability is called through a protocol that is not declared.
pub const AGD_REASON_UNKNOWN_PROTOCOL: i32 = 28;
/// Denied: the endpoint of the capability is not a URL that can be called safely.
pub const AGD_REASON_INVALID_ENDPOINT: i32 = 29;
/// Denied: the URL or the origin is invalid or ambiguous.
pub const AGD_REASON_INVALID_URL: i32 = 30;
/// Denied: the method is not a valid HTTP method.
pub const AGD_REASON_INVALID_METHOD: i32 = 31;
/// Allowed: the URL refreshes a token of the service, or reports its status.
pub const AGD_REASON_SERVICE_ENDPOINT: i32 = 32;
/// Denied: a `Disallow` line matches in a document that is not recognized, or whose format does not
/// have such lines.
pub const AGD_REASON_UNREAD_RESTRICTION: i32 = 33;
/// Denied: the site prefers that its content is not used for the purpose of the request.
pub const AGD_REASON_PREFERENCE_DISALLOWED: i32 = 34;
/// Denied: the agent is neither a name nor a User-Agent.
pub const AGD_REASON_INVALID_AGENT: i32 = 35;

reasons! {
    AGD_REASON_UNKNOWN, reason_number;
    AGD_REASON_ALLOWED = Allowed,
    AGD_REASON_NOT_DISALLOWED = NotDisallowed,
    AGD_REASON_CAPABILITY_ENDPOINT = CapabilityEndpoint,
    AGD_REASON_CAPABILITY_GRANTED = CapabilityGranted,
    AGD_REASON_NO_AGENT_BLOCK = NoAgentBlock,
    AGD_REASON_CAPABILITY_DECLARED = CapabilityDeclared,
    AGD_REASON_PROTOCOL_ENDPOINT = ProtocolEndpoint,
    AGD_REASON_APPROVED_ENDPOINT = ApprovedEndpoint,
    AGD_REASON_DISCOVERY_DOCUMENT = DiscoveryDocument,
    AGD_REASON_ROBOTS_ALLOWED = RobotsAllowed,
    AGD_REASON_PROSE_ONLY = ProseOnly,
    AGD_REASON_NOT_STATED = NotStated,
    AGD_REASON_DISALLOWED = Disallowed,
    AGD_REASON_NOT_LISTED = NotListed,
    AGD_REASON_NO_ACCESS_RULES = NoAccessRules,
    AGD_REASON_CAPABILITY_NOT_GRANTED = CapabilityNotGranted,
    AGD_REASON_UNKNOWN_CAPABILITY = UnknownCapability,
    AGD_REASON_METHOD_NOT_DECLARED = MethodNotDeclared,
    AGD_REASON_UNREADABLE = Unreadable,
    AGD_REASON_ROBOTS_DISALLOWED = RobotsDisallowed,
    AGD_REASON_ROBOTS_UNREACHABLE = RobotsUnreachable,
    AGD_REASON_NOT_OPERATIONAL = NotOperational,
    AGD_REASON_NO_REQUESTS = NoRequests,
    AGD_REASON_CROSS_ORIGIN_ENDPOINT = CrossOriginEndpoint,
    AGD_REASON_OTHER_ORIGIN = OtherOrigin,
    AGD_REASON_INSECURE_ENDPOINT = InsecureEndpoint,
    AGD_REASON_UNVERIFIED_HOST = UnverifiedHost,
    AGD_REASON_UNKNOWN_PROTOCOL = UnknownProtocol,
    AGD_REASON_INVALID_ENDPOINT = InvalidEndpoint,
    AGD_REASON_INVALID_URL = InvalidUrl,
    AGD_REASON_INVALID_METHOD = InvalidMethod,
    AGD_REASON_SERVICE_ENDPOINT = ServiceEndpoint,
    AGD_REASON_UNREAD_RESTRICTION = UnreadRestriction,
    AGD_REASON_PREFERENCE_DISALLOWED = PreferenceDisallowed,
    AGD_REASON_INVALID_AGENT = InvalidAgent,
}

/// Returns the name of a reason (AGD_REASON_*), NUL-terminated, such as `not-listed`; `unknown` for
/// any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_reason_name(reason: i32) -> *const c_char {
    name_of(reason)
}

/// Returns what a reason (AGD_REASON_*) means, in English: a sentence, NUL-terminated.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_reason_message(reason: i32) -> *const c_char {
    message_of(reason)
}
