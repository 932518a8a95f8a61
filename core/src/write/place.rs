//! Finds the source position of values that have no text in the model: numbers, booleans, objects.

use crate::format::Format;
use crate::scan;
use crate::span::Span;
use crate::syntax::json::Value;
use crate::syntax::line::{Content, Lines};
use crate::syntax::text::trim;

/// The names of the session, the audit and the rate limit in both 0.1 formats.
pub(super) const SESSION: &[&str] = &["session", "Session-TTL"];
pub(super) const AUDIT: &[&str] = &["audit", "Audit-Endpoint"];
pub(super) const RATE_LIMIT: &[&str] = &["rate_limit", "Rate-Limit"];

/// The position of a name: the last top-level JSON member with one of these names, or the key of
/// the first such field in agents.txt 0.1.0. An empty span at the start if there is none. Linear;
/// called once for each part of a document.
pub(super) fn of(bytes: &[u8], format: Format, names: &[&str]) -> Span {
    let found = if format.is_json() {
        last_member(bytes, names)
    } else if format == Format::AgentsTxt01 {
        first_field(bytes, names)
    } else {
        None
    };
    found.map_or(Span::default(), |found| Span::of(found, bytes))
}

fn last_member<'a>(bytes: &'a [u8], names: &[&str]) -> Option<&'a [u8]> {
    let object = Value::trusted(bytes.get(scan::memchr(b'{', bytes)?..).map(trim)?);
    object
        .members()
        .filter(|member| names.iter().any(|name| member.name == **name))
        .last()
        .map(|member| member.name.raw())
}

fn first_field<'a>(bytes: &'a [u8], names: &[&str]) -> Option<&'a [u8]> {
    Lines::starting_at(bytes, 0).find_map(|line| match line.content {
        Content::Field { key, .. }
            if names.iter().any(|name| key.eq_ignore_ascii_case(name.as_bytes())) =>
        {
            Some(key)
        }
        _ => None,
    })
}
