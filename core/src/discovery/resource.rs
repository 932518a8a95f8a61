//! The kinds of documents, their locations and lifetimes: the table of
//! `docs/formats/locations.md`.

use super::lifetime::Keeping;
use crate::format::{Format, fact};

/// The kinds of documents: the name, the number and the id of each, and the formats that belong
/// there. The constant of the first format says how it is requested. A companion can also be the
/// default agents.json below the `URL` of an agents.txt 0.1.0.
///
/// `resources!(name)` calls the macro `name` with these lines.
#[doc(hidden)]
#[macro_export]
macro_rules! resources {
    ($($then:ident)::+) => {
        $($then)::+! {
            /// agents.json of either vocabulary.
            AgentsJson = 0 "agents-json" [AgentsJson, AgentsJson01],
            /// agents.txt of either vocabulary.
            AgentsTxt = 1 "agents-txt" [AgentsTxt, AgentsTxt01],
            /// agents.md.
            AgentsMd = 2 "agents-md" [AgentsMd],
            /// agent.json of the Agent Web Protocol.
            Awp = 3 "awp" [Awp],
            /// Manifest of the Agent Discovery Protocol.
            Adp = 4 "adp" [Adp],
            /// robots.txt.
            RobotsTxt = 5 "robots-txt" [RobotsTxt],
            /// The agents.json that an agents.txt names (`Agents-JSON`), if it is not at the well-known
            /// location.
            Companion = 6 "companion" [AgentsJson, AgentsJson01],
            /// A capability detail of the Agent Discovery Protocol, requested by the caller.
            Detail = 7 "detail" [AdpCapability],
            /// The declaration of an agent's operator (`Agent-Declaration`), requested by the caller.
            Declaration = 8 "declaration" [AgentsTxt, AgentsJson],
            /// An A2A agent card.
            AgentCard = 9 "agent-card" [A2aAgentCard],
            /// An MCP server card.
            McpServerCard = 10 "mcp-server-card" [McpServerCard],
            /// An AI Catalog.
            AiCatalog = 11 "ai-catalog" [AiCatalog],
            /// An index of agent skills.
            AgentSkills = 12 "agent-skills" [AgentSkills],
            /// An API catalog (RFC 9727).
            ApiCatalog = 13 "api-catalog" [ApiCatalog],
            /// llms.txt.
            LlmsTxt = 14 "llms-txt" [LlmsTxt],
            /// A profile of the Universal Commerce Protocol.
            Ucp = 21 "ucp-profile" [UcpProfile],
            /// A discovery document of the Agentic Commerce Protocol.
            Acp = 22 "acp" [Acp],
            /// A list of x402 resources.
            X402 = 23 "x402" [X402],
            /// An OpenAPI description.
            OpenApi = 24 "openapi" [OpenApi],
            /// The home page, for its links. It is not a document.
            Home = 15 "home" [],
            /// A document to which the site points, at any URL.
            Linked = 16 "linked" [],
            /// A directory of keys for HTTP message signatures.
            SignatureDirectory = 17 "signature-directory" [SignatureDirectory],
            /// Metadata of an OAuth protected resource.
            OauthProtectedResource = 18 "oauth-protected-resource" [OauthProtectedResource],
            /// Metadata of an OAuth authorization server.
            OauthAuthorizationServer = 19 "oauth-authorization-server" [OauthAuthorizationServer],
            /// An auth.md.
            AuthMd = 25 "auth-md" [AuthMd],
        }
    };
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $name:ident = $number:literal $id:literal [$($format:ident),*],)*) => {
        /// A kind of document to request.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Resource {
            $($(#[doc = $doc])* $name = $number,)*
        }

        impl Resource {
            /// Every kind.
            pub const ALL: &'static [Resource] = &[$(Self::$name,)*];

            /// The stable id, such as `agents-json`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }

            /// The formats that belong here. None for the home page and for links.
            const fn formats(self) -> &'static [Format] {
                match self {
                    $(Self::$name => &[$(Format::$format),*],)*
                }
            }
        }
    };
}

resources!(kinds);

/// The number of well-known locations that this build can request.
pub(super) const PLACES: usize = {
    let (mut count, mut rest) = (0, Resource::ALL);
    while let [resource, others @ ..] = rest {
        if resource.is_built_in() {
            count += resource.locations().len();
        }
        rest = others;
    }
    count
};

impl Resource {
    /// The kind with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|resource| resource.as_str() == id)
    }

    /// The format whose constant says how documents of this kind are requested.
    const fn main(self) -> Format {
        match self.formats() {
            [format, ..] => *format,
            [] => Format::Unknown,
        }
    }

    /// Its well-known paths, in order. Empty if the URL comes from a document or from the caller.
    pub const fn locations(self) -> &'static [&'static str] {
        match self {
            Self::Home => &["/"],
            Self::Companion | Self::Declaration => &[],
            _ => fact!(self.main() => locations),
        }
    }

    /// Its lifetimes.
    pub const fn keeping(self) -> Keeping {
        let (default, minimum, maximum) = fact!(self.main() => keeping);
        Keeping { default, minimum, maximum }
    }

    /// Whether a document of this format belongs here.
    pub const fn accepts(self, format: Format) -> bool {
        if let Self::Linked = self {
            return fact!(format => is_linked) && format.is_read();
        }
        let mut rest = self.formats();
        while let [own, others @ ..] = rest {
            if *own as u8 == format as u8 {
                return true;
            }
            rest = others;
        }
        false
    }

    /// The kind of a document of this format that was received for `self`: `self`, or the other
    /// kind that is also at `/.well-known/agent.json` if it is in `wanted`. `None` if the format
    /// belongs to neither.
    pub(super) fn of(self, format: Format, wanted: Resources) -> Option<Self> {
        let other = match self {
            Self::Awp => Self::AgentCard,
            Self::AgentCard => Self::Awp,
            own => own,
        };
        let mut kinds = [self, other].into_iter();
        kinds.find(|kind| (*kind == self || wanted.contains(*kind)) && kind.accepts(format))
    }

    /// Whether the rules of robots.txt apply to requests for this kind. Documents that state rules
    /// themselves are requested in any case.
    pub(super) const fn heeds_robots(self) -> bool {
        fact!(self.main() => heeds_robots)
    }

    /// Whether any format that belongs here is enabled. Other documents are not requested.
    pub const fn is_built_in(self) -> bool {
        let is_for_links = matches!(self, Self::Home | Self::Linked);
        let mut rest = if is_for_links { Format::ALL } else { self.formats() };
        while let [format, others @ ..] = rest {
            // Documents that state rules are at well-known paths; links lead to the others.
            let is_linked = fact!(*format => is_linked) && fact!(*format => heeds_robots);
            if format.is_built_in() && (is_linked || !is_for_links) {
                return true;
            }
            rest = others;
        }
        false
    }

    /// The value of `Accept`.
    pub(crate) const fn accept(self) -> &'static str {
        match self {
            Self::Declaration => "text/plain, application/json, */*;q=0.1",
            Self::Home => "text/html, */*;q=0.1",
            Self::Linked => {
                "application/mcp-server-card+json, application/a2a-agent-card+json, application/ai-catalog+json, application/linkset+json, application/json;q=0.9, text/markdown;q=0.8, text/plain;q=0.8, */*;q=0.1"
            }
            _ => fact!(self.main() => accept),
        }
    }

    /// Whether it has well-known locations.
    pub fn is_well_known(self) -> bool {
        !self.locations().is_empty()
    }
}

/// A set of kinds of documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Resources {
    bits: u32,
}

impl Resources {
    /// Everything with a well-known location, and the companion.
    pub const ALL: Self = Self::of(false);
    /// The kinds that are requested by default: [`ALL`](Self::ALL) without those that are requested
    /// only if another document points to them, such as MCP server cards and OpenAPI descriptions.
    pub const DEFAULT: Self = Self::of(true);
    /// The empty set.
    pub const NONE: Self = Self { bits: 0 };

    /// Everything with a well-known location, and the companion. `is_default` leaves out what is
    /// not requested by default.
    const fn of(is_default: bool) -> Self {
        let (mut all, mut rest) = (Self::NONE.with(Resource::Companion), Resource::ALL);
        while let [resource, others @ ..] = rest {
            let is_asked_for = !is_default || fact!(resource.main() => is_asked_for);
            if !resource.locations().is_empty() && is_asked_for {
                all = all.with(*resource);
            }
            rest = others;
        }
        all
    }

    /// Adds a kind.
    #[must_use]
    pub const fn with(self, resource: Resource) -> Self {
        Self { bits: self.bits | Self::bit(resource) }
    }

    /// Removes a kind.
    #[must_use]
    pub const fn without(self, resource: Resource) -> Self {
        Self { bits: self.bits & !Self::bit(resource) }
    }

    /// Whether it contains a kind.
    pub const fn contains(self, resource: Resource) -> bool {
        self.bits & Self::bit(resource) != 0
    }

    const fn bit(resource: Resource) -> u32 {
        1_u32.wrapping_shl(resource as u32)
    }
}

impl Default for Resources {
    fn default() -> Self {
        Self::DEFAULT
    }
}
