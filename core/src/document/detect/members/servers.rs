//! The servers in cards of the Model Context Protocol.

use super::{MCP_MEMBER, REMOTES, first_members, has_text};
use crate::syntax::json::{Kind, Member, Value};

/// The sign of a list of servers, or of an object of servers: present if the first server has a
/// transport.
pub(super) fn server_signs(name: &[u8], value: Value<'_>) -> u64 {
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
    if members.any(is_server) { MCP_MEMBER } else { 0 }
}

/// The sign of `remotes`: present if the first remote has a transport of the Model Context
/// Protocol.
pub(super) fn remote_signs(value: Value<'_>) -> u64 {
    let is_transport = |member: &Member<'_>| {
        member.name == "transport_type"
            || member.name == "type"
                && has_text(member.value, |kind| kind == "http" || is_mcp_transport(kind))
    };
    if first_members(value).any(|member| is_transport(&member)) { REMOTES } else { 0 }
}

/// True for the names of the transports of the Model Context Protocol.
pub(super) fn is_mcp_transport(name: &str) -> bool {
    let names = ["streamable-http", "streamable_http", "http-sse", "http+sse", "sse", "stdio"];
    names.contains(&name)
}
