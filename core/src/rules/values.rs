//! Reads values that several formats write in the same way into the unified model.

use crate::model::list::Cursor;
use crate::model::{Choice, Enumeration, List, Location, Metadata, RateLimit, Raw, Window};
use crate::rules::json::reading::Texts;
use crate::rules::near::names_allow;
use crate::syntax::text::{Text, trim};
use crate::syntax::{base64, grammar};

/// Whether a text is base64url without padding.
pub(crate) fn is_base64url(text: Text<'_>) -> bool {
    base64::decode(text.chars(), base64::URL, &mut []).is_some()
}

/// Reads a rate limit `N/window` with a known window, in any letter case.
pub(crate) fn rate_limit_of(value: &[u8]) -> Option<RateLimit<'_>> {
    let (requests, window) = grammar::rate(value)?;
    let window = Choice::read(Text::plain(window));
    if window.value == Window::Unknown {
        None
    } else {
        Some(RateLimit { requests, window, metadata: List::empty() })
    }
}

/// Like [`rate_limit_of`], for a text with escapes or surrounding blanks.
pub(crate) fn rate_limit(text: Text<'_>) -> Option<RateLimit<'_>> {
    if !text.is_escaped() {
        return rate_limit_of(trim(text.raw()));
    }
    let mut buffer = [0; 48];
    let plain = rate_limit_of(trim(text.decode(&mut buffer).ok()?.as_bytes()))?;
    Some(RateLimit {
        requests: plain.requests,
        window: Choice::implied(plain.window.value),
        metadata: List::empty(),
    })
}

/// Reads a duration such as `24h`, in seconds. The text may have escapes and surrounding blanks.
pub(crate) fn duration_seconds(text: Text<'_>) -> Option<u32> {
    if !text.is_escaped() {
        return grammar::duration(trim(text.raw()));
    }
    let mut buffer = [0; 24];
    grammar::duration(trim(text.decode(&mut buffer).ok()?.as_bytes()))
}

/// Returns the next item of a comma-separated list. Skips empty items.
pub(crate) fn next_item<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    let mut items = grammar::Items::new(cursor.bytes.get(cursor.position as usize..)?);
    let item = items.find(|item| !item.is_empty());
    cursor.position = match items.rest() {
        Some(rest) => cursor.bytes.len().saturating_sub(rest.len()) as u32,
        None => u32::MAX,
    };
    item.map(Text::plain)
}

/// Returns the whole value as the only item of a list.
pub(crate) fn only_item<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    is_first(cursor).then(|| Text::plain(cursor.bytes))
}

/// Returns the access patterns in the metadata of an agent's policy: lines in agents.txt, or a list
/// in JSON.
pub(crate) fn patterns_of<'a>(
    metadata: Metadata<'a>,
    name: &'static str,
) -> impl Iterator<Item = Text<'a>> {
    patterns_where(metadata, move |found| found.eq_ignore_case(name))
}

/// Whether metadata have an `allow`, or what seems to be one, so that nothing else is allowed.
pub(crate) fn has_allow(metadata: Metadata<'_>) -> bool {
    patterns_where(metadata, names_allow).next().is_some()
}

fn patterns_where<'a>(
    metadata: Metadata<'a>,
    is_named: impl Fn(Text<'a>) -> bool,
) -> impl Iterator<Item = Text<'a>> {
    let named = metadata.filter(move |member| is_named(member.name));
    named.flat_map(|member| match member.value {
        Raw::Text(pattern) => List::new(pattern.raw(), 0, only_item),
        Raw::Json(patterns) => Texts::of(patterns),
    })
}

/// Whether a character separates the values of a list, also where its format has no lists.
pub(crate) const fn is_separator(c: char) -> bool {
    matches!(c, ',' | ';' | '|' | '\u{3001}' | '\u{ff0c}' | '\u{ff1b}')
}

/// Returns true for the first item of a list, false from then on. For lists that do not use their
/// position otherwise.
pub(crate) fn is_first(cursor: &mut Cursor<'_>) -> bool {
    core::mem::replace(&mut cursor.position, 1) == 0
}

/// Returns the location that a text names. The `formData` of Swagger is the body.
pub(crate) fn place_of(text: Text<'_>) -> Location {
    if text.eq_ignore_case("formData") { Location::Body } else { Location::of(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_limit_is_a_number_and_a_window() {
        let read = |value: &'static str| {
            rate_limit_of(value.as_bytes()).map(|limit| (limit.requests, limit.window.value))
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

    #[test]
    fn escaped_durations_are_decoded() {
        assert_eq!(duration_seconds(Text::json(br"1\u0064")), Some(86_400));
    }
}
