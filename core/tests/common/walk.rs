//! Reads everything that a manifest says: every accessor, every list to its end, every field of every item.
//!
//! Shared by the tests of the core, the fuzz targets and the benchmarks, so that all of them mean the same by "everything".
#![allow(unreachable_pub, dead_code)]

use agentsdisc_core::manifest::{
    self, AgentPolicy, Capability, CapabilityAuth, Choice, Enumeration, Idempotency, List,
    Manifest, Metadata, Output, Parameter, RateLimit, Raw, Service,
};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Error, ParseOptions};

/// What is done with the values.
pub trait Visitor {
    /// A text.
    fn text(&mut self, text: Text<'_>);
    /// A value as it was written.
    fn raw(&mut self, raw: Raw<'_>);
    /// A number, a truth value, the value of an enumeration, or that of a length.
    fn number(&mut self, number: u64);
    /// The bytes that an item was read from.
    fn source(&mut self, source: &[u8]) {
        self.number(source.len() as u64);
    }
}

/// Reads all of it.
pub fn manifest<V: Visitor>(manifest: &Manifest<'_>, visitor: &mut V) {
    rest(manifest, visitor);
    let mut w = Walk { visitor };
    manifest
        .capabilities()
        .for_each(|capability| w.capability(&capability));
    manifest.agents().for_each(|agent| w.agent(&agent));
}

/// Reads all of a document while it is parsed: what is told in one pass, and then the rest.
pub fn read<V: Visitor>(
    bytes: &[u8],
    options: &ParseOptions<'_>,
    visitor: &mut V,
) -> Result<(), Error> {
    let document = Document::read(bytes, options, &mut Told(Walk { visitor }))?;
    rest(&document.manifest(), visitor);
    Ok(())
}

struct Told<'v, V>(Walk<'v, V>);

impl<'a, V: Visitor> manifest::Visitor<'a> for Told<'_, V> {
    fn parameter(&mut self, parameter: &Parameter<'a>) {
        self.0.parameter(parameter);
    }
    fn capability(&mut self, capability: &Capability<'a>) {
        self.0.without_parameters(capability);
    }
    fn agent(&mut self, policy: &AgentPolicy<'a>) {
        self.0.agent(policy);
    }
}

/// Reads what a document has once, and the lists that no visitor is told.
fn rest<V: Visitor>(manifest: &Manifest<'_>, visitor: &mut V) {
    let mut w = Walk { visitor };
    w.v().number(manifest.format() as u64);
    let head = manifest.head();
    w.texts([head.spec_version, head.generated_at, head.companion]);
    w.choice(Some(head.kind));
    w.list(manifest.operates_on());
    if let Some(provenance) = manifest.provenance() {
        w.choice(Some(provenance.source));
        w.texts([provenance.generated_by, provenance.last_verified]);
        w.raws([provenance.confidence.map(Raw::Json)]);
    }
    if let Some(service) = manifest.service() {
        w.service(&service);
    }
    if let Some(auth) = manifest.auth() {
        w.choice(Some(auth.kind));
        w.texts([
            auth.header,
            auth.prefix,
            auth.setup_url,
            auth.authorization_url,
            auth.token_url,
            auth.refresh_url,
            auth.token_expiry,
        ]);
        for list in [auth.scopes, auth.required_for, auth.optional_for] {
            w.list(list);
        }
        w.metadata(auth.metadata);
    }
    for endpoint in manifest.endpoints() {
        w.choice(Some(endpoint.protocol));
        w.texts([endpoint.url, endpoint.version]);
        w.choice(endpoint.transport);
        w.choice(endpoint.auth);
        w.metadata(endpoint.extra);
    }
    let access = manifest.access();
    w.list(access.allow);
    w.list(access.disallow);
    w.metadata(access.metadata);
    let permissions = manifest.permissions();
    for list in [permissions.can, permissions.cannot, permissions.behavior] {
        w.list(list);
    }
    for flow in manifest.flows() {
        w.texts([flow.name, flow.description]);
        w.list(flow.steps);
        w.metadata(flow.metadata);
    }
    for dependency in manifest.dependencies() {
        w.v().text(dependency.capability);
        w.list(dependency.requires);
    }
    for entity in manifest.entities() {
        w.v().text(entity.name);
        w.outputs(entity.fields);
        w.metadata(entity.metadata);
    }
    for error in manifest.errors() {
        w.v().text(error.code);
        w.texts([error.recovery]);
        w.metadata(error.metadata);
    }
    w.metadata(manifest.hints());
    if let Some(status) = manifest.status() {
        w.truths([status.operational]);
        w.list(status.degraded);
        w.texts([status.url]);
        w.metadata(status.metadata);
    }
    w.metadata(manifest.features());
    if let Some(pricing) = manifest.pricing() {
        w.choice(pricing.kind);
        for plan in pricing.plans {
            w.texts([plan.name, plan.price, plan.limits]);
            w.metadata(plan.metadata);
        }
        w.texts([pricing.plans_url]);
        w.metadata(pricing.metadata);
    }
    if let Some(session) = manifest.session() {
        w.v().number(session.ttl_seconds.map_or(0, u64::from));
        w.texts([session.create, session.delete]);
        w.metadata(session.metadata);
    }
    if let Some(audit) = manifest.audit() {
        w.truths([audit.enabled]);
        w.texts([audit.endpoint]);
        w.metadata(audit.metadata);
    }
    w.rates(manifest.rate_limits());
    w.v().number(manifest.cache_seconds().map_or(0, u64::from));
    for group in manifest.robots() {
        w.list(group.agents);
        for rule in group.rules {
            w.v().number(u64::from(rule.allow));
            w.v().text(rule.pattern);
        }
        w.texts([group.crawl_delay]);
    }
    w.list(manifest.sitemaps());
    w.texts([manifest.search_query()]);
    for result in manifest.search_results() {
        w.service(&result.service);
        for capability in result.capabilities {
            w.capability(&capability);
        }
    }
    w.raws([manifest.request_example(), manifest.response_example()]);
    w.metadata(manifest.metadata());
}

struct Walk<'v, V> {
    visitor: &'v mut V,
}

impl<V: Visitor> Walk<'_, V> {
    #[inline(always)]
    fn v(&mut self) -> &mut V {
        self.visitor
    }

    #[inline(always)]
    fn texts<const N: usize>(&mut self, texts: [Option<Text<'_>>; N]) {
        for text in texts.into_iter().flatten() {
            self.v().text(text);
        }
    }

    #[inline(always)]
    fn raws<const N: usize>(&mut self, raws: [Option<Raw<'_>>; N]) {
        for raw in raws.into_iter().flatten() {
            self.v().raw(raw);
        }
    }

    #[inline(always)]
    fn truths<const N: usize>(&mut self, truths: [Option<bool>; N]) {
        for truth in truths.into_iter().flatten() {
            self.v().number(u64::from(truth));
        }
    }

    #[inline(always)]
    fn choice<E: Enumeration>(&mut self, choice: Option<Choice<'_, E>>) {
        if let Some(choice) = choice {
            self.v().number(choice.as_str().len() as u64);
            self.texts([choice.text]);
        }
    }

    fn list(&mut self, list: List<'_, Text<'_>>) {
        for text in list {
            self.v().text(text);
        }
    }

    fn metadata(&mut self, metadata: Metadata<'_>) {
        for member in metadata {
            self.v().text(member.name);
            self.v().raw(member.value);
        }
    }

    fn rates(&mut self, limits: List<'_, RateLimit<'_>>) {
        for limit in limits {
            self.v().number(u64::from(limit.requests));
            self.choice(Some(limit.window));
            self.metadata(limit.metadata);
        }
    }

    fn outputs(&mut self, outputs: List<'_, Output<'_>>) {
        for output in outputs {
            self.v().text(output.name);
            self.v().raw(output.kind);
        }
    }

    fn service(&mut self, service: &Service<'_>) {
        self.texts([
            service.name,
            service.url,
            service.description,
            service.privacy_policy,
            service.docs,
        ]);
        self.list(service.contact);
        self.metadata(service.metadata);
        self.v().source(service.source);
    }

    fn auth(&mut self, auth: &CapabilityAuth<'_>) {
        self.choice(Some(auth.kind));
        self.texts([auth.token_url, auth.docs_url]);
        self.list(auth.scopes);
        self.metadata(auth.metadata);
        self.v().source(auth.source);
    }

    fn idempotency(&mut self, idempotency: &Idempotency<'_>) {
        self.truths([idempotency.supported]);
        self.texts([idempotency.key_field, idempotency.window]);
        self.metadata(idempotency.metadata);
    }

    fn parameter(&mut self, parameter: &Parameter<'_>) {
        self.texts([parameter.name, parameter.kind, parameter.description]);
        self.choice(parameter.location);
        self.truths([parameter.required]);
        self.raws([
            parameter.default,
            parameter.example,
            parameter.min,
            parameter.max,
            parameter.items,
        ]);
        for option in parameter.options {
            self.v().raw(option);
        }
        self.metadata(parameter.metadata);
        self.v().source(parameter.source);
    }

    fn agent(&mut self, agent: &AgentPolicy<'_>) {
        self.texts([agent.name, agent.declaration]);
        self.rates(agent.rate_limits);
        if let Some(capabilities) = agent.capabilities {
            self.v().number(1);
            self.list(capabilities);
        }
        self.metadata(agent.metadata);
        self.v().source(agent.source);
    }

    fn capability(&mut self, capability: &Capability<'_>) {
        for parameter in capability.parameters {
            self.parameter(&parameter);
        }
        self.without_parameters(capability);
    }

    fn without_parameters(&mut self, capability: &Capability<'_>) {
        let c = capability;
        self.texts([
            c.id,
            c.description,
            c.endpoint,
            c.method,
            c.via,
            c.operation,
            c.detail_url,
            c.openapi,
            c.poll_url,
        ]);
        self.choice(c.protocol);
        if let Some(auth) = &c.auth {
            self.auth(auth);
        }
        self.truths([
            c.auth_required,
            c.requires_session,
            c.human_handoff,
            c.requires_confirmation,
            c.reversible,
        ]);
        self.rates(c.rate_limits);
        self.outputs(c.outputs);
        self.choice(c.sensitivity);
        self.choice(c.execution);
        if let Some(idempotency) = &c.idempotency {
            self.idempotency(idempotency);
        }
        self.metadata(c.metadata);
        self.v().source(c.source);
    }
}
