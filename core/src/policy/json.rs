//! A decision as JSON (`docs/policy.md`), for the command line and the conformance vectors.

use super::auth::{Auth, AuthNeed};
use super::limits::AppliedLimit;
use super::{Confirmation, Decision, Human, Rule, Source, Words};
use crate::format::awp::PrerequisiteError;
use crate::format::robots_txt::Binding;
use crate::model::{Enumeration, Raw};
use crate::sink::{Sink, SliceSink};
use crate::span::{Position, PositionCursor};
use crate::syntax::text::{BufferTooSmall, Text};
use crate::write::{Writer, key};

impl<'a> Decision<'a> {
    /// Writes the decision as JSON into `buffer`, and returns its length. `scratch` needs four
    /// numbers for each name in the `dependencies` of an Agent Web Protocol document; with fewer,
    /// `prerequisites` is left out and `prerequisites_unknown` is written. If some dependencies
    /// cannot be read, `prerequisites_unknown` is written beside the actions that could be read.
    ///
    /// # Errors
    /// The required length, if the buffer is too small.
    pub fn write_json(
        &self,
        scratch: &mut [u32],
        buffer: &mut [u8],
    ) -> Result<usize, BufferTooSmall> {
        let mut sink = SliceSink::new(buffer);
        self.put_json(scratch, &mut sink);
        if sink.is_whole() {
            Ok(sink.length())
        } else {
            Err(BufferTooSmall { needed: sink.length() })
        }
    }

    /// Writes the decision as JSON to a sink, in pieces.
    pub fn put_json(&self, scratch: &mut [u32], sink: &mut impl Sink) {
        Writer::new(sink, true).braces(|w| {
            self.put_members(scratch, &mut Positions::default(), w);
            self.put_words(w);
        });
    }

    /// Writes the members of the decision without the prose of the documents.
    pub(crate) fn put_members<S: Sink>(
        &self,
        scratch: &mut [u32],
        positions: &mut Positions<'a>,
        w: &mut Writer<'_, S>,
    ) {
        w.truth(key!("allowed"), Some(self.allowed));
        w.word(key!("reason"), self.reason.as_str());
        w.optional(key!("message"), Some(Text::plain(self.reason.message().as_bytes())));
        w.object(key!("rule"), self.rule, |w, rule| self.put_rule(rule, positions, w));
        w.object(key!("preference"), self.preference, |w, preference| {
            w.optional(key!("purpose"), Some(Text::plain(preference.purpose.as_bytes())));
            w.word(key!("preference"), preference.stance.as_str());
            w.object(key!("statement"), preference.statement, |w, rule| {
                self.put_rule(rule, positions, w)
            });
            w.truth(key!("header"), preference.by_header.then_some(true));
        });
        w.word(key!("agent"), binding(self.agent));
        w.optional(key!("capability"), self.capability);
        w.optional(key!("endpoint"), self.endpoint);
        w.optional(key!("method"), self.method);
        w.truth(key!("detail_unknown"), self.detail_unknown.then_some(true));
        if let Some(relation) = self.relation {
            w.word(key!("relation"), relation.relation.as_str());
            w.truth(key!("relation_verified"), Some(relation.verified));
        }
        w.word(key!("credentials"), self.credentials.as_str());
        w.object(key!("auth"), Some(self.auth), |w, auth| put_auth(auth, w));
        w.object(key!("session"), self.session(), |w, session| {
            w.number(key!("ttl_seconds"), Some(session.ttl_seconds));
            w.optional(key!("create"), Some(session.create));
            w.optional(key!("delete"), session.delete);
        });
        put_human(&self.human, w);
        w.truth(key!("degraded"), self.degraded.then_some(true));
        w.truth(key!("synthetic"), self.synthetic.then_some(true));
        w.raw(key!("confidence"), self.confidence.map(Raw::Json));
        w.objects(key!("rate_limits"), self.rate_limits(), put_limit);
        w.object(key!("advisory_limit"), self.advisory_limit(), put_limit);
        match self.prerequisites(scratch) {
            None => {}
            Some(Ok(actions)) => w.texts(key!("prerequisites"), actions),
            Some(Err(PrerequisiteError::Unreadable(actions))) => {
                w.texts(key!("prerequisites"), actions);
                w.truth(key!("prerequisites_unknown"), Some(true));
            }
            Some(Err(PrerequisiteError::Cycle(actions))) => {
                w.texts(key!("prerequisite_cycle"), actions)
            }
            Some(Err(PrerequisiteError::CapacityExceeded { .. })) => {
                w.truth(key!("prerequisites_unknown"), Some(true))
            }
        }
    }

    /// Writes what the prose of the documents says about every request.
    pub(crate) fn put_words<S: Sink>(&self, w: &mut Writer<'_, S>) {
        let texts = |words: Words<'a>| words.map(|(_, text)| text);
        w.texts(key!("can"), texts(self.can()));
        w.texts(key!("cannot"), texts(self.cannot()));
        w.texts(key!("behavior"), texts(self.behavior()));
        w.texts(key!("unread"), texts(self.unread()));
    }

    pub(crate) fn put_rule<S: Sink>(
        &self,
        rule: &Rule<'_>,
        positions: &mut Positions<'a>,
        w: &mut Writer<'_, S>,
    ) {
        w.optional(key!("text"), Some(rule.text));
        put_source(rule.source, w);
        if let Some(position) = positions.of(self, rule.source, rule.span.start) {
            w.number(key!("line"), Some(position.line));
            w.number(key!("column"), Some(position.column));
        }
    }
}

/// The positions of texts that are written one after the other: the document before a text is read
/// again only if the text is before the last two of its document.
#[derive(Default)]
pub(crate) struct Positions<'a>([Option<(Source, u32, PositionCursor<'a>)>; 2]);

impl<'a> Positions<'a> {
    /// Line and column of an offset.
    pub(crate) fn of(
        &mut self,
        decision: &Decision<'a>,
        source: Source,
        start: u32,
    ) -> Option<Position> {
        let [first, second] = &mut self.0;
        let is_before = |last: &Option<(Source, u32, PositionCursor<'a>)>| {
            last.as_ref().is_some_and(|(own, at, _)| *own == source && *at <= start)
        };
        let place = match (is_before(first), is_before(second)) {
            (true, true)
                if first.as_ref().map(|last| last.1) < second.as_ref().map(|last| last.1) =>
            {
                second
            }
            (true, _) => first,
            (_, true) => second,
            _ => {
                core::mem::swap(first, second);
                *first = None;
                first
            }
        };
        let (_, at, cursor) = match place {
            Some(last) => last,
            none => none.insert((source, 0, PositionCursor::new(decision.bytes_of(source)?))),
        };
        *at = start;
        Some(cursor.at(start as usize))
    }
}

/// Writes what a person must confirm, if a document says anything.
pub(crate) fn put_human<S: Sink>(human: &Human<'_>, w: &mut Writer<'_, S>) {
    if human.confirmation == Confirmation::NotStated
        && human.sensitivity.is_none()
        && human.reversible.is_none()
        && !human.handoff
    {
        return;
    }
    w.object(key!("human"), Some(human), |w, human| {
        w.word(key!("confirmation"), human.confirmation.as_str());
        w.choice(key!("sensitivity"), key!("sensitivity_text"), human.sensitivity);
        w.truth(key!("reversible"), human.reversible);
        w.truth(key!("handoff"), Some(human.handoff));
    });
}

fn put_source<S: Sink>(source: Source, w: &mut Writer<'_, S>) {
    match source {
        Source::Document(index) => w.number(key!("document"), Some(index as u64)),
        Source::Robots => w.word(key!("document"), "robots"),
    }
}

pub(crate) fn put_auth<S: Sink>(auth: &Auth<'_>, w: &mut Writer<'_, S>) {
    w.word(key!("need"), auth.need.as_str());
    if auth.need > AuthNeed::None {
        w.choice(key!("type"), key!("type_text"), Some(auth.kind));
    }
    w.number(key!("document"), auth.document.map(|document| document as u64));
    w.optional(key!("token_url"), auth.token_url);
    w.optional(key!("authorization_url"), auth.authorization_url);
    w.optional(key!("refresh_url"), auth.refresh_url);
    if let Some(relation) = auth.refresh_relation {
        w.word(key!("refresh_relation"), relation.relation.as_str());
        w.truth(key!("refresh_relation_verified"), Some(relation.verified));
    }
    w.optional(key!("setup_url"), auth.setup_url);
    w.optional(key!("docs_url"), auth.docs_url);
    w.texts(key!("scopes"), auth.scopes);
    w.optional(key!("header"), auth.header);
    w.optional(key!("prefix"), auth.header.map(|_| auth.prefix));
}

fn put_limit<S: Sink>(w: &mut Writer<'_, S>, limit: &AppliedLimit<'_>) {
    w.word(key!("scope"), limit.scope.as_str());
    put_source(limit.source, w);
    w.number(key!("requests"), Some(limit.requests));
    w.number(key!("milliseconds"), limit.milliseconds);
    if let Some(window) = limit.window {
        w.word(key!("window"), window.as_str());
    }
    w.optional(key!("capability"), limit.capability);
}

/// `none`, `any` or `named`.
const fn binding(binding: Binding) -> &'static str {
    match binding {
        Binding::None => "none",
        Binding::Any => "any",
        Binding::Named => "named",
    }
}
