//! The agents that a User-Agent names: one reading for robots.txt, policies and limits.
//!
//! A User-Agent is a list of products and comments (RFC 9110 section 10.1.5). Its first product is
//! the agent. But many agents send the User-Agent of a browser with their own name in it. So if the
//! first product is `Mozilla`, the agent is the name after `compatible;`, otherwise the last product
//! that is not a browser's, otherwise the first product in a comment. The User-Agent of a browser
//! has no name of its own.
//!
//! Every other name counts, too: a rule for it binds as well, and the stricter rule wins.
//! `MugBot/1.0 (compatible; Other/2)` is `MugBot`, and keeps to the rules for `Other`. In a comment,
//! a name is followed by a slash or stands after `compatible;`. The rest of a comment, such as `like
//! Gecko`, names nobody.

use crate::rules::method::is_token_octet;
use crate::syntax::text::next_utf8;
use crate::syntax::url::is_blank_or_control;

/// The maximum number of names. A User-Agent with more is invalid, so that the work is bounded.
const NAMES: u32 = 32;

/// The products of browsers, by the length of their names, and the words beside them. From the
/// browsers' documentation: MDN, "User-Agent header" and "Browser detection using the user agent";
/// Chromium, "User-Agent Reduction"; Microsoft Edge, "Detect Microsoft Edge from your website";
/// Opera, "Opera's user agent strings"; WHATWG HTML, "Client identification". A name that is missing
/// here is the name of an agent: it can only restrict.
const BROWSERS: [&[&[u8]]; 15] = [
    &[],
    &[],
    &[b"wv"],
    &[b"Edg", b"OPR", b"OPT", b"OPX"],
    &[b"EdgA", b"Edge", b"like", b"MSIE", b"Silk"],
    &[b"Gecko", b"KHTML", b"CriOS", b"FxiOS", b"OPiOS", b"Opera", b"Build"],
    &[b"Chrome", b"Safari", b"Mobile", b"EdgiOS", b"Presto", b"Tablet"],
    &[b"Mozilla", b"Version", b"Firefox", b"Trident", b"Vivaldi", b"Android"],
    &[b"Chromium", b"IEMobile"],
    &[b"SeaMonkey", b"UCBrowser", b"YaBrowser"],
    &[],
    &[b"AppleWebKit"],
    &[],
    &[],
    &[b"SamsungBrowser"],
];

fn is_browser(token: &[u8]) -> bool {
    let names = BROWSERS.get(token.len()).copied().unwrap_or_default();
    names.iter().any(|name| token.eq_ignore_ascii_case(name))
}

/// A name in a User-Agent; empty for an agent without a name of its own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AgentName<'a> {
    /// With its version: `Claude/1.0`.
    pub(crate) word: &'a [u8],
    /// The product token: `Claude`.
    pub(crate) token: &'a [u8],
}

impl<'a> AgentName<'a> {
    /// Splits the first word off a text.
    #[inline]
    fn split(text: &'a [u8]) -> (Self, &'a [u8]) {
        let end = text.iter().position(|octet| class(*octet) != TOKEN);
        let (token, behind) =
            text.split_at_checked(end.unwrap_or(text.len())).unwrap_or((text, b""));
        let end = behind.iter().position(|octet| class(*octet) == DELIMITER);
        let length = token.len().saturating_add(end.unwrap_or(behind.len()));
        let (word, rest) = text.split_at_checked(length).unwrap_or((text, b""));
        (Self { word, token }, rest)
    }

    /// The name at the start of a text.
    fn of(text: &'a [u8]) -> Self {
        Self::split(text).0
    }

    fn is_same(&self, other: &Self) -> bool {
        self.token.eq_ignore_ascii_case(other.token)
    }
}

/// The names in a User-Agent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UserAgent<'a> {
    text: &'a [u8],
    /// The name of the agent with its version; empty if it has none.
    word: &'a [u8],
    is_valid: bool,
    /// Whether there are other names.
    has_others: bool,
}

impl<'a> UserAgent<'a> {
    /// Reads a User-Agent or a name. Linear.
    pub(crate) fn of(text: &'a [u8]) -> Self {
        let text = trim_spaces(text);
        let (first, rest) = AgentName::split(text);
        let is_any = first.token == b"*";
        let mut agent = Self {
            text,
            word: first.word,
            is_valid: is_visible(text) && (is_any || has_letter_or_digit(first.token)),
            has_others: false,
        };
        // The name `Mozilla` alone is a name like any other.
        let is_browser = first.token.eq_ignore_ascii_case(b"Mozilla") && text != first.token;
        let (mut place, mut count) = (Place::First, 1_u32);
        if is_any || is_browser {
            (agent.word, place, count) = (b"", Place::Nowhere, 0);
        }
        for (name, at) in Names::new(rest) {
            count = count.saturating_add(1);
            let is_last_product = at == Place::Product && place == Place::Product;
            if at > place || is_last_product {
                (agent.word, place) = (name.word, at);
            }
        }
        agent.is_valid &= count <= NAMES;
        agent.has_others = agent.is_valid && count > 1;
        agent
    }

    /// False for an empty text, a text that does not begin with a name, a text with a control
    /// character or an invisible one, and a text with more than 32 names.
    pub(crate) const fn is_valid(&self) -> bool {
        self.is_valid
    }

    /// The name of the agent.
    pub(crate) fn name(&self) -> AgentName<'a> {
        AgentName::of(self.word)
    }

    /// The name of the agent, which may be empty, then its other names, each once.
    pub(crate) fn names(&self) -> impl Iterator<Item = AgentName<'a>> + use<'a> {
        let (own, text) = (self.name(), self.text);
        let others = self.has_others.then(move || {
            let all = move || {
                let (first, rest) = AgentName::split(text);
                let is_own = |name: &AgentName<'_>| {
                    has_letter_or_digit(name.token) && !is_browser(name.token)
                };
                let first = Some(first).filter(is_own);
                first.into_iter().chain(Names::new(rest).map(|(name, _)| name))
            };
            all()
                .zip(0..)
                .filter(move |(name, index)| {
                    !name.is_same(&own) && !all().take(*index).any(|other| other.is_same(name))
                })
                .map(|(name, _)| name)
        });
        core::iter::once(own).chain(others.into_iter().flatten())
    }
}

/// The place of a name in a User-Agent, from the least to the most significant one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Nowhere,
    Comment,
    Product,
    Compatible,
    First,
}

/// The names behind the first product.
struct Names<'a> {
    rest: &'a [u8],
    /// The number of open brackets.
    depth: usize,
    /// Whether the last word was `compatible`.
    is_compatible: bool,
    /// Whether the next word is the first one after `compatible;`.
    is_next: bool,
}

impl<'a> Names<'a> {
    const fn new(rest: &'a [u8]) -> Self {
        Self { rest, depth: 0, is_compatible: false, is_next: false }
    }

    /// Whether a word is a name, and where it is.
    #[inline]
    fn judge(&mut self, mut name: AgentName<'a>) -> Option<(AgentName<'a>, Place)> {
        let is_next = core::mem::take(&mut self.is_next);
        self.is_compatible = name.word.eq_ignore_ascii_case(b"compatible");
        if let Some(quoted) = name.word.strip_prefix(b"\"") {
            name = AgentName::of(quoted);
        }
        let end = name.word.get(name.token.len());
        let place = match (self.depth, end) {
            _ if self.is_compatible => return None,
            _ if is_next => Place::Compatible,
            (0, None | Some(b'/')) => Place::Product,
            (_, Some(b'/')) => Place::Comment,
            _ => return None,
        };
        let has_letter =
            name.token.iter().any(|octet| octet.is_ascii_alphabetic() || !octet.is_ascii());
        // A `+` begins the URL of a description.
        let is_name = has_letter && !name.token.starts_with(b"+") && !is_browser(name.token);
        is_name.then_some((name, place))
    }
}

impl<'a> Iterator for Names<'a> {
    type Item = (AgentName<'a>, Place);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (first, rest) = self.rest.split_first()?;
            if class(*first) != DELIMITER {
                let (name, rest) = AgentName::split(self.rest);
                self.rest = rest;
                if let Some(found) = self.judge(name) {
                    return Some(found);
                }
                continue;
            }
            self.rest = rest;
            match first {
                b'(' | b'[' | b'{' | b'<' => self.depth = self.depth.saturating_add(1),
                b')' | b']' | b'}' | b'>' => self.depth = self.depth.saturating_sub(1),
                b';' | b',' => self.is_next |= core::mem::take(&mut self.is_compatible),
                _ => {}
            }
        }
    }
}

/// The class of an octet: between two words, in a token, or anything else in a word.
const DELIMITER: u8 = 0;
const TOKEN: u8 = 1;
const OTHER: u8 = 2;

static CLASSES: [u8; 256] = classes();

#[allow(clippy::indexing_slicing)] // Runs only at compile time.
const fn classes() -> [u8; 256] {
    let (mut classes, mut octet) = ([TOKEN; 256], 0_u8);
    while octet.is_ascii() {
        classes[octet as usize] = match octet {
            0..=b' ' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b';' => {
                DELIMITER
            }
            _ if is_token_octet(octet) => TOKEN,
            _ => OTHER,
        };
        octet = octet.wrapping_add(1);
    }
    classes
}

fn class(octet: u8) -> u8 {
    CLASSES.get(usize::from(octet)).copied().unwrap_or(OTHER)
}

fn trim_spaces(mut text: &[u8]) -> &[u8] {
    while let [b' ', rest @ ..] | [rest @ .., b' '] = text {
        text = rest;
    }
    text
}

/// True if a text has only visible characters and spaces.
fn is_visible(mut text: &[u8]) -> bool {
    // Without a branch, the loop is vectorized.
    let is_plain = |all, octet: &u8| all & (octet.wrapping_sub(b' ') <= b'~' - b' ');
    text.iter().fold(true, is_plain)
        || core::iter::from_fn(|| next_utf8(&mut text)).all(|c| c == ' ' || !is_hidden(c))
}

const fn is_hidden(c: char) -> bool {
    is_blank_or_control(c)
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}'
        )
        || matches!(c, '\u{200b}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}')
        || matches!(c, '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..)
}

fn has_letter_or_digit(token: &[u8]) -> bool {
    let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || !octet.is_ascii();
    token.iter().any(is_part)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::String;
    use std::vec::Vec;

    fn names(text: &[u8]) -> Vec<String> {
        let agent = UserAgent::of(text);
        assert!(agent.is_valid(), "{}", text.escape_ascii());
        let text = |name: AgentName<'_>| String::from_utf8_lossy(name.token).into_owned();
        agent.names().map(text).collect()
    }

    #[test]
    fn user_agents_name_their_agents() {
        for (text, expected) in [
            ("MugBot", "MugBot"),
            (" MugBot/1.0 ", "MugBot"),
            ("Mozilla", "Mozilla"),
            ("*", ""),
            ("Mozilla/5.0", ""),
            ("Mozilla/5.0 (compatible; MugBot/1.0; +https://mugs.example)", "MugBot"),
            ("mozilla/5.0 (COMPATIBLE;MUGBOT)", "MUGBOT"),
            ("Mozilla/5.0 (compatible; MugBot", "MugBot"),
            ("Mozilla/5.0 (X11; (nested; (compatible; MugBot/1.0))) Chrome/1", "MugBot"),
            ("Mozilla/5.0 (X11; Linux MugBot/1.0", "MugBot"),
            ("Mozilla/5.0 ))) MugBot/1.0 (((", "MugBot"),
            ("Mozilla/5.0 (X11) MugBot/1.0 (KHTML, like Gecko) Chrome/1 Safari/1", "MugBot"),
            ("Mozilla/5.0 First/1 Second/2", "Second First"),
            ("Mozilla/5.0 First/1 (compatible; Second/2) Third/3", "Second First Third"),
            ("Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0)", ""),
            ("Mozilla/5.0 (compatible; MSIE 9.0; MugBot/1.0)", "MugBot"),
            ("MugBot/1.0 (compatible; Other/2)", "MugBot Other"),
            ("MugBot/1.0 (compatible; mugbot/2)", "MugBot"),
            ("python-requests/2.31 MugBot/1.0", "python-requests MugBot"),
            ("MugBot/1.0 (Macintosh; +https://mugs.example/a; bot@mugs.example)", "MugBot"),
            ("MugBot/1.0 (KHTML, like Gecko) 1.0/2 https://mugs.example", "MugBot"),
            ("Müg/1.0", "Müg"),
            ("Mozilla/5.0 (compatible; Müg/1.0)", "Müg"),
        ] {
            assert_eq!(names(text.as_bytes()).join(" "), expected, "{text}");
        }
    }

    /// User-Agents as their operators publish them, in May 2026.
    #[test]
    fn published_user_agents_name_their_agents() {
        const WEBKIT: &str = "AppleWebKit/537.36 (KHTML, like Gecko";
        const MAC: &str = "(Macintosh; Intel Mac OS X 10_15_7)";
        for (text, expected) in [
            (
                std::format!("{WEBKIT}; compatible; GPTBot/1.3; +https://openai.com/gptbot)"),
                "GPTBot",
            ),
            (
                std::format!("{WEBKIT}); compatible; GPTBot/1.1; +https://openai.com/gptbot"),
                "GPTBot",
            ),
            (
                std::format!("{WEBKIT}); compatible; ChatGPT-User/1.0; +https://openai.com/bot"),
                "ChatGPT-User",
            ),
            (
                std::format!(
                    "{MAC} {WEBKIT}) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot"
                ),
                "OAI-SearchBot",
            ),
            (
                std::format!("{WEBKIT}; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)"),
                "ClaudeBot",
            ),
            (
                std::format!("{WEBKIT}; compatible; Claude-User/1.0; +Claude-User@anthropic.com)"),
                "Claude-User",
            ),
            (
                std::format!(
                    "{WEBKIT}; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)"
                ),
                "PerplexityBot",
            ),
            (
                std::format!(
                    "{WEBKIT}; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36"
                ),
                "Amazonbot",
            ),
            (
                std::format!(
                    "{MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)"
                ),
                "Applebot",
            ),
            (
                std::format!(
                    "{WEBKIT}; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36"
                ),
                "bingbot",
            ),
            (
                std::format!(
                    "{WEBKIT}; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/126.0.0.0 Safari/537.36"
                ),
                "Googlebot",
            ),
            (
                std::format!(
                    "(Linux; Android 5.0) {WEBKIT}) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)"
                ),
                "Bytespider",
            ),
        ] {
            let text = std::format!("Mozilla/5.0 {text}");
            assert_eq!(names(text.as_bytes()).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn invalid_agents_are_recognized() {
        let many = std::format!("Mozilla/5.0{}", " a b c d e f g h i j k".repeat(3));
        for text in [
            "",
            " ",
            "   ",
            "\t",
            "\n",
            "\u{a0}",
            "\u{3000}",
            "\u{200b}",
            "\u{feff}MugBot",
            "Mug\u{200b}Bot",
            "MugBot\r\nX: y",
            "MugBot\0",
            "Mug\tBot",
            "MugBot\u{7f}",
            "MugBot\u{85}",
            "/1.0",
            "(MugBot)",
            ";",
            "\"MugBot\"",
            "@",
            "-",
            "---",
            "***",
            &many,
        ] {
            assert!(!UserAgent::of(text.as_bytes()).is_valid(), "{text:?}");
        }
        assert!(UserAgent::of(b"M\xfcg/1.0").is_valid());
    }

    #[test]
    fn no_text_is_read_in_more_than_linear_time_or_lost() {
        for unit in ["(", ")", "compatible;", "a", "/", "(compatible; a/", ";", "\u{fc}"] {
            let text = std::format!("Mozilla/5.0 {}", unit.repeat(200_000));
            let agent = UserAgent::of(text.as_bytes());
            assert!(agent.names().count() <= NAMES as usize + 1, "{unit}");
        }
    }
}
