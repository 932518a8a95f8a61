//! A decision as JSON (`docs/policy.md`): what the command line prints, and the conformance vectors expect.

use super::auth::{Auth, AuthNeed};
use super::limits::AppliedLimit;
use super::{Confirmation, Decision, Rule, Source, Words};
use crate::format::awp::PrerequisiteError;
use crate::format::robots_txt::Binding;
use crate::manifest::{Choice, Enumeration};
use crate::syntax::text::{BufferTooSmall, Text};
use crate::write::{Sink, SliceSink, json_string};

impl Decision<'_> {
    /// Writes the decision as JSON into `buffer`, and returns its length. In `scratch`, four numbers are needed for each name in the
    /// `dependencies` of an Agent Web Protocol document; with fewer, `prerequisites` is left out and `prerequisites_unknown` is there.
    ///
    /// # Errors
    /// Where the buffer is too small, the length that is needed.
    pub fn write_json(&self, scratch: &mut [u32], buffer: &mut [u8]) -> Result<usize, BufferTooSmall> {
        let mut sink = SliceSink::new(buffer);
        self.put_json(scratch, &mut sink);
        if sink.is_whole() { Ok(sink.length()) } else { Err(BufferTooSmall { needed: sink.length() }) }
    }

    /// Puts the decision as JSON into a sink, piece by piece.
    pub fn put_json(&self, scratch: &mut [u32], sink: &mut impl Sink) {
        let mut w = Writer { sink, comma: false };
        w.open(b"{");
        w.truth("allowed", self.allowed);
        w.plain("reason", self.reason.as_str());
        w.plain("message", self.reason.message());
        if let Some(rule) = &self.rule {
            w.object("rule", |w| self.put_rule(rule, w));
        }
        w.plain("agent", binding(self.agent));
        w.optional("capability", self.capability);
        w.optional("endpoint", self.endpoint);
        w.optional("method", self.method);
        if let Some(relation) = self.relation {
            w.plain("relation", relation.relation.as_str());
            w.truth("relation_verified", relation.verified);
        }
        w.plain("credentials", self.credentials.as_str());
        w.object("auth", |w| put_auth(&self.auth, w));
        if let Some(session) = self.session() {
            w.object("session", |w| {
                w.number("ttl_seconds", session.ttl_seconds.into());
                w.optional("create", Some(session.create));
                w.optional("delete", session.delete);
            });
        }
        self.put_human(&mut w);
        if self.degraded {
            w.truth("degraded", true);
        }
        w.list("rate_limits", self.rate_limits(), |w, limit| w.braces(|w| put_limit(&limit, w)));
        if let Some(limit) = self.advisory_limit() {
            w.object("advisory_limit", |w| put_limit(&limit, w));
        }
        match self.prerequisites(scratch) {
            None => {}
            Some(Ok(actions)) => w.list("prerequisites", actions, |w, action| w.text(action)),
            Some(Err(PrerequisiteError::Cycle(actions))) => w.list("prerequisite_cycle", actions, |w, action| w.text(action)),
            Some(Err(PrerequisiteError::CapacityExceeded { .. })) => w.truth("prerequisites_unknown", true),
        }
        let words = |w: &mut Writer<'_, _>, name, words: Words<'_>| w.list(name, words, |w, (_, text)| w.text(text));
        words(&mut w, "can", self.can());
        words(&mut w, "cannot", self.cannot());
        words(&mut w, "behavior", self.behavior());
        w.close(b"}");
    }

    fn put_rule<S: Sink>(&self, rule: &Rule<'_>, w: &mut Writer<'_, S>) {
        w.optional("text", Some(rule.text));
        put_source(rule.source, w);
        if let Some(position) = self.rule_position() {
            w.number("line", position.line.into());
            w.number("column", position.column.into());
        }
    }

    fn put_human<S: Sink>(&self, w: &mut Writer<'_, S>) {
        let human = &self.human;
        if human.confirmation == Confirmation::NotStated && human.sensitivity.is_none() && human.reversible.is_none() && !human.handoff {
            return;
        }
        w.object("human", |w| {
            w.plain("confirmation", human.confirmation.as_str());
            w.choice("sensitivity", "sensitivity_text", human.sensitivity);
            if let Some(reversible) = human.reversible {
                w.truth("reversible", reversible);
            }
            w.truth("handoff", human.handoff);
        });
    }
}

fn put_source<S: Sink>(source: Source, w: &mut Writer<'_, S>) {
    match source {
        Source::Document(index) => w.number("document", index as u64),
        Source::Robots => w.plain("document", "robots"),
    }
}

fn put_auth<S: Sink>(auth: &Auth<'_>, w: &mut Writer<'_, S>) {
    w.plain("need", auth.need.as_str());
    if auth.need > AuthNeed::None {
        w.choice("type", "type_text", Some(auth.kind));
    }
    if let Some(document) = auth.document {
        w.number("document", document as u64);
    }
    w.optional("token_url", auth.token_url);
    w.optional("authorization_url", auth.authorization_url);
    w.optional("refresh_url", auth.refresh_url);
    w.optional("setup_url", auth.setup_url);
    w.optional("docs_url", auth.docs_url);
    w.list("scopes", auth.scopes, |w, scope| w.text(scope));
    if let Some(header) = auth.header {
        w.optional("header", Some(header));
        w.optional("prefix", Some(auth.prefix));
    }
}

fn put_limit<S: Sink>(limit: &AppliedLimit<'_>, w: &mut Writer<'_, S>) {
    w.plain("scope", limit.scope.as_str());
    put_source(limit.source, w);
    w.number("requests", limit.requests.into());
    if let Some(milliseconds) = limit.milliseconds {
        w.number("milliseconds", milliseconds);
    }
    if let Some(window) = limit.window {
        w.plain("window", window.as_str());
    }
    w.optional("capability", limit.capability);
}

/// `none`, `any` or `named`.
const fn binding(binding: Binding) -> &'static str {
    match binding {
        Binding::None => "none",
        Binding::Any => "any",
        Binding::Named => "named",
    }
}

/// Puts JSON into a sink; all it remembers is whether a comma is due.
struct Writer<'s, S> {
    sink: &'s mut S,
    comma: bool,
}

impl<S: Sink> Writer<'_, S> {
    fn open(&mut self, bracket: &[u8]) {
        self.sink.put(bracket);
        self.comma = false;
    }

    fn close(&mut self, bracket: &[u8]) {
        self.sink.put(bracket);
        self.comma = true;
    }

    fn separate(&mut self) {
        if core::mem::replace(&mut self.comma, true) {
            self.sink.put(b",");
        }
    }

    fn name(&mut self, name: &'static str) {
        self.separate();
        self.sink.put(b"\"");
        self.sink.put(name.as_bytes());
        self.sink.put(b"\":");
    }

    fn truth(&mut self, name: &'static str, value: bool) {
        self.name(name);
        self.sink.put(if value { b"true" } else { b"false" });
    }

    /// A member whose value needs no escapes but those of a string.
    fn plain(&mut self, name: &'static str, value: &'static str) {
        self.optional(name, Some(Text::plain(value.as_bytes())));
    }

    fn optional(&mut self, name: &'static str, text: Option<Text<'_>>) {
        if let Some(text) = text {
            self.name(name);
            json_string(text, self.sink);
        }
    }

    fn text(&mut self, text: Text<'_>) {
        json_string(text, self.sink);
    }

    fn choice<E: Enumeration>(&mut self, name: &'static str, text_name: &'static str, choice: Option<Choice<'_, E>>) {
        if let Some(choice) = choice {
            self.plain(name, choice.as_str());
            self.optional(text_name, choice.differing_text());
        }
    }

    fn number(&mut self, name: &'static str, number: u64) {
        self.name(name);
        let mut digits = [0; 20];
        let mut rest = number;
        let mut start = digits.len();
        for place in digits.iter_mut().rev() {
            *place = b'0' + (rest % 10) as u8;
            rest /= 10;
            start = start.saturating_sub(1);
            if rest == 0 {
                break;
            }
        }
        self.sink.put(digits.get(start..).unwrap_or_default());
    }

    fn braces(&mut self, members: impl FnOnce(&mut Self)) {
        self.open(b"{");
        members(self);
        self.close(b"}");
    }

    fn object(&mut self, name: &'static str, members: impl FnOnce(&mut Self)) {
        self.name(name);
        self.braces(members);
    }

    /// A list, left out where it has no items.
    fn list<T>(&mut self, name: &'static str, items: impl Iterator<Item = T>, element: impl Fn(&mut Self, T)) {
        let mut items = items.peekable();
        if items.peek().is_none() {
            return;
        }
        self.name(name);
        self.open(b"[");
        for item in items {
            self.separate();
            element(self, item);
            self.comma = true;
        }
        self.close(b"]");
    }
}
