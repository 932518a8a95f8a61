//! How a server sends a document: media type, lifetime, access for programs in browsers, encryption.
//! The rules of each format are in its constant ([`Serving`]).

use super::message::{Message, say};
use super::{ASKING_ORIGIN, Answer};
use crate::diagnostic::{Severity, Spec};
use crate::discovery::Header;
use crate::format::Format;
use crate::format::facts::Serving;
use crate::syntax::cache_control::CacheControl;
use crate::syntax::line::trim;
use crate::syntax::url::Url;

macro_rules! codes {
    ($($name:ident = $id:literal $severity:ident $about:literal,)*) => {
        /// A problem with how a site serves its documents.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[non_exhaustive]
        pub enum ServingCode {
            $(#[doc = $about] $name,)*
        }

        impl ServingCode {
            /// All codes, sorted.
            pub const ALL: &'static [ServingCode] = &[$(Self::$name,)*];

            /// The stable kebab-case name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }

            /// The usual severity.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// What it means, in a sentence.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$name => $about,)* }
            }
        }
    };
}

codes! {
    BlockedByRobots = "blocked-by-robots" Error "The site's own robots.txt disallows the document, so agents that respect it never read it.",
    CompanionDiffers = "companion-differs" Error "agents.txt and agents.json differ (warning for descriptions and contacts, which do not affect decisions), or ard.json and ai-catalog.json.",
    CompanionMissing = "companion-missing" Error "A document requires or names an agents.json that the site does not serve, or serves in another format.",
    DeadLink = "dead-link" Warning "A link of the home page, of robots.txt or of a catalog leads to no document that agents can read.",
    DetailMissing = "detail-missing" Error "The detail of a capability is not served: the server answers with another status than 200, or not at all.",
    DetailName = "detail-name" Error "A detail describes another capability than the one that the manifest names it for.",
    DetailNotChecked = "detail-not-checked" Info "The detail of a capability is not requested: it is on another site, its URL is invalid, or there are more than 64.",
    DetailUnreadable = "detail-unreadable" Error "The detail of a capability is not JSON, or not a detail.",
    InsecureTransport = "insecure-transport" Error "The document is served without encryption (info on a loopback host).",
    InvalidCacheControl = "invalid-cache-control" Warning "Cache-Control has an invalid lifetime, or two different ones.",
    LocationsDiffer = "locations-differ" Warning "The documents at the well-known location and at the root differ; agents use the well-known one.",
    MissingCacheControl = "missing-cache-control" Warning "Cache-Control is absent, so agents choose how long they keep the document (info if it is only recommended).",
    MissingContentType = "missing-content-type" Error "Content-Type is absent.",
    MissingCors = "missing-cors" Warning "Access-Control-Allow-Origin does not allow every origin, so programs in browsers cannot read the document (info if it is only recommended).",
    MissingCorsMethods = "missing-cors-methods" Info "Access-Control-Allow-Methods does not name GET and OPTIONS.",
    MissingRootCopy = "missing-root-copy" Info "The document is not also at the root, where some agents look for it.",
    NotAnswered = "not-answered" Warning "The time for the whole site was over before the location answered, so that nothing is known about it.",
    NotCompared = "not-compared" Info "The comparison of agents.txt and agents.json is incomplete: they are too large, in different order, or have too many differences.",
    NotFollowed = "not-followed" Info "The site points to more documents than are requested.",
    NotRecognised = "not-recognised" Warning "The response at the location of a document is not a document of a format for that location.",
    NothingServed = "nothing-served" Error "The site serves no document for agents.",
    Redirected = "redirected" Info "A redirect leads to the document (warning if it leads to another host of the site).",
    RedirectedAway = "redirected-away" Error "Agents do not follow the redirect: it leaves the site, leads from https to http, is a loop, or exceeds the limit of redirects.",
    Refused = "refused" Error "The server refuses the document or fails; it sends neither the document nor a 404.",
    RobotsUnavailable = "robots-unavailable" Error "The server fails to send robots.txt, which disallows everything (RFC 9309).",
    Soft404 = "soft-404" Warning "The server sends an HTML page with status 200 for a document that does not exist; agents may read the page as a document.",
    Unreadable = "unreadable" Error "The document cannot be read.",
    UnsuitableCacheTime = "unsuitable-cache-time" Warning "The lifetime of the document is less than a minute, so that agents request it too often, or more than a week.",
    WrongContentType = "wrong-content-type" Error "The Content-Type is not that of the format (warning if the specification does not require it, or if only the charset is absent).",
    WrongLocation = "wrong-location" Error "The document is only at another location than its specification requires.",
}

/// A problem with how a document is served.
#[derive(Clone, Copy, Debug)]
pub struct Remark<'r> {
    /// The kind of problem.
    pub code: ServingCode,
    /// The severity in this case.
    pub severity: Severity,
    /// The problem and its solution, in a sentence.
    pub message: Message<'r>,
    /// The specification that states the rule.
    pub spec: Spec,
    /// The section of that specification; empty if none applies.
    pub section: &'static str,
    /// The header with the problem.
    pub header: Option<Header<'r>>,
}

impl<'r> Remark<'r> {
    pub(super) const fn new(
        code: ServingCode,
        about: (Spec, &'static str),
        message: Message<'r>,
    ) -> Self {
        let (spec, section) = about;
        Self { code, severity: code.severity(), message, spec, section, header: None }
    }

    pub(super) const fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    pub(super) const fn at(mut self, header: Option<Header<'r>>) -> Self {
        self.header = header;
        self
    }
}

/// A week in seconds: a longer lifetime is too long.
const WEEK: u32 = 7 * 86400;
/// A shorter lifetime is too short, in seconds.
const MINUTE: u32 = 60;

/// Checks how a document of a format is sent: the connection to `url`, and the headers of the answer.
/// Reports nothing about formats without a location of their own.
pub(super) fn check<'r>(
    format: Format,
    url: &str,
    answer: &Answer<'r>,
    report: &mut dyn FnMut(&Remark<'_>),
) {
    let facts = format.facts();
    let Some(serving) = facts.published.serving else { return };
    let rule = Rule { format, serving, spec: facts.published.spec, lifetime: facts.lifetime };
    rule.content_type(answer, report);
    rule.cache_control(answer, report);
    rule.cors(answer, report);
    // robots.txt states nothing that must not be changed in transit: it is asked for by http, too.
    if let Some(url) = Url::parse(url.as_bytes())
        && !url.is_secure()
        && format != Format::RobotsTxt
    {
        let [location, ..] = serving.sections;
        let message = say![
            "the connection is not encrypted, so the document can be changed in transit; serve it over https"
        ];
        let remark = Remark::new(ServingCode::InsecureTransport, (rule.spec, location), message);
        let severity = if url.is_loopback() { Severity::Info } else { remark.severity };
        report(&remark.with_severity(severity));
    }
}

/// How documents of one format must be served.
struct Rule {
    format: Format,
    serving: Serving,
    spec: Spec,
    /// The recommended lifetime, in seconds.
    lifetime: u32,
}

impl Rule {
    fn content_type<'r>(&self, answer: &Answer<'r>, report: &mut dyn FnMut(&Remark<'_>)) {
        let [_, section, ..] = self.serving.sections;
        let kind = self.serving.types.first().copied().unwrap_or_default();
        let charset = if self.serving.needs_charset { "; charset=utf-8" } else { "" };
        let usual = if self.serving.is_type_required { Severity::Error } else { Severity::Warning };
        let sent = answer.header("content-type").filter(|sent| !trim(sent.value).is_empty());
        let message = say!["send `Content-Type: ", kind, charset, "`"];
        let Some(sent) = sent else {
            let code = ServingCode::MissingContentType;
            return report(&Remark::new(code, (self.spec, section), message).with_severity(usual));
        };
        let is_right = self.serving.types.iter().any(|kind| answer.is_type(kind));
        let mut charsets = sent.value.split(|octet| *octet == b';').skip(1).filter_map(charset_of);
        let has_charset = charsets.clone().next().is_some();
        let is_utf8 = charsets.all(|charset| {
            charset.eq_ignore_ascii_case(b"utf-8") || charset.eq_ignore_ascii_case(b"utf8")
        });
        if is_right && is_utf8 && (has_charset || !self.serving.needs_charset) {
            return;
        }
        // The format allows only UTF-8, so agents decode the document correctly.
        let severity = if is_right && is_utf8 { Severity::Warning } else { usual };
        let remark = Remark::new(ServingCode::WrongContentType, (self.spec, section), message);
        report(&remark.with_severity(severity).at(Some(sent)));
    }

    fn cache_control<'r>(&self, answer: &Answer<'r>, report: &mut dyn FnMut(&Remark<'_>)) {
        let [_, _, section, _] = self.serving.sections;
        let spec = if self.serving.cache.is_some() { self.spec } else { Spec::Ruling };
        let header = answer.header("cache-control").filter(|sent| !trim(sent.value).is_empty());
        let mut say = |code, severity: Option<Severity>, problem: Message<'_>| {
            let advice: &dyn core::fmt::Display = &problem;
            let message = say![advice, "send `Cache-Control: max-age=", self.lifetime, "`"];
            let remark = Remark::new(code, (spec, section), message).at(header);
            report(&remark.with_severity(severity.unwrap_or(remark.severity)));
        };
        if header.is_none() {
            if let Some(severity) = self.serving.cache {
                say(ServingCode::MissingCacheControl, Some(severity), Message::NONE);
            }
            return;
        }
        let mut read = CacheControl::default();
        answer.values("cache-control").for_each(|line| read.add(line));
        let lines = || answer.values("cache-control");
        if !are_lifetimes(lines) {
            return say(ServingCode::InvalidCacheControl, None, say!["the lifetime is invalid; "]);
        }
        let unsuitable = ServingCode::UnsuitableCacheTime;
        if read.no_store || read.no_cache {
            let effect = match self.format {
                Format::AgentsMd => {
                    "agents must not request the document again within an hour, so they cannot follow this; "
                }
                _ => "agents must request the document again for each use; ",
            };
            return say(unsuitable, None, say![effect]);
        }
        let (least, most) = match (read.max_age, read.s_maxage) {
            (Some(own), Some(shared)) => (own.min(shared), own.max(shared)),
            (Some(only), None) | (None, Some(only)) => (only, only),
            (None, None) => {
                if self.serving.cache.is_some() && answer.header("expires").is_none() {
                    say(ServingCode::InvalidCacheControl, None, say!["it states no lifetime; "]);
                }
                return;
            }
        };
        if least < MINUTE {
            say(unsuitable, None, say!["the lifetime is only ", least, " s; "]);
        } else if most > WEEK {
            let days = most / 86400;
            say(
                unsuitable,
                None,
                say!["the lifetime is ", days, " days, so agents see changes late; "],
            );
        }
    }

    fn cors<'r>(&self, answer: &Answer<'r>, report: &mut dyn FnMut(&Remark<'_>)) {
        let Some(severity) = self.serving.cors else { return };
        let [.., section] = self.serving.sections;
        let allowed = answer.header("access-control-allow-origin");
        let is_allowed = allowed.is_some_and(|allowed| {
            matches!(trim(allowed.value), b"*") || trim(allowed.value) == ASKING_ORIGIN.as_bytes()
        });
        if !is_allowed {
            let message = say![
                "programs in browsers cannot read the document; send `Access-Control-Allow-Origin: *`"
            ];
            let remark = Remark::new(ServingCode::MissingCors, (self.spec, section), message);
            return report(&remark.with_severity(severity).at(allowed));
        }
        let names = |wanted: &str| {
            answer.values("access-control-allow-methods").any(|line| {
                line.split(|octet| *octet == b',')
                    .map(trim)
                    .any(|name| name == b"*" || name.eq_ignore_ascii_case(wanted.as_bytes()))
            })
        };
        if self.serving.methods.iter().all(|method| names(method)) {
            return;
        }
        let wanted: &dyn core::fmt::Display = &Joined(self.serving.methods);
        let message = say!["send `Access-Control-Allow-Methods: ", wanted, "`"];
        let sent =
            answer.header("access-control-allow-methods").filter(|sent| !sent.value.is_empty());
        report(
            &Remark::new(ServingCode::MissingCorsMethods, (self.spec, section), message).at(sent),
        );
    }
}

/// Names, joined by commas.
struct Joined(&'static [&'static str]);

impl core::fmt::Display for Joined {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (count, name) in self.0.iter().enumerate() {
            f.write_str(if count > 0 { ", " } else { "" })?;
            f.write_str(name)?;
        }
        Ok(())
    }
}

/// The value of a parameter, if it is `charset`.
fn charset_of(parameter: &[u8]) -> Option<&[u8]> {
    let (name, value) = halves(parameter, b'=');
    let value = trim(value);
    let inside = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\""));
    name.eq_ignore_ascii_case(b"charset").then_some(inside.unwrap_or(value))
}

/// The text before and after a separator, without blanks around the first part.
fn halves(text: &[u8], separator: u8) -> (&[u8], &[u8]) {
    match text.iter().position(|octet| *octet == separator).and_then(|at| text.split_at_checked(at))
    {
        Some((before, after)) => (trim(before), after.get(1..).unwrap_or_default()),
        None => (trim(text), b""),
    }
}

/// Whether all lifetimes are numbers, and no two of `max-age` differ.
fn are_lifetimes<'r, L: Iterator<Item = &'r [u8]>>(lines: impl Fn() -> L) -> bool {
    let mut own = None;
    lines().flat_map(|line| line.split(|octet| *octet == b',')).all(|part| {
        let (name, value) = halves(part, b'=');
        let is_own = name.eq_ignore_ascii_case(b"max-age");
        if !is_own && !name.eq_ignore_ascii_case(b"s-maxage") {
            return true;
        }
        let value = trim(value);
        let value =
            value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value);
        let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
        let is_first = !is_own || own.is_none_or(|own| own == value);
        if is_own {
            own = Some(value);
        }
        is_number && is_first
    })
}
