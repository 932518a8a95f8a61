//! What the answer to a call means.

use crate::syntax::template::{has_whole_braces, placeholders};
use core::cell::Cell;

use super::plan::{GET, POST, written};
use super::types::{Types, expression};
use super::{Call, Header, Problem, Refusal};
use crate::document::with_reading;
use crate::format::adp::ArgumentValue;
use crate::format::awp::advice::Advice;
use crate::message::{Message, Operation};
use crate::model::{self, Capability, Execution, List, Output};
use crate::policy::{AuthNeed, Chosen, Credentials, Decision, Workspace};
use crate::sink::{Sink, SliceSink};
use crate::syntax::grammar;
use crate::syntax::http_date;
use crate::syntax::json::Value;
use crate::syntax::line::trim;
use crate::syntax::text::Text;
use crate::syntax::type_expr::TypeExpr;
use crate::syntax::url::{Relation, Url};

/// The most retries, polls and recoveries of one call.
const RETRIES: u8 = 3;
const POLLS: u8 = 100;
const RECOVERIES: u8 = 4;
/// The most outputs that are looked up in an answer.
const OUTPUTS: usize = 64;
/// The most words of a recovery that are compared with the ids of actions.
const WORDS: usize = 64;
/// The longest usual time between two polls, and the longest wait that a call returns, in seconds.
const POLL_SECONDS: u32 = 30;
const LONGEST: u32 = 86_400;

/// An answer of a server.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<'l, 'r> {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: &'l [Header<'l>],
    /// The body.
    pub body: &'r [u8],
    /// When the answer was received, in seconds since 1970.
    pub now: u64,
}

/// What to do after an answer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Next<'a, 'r, 'b> {
    /// Nothing: the call has succeeded.
    Done(Outputs<'a, 'r>),
    /// Wait, then send the same request again with the same idempotency key.
    Retry {
        /// How long to wait, in seconds.
        seconds: u32,
    },
    /// Wait, then GET this URL, and pass the answer to [`Call::next`].
    Poll {
        /// The absolute URL; absent if it is the same as before.
        url: Option<&'b str>,
        /// How long to wait, in seconds.
        seconds: u32,
        /// Whether the credential of the plan may be sent there; if not, poll without it.
        credential: bool,
    },
    /// Refresh the token at this URL, then send the last request again. The last request may be a
    /// poll.
    Refresh {
        /// The absolute URL.
        url: &'b str,
    },
    /// Obtain a new credential as the decision describes, then send the last request again. The
    /// last request may be a poll.
    Token,
    /// Open a new session: plan again with [`Options::has_session`](super::Options::has_session)
    /// unset.
    Session,
    /// Do what the document says about this error. [`Recovery::retries`] refers to the last
    /// request, which may be a poll.
    Recover(Recovery<'a, 'b>),
    /// Nothing: the call has failed.
    Failed(Failure),
}

/// Why a call has failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Failure {
    /// The status is an error, and the document says nothing about it.
    Status,
    /// The answer is a redirect. It is not followed: a credential must not be sent elsewhere, and
    /// there is no decision about the other URL.
    Redirect,
    /// The asynchronous job has failed.
    Job,
    /// The request was sent too often.
    TooManyRetries,
    /// There was no result after 100 polls.
    TooManyPolls,
    /// The error remained after four recoveries.
    TooManyRecoveries,
}

impl Failure {
    /// The stable kebab-case name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Redirect => "redirect",
            Self::Job => "job",
            Self::TooManyRetries => "too-many-retries",
            Self::TooManyPolls => "too-many-polls",
            Self::TooManyRecoveries => "too-many-recoveries",
        }
    }
}

/// What a document says about an error (Agent Web Protocol section 10).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Recovery<'a, 'b> {
    /// The code of the error.
    pub code: Text<'a>,
    /// The recovery as written: prose.
    pub text: Text<'a>,
    /// The endpoint that the text names, as written, possibly with placeholders in braces.
    pub endpoint: Option<Text<'a>>,
    /// The endpoint as an absolute URL; absent if it has placeholders, or the site denies it.
    pub url: Option<&'b str>,
    /// The action that the text names.
    pub action: Option<Text<'a>>,
    /// The time to wait, in seconds.
    pub seconds: Option<u32>,
    /// Whether to send the request again afterwards.
    pub retries: bool,
}

/// The declared outputs of a capability, with their values in an answer. Iterates over the first 64
/// outputs.
#[derive(Clone, Copy, Debug)]
pub struct Outputs<'a, 'r> {
    outputs: List<'a, Output<'a>>,
    left: usize,
    types: Types<'a>,
    answer: Option<Value<'r>>,
}

/// An output in an answer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Outcome<'a, 'r> {
    /// Its name.
    pub name: Text<'a>,
    /// Its declared type, as written; absent if the document does not state it as text.
    pub kind: Option<Text<'a>>,
    /// The value in the answer; absent if it is missing or `null`.
    pub value: Option<Value<'r>>,
    /// Whether the value has the declared type; false if it is missing.
    pub is_typed: bool,
}

impl<'r> Outputs<'_, 'r> {
    /// The body of the answer, if it is JSON.
    pub const fn answer(&self) -> Option<Value<'r>> {
        self.answer
    }
}

impl<'a, 'r> Iterator for Outputs<'a, 'r> {
    type Item = Outcome<'a, 'r>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let output = self.outputs.next()?;
        let kind = expression(output.kind);
        let value = self.answer.and_then(|answer| member(answer, output.name));
        let declared = kind.and_then(|kind| TypeExpr::parse(kind).ok());
        let is_typed = value.is_some_and(|value| {
            declared.is_none_or(|kind| self.types.check_type(kind, value).is_ok())
        });
        Some(Outcome { name: output.name, kind, value, is_typed })
    }
}

/// The value of a member; the last one if the name is repeated. Absent if the value is `null`.
fn member<'r>(object: Value<'r>, name: Text<'_>) -> Option<Value<'r>> {
    let member = object.members().filter(|member| member.name == name).last();
    member.map(|member| member.value).filter(|value| !value.is_null())
}

pub(super) fn next<'a, 'r, 'b>(
    call: &mut Call,
    decision: &Decision<'a>,
    answer: &Answer<'_, 'r>,
    workspace: &mut Workspace,
    buffer: &'b mut [u8],
) -> Result<Next<'a, 'r, 'b>, Refusal<'a>> {
    let body = Value::parse(answer.body).ok();
    let mut reader = Reader { call, decision, chosen: decision.chosen(), answer, body, workspace };
    match answer.status {
        200..=299 => reader.succeeded(buffer),
        300..=399 => Ok(Next::Failed(Failure::Redirect)),
        _ => reader.failed(Failure::Status, buffer),
    }
}

struct Reader<'c, 'l, 'r, 'a> {
    call: &'c mut Call,
    decision: &'c Decision<'a>,
    chosen: Option<Chosen<'a, Capability<'a>>>,
    answer: &'c Answer<'l, 'r>,
    body: Option<Value<'r>>,
    workspace: &'c mut Workspace,
}

impl<'r, 'a> Reader<'_, '_, 'r, 'a> {
    fn succeeded<'b>(&mut self, buffer: &'b mut [u8]) -> Result<Next<'a, 'r, 'b>, Refusal<'a>> {
        if let Some(chosen) = self.chosen
            && chosen.entry.execution.is_some_and(|execution| execution.value == Execution::Async)
            && let Some(poll_url) = chosen.entry.poll_url
        {
            match self.job() {
                // The job has ended, and a recovery in the document would be for another attempt.
                Job::Failed if self.is_poll() => return Ok(Next::Failed(Failure::Job)),
                Job::Failed => return self.failed(Failure::Job, buffer),
                Job::Done => {}
                Job::Unknown if self.is_poll() => {}
                _ => return self.poll(&chosen, poll_url, buffer),
            }
        }
        (self.call.retries, self.call.is_renewed) = (0, false);
        let (outputs, entities) = match &self.chosen {
            Some(chosen) => {
                (chosen.entry.outputs, with_reading(chosen.document, |reading| reading.entities()))
            }
            None => (List::empty(), List::empty()),
        };
        Ok(Next::Done(Outputs {
            outputs,
            left: OUTPUTS,
            types: Types::of(entities, false),
            answer: self.body,
        }))
    }

    /// The state of the asynchronous job, according to the answer.
    fn job(&self) -> Job {
        if self.answer.status == 202 {
            return Job::Running;
        }
        let state = self
            .body
            .and_then(|body| body.get("status").or_else(|| body.get("state")))
            .and_then(Value::as_text);
        let is = |words: &[&str]| {
            state.is_some_and(|state| words.iter().any(|word| state.eq_ignore_case(word)))
        };
        if is(&RUNNING) {
            Job::Running
        } else if is(&["failed", "failure", "error", "cancelled", "canceled", "expired"]) {
            Job::Failed
        } else if is(&["completed", "complete", "done", "succeeded", "success", "finished"]) {
            Job::Done
        } else {
            Job::Unknown
        }
    }

    /// Whether this is the answer to a poll.
    const fn is_poll(&self) -> bool {
        self.call.polls > 0
    }

    fn poll<'b>(
        &mut self,
        chosen: &Chosen<'a, Capability<'a>>,
        poll_url: Text<'a>,
        buffer: &'b mut [u8],
    ) -> Result<Next<'a, 'r, 'b>, Refusal<'a>> {
        let usual = doubled(self.spacing(), self.call.polls).min(POLL_SECONDS);
        let seconds = self.retry_after().unwrap_or(usual);
        let url =
            if self.is_poll() { None } else { Some(self.put_poll_url(chosen, poll_url, buffer)?) };
        (self.call.retries, self.call.is_renewed) = (0, false);
        Ok(self.poll_after(seconds, url))
    }

    /// Asks for a poll after a number of seconds.
    fn poll_after<'b>(&mut self, seconds: u32, url: Option<&'b str>) -> Next<'a, 'r, 'b> {
        if self.call.polls >= POLLS {
            return Next::Failed(Failure::TooManyPolls);
        }
        self.call.polls = self.call.polls.saturating_add(1);
        Next::Poll { url, seconds, credential: self.call.polls_with_credential }
    }

    /// Writes the URL to poll, with its placeholders replaced by members of the answer. Records
    /// whether the credential may be sent there.
    fn put_poll_url<'b>(
        &mut self,
        chosen: &Chosen<'a, Capability<'a>>,
        poll_url: Text<'a>,
        buffer: &'b mut [u8],
    ) -> Result<&'b str, Refusal<'a>> {
        let rule = Some(chosen.rule(poll_url));
        let invalid = Refusal::of(Problem::InvalidEndpoint).with_rule(rule);
        if !has_whole_braces(poll_url) {
            return Err(invalid);
        }
        let operation = Operation {
            endpoint: poll_url,
            is_client: false,
            has_styles: false,
            ..Operation::of_client(List::empty())
        };
        let body = self.body.unwrap_or(Value::NULL);
        let names = placeholders(poll_url);
        let mut values = heapless::Vec::<(Text<'_>, ArgumentValue<'_>), 8>::new();
        for name in names {
            let value = member(body, name)
                .ok_or(Refusal::of(Problem::Placeholder).about(name).with_rule(rule))?;
            let is_again = values.iter().any(|(own, _)| *own == name);
            if !is_again && values.push((name, ArgumentValue::Json(value))).is_err() {
                return Err(invalid);
            }
        }
        let mut message = Message::open(operation);
        message
            .fill(values.iter().copied(), |_, _, _, _| true)
            .map_err(|_| Refusal::of(Problem::InvalidValue).with_rule(rule))?;
        let template = self
            .decision
            .resolve(chosen.document, poll_url, self.workspace)
            .filter(|url| url.is_http() && url.userinfo().is_none())
            .ok_or(invalid)?;
        let mut sink = SliceSink::new(buffer);
        message.put_url(template.as_str(), &mut sink);
        let url = written(sink.length(), buffer)?;
        let may_send = self
            .decision
            .credentials_at(url, GET, self.workspace)
            .map_err(|(reason, rule)| Refusal::of(Problem::Denied(reason)).with_rule(rule))?;
        self.call.polls_with_credential = may_send == Credentials::Allowed;
        let decision = self.decision;
        let is_needed = decision.auth().need == AuthNeed::Required || decision.session_required;
        if is_needed && !self.call.polls_with_credential {
            return Err(Refusal::of(Problem::UnsafeCredential(may_send)).with_rule(rule));
        }
        Ok(url)
    }

    fn failed<'b>(
        &mut self,
        failure: Failure,
        buffer: &'b mut [u8],
    ) -> Result<Next<'a, 'r, 'b>, Refusal<'a>> {
        if let Some((code, text)) = self.declared() {
            return self.recover(code, text, buffer);
        }
        Ok(match self.answer.status {
            401 => return self.renew(buffer),
            429 => self.retry(None),
            408 | 500 | 502 | 503 | 504 if self.may_repeat() => self.retry(None),
            _ => Next::Failed(failure),
        })
    }

    /// Whether it is safe to send the last request again, because it is repeatable or the server
    /// has rejected it. After 408 and 5xx, the server may have processed the request.
    const fn may_repeat(&self) -> bool {
        self.call.is_repeatable || self.is_poll() || !matches!(self.answer.status, 408 | 500..=599)
    }

    /// Asks for the last request to be sent again, after a number of seconds. The last request may
    /// be a poll.
    fn retry<'b>(&mut self, seconds: Option<u32>) -> Next<'a, 'r, 'b> {
        let retries = self.call.retries;
        if retries >= RETRIES {
            return Next::Failed(Failure::TooManyRetries);
        }
        self.call.retries = retries.saturating_add(1);
        let usual = seconds.unwrap_or_else(|| doubled(self.spacing(), retries));
        let seconds =
            self.retry_after().map_or(usual, |asked| asked.max(seconds.unwrap_or_default()));
        if self.is_poll() {
            return self.poll_after(seconds, None);
        }
        Next::Retry { seconds }
    }

    /// Asks for a new credential, once.
    fn renew<'b>(&mut self, buffer: &'b mut [u8]) -> Result<Next<'a, 'r, 'b>, Refusal<'a>> {
        if core::mem::replace(&mut self.call.is_renewed, true) {
            return Ok(Next::Failed(Failure::Status));
        }
        let auth = self.decision.auth();
        if let Some(refresh) = auth.refresh_url
            && let Some(length) = self.put_refresh(refresh, buffer)?
        {
            return Ok(Next::Refresh { url: written(length, buffer)? });
        }
        Ok(if self.decision.session_required {
            // The job belongs to the expired session, so a new session cannot poll it.
            if self.is_poll() {
                return Ok(Next::Failed(Failure::Status));
            }
            Next::Session
        } else if auth.need > AuthNeed::None {
            Next::Token
        } else {
            Next::Failed(Failure::Status)
        })
    }

    /// Writes the URL that refreshes a token, if the token may be sent there. Returns its length.
    fn put_refresh(
        &mut self,
        refresh: Text<'a>,
        buffer: &mut [u8],
    ) -> Result<Option<usize>, Refusal<'a>> {
        let related = self.decision.auth().refresh_relation;
        let is_own = related.is_some_and(|related| related.relation != Relation::Other);
        let document = self.chosen.map(|chosen| chosen.document);
        let Some(url) = document
            .filter(|_| is_own)
            .and_then(|document| self.decision.resolve(document, refresh, self.workspace))
            .filter(|url| url.is_secure() || url.is_loopback())
            .filter(|url| url.is_http() && url.userinfo().is_none() && url.host().is_ascii())
        else {
            return Ok(None);
        };
        let length = put_url(&url, buffer)?;
        let url = written(length, buffer)?;
        let is_denied = self.decision.denial(url, POST, self.workspace).is_some();
        Ok((!is_denied).then_some(length))
    }

    /// The code and the recovery of the error, if the document declares the error and a recovery
    /// for it.
    fn declared(&self) -> Option<(Text<'a>, Text<'a>)> {
        let (chosen, body) = (self.chosen?, self.body?);
        let errors = with_reading(chosen.document, |reading| reading.errors());
        let error = body.get("error");
        let first = body.get("errors").and_then(|all| all.elements().next());
        let places = [
            body.get("code"),
            body.get("error_code"),
            error,
            error.and_then(|error| error.get("code")),
            error.and_then(|error| error.get("type")),
            first,
            first.and_then(|error| error.get("code")),
        ];
        for code in places.into_iter().flatten().filter_map(Value::as_text) {
            let mut errors: List<'a, model::Recovery<'a>> = errors;
            let found = errors.find(|error| error.code == code);
            if let Some(found) = found {
                return Some((found.code, found.recovery?));
            }
        }
        None
    }

    /// Follows what the document says about an error.
    fn recover<'b>(
        &mut self,
        code: Text<'a>,
        text: Text<'a>,
        buffer: &'b mut [u8],
    ) -> Result<Next<'a, 'r, 'b>, Refusal<'a>> {
        let Some(chosen) = self.chosen else {
            return Ok(Next::Failed(Failure::Status));
        };
        let own = chosen.entry.id;
        let left = Cell::new(WORDS);
        let advice = Advice::read(text, |name| {
            own == Some(name) || {
                left.set(left.get().saturating_sub(1));
                left.get() > 0 && is_action(&chosen, name)
            }
        });
        let action = advice.action.filter(|action| own != Some(*action));
        let seconds = advice.seconds.map(|seconds| seconds.min(LONGEST));
        if let Some(endpoint) = advice.endpoint
            && self.decision.auth().refresh_url == Some(endpoint)
        {
            return self.renew(buffer);
        }
        let retries = advice.retries || advice.waits || advice.action.is_some() && action.is_none();
        if advice.endpoint.is_none() && action.is_none() && retries && self.may_repeat() {
            return Ok(self.retry(seconds));
        }
        if self.call.recoveries >= RECOVERIES {
            return Ok(Next::Failed(Failure::TooManyRecoveries));
        }
        self.call.recoveries = self.call.recoveries.saturating_add(1);
        let length = match advice.endpoint {
            Some(endpoint) => self.put_endpoint(&chosen, endpoint, buffer)?,
            None => None,
        };
        let url = match length {
            Some(length) => Some(written(length, buffer)?),
            None => None,
        };
        Ok(Next::Recover(Recovery {
            code,
            text,
            endpoint: advice.endpoint,
            url,
            action,
            seconds,
            retries: advice.retries && self.may_repeat(),
        }))
    }

    /// Writes the URL of an endpoint that a recovery names, if the site does not deny it. Returns
    /// its length.
    fn put_endpoint(
        &mut self,
        chosen: &Chosen<'a, Capability<'a>>,
        endpoint: Text<'a>,
        buffer: &mut [u8],
    ) -> Result<Option<usize>, Refusal<'a>> {
        if placeholders(endpoint).next().is_some() {
            return Ok(None);
        }
        let Some(url) = self
            .decision
            .resolve(chosen.document, endpoint, self.workspace)
            .filter(|url| url.is_http() && url.userinfo().is_none())
        else {
            return Ok(None);
        };
        let length = put_url(&url, buffer)?;
        let url = written(length, buffer)?;
        let is_denied = self.decision.denial(url, GET, self.workspace).is_some();
        Ok((!is_denied).then_some(length))
    }

    /// The wait that `Retry-After` asks for, in seconds (RFC 9110 section 10.2.3).
    fn retry_after(&self) -> Option<u32> {
        let header = self
            .answer
            .headers
            .iter()
            .find(|header| header.name.eq_ignore_ascii_case("Retry-After"))?;
        let value = trim(header.value.as_bytes());
        let seconds = grammar::number(value).or_else(|| {
            let date = http_date::read(value, self.answer.now)?;
            u32::try_from(date.saturating_sub(self.answer.now)).ok()
        })?;
        Some(seconds.min(LONGEST))
    }

    /// The seconds between two requests under the strictest rate limit; at least one.
    fn spacing(&mut self) -> u32 {
        let limit = self.decision.advisory_limit_with(self.workspace);
        let milliseconds = limit.and_then(|limit| {
            let window = limit.milliseconds?;
            Some(window / u64::from(limit.requests.max(1)))
        });
        let seconds = milliseconds.unwrap_or(1000).div_ceil(1000);
        u32::try_from(seconds).unwrap_or(LONGEST).clamp(1, LONGEST)
    }
}

/// The state of an asynchronous job.
enum Job {
    Running,
    Done,
    Failed,
    Unknown,
}

const RUNNING: [&str; 10] = [
    "pending",
    "queued",
    "running",
    "processing",
    "in_progress",
    "in-progress",
    "accepted",
    "started",
    "working",
    "scheduled",
];

/// Whether a name is the id of an action of the document.
fn is_action<'a>(chosen: &Chosen<'a, Capability<'a>>, name: Text<'a>) -> bool {
    with_reading(chosen.document, |reading| reading.capabilities())
        .any(|capability| capability.id == Some(name))
}

/// Doubles a time once for each attempt so far; at most a day.
fn doubled(seconds: u32, times: u8) -> u32 {
    let factor = 1_u32 << u32::from(times).min(16);
    seconds.saturating_mul(factor).min(LONGEST)
}

/// Writes a URL, and returns its length.
fn put_url<'a>(url: &Url<'_>, buffer: &mut [u8]) -> Result<usize, Refusal<'a>> {
    let mut sink = SliceSink::new(buffer);
    sink.put(url.as_str().as_bytes());
    let length = sink.length();
    written(length, buffer).map(|_| length)
}
