//! The grammar of `Cache-Control` (RFC 9111 section 5.2).

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{take, take_till, take_while1};
use nom::character::complete::{char, space0};
use nom::combinator::opt;
use nom::multi::fold_many0;
use nom::sequence::{delimited, preceded, terminated};

use crate::syntax::input::{Input, Parsed};

/// The directives that matter for a store of documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CacheControl {
    /// `max-age` in seconds. The smallest of several values; 0 if any is invalid (section 4.2.1).
    pub(crate) max_age: Option<u32>,
    /// `s-maxage` in seconds, which shared caches prefer. Read like `max-age`.
    pub(crate) s_maxage: Option<u32>,
    pub(crate) no_store: bool,
    pub(crate) no_cache: bool,
    pub(crate) must_revalidate: bool,
}

impl CacheControl {
    /// Adds the directives of one header line. Text that is not a directive is skipped up to the
    /// next comma. A semicolon, which some servers write by mistake, also ends a directive.
    pub(crate) fn add(&mut self, line: &[u8]) {
        let mut rest = Input(line);
        loop {
            if let Ok((behind, (name, value))) = directive(rest) {
                self.take(name.0, value.map(|Input(value)| value));
                rest = behind;
            }
            let next: Parsed<'_, _> = preceded(take_till(is_end), take(1_usize)).parse(rest);
            match next {
                Ok((behind, _)) => rest = behind,
                Err(_) => return,
            }
        }
    }

    fn take(&mut self, name: &[u8], value: Option<&[u8]>) {
        match NAMES.iter().position(|known| name.eq_ignore_ascii_case(known)) {
            Some(0) => self.max_age = least(self.max_age, value),
            Some(1) => self.s_maxage = least(self.s_maxage, value),
            Some(2) => self.no_store = true,
            // With a list of fields, no-cache only applies to these fields; here it is read as if
            // it applied to the whole answer.
            Some(3) => self.no_cache = true,
            Some(_) => self.must_revalidate = true,
            None => {}
        }
    }
}

/// Whether an octet ends a directive.
fn is_end(octet: u8) -> bool {
    matches!(octet, b',' | b';')
}

const NAMES: [&[u8]; 5] = [b"max-age", b"s-maxage", b"no-store", b"no-cache", b"must-revalidate"];

fn least(known: Option<u32>, value: Option<&[u8]>) -> Option<u32> {
    let read = value.and_then(seconds).unwrap_or(0);
    Some(known.map_or(read, |known| known.min(read)))
}

/// Reads a number of seconds (RFC 9111 section 1.2.2); larger values become 2³¹. `None` if the text
/// is not a number.
pub(crate) fn seconds(text: &[u8]) -> Option<u32> {
    const MOST: u32 = 1 << 31;
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |number: u32, digit: &u8| {
        number.saturating_mul(10).saturating_add(u32::from(digit.wrapping_sub(b'0'))).min(MOST)
    };
    Some(text.iter().fold(0, digit))
}

const fn is_token(byte: u8) -> bool {
    matches!(byte, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~')
        || byte.is_ascii_alphanumeric()
}

/// `name`, `name=value` or `name="value"`, after optional blanks.
fn directive(input: Input<'_>) -> Parsed<'_, (Input<'_>, Option<Input<'_>>)> {
    let equals = delimited(space0, char('='), space0);
    preceded(space0, (token, opt(preceded(equals, alt((quoted, token)))))).parse(input)
}

fn token(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    take_while1(is_token).parse(input)
}

/// The text between double quotes, up to the first escape. Values that are used here have no
/// escapes.
fn quoted(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let plain = || take_till(|octet| matches!(octet, b'"' | b'\\'));
    let escaped = (char('\\'), take(1_usize), plain());
    let escapes = fold_many0(escaped, || (), |(), _| ());
    delimited(char('"'), terminated(plain(), escapes), char('"')).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> CacheControl {
        let mut found = CacheControl::default();
        lines.iter().for_each(|line| found.add(line.as_bytes()));
        found
    }

    #[test]
    fn directives() {
        let all = CacheControl {
            max_age: Some(60),
            s_maxage: Some(5),
            no_store: true,
            no_cache: true,
            must_revalidate: true,
        };
        assert_eq!(
            read(&[
                "public, max-age=60,s-maxage = \"5\" ,, NO-STORE, no-cache=\"set-cookie, x\", must-revalidate"
            ]),
            all
        );
        assert_eq!(
            read(&["max-age=60", "no-store"]),
            CacheControl { max_age: Some(60), no_store: true, ..CacheControl::default() }
        );
        assert_eq!(read(&["max-age=60; no-store"]), read(&["max-age=60", "no-store"]));
        assert_eq!(read(&["", " , ,", "max-ages=3", "xmax-age=3"]), CacheControl::default());
    }

    #[test]
    fn odd_values_read_as_the_shortest_time() {
        for line in [
            "max-age",
            "max-age=",
            "max-age=-1",
            "max-age=1.5",
            "max-age=\"",
            "max-age=60, max-age=x",
            "max-age=9,max-age=0",
        ] {
            assert_eq!(read(&[line]).max_age, Some(0), "{line}");
        }
        assert_eq!(read(&["max-age=99999999999999999999999"]).max_age, Some(1 << 31));
        assert_eq!(read(&["max-age=7 days"]).max_age, Some(7));
    }

    #[test]
    fn quotes_hide_what_stands_in_them() {
        assert_eq!(
            read(&["x=\"a, no-store\\\", no-cache\", max-age=4"]),
            CacheControl { max_age: Some(4), ..CacheControl::default() }
        );
        // A quote that never ends hides nothing: the narrow reading.
        assert!(read(&["x=\"a, no-store"]).no_store);
        assert!(read(&["@@@, no-store"]).no_store);
    }
}
