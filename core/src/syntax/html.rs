//! The tags of HTML pages with their attributes, and character references.

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

/// A part of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    /// Text between two tags.
    #[cfg_attr(not(feature = "readiness"), allow(dead_code))]
    Text(&'a [u8]),
    /// A start tag. `content` is what is in an element whose content is not shown, up to its end
    /// tag; empty for other elements.
    #[cfg_attr(not(feature = "readiness"), allow(dead_code))]
    Start { name: &'a [u8], attributes: Attributes<'a>, content: &'a [u8] },
    /// The name in an end tag.
    End(&'a [u8]),
}

/// The elements whose content is no part of the page: text in which tags do not count, or what is
/// not shown.
const HIDDEN: [&str; 5] = ["title", "style", "script", "noframes", "template"];

/// Whether the content of an element is no part of the page.
pub(crate) fn is_hidden(name: &[u8]) -> bool {
    HIDDEN.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// The parts of a page. Comments and declarations are none.
///
/// This is a scanner for tags, not an HTML parser. It ends before a tag that has no end. INVARIANT:
/// `rest` only gets shorter, and every byte is searched at most once for each kind of delimiter, so
/// the scan is linear.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts<'a> {
    rest: &'a [u8],
}

impl<'a> Parts<'a> {
    pub(crate) const fn of(page: &'a [u8]) -> Self {
        Self { rest: page }
    }

    /// Moves to the position after the next `part`, or to the end if there is none.
    fn skip_to(&mut self, part: &[u8]) {
        let found = scan::find(self.rest, part).and_then(|at| at.checked_add(part.len()));
        self.rest = found.and_then(|at| self.rest.get(at..)).unwrap_or_default();
    }

    /// Moves to the end tag of an element, and returns what is before it.
    fn content(&mut self, name: &[u8]) -> &'a [u8] {
        let (all, mut at) = (self.rest, 0_usize);
        while let Some(open) = all.get(at..).and_then(|rest| scan::memchr(b'<', rest)) {
            at = at.saturating_add(open);
            let (before, end) = all.split_at_checked(at).unwrap_or_default();
            let ending = end.strip_prefix(b"</").and_then(|end| end.get(..name.len()));
            if ending.is_some_and(|ending| ending.eq_ignore_ascii_case(name)) {
                self.rest = end;
                return before;
            }
            at = at.saturating_add(1);
        }
        self.rest = &[];
        all
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        loop {
            let inside = match self.rest {
                [] => return None,
                [b'<', inside @ ..] => inside,
                text => {
                    let length = scan::memchr(b'<', text).unwrap_or(text.len());
                    let (text, rest) = text.split_at_checked(length)?;
                    self.rest = rest;
                    return Some(Part::Text(text));
                }
            };
            let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
            match inside {
                [b'!', b'-', b'-', ..] => self.skip_to(b"-->"),
                [b'!' | b'?', ..] => self.skip_to(b">"),
                [b'/', behind @ ..] => {
                    let length = behind.iter().position(is_end).unwrap_or(behind.len());
                    self.skip_to(b">");
                    return Some(Part::End(behind.get(..length).unwrap_or_default()));
                }
                [b'a'..=b'z' | b'A'..=b'Z', ..] => {
                    let (name, behind) =
                        inside.split_at_checked(inside.iter().position(is_end)?)?;
                    let attributes = Attributes::of(behind);
                    let mut last = attributes;
                    // The tag ends after its last attribute.
                    while last.next().is_some() {}
                    self.rest = last.rest().strip_prefix(b">")?;
                    let content = if is_hidden(name) { self.content(name) } else { &[] };
                    return Some(Part::Start { name, attributes, content });
                }
                _ => {
                    let (sign, rest) = self.rest.split_at_checked(1)?;
                    self.rest = rest;
                    return Some(Part::Text(sign));
                }
            }
        }
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
