//! The questions about a robots.txt.

use agentsdisc_core::format::robots_txt::{self, Binding, RobotsTxt};
use agentsdisc_core::manifest::Enumeration;
use agentsdisc_core::{Document, Span};

use crate::input::Input;
use crate::json::Json;

/// The rules of a document; those that allow everything for a document of another format.
pub(crate) fn of<'a>(document: &Document<'a>) -> RobotsTxt<'a> {
    document.robots_txt().unwrap_or(RobotsTxt::ALLOW_ALL)
}

/// Whether an agent may fetch a URL.
pub(crate) fn allowed(robots: RobotsTxt<'_>, mut input: Input<'_>) -> bool {
    let (agent, url) = (input.bytes().unwrap_or_default(), input.bytes().unwrap_or_default());
    robots.allowed(agent, url)
}

/// The same, and by which rule.
pub(crate) fn decide(robots: RobotsTxt<'_>, mut input: Input<'_>, json: &mut Json) {
    let (agent, url) = (input.bytes().unwrap_or_default(), input.bytes().unwrap_or_default());
    let verdict = robots.decide(agent, url);
    json.object(|json| {
        json.name("allowed").truth(verdict.allowed);
        json.name("reason").word(verdict.reason.as_str());
        json.name("rule").or_null(verdict.rule, |json, rule| {
            json.object(|json| {
                json.name("allow").truth(rule.allow);
                json.name("pattern").text(rule.pattern);
                json.name("line").number(rule.line);
                json.name("span");
                span(json, rule.span);
            });
        });
        json.name("binding").or_null(
            match verdict.binding {
                Binding::None => None,
                Binding::Any => Some("any"),
                Binding::Named => Some("named"),
            },
            Json::word,
        );
    });
}

/// The milliseconds to wait between two requests of an agent, or null.
pub(crate) fn crawl_delay(robots: RobotsTxt<'_>, mut input: Input<'_>, json: &mut Json) {
    let delay = robots.crawl_delay(input.bytes().unwrap_or_default());
    json.or_null(delay.and_then(|delay| delay.milliseconds()), Json::number);
}

/// Whether the content at a URL may be used for a purpose.
pub(crate) fn preference(robots: RobotsTxt<'_>, mut input: Input<'_>, json: &mut Json) {
    let mut next = || input.bytes().unwrap_or_default();
    let (agent, url, purpose, header) = (next(), next(), next(), next());
    let (preferred, by_header) = robots.preference_with(agent, url, purpose, header);
    json.object(|json| {
        json.name("preference").word(preferred.stance.as_str());
        json.name("statement").or_null(preferred.statement, statement);
        json.name("crawlable").truth(preferred.crawlable);
        json.name("by_header").truth(by_header);
    });
}

/// All statements about the use of content.
pub(crate) fn preferences(robots: RobotsTxt<'_>, json: &mut Json) {
    json.list(|json| robots.preferences().for_each(|stated| statement(json, stated)));
}

fn statement(json: &mut Json, stated: robots_txt::Preference<'_>) {
    json.object(|json| {
        json.name("purpose").word(stated.purpose.as_str());
        json.name("purpose_text").text(stated.purpose.text.unwrap_or_default());
        json.name("preference").word(stated.preference.as_str());
        json.name("preference_text").text(stated.preference.text.unwrap_or_default());
        let path = (!stated.path.is_empty()).then_some(stated.path);
        json.name("path").or_null(path, Json::text);
        json.name("agents").list(|json| {
            let agents = stated.group.into_iter().flat_map(|group| group.agents());
            agents.for_each(|agent| json.text(agent.name));
        });
        json.name("source").word(stated.source.as_str());
        json.name("line").number(stated.line);
        json.name("span");
        span(json, stated.span);
    });
}

fn span(json: &mut Json, span: Span) {
    json.list(|json| {
        json.number(span.start);
        json.number(span.end);
    });
}
