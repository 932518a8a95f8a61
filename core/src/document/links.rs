//! Links: the http and https URLs in the bytes of a document, whatever its format.

use super::Document;
use super::detect::looks_like_json;
use crate::scan;
use crate::span::Span;
use crate::syntax::bare_url::{length, without_punctuation};
use crate::syntax::text::{Text, byte_order_mark};

/// The number of bytes before a URL that are searched for its label.
const REACH: usize = 240;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)*) => {
        /// What a link probably leads to, judged from its URL and its label.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum LinkKind {
            $($(#[$doc])* $name,)*
        }

        impl LinkKind {
            /// All kinds, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the stable kebab-case id.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }
        }
    };
}

kinds! {
    /// None of the others.
    Other = "other",
    /// An endpoint of the Model Context Protocol.
    McpEndpoint = "mcp-endpoint",
    /// An OpenAPI or Swagger description.
    OpenApi = "openapi",
    /// An A2A agent card.
    AgentCard = "agent-card",
    /// An llms.txt or llms-full.txt.
    LlmsTxt = "llms-txt",
    /// An AI catalog.
    AiCatalog = "ai-catalog",
    /// Documentation.
    Docs = "docs",
    /// A way to reach people.
    Contact = "contact",
    /// Payment.
    Payment = "payment",
}

/// A URL in a document.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Link<'a> {
    /// The URL as written; `\/` and other escapes of JSON are decoded by [`Text`].
    pub url: Text<'a>,
    /// Its range in the document.
    pub span: Span,
    /// The name beside it: the key of the member, the text of a Markdown link, the relation of an
    /// HTML link, or the text before it on its line. Empty if there is none.
    pub label: Text<'a>,
    /// What it probably leads to.
    pub kind: LinkKind,
}

/// An iterator over the http and https URLs in the bytes of any document, known or not, in their
/// order. Takes linear time.
///
/// A link states where something is. It never allows or denies a request.
///
/// ```
/// use agentsdisc_core::document::{LinkKind, Links};
/// let text = b"# Shop\n\n- [API](https://shop.example/openapi.json)\n- MCP: https://shop.example/mcp.\n";
/// let mut links = Links::new(text);
/// let api = links.next().unwrap();
/// assert_eq!(api.url, "https://shop.example/openapi.json");
/// assert_eq!(api.label, "API");
/// assert_eq!(api.kind, LinkKind::OpenApi);
/// assert_eq!(links.next().unwrap().kind, LinkKind::McpEndpoint);
/// assert!(links.next().is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Links<'a> {
    bytes: &'a [u8],
    at: usize,
    is_json: bool,
}

impl<'a> Document<'a> {
    /// The http and https URLs in the document. For documents of unknown formats use [`Links::new`].
    pub fn links(&self) -> Links<'a> {
        Links::new(self.bytes)
    }
}

impl<'a> Links<'a> {
    /// Creates an iterator over the URLs in any bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        let text = bytes.get(byte_order_mark(bytes)..).unwrap_or_default();
        Self {
            bytes,
            at: 0,
            is_json: looks_like_json(text),
        }
    }

    /// The range of the URL around the colon at this offset.
    fn url_at(&self, colon: usize) -> Option<(usize, usize)> {
        let (before, after) = self.bytes.split_at_checked(colon)?;
        let start = ["https", "http"].iter().find_map(|scheme| {
            let start = colon.checked_sub(scheme.len())?;
            let is_here = before.get(start..)?.eq_ignore_ascii_case(scheme.as_bytes());
            is_here.then_some(start)
        })?;
        if before
            .get(..start)
            .and_then(<[u8]>::last)
            .is_some_and(u8::is_ascii_alphanumeric)
        {
            return None;
        }
        let slashes = if after.starts_with(b"://") {
            3
        } else if self.is_json && after.starts_with(br":\/\/") {
            5
        } else {
            return None;
        };
        let host = colon.checked_add(slashes)?;
        let end = host.checked_add(length(self.bytes.get(host..)?, self.is_json))?;
        let url = self.bytes.get(start..end)?;
        // A string that is nothing but a URL ends with it.
        let is_whole = before
            .get(..start)
            .is_some_and(|text| text.ends_with(b"\""))
            && self.bytes.get(end) == Some(&b'"');
        let kept = if is_whole {
            url
        } else {
            without_punctuation(url)
        };
        let end = start.checked_add(kept.len())?;
        let first = self.bytes.get(host..end)?.first()?;
        (first.is_ascii_alphanumeric() || matches!(first, b'[' | b'{' | 0x80..))
            .then_some((start, end))
    }
}

impl<'a> Iterator for Links<'a> {
    type Item = Link<'a>;

    fn next(&mut self) -> Option<Link<'a>> {
        loop {
            let length = scan::memchr(b':', self.bytes.get(self.at..)?)?;
            let colon = self.at.checked_add(length)?;
            self.at = colon.checked_add(1)?;
            let Some((start, end)) = self.url_at(colon) else {
                continue;
            };
            self.at = end.max(self.at);
            let raw = self.bytes.get(start..end).unwrap_or_default();
            let before = self
                .bytes
                .get(start.saturating_sub(REACH)..start)
                .unwrap_or_default();
            let label = label(before, self.is_json);
            let text = |raw| {
                if self.is_json {
                    Text::json(raw)
                } else {
                    Text::plain(raw)
                }
            };
            return Some(Link {
                url: text(raw),
                span: Span::new(start as u32, end as u32),
                label: text(label),
                kind: kind(raw, label),
            });
        }
    }
}

/// The name beside a URL, from the text before it.
fn label(before: &[u8], is_json: bool) -> &[u8] {
    if is_json {
        let open = before.iter().rposition(|byte| *byte == b'"');
        return member(open.and_then(|at| before.get(..at)).unwrap_or_default())
            .unwrap_or_default();
    }
    let start = before
        .iter()
        .rposition(|byte| matches!(byte, b'\n' | b'\r'))
        .map_or(0, |at| at.saturating_add(1));
    let line = before.get(start..).unwrap_or_default();
    if let [text @ .., b']', b'('] | [text @ .., b']', b'(', b'<'] = line {
        let open = text.iter().rposition(|byte| *byte == b'[');
        return open
            .and_then(|at| text.get(at.saturating_add(1)..))
            .unwrap_or_default();
    }
    if let Some(tag) = line.iter().rposition(|byte| *byte == b'<')
        && let Some(tag) = line.get(tag..)
        && let [b'<', b'a'..=b'z' | b'A'..=b'Z', ..] = tag
    {
        return relation(tag).unwrap_or_default();
    }
    let is_marker = |byte: &u8| matches!(byte, b' ' | b'\t' | b'-' | b'*' | b'#' | b'>' | b'+');
    let is_end = |byte: &u8| {
        matches!(
            byte,
            b' ' | b'\t' | b':' | b'=' | b'(' | b'<' | b'"' | b'\'' | b'*' | b'-'
        )
    };
    let first = line.iter().position(|byte| !is_marker(byte));
    let last = line.iter().rposition(|byte| !is_end(byte));
    match (first, last) {
        (Some(first), Some(last)) => line.get(first..last.saturating_add(1)).unwrap_or_default(),
        _ => &[],
    }
}

/// The key of the member whose value begins behind `before`. A key that says nothing but that its
/// value is a URL gives way to the key of the object that contains it.
fn member(before: &[u8]) -> Option<&[u8]> {
    let (key, outside) = key(before.trim_ascii_end())?;
    if !["href", "url", "uri", "link"]
        .iter()
        .any(|plain| key.eq_ignore_ascii_case(plain.as_bytes()))
    {
        return Some(key);
    }
    let outer = outside.trim_ascii_end().strip_suffix(b"{");
    let named = outer.and_then(|outer| self::key(outer.trim_ascii_end()));
    Some(named.map_or(key, |(outer, _)| outer))
}

/// The key at the end of `text`, which ends with its colon or the bracket of its array; and the
/// text before the key.
fn key(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.strip_suffix(b"[").unwrap_or(text).trim_ascii_end();
    let inside = text
        .strip_suffix(b":")?
        .trim_ascii_end()
        .strip_suffix(b"\"")?;
    let open = inside.iter().rposition(|byte| *byte == b'"')?;
    Some((inside.get(open.saturating_add(1)..)?, inside.get(..open)?))
}

/// The value of the attribute `rel` in the beginning of an HTML tag.
fn relation(tag: &[u8]) -> Option<&[u8]> {
    let start = scan::find(tag, b"rel=")?.checked_add(4)?;
    let value = tag.get(start..)?;
    let quote = *value.first()?;
    let (value, is_end): (_, fn(u8) -> bool) = match quote {
        b'"' => (value.get(1..)?, |byte| byte == b'"'),
        b'\'' => (value.get(1..)?, |byte| byte == b'\''),
        _ => (value, |byte| matches!(byte, b' ' | b'>')),
    };
    let end = value.iter().position(|byte| is_end(*byte))?;
    value.get(..end)
}

/// What a link probably leads to.
fn kind(url: &[u8], label: &[u8]) -> LinkKind {
    let place = Place::of(url);
    let says = |words: &[&str]| has_word(label, words);
    let leads = |words: &[&str]| {
        let mut segments = place.path.split(|byte| *byte == b'/');
        segments.any(|segment| is_word(stem(segment), words))
    };
    let last = place
        .path
        .rsplit(|byte| *byte == b'/')
        .next()
        .unwrap_or_default();
    let ends = |names: &[&str]| is_word(last, names);
    let is_old_card = ends(&["agent.json"]) && scan::find(place.path, b".well-known").is_some();
    if ends(&["agent-card.json"]) || is_old_card || says(&["agent card", "agentcard"]) {
        LinkKind::AgentCard
    } else if ends(&["ai-catalog.json"]) || says(&["ai catalog"]) {
        LinkKind::AiCatalog
    } else if ends(&["llms.txt", "llms-full.txt"]) {
        LinkKind::LlmsTxt
    } else if has_word(last, &["openapi", "swagger"])
        || says(&["openapi", "swagger", "service desc"])
    {
        LinkKind::OpenApi
    } else if ends(&["mcp"])
        || place.is_of_mcp() && (place.path.is_empty() || ends(&["sse"]))
        || names_mcp(label) && !last.contains(&b'.')
    {
        LinkKind::McpEndpoint
    } else if says(&["payment", "payments", "pay", "checkout", "x402", "donate"])
        || leads(&["payment", "payments", "pay", "checkout", "x402"])
        || is_word(
            place.host,
            &["buy.stripe.com", "checkout.stripe.com", "www.paypal.com"],
        )
    {
        LinkKind::Payment
    } else if says(&["contact", "support"]) || leads(&["contact", "support"]) {
        LinkKind::Contact
    } else if says(&["doc", "docs", "documentation", "guide", "reference"])
        || leads(&[
            "doc",
            "docs",
            "documentation",
            "guide",
            "guides",
            "reference",
        ])
        || has_word(
            place
                .host
                .split(|byte| *byte == b'.')
                .next()
                .unwrap_or_default(),
            &["docs", "developer", "developers"],
        )
    {
        LinkKind::Docs
    } else {
        LinkKind::Other
    }
}

/// The host and the path of a URL as written.
struct Place<'a> {
    host: &'a [u8],
    path: &'a [u8],
}

impl<'a> Place<'a> {
    fn of(url: &'a [u8]) -> Self {
        let after = scan::memchr(b':', url).and_then(|colon| url.get(colon.saturating_add(1)..));
        let mut rest = after.unwrap_or_default();
        while let [b'/' | b'\\', inner @ ..] = rest {
            rest = inner;
        }
        let until = |text: &'a [u8], ends: &[u8]| {
            let end = text.iter().position(|byte| ends.contains(byte));
            text.split_at_checked(end.unwrap_or(text.len()))
                .unwrap_or_default()
        };
        let (rest, _) = until(rest, b"?#");
        let (host, path) = until(rest, b"/\\");
        let path = path.strip_suffix(b"/").unwrap_or(path);
        Self { host, path }
    }

    /// True if the first label of the host is `mcp`.
    fn is_of_mcp(&self) -> bool {
        let start = self.host.get(..4);
        start.is_some_and(|start| start.eq_ignore_ascii_case(b"mcp."))
    }
}

/// A segment of a path without the backslash of JSON's `\/` behind it, and without its extension.
fn stem(segment: &[u8]) -> &[u8] {
    let segment = segment.strip_suffix(b"\\").unwrap_or(segment);
    segment
        .split(|byte| *byte == b'.')
        .next()
        .unwrap_or_default()
}

/// True if the text equals one of the words, ignoring case.
fn is_word(text: &[u8], words: &[&str]) -> bool {
    let mut words = words.iter();
    words.any(|word| text.eq_ignore_ascii_case(word.as_bytes()))
}

/// The words of a text: its runs of ASCII letters and digits.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    text.split(|byte| !byte.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// True if one of `phrases`, which are words with blanks between them, is in the text.
fn has_word(text: &[u8], phrases: &[&str]) -> bool {
    let mut rest = words(text);
    loop {
        let matches = |phrase: &&str| {
            let mut here = rest.clone();
            words(phrase.as_bytes()).all(|word| {
                here.next()
                    .is_some_and(|found| found.eq_ignore_ascii_case(word))
            })
        };
        if phrases.iter().any(matches) {
            return true;
        }
        if rest.next().is_none() {
            return false;
        }
    }
}

/// True if a label names an MCP endpoint and nothing else.
fn names_mcp(label: &[u8]) -> bool {
    const BESIDE: &[&str] = &[
        "mcp",
        "model",
        "context",
        "protocol",
        "server",
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
    ];
    (has_word(label, &["mcp"]) || has_word(label, &["model context protocol"]))
        && words(label).all(|word| is_word(word, BESIDE))
}
