//! The attributes of HTML tags, and character references.

use crate::scan;

/// Iterates over the attributes of a tag, with their values. At the end of the iteration, the
/// remaining text begins with the end of the tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes<'a>(&'a [u8]);

impl<'a> Attributes<'a> {
    /// The attributes in the text behind the name of a tag.
    pub(crate) const fn of(text: &'a [u8]) -> Self {
        Self(text)
    }

    /// The text that is not read yet.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// The value of the first attribute with this name.
    pub(crate) fn get(mut self, name: &str) -> Option<&'a [u8]> {
        self.find(|(found, _)| found.eq_ignore_ascii_case(name.as_bytes())).map(|(_, value)| value)
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let until = |text: &'a [u8], is_end: &dyn Fn(&u8) -> bool| {
            let end = text.iter().position(is_end).unwrap_or(text.len());
            text.split_at_checked(end).unwrap_or_default()
        };
        let (_, rest) = until(self.0, &|byte| !is_blank(byte) && *byte != b'/');
        self.0 = rest;
        if rest.is_empty() || rest.starts_with(b">") {
            return None;
        }
        // An attribute may begin with an equals sign.
        let (first, others) = rest.split_at_checked(1)?;
        let (name, behind) =
            until(others, &|byte| is_blank(byte) || matches!(byte, b'/' | b'>' | b'='));
        let name = rest.get(..first.len().saturating_add(name.len())).unwrap_or_default();
        let (_, equals) = until(behind, &|byte| !is_blank(byte));
        let Some(value) = equals.strip_prefix(b"=") else {
            self.0 = behind;
            return Some((name, &[]));
        };
        let (_, value) = until(value, &|byte| !is_blank(byte));
        let (value, behind) = match value {
            [quote @ (b'"' | b'\''), inside @ ..] => {
                let end = scan::memchr(*quote, inside);
                // A value without a closing quote takes the rest of the page.
                let (value, behind) = inside.split_at_checked(end.unwrap_or(inside.len()))?;
                (value, behind.get(1..).unwrap_or_default())
            }
            _ => until(value, &|byte| is_blank(byte) || *byte == b'>'),
        };
        self.0 = behind;
        Some((name, value))
    }
}

/// The character reference at the start of a text, and the text after it. Reads numeric references
/// and the names that URLs need.
pub(crate) fn reference(text: &[u8]) -> Option<(char, &[u8])> {
    const NAMED: [(&str, char); 5] =
        [("&amp;", '&'), ("&apos;", '\''), ("&gt;", '>'), ("&lt;", '<'), ("&quot;", '"')];
    let named = |(name, char): &(&str, char)| Some((*char, text.strip_prefix(name.as_bytes())?));
    if let Some(found) = NAMED.iter().find_map(named) {
        return Some(found);
    }
    let number = text.strip_prefix(b"&#")?;
    let (mut rest, is_hex) = match number {
        [b'x' | b'X', digits @ ..] => (digits, true),
        digits => (digits, false),
    };
    let (start, mut value) = (rest.len(), 0_u32);
    while let [byte, others @ ..] = rest {
        let byte = char::from(*byte);
        let (digit, radix) = match is_hex {
            true => (byte.to_digit(16), 16),
            false => (byte.to_digit(10), 10),
        };
        let Some(digit) = digit else { break };
        (value, rest) = (value.saturating_mul(radix).saturating_add(digit), others);
    }
    if rest.len() == start {
        return None;
    }
    let char = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    Some((char, rest.strip_prefix(b";").unwrap_or(rest)))
}
