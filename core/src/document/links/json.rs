//! The members around a URL in JSON, also where the text is cut or invalid.

use super::kind::stated;
use super::{LinkKind, REACH, is_end, is_marker};
use crate::syntax::bare_url::{ESCAPE, escaped_char};

/// The maximum number of objects around a URL whose keys are read.
const LEVELS: usize = 4;

/// What a document says about a URL beside it.
#[derive(Default)]
pub(super) struct Around<'a> {
    /// The key of the value. If the key only says that its value is a URL, such as `href`, this is
    /// the key of an object around it.
    pub(super) label: &'a [u8],
    /// The keys of the value and of the objects around it, from the inside.
    pub(super) keys: [&'a [u8]; LEVELS],
    /// The kind that another member of the object states: its type, relation or transport.
    pub(super) stated: Option<LinkKind>,
}

impl<'a> Around<'a> {
    /// Creates the surroundings of a URL in plain text, which has no members.
    pub(super) fn named(label: &'a [u8]) -> Self {
        Self { label, ..Self::default() }
    }

    /// Reads the members before and behind a URL.
    pub(super) fn of(before: &'a [u8], after: &[u8]) -> Self {
        let mut around = Self::default();
        let open = last_quote(before).and_then(|at| before.get(..at));
        around.read(open.unwrap_or_default());
        if around.stated.is_none() {
            around.stated = stated_behind(after);
        }
        let [own, outer @ ..] = around.keys;
        let named = outer.into_iter().find(|key| !key.is_empty());
        around.label = if own.is_empty() || is_plain(own) { named.unwrap_or(own) } else { own };
        around
    }

    /// Reads the tokens of a text backwards.
    fn read(&mut self, mut rest: &'a [u8]) {
        let (mut level, mut depth) = (0_usize, 0_usize);
        // Whether the next key belongs to the value or object that was just left: true until a
        // comma.
        let mut is_around = true;
        let (mut value, mut is_key): (&[u8], bool) = (&[], false);
        while let [front @ .., byte] = rest {
            rest = front;
            match byte {
                b'"' => {
                    let Some(open) = last_quote(front) else {
                        return;
                    };
                    let (before, text) = front.split_at_checked(open).unwrap_or_default();
                    let text = text.get(1..).unwrap_or_default();
                    rest = before;
                    if depth > 0 {
                    } else if !is_key {
                        value = text;
                    } else if is_around {
                        if let Some(key) = self.keys.get_mut(level) {
                            *key = text;
                        }
                    } else if level == 0 && self.stated.is_none() && is_statement(text) {
                        self.stated = stated(value);
                    }
                    is_key = false;
                }
                b'}' | b']' => depth = depth.saturating_add(1),
                b'{' | b'[' if depth > 0 => depth = depth.saturating_sub(1),
                b'{' | b'[' => {
                    level = level.saturating_add(usize::from(*byte == b'{'));
                    is_around = true;
                }
                b',' if depth == 0 => {
                    is_around = false;
                    value = &[];
                }
                b':' if depth == 0 => is_key = true,
                _ => {}
            }
        }
    }
}

/// The text before a URL in the same string, after the previous URL in that string.
pub(super) fn text_before(inside: &[u8]) -> &[u8] {
    let start = last_quote(inside).map_or(0, |at| at.saturating_add(1));
    let is_cut = start == 0 && inside.len() >= REACH;
    let text = inside.get(start..).unwrap_or_default();
    if is_cut { &[] } else { text }
}

/// A text in a string without the marks of lists and punctuation around it, if it has a letter or
/// digit. Escapes are not cut.
pub(super) fn words_of(text: &[u8]) -> Option<&[u8]> {
    let (mut first, mut last, mut at) = (None, 0, 0_usize);
    let mut has_words = false;
    while let Some((character, length)) = text.get(at..).and_then(first_character) {
        if first.is_none() && !is_marker(character) {
            first = Some(at);
        }
        at = at.saturating_add(length);
        if !is_end(character) {
            last = at;
        }
        has_words |= character.is_ascii_alphanumeric();
    }
    text.get(first?..last).filter(|_| has_words)
}

/// The first character of a text in a string, and its length as written. Control characters count
/// as blanks, and other characters outside ASCII are not distinguished.
fn first_character(text: &[u8]) -> Option<(u8, usize)> {
    let escaped = escaped_char(text).map(|char| (u8::try_from(char).unwrap_or(u8::MAX), ESCAPE));
    let (character, length) = match text {
        _ if escaped.is_some() => escaped?,
        [b'\\', b'b' | b'f' | b'n' | b'r' | b't', ..] => (b' ', 2),
        [b'\\', character, ..] => (*character, 2),
        [character, ..] => (*character, 1),
        [] => return None,
    };
    let is_control = character.is_ascii_control();
    Some((if is_control { b' ' } else { character }, length))
}

/// The offset of the `https` or `http` at the end of a text, whose letters may be escaped.
pub(super) fn scheme_start(text: &[u8]) -> Option<usize> {
    ["https", "http"].iter().find_map(|scheme| {
        let mut letters = scheme.bytes().rev();
        let rest = letters.try_fold(text, |text, letter| match text {
            [rest @ .., last] if last.eq_ignore_ascii_case(&letter) => Some(rest),
            _ => {
                let (rest, escape) = text.split_at_checked(text.len().checked_sub(ESCAPE)?)?;
                let is_letter = escaped_char(escape)?.eq_ignore_ascii_case(&char::from(letter));
                (is_letter && !rest.ends_with(b"\\")).then_some(rest)
            }
        });
        rest.map(<[u8]>::len)
    })
}

/// The offset of the last quote that is not escaped.
fn last_quote(text: &[u8]) -> Option<usize> {
    let mut rest = text;
    loop {
        let at = rest.iter().rposition(|byte| *byte == b'"')?;
        rest = rest.get(..at)?;
        let slashes = rest.iter().rev().take_while(|byte| **byte == b'\\');
        if slashes.count().is_multiple_of(2) {
            return Some(at);
        }
    }
}

/// The kind that a member after a URL in the same object states.
fn stated_behind(after: &[u8]) -> Option<LinkKind> {
    let end = after.iter().position(|byte| matches!(byte, b'{' | b'}' | b'[' | b']'));
    let members = after.get(..end.unwrap_or(after.len()))?;
    let mut strings = members.split(|byte| *byte == b'"').skip(2).step_by(2);
    while let Some(key) = strings.next() {
        if is_statement(key) {
            return stated(strings.next()?);
        }
    }
    None
}

/// True for the keys of members that say what a URL beside them leads to.
fn is_statement(key: &[u8]) -> bool {
    is_one_of(
        key,
        &[
            "type",
            "mediaType",
            "media_type",
            "contentType",
            "rel",
            "relation",
            "transport",
            "transportType",
            "transport_type",
            "protocol",
        ],
    )
}

/// True for keys that say nothing but that their value is a URL.
pub(super) fn is_plain(key: &[u8]) -> bool {
    is_one_of(key, &["href", "url", "uri", "link"])
}

/// True if the text equals one of the words, ignoring case.
pub(super) fn is_one_of(text: &[u8], words: &[&str]) -> bool {
    let mut words = words.iter();
    words.any(|word| text.eq_ignore_ascii_case(word.as_bytes()))
}
