//! Restrictions that an object of a JSON document states twice.
//!
//! The model shows the last of several members with one name. But another reader may take the first
//! one, and the author may have meant it. So a decision permits no more than any of them: if the
//! values of a member that restricts differ, it denies, and names the member.

use crate::kind::{Format, READS_JSON};
use crate::limits::Limits;
use crate::span::Span;
use crate::syntax::json::names::{Keys, Name, Names};
use crate::syntax::json::{Core, Member, TokenKind, Value, Words, next_member};
use crate::syntax::text::{Text, trim};

/// Members whose content states nothing about rights.
const OTHER: u32 = 0;
/// The lists of capabilities. At the top level, each of them is looked at when it is used.
const LIST: u32 = 1;
/// Authentication. The members of [`TYPE`] have their meaning only inside.
const AUTH: u32 = 2;
const TYPE: u32 = 3;
const MORE: u32 = 4;

/// The names by what they stand for.
const GROUPS: [&Keys; 5] = [
    &[
        b"metadata",
        b"_meta",
        b"agent_hints",
        b"default",
        b"example",
        b"examples",
        b"entities",
        b"errors",
        b"inputSchema",
        b"input_schema",
        b"outputSchema",
        b"output_schema",
        b"parameters",
        b"params",
        b"inputs",
        b"outputs",
    ],
    &[b"capabilities", b"actions", b"tools", b"skills"],
    &[
        b"auth",
        b"authentication",
        b"security",
        b"securityRequirements",
        b"security_requirements",
        b"securitySchemes",
        b"security_schemes",
    ],
    &[b"type", b"scheme", b"schemes", b"methods", b"required", b"flows", b"in", b"list"],
    &[
        b"access",
        b"allow",
        b"agents",
        b"permissions",
        b"declarationType",
        b"method",
        b"via",
        b"protocols",
        b"dependencies",
        b"session",
        b"auth_required",
        b"requiresAuth",
        b"requires_auth",
        b"authRequired",
        b"required_for",
        b"optional_for",
        b"authenticated_tools",
        b"scopes",
        b"requires_session",
        b"human_handoff",
        b"requires_confirmation",
        b"requiresConfirmation",
        b"requires_human_confirmation",
        b"sensitivity",
        b"reversible",
        b"annotations",
        b"destructiveHint",
        b"readOnlyHint",
        b"rateLimit",
        b"rate_limit",
        b"rate_limits",
        b"requests",
        b"window",
        b"requests_per_minute",
        b"max_requests_per_minute",
        b"agent_status",
        b"operational",
        b"degraded_actions",
        b"isSecret",
        b"secret",
        b"headers",
    ],
];

/// The number of names, and of those in the first table.
const COUNT: usize = Name::count(&GROUPS);
const FIRST: usize = COUNT - Name::count(&[MORE_NAMES]);
const MORE_NAMES: &Keys = {
    let [.., more] = GROUPS;
    more
};
/// Each name as a field of its own, so that different names are no duplicates. A single table would
/// be too full for perfect hashing.
const NAMES: &Names = &Names::of(SOME, &[], &[]);
const OTHERS: &Names = &Names::of(REST, &[], &[]);
const SOME: &[Name] = {
    const FOUR: [&Keys; 4] = {
        let [a, b, c, d, _] = GROUPS;
        [a, b, c, d]
    };
    &Name::singles::<FIRST>(&FOUR)
};
const REST: &[Name] = &Name::singles::<{ COUNT - FIRST }>(&[MORE_NAMES]);

/// Returns the number of a name in `text`.
fn number_of(text: &[u8], name: Text<'_>) -> Option<usize> {
    let number = |names: &Names| Some(names.find_in(text, name)?.field as usize);
    number(NAMES).or_else(|| Some(number(OTHERS)?.saturating_add(FIRST)))
}

/// Returns the group of a name.
fn group_of(mut number: usize) -> u32 {
    for (group, keys) in (0..).zip(GROUPS) {
        match number.checked_sub(keys.len()) {
            Some(rest) => number = rest,
            None => return group,
        }
    }
    MORE
}

/// How many containers around a member can have a meaning in some format.
const DEEPEST: u32 = 8;

/// Returns the name of a doubled restriction in the text of a document. `is_whole` skips the lists
/// of its capabilities.
pub(crate) fn in_document(text: &[u8], format: Format, is_whole: bool) -> Option<Text<'_>> {
    let is_json = READS_JSON && format.is_json();
    is_json.then(|| find(trim(text), is_whole))?
}

/// Returns the name of a doubled restriction in the source of a capability.
pub(crate) fn in_capability(source: &[u8]) -> Option<Text<'_>> {
    READS_JSON.then(|| find(source, false))?
}

/// Returns the name of the first member that restricts and whose values differ. `is_whole` skips
/// the lists of capabilities. Linear: an object is walked once for each container around it, and
/// [`DEEPEST`] limits their number.
#[inline(never)] // Keeps its buffers off the stack of its callers.
fn find(text: &[u8], is_whole: bool) -> Option<Text<'_>> {
    if text.first() != Some(&b'{') {
        return None;
    }
    let mut tokens = Core::<Words>::at(text, 0, Limits::MAX_DEPTH);
    // The depth of the outermost container of authentication around the position; 0 is none.
    let (mut auth, mut group) = (0, None);
    while let Ok(Some(step)) = tokens.step() {
        let last = group.take();
        if step.kind == TokenKind::Name {
            group = number_of(text, tokens.text(step)).map(group_of);
            continue;
        }
        if !step.opens() {
            continue;
        }
        let depth = tokens.depth();
        if depth <= auth {
            auth = 0;
        }
        let is_listed = is_whole && depth == 2 && last == Some(LIST);
        if depth > DEEPEST || last == Some(OTHER) || is_listed {
            tokens.finish().ok()?;
            continue;
        }
        if auth == 0 && last == Some(AUTH) {
            auth = depth;
        }
        if step.kind == TokenKind::ObjectStart
            && let Some(name) = doubled(text, step.start, auth != 0)
        {
            return Some(name);
        }
    }
    None
}

/// Returns the name of a member that occurs with different values in the object at an offset, if
/// one of them restricts. Equal values are no contradiction.
fn doubled(text: &[u8], start: usize, is_auth: bool) -> Option<Text<'_>> {
    let mut last = [Span::new(0, 0); COUNT];
    let mut position = start.saturating_add(1) as u32;
    while let Some(Member { name, value }) = next_member(text, &mut position) {
        let Some(number) = number_of(text, name) else {
            continue;
        };
        let restricts = match group_of(number) {
            OTHER => false,
            TYPE => is_auth,
            _ => true,
        };
        let Some(place) = last.get_mut(number).filter(|_| restricts) else {
            continue;
        };
        let earlier = core::mem::replace(place, Span::of(value.raw(), text));
        if earlier.end != 0 && !Value::trusted(earlier.slice(text)).is_same(value) {
            return Some(name);
        }
    }
    None
}
