//! The `<link>` elements in the head of an HTML page.
//!
//! This is a scanner for start tags, not an HTML parser. It stops at the end of the head, because
//! the content after it may come from visitors. INVARIANT: `at` only grows, and every byte is
//! searched at most once for each kind of delimiter, so the scan is linear.

use super::link_header::Link;
use crate::scan;
use crate::sink::copy;
use crate::syntax::html::{Attributes, reference};

/// The number of bytes of a page that are read.
pub(crate) const LIMIT: usize = 64 << 10;

/// An element in the head of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Element<'a> {
    /// The base URL of relative URLs (`<base href>`).
    Base(&'a [u8]),
    /// A link.
    Link(Link<'a>),
}

/// The elements in the head of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements<'a> {
    page: &'a [u8],
    at: usize,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(page: &'a [u8]) -> Self {
        let page = page.get(..LIMIT).unwrap_or(page);
        Self { page, at: 0 }
    }

    fn rest(&self) -> &'a [u8] {
        self.page.get(self.at..).unwrap_or_default()
    }

    fn step(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// Moves to the position after the next `part`, or to the end if there is none.
    fn skip_to(&mut self, part: &[u8]) {
        let rest = self.rest();
        let found = scan::find(rest, part).and_then(|at| at.checked_add(part.len()));
        self.step(found.unwrap_or(rest.len()));
    }

    /// Moves to the end tag of an element whose content is text.
    fn skip_text(&mut self, name: &[u8]) {
        while let Some(open) = scan::memchr(b'<', self.rest()) {
            self.step(open);
            let end = self.rest().strip_prefix(b"</");
            let is_end = end
                .and_then(|end| end.get(..name.len()))
                .is_some_and(|end| end.eq_ignore_ascii_case(name));
            if is_end {
                return;
            }
            self.step(1);
        }
        self.at = self.page.len();
    }

    /// The next start tag: its name and its attributes. `None` at the end of the head.
    fn tag(&mut self) -> Option<(&'a [u8], Attributes<'a>)> {
        loop {
            let open = scan::memchr(b'<', self.rest())?;
            self.step(open.saturating_add(1));
            let rest = self.rest();
            match rest {
                [b'!', b'-', b'-', ..] => self.skip_to(b"-->"),
                [b'!' | b'?', ..] => self.skip_to(b">"),
                [b'/', ..] => {
                    let end = rest.get(1..5).unwrap_or_default();
                    if end.eq_ignore_ascii_case(b"head") {
                        return None;
                    }
                    self.skip_to(b">");
                }
                [b'a'..=b'z' | b'A'..=b'Z', ..] => {
                    let is_end =
                        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
                    let (name, attributes) =
                        rest.split_at_checked(rest.iter().position(is_end)?)?;
                    let mut attributes = Attributes::of(attributes);
                    let own = attributes;
                    // The tag ends after its last attribute.
                    while attributes.next().is_some() {}
                    let behind = attributes.rest().strip_prefix(b">")?;
                    self.at = self.page.len().checked_sub(behind.len())?;
                    return Some((name, own));
                }
                _ => {}
            }
        }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        loop {
            let (name, attributes) = self.tag()?;
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
            } else if is(&["title", "style", "script", "noframes", "template"]) {
                self.skip_text(name);
            } else if !is(&["html", "head", "meta", "noscript", "basefont", "bgsound"]) {
                return None;
            }
        }
    }
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
