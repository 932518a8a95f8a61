//! Reads every value of documents through the Rust core; `walk.c` and `walk.cpp` do the same through the
//! C library. `cargo xtask c-overhead` compares the three.
//!
//!     walk PARSES WALKS FILE…
//!
//! Parses each document PARSES times into the same memory, then walks it WALKS times, and prints a sum over
//! all values, which must be the same for all three programs.

#![allow(
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a program for measuring"
)]

use agentsdisc_core::Document;
use agentsdisc_core::manifest::{
    Capability, Choice, Enumeration, List, Manifest, Member, Output, Parameter, RateLimit, Raw,
    RobotsGroup, Service,
};
use agentsdisc_core::syntax::text::Text;

/// The sum over all values: lengths of texts, and numbers.
struct Sum(u64);

impl Sum {
    fn text(&mut self, text: Option<Text<'_>>) {
        self.0 = self
            .0
            .wrapping_mul(3)
            .wrapping_add(text.map_or(7, |text| text.raw().len() as u64));
    }

    fn source(&mut self, source: &[u8]) {
        self.text(Some(Text::plain(source)));
    }

    fn choice<E: Enumeration>(&mut self, choice: Option<Choice<'_, E>>) {
        self.text(choice.and_then(|choice| choice.text));
    }

    fn truth(&mut self, truth: Option<bool>) {
        self.0 = self.0.wrapping_add(truth.map_or(2, u64::from));
    }

    fn number(&mut self, number: Option<u32>) {
        self.0 = self.0.wrapping_add(number.map_or(5, u64::from));
    }

    fn value(&mut self, value: Option<Raw<'_>>) {
        self.text(value.map(|value| match value {
            Raw::Text(text) => text,
            Raw::Json(value) => value.as_text().unwrap_or(Text::plain(value.raw())),
        }));
    }

    fn texts(&mut self, list: List<'_, Text<'_>>) {
        list.for_each(|text| self.text(Some(text)));
    }

    fn members(&mut self, list: List<'_, Member<'_>>) {
        for member in list {
            self.text(Some(member.name));
            self.value(Some(member.value));
        }
    }

    fn limits(&mut self, list: List<'_, RateLimit<'_>>) {
        for limit in list {
            self.number(Some(limit.requests));
            self.choice(Some(limit.window));
            self.members(limit.metadata);
        }
    }

    fn outputs(&mut self, list: List<'_, Output<'_>>) {
        for output in list {
            self.text(Some(output.name));
            self.value(Some(output.kind));
        }
    }

    fn parameters(&mut self, list: List<'_, Parameter<'_>>) {
        for parameter in list {
            self.text(parameter.name);
            self.choice(parameter.location);
            self.text(parameter.kind);
            self.truth(parameter.required);
            self.text(parameter.description);
            self.value(parameter.default);
            self.value(parameter.example);
            self.value(parameter.min);
            self.value(parameter.max);
            self.value(parameter.items);
            parameter
                .options
                .for_each(|option| self.value(Some(option)));
            self.members(parameter.metadata);
            self.source(parameter.source);
        }
    }

    fn capabilities(&mut self, list: List<'_, Capability<'_>>) {
        for capability in list {
            self.text(capability.id);
            self.text(capability.description);
            self.text(capability.endpoint);
            self.text(capability.method);
            self.choice(capability.protocol);
            self.text(capability.via);
            self.text(capability.operation);
            self.text(capability.detail_url);
            self.text(capability.openapi);
            if let Some(auth) = capability.auth {
                self.choice(Some(auth.kind));
                self.text(auth.token_url);
                self.text(auth.docs_url);
                self.texts(auth.scopes);
                self.members(auth.metadata);
                self.source(auth.source);
            }
            self.truth(capability.auth_required);
            self.truth(capability.requires_session);
            self.truth(capability.human_handoff);
            self.limits(capability.rate_limits);
            self.parameters(capability.parameters);
            self.outputs(capability.outputs);
            self.choice(capability.sensitivity);
            self.truth(capability.requires_confirmation);
            self.truth(capability.reversible);
            self.choice(capability.execution);
            self.text(capability.poll_url);
            if let Some(keys) = capability.idempotency {
                self.truth(keys.supported);
                self.text(keys.key_field);
                self.text(keys.window);
                self.members(keys.metadata);
            }
            self.members(capability.metadata);
            self.source(capability.source);
        }
    }

    fn service(&mut self, service: &Service<'_>) {
        self.text(service.name);
        self.text(service.url);
        self.text(service.domain);
        self.text(service.description);
        self.texts(service.contact);
        self.text(service.privacy_policy);
        self.text(service.docs);
        self.members(service.metadata);
        self.source(service.source);
    }

    fn robots(&mut self, list: List<'_, RobotsGroup<'_>>) {
        for group in list {
            self.texts(group.agents);
            for rule in group.rules {
                self.truth(Some(rule.allow));
                self.text(Some(rule.pattern));
            }
            self.text(group.crawl_delay);
        }
    }
}

/// Adds the members that a document has once.
fn once(manifest: &Manifest<'_>, sum: &mut Sum) {
    let head = manifest.head();
    sum.text(head.spec_version);
    sum.choice(Some(head.kind));
    sum.text(head.generated_at);
    sum.text(head.companion);
    sum.number(manifest.cache_seconds());
    sum.text(manifest.search_query());
    sum.value(manifest.request_example());
    sum.value(manifest.response_example());
    if let Some(provenance) = manifest.provenance() {
        sum.choice(Some(provenance.source));
        sum.text(provenance.generated_by);
        sum.value(provenance.confidence.map(Raw::Json));
        sum.text(provenance.last_verified);
    }
    if let Some(service) = manifest.service() {
        sum.service(&service);
    }
    if let Some(auth) = manifest.auth() {
        sum.choice(Some(auth.kind));
        sum.text(auth.header);
        sum.text(auth.prefix);
        sum.text(auth.setup_url);
        sum.text(auth.authorization_url);
        sum.text(auth.token_url);
        sum.text(auth.refresh_url);
        sum.text(auth.token_expiry);
        sum.number(auth.token_expiry_seconds);
        sum.texts(auth.scopes);
        sum.texts(auth.required_for);
        sum.texts(auth.optional_for);
        sum.members(auth.metadata);
    }
    if let Some(status) = manifest.status() {
        sum.truth(status.operational);
        sum.texts(status.degraded);
        sum.text(status.url);
        sum.members(status.metadata);
    }
    if let Some(pricing) = manifest.pricing() {
        sum.choice(pricing.kind);
        for plan in pricing.plans {
            sum.text(plan.name);
            sum.text(plan.price);
            sum.text(plan.limits);
            sum.members(plan.metadata);
        }
        sum.text(pricing.plans_url);
        sum.members(pricing.metadata);
    }
    if let Some(session) = manifest.session() {
        sum.number(session.ttl_seconds);
        sum.text(session.create);
        sum.text(session.delete);
        sum.members(session.metadata);
    }
    if let Some(audit) = manifest.audit() {
        sum.truth(audit.enabled);
        sum.text(audit.endpoint);
        sum.members(audit.metadata);
    }
}

#[inline(never)]
fn walk(document: &Document<'_>, sum: &mut Sum) {
    let manifest = document.manifest();
    once(&manifest, sum);
    sum.texts(manifest.operates_on());
    for endpoint in manifest.endpoints() {
        sum.choice(Some(endpoint.protocol));
        sum.text(endpoint.url);
        sum.text(endpoint.version);
        sum.choice(endpoint.transport);
        sum.choice(endpoint.auth);
        sum.members(endpoint.extra);
    }
    sum.capabilities(manifest.capabilities());
    let access = manifest.access();
    sum.texts(access.allow);
    sum.texts(access.disallow);
    sum.members(access.metadata);
    for agent in manifest.agents() {
        sum.text(agent.name);
        sum.truth(Some(agent.capabilities.is_none()));
        sum.texts(agent.capabilities.unwrap_or_default());
        sum.limits(agent.rate_limits);
        sum.text(agent.declaration);
        sum.members(agent.metadata);
        sum.source(agent.source);
    }
    let permissions = manifest.permissions();
    sum.texts(permissions.can);
    sum.texts(permissions.cannot);
    sum.texts(permissions.behavior);
    for flow in manifest.flows() {
        sum.text(flow.name);
        sum.text(flow.description);
        sum.texts(flow.steps);
        sum.members(flow.metadata);
    }
    for dependency in manifest.dependencies() {
        sum.text(Some(dependency.capability));
        sum.texts(dependency.requires);
    }
    for entity in manifest.entities() {
        sum.text(Some(entity.name));
        sum.outputs(entity.fields);
        sum.members(entity.metadata);
    }
    for recovery in manifest.errors() {
        sum.text(Some(recovery.code));
        sum.text(recovery.recovery);
        sum.members(recovery.metadata);
    }
    sum.members(manifest.hints());
    sum.members(manifest.features());
    sum.limits(manifest.rate_limits());
    sum.robots(manifest.robots());
    sum.texts(manifest.sitemaps());
    for result in manifest.search_results() {
        sum.service(&result.service);
        sum.capabilities(result.capabilities);
    }
    sum.members(manifest.metadata());
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [parses, walks, files @ ..] = arguments.as_slice() else {
        panic!("walk PARSES WALKS FILE…")
    };
    let times = |argument: &str| {
        argument
            .parse::<u32>()
            .expect("PARSES and WALKS are numbers")
    };
    let bodies: Vec<Vec<u8>> = files
        .iter()
        .map(|file| std::fs::read(file).expect("a file"))
        .collect();
    let mut documents: Vec<Option<Document<'_>>> = vec![None; bodies.len()];
    for _ in 0..times(parses) {
        for (document, body) in documents.iter_mut().zip(&bodies) {
            *document = Document::parse(body).ok();
        }
    }
    let mut sum = Sum(0);
    for _ in 0..times(walks) {
        documents
            .iter()
            .flatten()
            .for_each(|document| walk(document, &mut sum));
    }
    println!(
        "{} documents, {}",
        documents.iter().flatten().count(),
        sum.0
    );
}
