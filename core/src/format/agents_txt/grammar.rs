//! The grammars of values: rate limits, parameters, lists with commas.

use nom::combinator::opt;
use nom::sequence::{delimited, preceded, terminated};
use nom::{Err, IResult, Parser};

use crate::manifest::{Choice, RateLimit, Window};
use crate::scan;
use crate::syntax::line::trim;
use crate::syntax::text::Text;

type Parsed<'a, T> = IResult<&'a [u8], T, ()>;

/// What stands before the first octet that is one of these (`is_one`) or none of them; all of it where there is no such octet. With [`octet`] it is
/// all that these grammars are made of, so that firmware has one piece of code for each.
#[inline]
fn till<'a>(bytes: &'a [u8], octets: &[u8], is_one: bool) -> Parsed<'a, &'a [u8]> {
    let length = bytes
        .iter()
        .position(|octet| is_among(*octet, octets) == is_one)
        .unwrap_or(bytes.len());
    let (before, after) = bytes.split_at_checked(length).unwrap_or_default();
    Ok((after, before))
}

#[inline]
fn octet<'a>(wanted: u8) -> impl Fn(&'a [u8]) -> Parsed<'a, ()> {
    move |input| one(input, wanted)
}

#[inline]
fn one(bytes: &[u8], wanted: u8) -> Parsed<'_, ()> {
    match bytes.split_first() {
        Some((octet, after)) if *octet == wanted => Ok((after, ())),
        _ => Err(Err::Error(())),
    }
}

#[inline]
fn blanks(input: &[u8]) -> Parsed<'_, &[u8]> {
    till(input, b" \t", false)
}

/// A rate limit `N/window`: a number that fits 32 bits, blanks around the slash allowed, and a known window in any letter case.
pub(crate) fn rate_limit(value: &[u8]) -> Option<RateLimit<'_>> {
    let number = |input| till(input, b"0123456789", false);
    let slash = delimited(blanks, octet(b'/'), blanks);
    let limit: Parsed<'_, _> = terminated(number, slash).parse(value);
    let (window, digits) = limit.ok()?;
    let requests = crate::syntax::grammar::number(digits)?;
    let window = Choice::read(Text::plain(window));
    if window.value == Window::Unknown {
        None
    } else {
        Some(RateLimit {
            requests,
            window,
            metadata: crate::manifest::List::empty(),
        })
    }
}

/// The parts of a `Param` value, `name (location, type[, required]) [- description]`.
///
/// Whatever has a name is read as far as it goes; [`regular`](Self::regular) says whether nothing was amiss.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Param<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) location: Option<&'a [u8]>,
    pub(crate) kind: Option<&'a [u8]>,
    pub(crate) required: bool,
    pub(crate) description: Option<&'a [u8]>,
    /// Whether all of it is in the place where the specification has it. (Locations and types are not looked at.)
    pub(crate) regular: bool,
}

/// Whether a `Param` value has a name, and so is a parameter.
#[inline]
pub(crate) fn has_name(value: &[u8]) -> bool {
    value
        .first()
        .is_some_and(|octet| !is_among(*octet, ENDS_NAME))
}

/// Whether an octet is one of few. What `contains` looks for in eight octets at once is 200 bytes of a firmware.
#[inline]
#[allow(clippy::manual_contains)]
fn is_among(octet: u8, octets: &[u8]) -> bool {
    octets.iter().any(|one| *one == octet)
}

/// What no name of a parameter holds.
const ENDS_NAME: &[u8] = b" \t,()";

/// The next part between commas in the parentheses; absent where it is empty.
#[inline]
fn part(input: &[u8]) -> Parsed<'_, Option<&[u8]>> {
    let (input, part) = till(input, b",)", true)?;
    Ok((input, Some(trim(part)).filter(|part| !part.is_empty())))
}

/// A comma and the part behind it.
#[inline]
fn further_part(input: &[u8]) -> Parsed<'_, Option<&[u8]>> {
    preceded(octet(b','), part).parse(input)
}

/// What stands between name and description; the blanks before it are taken as well.
#[inline]
fn head<'a>(param: &mut Param<'a>, input: &'a [u8]) -> Parsed<'a, ()> {
    let (input, _) = (blanks, octet(b'(')).parse(input)?;
    let (mut input, (location, kind)) = (part, opt(further_part)).parse(input)?;
    param.location = location;
    param.kind = kind.flatten();
    param.regular = location.is_some() && param.kind.is_some();
    let mut count = 0_u32;
    while let Ok((next, word)) = further_part(input) {
        let is_required = word.is_some_and(|word| word.eq_ignore_ascii_case(b"required"));
        param.required |= is_required;
        param.regular &= is_required && count == 0;
        count = count.saturating_add(1);
        input = next;
    }
    let (input, closed) = opt(octet(b')')).parse(input)?;
    param.regular &= closed.is_some();
    Ok((input, ()))
}

/// The dash before a description.
#[inline]
fn separator(input: &[u8]) -> Parsed<'_, ()> {
    delimited(blanks, dash, blanks).parse(input)
}

/// One or two hyphens, or a dash.
fn dash(bytes: &[u8]) -> Parsed<'_, ()> {
    match bytes {
        [b'-', b'-', after @ ..] | [b'-', after @ ..] | [0xe2, 0x80, 0x93 | 0x94, after @ ..] => {
            Ok((after, ()))
        }
        _ => Err(Err::Error(())),
    }
}

/// Reads the value of a `Param` line; `None` where it has no name.
pub(crate) fn param(value: &[u8]) -> Option<Param<'_>> {
    let (after_name, name) = till(value, ENDS_NAME, true)
        .ok()
        .filter(|(_, name)| !name.is_empty())?;
    let mut param = Param {
        name,
        ..Param::default()
    };
    let (after_head, ()) = head(&mut param, after_name).unwrap_or((after_name, ()));
    let text = match separator(after_head) {
        Ok((text, _)) => text,
        // What has no dash before it is kept as the description all the same, so that nothing is lost.
        Err(_) => {
            let text = trim(after_head);
            param.regular &= text.is_empty();
            text
        }
    };
    param.description = Some(text).filter(|text| !text.is_empty());
    Some(param)
}

/// The items of a list with commas, empty ones included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Items<'a> {
    rest: Option<&'a [u8]>,
}

impl<'a> Items<'a> {
    /// The items of a value; a value that is empty has none.
    pub(crate) fn new(value: &'a [u8]) -> Self {
        Self {
            rest: Some(value).filter(|value| !value.is_empty()),
        }
    }

    /// What was not yet taken.
    pub(crate) fn rest(&self) -> Option<&'a [u8]> {
        self.rest
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest?;
        let (item, after) =
            match scan::memchr(b',', rest).and_then(|comma| rest.split_at_checked(comma)) {
                Some((item, after)) => (item, after.get(1..)),
                None => (rest, None),
            };
        self.rest = after;
        Some(trim(item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_limit_is_a_number_and_a_window() {
        let read = |value: &'static str| {
            rate_limit(value.as_bytes()).map(|limit| (limit.requests, limit.window.value))
        };
        assert_eq!(read("60/minute"), Some((60, Window::Minute)));
        assert_eq!(read("060 / HOUR"), Some((60, Window::Hour)));
        assert_eq!(read("0/day"), Some((0, Window::Day)));
        assert_eq!(read("4294967295/second"), Some((u32::MAX, Window::Second)));
        for wrong in [
            "",
            "/",
            "60",
            "60/",
            "60/min",
            "60/minutes",
            "4294967296/day",
            "-1/day",
            "1.5/day",
            "+1/day",
            "a/day",
            "60//day",
            "60 minute",
            "60/minute x",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    /// Name, location, type, required, description, regular.
    fn parts(value: &str) -> Option<(&str, &str, &str, bool, &str, bool)> {
        fn shown(part: Option<&[u8]>) -> &str {
            core::str::from_utf8(part.unwrap_or(b"-")).unwrap()
        }
        param(value.as_bytes()).map(|param| {
            let Param {
                name,
                location,
                kind,
                required,
                description,
                regular,
            } = param;
            (
                shown(Some(name)),
                shown(location),
                shown(kind),
                required,
                shown(description),
                regular,
            )
        })
    }

    #[test]
    fn a_parameter_as_the_specification_writes_it() {
        assert_eq!(
            parts("q (query, string, required) - Words"),
            Some(("q", "query", "string", true, "Words", true))
        );
        assert_eq!(
            parts("q(query,string)--Words - more"),
            Some(("q", "query", "string", false, "Words - more", true))
        );
        assert_eq!(
            parts("a.b-c_d (Body, X, REQUIRED )\t—  é)"),
            Some(("a.b-c_d", "Body", "X", true, "é)", true))
        );
        assert_eq!(
            parts("q (query, string) –"),
            Some(("q", "query", "string", false, "-", true))
        );
    }

    #[test]
    fn whatever_has_a_name_is_a_parameter() {
        assert_eq!(parts("q"), Some(("q", "-", "-", false, "-", false)));
        assert_eq!(
            parts("q - Words (all)"),
            Some(("q", "-", "-", false, "Words (all)", false))
        );
        assert_eq!(
            parts("q Words"),
            Some(("q", "-", "-", false, "Words", false))
        );
        assert_eq!(parts("q ()"), Some(("q", "-", "-", false, "-", false)));
        assert_eq!(
            parts("q (query) - W"),
            Some(("q", "query", "-", false, "W", false))
        );
        assert_eq!(
            parts("q (, string)"),
            Some(("q", "-", "string", false, "-", false))
        );
        assert_eq!(
            parts("q (query, string, max 5, required)"),
            Some(("q", "query", "string", true, "-", false))
        );
        assert_eq!(
            parts("q (query, string, required"),
            Some(("q", "query", "string", true, "-", false))
        );
        assert_eq!(
            parts("q (query, string) Words"),
            Some(("q", "query", "string", false, "Words", false))
        );
        assert_eq!(
            parts("q, r (query, string)"),
            Some(("q", "-", "-", false, ", r (query, string)", false))
        );
        for nothing in ["", "(query, string)", ", x", ") x"] {
            assert_eq!(parts(nothing), None, "{nothing}");
            assert!(!has_name(nothing.as_bytes()));
        }
    }
}
