//! Adds every value of a document to the digest.

use agentsdisc_core::Manifest;
use agentsdisc_core::manifest::{
    AgentPolicy, Capability, CapabilityAuth, Output, Parameter, RateLimit, Service,
};

use crate::calls;
use crate::digest::Digest;

/// Adds the whole model, in the order of its JSON.
pub(crate) fn add(digest: &mut Digest, manifest: &Manifest<'_>) {
    head(digest, manifest);
    about_the_service(digest, manifest);
    what_agents_may_do(digest, manifest);
    how_it_works(digest, manifest);
    documents_of_other_kinds(digest, manifest);
    digest.members(calls::metadata(manifest));
}

fn head(digest: &mut Digest, manifest: &Manifest<'_>) {
    let head = calls::head(manifest);
    digest.text(head.spec_version);
    digest.choice(Some(head.kind));
    digest.text(head.generated_at);
    digest.texts(calls::operates_on(manifest));
    digest.text(head.companion);
    match calls::provenance(manifest) {
        None => digest.absent(),
        Some(provenance) => {
            digest.choice(Some(provenance.source));
            digest.text(provenance.generated_by);
            digest.raw(
                provenance
                    .confidence
                    .map(agentsdisc_core::manifest::Raw::Json),
            );
            digest.text(provenance.last_verified);
        }
    }
}

fn about_the_service(digest: &mut Digest, manifest: &Manifest<'_>) {
    match calls::service(manifest) {
        None => digest.absent(),
        Some(it) => service(digest, &it),
    }
    match calls::auth(manifest) {
        None => digest.absent(),
        Some(auth) => {
            digest.choice(Some(auth.kind));
            let texts = [
                auth.header,
                auth.prefix,
                auth.setup_url,
                auth.authorization_url,
                auth.token_url,
                auth.refresh_url,
                auth.token_expiry,
            ];
            texts.into_iter().for_each(|text| digest.text(text));
            digest.number(calls::token_expiry_seconds(&auth));
            [auth.scopes, auth.required_for, auth.optional_for]
                .into_iter()
                .for_each(|list| digest.texts(list));
            digest.members(auth.metadata);
        }
    }
    digest.each(calls::endpoints(manifest), |digest, endpoint| {
        digest.choice(Some(endpoint.protocol));
        digest.text(endpoint.url);
        digest.text(endpoint.version);
        digest.choice(endpoint.transport);
        digest.choice(endpoint.auth);
        digest.members(endpoint.extra);
    });
}

fn service(digest: &mut Digest, service: &Service<'_>) {
    [
        service.name,
        service.url,
        service.domain,
        service.description,
    ]
    .into_iter()
    .for_each(|text| digest.text(text));
    digest.texts(service.contact);
    digest.text(service.privacy_policy);
    digest.text(service.docs);
    digest.members(service.metadata);
}

fn what_agents_may_do(digest: &mut Digest, manifest: &Manifest<'_>) {
    digest.each(calls::capabilities(manifest), capability);
    let access = calls::access(manifest);
    digest.texts(access.allow);
    digest.texts(access.disallow);
    digest.members(access.metadata);
    digest.each(calls::agents(manifest), agent);
    let permissions = calls::permissions(manifest);
    [permissions.can, permissions.cannot, permissions.behavior]
        .into_iter()
        .for_each(|list| digest.texts(list));
}

fn capability(digest: &mut Digest, it: &Capability<'_>) {
    [it.id, it.description, it.endpoint, it.method]
        .into_iter()
        .for_each(|text| digest.text(text));
    digest.choice(it.protocol);
    [it.via, it.operation, it.detail_url, it.openapi]
        .into_iter()
        .for_each(|text| digest.text(text));
    match &it.auth {
        None => digest.absent(),
        Some(auth) => capability_auth(digest, auth),
    }
    [it.auth_required, it.requires_session, it.human_handoff]
        .into_iter()
        .for_each(|truth| digest.truth(truth));
    digest.each(it.rate_limits, rate_limit);
    digest.each(it.parameters, parameter);
    digest.each(it.outputs, output);
    digest.choice(it.sensitivity);
    digest.truth(it.requires_confirmation);
    digest.truth(it.reversible);
    digest.choice(it.execution);
    digest.text(it.poll_url);
    match &it.idempotency {
        None => digest.absent(),
        Some(idempotency) => {
            digest.truth(idempotency.supported);
            digest.text(idempotency.key_field);
            digest.text(idempotency.window);
            digest.members(idempotency.metadata);
        }
    }
    digest.members(it.metadata);
}

fn capability_auth(digest: &mut Digest, auth: &CapabilityAuth<'_>) {
    digest.choice(Some(auth.kind));
    digest.text(auth.token_url);
    digest.text(auth.docs_url);
    digest.texts(auth.scopes);
    digest.members(auth.metadata);
}

fn rate_limit(digest: &mut Digest, limit: &RateLimit<'_>) {
    digest.number(Some(limit.requests));
    digest.choice(Some(limit.window));
    digest.members(limit.metadata);
}

fn output(digest: &mut Digest, output: &Output<'_>) {
    digest.text(Some(output.name));
    digest.raw(Some(output.kind));
}

fn parameter(digest: &mut Digest, it: &Parameter<'_>) {
    digest.text(it.name);
    digest.choice(it.location);
    digest.text(it.kind);
    digest.truth(it.required);
    digest.text(it.description);
    [it.default, it.example, it.min, it.max, it.items]
        .into_iter()
        .for_each(|raw| digest.raw(raw));
    digest.each(it.options, |digest, option| digest.raw(Some(*option)));
    digest.members(it.metadata);
}

fn agent(digest: &mut Digest, agent: &AgentPolicy<'_>) {
    digest.text(agent.name);
    digest.each(agent.rate_limits, rate_limit);
    match agent.capabilities {
        None => digest.absent(),
        Some(list) => digest.texts(list),
    }
    digest.text(agent.declaration);
    digest.members(agent.metadata);
}

fn how_it_works(digest: &mut Digest, manifest: &Manifest<'_>) {
    digest.each(calls::flows(manifest), |digest, flow| {
        digest.text(flow.name);
        digest.text(flow.description);
        digest.texts(flow.steps);
        digest.members(flow.metadata);
    });
    digest.each(calls::dependencies(manifest), |digest, dependency| {
        digest.text(Some(dependency.capability));
        digest.texts(dependency.requires);
    });
    digest.each(calls::entities(manifest), |digest, entity| {
        digest.text(Some(entity.name));
        digest.each(entity.fields, output);
        digest.members(entity.metadata);
    });
    digest.each(calls::errors(manifest), |digest, recovery| {
        digest.text(Some(recovery.code));
        digest.text(recovery.recovery);
        digest.members(recovery.metadata);
    });
    digest.members(calls::hints(manifest));
    if let Some(status) = calls::status(manifest) {
        digest.truth(status.operational);
        digest.texts(status.degraded);
        digest.text(status.url);
        digest.members(status.metadata);
    }
    digest.members(calls::features(manifest));
    if let Some(pricing) = calls::pricing(manifest) {
        digest.choice(pricing.kind);
        digest.each(pricing.plans, |digest, plan| {
            [plan.name, plan.price, plan.limits]
                .into_iter()
                .for_each(|text| digest.text(text));
            digest.members(plan.metadata);
        });
        digest.text(pricing.plans_url);
        digest.members(pricing.metadata);
    }
    if let Some(session) = calls::session(manifest) {
        digest.number(session.ttl_seconds);
        digest.text(session.create);
        digest.text(session.delete);
        digest.members(session.metadata);
    }
    if let Some(audit) = calls::audit(manifest) {
        digest.truth(audit.enabled);
        digest.text(audit.endpoint);
        digest.members(audit.metadata);
    }
    digest.each(calls::rate_limits(manifest), rate_limit);
    digest.number(calls::cache_seconds(manifest));
}

fn documents_of_other_kinds(digest: &mut Digest, manifest: &Manifest<'_>) {
    digest.each(calls::robots(manifest), |digest, group| {
        digest.texts(group.agents);
        digest.each(group.rules, |digest, rule| {
            digest.truth(Some(rule.allow));
            digest.text(Some(rule.pattern));
        });
        digest.text(group.crawl_delay);
    });
    digest.texts(calls::sitemaps(manifest));
    digest.text(calls::search_query(manifest));
    digest.each(calls::search_results(manifest), |digest, result| {
        service(digest, &result.service);
        digest.each(result.capabilities, capability);
    });
    digest.raw(calls::request_example(manifest));
    digest.raw(calls::response_example(manifest));
}
