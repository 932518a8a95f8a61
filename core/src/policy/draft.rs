//! The finding of an Internet-Draft document: its access rules, and its policy for the agent.

use super::agents::{Policy, disallowed_by_policies, unreadable};
use super::budget::item_of;
use super::finding::Said;
use super::place::{Place, may_match};
use super::survey::Found;
use super::workspace::Scratch;
use super::{Case, Reason};
use crate::document::Document;
use crate::document::with_reading;
use crate::format::robots_txt::Binding;
use crate::model::Access;
use crate::rules::values::patterns_of;
use crate::scan;
use crate::syntax::pattern::Pattern;
use crate::syntax::text::{HAS_ESCAPES, Text};

/// The finding of an Internet-Draft document (sections 2.5 to 2.7), with the deciding text.
pub(super) fn of_draft<'a>(
    case: &Case<'a>,
    document: &Document<'a>,
    on_site: Option<&Place>,
    (policy, found): (&Policy<'a>, &Found<'a>),
    asks_query: &mut bool,
    scratch: &mut Scratch,
) -> Option<Said<'a>> {
    let refusal = match policy.name.filter(|_| !policy.is_unreadable()) {
        Some(name) => (Reason::CapabilityNotGranted, Some(name)),
        None => (Reason::Unreadable, None),
    };
    if let Some(id) = case.request.target.id()
        && !policy.grants_id(id)
    {
        return Some(refusal);
    }
    let rules =
        on_site.map_or_else(Rules::default, |place| Rules::of(document, policy, place, scratch));
    *asks_query |= rules.asks_query;
    if rules.unreadable {
        return Some((Reason::Unreadable, None));
    }
    if rules.disallowed.is_some() {
        return Some((Reason::Disallowed, rules.disallowed));
    }
    if found.refused && found.granted.is_none() {
        return Some(refusal);
    }
    if let Some((id, true)) = found.granted {
        return Some(match policy.binding {
            Binding::None => (Reason::NoAgentBlock, Some(id)),
            _ => (Reason::CapabilityGranted, Some(policy.naming(id))),
        });
    }
    if rules.allowed.is_some() {
        return Some((Reason::Allowed, rules.allowed));
    }
    if let Some((endpoint, _)) = found.granted {
        return Some((Reason::CapabilityEndpoint, Some(endpoint)));
    }
    // A document that only has `Disallow` rules permits other paths. Rules do not count off the
    // site.
    let is_open = rules.has_allow || !rules.has_disallow;
    if is_open && found.other_method.is_some() {
        return Some((Reason::MethodNotDeclared, found.other_method));
    }
    on_site?;
    let reason = match rules {
        Rules { has_allow: true, .. } => Reason::NotListed,
        Rules { has_disallow: true, .. } => Reason::NotDisallowed,
        _ => Reason::NoAccessRules,
    };
    Some((reason, None))
}

impl<'a> Policy<'a> {
    /// The text that grants a capability: the item in the list of the policy, otherwise the name of
    /// the policy.
    fn naming(&self, id: Text<'a>) -> Text<'a> {
        let item = self.capabilities.as_ref().and_then(|list| item_of(list, id));
        item.or(self.name).unwrap_or(id)
    }
}

/// The finding of the access rules: the longest match decides, and `Allow` wins a tie.
#[derive(Default)]
struct Rules<'a> {
    allowed: Option<Text<'a>>,
    disallowed: Option<Text<'a>>,
    has_allow: bool,
    has_disallow: bool,
    /// Whether some denying rules cannot be read.
    unreadable: bool,
    /// Whether a query could change which rules match.
    asks_query: bool,
}

impl<'a> Rules<'a> {
    fn of(
        document: &Document<'a>,
        policy: &Policy<'a>,
        place: &Place,
        scratch: &mut Scratch,
    ) -> Self {
        let (access, unreadable) = (access_of(document), unreadable(document));
        // `allow` of a policy is only for its agent; `disallow` of a policy is for all agents.
        let allow = access.allow.chain(policy.allow(document));
        let disallow = access.disallow.chain(disallowed_by_policies(document));
        // `disallow` in another letter case is in the metadata.
        let disallow = disallow.chain(patterns_of(access.metadata, "disallow"));
        let allow = longest(allow, place, false, scratch);
        let disallow = longest(disallow, place, true, scratch);
        let is_allowed = allow.specificity >= disallow.specificity;
        Self {
            allowed: if is_allowed { allow.text } else { None },
            disallowed: if is_allowed { None } else { disallow.text },
            has_allow: allow.any || unreadable.allow || policy.allows_any,
            has_disallow: disallow.any,
            unreadable: unreadable.disallow || (HAS_ESCAPES && disallow.too_long),
            asks_query: allow.asks_query || disallow.asks_query,
        }
    }
}

fn access_of<'a>(document: &Document<'a>) -> Access<'a> {
    with_reading(document, |reading| reading.access())
}

/// The matches of one kind of pattern.
#[derive(Default)]
struct Longest<'a> {
    /// The most specific match.
    text: Option<Text<'a>>,
    /// Its specificity; 0 without a match.
    specificity: usize,
    /// Whether there are any patterns.
    any: bool,
    /// Whether a pattern is too long to decode.
    too_long: bool,
    /// Whether a query could make a denying pattern match, or prevent an allowing pattern from
    /// matching.
    asks_query: bool,
}

/// Matches patterns. Ignores empty patterns. A denying pattern that cannot match any path does not
/// count as a rule, so that it does not permit other paths.
fn longest<'a>(
    patterns: impl Iterator<Item = Text<'a>>,
    place: &Place,
    forbids: bool,
    scratch: &mut Scratch,
) -> Longest<'a> {
    let mut found = Longest::default();
    for text in patterns {
        let raw = match text.is_escaped() {
            false => text.raw(),
            true => match text.decode(&mut scratch.text) {
                Ok(decoded) => decoded.as_bytes(),
                Err(_) => {
                    found.too_long = true;
                    continue;
                }
            },
        };
        let mut raw = crate::syntax::text::trim(raw);
        found.any |= if forbids {
            matches!(raw, [b'/' | b'*', ..]) && may_match(raw)
        } else {
            !raw.is_empty()
        };
        // No path begins with two slashes: such a rule is for the path with one.
        while let Some(rest @ [b'/', ..]) = raw.strip_prefix(b"/")
            && forbids
        {
            raw = rest;
        }
        found.asks_query |= match raw {
            [front @ .., b'*'] | front if forbids => scan::memchr2(b'*', b'?', front).is_some(),
            _ => raw.ends_with(b"$"),
        };
        let pattern = Pattern::new(raw);
        if place.is_matched_by(pattern) {
            // A matching pattern is not empty.
            let specificity = pattern.specificity();
            if specificity > found.specificity {
                (found.text, found.specificity) = (Some(text), specificity);
            }
        }
    }
    found
}
