//! The check of a capability: what its protocol, method and authentication need from each other.

use super::*;
use crate::diagnostic::{Code, Spec};
use crate::format::draft::vocabulary::AuthObject;
use crate::model::{AuthType, Capability, CapabilityAuth, Choice, Protocol};
use crate::rules::report::Report;
use crate::rules::urls::{Secure, elsewhere, is_elsewhere, judge_read};
use crate::rules::{self, method};

/// Reports a rate limit that is invalid or zero. `requests` is the parsed number, `value` the value
/// as written.
pub(crate) fn rate_limit<'a>(
    report: &mut Report<'_, 'a>,
    notation: Notation,
    span: Span,
    value: Text<'a>,
    requests: Option<u32>,
    section: &'static str,
) {
    let message = match notation {
        Notation::Text => {
            "{} is not a valid rate limit; write a number and a window, for example 60/minute"
        }
        Notation::Json => {
            "{} is not a valid rate limit; write a number and a window, for example {\"requests\": 60, \"window\": \"minute\"}"
        }
    };
    if let Some(diagnostic) =
        rules::rate_limit(Spec::InternetDraft, section, span, requests, message)
    {
        report.add(diagnostic.about(value));
    }
}

impl<'a> Whole<'_, '_, '_, 'a, '_> {
    pub(super) fn capability(&mut self, capability: &Capability<'a>) {
        let protocol = capability.protocol.map_or(Protocol::Unknown, |protocol| protocol.value);
        if let Some(endpoint) = filled(capability.endpoint) {
            let mut buffer = None;
            let url = Url::lazily(endpoint, &mut buffer);
            if let Some(finding) = judge_read(url.as_ref(), Secure::Endpoint(protocol)) {
                self.check.finding(finding, endpoint, "2.5");
            }
            if let Some(url) = url {
                if self.site.is_some_and(|site| is_elsewhere(site.host(), url.host())) {
                    self.check.report.add(elsewhere(endpoint, self.check.at(endpoint)));
                }
                self.own_rules(endpoint, &url);
            }
        }
        if let Some(method) = filled(capability.method)
            && let Some((severity, message)) = method::judge(method)
        {
            self.check.graded(Code::InvalidValue, severity, method, "2.5", message);
        }
        if let Some(auth) = &capability.auth {
            self.auth(auth, self.owner(capability));
        }
    }

    /// Returns the range to report for what a capability lacks: its id in text, its opening brace
    /// in JSON.
    fn owner(&self, capability: &Capability<'a>) -> Span {
        match (self.check.notation, capability.id) {
            (Notation::Text, Some(id)) => self.check.at(id),
            _ => self.brace(capability.source),
        }
    }

    fn brace(&self, object: &[u8]) -> Span {
        Span::of(object.get(..1).unwrap_or_default(), self.check.bytes)
    }

    fn auth(&mut self, auth: &CapabilityAuth<'a>, owner: Span) {
        let owner = if auth.source.is_empty() { owner } else { self.brace(auth.source) };
        let names = &AuthObject::MEMBERS;
        if auth.kind == Choice::unreadable() && !auth.source.is_empty() {
            self.lacks(IN_AUTH, &names.kind, owner, auth.metadata);
        }
        let needs_token = needs_token(auth.kind.value);
        if needs_token && auth.kind.text.is_none() {
            // The text between the brackets of a list has the position of a text in quotation marks.
            let reason = auth.token_url.unwrap_or(Text::plain(auth.scopes.bytes()));
            let is_token = auth.kind.value == AuthType::BearerToken;
            let say = if is_token { IMPLIED_TOKEN } else { IMPLIED_OAUTH2 };
            self.say_at(say, self.check.at(reason));
        }
        if needs_token && auth.token_url.is_none() {
            self.lacks(NO_TOKEN_URL, &names.token_endpoint, owner, auth.metadata);
        }
        let secures = filled(auth.token_url).is_some() || !auth.scopes.is_empty();
        if let Some(none) = auth.kind.text.filter(|_| auth.kind.value == AuthType::None)
            && secures
        {
            self.say(UNUSED_AUTH, none);
        }
    }
}
