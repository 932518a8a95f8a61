//! The document formats and their names.

use core::ffi::c_char;

use agentsdisc_core::{ErrorKind, Format};

use crate::boundary::c_text;
use crate::enumerations::{AGD_FALSE, AGD_TRUE, AGD_UNSAID};
use crate::text::agd_text;

/// The format is unknown.
pub const AGD_FORMAT_UNKNOWN: i32 = 0;
/// agents.txt of the Internet-Draft draft-car-agents-txt-wellknown.
pub const AGD_FORMAT_AGENTS_TXT: i32 = 1;
/// agents.json of the same Internet-Draft.
pub const AGD_FORMAT_AGENTS_JSON: i32 = 2;
/// agents.txt 0.1.0.
pub const AGD_FORMAT_AGENTS_TXT_01: i32 = 3;
/// agents.json 0.1, the companion of agents.txt 0.1.0.
pub const AGD_FORMAT_AGENTS_JSON_01: i32 = 4;
/// agents.md 1.0.0-draft.
pub const AGD_FORMAT_AGENTS_MD: i32 = 5;
/// agent.json of the Agent Web Protocol 0.2.
pub const AGD_FORMAT_AWP: i32 = 6;
/// Manifest of the Agent Discovery Protocol 1.0.
pub const AGD_FORMAT_ADP: i32 = 7;
/// Capability detail of the Agent Discovery Protocol.
pub const AGD_FORMAT_ADP_CAPABILITY: i32 = 8;
/// Registry search response of the Agent Discovery Protocol.
pub const AGD_FORMAT_ADP_SEARCH: i32 = 9;
/// robots.txt, RFC 9309.
pub const AGD_FORMAT_ROBOTS_TXT: i32 = 10;
/// llms.txt.
pub const AGD_FORMAT_LLMS_TXT: i32 = 11;
/// An A2A agent card.
pub const AGD_FORMAT_A2A_AGENT_CARD: i32 = 12;
/// An MCP server card.
pub const AGD_FORMAT_MCP_SERVER_CARD: i32 = 13;
/// An AI Catalog.
pub const AGD_FORMAT_AI_CATALOG: i32 = 14;
/// An index of agent skills.
pub const AGD_FORMAT_AGENT_SKILLS: i32 = 15;
/// An API catalog, RFC 9727.
pub const AGD_FORMAT_API_CATALOG: i32 = 16;
/// An AID record.
pub const AGD_FORMAT_AID: i32 = 32;
/// A plugin manifest with `name_for_model`.
pub const AGD_FORMAT_AI_PLUGIN: i32 = 33;
/// The agents.json of another vocabulary, with `agentsJson`.
pub const AGD_FORMAT_WILDCARD_AGENTS_JSON: i32 = 34;
/// agent-permissions.json.
pub const AGD_FORMAT_AGENT_PERMISSIONS: i32 = 35;
/// An OpenAPI or Swagger description.
pub const AGD_FORMAT_OPENAPI: i32 = 36;
/// An HTML page.
pub const AGD_FORMAT_HTML: i32 = 37;
/// A profile of the Universal Commerce Protocol.
pub const AGD_FORMAT_UCP_PROFILE: i32 = 38;
/// A directory of keys for HTTP message signatures (Web Bot Auth).
pub const AGD_FORMAT_SIGNATURE_DIRECTORY: i32 = 39;
/// security.txt, RFC 9116.
pub const AGD_FORMAT_SECURITY_TXT: i32 = 40;
/// Metadata of an OAuth protected resource, RFC 9728.
pub const AGD_FORMAT_OAUTH_PROTECTED_RESOURCE: i32 = 41;
/// Payment requirements or resources of x402.
pub const AGD_FORMAT_X402: i32 = 42;
/// A list of WebMCP tools.
pub const AGD_FORMAT_WEBMCP: i32 = 43;
/// Really Simple Licensing (RSL).
pub const AGD_FORMAT_RSL: i32 = 44;
/// agents.txt or agents.json of the agents-txt.com standard.
pub const AGD_FORMAT_AGENTS_TXT_COM: i32 = 45;
/// A manifest of the w2a vocabulary.
pub const AGD_FORMAT_W2A: i32 = 46;

/// Checks that the constants match the core's formats, and defines the NUL-terminated texts for
/// each: its name, and the messages for documents that are not read.
macro_rules! formats {
    ($($constant:ident = $format:ident,)*) => {
        $(const _: () = assert!($constant == Format::$format as i32);)*

        fn id(format: Format) -> *const c_char {
            match format {
                $(Format::$format => c_text!(Format::$format.id()),)*
                _ => c_text!(Format::Unknown.id()),
            }
        }

        /// The message for a document of a format that the library only recognizes.
        pub(crate) fn not_read(format: Format) -> *const c_char {
            match format {
                $(Format::$format => c_text!(ErrorKind::NotADiscoveryDocument(Format::$format).message()),)*
                _ => c_text!(ErrorKind::NotADiscoveryDocument(Format::Unknown).message()),
            }
        }

        /// The message for a document of a format that this build leaves out.
        pub(crate) fn not_built_in(format: Format) -> *const c_char {
            match format {
                $(Format::$format => c_text!(ErrorKind::NotBuiltIn(Format::$format).message()),)*
                _ => c_text!(ErrorKind::NotBuiltIn(Format::Unknown).message()),
            }
        }
    };
}

formats! {
    AGD_FORMAT_UNKNOWN = Unknown,
    AGD_FORMAT_AGENTS_TXT = AgentsTxt,
    AGD_FORMAT_AGENTS_JSON = AgentsJson,
    AGD_FORMAT_AGENTS_TXT_01 = AgentsTxt01,
    AGD_FORMAT_AGENTS_JSON_01 = AgentsJson01,
    AGD_FORMAT_AGENTS_MD = AgentsMd,
    AGD_FORMAT_AWP = Awp,
    AGD_FORMAT_ADP = Adp,
    AGD_FORMAT_ADP_CAPABILITY = AdpCapability,
    AGD_FORMAT_ADP_SEARCH = AdpSearch,
    AGD_FORMAT_ROBOTS_TXT = RobotsTxt,
    AGD_FORMAT_LLMS_TXT = LlmsTxt,
    AGD_FORMAT_A2A_AGENT_CARD = A2aAgentCard,
    AGD_FORMAT_MCP_SERVER_CARD = McpServerCard,
    AGD_FORMAT_AI_CATALOG = AiCatalog,
    AGD_FORMAT_AGENT_SKILLS = AgentSkills,
    AGD_FORMAT_API_CATALOG = ApiCatalog,
    AGD_FORMAT_AID = Aid,
    AGD_FORMAT_AI_PLUGIN = AiPlugin,
    AGD_FORMAT_WILDCARD_AGENTS_JSON = WildcardAgentsJson,
    AGD_FORMAT_AGENT_PERMISSIONS = AgentPermissions,
    AGD_FORMAT_OPENAPI = OpenApi,
    AGD_FORMAT_HTML = Html,
    AGD_FORMAT_UCP_PROFILE = UcpProfile,
    AGD_FORMAT_SIGNATURE_DIRECTORY = SignatureDirectory,
    AGD_FORMAT_SECURITY_TXT = SecurityTxt,
    AGD_FORMAT_OAUTH_PROTECTED_RESOURCE = OauthProtectedResource,
    AGD_FORMAT_X402 = X402,
    AGD_FORMAT_WEBMCP = WebMcp,
    AGD_FORMAT_RSL = Rsl,
    AGD_FORMAT_AGENTS_TXT_COM = AgentsTxtCom,
    AGD_FORMAT_W2A = W2a,
}

/// Converts a format from C.
pub(crate) fn format_of(number: i32) -> Option<Format> {
    Format::ALL.iter().copied().find(|format| i32::from(*format as u8) == number)
}

/// The C number of a format.
pub(crate) const fn number_of(format: Format) -> i32 {
    format as u8 as i32
}

/// Returns the stable id of a format (AGD_FORMAT_*), such as `agents-txt`, NUL-terminated;
/// `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_format_id(format: i32) -> *const c_char {
    id(format_of(format).unwrap_or_default())
}

/// Returns the format with an id: AGD_FORMAT_*, or AGD_UNSAID if `id` is unknown or absent.
///
/// Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_format_from_id(id: agd_text) -> i32 {
    // SAFETY: the caller promises that the text is readable.
    match unsafe { id.get() } {
        Ok(Some(id)) => Format::ALL
            .iter()
            .find(|format| id == *format.id())
            .map_or(AGD_UNSAID, |format| number_of(*format)),
        _ => AGD_UNSAID,
    }
}

/// Whether the library reads documents of a format (AGD_FORMAT_*), rather than only recognizing
/// them: AGD_TRUE or AGD_FALSE; AGD_FALSE for any other number.
///
/// Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_format_is_read(format: i32) -> i32 {
    if format_of(format).is_some_and(Format::is_read) { AGD_TRUE } else { AGD_FALSE }
}

/// Whether this build of the library, which may leave out formats, reads documents of a format
/// (AGD_FORMAT_*): AGD_TRUE or AGD_FALSE; AGD_FALSE for any other number.
///
/// Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_format_is_built_in(format: i32) -> i32 {
    if format_of(format).is_some_and(Format::is_built_in) { AGD_TRUE } else { AGD_FALSE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ffi::CStr;

    #[test]
    fn every_format_has_its_id() {
        for format in Format::ALL {
            // SAFETY: the function returns static NUL-terminated text.
            let id = unsafe { CStr::from_ptr(agd_format_id(number_of(*format))) };
            assert_eq!(id.to_str().unwrap(), format.id());
        }
    }
}
