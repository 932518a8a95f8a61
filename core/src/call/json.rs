//! Plans and refusals as JSON (`docs/calls.md`), for the command line and the conformance vectors.

use super::{Client, Credential, First, Next, Plan, Problem, Refusal, Request, Step};
use crate::model::Raw;
use crate::policy::{Decision, Positions, put_auth, put_human};
use crate::sink::{Sink, SliceSink};
use crate::syntax::json::Value;
use crate::syntax::text::{BufferTooSmall, Text};
use crate::write::{Writer, key};

impl Plan<'_, '_> {
    /// Writes the plan as JSON into `buffer`, and returns its length.
    ///
    /// # Errors
    /// The required length, if the buffer is too small.
    pub fn write_json(&self, buffer: &mut [u8]) -> Result<usize, BufferTooSmall> {
        let mut sink = SliceSink::new(buffer);
        self.put_json(&mut sink);
        whole(&sink)
    }

    /// Writes the plan as JSON to a sink, in pieces.
    pub fn put_json(&self, sink: &mut impl Sink) {
        Writer::new(sink, true).braces(|w| {
            match &self.step {
                Step::Http(request) => put_request(request, w),
                Step::Client(client) => put_client(client, w),
                Step::First(first) => put_first(first, w),
            }
            w.object(key!("credential"), self.credential, put_credential);
            put_human(&self.human, w);
            w.object(key!("idempotency"), self.idempotency, |w, key| {
                w.optional(key!("field"), Some(key.field));
                w.number(key!("window_seconds"), key.window_seconds);
                w.truth(key!("sent"), Some(key.is_sent));
            });
            w.truth(key!("repeatable"), Some(self.is_repeatable));
            w.truth(key!("async"), self.is_async.then_some(true));
            w.number(key!("document"), Some(self.document as u64));
        });
    }
}

impl Refusal<'_> {
    /// Writes the refusal as JSON into `buffer`, and returns its length. `decision` is the decision
    /// that was passed to [`Call::plan`](super::Call::plan); the rule is read from its documents.
    ///
    /// # Errors
    /// The required length, if the buffer is too small.
    pub fn write_json(
        &self,
        decision: &Decision<'_>,
        buffer: &mut [u8],
    ) -> Result<usize, BufferTooSmall> {
        let mut sink = SliceSink::new(buffer);
        self.put_json(decision, &mut sink);
        whole(&sink)
    }

    /// Writes the refusal as JSON to a sink, in pieces.
    pub fn put_json(&self, decision: &Decision<'_>, sink: &mut impl Sink) {
        Writer::new(sink, true).braces(|w| {
            w.word(key!("refused"), self.problem.as_str());
            match self.problem {
                Problem::Denied(reason) => {
                    w.word(key!("reason"), reason.as_str());
                    w.word(key!("message"), reason.message());
                }
                problem => {
                    w.optional(key!("message"), Some(Text::plain(problem.message().as_bytes())))
                }
            }
            match self.problem {
                Problem::UnsafeCredential(credentials) => {
                    w.word(key!("credentials"), credentials.as_str());
                }
                Problem::BufferTooSmall { needed } => {
                    w.number(key!("needed"), Some(needed as u64));
                }
                _ => {}
            }
            w.optional(key!("argument"), self.argument);
            w.optional(key!("expected"), self.expected);
            w.object(key!("rule"), self.rule, |w, rule| {
                decision.put_rule(rule, &mut Positions::default(), w);
            });
        });
    }
}

impl Next<'_, '_, '_> {
    /// Writes the result as JSON into `buffer`, and returns its length.
    ///
    /// # Errors
    /// The required length, if the buffer is too small.
    pub fn write_json(&self, buffer: &mut [u8]) -> Result<usize, BufferTooSmall> {
        let mut sink = SliceSink::new(buffer);
        self.put_json(&mut sink);
        whole(&sink)
    }

    /// Writes the result as JSON to a sink, in pieces.
    pub fn put_json(&self, sink: &mut impl Sink) {
        Writer::new(sink, true).braces(|w| match self {
            Self::Done(outputs) => {
                w.word(key!("next"), "done");
                w.objects(key!("outputs"), *outputs, |w, output| {
                    w.optional(key!("name"), Some(output.name));
                    w.optional(key!("type"), output.kind);
                    w.raw(key!("value"), output.value.map(Raw::Json));
                    w.truth(key!("typed"), Some(output.is_typed));
                });
            }
            Self::Retry { seconds } => {
                w.word(key!("next"), "retry");
                w.number(key!("seconds"), Some(*seconds));
            }
            Self::Poll { url, seconds, credential } => {
                w.word(key!("next"), "poll");
                w.optional(key!("url"), url.and_then(plain));
                w.number(key!("seconds"), Some(*seconds));
                w.truth(key!("credential"), Some(*credential));
            }
            Self::Refresh { url } => {
                w.word(key!("next"), "refresh");
                w.optional(key!("url"), plain(url));
            }
            Self::Token => w.word(key!("next"), "token"),
            Self::Session => w.word(key!("next"), "session"),
            Self::Recover(recovery) => {
                w.word(key!("next"), "recover");
                w.optional(key!("code"), Some(recovery.code));
                w.optional(key!("text"), Some(recovery.text));
                w.optional(key!("endpoint"), recovery.endpoint);
                w.optional(key!("url"), recovery.url.and_then(plain));
                w.optional(key!("action"), recovery.action);
                w.number(key!("seconds"), recovery.seconds);
                w.truth(key!("retries"), Some(recovery.retries));
            }
            Self::Failed(failure) => {
                w.word(key!("next"), "failed");
                w.word(key!("failure"), failure.as_str());
            }
        });
    }
}

fn whole(sink: &SliceSink<'_>) -> Result<usize, BufferTooSmall> {
    if sink.is_whole() { Ok(sink.length()) } else { Err(BufferTooSmall { needed: sink.length() }) }
}

const fn plain(text: &str) -> Option<Text<'_>> {
    Some(Text::plain(text.as_bytes()))
}

fn put_request<S: Sink>(request: &Request<'_>, w: &mut Writer<'_, S>) {
    w.word(key!("step"), "http");
    w.optional(key!("method"), plain(request.method));
    w.optional(key!("url"), plain(request.url));
    w.objects(key!("headers"), request.headers, |w, header| {
        w.optional(key!("name"), plain(header.name));
        w.optional(key!("value"), plain(header.value));
    });
    w.optional(key!("body"), request.body.and_then(plain));
}

fn put_client<S: Sink>(client: &Client<'_, '_>, w: &mut Writer<'_, S>) {
    w.word(key!("step"), "client");
    w.choice(key!("protocol"), key!("protocol_text"), Some(client.protocol));
    w.optional(key!("url"), plain(client.url));
    w.choice(key!("transport"), key!("transport_text"), client.transport);
    w.optional(key!("version"), client.version);
    w.optional(key!("operation"), client.operation.and_then(plain));
    w.optional(key!("tenant"), client.tenant);
    w.optional(key!("openapi"), client.openapi);
    w.optional(key!("method"), client.method.and_then(plain));
    let arguments = Value::parse(client.arguments.as_bytes()).ok();
    w.raw(key!("arguments"), arguments.map(Raw::Json));
}

fn put_first<S: Sink>(first: &First<'_, '_>, w: &mut Writer<'_, S>) {
    match first {
        First::Document { url } => {
            w.word(key!("step"), "document");
            w.optional(key!("url"), plain(url));
        }
        First::Action { action } => {
            w.word(key!("step"), "action");
            w.optional(key!("action"), Some(*action));
        }
        First::Token(auth) => {
            w.word(key!("step"), "token");
            w.object(key!("auth"), Some(auth), |w, auth| put_auth(auth, w));
        }
        First::Session(open) => {
            w.word(key!("step"), "session");
            w.word(key!("method"), open.method);
            w.optional(key!("url"), plain(open.url));
            w.number(key!("ttl_seconds"), Some(open.ttl_seconds));
        }
        First::Confirmation => w.word(key!("step"), "confirmation"),
    }
}

fn put_credential<S: Sink>(w: &mut Writer<'_, S>, credential: &Credential<'_>) {
    w.word(key!("for"), if credential.is_session { "session" } else { "service" });
    w.word(key!("need"), credential.need.as_str());
    w.word(key!("type"), credential.kind.as_str());
    w.optional(key!("header"), credential.header);
    w.optional(key!("prefix"), credential.header.map(|_| credential.prefix));
}
