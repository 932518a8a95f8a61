//! What is wrong at the locations of documents: status, redirects, formats, copies, robots.txt. A
//! [`Remark`] says it to the site's owner; the checks take their findings from the same remarks.

use super::answers::{Context, Reply, UrlText};
use super::documents::{Found, format_of, how, place_of, read};
use super::message::{Message, say};
use super::places::{PLACES, Place};
use super::served::{self, Remark, ServingCode};
use super::{Answer, Probe, Rules, Site, robots};
use crate::diagnostic::{Severity, Spec};
use crate::discovery::{Header, Resource};
use crate::format::Format;
use crate::span::Span;

/// A remark, and what it is about.
#[derive(Clone, Copy, Debug)]
pub struct Served<'r> {
    /// The URL of the document or the location.
    pub url: &'r str,
    /// The problem.
    pub remark: Remark<'r>,
    /// The position of an answer among those that the caller passed, and a place in its body.
    pub at: Option<(usize, Span)>,
}

/// A document at a location.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The location.
    pub place: &'static Place,
    /// The position of the answer among those that the caller passed.
    pub answer: usize,
    /// Its format.
    pub format: Format,
}

/// Reports what is wrong with the answer at a location, and where in its body.
pub(super) fn problems<'a>(
    place: &Place,
    reply: &Reply<'a>,
    found: &Found<'a>,
    report: &mut dyn FnMut(&Remark<'_>, Option<Span>),
) {
    let answer = &reply.answer;
    let mut say = |code, message: Message<'_>, header: Option<Header<'_>>, at: Option<Span>| {
        report(&own(code, message).at(header), at);
    };
    if let Some(stop) = reply.stop {
        let message =
            say!["agents do not follow the redirect (", stop.words(), "); serve it at this URL"];
        return say(ServingCode::RedirectedAway, message, answer.header("location"), None);
    }
    if reply.hops > 0 {
        let message = say![place.path, " redirects to this document; serve it at ", place.path];
        say(ServingCode::Redirected, message, None, None);
    }
    // Every other status of robots.txt has a meaning (RFC 9309 section 2.3.1).
    let has_meaning = place.resource == Resource::RobotsTxt && answer.status > 0;
    if !reply.is_ok() && !reply.is_missing() && !has_meaning {
        let status = answer.status;
        let message = match answer.failure {
            "" => {
                say!["the document is not available (status ", status, "); serve it, or answer 404"]
            }
            why => say!["the document is not available (", why, "); serve it, or answer 404"],
        };
        return say(ServingCode::Refused, message, None, None);
    }
    if !reply.is_ok() {
        return;
    }
    match found {
        Found::Read(_) => {}
        Found::Unreadable(error, _) => {
            let message = say!["the document is unreadable: ", error.kind.message()];
            let at = u32::try_from(error.offset).unwrap_or(u32::MAX);
            say(ServingCode::Unreadable, message, None, Some(Span::new(at, at)));
        }
        Found::Unknown(why) => {
            say(ServingCode::Unreadable, say!["the document is unreadable: ", *why], None, None);
        }
        Found::Page => {
            let message = say!["the answer is an HTML page; answer 404 if there is no document"];
            say(ServingCode::Soft404, message, None, None);
        }
        Found::Other => {
            let message = say![
                "the answer is not a document of a format for this location; serve one, or answer 404"
            ];
            say(ServingCode::NotRecognised, message, None, None);
        }
    }
}

/// Reports what is wrong with documents that are at one of two locations, or differ there.
pub(super) fn copies<'a>(
    context: &mut Context<'_, 'a>,
    report: &mut dyn FnMut(&mut Context<'_, 'a>, &Place, &Reply<'a>, &Remark<'_>),
) {
    for (number, place) in PLACES.iter().enumerate() {
        let format = context.formats.get(number).copied().unwrap_or(Format::Unknown);
        let place = place_of(place, format);
        let mut all = PLACES.iter().enumerate();
        let main = all.find(|(_, main)| main.is_main && main.resource == place.resource);
        let Some((number, main)) = main.filter(|_| !place.is_main) else { continue };
        let of_main = context.formats.get(number).copied().unwrap_or(Format::Unknown);
        let (is_here, is_there) = (place.resource.accepts(format), main.resource.accepts(of_main));
        let own = context.get(place.path, how(place.resource));
        let other = context.get(main.path, how(main.resource));
        let (Ok(own), Ok(other)) = (own, other) else { continue };
        let facts = if is_here { format } else { of_main }.facts().published;
        let section = facts.serving.map_or("", |serving| {
            let [location, ..] = serving.sections;
            location
        });
        let about = (facts.spec, section);
        let is_catalog = place.resource == Resource::AiCatalog;
        if is_here && other.is_missing() {
            let must = facts.serving.is_some_and(|serving| serving.is_type_required);
            let message = say![
                place.path,
                " is not at ",
                main.path,
                ", where its specification puts it; serve it there (also)"
            ];
            let remark = Remark::new(ServingCode::WrongLocation, about, message);
            let severity = if must { remark.severity } else { Severity::Warning };
            report(context, place, &own, &remark.with_severity(severity));
        } else if is_here && is_there {
            if own.answer.body == other.answer.body || own.answer.url == other.answer.url {
                continue;
            }
            // Agents of both versions of the specification read one catalog.
            let code = match is_catalog {
                true => ServingCode::CompanionDiffers,
                false => ServingCode::LocationsDiffer,
            };
            let message = say![
                place.path,
                " differs from ",
                main.path,
                ", which agents use; serve the same at both, or redirect"
            ];
            report(context, place, &own, &Remark::new(code, about, message));
        } else if is_there
            && own.is_missing()
            && (is_catalog || matches!(main.resource, Resource::AgentsTxt | Resource::AgentsMd))
        {
            let message =
                say!["some agents request only ", place.path, "; serve the document there too"];
            let remark = Remark::new(ServingCode::MissingRootCopy, about, message);
            report(context, main, &other, &remark);
        }
    }
}

/// A remark by a rule of this library.
const fn own(code: ServingCode, message: Message<'_>) -> Remark<'_> {
    Remark::new(code, (Spec::Ruling, ""), message)
}

/// Walks over all locations of documents, as [`survey`](super::survey) does over the checks: passes
/// the requests that are missing to `probe`, what is wrong to `report`, and the documents to
/// `documents`. Call it again with the answers.
///
/// `agent` is the agent by whose rules of robots.txt documents count as disallowed. `found` are the
/// documents that discovery has found: the URL that it requested, and the one where the document is.
pub fn serve<'a>(
    site: &Site<'a>,
    (agent, found): (&str, &[(&str, &str)]),
    answers: &[Answer<'a>],
    probe: &mut dyn FnMut(&Probe<'_>),
    report: &mut dyn FnMut(&Served<'_>),
    documents: &mut dyn FnMut(&Placed),
) {
    let mut no_findings = |_: &super::Finding<'_>| {};
    let mut context = Context::new(site, answers, probe, &mut no_findings);
    robots::file(&mut context);
    let mut say = |url: &str, at: Option<(usize, Span)>, remark: &Remark<'_>| {
        report(&Served { url, remark: *remark, at });
    };
    let mut path = UrlText::new();
    let _ = path.push_str("/.well-known/").and_then(|()| path.push_str(site.nonce));
    if context.get(&path, how(Resource::AgentsTxt)).is_ok_and(|reply| reply.is_ok()) {
        let message =
            say!["a document that does not exist has status 200; answer 404 for missing pages"];
        say(site.origin, None, &own(ServingCode::Soft404, message));
    }
    let (mut is_empty, robots_url) = (found.is_empty(), context.url("/robots.txt"));
    let robots = context.get("/robots.txt", how(Resource::RobotsTxt)).ok();
    for (number, place) in PLACES.iter().enumerate() {
        let url = context.url(place.path);
        let Ok(reply) = context.get(place.path, how(place.resource)) else {
            let message = say![
                "the time for the whole site was over before this location answered; allow more time, on the command line with --timeout"
            ];
            say(&url, None, &own(ServingCode::NotAnswered, message));
            continue;
        };
        let moved = found.iter().find(|(key, _)| *key == url.as_str());
        if let (Some(_), Some((_, there))) = (reply.stop, moved) {
            let message = say![
                "the document is on another host of the site, ",
                *there,
                "; serve it on this host"
            ];
            let remark = own(ServingCode::Redirected, message).with_severity(Severity::Warning);
            say(reply.answer.url, None, &remark);
            continue;
        }
        let read = if reply.is_ok() { read(&reply, place, &url) } else { Found::Other };
        let at = |span| Some((reply.index, span));
        problems(place, &reply, &read, &mut |remark, span| {
            say(reply.answer.url, span.and_then(at), remark);
        });
        let format = format_of(&read);
        if !reply.is_ok() || format == Format::Unknown {
            continue;
        }
        let place = place_of(place, format);
        is_empty = false;
        served::check(format, reply.answer.url, &reply.answer, &mut |remark| {
            say(reply.answer.url, None, remark);
        });
        if matches!(read, Found::Read(_)) {
            if let Some(known) = context.formats.get_mut(number) {
                *known = format;
            }
            documents(&Placed { place, answer: reply.index, format });
        }
        let (Rules::Known(rules), Some(robots)) = (context.rules, robots) else { continue };
        let rule = rules.decide(agent, reply.answer.url).rule.filter(|rule| !rule.allow);
        if let Some(rule) = rule.filter(|_| place.resource != Resource::RobotsTxt && robots.is_ok())
        {
            let message = say![
                robots_url.as_str(),
                ":",
                rule.line,
                " disallows the document; allow ",
                place.path,
                " there"
            ];
            let about = (Spec::Rfc9309, "2.2.2");
            let remark = Remark::new(ServingCode::BlockedByRobots, about, message);
            say(reply.answer.url, Some((robots.index, rule.span)), &remark);
        }
    }
    copies(&mut context, &mut |_, _, reply, remark| say(reply.answer.url, None, remark));
    if robots.is_some_and(|robots| robots::is_unavailable(&robots)) {
        let message = say![
            "the server fails to send robots.txt, which disallows everything; serve it, or answer 404"
        ];
        let about = (Spec::Rfc9309, "2.3.1.4");
        let remark = Remark::new(ServingCode::RobotsUnavailable, about, message);
        say(&robots_url, None, &remark);
    }
    if is_empty {
        let message = say![
            "the site has no document for agents; serve one, for example /.well-known/agents.txt"
        ];
        say(site.origin, None, &own(ServingCode::NothingServed, message));
    }
}
