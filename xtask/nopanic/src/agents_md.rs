//! agents.md. Outlines and bytes are arbitrary and need not match.

use agentsdisc_core::Limits;
use agentsdisc_core::format::agents_md::{AgentsMd, AgentsMdOutline, Entry, SectionKind};

use crate::{bytes, keep, show, text};

/// # Safety
/// `data` must point to the given number of bytes, `limits` to limits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_agents_md_parse(
    data: *const u8,
    length: usize,
    limits: *const Limits,
) {
    // SAFETY: guaranteed by the caller.
    let (document, limits) = unsafe { (bytes(data, length), *limits) };
    keep(AgentsMd::parse(document, &limits));
    keep(AgentsMdOutline::read(document, &limits));
}

/// # Safety
/// `data` must point to the given number of bytes, `outline` to an outline.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_agents_md(
    data: *const u8,
    length: usize,
    outline: *const AgentsMdOutline,
) {
    // SAFETY: guaranteed by the caller.
    let view = unsafe { (*outline).attach(bytes(data, length)) };
    keep((view.outline(), view.bytes(), view.front_matter(), view.yaml(), view.body()));
    keep((
        view.version(),
        view.title(),
        view.description(),
        view.mcp(),
        view.cache_seconds(),
        view.has_known_section(),
    ));
    view.metadata().for_each(keep);
    view.mcp_metadata().for_each(keep);
    view.can().for_each(keep);
    view.cannot().for_each(keep);
    view.behavior().for_each(keep);
    view.contacts().for_each(keep);
    view.rates().for_each(|rate| keep((rate, rate.window.as_str(), rate.window.seconds())));
}

/// # Safety
/// `data` must point to the given number of bytes, `outline` to an outline.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_agents_md_sections(
    data: *const u8,
    length: usize,
    outline: *const AgentsMdOutline,
    kind: SectionKind,
) {
    // SAFETY: guaranteed by the caller.
    let view = unsafe { (*outline).attach(bytes(data, length)) };
    let mut walk = view.walk();
    while let Some(entry) = walk.next() {
        keep((walk.section(), matches!(entry, Entry::Item(_))));
        keep(entry);
    }
    view.items(kind).for_each(keep);
    for section in view.sections() {
        keep((section, section.kind.as_str()));
        section.entries().for_each(keep);
        section.items().for_each(keep);
        section.paragraphs().for_each(keep);
    }
}

/// # Safety
/// `data` and `origin` must point to the given number of bytes, `outline` to an outline.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_agents_md_check(
    data: *const u8,
    length: usize,
    outline: *const AgentsMdOutline,
    origin: *const u8,
    origin_length: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (view, origin) =
        unsafe { ((*outline).attach(bytes(data, length)), text(origin, origin_length)) };
    view.findings(Some(origin), show);
}
