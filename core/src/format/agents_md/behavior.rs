//! Reads rates and cache times from the prose of a Behavior section, if they are unambiguous.
//!
//! A text is split into words and slashes and compared with one pattern. A text that does not match
//! the pattern exactly gives no rate: `1,000`, `1 000`, `1 - 2`, `60 requests per 5 minutes`, two
//! different rates in one sentence.

use crate::model::{Choice, List, RateLimit, Window};
use crate::syntax::line::Names;
use crate::syntax::text::Text;

/// The window of a rate limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum RateWindow {
    /// A second.
    Second,
    /// A minute.
    Minute,
    /// An hour.
    Hour,
    /// A day.
    Day,
}

/// A number of requests in a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct RateGuidance {
    /// The number of requests. Can be zero.
    pub requests: u32,
    /// The window.
    pub window: RateWindow,
}

impl RateWindow {
    /// `second`, `minute`, `hour` or `day`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Second => "second",
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
        }
    }

    /// Its length in seconds.
    pub const fn seconds(self) -> u32 {
        match self {
            Self::Second => 1,
            Self::Minute => 60,
            Self::Hour => 3_600,
            Self::Day => 86_400,
        }
    }
}

impl RateGuidance {
    /// Returns the rate as a rate limit of the unified model.
    pub(super) fn limit<'a>(self) -> RateLimit<'a> {
        let window = match self.window {
            RateWindow::Second => Window::Second,
            RateWindow::Minute => Window::Minute,
            RateWindow::Hour => Window::Hour,
            RateWindow::Day => Window::Day,
        };
        RateLimit {
            requests: self.requests,
            window: Choice::implied(window),
            metadata: List::empty(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Number(u32),
    /// A number that cannot be read: it has a fraction, or it is a part of a range or of a larger
    /// number.
    Unclear,
    /// `-`, `to`, `or` and others: a word that joins two numbers into a range.
    Joint,
    Request,
    Slash,
    Per,
    Window(RateWindow),
    /// A window that the model does not have.
    OtherWindow,
    Other,
}

/// The words that [`NAMES`] finds. One byte each.
#[derive(Clone, Copy)]
enum Known {
    Request,
    Per,
    Window(RateWindow),
}

/// Words with a meaning, besides the slash.
const WORDS: [(&str, Known); 15] = [
    ("request", Known::Request),
    ("requests", Known::Request),
    ("req", Known::Request),
    ("reqs", Known::Request),
    ("per", Known::Per),
    ("second", Known::Window(RateWindow::Second)),
    ("seconds", Known::Window(RateWindow::Second)),
    ("sec", Known::Window(RateWindow::Second)),
    ("minute", Known::Window(RateWindow::Minute)),
    ("minutes", Known::Window(RateWindow::Minute)),
    ("min", Known::Window(RateWindow::Minute)),
    ("hour", Known::Window(RateWindow::Hour)),
    ("hours", Known::Window(RateWindow::Hour)),
    ("day", Known::Window(RateWindow::Day)),
    ("days", Known::Window(RateWindow::Day)),
];

static NAMES: Names<Known, 15, 64> = Names::of(&WORDS);

/// Words that give no rate themselves but can make another rate ambiguous.
const OTHERS: [(&str, Word); 24] = [
    ("-", Word::Joint),
    ("\u{2013}", Word::Joint),
    ("\u{2014}", Word::Joint),
    ("\u{d7}", Word::Joint),
    ("and", Word::Joint),
    ("or", Word::Joint),
    ("to", Word::Joint),
    ("x", Word::Joint),
    ("a", Word::Per),
    ("an", Word::Per),
    ("each", Word::Per),
    ("every", Word::Per),
    ("h", Word::OtherWindow),
    ("hr", Word::OtherWindow),
    ("hrs", Word::OtherWindow),
    ("m", Word::OtherWindow),
    ("mins", Word::OtherWindow),
    ("month", Word::OtherWindow),
    ("ms", Word::OtherWindow),
    ("s", Word::OtherWindow),
    ("secs", Word::OtherWindow),
    ("week", Word::OtherWindow),
    ("weeks", Word::OtherWindow),
    ("year", Word::OtherWindow),
];

/// Returns the words of a text. Slashes between them are words, too.
fn words(text: Text<'_>) -> impl Iterator<Item = &[u8]> {
    let mut paragraphs = text.paragraphs();
    let mut rest: &[u8] = &[];
    core::iter::from_fn(move || {
        loop {
            match rest {
                [b' ' | b'\t' | b'\n' | b'\r', tail @ ..] => rest = tail,
                [] => rest = paragraphs.next()?,
                _ => break,
            }
        }
        let length = match rest.first()? {
            b'/' => 1,
            _ => rest
                .iter()
                .take_while(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'/'))
                .count(),
        };
        let (word, tail) = rest.split_at_checked(length)?;
        rest = tail;
        Some(word)
    })
}

/// Returns a word without the markup and punctuation around it. At its start only markup is
/// removed, because punctuation there can belong to a number.
fn bare(mut word: &[u8]) -> &[u8] {
    while let [b'*' | b'_' | b'`' | b'(' | b'"', tail @ ..] = word {
        word = tail;
    }
    while let [head @ .., b'*' | b'_' | b'`' | b')' | b'"' | b'.' | b',' | b';' | b':' | b'!'] =
        word
    {
        word = head;
    }
    word
}

fn classify(word: &[u8]) -> Word {
    let word = bare(word);
    if let [first, ..] = word
        && first.is_ascii_digit()
    {
        let value = word.iter().try_fold(0_u32, |value, &digit| {
            let digit = char::from(digit).to_digit(10)?;
            value.checked_mul(10)?.checked_add(digit)
        });
        return value.map_or(Word::Unclear, Word::Number);
    }
    match word {
        b"/" => Word::Slash,
        b"" => Word::Joint,
        _ => match NAMES.find(word) {
            Some(Known::Request) => Word::Request,
            Some(Known::Per) => Word::Per,
            Some(Known::Window(window)) => Word::Window(*window),
            None => {
                let is = |(name, _): &&(&str, Word)| word.eq_ignore_ascii_case(name.as_bytes());
                OTHERS.iter().find(is).map_or(Word::Other, |(_, word)| *word)
            }
        },
    }
}

/// Classifies a word by the two words before it. A number directly after another number is a part
/// of a larger number; a number after a number and a joint or slash is a part of a range.
fn classify_behind(before: [Word; 2], word: &[u8]) -> Word {
    let is_number = |word: Word| matches!(word, Word::Number(_) | Word::Unclear);
    match (classify(word), before) {
        (Word::Number(_), [_, last]) if is_number(last) => Word::Unclear,
        (Word::Number(_), [first, Word::Joint | Word::Slash]) if is_number(first) => Word::Unclear,
        (word, _) => word,
    }
}

/// Returns the rate in a text that contains exactly one: `1 request/second`, `60 requests per
/// minute`, `Rate limit: 60/minute`.
pub(super) fn rate(text: Text<'_>) -> Option<RateGuidance> {
    let raw = text.raw();
    // A fast path: most texts contain no digit, and many others have neither a slash nor `per`
    // before a window.
    let has_per = || raw.windows(3).any(|part| part.eq_ignore_ascii_case(b"per"));
    if !raw.iter().any(u8::is_ascii_digit) || !(raw.contains(&b'/') || has_per()) {
        return None;
    }
    // Evaluated at most once, and only if needed.
    let mut named = None;
    let find_name = || {
        words(text)
            .map(bare)
            .any(|word| word.eq_ignore_ascii_case(b"rate") || word.eq_ignore_ascii_case(b"limit"))
    };
    let mut found = None;
    let mut last = [Word::Other; 3];
    for raw in words(text) {
        let [_, second, third] = last;
        let word = classify_behind([second, third], raw);
        if word == Word::Slash && matches!(last, [_, Word::Slash | Word::Per, Word::Window(_)]) {
            // `1 request/second/page` is a different rate.
            return None;
        }
        let (amount, is_clear) = match last {
            [amount, Word::Request, Word::Slash | Word::Per] => (amount, true),
            [_, amount, Word::Slash] => (amount, *named.get_or_insert_with(find_name)),
            [_, amount, Word::Per] => (amount, false),
            _ => (Word::Other, false),
        };
        match (amount, word) {
            (Word::Number(requests), Word::Window(window)) => {
                let rate = RateGuidance { requests, window };
                let is_same = found.is_none_or(|(found, _)| found == rate);
                let was_clear = found.is_some_and(|(_, is_clear)| is_clear);
                if !is_same {
                    return None;
                }
                found = Some((rate, is_clear || was_clear));
            }
            // A second rate that cannot be read makes the first one ambiguous.
            (Word::Number(_) | Word::Unclear, Word::OtherWindow)
            | (Word::Unclear, Word::Window(_)) => return None,
            _ => {}
        }
        last = [second, third, word];
    }
    found.filter(|(_, is_clear)| *is_clear).map(|(rate, _)| rate)
}

/// Returns the cache time of a text in seconds. The text must start with `Cache` and contain
/// exactly one time, in whole units.
pub(super) fn cache_seconds(text: Text<'_>) -> Option<u32> {
    let mut words = words(text);
    if !bare(words.next()?).eq_ignore_ascii_case(b"cache") {
        return None;
    }
    let mut found = None;
    let mut last = [Word::Other; 2];
    for raw in words {
        let word = classify_behind(last, raw);
        match (last, word) {
            ([_, Word::Number(count)], Word::Window(unit)) if found.is_none() => {
                found = Some(count.checked_mul(unit.seconds())?);
            }
            ([_, Word::Number(_) | Word::Unclear], Word::Window(_) | Word::OtherWindow) => {
                return None;
            }
            _ => {}
        }
        // `until 5 minutes before the change` is not a duration.
        if ["until", "till", "before", "after"]
            .iter()
            .any(|other| bare(raw).eq_ignore_ascii_case(other.as_bytes()))
        {
            return None;
        }
        last = [last[1], word];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        let of = |text: &str| {
            rate(Text::plain(text.as_bytes())).map(|rate| (rate.requests, rate.window.as_str()))
        };
        for text in [
            "1 request/second",
            "Respect 1 request/second",
            "**1 request / second**.",
            "at most 1 request per second!",
        ] {
            assert_eq!(of(text), Some((1, "second")), "{text}");
        }
        assert_eq!(of("60 requests/minute"), Some((60, "minute")));
        assert_eq!(of("1 request/second for browsing"), Some((1, "second")));
        assert_eq!(of("Rate limit: 60/minute"), Some((60, "minute")));
        assert_eq!(of("0 requests/day"), Some((0, "day")));
        assert_eq!(of("1 request/second, that is 1 request per second"), Some((1, "second")));
        for text in [
            "24/day",
            "1 000 requests/day",
            "4 294 967 296 requests/day",
            "Rate limit: 1 000/day",
            "1 - 2 requests/second",
            "5 to 10 requests per minute",
            "1/2 request per second",
            "24/7: 0 requests/second errors",
            "60 requests per minute, 1000 per hour",
            "60 requests/minute (1000/day)",
            "60 requests/minute or 1000/hour",
            "60 requests/minute, 10/s",
            "60 requests/minute, 1,000 requests/hour",
            "60 requests/minute, 5000 requests per week",
            "1,000 requests/hour",
            "1-2 requests/second",
            "1.5 requests/second",
            "60 requests per 5 minutes",
            "1 request/second/page",
            "1 request/second or 60 requests/minute",
            "99999999999 requests/day",
            "requests/second",
            "1 request",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn cache_times() {
        let of = |text: &str| cache_seconds(Text::plain(text.as_bytes()));
        assert_eq!(of("Cache product data 1 hour"), Some(3_600));
        assert_eq!(of("Cache forecasts 30 minutes"), Some(1_800));
        for text in [
            "Do not cache 1 hour",
            "Cache for a while",
            "Cache 1 000 seconds",
            "Cache 30 - 60 minutes",
            "Cache 1/2 hour",
            "Cache until 5 minutes before change",
            "Cache 1 hour, at most 2 weeks",
            "Cache prices 1 hour, stock 5 minutes",
            "Cache 4294967295 days",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
