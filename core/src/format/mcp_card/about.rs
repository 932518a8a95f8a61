//! What other modules ask about this format.

use super::{McpServerCard, Top, check, signs};
use crate::diagnostic::{Severity, Spec};
use crate::format::about::{About, Authenticates, Below, Points, Says, Shown};
use crate::format::facts::{Published, Serving};
use crate::model::Protocol;
use crate::rules::link_kind::LinkKind;
use crate::syntax::json::lookup::Lookup;

impl McpServerCard<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        check: |bytes, outline, _, scratch, report| {
            check::check(&McpServerCard::attach(bytes, outline), bytes, scratch, report);
        },
        // The web site of an MCP server is often a repository, and the card may be on another site.
        states_site: false,
        has_protocols: true,
        says: Says::Nothing,
        locations: &["/.well-known/mcp/server-card.json", "/.well-known/mcp.json"],
        accept: "application/mcp-server-card+json, application/json;q=0.9, */*;q=0.1",
        relations: &["mcp-server-card", "server-card"],
        media_types: &["application/mcp-server-card+json"],
        endings: &["/server-card.json", "/server-card", "/.well-known/mcp.json"],
        below: &[Below {
            protocol: Protocol::Mcp,
            suffix: "/server-card",
            relations: &["mcp", "mcp-server", "mcp-endpoint"],
        }],
        // It is the description of its endpoint itself.
        points: Points::Nowhere,
        shown: &[Shown {
            kind: LinkKind::McpEndpoint,
            files: &["server-card", "server-card.json"],
            well_known_files: &["mcp.json"],
            words: &[],
        }],
        signs: signs::SIGNS,
        marks: signs::MARKS,
        schemas: &[(b"modelcontextprotocol", signs::SCHEMA)],
        counted: signs::COUNTED,
        rules: signs::RULES,
        placed: signs::PLACED,
        is_possible: signs::is_possible,
        authenticates: Authenticates::Service,
        published: Published {
            document: "MCP server card, `mcp.json`, `server.json`",
            specification: "Server Cards `v1`, and the dialects that sites publish",
            spec: Spec::McpServerCard,
            has_rival_locations: true,
            also_at: &["server-card", "server-card.json", "server.json"],
            serving: Some(Serving {
                types: &["application/mcp-server-card+json", "application/json"],
                cache: Some(Severity::Info),
                cors: Some(Severity::Warning),
                methods: &["GET"],
                sections: [
                    "Transport Security",
                    "MCP Server Cards",
                    "Caching",
                    "CORS Requirements",
                ],
                ..Serving::JSON
            }),
            registry: Some(8),
            ..Published::NOTHING
        },
        is_asked_for: false,
        ..About::NOTHING
    };
}
