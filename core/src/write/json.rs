//! The unified model as JSON (`docs/model.md`).
//!
//! The model has a fixed shape, so the writer is a fixed set of functions, one for each kind of object, that call one another and
//! never themselves. Each walks the views once and puts pieces into a [`Sink`]; nothing is stored but whether a comma is due.

use super::writer::{Writer, key};
use crate::document::Document;
use crate::format::Format;
use crate::manifest::{
    Access, AgentPolicy, Audit, AuthType, Capability, CapabilityAuth, Choice, Dependency, Endpoint,
    Entity, Flow, Idempotency, Output, Parameter, Permissions, Plan, Pricing, Provenance,
    RateLimit, Raw, Reading, Recovery, RobotsGroup, SearchResult, Service, ServiceAuth, Session,
    Status, with_reading,
};
use crate::sink::{Sink, SliceSink};
use crate::syntax::text::BufferTooSmall;

impl Document<'_> {
    /// Writes the unified model as JSON (`docs/model.md`) into `buffer`, and returns its length.
    ///
    /// # Errors
    /// Where the buffer is too small, the length that is needed.
    pub fn write_json(&self, buffer: &mut [u8]) -> Result<usize, BufferTooSmall> {
        let mut sink = SliceSink::new(buffer);
        self.put_json(&mut sink);
        if sink.is_whole() {
            Ok(sink.length())
        } else {
            Err(BufferTooSmall {
                needed: sink.length(),
            })
        }
    }

    /// The length of the unified model as JSON. Costs as much as writing it.
    pub fn json_len(&self) -> usize {
        let mut length = 0;
        self.put_json(&mut |piece: &[u8]| length += piece.len());
        length
    }

    /// Puts the unified model as JSON into a sink, piece by piece.
    pub fn put_json(&self, sink: &mut impl Sink) {
        with_reading(self, |reading| manifest(self.format(), reading, sink));
    }
}

/// Writes a whole document in the unified model.
fn manifest<'a, S: Sink>(format: Format, manifest: &dyn Reading<'a>, sink: &mut S) {
    let w = &mut Writer::new(sink, format == Format::RobotsTxt);
    w.open(b"{");
    w.name(key!("format"));
    w.plain(format.id());
    let head = manifest.head();
    w.optional(key!("spec_version"), head.spec_version);
    w.choice(key!("kind"), key!("kind_text"), Some(head.kind));
    w.optional(key!("generated_at"), head.generated_at);
    w.texts(key!("operates_on"), manifest.operates_on());
    w.optional(key!("companion"), head.companion);
    w.object(key!("provenance"), manifest.provenance(), provenance);
    w.object(
        key!("service"),
        manifest.service().filter(says_something),
        service,
    );
    w.object(key!("auth"), manifest.auth(), service_auth);
    w.objects(key!("endpoints"), manifest.endpoints(), endpoint);
    w.objects(key!("capabilities"), manifest.capabilities(), capability);
    access(w, &manifest.access());
    w.objects(key!("agents"), manifest.agents(), agent);
    permissions(w, &manifest.permissions());
    w.objects(key!("flows"), manifest.flows(), flow);
    w.objects(key!("dependencies"), manifest.dependencies(), dependency);
    w.objects(key!("entities"), manifest.entities(), entity);
    w.objects(key!("errors"), manifest.errors(), recovery);
    w.objects(key!("hints"), manifest.hints(), |w, hint| {
        w.optional(key!("name"), Some(hint.name));
        w.raw(key!("value"), Some(hint.value));
    });
    w.object(key!("status"), manifest.status(), status);
    w.metadata(key!("features"), manifest.features());
    w.object(key!("pricing"), manifest.pricing(), pricing);
    w.object(key!("session"), manifest.session(), session);
    w.object(key!("audit"), manifest.audit(), audit);
    w.objects(key!("rate_limits"), manifest.rate_limits(), rate_limit);
    w.number(key!("cache_seconds"), manifest.cache_seconds());
    robots(w, manifest);
    search(w, manifest);
    w.raw(key!("request_example"), manifest.request_example());
    w.raw(key!("response_example"), manifest.response_example());
    w.metadata(key!("metadata"), manifest.metadata());
    w.close(b"}");
}

fn provenance<S: Sink>(w: &mut Writer<'_, S>, provenance: &Provenance<'_>) {
    w.choice(key!("source"), key!("source_text"), Some(provenance.source));
    w.optional(key!("generated_by"), provenance.generated_by);
    w.raw(key!("confidence"), provenance.confidence.map(Raw::Json));
    w.optional(key!("last_verified"), provenance.last_verified);
}

/// Whether there is anything to show of a service.
fn says_something(service: &Service<'_>) -> bool {
    let Service {
        name,
        url,
        domain,
        description,
        contact,
        privacy_policy,
        docs,
        metadata,
        source: _,
    } = service;
    [name, url, domain, description, privacy_policy, docs]
        .iter()
        .any(|text| text.is_some())
        || !contact.is_empty()
        || !metadata.is_empty()
}

fn service<S: Sink>(w: &mut Writer<'_, S>, service: &Service<'_>) {
    w.optional(key!("name"), service.name);
    w.optional(key!("url"), service.url);
    w.optional(key!("domain"), service.domain);
    w.optional(key!("description"), service.description);
    w.texts(key!("contact"), service.contact);
    w.optional(key!("privacy_policy"), service.privacy_policy);
    w.optional(key!("docs"), service.docs);
    w.metadata(key!("metadata"), service.metadata);
}

fn service_auth<S: Sink>(w: &mut Writer<'_, S>, auth: &ServiceAuth<'_>) {
    w.choice(key!("type"), key!("type_text"), Some(auth.kind));
    w.optional(key!("header"), auth.header);
    w.optional(key!("prefix"), auth.prefix);
    w.optional(key!("setup_url"), auth.setup_url);
    w.optional(key!("authorization_url"), auth.authorization_url);
    w.optional(key!("token_url"), auth.token_url);
    w.optional(key!("refresh_url"), auth.refresh_url);
    w.optional(key!("token_expiry"), auth.token_expiry);
    w.number(key!("token_expiry_seconds"), auth.token_expiry_seconds());
    w.texts(key!("scopes"), auth.scopes);
    w.texts(key!("required_for"), auth.required_for);
    w.texts(key!("optional_for"), auth.optional_for);
    w.metadata(key!("metadata"), auth.metadata);
}

fn endpoint<S: Sink>(w: &mut Writer<'_, S>, endpoint: &Endpoint<'_>) {
    w.choice(
        key!("protocol"),
        key!("protocol_text"),
        Some(endpoint.protocol),
    );
    w.optional(key!("url"), endpoint.url);
    w.optional(key!("version"), endpoint.version);
    w.choice(
        key!("transport"),
        key!("transport_text"),
        endpoint.transport,
    );
    w.choice(key!("auth"), key!("auth_text"), endpoint.auth);
    w.metadata(key!("extra"), endpoint.extra);
}

fn capability<S: Sink>(w: &mut Writer<'_, S>, capability: &Capability<'_>) {
    w.optional(key!("id"), capability.id);
    w.optional(key!("description"), capability.description);
    w.optional(key!("endpoint"), capability.endpoint);
    w.optional(key!("method"), capability.method);
    w.choice(key!("protocol"), key!("protocol_text"), capability.protocol);
    w.optional(key!("via"), capability.via);
    w.optional(key!("operation"), capability.operation);
    w.optional(key!("detail_url"), capability.detail_url);
    w.optional(key!("openapi"), capability.openapi);
    w.object(key!("auth"), capability.auth, capability_auth);
    w.truth(key!("auth_required"), capability.auth_required);
    w.truth(key!("requires_session"), capability.requires_session);
    w.truth(key!("human_handoff"), capability.human_handoff);
    w.objects(key!("rate_limits"), capability.rate_limits, rate_limit);
    w.objects(key!("parameters"), capability.parameters, parameter);
    w.objects(key!("outputs"), capability.outputs, output);
    w.choice(
        key!("sensitivity"),
        key!("sensitivity_text"),
        capability.sensitivity,
    );
    w.truth(
        key!("requires_confirmation"),
        capability.requires_confirmation,
    );
    w.truth(key!("reversible"), capability.reversible);
    w.choice(
        key!("execution"),
        key!("execution_text"),
        capability.execution,
    );
    w.optional(key!("poll_url"), capability.poll_url);
    w.object(key!("idempotency"), capability.idempotency, idempotency);
    w.metadata(key!("metadata"), capability.metadata);
}

fn capability_auth<S: Sink>(w: &mut Writer<'_, S>, auth: &CapabilityAuth<'_>) {
    // That nothing is written about it means none, and defaults are not shown.
    let default = auth.kind == Choice::implied(AuthType::None);
    w.choice(
        key!("type"),
        key!("type_text"),
        Some(auth.kind).filter(|_| !default),
    );
    w.optional(key!("token_url"), auth.token_url);
    w.optional(key!("docs_url"), auth.docs_url);
    w.texts(key!("scopes"), auth.scopes);
    w.metadata(key!("metadata"), auth.metadata);
}

fn rate_limit<S: Sink>(w: &mut Writer<'_, S>, limit: &RateLimit<'_>) {
    w.number(key!("requests"), Some(limit.requests));
    w.choice(key!("window"), key!("window_text"), Some(limit.window));
    w.metadata(key!("metadata"), limit.metadata);
}

fn parameter<S: Sink>(w: &mut Writer<'_, S>, parameter: &Parameter<'_>) {
    w.optional(key!("name"), parameter.name);
    w.choice(key!("location"), key!("location_text"), parameter.location);
    w.optional(key!("type"), parameter.kind);
    w.truth(key!("required"), parameter.required);
    w.optional(key!("description"), parameter.description);
    w.raw(key!("default"), parameter.default);
    w.raw(key!("example"), parameter.example);
    w.raw(key!("min"), parameter.min);
    w.raw(key!("max"), parameter.max);
    w.raw(key!("items"), parameter.items);
    w.list(key!("options"), parameter.options, |w, option| {
        w.raw_value(*option)
    });
    w.metadata(key!("metadata"), parameter.metadata);
}

fn output<S: Sink>(w: &mut Writer<'_, S>, output: &Output<'_>) {
    w.optional(key!("name"), Some(output.name));
    w.raw(key!("type"), Some(output.kind));
}

fn idempotency<S: Sink>(w: &mut Writer<'_, S>, idempotency: &Idempotency<'_>) {
    w.truth(key!("supported"), idempotency.supported);
    w.optional(key!("key_field"), idempotency.key_field);
    w.optional(key!("window"), idempotency.window);
    w.metadata(key!("metadata"), idempotency.metadata);
}

fn access<S: Sink>(w: &mut Writer<'_, S>, access: &Access<'_>) {
    if access.allow.is_empty() && access.disallow.is_empty() && access.metadata.is_empty() {
        return;
    }
    w.object(key!("access"), Some(*access), |w, access| {
        w.texts(key!("allow"), access.allow);
        w.texts(key!("disallow"), access.disallow);
        w.metadata(key!("metadata"), access.metadata);
    });
}

fn agent<S: Sink>(w: &mut Writer<'_, S>, agent: &AgentPolicy<'_>) {
    w.optional(key!("name"), agent.name);
    w.objects(key!("rate_limits"), agent.rate_limits, rate_limit);
    if let Some(ids) = agent.capabilities {
        w.name(key!("capabilities"));
        w.open(b"[");
        for id in ids {
            w.text(id);
        }
        w.close(b"]");
    }
    w.optional(key!("declaration"), agent.declaration);
    w.metadata(key!("metadata"), agent.metadata);
}

fn permissions<S: Sink>(w: &mut Writer<'_, S>, permissions: &Permissions<'_>) {
    if permissions.can.is_empty()
        && permissions.cannot.is_empty()
        && permissions.behavior.is_empty()
    {
        return;
    }
    w.object(key!("permissions"), Some(*permissions), |w, permissions| {
        w.texts(key!("can"), permissions.can);
        w.texts(key!("cannot"), permissions.cannot);
        w.texts(key!("behavior"), permissions.behavior);
    });
}

fn flow<S: Sink>(w: &mut Writer<'_, S>, flow: &Flow<'_>) {
    w.optional(key!("name"), flow.name);
    w.optional(key!("description"), flow.description);
    w.texts(key!("steps"), flow.steps);
    w.metadata(key!("metadata"), flow.metadata);
}

fn dependency<S: Sink>(w: &mut Writer<'_, S>, dependency: &Dependency<'_>) {
    w.optional(key!("capability"), Some(dependency.capability));
    w.texts(key!("requires"), dependency.requires);
}

fn entity<S: Sink>(w: &mut Writer<'_, S>, entity: &Entity<'_>) {
    w.optional(key!("name"), Some(entity.name));
    w.objects(key!("fields"), entity.fields, output);
    w.metadata(key!("metadata"), entity.metadata);
}

fn recovery<S: Sink>(w: &mut Writer<'_, S>, recovery: &Recovery<'_>) {
    w.optional(key!("code"), Some(recovery.code));
    w.optional(key!("recovery"), recovery.recovery);
    w.metadata(key!("metadata"), recovery.metadata);
}

fn status<S: Sink>(w: &mut Writer<'_, S>, status: &Status<'_>) {
    w.truth(key!("operational"), status.operational);
    w.texts(key!("degraded"), status.degraded);
    w.optional(key!("url"), status.url);
    w.metadata(key!("metadata"), status.metadata);
}

fn pricing<S: Sink>(w: &mut Writer<'_, S>, pricing: &Pricing<'_>) {
    w.choice(key!("type"), key!("type_text"), pricing.kind);
    w.objects(key!("plans"), pricing.plans, plan);
    w.optional(key!("plans_url"), pricing.plans_url);
    w.metadata(key!("metadata"), pricing.metadata);
}

fn plan<S: Sink>(w: &mut Writer<'_, S>, plan: &Plan<'_>) {
    w.optional(key!("name"), plan.name);
    w.optional(key!("price"), plan.price);
    w.optional(key!("limits"), plan.limits);
    w.metadata(key!("metadata"), plan.metadata);
}

fn session<S: Sink>(w: &mut Writer<'_, S>, session: &Session<'_>) {
    w.number(key!("ttl_seconds"), session.ttl_seconds);
    w.optional(key!("create"), session.create);
    w.optional(key!("delete"), session.delete);
    w.metadata(key!("metadata"), session.metadata);
}

fn audit<S: Sink>(w: &mut Writer<'_, S>, audit: &Audit<'_>) {
    w.truth(key!("enabled"), audit.enabled);
    w.optional(key!("endpoint"), audit.endpoint);
    w.metadata(key!("metadata"), audit.metadata);
}

fn robots<S: Sink>(w: &mut Writer<'_, S>, manifest: &dyn Reading<'_>) {
    let (groups, sitemaps) = (manifest.robots(), manifest.sitemaps());
    if groups.is_empty() && sitemaps.is_empty() {
        return;
    }
    w.name(key!("robots"));
    w.open(b"{");
    w.objects(key!("groups"), groups, |w, group: &RobotsGroup<'_>| {
        w.texts(key!("agents"), group.agents);
        w.objects(key!("rules"), group.rules, |w, rule| {
            w.truth(key!("allow"), Some(rule.allow));
            w.optional(key!("pattern"), Some(rule.pattern));
        });
        w.optional(key!("crawl_delay"), group.crawl_delay);
    });
    w.texts(key!("sitemaps"), sitemaps);
    w.close(b"}");
}

fn search<S: Sink>(w: &mut Writer<'_, S>, manifest: &dyn Reading<'_>) {
    let (query, results) = (manifest.search_query(), manifest.search_results());
    if query.is_none() && results.is_empty() {
        return;
    }
    w.name(key!("search"));
    w.open(b"{");
    w.optional(key!("query"), query);
    w.objects(key!("results"), results, |w, result: &SearchResult<'_>| {
        w.object(
            key!("service"),
            Some(result.service).filter(says_something),
            service,
        );
        w.objects(key!("capabilities"), result.capabilities, capability);
    });
    w.close(b"}");
}
