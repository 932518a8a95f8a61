//! Finds the instructions in the text of a recovery (section 10): an endpoint, an action, a time to
//! wait, a retry. The rest of the text is prose for readers.

use crate::syntax::grammar::number;
use crate::syntax::text::{Chars, Text};

/// The instructions in a recovery. If there are several of a kind, the first one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Advice<'a> {
    /// A path or a URL, possibly with placeholders in braces.
    pub(crate) endpoint: Option<Text<'a>>,
    /// The id of an action.
    pub(crate) action: Option<Text<'a>>,
    /// Whether the text says to wait.
    pub(crate) waits: bool,
    /// The time that the text states, in seconds.
    pub(crate) seconds: Option<u32>,
    /// Whether the text says to retry.
    pub(crate) retries: bool,
}

impl<'a> Advice<'a> {
    /// Reads a text. `is_action` returns whether a name is the id of an action; it is called at
    /// most once for each word. Linear.
    pub(crate) fn read(text: Text<'a>, is_action: impl Fn(Text<'a>) -> bool) -> Self {
        let mut advice = Self::default();
        let mut last: Option<u32> = None;
        for word in Words::new(text) {
            if word.is_endpoint {
                advice.endpoint = advice.endpoint.or(Some(word.text));
                continue;
            }
            let name = word.text;
            let (own, unit) = amount(name);
            let seconds = own.or(last).zip(unit);
            if let Some((count, unit)) = seconds {
                advice.seconds = advice.seconds.or(count.checked_mul(unit));
            }
            last = own.filter(|_| unit.is_none());
            advice.retries |= name.eq_ignore_case("retry");
            advice.waits |= name.eq_ignore_case("wait");
            if advice.action.is_none() && !name.is_empty() && is_action(name) {
                advice.action = Some(name);
            }
        }
        advice
    }

    /// Whether software can follow the text.
    pub(crate) const fn is_actionable(&self) -> bool {
        self.endpoint.is_some() || self.action.is_some() || self.waits || self.retries
    }
}

/// Returns the number, and the unit in seconds, of a word such as `60`, `seconds` or `60s`.
fn amount(word: Text<'_>) -> (Option<u32>, Option<u32>) {
    const UNITS: [(u32, [&str; 5]); 4] = [
        (1, ["s", "sec", "secs", "second", "seconds"]),
        (60, ["m", "min", "mins", "minute", "minutes"]),
        (3600, ["h", "hr", "hrs", "hour", "hours"]),
        (86_400, ["d", "day", "days", "day", "days"]),
    ];
    // A longer word is neither a number nor a unit.
    let mut buffer = [0; 24];
    let word = word.decode(&mut buffer).unwrap_or_default().as_bytes();
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (count, rest) = word.split_at_checked(digits).unwrap_or_default();
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let is = |unit: &str| rest.eq_ignore_ascii_case(unit.as_bytes());
    let unit = UNITS.iter().find(|(_, names)| names.iter().any(|name| is(name)));
    let unit = unit.map(|(seconds, _)| *seconds);
    if unit.is_none() && !rest.is_empty() {
        return (None, None);
    }
    (number(count), unit)
}

/// A word of a sentence.
struct Word<'a> {
    text: Text<'a>,
    /// Whether it is a path or a URL.
    is_endpoint: bool,
}

/// The words of a sentence: runs of characters that occur in ids, and paths and URLs up to a blank.
struct Words<'a> {
    text: Text<'a>,
    chars: Chars<'a>,
}

impl<'a> Words<'a> {
    fn new(text: Text<'a>) -> Self {
        Self { text, chars: text.chars() }
    }

    /// Returns the text from `start` to `end`. Both are rests of the sentence.
    fn between(&self, start: &'a [u8], end: &'a [u8]) -> Text<'a> {
        let raw = start.get(..start.len().saturating_sub(end.len()));
        Text::escaped(raw.unwrap_or_default(), self.text.escape())
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let mut start = None;
        // Punctuation at the end of a sentence does not belong to a word.
        let mut end = self.chars.rest();
        // The characters of the word that are needed to recognize a path or a URL.
        let (mut first, mut second, mut last) = (None, None, [' '; 2]);
        let mut is_endpoint = false;
        loop {
            let here = self.chars.rest();
            let Some(c) = self.chars.next() else { break };
            let belongs = c.is_alphanumeric()
                || matches!(c, '_' | '-' | '.' | ':' | '/' | '{' | '}')
                || is_endpoint && !c.is_whitespace() && !matches!(c, '"' | '\'' | '<' | '>' | '`');
            if !belongs && start.is_none() {
                continue;
            }
            if !belongs {
                break;
            }
            start = start.or(Some(here));
            (first, second) = (first.or(Some(c)), second.or(first.and(Some(c))));
            let is_path = first == Some('/')
                && second.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '{' | '.'));
            is_endpoint |= is_path || [last[0], last[1], c] == [':', '/', '/'];
            last = [last[1], c];
            if !matches!(c, '.' | ':' | '-' | ',' | ';' | '!' | '?' | ')') {
                end = self.chars.rest();
            }
        }
        let start = start?;
        Some(Word {
            text: self.between(start, if end.len() > start.len() { start } else { end }),
            is_endpoint,
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    fn read(text: &'static str) -> Advice<'static> {
        Advice::read(Text::plain(text.as_bytes()), |name| {
            ["search_flights", "book.flight"].iter().any(|own| name == *own)
        })
    }

    #[test]
    fn the_sentences_of_the_specification() {
        let advice = read("call /api/auth/refresh then retry original action");
        assert_eq!(advice.endpoint.unwrap(), "/api/auth/refresh");
        assert!(advice.retries && !advice.waits && advice.action.is_none());
        let advice = read("wait 60 seconds then retry");
        assert_eq!((advice.waits, advice.seconds, advice.retries), (true, Some(60), true));
        let advice = read("retry search_flights with different parameters");
        assert_eq!(advice.action.unwrap(), "search_flights");
        let advice = read("query /api/airports?search={input} to find valid codes");
        assert_eq!(advice.endpoint.unwrap(), "/api/airports?search={input}");
        assert!(!advice.retries);
    }

    #[test]
    fn names_and_times_are_found_in_sentences() {
        assert_eq!(read("Call book.flight.").action.unwrap(), "book.flight");
        assert_eq!(
            read("see https://a.example/b?c=d, then wait").endpoint.unwrap(),
            "https://a.example/b?c=d"
        );
        for (text, seconds) in [
            ("wait 5 minutes", Some(300)),
            ("Wait for 90s.", Some(90)),
            ("wait at least 2-minutes", Some(120)),
            ("retry after 1 hour", Some(3600)),
            ("wait 60 times", None),
            ("wait 99999999999 seconds", None),
            ("wait 4294967295 days", None),
            ("wait", None),
            ("wait 3, seconds matter", Some(3)),
        ] {
            assert_eq!(read(text).seconds, seconds, "{text}");
        }
        for text in ["", "contact support", "a/b", "and/or", "// x", "waiting", "/ "] {
            assert!(!read(text).is_actionable(), "{text}");
        }
    }
}
