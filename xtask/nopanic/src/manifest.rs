//! The unified model: every accessor, every item of every list in it, every list of every item.

use agentsdisc_core::Document;
use agentsdisc_core::manifest::{
    AgentPolicy, Capability, CapabilityAuth, Choice, Enumeration, List, Mark, Metadata, Parameter,
    RateLimit, Service, Window,
};
use agentsdisc_core::syntax::text::Text;

use crate::{keep, walk};

/// # Safety
/// `document` must point to a document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_manifest_service(document: *const Document<'static>) {
    // SAFETY: guaranteed by the caller.
    let manifest = unsafe { *document }.manifest();
    keep((manifest.document(), manifest.format()));
    let head = manifest.head();
    keep(head);
    choice(head.kind);
    walk(manifest.operates_on(), keep);
    if let Some(provenance) = manifest.provenance() {
        keep(provenance);
        choice(provenance.source);
    }
    manifest.service().into_iter().for_each(service);
    if let Some(auth) = manifest.auth() {
        keep(auth);
        choice(auth.kind);
        keep(auth.token_expiry_seconds());
        texts([auth.scopes, auth.required_for, auth.optional_for]);
        metadata(auth.metadata);
    }
    walk(manifest.endpoints(), |endpoint| {
        keep(endpoint);
        choice(endpoint.protocol);
        endpoint.transport.into_iter().for_each(choice);
        endpoint.auth.into_iter().for_each(choice);
        metadata(endpoint.extra);
    });
    if let Some(status) = manifest.status() {
        keep(status);
        texts([status.degraded]);
        metadata(status.metadata);
    }
    if let Some(pricing) = manifest.pricing() {
        keep(pricing);
        pricing.kind.into_iter().for_each(choice);
        walk(pricing.plans, |plan| {
            keep(plan);
            metadata(plan.metadata);
        });
        metadata(pricing.metadata);
    }
    if let Some(session) = manifest.session() {
        keep(session);
        metadata(session.metadata);
    }
    if let Some(audit) = manifest.audit() {
        keep(audit);
        metadata(audit.metadata);
    }
}

/// # Safety
/// `document` must point to a document, `mark` to a mark.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_manifest_capabilities(
    document: *const Document<'static>,
    mark: *const Mark,
) {
    // SAFETY: guaranteed by the caller.
    let manifest = unsafe { *document }.manifest();
    walk(manifest.capabilities(), capability);
    // SAFETY: guaranteed by the caller.
    walk(manifest.capabilities().resume(unsafe { *mark }), capability);
    let access = manifest.access();
    texts([access.allow, access.disallow]);
    metadata(access.metadata);
    walk(manifest.agents(), agent);
    let permissions = manifest.permissions();
    texts([permissions.can, permissions.cannot, permissions.behavior]);
    walk(manifest.flows(), |flow| {
        keep(flow);
        texts([flow.steps]);
        metadata(flow.metadata);
    });
    walk(manifest.dependencies(), |dependency| {
        keep(dependency);
        texts([dependency.requires]);
    });
    walk(manifest.entities(), |entity| {
        keep(entity);
        walk(entity.fields, keep);
        metadata(entity.metadata);
    });
    walk(manifest.errors(), |recovery| {
        keep(recovery);
        metadata(recovery.metadata);
    });
    rate_limits(manifest.rate_limits());
}

/// # Safety
/// `document` must point to a document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_manifest_rest(document: *const Document<'static>) {
    // SAFETY: guaranteed by the caller.
    let manifest = unsafe { *document }.manifest();
    metadata(manifest.hints());
    metadata(manifest.features());
    walk(manifest.robots(), |group| {
        keep(group);
        texts([group.agents]);
        walk(group.rules, keep);
    });
    texts([manifest.sitemaps()]);
    walk(manifest.search_results(), |result| {
        service(result.service);
        walk(result.capabilities, capability);
    });
    keep((
        manifest.cache_seconds(),
        manifest.search_query(),
        manifest.request_example(),
        manifest.response_example(),
    ));
    metadata(manifest.metadata());
}

/// # Safety
/// `text` must point to a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_manifest_choice(text: *const Text<'static>) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { *text };
    choice(Choice::<Window>::read(text));
    let (implied, unreadable) = (
        Choice::implied(Window::of(text)),
        Choice::<Window>::unreadable(),
    );
    keep((implied.value.seconds(), implied == unreadable));
    walk(List::<Text<'_>>::empty(), keep);
}

pub(crate) fn choice<E: Enumeration>(choice: Choice<'_, E>) {
    keep((choice.as_str(), choice.differing_text()));
}

pub(crate) fn capability(capability: Capability<'_>) {
    keep(capability);
    capability.protocol.into_iter().for_each(choice);
    capability.auth.into_iter().for_each(capability_auth);
    rate_limits(capability.rate_limits);
    walk(capability.parameters, parameter);
    walk(capability.outputs, keep);
    capability.sensitivity.into_iter().for_each(choice);
    capability.execution.into_iter().for_each(choice);
    if let Some(idempotency) = capability.idempotency {
        metadata(idempotency.metadata);
    }
    metadata(capability.metadata);
}

pub(crate) fn agent(agent: AgentPolicy<'_>) {
    keep(agent);
    rate_limits(agent.rate_limits);
    agent
        .capabilities
        .into_iter()
        .for_each(|list| texts([list]));
    metadata(agent.metadata);
}

fn service(service: Service<'_>) {
    keep(service);
    texts([service.contact]);
    metadata(service.metadata);
}

fn capability_auth(auth: CapabilityAuth<'_>) {
    choice(auth.kind);
    texts([auth.scopes]);
    metadata(auth.metadata);
}

fn parameter(parameter: Parameter<'_>) {
    keep(parameter);
    parameter.location.into_iter().for_each(choice);
    walk(parameter.options, keep);
    metadata(parameter.metadata);
}

fn rate_limits(list: List<'_, RateLimit<'_>>) {
    walk(list, |limit| {
        choice(limit.window);
        metadata(limit.metadata);
    });
}

fn texts<const N: usize>(lists: [List<'_, Text<'_>>; N]) {
    lists.into_iter().for_each(|list| walk(list, keep));
}

fn metadata(members: Metadata<'_>) {
    walk(members, keep);
}
