//! Document formats, and which of them this build reads.

/// The registry: one line for each format. A line holds the name, the number, the id and the medium
/// of the format; if documents of it are read, also the Cargo feature that enables it, the family
/// of the feature, the module in `format/` whose constant `FORMAT` says everything else, and the
/// method of `Document` that returns the typed view. The first paragraph of the comment is the title
/// of the format ([`Facts::title`](crate::format::Facts::title)), which the C header has, too
/// (`cargo xtask model`).
///
/// `registry!(name; ARGUMENTS)` calls the macro `name` with `[ARGUMENTS]` and these lines. The linker
/// must drop disabled formats, so all code that selects a format asks
/// [`Format::is_built_in`], which is evaluated at compile time.
#[doc(hidden)]
#[macro_export]
macro_rules! registry {
    ($($then:ident)::+ $(; $($arguments:tt)*)?) => {
        $($then)::+! {
            [$($($arguments)*)?]
            /// The format is unknown.
            Unknown = 0 "unknown" Text;
            /// agents.txt of the Internet-Draft draft-car-agents-txt-wellknown.
            AgentsTxt = 1 "agents-txt" Text: "agents-txt-draft" of "agents-txt", draft::agents_txt as agents_txt;
            /// agents.json of the Internet-Draft draft-car-agents-txt-wellknown.
            AgentsJson = 2 "agents-json" Json: "agents-json-draft" of "agents-json", draft::agents_json as agents_json;
            /// agents.txt 0.1.0.
            AgentsTxt01 = 3 "agents-txt-0.1" Text: "agents-txt-01" of "agents-txt", agents_01::agents_txt as agents_txt_01;
            /// agents.json 0.1, the companion of agents.txt 0.1.0.
            AgentsJson01 = 4 "agents-json-0.1" Json: "agents-json-01" of "agents-json", agents_01::agents_json as agents_json_01;
            /// agents.md 1.0.0-draft.
            AgentsMd = 5 "agents-md" Text: "agents-md" of "agents-md", agents_md as agents_md;
            /// agent.json of the Agent Web Protocol 0.2.
            Awp = 6 "awp" Json: "awp" of "awp", awp as awp;
            /// Manifest of the Agent Discovery Protocol 1.0.
            Adp = 7 "adp" Json: "adp" of "adp", adp as adp;
            /// Capability detail of the Agent Discovery Protocol.
            AdpCapability = 8 "adp-capability" Json: "adp" of "adp", adp as adp_capability;
            /// Registry search response of the Agent Discovery Protocol.
            AdpSearch = 9 "adp-search" Json: "adp" of "adp", adp as adp_search;
            /// robots.txt, RFC 9309.
            RobotsTxt = 10 "robots-txt" Text: "robots-txt" of "robots-txt", robots_txt as robots_txt;
            /// llms.txt.
            ///
            /// Also llms-full.txt.
            LlmsTxt = 11 "llms-txt" Text: "llms-txt" of "llms-txt", llms_txt as llms_txt;
            /// A2A agent card.
            ///
            /// Versions 0.2, 0.3 and 1.0.
            A2aAgentCard = 12 "a2a-agent-card" Json: "a2a" of "a2a", a2a as a2a_agent_card;
            /// MCP server card.
            ///
            /// In any of its dialects.
            McpServerCard = 13 "mcp-server-card" Json: "mcp-card" of "mcp-card", mcp_card as mcp_server_card;
            /// AI Catalog.
            AiCatalog = 14 "ai-catalog" Json: "catalogs" of "catalogs", ai_catalog as ai_catalog;
            /// Index of agent skills.
            ///
            /// Versions 0.1 and 0.2.
            AgentSkills = 15 "agent-skills" Json: "catalogs" of "catalogs", agent_skills as agent_skills;
            /// API catalog, RFC 9727.
            ApiCatalog = 16 "api-catalog" Json: "catalogs" of "catalogs", api_catalog as api_catalog;
            /// AID record.
            Aid = 32 "aid" Json;
            /// Plugin manifest with `name_for_model`.
            AiPlugin = 33 "ai-plugin" Json;
            /// agents.json of another vocabulary, with `agentsJson`.
            WildcardAgentsJson = 34 "wildcard-agents-json" Json;
            /// agent-permissions.json.
            AgentPermissions = 35 "agent-permissions" Json;
            /// OpenAPI or Swagger description.
            ///
            /// Of OpenAPI 3.0, 3.1 and 3.2, the operations are read; of Swagger 2.0, only what the
            /// service is.
            OpenApi = 36 "openapi" Json: "openapi" of "openapi", openapi as openapi;
            /// HTML page.
            Html = 37 "html" Text;
            /// Profile of the Universal Commerce Protocol.
            UcpProfile = 38 "ucp-profile" Json: "commerce" of "commerce", ucp as ucp_profile;
            /// Directory of keys for HTTP message signatures (Web Bot Auth).
            SignatureDirectory = 39 "signature-directory" Json: "signature-directory" of "signature-directory", signature_directory as signature_directory;
            /// security.txt, RFC 9116.
            SecurityTxt = 40 "security-txt" Text;
            /// Metadata of an OAuth protected resource, RFC 9728.
            OauthProtectedResource = 41 "oauth-protected-resource" Json: "oauth" of "oauth", oauth as oauth_protected_resource;
            /// Payment requirements or resources of x402.
            X402 = 42 "x402" Json: "commerce" of "commerce", x402 as x402;
            /// List of WebMCP tools.
            WebMcp = 43 "webmcp" Json;
            /// Really Simple Licensing (RSL).
            Rsl = 44 "rsl" Text;
            /// agents.txt or agents.json of the agents-txt.com standard.
            AgentsTxtCom = 45 "agents-txt-com" Text;
            /// Manifest of the w2a vocabulary.
            W2a = 46 "w2a" Json;
            /// Metadata of an OAuth authorization server, RFC 8414.
            ///
            /// Also the configuration of an OpenID provider.
            OauthAuthorizationServer = 48 "oauth-authorization-server" Json: "oauth" of "oauth", oauth as oauth_authorization_server;
            /// auth.md.
            ///
            /// How agents register and authenticate.
            AuthMd = 49 "auth-md" Text: "oauth" of "oauth", auth_md as auth_md;
            /// Discovery document of the Agentic Commerce Protocol.
            Acp = 47 "acp" Json: "commerce" of "commerce", acp as acp;
        }
    };
}
pub(crate) use registry;

macro_rules! formats {
    (
        []
        $(
            $(#[doc = $doc:literal])*
            $name:ident = $number:literal $id:literal $medium:ident
            $(: $feature:literal of $family:literal, $($module:ident)::+ as $view:ident)?;
        )*
    ) => {
        /// The format of a document.
        ///
        /// The library reads some formats ([`is_read`](Self::is_read)), and only recognizes the
        /// others. [`Unknown`](Self::Unknown) is a common result.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Format {
            #[default]
            $($(#[doc = $doc])* $name = $number,)*
        }

        impl Format {
            /// All formats, `Unknown` first.
            pub const ALL: &'static [Format] = &[$(Self::$name,)*];

            /// Returns the stable id, such as `agents-txt`.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }

            /// The error message for a document of a format that is only recognized.
            pub(crate) const fn not_read(self) -> &'static str {
                match self {
                    $(Self::$name => const {
                        // Formats that are read have no such message.
                        if Self::$name.is_read() {
                            ""
                        } else {
                            concat!("this document is recognized as `", $id, "`, which is not read")
                        }
                    },)*
                }
            }

            // `inline(always)`: the linker drops disabled formats only if this is inlined
            // everywhere.
            #[inline(always)]
            const fn family(self) -> Option<Family> {
                match self {
                    $($(Self::$name => Some(Family {
                        feature: $family,
                        is_built_in: cfg!(feature = $feature),
                        message: concat!("this build does not support this format; enable the Cargo feature `", $family, "` to read it"),
                    }),)?)*
                    _ => None,
                }
            }

            /// Whether documents of this format are JSON.
            pub const fn is_json(self) -> bool {
                match self {
                    $(Self::$name => matches!(Medium::$medium, Medium::Json),)*
                }
            }
        }

        /// Whether any JSON format is built in. If not, JSON is not even validated.
        pub(crate) const READS_JSON: bool =
            false $($(|| (Format::$name.is_json() && cfg!(feature = $feature)))?)*;
    };
}

registry!(formats);

/// The medium of a format.
enum Medium {
    Json,
    Text,
}

impl Format {
    /// Returns the format with this id, or `None` for an unknown id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.id() == id)
    }

    /// Whether the library reads documents of this format; if not, it only recognizes them.
    pub const fn is_read(self) -> bool {
        self.family().is_some()
    }

    /// Whether this build reads documents of this format, that is, whether its Cargo feature is
    /// enabled.
    pub const fn is_built_in(self) -> bool {
        match self.family() {
            Some(family) => family.is_built_in,
            None => false,
        }
    }

    /// Returns the Cargo feature that enables the family of this format, such as `agents-txt`;
    /// `None` for formats that are only recognized.
    pub const fn feature(self) -> Option<&'static str> {
        match self.family() {
            Some(family) => Some(family.feature),
            None => None,
        }
    }
}

/// Formats that one Cargo feature enables together.
struct Family {
    feature: &'static str,
    is_built_in: bool,
    /// The error message for documents of a family that is not built in.
    message: &'static str,
}

/// Whether a Markdown format is built in.
pub(crate) const READS_MARKDOWN: bool =
    Format::AgentsMd.is_built_in() || Format::LlmsTxt.is_built_in() || Format::AuthMd.is_built_in();

/// Returns the error message for a format that is not built in. [`Format::Unknown`] stands for JSON
/// in a build without JSON formats.
pub(crate) const fn not_built_in(format: Format) -> &'static str {
    match format.family() {
        Some(family) => family.message,
        None => {
            "this build supports no JSON format; enable a Cargo feature such as `agents-json` to read this document"
        }
    }
}

impl core::fmt::Display for Format {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.id())
    }
}
