//! robots.txt as a format of its own.

use agentsdisc_core::Limits;
use agentsdisc_core::format::robots_txt::{CrawlDelay, RobotsTxt, Rule, agent_name};

use crate::{bytes, keep, show, walk};

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_robots_parse(
    data: *const u8,
    length: usize,
    robots: usize,
    line: usize,
) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { bytes(data, length) };
    keep(RobotsTxt::parse(text));
    keep(RobotsTxt::parse_with(text, &Limits { robots, line, ..Limits::default() }));
}

/// # Safety
/// `robots` must point to a robots.txt.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_robots(robots: *const RobotsTxt<'static>) {
    // SAFETY: guaranteed by the caller.
    let robots = unsafe { *robots };
    keep((robots.bytes(), robots.is_cut()));
    walk(robots.group_list(), keep);
    walk(robots.sitemap_list(), keep);
    walk(robots.preference_list(), keep);
    robots.preferences().for_each(keep);
    robots.agentmaps().for_each(keep);
    robots.other_fields().for_each(keep);
    for group in robots.groups() {
        keep(group.line());
        for agent in group.agents() {
            keep((agent.name, agent.span, agent.line, agent.is_any(), agent.token()));
        }
        group.rules().for_each(rule);
        group.crawl_delay().into_iter().for_each(delay);
    }
    robots.sitemaps().for_each(|sitemap| keep((sitemap.url, sitemap.span, sitemap.line)));
    robots.findings(show);
}

fn rule(rule: Rule<'_>) {
    keep((rule.allow, rule.pattern, rule.span, rule.line, rule.group));
}

fn delay(delay: CrawlDelay<'_>) {
    keep((delay.text, delay.span, delay.line, delay.milliseconds()));
}

/// # Safety
/// `robots` must point to a robots.txt, `agent` and `url` to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_robots_decide(
    robots: *const RobotsTxt<'static>,
    agent: *const u8,
    agent_length: usize,
    url: *const u8,
    url_length: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (robots, agent, url) =
        unsafe { (*robots, bytes(agent, agent_length), bytes(url, url_length)) };
    keep(robots.allowed(agent, url));
    keep(robots.preference(agent, url, agent));
    keep(robots.preference_with(agent, url, agent, url));
    let verdict = robots.decide(agent, url);
    keep((verdict.allowed, verdict.binding, verdict.reason.as_str()));
    verdict.rule.into_iter().for_each(rule);
    robots.crawl_delay(agent).into_iter().for_each(delay);
    keep(agent_name(agent));
}
