//! The typed views of the formats.

use agentsdisc_core::format::agents_txt::AgentsTxt;
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Limits};

use super::manifest::{choice, object};
use crate::{bytes, keep, walk};

/// # Safety
/// `data` must point to the given number of bytes, `limits` to limits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_agents_txt_parse(
    data: *const u8,
    length: usize,
    limits: *const Limits,
) {
    // SAFETY: guaranteed by the caller.
    let (text, limits) = unsafe { (bytes(data, length), *limits) };
    keep(AgentsTxt::parse(text, &limits));
}

/// # Safety
/// `document` must point to a document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_agents_txt(document: *const Document<'static>) {
    // SAFETY: guaranteed by the caller.
    let Some(view) = unsafe { *document }.agents_txt() else {
        return;
    };
    keep((view.spec_version(), view.generated_at(), view.agents_json()));
    keep((
        view.site_name(),
        view.site_url(),
        view.site_description(),
        view.site_contact(),
        view.site_privacy_policy(),
    ));
    choice(view.declaration_type());
    walk(view.operates_on(), keep::<Text<'_>>);
    walk(view.capabilities(), object);
    walk(view.allow(), keep);
    walk(view.disallow(), keep);
    walk(view.agents(), object);
    walk(view.metadata(), keep);
}

/// # Safety
/// `document` must point to a document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_formats(document: *const Document<'static>) {
    // SAFETY: guaranteed by the caller.
    let document = unsafe { *document };
    if let Some(view) = document.agents_json() {
        keep((view.top, view.site()));
    }
    if let Some(view) = document.agents_txt_01() {
        keep((view.site(), view.url(), view.session_ttl_or_default()));
        keep((view.audit_or_default(), view.needs_companion()));
        walk(view.allow(), keep);
    }
    keep(
        document
            .agents_json_01()
            .map(|view| (view.session_ttl_or_default(), view.audit_or_default())),
    );
    if let Some(view) = document.awp() {
        keep((view.top, view.feature_flags(), view.is_synthetic()));
        walk(view.actions(), keep);
    }
    if let Some(view) = document.adp() {
        keep((view.top, view.auth_object(), view.header_and_prefix()));
    }
    if let Some(view) = document.llms_txt() {
        keep((view.title(), view.summary()));
        walk(view.references(), keep);
    }
    keep(document.a2a_agent_card().map(|view| view.top));
    keep(document.mcp_server_card().map(|view| view.top));
    keep(document.adp_capability());
    if let Some(view) = document.adp_search() {
        walk(view.services(), keep);
    }
    keep((document.robots_txt(), document.agents_md()));
    keep((document.ai_catalog(), document.agent_skills(), document.api_catalog()));
}
