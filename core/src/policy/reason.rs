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

            /// Where it comes from: a section of a specification, or of `docs/formats.md`.
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
        "An `Allow` rule matches the path, and no `Disallow` rule that is longer.";
    NotDisallowed = "not-disallowed", true, "Internet-Draft 2.6",
        "The document has only `Disallow` rules, and none of them matches the path.";
    CapabilityEndpoint = "capability-endpoint", true, "Internet-Draft 2.6",
        "The URL is the endpoint of a declared capability, and the method is its own.";
    CapabilityGranted = "capability-granted", true, "Internet-Draft 2.7",
        "The policy for this agent grants the capability.";
    NoAgentBlock = "no-agent-block", true, "Internet-Draft 2.7",
        "No policy names this agent and none is for every agent, so every declared capability is open.";
    CapabilityDeclared = "capability-declared", true, "formats.md 3, 4, 6, 7, 8",
        "The capability is declared, in a format that has no policies for single agents.";
    ProtocolEndpoint = "protocol-endpoint", true, "agents.md 5, AWP 5.5",
        "The URL is the declared endpoint of another protocol, such as MCP.";
    ApprovedEndpoint = "approved-endpoint", true, "agents.md 5",
        "The endpoint belongs to another registrable domain, and the caller has approved it.";
    DiscoveryDocument = "discovery-document", true, "formats.md 13",
        "The URL is a place where agents look for such documents, and nothing disallows it.";
    RobotsAllowed = "robots-allowed", true, "RFC 9309 2.2.2",
        "No document speaks of the URL, and a rule of the robots.txt allows it.";
    ProseOnly = "prose-only", true, "agents.md 3",
        "No rule speaks of the request, but there are restrictions in words, which the agent must read and heed.";
    NotStated = "not-stated", true, "policy.md",
        "Nothing that was given speaks of the request.";
    Disallowed = "disallowed", false, "Internet-Draft 2.6",
        "A `Disallow` rule matches the path, and no `Allow` rule that is as long.";
    NotListed = "not-listed", false, "Internet-Draft 2.6",
        "The document has `Allow` rules, none of them matches the path, and it is no endpoint of a capability.";
    NoAccessRules = "no-access-rules", false, "Internet-Draft 2.6",
        "The document has no access rules, so only the endpoints of its capabilities are permitted, and this is none.";
    CapabilityNotGranted = "capability-not-granted", false, "Internet-Draft 2.7",
        "The policy for this agent lists the capabilities it may use, and this is none of them.";
    UnknownCapability = "unknown-capability", false, "policy.md",
        "No document declares a capability of this id.";
    MethodNotDeclared = "method-not-declared", false, "Internet-Draft 2.5, AWP 9",
        "The capability is declared for another method.";
    Unreadable = "unreadable", false, "formats.md 0",
        "Rules or policies are there but cannot be read, so the narrow reading counts.";
    RobotsDisallowed = "robots-disallowed", false, "RFC 9309 2.2.2, agents.md 6",
        "A rule of the robots.txt disallows the URL, and no permission of another document outweighs that.";
    RobotsUnreachable = "robots-unreachable", false, "RFC 9309 2.3.1.4",
        "The robots.txt could not be had because of an error of the server or the network, which disallows everything.";
    NotOperational = "not-operational", false, "AWP 13",
        "The document says that the service does not work at present.";
    NoRequests = "no-requests", false, "policy.md",
        "A rate limit that applies allows no request at all.";
    CrossOriginEndpoint = "cross-origin-endpoint", false, "agents.md 5",
        "The endpoint belongs to another registrable domain than the documents, and the caller has not approved it.";
    OtherOrigin = "other-origin", false, "policy.md",
        "The URL is on another origin than the documents speak for, and is no endpoint that they declare; ask with the documents of that origin.";
    InsecureEndpoint = "insecure-endpoint", false, "Internet-Draft 6",
        "Authentication is needed, and the connection would not be encrypted; credentials must not be sent.";
    UnverifiedHost = "unverified-host", false, "formats.md 0",
        "Authentication is needed, and the host has non-ASCII letters, so that it cannot be told whose it is; credentials must not be sent.";
    UnknownProtocol = "unknown-protocol", false, "AWP 5.5",
        "The capability is called through a protocol that the document does not declare.";
    InvalidEndpoint = "invalid-endpoint", false, "formats.md 0",
        "The endpoint of the capability is no URL that can be called safely.";
    InvalidUrl = "invalid-url", false, "formats.md 0",
        "The URL or the origin is none, or two readers could read it in two ways.";
    InvalidMethod = "invalid-method", false, "RFC 9110 9.1",
        "The method is no HTTP method.";
}

impl Reason {
    /// The reason with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|reason| reason.as_str() == id)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
