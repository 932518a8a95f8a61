//! robots.txt: whether it can be read, whom it reaches, and what it says about the use of content.

use super::answers::{Context, How, Reply, TOO_LONG};
use super::documents::{diagnose, how};
use super::message::{Message, say};
use super::places::PLACES;
use super::{Check, Evidence, Rules, Status};
use crate::diagnostic::Code;
use crate::discovery::Resource;
use crate::document::Document;
use crate::format::Format;
use crate::format::robots_txt::{Preference, RobotsTxt};
use crate::limits::Limits;
use crate::model::{Enumeration, Purpose, Stance, Vocabulary};
use crate::scan;
use crate::span::Span;
use crate::syntax::text::Text;

/// Crawlers of AI services by the names that they publish for robots.txt.
const CRAWLERS: [&str; 16] = [
    "GPTBot",
    "OAI-SearchBot",
    "ChatGPT-User",
    "ClaudeBot",
    "Claude-User",
    "Claude-SearchBot",
    "Google-Extended",
    "CCBot",
    "PerplexityBot",
    "Perplexity-User",
    "Applebot-Extended",
    "Amazonbot",
    "Bytespider",
    "Meta-ExternalAgent",
    "DuckAssistBot",
    "MistralAI-User",
];

/// Reads robots.txt, by whose rules pages are requested.
pub(super) fn file(context: &mut Context<'_, '_>) {
    const WHAT: &str = "robots.txt";
    let check = Check::RobotsTxt;
    let reply = match context.get("/robots.txt", how(Resource::RobotsTxt)) {
        Ok(reply) => reply,
        Err(why) => return context.unknown(check, WHAT, why),
    };
    let (status, evidence) = (reply.answer.status, reply.evidence());
    let all = Rules::Known(RobotsTxt::ALLOW_ALL);
    match status {
        _ if reply.stop.is_some() => {
            // A crawler may follow up to five redirects, also to other hosts; after that there are
            // no rules (RFC 9309 section 2.3.1.2).
            context.rules = all;
            let why = reply.stop.map_or("", |stop| stop.words());
            context.unknown(check, WHAT, why);
        }
        200 if reply.is_ok() => read(context, &reply),
        0 => {
            context.rules = Rules::Known(RobotsTxt::DISALLOW_ALL);
            let why = reply.answer.failure;
            context.say(
                check,
                if context.site.is_folder { Status::Unknown } else { Status::Fail },
                evidence,
                say![
                    "robots.txt cannot be read (",
                    why,
                    "), so crawlers must take everything as disallowed (RFC 9309, section 2.3.1.4)"
                ],
                say!["serve /robots.txt, or answer 404 if there are no rules"],
            );
        }
        500.. => {
            context.rules = Rules::Known(RobotsTxt::DISALLOW_ALL);
            context.say(
                check,
                Status::Fail,
                evidence,
                say![
                    "the server fails to send robots.txt (status ",
                    status,
                    "), which disallows everything (RFC 9309, section 2.3.1.4)"
                ],
                say!["serve /robots.txt, or answer 404 if there are no rules"],
            );
        }
        400.. => {
            context.rules = all;
            let message = say![
                "there is no robots.txt (status ",
                status,
                "), which allows everything (RFC 9309, section 2.3.1.3)"
            ];
            context.say(check, Status::Pass, evidence, message, Message::NONE);
        }
        _ => {
            context.rules = all;
            context.unknown(check, WHAT, "the server answers with an unusual status");
        }
    }
}

/// Whether the server fails to send robots.txt, which disallows everything.
pub(super) const fn is_unavailable(reply: &Reply<'_>) -> bool {
    reply.stop.is_none() && matches!(reply.answer.status, 0 | 500..)
}

fn read<'a>(context: &mut Context<'_, 'a>, reply: &Reply<'a>) {
    let (check, body) = (Check::RobotsTxt, reply.answer.body);
    let robots = RobotsTxt::parse(body);
    context.rules = Rules::Known(robots);
    if reply.answer.is_html() {
        let message =
            say!["the answer at /robots.txt is an HTML page, in which crawlers find no rules"];
        let fix = say!["serve robots.txt as text, or answer 404 if there are no rules"];
        return context.say(check, Status::Fail, reply.evidence(), message, fix);
    }
    if robots.is_cut() {
        let message = say![
            "robots.txt is longer than 500 KiB; crawlers may stop reading there (RFC 9309, section 2.5)"
        ];
        context.say(check, Status::Warn, reply.evidence(), message, say!["shorten it"]);
    }
    let Ok(document) = Document::parse_as(body, Format::RobotsTxt, &Limits::DEFAULT) else {
        return context.unknown(check, "robots.txt", "this build does not read it");
    };
    diagnose(context, reply, &document, |diagnostic| match diagnostic.code {
        // Groups that a Content-Signal does not reach.
        Code::MissingRecommendedField => Check::ContentSignals,
        _ => check_of_line(body, diagnostic.span),
    });
    let groups = robots.groups().count();
    let of_rules = if groups == 1 { " group of rules" } else { " groups of rules" };
    let message = say!["robots.txt can be read; it has ", groups, of_rules];
    context.say(check, Status::Pass, reply.evidence(), message, Message::NONE);
}

/// The check that the field in a line concerns.
fn check_of_line(body: &[u8], span: Span) -> Check {
    let (before, rest) = body.split_at_checked(span.start as usize).unwrap_or((body, b""));
    let start = scan::memrchr2(b'\n', b'\r', before).map_or(0, |at| at.saturating_add(1));
    let length = scan::memchr(b'\n', rest).unwrap_or(rest.len());
    let line = body.get(start..before.len().saturating_add(length)).unwrap_or_default();
    let is = |field| Text::plain(line.trim_ascii()).starts_with_ignore_case(field);
    if is("content-signal") {
        Check::ContentSignals
    } else if is("content-usage") {
        Check::ContentUsage
    } else if is("license") {
        Check::Licence
    } else if is("sitemap") {
        Check::Sitemap
    } else {
        Check::RobotsTxt
    }
}

/// What robots.txt says.
pub(super) fn all(context: &mut Context<'_, '_>) {
    let reply = context.get("/robots.txt", how(Resource::RobotsTxt));
    let (Ok(reply), Rules::Known(robots)) = (reply, context.rules) else {
        for check in [Check::AiRules, Check::ContentSignals, Check::ContentUsage, Check::Licence] {
            context.unknown(check, "robots.txt", "it was not answered");
        }
        return;
    };
    access(context, &reply, &robots);
    // Without a document there are rules of this library only.
    let is_document = reply.is_ok();
    let robots = if is_document { robots } else { RobotsTxt::ALLOW_ALL };
    signals(context, &reply, &robots);
    usage(context, &reply, &robots);
    licences(context, &reply, &robots);
}

/// Whether crawlers may fetch the documents that the site has for them.
fn access<'a>(context: &mut Context<'_, 'a>, reply: &Reply<'a>, robots: &RobotsTxt<'a>) {
    let check = Check::AiRules;
    let mut blocked = false;
    let home = context.url("/");
    // Whether each crawler may fetch the home page.
    let open = CRAWLERS.map(|name| robots.allowed(name, home.as_str()));
    for (place, format) in PLACES.iter().zip(context.formats) {
        if matches!(format, Format::Unknown | Format::RobotsTxt) {
            continue;
        }
        let url = context.url(place.path);
        let verdict = robots.decide("*", url.as_str());
        let mut invited = CRAWLERS.iter().zip(open).filter(|(_, is_open)| *is_open);
        let some = invited.find(|(name, _)| !robots.allowed(name, url.as_str()));
        let (who, status, rule) = match (verdict.rule.filter(|_| !verdict.allowed), some) {
            (Some(rule), _) => {
                ("every crawler without a group of its own", Status::Fail, Some(rule))
            }
            (None, Some((name, _))) => {
                (*name, Status::Warn, robots.decide(name, url.as_str()).rule)
            }
            (None, None) => continue,
        };
        blocked = true;
        let line = rule.map_or(0, |rule| rule.line);
        context.say(
            check,
            status,
            Evidence { line, ..reply.evidence() },
            say!["robots.txt disallows ", place.path, ", which the site has for agents, to ", who],
            say!["add `Allow: ", place.path, "` to that group"],
        );
    }
    if blocked {
        return;
    }
    if is_unavailable(reply) {
        return context.unknown(check, "who may fetch what", "the server fails to send robots.txt");
    }
    let allowed = open.iter().filter(|is_open| **is_open).count();
    let all = CRAWLERS.len();
    // Keeping crawlers away is the choice of the site.
    let message = say![
        "robots.txt hides no document for agents; ",
        allowed,
        " of ",
        all,
        " AI crawlers may fetch the home page"
    ];
    context.say(check, Status::Pass, reply.evidence(), message, Message::NONE);
}

/// The first statement of a vocabulary.
fn first<'a>(robots: &RobotsTxt<'a>, source: Vocabulary) -> Option<Preference<'a>> {
    robots.preferences().find(|stated| stated.source == source)
}

fn at(reply: &Reply<'_>, line: u32) -> Evidence<'static> {
    Evidence { line, ..reply.evidence() }
}

/// What is wrong with `Content-Signal` is reported with robots.txt.
fn signals<'a>(context: &mut Context<'_, 'a>, reply: &Reply<'a>, robots: &RobotsTxt<'a>) {
    let check = Check::ContentSignals;
    match first(robots, Vocabulary::ContentSignal) {
        None => context.absent(check, "robots.txt has no Content-Signal"),
        Some(signal) => {
            let message = say!["robots.txt states Content-Signal"];
            context.say(check, Status::Pass, at(reply, signal.line), message, Message::NONE);
        }
    }
}

fn usage<'a>(context: &mut Context<'_, 'a>, reply: &Reply<'a>, robots: &RobotsTxt<'a>) {
    let check = Check::ContentUsage;
    let home = context.url("/");
    let page = context.visit(&home, How::Page).ok();
    let header = page.and_then(|page| Some((page, page.answer.header("content-usage")?)));
    match (first(robots, Vocabulary::ContentUsage), header) {
        (None, None) => return context.absent(check, "the site has no Content-Usage"),
        (Some(usage), _) => {
            let message = say!["robots.txt states Content-Usage"];
            context.say(check, Status::Pass, at(reply, usage.line), message, Message::NONE);
        }
        (None, Some((page, sent))) => {
            let evidence = Evidence { header: Some(sent), ..page.evidence() };
            let message = say!["the home page states Content-Usage in its header"];
            context.say(check, Status::Pass, evidence, message, Message::NONE);
        }
    }
    let Some((page, sent)) = header else { return };
    for (purpose, _) in Purpose::NAMES.iter().filter(|(name, own)| *name == own.as_str()) {
        let in_file = robots.preference("*", "/", purpose).stance;
        let (_, by_header) = robots.preference_with("*", "/", purpose, sent.value);
        if by_header && in_file == Stance::Allow {
            context.say(
                check,
                Status::Warn,
                Evidence { header: Some(sent), ..page.evidence() },
                say!["for ", *purpose, ", the header of the home page forbids what robots.txt allows; the stricter one counts"],
                say!["state the same in both"],
            );
        }
    }
}

fn licences<'a>(context: &mut Context<'_, 'a>, reply: &Reply<'a>, robots: &RobotsTxt<'a>) {
    const NAMESPACE: &[u8] = b"https://rslstandard.org/rsl";
    let check = Check::Licence;
    if robots.licenses().next().is_none() {
        return context.absent(check, "robots.txt names no licence");
    }
    for licence in robots.licenses().take(2) {
        let (base, line) = (context.url("/"), at(reply, licence.line));
        let texts = ("robots.txt names the licence ", "serve it, or correct `License`");
        let Some(file) = context.promised((check, line), (&base, licence.url, How::Linked), texts)
        else {
            continue;
        };
        let (name, evidence) = (licence.url, file.evidence());
        if scan::find(file.answer.body, NAMESPACE).is_some() {
            let message = say!["the licence ", name, " exists"];
            context.say(check, Status::Pass, evidence, message, Message::NONE);
        } else if file.answer.is_cut {
            context.unknown_at(check, evidence, say![name], TOO_LONG);
        } else {
            let message = say![
                "the answer at ",
                name,
                " is no RSL licence: it lacks the namespace https://rslstandard.org/rsl"
            ];
            context.say(
                check,
                Status::Fail,
                evidence,
                message,
                say!["serve an RSL document there"],
            );
        }
    }
}
