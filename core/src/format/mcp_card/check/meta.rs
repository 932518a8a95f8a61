//! The check of `_meta`: the names that MCP allows and reserves.

use super::*;
use crate::scan;

says! {
    NO_OBJECT: WrongType, "`_meta` must be an object; write one with names such as com.example/note";
    NO_META_NAME: InvalidValue, "{} is not a valid name in `_meta`; write an optional reverse domain name with a slash, then letters, digits, `-`, `_` and `.`";
    RESERVED: InvalidValue Warning, "the prefix of {} is reserved for MCP; use a domain name of yours";
}

pub(super) fn check<'a>(meta: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if meta.kind() != Kind::Object {
        return check.say_at(NO_OBJECT, meta, row);
    }
    for member in meta.members() {
        match judge_key(member.name) {
            Key::Invalid => check.say(NO_META_NAME, member.name, row),
            Key::Reserved if check.profile == New => check.say(RESERVED, member.name, row),
            _ => {}
        }
    }
}

enum Key {
    Valid,
    Invalid,
    Reserved,
}

/// Classifies a name in `_meta`: an optional prefix of labels with dots between them and a slash,
/// then a name.
fn judge_key(key: Text<'_>) -> Key {
    if key.is_escaped() {
        return Key::Valid;
    }
    let (prefix, name) = match scan::memchr(b'/', key.raw()) {
        Some(at) => {
            (key.raw().get(..at), key.raw().get(at.saturating_add(1)..).unwrap_or_default())
        }
        None => (None, key.raw()),
    };
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let ends = |part: &[u8]| {
        part.first().is_none_or(u8::is_ascii_alphanumeric)
            && part.last().is_none_or(u8::is_ascii_alphanumeric)
    };
    let is_label = |label: &[u8]| {
        label.first().is_some_and(u8::is_ascii_alphabetic)
            && label.last().is_some_and(u8::is_ascii_alphanumeric)
            && label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    let labels = || prefix.into_iter().flat_map(|prefix| prefix.split(|byte| *byte == b'.'));
    if !ends(name) || !name.iter().all(is_inner) || !labels().all(is_label) {
        return Key::Invalid;
    }
    let mut before = labels();
    let is_reserved = labels().skip(1).any(|_| {
        before.next().is_some_and(|label| matches!(label, b"mcp" | b"modelcontextprotocol"))
    });
    if is_reserved { Key::Reserved } else { Key::Valid }
}
