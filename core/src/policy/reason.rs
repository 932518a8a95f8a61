//! Why a request is allowed or not: the closed list, as a table.

use core::fmt;

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $allowed:literal, $section:literal, $message:literal;)*) => {
        /// Why a request is allowed, or is not. The list is closed: a later version may add to it, but changes no meaning.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Reason {
            $(#[doc = $message] $(#[$doc])* $name,)*
        }

        impl Reason {
            /// Every reason, in the order of the documentation.
            pub const ALL: &'static [Reason] = &[$(Self::$name,)*];

            /// The stable kebab-case id.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }

            /// Whether a request with this reason is allowed.
            pub const fn is_allowed(self) -> bool {
                match self {
                    $(Self::$name => $allowed,)*
                }
            }

            /// Where it comes from: a section of a specification, or a page of `docs/`.
            pub const fn section(self) -> &'static str {
                match self {
                    $(Self::$name => $section,)*
                }
            }

            /// What it means, in a sentence.
            pub const fn message(self) -> &'static str {
                match self {
                    $(Self::$name => $message,)*
                }
            }
        }
    };
}

reasons! {
    Allowed = "allowed", true, "Internet-Draft 2.6",
        "An `Allow` rule matches the path, and no longer `Disallow` rule does.";
    NotDisallowed = "not-disallowed", true, "Internet-Draft 2.6",
        "The document has only `Disallow` rules, and none of them matches the path.";
    CapabilityEndpoint = "capability-endpoint", true, "Internet-Draft 2.6",
        "The URL is the endpoint of a declared capability, and the method matches.";
    CapabilityGranted = "capability-granted", true, "Internet-Draft 2.7",
        "The policy for this agent grants the capability.";
    NoAgentBlock = "no-agent-block", true, "Internet-Draft 2.7",
        "No policy applies to this agent, so every declared capability is open.";
    CapabilityDeclared = "capability-declared", true, "policy.md",
        "The document declares the capability, and its format has no policies for single agents.";
    ProtocolEndpoint = "protocol-endpoint", true, "agents.md 5, AWP 5.5",
        "The URL is the declared endpoint of another protocol, such as MCP.";
    ApprovedEndpoint = "approved-endpoint", true, "agents.md 5",
        "The endpoint is on a different registrable domain, and the caller has approved it.";
    DiscoveryDocument = "discovery-document", true, "formats/locations.md",
        "The URL is the well-known location of a discovery document, and nothing disallows it.";
    RobotsAllowed = "robots-allowed", true, "RFC 9309 2.2.2",
        "No document mentions the URL, and a robots.txt rule allows it.";
    ProseOnly = "prose-only", true, "agents.md 3",
        "No rule covers the request, but the site states restrictions in prose, which the agent must read and respect.";
    NotStated = "not-stated", true, "policy.md",
        "No document covers the request.";
    Disallowed = "disallowed", false, "Internet-Draft 2.6",
        "A `Disallow` rule matches the path, and no `Allow` rule of the same length or longer does.";
    NotListed = "not-listed", false, "Internet-Draft 2.6",
        "The document has `Allow` rules, but none matches the path, and the URL is not the endpoint of a capability.";
    NoAccessRules = "no-access-rules", false, "Internet-Draft 2.6",
        "The document has no access rules, so it permits only the endpoints of its capabilities, and the URL is not one of them.";
    CapabilityNotGranted = "capability-not-granted", false, "Internet-Draft 2.7",
        "The policy for this agent lists the capabilities it may use, and this capability is not in the list.";
    UnknownCapability = "unknown-capability", false, "policy.md",
        "No document declares a capability with this id.";
    MethodNotDeclared = "method-not-declared", false, "Internet-Draft 2.5, AWP 9",
        "The capability is declared for another method.";
    Unreadable = "unreadable", false, "formats/index.md",
        "The document has rules or policies that cannot be read, so the most restrictive reading applies.";
    RobotsDisallowed = "robots-disallowed", false, "RFC 9309 2.2.2, agents.md 6",
        "A robots.txt rule disallows the URL, and robots.txt takes precedence over other documents.";
    RobotsUnreachable = "robots-unreachable", false, "RFC 9309 2.3.1.4",
        "The robots.txt could not be fetched because of a server or network error, which disallows everything.";
    NotOperational = "not-operational", false, "AWP 13",
        "The document says that the service is not operational.";
    NoRequests = "no-requests", false, "policy.md",
        "A rate limit of zero applies.";
    CrossOriginEndpoint = "cross-origin-endpoint", false, "agents.md 5",
        "The endpoint is on a different registrable domain than the documents, and the caller has not approved it.";
    OtherOrigin = "other-origin", false, "policy.md",
        "The URL is on a different origin than the documents, and they do not declare it as an endpoint; use the documents of that origin.";
    InsecureEndpoint = "insecure-endpoint", false, "Internet-Draft 6",
        "The request needs authentication, but the connection is not encrypted; do not send credentials.";
    UnverifiedHost = "unverified-host", false, "formats/index.md",
        "The request needs authentication, but the host has non-ASCII letters, so its owner cannot be verified; do not send credentials.";
    UnknownProtocol = "unknown-protocol", false, "AWP 5.5",
        "The capability uses a protocol that the document does not declare.";
    InvalidEndpoint = "invalid-endpoint", false, "formats/index.md",
        "The endpoint of the capability is not a valid URL, or not a safe one.";
    InvalidUrl = "invalid-url", false, "formats/index.md",
        "The URL or the origin is invalid, longer than 2,048 bytes, or ambiguous: servers read encoded slashes beside `..`, encoded percent signs and backslashes differently.";
    InvalidMethod = "invalid-method", false, "RFC 9110 9.1",
        "The method is not a valid HTTP method.";
    ServiceEndpoint = "service-endpoint", true, "AWP 7, 13",
        "The URL is declared for the whole service: it refreshes a token, or reports the status.";
    UnreadRestriction = "unread-restriction", false, "policy.md",
        "A `Disallow` line that the format of its document does not read matches the request, or a member that restricts occurs twice with different values; respect it.";
    PreferenceDisallowed = "preference-disallowed", false, "formats/robots-txt.md",
        "The site prefers that its content is not used for this purpose.";
    InvalidAgent = "invalid-agent", false, "RFC 9110 10.1.5",
        "The agent is neither a name nor a User-Agent: it is empty, does not begin with a name, has control or invisible characters, or has more than 32 names.";
}

impl Reason {
    /// The reason with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|reason| reason.as_str() == id)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
