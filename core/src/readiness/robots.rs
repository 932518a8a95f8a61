//! robots.txt: whether it can be read, whom it reaches, and what it says about the use of content.

use super::answers::{Context, How, Reply};
use super::documents::{Tallied, diagnose, how, is_there};
use super::message::{Message, say};
use super::places::PLACES;
use super::{Check, Evidence, Rules, Status};
use crate::diagnostic::Severity;
use crate::discovery::Resource;
use crate::document::{Document, Hints, detect};
use crate::format::Format;
use crate::format::robots_txt::{Preference, RobotsTxt};
use crate::limits::Limits;
use crate::model::{Enumeration, Stance, Vocabulary};
use crate::scan;
use crate::syntax::url::Url;

/// Crawlers of AI services by the names that they publish for robots.txt.
const CRAWLERS: &[&str] = &[
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

fn read<'a>(context: &mut Context<'_, 'a>, reply: &Reply<'a>) {
    let (check, body) = (Check::RobotsTxt, reply.answer.body);
    let robots = RobotsTxt::parse(body);
    context.rules = Rules::Known(robots);
    if detect(body, Hints::default()).format == Format::Html {
        let message =
            say!["the answer at /robots.txt is an HTML page, in which crawlers find no rules"];
        let fix = say!["serve robots.txt as text, or answer 404 if there are no rules"];
        return context.say(check, Status::Fail, reply.evidence(), message, fix);
    }
    if robots.is_cut() {
        let message = say![
            "robots.txt is longer than 500 KiB, behind which crawlers may stop to read (RFC 9309, section 2.5)"
        ];
        context.say(check, Status::Warn, reply.evidence(), message, say!["shorten it"]);
    }
    let Ok(document) = Document::parse_as(body, Format::RobotsTxt, &Limits::DEFAULT) else {
        return context.unknown(check, "robots.txt", "this build does not read it");
    };
    let found = diagnose(context, check, reply, &document);
    if found == Tallied::Nothing {
        let groups = robots.groups().count();
        let message = say![
            "robots.txt has ",
            groups,
            if groups == 1 { " group" } else { " groups" },
            " of rules and no mistakes"
        ];
        context.say(check, Status::Pass, reply.evidence(), message, Message::NONE);
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
    let is_document = reply.is_ok() && reply.stop.is_none();
    let robots = if is_document { robots } else { RobotsTxt::ALLOW_ALL };
    signals(context, &reply, &robots);
    usage(context, &reply, &robots);
    licences(context, &reply, &robots);
}

/// Whether crawlers may fetch the documents that the site has for them.
fn access<'a>(context: &mut Context<'_, 'a>, reply: &Reply<'a>, robots: &RobotsTxt<'a>) {
    let check = Check::AiRules;
    let mut blocked = false;
    for place in PLACES.iter().filter(|place| place.resource != Resource::RobotsTxt) {
        let How::Document(_) = how(place.resource) else { continue };
        let served = context.get(place.path, how(place.resource));
        let Ok(served) = served else { continue };
        if !served.is_ok() || served.stop.is_some() || !is_there(&served, place) {
            continue;
        }
        let url = context.url(place.path);
        let verdict = robots.decide("*", url.as_str());
        let some = CRAWLERS.iter().find(|name| {
            !robots.allowed(name, url.as_str()) && robots.allowed(name, context.url("/").as_str())
        });
        let (who, status, rule) = match (verdict.rule.filter(|_| !verdict.allowed), some) {
            (Some(rule), _) => {
                ("every crawler without a group of its own", Status::Fail, Some(rule))
            }
            (None, Some(name)) => (*name, Status::Warn, robots.decide(name, url.as_str()).rule),
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
    if !reply.is_ok() && !reply.is_missing() && reply.answer.status >= 500 {
        return context.unknown(check, "who may fetch what", "the server fails to send robots.txt");
    }
    let home = context.url("/");
    let allowed = CRAWLERS.iter().filter(|name| robots.allowed(name, home.as_str())).count();
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

/// The statements of one vocabulary.
fn stated<'a>(
    robots: &RobotsTxt<'a>,
    source: Vocabulary,
) -> impl Iterator<Item = Preference<'a>> + Clone + use<'a> {
    robots.preferences().filter(move |stated| stated.source == source)
}

fn line_of(group: &Preference<'_>) -> u32 {
    group.group.map_or(0, |group| group.line())
}

fn at<'a>(reply: &Reply<'a>, line: u32) -> Evidence<'static> {
    Evidence { line, ..reply.evidence() }
}

/// Reports statements that are neither of the two values, and those that contradict each other.
/// Returns whether there was one.
fn contradictions<'a>(
    context: &mut Context<'_, 'a>,
    reply: &Reply<'a>,
    (check, values): (Check, &str),
    statements: impl Iterator<Item = Preference<'a>> + Clone,
) -> bool {
    let mut found = false;
    for (place, one) in statements.clone().enumerate() {
        if one.preference.value == Stance::NotStated {
            found = true;
            context.say(
                check,
                Status::Warn,
                at(reply, one.line),
                say![one.text, " states no preference, so it has no effect"],
                say!["write ", values],
            );
        }
        let differs = |other: &Preference<'_>| {
            line_of(other) == line_of(&one)
                && other.purpose.value == one.purpose.value
                && other.path.raw() == one.path.raw()
                && one.purpose.value != crate::model::Purpose::UNKNOWN
                && ![other.preference.value, one.preference.value].contains(&Stance::NotStated)
                && other.preference.value != one.preference.value
        };
        if let Some(other) = statements.clone().take(place).find(differs) {
            found = true;
            context.say(
                check,
                Status::Fail,
                at(reply, one.line),
                say![one.text, " contradicts line ", other.line, "; the stricter one counts"],
                say!["keep one of the two lines"],
            );
        }
    }
    found
}

fn signals<'a>(context: &mut Context<'_, 'a>, reply: &Reply<'a>, robots: &RobotsTxt<'a>) {
    let check = Check::ContentSignals;
    let signals = stated(robots, Vocabulary::ContentSignal);
    let Some(first) = signals.clone().next() else {
        return context.absent(check, "robots.txt has no Content-Signal");
    };
    let values = "`Content-Signal: search=yes, ai-input=yes, ai-train=no`, each with yes or no";
    let mut found = contradictions(context, reply, (check, values), signals.clone());
    // A signal before the first group applies to every agent.
    if signals.clone().all(|signal| signal.group.is_some()) {
        for group in robots.groups() {
            let has_some = signals.clone().any(|signal| line_of(&signal) == group.line());
            let Some(agent) = group.agents().next().filter(|_| !has_some) else { continue };
            found = true;
            context.say(
                check,
                Status::Warn,
                at(reply, group.line()),
                say!["the group for ", agent.name, " has no Content-Signal, so none applies to it: a signal counts for its own group only"],
                say!["repeat the Content-Signal in the group for ", agent.name],
            );
        }
    }
    if !found {
        let message = say!["Content-Signal reaches every group of robots.txt"];
        context.say(check, Status::Pass, at(reply, first.line), message, Message::NONE);
    }
}

fn usage<'a>(context: &mut Context<'_, 'a>, reply: &Reply<'a>, robots: &RobotsTxt<'a>) {
    let check = Check::ContentUsage;
    let usages = stated(robots, Vocabulary::ContentUsage);
    let home = context.url("/");
    let header = context
        .visit(&home, How::Page)
        .ok()
        .and_then(|page| Some((page, page.answer.header("content-usage")?)));
    let Some(first) = usages.clone().next() else {
        return match header {
            Some((page, sent)) => {
                let evidence = Evidence { header: Some(sent), ..page.evidence() };
                let message = say!["the home page states Content-Usage in its header"];
                context.say(check, Status::Pass, evidence, message, Message::NONE);
            }
            None => context.absent(check, "robots.txt has no Content-Usage"),
        };
    };
    let mut found = contradictions(
        context,
        reply,
        (check, "`Content-Usage: train-ai=n`, with y or n"),
        usages.clone(),
    );
    for usage in usages.clone().filter(|usage| usage.path.is_empty()) {
        let differs = |signal: &Preference<'_>| {
            (signal.group.is_none() || line_of(signal) == line_of(&usage))
                && signal.purpose.value == usage.purpose.value
                && signal.purpose.value != crate::model::Purpose::UNKNOWN
                && ![signal.preference.value, usage.preference.value].contains(&Stance::NotStated)
                && signal.preference.value != usage.preference.value
        };
        if let Some(signal) = stated(robots, Vocabulary::ContentSignal).find(differs) {
            found = true;
            context.say(
                check,
                Status::Fail,
                at(reply, usage.line),
                say![
                    usage.text,
                    " says something else than the Content-Signal in line ",
                    signal.line
                ],
                say!["state the same in both fields"],
            );
        }
    }
    if let Some((page, sent)) = header {
        let purpose = "train-ai";
        let in_file = robots.preference("*", "/", purpose).stance;
        let (both, by_header) = robots.preference_with("*", "/", purpose, sent.value);
        if by_header && in_file == Stance::Allow && both.stance == Stance::Disallow {
            found = true;
            context.say(
                check,
                Status::Warn,
                Evidence { header: Some(sent), ..page.evidence() },
                say!["the header of the home page forbids what robots.txt allows"],
                say!["state the same in both"],
            );
        }
    }
    if !found {
        let message = say!["Content-Usage can be read, and nothing contradicts it"];
        context.say(check, Status::Pass, at(reply, first.line), message, Message::NONE);
    }
}

fn licences<'a>(context: &mut Context<'_, 'a>, reply: &Reply<'a>, robots: &RobotsTxt<'a>) {
    const NAMESPACE: &[u8] = b"https://rslstandard.org/rsl";
    let check = Check::Licence;
    if robots.licenses().next().is_none() {
        return context.absent(check, "robots.txt names no licence");
    }
    for licence in robots.licenses().take(2) {
        let evidence = at(reply, licence.line);
        if Url::parse(licence.url.raw()).is_none() {
            let message = say![licence.url, " is not an absolute URL"];
            context.say(
                check,
                Status::Fail,
                evidence,
                message,
                say!["write the whole URL of the licence"],
            );
            continue;
        }
        let base = context.url("/");
        match context.follow(&base, licence.url, How::Linked) {
            Err(why) => context.unknown(check, "the licence", why),
            Ok(file) if file.is_ok() && file.stop.is_none() => {
                let is_rsl = scan::find(file.answer.body, NAMESPACE).is_some();
                let (status, message) = match is_rsl {
                    true => (Status::Pass, say!["the licence ", licence.url, " exists"]),
                    false => (
                        Status::Fail,
                        say![
                            "the answer at ",
                            licence.url,
                            " is no RSL licence: it lacks the namespace https://rslstandard.org/rsl"
                        ],
                    ),
                };
                let fix = if is_rsl { Message::NONE } else { say!["serve an RSL document there"] };
                context.say(check, status, file.evidence(), message, fix);
            }
            Ok(file) if file.is_refused() => {
                context.unknown(check, "the licence", "the server refuses it")
            }
            Ok(file) => {
                let message = say![
                    "the licence ",
                    licence.url,
                    " is not served (status ",
                    file.answer.status,
                    ")"
                ];
                context.say(
                    check,
                    Status::Fail,
                    file.evidence(),
                    message,
                    say!["serve it, or correct `License`"],
                );
            }
        }
    }
}

/// The status of a finding by the severity of a diagnostic.
pub(super) const fn status_of(severity: Severity) -> Status {
    match severity {
        Severity::Error => Status::Fail,
        Severity::Warning => Status::Warn,
        Severity::Info => Status::Pass,
    }
}
