//! The signs of MCP server cards.

use crate::rules::signs::{
    CAPABILITIES, CAPABILITY_FLAGS, DESCRIPTION, ENDPOINT, LINKED_DATA, Mark, Members, NAME,
    PROTOCOL_VERSION, Rule, Signs, TOOL_SCHEMAS, TOOLS, VERSION, WEBMCP, first_members,
    first_signs, has_text, is_list, is_object, sign_if, signs,
};
use crate::syntax::json::{Kind, Member, Value};

signs! {
    SIGNS:
    SERVER_INFO = 43 "member serverInfo",
    REMOTES = 44 "remotes with a type",
    SERVERS = 45 "member mcpServers",
    MEMBER = 46 "a member that names an MCP server, version or transport",
    SCHEMA = 47 "a schema of MCP",
    SERVER = 63 "member mcp_server or mcp",
}

/// The signs that only server cards have, and all signs that count for server cards.
const OWN: Signs = SERVER_INFO | REMOTES | SERVERS | MEMBER | SCHEMA | TOOL_SCHEMAS;
const ALL: Signs = OWN | NAME | VERSION | TOOLS | CAPABILITIES | PROTOCOL_VERSION | ENDPOINT;

pub(super) const COUNTED: Signs = OWN | TOOLS;

pub(super) const MARKS: &[Mark] = &[
    Mark::shape(b"serverInfo", |value| sign_if(is_object(value), SERVER_INFO)),
    Mark::shape(b"remotes", remotes),
    Mark::shape(b"mcpServers", |value| sign_if(is_object(value), SERVERS)),
    Mark::shape(b"servers", |value| servers(b"servers", value)),
    Mark::shape(b"transports", |value| servers(b"transports", value)),
    Mark::shape(b"endpoints", |value| servers(b"endpoints", value)),
    Mark::shape(b"mcp", |value| {
        sign_if(value.get("endpoint").or(value.get("url")).is_some(), SERVER)
    }),
    Mark::sign(b"mcp_server", SERVER),
    Mark::sign(b"mcp_version", MEMBER),
    Mark::sign(b"mcpVersion", MEMBER),
    Mark::sign(b"serverUrl", MEMBER),
    Mark::shape(b"protocol", |value| {
        sign_if(has_text(value, |text| text.eq_ignore_ascii_case("mcp")), MEMBER)
    }),
    Mark::shape(b"transport", |value| {
        let is_transport = has_text(value, is_mcp_transport) || value.get("endpoint").is_some();
        sign_if(is_transport, MEMBER)
    }),
    Mark::shape(b"tools", |value| {
        let names = [("inputSchema", TOOL_SCHEMAS), ("input_schema", TOOL_SCHEMAS)];
        Some(if is_list(value) { TOOLS } else { 0 } | first_signs(value, &names))
    }),
];

pub(super) const RULES: &[Rule] = &[
    Rule::new(0, OWN, (2, ALL)),
    Rule::new(0, SERVERS | SCHEMA, (0, ALL)),
    Rule::new(SERVER | TOOLS, 0, (0, ALL)),
];

const NAMED: Rule = Rule::new(NAME, 0, (3, ALL | DESCRIPTION));
const MARKED: Rule = Rule::new(0, OWN | SERVER, (0, ALL));
/// Other documents are at this path, too.
const PARTS: Signs = OWN | TOOLS | CAPABILITY_FLAGS | PROTOCOL_VERSION | ENDPOINT;

pub(super) const PLACED: &[(&str, Rule)] = &[
    ("/server-card", NAMED),
    ("/server-card.json", NAMED),
    ("/mcp.json", Rule::new(NAME, PARTS, (3, ALL | DESCRIPTION))),
    ("/server-card", MARKED),
    ("/server-card.json", MARKED),
    ("/mcp.json", MARKED),
];

/// Whether a document can be a server card. Settings of clients and requests to models also contain
/// servers and tools, so with only these, most members must be of a card.
pub(super) const fn is_possible(members: &Members) -> bool {
    !members.any(LINKED_DATA | WEBMCP)
        && (members.any(OWN & !(SERVERS | TOOL_SCHEMAS))
            || members.is_mostly(ALL | SERVER | DESCRIPTION, 0))
}

/// The sign of a list of servers, or of an object of servers: present if the first server has a
/// transport. Other members with such names are of other vocabularies.
fn servers(name: &[u8], value: Value<'_>) -> Option<Signs> {
    let named = { value.members() }.next().map(|member| member.value);
    let inner = named.filter(|server| server.kind() == Kind::Object);
    let is_server = |member: Member<'_>| {
        let is_mcp = |member: &Member<'_>| has_text(member.value, is_mcp_transport);
        match name {
            b"servers" if member.name == "transport" => true,
            b"transports" if member.name == "type" => true,
            _ => (member.name == "transport" || member.name == "type") && is_mcp(&member),
        }
    };
    let mut members = first_members(value).chain(inner.into_iter().flat_map(Value::members));
    members.any(is_server).then_some(MEMBER)
}

/// The sign of `remotes`: present if the first remote has a transport of the Model Context
/// Protocol.
fn remotes(value: Value<'_>) -> Option<Signs> {
    let is_transport = |member: &Member<'_>| {
        member.name == "transport_type"
            || member.name == "type"
                && has_text(member.value, |kind| kind == "http" || is_mcp_transport(kind))
    };
    sign_if(first_members(value).any(|member| is_transport(&member)), REMOTES)
}

/// True for the names of the transports of the Model Context Protocol.
fn is_mcp_transport(name: &str) -> bool {
    let names = ["streamable-http", "streamable_http", "http-sse", "http+sse", "sse", "stdio"];
    names.contains(&name)
}
