//! Reads every value of documents through the Rust core: what `walk.c` and `walk.cpp` beside it do through the C library. `cargo xtask c-overhead`
//! compares the three.
//!
//!     walk TIMES FILE…
//!
//! Documents are parsed once and walked so many times; what is printed must be the same for all three: a sum over everything that was read.

#![allow(clippy::expect_used, missing_docs, reason = "a program for measuring")]

use agentsdisc_core::Document;
use agentsdisc_core::manifest::{Choice, Enumeration, List, Manifest, Member, Output, RateLimit, Raw};
use agentsdisc_core::syntax::text::Text;

/// The sum over what was read: lengths of texts, and numbers.
struct Sum(u64);

impl Sum {
    fn text(&mut self, text: Option<Text<'_>>) {
        self.0 = self.0.wrapping_mul(3).wrapping_add(text.map_or(7, |text| text.raw().len() as u64));
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
        }
    }

    fn outputs(&mut self, list: List<'_, Output<'_>>) {
        for output in list {
            self.text(Some(output.name));
            self.value(Some(output.kind));
        }
    }
}

fn capabilities(manifest: &Manifest<'_>, sum: &mut Sum) {
    for capability in manifest.capabilities() {
        sum.text(capability.id);
        sum.text(capability.description);
        sum.text(capability.endpoint);
        sum.text(capability.method);
        sum.choice(capability.protocol);
        sum.text(capability.detail_url);
        sum.choice(capability.auth.map(|auth| auth.kind));
        sum.text(capability.auth.and_then(|auth| auth.token_url));
        sum.texts(capability.auth.map(|auth| auth.scopes).unwrap_or_default());
        sum.truth(capability.auth_required);
        sum.truth(capability.requires_session);
        sum.truth(capability.human_handoff);
        sum.limits(capability.rate_limits);
        for parameter in capability.parameters {
            sum.text(parameter.name);
            sum.choice(parameter.location);
            sum.text(parameter.kind);
            sum.truth(parameter.required);
            sum.text(parameter.description);
            sum.value(parameter.default);
            parameter.options.for_each(|option| sum.value(Some(option)));
        }
        sum.outputs(capability.outputs);
        sum.choice(capability.sensitivity);
        sum.truth(capability.requires_confirmation);
        sum.choice(capability.execution);
        sum.members(capability.metadata);
    }
}

#[inline(never)]
fn walk(document: &Document<'_>, sum: &mut Sum) {
    let manifest = document.manifest();
    let head = manifest.head();
    sum.text(head.spec_version);
    sum.text(head.generated_at);
    if let Some(service) = manifest.service() {
        sum.text(service.name);
        sum.text(service.url);
        sum.text(service.description);
        sum.texts(service.contact);
        sum.text(service.docs);
    }
    if let Some(auth) = manifest.auth() {
        sum.choice(Some(auth.kind));
        sum.text(auth.header);
        sum.text(auth.token_url);
        sum.texts(auth.scopes);
    }
    for endpoint in manifest.endpoints() {
        sum.choice(Some(endpoint.protocol));
        sum.text(endpoint.url);
        sum.members(endpoint.extra);
    }
    capabilities(&manifest, sum);
    let access = manifest.access();
    sum.texts(access.allow);
    sum.texts(access.disallow);
    for agent in manifest.agents() {
        sum.text(agent.name);
        sum.limits(agent.rate_limits);
        sum.texts(agent.capabilities.unwrap_or_default());
    }
    let permissions = manifest.permissions();
    sum.texts(permissions.can);
    sum.texts(permissions.cannot);
    sum.texts(permissions.behavior);
    for flow in manifest.flows() {
        sum.text(flow.name);
        sum.texts(flow.steps);
    }
    for dependency in manifest.dependencies() {
        sum.text(Some(dependency.capability));
        sum.texts(dependency.requires);
    }
    for entity in manifest.entities() {
        sum.text(Some(entity.name));
        sum.outputs(entity.fields);
    }
    for recovery in manifest.errors() {
        sum.text(Some(recovery.code));
        sum.text(recovery.recovery);
    }
    sum.members(manifest.hints());
    sum.members(manifest.features());
    sum.limits(manifest.rate_limits());
    sum.texts(manifest.sitemaps());
    sum.members(manifest.metadata());
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (times, files) = arguments.split_first().expect("walk TIMES FILE…");
    let times: u32 = times.parse().expect("a number of times");
    let bodies: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).expect("a file")).collect();
    let documents: Vec<Document<'_>> = bodies.iter().filter_map(|body| Document::parse(body).ok()).collect();
    let mut sum = Sum(0);
    for _ in 0..times {
        documents.iter().for_each(|document| walk(document, &mut sum));
    }
    println!("{} documents, {}", documents.len(), sum.0);
}
