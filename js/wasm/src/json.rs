//! Writes the JSON of answers that the core has no JSON for.

use alloc::vec::Vec;
#[cfg(feature = "full")]
use core::fmt::{Display, Write as _};

use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::write::Sink;

/// An answer: JSON, or the bytes of a document and JSON behind it.
#[derive(Default)]
pub(crate) struct Json {
    pub(crate) bytes: Vec<u8>,
}

/// What the core writes. All of it goes to this one type: the module has a copy of each of the core's
/// writers for each type of sink.
impl Sink for Json {
    fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }
}

impl Json {
    pub(crate) fn put(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Writes a comma, unless this is the first item or member.
    fn separate(&mut self) {
        if !matches!(self.bytes.last(), None | Some(b'[' | b'{' | b':')) {
            self.put(",");
        }
    }

    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        self.separate();
        self.put("\"");
        self.put(name);
        self.put("\":");
        self
    }

    pub(crate) fn within(&mut self, brackets: [&str; 2], inside: impl FnOnce(&mut Self)) {
        self.separate();
        let [open, close] = brackets;
        self.put(open);
        inside(self);
        self.put(close);
    }

    pub(crate) fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.within(["{", "}"], members);
    }

    pub(crate) fn list(&mut self, items: impl FnOnce(&mut Self)) {
        self.within(["[", "]"], items);
    }

    pub(crate) fn text(&mut self, text: Text<'_>) {
        self.separate();
        self.put("\"");
        text.chars().for_each(|c| self.character(c));
        self.put("\"");
    }

    pub(crate) fn word(&mut self, text: &str) {
        self.text(Text::plain(text.as_bytes()));
    }

    #[cfg(feature = "full")]
    /// Writes the words for people, such as the message of a diagnostic.
    pub(crate) fn said(&mut self, said: impl Display) {
        self.separate();
        self.put("\"");
        // Writing here does not fail.
        let _ = write!(Escaped(self), "{said}");
        self.put("\"");
    }

    pub(crate) fn number(&mut self, number: impl Into<u64>) {
        self.separate();
        let mut number = number.into();
        let start = self.bytes.len();
        loop {
            self.bytes.push(b'0' + (number % 10) as u8);
            number /= 10;
            if number == 0 {
                break;
            }
        }
        if let Some(digits) = self.bytes.get_mut(start..) {
            digits.reverse();
        }
    }

    pub(crate) fn truth(&mut self, truth: bool) {
        self.separate();
        self.put(if truth { "true" } else { "false" });
    }

    pub(crate) fn null(&mut self) {
        self.separate();
        self.put("null");
    }

    /// Writes a value, or null.
    pub(crate) fn or_null<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        match value {
            Some(value) => write(self, value),
            None => self.null(),
        }
    }

    fn character(&mut self, c: char) {
        match c {
            '"' => self.put("\\\""),
            '\\' => self.put("\\\\"),
            '\0'..='\u{1f}' => {
                let hex = |digit: u32| {
                    char::from_digit((u32::from(c) >> digit) & 15, 16).map_or(0, |c| c as u8)
                };
                self.bytes.extend_from_slice(&[b'\\', b'u', b'0', b'0', hex(4), hex(0)]);
            }
            _ => self.put(c.encode_utf8(&mut [0; 4])),
        }
    }
}

#[cfg(feature = "full")]
struct Escaped<'j>(&'j mut Json);

#[cfg(feature = "full")]
impl core::fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        text.chars().for_each(|c| self.0.character(c));
        Ok(())
    }
}
