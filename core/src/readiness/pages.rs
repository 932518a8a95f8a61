//! Pages: the home page in its variants, paths that do not exist, the sitemap.

use super::answers::{Asked, Context, How, Reply, Stop, UrlText};
use super::documents::{has_relation, how};
use super::message::{Message, say};
use super::{Answer, Check, Evidence, PLACES, Status};
use crate::discovery::link_header::{Link, Links};
use crate::discovery::page::{Element, Elements};
use crate::discovery::{Header, Resource};
use crate::scan;
use crate::span::Span;
use crate::syntax::html::Attributes;
use crate::syntax::text::Text;

/// The maximum number of links and pages that are requested.
const SAMPLES: usize = 3;
/// The maximum number of URLs of a sitemap (sitemaps.org).
const MOST_URLS: usize = 50_000;
/// A page with scripts and less text than this, in bytes, shows nothing without scripts.
const SHELL: usize = 120;

/// Relations of links to what agents can use.
const RELATIONS: &[&str] = &[
    "api-catalog",
    "service-desc",
    "service-doc",
    "service-meta",
    "describedby",
    "license",
    "llms",
    "llms-txt",
    "ard",
    "ai-catalog",
    "mcp-server-card",
    "agent-card",
    "agent-skills",
    "oauth-protected-resource",
];

fn page<'a>(context: &mut Context<'_, 'a>, how: How) -> Asked<'a> {
    let home = context.url("/");
    context.visit(&home, how)
}

/// Whether an answer is from a protection against bots, which may treat other addresses differently.
fn is_challenge(answer: &Answer<'_>) -> bool {
    answer.header("cf-mitigated").is_some()
        || answer.header("x-vercel-mitigated").is_some()
        || matches!(answer.status, 401 | 403 | 429 | 503)
}

/// Asks for the home page, and whether it answers.
pub(super) fn home(context: &mut Context<'_, '_>) {
    let check = Check::Reachable;
    let reply = match page(context, How::Page) {
        Ok(reply) => reply,
        Err(why) => return context.unknown(check, "the home page", why),
    };
    let (status, evidence) = (reply.answer.status, reply.evidence());
    match status {
        200 if reply.answer.header("cf-mitigated").is_none() => {
            let message = say!["the home page answers this program"];
            context.say(check, Status::Pass, evidence, message, Message::NONE);
        }
        0 => {
            let is_unread = context.site.is_folder;
            let message = say!["the home page does not answer: ", reply.answer.failure];
            let status = if is_unread { Status::Unknown } else { Status::Fail };
            context.say(
                check,
                status,
                evidence,
                message,
                say!["make the site answer requests of programs"],
            );
        }
        _ if is_challenge(&reply.answer) => {
            let message = say![
                "the home page refuses this program (status ",
                status,
                "); that may depend on its address, so nothing is said about other programs"
            ];
            let fix = say![
                "allow the agents that you want, in the firewall or the protection against bots"
            ];
            context.say(check, Status::Unknown, evidence, message, fix);
        }
        _ if reply.stop.is_some() => {
            let why = reply.stop.map_or("", |stop| stop.words());
            context.unknown(check, "the home page", why);
        }
        404 | 410 if context.site.is_folder => {
            context.unknown(check, "the home page", "the folder has no index.html");
        }
        500.. => {
            let message = say!["the home page fails with status ", status];
            context.say(check, Status::Fail, evidence, message, say!["correct the server"]);
        }
        _ => {
            let message = say!["the home page answers with status ", status];
            context.say(check, Status::Fail, evidence, message, say!["serve a page at /"]);
        }
    }
}

/// Checks pages.
pub(super) fn all(context: &mut Context<'_, '_>) {
    nothing(context);
    redirects(context);
    negotiation(context);
    links(context);
    markdown_copy(context);
    html(context);
    sitemap(context);
}

/// Asks for what does not exist.
fn nothing(context: &mut Context<'_, '_>) {
    let check = Check::Honest404;
    for front in ["/", "/.well-known/"] {
        let mut path = UrlText::new();
        if path.push_str(front).and_then(|()| path.push_str(context.site.nonce)).is_err() {
            continue;
        }
        let url = context.url(&path);
        let is_page = front == "/";
        let asked = if is_page {
            context.visit(&url, How::Page)
        } else {
            context.get(&path, how(Resource::AgentsTxt))
        };
        let reply = match asked {
            Ok(reply) => reply,
            Err(why) => {
                context.unknown(check, "a path that does not exist", why);
                continue;
            }
        };
        let evidence = reply.evidence();
        let what = if is_page { "a page" } else { "a document below /.well-known/" };
        if reply.answer.hides_headers {
            context.unknown(check, what, "the folder does not say how its host answers");
        } else if reply.is_missing() {
            let message = say![what, " that does not exist has status ", reply.answer.status];
            context.say(check, Status::Pass, evidence, message, Message::NONE);
        } else if reply.stop.is_some() || reply.is_refused() {
            context.unknown(check, what, "the server refuses it or redirects elsewhere");
        } else {
            let message = say![
                what,
                " that does not exist has status ",
                reply.answer.status,
                ", so agents cannot tell whether something is there"
            ];
            let fix = say![
                "answer 404 for paths that do not exist; a fallback to one page may apply to pages of the application only"
            ];
            context.say(check, Status::Fail, evidence, message, fix);
        }
    }
}

/// Checks the redirects of the home page and of the documents.
fn redirects(context: &mut Context<'_, '_>) {
    let check = Check::Redirects;
    let Ok(home) = page(context, How::Page) else {
        return context.unknown(check, "redirects", "the home page was not requested");
    };
    redirect(context, "/", &home);
    for place in &PLACES {
        // Where everything redirects to another host, there are no documents.
        if let Ok(reply) = context.get(place.path, how(place.resource))
            && reply.stop != Some(Stop::OtherHost)
        {
            redirect(context, place.path, &reply);
        }
    }
    let message = say!["redirects end on the site"];
    context.say(check, Status::Pass, home.evidence(), message, Message::NONE);
}

/// Checks the redirects of a path.
fn redirect(context: &mut Context<'_, '_>, path: &str, reply: &Reply<'_>) {
    let evidence = Evidence { header: reply.answer.header("location"), ..reply.evidence() };
    let fix = say!["use one redirect to the final URL"];
    match reply.stop {
        Some(Stop::OtherHost) => {
            let message = say![
                path,
                " redirects to another host, where agents do not look for the documents of this one"
            ];
            let fix = say!["serve it here, or check the other host"];
            context.say(Check::Redirects, Status::Warn, evidence, message, fix);
        }
        Some(stop) => {
            let message = say![path, ": ", stop.words()];
            context.say(Check::Redirects, Status::Fail, evidence, message, fix);
        }
        None if reply.hops > 1 => {
            let message = say![path, " is reached by ", reply.hops, " redirects"];
            context.say(Check::Redirects, Status::Warn, evidence, message, fix);
        }
        None => {}
    }
}

/// Whether caches are told that the answer depends on Accept.
fn varies(answer: &Answer<'_>) -> bool {
    answer.values("vary").any(|line| {
        line.split(|octet| *octet == b',')
            .map(<[u8]>::trim_ascii)
            .any(|name| name == b"*" || name.eq_ignore_ascii_case(b"accept"))
    })
}

/// Checks the home page in Markdown.
fn negotiation(context: &mut Context<'_, '_>) {
    let check = Check::MarkdownNegotiation;
    const WHAT: &str = "the home page in Markdown";
    let both = (page(context, How::Page), page(context, How::Markdown));
    if context.site.is_folder {
        context.unknown(check, WHAT, "a folder does not show how its server negotiates");
        return context.absent(Check::Vary, "a folder does not show how its server negotiates");
    }
    let (html, markdown) = match both {
        (Ok(html), Ok(markdown)) => (html, markdown),
        (Err(why), _) | (_, Err(why)) => {
            context.unknown(check, WHAT, why);
            return context.unknown(Check::Vary, "Vary", why);
        }
    };
    let evidence = markdown.evidence();
    let kind = markdown.answer.header("content-type");
    let evidence = Evidence { header: kind, ..evidence };
    if markdown.answer.status == 406 {
        let message =
            say!["the home page answers 406 to those who ask for Markdown, instead of HTML"];
        context.say(
            check,
            Status::Fail,
            evidence,
            message,
            say!["send the HTML if there is no Markdown"],
        );
        return context.absent(Check::Vary, "the home page is not negotiated");
    }
    if !markdown.is_ok() || !html.is_ok() {
        context.unknown(check, WHAT, "the server refuses the home page");
        return context.unknown(Check::Vary, "Vary", "the server refuses the home page");
    }
    if html.answer.is_type("text/markdown") {
        let message = say!["browsers get Markdown instead of the home page, perhaps from a cache"];
        let evidence = Evidence { header: html.answer.header("content-type"), ..html.evidence() };
        context.say(
            check,
            Status::Fail,
            evidence,
            message,
            say!["send Markdown only if Accept prefers it, and `Vary: Accept` with both"],
        );
    } else if !markdown.answer.is_type("text/markdown") {
        let message = "the home page is HTML for everyone";
        context.absent(check, message);
        return context.absent(Check::Vary, message);
    } else if markdown.answer.is_html() {
        let message = say!["what is sent as Markdown is an HTML page"];
        context.say(
            check,
            Status::Fail,
            evidence,
            message,
            say!["send Markdown, or do not call it so"],
        );
    } else {
        match page(context, How::Rather) {
            Ok(rather) if rather.is_ok() && rather.answer.is_type("text/markdown") => {
                let message = say![
                    "the server sends Markdown although the request prefers HTML (q-values, RFC 9110, section 12.5.1)"
                ];
                context.say(
                    check,
                    Status::Warn,
                    rather.evidence(),
                    message,
                    say!["compare the q-values of Accept"],
                );
            }
            _ => {
                let message = say!["the home page is Markdown for those who ask for it"];
                context.say(check, Status::Pass, evidence, message, Message::NONE);
            }
        }
    }
    for (reply, name) in [(html, "HTML"), (markdown, "Markdown")] {
        let header = reply.answer.header("vary");
        let evidence = Evidence { header, ..reply.evidence() };
        match varies(&reply.answer) {
            true => {
                context.say(
                    Check::Vary,
                    Status::Pass,
                    evidence,
                    say!["the home page in ", name, " has `Vary: Accept`"],
                    Message::NONE,
                );
            }
            false => {
                let message = say![
                    "the home page in ",
                    name,
                    " has no `Vary: Accept`, so a cache may send it to those who want the other one (RFC 9110, section 12.5.5)"
                ];
                context.say(
                    Check::Vary,
                    Status::Warn,
                    evidence,
                    message,
                    say!["send `Vary: Accept` with both variants"],
                );
            }
        }
    }
}

/// A link of the home page.
fn is_of_use(link: &Link<'_>) -> bool {
    !link.is_elsewhere && RELATIONS.iter().any(|relation| has_relation(link.relation, relation))
}

/// Checks the links of the home page, in headers and HTML.
fn links(context: &mut Context<'_, '_>) {
    let check = Check::LinkHeaders;
    let home = match page(context, How::Page) {
        Ok(home) if home.is_ok() => home,
        Ok(_) => return context.unknown(check, "links", "the home page does not answer"),
        Err(why) => return context.unknown(check, "links", why),
    };
    let sent = home.answer.values("link").flat_map(Links).map(|link| (link, true));
    let written = Elements::new(home.answer.body).filter_map(|element| match element {
        Element::Link(link) => Some((link, false)),
        Element::Base(_) => None,
    });
    let mut count = 0_usize;
    for (link, is_header) in sent.chain(written).filter(|(link, _)| is_of_use(link)) {
        count = count.saturating_add(1);
        if count > SAMPLES {
            continue;
        }
        let value = Header { name: b"link", value: link.target };
        let evidence = Evidence { header: is_header.then_some(value), ..home.evidence() };
        let target = Text::plain(link.target);
        match context.follow(home.answer.url, target, How::Linked) {
            Err(why) => {
                context.say(
                    check,
                    Status::Unknown,
                    evidence,
                    say!["the link to ", target, " is not decided: ", why],
                    Message::NONE,
                );
            }
            Ok(reply) if reply.is_refused() || reply.stop.is_some() => {
                context.say(
                    check,
                    Status::Unknown,
                    evidence,
                    say!["the link to ", target, " is not decided: the server refuses it"],
                    Message::NONE,
                );
            }
            Ok(reply) if !reply.is_ok() => {
                let message = say![
                    "the home page links to ",
                    target,
                    ", but the server answers with status ",
                    reply.answer.status
                ];
                context.say(
                    check,
                    Status::Fail,
                    evidence,
                    message,
                    say!["serve it, or remove the link"],
                );
            }
            Ok(reply) => {
                let stated = link.media_type.map(<[u8]>::trim_ascii).unwrap_or_default();
                let base =
                    stated.split(|octet| *octet == b';').next().unwrap_or_default().trim_ascii();
                let is_other = !base.is_empty()
                    && !reply.answer.hides_headers
                    && !reply.answer.media_type().eq_ignore_ascii_case(base);
                if is_other {
                    let message = say![
                        "the link to ",
                        target,
                        " states the type ",
                        Text::plain(base),
                        ", but it is sent as ",
                        Text::plain(reply.answer.media_type())
                    ];
                    let evidence = Evidence {
                        header: reply.answer.header("content-type"),
                        ..reply.evidence()
                    };
                    context.say(
                        check,
                        Status::Warn,
                        evidence,
                        message,
                        say!["state the type that is sent"],
                    );
                } else {
                    context.say(
                        check,
                        Status::Pass,
                        evidence,
                        say!["the link to ", target, " leads to it"],
                        Message::NONE,
                    );
                }
            }
        }
    }
    if count == 0 {
        context.absent(check, "the home page has no links to documents for agents");
    }
}

/// Checks the Markdown copy to which the home page links.
fn markdown_copy(context: &mut Context<'_, '_>) {
    let check = Check::PageMarkdown;
    let home = match page(context, How::Page) {
        Ok(home) if home.is_ok() => home,
        _ => return context.unknown(check, "the Markdown copy", "the home page does not answer"),
    };
    let written = Elements::new(home.answer.body).filter_map(|element| match element {
        Element::Link(link) => Some(link),
        Element::Base(_) => None,
    });
    let copy = home.answer.values("link").flat_map(Links).chain(written).find(|link| {
        let kind = link
            .media_type
            .unwrap_or_default()
            .split(|octet| *octet == b';')
            .next()
            .unwrap_or_default();
        has_relation(link.relation, "alternate")
            && kind.trim_ascii().eq_ignore_ascii_case(b"text/markdown")
    });
    let Some(copy) = copy else {
        return context.absent(check, "the home page names no Markdown copy");
    };
    let target = Text::plain(copy.target);
    match context.follow(home.answer.url, target, How::Linked) {
        Err(why) => context.unknown(check, "the Markdown copy", why),
        Ok(reply) if reply.is_refused() || reply.stop.is_some() => {
            context.unknown(check, "the Markdown copy", "the server refuses it");
        }
        Ok(reply) if !reply.is_ok() || reply.answer.is_html() => {
            let message =
                say!["the home page names the Markdown copy ", target, ", but there is none"];
            context.say(
                check,
                Status::Fail,
                reply.evidence(),
                message,
                say!["serve it, or remove the link"],
            );
        }
        Ok(reply) => {
            let message = say!["the Markdown copy ", target, " exists"];
            context.say(check, Status::Pass, reply.evidence(), message, Message::NONE);
        }
    }
}

/// What a page shows without scripts.
#[derive(Clone, Copy, Default)]
struct Shown {
    /// The bytes of its text.
    text: usize,
    has_title: bool,
    has_heading: bool,
    has_language: bool,
    has_scripts: bool,
    has_tools: bool,
    has_forms: bool,
}

/// Reads the tags of a page once.
fn shown(body: &[u8]) -> Shown {
    let mut shown = Shown::default();
    let mut rest = body;
    while let Some(open) = scan::memchr(b'<', rest) {
        let (text, tag) = rest.split_at_checked(open).unwrap_or((rest, &[]));
        shown.text = shown.text.saturating_add(visible(text));
        let inside = tag.get(1..).unwrap_or_default();
        let end =
            inside.iter().position(|octet| !octet.is_ascii_alphanumeric()).unwrap_or(inside.len());
        let name = inside.get(..end).unwrap_or_default();
        let close = scan::memchr(b'>', inside).unwrap_or(inside.len());
        let attributes = inside.get(end..close).unwrap_or_default();
        let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
        let behind = inside.get(close..).unwrap_or_default();
        rest = behind.get(1..).unwrap_or_default();
        if inside.starts_with(b"!--") {
            let end = scan::find(inside, b"-->").unwrap_or(inside.len());
            rest = inside.get(end..).and_then(|rest| rest.get(3..)).unwrap_or_default();
            continue;
        }
        shown.has_heading |= is(b"h1");
        shown.has_forms |= is(b"form");
        let has = |name: &str| Attributes::of(attributes).get(name);
        shown.has_language |= is(b"html") && has("lang").is_some_and(|lang| !lang.is_empty());
        shown.has_tools |= is(b"form") && has("toolname").is_some();
        for (hidden, is_script) in
            [(&b"script"[..], true), (b"style", false), (b"title", false), (b"template", false)]
        {
            if !is(hidden) {
                continue;
            }
            shown.has_scripts |= is_script;
            let content = until_end(rest, hidden);
            shown.has_title |= hidden == b"title" && visible(content) > 0;
            rest = rest.get(content.len()..).unwrap_or_default();
        }
    }
    shown.text = shown.text.saturating_add(visible(rest));
    shown
}

/// The content of an element, up to its end tag.
fn until_end<'t>(text: &'t [u8], name: &[u8]) -> &'t [u8] {
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| scan::memchr(b'<', rest)) {
        at = open.saturating_add(at);
        let end = text.get(at..).and_then(|rest| rest.strip_prefix(b"</"));
        if end
            .and_then(|end| end.get(..name.len()))
            .is_some_and(|end| end.eq_ignore_ascii_case(name))
        {
            return text.get(..at).unwrap_or_default();
        }
        at = at.saturating_add(1);
    }
    text
}

/// The number of bytes of a text without blanks.
fn visible(text: &[u8]) -> usize {
    text.iter().filter(|octet| !octet.is_ascii_whitespace()).count()
}

/// Checks the HTML of the home page.
fn html(context: &mut Context<'_, '_>) {
    let home = match page(context, How::Page) {
        Ok(home) if home.is_ok() && home.answer.is_html() => home,
        _ => {
            for check in [Check::ContentInHtml, Check::PageBasics, Check::Webmcp] {
                context.unknown(check, "the home page", "there is no answer with HTML");
            }
            return;
        }
    };
    let (evidence, shown) = (home.evidence(), shown(home.answer.body));
    let text = shown.text;
    if shown.has_scripts && text < SHELL && !home.answer.is_cut {
        let message = say![
            "without scripts the home page has ",
            text,
            " characters of text, so programs that run none see nothing"
        ];
        context.say(
            Check::ContentInHtml,
            Status::Fail,
            evidence,
            message,
            say!["render the text on the server or at build time"],
        );
    } else {
        let message = say!["the home page has ", text, " characters of text without scripts"];
        context.say(Check::ContentInHtml, Status::Pass, evidence, message, Message::NONE);
    }
    let mut complete = true;
    for (has, what, fix) in [
        (shown.has_title, "title", "write a <title>"),
        (shown.has_language, "language", "write <html lang=\"en\">, with the language of the page"),
        (shown.has_heading, "heading of the first level", "write an <h1>"),
    ] {
        if !has {
            complete = false;
            context.say(
                Check::PageBasics,
                Status::Warn,
                evidence,
                say!["the home page has no ", what],
                say![fix],
            );
        }
    }
    if complete {
        let message = say!["the home page has a title, a language and a heading"];
        context.say(Check::PageBasics, Status::Pass, evidence, message, Message::NONE);
    }
    if shown.has_tools {
        let message = say!["the home page declares forms as tools"];
        context.say(Check::Webmcp, Status::Pass, evidence, message, Message::NONE);
    } else if scan::find(home.answer.body, b"modelContext").is_some() {
        context.unknown(Check::Webmcp, "tools", "scripts register them, which are not run");
    } else {
        context.absent(Check::Webmcp, "the home page declares no tools");
    }
}

/// The URLs in a sitemap.
struct Locations<'a>(&'a [u8]);

impl<'a> Iterator for Locations<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = scan::find(self.0, b"<loc>")?.checked_add(5)?;
        let rest = self.0.get(start..)?;
        let end = scan::memchr(b'<', rest)?;
        self.0 = rest.get(end..)?;
        rest.get(..end).map(<[u8]>::trim_ascii)
    }
}

/// Checks the sitemap that robots.txt names, or the usual one.
fn sitemap(context: &mut Context<'_, '_>) {
    let check = Check::Sitemap;
    let robots = context.robots();
    let mut named = robots.sitemaps().filter(|named| !named.url.is_empty()).peekable();
    if named.peek().is_none() {
        let url = context.url("/sitemap.xml");
        return match context.visit(&url, How::Linked) {
            Ok(reply) if reply.is_ok() && is_sitemap(&reply.answer) => one_sitemap(context, &reply),
            Ok(reply) if reply.is_refused() => {
                context.unknown(check, "/sitemap.xml", "the server refuses it")
            }
            Ok(_) => context
                .absent(check, "robots.txt names no sitemap, and there is none at /sitemap.xml"),
            Err(why) => context.unknown(check, "/sitemap.xml", why),
        };
    }
    let file = context.get("/robots.txt", how(Resource::RobotsTxt));
    for sitemap in named.take(SAMPLES) {
        let line = Evidence {
            line: sitemap.line,
            ..file.map_or_else(|_| Evidence::default(), |file| file.evidence())
        };
        let base = context.url("/");
        match context.follow(&base, sitemap.url, How::Linked) {
            Err(why) => {
                context.say(
                    check,
                    Status::Unknown,
                    line,
                    say!["the sitemap ", sitemap.url, " is not decided: ", why],
                    Message::NONE,
                );
            }
            Ok(reply) if reply.is_refused() || reply.stop.is_some() => {
                context.say(
                    check,
                    Status::Unknown,
                    line,
                    say![
                        "the sitemap ",
                        sitemap.url,
                        " is not decided: the server refuses it or redirects elsewhere"
                    ],
                    Message::NONE,
                );
            }
            Ok(reply) if !reply.is_ok() => {
                let message = say![
                    "robots.txt names the sitemap ",
                    sitemap.url,
                    ", but the server answers with status ",
                    reply.answer.status
                ];
                context.say(
                    check,
                    Status::Fail,
                    line,
                    message,
                    say!["serve it, or correct `Sitemap`"],
                );
            }
            Ok(reply) => one_sitemap(context, &reply),
        }
    }
}

fn is_sitemap(answer: &Answer<'_>) -> bool {
    scan::find(answer.body, b"<urlset").is_some()
        || scan::find(answer.body, b"<sitemapindex").is_some()
}

fn one_sitemap(context: &mut Context<'_, '_>, reply: &Reply<'_>) {
    let (check, body, evidence) = (Check::Sitemap, reply.answer.body, reply.evidence());
    if body.starts_with(&[0x1F, 0x8B]) {
        return context.unknown(check, "the sitemap", "it is compressed");
    }
    if !is_sitemap(&reply.answer) {
        // A list of URLs in a text file is a sitemap, too.
        let is_list = !reply.answer.is_html() && body.trim_ascii().starts_with(b"http");
        if is_list {
            let message = say!["the sitemap is a list of URLs"];
            return context.say(check, Status::Pass, evidence, message, Message::NONE);
        }
        let message = say!["the answer at the URL of the sitemap is no sitemap"];
        return context.say(
            check,
            Status::Fail,
            evidence,
            message,
            say!["serve XML with <urlset> or <sitemapindex>"],
        );
    }
    let count = Locations(body).count();
    if count > MOST_URLS {
        let message = say!["the sitemap has ", count, " URLs, more than 50,000"];
        context.say(check, Status::Fail, evidence, message, say!["split it, and write an index"]);
    }
    let (mut elsewhere, mut fine) = (false, true);
    // Whether it is not known on which host the site will be.
    let is_unknown = context.site.canonical.is_empty();
    let half = count / 2;
    for (number, location) in Locations(body).enumerate() {
        let is_sample = number == 0 || (number == half && half > 0);
        let url = Text::plain(location);
        if !is_sample && number >= 1000 {
            continue;
        }
        // Counts the lines up to it, so only for what is reported.
        let at = || reply.at(Span::of(location, body).start as usize);
        match context.local(reply.answer.url, url) {
            Err(why) if is_unknown && is_sample => {
                let message = say![url, " is not decided: ", why];
                context.say(check, Status::Unknown, at(), message, Message::NONE);
            }
            Err(_) if !is_unknown && !elsewhere => {
                elsewhere = true;
                fine = false;
                let message = say![
                    "the sitemap lists ",
                    url,
                    ", which is not on this host, so crawlers may ignore it"
                ];
                context.say(
                    check,
                    Status::Warn,
                    at(),
                    message,
                    say!["list URLs of this host; `--canonical-origin` names it for a preview"],
                );
            }
            Ok(page) if is_sample => match context.visit(&page, How::Page) {
                Ok(reply) if reply.is_missing() => {
                    fine = false;
                    let message = say![
                        "the sitemap lists ",
                        url,
                        ", but the server answers with status ",
                        reply.answer.status
                    ];
                    context.say(check, Status::Fail, at(), message, say!["list pages that exist"]);
                }
                Ok(_) => {}
                Err(why) => context.say(
                    check,
                    Status::Unknown,
                    at(),
                    say![url, " is not decided: ", why],
                    Message::NONE,
                ),
            },
            _ => {}
        }
    }
    if fine {
        let message = say!["the sitemap lists ", count, if count == 1 { " URL" } else { " URLs" }];
        context.say(check, Status::Pass, evidence, message, Message::NONE);
    }
}
