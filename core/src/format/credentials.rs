//! Whether a text holds what looks like a real key, token or password.
//!
//! Works on decoded characters in one pass with a few words of state, so neither escapes hide anything nor does length cost anything.
//! The text is seen as words of token characters; what is between them does not matter, except that a `<`, `{` or `*` right behind a word
//! shows that somebody stands for a key there, and none is.
//!
//! Nearly no text holds a word that is long enough and begins like a key. [`may_hold`] finds those that do in the raw bytes, of which it looks
//! at few; only they are read character by character. Nearly no document has one either ([`may_stand_in`]), and then its texts are not asked.

use crate::scan;
use crate::syntax::text::{Escape, Text};

/// What the check says; it never repeats the credential.
pub(crate) const MESSAGE: &str =
    "a value looks like a real credential; revoke it, and describe only how to get one";

/// Whether `text` holds something that has the shape of a well-known credential and is no obvious placeholder.
pub(crate) fn holds_credential(text: Text<'_>) -> bool {
    let is_plain = !matches!(text.escape(), Escape::Json | Escape::YamlDouble);
    (if is_plain {
        may_hold(text.raw())
    } else {
        may_stand_in(text.raw())
    }) && is_held(text)
}

/// Whether one of the texts of a document, or of a part of it, may hold such a thing, or an escape that hides it.
pub(crate) fn may_stand_in(document: &[u8]) -> bool {
    scan::memchr(b'\\', document).is_some() || may_hold(document)
}

/// Whether the raw bytes of texts without escapes may hold such a thing: a word of [`SHORTEST`] characters that begins like a key, or one
/// behind `Bearer`. How else texts are written down (quotes, folded lines) joins no words.
fn may_hold(raw: &[u8]) -> bool {
    let mut start = 0_usize;
    // Behind `Bearer`, a word has a few characters more.
    while let Some(window) = raw.get(start..).and_then(|rest| rest.get(..SHORTEST)) {
        // Most windows end in the middle of a word, and this is not far from its start.
        if let Some(at) = window.iter().rposition(|&byte| !is_bearer_byte(byte)) {
            start = start.saturating_add(at).saturating_add(1);
            continue;
        }
        let rest = raw.get(start..).unwrap_or_default();
        let run = rest
            .split(|&byte| !is_bearer_byte(byte))
            .next()
            .unwrap_or_default();
        let mut words = run.split(|&byte| !is_token_character(char::from(byte)));
        let before = raw.get(..start).unwrap_or_default();
        if words.any(|word| word.len() >= SHORTEST && begins_like_key(word))
            || ends_in_bearer(before)
        {
            return true;
        }
        start = start.saturating_add(run.len());
    }
    false
}

/// Whether a word begins as one of the shapes that [`Word::is_credential`] knows.
fn begins_like_key(word: &[u8]) -> bool {
    matches!(
        word,
        [b's', b'k', ..]
            | [b'g', b'h', ..]
            | [b'A', b'K', ..]
            | [b'x', b'o', ..]
            | [b'e', b'y', ..]
    )
}

/// Whether `Bearer` stands before the blanks at the end, of which some may begin a folded line.
fn ends_in_bearer(before: &[u8]) -> bool {
    let blanks = before
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'>'))
        .count();
    let words = before
        .get(..before.len().saturating_sub(blanks))
        .unwrap_or_default();
    blanks > 0
        && words
            .last_chunk::<6>()
            .is_some_and(|word| word.eq_ignore_ascii_case(b"bearer"))
}

/// [`holds_credential`], character by character.
fn is_held(text: Text<'_>) -> bool {
    let mut word = Word::default();
    // Whether the word before was `Bearer`, and nothing but blanks came since.
    let mut bearer = false;
    for c in text.chars() {
        if is_token_character(c) || (bearer && word.length > 0 && is_behind_bearer(c)) {
            word.push(c as u8);
            continue;
        }
        if word.length > 0 {
            if !matches!(c, '<' | '{' | '*' | '…') && word.is_credential(bearer) {
                return true;
            }
            bearer = word.is("bearer");
            word = Word::default();
        }
        bearer &= matches!(c, ' ' | '\t');
    }
    word.is_credential(bearer)
}

/// No shape is shorter than this.
const SHORTEST: usize = 20;

const fn is_token_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// What else a word may hold behind `Bearer`.
const fn is_behind_bearer(c: char) -> bool {
    matches!(c, '+' | '/' | '=' | '~')
}

/// Whether a byte is one of all these.
fn is_bearer_byte(byte: u8) -> bool {
    static BYTES: [bool; 256] = bearer_bytes();
    BYTES.get(usize::from(byte)).copied().unwrap_or_default()
}

#[allow(clippy::indexing_slicing)] // Only when the program is compiled.
const fn bearer_bytes() -> [bool; 256] {
    let mut bytes = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        bytes[byte as usize] = is_token_character(byte as char) || is_behind_bearer(byte as char);
        byte += 1_u8;
    }
    bytes
}

/// A run of token characters, of which only what the shapes ask for is kept.
#[derive(Default)]
struct Word {
    /// Its first characters.
    head: [u8; 8],
    length: u32,
    /// The last four characters, lower-cased.
    recent: u32,
    digits: u32,
    /// Characters other than upper-case letters and digits.
    not_capital: u32,
    /// Characters other than letters and digits.
    not_alphanumeric: u32,
    /// Parts between dots that are finished, whether the first two of them began with `eyJ`, and the length of the current one.
    parts: u32,
    json_parts: u32,
    part_length: u32,
    part_head: [u8; 3],
    /// Holds `YOUR`, `xxx` or `...`: somebody's words, not a key.
    placeholder: bool,
}

impl Word {
    fn push(&mut self, byte: u8) {
        if let Some(place) = self.head.get_mut(self.length as usize) {
            *place = byte;
        }
        self.length = self.length.saturating_add(1);
        self.recent = self.recent << 8 | u32::from(byte.to_ascii_lowercase());
        let last_three = self.recent & 0x00FF_FFFF;
        self.placeholder |= self.recent == u32::from_be_bytes(*b"your")
            || matches!(&last_three.to_be_bytes(), b"\0xxx" | b"\0...");
        self.digits = self.digits.saturating_add(u32::from(byte.is_ascii_digit()));
        self.not_capital = self.not_capital.saturating_add(u32::from(
            !byte.is_ascii_uppercase() && !byte.is_ascii_digit(),
        ));
        self.not_alphanumeric = self
            .not_alphanumeric
            .saturating_add(u32::from(!byte.is_ascii_alphanumeric()));
        if byte == b'.' {
            self.parts = self.parts.saturating_add(1);
            self.json_parts = self
                .json_parts
                .saturating_add(u32::from(self.part_head == *b"eyJ"));
            self.part_length = 0;
            self.part_head = [0; 3];
        } else {
            if let Some(place) = self.part_head.get_mut(self.part_length as usize) {
                *place = byte;
            }
            self.part_length = self.part_length.saturating_add(1);
        }
    }

    fn is(&self, name: &str) -> bool {
        self.length as usize == name.len()
            && self
                .head
                .get(..name.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(name.as_bytes()))
    }

    fn is_credential(&self, after_bearer: bool) -> bool {
        if self.placeholder || (self.length as usize) < SHORTEST {
            return false;
        }
        let mixed = self.digits > 0;
        let has_shape = match &self.head {
            [b's', b'k', b'_', b'l', b'i', b'v', b'e', b'_'] => mixed,
            [b's', b'k', b'-', ..] => mixed && self.length >= 23,
            [b'g', b'h', b'p' | b'o' | b'u' | b's' | b'r', b'_', ..] => {
                self.not_alphanumeric == 1 && self.length >= 34
            }
            [b'A', b'K', b'I', b'A', ..] => self.not_capital == 0 && self.length == 20,
            [b'x', b'o', b'x', b'b' | b'p', b'-', ..] => mixed && self.length >= 25,
            _ => self.parts == 2 && self.json_parts == 2 && self.part_length >= 10,
        };
        has_shape || (after_bearer && mixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oA";

    fn finds(pieces: &[&str]) -> bool {
        let mut text = heapless::String::<256>::new();
        pieces
            .iter()
            .for_each(|piece| text.push_str(piece).unwrap());
        holds_credential(Text::plain(text.as_bytes()))
    }

    #[test]
    fn the_known_shapes_are_found() {
        for prefix in [
            "sk-",
            "sk_live_",
            "ghp_",
            "xoxb-",
            "xoxp-",
            "Bearer ",
            "bearer \t",
            "?token=ghp_",
            "(sk-",
        ] {
            assert!(finds(&[prefix, BODY]), "{prefix}");
            assert!(finds(&["Use ", prefix, BODY, " here"]), "{prefix}");
        }
        assert!(finds(&["AKIA", "Q7ZT4WXN2LPD5RKC"]));
        assert!(finds(&[
            "eyJhbGciOiJIUzI1NiJ9.",
            "eyJzdWIiOiJ0ZXN0In0.",
            BODY
        ]));
        assert!(finds(&["Bearer ab+/12", BODY, "=="]));
        assert!(holds_credential(Text::json(
            b"sk\\u002dq7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oA"
        )));
    }

    proptest::proptest! {
        /// What is looked at in bytes first hides nothing from the reading of characters.
        #[test]
        fn what_is_held_may_be_held(text in "(sk-|ghp_|AKIA|xoxb-|eyJ|Bearer|bearer|[a-zA-Z0-9]{1,12}|[.+/=~ >\\t\n_-]|\\\\u0073|\\\\n|é){1,24}") {
            let document = text.as_bytes();
            for text in [Text::plain(document), Text::json(document), Text::escaped(document, Escape::Markdown), Text::escaped(document, Escape::YamlDouble)] {
                let held = is_held(text);
                proptest::prop_assert_eq!(holds_credential(text), held);
                proptest::prop_assert!(!held || may_stand_in(document));
            }
        }
    }

    #[test]
    fn words_and_placeholders_are_not() {
        for text in [
            "a task-force for sk-learn, risk-free, the bearer of news",
            "Bearer YOUR_ACCESS_TOKEN_1234567890",
            "Bearer <token> or Bearer {access_token_1234567890abcdef}",
            "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx1",
            "sk-1234567890abcdefghij...",
            "ghp_q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTf***",
            "the bearer: q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTf",
            "AKIAQ7ZT4WXN2LPD5RKCX",
            "https://example.com/a/very/long/path/2024/without/secrets",
            "example.com.more.names.of.hosts.eyJ.eyJ",
        ] {
            assert!(!finds(&[text]), "{text}");
        }
    }
}
