//! The next step of a call.

use super::arguments::{Arguments, refusal};
use super::types::Types;
use super::{Client, Credential, First, Key, Open, Options, Plan, Problem, Refusal, Request, Step};
use crate::document::with_reading;
use crate::format::Format;
use crate::format::adp::resolve::append;
use crate::format::adp::{ArgumentValue, Ends};
use crate::message::{Media, Message, Operation, constants};
use crate::model::{
    AuthType, Capability, Choice, Endpoint, Execution, List, Location, Protocol, Raw, Transport,
};
use crate::policy::{AuthNeed, Chosen, Credentials, Decision, Reason, Rule, Workspace};
use crate::rules::method::is_value;
use crate::rules::values::duration_seconds;
use crate::scan;
use crate::sink::{Sink, SliceSink};
use crate::syntax::template::{has_whole_braces, placeholders};
use crate::syntax::text::Text;
use crate::syntax::url::{self, Url};

pub(super) const GET: Text<'static> = Text::plain(b"GET");
pub(super) const POST: Text<'static> = Text::plain(b"POST");

/// Plans a call.
pub(super) fn plan<'v, 'a: 'v, 'b>(
    decision: &Decision<'a>,
    arguments: &'v [u8],
    options: &Options<'v>,
    workspace: &mut Workspace,
    buffer: &'b mut [u8],
) -> Result<Plan<'a, 'b>, Refusal<'v>> {
    let mut given = Arguments::none();
    // An argument can determine the host of the service. Then the decision is made again with that
    // host.
    let filled = match decision.manifest().and_then(|manifest| manifest.top.base_url) {
        Some(base) if decision.reason == Reason::InvalidEndpoint && is_template(base) => {
            let mut buffer = [0; url::BUFFER];
            given.read(arguments)?;
            let base = given.fill_host(base, &mut buffer)?;
            decision.with_base(base, workspace)
        }
        _ => None,
    };
    let decision = filled.as_ref().unwrap_or(decision);
    if !decision.allowed {
        return Err(Refusal::of(Problem::Denied(decision.reason)).with_rule(decision.rule));
    }
    if given.is_empty() {
        given.read(arguments)?;
    }
    let planner = Planner { decision, options };
    if let Some(chosen) = decision.chosen() {
        return planner.capability(&chosen, &mut given, workspace, buffer);
    }
    let gateway = decision.gateway(workspace).ok_or(Refusal::of(Problem::NoCapability))?;
    planner.gateway(&gateway, &given, workspace, buffer)
}

/// Whether a URL has placeholders.
fn is_template(text: Text<'_>) -> bool {
    placeholders(text).next().is_some()
}

/// An endpoint of another protocol.
#[derive(Clone, Copy)]
struct Link<'a> {
    protocol: Choice<'a, Protocol>,
    url: Text<'a>,
    transport: Option<Choice<'a, Transport>>,
    version: Option<Text<'a>>,
    tenant: Option<Text<'a>>,
    operation: Option<Text<'a>>,
    openapi: Option<Text<'a>>,
    /// The method, if an OpenAPI description states how to send the arguments.
    method: Option<Text<'a>>,
}

pub(super) struct Planner<'p, 'v, 'a> {
    pub(super) decision: &'p Decision<'a>,
    pub(super) options: &'p Options<'v>,
}

impl<'v, 'a: 'v> Planner<'_, 'v, 'a> {
    fn capability<'b>(
        &self,
        chosen: &Chosen<'a, Capability<'a>>,
        arguments: &mut Arguments<'v>,
        workspace: &mut Workspace,
        buffer: &'b mut [u8],
    ) -> Result<Plan<'a, 'b>, Refusal<'v>> {
        let capability = &chosen.entry;
        let mut plan = self.empty(chosen.index);
        if self.decision.is_ambiguous(chosen) {
            let rule = capability.id.map(|id| chosen.rule(id));
            return Err(Refusal::of(Problem::AmbiguousId).with_rule(rule));
        }
        if self.needs_document(chosen) {
            plan.step = Step::First(self.document(chosen, arguments, workspace, buffer)?);
            return Ok(plan);
        }
        let action = self.action()?;
        let link = self.link(chosen, arguments.is_empty());
        let entities = with_reading(chosen.document, |reading| reading.entities());
        let types = Types::of(entities, chosen.document.is(Format::AdpCapability));
        if self.options.from_text {
            arguments.read_texts(capability.parameters);
        }
        arguments.add_outputs(chosen, self.options.done, &types);
        let operation = self.operation(chosen, link.is_some())?;
        let mut message = Message::open(operation);
        let placed = arguments.place(&mut message, &types, chosen);
        plan.idempotency = self.add_key(&mut message, capability)?;
        plan.is_async =
            capability.execution.is_some_and(|execution| execution.value == Execution::Async);
        let is_sent = plan.idempotency.is_some_and(|key| key.is_sent);
        plan.is_repeatable = is_sent || link.is_none() && is_idempotent(operation.method);
        if let Some(action) = action {
            return self.before(action, plan, (&message, placed), chosen, workspace, buffer);
        }
        placed?;
        match link {
            Some(link) => self.finish_client(plan, &link, &message, chosen, workspace, buffer),
            None => self.finish_http(plan, &message, chosen, workspace, buffer),
        }
    }

    fn gateway<'b>(
        &self,
        chosen: &Chosen<'a, Endpoint<'a>>,
        arguments: &Arguments<'v>,
        workspace: &mut Workspace,
        buffer: &'b mut [u8],
    ) -> Result<Plan<'a, 'b>, Refusal<'v>> {
        let types = Types::of(List::empty(), false);
        let mut message = Message::open(Operation::of_client(List::empty()));
        arguments.place(&mut message, &types, chosen)?;
        let link = Link { operation: None, ..Link::of(&chosen.entry) };
        let plan = self.empty(chosen.index);
        self.finish_client(plan, &link, &message, chosen, workspace, buffer)
    }

    /// A plan without a step.
    fn empty<'b>(&self, document: usize) -> Plan<'a, 'b> {
        Plan {
            step: Step::First(First::Confirmation),
            human: self.decision.human,
            credential: None,
            idempotency: None,
            is_repeatable: false,
            is_async: false,
            document,
        }
    }

    /// Whether another document describes the capability.
    fn needs_document(&self, chosen: &Chosen<'a, Capability<'a>>) -> bool {
        let capability = &chosen.entry;
        match chosen.document.format() {
            Format::Adp => capability.detail_url.is_some(),
            Format::AgentsTxt01 => capability.endpoint.is_none(),
            _ => false,
        }
    }

    /// Writes the URL of the document that describes the capability.
    fn document<'b>(
        &self,
        chosen: &Chosen<'a, Capability<'a>>,
        arguments: &Arguments<'v>,
        workspace: &mut Workspace,
        buffer: &'b mut [u8],
    ) -> Result<First<'a, 'b>, Refusal<'v>> {
        let none = Refusal::of(Problem::NoEndpoint);
        if let Some(manifest) = chosen.document.adp() {
            let detail = chosen.entry.detail_url.ok_or(none)?;
            let template = manifest.top.base_url.filter(|base| is_template(*base));
            let resolved = match template {
                Some(base) => self.detail_at(base, detail, arguments, workspace, buffer),
                None => manifest.resolve_detail_url(detail, buffer).map_err(refusal),
            };
            let url = resolved.map_err(|refusal| match refusal.rule {
                None => refusal.with_rule(Some(chosen.rule(detail))),
                Some(_) => refusal,
            })?;
            return self.described(url, chosen.rule(detail), workspace);
        }
        let companion = chosen.document.companion_url().ok_or(none)?;
        let mut sink = SliceSink::new(buffer);
        if companion.is_default() {
            put(companion.base, &mut sink);
            sink.put(companion.path.as_bytes());
        } else {
            let url =
                self.decision.resolve(chosen.document, companion.base, workspace).ok_or(none)?;
            sink.put(url.as_str().as_bytes());
        }
        let url = written(sink.length(), buffer)?;
        self.described(url, chosen.rule(companion.base), workspace)
    }

    /// Writes the URL of a detail if arguments determine a part of the host. Afterwards, the
    /// workspace resolves references with that host.
    fn detail_at<'b>(
        &self,
        base: Text<'a>,
        detail: Text<'a>,
        arguments: &Arguments<'v>,
        workspace: &mut Workspace,
        buffer: &'b mut [u8],
    ) -> Result<&'b str, Refusal<'v>> {
        let invalid = Refusal::of(Problem::InvalidEndpoint);
        let (mut place, mut decoded) = ([0; url::BUFFER], [0; url::BUFFER]);
        let base = arguments.fill_host(base, &mut place)?;
        let detail = detail.decode(&mut decoded).map_err(|_| invalid)?;
        self.decision.with_base(base, workspace).ok_or(invalid)?;
        let base = Url::parse(base.0.as_bytes()).filter(Url::is_http).ok_or(invalid)?;
        append(&base, detail, buffer).map_err(refusal)
    }

    /// The document to fetch. Refuses a URL that is neither on the site nor approved.
    fn described<'b>(
        &self,
        url: &'b str,
        rule: Rule<'a>,
        workspace: &mut Workspace,
    ) -> Result<First<'a, 'b>, Refusal<'v>> {
        match self.decision.unread_from(url, workspace) {
            None => Ok(First::Document { url }),
            Some(reason) => Err(Refusal::of(Problem::Denied(reason)).with_rule(Some(rule))),
        }
    }

    /// The endpoint of another protocol through which a capability is called; `None` for plain
    /// HTTP.
    fn link(&self, chosen: &Chosen<'a, Capability<'a>>, is_bare: bool) -> Option<Link<'a>> {
        let capability = &chosen.entry;
        if let Some(via) = capability.via {
            let endpoint = Decision::protocol(chosen.document, via)?;
            return Some(Link { operation: capability.operation, ..Link::of(&endpoint) });
        }
        let link = |protocol| Link {
            protocol,
            url: capability.endpoint.unwrap_or_default(),
            transport: None,
            version: None,
            tenant: None,
            operation: capability.operation,
            openapi: capability.openapi,
            method: None,
        };
        match capability.protocol {
            Some(protocol) if protocol.value != Protocol::Rest => Some(link(protocol)),
            // Only the OpenAPI description states where these arguments are sent.
            _ if capability.openapi.is_some() && !is_bare && capability.parameters.is_empty() => {
                Some(Link {
                    method: Some(capability.method.unwrap_or(GET)),
                    ..link(Choice::implied(Protocol::OpenApi))
                })
            }
            _ => None,
        }
    }

    /// The operation that the document describes.
    fn operation(
        &self,
        chosen: &Chosen<'a, Capability<'a>>,
        is_client: bool,
    ) -> Result<Operation<'a>, Refusal<'v>> {
        let capability = &chosen.entry;
        let detail = chosen.document.adp_capability();
        let sends_defaults = chosen.document.is(Format::Awp);
        if is_client {
            return Ok(Operation { sends_defaults, ..Operation::of_client(capability.parameters) });
        }
        let endpoint = capability.endpoint.filter(|endpoint| !endpoint.is_empty());
        if let Some(endpoint) = endpoint.filter(|endpoint| !has_whole_braces(*endpoint)) {
            let refusal = Refusal::of(Problem::InvalidEndpoint);
            return Err(refusal.with_rule(Some(chosen.rule(endpoint))));
        }
        if let (Some(manifest), Some(detail)) = (self.decision.manifest(), &detail) {
            return manifest.operation(detail).map_err(refusal);
        }
        let is_undeclared = self.options.undeclared && capability.parameters.is_empty();
        Ok(Operation {
            method: capability.method.unwrap_or(GET),
            endpoint: endpoint.ok_or(Refusal::of(Problem::NoEndpoint))?,
            base: Text::EMPTY,
            parameters: capability.parameters,
            media: detail.as_ref().map_or(Media::JSON, Media::of),
            carrier: self.decision.auth().header.unwrap_or_default(),
            queries: &["GET", "HEAD"],
            sends_defaults,
            takes_any: is_undeclared,
            is_client: false,
            has_styles: chosen.document.is(Format::OpenApi),
        })
    }

    /// Adds the idempotency key to the message, if the document names a field for it.
    fn add_key(
        &self,
        message: &mut Message<'v, 'a>,
        capability: &Capability<'a>,
    ) -> Result<Option<Key<'a>>, Refusal<'v>> {
        let declared =
            capability.idempotency.filter(|idempotency| idempotency.supported != Some(false));
        let Some((idempotency, field)) =
            declared.and_then(|own| Some((own, own.key_field.filter(|field| !field.is_empty())?)))
        else {
            return Ok(None);
        };
        // A default value is the same for every call, so it is not a key.
        let own = message.argument(field);
        let mut is_sent = own.is_some_and(|key| key.chars().any(|c| c != ' '));
        if let Some(key) = self.options.idempotency_key
            && own.is_none()
        {
            if key.trim().is_empty() {
                return Err(Refusal::of(Problem::InvalidValue).about(field));
            }
            let is_header = ["Idempotency-Key", "X-Idempotency-Key"]
                .iter()
                .any(|name| field.eq_ignore_case(name));
            let location = is_header.then_some(Location::Header);
            if is_header && !is_value(Text::plain(key.as_bytes())) {
                return Err(Refusal::of(Problem::InvalidValue).about(field));
            }
            is_sent = message.add(field, ArgumentValue::Text(key), location);
        }
        Ok(Some(Key {
            field,
            window_seconds: idempotency.window.and_then(duration_seconds),
            is_sent,
        }))
    }

    /// What has to happen before the request, apart from a confirmation. Sets the credential of the
    /// plan.
    pub(super) fn first<'b, T>(
        &self,
        plan: &mut Plan<'a, 'b>,
        chosen: &Chosen<'a, T>,
        workspace: &mut Workspace,
        buffer: &mut [u8],
    ) -> Result<Option<FirstAt>, Refusal<'v>> {
        let decision = self.decision;
        let (auth, may_send) = (decision.auth(), decision.credentials);
        let is_safe = may_send == Credentials::Allowed;
        let is_needed = auth.need == AuthNeed::Required || decision.session_required;
        if is_needed && !is_safe {
            return Err(Refusal::of(Problem::UnsafeCredential(may_send)));
        }
        if auth.need == AuthNeed::Required && !self.options.has_credential {
            return Ok(Some(FirstAt::Token));
        }
        if auth.need > AuthNeed::None && is_safe && self.options.has_credential {
            plan.credential = Some(Credential {
                is_session: false,
                need: auth.need,
                kind: auth.kind,
                header: auth.header,
                prefix: auth.prefix,
            });
        }
        if let Some(session) = decision.session() {
            if !self.options.has_session {
                let (length, may_send) =
                    self.put_session(session.create, chosen, workspace, buffer)?;
                plan.credential = plan.credential.filter(|_| may_send == Credentials::Allowed);
                if auth.need == AuthNeed::Required && plan.credential.is_none() {
                    return Err(Refusal::of(Problem::UnsafeCredential(may_send)));
                }
                return Ok(Some(FirstAt::Session(length, session.ttl_seconds)));
            }
            if plan.credential.is_none() {
                plan.credential = Some(Credential {
                    is_session: true,
                    need: AuthNeed::Required,
                    kind: Choice::implied(AuthType::BearerToken),
                    header: Some(Text::plain(b"Authorization")),
                    prefix: Text::plain(b"Bearer"),
                });
            }
        }
        Ok(None)
    }

    /// Writes the URL that opens a session. Returns its length, and whether credentials may be sent
    /// there.
    fn put_session<T>(
        &self,
        create: Text<'a>,
        chosen: &Chosen<'a, T>,
        workspace: &mut Workspace,
        buffer: &mut [u8],
    ) -> Result<(usize, Credentials), Refusal<'v>> {
        let mut sink = SliceSink::new(buffer);
        let url =
            self.decision.resolve(chosen.document, create, workspace).filter(Url::is_http).ok_or(
                Refusal::of(Problem::InvalidEndpoint).with_rule(Some(chosen.rule(create))),
            )?;
        sink.put(url.as_str().as_bytes());
        let length = sink.length();
        let url = written(length, buffer)?;
        let may_send = self
            .decision
            .credentials_at(url, POST, workspace)
            .map_err(|(reason, rule)| Refusal::of(Problem::Denied(reason)).with_rule(rule))?;
        Ok((length, may_send))
    }

    /// Refuses a URL that the site denies.
    fn ask(
        &self,
        url: &str,
        message: &Message<'v, 'a>,
        workspace: &mut Workspace,
    ) -> Result<(), Refusal<'v>> {
        let method = message.operation.method;
        match self.decision.denial_of_own(url, method, workspace) {
            None => Ok(()),
            // The decision does not know that the URL is the endpoint with a value for `:name`.
            Some((Reason::OtherOrigin, _)) if message.fills_segments() => Ok(()),
            Some((reason, rule)) => Err(Refusal::of(Problem::Denied(reason)).with_rule(rule)),
        }
    }

    /// Adds the argument that makes the URL invalid to the refusal.
    fn with_argument(
        mut denial: Refusal<'v>,
        message: &Message<'v, 'a>,
        workspace: &mut Workspace,
        buffer: &mut [u8],
    ) -> Refusal<'v> {
        if denial.problem == Problem::Denied(Reason::InvalidUrl) {
            denial.argument =
                message.at_fault(buffer, |path| Decision::refuses_path(path, workspace));
        }
        denial
    }

    /// Writes the HTTP request, unless something has to happen first.
    fn finish_http<'b>(
        &self,
        mut plan: Plan<'a, 'b>,
        message: &Message<'v, 'a>,
        chosen: &Chosen<'a, Capability<'a>>,
        workspace: &mut Workspace,
        buffer: &'b mut [u8],
    ) -> Result<Plan<'a, 'b>, Refusal<'v>> {
        if let Some(first) = self.first(&mut plan, chosen, workspace, buffer)? {
            plan.step = Step::First(first.read(self.decision, buffer));
            return Ok(plan);
        }
        let operation = &message.operation;
        let endpoint = operation.endpoint;
        let invalid = Refusal::of(Problem::InvalidEndpoint).with_rule(Some(chosen.rule(endpoint)));
        let mut sink = SliceSink::new(buffer);
        let template = self
            .decision
            .resolve(chosen.document, endpoint, workspace)
            .filter(|url| url.is_http() && url.userinfo().is_none())
            .ok_or(invalid)?;
        if let Some(name) = message.open_placeholder() {
            let refusal = Refusal::of(Problem::Placeholder).about(name);
            return Err(refusal.with_rule(Some(chosen.rule(name))));
        }
        let (method, url) = message.put_start(template.as_str(), &mut sink);
        let detail = chosen.document.adp_capability();
        let example = self.decision.manifest().zip(detail);
        let example = example.filter(|_| self.options.constant_headers);
        let constants = example.iter().flat_map(|(manifest, detail)| constants(manifest, detail));
        let headers = message.put_rest(constants, &mut sink).map_err(refusal)?;
        let end = sink.length();
        let ends = Ends { method, url, headers, end };
        let front = template.as_str().as_bytes();
        let is_same_path = buffer.get(method..url).is_some_and(|url| url.starts_with(front));
        let is_template = is_same_path && url.saturating_sub(method) == front.len();
        written(end, buffer)?;
        // Arguments have changed the URL, so a rule of the site may deny it.
        if !is_same_path || !is_template && self.decision.asks_query() {
            let url = buffer.get(method..url).and_then(scan::text);
            let denial = self.ask(url.unwrap_or_default(), message, workspace);
            if let Err(denial) = denial {
                return Err(Self::with_argument(denial, message, workspace, buffer));
            }
        }
        let request = Request::of(buffer, &ends, message.has_body());
        plan.step = self.confirmed(Step::Http(request));
        Ok(plan)
    }

    /// Writes the operation for a client of another protocol, unless something has to happen first.
    fn finish_client<'b, T>(
        &self,
        mut plan: Plan<'a, 'b>,
        link: &Link<'a>,
        message: &Message<'v, 'a>,
        chosen: &Chosen<'a, T>,
        workspace: &mut Workspace,
        buffer: &'b mut [u8],
    ) -> Result<Plan<'a, 'b>, Refusal<'v>> {
        if let Some(first) = self.first(&mut plan, chosen, workspace, buffer)? {
            plan.step = Step::First(first.read(self.decision, buffer));
            return Ok(plan);
        }
        let missing = Refusal::of(Problem::NoEndpoint);
        if link.url.is_empty() {
            return Err(missing);
        }
        let mut sink = SliceSink::new(buffer);
        let url = self
            .decision
            .resolve(chosen.document, link.url, workspace)
            .ok_or(Refusal::of(Problem::InvalidEndpoint).with_rule(Some(chosen.rule(link.url))))?;
        sink.put(url.as_str().as_bytes());
        let url = sink.length();
        let own = self.options.operation.map(|name| Text::plain(name.as_bytes()));
        let name = link.operation.filter(|name| !name.is_empty()).or(own);
        let operation = put(name.unwrap_or_default(), &mut sink);
        let method = put(link.method.unwrap_or_default(), &mut sink);
        message.put_object(&mut sink);
        let end = sink.length();
        written(end, buffer)?;
        let text = |start: usize, end: usize| {
            scan::text(buffer.get(start..end).unwrap_or_default()).unwrap_or_default()
        };
        plan.step = self.confirmed(Step::Client(Client {
            protocol: link.protocol,
            url: text(0, url),
            transport: link.transport,
            version: link.version,
            tenant: link.tenant,
            operation: name.map(|_| text(url, operation)),
            openapi: link.openapi,
            method: link.method.map(|_| text(operation, method)),
            arguments: text(method, end),
        }));
        Ok(plan)
    }

    /// The step, or [`First::Confirmation`] if a person must confirm it first.
    pub(super) fn confirmed<'b>(&self, step: Step<'a, 'b>) -> Step<'a, 'b> {
        if self.decision.human.confirmation > self.options.confirmed {
            Step::First(First::Confirmation)
        } else {
            step
        }
    }
}

/// What has to happen first. A session has the length of its URL in the buffer, and its lifetime in
/// seconds.
pub(super) enum FirstAt {
    Token,
    Session(usize, u32),
}

impl FirstAt {
    fn read<'a, 'b>(self, decision: &Decision<'a>, buffer: &'b [u8]) -> First<'a, 'b> {
        match self {
            Self::Token => First::Token(*decision.auth()),
            Self::Session(length, ttl_seconds) => First::Session(Open {
                method: "POST",
                url: scan::text(buffer.get(..length).unwrap_or_default()).unwrap_or_default(),
                ttl_seconds,
            }),
        }
    }
}

impl<'a> Link<'a> {
    fn of(endpoint: &Endpoint<'a>) -> Self {
        Self {
            protocol: endpoint.protocol,
            url: endpoint.url.unwrap_or_default(),
            transport: endpoint.transport,
            version: endpoint.version,
            tenant: tenant(endpoint),
            operation: None,
            openapi: None,
            method: None,
        }
    }
}

/// The tenant that an interface of an A2A card states.
fn tenant<'a>(endpoint: &Endpoint<'a>) -> Option<Text<'a>> {
    if endpoint.protocol.value != Protocol::A2a {
        return None;
    }
    let member = { endpoint.extra }.filter(|member| member.name == *"tenant").last()?;
    match member.value {
        Raw::Json(value) => value.as_text().filter(|tenant| !tenant.is_empty()),
        Raw::Text(_) => None,
    }
}

/// Writes a text, and returns its end in the buffer.
fn put(text: Text<'_>, sink: &mut SliceSink<'_>) -> usize {
    text.chars().for_each(|c| sink.put(c.encode_utf8(&mut [0; 4]).as_bytes()));
    sink.length()
}

/// The text of this length in a buffer, or the problem that the buffer is too small.
pub(super) fn written<'v>(length: usize, buffer: &[u8]) -> Result<&str, Refusal<'v>> {
    let text = buffer.get(..length).and_then(|bytes| scan::text(bytes));
    text.ok_or(Refusal::of(Problem::BufferTooSmall { needed: length }))
}

/// Whether repeating a request has no further effect (RFC 9110 section 9.2.2).
fn is_idempotent(method: Text<'_>) -> bool {
    ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
        .iter()
        .any(|own| method.eq_ignore_case(own))
}
