//! Values that several formats write in the same way, read into the unified model.

use crate::manifest::{Choice, List, RateLimit, Window};
use crate::syntax::grammar;
use crate::syntax::text::{Text, trim};

/// Reads a rate limit `N/window` with a known window, in any letter case.
pub(crate) fn rate_limit_of(value: &[u8]) -> Option<RateLimit<'_>> {
    let (requests, window) = grammar::rate(value)?;
    let window = Choice::read(Text::plain(window));
    if window.value == Window::Unknown {
        None
    } else {
        Some(RateLimit {
            requests,
            window,
            metadata: List::empty(),
        })
    }
}

/// Like [`rate_limit_of`], for a text with escapes or surrounding blanks.
pub(crate) fn rate_limit(text: Text<'_>) -> Option<RateLimit<'_>> {
    if !text.is_escaped() {
        return rate_limit_of(trim(text.raw()));
    }
    let mut buffer = [0; 48];
    let plain = rate_limit_of(text.decode(&mut buffer).ok()?.as_bytes())?;
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
