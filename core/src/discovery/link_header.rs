//! The grammar of `Link` headers (RFC 8288 section 3).

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{take, take_till, take_while1};
use nom::character::complete::{char, multispace0};
use nom::combinator::opt;
use nom::multi::fold_many0;
use nom::sequence::{delimited, preceded, terminated};

use crate::syntax::input::{Input, Parsed};

/// A link on a page, as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Link<'a> {
    /// The URL, possibly relative.
    pub(crate) target: &'a [u8],
    /// The relations, separated by blanks. The first of several `rel` parameters counts.
    pub(crate) relation: Option<&'a [u8]>,
    /// The media type.
    pub(crate) media_type: Option<&'a [u8]>,
    /// Whether the link is about another resource than the page (`anchor`).
    pub(crate) is_elsewhere: bool,
}

/// The links of one header. Text that is not a link is skipped up to the next comma outside of quotes. Every byte is read once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Links<'a>(pub(crate) &'a [u8]);

impl<'a> Iterator for Links<'a> {
    type Item = Link<'a>;

    fn next(&mut self) -> Option<Link<'a>> {
        loop {
            let between = take_while1(|octet: u8| octet.is_ascii_whitespace() || octet == b',');
            let skipped: Parsed<'a, _> = opt(between).parse(Input(self.0));
            let (Input(rest), _) = skipped.ok()?;
            if rest.is_empty() {
                return None;
            }
            match target(Input(rest)) {
                Ok((behind, Input(target))) => {
                    let link = Link { target: target.trim_ascii(), ..Link::default() };
                    let (Input(behind), link) = parameters(behind, link).ok()?;
                    let (Input(behind), _) = other(Input(behind)).ok()?;
                    self.0 = behind;
                    return Some(link);
                }
                Err(_) => {
                    // An unclosed target takes the rest, so that no byte is searched twice.
                    let (Input(behind), _) = other(Input(rest)).ok()?;
                    self.0 = if rest.starts_with(b"<") { &[] } else { behind };
                }
            }
        }
    }
}

/// `<target>`.
fn target(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    delimited(char('<'), take_till(|octet| octet == b'>'), char('>')).parse(input)
}

fn parameters<'a>(input: Input<'a>, link: Link<'a>) -> Parsed<'a, Link<'a>> {
    let semicolon = delimited(multispace0, char(';'), multispace0);
    let equals = delimited(multispace0, char('='), multispace0);
    let value = opt(preceded(equals, alt((quoted, token))));
    fold_many0(
        preceded(semicolon, (opt(token), value)),
        move || link,
        |mut link, (name, value)| {
            let name = name.map_or(&b""[..], |Input(name)| name);
            let value = value.map_or(&b""[..], |Input(value)| value);
            if name.eq_ignore_ascii_case(b"rel") {
                link.relation = link.relation.or(Some(value));
            } else if name.eq_ignore_ascii_case(b"type") {
                link.media_type = link.media_type.or(Some(value));
            } else if name.eq_ignore_ascii_case(b"anchor") {
                link.is_elsewhere = true;
            }
            link
        },
    )
    .parse(input)
}

/// A value without quotes. Accepts more than the grammar, because some servers omit required
/// quotes.
fn token(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    take_while1(|octet: u8| {
        !octet.is_ascii_whitespace() && !matches!(octet, b',' | b';' | b'=' | b'"' | b'<' | b'>')
    })
    .parse(input)
}

/// The text between double quotes, up to the first escape. Values that are used here have no
/// escapes. Without a closing quote, takes the rest.
fn quoted(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let plain = || take_till(|octet| matches!(octet, b'"' | b'\\'));
    let escapes = fold_many0((char('\\'), take(1_usize), plain()), || (), |(), _| ());
    delimited(char('"'), terminated(plain(), escapes), opt(char('"'))).parse(input)
}

/// Text that is not part of a link, up to the next comma.
fn other(input: Input<'_>) -> Parsed<'_, ()> {
    let plain = take_while1(|octet| !matches!(octet, b',' | b'"'));
    fold_many0(alt((plain, quoted)), || (), |(), _| ()).parse(input)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;

    fn read(header: &str) -> Vec<(&str, &str, bool)> {
        let text = |bytes| core::str::from_utf8(bytes).unwrap();
        Links(header.as_bytes())
            .map(|link| {
                (text(link.target), text(link.relation.unwrap_or_default()), link.is_elsewhere)
            })
            .collect()
    }

    #[test]
    fn links() {
        assert_eq!(
            read(
                "</a>; rel=\"api-catalog\", <https://a.example/b,c>;rel=mcp; type=application/json , </d> ; title=\"x, </e>; rel=no\"; REL = \"a b\"; rel=c; anchor=\"/x\""
            ),
            [
                ("/a", "api-catalog", false),
                ("https://a.example/b,c", "mcp", false),
                ("/d", "a b", true)
            ]
        );
        assert_eq!(read("</a>;;rel=a,</b>"), [("/a", "a", false), ("/b", "", false)]);
        assert_eq!(read(""), []);
    }

    #[test]
    fn text_that_is_no_link_is_skipped() {
        assert_eq!(
            read(" ,, x \"</a>, \" y, </b>; rel=b z, </c>"),
            [("/b", "b", false), ("/c", "", false)]
        );
        assert_eq!(read("</a"), []);
        assert_eq!(read("</a>; rel=\"b, </c>; rel=d"), [("/a", "b, </c>; rel=d", false)]);
        assert_eq!(read("</a>; rel=\"b\\\"c\", </d>"), [("/a", "b", false), ("/d", "", false)]);
    }

    #[test]
    fn every_byte_is_read_once() {
        for piece in ["<", "\"", ",", ";", "<a>;x=\"", "<a>,\\", "<a>;=", "\"\\", "a", "<a>; "] {
            let text = piece.repeat(200_000 / piece.len());
            let start = std::time::Instant::now();
            assert!(read(&text).len() <= text.len());
            assert!(start.elapsed().as_secs() < 2, "{piece}");
        }
    }
}
