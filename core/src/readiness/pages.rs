//! Pages: the home page in its variants, paths that do not exist, the sitemap.

use super::answers::{Asked, Context, How, Reply, Stop, TOO_LONG, UrlText};
use super::documents::{has_relation, how};
use super::message::{Message, say};
use super::{Answer, Check, Evidence, PLACES, Status};
use crate::discovery::link_header::Link;
use crate::discovery::page::{self as discovery, Written};
use crate::discovery::{Header, Pointing, Resource, URL_CAPACITY, leads_to_document};
use crate::rules::media::essence;
use crate::scan;
use crate::span::Span;
use crate::syntax::html::{Part, Parts};
use crate::syntax::text::{Text, byte_order_mark};

/// The maximum number of links and pages that are requested.
const SAMPLES: usize = 3;
/// The maximum number of URLs of a sitemap (sitemaps.org).
const MOST_URLS: usize = 50_000;
/// A page with scripts and less text than this, in bytes, shows nothing without scripts.
const NOTHING: usize = 20;
/// A page with scripts and less text than this, in bytes, may show nothing of interest without them.
const SHELL: usize = 120;

/// Relations of links to what agents can use, besides those of the documents that discovery reads.
const RELATIONS: [&str; 5] =
    ["service-desc", "service-doc", "service-meta", "describedby", "license"];

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

/// Whether a link leads to something for agents that answers GET. Beside an endpoint there need not be
/// a card, so links to endpoints promise nothing.
fn is_of_use(link: &Link<'_>) -> bool {
    leads_to_document(link)
        || RELATIONS.iter().any(|relation| has_relation(link.relation, relation))
}

/// Checks the links of the home page, in headers and HTML.
fn links(context: &mut Context<'_, '_>) {
    let check = Check::LinkHeaders;
    let home = match page(context, How::Page) {
        Ok(home) if home.is_ok() => home,
        Ok(_) => return context.unknown(check, "links", "the home page does not answer"),
        Err(why) => return context.unknown(check, "links", why),
    };
    let (mut count, answer) = (0_usize, home.answer);
    discovery::links(answer.url, answer.headers, answer.body, &mut |written| {
        if is_of_use(&written.link) {
            count = count.saturating_add(1);
            link(context, &home, written);
        }
        count < SAMPLES
    });
    if count == 0 {
        context.absent(check, "the home page has no links to documents for agents");
    }
}

/// Checks a link of the home page.
fn link(context: &mut Context<'_, '_>, home: &Reply<'_>, written: &Written<'_>) {
    let (check, link) = (Check::LinkHeaders, &written.link);
    let header = (written.pointing == Pointing::LinkHeader)
        .then_some(Header { name: b"link", value: link.target });
    let evidence = Evidence { header, ..home.evidence() };
    let target = Text::plain(link.target);
    let texts = ("the home page links to ", "serve it, or remove the link");
    let Some(reply) =
        context.promised((check, evidence), (written.base, target, How::Linked), texts)
    else {
        return;
    };
    let stated = essence(link.media_type.unwrap_or_default());
    let sent = reply.answer.media_type();
    if stated.is_empty() || reply.answer.hides_headers || sent.eq_ignore_ascii_case(stated) {
        let message = say!["the link to ", target, " leads to it"];
        return context.say(check, Status::Pass, evidence, message, Message::NONE);
    }
    let message = say![
        "the link to ",
        target,
        " states the type ",
        Text::plain(stated),
        ", but it is sent as ",
        Text::plain(sent)
    ];
    let evidence = Evidence { header: reply.answer.header("content-type"), ..reply.evidence() };
    context.say(check, Status::Warn, evidence, message, say!["state the type that is sent"]);
}

/// Checks the Markdown copy to which the home page links.
fn markdown_copy(context: &mut Context<'_, '_>) {
    let check = Check::PageMarkdown;
    let home = match page(context, How::Page) {
        Ok(home) if home.is_ok() => home,
        _ => return context.unknown(check, "the Markdown copy", "the home page does not answer"),
    };
    let (mut is_named, answer) = (false, home.answer);
    discovery::links(answer.url, answer.headers, answer.body, &mut |written| {
        let kind = essence(written.link.media_type.unwrap_or_default());
        is_named = has_relation(written.link.relation, "alternate")
            && kind.eq_ignore_ascii_case(b"text/markdown");
        if !is_named {
            return true;
        }
        let target = Text::plain(written.link.target);
        let texts = ("the home page names the Markdown copy ", "serve it, or remove the link");
        let place = (written.base, target, How::Linked);
        let Some(reply) = context.promised((check, home.evidence()), place, texts) else {
            return false;
        };
        let evidence = reply.evidence();
        if reply.answer.is_html() {
            let message = say!["the Markdown copy ", target, " is an HTML page"];
            context.say(check, Status::Fail, evidence, message, say!["serve it as Markdown"]);
        } else {
            let message = say!["the Markdown copy ", target, " exists"];
            context.say(check, Status::Pass, evidence, message, Message::NONE);
        }
        false
    });
    if !is_named {
        context.absent(check, "the home page names no Markdown copy");
    }
}

/// What a page shows without scripts.
#[derive(Clone, Copy, Default)]
struct Shown {
    /// The bytes of its text, without the text for browsers that run no scripts.
    text: usize,
    has_title: bool,
    has_heading: bool,
    has_language: bool,
    has_scripts: bool,
    has_tools: bool,
}

/// Reads the tags of a page once.
fn shown(body: &[u8]) -> Shown {
    let (mut shown, mut is_for_scripts) = (Shown::default(), true);
    for part in Parts::of(body) {
        let (name, attributes, content) = match part {
            Part::Text(text) if is_for_scripts => {
                shown.text = shown.text.saturating_add(visible(text));
                continue;
            }
            Part::Text(_) => continue,
            Part::End(name) => {
                is_for_scripts |= name.eq_ignore_ascii_case(b"noscript");
                continue;
            }
            Part::Start { name, attributes, content } => (name, attributes, content),
        };
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        let has = |name: &str| attributes.get(name);
        is_for_scripts &= !is("noscript");
        shown.has_heading |= is("h1");
        shown.has_language |= is("html") && has("lang").is_some_and(|lang| !lang.is_empty());
        shown.has_tools |= is("form") && has("toolname").is_some();
        shown.has_scripts |= is("script");
        shown.has_title |= is("title") && visible(content) > 0;
    }
    shown
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
    let check = Check::ContentInHtml;
    if shown.has_scripts && text < NOTHING && !home.answer.is_cut {
        let message = say![
            "without scripts the home page has ",
            text,
            " characters of text, so programs that run none see nothing"
        ];
        let fix = say!["render the text on the server or at build time"];
        context.say(check, Status::Fail, evidence, message, fix);
    } else if shown.has_scripts && text < SHELL {
        context.unknown(
            check,
            "the text of the home page",
            "it is short, and scripts may add to it",
        );
    } else {
        let message = say!["the home page has ", text, " characters of text without scripts"];
        context.say(check, Status::Pass, evidence, message, Message::NONE);
    }
    let mut complete = true;
    for (has, what, fix) in [
        (shown.has_title, "title", "write a <title>"),
        (shown.has_language, "language", "write <html lang=\"en\">, with the language of the page"),
        (shown.has_heading, "heading of the first level", "write an <h1>"),
    ] {
        if !has && home.answer.is_cut {
            complete = false;
            context.unknown(Check::PageBasics, what, TOO_LONG);
        } else if !has {
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

/// The URLs in a sitemap, as written.
#[derive(Clone)]
struct Locations<'a>(Parts<'a>);

impl<'a> Iterator for Locations<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let mut is_location = false;
        loop {
            match self.0.next()? {
                Part::Start { name, .. } => is_location = local_name(name) == b"loc",
                Part::Text(text) if is_location && !text.trim_ascii().is_empty() => {
                    return Some(text.trim_ascii());
                }
                Part::Text(_) => {}
                Part::End(_) => is_location = false,
            }
        }
    }
}

/// The name of an XML element without its prefix.
fn local_name(name: &[u8]) -> &[u8] {
    name.rsplit(|octet| *octet == b':').next().unwrap_or_default()
}

/// The name of the first element of a document.
fn root(body: &[u8]) -> &[u8] {
    Parts::of(body)
        .find_map(|part| match part {
            Part::Start { name, .. } => Some(local_name(name)),
            _ => None,
        })
        .unwrap_or_default()
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
        let texts = ("robots.txt names the sitemap ", "serve it, or correct `Sitemap`");
        if let Some(reply) =
            context.promised((check, line), (&base, sitemap.url, How::Linked), texts)
        {
            one_sitemap(context, &reply);
        }
    }
}

fn is_sitemap(answer: &Answer<'_>) -> bool {
    matches!(root(answer.body), b"urlset" | b"sitemapindex")
}

fn one_sitemap(context: &mut Context<'_, '_>, reply: &Reply<'_>) {
    let (check, body, evidence) = (Check::Sitemap, reply.answer.body, reply.evidence());
    if reply.answer.is_html() {
        let message = say!["the answer at the URL of the sitemap is an HTML page"];
        let fix = say!["serve XML with <urlset> or <sitemapindex>"];
        return context.say(check, Status::Fail, evidence, message, fix);
    }
    if !is_sitemap(&reply.answer) {
        // Feeds and lists of URLs are sitemaps, too.
        let text = body.get(byte_order_mark(body)..).unwrap_or_default().trim_ascii_start();
        let kind = match root(body) {
            b"rss" | b"feed" => "the sitemap is a feed",
            _ if text.starts_with(b"http") => "the sitemap is a list of URLs",
            _ => {
                let why = "it is compressed, or not in a format that this check reads";
                return context.unknown_at(check, evidence, say!["the sitemap"], why);
            }
        };
        return context.say(check, Status::Pass, evidence, say![kind], Message::NONE);
    }
    let locations = Locations(Parts::of(body));
    let count = locations.clone().count();
    if count == 0 && reply.answer.is_cut {
        let why = "it is too long, and its beginning lists no URL";
        return context.unknown_at(check, evidence, say!["the sitemap"], why);
    }
    if count > MOST_URLS {
        let message = say!["the sitemap has ", count, " URLs, more than 50,000"];
        context.say(check, Status::Fail, evidence, message, say!["split it, and write an index"]);
    }
    let mut elsewhere = false;
    // Whether it is not known on which host the site will be.
    let is_unknown = context.site.canonical.is_empty();
    let half = count / 2;
    for (number, location) in locations.enumerate() {
        let is_sample = number == 0 || (number == half && half > 0);
        if !is_sample && number >= 1000 {
            continue;
        }
        let mut buffer = [0; URL_CAPACITY];
        let Some(url) = discovery::decoded(location, &mut buffer).map(Text::plain) else {
            continue;
        };
        // Counts the lines up to it, so only for what is reported.
        let at = || reply.at(Span::of(location, body).start as usize);
        match context.local(reply.answer.url, url) {
            Err(_) if !is_unknown => {
                if !elsewhere {
                    let message = say![
                        "the sitemap lists ",
                        url,
                        ", which is not on this host, so crawlers may ignore it"
                    ];
                    let fix =
                        say!["list URLs of this host; `--canonical-origin` names it for a preview"];
                    context.say(check, Status::Warn, at(), message, fix);
                }
                elsewhere = true;
            }
            _ if is_sample => {
                let texts = ("the sitemap lists ", "list pages that exist");
                let page = (reply.answer.url, url, How::Page);
                context.promised((check, at()), page, texts);
            }
            _ => {}
        }
    }
    if !elsewhere {
        let begin = match reply.answer.is_cut {
            true => "the beginning of the sitemap lists ",
            false => "the sitemap lists ",
        };
        let message = say![begin, count, if count == 1 { " URL" } else { " URLs" }];
        context.say(check, Status::Pass, evidence, message, Message::NONE);
    }
}
