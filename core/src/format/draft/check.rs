//! The check of the Internet-Draft, for both notations.
//!
//! The rules for single members stand in the rows of the vocabulary, with what this module and
//! [`rows`] make available to them. `agents_json/check.rs` and `agents_txt/check.rs` apply these
//! rules, and check what only their notation can get wrong. Then [`check`] reports what members
//! need from each other. It reads the unified model, whose texts are slices of the document, so it
//! knows their positions.
//!
//! The check takes linear time, with two exceptions. The search for duplicates and references sorts
//! the offsets of names in the scratch buffer (`rules/names.rs`). The comparison of rules with
//! endpoints is limited by [`BUDGET`].

mod capability;
mod names;
mod rows;
mod urls;

pub(super) use super::agents_json::check::{capability, limit, parameter, policy, top};
use crate::format::draft::vocabulary::AccessObject;
use crate::model::{Access, AgentPolicy, Head, Kind, List, Member, Reading};
pub(crate) use crate::rules::Notation;
use crate::rules::agent_names::Named;
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::member::Name;
use crate::rules::method::is_token_octet;
use crate::rules::names::Gathered;
use crate::rules::values::patterns_of;
use crate::span::Span;
use crate::syntax::text::Text;
use crate::syntax::url::Url;
pub(crate) use capability::rate_limit;
use names::Agents;
pub(crate) use rows::LOCATION;
pub(super) use rows::*;

/// The maximum number of bytes of paths and patterns, including the text between patterns, that are
/// read to compare endpoints with rules. Real documents need far fewer.
const BUDGET: usize = 1 << 26;

/// Checks what members need from each other. `top` is the range to report for what the document
/// lacks. The scratch buffer of `check` needs two numbers for each name: the number of capabilities,
/// of agents, or of parameters of one capability, whichever is largest. If it is too small, names
/// are not compared, which is reported. O(n log n).
pub(crate) fn check<'a>(reading: &dyn Reading<'a>, top: Span, check: &mut Check<'_, '_, 'a>) {
    check.with_scratch(|check, scratch| {
        let mut buffer = None;
        let url = reading.service().and_then(|service| service.url);
        let site = url.and_then(|text| Url::lazily(text, &mut buffer));
        let origin = check.origin.and_then(|origin| Url::parse(origin.as_bytes()));
        let access = reading.access();
        Whole { check, top, site, origin, access, budget: BUDGET }.run(reading, scratch);
    });
}

/// The state of the check of a whole document.
struct Whole<'c, 'r, 's, 'a, 'u> {
    check: &'c mut Check<'r, 's, 'a>,
    top: Span,
    /// The URL of the site.
    site: Option<Url<'u>>,
    /// The origin of the document.
    origin: Option<Url<'u>>,
    access: Access<'a>,
    budget: usize,
}

impl<'a> Whole<'_, '_, '_, 'a, '_> {
    fn run(&mut self, reading: &dyn Reading<'a>, scratch: &mut [u32]) {
        let head = reading.head();
        self.head(reading, &head);
        let mut ids = Gathered::new(self.check.bytes, scratch);
        for capability in reading.capabilities() {
            if self.check.report.is_full() {
                return;
            }
            self.capability(&capability);
            capability.id.into_iter().for_each(|id| ids.add(id));
        }
        let mut agents = Agents::default();
        for agent in reading.agents() {
            if self.check.report.is_full() {
                return;
            }
            self.agent(&agent);
            agents.named = agents
                .named
                .saturating_add(usize::from(agent.name.is_some_and(|name| !name.is_empty())));
            agents.refer |= agent.capabilities.is_some();
        }
        let Some(ids) = ids.sort(self.check.notation, false) else {
            return self.not_checked();
        };
        self.ids(&ids, reading, &agents);
        self.agent_names(reading, &agents, scratch);
        self.parameter_names(reading, scratch);
    }

    /// Reports a finding about a text.
    fn say(&mut self, say: &Say, text: Text<'a>) {
        self.check.say_in(say, text, "");
    }

    /// Reports a finding at a span, which the message does not quote.
    fn say_at(&mut self, say: &Say, span: Span) {
        self.check.say_about(say, span, Text::EMPTY, "");
    }

    /// Reports that an object or a block lacks a member, which is not in its metadata either. (The
    /// check of the notation reports a member of the wrong type.)
    fn lacks(&mut self, say: &Say, name: &Name, owner: Span, mut kept: List<'a, Member<'a>>) {
        let (is_kept, name) = match self.check.notation {
            Notation::Json => (kept.any(|member| member.name == *name.json), name.json),
            Notation::Text => (false, name.text),
        };
        if !is_kept {
            self.check.say_about(say, owner, Text::plain(name.as_bytes()), "");
        }
    }

    fn head(&mut self, reading: &dyn Reading<'a>, head: &Head<'a>) {
        if head.kind.value == Kind::Agent && reading.operates_on().is_empty() {
            self.say_at(NO_PLATFORM, self.top);
        }
        if let Some(companion) = filled(head.companion) {
            self.companion(companion);
        }
        let url = reading.service().and_then(|service| filled(service.url));
        if let (Some(url), Some(site), Some(origin)) = (url, &self.site, &self.origin)
            && !site.is_same_origin(origin)
        {
            self.say(OTHER_ORIGIN, url);
        }
        let Access { allow, disallow, .. } = self.access;
        if allow.is_empty() && disallow.is_empty() && head.kind.value != Kind::Agent {
            self.say_at(NO_RULES, self.top);
        }
    }

    fn agent(&mut self, agent: &AgentPolicy<'a>) {
        if let Some(name) = filled(agent.name) {
            self.agent_name(name);
        }
        for (name, field) in [
            (&AccessObject::MEMBERS.allow, AccessObject::allow),
            (&AccessObject::MEMBERS.disallow, AccessObject::disallow),
        ] {
            let rules = AccessObject::RULES.rows.get(field as usize).copied();
            for pattern in patterns_of(agent.metadata, name.model) {
                if filled(Some(pattern)).is_some() {
                    self.check.line(rules.unwrap_or_default(), pattern, "2.6");
                } else if self.check.notation == Notation::Json {
                    self.say(EMPTY_PATTERN, pattern);
                }
            }
        }
    }

    fn agent_name(&mut self, name: Text<'a>) {
        let is_part = |c: char| {
            let byte = u8::try_from(c).unwrap_or(b'a');
            c == '/' || c != '*' && (is_token_octet(byte) || !byte.is_ascii())
        };
        match Named::of(name, Text::default()).agents {
            0 => self.say(NO_AGENT, name),
            1 if name == "*" || name.chars().all(is_part) => {}
            1 => self.say(MORE_THAN_AGENT, name),
            _ => self.say(SEVERAL_AGENTS, name),
        }
    }
}

/// Returns a text that is not empty. (Empty texts are reported where they stand.)
fn filled(text: Option<Text<'_>>) -> Option<Text<'_>> {
    text.filter(|text| !text.is_blank())
}
