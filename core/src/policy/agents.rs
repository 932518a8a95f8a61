//! The policy for an agent in a document of the Internet-Draft (section 2.7), and what it grants.

use super::budget::Budget;
use crate::document::Document;
use crate::document::with_reading;
use crate::format::Format;
use crate::format::agents_json::Unreadable;
use crate::format::robots_txt::Binding;
use crate::model::{List, RateLimit};
use crate::rules::agent_names::Named;
use crate::rules::user_agent::{AgentName, UserAgent};
use crate::rules::values::{has_allow, patterns_of};
use crate::scan;
use crate::syntax::text::Text;

/// The policy for the agent in a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policy<'a> {
    pub(super) binding: Binding,
    pub(super) name: Option<Text<'a>>,
    /// The capabilities that the policy grants; `None` grants all of them.
    pub(super) capabilities: Option<List<'a, Text<'a>>>,
    pub(super) rate_limits: List<'a, RateLimit<'a>>,
    /// The index of the policy in the document.
    index: u32,
    /// Whether any policy of the document, for this agent or another one, allows paths.
    pub(super) allows_any: bool,
    /// Whether there are unreadable policies of which one may be for this agent.
    is_unreadable: bool,
    /// Whether a policy whose name has other words may be for this agent.
    may_name: bool,
    /// The source of the policy.
    source: &'a [u8],
    /// Whether another policy with the same name says something else.
    is_contradicted: bool,
}

/// How well the name of a policy matches an agent, from 4 (best) to 1; 0 if it does not match. A
/// version in the name is ignored, but a name with the agent's own version ranks higher.
fn rank(agent: AgentName<'_>, name: Text<'_>, named: Named) -> u8 {
    let is = |own: &[u8]| !own.is_empty() && name.eq_text_ignore_case(Text::plain(own));
    match named {
        _ if is(agent.word) => 4,
        _ if is(agent.token) => 3,
        Named { this: true, .. } => 2,
        Named { any: true, .. } => 1,
        _ => 0,
    }
}

/// The name under which to count the requests of an agent for its rate limits: the product token
/// that is compared with the names of policies first. For a User-Agent in the style of a browser,
/// it is the agent's own name; empty for the User-Agent of a browser.
///
/// ```
/// use agentsdisc_core::policy::agent_name;
/// assert_eq!(agent_name("MugBot/1.0 (+https://mugs.example)"), "MugBot");
/// assert_eq!(agent_name("Mozilla/5.0 (compatible; MugBot/1.0)"), "MugBot");
/// assert_eq!(agent_name("Mozilla/5.0 (X11) Gecko/20100101 Firefox/140.0"), "");
/// ```
pub fn agent_name(user_agent: &str) -> &str {
    scan::text(UserAgent::of(user_agent.as_bytes()).name().token).unwrap_or_default()
}

/// The patterns that any policy of an agents.json disallows. In an agents.txt, such lines are rules
/// of the document itself, so there are none.
pub(super) fn disallowed_by_policies<'a>(
    document: &Document<'a>,
) -> impl Iterator<Item = Text<'a>> {
    let policies = match document.is(Format::AgentsJson) {
        true => with_reading(document, |reading| reading.agents()),
        false => List::empty(),
    };
    policies.flat_map(|policy| patterns_of(policy.metadata, "disallow"))
}

impl<'a> Policy<'a> {
    /// Whether there are unreadable policies of which one may be for the agent.
    pub(super) const fn is_unreadable(&self) -> bool {
        self.is_unreadable
    }

    /// No policy.
    pub(super) fn none() -> Self {
        Self {
            binding: Binding::None,
            name: None,
            capabilities: None,
            rate_limits: List::empty(),
            index: 0,
            allows_any: false,
            is_unreadable: false,
            may_name: false,
            source: b"",
            is_contradicted: false,
        }
    }

    /// The name of the policy, if another one with this name says something else.
    pub(super) fn contradicted(&self) -> Option<Text<'a>> {
        self.name.filter(|_| self.is_contradicted)
    }

    /// Whether a policy names the agent, or may name it. Only then does it bind an agent by a name
    /// besides its first one.
    pub(super) fn is_named(&self) -> bool {
        self.binding == Binding::Named || self.may_name
    }

    /// Finds the policy whose name matches the agent best, otherwise a policy for every agent
    /// (Internet-Draft section 2.7); the last one if several rank the same. Two of one name in JSON
    /// that differ contradict each other. A policy without a name may be for any agent, even for an
    /// agent that another policy names. A policy whose name has other words may be for the agents
    /// that these words name. Linear.
    pub(super) fn read(&mut self, document: &Document<'a>, agent: AgentName<'_>) {
        *self = Self::none();
        if !is_draft(document) {
            return;
        }
        // `Allow` below a line that may name an agent is in the metadata of the document.
        if document.is(Format::AgentsTxt) {
            let metadata = with_reading(document, |reading| reading.metadata());
            self.allows_any = has_allow(metadata);
        }
        let mut best = 1;
        self.is_unreadable =
            document.agents_txt().is_some_and(|document| document.has_nameless_policy());
        for (policy, index) in with_reading(document, |reading| reading.agents()).zip(0..) {
            self.allows_any |= has_allow(policy.metadata);
            let name = policy.name.unwrap_or_default();
            let named = Named::of(name, Text::plain(agent.token));
            self.may_name |= named.perhaps && !named.this;
            self.is_unreadable |= named.agents == 0 || named.perhaps && !named.this;
            let rank = rank(agent, name, named);
            if rank < best {
                continue;
            }
            let is_again = rank == best && document.format().is_json();
            self.is_contradicted =
                is_again && (self.is_contradicted || policy.contradicts(self.name, self.source));
            best = rank;
            self.source = policy.source;
            self.binding = if rank == 1 { Binding::Any } else { Binding::Named };
            self.name = policy.name;
            (self.capabilities, self.rate_limits) = (policy.capabilities, policy.rate_limits);
            self.index = index;
        }
        if let (Some(name), Some(agents)) = (self.name, document.agents_json()) {
            self.is_contradicted |= agents.has_null_policy(name);
        }
        self.is_unreadable |= self.binding != Binding::Named && unreadable(document).agents;
    }

    /// The patterns that the policy allows its agent. Empty if another, unreadable policy may apply
    /// instead.
    pub(super) fn allow(&self, document: &Document<'a>) -> impl Iterator<Item = Text<'a>> {
        let counts = self.allows_any && self.binding != Binding::None && !self.is_unreadable();
        let policy = Some(with_reading(document, |reading| reading.agents()))
            .filter(|_| counts)
            .and_then(|mut policies| policies.nth(self.index as usize));
        patterns_of(policy.map_or_else(List::empty, |policy| policy.metadata), "allow")
    }

    /// Whether the policy grants a capability.
    pub(super) fn grants(&self, id: Option<Text<'_>>, budget: &mut Budget) -> bool {
        let listed = match (&self.capabilities, id) {
            (None, _) => true,
            (Some(list), Some(id)) => budget.contains(list, id).unwrap_or(false),
            (Some(_), None) => false,
        };
        listed && !self.is_unreadable()
    }

    /// Whether the policy grants the capability with the requested id.
    pub(super) fn grants_id(&self, id: Text<'_>) -> bool {
        self.grants(Some(id), &mut Budget(usize::MAX))
    }
}

/// Whether a document is of the Internet-Draft. Only such documents have access rules and agent
/// policies.
pub(super) const fn is_draft(document: &Document<'_>) -> bool {
    document.is(Format::AgentsTxt) || document.is(Format::AgentsJson)
}

/// The unreadable parts of a document of the Internet-Draft.
pub(super) fn unreadable(document: &Document<'_>) -> Unreadable {
    match (document.agents_json(), document.agents_txt()) {
        (Some(json), _) => json.unreadable(),
        (_, Some(text)) => Unreadable { allow: text.has_unread_allow(), ..Unreadable::default() },
        _ => Unreadable::default(),
    }
}
