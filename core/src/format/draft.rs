//! The check that both notations of the Internet-Draft share, over the unified model.
//!
//! The texts of the model are slices of the document, so the model is enough to report positions:
//! [`Check::at`] returns the range of a value, [`Check::key`] that of its name. Only these two, and
//! the functions that they call, know the notation.
//!
//! Everything takes linear time except the search for duplicates and references, which sorts the
//! offsets of names in the scratch memory (`check/names.rs`), and the comparison of rules with
//! endpoints, which [`BUDGET`] limits.

mod positions;
mod required;
mod urls;

use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
pub(crate) use crate::format::check::Notation;
use crate::format::check::email::is_email;
use crate::format::check::method::is_token_octet;
use crate::format::check::names::{Gathered, Names};
use crate::format::check::urls::{Secure, elsewhere, is_elsewhere, is_url};
use crate::format::check::{self, REQUIRED_IS_EMPTY, method, timestamp};
use crate::format::report::Report;
use crate::model::{
    Access, AgentPolicy, AuthType, Capability, CapabilityAuth, Head, Kind, List, Location, Member,
    Parameter, Protocol, Reading, Service,
};
use crate::span::Span;
use crate::syntax::text::Text;
use crate::syntax::url::Url;
use required::Required;

/// The document to check, and what to compare it with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options<'o> {
    /// The notation of the document.
    pub(crate) notation: Notation,
    /// The range to report for something that the whole document lacks.
    pub(crate) top: Span,
    /// The origin of the document.
    pub(crate) origin: Option<&'o str>,
}

/// Checks a document. Compares names in `scratch`, which needs two numbers for each capability or
/// each agent, whichever are more. With fewer, it skips the comparison and reports that. Takes O(n
/// log n).
pub(crate) fn check<'a>(
    reading: &dyn Reading<'a>,
    bytes: &'a [u8],
    options: &Options<'_>,
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let head = reading.head();
    let service = reading.service();
    let mut buffer = None;
    let site = service
        .and_then(|service| service.url)
        .and_then(|text| Url::lazily(text, &mut buffer));
    let origin = options
        .origin
        .and_then(|origin| Url::parse(origin.as_bytes()));
    let access = reading.access();
    let mut check = Check {
        bytes,
        notation: options.notation,
        top: options.top,
        site,
        origin,
        access,
        budget: BUDGET,
        report,
    };
    check.head(reading, &head);
    check.service(reading, service);
    check.access(&head);
    let mut ids = Gathered::new(bytes, scratch);
    for capability in reading.capabilities() {
        if check.report.is_full() {
            return;
        }
        check.capability(&capability);
        capability.id.into_iter().for_each(|id| ids.add(id));
    }
    let mut agents = Agents::default();
    for agent in reading.agents() {
        if check.report.is_full() {
            return;
        }
        check.agent(&agent);
        agents.named = agents
            .named
            .saturating_add(usize::from(agent.name.is_some_and(|name| !name.is_empty())));
        agents.refer |= agent.capabilities.is_some();
    }
    let Some(ids) = ids.sort(options.notation, false) else {
        return check.not_checked();
    };
    check.ids(&ids, reading, &agents);
    check.agent_names(reading, &agents, scratch);
}

/// The maximum number of bytes of paths, patterns and the text between them that are compared. Real
/// documents need far less.
const BUDGET: usize = 1 << 26;

/// The advice for an unknown parameter location.
pub(crate) const LOCATION: &str =
    "{} is not a valid parameter location; use query, path, header or body";
/// The advice for an unknown parameter type.
pub(crate) const PARAMETER_TYPE: &str =
    "{} is not a valid parameter type; use string, integer, number or boolean";

/// True if a text is a valid parameter type.
pub(crate) fn is_parameter_type(text: Text<'_>) -> bool {
    ["string", "integer", "number", "boolean"]
        .iter()
        .any(|name| text.eq_ignore_case(name))
}

/// Reports an invalid rate limit, or one of zero. `requests` is the parsed number, `value` the
/// written value.
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
        check::rate_limit(Spec::InternetDraft, section, span, requests, message)
    {
        report.add(diagnostic.about(value));
    }
}

/// The result of the pass over all agent policies: shows if another pass is necessary.
#[derive(Default)]
struct Agents {
    /// The number of policies with a name.
    named: usize,
    /// True if a policy refers to capabilities.
    refer: bool,
}

struct Check<'r, 's, 'a, 'u> {
    bytes: &'a [u8],
    notation: Notation,
    top: Span,
    /// The URL of the site, and the origin of the document.
    site: Option<Url<'u>>,
    origin: Option<Url<'u>>,
    access: Access<'a>,
    budget: usize,
    report: &'r mut Report<'s, 'a>,
}

impl<'a> Check<'_, '_, 'a, '_> {
    /// The range of the list that was read from these bytes.
    fn at_list<T>(&self, list: &List<'a, T>) -> Span {
        let span = Span::of(list.bytes(), self.bytes);
        match (self.notation, self.byte_before(span.start)) {
            (Notation::Json, Some(b'[')) => {
                Span::new(span.start.saturating_sub(1), span.end.saturating_add(1))
            }
            _ => span,
        }
    }

    fn add(&mut self, code: Code, span: Span, section: &'static str, message: &'static str) {
        self.report.add(Diagnostic::new(
            code,
            span,
            Spec::InternetDraft,
            section,
            message,
        ));
    }

    fn about(&mut self, code: Code, text: Text<'a>, section: &'static str, message: &'static str) {
        let diagnostic =
            Diagnostic::new(code, self.at(text), Spec::InternetDraft, section, message);
        self.report.add(diagnostic.about(text));
    }

    fn warn(&mut self, code: Code, text: Text<'a>, section: &'static str, message: &'static str) {
        let diagnostic =
            Diagnostic::new(code, self.at(text), Spec::InternetDraft, section, message);
        self.report
            .add(diagnostic.with_severity(Severity::Warning).about(text));
    }

    /// The text if it is not empty. Reports an empty text; in the text notation the pass over the
    /// lines reports it.
    fn filled(&mut self, text: Option<Text<'a>>, section: &'static str) -> Option<Text<'a>> {
        let text = text?;
        if self.notation == Notation::Json || !text.is_empty() {
            return self.not_empty(text, section);
        }
        None
    }

    /// The same, and reports an empty text in both notations.
    fn not_empty(&mut self, text: Text<'a>, section: &'static str) -> Option<Text<'a>> {
        if !text.is_blank() {
            return Some(text);
        }
        let message = match self.notation {
            Notation::Text => "the value is empty; add one, or remove the line",
            Notation::Json => "the value is empty; add one, or remove the member",
        };
        self.add(Code::EmptyValue, self.at_empty(text), section, message);
        None
    }

    /// The range to report for an empty value.
    fn at_empty(&self, text: Text<'a>) -> Span {
        match self.notation {
            Notation::Text => self.key(self.at(text)),
            Notation::Json => self.at(text),
        }
    }

    /// The text of a required field if it is not empty; otherwise reports it, in both notations.
    /// The caller reports a value of the wrong type, which is in the metadata.
    fn required(
        &mut self,
        text: Option<Text<'a>>,
        name: Required,
        owner: Span,
        mut kept: List<'a, Member<'a>>,
    ) -> Option<Text<'a>> {
        let is_json = self.notation == Notation::Json;
        let (code, span, message) = match text {
            Some(text) if !text.is_blank() => return Some(text),
            Some(text) => (Code::EmptyValue, self.at_empty(text), REQUIRED_IS_EMPTY),
            None if is_json && kept.any(|member| member.name == name.in_json) => return None,
            None => (Code::MissingRequiredField, owner, name.message),
        };
        let subject = if is_json { name.in_json } else { name.in_text };
        let diagnostic = Diagnostic::new(code, span, Spec::InternetDraft, name.section, message);
        self.report.add(
            diagnostic
                .with_severity(Severity::Error)
                .about(Text::plain(subject.as_bytes())),
        );
        None
    }

    fn head(&mut self, reading: &dyn Reading<'a>, head: &Head<'a>) {
        let version = self.required(
            head.spec_version,
            required::SPEC_VERSION,
            self.top,
            reading.metadata(),
        );
        if let Some(version) = version.filter(|version| *version != "1.0") {
            self.about(
                Code::UnsupportedVersion,
                version,
                "2.3",
                "version {} is unknown; this specification is 1.0",
            );
        }
        if let Some(time) = self.filled(head.generated_at, "2.3")
            && !timestamp::is_iso_8601(time)
        {
            self.about(
                Code::InvalidTimestamp,
                time,
                "2.3",
                "{} is not a valid timestamp; use RFC 3339, for example 2026-02-01T00:00:00Z",
            );
        }
        if let Some(kind) = self.filled(head.kind.text, "2.3")
            && head.kind.value == Kind::Unknown
        {
            self.about(
                Code::InvalidValue,
                kind,
                "2.3",
                "{} is not a declaration type; use platform or agent",
            );
        }
        let mut platforms = reading.operates_on();
        if head.kind.value == Kind::Agent && platforms.is_empty() {
            let message = "the declaration of an agent should name the platforms on which it works; add `Operates-On`";
            self.add(Code::MissingRecommendedField, self.top, "2.3", message);
        }
        let mut first = true;
        for platform in &mut platforms {
            if head.kind.value == Kind::Platform && (first || self.notation == Notation::Text) {
                let key = self.key(self.at(platform));
                self.add(
                    Code::UnexpectedField,
                    key,
                    "2.3",
                    "only the declaration of an agent names platforms; remove this",
                );
            }
            first = false;
            if let Some(platform) = self.filled(Some(platform), "2.3") {
                self.url(platform, "2.3", Secure::NotAsked);
            }
        }
        if let Some(companion) = self.filled(head.companion, "3.2") {
            self.companion(companion);
        }
    }

    fn service(&mut self, reading: &dyn Reading<'a>, service: Option<Service<'a>>) {
        let Some(service) = service else {
            if self.notation == Notation::Json {
                self.required(None, required::SITE, self.top, reading.metadata());
            } else {
                self.required(None, required::SITE_NAME, self.top, List::empty());
                self.required(None, required::SITE_URL, self.top, List::empty());
            }
            return;
        };
        let owner = if self.notation == Notation::Json {
            self.at_owner(None, service.source)
        } else {
            self.top
        };
        self.required(service.name, required::SITE_NAME, owner, service.metadata);
        if let Some(url) = self.required(service.url, required::SITE_URL, owner, service.metadata) {
            let site = self.site;
            self.judge(url, site.as_ref(), "2.4", Secure::Http);
            if let (Some(site), Some(origin)) = (&self.site, &self.origin)
                && !site.is_same_origin(origin)
            {
                self.about(
                    Code::OriginMismatch,
                    url,
                    "2.4",
                    "the document is for {}, but it was fetched from another origin",
                );
            }
        }
        self.filled(service.description, "2.4");
        for contact in service.contact {
            if let Some(contact) = self.filled(Some(contact), "2.4") {
                self.contact(contact);
            }
        }
        if let Some(policy) = self.filled(service.privacy_policy, "2.4") {
            self.url(policy, "2.4", Secure::NotAsked);
        }
    }

    fn contact(&mut self, contact: Text<'a>) {
        if is_email(contact.chars()) {
            return;
        }
        if contact.starts_with_ignore_case("mailto:")
            && is_email(contact.chars().skip("mailto:".len()))
        {
            let diagnostic = Diagnostic::new(
                Code::NonstandardContact,
                self.at(contact),
                Spec::InternetDraft,
                "2.4",
                "{} is read as the address after `mailto:`; write only the address",
            );
            self.report
                .add(diagnostic.with_severity(Severity::Info).about(contact));
        } else if is_url(contact) {
            self.about(
                Code::NonstandardContact,
                contact,
                "2.4",
                "{} is a URL; use an email address",
            );
        } else {
            self.warn(
                Code::InvalidValue,
                contact,
                "2.4",
                "{} is not an email address; use one",
            );
        }
    }

    fn access(&mut self, head: &Head<'a>) {
        let access = self.access;
        if access.allow.is_empty() && access.disallow.is_empty() && head.kind.value != Kind::Agent {
            let message = "there are no access rules, so agents may only access the endpoints of capabilities; if this is not intended, add `Allow` or `Disallow`";
            self.add(Code::NoAccessRules, self.top, "2.6", message);
        }
        for pattern in access.allow.chain(access.disallow) {
            if self.report.is_full() {
                return;
            }
            if let Some(pattern) = self.filled(Some(pattern), "2.6")
                && !matches!(pattern.chars().next(), Some('/' | '*'))
            {
                let message = "{} matches nothing; a pattern begins with / or *";
                self.about(Code::PatternWithoutSlash, pattern, "2.6", message);
            }
        }
    }

    fn capability(&mut self, capability: &Capability<'a>) {
        let owner = self.at_owner(capability.id, capability.source);
        if let Some(id) = self.required(capability.id, required::ID, owner, capability.metadata)
            && !id.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-'))
        {
            self.about(
                Code::InvalidValue,
                id,
                "2.5",
                "{} is not a valid capability id; use only lower-case letters, digits and hyphens",
            );
        }
        let protocol = capability
            .protocol
            .map_or(Protocol::Unknown, |protocol| protocol.value);
        if let Some(text) = self.required(
            capability.protocol.and_then(|protocol| protocol.text),
            required::PROTOCOL,
            owner,
            capability.metadata,
        ) && !DRAFT_PROTOCOLS.contains(&protocol)
        {
            self.about(
                Code::InvalidValue,
                text,
                "2.5",
                "the specification does not define the protocol {}; use REST, MCP, A2A, GraphQL or WebSocket",
            );
        }
        if let Some(endpoint) = self.required(
            capability.endpoint,
            required::ENDPOINT,
            owner,
            capability.metadata,
        ) {
            let mut buffer = None;
            let url = Url::lazily(endpoint, &mut buffer);
            self.judge(endpoint, url.as_ref(), "2.5", Secure::Endpoint(protocol));
            if let Some(url) = url {
                if self
                    .site
                    .is_some_and(|site| is_elsewhere(site.host(), url.host()))
                {
                    self.report.add(elsewhere(endpoint, self.at(endpoint)));
                }
                self.own_rules(endpoint, &url);
            }
        }
        self.for_rest_only(capability, protocol);
        if let Some(method) = self.filled(capability.method, "2.5") {
            self.method(method);
        }
        if let Some(auth) = &capability.auth {
            self.auth(auth, owner);
        }
        self.filled(capability.description, "2.5");
        if let Some(openapi) = self.filled(capability.openapi, "2.5") {
            self.url(openapi, "2.5", Secure::NotAsked);
        }
        if self.notation == Notation::Json {
            for parameter in capability.parameters {
                self.parameter(&parameter);
            }
        }
    }

    /// `Method` and `Param` are fields of REST capabilities.
    fn for_rest_only(&mut self, capability: &Capability<'a>, protocol: Protocol) {
        if protocol == Protocol::Rest || !DRAFT_PROTOCOLS.contains(&protocol) {
            return;
        }
        let message = "this is only valid in a REST capability; remove it, or correct the protocol";
        if let Some(method) = capability.method {
            let key = self.key(self.at(method));
            self.add(Code::UnexpectedField, key, "2.5", message);
        }
        let lines = if self.notation == Notation::Text {
            usize::MAX
        } else {
            1
        };
        for parameter in capability.parameters.take(lines) {
            let key = self.key(Span::of(parameter.source, self.bytes));
            self.add(Code::UnexpectedField, key, "2.5", message);
        }
    }

    fn method(&mut self, text: Text<'a>) {
        if let Some((severity, message)) = method::judge(text) {
            let diagnostic = Diagnostic::new(
                Code::InvalidValue,
                self.at(text),
                Spec::InternetDraft,
                "2.5",
                message,
            );
            self.report
                .add(diagnostic.with_severity(severity).about(text));
        }
    }

    fn auth(&mut self, auth: &CapabilityAuth<'a>, owner: Span) {
        if let Some(kind) = self.filled(auth.kind.text, "2.5")
            && !auth
                .kind
                .as_str()
                .chars()
                .eq(kind.chars().map(|c| c.to_ascii_lowercase()))
        {
            let message = "{} is not a valid authentication type; use none, api-key, bearer-token, oauth2 or hmac";
            self.about(Code::InvalidValue, kind, "2.5", message);
        }
        let is_implied = auth.kind.text.is_none()
            && matches!(auth.kind.value, AuthType::BearerToken | AuthType::OAuth2);
        if is_implied {
            let span = auth
                .token_url
                .map_or_else(|| self.at_list(&auth.scopes), |url| self.at(url));
            let message = match auth.kind.value {
                AuthType::OAuth2 => {
                    "the authentication type is missing; oauth2 is assumed because of the scopes; add it"
                }
                _ => {
                    "the authentication type is missing; bearer-token is assumed because of the token endpoint; add it"
                }
            };
            self.add(Code::ImpliedAuth, span, "2.5", message);
        }
        if matches!(auth.kind.value, AuthType::BearerToken | AuthType::OAuth2) {
            let owner = if auth.source.is_empty() {
                owner
            } else {
                self.at_owner(None, auth.source)
            };
            self.required(
                auth.token_url,
                required::AUTH_ENDPOINT,
                owner,
                auth.metadata,
            );
        } else if let Some(url) = auth.token_url {
            self.not_empty(url, "2.5");
        }
        if let Some(url) = auth.token_url.filter(|url| !url.is_blank()) {
            self.url(url, "2.5", Secure::Http);
        }
        if let Some(docs) = self.filled(auth.docs_url, "2.5") {
            self.url(docs, "2.5", Secure::NotAsked);
        }
        if self.notation == Notation::Json {
            for scope in auth.scopes {
                self.filled(Some(scope), "2.5");
            }
        }
    }

    /// A parameter in JSON. (A `Param` line has a grammar of its own.)
    fn parameter(&mut self, parameter: &Parameter<'a>) {
        let owner = self.at_owner(None, parameter.source);
        self.required(
            parameter.name,
            required::PARAMETER_NAME,
            owner,
            parameter.metadata,
        );
        if let Some(location) = self.required(
            parameter.location.and_then(|location| location.text),
            required::PARAMETER_IN,
            owner,
            parameter.metadata,
        ) && parameter.location.map(|location| location.value) == Some(Location::Unknown)
        {
            self.about(Code::InvalidValue, location, "2.5", LOCATION);
        }
        if let Some(kind) = self.required(
            parameter.kind,
            required::PARAMETER_KIND,
            owner,
            parameter.metadata,
        ) && !is_parameter_type(kind)
        {
            self.about(Code::InvalidValue, kind, "2.5", PARAMETER_TYPE);
        }
        self.filled(parameter.description, "2.5");
    }

    fn agent(&mut self, agent: &AgentPolicy<'a>) {
        // If policies are in an array, each must name its agent.
        if let Some(name) = self.required(
            agent.name,
            required::AGENT_NAME,
            self.at_owner(None, agent.source),
            agent.metadata,
        ) {
            self.agent_name(name);
        }
        if let Some(declaration) = self.filled(agent.declaration, "2.7") {
            self.url(declaration, "2.7", Secure::NotAsked);
        }
        if self.notation == Notation::Json {
            for id in agent.capabilities.into_iter().flatten() {
                self.filled(Some(id), "2.7");
            }
        }
    }

    fn agent_name(&mut self, name: Text<'a>) {
        let is_part = |c: char| {
            c != '*' && !u8::try_from(c).is_ok_and(|byte| byte.is_ascii() && !is_token_octet(byte))
        };
        let mut product = name.chars().take_while(|c| *c != '/').peekable();
        if product.peek().is_none() {
            let message = "{} names no agent, so it could be for any agent; write the name before the version";
            self.about(Code::InvalidValue, name, "2.7", message);
        } else if name != "*" && !product.all(is_part) {
            let message =
                "{} matches no agent; use the first word of its User-Agent, or * for all agents";
            self.warn(Code::InvalidValue, name, "2.7", message);
        }
    }

    /// Duplicate ids, and references to capabilities.
    fn ids(&mut self, ids: &Names<'_, 'a>, reading: &dyn Reading<'a>, agents: &Agents) {
        for id in ids.repeated() {
            self.about(
                Code::DuplicateId,
                id,
                "2.5",
                "the id {} is used by an earlier capability; ids must be unique",
            );
        }
        if agents.refer && !ids.is_empty() {
            for agent in reading.agents() {
                for id in agent
                    .capabilities
                    .into_iter()
                    .flatten()
                    .filter(|id| !id.is_empty())
                {
                    if self.report.is_full() {
                        return;
                    }
                    if !ids.contains(id) {
                        self.about(
                            Code::UnknownReference,
                            id,
                            "2.7",
                            "no capability has the id {}; declare it, or correct the reference",
                        );
                    }
                }
            }
        }
    }

    /// Policies for one agent.
    fn agent_names(&mut self, reading: &dyn Reading<'a>, agents: &Agents, scratch: &mut [u32]) {
        // A single policy has no duplicate, if there is memory for it.
        if agents.named <= usize::from(scratch.len() >= 2) {
            return;
        }
        let agents = reading.agents().filter_map(|agent| agent.name);
        let Some(agents) = Names::sort(agents, self.bytes, self.notation, true, scratch) else {
            return self.not_checked();
        };
        for name in agents.repeated() {
            self.about(
                Code::DuplicateAgent,
                name,
                "2.7",
                "there is an earlier policy for {}, and only the last one counts; keep one",
            );
        }
    }

    fn not_checked(&mut self) {
        let message = "duplicate names and references were not checked, because the scratch buffer is too small; provide two numbers for each name";
        self.report.add(Diagnostic::new(
            Code::NotChecked,
            self.top,
            Spec::Ruling,
            "",
            message,
        ));
    }
}

/// The protocols that the draft defines.
const DRAFT_PROTOCOLS: [Protocol; 5] = [
    Protocol::Rest,
    Protocol::Mcp,
    Protocol::A2a,
    Protocol::GraphQl,
    Protocol::WebSocket,
];
