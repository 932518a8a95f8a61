//! The grammars of values: rate limits, parameters, durations, comma-separated lists.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_till1};
use nom::character::complete::{char, digit1, one_of, space0};
use nom::combinator::{all_consuming, opt, rest};
use nom::multi::fold_many0;
use nom::sequence::{delimited, preceded, separated_pair, terminated};

use crate::scan;
use crate::syntax::input::{Input, Parsed};
use crate::syntax::line::{strip, trim};

/// Parses a rate limit `N/window`: a number of 32 bits and any window name. Blanks are allowed
/// around the slash.
pub(crate) fn rate(value: &[u8]) -> Option<(u32, &[u8])> {
    let slash = delimited(space0, char('/'), space0);
    let read: Parsed<'_, _> = separated_pair(digit1, slash, rest).parse(Input(value));
    let (_, (Input(digits), Input(window))) = read.ok()?;
    Some((number(digits)?, window))
}

/// Parses a duration in seconds: a number and one of `s`, `m`, `h`, `d` (`24h`, `7d`). `None` if it
/// is invalid or exceeds 32 bits.
pub(crate) fn duration(value: &[u8]) -> Option<u32> {
    let read: Parsed<'_, _> =
        all_consuming((terminated(digit1, space0), one_of("smhd"))).parse(Input(trim(value)));
    let (_, (Input(digits), unit)) = read.ok()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        _ => 86_400,
    };
    number(digits)?.checked_mul(seconds)
}

/// Parses a decimal number of 32 bits that consists of digits.
pub(crate) fn number(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u32, |number, digit| {
        let digit = char::from(*digit).to_digit(10)?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

/// The parts of a `Param` value, `name (location, type[, required]) [- description]`.
///
/// A value with a name is read as far as possible. [`regular`](Self::regular) is true if all of it
/// follows the grammar.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Param<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) location: Option<&'a [u8]>,
    pub(crate) kind: Option<&'a [u8]>,
    pub(crate) required: bool,
    pub(crate) description: Option<&'a [u8]>,
    /// True if all of it follows the grammar. (Locations and types are not checked.)
    pub(crate) regular: bool,
}

/// True if a `Param` value has a name. A value without a name is not a parameter.
#[inline]
pub(crate) fn has_name(value: &[u8]) -> bool {
    value.first().is_some_and(|octet| !ends_name(*octet))
}

/// True if a byte cannot be part of a parameter's name.
const fn ends_name(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | b',' | b'(' | b')')
}

/// A part between the commas in the parentheses; `None` if it is empty.
#[inline]
fn part(input: Input<'_>) -> Parsed<'_, Option<&[u8]>> {
    take_till(|octet| matches!(octet, b',' | b')'))
        .map(|Input(part)| Some(trim(part)).filter(|part| !part.is_empty()))
        .parse(input)
}

/// A comma and the part after it.
#[inline]
fn further_part(input: Input<'_>) -> Parsed<'_, Option<&[u8]>> {
    preceded(char(','), part).parse(input)
}

/// The parentheses with location, type and `required`.
#[inline]
fn parentheses(input: Input<'_>) -> Parsed<'_, Param<'_>> {
    let opening = preceded(space0, char('('));
    // True if any part is `required`; true if all parts are; the number of parts.
    let words = fold_many0(
        further_part,
        || (false, true, 0_u32),
        |(any, all, count), word: Option<&[u8]>| {
            let is_required = word.is_some_and(|word| word.eq_ignore_ascii_case(b"required"));
            (any | is_required, all & is_required, count.saturating_add(1))
        },
    );
    (preceded(opening, part), opt(further_part), words, opt(char(')')))
        .map(|(location, kind, (required, all, count), closing)| {
            let kind = kind.flatten();
            Param {
                location,
                kind,
                required,
                regular: location.is_some()
                    && kind.is_some()
                    && all
                    && count < 2
                    && closing.is_some(),
                ..Param::default()
            }
        })
        .parse(input)
}

/// One or two hyphens or a dash, with the blanks around it.
#[inline]
fn separator(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let dash = alt((tag("--"), tag("-"), tag("–"), tag("—")));
    delimited(space0, dash, space0).parse(input)
}

/// Parses the value of a `Param` line; `None` if it has no name.
pub(crate) fn param(value: &[u8]) -> Option<Param<'_>> {
    let named: Parsed<'_, _> = (take_till1(ends_name), opt(parentheses)).parse(Input(value));
    let (behind, (Input(name), parts)) = named.ok()?;
    let mut param = Param { name, ..parts.unwrap_or_default() };
    let text = match separator(behind) {
        Ok((Input(text), _)) => text,
        // Text without a dash before it also becomes the description, so that nothing is lost.
        Err(_) => {
            let text = trim(behind.0);
            param.regular &= text.is_empty();
            text
        }
    };
    param.description = Some(text).filter(|text| !text.is_empty());
    Some(param)
}

/// The items of a comma-separated list, including empty ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Items<'a> {
    rest: Option<&'a [u8]>,
}

impl<'a> Items<'a> {
    /// The items of a value; an empty value has none.
    pub(crate) fn new(value: &'a [u8]) -> Self {
        Self { rest: Some(value).filter(|value| !value.is_empty()) }
    }

    /// The text of the remaining items; `None` after the last item.
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
        Some(strip(item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_number_and_a_unit() {
        for (text, seconds) in
            [("30s", 30), ("15m", 900), ("24h", 86_400), ("7 d", 604_800), (" 1d\t", 86_400)]
        {
            assert_eq!(duration(text.as_bytes()), Some(seconds), "{text}");
        }
        for wrong in ["", "h", "1.5h", "-1h", "99999999999d", "1w", "1h2", "1 h x"] {
            assert_eq!(duration(wrong.as_bytes()), None, "{wrong}");
        }
    }

    /// Name, location, type, required, description, regular.
    fn parts(value: &str) -> Option<(&str, &str, &str, bool, &str, bool)> {
        fn shown(part: Option<&[u8]>) -> &str {
            core::str::from_utf8(part.unwrap_or(b"-")).unwrap()
        }
        param(value.as_bytes()).map(|param| {
            let Param { name, location, kind, required, description, regular } = param;
            (shown(Some(name)), shown(location), shown(kind), required, shown(description), regular)
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
        assert_eq!(parts("q (query, string) –"), Some(("q", "query", "string", false, "-", true)));
    }

    #[test]
    fn whatever_has_a_name_is_a_parameter() {
        assert_eq!(parts("q"), Some(("q", "-", "-", false, "-", false)));
        assert_eq!(parts("q - Words (all)"), Some(("q", "-", "-", false, "Words (all)", false)));
        assert_eq!(parts("q Words"), Some(("q", "-", "-", false, "Words", false)));
        assert_eq!(parts("q ()"), Some(("q", "-", "-", false, "-", false)));
        assert_eq!(parts("q (query) - W"), Some(("q", "query", "-", false, "W", false)));
        assert_eq!(parts("q (, string)"), Some(("q", "-", "string", false, "-", false)));
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
