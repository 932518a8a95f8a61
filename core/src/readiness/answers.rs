//! Answers, and how checks ask for them.

use heapless::String;

use super::mcp;
use super::message::{Message, say};
use super::places::PLACES;
use super::{ASKING_ORIGIN, Check, Evidence, Finding, Probe, Rules, Site, Status, Topic, Topics};
use crate::discovery::{Header, Resource, URL_CAPACITY};
use crate::document::detect::markup;
use crate::format::Format;
use crate::format::robots_txt::RobotsTxt;
use crate::rules::media::essence;
use crate::scan;
use crate::span::PositionCursor;
use crate::syntax::line::trim;
use crate::syntax::text::{Text, byte_order_mark};
use crate::syntax::url::{Url, resolve};

/// What a server, or a folder, answered to a [`Probe`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<'a> {
    /// The URL of the probe.
    pub url: &'a str,
    /// The method of the probe; empty for `GET`.
    pub method: &'a str,
    /// The `Accept` of the probe; empty for any.
    pub accept: &'a str,
    /// The status code; 0 without an answer.
    pub status: u16,
    /// Why there is no answer, or no body, in words; empty if there is one.
    pub failure: &'a str,
    /// The headers in order.
    pub headers: &'a [Header<'a>],
    /// Whether the headers of a folder's files are not known.
    pub hides_headers: bool,
    /// The body without content codings, or its beginning.
    pub body: &'a [u8],
    /// Whether the body is longer.
    pub is_cut: bool,
}

impl<'a> Answer<'a> {
    /// The first header with a name.
    pub(crate) fn header(&self, name: &str) -> Option<Header<'a>> {
        let is_named = |header: &&Header<'_>| header.name.eq_ignore_ascii_case(name.as_bytes());
        self.headers.iter().find(is_named).copied()
    }

    /// The values of all headers with a name.
    pub(crate) fn values<'n>(&self, name: &'n str) -> impl Iterator<Item = &'a [u8]> + use<'a, 'n> {
        self.headers
            .iter()
            .filter(move |header| header.name.eq_ignore_ascii_case(name.as_bytes()))
            .map(|header| trim(header.value))
    }

    /// The media type without parameters; empty without one.
    pub(crate) fn media_type(&self) -> &'a [u8] {
        self.header("content-type").map_or(b"", |header| essence(header.value))
    }

    pub(crate) fn is_type(&self, kind: &str) -> bool {
        self.media_type().eq_ignore_ascii_case(kind.as_bytes())
    }

    /// Whether the body is an HTML page.
    pub(crate) fn is_html(&self) -> bool {
        let text = self.body.get(byte_order_mark(self.body)..).unwrap_or_default();
        markup(text) == Some(Format::Html)
    }

    const fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }
}

/// How something is requested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// A document, with the `Accept` of its kind, as a program in a browser does it.
    Document(&'static str),
    /// The headers of a document.
    Head(&'static str),
    /// A page, as a browser asks for it.
    Page,
    /// A page in Markdown.
    Markdown,
    /// HTML or Markdown; HTML is preferred.
    Rather,
    /// Something to which the site points, whatever it is.
    Linked,
    /// A call of an MCP server.
    Discover,
    /// The same call by a page of another site. The other order of types tells its answer apart.
    Foreign,
}

impl How {
    const fn accept(self) -> &'static str {
        match self {
            Self::Document(accept) | Self::Head(accept) => accept,
            Self::Page => "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
            Self::Markdown => "text/markdown",
            Self::Rather => "text/html, text/markdown;q=0.1",
            Self::Linked => "*/*",
            Self::Discover => "application/json, text/event-stream",
            Self::Foreign => "text/event-stream, application/json",
        }
    }

    const fn method(self) -> &'static str {
        match self {
            Self::Head(_) => "HEAD",
            Self::Discover | Self::Foreign => "POST",
            _ => "GET",
        }
    }

    const fn origin(self) -> Option<&'static str> {
        if matches!(self, Self::Document(_) | Self::Foreign) { Some(ASKING_ORIGIN) } else { None }
    }
}

/// The answer to a request, behind its redirects.
#[derive(Clone, Copy)]
pub(crate) struct Reply<'a> {
    /// The position of the last answer.
    pub(crate) index: usize,
    /// The last answer.
    pub(crate) answer: Answer<'a>,
    /// The number of redirects that were followed.
    pub(crate) hops: u32,
    /// Why the last redirect was not followed.
    pub(crate) stop: Option<Stop>,
}

/// Why a redirect is not followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It leads to another host.
    OtherHost,
    /// It leads from https to http.
    Downgrade,
    /// It leads to a URL that was there before, or is one of too many.
    Loop,
    /// It has no valid URL.
    Invalid,
}

impl Stop {
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::OtherHost => "it redirects to another host",
            Self::Downgrade => "it redirects from https to http",
            Self::Loop => "its redirects do not end",
            Self::Invalid => "it redirects to no valid URL",
        }
    }
}

impl<'a> Reply<'a> {
    /// Whether there is a body.
    pub(crate) const fn is_ok(&self) -> bool {
        self.answer.status == 200 && self.answer.failure.is_empty()
    }

    /// Whether the server says that there is nothing.
    pub(crate) const fn is_missing(&self) -> bool {
        matches!(self.answer.status, 404 | 410)
    }

    /// Whether nothing can be said, because the server refuses this client, or fails.
    pub(crate) const fn is_refused(&self) -> bool {
        matches!(self.answer.status, 0 | 401 | 403 | 407 | 429 | 500..)
            || !self.answer.failure.is_empty()
    }

    /// Why there is nothing to judge, if there is no body.
    pub(crate) fn why_not(&self) -> &'a str {
        match (self.stop, self.answer.failure) {
            (Some(stop), _) => stop.words(),
            (None, "") if self.is_refused() => "the server refuses this program, or fails",
            (None, "") => "the server answers with an unusual status",
            (None, failure) => failure,
        }
    }

    /// What the finding about this answer is based on.
    pub(crate) fn evidence(&self) -> Evidence<'static> {
        Evidence { answer: Some(self.index), ..Evidence::default() }
    }

    /// The same, with the line of an offset in the body.
    pub(crate) fn at(&self, offset: usize) -> Evidence<'static> {
        let line = PositionCursor::new(self.answer.body).at(offset).line;
        Evidence { line, ..self.evidence() }
    }
}

/// An answer, or why there is none.
pub(crate) type Asked<'a> = Result<Reply<'a>, &'static str>;

/// Why a body that is only partly known is not judged.
pub(crate) const TOO_LONG: &str = "it is longer than what is read";
const NOT_ASKED: &str = "it was not requested";
const DISALLOWED: &str = "robots.txt disallows it for this program";
const ELSEWHERE: &str = "it is on another host, which is not asked";

/// The maximum number of redirects that are followed.
const HOPS: u32 = 5;

/// A URL on the stack.
pub(crate) type UrlText = String<URL_CAPACITY>;

/// One walk over the checks.
pub(crate) struct Context<'c, 'a> {
    pub(super) site: &'c Site<'a>,
    answers: &'c [Answer<'a>],
    probe: &'c mut dyn FnMut(&Probe<'_>),
    report: &'c mut dyn FnMut(&Finding<'_>),
    pub(super) rules: Rules<'a>,
    /// What the site has.
    found: Topics,
    /// The format of the document at each of [`PLACES`]; unknown where there is none.
    pub(super) formats: [Format; PLACES.len()],
}

impl<'c, 'a> Context<'c, 'a> {
    pub(super) fn new(
        site: &'c Site<'a>,
        answers: &'c [Answer<'a>],
        probe: &'c mut dyn FnMut(&Probe<'_>),
        report: &'c mut dyn FnMut(&Finding<'_>),
    ) -> Self {
        let formats = [Format::Unknown; PLACES.len()];
        let (rules, found) = (Rules::Unknown, Topics::NONE);
        Self { site, answers, probe, report, rules, found, formats }
    }

    /// Reports a finding, unless its topic is ignored.
    pub(super) fn say(
        &mut self,
        check: Check,
        status: Status,
        evidence: Evidence<'_>,
        message: Message<'_>,
        fix: Message<'_>,
    ) {
        let topic = check.topic();
        if self.site.ignored.contains(topic) {
            return;
        }
        if !matches!(status, Status::NotApplicable | Status::Unknown) {
            self.found = self.found.with(topic);
        }
        (self.report)(&Finding { check, status, message, fix, evidence });
    }

    /// Reports what could not be checked, and why.
    pub(super) fn unknown(&mut self, check: Check, what: &str, why: &str) {
        self.unknown_at(check, Evidence::default(), say![what], why);
    }

    /// Reports what could not be checked, and why, with what that is based on.
    pub(super) fn unknown_at(
        &mut self,
        check: Check,
        evidence: Evidence<'_>,
        what: Message<'_>,
        why: &str,
    ) {
        let what: &dyn core::fmt::Display = &what;
        let message = say![what, " could not be checked: ", why];
        self.say(check, Status::Unknown, evidence, message, Message::NONE);
    }

    /// Reports that a check does not concern the site.
    pub(super) fn absent(&mut self, check: Check, why: &str) {
        self.say(check, Status::NotApplicable, Evidence::default(), say![why], Message::NONE);
    }

    /// Reports what the site was expected to have, and does not.
    pub(super) fn end(&mut self) {
        for topic in Topic::ALL {
            if !self.site.expected.contains(topic) || self.found.contains(topic) {
                continue;
            }
            let mut checks = Check::ALL.iter().copied().filter(|check| check.topic() == topic);
            let Some(check) = checks.next() else { continue };
            self.say(
                check,
                Status::Fail,
                Evidence::default(),
                say![
                    "the site was expected to have something for `",
                    topic.as_str(),
                    "`, but it publishes nothing"
                ],
                say!["publish it, or check without `--expect ", topic.as_str(), "`"],
            );
        }
    }

    /// The URL of a path of the site.
    pub(super) fn url(&self, path: &str) -> UrlText {
        let mut url = UrlText::new();
        let whole = url.push_str(self.site.origin).and_then(|()| url.push_str(path));
        if whole.is_err() {
            url.clear();
        }
        url
    }

    /// The URL at which the site is asked for a reference in one of its documents; an error if it
    /// leads to another host. Without a fragment.
    pub(super) fn local(&self, base: &str, reference: Text<'_>) -> Result<UrlText, &'static str> {
        const INVALID: &str = "its URL is invalid";
        let base = Url::parse(base.as_bytes()).ok_or(INVALID)?;
        let mut buffer = [0; URL_CAPACITY];
        let resolved = resolve(&base, reference, &mut buffer).map_err(|_| INVALID)?;
        let url = Url::parse(resolved.as_bytes()).ok_or(INVALID)?;
        let is_at = |origin: &str| {
            Url::parse(origin.as_bytes()).is_some_and(|origin| origin.is_same_origin(&url))
        };
        if url.has_userinfo() || !(is_at(self.site.canonical) || is_at(self.site.origin)) {
            return Err(ELSEWHERE);
        }
        let path = core::str::from_utf8(url.path_and_query()).map_err(|_| INVALID)?;
        let found = self.url(if path.is_empty() { "/" } else { path });
        if found.is_empty() { Err(INVALID) } else { Ok(found) }
    }

    /// Asks for a path of the site, whatever robots.txt says.
    pub(super) fn get(&mut self, path: &str, how: How) -> Asked<'a> {
        let url = self.url(path);
        self.ask(&url, how)
    }

    /// Asks for a page or another URL of the site for which robots.txt decides.
    pub(super) fn visit(&mut self, url: &str, how: How) -> Asked<'a> {
        match self.rules {
            Rules::Unknown => Err(NOT_ASKED),
            Rules::Known(robots)
                if !self.site.is_folder && !robots.allowed(self.site.agent, url) =>
            {
                Err(DISALLOWED)
            }
            Rules::Known(_) => self.ask(url, how),
        }
    }

    /// Asks for a reference in a document of the site.
    pub(super) fn follow(&mut self, base: &str, reference: Text<'_>, how: How) -> Asked<'a> {
        let url = self.local(base, reference)?;
        self.visit(&url, how)
    }

    /// Asks for what a document of the site promises with a reference. Returns the answer if there is
    /// something. Otherwise reports that nothing is there, or why that is not known: a refusal, an
    /// unusual status and a redirect to another host prove nothing.
    ///
    /// `by` says who promises it; the reference follows.
    pub(super) fn promised(
        &mut self,
        (check, evidence): (Check, Evidence<'_>),
        (base, reference, how): (&str, Text<'_>, How),
        (by, fix): (&str, &str),
    ) -> Option<Reply<'a>> {
        let what = say![reference];
        let reply = match self.follow(base, reference, how) {
            Ok(reply) => reply,
            Err(why) => {
                self.unknown_at(check, evidence, what, why);
                return None;
            }
        };
        if reply.is_missing() {
            let status = reply.answer.status;
            let message = say![by, reference, ", but the server answers with status ", status];
            self.say(check, Status::Fail, evidence, message, say![fix]);
        } else if !reply.is_ok() {
            self.unknown_at(check, evidence, what, reply.why_not());
        }
        reply.is_ok().then_some(reply)
    }

    fn ask(&mut self, url: &str, how: How) -> Asked<'a> {
        let mut hops = 0;
        let mut current = UrlText::try_from(url).map_err(|_| "its URL is too long")?;
        loop {
            let known = self.answers.iter().position(|answer| {
                let method = if answer.method.is_empty() { "GET" } else { answer.method };
                let is_accepted = answer.accept.is_empty() || answer.accept == how.accept();
                answer.url == current.as_str() && method == how.method() && is_accepted
            });
            let Some((index, answer)) =
                known.and_then(|index| Some((index, *self.answers.get(index)?)))
            else {
                (self.probe)(&Probe {
                    url: &current,
                    method: how.method(),
                    accept: how.accept(),
                    origin: how.origin(),
                    headers: if how.method() == "POST" { mcp::HEADERS } else { &[] },
                    content: if how.method() == "POST" { mcp::CALL } else { "" },
                });
                return Err(NOT_ASKED);
            };
            let mut reply = Reply { index, answer, hops, stop: None };
            let location = answer.header("location").filter(|_| answer.is_redirect());
            let Some(location) = location else { return Ok(reply) };
            match target(&current, location.value) {
                _ if hops == HOPS => reply.stop = Some(Stop::Loop),
                Err(stop) => reply.stop = Some(stop),
                Ok(next) if next == current => reply.stop = Some(Stop::Loop),
                Ok(next) => current = next,
            }
            if reply.stop.is_some() {
                return Ok(reply);
            }
            hops = hops.saturating_add(1);
        }
    }

    /// Whether there is a document of a resource at one of its locations.
    pub(super) fn has(&self, resource: Resource) -> bool {
        PLACES.iter().zip(self.formats).any(|(_, format)| resource.accepts(format))
    }

    /// The rules of robots.txt; those that allow everything while they are not known.
    pub(super) const fn robots(&self) -> RobotsTxt<'a> {
        match self.rules {
            Rules::Known(robots) => robots,
            Rules::Unknown => RobotsTxt::ALLOW_ALL,
        }
    }
}

/// The URL to which a redirect leads, if it is followed: on the same host, and not from https to
/// http. The port may change only with the scheme.
fn target(from: &str, location: &[u8]) -> Result<UrlText, Stop> {
    let base = Url::parse(from.as_bytes()).ok_or(Stop::Invalid)?;
    let mut buffer = [0; URL_CAPACITY];
    let resolved =
        resolve(&base, Text::plain(trim(location)), &mut buffer).map_err(|_| Stop::Invalid)?;
    let url = Url::parse(resolved.as_bytes()).ok_or(Stop::Invalid)?;
    if !url.is_http() || url.has_userinfo() || !resolved.is_ascii() {
        return Err(Stop::Invalid);
    }
    let is_upgrade = url.is_secure() && !base.is_secure() && url.is_same_host(&base);
    if base.is_secure() && !url.is_secure() {
        return Err(Stop::Downgrade);
    }
    let changes_port = url.port().is_some() || base.port().is_some();
    if !url.is_same_origin(&base) && (changes_port || !is_upgrade) {
        return Err(Stop::OtherHost);
    }
    let end = scan::memchr(b'#', resolved.as_bytes()).unwrap_or(resolved.len());
    UrlText::try_from(resolved.get(..end).unwrap_or_default()).map_err(|_| Stop::Invalid)
}
