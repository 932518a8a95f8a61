//! Determines what a link probably leads to. The first of these that names a kind decides: the file
//! name or endpoint in the URL; a type, relation or transport beside the URL; the last word of its
//! label that names a kind; the other parts of the path and the host.

use super::LinkKind;
use super::json::{Around, is_one_of, is_plain};
use crate::format::about::Shown;
use crate::format::{Format, fact, rows};
use crate::scan;
use crate::syntax::text::starts_with;

/// The words that name a kind without a format of its own, in the notation of [`Shown::words`].
const WORDS: [(LinkKind, &[&str]); 5] = [
    (LinkKind::OpenApi, &["openapi", "swagger", "service desc"]),
    (LinkKind::Payment, &["payment", "payments", "pay", "checkout", "x402", "donate"]),
    (LinkKind::Contact, &["contact", "support"]),
    (LinkKind::Docs, &["doc", "docs", "documentation", "guide", "reference"]),
    (LinkKind::License, &["license", "licenses", "licence", "licences", "rsl"]),
];

/// Returns the kind of target that a link probably leads to.
pub(super) fn of(url: &[u8], around: &Around<'_>) -> LinkKind {
    let place = Place::of(url);
    place
        .named()
        .or(around.stated)
        .or_else(|| {
            let is_file = place.last().contains(&b'.');
            let kind = by_words(around.label);
            let names_mcp = kind.is_none() && !is_file && names_mcp(around);
            kind.or(names_mcp.then_some(LinkKind::McpEndpoint))
        })
        .or_else(|| place.suggested())
        .unwrap_or(LinkKind::Other)
}

/// The kind that the type, relation or transport beside a URL names.
pub(super) fn stated(value: &[u8]) -> Option<LinkKind> {
    const TRANSPORTS: &[&str] = &["streamable-http", "streamable_http", "streamableHttp", "sse"];
    let is_mcp = is_one_of(value, TRANSPORTS)
        || is_one_of(value, &["mcp"])
        || is_one_of(value, fact!(Format::McpServerCard => media_types));
    if is_mcp {
        return Some(LinkKind::McpEndpoint);
    }
    by_words(value)
}

/// The kind that the last words of a text name.
fn by_words(text: &[u8]) -> Option<LinkKind> {
    let mut found = None;
    for start in starts(text) {
        let rest = text.get(start..).unwrap_or_default();
        let formats = rows!(shown: Shown).iter().map(|(_, shown)| (shown.kind, shown.words));
        let named = formats.chain(WORDS).find(|(_, phrases)| {
            let mut phrases = phrases.iter();
            phrases.any(|phrase| begins_with(rest, phrase))
        });
        found = named.map(|(kind, _)| kind).or(found);
    }
    found
}

/// True if the label names an MCP endpoint and nothing else, or if the own key is as plain as `url`
/// and the key of an object around it does.
fn names_mcp(around: &Around<'_>) -> bool {
    let [own, outer @ ..] = &around.keys;
    let is_endpoint = is_plain(own) || is_one_of(own, &["endpoint", "httpUrl"]);
    is_one_of(own, &["serverUrl", "server_url"])
        || is_mcp(around.label)
        || is_endpoint && outer.iter().any(|key| is_mcp(key))
}

/// True if a text names an MCP endpoint and nothing else.
fn is_mcp(text: &[u8]) -> bool {
    const NAMES: &[&str] = &["mcp", "model context protocol"];
    const BESIDE: &[&str] = &[
        "mcp",
        "model",
        "context",
        "protocol",
        "server",
        "servers",
        "remote",
        "endpoint",
        "url",
        "uri",
        "http",
        "https",
        "sse",
        "streamable",
        "transport",
        "post",
        "get",
        "connect",
        "hosted",
        "s",
        "a",
        "an",
        "the",
        "our",
        "its",
        "is",
        "at",
        "to",
        "via",
        "on",
        "and",
        "or",
        "with",
        "use",
        "also",
        "available",
    ];
    let mut has_name = false;
    for start in starts(text) {
        let rest = text.get(start..).unwrap_or_default();
        has_name |= NAMES.iter().any(|name| begins_with(rest, name));
        if !BESIDE.iter().any(|word| begins_with(rest, word)) {
            return false;
        }
    }
    has_name
}

/// The offsets of the words of a text: its runs of ASCII letters and digits, and the parts of
/// `camelCase`.
fn starts(text: &[u8]) -> impl Iterator<Item = usize> {
    (0..text.len()).filter(|at| is_start(text, *at))
}

fn is_start(text: &[u8], at: usize) -> bool {
    let byte = |at: Option<usize>| at.and_then(|at| text.get(at)).copied().unwrap_or(b' ');
    let before = byte(at.checked_sub(1));
    let (here, behind) = (byte(Some(at)), byte(at.checked_add(1)));
    here.is_ascii_alphanumeric()
        && (!before.is_ascii_alphanumeric()
            || here.is_ascii_uppercase()
                && (!before.is_ascii_uppercase() || behind.is_ascii_lowercase()))
}

/// True if a text begins with the words of a phrase.
fn begins_with(text: &[u8], phrase: &str) -> bool {
    let mut at = 0_usize;
    for wanted in phrase.bytes() {
        if wanted == b' ' {
            let rest = text.get(at..).unwrap_or_default();
            let gap = rest.iter().position(u8::is_ascii_alphanumeric);
            at = at.saturating_add(gap.unwrap_or_default());
        } else if text.get(at).map(u8::to_ascii_lowercase) == Some(wanted) {
            at = at.saturating_add(1);
        } else {
            return false;
        }
    }
    let is_inside = text.get(at).is_some_and(u8::is_ascii_alphanumeric);
    !is_inside || is_start(text, at)
}

/// The host and the path of a URL as written.
struct Place<'a> {
    host: &'a [u8],
    path: &'a [u8],
}

impl<'a> Place<'a> {
    fn of(url: &'a [u8]) -> Self {
        let after = scan::memchr(b':', url).and_then(|colon| url.get(colon.saturating_add(1)..));
        let rest = after.unwrap_or_default();
        let rest = rest.strip_prefix(b"//").unwrap_or(rest);
        let until = |text: &'a [u8], ends: &[u8]| {
            let end = text.iter().position(|byte| ends.contains(byte));
            text.split_at_checked(end.unwrap_or(text.len())).unwrap_or_default()
        };
        let (rest, _) = until(rest, b"?#");
        let (host, path) = until(rest, b"/");
        let path = path.strip_suffix(b"/").unwrap_or(path);
        Self { host, path }
    }

    /// The last segment of the path.
    fn last(&self) -> &'a [u8] {
        let mut segments = self.path.rsplit(|byte| *byte == b'/');
        segments.next().unwrap_or_default()
    }

    /// The kind that the name of a file or of an endpoint in the URL states.
    fn named(&self) -> Option<LinkKind> {
        let ends = |names: &[&str]| is_one_of(self.last(), names);
        let has = |part: &[u8]| scan::find(self.path, part).is_some();
        let is_well_known = has(b"/.well-known/");
        let is_openapi = |start| {
            let rest = self.last().get(start..).unwrap_or_default();
            begins_with(rest, "openapi") || begins_with(rest, "swagger")
        };
        let mut formats = rows!(shown: Shown).iter().map(|(_, shown)| shown);
        let shown = formats
            .find(|shown| ends(shown.files) || is_well_known && ends(shown.well_known_files));
        if let Some(shown) = shown {
            Some(shown.kind)
        } else if starts(self.last()).any(is_openapi) {
            Some(LinkKind::OpenApi)
        } else if ends(&["rsl.xml", "license.xml", "licenses.xml"]) {
            Some(LinkKind::License)
        } else if ends(&["mcp"]) || self.is_of_mcp() && (self.path.is_empty() || ends(&["sse"])) {
            Some(LinkKind::McpEndpoint)
        } else {
            None
        }
    }

    /// The kind that the folders of the path and the host suggest.
    fn suggested(&self) -> Option<LinkKind> {
        const DOCS: &[&str] = &["doc", "docs", "documentation", "guide", "guides", "reference"];
        let leads = |words: &[&str]| {
            let mut segments = self.path.split(|byte| *byte == b'/');
            segments.any(|segment| is_one_of(stem(segment), words))
        };
        let first = self.host.split(|byte| *byte == b'.').next();
        let first = first.unwrap_or_default();
        let is_shop =
            is_one_of(self.host, &["buy.stripe.com", "checkout.stripe.com", "www.paypal.com"]);
        if is_shop || leads(&["payment", "payments", "pay", "checkout", "x402"]) {
            Some(LinkKind::Payment)
        } else if leads(&["contact", "support"]) {
            Some(LinkKind::Contact)
        } else if leads(DOCS) || is_one_of(first, &["docs", "developer", "developers"]) {
            Some(LinkKind::Docs)
        } else {
            None
        }
    }

    /// True if the first label of the host is `mcp`.
    fn is_of_mcp(&self) -> bool {
        starts_with(self.host, b"mcp.")
    }
}

/// A segment of a path without its extension.
fn stem(segment: &[u8]) -> &[u8] {
    segment.split(|byte| *byte == b'.').next().unwrap_or_default()
}
