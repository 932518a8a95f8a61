//! The grammar of structured field dictionaries (RFC 9651 section 3.2), as AI preferences and HTTP
//! message signatures use it, and how their values are written (section 4.1).

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1, one_of, space0};
use nom::combinator::{opt, verify};
use nom::multi::fold_many0;
use nom::sequence::{delimited, pair, preceded};

use crate::sink::{Sink, put_number};
use crate::syntax::input::{Input, Parsed};

/// A member of a dictionary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Member<'a> {
    pub(crate) key: &'a [u8],
    /// The value, if it is a token.
    pub(crate) token: Option<&'a [u8]>,
    /// The value as written, without its parameters; empty if no value is written, which means true.
    pub(crate) value: &'a [u8],
    /// Its parameters, as written, from the first semicolon.
    pub(crate) parameters: &'a [u8],
    /// The member from its key to the end of its value, with its parameters.
    pub(crate) text: &'a [u8],
}

/// Passes the members of a dictionary to `each`, in order, and returns whether all of `value`
/// follows the grammar. If it returns false, the caller must discard the members.
pub(crate) fn dictionary<'a>(value: &'a [u8], mut each: impl FnMut(Member<'a>)) -> bool {
    let value = Input(value.trim_ascii());
    if value.0.is_empty() {
        return true;
    }
    let Ok((mut rest, first)) = member(value) else {
        return false;
    };
    each(first);
    while !rest.0.is_empty() {
        match preceded(delimited(space0, char(','), space0), member).parse(rest) {
            Ok((behind, next)) => {
                each(next);
                rest = behind;
            }
            Err(_) => return false,
        }
    }
    true
}

fn member<'a>(input: Input<'a>) -> Parsed<'a, Member<'a>> {
    let value = preceded(char('='), alt((inner_list.map(|()| None), bare_item)));
    let (after_key, key) = key(input)?;
    let (behind, token) = opt(value).parse(after_key)?;
    let (rest, ()) = parameters(behind)?;
    let member = Member {
        key,
        token: token.flatten(),
        value: between(after_key, behind).strip_prefix(b"=").unwrap_or_default(),
        parameters: between(behind, rest),
        text: between(input, rest),
    };
    Ok((rest, member))
}

/// The text from one position to a later one.
fn between<'a>(from: Input<'a>, to: Input<'a>) -> &'a [u8] {
    from.0.get(..from.0.len().saturating_sub(to.0.len())).unwrap_or_default()
}

/// The items of an inner list that follows the grammar: their values and parameters as written.
/// `None` if the value is not an inner list.
pub(crate) fn items(value: &[u8]) -> Option<impl Iterator<Item = (&[u8], &[u8])> + Clone> {
    let mut rest = value.strip_prefix(b"(")?;
    Some(core::iter::from_fn(move || {
        let start = Input(rest.trim_ascii_start());
        let (behind, _) = bare_item(start).ok()?;
        let (next, ()) = parameters(behind).ok()?;
        rest = next.0;
        Some((between(start, behind), between(behind, next)))
    }))
}

/// The names and values of parameters that follow the grammar. The value is empty if it is true by
/// being left out.
pub(crate) fn pairs(mut rest: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    core::iter::from_fn(move || {
        let start = Input(rest.strip_prefix(b";")?.trim_ascii_start());
        let (after_key, name) = key(start).ok()?;
        let (next, _) = opt(preceded(char('='), bare_item)).parse(after_key).ok()?;
        rest = next.0;
        Some((name, between(after_key, next).strip_prefix(b"=").unwrap_or_default()))
    })
}

/// The content of a string without escapes; `None` for every other item.
pub(crate) fn plain_string(item: &[u8]) -> Option<&[u8]> {
    let inside = item.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    (!inside.contains(&b'\\')).then_some(inside)
}

/// The value of an integer that is not negative.
pub(crate) fn unsigned(item: &[u8]) -> Option<u64> {
    let is_short = !item.is_empty() && item.len() <= 15;
    item.iter().filter(|_| is_short).try_fold(None, |number: Option<u64>, digit| {
        let digit = digit.is_ascii_digit().then(|| u64::from(digit.wrapping_sub(b'0')))?;
        Some(Some(number.unwrap_or(0).wrapping_mul(10).wrapping_add(digit)))
    })?
}

/// Writes the value of a member and its parameters as a server would: with no blanks but one
/// between items, and without leading zeros.
pub(crate) fn put_value(value: &[u8], parameters: &[u8], sink: &mut (impl Sink + ?Sized)) {
    match items(value) {
        None => put_item(value, sink),
        Some(items) => {
            sink.put(b"(");
            for (index, (item, parameters)) in items.enumerate() {
                sink.put(if index == 0 { b"" } else { b" " });
                put_item(item, sink);
                put_parameters(parameters, sink);
            }
            sink.put(b")");
        }
    }
    put_parameters(parameters, sink);
}

fn put_item(item: &[u8], sink: &mut (impl Sink + ?Sized)) {
    match unsigned(item) {
        Some(number) => put_number(number, sink),
        None if item.is_empty() => sink.put(b"?1"),
        None => sink.put(item),
    }
}

/// Writes parameters without blanks, and those that are true without a value.
pub(crate) fn put_parameters(parameters: &[u8], sink: &mut (impl Sink + ?Sized)) {
    for (name, value) in pairs(parameters) {
        sink.put(b";");
        sink.put(name);
        if !value.is_empty() && value != b"?1" {
            sink.put(b"=");
            put_item(value, sink);
        }
    }
}

fn key(input: Input<'_>) -> Parsed<'_, &[u8]> {
    let is_first = |octet: u8| octet.is_ascii_lowercase() || octet == b'*';
    let is_key = |octet: u8| {
        octet.is_ascii_lowercase() || octet.is_ascii_digit() || b"_-.*".contains(&octet)
    };
    verify(take_while1(is_key), |Input(key): &Input<'_>| {
        key.first().is_some_and(|octet| is_first(*octet))
    })
    .map(|Input(key)| key)
    .parse(input)
}

fn parameters(input: Input<'_>) -> Parsed<'_, ()> {
    let semicolon = (char(';'), take_while(is_space));
    fold_many0(preceded(semicolon, (key, opt(preceded(char('='), bare_item)))), || (), |(), _| ())
        .parse(input)
}

/// Parses a list in parentheses, whose items are not lists.
fn inner_list(input: Input<'_>) -> Parsed<'_, ()> {
    let spaces = || take_while(is_space);
    let item = || (bare_item, parameters);
    let further = fold_many0(preceded(take_while1(is_space), item()), || (), |(), _| ());
    delimited(pair(char('('), spaces()), opt(pair(item(), further)), pair(spaces(), char(')')))
        .map(|_| ())
        .parse(input)
}

const fn is_space(octet: u8) -> bool {
    octet == b' '
}

/// Parses an item. Returns its text if it is a token, otherwise `None`.
fn bare_item(input: Input<'_>) -> Parsed<'_, Option<&[u8]>> {
    let date = preceded(char('@'), number(false));
    let truth = preceded(char('?'), one_of("01"));
    let is_base64 = |octet: u8| octet.is_ascii_alphanumeric() || b"+/=".contains(&octet);
    let octets = delimited(char(':'), take_while(is_base64), char(':'));
    alt((
        token.map(Some),
        string.map(|()| None),
        number(true).map(|()| None),
        truth.map(|_| None),
        octets.map(|_| None),
        date.map(|()| None),
        display_string.map(|()| None),
    ))
    .parse(input)
}

fn token(input: Input<'_>) -> Parsed<'_, &[u8]> {
    let is_token =
        |octet: u8| octet.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&octet);
    verify(take_while1(is_token), |Input(token): &Input<'_>| {
        token.first().is_some_and(|octet| octet.is_ascii_alphabetic() || *octet == b'*')
    })
    .map(|Input(token)| token)
    .parse(input)
}

fn string(input: Input<'_>) -> Parsed<'_, ()> {
    let is_plain = |octet: u8| matches!(octet, b' '..=b'~') && octet != b'"' && octet != b'\\';
    let escape = preceded(char('\\'), one_of("\"\\")).map(|_| ());
    let parts = fold_many0(alt((take_while1(is_plain).map(|_| ()), escape)), || (), |(), ()| ());
    delimited(char('"'), parts, char('"')).parse(input)
}

fn display_string(input: Input<'_>) -> Parsed<'_, ()> {
    let is_plain = |octet: u8| matches!(octet, b' '..=b'~') && octet != b'"' && octet != b'%';
    let hex = || one_of("0123456789abcdef");
    let escape = (char('%'), hex(), hex()).map(|_| ());
    let parts = fold_many0(alt((take_while1(is_plain).map(|_| ()), escape)), || (), |(), ()| ());
    delimited(tag("%\""), parts, char('"')).parse(input)
}

/// An integer of up to 15 digits, or a decimal with up to 12 digits before and 3 after the point.
fn number<'a>(may_be_decimal: bool) -> impl Parser<Input<'a>, Output = (), Error = ()> {
    let decimals = preceded(char('.'), digit1);
    let parts = preceded(opt(char('-')), pair(digit1, opt(decimals)));
    verify(parts, move |(whole, decimals): &(Input<'_>, Option<Input<'_>>)| match decimals {
        None => whole.0.len() <= 15,
        Some(Input(decimals)) => may_be_decimal && whole.0.len() <= 12 && decimals.len() <= 3,
    })
    .map(|_| ())
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::String;
    use std::vec::Vec;

    fn read(value: &str) -> Option<Vec<(String, Option<String>)>> {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let mut found = Vec::new();
        dictionary(value.as_bytes(), |member| {
            found.push((text(member.key), member.token.map(text)));
        })
        .then_some(found)
    }

    #[test]
    fn dictionaries() {
        for (value, members) in [
            ("", &[][..]),
            ("a=y", &[("a", Some("y"))]),
            ("a=y, b=n", &[("a", Some("y")), ("b", Some("n"))]),
            (" a=y\t,\tb=n ", &[("a", Some("y")), ("b", Some("n"))]),
            ("a=y,b,c;x=1;y", &[("a", Some("y")), ("b", None), ("c", None)]),
            ("a=\"x, \\\"b=y\", b=y", &[("a", None), ("b", Some("y"))]),
            ("a=(y n;q=1.5  \"x\");p, b=?1", &[("a", None), ("b", None)]),
            (
                "a=-12.5, b=:aGk=:, c=@1659578233, d=%\"f%c3%bc\"",
                &[("a", None), ("b", None), ("c", None), ("d", None)],
            ),
            ("*a.b_c-1=*t/u:v", &[("*a.b_c-1", Some("*t/u:v"))]),
            ("a=y;allow=n", &[("a", Some("y"))]),
            ("a=()", &[("a", None)]),
        ] {
            let members =
                members.iter().map(|(key, token)| (String::from(*key), token.map(String::from)));
            assert_eq!(read(value), Some(members.collect()), "{value}");
        }
        for wrong in [
            "A=y",
            "a=y,",
            "a=y b=n",
            "a=",
            "a y",
            "1a=y",
            "a=y,,b=n",
            "a=\"x",
            "a=(y",
            "a=(y,n)",
            "a;",
            "a=\"\\x\"",
            "a=@1.5",
            "a=1234567890123456",
            "a=1.2345",
            "a=%\"%FF\"",
            "a=é",
            "/a b=y",
            "a==y",
            "=y",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn values_are_written_without_superfluous_text() {
        for (value, expected) in [
            (
                "a=(  \"x\";key=\"k\";req=?1   \"y\" );created=007;  b=?0",
                "(\"x\";key=\"k\";req \"y\");created=7;b=?0",
            ),
            ("a=();x", "();x"),
            ("a", "?1"),
            ("a=\"q\\\"\";t=tok", "\"q\\\"\";t=tok"),
            ("a=-1.5", "-1.5"),
            ("a=:aGk=:", ":aGk=:"),
        ] {
            let mut written = Vec::new();
            assert!(dictionary(value.as_bytes(), |member| {
                let mut sink = |bytes: &[u8]| written.extend_from_slice(bytes);
                put_value(member.value, member.parameters, &mut sink);
            }));
            assert_eq!(String::from_utf8(written).unwrap(), expected);
        }
        assert_eq!(
            [unsigned(b""), unsigned(b"12"), unsigned(b"1a"), unsigned(b"-1")],
            [None, Some(12), None, None]
        );
        assert_eq!(plain_string(b"\"a b\""), Some(&b"a b"[..]));
        assert_eq!([plain_string(b"\""), plain_string(b"a"), plain_string(b"\"\\\"\"")], [None; 3]);
    }

    #[test]
    fn a_member_has_its_text() {
        let mut found = Vec::new();
        dictionary(b"a=y;p=1 , b", |member| found.push(member.text));
        assert_eq!(found, [&b"a=y;p=1"[..], b"b"]);
    }
}
