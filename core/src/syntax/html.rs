//! The attributes of HTML tags.

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
