//! The typed views of the formats. Outlines and bytes are arbitrary and need not match.

use agentsdisc_core::format::adp::RequestOptions;
use agentsdisc_core::format::agents_md::{AgentsMd, AgentsMdOutline, SectionKind};
use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::{Document, Limits};

use crate::syntax::walk;
use crate::{bytes, keep, show, text};

/// # Safety
/// `document` and `detail` must point to documents, `data` to the given number of bytes, `scratch`
/// to the given number of numbers, not aliased.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_formats(
    document: *const Document<'static>,
    detail: *const Document<'static>,
    data: *const u8,
    length: usize,
    scratch: *mut u32,
    numbers: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (document, detail, given) = unsafe { (*document, *detail, text(data, length)) };
    // SAFETY: guaranteed by the caller.
    let scratch = unsafe { core::slice::from_raw_parts_mut(scratch, numbers) };
    keep(document.agents_txt().map(|view| view.site_contact()));
    keep(document.agents_json().map(|view| view.site()));
    keep(document.agents_txt_01().map(|view| (view.site(), view.url())));
    if let Some(view) = document.adp_search() {
        walk(view.services(), keep);
    }
    keep(RequestOptions::with_token(given));
    if let (Some(manifest), Some(detail)) = (document.adp(), detail.adp_capability()) {
        manifest.constant_headers(&detail).for_each(keep);
    }
    if let Some(Err(error)) = document.awp().map(|view| view.prerequisites(given, scratch)) {
        keep(error.as_error());
        show(error);
    }
}

/// # Safety
/// `data` must point to the given number of bytes, `outline` to an outline, `limits` to limits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_agents_md(
    data: *const u8,
    length: usize,
    outline: *const AgentsMdOutline,
    limits: *const Limits,
    kind: SectionKind,
) {
    // SAFETY: guaranteed by the caller.
    let (document, limits) = unsafe { (bytes(data, length), *limits) };
    keep(AgentsMd::parse(document, &limits));
    keep(AgentsMdOutline::read(document, &limits));
    // SAFETY: guaranteed by the caller.
    let view = unsafe { *outline }.attach(document);
    keep((view.outline(), view.bytes(), view.mcp(), view.cache_seconds()));
    view.metadata().for_each(keep);
    view.mcp_metadata().for_each(keep);
    view.can().for_each(keep);
    view.cannot().for_each(keep);
    view.behavior().for_each(keep);
    view.contacts().for_each(keep);
    view.rates().for_each(|rate| keep((rate, rate.window.as_str())));
    view.items(kind).for_each(|item| keep((item.rate(), item.cache_seconds())));
    for section in view.sections() {
        section.entries().for_each(keep);
        section.items().for_each(keep);
        section.paragraphs().for_each(keep);
    }
}

/// # Safety
/// `robots` must point to a robots.txt, `agent` and `url` to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_robots(
    robots: *const RobotsTxt<'static>,
    agent: *const u8,
    agent_length: usize,
    url: *const u8,
    url_length: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (robots, agent, url) =
        unsafe { (*robots, bytes(agent, agent_length), bytes(url, url_length)) };
    keep(RobotsTxt::parse(url));
    keep(robots.preference_with(agent, url, agent, url));
    robots.sitemaps().for_each(keep);
    robots.licenses().for_each(keep);
    robots.agentmaps().for_each(keep);
    robots.other_fields().for_each(keep);
    for group in robots.groups() {
        group.rules().for_each(keep);
        group.crawl_delay().into_iter().for_each(keep);
    }
}
