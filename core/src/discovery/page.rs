//! The links of a home page: those of its `Link` headers, and the `<link>` elements in its head.
//!
//! Reading stops at the end of the head, because the content after it may come from visitors.

use super::attempt::{URL_CAPACITY, resolved};
use super::link_header::{Link, Links};
use super::pointer::Pointing;
use super::response::{Header, lines};
use crate::scan;
use crate::sink::copy;
use crate::span::Span;
use crate::syntax::html::{Part, Parts, is_hidden, reference};
use crate::syntax::text::Text;
use crate::syntax::url::Url;

/// The number of bytes of a page that are read.
pub(super) const LIMIT: usize = 64 << 10;

/// An element in the head of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Element<'a> {
    /// The base URL of relative URLs (`<base href>`).
    Base(&'a [u8]),
    /// A link.
    Link(Link<'a>),
}

/// The elements in the head of a page.
#[derive(Clone, Copy, Debug)]
struct Elements<'a>(Parts<'a>);

impl<'a> Elements<'a> {
    fn new(page: &'a [u8]) -> Self {
        Self(Parts::of(page.get(..LIMIT).unwrap_or(page)))
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        loop {
            let (name, attributes) = match self.0.next()? {
                Part::Start { name, attributes, .. } => (name, attributes),
                Part::End(name) if name.eq_ignore_ascii_case(b"head") => return None,
                Part::Text(_) | Part::End(_) => continue,
            };
            let is = |names: &[&str]| {
                names.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
            };
            if is(&["link"]) {
                if let Some(target) = attributes.get("href") {
                    return Some(Element::Link(Link {
                        target: target.trim_ascii(),
                        relation: attributes.get("rel"),
                        media_type: attributes.get("type"),
                        is_elsewhere: false,
                    }));
                }
            } else if is(&["base"]) {
                if let Some(url) = attributes.get("href") {
                    return Some(Element::Base(url.trim_ascii()));
                }
            } else if !is_hidden(name)
                && !is(&["html", "head", "meta", "noscript", "basefont", "bgsound"])
            {
                return None;
            }
        }
    }
}

/// A link of a home page, and where it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'l> {
    pub(crate) link: Link<'l>,
    /// By a header, or by an element.
    pub(crate) pointing: Pointing,
    /// The target in the page; empty for headers.
    pub(crate) span: Span,
    /// The URL against which a relative target is resolved.
    pub(crate) base: &'l str,
}

/// Calls `visit` with the links of the home page at `url`, those of the `Link` headers first, until it
/// returns false. Links about other resources are left out.
pub(crate) fn links(
    url: &str,
    headers: &[Header<'_>],
    page: &[u8],
    visit: &mut dyn FnMut(&Written<'_>) -> bool,
) {
    for link in lines(headers, "link").flat_map(Links).filter(|link| !link.is_elsewhere) {
        let pointing = Pointing::LinkHeader;
        if !visit(&Written { link, pointing, span: Span::default(), base: url }) {
            return;
        }
    }
    let (mut buffer, mut base) = ([0; URL_CAPACITY], None);
    for element in Elements::new(page) {
        let mut decoded = [0; URL_CAPACITY];
        match element {
            // The first of several `<base>` elements counts.
            Element::Base(target) if base.is_none() => {
                let target = self::decoded(target, &mut decoded).map(Text::plain);
                let resolved = Url::parse(url.as_bytes())
                    .zip(target)
                    .and_then(|(url, target)| resolved(&url, target, &mut buffer).ok());
                base = Some(resolved.map_or(0, str::len));
            }
            Element::Base(_) => {}
            Element::Link(link) => {
                let span = Span::of(link.target, page);
                let Some(target) = self::decoded(link.target, &mut decoded) else { continue };
                let own = buffer.get(..base.unwrap_or(0)).unwrap_or_default();
                let own = core::str::from_utf8(own).ok().filter(|own| !own.is_empty());
                let link = Link { target, ..link };
                let base = own.unwrap_or(url);
                if !visit(&Written { link, pointing: Pointing::LinkElement, span, base }) {
                    return;
                }
            }
        }
    }
}

/// The largest number of licences of a page.
const MAX_LICENSES: usize = 16;

/// Calls `visit` with the licences to which the home page at `url` links (`rel="license"`), those of
/// its `Link` headers first: absolute http and https URLs, at most sixteen. They are only named;
/// discovery requests none. A licence can be linked twice.
///
/// ```
/// use agentsdisc_core::discovery::licenses;
/// let page = br#"<link rel="license" type="application/rsl+xml" href="/license.xml">"#;
/// let mut found = Vec::new();
/// licenses("https://mugs.example/", &[], page, &mut |url| found.push(url.to_owned()));
/// assert_eq!(found, ["https://mugs.example/license.xml"]);
/// ```
pub fn licenses(url: &str, headers: &[Header<'_>], page: &[u8], visit: &mut dyn FnMut(&str)) {
    let mut room = MAX_LICENSES;
    links(url, headers, page, &mut |written| {
        let mut relations =
            written.link.relation.unwrap_or_default().split(u8::is_ascii_whitespace);
        if relations.any(|name| name.eq_ignore_ascii_case(b"license")) {
            let mut buffer = [0; URL_CAPACITY];
            let target = Text::plain(written.link.target);
            let resolved = Url::parse(written.base.as_bytes())
                .and_then(|base| resolved(&base, target, &mut buffer).ok());
            let is_http = |url: &&str| Url::parse(url.as_bytes()).is_some_and(|url| url.is_http());
            if let Some(found) = resolved.filter(is_http) {
                visit(found);
                room = room.saturating_sub(1);
            }
        }
        room > 0
    });
}

/// A URL with its character references decoded into `buffer`. `None` if it does not fit.
pub(crate) fn decoded<'b>(url: &'b [u8], buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    if scan::memchr(b'&', url).is_none() {
        return Some(url);
    }
    let (mut rest, mut length) = (url, 0_usize);
    while let [byte, behind @ ..] = rest {
        let (mut utf8, plain) = ([0; 4], [*byte]);
        let (bytes, others): (&[u8], _) = match reference(rest) {
            Some((char, others)) => (char.encode_utf8(&mut utf8).as_bytes(), others),
            None => (&plain, behind),
        };
        let end = length.checked_add(bytes.len())?;
        copy(buffer.get_mut(length..end)?, bytes);
        (length, rest) = (end, others);
    }
    buffer.get(..length)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::format;
    use std::string::String;
    use std::vec::Vec;

    use super::*;

    fn read(page: &str) -> Vec<String> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Elements::new(page.as_bytes())
            .map(|element| match element {
                Element::Base(url) => format!("base {}", text(url)),
                Element::Link(link) => {
                    format!("{} {}", text(link.relation.unwrap_or_default()), text(link.target))
                }
            })
            .collect()
    }

    #[test]
    fn links_in_the_head() {
        let page = "<!doctype html><HTML lang=en><!-- <link rel=no href=/no> --><head><title><link rel=no href=/no></title>
            <script>let a = '<link rel=no href=/no>';</script  ><meta charset=utf-8><base href='/b/'>
            <LINK REL='mcp' HREF=\"/mcp\"/><link href=/a>b rel=x><link rel=c><link rel = llms href = /l class='>' ></head>
            <link rel=no href=/no>";
        assert_eq!(read(page), ["base /b/", "mcp /mcp", " /a", "llms /l"]);
    }

    #[test]
    fn the_body_is_not_read() {
        for page in [
            "<body><link rel=no href=/no>",
            "<p>x<link rel=no href=/no>",
            "</head><link rel=no href=/no>",
            "<link rel=no href=\"/no",
            "<script><link rel=no href=/no>",
            "<!-- <link rel=no href=/no>",
            "no page",
            "<",
            "",
        ] {
            assert!(read(page).is_empty(), "{page}");
        }
    }

    #[test]
    fn only_the_beginning_is_read() {
        let page = format!("{}<link rel=no href=/no>", " ".repeat(LIMIT));
        assert!(read(&page).is_empty());
        assert_eq!(read("<link rel=a href=/a rel=b href=/b>"), ["a /a"]);
    }

    #[test]
    fn references_in_urls() {
        let mut buffer = [0; 8];
        assert_eq!(decoded(b"/a?b&amp;c&#38;d", &mut buffer), Some(&b"/a?b&c&d"[..]));
        assert_eq!(decoded(b"/a?b&amp;c&#38;de", &mut buffer), None);
        assert_eq!(decoded(b"/a", &mut []), Some(&b"/a"[..]));
        let mut buffer = [0; 16];
        for (url, expected) in [
            ("/a&#x2F;b&#X2f;c", "/a/b/c"),
            ("&#47;a&#98;c", "/abc"),
            ("/&#233;&#x1F600;", "/é😀"),
            ("/&#38a&lt;&quot;", "/&a<\""),
            ("/&copy;&#;&#x;&", "/&copy;&#;&#x;&"),
            ("/&#xD800;&#99999999999;", "/\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(decoded(url.as_bytes(), &mut buffer), Some(expected.as_bytes()), "{url}");
        }
    }
}
