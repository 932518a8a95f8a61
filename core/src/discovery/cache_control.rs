//! The grammar of `Cache-Control` (RFC 9111 section 5.2).

use nom::branch::alt;
use nom::bytes::complete::{tag, take, take_till, take_while, take_while1};
use nom::combinator::opt;
use nom::multi::fold_many0;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

use crate::syntax::input::Input;

type Parsed<'a, T> = IResult<Input<'a>, T, ()>;

/// The directives that count for one who keeps documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct CacheControl {
    /// Seconds. Of several, the least; 0 where one is no number (section 4.2.1).
    pub(super) max_age: Option<u32>,
    /// The same for caches that many share.
    pub(super) s_maxage: Option<u32>,
    pub(super) no_store: bool,
    pub(super) no_cache: bool,
    pub(super) must_revalidate: bool,
}

impl CacheControl {
    /// Takes the directives of one header line. What is none is skipped up to the next comma.
    pub(super) fn add(&mut self, line: &[u8]) {
        let mut input = Input(line);
        loop {
            if let Ok((rest, (name, value))) = directive(input) {
                self.take(name.0, value.map(|value| value.0));
                input = rest;
            }
            // What follows a directive, or is none, ends at a comma.
            let Ok((Input([_, rest @ ..]), _)) = skipped(input) else { return };
            input = Input(rest);
        }
    }

    fn take(&mut self, name: &[u8], value: Option<&[u8]>) {
        let is = |wanted: &str| name.eq_ignore_ascii_case(wanted.as_bytes());
        if is("max-age") {
            self.max_age = least(self.max_age, value);
        } else if is("s-maxage") {
            self.s_maxage = least(self.s_maxage, value);
        }
        self.no_store |= is("no-store");
        // With a list of fields, no-cache speaks of these alone; it is heeded as if it spoke of all.
        self.no_cache |= is("no-cache");
        self.must_revalidate |= is("must-revalidate");
    }
}

fn least(known: Option<u32>, value: Option<&[u8]>) -> Option<u32> {
    let read = value.and_then(seconds).unwrap_or(0);
    Some(known.map_or(read, |known| known.min(read)))
}

/// Seconds as a number (RFC 9111 section 1.2.2); more than 31 bits saturate there. `None` where it is no number.
pub(super) fn seconds(text: &[u8]) -> Option<u32> {
    const MOST: u32 = 1 << 31;
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |number: u32, digit: &u8| number.saturating_mul(10).saturating_add(u32::from(digit.wrapping_sub(b'0'))).min(MOST);
    Some(text.iter().fold(0, digit))
}

#[cfg_attr(not(target_os = "none"), inline(always))]
fn blanks(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    take_while(|byte| matches!(byte, b' ' | b'\t')).parse(input)
}

const fn is_token(byte: u8) -> bool {
    matches!(byte, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~') || byte.is_ascii_alphanumeric()
}

#[cfg_attr(not(target_os = "none"), inline(always))]
fn token(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    take_while1(is_token).parse(input)
}

/// What stands between double quotes up to the first escape: no value that is read has one.
#[cfg_attr(not(target_os = "none"), inline(always))]
fn quoted(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let plain = || take_while(|byte| !matches!(byte, b'"' | b'\\'));
    let escaped = (tag("\\"), take(1_usize), plain());
    delimited(tag("\""), (plain(), fold_many0(escaped, || (), |(), _| ())).map(|(start, ())| start), tag("\"")).parse(input)
}

/// `name`, `name=value` or `name="value"`.
#[cfg_attr(not(target_os = "none"), inline(always))]
fn directive(input: Input<'_>) -> Parsed<'_, (Input<'_>, Option<Input<'_>>)> {
    let equals = delimited(blanks, tag("="), blanks);
    preceded(blanks, (token, opt(preceded(equals, alt((quoted, token)))))).parse(input)
}

/// Everything before a comma, or the end.
#[cfg_attr(not(target_os = "none"), inline(always))]
fn skipped(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    take_till(|byte| byte == b',').parse(input)
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
        let all = CacheControl { max_age: Some(60), s_maxage: Some(5), no_store: true, no_cache: true, must_revalidate: true };
        assert_eq!(read(&["public, max-age=60,s-maxage = \"5\" ,, NO-STORE, no-cache=\"set-cookie, x\", must-revalidate"]), all);
        assert_eq!(read(&["max-age=60", "no-store"]), CacheControl { max_age: Some(60), no_store: true, ..CacheControl::default() });
        assert_eq!(read(&["", " , ,", "max-ages=3", "xmax-age=3"]), CacheControl::default());
    }

    #[test]
    fn odd_values_read_as_the_shortest_time() {
        for line in ["max-age", "max-age=", "max-age=-1", "max-age=1.5", "max-age=\"", "max-age=60, max-age=x", "max-age=9,max-age=0"] {
            assert_eq!(read(&[line]).max_age, Some(0), "{line}");
        }
        assert_eq!(read(&["max-age=99999999999999999999999"]).max_age, Some(1 << 31));
        assert_eq!(read(&["max-age=7 days"]).max_age, Some(7));
    }

    #[test]
    fn quotes_hide_what_stands_in_them() {
        assert_eq!(read(&["x=\"a, no-store\\\", no-cache\", max-age=4"]), CacheControl { max_age: Some(4), ..CacheControl::default() });
        // A quote that never ends hides nothing: the narrow reading.
        assert!(read(&["x=\"a, no-store"]).no_store);
        assert!(read(&["@@@, no-store"]).no_store);
    }
}
